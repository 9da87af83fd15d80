/* SPDX-License-Identifier: MIT */
/* What of the quadtree of kernels/feng_modern.cl other ranks need (kernels/essential_tree.cl). A
 * cell goes as a whole where it is far from the smallest boxes around the segments of another
 * rank's bodies (kernels/curve_ranks.cl), and so, to the bit, from those of all groups, of which
 * each lies in one segment. */
#ifndef BLOCK
#define BLOCK 64
#endif
#include "curve_segments.h"
#include "feng_far.h"

INLINE i32 box_opens(float4 cell, float4 low, float4 high, float theta2)
{
    return low.x <= high.x && !is_far(cell, MAKE_FLOAT4(low.x, low.y, high.x, high.y), theta2);
}

/* open: masks of the ranks whose segments may open each cell; parent: of each cell, -1 of the root;
 * leaf: first body and bodies, 0 of cells with children. */
KERNEL GROUP_SIZE(BLOCK)
    feng_open(GLOBAL const float4 *RESTRICT cells, GLOBAL const int4 *RESTRICT links,
              GLOBAL const float4 *RESTRICT boxes, GLOBAL const float4 *RESTRICT blocks,
              GLOBAL const i32 *RESTRICT offset, GLOBAL u64 *RESTRICT open,
              GLOBAL i32 *RESTRICT parent, GLOBAL int2 *RESTRICT leaf, i32 n, i32 ranks, i32 own,
              float theta2)
{
    const i32 count = offset[n];

    if (get_global_id(0) == 0)
        parent[0] = -1;
    for (i32 c = get_global_id(0); c < count; c += get_global_size(0)) {
        const float4 cell = cells[c];
        const int4 link = links[c];
        u64 mask = 0;
        int2 held;
        for (i32 r = 0; r < ranks; r++) {
            i32 opened = 0;
            for (i32 q = r * BLOCKS; q < (r + 1) * BLOCKS && r != own && !opened; q++)
                if (box_opens(cell, blocks[2 * q], blocks[2 * q + 1], theta2))
                    for (i32 k = q * BLOCK_SEGMENTS; k < (q + 1) * BLOCK_SEGMENTS && !opened; k++)
                        opened = box_opens(cell, boxes[2 * k], boxes[2 * k + 1], theta2);
            mask |= (u64)opened << r;
        }
        open[c] = mask;
        held.x = link.y;
        held.y = link.x < 0 ? link.z - link.y : 0;
        leaf[c] = held;
        if (link.x >= 0) {
            parent[link.x] = c;
            if (link.y >= 0)
                parent[link.y] = c;
            if (link.z >= 0)
                parent[link.z] = c;
            if (link.w >= 0)
                parent[link.w] = c;
        }
    }
}

INLINE i32 moved(GLOBAL const int2 *place, i32 child, i32 base)
{
    return child < 0 ? -1 : base + place[child].x;
}

/* The cells that a rank needs, from out_...[first] on. There they come to be cells `cell_base` and
 * on, their bodies those from `body_base` on. One that none of its groups opens is a leaf without
 * bodies. */
KERNEL GROUP_SIZE(BLOCK)
    feng_essential(GLOBAL const float4 *RESTRICT cells, GLOBAL const int4 *RESTRICT links,
                   GLOBAL const i32 *RESTRICT offset, GLOBAL const u64 *RESTRICT open,
                   GLOBAL const u64 *RESTRICT need, GLOBAL const int2 *RESTRICT place,
                   GLOBAL float4 *RESTRICT out_cells, GLOBAL int4 *RESTRICT out_links, i32 n,
                   i32 rank, i32 first, i32 cell_base, i32 body_base)
{
    const i32 count = offset[n];

    for (i32 c = get_global_id(0); c < count; c += get_global_size(0))
        if (need[c] >> rank & 1) {
            const i32 to = first + place[c].x, opened = (i32)(open[c] >> rank & 1);
            const int4 link = links[c];
            int4 there;
            there.x = there.w = -1;
            there.y = there.z = 0;
            if (opened && link.x < 0) {
                there.y = body_base + place[c].y;
                there.z = there.y + link.z - link.y;
            } else if (opened) {
                there.x = moved(place, link.x, cell_base);
                there.y = moved(place, link.y, cell_base);
                there.z = moved(place, link.z, cell_base);
                there.w = moved(place, link.w, cell_base);
            }
            out_cells[to] = cells[c];
            out_links[to] = there;
        }
}
