/* SPDX-License-Identifier: MIT */
/* A stable radix sort of 64-bit keys with a 32-bit value each, least significant digit first,
 * without subgroup votes: one source for every device. A pass over one digit is three launches:
 *
 *     radix_count     how often each digit occurs in each tile of BLOCK * ITEMS keys
 *     radix_scan      for each digit, where a tile's keys begin among all keys of that digit, and
 * how many there are radix_scatter   ranks the keys within their tile and writes them where they
 * belong
 *
 * variants/common/radix_sort.h launches them. */
#ifndef BLOCK
#define BLOCK 64
#endif
/* Keys that a thread ranks one after the other. */
#ifndef ITEMS
#define ITEMS 8
#endif
#define DIGITS 256
/* Neighbouring threads that mark in one word which of them hold a digit. */
#define LANES (BLOCK < 32 ? BLOCK : 32)
#define TEAMS (BLOCK / LANES)
#define TILE (BLOCK * ITEMS)

#define DIGIT_OF(key, shift) ((i32)((key) >> (shift)) & (DIGITS - 1))

/* counts: DIGITS rows of `tiles`. */
KERNEL GROUP_SIZE(BLOCK)
    radix_count(GLOBAL const u64 *RESTRICT key, GLOBAL u32 *RESTRICT counts, i32 n, i32 shift)
{
    const i32 t = get_local_id(0), group = get_group_id(0);
    LOCAL u32 found[DIGITS];
    const i32 first = group * TILE + t;

    for (i32 d = t; d < DIGITS; d += BLOCK)
        found[d] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i32 r = 0; r < ITEMS; r++)
        if (first + r * BLOCK < n)
            atomic_add(&found[DIGIT_OF(key[first + r * BLOCK], shift)], 1u);
    barrier(CLK_LOCAL_MEM_FENCE);
    const i32 groups = get_num_groups(0);
    for (i32 d = t; d < DIGITS; d += BLOCK)
        counts[d * groups + group] = found[d];
}

/* Group d turns row d of `counts` into exclusive sums and puts the row's total into totals[d]. */
KERNEL GROUP_SIZE(BLOCK)
    radix_scan(GLOBAL u32 *RESTRICT counts, GLOBAL u32 *RESTRICT totals, i32 tiles)
{
    const i32 group = get_group_id(0);
    LOCAL u32 words[BLOCK];
    GLOBAL u32 *const row = counts + group * tiles;
    const i32 t = get_local_id(0);
    u32 before = 0;

    for (i32 from = 0; from < tiles; from += BLOCK) {
        const u32 sum = SUM_BEFORE(words, BLOCK, from + t < tiles ? row[from + t] : 0, &before);
        if (from + t < tiles)
            row[from + t] = sum;
    }
    if (t == 0)
        totals[group] = before;
}

/* first[d] becomes the number of all keys with a smaller digit. */
INLINE void first_of_digits(LOCAL_POINTER(u32) first, LOCAL_POINTER(u32) words,
                            GLOBAL const u32 *totals)
{
    const i32 t = get_local_id(0);
    u32 before = 0;

    for (i32 from = 0; from < DIGITS; from += BLOCK) {
        const u32 sum = SUM_BEFORE(words, BLOCK, from + t < DIGITS ? totals[from + t] : 0, &before);
        if (from + t < DIGITS)
            first[from + t] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* A tile's keys are divided among its teams in order; a team takes LANES neighbouring keys a
 * round. */
KERNEL GROUP_SIZE(BLOCK)
    radix_scatter(GLOBAL const u64 *RESTRICT key, GLOBAL const u32 *RESTRICT value,
                  GLOBAL u64 *RESTRICT key_out, GLOBAL u32 *RESTRICT value_out,
                  GLOBAL const u32 *RESTRICT counts, GLOBAL const u32 *RESTRICT totals, i32 n,
                  i32 shift)
{
    const i32 t = get_local_id(0), group = get_group_id(0);
    LOCAL u32 holders[TEAMS * DIGITS]; /* per team and digit: which lanes hold it in this round */
    LOCAL u32 seen[TEAMS * DIGITS];    /* how many held it in the rounds before */
    LOCAL u32 first[DIGITS];
    LOCAL u32 words[BLOCK];
    const i32 lane = t % LANES, team = t / LANES;
    const i32 from = group * TILE + team * LANES * ITEMS + lane;
    u64 own[ITEMS];
    u32 rank[ITEMS];

    for (i32 k = t; k < TEAMS * DIGITS; k += BLOCK)
        holders[k] = seen[k] = 0;
    first_of_digits(first, words, totals);
    UNROLL
    for (i32 r = 0; r < ITEMS; r++)
        own[r] = from + r * LANES < n ? key[from + r * LANES] : 0;
    UNROLL
    for (i32 r = 0; r < ITEMS; r++) {
        const i32 at = team * DIGITS + DIGIT_OF(own[r], shift), mine = from + r * LANES < n;
        u32 all = 0;
        if (mine)
            atomic_or(&holders[at], 1u << lane);
        GROUP_BARRIER(LANES);
        if (mine) {
            all = holders[at];
            rank[r] = seen[at] + popcount(all & ((1u << lane) - 1u));
        }
        GROUP_BARRIER(LANES);
        if (mine && (all & ((1u << lane) - 1u)) == 0) {
            seen[at] += popcount(all);
            holders[at] = 0;
        }
        GROUP_BARRIER(LANES);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    /* From now on seen[] is where the team's first key of a digit goes. */
    for (i32 d = t; d < DIGITS; d += BLOCK) {
        const i32 groups = get_num_groups(0);
        u32 next = first[d] + counts[d * groups + group];
        for (i32 k = 0; k < TEAMS; k++) {
            const u32 here = seen[k * DIGITS + d];
            seen[k * DIGITS + d] = next;
            next += here;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    UNROLL
    for (i32 r = 0; r < ITEMS; r++)
        if (from + r * LANES < n) {
            const u32 to = seen[team * DIGITS + DIGIT_OF(own[r], shift)] + rank[r];
            key_out[to] = own[r];
            value_out[to] = value[from + r * LANES];
        }
}
