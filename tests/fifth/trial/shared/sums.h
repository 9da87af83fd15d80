/* SPDX-License-Identifier: MIT */
/* What the loop and the kernel share: their parameters and the work of a step. */
#ifndef TRIAL_SUMS_H
#define TRIAL_SUMS_H

#include "variants/common/params.h"

struct sums_params {
    double eps;          /* softening length */
    int32_t compensated; /* 1: by Kahan's method */
};

#define SUMS_PARAMS                                                                             \
    EPS_PARAM(struct sums_params, eps),                                                         \
    {                                                                                           \
        "compensated", ORR_PARAM_INT, offsetof(struct sums_params, compensated), 1, 0, 1, NULL, \
            "1: each sum carries on what rounding took from it; 0: plain sums"                  \
    }

int sums_cost(const struct orr_job *job, struct orr_cost *out);

#endif
