/* SPDX-License-Identifier: MIT */
/* Computes in upload, declares it as a stage and says nothing of its work. Caught by the length of
 * the stage: one that takes longer than the step is part of it. */
#include "sums.h"

static int upload(struct orr_job *job)
{
    orr_stage(job, "sort");
    int code = sums_step(job);
    orr_stage(job, NULL);
    return code;
}

PLUGIN(stage_unpriced, .upload = upload, .step = do_nothing, .cost = NULL);
