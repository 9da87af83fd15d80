/* fujiwara/cpu-simd: the same work as cpu-only with all that a CPU has: every core, vector
 * instructions chosen at run time, several vectors of bodies in registers. The honest baseline for
 * speedups. */
#include "kernels/pair.h"
#include "shared/host.h"

struct params {
    struct fuji_common common;
    int32_t simd; /* enum simd */
};

/* Bodies j whose forces are summed in registers before they join the total. */
enum { STRETCH = 512 };
static const int32_t lane_numbers[16]
    __attribute__((aligned(64))) = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

#define SIMD_TEMPLATE "variants/fujiwara/shared/simd_forces.h"
#include "variants/common/simd.h"

/* One instruction set: a function for one register block of bodies i. */
struct kind {
    void (*forces)(struct host_bodies *b, size_t i, float eps);
    size_t block; /* bodies i it takes; divides the padding of the arrays */
};
static const struct kind kinds[] = {
    [SIMD_AVX512F] = {forces_avx512f, 32},
    [SIMD_AVX2] = {forces_avx2, 16},
    [SIMD_SSE2] = {forces_sse2, 8},
};

static enum simd asked(const struct orr_job *job)
{
    return ((const struct params *)job->params)->simd;
}

static void forces_of(const struct kind *kind, struct host_bodies *b, float eps, int threads)
{
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (size_t i = 0; i < b->n; i += kind->block)
        kind->forces(b, i, eps);
}

static void avx512f(struct host_bodies *b, float eps, int threads)
{
    forces_of(&kinds[SIMD_AVX512F], b, eps, threads);
}

static void avx2(struct host_bodies *b, float eps, int threads)
{
    forces_of(&kinds[SIMD_AVX2], b, eps, threads);
}

static void sse2(struct host_bodies *b, float eps, int threads)
{
    forces_of(&kinds[SIMD_SSE2], b, eps, threads);
}

static int prepare(struct orr_job *job)
{
    int code = simd_check(job, asked(job));

    return code ? code : fuji_host_prepare(job);
}

static int step(struct orr_job *job)
{
    static fuji_forces *const forces[] = {
        [SIMD_AVX512F] = avx512f, [SIMD_AVX2] = avx2, [SIMD_SSE2] = sse2};

    return fuji_host_step(job, forces[simd_chosen(asked(job))]);
}

static const struct orr_param params[] = {
    FUJI_COMMON_PARAMS(struct params),
    SIMD_PARAM(struct params),
};

const struct orr_variant orr_variant = {
    .abi = ORR_VARIANT_ABI,
    .size = sizeof(struct orr_variant),
    .name = "fujiwara/cpu-simd",
    .summary = "the plain loop with vector instructions on all cores",
    .capabilities = ORR_RUNS_HOST | ORR_INTEGRATES,
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
