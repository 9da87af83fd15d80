/* Asks for more memory than there is. */
#include "base.h"

static int prepare(struct orr_job *job)
{
    return ORR_FAIL(job, ORR_EMEMORY, "%zu bodies need 1e15 bytes and the device has 1e9",
                    job->bodies->n);
}

const struct orr_variant orr_variant = {BASE_VARIANT, .name = "plugins/no_memory",
                                        .prepare = prepare, .step = do_nothing};
