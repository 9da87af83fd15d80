/* SPDX-License-Identifier: MIT */
/* How several ranks divide bodies among themselves along the curve of kernels/sorted_tree.cl, and
 * what each tells the others of its part. variants/common/curve_ranks.h launches the kernels. */
#ifndef BLOCK
#define BLOCK 64
#endif
#include "curve_segments.h"
#include "boxes.h"

/* A body's key becomes the rank that its part of the curve belongs to: as many of the ranks - 1
 * ascending keys in `split` are not above it. */
KERNEL GROUP_SIZE(BLOCK)
    curve_owner(GLOBAL u64 *RESTRICT key, GLOBAL const u64 *RESTRICT split, i32 n, i32 ranks)
{
    const i32 i = get_global_id(0);

    if (i < n) {
        const u64 own = key[i];
        i32 low = 0, high = ranks - 1;
        while (low < high) {
            const i32 middle = (low + high) / 2;
            if (split[middle] <= own)
                low = middle + 1;
            else
                high = middle;
        }
        key[i] = (u64)low;
    }
}

/* The rank's row of starts, [r] for 0 <= r <= ranks: how many of its n ascending owners are less
 * than r. */
KERNEL GROUP_SIZE(BLOCK)
    curve_starts(GLOBAL const u64 *RESTRICT owner, GLOBAL i32 *RESTRICT starts, i32 n, i32 ranks,
                 i32 rank)
{
    const i32 i = get_global_id(0);
    GLOBAL i32 *const row = starts + rank * (ranks + 1);

    if (i <= n) {
        const i32 before = i > 0 ? (i32)owner[i - 1] : -1, here = i < n ? (i32)owner[i] : ranks;
        for (i32 r = before + 1; r <= here; r++)
            row[r] = i;
    }
}

KERNEL GROUP_SIZE(BLOCK)
    curve_move(GLOBAL const float4 *RESTRICT from, i32 from_at, GLOBAL float4 *RESTRICT to,
               i32 to_at, i32 n)
{
    const i32 i = get_global_id(0);

    if (i < n)
        to[to_at + i] = from[from_at + i];
}

/* The n bodies at home in the order of their owners go to `out`, but the `kept` ones from kept_at
 * on to the rank's own, from own_at on. */
KERNEL GROUP_SIZE(BLOCK)
    curve_take(GLOBAL const float4 *RESTRICT home, GLOBAL const u32 *RESTRICT order,
               GLOBAL float4 *RESTRICT out, GLOBAL float4 *RESTRICT own, i32 n, i32 kept_at,
               i32 kept, i32 own_at)
{
    const i32 k = get_global_id(0), at = k - kept_at;

    if (k < n) {
        const float4 one = home[order[k]];
        if (at >= 0 && at < kept)
            own[own_at + at] = one;
        else
            out[k] = one;
    }
}

/* And back. */
KERNEL GROUP_SIZE(BLOCK)
    curve_put(GLOBAL float4 *RESTRICT home, GLOBAL const u32 *RESTRICT order,
              GLOBAL const float4 *RESTRICT out, GLOBAL const float4 *RESTRICT own, i32 n,
              i32 kept_at, i32 kept, i32 own_at)
{
    const i32 k = get_global_id(0), at = k - kept_at;

    if (k < n)
        home[order[k]] = at >= 0 && at < kept ? own[own_at + at] : out[k];
}

/* Of a clock of the device's, which runs on between kernels; 0 without one. */
INLINE u64 nanoseconds(void)
{
#if defined(ORR_CUDA)
    u64 now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
#else
    return 0;
#endif
}

KERNEL GROUP_SIZE(BLOCK) curve_clock(GLOBAL u64 *RESTRICT clock_of, i32 which)
{
    if (get_global_id(0) == 0)
        clock_of[which] = nanoseconds();
}

/* A mark is a key and what the bodies from it on to the next one cost. Here: keys of bodies at
 * equal distances, each for as many bodies. The rank's marks are SEGMENTS; behind them stand the
 * nanoseconds of its walk, which they are the costs of, and of its tree, 0: not known. */
#define MARKS (SEGMENTS + 1)
KERNEL GROUP_SIZE(BLOCK)
    curve_sample(GLOBAL const u64 *RESTRICT key, GLOBAL u64 *RESTRICT marks, i32 n, i32 rank)
{
    const i32 k = get_global_id(0);
    GLOBAL u64 *const own = marks + 2 * MARKS * rank;

    if (k == 0)
        own[2 * SEGMENTS] = own[2 * SEGMENTS + 1] = 0;
    if (k < SEGMENTS) {
        own[2 * k] = n > 0 ? key[(i32)((i64)k * n / SEGMENTS)] : 0;
        own[2 * k + 1] = (u64)n;
    }
}

/* The first of `groups` groups of segment k. */
INLINE i32 first_of_segment(i32 k, i32 groups)
{
    return (i32)((i64)k * groups / SEGMENTS);
}

/* The rank's boxes: around the bodies of each segment, of n sorted bodies in groups of `bodies`. A
 * group a segment. */
KERNEL GROUP_SIZE(BLOCK)
    curve_segments(GLOBAL const float4 *RESTRICT body, GLOBAL float4 *RESTRICT boxes, i32 n,
                   i32 bodies, i32 rank)
{
    const i32 t = get_local_id(0), segment = get_group_id(0), groups = (n + bodies - 1) / bodies;
    const i32 from = first_of_segment(segment, groups) * bodies,
              to = min(first_of_segment(segment + 1, groups) * bodies, n);
    LOCAL float4 low[BLOCK], high[BLOCK];

    low[t] = MAKE_FLOAT4(NOWHERE, NOWHERE, NOWHERE, 0.0f);
    high[t] = MAKE_FLOAT4(-NOWHERE, -NOWHERE, -NOWHERE, 0.0f);
    for (i32 i = from + t; i < to; i += BLOCK) {
        low[t] = lowest(low[t], body[i]);
        high[t] = highest(high[t], body[i]);
    }
    around_group(low, high);
    if (t == 0) {
        boxes[2 * (SEGMENTS * rank + segment)] = low[0];
        boxes[2 * (SEGMENTS * rank + segment) + 1] = high[0];
    }
}

/* blocks: the box around each BLOCK_SEGMENTS segments in a row, of all ranks. A thread a block. */
KERNEL GROUP_SIZE(BLOCK)
    curve_blocks(GLOBAL const float4 *RESTRICT boxes, GLOBAL float4 *RESTRICT blocks, i32 count)
{
    const i32 block = get_global_id(0);

    if (block < count) {
        GLOBAL const float4 *const own = boxes + 2 * BLOCK_SEGMENTS * block;
        float4 low = own[0], high = own[1];
        for (i32 k = 1; k < BLOCK_SEGMENTS; k++) {
            low = lowest(low, own[2 * k]);
            high = highest(high, own[2 * k + 1]);
        }
        blocks[2 * block] = low;
        blocks[2 * block + 1] = high;
    }
}

/* The rank's marks of the walk's groups, each of which has counted `counts` numbers: one of the
 * first costs `price`, one of the last `last` times one of the second. tally: their sums over all
 * walks, `counts` a segment. clock_of: when the tree was begun, when it ended, when the walk was
 * begun. A group a segment. */
KERNEL GROUP_SIZE(BLOCK)
    curve_tally(GLOBAL const u64 *RESTRICT key, GLOBAL const u64 *RESTRICT work,
                GLOBAL u64 *RESTRICT marks, GLOBAL u64 *RESTRICT tally,
                GLOBAL const u64 *RESTRICT clock_of, i32 n, i32 bodies, i32 counts, i32 price,
                i32 last, i32 rank)
{
    const u64 ended = nanoseconds();
    const i32 t = get_local_id(0), segment = get_group_id(0), groups = (n + bodies - 1) / bodies;
    const i32 from = first_of_segment(segment, groups), to = first_of_segment(segment + 1, groups);
    LOCAL u64 sums[BLOCK];
    u64 cost = 0;

    for (i32 c = 0; c < counts; c++) {
        u64 sum = 0;
        for (i32 group = from + t; group < to; group += BLOCK)
            sum += work[counts * group + c];
        sums[t] = sum;
        for (i32 reach = BLOCK / 2; reach > 0; reach /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            if (t < reach)
                sums[t] += sums[t + reach];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        sum = sums[0];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t == 0)
            tally[counts * segment + c] += sum;
        cost += c == 0            ? (u64)price * sum
                : c == counts - 1 ? (u64)last * sum
                : c == 1          ? sum
                                  : 0;
    }
    if (t == 0) {
        GLOBAL u64 *const own = marks + 2 * (MARKS * rank + segment);
        own[0] = from < to ? key[from * bodies] : 0;
        own[1] = cost;
        if (segment == SEGMENTS - 1) {
            own[2] = ended - clock_of[2];
            own[3] = clock_of[1] - clock_of[0];
        }
    }
}
