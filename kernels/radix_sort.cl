/* SPDX-License-Identifier: MIT */
/* A stable radix sort of 64-bit keys with a 32-bit value each, least significant digit first,
 * without subgroup votes: one source for every device. A pass over one digit is three launches:
 *
 *     radix_count     how often each digit occurs in each tile of BLOCK * ITEMS keys
 *     radix_scan      for each digit, where a tile's keys begin among all keys of that digit, and
 *                     how many there are
 *     radix_scatter   ranks the keys within their tile and writes them where they belong
 *
 * With SWEEP it is one launch a pass, after two for all of them: a pass reads and writes each key
 * once (Adinets & Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs",
 * arXiv:2206.01784, 2022). A group waits there for tiles before its own, so the device must run
 * groups that have begun until they end; that they begin in order it need not, for a group takes
 * the next tile when it begins:
 *
 *     radix_histogram how often each digit of each pass occurs
 *     radix_bases     for each pass and digit, how many keys have a smaller digit
 *     radix_sweep     ranks the keys within their tile, learns from the tiles before it where they
 *                     belong (decoupled look-back), and writes them there, neighbours together
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
#define DIGIT_BITS 8
#define MOST_PASSES 8
/* Neighbouring threads that mark in one word which of them hold a digit. */
#define LANES (BLOCK < 32 ? BLOCK : 32)
#define TEAMS (BLOCK / LANES)
#define TILE (BLOCK * ITEMS)
#ifndef SWEEP
#define SWEEP 0
#endif

#define DIGIT_OF(key, shift) ((i32)((key) >> (shift)) & (DIGITS - 1))

/* Each thread of the team that holds a key of digit row `at` learns the mask of those that do.
 * Called by all of the team; the team's words in `holders` are 0 before and after. */
#define HOLDERS_OF(mask, holders, at, mine)  \
    do {                                     \
        if (mine)                            \
            atomic_or(&(holders)[at], 1u << lane); \
        GROUP_BARRIER(LANES);                \
        (mask) = (mine) ? (holders)[at] : 0; \
    } while (0)

#if !SWEEP
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
        u32 all;
        HOLDERS_OF(all, holders, at, mine);
        if (mine)
            rank[r] = seen[at] + popcount(all & ((1u << lane) - 1u));
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
#else

/* A word of `status` says of a tile and a digit how many keys have it: those of this tile, or those
 * of this tile and all before it. 0: not known yet. */
#define OF_TILE (1u << 30)
#define UP_TO_TILE (2u << 30)
#define KEYS(word) ((word) & (OF_TILE - 1u))

/* counts: DIGITS of each pass, which are 0 before. Clears `status` for the first pass. */
KERNEL GROUP_SIZE(BLOCK)
    radix_histogram(GLOBAL const u64 *RESTRICT key, GLOBAL u32 *RESTRICT counts,
                    GLOBAL u32 *RESTRICT status, i32 n, i32 passes, i32 tiles)
{
    const i32 t = get_local_id(0), group = get_group_id(0), groups = get_num_groups(0);
    LOCAL u32 found[MOST_PASSES * DIGITS];

    for (i32 k = t; k < passes * DIGITS; k += BLOCK)
        found[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i32 tile = group; tile < tiles; tile += groups) {
        const i32 first = tile * TILE + t;
        for (i32 d = t; d < DIGITS; d += BLOCK)
            status[tile * DIGITS + d] = 0;
        for (i32 r = 0; r < ITEMS && first + r * BLOCK < n; r++) {
            const u64 own = key[first + r * BLOCK];
            for (i32 pass = 0; pass < passes; pass++)
                atomic_add(&found[pass * DIGITS + DIGIT_OF(own, DIGIT_BITS * pass)], 1u);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i32 k = t; k < passes * DIGITS; k += BLOCK)
        if (found[k])
            atomic_add(&counts[k], found[k]);
}

/* Group p turns the counts of pass p into exclusive sums. */
KERNEL GROUP_SIZE(BLOCK) radix_bases(GLOBAL u32 *RESTRICT counts)
{
    const i32 t = get_local_id(0), group = get_group_id(0);
    LOCAL u32 words[BLOCK];
    GLOBAL u32 *const row = counts + group * DIGITS;
    u32 before = 0;

    for (i32 from = 0; from < DIGITS; from += BLOCK) {
        const u32 sum = SUM_BEFORE(words, BLOCK, from + t < DIGITS ? row[from + t] : 0, &before);
        if (from + t < DIGITS)
            row[from + t] = sum;
    }
}

/* How many keys of digit d the tiles before this one hold. */
INLINE u32 keys_before(GLOBAL u32 *status, i32 tile, i32 d)
{
    u32 sum = 0, word = 0;

    for (i32 before = tile - 1; before >= 0 && !(word & UP_TO_TILE);) {
        word = (u32)ATOMIC_READ_I32((GLOBAL i32 *)&status[before * DIGITS + d]);
        if (word) {
            sum += KEYS(word);
            before--;
        }
    }
    return sum;
}

/* A tile's keys are divided among its teams in order; a team takes LANES neighbouring keys a round.
 * Behind the last key stand keys of the last digit, which are the last of it and go nowhere.
 * sums: the bases of all passes, then a ticket for each. next: the status of the next pass, which
 * this one clears. */
KERNEL GROUP_SIZE(BLOCK)
    radix_sweep(GLOBAL const u64 *RESTRICT key, GLOBAL const u32 *RESTRICT value,
                GLOBAL u64 *RESTRICT key_out, GLOBAL u32 *RESTRICT value_out,
                GLOBAL u32 *sums, GLOBAL u32 *status, GLOBAL u32 *RESTRICT next, i32 n, i32 pass)
{
    const i32 t = get_local_id(0), lane = t % LANES, team = t / LANES, shift = DIGIT_BITS * pass;
    /* First the counters of the teams, then the keys in order, then their values. */
    LOCAL u64 sorted[TILE > TEAMS * DIGITS ? TILE : TEAMS * DIGITS];
    LOCAL_POINTER(u32) const seen = (LOCAL_POINTER(u32))sorted;
    LOCAL_POINTER(u32) const holders = seen + TEAMS * DIGITS;
    LOCAL u32 to[DIGITS]; /* where a key of that digit goes, less its place in the tile */
    LOCAL u32 words[BLOCK];
    LOCAL i32 ticket;
    u64 own[ITEMS];
    u32 at[ITEMS], values[ITEMS];

    if (t == 0)
        ticket = (i32)atomic_add(&sums[MOST_PASSES * DIGITS + pass], 1u);
    for (i32 k = t; k < TEAMS * DIGITS; k += BLOCK)
        holders[k] = seen[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const i32 tile = ticket, first = tile * TILE, held = n - first < TILE ? n - first : TILE;
    const i32 from = team * LANES * ITEMS + lane;
    UNROLL
    for (i32 r = 0; r < ITEMS; r++)
        own[r] = from + r * LANES < held ? key[first + from + r * LANES] : ~(u64)0;
    UNROLL
    for (i32 r = 0; r < ITEMS; r++)
        atomic_add(&seen[team * DIGITS + DIGIT_OF(own[r], shift)], 1u);
    barrier(CLK_LOCAL_MEM_FENCE);
    /* What this tile holds is told before it is ranked, since others wait for it. Then seen[] is
     * where in the tile the team's first key of a digit goes. */
    u32 before = 0;
    for (i32 digit = 0; digit < DIGITS; digit += BLOCK) {
        const i32 d = digit + t;
        u32 count = 0;
        for (i32 k = 0; k < TEAMS && d < DIGITS; k++)
            count += seen[k * DIGITS + d];
        const u32 keys = d == DIGITS - 1 ? count - (u32)(TILE - held) : count;
        if (d < DIGITS)
            ATOMIC_WRITE_U32(&status[tile * DIGITS + d], (tile ? OF_TILE : UP_TO_TILE) | keys);
        u32 place = SUM_BEFORE(words, BLOCK, count, &before);
        if (d < DIGITS) {
            next[tile * DIGITS + d] = 0;
            to[d] = place;
        }
        for (i32 k = 0; k < TEAMS && d < DIGITS; k++) {
            const u32 here = seen[k * DIGITS + d];
            seen[k * DIGITS + d] = place;
            place += here;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    UNROLL
    for (i32 r = 0; r < ITEMS; r++) {
        const i32 row = team * DIGITS + DIGIT_OF(own[r], shift);
        u32 all;
        HOLDERS_OF(all, holders, row, 1);
        at[r] = seen[row] + popcount(all & ((1u << lane) - 1u));
        GROUP_BARRIER(LANES);
        if ((all & ((1u << lane) - 1u)) == 0) {
            seen[row] += popcount(all);
            holders[row] = 0;
        }
        GROUP_BARRIER(LANES);
    }
    UNROLL
    for (i32 r = 0; r < ITEMS; r++)
        values[r] = from + r * LANES < held ? value[first + from + r * LANES] : 0;
    for (i32 d = t; d < DIGITS; d += BLOCK) {
        const u32 earlier = keys_before(status, tile, d);
        if (tile)
            ATOMIC_WRITE_U32(&status[tile * DIGITS + d],
                             UP_TO_TILE | (earlier + KEYS(status[tile * DIGITS + d])));
        to[d] = sums[pass * DIGITS + d] + earlier - to[d];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    UNROLL
    for (i32 r = 0; r < ITEMS; r++)
        sorted[at[r]] = own[r];
    barrier(CLK_LOCAL_MEM_FENCE);
    UNROLL
    for (i32 r = 0; r < ITEMS; r++) {
        const i32 k = t + r * BLOCK;
        own[r] = sorted[k];
        if (k < held)
            key_out[to[DIGIT_OF(own[r], shift)] + k] = own[r];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    LOCAL_POINTER(u32) const moved = (LOCAL_POINTER(u32))sorted;
    UNROLL
    for (i32 r = 0; r < ITEMS; r++)
        moved[at[r]] = values[r];
    barrier(CLK_LOCAL_MEM_FENCE);
    UNROLL
    for (i32 r = 0; r < ITEMS; r++) {
        const i32 k = t + r * BLOCK;
        if (k < held)
            value_out[to[DIGIT_OF(own[r], shift)] + k] = moved[k];
    }
}
#endif
