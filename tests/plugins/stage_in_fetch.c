/* SPDX-License-Identifier: MIT */
/* Computes in a declared stage of fetch. Caught by the length of the stage. */
#include "sums.h"

static int fetch(struct orr_job *job, struct orr_forces *out)
{
    orr_stage(job, "back");
    int code = sums_step(job);
    orr_stage(job, NULL);
    return code ? code : sums_fetch(job, out);
}

PLUGIN(stage_in_fetch, .fetch = fetch, .step = do_nothing, .cost = NULL);
