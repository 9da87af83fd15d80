/* SPDX-License-Identifier: MIT */
/* Positions in two parts, high and low (PAIR_LOW_WITH): with LOW=1 a buffer `low` has what floats
 * leave out of those in `body`, four numbers a body. In double precision a kernel adds them where
 * it reads bodies; in single precision PAIRS is 1 and positions are pairs of floats. Without them
 * nothing is left of what stands here. Behind precision.h, where that is included. */
#ifndef LOW
#define LOW 0
#endif
#ifndef DOUBLE
#define DOUBLE 0
#endif
#define PAIRS (LOW && !DOUBLE)

/* The last parameter and argument of what reads the buffer. */
#if LOW && DOUBLE
#define LOW_PARAM , GLOBAL const quad *RESTRICT low
#define LOW_ARG , low
#elif LOW
#define LOW_PARAM , GLOBAL const float4 *RESTRICT low
#define LOW_ARG , low
#else
#define LOW_PARAM
#define LOW_ARG
#endif

#if PAIRS
/* Code that only pairs have: without a comma outside parentheses. */
#define PAIRS_ONLY(code) code
/* A further parameter and argument. */
#define PAIRS_PARAM(type, name) , type name
#define PAIRS_ARG(name) , name
/* A term of a sum. */
#define PAIRS_PLUS(x) +(x)
/* Coordinate x, y or z of the k-th body of `own`, with members x, y, z and low; of pairs relative
 * to a point. */
#define PAIRS_SEEN(axis, own, k, point) \
    (((own)->axis[k] - REAL((point).axis)) + (own)->low[k].axis)

/* Low parts of a body, or of the lanes of a vector. */
struct low_part {
    real x, y, z;
};

/* Of the bodies i, i + stride ..., beyond `last` of that one. */
INLINE struct low_part low_at(GLOBAL const float4 *low, i32 i, i32 stride, i32 last)
{
    float x[VECTOR], y[VECTOR], z[VECTOR];
    struct low_part part;

    UNROLL
    for (i32 lane = 0; lane < VECTOR; lane++) {
        const float4 one = low[min(i + lane * stride, last)];
        x[lane] = one.x;
        y[lane] = one.y;
        z[lane] = one.z;
    }
    part.x = REAL_LOAD(x, 0);
    part.y = REAL_LOAD(y, 0);
    part.z = REAL_LOAD(z, 0);
    return part;
}

/* What stands at `high` and `low`, relative to a point. */
INLINE float4 seen_from(float4 point, float4 high, float4 low)
{
    return MAKE_FLOAT4((high.x - point.x) + low.x, (high.y - point.y) + low.y,
                       (high.z - point.z) + low.z, high.w);
}
#else
#define PAIRS_ONLY(code)
#define PAIRS_PARAM(type, name)
#define PAIRS_ARG(name)
#define PAIRS_PLUS(x)
#define PAIRS_SEEN(axis, own, k, point) (own)->axis[k]
#endif

/* PAIR_WITH and PAIR_BOTH_WITH of positions in as many parts as they have. `li` and `lj`, with
 * members x y z, are looked at of pairs alone. */
#if PAIRS
#define PAIR_PARTS_WITH(ax, ay, az, phi, xi, yi, zi, li, xj, yj, zj, lj, mj, eps2, r2, rinv) \
    PAIR_LOW_WITH(ax, ay, az, phi, xi, yi, zi, (li).x, (li).y, (li).z, xj, yj, zj, (lj).x, \
                  (lj).y, (lj).z, mj, eps2, r2, rinv)
#define PAIR_BOTH_PARTS_WITH(ax, ay, az, phi, bx, by, bz, psi, xi, yi, zi, li, mi, xj, yj, zj, lj, \
                             mj, eps2, r2, rinv) \
    PAIR_BOTH_LOW_WITH(ax, ay, az, phi, bx, by, bz, psi, xi, yi, zi, (li).x, (li).y, (li).z, mi, \
                       xj, yj, zj, (lj).x, (lj).y, (lj).z, mj, eps2, r2, rinv)
#else
#define PAIR_PARTS_WITH(ax, ay, az, phi, xi, yi, zi, li, xj, yj, zj, lj, mj, eps2, r2, rinv) \
    PAIR_WITH(ax, ay, az, phi, xi, yi, zi, xj, yj, zj, mj, eps2, r2, rinv)
#define PAIR_BOTH_PARTS_WITH(ax, ay, az, phi, bx, by, bz, psi, xi, yi, zi, li, mi, xj, yj, zj, lj, \
                             mj, eps2, r2, rinv) \
    PAIR_BOTH_WITH(ax, ay, az, phi, bx, by, bz, psi, xi, yi, zi, mi, xj, yj, zj, mj, eps2, r2, \
                   rinv)
#endif
