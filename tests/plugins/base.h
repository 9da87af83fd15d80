/* SPDX-License-Identifier: MIT */
/* Plugins that load and compute nothing; each is one fault away from one that works. */
#ifndef BASE_H
#define BASE_H

#include "plugin.h"

struct params {
    double eps, dt;
    int32_t steps, unroll, mode;
};

static const struct orr_param params[] = {
    {"eps", ORR_PARAM_FLOAT, offsetof(struct params, eps), NAN, 1e-6, 10, NULL, "softening length"},
    {"dt", ORR_PARAM_FLOAT, offsetof(struct params, dt), NAN, 0, 1, NULL, "time step"},
    {"steps", ORR_PARAM_INT, offsetof(struct params, steps), 0, 0, 1000, NULL, "time steps"},
    {"unroll", ORR_PARAM_INT, offsetof(struct params, unroll), 4, 1, 8, NULL, "unroll stages"},
    {"mode", ORR_PARAM_CHOICE, offsetof(struct params, mode), 1, 0, 0, "native|cas|fixed",
     "how atomics are done"},
};

static inline int fetch_zeros(struct orr_job *job, struct orr_forces *out)
{
    for (size_t i = 0; i < job->bodies->n; i++)
        for (int k = 0; k < 3; k++)
            out->acc[k][i] = 0;
    out->has_phi = 0;
    return 0;
}

#define MEMBERS .step = do_nothing, .fetch = fetch_zeros

#endif
