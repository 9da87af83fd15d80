/* SPDX-License-Identifier: MIT */
/* What of a rank's tree the others need: its locally essential parts (Warren & Salmon 1992). Which
 * cells some group of another rank's bodies would open is for the papers' kernels to say; here that
 * becomes lists. variants/common/essential_tree.h launches the kernels.
 *
 * A cell is needed where all above it are opened, so that cells are needed with all their siblings,
 * and keep their order. A leaf that is opened goes with its bodies. Bit r of a mask is rank r. */
#ifndef BLOCK
#define BLOCK 64
#endif

/* need: masks of the ranks that open all cells above each; `others`: those there are. */
KERNEL GROUP_SIZE(BLOCK)
    essential_need(GLOBAL const u64 *RESTRICT open, GLOBAL const i32 *RESTRICT parent,
                   GLOBAL const i32 *RESTRICT count, GLOBAL u64 *RESTRICT need, i32 at, i32 extra,
                   u32 others, u32 others_high)
{
    const i32 cells = count[at] + extra;

    for (i32 c = get_global_id(0); c < cells; c += get_global_size(0)) {
        u64 mask = (u64)others | (u64)others_high << 32;
        for (i32 above = parent[c]; above >= 0 && mask; above = parent[above])
            mask &= open[above];
        need[c] = mask;
    }
}

/* Each group looks at a slice of all cells. */
INLINE i32 slice_length(i32 cells, i32 slices)
{
    return (cells + slices - 1) / slices;
}

INLINE u32 needs(GLOBAL const u64 *need, i32 c, i32 rank)
{
    return (u32)(need[c] >> rank) & 1u;
}

/* Bodies that go with cell c. leaf: first body and bodies; 0 of a cell with children. */
INLINE u32 bodies_with(GLOBAL const u64 *need, GLOBAL const u64 *open, GLOBAL const int2 *leaf,
                       i32 c, i32 rank)
{
    return (need[c] & open[c]) >> rank & 1u ? (u32)leaf[c].y : 0u;
}

/* sums[rank * slices + slice]: cells and bodies of the slice that the rank needs. A group a slice
 * of a rank. */
KERNEL GROUP_SIZE(BLOCK)
    essential_count(GLOBAL const u64 *RESTRICT need, GLOBAL const u64 *RESTRICT open,
                    GLOBAL const int2 *RESTRICT leaf, GLOBAL const i32 *RESTRICT count,
                    GLOBAL int2 *RESTRICT sums, i32 at, i32 extra, i32 slices)
{
    const i32 t = get_local_id(0), group = get_group_id(0), rank = group / slices;
    const i32 cells = count[at] + extra, length = slice_length(cells, slices),
              first = group % slices * length;
    LOCAL u32 words[BLOCK];
    u32 some = 0, held = 0, all = 0, bodies = 0;

    for (i32 k = t; k < length && first + k < cells; k += BLOCK) {
        some += needs(need, first + k, rank);
        held += bodies_with(need, open, leaf, first + k, rank);
    }
    SUM_BEFORE(words, BLOCK, some, &all);
    SUM_BEFORE(words, BLOCK, held, &bodies);
    if (t == 0) {
        int2 sum;
        sum.x = (i32)all;
        sum.y = (i32)bodies;
        sums[group] = sum;
    }
}

/* The sums of each rank become exclusive ones; `own`'s row of sizes: pairs of cells and bodies for
 * each rank, then the cells there are. A group a rank. */
KERNEL GROUP_SIZE(BLOCK)
    essential_offsets(GLOBAL int2 *RESTRICT sums, GLOBAL const i32 *RESTRICT count,
                      GLOBAL i32 *RESTRICT sizes, i32 at, i32 extra, i32 slices, i32 own)
{
    const i32 t = get_local_id(0), rank = get_group_id(0), ranks = get_num_groups(0);
    GLOBAL int2 *const row = sums + rank * slices;
    GLOBAL i32 *const size = sizes + own * (2 * ranks + 1);
    LOCAL u32 words[BLOCK];
    u32 cells = 0, bodies = 0;

    for (i32 from = 0; from < slices; from += BLOCK) {
        const i32 k = from + t, mine = k < slices;
        int2 sum;
        sum.x = (i32)SUM_BEFORE(words, BLOCK, mine ? (u32)row[k].x : 0, &cells);
        sum.y = (i32)SUM_BEFORE(words, BLOCK, mine ? (u32)row[k].y : 0, &bodies);
        if (mine)
            row[k] = sum;
    }
    if (t == 0) {
        size[2 * rank] = (i32)cells;
        size[2 * rank + 1] = (i32)bodies;
        if (rank == 0)
            size[2 * ranks] = count[at] + extra;
    }
}

/* place: where each cell that the rank needs, and its first body, come to be among all that go to
 * it. A group a slice. */
KERNEL GROUP_SIZE(BLOCK)
    essential_place(GLOBAL const u64 *RESTRICT need, GLOBAL const u64 *RESTRICT open,
                    GLOBAL const int2 *RESTRICT leaf, GLOBAL const i32 *RESTRICT count,
                    GLOBAL const int2 *RESTRICT sums, GLOBAL int2 *RESTRICT place, i32 at,
                    i32 extra, i32 slices, i32 rank)
{
    const i32 t = get_local_id(0), slice = get_group_id(0);
    const i32 cells = count[at] + extra, length = slice_length(cells, slices);
    const int2 base = sums[rank * slices + slice];
    LOCAL u32 words[BLOCK];
    u32 before = (u32)base.x, bodies = (u32)base.y;

    for (i32 from = 0; from < length; from += BLOCK) {
        const i32 k = from + t, c = slice * length + k, mine = k < length && c < cells;
        int2 to;
        to.x = (i32)SUM_BEFORE(words, BLOCK, mine ? needs(need, c, rank) : 0, &before);
        to.y = (i32)SUM_BEFORE(words, BLOCK, mine ? bodies_with(need, open, leaf, c, rank) : 0,
                               &bodies);
        if (mine)
            place[c] = to;
    }
}

/* The bodies that go to the rank, from out[first] on. */
KERNEL GROUP_SIZE(BLOCK)
    essential_bodies(GLOBAL const u64 *RESTRICT need, GLOBAL const u64 *RESTRICT open,
                     GLOBAL const int2 *RESTRICT leaf, GLOBAL const i32 *RESTRICT count,
                     GLOBAL const int2 *RESTRICT place, GLOBAL const float4 *RESTRICT body,
                     GLOBAL float4 *RESTRICT out, i32 at, i32 extra, i32 first, i32 rank)
{
    const i32 cells = count[at] + extra;

    for (i32 c = get_global_id(0); c < cells; c += get_global_size(0)) {
        const i32 bodies = (i32)bodies_with(need, open, leaf, c, rank);
        for (i32 k = 0; k < bodies; k++)
            out[first + place[c].y + k] = body[leaf[c].x + k];
    }
}
