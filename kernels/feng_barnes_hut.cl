/* SPDX-License-Identifier: MIT */
/* Barnes-Hut in the plane after Burtscher & Pingali 2011, as Feng & Romero divide it: Setup,
 * InsertRoot and BuildQuadTree are here, Summarize and Sort in feng_barnes_hut_order.cl,
 * ComputeForces in feng_barnes_hut_forces.cl, Update in feng_update.cl.
 *
 * Nodes are numbered: bodies 0 ... n - 1 from the front of the arrays x y mass, cells from the
 * back, n + pool - 1 (the root) downward. The four slots of cell c are child[4 (c - n)] ... in the
 * order (-,-) (+,-) (-,+) (+,+). A slot holds EMPTY, LOCKED, a body or a cell. Bodies have integer
 * coordinates in the root's square, 2^MAX_DEPTH a side, so that which quadrant a body is in is
 * exact at every level. Slots below the last level hold lists of bodies, linked by next[].
 *
 * A body that finds a slot LOCKED tries again in the next round, and after the last round leaves
 * itself in `queue` for the next launch. A group without such a body ends, as the report's does.
 * With THROTTLE 3 there is no last round: it spins on the lock, which ends only where the threads
 * of a warp make progress independently. */
#ifndef MAX_DEPTH
#define MAX_DEPTH 30
#endif
#ifndef SETUP_BLOCK
#define SETUP_BLOCK 256
#endif
#ifndef ROOT_BLOCK
#define ROOT_BLOCK 256
#endif
#ifndef BUILD_BLOCK
#define BUILD_BLOCK 256
#endif
/* Rounds of insertion in a launch. */
#ifndef ROUNDS
#define ROUNDS 64
#endif
/* Between rounds: 0 a barrier of the group, 1 nothing, 2 whoever found a lock pauses, twice as long
 * each time. 3: no rounds, each body tries until it is in the tree. */
#ifndef THROTTLE
#define THROTTLE 0
#endif
#define LONGEST_PAUSE 4096
#include "feng_count.h"

#define EMPTY (-1)
#define LOCKED (-2)

/* Words of `counters`. */
#define NEXT_CELL 0 /* cells are taken below this index */
#define LEFT 1      /* bodies that are not in the tree yet */
#define OVERFLOW 2  /* the pool was too small */
#define BOX 4       /* least x y, largest x y, as integers of the same order */

/* Words of `square`: the root's corner, its side and 1 / side. */
#define CORNER_X 0
#define CORNER_Y 1
#define SIDE 2
#define PER_SIDE 3

/* The order of floats, in integers; its own inverse. */
INLINE i32 ordered(i32 bits)
{
    return bits >= 0 ? bits : bits ^ 0x7fffffff;
}

KERNEL GROUP_SIZE(SETUP_BLOCK)
    feng_setup(GLOBAL i32 *RESTRICT child, GLOBAL i32 *RESTRICT arrived, GLOBAL i32 *RESTRICT next,
               GLOBAL i32 *RESTRICT counters, i32 n, i32 pool)
{
    for (i32 k = get_global_id(0); k < 4 * pool; k += get_global_size(0))
        child[k] = EMPTY;
    for (i32 k = get_global_id(0); k < pool; k += get_global_size(0))
        arrived[k] = 0;
    for (i32 k = get_global_id(0); k < n; k += get_global_size(0))
        next[k] = EMPTY;
    if (get_global_id(0) == 0) {
        counters[NEXT_CELL] = n + pool - 1;
        counters[LEFT] = 0;
        counters[OVERFLOW] = 0;
        for (i32 k = 0; k < 2; k++) {
            counters[BOX + k] = 0x7fffffff;
            counters[BOX + 2 + k] = -0x7fffffff;
        }
    }
}

KERNEL GROUP_SIZE(ROOT_BLOCK)
    feng_box(GLOBAL const float *RESTRICT x, GLOBAL const float *RESTRICT y,
             GLOBAL i32 *RESTRICT counters, i32 n)
{
    LOCAL i32 box[4];
    i32 low_x = 0x7fffffff, low_y = 0x7fffffff, high_x = -0x7fffffff, high_y = -0x7fffffff;

    for (i32 i = get_global_id(0); i < n; i += get_global_size(0)) {
        const i32 here_x = ordered(as_int(x[i])), here_y = ordered(as_int(y[i]));
        low_x = here_x < low_x ? here_x : low_x;
        low_y = here_y < low_y ? here_y : low_y;
        high_x = here_x > high_x ? here_x : high_x;
        high_y = here_y > high_y ? here_y : high_y;
    }
    if (get_local_id(0) == 0) {
        box[0] = box[1] = 0x7fffffff;
        box[2] = box[3] = -0x7fffffff;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_min(&box[0], low_x);
    atomic_min(&box[1], low_y);
    atomic_max(&box[2], high_x);
    atomic_max(&box[3], high_y);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        atomic_min(&counters[BOX], box[0]);
        atomic_min(&counters[BOX + 1], box[1]);
        atomic_max(&counters[BOX + 2], box[2]);
        atomic_max(&counters[BOX + 3], box[3]);
    }
}

/* The smallest square around all bodies, a little larger so that no body is on its far edge. Where
 * a side, or one over it, is no finite normal number, all bodies are at one place: they share a
 * list. */
KERNEL feng_root(GLOBAL const i32 *RESTRICT counters, GLOBAL float *RESTRICT square)
{
    if (get_global_id(0) == 0) {
        const float low_x = as_float(ordered(counters[BOX])),
                    low_y = as_float(ordered(counters[BOX + 1]));
        const float width = as_float(ordered(counters[BOX + 2])) - low_x;
        const float height = as_float(ordered(counters[BOX + 3])) - low_y;
        const float side = (width > height ? width : height) * 1.000001f;
        const i32 normal = side > 1e-37f && side < 1e37f;

        square[CORNER_X] = low_x;
        square[CORNER_Y] = low_y;
        square[SIDE] = side;
        square[PER_SIDE] = normal ? 1.0f / side : 0.0f;
    }
}

/* (x - corner) / side in units of 2^-MAX_DEPTH. The difference is exact and the quotient good to
 * 2^-44, so that bodies in a corner of a large square are told apart as far as the depth allows. */
INLINE i32 place(float x, float corner, float per_side)
{
    const float high = x - corner, back = high - x;
    const float low = (x - (high - back)) - (corner + back);
    const float quotient = high * per_side;
    const float rest = FMA(high, per_side, -quotient) + low * per_side;
    const float scale = (float)(1 << MAX_DEPTH);
    float whole = quotient * scale;
    i32 at;

    if (!(whole > 0.0f))
        return 0;
    if (!(whole < scale))
        return (1 << MAX_DEPTH) - 1;
    at = (i32)whole;
    whole = (whole - (float)at) + rest * scale;
    at += (i32)whole - ((float)(i32)whole > whole ? 1 : 0);
    at = at < 0 ? 0 : at;
    return at < 1 << MAX_DEPTH ? at : (1 << MAX_DEPTH) - 1;
}

INLINE i32 quadrant(i32 px, i32 py, i32 depth)
{
    const i32 bit = MAX_DEPTH - 1 - depth;
    return (px >> bit & 1) | (py >> bit & 1) << 1;
}

struct tree {
    GLOBAL i32 *child;
    GLOBAL i32 *parent;
    GLOBAL i32 *next;
    GLOBAL i32 *counters;
    i32 n;
};

/* Where a body looks for its place. */
struct seeker {
    i32 body, x, y; /* integer coordinates */
    i32 cell, depth;
};

/* A body asks once for at most MAX_DEPTH - 1 cells that are not there: the counter passes n, but
 * not below what i32 holds.
 *
 * The cells that part the body `at` from the body `other` at (ox, oy), which share `at`'s slot:
 * linked to each other and to both bodies and to nothing else yet. The topmost, or EMPTY where the
 * pool has not as many. */
INLINE i32 part(struct tree *t, struct seeker *at, i32 other, i32 ox,
                i32 oy COUNT_PARAMETER(counts))
{
    const i32 differ = (at->x ^ ox) | (at->y ^ oy);
    const i32 common = differ ? clz(differ) - (32 - MAX_DEPTH) : MAX_DEPTH;
    const i32 last = common < MAX_DEPTH - 1 ? common : MAX_DEPTH - 1; /* depth of the lowest cell */
    const i32 cells = last - at->depth;
    const i32 first = atomic_add(&t->counters[NEXT_CELL], -cells) - 1;
    i32 cell = first, above = at->cell;

    COUNT(counts, ORR_AG, 1);
    if (first - cells + 1 < t->n)
        return EMPTY;
    for (i32 depth = at->depth + 1; depth <= last; depth++, cell--) {
        GLOBAL i32 *const slots = &t->child[4 * (cell - t->n)];
        COUNTED(counts, ORR_GW, 1, t->parent[cell - t->n] = above);
        COUNT(counts, ORR_AG, depth < last ? 1 : 2);
        COUNT(counts, ORR_GW, depth < last ? 0 : 1);
        above = cell;
        if (depth < last) {
            atomic_xchg(&slots[quadrant(ox, oy, depth)], cell - 1);
        } else {
            atomic_xchg(&slots[quadrant(ox, oy, depth)], other);
            const i32 before = atomic_xchg(&slots[quadrant(at->x, at->y, depth)], at->body);
            t->next[at->body] = before; /* `other` where both are at one place */
        }
    }
    return first;
}

/* Outcomes of a try. */
#define DONE 0
#define AGAIN 1
#define FULL 2

/* One try: down to the first slot that is no cell, and there take it or go. */
INLINE i32 insert(struct tree *t, struct seeker *at, GLOBAL const float *x, GLOBAL const float *y,
                  GLOBAL const float *square COUNT_PARAMETER(counts))
{
    GLOBAL i32 *slot;
    i32 found;

    for (;;) {
        slot = &t->child[4 * (at->cell - t->n) + quadrant(at->x, at->y, at->depth)];
        COUNT(counts, ORR_CT, 1);
        if (at->depth == MAX_DEPTH - 1) {
            COUNT(counts, ORR_AG, 1);
            COUNT(counts, ORR_GW, 1);
            t->next[at->body] = atomic_xchg(slot, at->body);
            return DONE;
        }
        found = COUNTED(counts, ORR_IR, 1, ATOMIC_ACQUIRE_I32(slot));
        if (found < t->n)
            break;
        at->cell = found;
        at->depth++;
    }
    COUNT(counts, ORR_AG, found != LOCKED);
    if (found == EMPTY)
        return atomic_cmpxchg(slot, EMPTY, at->body) == EMPTY ? DONE : AGAIN;
    if (found == LOCKED || atomic_cmpxchg(slot, found, LOCKED) != found)
        return AGAIN;
    COUNT(counts, ORR_GR, 2);
    const i32 cells = part(t, at, found, place(x[found], square[CORNER_X], square[PER_SIDE]),
                           place(y[found], square[CORNER_Y], square[PER_SIDE]) COUNT_PASS(counts));
    FENCE_GLOBAL();
    COUNT(counts, ORR_AG, 1);
    atomic_xchg(slot, cells == EMPTY ? found : cells);
    return cells == EMPTY ? FULL : DONE;
}

/* Inserts the bodies todo[0] ... todo[count - 1], or 0 ... count - 1 where `all`; those that found
 * locks in every round are counted in counters[LEFT] and listed in `queue`. */
KERNEL GROUP_SIZE(BUILD_BLOCK)
    feng_build(GLOBAL i32 *RESTRICT child, GLOBAL i32 *RESTRICT parent, GLOBAL i32 *RESTRICT next,
               GLOBAL i32 *RESTRICT counters, GLOBAL const float *RESTRICT x,
               GLOBAL const float *RESTRICT y, GLOBAL const float *RESTRICT square,
               GLOBAL const i32 *RESTRICT todo, GLOBAL i32 *RESTRICT queue, i32 count, i32 all,
               i32 n, i32 pool COUNT_ARGUMENT(totals))
{
    const i32 k = get_global_id(0);
    struct tree t;
    struct seeker at;
    const i32 there = k < count;
    i32 outcome = there ? AGAIN : DONE;
#if THROTTLE == 0
    /* Whether a body of the group is left after a round. Three words: while one is read the next
     * may be set, and the one after that is cleared. */
    LOCAL i32 left[3];
    if (get_local_id(0) == 0)
        left[0] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
#elif THROTTLE == 2
    i32 pause = 32;
#endif
    COUNT_STATE(counts);

    COUNT_IN(counts, FENG_COUNT_BUILD);
    COUNT(counts, ORR_GR, 2);
    COUNT(counts, ORR_IR, there && !all);
    t.child = child;
    t.parent = parent;
    t.next = next;
    t.counters = counters;
    t.n = n;
    at.body = !there ? 0 : all ? k : todo[k];
    at.x = place(x[at.body], square[CORNER_X], square[PER_SIDE]);
    at.y = place(y[at.body], square[CORNER_Y], square[PER_SIDE]);
    at.cell = n + pool - 1;
    at.depth = 0;
#if THROTTLE == 3
    while (outcome == AGAIN) {
        outcome = insert(&t, &at, x, y, square COUNT_PASS(counts));
        COUNT(counts, ORR_PJ, 1);
        COUNT(counts, ORR_AF, outcome == AGAIN);
    }
#else
    for (i32 round = 0; round < ROUNDS; round++) {
        COUNT(counts, ORR_PJ, 1);
        if (outcome == AGAIN) {
            outcome = insert(&t, &at, x, y, square COUNT_PASS(counts));
            COUNT(counts, ORR_AF, outcome == AGAIN);
        }
#if THROTTLE == 0
        if (get_local_id(0) == 0)
            left[(round + 1) % 3] = 0;
        if (outcome == AGAIN)
            left[round % 3] = 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (!left[round % 3])
            break;
#else
        if (outcome != AGAIN)
            break;
#endif
#if THROTTLE == 2
        PAUSE(pause);
        pause = pause < LONGEST_PAUSE ? 2 * pause : pause;
#endif
    }
#endif
    if (outcome == FULL)
        atomic_max(&counters[OVERFLOW], 1);
    COUNT(counts, ORR_AG, outcome == FULL || outcome == AGAIN);
    COUNT(counts, ORR_GW, outcome == AGAIN);
    COUNT_FLUSH(counts, totals);
    if (outcome == AGAIN)
        queue[atomic_add(&counters[LEFT], 1)] = at.body;
}
