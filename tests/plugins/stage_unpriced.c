/* Computes in upload, declares it as a stage and says nothing of its work. Caught by the length of
 * the stage: one that takes longer than the step is part of it. */
#include "cheats.h"

static int upload(struct orr_job *job)
{
    orr_stage(job, "sort");
    int code = sums_step(job);
    orr_stage(job, NULL);
    return code;
}

const struct orr_variant orr_variant = {SUMS_VARIANT, .name = "plugins/stage_unpriced",
                                        .upload = upload, .step = do_nothing, .cost = NULL};
