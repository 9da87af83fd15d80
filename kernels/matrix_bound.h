/* When the pairs of a block of bodies i and a tile of bodies j may go through matrix units of half
 * precision, kernels/fujiwara_matrix.cl. Plain functions of floats for kernels and host code: needs
 * INLINE, i32, MATRIX_MAX, MATRIX_ROOT and MATRIX_BITS, the bits of a float.
 *
 * With all positions from the centre of block I, R the largest length of x_j, h that of x_i,
 * reach = R + h, and gap the least distance of two bodies, softening included:
 *
 * - A number becomes two halves, which keep 22 bits of it: to 2^-22 relative.
 * - r^2 = x_i^2 - 2 x_i x_j + x_j^2 is a sum of 16 products, no term and no sum beyond reach^2. A
 *   matrix unit aligns them to the largest and cuts off what is below 2^-23 of that: 17 times, and
 *   4 times 2^-22 for the halves, 2 for rounding x and x^2. Below 15 * 2^-22 reach^2 together.
 * - What is below the smallest half, 2^-24 of 4 R^2 + 4 eps^2, adds 4 * 2^-22 (R^2 + eps^2).
 * - w = r^-3 takes 1.5 times that relative to gap^2.
 * - Sums of w m, w m x and w m x^2 over a tile go through at most 24 steps that cut off, 2^-23
 *   each, and 6 roundings of halves, 2^-22 each: 18 * 2^-22. Positions are from the centre of I, so
 *   that differences of such sums lose up to reach / gap in forces and its square in potentials.
 *
 * The sum of all that, relative to the sum of the pairs' magnitudes, is at most
 * 49 * 2^-22 (reach^2 + eps^2) / gap^2. */
#ifndef ORR_MATRIX_BOUND_H
#define ORR_MATRIX_BOUND_H

#define MATRIX_ERROR (49 * 2.384185791015625e-07f)

/* Of bodies: the centre of their box, half its edges, the largest mass. */
struct matrix_box {
    float x, y, z, mass, hx, hy, hz;
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

/* The largest distance of a body j from the centre of `i`. */
INLINE float matrix_range(struct matrix_box i, struct matrix_box j)
{
    return (MATRIX_ROOT(matrix_square(j.x - i.x, j.y - i.y, j.z - i.z)) + matrix_radius(j)) *
           1.00001f;
}

/* The least f for which all r^2 are below 4^f, but for what x_i adds. */
INLINE i32 matrix_scale(float range, float eps2)
{
    return (matrix_exponent((range * range + eps2) * 1.0001f) + 1) >> 1;
}

/* Whether errors stay below `bound`, and all numbers within what floats and halves can hold. */
INLINE i32 matrix_is_far(struct matrix_box i, struct matrix_box j, float eps2, float bound)
{
    const float range = matrix_range(i, j), reach = range + matrix_radius(i);
    const float gap2 = matrix_square(matrix_gap(j.x - i.x, i.hx + j.hx),
                                     matrix_gap(j.y - i.y, i.hy + j.hy),
                                     matrix_gap(j.z - i.z, i.hz + j.hz)) *
                           0.9999f + eps2;
    const i32 f = matrix_scale(range, eps2);

    return f > -38 && f < 38 && matrix_exponent(i.mass) < 100 && matrix_exponent(j.mass) < 100 &&
           MATRIX_ERROR * (reach * reach + eps2) < bound * gap2;
}

#endif
