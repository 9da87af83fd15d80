/* SPDX-License-Identifier: MIT */
/* A quadtree (DIMENSIONS = 2) or octree (3) without locks, levels or pointers: it follows from the
 * sorted keys.
 *
 * A body's key is its place along a Hilbert curve through the cubes of the finest grid: DIMENSIONS
 * bits a level, so a cell of depth d is a run of sorted bodies whose keys agree in their first d
 * levels, and neighbours along the curve are neighbours in space. A cell with more than LEAF bodies
 * has children; one with at most LEAF, or of depth `levels`, is a leaf. A body can tell from the
 * keys around it how deep its leaf is and which cells begin with it. Numbered by first body, then
 * by depth, the cells stand in the order of a depth-first walk: a cell's first child follows it,
 * and behind its subtree comes the first cell that begins where the cell ends.
 *
 * Cells: at most n leaves and n / (LEAF + 1) others of each depth. variants/common/sorted_tree.h
 * launches the kernels. */
#ifndef BLOCK
#define BLOCK 64
#endif
#ifndef LEAF
#define LEAF 8
#endif
#include "sorted_tree_steps.h"

/* bounds: lowest and highest corner for each group. */
KERNEL GROUP_SIZE(BLOCK)
    tree_bounds(GLOBAL const float4 *RESTRICT body, GLOBAL float4 *RESTRICT bounds, i32 n)
{
    const i32 t = get_local_id(0), group = get_group_id(0), thread = get_global_id(0);
    LOCAL float4 low[BLOCK], high[BLOCK];
    float4 from = body[min(thread, n - 1)], to = from;

    for (i32 i = thread; i < n; i += get_global_size(0)) {
        const float4 one = body[i];
        from = lowest(from, one);
        to = highest(to, one);
    }
    low[t] = from;
    high[t] = to;
    around_group(low, high);
    if (t == 0) {
        bounds[2 * group] = low[0];
        bounds[2 * group + 1] = high[0];
    }
}

/* low[0] and high[0] become the corners of the box around `count` boxes; without any, of one that
 * is around nothing. */
INLINE void around_boxes(LOCAL_POINTER(float4) low, LOCAL_POINTER(float4) high,
                         GLOBAL const float4 *bounds, i32 count)
{
    const i32 t = get_local_id(0);

    low[t] = MAKE_FLOAT4(NOWHERE, NOWHERE, NOWHERE, 0.0f);
    high[t] = MAKE_FLOAT4(-NOWHERE, -NOWHERE, -NOWHERE, 0.0f);
    for (i32 k = t; k < count; k += BLOCK) {
        low[t] = lowest(low[t], bounds[2 * k]);
        high[t] = highest(high[t], bounds[2 * k + 1]);
    }
    around_group(low, high);
}

/* The root cube. One group. */
KERNEL GROUP_SIZE(BLOCK)
    tree_root(GLOBAL const float4 *RESTRICT bounds, GLOBAL float4 *RESTRICT root, i32 count)
{
    LOCAL float4 low[BLOCK], high[BLOCK];

    around_boxes(low, high, bounds, count);
    if (get_local_id(0) == 0)
        root[0] = root_of(low[0], high[0]);
}

/* The box around `count` boxes becomes box `at`. One group. */
KERNEL GROUP_SIZE(BLOCK)
    tree_box(GLOBAL const float4 *RESTRICT bounds, GLOBAL float4 *RESTRICT boxes, i32 count, i32 at)
{
    LOCAL float4 low[BLOCK], high[BLOCK];

    around_boxes(low, high, bounds, count);
    if (get_local_id(0) == 0) {
        boxes[2 * at] = low[0];
        boxes[2 * at + 1] = high[0];
    }
}

KERNEL GROUP_SIZE(BLOCK)
    tree_keys(GLOBAL const float4 *RESTRICT body, GLOBAL const float4 *RESTRICT root,
              GLOBAL u64 *RESTRICT key, GLOBAL u32 *RESTRICT order, i32 n, i32 levels)
{
    const i32 i = get_global_id(0);

    if (i < n) {
        key[i] = key_of(body[i], root[0], levels);
        order[i] = (u32)i;
    }
}

/* The bodies by key. */
KERNEL GROUP_SIZE(BLOCK)
    tree_gather(GLOBAL const float4 *RESTRICT body, GLOBAL const u32 *RESTRICT order,
                GLOBAL float4 *RESTRICT sorted, i32 n)
{
    const i32 i = get_global_id(0);

    if (i < n)
        sorted[i] = body[order[i]];
}

/* deepest[0], 0 before: the depth of the deepest leaf, were there `levels` of them. */
KERNEL GROUP_SIZE(BLOCK)
    tree_deepest(GLOBAL const u64 *RESTRICT key, GLOBAL i32 *RESTRICT deepest, i32 n, i32 levels)
{
    LOCAL i32 most;
    const i32 i = get_global_id(0);

    if (get_local_id(0) == 0)
        most = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i + LEAF < n)
        atomic_max(&most, min(common(key[i], key[i + LEAF], levels) + 1, levels));
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        atomic_max(deepest, most);
}

/* depths[i] as above; offset[i]: cells that begin with the bodies of the group before i; totals:
 * cells of each group. LEAF + 1 neighbouring bodies that agree in d levels are too many for a leaf
 * of depth d: the leaf of body i is one deeper than the best agreement of any such run that i is
 * in. */
KERNEL GROUP_SIZE(BLOCK)
    tree_depths(GLOBAL const u64 *RESTRICT key, GLOBAL i32 *RESTRICT depths,
                GLOBAL i32 *RESTRICT offset, GLOBAL i32 *RESTRICT totals, i32 n, i32 levels)
{
    const i32 group_index = get_group_id(0);
    /* Agreement of the runs that begin LEAF bodies before the group, or later. */
    LOCAL i32 runs[BLOCK + LEAF];
    LOCAL u32 words[BLOCK];
    const i32 t = get_local_id(0), i = get_global_id(0);
    i32 first = 0, last = -1;
    u32 total = 0;

    for (i32 k = t; k < BLOCK + LEAF; k += BLOCK) {
        const i32 from = group_index * BLOCK - LEAF + k;
        runs[k] = from >= 0 && from + LEAF < n ? common(key[from], key[from + LEAF], levels) : -1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < n) {
        for (i32 k = t; k <= t + LEAF; k++)
            last = max(last, runs[k]);
        last = min(last + 1, levels);
        first = i ? common(key[i - 1], key[i], levels) + 1 : 0;
        depths[i] = first | last << 8;
    }
    const u32 before = SUM_BEFORE(words, BLOCK, (u32)max(last - first + 1, 0), &total);
    if (i < n)
        offset[i] = (i32)before;
    if (t == 0)
        totals[group_index] = (i32)total;
}

/* totals become exclusive sums, their sum goes to sum[at]. One group. */
KERNEL GROUP_SIZE(BLOCK)
    tree_offsets(GLOBAL i32 *RESTRICT totals, GLOBAL i32 *RESTRICT sum, i32 groups, i32 at)
{
    LOCAL u32 words[BLOCK];
    const i32 t = get_local_id(0);
    u32 before = 0;

    for (i32 from = 0; from < groups; from += BLOCK) {
        const u32 here =
            SUM_BEFORE(words, BLOCK, from + t < groups ? (u32)totals[from + t] : 0, &before);
        if (from + t < groups)
            totals[from + t] = (i32)here;
    }
    if (t == 0)
        sum[at] = (i32)before;
}

/* begins: first body and depth of each cell. offset[i] counts all cells before body i from now
 * on. */
KERNEL GROUP_SIZE(BLOCK)
    tree_begin(GLOBAL const i32 *RESTRICT depths, GLOBAL i32 *RESTRICT offset,
               GLOBAL const i32 *RESTRICT totals, GLOBAL int2 *RESTRICT begins, i32 n)
{
    const i32 group = get_group_id(0);
    const i32 i = get_global_id(0);

    if (i < n) {
        const i32 first = FIRST_OF(depths[i]), last = LAST_OF(depths[i]),
                  at = offset[i] + totals[group];
        offset[i] = at;
        for (i32 depth = first; depth <= last; depth++) {
            int2 cell;
            cell.x = i;
            cell.y = depth;
            begins[at + depth - first] = cell;
        }
    }
}

TREE_END_OF(end_of, GLOBAL)

/* ranges: first body of each cell and the one behind its last. after: the cell behind its subtree,
 * so of a leaf the next. */
KERNEL GROUP_SIZE(BLOCK)
    tree_ranges(GLOBAL const u64 *RESTRICT key, GLOBAL const i32 *RESTRICT offset,
                GLOBAL int2 *RESTRICT ranges, GLOBAL i32 *RESTRICT after, i32 n, i32 levels)
{
    const i32 cells = offset[n];

    for (i32 c = get_global_id(0); c < cells; c += get_global_size(0)) {
        int2 range = ranges[c];
        range.y = end_of(key, range.x, range.y, n, levels);
        ranges[c] = range;
        after[c] = offset[range.y];
    }
}
