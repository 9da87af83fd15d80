/* SPDX-License-Identifier: MIT */
/* The tree of sorted_tree.cl over at most MOST bodies, by one group in one launch: launches take
 * longer than the work. The same keys, order and cells. */
#ifndef BLOCK
#define BLOCK 512
#endif
#ifndef LEAF
#define LEAF 8
#endif
#ifndef MOST
#define MOST 2048 /* a power of two; 4 BLOCK at least */
#endif
#include "sorted_tree_steps.h"

#if defined(ORR_CUDA)
#define LOCAL_SPACE
#else
#define LOCAL_SPACE __local
#endif
TREE_END_OF(end_of_local, LOCAL_SPACE)

/* Whether a stands before b: by key, equal ones by index. */
INLINE i32 is_before(u64 a, u32 index_a, u64 b, u32 index_b)
{
    return a < b || (a == b && index_a < index_b);
}

/* Sorts `length` entries, a power of two, by a bitonic network. */
INLINE void sort_pairs(LOCAL_POINTER(u64) key, LOCAL_POINTER(u32) index, i32 length)
{
    for (i32 run = 2; run <= length; run *= 2)
        for (i32 apart = run / 2; apart > 0; apart /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            for (i32 pair = get_local_id(0); pair < length / 2; pair += BLOCK) {
                const i32 low = 2 * pair - (pair & (apart - 1)), high = low + apart;
                const u64 a = key[low], b = key[high];
                const u32 index_a = index[low], index_b = index[high];
                if (is_before(b, index_b, a, index_a) == ((low & run) == 0)) {
                    key[low] = b;
                    key[high] = a;
                    index[low] = index_b;
                    index[high] = index_a;
                }
            }
        }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Depths of the cells that begin with body i, as in tree_depths. */
INLINE i32 depths_of(LOCAL_POINTER(u64) key, i32 i, i32 n, i32 levels)
{
    i32 last = -1;

    for (i32 from = max(i - LEAF, 0); from <= i && from + LEAF < n; from++)
        last = max(last, common(key[from], key[from + LEAF], levels));
    last = min(last + 1, levels);
    return (i ? common(key[i - 1], key[i], levels) + 1 : 0) | last << 8;
}

/* root, key, order, sorted: as of tree_root, tree_keys after the sort, tree_gather; offset, ranges,
 * after: as of tree_ranges. */
KERNEL GROUP_SIZE(BLOCK)
    tree_small(GLOBAL const float4 *RESTRICT body, GLOBAL float4 *RESTRICT root,
               GLOBAL u64 *RESTRICT key_out, GLOBAL u32 *RESTRICT order,
               GLOBAL float4 *RESTRICT sorted, GLOBAL i32 *RESTRICT offset,
               GLOBAL int2 *RESTRICT ranges, GLOBAL i32 *RESTRICT after, i32 n, i32 levels)
{
    LOCAL u64 key[MOST];
    LOCAL u32 index[MOST]; /* then cells before those of each body */
    LOCAL float4 low[BLOCK], high[BLOCK];
    LOCAL u32 words[BLOCK];
    const i32 t = get_local_id(0);
    i32 length = 2;
    u32 total = 0;

    while (length < n)
        length *= 2;
    low[t] = high[t] = body[min(t, n - 1)];
    for (i32 i = t; i < n; i += BLOCK) {
        low[t] = lowest(low[t], body[i]);
        high[t] = highest(high[t], body[i]);
    }
    around_group(low, high);
    const float4 cube = root_of(low[0], high[0]);
    if (t == 0)
        root[0] = cube;
    for (i32 i = t; i < length; i += BLOCK) {
        key[i] = i < n ? key_of(body[min(i, n - 1)], cube, levels) : ~(u64)0;
        index[i] = (u32)i;
    }
    sort_pairs(key, index, length);
    for (i32 i = t; i < n; i += BLOCK) {
        key_out[i] = key[i];
        order[i] = index[i];
        sorted[i] = body[index[i]];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i32 from = 0; from < n; from += BLOCK) {
        const i32 i = from + t, depths = i < n ? depths_of(key, i, n, levels) : 1;
        const u32 cells = (u32)max(LAST_OF(depths) - FIRST_OF(depths) + 1, 0);
        const u32 before = SUM_BEFORE(words, BLOCK, i < n ? cells : 0, &total);
        if (i < n) {
            index[i] = before;
            offset[i] = (i32)before;
        }
    }
    if (t == 0)
        offset[n] = (i32)total;
    /* Below a thread reads index[] of bodies behind its own, which other threads wrote. */
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i32 i = t; i < n; i += BLOCK) {
        const i32 depths = depths_of(key, i, n, levels), first = FIRST_OF(depths);
        for (i32 depth = first; depth <= LAST_OF(depths); depth++) {
            const i32 c = (i32)index[i] + depth - first;
            int2 range;
            range.x = i;
            range.y = end_of_local(key, i, depth, n, levels);
            ranges[c] = range;
            after[c] = (i32)(range.y < n ? index[range.y] : total);
        }
    }
}
