/* Computes in a declared stage of fetch. Caught by the length of the stage. */
#include "cheats.h"

static int fetch(struct orr_job *job, struct orr_forces *out)
{
    orr_stage(job, "back");
    int code = sums_step(job);
    orr_stage(job, NULL);
    return code ? code : sums_fetch(job, out);
}

const struct orr_variant orr_variant = {SUMS_VARIANT, .name = "plugins/stage_in_fetch",
                                        .fetch = fetch, .step = do_nothing, .cost = NULL};
