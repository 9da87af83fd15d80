/* SPDX-License-Identifier: MIT */
/* gaburov/direct-fp64: direct summation on the device in double precision, the reference for
 * systems that no CPU sums. Each pair once, where enough of them fill the device.
 */
#include "shared/direct.h"

static int prepare(struct orr_job *job)
{
    return gaburov_direct_prepare(job, 1);
}

static const struct orr_param params[] = {
    GABUROV_COMMON_PARAMS(struct gaburov_direct_params),
    DIRECT_SHAPE_PARAMS(struct gaburov_direct_params, shape),
    THIRD_LAW_PARAM(struct gaburov_direct_params, third_law),
};

const struct orr_variant orr_variant = {
    GABUROV_DIRECT_VARIANT,
    .name = "gaburov/direct-fp64",
    .summary = "direct summation on the device in double precision: a reference at large N",
    .capabilities =
        ORR_RUNS_OPENCL | ORR_RUNS_CUDA | ORR_INTEGRATES | ORR_NEEDS_FP64 | ORR_TAKES_DOUBLES,
};
