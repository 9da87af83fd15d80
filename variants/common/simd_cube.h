/* SPDX-License-Identifier: MIT */
/* x^-1.5 without a square root, for templates of simd.h. No include guard on purpose: it is
 * included once for every instruction set. */

/* The factor that SIMD(cube) leaves out; the sums are multiplied by it. */
#undef CUBE
#define CUBE (-1.5f)

/* x^-1.5 / CUBE: with the estimate y of x^-0.5 and q = x y^2 near 1 it is y^3 (5 - 3 q) / 2, whose
 * error is 7.5 times the square of the estimate's. */
SIMD_INLINE real SIMD(cube)(real x)
{
    const real y = ESTIMATE(x), y2 = y * y;

    return (y * y2) * FMA(x, y2, REAL(-5.0f / 3.0f));
}
