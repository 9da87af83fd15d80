/* SPDX-License-Identifier: MIT */
/* Single or double precision (DOUBLE=1) for the sums over bodies: `real`, for PAIR too, and `quad`,
 * four numbers of one body. To be included after the dialect and before lanes.h. */
#if DOUBLE
#ifdef ORR_OPENCL
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double4 quad;
#else
struct __align__(16) quad
{
    double x, y, z, w;
};
#undef FMA
#define FMA(a, b, c) fma((a), (b), (c))
#endif
#define SCALAR double
#define LANE long
#undef RSQRT
#if ORR_CPU && defined(__AVX512F__) && VECTOR == 8
/* The estimate of 14 bits and two Newton steps: twice as fast as square root and division. NaN at
 * 0. */
INLINE double8 rsqrt_of(double8 x)
{
    double8 y = __builtin_ia32_rsqrt14pd512_mask(x, x, (uchar)0xff);

    y = FMA(0.5 * y, FMA(-(x * y), y, (double8)(1.0)), y);
    return FMA(0.5 * y, FMA(-(x * y), y, (double8)(1.0)), y);
}
#define RSQRT(x) rsqrt_of(x)
#elif VECTOR == 1 && (defined(ORR_CUDA) || defined(ORR_NVIDIA))
/* The estimate of one instruction, 20 bits, and one step of third order: five operations where
 * rsqrt() takes ten and a branch. NaN at 0. */
INLINE double rsqrt_of(double x)
{
    double y;
#ifdef ORR_CUDA
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
#else
    __asm__("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
#endif
    const double e = FMA(-(x * y), y, 1.0);
    return FMA(FMA(0.375, e, 0.5), y * e, y);
}
#define RSQRT(x) rsqrt_of(x)
#else
#define RSQRT(x) rsqrt(x)
#endif
#undef RSQRT_OR_ZERO
#define RSQRT_OR_ZERO(x) ((x) > REAL(0.0) ? RSQRT(x) : REAL(0.0))
#else
typedef float4 quad;
#define SCALAR float
#define LANE int
#endif
#if VECTOR == 1
typedef SCALAR reals;
#else
typedef ORR_JOIN(SCALAR, VECTOR) reals;
#endif
#define real reals

/* The sum over `rows` rows of `row` quads each, of the place at `from`, in their order. */
INLINE quad sum_of_rows(GLOBAL const quad *from, i32 row, i32 rows)
{
    quad total = from[0];

    for (i32 k = 1; k < rows; k++) {
        const quad one = from[(i64)k * row];
        total.x += one.x;
        total.y += one.y;
        total.z += one.z;
        total.w += one.w;
    }
    return total;
}
