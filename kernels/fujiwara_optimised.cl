/* SPDX-License-Identifier: MIT */
/* The exact force loop as fast as the device allows (Fujiwara & Nakasato 2009, section VI), also in
 * the plane (DIMENSIONS=2, no potential), one-sided: every thread keeps BODIES bodies i in
 * registers, as vectors of VECTOR lanes on a CPU, and meets all bodies j of its group's share.
 * BLOCK threads share tiles of TILE bodies j, copied to local memory (STAGED) or read through the
 * cache.
 *
 * Where the bodies i are too few to fill a device, SLICES of a group's threads have the same ones
 * and meet different bodies j of each tile; their sums are added in local memory.
 *
 * The second dimension of the grid splits the bodies j into shares of `share` bodies, so that a
 * small system fills a big device and long sums are made of short ones; fujiwara_reduce adds the
 * shares in a fixed order. Arrays are padded to whole groups and tiles with massless bodies far
 * away, so the loop has neither guard nor tail. */
#ifndef DIMENSIONS
#define DIMENSIONS 3
#endif
#ifndef BLOCK
#define BLOCK 64
#endif
#ifndef BODIES
#define BODIES 4
#endif
#ifndef TILE
#define TILE 64
#endif
#ifndef UNROLL_J
#define UNROLL_J 4
#endif
#ifndef STAGED
#define STAGED 1
#endif
#ifndef SLICES
#define SLICES 1
#endif
/* Threads in a group of fujiwara_reduce, whatever BLOCK is. */
#ifndef REDUCE_BLOCK
#define REDUCE_BLOCK 64
#endif
#define COLUMNS (BLOCK / SLICES) /* threads of a slice */
#define GROUP_BODIES (COLUMNS * BODIES * VECTOR)
#define SUMS (DIMENSIONS == 2 ? 2 : 4) /* of a body */
#include "fujiwara_count.h"
#include "lanes.h"
#include "low.h"

#if STAGED
typedef LOCAL_POINTER(const float4) tile_pointer;
#else
typedef GLOBAL const float4 *tile_pointer;
#endif

struct own {
    real x[BODIES], y[BODIES], z[BODIES];
    PAIRS_ONLY(struct low_part low[BODIES];)
    real ax[BODIES], ay[BODIES], az[BODIES], phi[BODIES];
    lanes index[BODIES];
};

/* The bodies of one tile, from `first_q` on every SLICES-th, act on the thread's bodies. Eq. 1 sums
 * over j != i: in tiles that hold the group's own bodies, the lanes `self` count nothing.
 * `meets_itself` is a constant where called. */
INLINE void interact(struct own *b, tile_pointer tile, i32 first_j, i32 first_q,
                     i32 meets_itself,
                     float eps2 PAIRS_PARAM(tile_pointer, low_tile) COUNT_PARAMETER(counts))
{
    UNROLL_BY(UNROLL_J)
    for (i32 pass = 0; pass < TILE; pass += SLICES) {
        const i32 q = pass + first_q;
        const float4 other = COUNTED(counts, STAGED ? ORR_SR : ORR_GR, 4, tile[q]);
        PAIRS_ONLY(const float4 rest = COUNTED(counts, STAGED ? ORR_SR : ORR_GR, 4, low_tile[q]);)
        COUNT(counts, ORR_PJ, pass / SLICES % UNROLL_J == 0);
        UNROLL
        for (i32 k = 0; k < BODIES; k++) {
            COUNT_BODY(counts, b->index[k], first_j + q, COUNT_BODIES);
            const lanes self = meets_itself ? b->index[k] == (lanes)(first_j + q) : (lanes)(0);
#if DIMENSIONS == 2
            PAIR2_WITH(b->ax[k], b->ay[k], b->x[k], b->y[k], other.x, other.y, other.w, REAL(eps2),
                       r2, PAIR_RSQRT_BUT(self, r2));
#else
            PAIR_PARTS_WITH(b->ax[k], b->ay[k], b->az[k], b->phi[k], b->x[k], b->y[k], b->z[k],
                            b->low[k], other.x, other.y, other.z, rest, other.w, REAL(eps2), r2,
                            PAIR_RSQRT_BUT(self, r2));
#endif
        }
    }
}

/* Bodies i ... i + VECTOR - 1 into lane vectors. */
INLINE void load(struct own *b, i32 k, GLOBAL const float4 *body,
                 i32 i LOW_PARAM COUNT_PARAMETER(counts))
{
    float x[VECTOR], y[VECTOR], z[VECTOR];
    i32 index[VECTOR];

    UNROLL
    for (i32 lane = 0; lane < VECTOR; lane++) {
        const float4 one = COUNTED(counts, ORR_GR, 4, body[i + lane]);
        x[lane] = one.x;
        y[lane] = one.y;
        z[lane] = one.z;
        index[lane] = i + lane;
    }
    b->x[k] = REAL_LOAD(x, 0);
    b->y[k] = REAL_LOAD(y, 0);
    b->z[k] = REAL_LOAD(z, 0);
    PAIRS_ONLY(b->low[k] = COUNTED(counts, ORR_GR, 4 * VECTOR, low_at(low, i, 1, i + VECTOR));)
    b->index[k] = REAL_LOAD(index, 0);
    b->ax[k] = b->ay[k] = b->az[k] = b->phi[k] = REAL(0.0f);
}

INLINE void store(GLOBAL float4 *to, const struct own *b, i32 k COUNT_PARAMETER(counts))
{
    float ax[VECTOR], ay[VECTOR], az[VECTOR], phi[VECTOR];

    REAL_STORE(b->ax[k], ax, 0);
    REAL_STORE(b->ay[k], ay, 0);
    REAL_STORE(b->az[k], az, 0);
    REAL_STORE(b->phi[k], phi, 0);
    UNROLL
    for (i32 lane = 0; lane < VECTOR; lane++)
        COUNTED(counts, ORR_GW, 4,
                to[lane] = MAKE_FLOAT4(ax[lane], ay[lane], az[lane], phi[lane]));
}

#if SLICES > 1
/* The sums of all slices become those of the first. `words`: SUMS per thread. */
INLINE void add_slices(struct own *b, i32 k, LOCAL_POINTER(real) words,
                       i32 t COUNT_PARAMETER(counts))
{
    barrier(CLK_LOCAL_MEM_FENCE);
    COUNTED(counts, ORR_SW, 1, words[t] = b->ax[k]);
    COUNTED(counts, ORR_SW, 1, words[BLOCK + t] = b->ay[k]);
#if DIMENSIONS == 3
    COUNTED(counts, ORR_SW, 1, words[2 * BLOCK + t] = b->az[k]);
    COUNTED(counts, ORR_SW, 1, words[3 * BLOCK + t] = b->phi[k]);
#endif
    for (i32 reach = BLOCK / 2; reach >= COLUMNS; reach /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t < reach)
            for (i32 c = 0; c < SUMS; c++) {
                const real other = COUNTED(counts, ORR_SR, 1, words[c * BLOCK + reach + t]);
                const real own = COUNTED(counts, ORR_SR, 1, words[c * BLOCK + t]);
                COUNTED(counts, ORR_SW, 1, words[c * BLOCK + t] = own + other);
            }
    }
    if (t < COLUMNS) {
        b->ax[k] = COUNTED(counts, ORR_SR, 1, words[t]);
        b->ay[k] = COUNTED(counts, ORR_SR, 1, words[BLOCK + t]);
#if DIMENSIONS == 3
        b->az[k] = COUNTED(counts, ORR_SR, 1, words[2 * BLOCK + t]);
        b->phi[k] = COUNTED(counts, ORR_SR, 1, words[3 * BLOCK + t]);
#endif
    }
}
#endif

/* Of the bodies i from `first` on. sums: one row of `row` of them per share. n_j: bodies rounded up
 * to whole tiles; `share` is whole tiles too. */
KERNEL GROUP_BOUNDS(BLOCK) fujiwara_optimised(GLOBAL const float4 *RESTRICT body,
                                       GLOBAL float4 *RESTRICT sums, float eps2, i32 n_j, i32 share,
                                       i32 row, i32 first LOW_PARAM COUNT_ARGUMENT(totals))
{
    RESIDENT_BOUND();
    const i32 t = get_local_id(0), group = get_group_id(0), slice = get_group_id(1);

#if STAGED
    LOCAL float4 tile[TILE];
    PAIRS_ONLY(LOCAL float4 low_tile[TILE];)
#endif
#if SLICES > 1
    LOCAL real words[SUMS * BLOCK];
#endif
    const i32 group_from = first + group * GROUP_BODIES;
    /* The thread's first body or vector; the k-th is COLUMNS * VECTOR bodies further on. */
    const i32 i = group_from + t % COLUMNS * VECTOR;
    const i32 from = slice * share, to = min(from + share, n_j);
    struct own b;
    COUNT_STATE(counts);

    COUNT_IN(counts, FUJI_LOADS);
    UNROLL
    for (i32 k = 0; k < BODIES; k++)
        load(&b, k, body, i + k * COLUMNS * VECTOR LOW_ARG COUNT_PASS(counts));
    COUNT_IN(counts, FUJI_PAIRS);
    for (i32 j = from; j < to; j += TILE) {
#if STAGED
        barrier(CLK_LOCAL_MEM_FENCE);
        UNROLL
        for (i32 q = 0; q < TILE; q += BLOCK) {
            const i32 at = q + t;
            if (TILE % BLOCK == 0 || at < TILE) {
                COUNTED(counts, ORR_SW, 4, tile[at] = COUNTED(counts, ORR_GR, 4, body[j + at]));
                PAIRS_ONLY(COUNTED(counts, ORR_SW, 4,
                                   low_tile[at] = COUNTED(counts, ORR_GR, 4, low[j + at]));)
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
#else
        const tile_pointer tile = body + j;
        PAIRS_ONLY(const tile_pointer low_tile = low + j;)
#endif
        if (j < group_from + GROUP_BODIES && j + TILE > group_from)
            interact(&b, tile, j, t / COLUMNS, 1, eps2 PAIRS_ARG(low_tile) COUNT_PASS(counts));
        else
            interact(&b, tile, j, t / COLUMNS, 0, eps2 PAIRS_ARG(low_tile) COUNT_PASS(counts));
    }
    COUNT_IN(counts, FUJI_SUMS);
#if SLICES > 1
    UNROLL
    for (i32 k = 0; k < BODIES; k++)
        add_slices(&b, k, words, t COUNT_PASS(counts));
    if (t < COLUMNS)
#endif
    {
        UNROLL
        for (i32 k = 0; k < BODIES; k++)
            store(sums + (i64)slice * row + i - first + k * COLUMNS * VECTOR, &b,
                  k COUNT_PASS(counts));
    }
    COUNT_FLUSH(counts, totals);
}

KERNEL GROUP_SIZE(REDUCE_BLOCK)
    fujiwara_reduce(GLOBAL const float4 *RESTRICT sums, GLOBAL float4 *RESTRICT acc, i32 n, i32 row,
                    i32 shares COUNT_ARGUMENT(totals))
{
    const i32 i = get_global_id(0);
    COUNT_STATE(counts);

    COUNT_IN(counts, FUJI_SUMS);
    if (i < n) {
        float4 total = COUNTED(counts, ORR_GR, 4, sums[i]);
        for (i32 s = 1; s < shares; s++) {
            const float4 one = COUNTED(counts, ORR_GR, 4, sums[(i64)s * row + i]);
            total.x += one.x;
            total.y += one.y;
            total.z += one.z;
            total.w += one.w;
        }
        COUNTED(counts, ORR_GW, 4, acc[i] = total);
    }
    COUNT_FLUSH(counts, totals);
}
