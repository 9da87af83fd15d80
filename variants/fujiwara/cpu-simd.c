/* SPDX-License-Identifier: MIT */
/* fujiwara/cpu-simd: the same work as cpu-only with all that a CPU has: every core, vector
 * instructions chosen at run time, several vectors of bodies in registers. The honest baseline for
 * speedups. */
#include "kernels/pair.h"
#include "shared/host.h"

struct params {
    struct fuji_common common;
    int32_t threads; /* 0: all */
    int32_t simd;    /* enum simd */
};

/* Bodies j whose forces are summed in registers before they join the total. */
enum { STRETCH = 512 };
/* With fewer of the largest blocks, threads would wait for the last one: blocks are smaller. */
enum { BLOCKS_A_THREAD = 8 };
static const int32_t lane_numbers[16]
    __attribute__((aligned(64))) = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

#define SIMD_TEMPLATE "variants/fujiwara/shared/simd_forces.h"
#include "variants/common/simd.h"

static enum simd asked(const struct orr_job *job)
{
    return ((const struct params *)job->params)->simd;
}

static int prepare(struct orr_job *job)
{
    const int threads = host_bodies_threads(job, ((const struct params *)job->params)->threads);
    int code = simd_check(job, asked(job), threads);

    return code ? code : fuji_host_prepare(job, threads);
}

static int step(struct orr_job *job)
{
    static fuji_forces *const forces[] = SIMD_ROW(forces);

    return fuji_host_step(job, forces[simd_chosen(asked(job))]);
}

static const struct orr_param params[] = {
    FUJI_COMMON_PARAMS(struct params),
    THREADS_PARAM(struct params),
    SIMD_PARAM(struct params),
    POSITIONS_PARAM(struct params, common.positions),
};

const struct orr_variant orr_variant = {
    .abi = ORR_VARIANT_ABI,
    .size = sizeof(struct orr_variant),
    .name = "fujiwara/cpu-simd",
    .summary = "the plain loop with vector instructions on all cores or one",
    .capabilities = ORR_RUNS_HOST | ORR_INTEGRATES | ORR_TAKES_DOUBLES,
    .dimensions = 3,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .params_size = sizeof(struct params),
    .state_size = sizeof(struct fuji_host),
    .build_flags = ORR_BUILD_FLAGS,
    .prepare = prepare,
    .upload = host_bodies_upload,
    .step = step,
    .fetch = host_bodies_fetch,
    .cost = fuji_cost,
    .release = host_bodies_release,
};
