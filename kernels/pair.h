/* SPDX-License-Identifier: MIT */
/* The physics, once: what body j does to body i, fp32, for `real` scalars or vectors of several
 * bodies i.
 *
 *     a_i = sum_{j != i} m_j d / (d^2 + eps^2)^1.5
 *     phi_i = - sum_{j != i} m_j / (d^2 + eps^2)^0.5,   d = x_j - x_i
 *
 * Fujiwara & Nakasato 2009 (arXiv:0904.3659), eq. 1, with the sign that the paper leaves out. Needs
 * `real`, REAL, FMA, RSQRT and RSQRT_OR_ZERO from the dialect; only macros, so that host code may
 * define these for itself.
 *
 * The macros named ..._WITH take the reciprocal root, `rinv`, as an expression of the squared
 * distance, which they call `r2`; those named ..._CUBED its third power, `rinv3`. */
#ifndef ORR_PAIR_H
#define ORR_PAIR_H

/* SOFTENED=0, the build define for eps = 0, keeps the pair of a body with itself from dividing by
 * zero. */
#ifndef SOFTENED
#define SOFTENED 1
#endif
#if SOFTENED
#define PAIR_RSQRT(x) RSQRT(x)
#else
#define PAIR_RSQRT(x) RSQRT_OR_ZERO(x)
#endif

/* Flops of one interaction: the paper's convention (section V), and the sum of the counts below. */
#define PAIR_FLOPS_CONVENTION 38
#define PAIR_FLOPS_TRUE 20

/* Where massless bodies that pad arrays are, on every axis: a pair with one gives exactly nothing
 * and never 0/0. Its square is still a float. */
#define PAIR_FAR 1e18f

/* Distance and its softened square, as variables of the enclosing block. */
#define PAIR_DISTANCE(dx, dy, dz, r2, xi, yi, zi, xj, yj, zj, eps2) \
    const real dx = (xj) - (xi);                                        /* 1 */ \
    const real dy = (yj) - (yi);                                        /* 1 */ \
    const real dz = (zj) - (zi);                                        /* 1 */ \
    PAIR_SQUARE(dx, dy, dz, r2, eps2)                                   /* 6 */
#define PAIR_SQUARE(dx, dy, dz, r2, eps2) \
    real r2 = FMA(dx, dx, (eps2));                                      /* 2 */ \
    r2 = FMA(dy, dy, r2);                                               /* 2 */ \
    r2 = FMA(dz, dz, r2)                                                /* 2 */

/* The same of positions in two parts, high and low: pairs of floats, which have 48 bits together,
 * or a float and the double that it leaves out. What high parts differ by is exact where bodies are
 * close, and the low parts add the rest. A difference takes 3 operations instead of 1, which no
 * compiler may put in another order. */
#define PAIR_LOW_FLOPS 6
#define PAIR_LOW_DISTANCE(dx, dy, dz, r2, xi, yi, zi, lxi, lyi, lzi, xj, yj, zj, lxj, lyj, lzj, \
                          eps2) \
    const real dx = ((xj) - (xi)) + ((lxj) - (lxi));                    /* 3 */ \
    const real dy = ((yj) - (yi)) + ((lyj) - (lyi));                    /* 3 */ \
    const real dz = ((zj) - (zi)) + ((lzj) - (lzi));                    /* 3 */ \
    PAIR_SQUARE(dx, dy, dz, r2, eps2)                                   /* 6 */

/* What a body of mass mj does at the distance (dx, dy, dz). */
#define PAIR_ACT(ax, ay, az, phi, dx, dy, dz, mj, rinv) \
    const real pair_rinv = (rinv);                                      /* 1 */ \
    const real pair_m = (mj) * pair_rinv;                               /* 1 */ \
    const real pair_s = pair_m * (pair_rinv * pair_rinv);               /* 2 */ \
    (ax) = FMA(pair_s, dx, (ax));                                       /* 2 */ \
    (ay) = FMA(pair_s, dy, (ay));                                       /* 2 */ \
    (az) = FMA(pair_s, dz, (az));                                       /* 2 */ \
    (phi) = (phi) - pair_m                                              /* 1 */

/* Adds to (ax, ay, az) and phi, all real. (xi, yi, zi) real; (xj, yj, zj, mj) float or real;
 * eps2 = eps^2, real. 13 additions, multiplications and FMAs, 1 reciprocal square root. */
#define PAIR_WITH(ax, ay, az, phi, xi, yi, zi, xj, yj, zj, mj, eps2, r2, rinv) \
    do { \
        PAIR_DISTANCE(pair_dx, pair_dy, pair_dz, r2, xi, yi, zi, xj, yj, zj, eps2); /* 9 */ \
        PAIR_ACT(ax, ay, az, phi, pair_dx, pair_dy, pair_dz, mj, rinv); /* 11 */ \
    } while (0)
#define PAIR_LOW_WITH(ax, ay, az, phi, xi, yi, zi, lxi, lyi, lzi, xj, yj, zj, lxj, lyj, lzj, mj, \
                      eps2, r2, rinv) \
    do { \
        PAIR_LOW_DISTANCE(pair_dx, pair_dy, pair_dz, r2, xi, yi, zi, lxi, lyi, lzi, xj, yj, zj, \
                          lxj, lyj, lzj, eps2);                         /* 15 */ \
        PAIR_ACT(ax, ay, az, phi, pair_dx, pair_dy, pair_dz, mj, rinv); /* 11 */ \
    } while (0)
#define PAIR(ax, ay, az, phi, xi, yi, zi, xj, yj, zj, mj, eps2) \
    PAIR_WITH(ax, ay, az, phi, xi, yi, zi, xj, yj, zj, mj, eps2, pair_r2, PAIR_RSQRT(pair_r2))

/* What bodies of masses mi and mj do to each other at the distance (dx, dy, dz). */
#define PAIR_ACT_BOTH(ax, ay, az, phi, bx, by, bz, psi, dx, dy, dz, mi, mj, rinv) \
    const real pair_rinv = (rinv);                                      /* 1 */ \
    const real pair_rinv3 = pair_rinv * pair_rinv * pair_rinv;          /* 2 */ \
    const real pair_si = (mj) * pair_rinv3;                             /* 1 */ \
    const real pair_sj = (mi) * pair_rinv3;                             /* 1 */ \
    (ax) = FMA(pair_si, dx, (ax));                                      /* 2 */ \
    (bx) = FMA(-pair_sj, dx, (bx));                                     /* 2 */ \
    (ay) = FMA(pair_si, dy, (ay));                                      /* 2 */ \
    (by) = FMA(-pair_sj, dy, (by));                                     /* 2 */ \
    (az) = FMA(pair_si, dz, (az));                                      /* 2 */ \
    (bz) = FMA(-pair_sj, dz, (bz));                                     /* 2 */ \
    (phi) = FMA(-(mj), pair_rinv, (phi));                               /* 2 */ \
    (psi) = FMA(-(mi), pair_rinv, (psi))                                /* 2 */

/* What i and j do to each other (Newton's third law): adds to (ax, ay, az) and phi, and to (bx, by,
 * bz) and psi of body j. All real but (xj, yj, zj, mj), float or real. 18 additions,
 * multiplications and FMAs, 1 reciprocal square root. */
#define PAIR_BOTH_FLOPS_TRUE 30
#define PAIR_BOTH_WITH(ax, ay, az, phi, bx, by, bz, psi, xi, yi, zi, mi, xj, yj, zj, mj, eps2, r2, \
                       rinv) \
    do { \
        PAIR_DISTANCE(pair_dx, pair_dy, pair_dz, r2, xi, yi, zi, xj, yj, zj, eps2); /* 9 */ \
        PAIR_ACT_BOTH(ax, ay, az, phi, bx, by, bz, psi, pair_dx, pair_dy, pair_dz, mi, mj, \
                      rinv);                                            /* 21 */ \
    } while (0)
#define PAIR_BOTH_LOW_WITH(ax, ay, az, phi, bx, by, bz, psi, xi, yi, zi, lxi, lyi, lzi, mi, xj, \
                           yj, zj, lxj, lyj, lzj, mj, eps2, r2, rinv) \
    do { \
        PAIR_LOW_DISTANCE(pair_dx, pair_dy, pair_dz, r2, xi, yi, zi, lxi, lyi, lzi, xj, yj, zj, \
                          lxj, lyj, lzj, eps2);                         /* 15 */ \
        PAIR_ACT_BOTH(ax, ay, az, phi, bx, by, bz, psi, pair_dx, pair_dy, pair_dz, mi, mj, \
                      rinv);                                            /* 21 */ \
    } while (0)

/* What a cell of bodies does to body i from afar (Gaburov, Bedorf & Portegies Zwart 2010, section
 * 3.2.3; McMillan & Aarseth 1993): its mass and its traceless quadrupole about its centre of mass
 * x_j, Q_ab = sum m (3 x_a x_b - delta_ab x^2).
 *
 *     a_i = (M + 5/2 s) d / r^3 - Q d / r^5,   phi_i = - (M + s/2) / r
 *     s = d Q d / r^4,   r^2 = d^2 + eps^2,   d = x_j - x_i
 *
 * Flops by the paper's convention (footnote 3), and the sum of the counts below. */
#define PAIR_NODE_FLOPS_CONVENTION 70
#define PAIR_NODE_FLOPS_TRUE 54

/* Adds to (ax, ay, az) and phi. (xj, yj, zj) float or real, all else real. No power of r beyond the
 * third is formed, so that units do not matter. 33 additions, multiplications and FMAs, 1
 * reciprocal square root. */
#define PAIR_NODE_WITH(ax, ay, az, phi, xi, yi, zi, xj, yj, zj, mj, qxx, qyy, qzz, qxy, qxz, qyz, \
                       eps2, r2, rinv) \
    PAIR_NODE_ADDING(ax, ay, az, phi, xi, yi, zi, xj, yj, zj, mj, qxx, qyy, qzz, qxy, qxz, qyz, \
                     eps2, r2, rinv, pair_dz * pair_wz)                 /* 54 */
/* Softened potentials are not harmonic: the second moments' trace T = sum m x^2, which Q leaves
 * out, acts, too: s = (d Q d - T eps^2) / r^4. 2 multiplications and 1 FMA for 1 multiplication. */
#define PAIR_NODE_TRACE_FLOPS_TRUE 3
#define PAIR_NODE_TRACED_WITH(ax, ay, az, phi, xi, yi, zi, xj, yj, zj, mj, qxx, qyy, qzz, qxy, \
                              qxz, qyz, trace, eps2, r2, rinv) \
    PAIR_NODE_ADDING(ax, ay, az, phi, xi, yi, zi, xj, yj, zj, mj, qxx, qyy, qzz, qxy, qxz, qyz, \
                     eps2, r2, rinv, \
                     FMA(pair_dz, pair_wz, -(trace) * ((eps2) * pair_rinv2))) /* 57 */
#define PAIR_NODE_ADDING(ax, ay, az, phi, xi, yi, zi, xj, yj, zj, mj, qxx, qyy, qzz, qxy, qxz, \
                         qyz, eps2, r2, rinv, last) \
    do { \
        PAIR_DISTANCE(pair_dx, pair_dy, pair_dz, r2, xi, yi, zi, xj, yj, zj, eps2); /* 9 */ \
        const real pair_rinv = (rinv);                                  /* 1 */ \
        const real pair_rinv2 = pair_rinv * pair_rinv;                  /* 1 */ \
        const real pair_rinv3 = pair_rinv * pair_rinv2;                 /* 1 */ \
        const real pair_qx = FMA((qxx), pair_dx, FMA((qxy), pair_dy, (qxz) * pair_dz)); /* 5 */ \
        const real pair_qy = FMA((qxy), pair_dx, FMA((qyy), pair_dy, (qyz) * pair_dz)); /* 5 */ \
        const real pair_qz = FMA((qxz), pair_dx, FMA((qyz), pair_dy, (qzz) * pair_dz)); /* 5 */ \
        const real pair_wx = pair_rinv2 * pair_qx;                      /* 1 */ \
        const real pair_wy = pair_rinv2 * pair_qy;                      /* 1 */ \
        const real pair_wz = pair_rinv2 * pair_qz;                      /* 1 */ \
        const real pair_dwd = \
            FMA(pair_dx, pair_wx, FMA(pair_dy, pair_wy, (last)));          /* 5 */ \
        const real pair_s = pair_rinv2 * pair_dwd;                      /* 1 */ \
        const real pair_m = FMA(REAL(2.5f), pair_s, (mj));              /* 2 */ \
        (ax) = FMA(pair_rinv3, FMA(pair_m, pair_dx, -pair_wx), (ax));   /* 4 */ \
        (ay) = FMA(pair_rinv3, FMA(pair_m, pair_dy, -pair_wy), (ay));   /* 4 */ \
        (az) = FMA(pair_rinv3, FMA(pair_m, pair_dz, -pair_wz), (az));   /* 4 */ \
        (phi) = FMA(-pair_rinv, FMA(REAL(0.5f), pair_s, (mj)), (phi));  /* 4 */ \
    } while (0)
#define PAIR_NODE(ax, ay, az, phi, xi, yi, zi, xj, yj, zj, mj, qxx, qyy, qzz, qxy, qxz, qyz, eps2) \
    PAIR_NODE_WITH(ax, ay, az, phi, xi, yi, zi, xj, yj, zj, mj, qxx, qyy, qzz, qxy, qxz, qyz, \
                   eps2, pair_r2, PAIR_RSQRT(pair_r2))

/* The same law in the plane (Shan & Lei 2012, section IV A: "2 subtractions, 4 additions, 7
 * multiplications, 1 division and 1 square root", which leaves out what the third law adds). */
#define PAIR2_FLOPS_CONVENTION 15
#define PAIR2_FLOPS_TRUE 14
#define PAIR2_BOTH_FLOPS_TRUE 19
#define PAIR2_FORCES_FLOPS_TRUE 17

/* Distance, its softened square and (d^2 + eps^2)^-1.5, as variables of the enclosing block. */
#define PAIR2_DISTANCE(dx, dy, r2, xi, yi, xj, yj, eps2) \
    const real dx = (xj) - (xi);                                        /* 1 */ \
    const real dy = (yj) - (yi);                                        /* 1 */ \
    real r2 = FMA(dx, dx, (eps2));                                      /* 2 */ \
    r2 = FMA(dy, dy, r2)                                                /* 2 */
#define PAIR2_CUBE(rinv3, root, rinv) \
    const real root = (rinv);                                           /* 1 */ \
    const real rinv3 = root * (root * root)                             /* 2 */

/* What j does to i, and what i and j do to each other, at the distance (dx, dy). */
#define PAIR2_ADD(ax, ay, dx, dy, mj, rinv3) \
    const real pair_si = (mj) * (rinv3);                                /* 1 */ \
    (ax) = FMA(pair_si, dx, (ax));                                      /* 2 */ \
    (ay) = FMA(pair_si, dy, (ay))                                       /* 2 */
#define PAIR2_ADD_BOTH(ax, ay, bx, by, dx, dy, mi, mj, rinv3) \
    PAIR2_ADD(ax, ay, dx, dy, mj, rinv3);                               /* 5 */ \
    const real pair_sj = -(mi) * (rinv3);                               /* 1 */ \
    (bx) = FMA(pair_sj, dx, (bx));                                      /* 2 */ \
    (by) = FMA(pair_sj, dy, (by))                                       /* 2 */

/* What j does to i: adds to (ax, ay), all real. */
#define PAIR2_WITH(ax, ay, xi, yi, xj, yj, mj, eps2, r2, rinv) \
    do { \
        PAIR2_DISTANCE(pair_dx, pair_dy, r2, xi, yi, xj, yj, eps2);     /* 6 */ \
        PAIR2_CUBE(pair_rinv3, pair_rinv, rinv);                        /* 3 */ \
        PAIR2_ADD(ax, ay, pair_dx, pair_dy, mj, pair_rinv3);            /* 5 */ \
    } while (0)
#define PAIR2(ax, ay, xi, yi, xj, yj, mj, eps2) \
    PAIR2_WITH(ax, ay, xi, yi, xj, yj, mj, eps2, pair_r2, PAIR_RSQRT(pair_r2))
#define PAIR2_CUBED(ax, ay, xi, yi, xj, yj, mj, eps2, r2, rinv3) \
    do { \
        PAIR2_DISTANCE(pair_dx, pair_dy, r2, xi, yi, xj, yj, eps2);     /* 6 */ \
        const real pair_rinv3 = (rinv3);                                /* 3 */ \
        PAIR2_ADD(ax, ay, pair_dx, pair_dy, mj, pair_rinv3);            /* 5 */ \
    } while (0)

/* What i and j do to each other (Newton's third law): adds to (ax, ay) and to the counterforce
 * (bx, by). */
#define PAIR2_BOTH(ax, ay, bx, by, xi, yi, mi, xj, yj, mj, eps2) \
    do { \
        PAIR2_DISTANCE(pair_dx, pair_dy, pair_r2, xi, yi, xj, yj, eps2); /* 6 */ \
        PAIR2_CUBE(pair_rinv3, pair_rinv, PAIR_RSQRT(pair_r2));         /* 3 */ \
        PAIR2_ADD_BOTH(ax, ay, bx, by, pair_dx, pair_dy, mi, mj, pair_rinv3); /* 10 */ \
    } while (0)
/* The same of forces, m_i m_j d / (d^2 + eps^2)^1.5, of which one is the other's opposite. */
#define PAIR2_FORCES(fx, fy, gx, gy, xi, yi, mi, xj, yj, mj, eps2) \
    do { \
        PAIR2_DISTANCE(pair_dx, pair_dy, pair_r2, xi, yi, xj, yj, eps2); /* 6 */ \
        PAIR2_CUBE(pair_rinv3, pair_rinv, PAIR_RSQRT(pair_r2));         /* 3 */ \
        const real pair_s = (mi) * (mj) * pair_rinv3;                   /* 2 */ \
        const real pair_fx = pair_s * pair_dx, pair_fy = pair_s * pair_dy; /* 2 */ \
        (fx) = (fx) + pair_fx;                                          /* 1 */ \
        (fy) = (fy) + pair_fy;                                          /* 1 */ \
        (gx) = (gx) - pair_fx;                                          /* 1 */ \
        (gy) = (gy) - pair_fy;                                          /* 1 */ \
    } while (0)
#define PAIR2_BOTH_CUBED(ax, ay, bx, by, xi, yi, mi, xj, yj, mj, eps2, r2, rinv3) \
    do { \
        PAIR2_DISTANCE(pair_dx, pair_dy, r2, xi, yi, xj, yj, eps2);     /* 6 */ \
        const real pair_rinv3 = (rinv3);                                /* 3 */ \
        PAIR2_ADD_BOTH(ax, ay, bx, by, pair_dx, pair_dy, mi, mj, pair_rinv3); /* 10 */ \
    } while (0)

#endif
