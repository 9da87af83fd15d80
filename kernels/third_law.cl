/* SPDX-License-Identifier: MIT */
/* Direct summation by Newton's third law: every pair is evaluated once, for both of its bodies.
 *
 * Bodies come in blocks of SPAN on a ring. A group takes block I and the blocks I + d of its slice
 * of distances d; over all I and all d up to half the ring each two blocks meet once. (With an even
 * number of blocks those opposite each other would meet twice: the lower one does it.)
 *
 * A warp holds BODIES * LANES bodies i in registers. LANES bodies j rotate through its lanes, and
 * their sums with them, so that no two lanes ever add to the same body. A warp is 32 threads with
 * shuffles; on a CPU one thread, whose vector of VECTOR lanes it is, and which plays all WARPS
 * warps of the group; and without either 32 threads that leave the sums in local memory.
 *
 * 1. LANES bodies j of a tile are met by those i of a warp; sums of the tile stay in registers.
 * 2. Sums of i over the tiles are added in local memory, sums of j over the warps of the group.
 * 3. Each distance has a row of global memory for sums of j, and each slice one for sums of i: a
 *    place in it belongs to one group. third_law_sum adds the rows in a fixed order.
 *
 * Within block I itself (d = 0) every body meets all others, one-sided. DOUBLE=1 evaluates and sums
 * in double precision. */
#ifndef DOUBLE
#define DOUBLE 0
#endif
#ifndef BODIES
#define BODIES 4
#endif
#ifndef WARPS
#define WARPS 2
#endif
#ifndef TILE
#define TILE 64
#endif
#ifndef UNROLL_J
#define UNROLL_J 1
#endif
#ifndef SUM_BLOCK
#define SUM_BLOCK 64
#endif
#include "third_law_warp.h"

/* The sum over `parts` of what is at `from`, nothing with none, to place i of a row in global
 * memory. */
INLINE void put_sums(GLOBAL quad *row, i32 i, i32 n, LOCAL_POINTER(const SCALAR) from, i32 stride,
                  i32 parts, i32 part, i32 add)
{
    quad q;

    if (i >= n)
        return;
    q.x = q.y = q.z = q.w = 0.0f;
    for (i32 p = 0; p < parts; p++) {
        q.x += from[p * part];
        q.y += from[p * part + stride];
        q.z += from[p * part + 2 * stride];
        q.w += from[p * part + 3 * stride];
    }
    if (add) {
        const quad before = row[i];
        q.x += before.x;
        q.y += before.y;
        q.z += before.z;
        q.w += before.w;
    }
    row[i] = q;
}

/* Of the blocks I from `first_block` on; slices of `depth` distances from `first` on, none beyond
 * `last`; a launch's slices are the second dimension of its grid. sums: rows of n, of j for each
 * distance of the launch, then of i for each slice; `add`: to those of launches before. */
KERNEL GROUP_BOUNDS(BLOCK) third_law(GLOBAL const float4 *RESTRICT body, GLOBAL quad *RESTRICT sums,
                              float eps, i32 n, i32 blocks, i32 first_block, i32 first, i32 depth,
                              i32 last, i32 add LOW_PARAM)
{
    RESIDENT_BOUND();
    const i32 t = get_local_id(0), block = first_block + (i32)get_group_id(0);
    const i32 slice = get_group_id(1);
    LOCAL SCALAR of_i[4 * SPAN];
    LOCAL SCALAR of_j[4 * PARTS * TILE];
#if VECTOR > 1
    LOCAL SCALAR tile[TILE_WORDS];
#else
    LOCAL quad tile[TILE_WORDS];
#endif
    const i32 lane = t % LANES, warp = t / LANES;
    const i32 slices = get_num_groups(1);
    const i32 from = first + slice * depth, to = min(from + depth - 1, last);
    const real eps2 = REAL(eps) * REAL(eps);
    struct own b;

    for (i32 k = t; k < 4 * SPAN; k += BLOCK)
        of_i[k] = 0.0f;
    if (OWN == 1)
        load(&b, body, block * SPAN + warp * BODIES * LANES, lane, n LOW_ARG);
    for (i32 d = from; d <= to; d++) {
        const i32 other = block + d < blocks ? block + d : block + d - blocks;
        /* Opposite blocks: nothing to do for the upper one. Nor are there sums of j for d = 0. */
        const i32 idle = d > 0 && 2 * d == blocks && block >= d;
        for (i32 j = 0; j < SPAN; j += TILE) {
            const i32 first_j = other * SPAN + j;
            barrier(CLK_LOCAL_MEM_FENCE);
            for (i32 q = t; q < TILE; q += BLOCK)
                put(tile, q,
                    body_or_none(body, first_j + q, idle ? 0 : n)
                        PAIRS_ARG(low[min(first_j + q, n - 1)]));
            barrier(CLK_LOCAL_MEM_FENCE);
#ifdef TURN
            for (i32 w = 0; w < OWN && !idle; w++) {
                const i32 place = (warp + w) * BODIES * LANES;
                if (OWN > 1)
                    load(&b, body, block * SPAN + place, lane, n LOW_ARG);
                if (d == 0)
                    meet_tile(&b, tile, lane, of_j + warp * TILE, of_i + place, 0, 1, 1,
                              (j - place) / LANES, eps2);
                else if (w == 0)
                    meet_tile(&b, tile, lane, of_j + warp * TILE, of_i + place, 1, 1, 0, 0, eps2);
                else
                    meet_tile(&b, tile, lane, of_j + warp * TILE, of_i + place, 1, 0, 0, 0, eps2);
            }
            barrier(CLK_LOCAL_MEM_FENCE);
#else
            /* A barrier has to stand where all paths meet: idle groups meet nothing. */
            meet_tile(&b, tile, lane, of_j + warp * TILE, of_i + warp * BODIES * LANES, 1, 1, 1,
                      d == 0 ? j / LANES - warp * BODIES : -TILE, eps2);
#endif
            for (i32 q = t; q < TILE; q += BLOCK)
                put_sums(sums + (i64)(d - first) * n, first_j + q, n, of_j + q, PARTS * TILE,
                      d == 0 || idle ? 0 : PARTS, TILE, add);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const i32 rows = min(first + slices * depth - 1, last) - first + 1;
    for (i32 k = t; k < SPAN; k += BLOCK)
        put_sums(sums + (i64)(rows + slice) * n, block * SPAN + k, n, of_i + k, SPAN, 1, 0, add);
}

/* All rows, in single precision. */
KERNEL GROUP_SIZE(SUM_BLOCK)
    third_law_sum(GLOBAL const quad *RESTRICT sums, GLOBAL float4 *RESTRICT acc, i32 n, i32 rows)
{
    const i32 i = get_global_id(0);

    if (i < n) {
        const quad total = sum_of_rows(sums + i, n, rows);
        acc[i] = MAKE_FLOAT4((float)total.x, (float)total.y, (float)total.z, (float)total.w);
    }
}
