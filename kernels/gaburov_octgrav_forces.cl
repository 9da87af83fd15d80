/* SPDX-License-Identifier: MIT */
/* Accelerations from the interaction lists of Gaburov et al. 2010, section 3.2.3, a block of
 * threads for each group. The arrays are those of gaburov_octgrav.cl.
 *
 *     octgrav_nodes    body-node interactions (List 3.3)
 *     octgrav_leaves   body-leaf interactions (List 3.4) */
#include "gaburov_interactions.h"

/* Groups from `from` on, one a block. acc is overwritten. */
KERNEL GROUP_SIZE(BLOCK)
    octgrav_nodes(GLOBAL const float4 *RESTRICT com, GLOBAL const float4 *RESTRICT quad_a,
                  GLOBAL const float2 *RESTRICT quad_b, GLOBAL const float4 *RESTRICT body,
                  GLOBAL const int2 *RESTRICT range, GLOBAL const int2 *RESTRICT length,
                  GLOBAL const u64 *RESTRICT offset, GLOBAL const i32 *RESTRICT list,
                  GLOBAL float4 *RESTRICT acc, float eps2,
                  i32 from LOW_PARAM COM_LOW_PARAM COUNT_ARGUMENT(totals))
{
    const i32 group = get_group_id(0);
    LOCAL float4 tile[NODE_WORDS * TILE];
    const i32 g = from + group, nodes = length[g].x;
    const int2 bodies = range[g];
    GLOBAL const i32 *const own_list = list + (i32)(offset[g] - offset[from]);
    struct own b;
    COUNT_STATE(counts);

    COUNT_IN(counts, GABUROV_NODES);
    COUNT(counts, ORR_IR, 8);
    set_own(&b, body, bodies, g LOW_ARG COUNT_PASS(counts));
    PAIRS_ONLY(const float4 point = body[bodies.x];)
    for (i32 k = 0; k < nodes; k += TILE) {
        const i32 count = min(TILE, nodes - k);
        UNROLL_BY(1)
        for (i32 j = get_local_id(0); j < count; j += BLOCK)
            fetch_node(tile, j, com, quad_a, quad_b,
                       COUNTED(counts, ORR_IR, 1, own_list[k + j]) PAIRS_ARG(com_low)
                           PAIRS_ARG(point) COUNT_PASS(counts));
        barrier(CLK_LOCAL_MEM_FENCE);
        meet_nodes(&b, tile, count, eps2 PAIRS_ARG(point) COUNT_PASS(counts));
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    put(acc, &b, bodies, tile, 0 COUNT_PASS(counts));
    COUNT_FLUSH(counts, totals);
}

/* Adds to acc; met: body-leaf interactions of each group. */
KERNEL GROUP_SIZE(BLOCK)
    octgrav_leaves(GLOBAL const int2 *RESTRICT leaf, GLOBAL const float4 *RESTRICT body,
                   GLOBAL const int2 *RESTRICT range, GLOBAL const int2 *RESTRICT length,
                   GLOBAL const u64 *RESTRICT offset, GLOBAL const i32 *RESTRICT list,
                   GLOBAL float4 *RESTRICT acc, GLOBAL u64 *RESTRICT met, float eps2,
                   i32 from LOW_PARAM COUNT_ARGUMENT(totals))
{
    const i32 group = get_group_id(0);
    LOCAL float4 tile[TILE];
    PAIRS_ONLY(LOCAL float4 low_tile[TILE];)
    LOCAL int2 leaves[TILE];
    LOCAL u64 words[BLOCK];
    LEAF_TILE(index, starts, spans, among);
    const i32 g = from + group, count = length[g].y;
    const int2 bodies = range[g];
    GLOBAL const i32 *const own_list = list + (i32)(offset[g] - offset[from]) + length[g].x;
    struct own b;
    u64 pairs = 0;
    COUNT_STATE(counts);

    COUNT_IN(counts, GABUROV_LEAVES);
    COUNT(counts, ORR_IR, 8);
    set_own(&b, body, bodies, g LOW_ARG COUNT_PASS(counts));
    for (i32 k = 0; k < count; k += TILE) {
        const i32 here = min(TILE, count - k);
        for (i32 j = get_local_id(0); j < here; j += BLOCK) {
            const int2 one = leaf[own_list[k + j]];
            COUNT(counts, ORR_IR, 3);
            COUNT(counts, ORR_CB, one.y);
            leaves[j] = one;
            pairs += pairs_of(one, bodies);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        meet_leaves(&b, LEAF_TILES(tile, index, starts, spans, among), body, leaves, here, bodies,
                    eps2 PAIRS_ARG(low_tile) LOW_ARG COUNT_PASS(counts));
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    put(acc, &b, bodies, tile, 1 COUNT_PASS(counts));
    pairs = sum_of_all(words, pairs);
    if (get_local_id(0) == 0)
        met[g] = pairs;
    COUNT_FLUSH(counts, totals);
}
