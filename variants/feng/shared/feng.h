/* SPDX-License-Identifier: MIT */
/* What every variant of Feng & Romero (2D Barnes-Hut) shares: the common parameters. */
#ifndef FENG_FENG_H
#define FENG_FENG_H

#include "variants/common/leapfrog.h"
#include "variants/common/params.h"

/* First member of every variant's parameter struct. */
struct feng_common {
    double eps;         /* softening length */
    double dt;          /* time step */
    int32_t steps;      /* 0: one force evaluation, else that many time steps */
    int32_t integrator; /* enum integrator */
    double theta; /* opening angle: a cell of width w whose centre of mass is at distance d of a
                   * body acts on it as one  body when w < theta d; 0 never. The paper's text has
                   * the  comparison reversed. */
};

/* Rows of the parameter table for a parameter struct `type` whose first member is `struct
 * feng_common common`. */
#define FENG_COMMON_PARAMS(type)                                                                 \
    EPS_PARAM(type, common.eps), DT_PARAM(type, common.dt), STEPS_PARAM(type, common.steps),     \
        INTEGRATOR_PARAM(type, common.integrator, INTEGRATOR_EULER),                             \
    {                                                                                            \
        "theta", ORR_PARAM_FLOAT, offsetof(type, common.theta), 0.5, 0.0, 1e6, NULL,             \
            "opening angle: cells of width below theta times their distance act as one body; 0 " \
            "is exact"                                                                           \
    }

/* Indices of bodies and cells stay within int32_t. */
enum { FENG_MAX_BODIES = 1 << 28, FENG_MAX_DEPTH = 30 };

/* Refuses more bodies than the variants index and steps without a time step. */
int feng_check(const struct orr_job *job);
/* cost() of the plugin contract. The number of interactions depends on the bodies' places: it is
 * unknown without counting and stays 0. */
int feng_cost(const struct orr_job *job, struct orr_cost *out);

#endif
