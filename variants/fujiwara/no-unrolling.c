/* fujiwara/no-unrolling: the loop of Fig. 2 on a device, one thread a body; the paper's gpu-no-unrolling. */
#include "shared/unrolled.h"

static int prepare(struct orr_job *job)
{
    return fuji_unrolled_prepare(job, 1, 1);
}

static const struct orr_param params[] = {
    FUJI_COMMON_PARAMS(struct fuji_unrolled_params),
    FUJI_BLOCK_PARAM(struct fuji_unrolled_params),
};

const struct orr_variant orr_variant = {
    .abi = ORR_VARIANT_ABI,
    .size = sizeof(struct orr_variant),
    .name = "fujiwara/no-unrolling",
    .summary = "one body i a thread, one body j a pass, through the cache (Fig. 2 on a device)",
    .capabilities = ORR_RUNS_OPENCL | ORR_RUNS_CUDA | ORR_INTEGRATES,
    .dimensions = 3,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .params_size = sizeof(struct fuji_unrolled_params),
    .state_size = sizeof(struct fuji_unrolled),
    .sources = fuji_unrolled_sources,
    .source_count = 2,
    .prepare = prepare,
    .upload = fuji_device_upload,
    .step = fuji_unrolled_step,
    .fetch = fuji_device_fetch,
    .cost = fuji_cost,
    .release = fuji_unrolled_release,
};
