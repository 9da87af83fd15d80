/* SPDX-License-Identifier: MIT */
/* The ceiling of a device: what a pair interaction's mix of instructions reaches when nothing
 * leaves the registers.
 *
 * One slot is three chains of multiply-adds and additions and, but in ceiling_fma, 1 reciprocal
 * square root. ceiling_mix and ceiling_fma have 12 FMA. The others have as many additions, and as
 * many multiplications and FMAs, as a pair of kernels/pair.h: PAIR, PAIR_NODE, PAIR2 and
 * PAIR2_BOTH, and as PAIR for both bodies. ceiling_3d_matrix has what matrix units leave of that to
 * others: the root and, as many as its third power takes, 2 FMA. Additions are kept apart since
 * some processors have units for them alone. Every chain is a contraction with c and d known only
 * at run time, so that the values stay finite, nothing can be left out, and the result can be
 * checked: x -> c x + d goes to d / (1 - c). */

/* Independent slots of one work-item: enough chains for the latency of an FMA on a CPU, few enough
 * for its registers. */
#define SLOTS 4

enum kind { MIX, FMA_ONLY, SPACE, SPACE_BOTH, PLANE, PLANE_BOTH, MATRIX, NODE };

INLINE real chain_y(real v, real c, real first, real d)
{
    v = FMA(v, c, first);
    v = FMA(v, c, d);
    v = FMA(v, c, d);
    return FMA(v, c, d);
}

/* Chains of x and of z; that of y has 4 FMA. `kind` is a constant where called. Operations in
 * order: F an FMA, A an addition. */
INLINE real chain_x(real v, real c, real d, i32 kind)
{
    v = FMA(v, c, d);
    if (kind == MATRIX)
        return v;
    if (kind == NODE) { /* FFFFAFFFFFFFF */
        v = FMA(FMA(FMA(v, c, d), c, d), c, d) + d;
        return chain_y(chain_y(v, c, d, d), c, d, d);
    }
    if (kind != PLANE)
        v = FMA(v, c, d);
    if (kind <= FMA_ONLY) /* FFFF */
        return FMA(FMA(v, c, d), c, d);
    v = FMA(v + d, c, d);
    if (kind == SPACE_BOTH) /* FFAFAFF */
        return FMA(FMA(v + d, c, d), c, d);
    return v; /* FFAF, PLANE: FAF */
}

INLINE real chain_z(real v, real c, real d, i32 kind)
{
    if (kind == SPACE) /* AFAFA */
        return FMA(FMA(v + d, c, d) + d, c, d) + d;
    if (kind == SPACE_BOTH) { /* AFFAFAFF */
        v = FMA(FMA(v + d, c, d), c, d);
        v = FMA(v + d, c, d) + d;
        return FMA(FMA(v, c, d), c, d);
    }
    if (kind == NODE) { /* AFFFFFFAFFFFFFFF */
        v = FMA(FMA(chain_y(v + d, c, d, d), c, d), c, d) + d;
        return chain_y(chain_y(v, c, d, d), c, d, d);
    }
    if (kind == MATRIX)
        return REAL(0.0f);
    if (kind == PLANE) /* FA */
        return FMA(v, c, d) + d;
    return chain_x(v, c, d, kind);
}

INLINE void ceiling(GLOBAL float *out, i32 loops, float scale, float shift, i32 kind)
{
    const real c = REAL(scale), d = REAL(shift);
    const i32 t = get_local_id(0);
    real x[SLOTS], y[SLOTS], z[SLOTS];

    UNROLL
    for (i32 s = 0; s < SLOTS; s++) {
        x[s] = REAL(1.0f + 0.125f * (float)(t + s));
        y[s] = x[s] + x[s];
        z[s] = y[s] + x[s];
    }
    UNROLL_BY(4)
    for (i32 k = 0; k < loops; k++) {
        UNROLL
        for (i32 s = 0; s < SLOTS; s++) {
            const real r = kind == FMA_ONLY ? d : RSQRT(x[s]);
            x[s] = chain_x(x[s], c, d, kind);
            y[s] = kind == MATRIX ? FMA(y[s], c, r) : chain_y(y[s], c, r, d);
            z[s] = chain_z(z[s], c, d, kind);
        }
    }
    real sum = REAL(0.0f);
    UNROLL
    for (i32 s = 0; s < SLOTS; s++)
        sum += x[s] + y[s] + z[s];
    const i32 at = get_global_id(0);
    REAL_STORE(sum, out, at);
}

KERNEL ceiling_mix(GLOBAL float *RESTRICT out, i32 loops, float scale, float shift)
{
    ceiling(out, loops, scale, shift, MIX);
}

KERNEL ceiling_fma(GLOBAL float *RESTRICT out, i32 loops, float scale, float shift)
{
    ceiling(out, loops, scale, shift, FMA_ONLY);
}

KERNEL ceiling_3d(GLOBAL float *RESTRICT out, i32 loops, float scale, float shift)
{
    ceiling(out, loops, scale, shift, SPACE);
}

KERNEL ceiling_3d_both(GLOBAL float *RESTRICT out, i32 loops, float scale, float shift)
{
    ceiling(out, loops, scale, shift, SPACE_BOTH);
}

KERNEL ceiling_2d(GLOBAL float *RESTRICT out, i32 loops, float scale, float shift)
{
    ceiling(out, loops, scale, shift, PLANE);
}

KERNEL ceiling_2d_both(GLOBAL float *RESTRICT out, i32 loops, float scale, float shift)
{
    ceiling(out, loops, scale, shift, PLANE_BOTH);
}

KERNEL ceiling_3d_matrix(GLOBAL float *RESTRICT out, i32 loops, float scale, float shift)
{
    ceiling(out, loops, scale, shift, MATRIX);
}

KERNEL ceiling_3d_node(GLOBAL float *RESTRICT out, i32 loops, float scale, float shift)
{
    ceiling(out, loops, scale, shift, NODE);
}
