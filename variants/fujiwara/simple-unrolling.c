/* SPDX-License-Identifier: MIT */
/* fujiwara/simple-unrolling: the outer loop unrolled (Fig. 3), so that one read of x[j] serves
 * several bodies i. */
#include "shared/unrolled.h"

static int prepare(struct orr_job *job)
{
    const struct fuji_unrolled_params *p = job->params;

    return fuji_unrolled_prepare(job, p->unroll_i, 1);
}

static const struct orr_param params[] = {
    FUJI_UNROLLED_PARAMS,
    FUJI_UNROLL_I_PARAM,
};

const struct orr_variant orr_variant = {
    FUJI_UNROLLED_VARIANT,
    .name = "fujiwara/simple-unrolling",
    .summary = "outer loop unrolled, four bodies i a thread (Fig. 3)",
};
