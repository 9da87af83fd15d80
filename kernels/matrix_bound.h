/* SPDX-License-Identifier: MIT */
/* How far from exact the pairs of a block of bodies i and a tile of bodies j are on matrix units of
 * half precision, kernels/fujiwara_matrix.cl. Plain functions of floats for kernels and host code:
 * needs INLINE, i32, MATRIX_MAX, MATRIX_BITS, the bits of a float, and MATRIX_ROOT and
 * MATRIX_INVERSE, 1 / x, which may be off by 2^-21.
 *
 * With all positions from the centre of block I, R the largest length of x_j, reach that and the
 * block's radius, gap the least distance of two bodies, h the larger radius of the tiles of both,
 * all distances softened, and errors in units of 2^-22:
 *
 * - Lengths are in a unit in which gap is 0.41, so that w = r^-3 is below 14.6.
 * - A number becomes two halves, which keep 22 bits of it.
 * - r^2 = x_i^2 - 2 x_i x_j + x_j^2 is a sum of 15 products, none beyond R^2, since R is at least
 *   twice the radius of I. A matrix unit aligns them to the largest and cuts off what is below
 *   2^-23 of that: 7.5 R^2. What is below the smallest half, 2^-25 of a number, adds
 *   2.8 gap^2 + 0.7 R^2, halves and their missing product 3 reach^2, rounding 2.1 reach^2. Of w
 *   that is 1.5 times as much relative to gap^2; 6 for the root, the masses' part in it, and the
 *   halves of w.
 * - w becomes a multiple of 2^-14, which is off by 2^-15: 2^-15 gap^3 of the largest w.
 * - Units multiply w - c, c = 1 / (D^3 + 3 D d^2) for a warp's and 16 bodies whose centres are D
 *   apart and whose radii's sum is d: with x = d / gap, |w - c| is at most F w,
 *   F = (3 x + x^3) / (1 + 3 x^2), and masses' part 2^-10. Of two halves that are cut from the
 *   bits of w, the second and what c is rounded by come to at most 6.5 / 64 more.
 * - Sums of (w - c) m, (w - c) m x' and (w - c) m x'^2, x' from the centre of a tile: a product of
 *   17 terms loses 8.5 of what is there. Four of i follow each other, and four of j, those of
 *   second halves by themselves: 34, and 3 for the rest. Forces are made of them at distances of at
 *   most gap + h, which makes 37 F (1 + 2 h / gap), potentials 37 F (1 + 2 h / gap)^2; x'^2, less
 *   half its bound, has one half: 2^-12 F (h / gap)^2 of potentials.
 * - Coarse pairs have one half of w - c: 2^-11 F more, and 2^-25 below the smallest half.
 *
 * All that is relative to the pairs' magnitudes, |m| r / (r^2 + eps^2)^1.5 of forces and
 * |m| / (r^2 + eps^2)^0.5 of potentials, but for what is a share of the largest w, and what forces
 * get of x' alone, 2 h, which softening doesn't make shorter. matrix_plan gives each block what it
 * may lose of all of them together. Sums in single precision are not in it. */
#ifndef ORR_MATRIX_BOUND_H
#define ORR_MATRIX_BOUND_H

#define MATRIX_ULP 2.384185791015625e-07f /* 2^-22 */
#define MATRIX_HALF 4.8828125e-04f        /* 2^-11 */
#define MATRIX_NEVER 1e30f                /* an error */
#define MATRIX_MOST_RHO2 600.0f           /* squares in their unit are halves */
#define MATRIX_MOST_ERROR 0.03f           /* w is below 16 */
#define MATRIX_GAP 0.41f                  /* in its unit */
#define MATRIX_THIRD 0.069f               /* its third power */
#define MATRIX_STEP 3.0517578125e-05f     /* 2^-15 */
#define MATRIX_SECOND 0.1016f             /* 6.5 / 64 */

/* Of bodies: the centre of their box, half its edges, the largest and the sum of |m|, the largest
 * radius of a half of a tile, of its parts of 16, and of a tile. */
struct matrix_box {
    float x, y, z, mass, hx, hy, hz, sum, half_radius, part_radius, tile_radius;
};

/* Of a block and a tile, [0] of forces, [1] of potentials. Errors of a pair relative to its own
 * magnitude: `fine`, and what cut and coarse pairs add; `loose`: of forces, per unit of |m|.
 * `error` is what they are judged by. most and least: bounds of magnitudes per unit of |m|. Lengths
 * times `unit` are in theirs. */
struct matrix_rates {
    float error, fine[2], cut[2], coarse, loose, most[2], least[2];
    float unit;
};

/* The smallest e with x < 2^e, for normal x; -126 for less. */
INLINE i32 matrix_exponent(float x)
{
    const i32 e = (i32)(MATRIX_BITS(x) >> 23 & 255) - 126;

    return e < -126 ? -126 : e;
}

INLINE float matrix_square(float x, float y, float z)
{
    return x * x + y * y + z * z;
}

INLINE float matrix_radius(struct matrix_box b)
{
    return MATRIX_ROOT(matrix_square(b.hx, b.hy, b.hz)) * 1.00001f;
}

INLINE float matrix_gap(float distance, float reach)
{
    const float gap = (distance < 0.0f ? -distance : distance) - reach;

    return MATRIX_MAX(gap, 0.0f);
}

INLINE float matrix_span(float distance, float reach)
{
    return (distance < 0.0f ? -distance : distance) + reach;
}

/* The largest distance of a body j from the centre of `i`. */
INLINE float matrix_range(struct matrix_box i, struct matrix_box j)
{
    return (MATRIX_ROOT(matrix_square(j.x - i.x, j.y - i.y, j.z - i.z)) + matrix_radius(j)) *
           1.00001f;
}

/* F above. */
INLINE float matrix_spread(float x)
{
    return (3.0f * x + x * x * x) * MATRIX_INVERSE(1.0f + 3.0f * x * x) * 1.0001f + 0.001f;
}

/* A force's magnitude at r^2 for unit mass. It has one maximum, so that on an interval it is least
 * at an end. */
INLINE float matrix_magnitude(float r2, float eps2)
{
    const float s = r2 + eps2;

    return s > 0.0f ? MATRIX_ROOT(r2) * MATRIX_INVERSE(s * MATRIX_ROOT(s)) : MATRIX_NEVER;
}

/* The largest for r^2 between `near2` and `far2`. */
INLINE float matrix_peak(float near2, float far2, float eps2)
{
    const float peak = MATRIX_MAX(0.5f * eps2, near2);

    return matrix_magnitude(peak < far2 ? peak : far2, eps2) * 1.0001f;
}

/* Whether the unit of sums of such masses over r^3 below 8^f is a normal float. */
INLINE i32 matrix_holds(float mass, i32 f)
{
    const i32 e = matrix_exponent(mass) - 3 * f;

    return mass == 0.0f || (matrix_exponent(mass) < 100 && e > -100 && e < 110);
}

/* What sums cost, and cutting w. `h` is in gaps. By how much more than a pair's distance forces
 * take x', `apart`, is 0 if softening alone keeps bodies apart. */
INLINE void put_sums(struct matrix_rates *r, float inverse, float near2, float far2, float eps2,
                     float h, float spread)
{
    const float inverse2 = inverse * inverse, ratio2 = (far2 + eps2) * inverse2;
    const float w = MATRIX_THIRD * ratio2 * MATRIX_ROOT(ratio2);
    const float near = near2 * inverse2;
    const float apart = near > 0.25f ? 2.0f * h * MATRIX_INVERSE(MATRIX_ROOT(near)) : 0.0f;
    const float sums[2] = {37.0f * MATRIX_ULP * (1.0f + apart),
                           37.0f * MATRIX_ULP * (1.0f + 2.0f * h) * (1.0f + 2.0f * h) +
                               0.5f * MATRIX_HALF * h * h};

    for (i32 k = 0; k < 2; k++) {
        r->fine[k] += sums[k] * spread;
        r->cut[k] = w * (MATRIX_STEP + MATRIX_SECOND * sums[k]);
    }
    r->loose = apart > 0.0f ? 0.0f
                            : 37.0f * MATRIX_ULP * 2.0f * h *
                                  (spread + MATRIX_SECOND * MATRIX_THIRD) * inverse2;
}

/* Block `i` and tile `j`. */
INLINE struct matrix_rates matrix_rates_of(struct matrix_box i, struct matrix_box j, float eps2)
{
    const float radius = matrix_radius(i), range = matrix_range(i, j), reach = range + radius;
    const float near2 = matrix_square(matrix_gap(j.x - i.x, i.hx + j.hx),
                                      matrix_gap(j.y - i.y, i.hy + j.hy),
                                      matrix_gap(j.z - i.z, i.hz + j.hz)) *
                        0.9999f;
    const float far2 = matrix_square(matrix_span(j.x - i.x, i.hx + j.hx),
                                     matrix_span(j.y - i.y, i.hy + j.hy),
                                     matrix_span(j.z - i.z, i.hz + j.hz)) *
                       1.0001f;
    const float gap2 = near2 + eps2, gap = MATRIX_ROOT(gap2);
    const float inverse = MATRIX_INVERSE(gap), inverse2 = MATRIX_INVERSE(gap2);
    const float rho2 = (reach * reach + eps2) * inverse2;
    const i32 f = matrix_exponent(gap);
    struct matrix_rates r;

    const float at_far = matrix_magnitude(far2, eps2), at_near = matrix_magnitude(near2, eps2);
    r.least[0] = at_far < at_near ? at_far : at_near;
    r.least[1] = far2 + eps2 > 0.0f ? MATRIX_INVERSE(MATRIX_ROOT(far2 + eps2)) : 0.0f;
    r.error = r.fine[0] = r.fine[1] = r.cut[0] = r.cut[1] = r.coarse = r.loose = MATRIX_NEVER;
    r.most[0] = r.most[1] = 0.0f;
    r.unit = MATRIX_GAP * inverse;
    if (!(rho2 < MATRIX_MOST_RHO2) || range * range + eps2 < 4.0f * radius * radius ||
        f <= -38 || f >= 38 ||
        !matrix_holds(i.mass, f) ||
        !matrix_holds(j.mass, f))
        return r;
    const float h = MATRIX_MAX(i.tile_radius, j.tile_radius) * inverse, sums = 1.0f + 2.0f * h;
    const float spread = matrix_spread((i.half_radius + j.part_radius) * inverse);
    const float square = 7.6f * rho2 + 12.3f * (range * range + eps2) * inverse2 + 10.2f;
    r.error = MATRIX_ULP * (square + 37.0f * spread * sums);
    if (r.error > MATRIX_MOST_ERROR) {
        r.error = MATRIX_NEVER;
        return r;
    }
    r.fine[0] = r.fine[1] = MATRIX_ULP * square;
    put_sums(&r, inverse, near2, far2, eps2, h, spread);
    r.coarse = MATRIX_HALF * spread + 0.07f * MATRIX_ULP * rho2 * MATRIX_ROOT(rho2);
    r.most[0] = matrix_peak(near2, far2, eps2);
    r.most[1] = inverse * 1.00001f;
    return r;
}

#endif
