/* SPDX-License-Identifier: MIT */
/* Vector instructions of the CPU, once for the host variants of every paper. A variant defines
 * SIMD_TEMPLATE, the path of a header in quotes, and includes this file, which includes that header
 * once for every instruction set with
 *
 *     SIMD_SET                  the set: avx512f, avx2 or baseline; SIMD(name) is name_<set>
 *     SIMD_FUNCTION             attribute of a function that uses the set
 *     SIMD_INLINE               of one that is always inlined
 *     SIMD_LANES                floats in a vector
 *     SIMD_REGISTERS            vectors that the processor's registers hold
 *     real                      the vector; operators work on it
 *     REAL(a) FMA(a, b, c)      all lanes a; a b + c
 *     ESTIMATE(x) RSQRT(x)      reciprocal square root: to 14 or 12 bits; to about one unit in the
 *                               last place
 *     SIMD_LOAD SIMD_STORE      aligned; with _ANY at any address
 *     SIMD_STORE_SOME(to,a,k)   the first k lanes, or all if there are no more
 *     SIMD_AND(a, window)       lanes of a where the integers of the window, at any address, are
 *                               -1; 0 where they are 0
 *     SIMD_SUMS(a, b, c, d)     simd_four of the sums over the lanes of each
 *     SIMD_MAX(a, b)            the larger of each two lanes
 *     SIMD_ABOVE(a, b)          bit k: lane k of a is larger than that of b
 *
 * What runs is chosen at run time by parameters: SIMD_PARAM, THREADS_PARAM, simd_check(),
 * simd_chosen(). The baseline is made of the compiler's own vectors of 16 bytes, so it runs on any
 * processor: by SSE2 on x86-64, by NEON on 64-bit Arm. The other sets are x86-64's alone. */
#ifndef VARIANTS_COMMON_SIMD_H
#define VARIANTS_COMMON_SIMD_H

/* Built with ORRERY_PORTABLE, a program has the baseline of processors that are not named here. */
#if defined(__x86_64__) && !defined(ORRERY_PORTABLE)
#define SIMD_X86
#elif defined(__aarch64__) && !defined(ORRERY_PORTABLE)
#define SIMD_ARM
#endif

#if defined(SIMD_X86)
#include <immintrin.h>
#define SIMD_ROW(of)                                          \
    {                                                         \
        of##_baseline, of##_avx512f, of##_avx2, of##_baseline \
    }
#else
#define SIMD_ROW(of)                             \
    {                                            \
        of##_baseline, NULL, NULL, of##_baseline \
    }
#endif
#if defined(SIMD_ARM)
#include <arm_neon.h>
#endif
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/variant.h"

/* Values of the parameter `simd`. SIMD_ROW(of): a template's function `of` for each of them. */
enum simd { SIMD_AUTO, SIMD_AVX512F, SIMD_AVX2, SIMD_BASELINE };
extern const char *const simd_names[4];

#define SIMD_PARAM(type)                                                     \
    {                                                                        \
        "simd", ORR_PARAM_CHOICE, offsetof(type, simd), SIMD_AUTO, 0, 0,     \
            "auto|avx512f|avx2|baseline",                                    \
            "vector instructions; auto takes the widest that the CPU has; "  \
            "baseline: what every CPU of its kind has, such as SSE2 or NEON" \
    }

/* A program on one thread tells what its vectors gain on one core. */
#define THREADS_PARAM(type)                                                  \
    {                                                                        \
        "threads", ORR_PARAM_INT, offsetof(type, threads), 0, 0, 4096, NULL, \
            "threads; 0: all that there are"                                 \
    }

/* The widest that the CPU has for SIMD_AUTO, else `simd`. */
enum simd simd_chosen(enum simd simd);

/* For prepare(): refuses instructions that the CPU lacks; notes what will run, on how many threads.
 */
int simd_check(struct orr_job *job, enum simd simd, int threads);

/* Windows for SIMD_AND, 0 <= first, count <= 16 and -1 <= self < 16. Lane k is -1
 *     of simd_from + 16 - first     where k >= first
 *     of simd_below + 16 - count    where k < count
 *     of simd_but + 15 - self       where k != self */
static const int32_t simd_from[32] = {[16] = -1, -1, -1, -1, -1, -1, -1, -1,
                                      -1,        -1, -1, -1, -1, -1, -1, -1};
static const int32_t simd_below[32] = {-1, -1, -1, -1, -1, -1, -1, -1,
                                       -1, -1, -1, -1, -1, -1, -1, -1};
static const int32_t simd_but[32] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
                                     -1, -1, -1, -1, 0,  -1, -1, -1, -1, -1, -1,
                                     -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};

#define SIMD_OF(set) static inline __attribute__((always_inline, target(set)))
#define SIMD_JOIN_(a, b) a##_##b
#define SIMD_JOIN(a, b) SIMD_JOIN_(a, b)
#define SIMD(name) SIMD_JOIN(name, SIMD_SET)
#define SIMD_INLINE SIMD_OF(SIMD_TARGET)
#define SIMD_FUNCTION static __attribute__((target(SIMD_TARGET)))
#define real SIMD(simd_real)
#define REAL(a) SIMD(simd_all)(a)
#define FMA(a, b, c) SIMD(simd_fma)((a), (b), (c))
#define ESTIMATE(x) SIMD(simd_estimate)(x)
#define RSQRT(x) SIMD(simd_rsqrt)(x)
#define SIMD_LOAD(from) SIMD(simd_load)(from)
#define SIMD_STORE(to, a) SIMD(simd_store)((to), (a))
#define SIMD_LOAD_ANY(from) SIMD(simd_load_any)(from)
#define SIMD_STORE_ANY(to, a) SIMD(simd_store_any)((to), (a))
#define SIMD_STORE_SOME(to, a, count) SIMD(simd_store_some)((to), (a), (count))
#define SIMD_AND(a, window) SIMD(simd_and)((a), (window))
#define SIMD_SUMS(a, b, c, d) SIMD(simd_sums)((a), (b), (c), (d))
#define SIMD_MAX(a, b) SIMD(simd_max)((a), (b))
#define SIMD_ABOVE(a, b) SIMD(simd_above)((a), (b))

/* Four floats, at a multiple of 16 bytes or at any address, with every set. */
typedef float simd_four __attribute__((vector_size(16), may_alias));
typedef float simd_four_any __attribute__((vector_size(16), aligned(4), may_alias));

static inline void simd_four_add(float *to, simd_four a)
{
    *(simd_four_any *)to += a;
}

#if defined(SIMD_X86)
/* --- AVX-512 --- */
#define AVX512F SIMD_OF("avx512f")
typedef __m512 simd_real_avx512f;
typedef int32_t simd_ints_avx512f __attribute__((vector_size(64), aligned(4), may_alias));

AVX512F __m512 simd_all_avx512f(float a)
{
    return _mm512_set1_ps(a);
}
AVX512F __m512 simd_fma_avx512f(__m512 a, __m512 b, __m512 c)
{
    return _mm512_fmadd_ps(a, b, c);
}
AVX512F __m512 simd_estimate_avx512f(__m512 x)
{
    return _mm512_rsqrt14_ps(x);
}
/* The estimate and one Newton step, y (3 - x y^2) / 2. */
AVX512F __m512 simd_rsqrt_avx512f(__m512 x)
{
    __m512 y = _mm512_rsqrt14_ps(x);

    return _mm512_fmadd_ps(_mm512_fnmadd_ps(x * y, y, _mm512_set1_ps(1.0f)), y * 0.5f, y);
}
AVX512F __m512 simd_load_avx512f(const float *from)
{
    return _mm512_load_ps(from);
}
AVX512F void simd_store_avx512f(float *to, __m512 a)
{
    _mm512_store_ps(to, a);
}
AVX512F __m512 simd_load_any_avx512f(const float *from)
{
    return _mm512_loadu_ps(from);
}
AVX512F void simd_store_any_avx512f(float *to, __m512 a)
{
    _mm512_storeu_ps(to, a);
}
AVX512F void simd_store_some_avx512f(float *to, __m512 a, uint32_t count)
{
    _mm512_mask_storeu_ps(to, (__mmask16)((1u << (count < 16 ? count : 16)) - 1), a);
}
AVX512F __m512 simd_and_avx512f(__m512 a, const int32_t *window)
{
    return (__m512)((simd_ints_avx512f)a & *(const simd_ints_avx512f *)window);
}
AVX512F simd_four simd_sums_avx512f(__m512 a, __m512 b, __m512 c, __m512 d)
{
    __m512d ab = (__m512d)(_mm512_unpacklo_ps(a, b) + _mm512_unpackhi_ps(a, b));
    __m512d cd = (__m512d)(_mm512_unpacklo_ps(c, d) + _mm512_unpackhi_ps(c, d));
    __m512 s = (__m512)_mm512_unpacklo_pd(ab, cd) + (__m512)_mm512_unpackhi_pd(ab, cd);
    __m256 t = _mm512_castps512_ps256(s) + (__m256)_mm512_extractf64x4_pd((__m512d)s, 1);

    return (simd_four)(_mm256_castps256_ps128(t) + _mm256_extractf128_ps(t, 1));
}
AVX512F __m512 simd_max_avx512f(__m512 a, __m512 b)
{
    return _mm512_max_ps(a, b);
}
AVX512F uint32_t simd_above_avx512f(__m512 a, __m512 b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_GT_OQ);
}
#undef AVX512F

/* --- AVX2 --- */
#define AVX2 SIMD_OF("avx2,fma")
typedef __m256 simd_real_avx2;
typedef int32_t simd_ints_avx2 __attribute__((vector_size(32), aligned(4), may_alias));

AVX2 __m256 simd_all_avx2(float a)
{
    return _mm256_set1_ps(a);
}
AVX2 __m256 simd_fma_avx2(__m256 a, __m256 b, __m256 c)
{
    return _mm256_fmadd_ps(a, b, c);
}
AVX2 __m256 simd_estimate_avx2(__m256 x)
{
    return _mm256_rsqrt_ps(x);
}
AVX2 __m256 simd_rsqrt_avx2(__m256 x)
{
    __m256 y = _mm256_rsqrt_ps(x);

    return _mm256_fmadd_ps(_mm256_fnmadd_ps(x * y, y, _mm256_set1_ps(1.0f)), y * 0.5f, y);
}
AVX2 __m256 simd_load_avx2(const float *from)
{
    return _mm256_load_ps(from);
}
AVX2 void simd_store_avx2(float *to, __m256 a)
{
    _mm256_store_ps(to, a);
}
AVX2 __m256 simd_load_any_avx2(const float *from)
{
    return _mm256_loadu_ps(from);
}
AVX2 void simd_store_any_avx2(float *to, __m256 a)
{
    _mm256_storeu_ps(to, a);
}
AVX2 void simd_store_some_avx2(float *to, __m256 a, uint32_t count)
{
    _mm256_maskstore_ps(
        to, _mm256_loadu_si256((const __m256i *)(simd_below + 16 - (count < 8 ? count : 8))), a);
}
AVX2 __m256 simd_and_avx2(__m256 a, const int32_t *window)
{
    return (__m256)((simd_ints_avx2)a & *(const simd_ints_avx2 *)window);
}
AVX2 simd_four simd_sums_avx2(__m256 a, __m256 b, __m256 c, __m256 d)
{
    __m256d ab = (__m256d)(_mm256_unpacklo_ps(a, b) + _mm256_unpackhi_ps(a, b));
    __m256d cd = (__m256d)(_mm256_unpacklo_ps(c, d) + _mm256_unpackhi_ps(c, d));
    __m256 s = (__m256)_mm256_unpacklo_pd(ab, cd) + (__m256)_mm256_unpackhi_pd(ab, cd);

    return (simd_four)(_mm256_castps256_ps128(s) + _mm256_extractf128_ps(s, 1));
}
AVX2 __m256 simd_max_avx2(__m256 a, __m256 b)
{
    return _mm256_max_ps(a, b);
}
AVX2 uint32_t simd_above_avx2(__m256 a, __m256 b)
{
    return (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_GT_OQ));
}
#undef AVX2
#endif

/* --- the baseline --- */
#define BASELINE static inline __attribute__((always_inline))
typedef simd_four simd_real_baseline;
typedef int32_t simd_ints_baseline __attribute__((vector_size(16), aligned(4), may_alias));

BASELINE simd_four simd_all_baseline(float a)
{
    return (simd_four){a, a, a, a};
}
#if defined(SIMD_ARM)
BASELINE simd_four simd_fma_baseline(simd_four a, simd_four b, simd_four c)
{
    return (simd_four)vfmaq_f32((float32x4_t)c, (float32x4_t)a, (float32x4_t)b);
}
/* NEON's estimate has 8 bits, a step makes them 16. */
BASELINE simd_four simd_estimate_baseline(simd_four x)
{
    const float32x4_t y = vrsqrteq_f32((float32x4_t)x);

    return (simd_four)vmulq_f32(y, vrsqrtsq_f32(vmulq_f32((float32x4_t)x, y), y));
}
#else
BASELINE simd_four simd_fma_baseline(simd_four a, simd_four b, simd_four c)
{
    return a * b + c;
}
BASELINE simd_four simd_estimate_baseline(simd_four x)
{
#if defined(SIMD_X86)
    return (simd_four)_mm_rsqrt_ps((__m128)x);
#else
    return (simd_four){1 / sqrtf(x[0]), 1 / sqrtf(x[1]), 1 / sqrtf(x[2]), 1 / sqrtf(x[3])};
#endif
}
#endif
BASELINE simd_four simd_rsqrt_baseline(simd_four x)
{
    const simd_four y = simd_estimate_baseline(x), h = simd_all_baseline(0.5f) * y;

    return simd_fma_baseline(h, simd_fma_baseline(-(x * y), y, simd_all_baseline(1.0f)), y);
}
BASELINE simd_four simd_load_baseline(const float *from)
{
    return *(const simd_four *)from;
}
BASELINE void simd_store_baseline(float *to, simd_four a)
{
    *(simd_four *)to = a;
}
BASELINE simd_four simd_load_any_baseline(const float *from)
{
    return *(const simd_four_any *)from;
}
BASELINE void simd_store_any_baseline(float *to, simd_four a)
{
    *(simd_four_any *)to = a;
}
BASELINE void simd_store_some_baseline(float *to, simd_four a, uint32_t count)
{
    if (count >= 4)
        simd_store_any_baseline(to, a);
    for (uint32_t k = 0; count < 4 && k < count; k++)
        to[k] = a[k];
}
BASELINE simd_four simd_and_baseline(simd_four a, const int32_t *window)
{
    return (simd_four)((simd_ints_baseline)a & *(const simd_ints_baseline *)window);
}
BASELINE simd_four simd_sums_baseline(simd_four a, simd_four b, simd_four c, simd_four d)
{
    const simd_four ab =
        __builtin_shufflevector(a, b, 0, 4, 1, 5) + __builtin_shufflevector(a, b, 2, 6, 3, 7);
    const simd_four cd =
        __builtin_shufflevector(c, d, 0, 4, 1, 5) + __builtin_shufflevector(c, d, 2, 6, 3, 7);

    return __builtin_shufflevector(ab, cd, 0, 1, 4, 5) +
           __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
}
BASELINE simd_four simd_max_baseline(simd_four a, simd_four b)
{
#if defined(SIMD_X86)
    return (simd_four)_mm_max_ps((__m128)a, (__m128)b);
#else
    const simd_ints_baseline larger = a > b;

    return (simd_four)(((simd_ints_baseline)a & larger) | ((simd_ints_baseline)b & ~larger));
#endif
}
BASELINE uint32_t simd_above_baseline(simd_four a, simd_four b)
{
#if defined(SIMD_X86)
    return (uint32_t)_mm_movemask_ps(_mm_cmpgt_ps((__m128)a, (__m128)b));
#else
    const simd_ints_baseline bits = (simd_ints_baseline)(a > b) & (simd_ints_baseline){1, 2, 4, 8};

    return (uint32_t)(bits[0] | bits[1] | bits[2] | bits[3]);
#endif
}
#undef BASELINE

#ifdef SIMD_TEMPLATE
#if defined(SIMD_X86)
#define SIMD_SET avx512f
#define SIMD_TARGET "avx512f"
#define SIMD_LANES 16
#define SIMD_REGISTERS 32
#include SIMD_TEMPLATE
#undef SIMD_SET
#undef SIMD_TARGET
#undef SIMD_LANES
#undef SIMD_REGISTERS

#define SIMD_SET avx2
#define SIMD_TARGET "avx2,fma"
#define SIMD_LANES 8
#define SIMD_REGISTERS 16
#include SIMD_TEMPLATE
#undef SIMD_SET
#undef SIMD_TARGET
#undef SIMD_LANES
#undef SIMD_REGISTERS

#endif
#undef SIMD_INLINE
#undef SIMD_FUNCTION
#define SIMD_INLINE static inline __attribute__((always_inline))
#define SIMD_FUNCTION static
#define SIMD_SET baseline
#define SIMD_LANES 4
#if defined(SIMD_ARM)
#define SIMD_REGISTERS 32
#else
#define SIMD_REGISTERS 16
#endif
#include SIMD_TEMPLATE
#undef SIMD_SET
#undef SIMD_LANES
#undef SIMD_REGISTERS
#endif

#endif
