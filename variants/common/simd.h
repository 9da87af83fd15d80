/* Vector instructions of the CPU, once for the host variants of every paper. A variant defines
 * SIMD_TEMPLATE, the path of a header in quotes, and includes this file, which includes that header
 * once for every instruction set with
 *
 *     SIMD_SET                  the set: avx512f, avx2 or sse2; SIMD(name) is name_<set>
 *     SIMD_FUNCTION             attribute of a function that uses the set
 *     SIMD_INLINE               of one that is always inlined
 *     SIMD_LANES                floats in a vector
 *     real                      the vector; operators work on it
 *     REAL(a) FMA(a, b, c)      all lanes a; a b + c
 *     ESTIMATE(x) RSQRT(x)      reciprocal square root: to 14 or 12 bits; to about one unit in the
 *                               last place
 *     SIMD_LOAD SIMD_STORE      aligned; with _ANY at any address
 *     SIMD_STORE_SOME(to,a,k)   the first k lanes, or all if there are no more
 *     SIMD_AND(a, window)       lanes of a where the integers of the window, at any address, are
 *                               -1; 0 where they are 0
 *     SIMD_SUMS(a, b, c, d)     __m128 of the sums over the lanes of each
 *     SIMD_MAX(a, b)            the larger of each two lanes
 *     SIMD_ABOVE(a, b)          bit k: lane k of a is larger than that of b
 *
 * What runs is chosen at run time by a parameter: SIMD_PARAM, simd_check(), simd_chosen(). */
#ifndef VARIANTS_COMMON_SIMD_H
#define VARIANTS_COMMON_SIMD_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/variant.h"

/* Values of the parameter `simd`. */
enum simd { SIMD_AUTO, SIMD_AVX512F, SIMD_AVX2, SIMD_SSE2 };
extern const char *const simd_names[4];

#define SIMD_PARAM(type)                                                                           \
    {                                                                                              \
        "simd", ORR_PARAM_CHOICE, offsetof(type, simd), SIMD_AUTO, 0, 0, "auto|avx512f|avx2|sse2", \
            "vector instructions; auto takes the widest that the CPU has"                          \
    }

/* The widest that the CPU has for SIMD_AUTO, else `simd`. */
enum simd simd_chosen(enum simd simd);

/* For prepare(): refuses instructions that the CPU lacks; notes what will run. */
int simd_check(struct orr_job *job, enum simd simd);

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
AVX512F __m128 simd_sums_avx512f(__m512 a, __m512 b, __m512 c, __m512 d)
{
    __m512d ab = (__m512d)(_mm512_unpacklo_ps(a, b) + _mm512_unpackhi_ps(a, b));
    __m512d cd = (__m512d)(_mm512_unpacklo_ps(c, d) + _mm512_unpackhi_ps(c, d));
    __m512 s = (__m512)_mm512_unpacklo_pd(ab, cd) + (__m512)_mm512_unpackhi_pd(ab, cd);
    __m256 t = _mm512_castps512_ps256(s) + (__m256)_mm512_extractf64x4_pd((__m512d)s, 1);

    return _mm256_castps256_ps128(t) + _mm256_extractf128_ps(t, 1);
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
AVX2 __m128 simd_sums_avx2(__m256 a, __m256 b, __m256 c, __m256 d)
{
    __m256d ab = (__m256d)(_mm256_unpacklo_ps(a, b) + _mm256_unpackhi_ps(a, b));
    __m256d cd = (__m256d)(_mm256_unpacklo_ps(c, d) + _mm256_unpackhi_ps(c, d));
    __m256 s = (__m256)_mm256_unpacklo_pd(ab, cd) + (__m256)_mm256_unpackhi_pd(ab, cd);

    return _mm256_castps256_ps128(s) + _mm256_extractf128_ps(s, 1);
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

/* --- SSE2, which every x86-64 has --- */
#define SSE2 SIMD_OF("sse2")
typedef __m128 simd_real_sse2;
typedef int32_t simd_ints_sse2 __attribute__((vector_size(16), aligned(4), may_alias));

SSE2 __m128 simd_all_sse2(float a)
{
    return _mm_set1_ps(a);
}
SSE2 __m128 simd_fma_sse2(__m128 a, __m128 b, __m128 c)
{
    return a * b + c;
}
SSE2 __m128 simd_estimate_sse2(__m128 x)
{
    return _mm_rsqrt_ps(x);
}
SSE2 __m128 simd_rsqrt_sse2(__m128 x)
{
    __m128 y = _mm_rsqrt_ps(x);

    return y * (1.5f - 0.5f * x * y * y);
}
SSE2 __m128 simd_load_sse2(const float *from)
{
    return _mm_load_ps(from);
}
SSE2 void simd_store_sse2(float *to, __m128 a)
{
    _mm_store_ps(to, a);
}
SSE2 __m128 simd_load_any_sse2(const float *from)
{
    return _mm_loadu_ps(from);
}
SSE2 void simd_store_any_sse2(float *to, __m128 a)
{
    _mm_storeu_ps(to, a);
}
SSE2 void simd_store_some_sse2(float *to, __m128 a, uint32_t count)
{
    if (count >= 4)
        _mm_storeu_ps(to, a);
    for (uint32_t k = 0; count < 4 && k < count; k++)
        to[k] = a[k];
}
SSE2 __m128 simd_and_sse2(__m128 a, const int32_t *window)
{
    return (__m128)((simd_ints_sse2)a & *(const simd_ints_sse2 *)window);
}
SSE2 __m128 simd_sums_sse2(__m128 a, __m128 b, __m128 c, __m128 d)
{
    __m128d ab = (__m128d)(_mm_unpacklo_ps(a, b) + _mm_unpackhi_ps(a, b));
    __m128d cd = (__m128d)(_mm_unpacklo_ps(c, d) + _mm_unpackhi_ps(c, d));

    return (__m128)_mm_unpacklo_pd(ab, cd) + (__m128)_mm_unpackhi_pd(ab, cd);
}
SSE2 __m128 simd_max_sse2(__m128 a, __m128 b)
{
    return _mm_max_ps(a, b);
}
SSE2 uint32_t simd_above_sse2(__m128 a, __m128 b)
{
    return (uint32_t)_mm_movemask_ps(_mm_cmpgt_ps(a, b));
}
#undef SSE2

#ifdef SIMD_TEMPLATE
#define SIMD_SET avx512f
#define SIMD_TARGET "avx512f"
#define SIMD_LANES 16
#include SIMD_TEMPLATE
#undef SIMD_SET
#undef SIMD_TARGET
#undef SIMD_LANES

#define SIMD_SET avx2
#define SIMD_TARGET "avx2,fma"
#define SIMD_LANES 8
#include SIMD_TEMPLATE
#undef SIMD_SET
#undef SIMD_TARGET
#undef SIMD_LANES

#define SIMD_SET sse2
#define SIMD_TARGET "sse2"
#define SIMD_LANES 4
#include SIMD_TEMPLATE
#undef SIMD_SET
#undef SIMD_TARGET
#undef SIMD_LANES
#endif

#endif
