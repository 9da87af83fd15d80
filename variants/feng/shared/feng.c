/* SPDX-License-Identifier: MIT */
#include "feng.h"

static const struct feng_common *common(const struct orr_job *job)
{
    return job->params;
}

int feng_check(const struct orr_job *job)
{
    return params_check(job, (size_t)FENG_MAX_BODIES * (size_t)orr_ranks_size(job->ranks),
                        common(job)->steps, common(job)->dt);
}

int feng_cost(const struct orr_job *job, struct orr_cost *out)
{
    double n = (double)job->bodies->n, steps = common(job)->steps;

    /* An evaluation reads x y m and writes ax ay; a step reads and writes x and v and reads a. */
    out->bytes_min = (steps + 1) * n * 5 * sizeof(float) + steps * n * 10 * sizeof(float);
    return ORR_OK;
}
