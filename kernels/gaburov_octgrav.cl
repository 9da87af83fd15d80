/* SPDX-License-Identifier: MIT */
/* Tree walks of Gaburov et al. 2010, section 3.2.2, a thread for each group of bodies.
 *
 *     octgrav_count    first walk: how long each group's interaction lists are
 *     octgrav_write    second walk: the lists, a group's nodes and behind them its leaves
 *
 * The tree as in section 3.2.1 and Fig. 3.2. Node k is two elements of `tree`: for each octant the
 * number of a node, 0 where there is a leaf or nothing. What is in octant o is slot 8 k + o of the
 * auxiliary arrays
 *     opening    what gaburov_opening.h says of a cell; its reach is negative where the octant is
 *                empty
 *     edges      half-edges of the cell's box, where the opening test looks at them
 *     com        centre of mass and mass
 *     quad_a     xx yy zz xy of the quadrupole
 *     quad_b     xz yz
 *     leaf       first body and number of bodies
 * Arrays of groups: centre and group_edges as in gaburov_opening.h, and
 *     range      first body and number of bodies
 *     length     node and leaf entries of its lists
 *     offset     where its lists begin: they take whole elements of four entries
 * Bodies and accelerations are in the order of their keys. */
#include "gaburov_count.h"
#include "gaburov_opening.h"
#ifndef WALK_BLOCK
#define WALK_BLOCK 64
#endif
#ifndef LEVELS
#define LEVELS 21 /* of the tree below its root */
#endif
/* A node that is popped pushes at most eight. */
#define STACK (7 * LEVELS + 8)

struct lengths {
    i32 nodes, leaves, opened;
};

/* Entries on their way to a list: they are written four at a time, since every write costs as much
 * as one of 32 bytes. */
INLINE void append(GLOBAL i32 *list, int4 *waiting, i32 count, i32 slot COUNT_PARAMETER(counts))
{
    waiting->x = waiting->y;
    waiting->y = waiting->z;
    waiting->z = waiting->w;
    waiting->w = slot;
    if (count % 4 == 3)
        COUNTED(counts, ORR_GW, 4, ((GLOBAL int4 *)list)[count / 4] = *waiting);
}

/* The last ones, fewer than four. */
INLINE void flush(GLOBAL i32 *list, int4 waiting, i32 count COUNT_PARAMETER(counts))
{
    COUNT(counts, ORR_GW, count % 4);
    if (count % 4 > 0)
        list[count - 1] = waiting.w;
    if (count % 4 > 1)
        list[count - 2] = waiting.z;
    if (count % 4 > 2)
        list[count - 3] = waiting.y;
}

/* Lists 3.1 and 3.2 with the octants 0 ... 7. Where `write`, a constant, the slots go to the
 * lists. */
INLINE void walk(struct lengths *lengths, GLOBAL const int4 *tree, GLOBAL const float4 *opening,
                 GLOBAL const float4 *edges, float4 centre, float4 group_edges,
                 GLOBAL i32 *node_list, GLOBAL i32 *leaf_list, i32 write COUNT_PARAMETER(counts))
{
    struct lengths found = {0, 0, 0};
    int4 waiting = COUNTED(counts, ORR_IR, write ? 4 : 0, tree[0]);
    i32 stack[STACK], top = 1;

    stack[0] = 0;
    while (top > 0) {
        const i32 node = stack[--top];
        COUNT(counts, ORR_IR, 8);
        const int4 one = tree[2 * node], two = tree[2 * node + 1];
        const i32 child[8] = {one.x, one.y, one.z, one.w, two.x, two.y, two.z, two.w};
        float4 cell[8];
        UNROLL
        for (i32 octant = 0; octant < 8; octant++)
            cell[octant] = COUNTED(counts, ORR_GR, 4, opening[8 * node + octant]);
        found.opened++;
        UNROLL
        for (i32 octant = 0; octant < 8; octant++) {
            const i32 slot = 8 * node + octant;
            const i32 there = cell[octant].w >= 0.0f;
            const i32 open =
                there && opens(cell[octant], EDGES_OF(edges, slot), centre, group_edges);
            const i32 push = open && child[octant] != 0, is_leaf = open && child[octant] == 0,
                      is_node = there && !open;
            COUNT(counts, ORR_GR, there ? EDGE_WORDS : 0);
            COUNT(counts, ORR_CT, there);
            COUNT(counts, ORR_CL, is_leaf);
            COUNT(counts, ORR_CA, is_node);
            if (push)
                stack[top] = child[octant];
            if (write && is_leaf)
                COUNTED(counts, ORR_GW, 1, leaf_list[found.leaves] = slot);
            if (write && is_node)
                append(node_list, &waiting, found.nodes, slot COUNT_PASS(counts));
            top += push;
            found.leaves += is_leaf;
            found.nodes += is_node;
        }
    }
    if (write)
        flush(node_list, waiting, found.nodes COUNT_PASS(counts));
    *lengths = found;
}

/* opened: nodes that each group popped. */
KERNEL GROUP_SIZE(WALK_BLOCK)
    octgrav_count(GLOBAL const int4 *RESTRICT tree, GLOBAL const float4 *RESTRICT opening,
                  GLOBAL const float4 *RESTRICT edges, GLOBAL const float4 *RESTRICT centre,
                  GLOBAL const float4 *RESTRICT group_edges, GLOBAL int2 *RESTRICT length,
                  GLOBAL i32 *RESTRICT opened, i32 groups COUNT_ARGUMENT(totals))
{
    const i32 g = get_global_id(0);
    COUNT_STATE(counts);

    if (g < groups) {
        struct lengths found;
        int2 pair;
        COUNT(counts, ORR_GR, 8);
        walk(&found, tree, opening, edges, centre[g], group_edges[g], opened, opened,
             0 COUNT_PASS(counts));
        pair.x = found.nodes;
        pair.y = found.leaves;
        COUNTED(counts, ORR_GW, 2, length[g] = pair);
        COUNTED(counts, ORR_GW, 1, opened[g] = found.opened);
    }
    COUNT_FLUSH(counts, totals);
}

/* Of groups [from, to), a chunk; its lists begin at list[0]. */
KERNEL GROUP_SIZE(WALK_BLOCK)
    octgrav_write(GLOBAL const int4 *RESTRICT tree, GLOBAL const float4 *RESTRICT opening,
                  GLOBAL const float4 *RESTRICT edges, GLOBAL const float4 *RESTRICT centre,
                  GLOBAL const float4 *RESTRICT group_edges, GLOBAL const int2 *RESTRICT length,
                  GLOBAL const u64 *RESTRICT offset, GLOBAL i32 *RESTRICT list, i32 from,
                  i32 to COUNT_ARGUMENT(totals))
{
    const i32 thread = get_global_id(0);
    const i32 g = from + thread;
    COUNT_STATE(counts);

    if (g < to) {
        GLOBAL i32 *const nodes = list + (i32)(offset[g] - offset[from]);
        struct lengths found;
        COUNT_IN(counts, GABUROV_WALK_2);
        COUNT(counts, ORR_GR, 8);
        COUNT(counts, ORR_IR, 6);
        walk(&found, tree, opening, edges, centre[g], group_edges[g], nodes, nodes + length[g].x,
             1 COUNT_PASS(counts));
    }
    COUNT_FLUSH(counts, totals);
}
