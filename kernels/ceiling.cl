/* The ceiling of a device: what the pair interaction's mix of instructions reaches when nothing leaves the registers.
 *
 * One slot is 12 FMA in three chains and, in ceiling_mix, 1 reciprocal square root. Every chain is a contraction
 * x -> c x + d with c and d known only at run time, so that the values stay finite, nothing can be left out, and the result
 * can be checked: x goes to d / (1 - c). */

/* Independent slots of one work-item: enough chains for the latency of an FMA on a CPU, few enough for its registers. */
#define SLOTS 4

#define CHAIN(v, first)                                                                                                \
    v = FMA(v, c, first);                                                                                              \
    v = FMA(v, c, d);                                                                                                  \
    v = FMA(v, c, d);                                                                                                  \
    v = FMA(v, c, d)

#define CEILING(kernel_name, root)                                                                                     \
    KERNEL kernel_name(GLOBAL float *RESTRICT out, i32 loops, float scale, float shift)                                \
    {                                                                                                                  \
        const real c = REAL(scale), d = REAL(shift);                                                                   \
        real x[SLOTS], y[SLOTS], z[SLOTS];                                                                             \
        UNROLL                                                                                                         \
        for (i32 s = 0; s < SLOTS; s++) {                                                                              \
            x[s] = REAL(1.0f + 0.125f * (float)(LOCAL_ID(0) + s));                                                     \
            y[s] = x[s] + x[s];                                                                                        \
            z[s] = y[s] + x[s];                                                                                        \
        }                                                                                                              \
        UNROLL_BY(4)                                                                                                   \
        for (i32 k = 0; k < loops; k++) {                                                                              \
            UNROLL                                                                                                     \
            for (i32 s = 0; s < SLOTS; s++) {                                                                          \
                const real r = root(x[s]);                                                                             \
                CHAIN(x[s], d);                                                                                        \
                CHAIN(y[s], r);                                                                                        \
                CHAIN(z[s], d);                                                                                        \
            }                                                                                                          \
        }                                                                                                              \
        real sum = REAL(0.0f);                                                                                         \
        UNROLL                                                                                                         \
        for (i32 s = 0; s < SLOTS; s++)                                                                                \
            sum += x[s] + y[s] + z[s];                                                                                 \
        REAL_STORE(sum, out, GLOBAL_ID(0));                                                                            \
    }

#define NO_ROOT(x) d
CEILING(ceiling_mix, RSQRT)
CEILING(ceiling_fma, NO_ROOT)
