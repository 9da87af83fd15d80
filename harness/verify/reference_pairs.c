/* SPDX-License-Identifier: MIT */
/* What bodies do to a point, fp64, in the widest vectors that this processor has: the loop that
 * references spend their time in. */
#include "verify/reference.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline))

/* --- any processor --- */

/* Bodies [from, to) on (x, y, z). Fujiwara & Nakasato 2009, eq. 1. */
INLINE void add_range(struct orr_reference_sums *sum, const struct orr_sources *s,
                      const double at[3], size_t from, size_t to)
{
    const double *restrict px = s->pos[0], *restrict py = s->pos[1], *restrict pz = s->pos[2],
                           *restrict m = s->mass;
    double x = at[0], y = at[1], z = at[2];
    double ax = 0, ay = 0, az = 0, phi = 0, scale = 0, eps2 = s->eps * s->eps;
#pragma omp simd reduction(+ : ax, ay, az, phi, scale)
    for (size_t j = from; j < to; j++) {
        double dx = px[j] - x, dy = py[j] - y, dz = pz[j] - z;
        double d2 = dx * dx + dy * dy + dz * dz;
        double inverse = 1 / sqrt(d2 + eps2);
        double potential = m[j] * inverse, force = potential * (inverse * inverse);
        ax += force * dx;
        ay += force * dy;
        az += force * dz;
        phi -= potential;
        scale += force * sqrt(d2);
    }
    sum->acc[0] += ax;
    sum->acc[1] += ay;
    sum->acc[2] += az;
    sum->phi += phi;
    sum->scale += scale;
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void add_avx2(struct orr_reference_sums *sum,
                                                     const struct orr_sources *s,
                                                     const double at[3], size_t from, size_t to)
{
    add_range(sum, s, at, from, to);
}

/* --- AVX-512, which begins a root with 14 bits: twice as fast as dividing by one --- */

#define WIDE __attribute__((target("avx512f")))
enum { LANES = 8 };

/* 1 / sqrt(x) to the last digit or the one before: with e = 1 - x y^2 of the first guess y below
 * 2^-13 the series of y / sqrt(1 - e) ends after e^3. */
WIDE INLINE __m512d inverse_root(__m512d x)
{
    const __m512d one = _mm512_set1_pd(1), first = _mm512_set1_pd(1.0 / 2),
                  second = _mm512_set1_pd(3.0 / 8), third = _mm512_set1_pd(5.0 / 16);
    __m512d y = _mm512_rsqrt14_pd(x), e = _mm512_fnmadd_pd(_mm512_mul_pd(x, y), y, one);
    __m512d series = _mm512_fmadd_pd(_mm512_fmadd_pd(third, e, second), e, first);
    return _mm512_fmadd_pd(_mm512_mul_pd(y, e), series, y);
}

/* To eight digits, half of the series: of lengths that errors are only measured by. None of zero.
 */
WIDE INLINE __m512d root(__m512d x)
{
    const __m512d one = _mm512_set1_pd(1), half = _mm512_set1_pd(1.0 / 2);
    __m512d y = _mm512_rsqrt14_pd(_mm512_max_pd(x, _mm512_set1_pd(DBL_MIN)));
    __m512d guess = _mm512_mul_pd(x, y), e = _mm512_fnmadd_pd(guess, y, one);
    return _mm512_fmadd_pd(_mm512_mul_pd(guess, half), e, guess);
}

struct wide {
    __m512d x, y, z, phi, scale;
};

/* Eight bodies from j on, those of `mask`. */
WIDE INLINE void add_eight(struct wide *sum, const struct orr_sources *s, bool only,
                           const double at[3], size_t j, __mmask8 mask)
{
    __m512d dx = _mm512_sub_pd(_mm512_maskz_loadu_pd(mask, s->pos[0] + j), _mm512_set1_pd(at[0])),
            dy = _mm512_sub_pd(_mm512_maskz_loadu_pd(mask, s->pos[1] + j), _mm512_set1_pd(at[1])),
            dz = _mm512_sub_pd(_mm512_maskz_loadu_pd(mask, s->pos[2] + j), _mm512_set1_pd(at[2])),
            d2 = _mm512_fmadd_pd(dz, dz, _mm512_fmadd_pd(dy, dy, _mm512_mul_pd(dx, dx)));
    __m512d softened = _mm512_add_pd(d2, _mm512_set1_pd(s->eps * s->eps));
    __m512d inverse = inverse_root(_mm512_mask_mov_pd(_mm512_set1_pd(1), mask, softened));
    __m512d potential = _mm512_mul_pd(_mm512_maskz_loadu_pd(mask, s->mass + j), inverse),
            force = _mm512_mul_pd(potential, _mm512_mul_pd(inverse, inverse));
    sum->x = _mm512_fmadd_pd(force, dx, sum->x);
    sum->y = _mm512_fmadd_pd(force, dy, sum->y);
    sum->z = _mm512_fmadd_pd(force, dz, sum->z);
    if (only)
        return;
    sum->phi = _mm512_sub_pd(sum->phi, potential);
    sum->scale = _mm512_fmadd_pd(force, root(d2), sum->scale);
}

WIDE INLINE void add_wide(struct orr_reference_sums *sums, const struct orr_sources *s, bool only,
                          const double at[3], size_t from, size_t to)
{
    struct wide sum = {0};
    size_t j = from;
    for (; j + LANES <= to; j += LANES)
        add_eight(&sum, s, only, at, j, 0xff);
    if (j < to)
        add_eight(&sum, s, only, at, j, (__mmask8)((1u << (to - j)) - 1));
    sums->acc[0] += _mm512_reduce_add_pd(sum.x);
    sums->acc[1] += _mm512_reduce_add_pd(sum.y);
    sums->acc[2] += _mm512_reduce_add_pd(sum.z);
    sums->phi += _mm512_reduce_add_pd(sum.phi);
    sums->scale += _mm512_reduce_add_pd(sum.scale);
}

WIDE static void add_avx512(struct orr_reference_sums *sums, const struct orr_sources *s, bool only,
                            const double at[3], size_t from, size_t to)
{
    if (only)
        add_wide(sums, s, true, at, from, to);
    else
        add_wide(sums, s, false, at, from, to);
}
#endif

/* --- the widest --- */

void orr_reference_pairs_add(struct orr_reference_sums *sums, const struct orr_sources *sources,
                             bool only, const double at[3], size_t from, size_t to)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) {
        add_avx512(sums, sources, only, at, from, to);
        return;
    }
    if (__builtin_cpu_supports("avx2")) {
        add_avx2(sums, sources, at, from, to);
        return;
    }
#endif
    (void)only;
    add_range(sums, sources, at, from, to);
}
