/* SPDX-License-Identifier: MIT */
/* Parameters that all papers share: rows of parameter tables, and what every variant refuses. */
#ifndef VARIANTS_COMMON_PARAMS_H
#define VARIANTS_COMMON_PARAMS_H

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/variant.h"

/* Rows for the members `place` of a parameter struct `type`: doubles eps and dt, int32_t steps. */
#define EPS_PARAM(type, place)                                               \
    {                                                                        \
        "eps", ORR_PARAM_FLOAT, offsetof(type, place), NAN, 0.0, 1e18, NULL, \
            "softening length, in the bodies' unit of length"                \
    }
#define DT_PARAM(type, place)                                                 \
    {                                                                         \
        "dt", ORR_PARAM_FLOAT, offsetof(type, place), NAN, -1e18, 1e18, NULL, \
            "time step, in the bodies' unit of time"                          \
    }
#define STEPS_PARAM(type, place)                                        \
    {                                                                   \
        "steps", ORR_PARAM_INT, offsetof(type, place), 0, 0, 1e9, NULL, \
            "time steps to integrate; 0 evaluates the forces once"      \
    }

/* The softening length squared as kernels/pair.h takes it; 0, for SOFTENED=0, if it is not a
 * normal number. */
float params_eps2(double eps);

/* For an int32_t, an enum integrator of leapfrog.h, `usual` by default. Where a variant has this
 * parameter, its value says which trajectory a result is held to. */
#define INTEGRATOR_PARAM(type, place, usual)                                                  \
    {                                                                                         \
        "integrator", ORR_PARAM_CHOICE, offsetof(type, place), usual, 0, 0, "leapfrog|euler", \
            "scheme of the steps: kick, drift, kick; or x += v dt, v += a dt"                 \
    }

/* For an int32_t. With pairs the variant has ORR_TAKES_DOUBLES. */
enum positions { POSITIONS_SINGLE, POSITIONS_PAIRS };
#define POSITIONS_PARAM(type, place)                                                  \
    {                                                                                 \
        "positions", ORR_PARAM_CHOICE, offsetof(type, place), POSITIONS_SINGLE, 0, 0, \
            "single|pairs",                                                           \
            "floats, or pairs of floats, high and low part, of bodies that single "   \
            "precision does not hold; of one evaluation (steps = 0) on one rank"      \
    }

/* Whether positions are pairs, which neither move nor travel between ranks. ORR_EUSAGE. */
int params_check_pairs(const struct orr_job *job, enum positions positions, int32_t steps);

/* More bodies than a variant indexes, steps without a time step. */
int params_check(const struct orr_job *job, size_t most_bodies, int32_t steps, double dt);

#endif
