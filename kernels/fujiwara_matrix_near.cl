/* SPDX-License-Identifier: MIT */
/* What fujiwara_matrix.cl leaves: blocks of SPAN bodies i and tiles of TILE bodies j of a list,
 * each pair once in single precision, and a block's own tiles one-sided. A group is a warp. */
#define WARPS 1
#define BODIES 8
#define TILE 128
#ifndef UNROLL_J
#define UNROLL_J 2
#endif
#define DOUBLE 0
#include "third_law_warp.h"

INLINE void add_sums(GLOBAL float *sums, i32 i, i32 padded, LOCAL_POINTER(const float) from,
                     i32 stride)
{
    for (i32 c = 0; c < 4; c++)
        ATOMIC_ADD_GLOBAL_F32(&sums[c * padded + i], from[c * stride]);
}

KERNEL GROUP_BOUNDS(BLOCK)
    matrix_near(GLOBAL const float4 *RESTRICT body, GLOBAL float *RESTRICT sums,
                GLOBAL const i32 *RESTRICT list, GLOBAL const i32 *RESTRICT count, i32 padded,
                float eps LOW_PARAM)
{
    RESIDENT_BOUND();
    const i32 t = get_local_id(0), group = get_group_id(0), groups = get_num_groups(0);
    LOCAL float of_i[4 * SPAN];
    LOCAL float of_j[4 * TILE];
    LOCAL quad tile[TILE_WORDS];
    const i32 meetings = count[0];
    const float eps2 = eps * eps;
    struct own b;

    for (i32 k = group; k < meetings; k += groups) {
        const i32 block = list[2 * (i64)k], first_j = list[2 * (i64)k + 1] * TILE;
        const i32 own = first_j / SPAN == block;

        barrier(CLK_LOCAL_MEM_FENCE);
        for (i32 q = t; q < TILE; q += BLOCK)
            put(tile, q, body[first_j + q] PAIRS_ARG(low[first_j + q]));
        for (i32 q = t; q < 4 * SPAN; q += BLOCK)
            of_i[q] = 0.0f;
        load(&b, body, block * SPAN, t, padded LOW_ARG);
        barrier(CLK_LOCAL_MEM_FENCE);
#ifdef TURN
        if (own)
            meet_tile(&b, tile, t, of_j, of_i, 0, 1, 1, (first_j - block * SPAN) / LANES, eps2);
        else
            meet_tile(&b, tile, t, of_j, of_i, 1, 1, 0, 0, eps2);
#else
        meet_tile(&b, tile, t, of_j, of_i, 1, 1, 1,
                  own ? (first_j - block * SPAN) / LANES : -TILE, eps2);
#endif
        barrier(CLK_LOCAL_MEM_FENCE);
        for (i32 q = t; q < SPAN; q += BLOCK)
            add_sums(sums, block * SPAN + q, padded, of_i + q, SPAN);
        for (i32 q = t; q < TILE && !own; q += BLOCK)
            add_sums(sums, first_j + q, padded, of_j + q, TILE);
    }
}
