/* SPDX-License-Identifier: MIT */
/* Forces from the tree of kernels/feng_modern.cl. A group takes LANES * BODIES * VECTOR bodies in a
 * row by key and walks the tree once for all of them: a cell is taken as one body when w < theta d,
 * with d the distance of its centre of mass from the smallest box around the group's bodies, so
 * also for each of them.
 *
 * The children of opened cells, a row of four each, lie on a stack in local memory. Each thread
 * takes one of the topmost; those that are taken go to a list, those that are leaves to another,
 * the rest are opened, and their rows go to the stack. Votes say where: of the warp where a team is
 * one and the device has them, else by bits set in local memory. All threads meet what is in a list
 * when it is full. A group is WARPS teams of BLOCK threads, of which every LANES, a part, hold all
 * of its bodies. Cells are dealt out to all parts. Leaves are dealt out to teams, which bring their
 * bodies to local memory, and these to the team's parts. At the end the parts' sums are added
 * up. */
#ifndef BLOCK
#define BLOCK 32
#endif
#ifndef WARPS
#define WARPS 1
#endif
#ifndef LANES
#define LANES BLOCK
#endif
#ifndef BODIES
#define BODIES 2
#endif
#define THREADS (BLOCK * WARPS)
#define PARTS (BLOCK / LANES) /* of a team */
#define GROUP_BODIES (LANES * BODIES * VECTOR)
#if BLOCK > 32 || WARPS > 16
#error "a vote has 32 bits, and counts are packed"
#endif
#include "feng_count.h"
#include "feng_far.h"
#include "lanes.h"

/* Of a row FOUR threads take a cell each: fewer threads than four one part of it after another. A
 * round puts at most four rows on the stack for each that it takes; above HIGH only one at a time
 * is taken, which goes depth first and needs three rows a level (FENG_MAX_DEPTH and one to
 * spare). */
#define FOUR (THREADS < 4 ? THREADS : 4)
#define HIGH (THREADS > 64 ? THREADS : 64)
#define STACK (HIGH + 3 * 31)
/* Cells that act at once, for each team; room for as many, those of a round more, and the parts'
 * sums. */
#define LIST 32
#define ROOM                                                                  \
    ((LIST * WARPS + THREADS) * 2 > THREADS * VECTOR ? LIST * WARPS + THREADS \
                                                     : THREADS * VECTOR / 2)
#if WARPS > 1
#define TEAMS_BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#else
#define TEAMS_BARRIER() GROUP_BARRIER(BLOCK)
#endif

struct own {
    real x[BODIES], y[BODIES], ax[BODIES], ay[BODIES];
    lanes index[BODIES];
};

INLINE float4 around(float4 a, float4 b)
{
    return MAKE_FLOAT4(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z > b.z ? a.z : b.z,
                       a.w > b.w ? a.w : b.w);
}

/* Bodies i ... i + VECTOR - 1 by key; beyond the last body the last one again, whose sums are
 * not stored. Returns the box around them and `box`. */
INLINE float4 load(struct own *b, i32 k, GLOBAL const float4 *body, i32 i, i32 n,
                   float4 box COUNT_PARAMETER(counts))
{
    float x[VECTOR], y[VECTOR];
    i32 index[VECTOR];

    UNROLL
    for (i32 lane = 0; lane < VECTOR; lane++) {
        const float4 one = COUNTED(counts, ORR_GR, 4, body[min(i + lane, n - 1)]);
        x[lane] = one.x;
        y[lane] = one.y;
        index[lane] = i + lane < n ? i + lane : LANE_OF_NOBODY(n - 1);
        box = around(box, MAKE_FLOAT4(one.x, one.y, one.x, one.y));
    }
    b->x[k] = REAL_LOAD(x, 0);
    b->y[k] = REAL_LOAD(y, 0);
    b->index[k] = REAL_LOAD(index, 0);
    b->ax[k] = b->ay[k] = REAL(0.0f);
    return box;
}

/* Bodies of leaves in local memory at once, for each team. A thread by itself needs no copy. */
#define TILE 64
#define STAGED (BLOCK > 1)

/* Cells or bodies in one round of a part's loop. */
#define AT_ONCE 4

/* A cell or body at x, y acts; `j` is the body's index by key where meets_itself, a constant where
 * called. */
INLINE void interact(struct own *b, float x, float y, float mass, i32 j, i32 meets_itself,
                     float eps2)
{
    UNROLL
    for (i32 k = 0; k < BODIES; k++) {
        const lanes self = meets_itself ? b->index[k] == (lanes)(j) : (lanes)(0);
        PAIR2_WITH(b->ax[k], b->ay[k], b->x[k], b->y[k], x, y, mass, REAL(eps2), r2,
                   PAIR_RSQRT_BUT(self, r2));
    }
}

INLINE void meet(struct own *b, GLOBAL const float4 *body, i32 from, i32 to, i32 meets_itself,
                 float eps2 COUNT_PARAMETER(counts))
{
    UNROLL_BY(2)
    for (i32 j = from; j < to; j++) {
        const float4 other = COUNTED(counts, ORR_GR, 4, body[j]);
        UNROLL
        for (i32 k = 0; k < BODIES; k++)
            COUNT_BODY(counts, b->index[k], j, 0x7fffffff);
        interact(b, other.x, other.y, other.w, j, meets_itself, eps2);
    }
}

/* The box around the boxes of a team, of which the caller is thread t. `boxes`: BLOCK. */
INLINE float4 around_team(LOCAL_POINTER(float4) boxes, i32 t, float4 box)
{
    boxes[t] = box;
    for (i32 reach = BLOCK / 2; reach > 0; reach /= 2) {
        GROUP_BARRIER(BLOCK);
        if (t < reach)
            boxes[t] = around(boxes[t], boxes[t + reach]);
    }
    GROUP_BARRIER(BLOCK);
    box = boxes[0];
    GROUP_BARRIER(BLOCK);
    return box;
}

/* Adds the sums of all parts of all teams to those of the first. `words`: 2 THREADS VECTOR. */
INLINE void add_parts(struct own *b, LOCAL_POINTER(float) words, i32 lane, i32 part)
{
#if PARTS * WARPS > 1
    UNROLL
    for (i32 k = 0; k < BODIES; k++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        REAL_STORE(b->ax[k], words, 2 * (part * LANES + lane));
        REAL_STORE(b->ay[k], words, 2 * (part * LANES + lane) + 1);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (i32 other = 1; other < PARTS * WARPS && part == 0; other++) {
            b->ax[k] += REAL_LOAD(words, 2 * (other * LANES + lane));
            b->ay[k] += REAL_LOAD(words, 2 * (other * LANES + lane) + 1);
        }
    }
#endif
}

#if STAGED
/* A team's part of local memory. */
struct team {
    LOCAL_POINTER(float4) tile;
    LOCAL_POINTER(i32) index;
    LOCAL_POINTER(u32) starts;
    LOCAL_POINTER(u32) words;
    LOCAL_POINTER(u32) tally; /* WARPS, of all teams */
    i32 number, t, part;
};

#include "team_rounds.h"

/* The `count` bodies in the tile act; meets_itself, a constant where called: the thread's own may
 * be among them. */
INLINE void meet_tile(struct own *b, const struct team *m, i32 count, i32 meets_itself,
                      float eps2 COUNT_PARAMETER(counts))
{
    for (i32 at = m->part; at < count; at += AT_ONCE * PARTS) {
        UNROLL
        for (i32 r = 0; r < AT_ONCE; r++) {
            const float4 other = COUNTED(counts, ORR_SR, 4, m->tile[at + r * PARTS]);
            UNROLL
            for (i32 k = 0; k < BODIES; k++)
                COUNT_BODY(counts, b->index[k], m->index[at + r * PARTS], 0x7fffffff);
            interact(b, other.x, other.y, other.w, m->index[at + r * PARTS], meets_itself, eps2);
        }
    }
}

/* The body at `place` among those of `count` leaves: starts[e] of them come before leaf e. */
INLINE i32 body_at(LOCAL_POINTER(u32) starts, LOCAL_POINTER(i32) first, i32 count, i32 place)
{
    i32 leaf = 0;

    UNROLL
    for (i32 further = BLOCK / 2; further > 0; further /= 2)
        if (leaf + further < count && (i32)starts[leaf + further] <= place)
            leaf += further;
    return first[leaf] + place - (i32)starts[leaf];
}

/* The bodies of the team's `count` leaves, at most BLOCK, act: first[] ... end[] - 1. */
INLINE void meet_leaves(struct own *b, const struct team *m, LOCAL_POINTER(i32) first,
                        LOCAL_POINTER(i32) end, i32 count, GLOBAL const float4 *body, i32 from,
                        i32 to, float eps2 COUNT_PARAMETER(counts))
{
    u32 total = 0;

    m->starts[m->t] = GROUP_SUM_BEFORE(m->words, BLOCK,
                                       m->t < count ? (u32)(end[m->t] - first[m->t]) : 0, &total);
    GROUP_BARRIER(BLOCK);
    const i32 most = most_of_teams(m, (i32)total);
    for (i32 at = 0; at < most; at += TILE) {
        const i32 here = max(min(TILE, (i32)total - at), 0),
                  whole = (here + AT_ONCE * PARTS - 1) / (AT_ONCE * PARTS) * (AT_ONCE * PARTS);
        i32 own = 0;
        UNROLL_BY(1)
        for (i32 k = m->t; k < whole; k += BLOCK) {
            const i32 j = body_at(m->starts, first, count, at + min(k, here - 1));
            float4 other = COUNTED(counts, ORR_GR, 4, body[j]);
            if (k >= here)
                other.w = 0.0f;
            own |= j >= from && j < to;
            COUNTED(counts, ORR_SW, 4, m->tile[k] = other);
            m->index[k] = k < here ? j : LANE_OF_NOBODY(j);
        }
        GROUP_BARRIER(BLOCK);
        /* Not if and else: between barriers PoCL 5 does not compile loops in both. */
        const i32 meets_itself = GROUP_VOTE(m->words, BLOCK, own) != 0;
        meet_tile(b, m, meets_itself ? whole : 0, 1, eps2 COUNT_PASS(counts));
        meet_tile(b, m, meets_itself ? 0 : whole, 0, eps2 COUNT_PASS(counts));
        GROUP_BARRIER(BLOCK);
    }
}
#endif

/* The `count` cells in the list act, on all parts, of which the thread's is one. Behind them is
 * room for what fills the last round. */
INLINE void meet_cells(struct own *b, LOCAL_POINTER(float4) list, i32 count, i32 part,
                       float eps2 COUNT_PARAMETER(counts))
{
    const i32 all = PARTS * WARPS,
              whole = (count + AT_ONCE * all - 1) / (AT_ONCE * all) * AT_ONCE * all;

    UNROLL_BY(1)
    for (i32 q = count + (i32)get_local_id(0); q < whole; q += THREADS)
        list[q] = MAKE_FLOAT4(list[0].x, list[0].y, 0.0f, 0.0f);
    TEAMS_BARRIER();
    UNROLL_BY(1)
    for (i32 at = part; at < whole; at += AT_ONCE * all) {
        UNROLL
        for (i32 r = 0; r < AT_ONCE; r++) {
            const i32 q = at + r * all;
            const float4 other = list[q];
            COUNT(counts, ORR_SR, q < count ? 4 : 0);
            UNROLL
            for (i32 k = 0; k < BODIES; k++)
                COUNT_CELL_OR_NONE(counts, q < count, b->index[k]);
            interact(b, other.x, other.y, other.z, 0, 0, eps2);
        }
    }
    TEAMS_BARRIER();
}

/* Three counts below 1024 in one word. */
#define THREE(a, b, c) ((u32)(a) | (u32)(b) << 10 | (u32)(c) << 20)
#define OF_THREE(word, k) ((i32)((word) >> (10 * (k)) & 0x3ff))

/* roots: of each of `trees` trees, together of all bodies; those from cell 0 on are the tree of the
 * n bodies that walk. work: interactions of each group, added to what is there. */
KERNEL GROUP_SIZE(THREADS)
    feng_walk(GLOBAL const float4 *RESTRICT body, GLOBAL const float4 *RESTRICT cells,
              GLOBAL const int4 *RESTRICT links, GLOBAL const u32 *RESTRICT order,
              GLOBAL float4 *RESTRICT acc, GLOBAL u64 *RESTRICT work,
              GLOBAL const i32 *RESTRICT roots, i32 trees, float theta2, float eps2,
              i32 n COUNT_ARGUMENT(totals))
{
    const i32 id = get_local_id(0), t = id % BLOCK, team = id / BLOCK, group = get_group_id(0);
    const i32 lane = t % LANES, part = team * PARTS + t / LANES;
    /* local_bytes() of barnes-hut-modern.c counts these. */
    LOCAL int4 stack[STACK];
    LOCAL float4 list[ROOM]; /* also of the parts' sums */
    LOCAL i32 leaf_from[2 * THREADS], leaf_to[2 * THREADS];
    LOCAL u32 words[THREADS], tally[WARPS + 1];
#if STAGED
    LOCAL float4 tile[TILE * WARPS];
    LOCAL i32 index[TILE * WARPS];
    LOCAL u32 starts[THREADS];
    struct team m;
    m.tile = tile + TILE * team;
    m.index = index + TILE * team;
    m.starts = starts + BLOCK * team;
    m.words = words + BLOCK * team;
    m.tally = tally;
    m.number = team;
    m.t = t;
    m.part = t / LANES;
#endif
    const i32 from = group * GROUP_BODIES, to = min(from + GROUP_BODIES, n);
    /* The thread's first body or vector; the k-th is LANES * VECTOR bodies further on. */
    const i32 i = from + lane * VECTOR;
    const u32 below = (1u << t) - 1u;
    const i32 of_taken = (i32)((u32)id / FOUR), child = (i32)((u32)id % FOUR);
    LOCAL_POINTER(i32) const rows = (LOCAL_POINTER(i32))stack;
    i32 evaluated = 0, selfs = 0, top = (trees + 3) / 4, far_count = 0, leaf_count = 0;
    struct own b;
    COUNT_STATE(counts);

    COUNT_IN(counts, FENG_COUNT_FORCES);
    const float4 one = COUNTED(counts, ORR_GR, 4, body[from]);
    float4 box = MAKE_FLOAT4(one.x, one.y, one.x, one.y);
    UNROLL
    for (i32 k = 0; k < BODIES; k++)
        box = load(&b, k, body, i + k * LANES * VECTOR, n, box COUNT_PASS(counts));
    box = around_team(list + team * BLOCK, t, box);
    for (i32 k = id; k < 4 * top; k += THREADS)
        rows[k] = k < trees ? roots[k] : -1;
    barrier(CLK_LOCAL_MEM_FENCE);
    while (top > 0) {
        const i32 taken = min(top, min(THREADS / FOUR, max((HIGH - top) >> 2, 1)));
        i32 far = 0, leaf = 0, opened = 0;
        float4 cell = MAKE_FLOAT4(0.0f, 0.0f, 0.0f, 0.0f);
        int4 link;
        top -= taken;
        const i32 c = of_taken < taken ? rows[4 * (top + of_taken) + child] : -1;
        link.x = link.y = link.z = link.w = 0;
        if (c >= 0) {
            cell = COUNTED(counts, ORR_GR, 4, cells[c]);
            far = is_far(cell, box, theta2);
            COUNT(counts, ORR_CT, 1);
            COUNT(counts, ORR_CA, far);
            if (!far) {
                link = COUNTED(counts, ORR_IR, 4, links[c]);
                leaf = link.x < 0;
                opened = !leaf;
            }
        }
        const u32 far_ones = GROUP_VOTE(words + BLOCK * team, BLOCK, far),
                  leaves = GROUP_VOTE(words + BLOCK * team, BLOCK, leaf),
                  opened_ones = GROUP_VOTE(words + BLOCK * team, BLOCK, opened);
        u32 all = THREE(popcount(far_ones), popcount(leaves), popcount(opened_ones)), before = 0;
#if WARPS > 1
        if (t == 0)
            tally[team] = all;
        barrier(CLK_LOCAL_MEM_FENCE);
        all = 0;
        UNROLL
        for (i32 other = 0; other < WARPS; other++) {
            before += other < team ? tally[other] : 0;
            all += tally[other];
        }
#else
        GROUP_BARRIER(BLOCK);
#endif
#if FOUR < 4
        /* The rest of the row. */
        if (rows[4 * top + FOUR] >= 0) {
            GROUP_BARRIER(BLOCK);
            if (id == 0)
                for (i32 k = 0; k < 4; k++)
                    rows[4 * top + k] = k + FOUR < 4 ? rows[4 * top + k + FOUR] : -1;
            top++;
        }
#endif
        if (far)
            list[far_count + OF_THREE(before, 0) + (i32)popcount(far_ones & below)] = cell;
        COUNT(counts, ORR_SW, far ? 4 : 0);
        COUNT(counts, ORR_CL, leaf);
        COUNT(counts, ORR_CB, leaf ? link.z - link.y : 0);
        if (leaf) {
            const i32 at = leaf_count + OF_THREE(before, 1) + (i32)popcount(leaves & below);
            leaf_from[at] = link.y;
            leaf_to[at] = link.z;
            evaluated += link.z - link.y;
            selfs += max(min(link.z, to) - max(link.y, from), 0);
        }
        if (opened)
            stack[top + OF_THREE(before, 2) + (i32)popcount(opened_ones & below)] = link;
        far_count += OF_THREE(all, 0);
        leaf_count += OF_THREE(all, 1);
        top += OF_THREE(all, 2);
        evaluated += id == 0 ? OF_THREE(all, 0) : 0;
        TEAMS_BARRIER();
        while (far_count >= (top > 0 ? LIST * WARPS : 1)) {
            const i32 count = min(far_count, LIST * WARPS);
            far_count -= count;
            meet_cells(&b, list + far_count, count, part, eps2 COUNT_PASS(counts));
        }
        while (leaf_count >= (top > 0 ? THREADS : 1)) {
            const i32 count = min(leaf_count, THREADS);
            leaf_count -= count;
#if STAGED
            const i32 each = (count + WARPS - 1) / WARPS, first_leaf = min(team * each, count);
            meet_leaves(&b, &m, leaf_from + leaf_count + first_leaf,
                        leaf_to + leaf_count + first_leaf, min(each, count - first_leaf), body,
                        from, to, eps2 COUNT_PASS(counts));
#else
            for (i32 q = leaf_count + team; q < leaf_count + count; q += WARPS) {
                const i32 leaf_begin = leaf_from[q], leaf_end = leaf_to[q];
                if (leaf_end > from && leaf_begin < to)
                    meet(&b, body, leaf_begin, leaf_end, 1, eps2 COUNT_PASS(counts));
                else
                    meet(&b, body, leaf_begin, leaf_end, 0, eps2 COUNT_PASS(counts));
            }
#endif
        }
    }
    TEAMS_BARRIER();
    if (id == 0)
        tally[0] = tally[1] = 0;
    TEAMS_BARRIER();
    if (evaluated)
        atomic_add(&tally[0], (u32)evaluated);
    if (selfs)
        atomic_add(&tally[1], (u32)selfs);
    add_parts(&b, (LOCAL_POINTER(float))list, lane, part);
    UNROLL
    for (i32 k = 0; k < BODIES; k++) {
        float ax[VECTOR], ay[VECTOR];
        REAL_STORE(b.ax[k], ax, 0);
        REAL_STORE(b.ay[k], ay, 0);
        UNROLL
        for (i32 v = 0; v < VECTOR; v++)
            if (part == 0 && i + k * LANES * VECTOR + v < n) {
                COUNT(counts, ORR_IR, 1);
                COUNT(counts, ORR_GW, 4);
                acc[order[i + k * LANES * VECTOR + v]] = MAKE_FLOAT4(ax[v], ay[v], 0.0f, 0.0f);
            }
    }
    TEAMS_BARRIER();
    if (id == 0)
        work[group] += (u64)tally[0] * (u64)(to - from) - (u64)tally[1];
    COUNT_FLUSH(counts, totals);
}
