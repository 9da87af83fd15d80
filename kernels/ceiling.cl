/* The ceiling of a device: what the pair interaction's mix of instructions reaches when nothing
 * leaves the registers.
 *
 * One slot is 12 FMA in three chains and, in ceiling_mix, 1 reciprocal square root. Every chain is
 * a contraction x -> c x + d with c and d known only at run time, so that the values stay finite,
 * nothing can be left out, and the result can be checked: x goes to d / (1 - c). */

/* Independent slots of one work-item: enough chains for the latency of an FMA on a CPU, few enough
 * for its registers. */
#define SLOTS 4

INLINE real chain(real v, real c, real first, real d)
{
    v = FMA(v, c, first);
    v = FMA(v, c, d);
    v = FMA(v, c, d);
    return FMA(v, c, d);
}

/* `with_root` is a constant where called. */
INLINE void ceiling(GLOBAL float *out, i32 loops, float scale, float shift, i32 with_root)
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
            const real r = with_root ? RSQRT(x[s]) : d;
            x[s] = chain(x[s], c, d, d);
            y[s] = chain(y[s], c, r, d);
            z[s] = chain(z[s], c, d, d);
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
    ceiling(out, loops, scale, shift, 1);
}

KERNEL ceiling_fma(GLOBAL float *RESTRICT out, i32 loops, float scale, float shift)
{
    ceiling(out, loops, scale, shift, 0);
}
