/* SPDX-License-Identifier: MIT */
/* Lists of cells and bodies acting on bodies from ... to - 1 of a crowd: vectors over the entries
 * of a list, since a group has any number of bodies and a list is long. Part of the template
 * simd_walk.h; no include guard on purpose. */

/* Bodies that a vector of entries acts on at once, whose sums stay in registers. */
#undef NODE_BLOCK
#undef BODY_BLOCK
#define NODE_BLOCK (SIMD_REGISTERS / 16)
#define BODY_BLOCK (SIMD_REGISTERS / 8)

/* Adds what the lanes hold to the sums of a body. */
SIMD_INLINE void SIMD(add)(float *sum, real ax, real ay, real az, real phi)
{
    simd_four_add(sum, SIMD_SUMS(ax, ay, az, phi));
}

/* 0 where x is 0 or subnormal: bodies at one place without softening do not act on each other. */
SIMD_INLINE real SIMD(rsqrt_or_zero)(real x)
{
    typedef SIMD(simd_ints) ints;

    return (real)((ints)RSQRT(x) & (ints)(x >= REAL(FLT_MIN)));
}

#define PART(node, k, j) SIMD_LOAD((node) + (size_t)NODE_STRIDE * (k) + (j))

/* Cells with quadrupoles. */
SIMD_FUNCTION void SIMD(nodes_act)(struct crowd *g, int32_t from, int32_t to, const float *node,
                                   uint32_t count, float softening2)
{
    const real eps2 = REAL(softening2);

    for (int32_t i = from; i < to; i += NODE_BLOCK) {
        real x[NODE_BLOCK], y[NODE_BLOCK], z[NODE_BLOCK];
        real ax[NODE_BLOCK], ay[NODE_BLOCK], az[NODE_BLOCK], phi[NODE_BLOCK];
#pragma GCC unroll 8
        for (int k = 0; k < NODE_BLOCK; k++) {
            x[k] = REAL(g->part[0][i + k]);
            y[k] = REAL(g->part[1][i + k]);
            z[k] = REAL(g->part[2][i + k]);
            ax[k] = ay[k] = az[k] = phi[k] = REAL(0.0f);
        }
        for (uint32_t j = 0; j < count; j += SIMD_LANES)
#pragma GCC unroll 8
            for (int k = 0; k < NODE_BLOCK; k++)
                PAIR_NODE(ax[k], ay[k], az[k], phi[k], x[k], y[k], z[k], PART(node, 0, j),
                          PART(node, 1, j), PART(node, 2, j), PART(node, 3, j), PART(node, 4, j),
                          PART(node, 5, j), PART(node, 6, j), PART(node, 7, j), PART(node, 8, j),
                          PART(node, 9, j), eps2);
#pragma GCC unroll 8
        for (int k = 0; k < NODE_BLOCK; k++)
            if (i + k < to)
                SIMD(add)(g->sum[i + k], ax[k], ay[k], az[k], phi[k]);
    }
}

#undef PART

/* The same of positions that are pairs of floats. */
#define LOW(d, k) REAL(g->part[BODY_PARTS + (d)][i + (k)])
#define LOW_PART(d) SIMD_LOAD(part + (BODY_PARTS + (d)) * stride + j)

/* Bodies, or cells that have mass alone. Constants where called: `own`, they are bodies of the
 * crowd from number `first` on, and none acts on itself; `softened`, no distance is 0; `pairs`,
 * positions are pairs of floats. */
SIMD_INLINE void SIMD(bodies_act)(struct crowd *g, int32_t from, int32_t to, const float *part,
                                  size_t stride, uint32_t count, int own, int32_t first,
                                  int softened, int pairs, float softening2)
{
    const real eps2 = REAL(softening2);

    for (int32_t i = from; i < to; i += BODY_BLOCK) {
        real x[BODY_BLOCK], y[BODY_BLOCK], z[BODY_BLOCK];
        real ax[BODY_BLOCK], ay[BODY_BLOCK], az[BODY_BLOCK], phi[BODY_BLOCK];
#pragma GCC unroll 8
        for (int k = 0; k < BODY_BLOCK; k++) {
            x[k] = REAL(g->part[0][i + k]);
            y[k] = REAL(g->part[1][i + k]);
            z[k] = REAL(g->part[2][i + k]);
            ax[k] = ay[k] = az[k] = phi[k] = REAL(0.0f);
        }
        for (uint32_t j = 0; j < count; j += SIMD_LANES) {
            const real xj = SIMD_LOAD(part + j), yj = SIMD_LOAD(part + stride + j);
            const real zj = SIMD_LOAD(part + 2 * stride + j),
                       all = SIMD_LOAD(part + 3 * stride + j);
#pragma GCC unroll 8
            for (int k = 0; k < BODY_BLOCK; k++) {
                const uint32_t lane =
                    (uint32_t)(i + k - first) - j; /* the one that is the body itself, if below */
                const real mj =
                    own ? SIMD_AND(all, simd_but + 15 - (lane < SIMD_LANES ? (int)lane : -1)) : all;
                if (pairs)
                    PAIR_LOW_WITH(ax[k], ay[k], az[k], phi[k], x[k], y[k], z[k], LOW(0, k),
                                  LOW(1, k), LOW(2, k), xj, yj, zj, LOW_PART(0), LOW_PART(1),
                                  LOW_PART(2), mj, eps2, r2,
                                  softened ? RSQRT(r2) : SIMD(rsqrt_or_zero)(r2));
                else
                    PAIR_WITH(ax[k], ay[k], az[k], phi[k], x[k], y[k], z[k], xj, yj, zj, mj, eps2,
                              r2, softened ? RSQRT(r2) : SIMD(rsqrt_or_zero)(r2));
            }
        }
#pragma GCC unroll 8
        for (int k = 0; k < BODY_BLOCK; k++)
            if (i + k < to)
                SIMD(add)(g->sum[i + k], ax[k], ay[k], az[k], phi[k]);
    }
}

#undef LOW
#undef LOW_PART

SIMD_FUNCTION void SIMD(others_act)(struct crowd *g, int32_t from, int32_t to, const float *part,
                                    size_t stride, uint32_t count, int pairs, float softening2)
{
    if (pairs)
        SIMD(bodies_act)(g, from, to, part, stride, count, 0, 0, 0, 1, softening2);
    else if (softening2 >= FLT_MIN)
        SIMD(bodies_act)(g, from, to, part, stride, count, 0, 0, 1, 0, softening2);
    else
        SIMD(bodies_act)(g, from, to, part, stride, count, 0, 0, 0, 0, softening2);
}

/* A body's own mass is taken out, and its distance of 0 must do no harm. */
SIMD_FUNCTION void SIMD(own_act)(struct crowd *g, int32_t from, int32_t to, const float *part,
                                 size_t stride, uint32_t count, int32_t first, int pairs,
                                 float softening2)
{
    if (pairs)
        SIMD(bodies_act)(g, from, to, part, stride, count, 1, first, 0, 1, softening2);
    else if (softening2 >= FLT_MIN)
        SIMD(bodies_act)(g, from, to, part, stride, count, 1, first, 1, 0, softening2);
    else
        SIMD(bodies_act)(g, from, to, part, stride, count, 1, first, 0, 0, softening2);
}
