/* SPDX-License-Identifier: MIT */
/* gaburov/direct: direct summation on the device, the baseline of the paper's tree code. */
#include "shared/direct.h"

static int prepare(struct orr_job *job)
{
    return gaburov_direct_prepare(job, 0);
}

static const struct orr_param params[] = {
    GABUROV_COMMON_PARAMS(struct gaburov_direct_params),
    DIRECT_SHAPE_PARAMS(struct gaburov_direct_params, shape),
    POSITIONS_PARAM(struct gaburov_direct_params, positions),
};

const struct orr_variant orr_variant = {
    GABUROV_DIRECT_VARIANT,
    .name = "gaburov/direct",
    .summary = "direct summation on the device (section 3.3)",
    .capabilities = ORR_RUNS_OPENCL | ORR_RUNS_CUDA | ORR_INTEGRATES | ORR_TAKES_DOUBLES,
};
