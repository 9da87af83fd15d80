/* SPDX-License-Identifier: MIT */
/* What bodies do to a point, fp64, in the widest vectors that this processor has: the loop that
 * references spend their time in. */
#include "run/reference.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline))

/* --- any processor --- */

/* Bodies [from, to) with one set of masses on (x, y, z). Fujiwara & Nakasato 2009, eq. 1. Without
 * softening the length of a term needs no square root of its own. */
INLINE void add_range(struct orr_reference_sums *sum, const struct orr_reference_pairs *s,
                      const double *masses, const double at[3], size_t from, size_t to, bool soft)
{
    const double *restrict px = s->pos[0], *restrict py = s->pos[1], *restrict pz = s->pos[2],
                           *restrict m = masses;
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
        scale += soft ? force * sqrt(d2) : potential * inverse;
    }
    sum->acc[0] += ax;
    sum->acc[1] += ay;
    sum->acc[2] += az;
    sum->phi += phi;
    sum->scale += scale;
}

INLINE void add_sets(struct orr_reference_sums *sums, const struct orr_reference_pairs *s,
                     const double at[3], size_t from, size_t to)
{
    for (int k = 0; k < s->sets; k++) {
        if (s->eps * s->eps > 0)
            add_range(&sums[k], s, s->mass[k], at, from, to, true);
        else
            add_range(&sums[k], s, s->mass[k], at, from, to, false);
    }
}

/* The same loop for several instruction sets. */
#define FOR_TARGET(suffix, attribute)                                                           \
    attribute static void add_##suffix(struct orr_reference_sums *sums,                         \
                                       const struct orr_reference_pairs *s, const double at[3], \
                                       size_t from, size_t to)                                  \
    {                                                                                           \
        add_sets(sums, s, at, from, to);                                                        \
    }
FOR_TARGET(base, )
#if defined(__x86_64__)
FOR_TARGET(avx2, __attribute__((target("avx2"))))

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

/* What a loop leaves out, known to the compiler. */
struct kind {
    int sets;
    bool soft, only; /* accelerations */
};

struct wide {
    __m512d x, y, z, phi, scale;
};

/* Eight bodies from j on, those of `mask`. */
WIDE INLINE void add_eight(struct wide *sum, const struct orr_reference_pairs *s,
                           const double at[3], size_t j, __mmask8 mask, struct kind kind)
{
    const bool soft = kind.soft;
    __m512d dx = _mm512_sub_pd(_mm512_maskz_loadu_pd(mask, s->pos[0] + j), _mm512_set1_pd(at[0])),
            dy = _mm512_sub_pd(_mm512_maskz_loadu_pd(mask, s->pos[1] + j), _mm512_set1_pd(at[1])),
            dz = _mm512_sub_pd(_mm512_maskz_loadu_pd(mask, s->pos[2] + j), _mm512_set1_pd(at[2])),
            d2 = _mm512_fmadd_pd(dz, dz, _mm512_fmadd_pd(dy, dy, _mm512_mul_pd(dx, dx)));
    __m512d softened = soft ? _mm512_add_pd(d2, _mm512_set1_pd(s->eps * s->eps)) : d2;
    __m512d inverse = inverse_root(_mm512_mask_mov_pd(_mm512_set1_pd(1), mask, softened));
    __m512d square = _mm512_mul_pd(inverse, inverse),
            distance = soft && !kind.only ? root(d2) : inverse;
#pragma GCC unroll 2 /* or the sums would stand in memory */
    for (int k = 0; k < kind.sets; k++) {
        __m512d m = _mm512_maskz_loadu_pd(mask, s->mass[k] + j);
        __m512d potential = _mm512_mul_pd(m, inverse), force = _mm512_mul_pd(potential, square);
        sum[k].x = _mm512_fmadd_pd(force, dx, sum[k].x);
        sum[k].y = _mm512_fmadd_pd(force, dy, sum[k].y);
        sum[k].z = _mm512_fmadd_pd(force, dz, sum[k].z);
        if (kind.only)
            continue;
        sum[k].phi = _mm512_sub_pd(sum[k].phi, potential);
        sum[k].scale = _mm512_fmadd_pd(soft ? force : potential, distance, sum[k].scale);
    }
}

WIDE INLINE void add_wide(struct orr_reference_sums *sums, const struct orr_reference_pairs *s,
                          const double at[3], size_t from, size_t to, struct kind kind)
{
    struct wide sum[ORR_REFERENCE_SETS] = {0};
    size_t j = from;
    for (; j + LANES <= to; j += LANES)
        add_eight(sum, s, at, j, 0xff, kind);
    if (j < to)
        add_eight(sum, s, at, j, (__mmask8)((1u << (to - j)) - 1), kind);
#pragma GCC unroll 2
    for (int k = 0; k < kind.sets; k++) {
        sums[k].acc[0] += _mm512_reduce_add_pd(sum[k].x);
        sums[k].acc[1] += _mm512_reduce_add_pd(sum[k].y);
        sums[k].acc[2] += _mm512_reduce_add_pd(sum[k].z);
        sums[k].phi += _mm512_reduce_add_pd(sum[k].phi);
        sums[k].scale += _mm512_reduce_add_pd(sum[k].scale);
    }
}

WIDE INLINE void add_soft(struct orr_reference_sums *sums, const struct orr_reference_pairs *s,
                          const double at[3], size_t from, size_t to, int sets, bool soft)
{
    if (s->only)
        add_wide(sums, s, at, from, to, (struct kind){1, soft, true});
    else
        add_wide(sums, s, at, from, to, (struct kind){sets, soft, false});
}

WIDE static void add_avx512(struct orr_reference_sums *sums, const struct orr_reference_pairs *s,
                            const double at[3], size_t from, size_t to)
{
    bool soft = s->eps * s->eps > 0;
    if (s->sets > 1 && soft)
        add_soft(sums, s, at, from, to, 2, true);
    else if (s->sets > 1)
        add_soft(sums, s, at, from, to, 2, false);
    else if (soft)
        add_soft(sums, s, at, from, to, 1, true);
    else
        add_soft(sums, s, at, from, to, 1, false);
}
#endif

/* --- the widest --- */

void orr_reference_pairs_add(struct orr_reference_sums sums[ORR_REFERENCE_SETS],
                             const struct orr_reference_pairs *pairs, const double at[3],
                             size_t from, size_t to)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) {
        add_avx512(sums, pairs, at, from, to);
        return;
    }
    if (__builtin_cpu_supports("avx2")) {
        add_avx2(sums, pairs, at, from, to);
        return;
    }
#endif
    add_base(sums, pairs, at, from, to);
}
