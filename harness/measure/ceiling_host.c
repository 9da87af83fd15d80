/* SPDX-License-Identifier: MIT */
/* The host's loops of the ceilings, for each width of its vectors. */
#include "measure/ceiling.h"

#include <math.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

enum { SLOTS = 4 };

/* Chains of one variable, operations in order: F an FMA, A an addition. */
#define F(fma, v, first) fma(v, c, first)
#define NONE(fma, v, first) ((v) - (v))
#define FF(fma, v, first) fma(fma(v, c, first), c, d)
#define FFFF(fma, v, first) fma(fma(fma(fma(v, c, first), c, d), c, d), c, d)
#define FFAF(fma, v, first) fma(fma(fma(v, c, first), c, d) + d, c, d)
#define FFFAF(fma, v, first) fma(fma(fma(fma(v, c, first), c, d), c, d) + d, c, d)
#define FAF(fma, v, first) fma(fma(v, c, first) + d, c, d)
#define AFAFA(fma, v, first) (fma(fma(v + d, c, first) + d, c, d) + d)
#define FFAFAFF(fma, v, first) fma(fma(fma(fma(fma(v, c, first), c, d) + d, c, d) + d, c, d), c, d)
#define AFFAFAFF(fma, v, first) \
    fma(fma(fma(fma(fma(v + d, c, first), c, d) + d, c, d) + d, c, d), c, d)

#define NODE_X(fma, v, first) FFFF(fma, FFFF(fma, FFFF(fma, v, first) + d, d), d)
#define NODE_Z(fma, v, first) FFFF(fma, FFFF(fma, FF(fma, FFFF(fma, v + d, first), d) + d, d), d)

/* X(kind, root, chains of x, y and z, ...). A pair's root is as exact as its kernel's: refined
 * where the potential needs it, else an estimate, refined by operations of the chains. */
#define KINDS(X, ...)                                         \
    X(mix, ROOT, FFFF, FFFF, FFFF, __VA_ARGS__)               \
    X(fma, NO_ROOT, FFFF, FFFF, FFFF, __VA_ARGS__)            \
    X(space, ROOT, FFAF, FFFF, AFAFA, __VA_ARGS__)            \
    X(space_both, ROOT, FFAFAFF, FFFF, AFFAFAFF, __VA_ARGS__) \
    X(plane, ESTIMATE, FFAF, FFFF, FAF, __VA_ARGS__)          \
    X(plane_both, ESTIMATE, FFFAF, FFFF, FFFAF, __VA_ARGS__)  \
    X(matrix, ROOT, F, F, NONE, __VA_ARGS__)                  \
    X(node, ROOT, NODE_X, FFFF, NODE_Z, __VA_ARGS__)
#define TABLE(set)                                                                 \
    {                                                                              \
        [ORR_CEILING_MIX] = mix_##set, [ORR_CEILING_FMA] = fma_##set,              \
        [ORR_CEILING_3D] = space_##set, [ORR_CEILING_3D_BOTH] = space_both_##set,  \
        [ORR_CEILING_2D] = plane_##set, [ORR_CEILING_2D_BOTH] = plane_both_##set,  \
        [ORR_CEILING_3D_MATRIX] = matrix_##set, [ORR_CEILING_3D_NODE] = node_##set \
    }

static double mean_slot(const float *lanes, size_t count)
{
    double sum = 0;
    for (size_t k = 0; k < count; k++)
        sum += (double)lanes[k];
    return sum / (double)(count * SLOTS);
}

/* One pass over all slots; constant bounds of the loops over s keep every value in a register. */
#define RUN(vector, set, fma, root, chain_x, chain_y, chain_z)  \
    vector x[SLOTS], y[SLOTS], z[SLOTS];                        \
    const vector c = set(scale), d = set(shift);                \
    for (int s = 0; s < SLOTS; s++) {                           \
        x[s] = set(1.0f + 0.125f * (float)s);                   \
        y[s] = set(2.0f + 0.125f * (float)s);                   \
        z[s] = set(3.0f + 0.125f * (float)s);                   \
    }                                                           \
    for (long k = 0; k < loops; k++) {                          \
        _Pragma("GCC unroll 4") for (int s = 0; s < SLOTS; s++) \
        {                                                       \
            const vector r = root(x[s]);                        \
            x[s] = chain_x(fma, x[s], d);                       \
            y[s] = chain_y(fma, y[s], r);                       \
            z[s] = chain_z(fma, z[s], d);                       \
        }                                                       \
    }                                                           \
    vector sum = set(0.0f);                                     \
    for (int s = 0; s < SLOTS; s++)                             \
        sum = sum + (x[s] + (y[s] + z[s]));                     \
    float lanes[sizeof sum / sizeof(float)];                    \
    memcpy(lanes, &sum, sizeof lanes);                          \
    return mean_slot(lanes, sizeof lanes / sizeof *lanes)

#define ROOT(set) root_##set
#define ESTIMATE(set) estimate_##set
#define NO_ROOT(set) shift_instead
#define shift_instead(v) d
/* For KINDS: by the vectors of one set. `target` may be nothing. */
#define RUN_KIND(kind, root, chain_x, chain_y, chain_z, target, name, vector, set, fma) \
    target static double kind##_##name(long loops, float scale, float shift)            \
    {                                                                                   \
        RUN(vector, set, fma, root(name), chain_x, chain_y, chain_z);                   \
    }

/* One operation in independent chains. */
#define OPERATE(type, vector, set, step)                                     \
    vector x[ORR_CEILING_CHAINS];                                            \
    type lanes[sizeof(vector) / sizeof(type)];                               \
    const vector c = set((type)first), d = set((type)second);                \
    double sum = 0;                                                          \
    for (int s = 0; s < ORR_CEILING_CHAINS; s++)                             \
        x[s] = set((type)(s + 1));                                           \
    for (long k = 0; k < loops; k++) {                                       \
        _Pragma("GCC unroll 8") for (int s = 0; s < ORR_CEILING_CHAINS; s++) \
        {                                                                    \
            x[s] = step(x[s]);                                               \
        }                                                                    \
    }                                                                        \
    (void)d;                                                                 \
    for (int s = 0; s < ORR_CEILING_CHAINS; s++) {                           \
        memcpy(lanes, &x[s], sizeof lanes);                                  \
        for (size_t l = 0; l < sizeof(vector) / sizeof(type); l++)           \
            sum += (double)lanes[l];                                         \
    }                                                                        \
    return sum * (double)sizeof(type) / (double)(ORR_CEILING_CHAINS * sizeof(vector))
#define ADD(v) ((v) + c)
#define MUL(v) ((v)*c * d)

/* The operations by vectors of one kind. `target` may be nothing. */
#define OPERATIONS(name, target, single, set, root, wide, set_wide, fma_wide)     \
    target static double name##_add(long loops, double first, double second)      \
    {                                                                             \
        OPERATE(float, single, set, ADD);                                         \
    }                                                                             \
    target static double name##_mul(long loops, double first, double second)      \
    {                                                                             \
        OPERATE(float, single, set, MUL);                                         \
    }                                                                             \
    target static double name##_rsqrt(long loops, double first, double second)    \
    {                                                                             \
        OPERATE(float, single, set, c + root);                                    \
    }                                                                             \
    target static double name##_fma_fp64(long loops, double first, double second) \
    {                                                                             \
        OPERATE(double, wide, set_wide, fma_wide);                                \
    }
#define OPERATION_TABLE(name)                                                        \
    {                                                                                \
        [ORR_CEILING_ADD] = name##_add, [ORR_CEILING_MUL] = name##_mul,              \
        [ORR_CEILING_RSQRT] = name##_rsqrt, [ORR_CEILING_FMA_FP64] = name##_fma_fp64 \
    }

#if defined(__x86_64__)
#define AVX512 __attribute__((target("avx512f")))
AVX512 static inline __m512 estimate_512(__m512 v)
{
    return _mm512_rsqrt14_ps(v);
}

AVX512 static inline __m512 root_512(__m512 v)
{
    const __m512 y = estimate_512(v), h = _mm512_mul_ps(v, y);
    const __m512 e = _mm512_fnmadd_ps(h, y, _mm512_set1_ps(1.0f));
    return _mm512_fmadd_ps(_mm512_mul_ps(_mm512_set1_ps(0.5f), y), e, y);
}

#define AVX2 __attribute__((target("avx2,fma")))
AVX2 static inline __m256 estimate_256(__m256 v)
{
    return _mm256_rsqrt_ps(v);
}

AVX2 static inline __m256 root_256(__m256 v)
{
    const __m256 y = estimate_256(v), h = _mm256_mul_ps(v, y);
    const __m256 e = _mm256_fnmadd_ps(h, y, _mm256_set1_ps(1.0f));
    return _mm256_fmadd_ps(_mm256_mul_ps(_mm256_set1_ps(0.5f), y), e, y);
}

KINDS(RUN_KIND, AVX512, 512, __m512, _mm512_set1_ps, _mm512_fmadd_ps)
KINDS(RUN_KIND, AVX2, 256, __m256, _mm256_set1_ps, _mm256_fmadd_ps)
#define FMA_512(v) _mm512_fmadd_pd(v, c, d)
#define FMA_256(v) _mm256_fmadd_pd(v, c, d)
OPERATIONS(lanes_512, AVX512, __m512, _mm512_set1_ps, root_512, __m512d, _mm512_set1_pd, FMA_512)
OPERATIONS(lanes_256, AVX2, __m256, _mm256_set1_ps, root_256, __m256d, _mm256_set1_pd, FMA_256)
#endif

/* Vectors of 16 bytes, which the compiler has for any processor, as the baseline of
 * variants/common/simd.h. */
typedef float four __attribute__((vector_size(16)));
typedef double two __attribute__((vector_size(16)));
#define SET_FOUR(v) ((four){(v), (v), (v), (v)})
#define SET_TWO(v) ((two){(v), (v)})

#if defined(__aarch64__)
static inline four fma_four(four a, four b, four c)
{
    return (four)vfmaq_f32((float32x4_t)c, (float32x4_t)a, (float32x4_t)b);
}

static inline two fma_two(two a, two b, two c)
{
    return (two)vfmaq_f64((float64x2_t)c, (float64x2_t)a, (float64x2_t)b);
}

/* One step of Newton makes 16 bits of 8. */
static inline four estimate_baseline(four v)
{
    const float32x4_t y = vrsqrteq_f32((float32x4_t)v);

    return (four)vmulq_f32(y, vrsqrtsq_f32(vmulq_f32((float32x4_t)v, y), y));
}
#else
static inline four fma_four(four a, four b, four c)
{
    return a * b + c;
}

static inline two fma_two(two a, two b, two c)
{
    return a * b + c;
}

#if defined(__x86_64__)
static inline four estimate_baseline(four v)
{
    return (four)_mm_rsqrt_ps((__m128)v);
}
#else
static inline four estimate_baseline(four v)
{
    for (int k = 0; k < 4; k++)
        v[k] = 1.0f / sqrtf(v[k]);
    return v;
}
#endif
#endif

static inline four root_baseline(four v)
{
    const four y = estimate_baseline(v), h = SET_FOUR(0.5f) * y;

    return fma_four(h, fma_four(-(v * y), y, SET_FOUR(1.0f)), y);
}

KINDS(RUN_KIND, , baseline, four, SET_FOUR, fma_four)
#define MULTIPLY_ADD(v) fma_two(v, c, d)

OPERATIONS(lanes_128, , four, SET_FOUR, root_baseline, two, SET_TWO, MULTIPLY_ADD)

const struct orr_ceiling_host *orr_ceiling_host_best(void)
{
    static const struct orr_ceiling_host plain = {TABLE(baseline), OPERATION_TABLE(lanes_128), 16};
#if defined(__x86_64__)
    static const struct orr_ceiling_host avx512 = {TABLE(512), OPERATION_TABLE(lanes_512), 64};
    static const struct orr_ceiling_host avx2 = {TABLE(256), OPERATION_TABLE(lanes_256), 32};
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f"))
        return &avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return &avx2;
#endif
    return &plain;
}
