/* SPDX-License-Identifier: MIT */
/* Children and moments of the cells of kernels/sorted_tree.cl, here a quadtree, for the walk of
 * feng/barnes-hut-modern.
 *
 * Moments come from a pyramid: its lowest row are the bodies by key, an entry of each row above
 * sums FAN of the one below. A cell sums whole entries and what its run of bodies has besides, so
 * that none waits for its children. Bodies and entries are float4: x, y, 0, mass. */
#ifndef BLOCK
#define BLOCK 64
#endif
#ifndef FAN
#define FAN 16
#endif
#include "sorted_keys.h"

/* links: of a cell with children these, at most four, then -1; of a leaf -1, its first body and the
 * one behind its last. */
KERNEL GROUP_SIZE(BLOCK)
    feng_links(GLOBAL const i32 *RESTRICT offset, GLOBAL const int2 *RESTRICT ranges,
               GLOBAL const i32 *RESTRICT after, GLOBAL int4 *RESTRICT links, i32 n)
{
    const i32 cells = offset[n];

    for (i32 c = get_global_id(0); c < cells; c += get_global_size(0)) {
        const i32 end = after[c];
        int4 link;
        if (end == c + 1) {
            const int2 range = ranges[c];
            link.x = -1;
            link.y = range.x;
            link.z = range.y;
            link.w = -1;
        } else {
            i32 child = c + 1;
            link.x = child;
            child = after[child];
            link.y = child < end ? child : -1;
            child = child < end ? after[child] : end;
            link.z = child < end ? child : -1;
            child = child < end ? after[child] : end;
            link.w = child < end ? child : -1;
        }
        links[c] = link;
    }
}

/* Mass and centre of mass of from..to of a row of the pyramid, about a point: sums of mass times
 * offset. */
INLINE float4 add_row(float4 sum, float4 about, GLOBAL const float4 *row, i32 from, i32 to)
{
    for (i32 k = from; k < to; k++) {
        const float4 one = row[k];
        sum.x = FMA(one.w, one.x - about.x, sum.x);
        sum.y = FMA(one.w, one.y - about.y, sum.y);
        sum.w += one.w;
    }
    return sum;
}

/* Centre of mass and mass from such sums. A massless lot is where `about` is. */
INLINE float4 centre(float4 sum, float4 about)
{
    const float share = sum.w > 0.0f ? 1.0f / sum.w : 0.0f;

    return MAKE_FLOAT4(FMA(sum.x, share, about.x), FMA(sum.y, share, about.y), 0.0f, sum.w);
}

/* Entries at `to` of the pyramid's row above that which begins at `from`, or, from < 0, above the
 * bodies; `count` below. */
KERNEL GROUP_SIZE(BLOCK) feng_pyramid(GLOBAL const float4 *RESTRICT body, GLOBAL float4 *pyramid,
                                      i32 from, i32 to, i32 count)
{
    const i32 k = get_global_id(0), first = k * FAN;

    if (first < count) {
        GLOBAL const float4 *const row = from < 0 ? body : pyramid + from;
        const float4 about = row[first], none = MAKE_FLOAT4(0.0f, 0.0f, 0.0f, 0.0f);
        pyramid[to + k] = centre(add_row(none, about, row, first, min(first + FAN, count)), about);
    }
}

/* x and y of each cell's centre of mass, its mass, the square of its width: that of the smallest
 * square of the tree that holds its bodies. A chain of cells with one child each thus has one
 * width, the last one's. */
KERNEL GROUP_SIZE(BLOCK)
    feng_moments(GLOBAL const u64 *RESTRICT key, GLOBAL const float4 *RESTRICT body,
                 GLOBAL const float4 *RESTRICT pyramid, GLOBAL const i32 *RESTRICT offset,
                 GLOBAL const int2 *RESTRICT ranges, GLOBAL const float4 *RESTRICT root,
                 GLOBAL float4 *RESTRICT cells, i32 n, i32 levels, i32 rows)
{
    const i32 count = offset[n];

    for (i32 c = get_global_id(0); c < count; c += get_global_size(0)) {
        const int2 range = ranges[c];
        const i32 depth = common(key[range.x], key[range.y - 1], levels);
        const float width = root[0].w * as_float((u32)(127 - depth) << 23);
        const float4 about = body[range.x];
        float4 sum = MAKE_FLOAT4(0.0f, 0.0f, 0.0f, 0.0f);
        GLOBAL const float4 *row = body, *above = pyramid;
        i32 from = range.x, to = range.y, length = n;
        for (i32 r = 0; r < rows && (from + FAN - 1) / FAN < to / FAN; r++) {
            const i32 whole = (from + FAN - 1) / FAN, end = to / FAN;
            sum = add_row(sum, about, row, from, whole * FAN);
            sum = add_row(sum, about, row, end * FAN, to);
            length = (length + FAN - 1) / FAN;
            row = above;
            above += length;
            from = whole;
            to = end;
        }
        const float4 all = centre(add_row(sum, about, row, from, to), about);
        cells[c] = MAKE_FLOAT4(all.x, all.y, all.w, width * width);
    }
}
