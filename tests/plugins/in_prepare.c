/* Computes in prepare, which is not timed. Caught by fresh masses. */
#include "cheats.h"

static int prepare(struct orr_job *job)
{
    int code = sums_prepare(job);
    return code ? code : sums_step(job);
}

const struct orr_variant orr_variant = {SUMS_VARIANT, .name = "plugins/in_prepare",
                                        .prepare = prepare, .step = do_nothing};
