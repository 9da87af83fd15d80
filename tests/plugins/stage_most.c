/* SPDX-License-Identifier: MIT */
/* Computes two bodies of three in a declared stage of upload. Caught by the length of the stage. */
#include "sums.h"

static int part(struct orr_job *job, size_t first, size_t last)
{
    struct state *s = job->state;
    for (size_t i = first; i < last; i++)
        sums_one(job->bodies, job->params, i, s->result + 4 * i);
    return 0;
}

static int upload(struct orr_job *job)
{
    orr_stage(job, "sort");
    int code = part(job, 0, 2 * job->bodies->n / 3);
    orr_stage(job, NULL);
    return code;
}

static int step(struct orr_job *job)
{
    return part(job, 2 * job->bodies->n / 3, job->bodies->n);
}

PLUGIN(stage_most, .upload = upload, .step = step, .cost = NULL);
