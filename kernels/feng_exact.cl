/* theta = 0 without a tree: every body acts on every other. A thread keeps BODIES bodies i in registers, as vectors of
 * VECTOR lanes on a CPU; a group shares tiles of TILE bodies j in local memory. Each tile is summed by itself before
 * it joins the total: a single fp32 sum over a million terms would lose digits.
 * DOUBLE=1 evaluates and sums in double precision; positions are those of the input, single precision. */
#ifndef BLOCK
#define BLOCK 64
#endif
#ifndef BODIES
#define BODIES 2
#endif
#ifndef TILE
#define TILE 64
#endif
#ifndef DOUBLE
#define DOUBLE 0
#endif
#define GROUP_BODIES (BLOCK * BODIES * VECTOR)

/* A body does not act on itself, by index: two bodies at one place do act on each other. `self` counts nothing. */
#undef PAIR_RSQRT
#if DOUBLE
#ifdef ORR_OPENCL
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
/* From here on `real`, for PAIR2 too, is one double. */
#define real double
#undef REAL
#define REAL(x) ((double)(x))
#undef FMA
#define FMA(a, b, c) fma((a), (b), (c))
#define PAIR_RSQRT(x) (self ? 0.0 : rsqrt(x))
#define LOAD(from) REAL((from)[0])
#define STORE(value, to) ((to)[0] = (float)(value))
#else
#define PAIR_RSQRT(x) (self ? REAL(0.0f) : RSQRT(x))
#define LOAD(from) REAL_LOAD(from, 0)
#define STORE(value, to) REAL_STORE(value, to, 0)
#endif

#if VECTOR == 1
typedef i32 lanes;
#define LANES_LOAD(from) ((from)[0])
#else
typedef ORR_JOIN(int, VECTOR) lanes;
#define LANES_LOAD(from) ORR_JOIN(vload, VECTOR)(0, (from))
#endif

struct own {
    real x[BODIES], y[BODIES], ax[BODIES], ay[BODIES];
    lanes index[BODIES];
};

/* Bodies i ... i + VECTOR - 1; behind the last one the last one again, whose sums nobody asks for. */
INLINE void load(struct own *b, i32 k, GLOBAL const float4 *body, i32 i, i32 n)
{
    float x[VECTOR], y[VECTOR];
    i32 index[VECTOR];

    UNROLL
    for (i32 lane = 0; lane < VECTOR; lane++) {
        const float4 one = body[min(i + lane, n - 1)];
        x[lane] = one.x;
        y[lane] = one.y;
        index[lane] = min(i + lane, n - 1);
    }
    b->x[k] = LOAD(x);
    b->y[k] = LOAD(y);
    b->index[k] = LANES_LOAD(index);
    b->ax[k] = b->ay[k] = REAL(0.0f);
}

/* `count` bodies of a tile act on the thread's own. `meets_itself` is a constant where called. */
INLINE void interact(struct own *b, LOCAL_POINTER(const float4) tile, i32 first_j, i32 count, i32 meets_itself, float eps2)
{
    real ax[BODIES], ay[BODIES];

    UNROLL
    for (i32 k = 0; k < BODIES; k++)
        ax[k] = ay[k] = REAL(0.0f);
    UNROLL_BY(4)
    for (i32 q = 0; q < count; q++) {
        const float4 other = tile[q];
        const real xj = REAL(other.x), yj = REAL(other.y), mj = REAL(other.w);
        UNROLL
        for (i32 k = 0; k < BODIES; k++) {
            const lanes self = meets_itself ? b->index[k] == (lanes)(first_j + q) : (lanes)(0);
            PAIR2(ax[k], ay[k], b->x[k], b->y[k], xj, yj, mj, REAL(eps2));
        }
    }
    UNROLL
    for (i32 k = 0; k < BODIES; k++) {
        b->ax[k] += ax[k];
        b->ay[k] += ay[k];
    }
}

KERNEL GROUP_SIZE_HINT(BLOCK)
    feng_exact(GLOBAL const float4 *RESTRICT body, GLOBAL float4 *RESTRICT acc, float eps2, i32 n)
{
    LOCAL float4 tile[TILE];
    const i32 group_from = GROUP_ID(0) * GROUP_BODIES;
    const i32 i = group_from + LOCAL_ID(0) * VECTOR; /* k-th body or vector: BLOCK * VECTOR bodies further on */
    struct own b;

    UNROLL
    for (i32 k = 0; k < BODIES; k++)
        load(&b, k, body, i + k * BLOCK * VECTOR, n);
    for (i32 j = 0; j < n; j += TILE) {
        const i32 count = min(TILE, n - j);
        BARRIER();
        for (i32 q = LOCAL_ID(0); q < count; q += BLOCK)
            tile[q] = body[j + q];
        BARRIER();
        if (j < group_from + GROUP_BODIES && j + TILE > group_from)
            interact(&b, tile, j, count, 1, eps2);
        else
            interact(&b, tile, j, count, 0, eps2);
    }
    UNROLL
    for (i32 k = 0; k < BODIES; k++) {
        float ax[VECTOR], ay[VECTOR];
        STORE(b.ax[k], ax);
        STORE(b.ay[k], ay);
        UNROLL
        for (i32 lane = 0; lane < VECTOR; lane++)
            if (i + k * BLOCK * VECTOR + lane < n)
                acc[i + k * BLOCK * VECTOR + lane] = MAKE_FLOAT4(ax[lane], ay[lane], 0.0f, 0.0f);
    }
}
