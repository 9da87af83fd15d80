/* SPDX-License-Identifier: MIT */
/* What of the octree of kernels/gaburov_modern.cl other ranks need (kernels/essential_tree.cl).
 *
 * A cell goes as a whole where it is far from the smallest boxes around the segments of another
 * rank's bodies (kernels/curve_ranks.cl), and so from the boxes of all groups, of which each lies
 * in one segment. */
#ifndef BLOCK
#define BLOCK 64
#endif
#ifndef OPENING
#define OPENING 3
#endif
#include "boxes.h"
#include "curve_segments.h"
#include "gaburov_opening.h"

/* Of the box's longest half-edge: more than the walk takes for its groups. The opening test of 2010
 * looks at cubes around groups, which reach so much beyond the box, and at how far their centres of
 * mass are from those of the cubes. */
#define SLACK 4e-6f
#define CUBES 1.0f
#define OFF_CENTRE 1.7321f
/* A reach that no distance is within. */
#define NEVER_OPENED as_float(0x7fc00000u)

/* Whether a group in the box may open the cell. */
INLINE i32 box_opens(float4 cell, float4 edges, float4 low, float4 high)
{
    const float x = 0.5f * low.x + 0.5f * high.x, y = 0.5f * low.y + 0.5f * high.y,
                z = 0.5f * low.z + 0.5f * high.z;
    const float hx = max(high.x - x, x - low.x), hy = max(high.y - y, y - low.y),
                hz = max(high.z - z, z - low.z), widest = max(hx, max(hy, hz));
    const float more = OPENING ? 0.0f : CUBES * widest,
                reach = SLACK * widest + (OPENING ? 0.0f : OFF_CENTRE * widest);

    return low.x <= high.x && opens(cell, edges, MAKE_FLOAT4(x, y, z, reach),
                                    MAKE_FLOAT4(hx + more, hy + more, hz + more, 0.0f));
}

/* A segment's groups have pulls of their own, of boxes within its box: by so much more at most, or
 * a few cells act on them that they would open. */
#define PULL_SLACK 1.1f

/* most: the largest pull of the BLOCK_SEGMENTS segments of each block. A thread a block. */
KERNEL GROUP_SIZE(BLOCK)
    gaburov_block_pulls(GLOBAL const float2 *RESTRICT pulls, GLOBAL float *RESTRICT most, i32 count)
{
    const i32 block = get_global_id(0);

    if (block < count) {
        float pull = 0.0f;
        for (i32 k = 0; k < BLOCK_SEGMENTS; k++)
            pull = max(pull, pulls[BLOCK_SEGMENTS * block + k].x);
        most[block] = pull;
    }
}

/* open: masks of the ranks whose segments may open each cell; parent: of each cell, -1 of the root;
 * leaf: first body and bodies, 0 of cells with children. */
KERNEL GROUP_SIZE(BLOCK)
    gaburov_open(GLOBAL const float4 *RESTRICT tests, GLOBAL const float4 *RESTRICT halves,
                 GLOBAL const float2 *RESTRICT limits, GLOBAL const int2 *RESTRICT links,
                 GLOBAL const float4 *RESTRICT boxes, GLOBAL const float4 *RESTRICT blocks,
                 GLOBAL const float2 *RESTRICT pulls, GLOBAL const float *RESTRICT most,
                 GLOBAL const i32 *RESTRICT count,
                 GLOBAL u64 *RESTRICT open, GLOBAL i32 *RESTRICT parent, GLOBAL int2 *RESTRICT leaf,
                 i32 ranks, i32 own)
{
    const i32 cells = count[0] + 1;

    if (get_global_id(0) == 0)
        parent[0] = -1;
    for (i32 c = get_global_id(0); c < cells; c += get_global_size(0)) {
        const float4 cell = tests[c], edges = EDGES_OF(halves, c);
        const float nearest = limits[c].y;
        const int2 link = links[c];
        u64 mask = 0;
        int2 held;
        for (i32 r = 0; r < ranks; r++) {
            i32 opened = 0;
            for (i32 q = r * BLOCKS; q < (r + 1) * BLOCKS && r != own && !opened; q++)
                if (box_opens(pulled(cell, nearest, PULL_SLACK * most[q]), edges, blocks[2 * q],
                              blocks[2 * q + 1]))
                    for (i32 k = q * BLOCK_SEGMENTS; k < (q + 1) * BLOCK_SEGMENTS && !opened; k++)
                        opened = box_opens(pulled(cell, nearest, PULL_SLACK * pulls[k].x), edges,
                                           boxes[2 * k], boxes[2 * k + 1]);
            mask |= (u64)opened << r;
        }
        open[c] = mask;
        held.x = link.x;
        held.y = link.y < 0 ? -link.y : 0;
        leaf[c] = held;
        for (i32 child = 0; child < link.y; child++)
            parent[link.x + child] = c;
    }
}

/* The cells that a rank needs, from those of `out_...` [first] on. There they come to be cells
 * `cell_base` and on, their bodies those from `body_base` on. One that none of its groups opens is
 * without children. */
KERNEL GROUP_SIZE(BLOCK)
    gaburov_essential(GLOBAL const float4 *RESTRICT tests, GLOBAL const float4 *RESTRICT halves,
                      GLOBAL const int2 *RESTRICT links, GLOBAL const float4 *RESTRICT moments,
                      GLOBAL const float2 *RESTRICT limits, GLOBAL const i32 *RESTRICT count,
                      GLOBAL const u64 *RESTRICT open, GLOBAL const u64 *RESTRICT need,
                      GLOBAL const int2 *RESTRICT place, GLOBAL float4 *RESTRICT out_tests,
                      GLOBAL float4 *RESTRICT out_halves, GLOBAL int2 *RESTRICT out_links,
                      GLOBAL float4 *RESTRICT out_moments, GLOBAL float2 *RESTRICT out_limits,
                      i32 rank, i32 first, i32 cell_base, i32 body_base)
{
    const i32 cells = count[0] + 1;

    for (i32 c = get_global_id(0); c < cells; c += get_global_size(0))
        if (need[c] >> rank & 1) {
            const i32 to = first + place[c].x, opened = (i32)(open[c] >> rank & 1);
            float4 test = tests[c];
            int2 link = links[c];
            test.w = opened ? test.w : NEVER_OPENED;
            link.x = !opened      ? 0
                     : link.y < 0 ? body_base + place[c].y
                                  : cell_base + place[link.x].x;
            link.y = opened ? link.y : 0;
            out_tests[to] = test;
            if (OPENING == 2)
                out_halves[to] = halves[c];
            out_links[to] = link;
            out_limits[to] = limits[c];
            for (i32 k = 0; k < 3; k++)
                out_moments[3 * to + k] = moments[3 * c + k];
        }
}
