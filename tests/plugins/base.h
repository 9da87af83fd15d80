/* What the test plugins have in common; each is one fault away from a plugin that works. */
#ifndef BASE_H
#define BASE_H

#include <math.h>

#include "harness/variant.h"

#ifndef ORR_BUILD_FLAGS
#define ORR_BUILD_FLAGS "test" /* in a test that takes a variant's members from here */
#endif

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

static inline int do_nothing(struct orr_job *job)
{
    return 0;
}

static inline int fetch_zeros(struct orr_job *job, struct orr_forces *out)
{
    for (size_t i = 0; i < job->bodies->n; i++)
        for (int k = 0; k < 3; k++)
            out->acc[k][i] = 0;
    out->has_phi = 0;
    return 0;
}

/* The members that most test plugins share; a plugin names itself and overrides what it breaks. */
#define BASE_VARIANT                                                                            \
    .abi = ORR_VARIANT_ABI, .size = sizeof(struct orr_variant), .build_flags = ORR_BUILD_FLAGS, \
    .summary = "a test", .capabilities = ORR_RUNS_HOST, .dimensions = 3, .params = params,      \
    .param_count = sizeof params / sizeof *params, .params_size = sizeof(struct params),        \
    .fetch = fetch_zeros

#endif
