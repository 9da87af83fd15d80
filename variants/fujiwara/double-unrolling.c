/* fujiwara/double-unrolling: both loops unrolled (Fig. 4), so that a pass reads several x[j] at once; stages to sweep.
 */
#include "shared/unrolled.h"

static int prepare(struct orr_job *job)
{
    const struct fuji_unrolled_params *p = job->params;

    return fuji_unrolled_prepare(job, p->unroll_i, p->unroll_j);
}

static const struct orr_param params[] = {
    FUJI_COMMON_PARAMS(struct fuji_unrolled_params),
    FUJI_BLOCK_PARAM(struct fuji_unrolled_params),
    {"unroll_i", ORR_PARAM_INT, offsetof(struct fuji_unrolled_params, unroll_i), 4, 1, 8, NULL,
     "bodies i a thread takes: stages of the outer loop, 1 2 4 or 8"},
    {"unroll_j", ORR_PARAM_INT, offsetof(struct fuji_unrolled_params, unroll_j), 4, 1, 8, NULL,
     "bodies j a pass takes: stages of the inner loop, 1 2 4 or 8"},
};

const struct orr_variant orr_variant = {
    .abi = ORR_VARIANT_ABI,
    .size = sizeof(struct orr_variant),
    .name = "fujiwara/double-unrolling",
    .summary = "both loops unrolled, four by four (Fig. 4)",
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
