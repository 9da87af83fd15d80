/* SPDX-License-Identifier: MIT */
/* What every variant of Fujiwara & Nakasato 2009 shares: the common parameters and the cost of a
 * step. */
#ifndef FUJI_FUJIWARA_H
#define FUJI_FUJIWARA_H

#include "variants/common/params.h"

/* First member of every variant's parameter struct. */
struct fuji_common {
    double eps;        /* softening length */
    double dt;         /* time step of the leap-frog scheme */
    int32_t steps;     /* 0: one force evaluation, else that many steps of the scheme */
    int32_t integrate; /* enum fuji_integrate (flow.h); no parameter of variants without kernels */
    int32_t positions; /* enum positions; no parameter of cpu-only */
};

/* Rows of the parameter table for a parameter struct `type` whose first member is `struct
 * fuji_common common`. */
#define FUJI_COMMON_PARAMS(type) \
    EPS_PARAM(type, common.eps), DT_PARAM(type, common.dt), STEPS_PARAM(type, common.steps)

/* Largest number of bodies: indices and padded sizes stay within int32_t. */
enum { FUJI_MAX_BODIES = 1 << 30 };

/* Refuses too many bodies and an integration without a time step. */
int fuji_check(const struct orr_job *job);
/* `steps` steps take steps + 1 force evaluations: the scheme needs the accelerations at its start.
 */
/* Bytes that a rank receives when each tells the others 16 of each of its bodies. */
double fuji_received(const struct orr_job *job);
int fuji_cost(const struct orr_job *job, struct orr_cost *out);

#endif
