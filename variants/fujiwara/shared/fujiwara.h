/* What every variant of Fujiwara & Nakasato 2009 shares: the common parameters and the cost of a step. */
#ifndef FUJI_FUJIWARA_H
#define FUJI_FUJIWARA_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/variant.h"

/* First member of every variant's parameter struct. */
struct fuji_common {
    double eps;    /* softening length */
    double dt;     /* time step of the leap-frog scheme */
    int32_t steps; /* 0: one force evaluation, else that many steps of the scheme */
};

/* Rows of the parameter table for a parameter struct `type` whose first member is `struct fuji_common common`. */
#define FUJI_COMMON_PARAMS(type)                                               \
    {"eps",                                                                    \
     ORR_PARAM_FLOAT,                                                          \
     offsetof(type, common.eps),                                               \
     NAN,                                                                      \
     0.0,                                                                      \
     1e18,                                                                     \
     NULL,                                                                     \
     "softening length, in the bodies' unit of length"},                       \
        {"dt",                                                                 \
         ORR_PARAM_FLOAT,                                                      \
         offsetof(type, common.dt),                                            \
         NAN,                                                                  \
         -1e18,                                                                \
         1e18,                                                                 \
         NULL,                                                                 \
         "time step, in the bodies' unit of time"},                            \
    {                                                                          \
        "steps", ORR_PARAM_INT, offsetof(type, common.steps), 0, 0, 1e9, NULL, \
            "time steps to integrate; 0 evaluates the forces once"             \
    }

/* Bodies beyond the last one that pad arrays to whole blocks: massless and this far away on every axis, so that a pair
 * with one gives exactly nothing and never 0/0. Its square is still a float. */
#define FUJI_FAR 1e18f

/* Largest number of bodies: indices and padded sizes stay within int32_t. */
enum { FUJI_MAX_BODIES = 1 << 30 };

/* Refuses what no variant can do: too many bodies, an integration without a time step. */
int fuji_check(const struct orr_job *job);
/* `steps` steps take steps + 1 force evaluations: the scheme needs the accelerations at its start. */
int fuji_cost(const struct orr_job *job, struct orr_cost *out);

/* ceil(a / b) and a rounded up to a multiple of b, which counts bodies, lanes or shares and is never 0. */
static inline size_t fuji_divide_up(size_t a, size_t b)
{
    return (a + b - 1) / b; /* NOLINT(clang-analyzer-core.DivideZero): see above */
}
static inline size_t fuji_round_up(size_t a, size_t b)
{
    return fuji_divide_up(a, b) * b;
}

#endif
