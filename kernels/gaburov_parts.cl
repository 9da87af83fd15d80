/* SPDX-License-Identifier: MIT */
/* Whom the groups of kernels/gaburov_modern_walk.cl walk for: GROUP_BODIES bodies in a row by key,
 * or, where the box of these is large for so few, a part of them.
 *
 * Where the curve leaves one corner of a halo for another, the box around a few bodies may hold
 * most of the others, of which the group would open every cell: at 1e5 bodies six groups took 3 to
 * 8 times the mean's work and ended last. */
#ifndef BLOCK
#define BLOCK 64
#endif
#ifndef GROUP_BODIES
#define GROUP_BODIES 64
#endif
#include "boxes.h"

#define SMALLEST 8 /* bodies of a part that is not divided further */

/* An edge as a share of that of half-edge `all`; of one without extent all. */
INLINE float share_of_edge(float low, float high, float all)
{
    return all > 0.0f ? (0.5f * high - 0.5f * low) / all : 1.0f;
}

/* Whether the box of bodies from ... to - 1 is more than `cut` times their share of the box of all
 * n, which has the half-edges `all`. */
INLINE i32 too_wide(GLOBAL const float4 *body, i32 from, i32 to, float4 all, i32 n, float cut)
{
    float4 low = body[from], high = low;

    for (i32 i = from + 1; i < to; i++) {
        const float4 one = body[i];
        low = lowest(low, one);
        high = highest(high, one);
    }
    return share_of_edge(low.x, high.x, all.x) * share_of_edge(low.y, high.y, all.y) *
               share_of_edge(low.z, high.z, all.z) * (float)n >
           cut * (float)(to - from);
}

/* The end of the part that begins with body `from` of the group first ... end - 1: a group is
 * halved, and its halves are, until none is too wide. */
INLINE i32 part_end(GLOBAL const float4 *body, i32 first, i32 from, i32 end, float4 all, i32 n,
                    float cut)
{
    i32 size = GROUP_BODIES;

    while ((from - first) % size != 0)
        size /= 2;
    while (size > SMALLEST && too_wide(body, from, min(from + size, end), all, n, cut))
        size /= 2;
    return min(from + size, end);
}

INLINE int2 part_of(i32 from, i32 to)
{
    int2 part;

    part.x = from;
    part.y = to;
    return part;
}

/* parts[k], for each of `groups` groups: the first body of its first part and the one behind its
 * last. The further parts of all groups follow, in any order, in `more` places, 0 before; behind
 * these stands how many places they need, which may be more than there are. halves: of cells, the
 * root first. */
KERNEL GROUP_SIZE(BLOCK)
    gaburov_parts(GLOBAL const float4 *RESTRICT body, GLOBAL const float4 *RESTRICT halves,
                  GLOBAL int2 *RESTRICT parts, i32 groups, i32 more, i32 n, float cut)
{
    const i32 k = get_global_id(0), first = k * GROUP_BODIES, end = min(first + GROUP_BODIES, n);
    GLOBAL i32 *const needed = (GLOBAL i32 *)(parts + groups + more);

    if (k < groups) {
        const float4 all = halves[0];
        i32 from = part_end(body, first, first, end, all, n, cut);
        parts[k] = part_of(first, from);
        while (from < end) {
            const i32 to = part_end(body, first, from, end, all, n, cut),
                      at = atomic_add(needed, 1);
            if (at < more)
                parts[groups + at] = part_of(from, to);
            from = to;
        }
    }
}
