/* fujiwara/cpu-simd: the same work as cpu-only with all that a CPU has: every core, vector instructions chosen at run
 * time, several vectors of bodies in registers. The honest baseline for speedups. */
#include <immintrin.h>
#include <stdio.h>

#include "kernels/pair.h"
#include "shared/host.h"

struct params {
    struct fuji_common common;
    int32_t simd; /* enum simd */
};
enum simd { SIMD_AUTO, SIMD_AVX512F, SIMD_AVX2, SIMD_SSE2 };

/* Bodies j whose actions are summed in registers before they join the total. */
enum { STRETCH = 512 };
static const int32_t lane_numbers[16]
    __attribute__((aligned(64))) = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

/* In each of the following: the estimate of the reciprocal square root (14 or 12 bits) and one Newton step,
 * y (3 - x y^2) / 2, which leaves about one unit in the last place. */
#define SIMD_NAME forces_avx512f
#define SIMD_TARGET "avx512f"
#define SIMD_LANES 16
#define SIMD_VECTORS 2
#define real __m512
#define REAL(a) _mm512_set1_ps(a)
#define FMA(a, b, c) _mm512_fmadd_ps((a), (b), (c))
#define RSQRT(x) rsqrt_avx512f(x)
#define SIMD_LOAD(from) _mm512_load_ps(from)
#define SIMD_STORE(to, a) _mm512_store_ps((to), (a))
static inline __attribute__((always_inline, target("avx512f"))) __m512 rsqrt_avx512f(__m512 x)
{
    __m512 y = _mm512_rsqrt14_ps(x);

    return _mm512_fmadd_ps(_mm512_fnmadd_ps(x * y, y, REAL(1.0f)), y * 0.5f, y);
}
#include "shared/simd_forces.h"

#define SIMD_NAME forces_avx2
#define SIMD_TARGET "avx2,fma"
#define SIMD_LANES 8
#define SIMD_VECTORS 2
#define real __m256
#define REAL(a) _mm256_set1_ps(a)
#define FMA(a, b, c) _mm256_fmadd_ps((a), (b), (c))
#define RSQRT(x) rsqrt_avx2(x)
#define SIMD_LOAD(from) _mm256_load_ps(from)
#define SIMD_STORE(to, a) _mm256_store_ps((to), (a))
static inline __attribute__((always_inline, target("avx2,fma"))) __m256 rsqrt_avx2(__m256 x)
{
    __m256 y = _mm256_rsqrt_ps(x);

    return _mm256_fmadd_ps(_mm256_fnmadd_ps(x * y, y, REAL(1.0f)), y * 0.5f, y);
}
#include "shared/simd_forces.h"

#define SIMD_NAME forces_sse2
#define SIMD_TARGET "sse2"
#define SIMD_LANES 4
#define SIMD_VECTORS 2
#define real __m128
#define REAL(a) _mm_set1_ps(a)
#define FMA(a, b, c) ((a) * (b) + (c))
#define RSQRT(x) rsqrt_sse2(x)
#define SIMD_LOAD(from) _mm_load_ps(from)
#define SIMD_STORE(to, a) _mm_store_ps((to), (a))
static inline __attribute__((always_inline)) __m128 rsqrt_sse2(__m128 x)
{
    __m128 y = _mm_rsqrt_ps(x);

    return y * (1.5f - 0.5f * x * y * y);
}
#include "shared/simd_forces.h"

/* One instruction set: a function for one register block of bodies i. */
struct kind {
    const char *name;
    void (*forces)(struct fuji_host *b, size_t i, float eps);
    size_t block; /* bodies i it takes; divides the padding of the arrays */
};
static const struct kind kinds[] = {
    [SIMD_AVX512F] = {"avx512f", forces_avx512f, 32},
    [SIMD_AVX2] = {"avx2+fma", forces_avx2, 16},
    [SIMD_SSE2] = {"sse2", forces_sse2, 8},
};

static int present(enum simd simd)
{
    if (simd == SIMD_AVX512F)
        return __builtin_cpu_supports("avx512f");
    if (simd == SIMD_AVX2)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return 1; /* every x86-64 has SSE2 */
}

static enum simd chosen(const struct orr_job *job)
{
    enum simd simd = ((const struct params *)job->params)->simd;

    if (simd == SIMD_AUTO)
        for (simd = SIMD_AVX512F; !present(simd);)
            simd++;
    return simd;
}

static void forces_of(const struct kind *kind, struct fuji_host *b, float eps, int threads)
{
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (size_t i = 0; i < b->n; i += kind->block)
        kind->forces(b, i, eps);
}

static void avx512f(struct fuji_host *b, float eps, int threads)
{
    forces_of(&kinds[SIMD_AVX512F], b, eps, threads);
}

static void avx2(struct fuji_host *b, float eps, int threads)
{
    forces_of(&kinds[SIMD_AVX2], b, eps, threads);
}

static void sse2(struct fuji_host *b, float eps, int threads)
{
    forces_of(&kinds[SIMD_SSE2], b, eps, threads);
}

static int prepare(struct orr_job *job)
{
    enum simd simd = chosen(job);

    if (!present(simd))
        return ORR_FAIL(job, ORR_EUNSUPPORTED, "this CPU has no %s; choose another simd", kinds[simd].name);
    snprintf(job->note, sizeof job->note, "%s, %d threads", kinds[simd].name, job->host->threads);
    return fuji_host_prepare(job);
}

static int step(struct orr_job *job)
{
    static fuji_forces *const forces[] = {[SIMD_AVX512F] = avx512f, [SIMD_AVX2] = avx2, [SIMD_SSE2] = sse2};

    return fuji_host_step(job, forces[chosen(job)]);
}

static const struct orr_param params[] = {
    FUJI_COMMON_PARAMS(struct params),
    {"simd", ORR_PARAM_CHOICE, offsetof(struct params, simd), SIMD_AUTO, 0, 0, "auto|avx512f|avx2|sse2",
     "vector instructions; auto takes the widest that the CPU has"},
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
    .upload = fuji_host_upload,
    .step = step,
    .fetch = fuji_host_fetch,
    .cost = fuji_cost,
    .release = fuji_host_release,
};
