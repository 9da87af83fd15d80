/* SPDX-License-Identifier: MIT */
/* fujiwara/double-unrolling: both loops unrolled (Fig. 4), so that a pass reads several x[j] at
 * once; stages to sweep.
 */
#include "shared/unrolled.h"

static int prepare(struct orr_job *job)
{
    const struct fuji_unrolled_params *p = job->params;

    return fuji_unrolled_prepare(job, p->unroll_i, p->unroll_j);
}

static const struct orr_param params[] = {
    FUJI_UNROLLED_PARAMS,
    FUJI_UNROLL_I_PARAM,
    {"unroll_j", ORR_PARAM_INT, offsetof(struct fuji_unrolled_params, unroll_j), 4, 1, 8, "1|2|4|8",
     "bodies j a pass takes: stages of the inner loop"},
};

const struct orr_variant orr_variant = {
    FUJI_UNROLLED_VARIANT,
    .name = "fujiwara/double-unrolling",
    .summary = "both loops unrolled, four by four (Fig. 4)",
};
