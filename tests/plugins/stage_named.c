/* SPDX-License-Identifier: MIT */
/* Honest: the name of its stage is text that a template could take for one of its own. */
#include "sums.h"

static int upload(struct orr_job *job)
{
    orr_stage(job, "sort{keys}");
    orr_stage(job, NULL);
    return 0;
}

PLUGIN(stage_named, .upload = upload);
