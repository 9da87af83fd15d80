/* SPDX-License-Identifier: MIT */
/* Where each group's interaction list begins, from the lengths that the first walk found (Gaburov
 * et al. 2010, section 3.2.2, where the host adds them up), and which consecutive groups share a
 * chunk of list memory.
 *
 *     octgrav_sums      entries of each tile of BLOCK * ITEMS groups
 *     octgrav_tiles     entries before each tile; one work-group
 *     octgrav_offsets   entries before each group
 *     octgrav_chunks    bounds of the chunks; one thread
 *
 * length: node and leaf entries of each group. offset: groups + 1 of them, the last the total. The
 * lists of a group take whole elements of four entries. */
#ifndef BLOCK
#define BLOCK 64
#endif
/* Consecutive groups that a thread adds up. */
#ifndef ITEMS
#define ITEMS 8
#endif
#define TILE (BLOCK * ITEMS)

/* words[t] becomes the sum of words[0 ... t] of the group's BLOCK words. */
INLINE void add_up(LOCAL_POINTER(u64) words)
{
    const i32 t = get_local_id(0);

    barrier(CLK_LOCAL_MEM_FENCE);
    for (i32 reach = 1; reach < BLOCK; reach *= 2) {
        const u64 below = t >= reach ? words[t - reach] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        words[t] += below;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

INLINE u64 entries_of(int2 length)
{
    return ((u64)length.x + (u64)length.y + 3) / 4 * 4;
}

/* Entries of the thread's own groups of the tile. */
INLINE u64 own_entries(GLOBAL const int2 *length, i32 first, i32 groups)
{
    u64 sum = 0;

    for (i32 g = first; g < min(first + ITEMS, groups); g++)
        sum += entries_of(length[g]);
    return sum;
}

KERNEL GROUP_SIZE(BLOCK)
    octgrav_sums(GLOBAL const int2 *RESTRICT length, GLOBAL u64 *RESTRICT sums, i32 groups)
{
    const i32 t = get_local_id(0), group = get_group_id(0);
    LOCAL u64 words[BLOCK];

    words[t] = own_entries(length, group * TILE + t * ITEMS, groups);
    add_up(words);
    if (t == 0)
        sums[group] = words[BLOCK - 1];
}

/* sums: of the tiles; afterwards entries before each. */
KERNEL GROUP_SIZE(BLOCK) octgrav_tiles(GLOBAL u64 *RESTRICT sums, i32 tiles)
{
    LOCAL u64 words[BLOCK];
    const i32 t = get_local_id(0);
    u64 before = 0;

    for (i32 from = 0; from < tiles; from += BLOCK) {
        const u64 own = from + t < tiles ? sums[from + t] : 0;
        words[t] = own;
        add_up(words);
        if (from + t < tiles)
            sums[from + t] = before + words[t] - own;
        before += words[BLOCK - 1];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

KERNEL GROUP_SIZE(BLOCK)
    octgrav_offsets(GLOBAL const int2 *RESTRICT length, GLOBAL const u64 *RESTRICT sums,
                    GLOBAL u64 *RESTRICT offset, i32 groups)
{
    const i32 t = get_local_id(0), group = get_group_id(0);
    LOCAL u64 words[BLOCK];
    const i32 first = group * TILE + t * ITEMS;
    const u64 own = own_entries(length, first, groups);

    words[t] = own;
    add_up(words);
    u64 before = sums[group] + words[t] - own;
    for (i32 g = first; g < min(first + ITEMS, groups); g++) {
        offset[g] = before;
        before += entries_of(length[g]);
        if (g == groups - 1)
            offset[groups] = before;
    }
}

/* A chunk has as many groups as have at most `most` entries together, and at least one. chunks: how
 * many there are, the entries of the longest, the first group of each, `groups`. */
KERNEL GROUP_SIZE(1) octgrav_chunks(GLOBAL const u64 *RESTRICT offset, GLOBAL u32 *RESTRICT chunks,
                                    i32 groups, i32 most)
{
    u32 count = 0;
    u64 longest = 0;

    for (i32 first = 0; first < groups; count++) {
        i32 end = first + 1, last = groups;
        while (end < last) {
            const i32 middle = end + (last - end + 1) / 2;
            if (offset[middle] - offset[first] <= (u64)most)
                end = middle;
            else
                last = middle - 1;
        }
        longest = max(longest, offset[end] - offset[first]);
        chunks[2 + count] = (u32)first;
        first = end;
    }
    chunks[0] = count;
    chunks[1] = (u32)longest;
    chunks[2 + count] = (u32)groups;
}
