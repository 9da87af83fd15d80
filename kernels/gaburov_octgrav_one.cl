/* SPDX-License-Identifier: MIT */
/* One walk in place of the two of Gaburov et al. 2010, which evaluates what it finds: a block of
 * threads walks the tree for its group. The arrays are those of gaburov_octgrav.cl. */
#include "gaburov_opening.h"
#include "gaburov_interactions.h"
#ifndef LEVELS
#define LEVELS 21 /* of the tree below its root */
#endif
#if BLOCK < 8
#error "a thread for each octant"
#endif

/* A round pops up to BLOCK / 8 nodes and pushes up to eight times as many; above HIGH it pops one,
 * which goes depth first. */
#define POPPED (BLOCK / 8)
#define HIGH 256
#define STACK (HIGH + 7 * POPPED + 7 * LEVELS + 8)
#define WORDS ((BLOCK + 31) / 32)
#define VOTES 3

/* Bit t of the words of vote k says whether thread t said yes; a barrier comes before anybody
 * asks. */
INLINE void vote(LOCAL_POINTER(u32) votes, i32 k, i32 yes)
{
    const i32 t = get_local_id(0);

#if ORR_VOTES && BLOCK % 32 == 0
    const u32 bits = BALLOT(yes);
    if (t % 32 == 0)
        votes[k * WORDS + t / 32] = bits;
#else
    if (yes)
        atomic_or(&votes[k * WORDS + t / 32], 1u << t % 32);
#endif
}

/* Before a round of votes. */
INLINE void vote_clear(LOCAL_POINTER(u32) votes)
{
#if !ORR_VOTES || BLOCK % 32 != 0
    for (i32 word = get_local_id(0); word < VOTES * WORDS; word += BLOCK)
        votes[word] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
}

/* How many threads before `t` said yes. */
INLINE i32 voted(LOCAL_POINTER(u32) votes, i32 k, i32 t)
{
    i32 count = 0;

    for (i32 word = 0; word < t / 32; word++)
        count += popcount(votes[k * WORDS + word]);
    return t % 32 ? count + popcount(votes[k * WORDS + t / 32] & ((1u << t % 32) - 1u)) : count;
}

/* The block's threads test the eight octants of several nodes a round. Cells to meet wait in local
 * memory until there are enough for a tile; there are no lists in global memory. tree, here, by
 * octant. */
KERNEL GROUP_SIZE(BLOCK)
    octgrav_walk(GLOBAL const i32 *RESTRICT tree, GLOBAL const float4 *RESTRICT opening,
                 GLOBAL const float4 *RESTRICT edges, GLOBAL const float4 *RESTRICT com,
                 GLOBAL const float4 *RESTRICT quad_a, GLOBAL const float2 *RESTRICT quad_b,
                 GLOBAL const int2 *RESTRICT leaf, GLOBAL const float4 *RESTRICT body,
                 GLOBAL const float4 *RESTRICT centre, GLOBAL const float4 *RESTRICT group_edges,
                 GLOBAL const int2 *RESTRICT range, GLOBAL float4 *RESTRICT acc,
                 GLOBAL int2 *RESTRICT length, GLOBAL i32 *RESTRICT opened,
                 GLOBAL u64 *RESTRICT met,
                 float eps2 LOW_PARAM COM_LOW_PARAM COUNT_ARGUMENT(totals))
{
    LOCAL i32 stack[STACK], nodes[TILE + BLOCK];
    LOCAL int2 leaves[TILE + BLOCK];
    LOCAL u32 votes[VOTES * WORDS];
    LOCAL u64 words[BLOCK];
    LOCAL float4 tile[NODE_WORDS * TILE];
    PAIRS_ONLY(LOCAL float4 low_tile[TILE];)
    LEAF_TILE(index, starts, spans, among);
    const i32 g = get_group_id(0), t = get_local_id(0);
    const int2 bodies = range[g];
    const float4 middle = centre[g], edge = group_edges[g];
    struct own b;
    i32 top = 1, node_count = 0, leaf_count = 0, nodes_met = 0, leaves_met = 0, nodes_opened = 0;
    u64 pairs = 0;
    COUNT_STATE(counts);

    COUNT_IN(counts, GABUROV_WALK);
    COUNT(counts, ORR_GR, 8);
    COUNT(counts, ORR_IR, 2);
    set_own(&b, body, bodies, g LOW_ARG COUNT_PASS(counts));
    PAIRS_ONLY(const float4 point = body[bodies.x];)
    if (t == 0)
        stack[0] = 0;
    while (top > 0 || node_count > 0 || leaf_count > 0) {
        const i32 popped = top > HIGH ? 1 : min(top, POPPED);
        i32 slot = 0, child = 0, there = 0, open = 0;
        vote_clear(votes);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t < 8 * popped) {
            slot = 8 * stack[top - 1 - t / 8] + t % 8;
            const float4 cell = COUNTED(counts, ORR_GR, 4 + EDGE_WORDS, opening[slot]);
            child = COUNTED(counts, ORR_IR, 1, tree[slot]);
            there = cell.w >= 0.0f;
            open = opens(cell, EDGES_OF(edges, slot), middle, edge);
            COUNT(counts, ORR_CT, there);
            COUNT(counts, ORR_CA, there && !open);
            COUNT(counts, ORR_CL, there && open && !child);
        }
        vote(votes, 0, there && open && child);
        vote(votes, 1, there && open && !child);
        vote(votes, 2, there && !open);
        barrier(CLK_LOCAL_MEM_FENCE);
        top -= popped;
        if (there && open && child)
            stack[top + voted(votes, 0, t)] = child;
        else if (there && open) {
            const int2 found_leaf = COUNTED(counts, ORR_IR, 2, leaf[slot]);
            COUNT(counts, ORR_CB, found_leaf.y);
            leaves[leaf_count + voted(votes, 1, t)] = found_leaf;
            pairs += pairs_of(found_leaf, bodies);
        } else if (there)
            nodes[node_count + voted(votes, 2, t)] = slot;
        top += voted(votes, 0, BLOCK);
        leaf_count += voted(votes, 1, BLOCK);
        node_count += voted(votes, 2, BLOCK);
        nodes_opened += popped;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (node_count >= TILE || (top == 0 && node_count > 0)) {
            const i32 count = min(node_count, TILE);
            node_count -= count;
            nodes_met += count;
            COUNT_IN(counts, GABUROV_NODES);
            UNROLL_BY(1)
            for (i32 j = t; j < count; j += BLOCK)
                fetch_node(tile, j, com, quad_a, quad_b,
                           nodes[node_count + j] PAIRS_ARG(com_low)
                               PAIRS_ARG(point) COUNT_PASS(counts));
            barrier(CLK_LOCAL_MEM_FENCE);
            meet_nodes(&b, tile, count, eps2 PAIRS_ARG(point) COUNT_PASS(counts));
            COUNT_IN(counts, GABUROV_WALK);
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (leaf_count >= TILE || (top == 0 && leaf_count > 0)) {
            const i32 count = min(leaf_count, TILE);
            leaf_count -= count;
            leaves_met += count;
            COUNT_IN(counts, GABUROV_LEAVES);
            meet_leaves(&b, LEAF_TILES(tile, index, starts, spans, among), body,
                        leaves + leaf_count, count, bodies,
                        eps2 PAIRS_ARG(low_tile) LOW_ARG COUNT_PASS(counts));
            COUNT_IN(counts, GABUROV_WALK);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    COUNT_IN(counts, GABUROV_LEAVES);
    put(acc, &b, bodies, tile, 0 COUNT_PASS(counts));
    pairs = sum_of_all(words, pairs);
    if (t == 0) {
        int2 lists;
        lists.x = nodes_met;
        lists.y = leaves_met;
        length[g] = lists;
        opened[g] = nodes_opened;
        met[g] = pairs;
    }
    COUNT_FLUSH(counts, totals);
}
