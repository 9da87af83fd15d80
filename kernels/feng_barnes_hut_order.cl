/* SPDX-License-Identifier: MIT */
/* Summarize and Sort of feng_barnes_hut.cl, over the same arrays: mass, centre of mass and number
 * of bodies of every cell from below, and the bodies by their place in the tree.
 *
 * Nobody waits here either. Whoever completes a cell goes on to its parent if it was the last of
 * the children to arrive there. A cell's first place in the order is the sum of what comes before
 * it, on the way up to the root. */
#ifndef SUMMARIZE_BLOCK
#define SUMMARIZE_BLOCK 256
#endif
#ifndef SORT_BLOCK
#define SORT_BLOCK 256
#endif
#include "feng_count.h"

/* Of cells these are written in this launch by others: only atomics see them. */
#define READ_F32(at) as_float(ATOMIC_READ_I32((GLOBAL const i32 *)(at)))
#define WRITE_F32(at, value) ((void)atomic_xchg((GLOBAL i32 *)(at), as_int(value)))

struct nodes {
    GLOBAL const i32 *child;
    GLOBAL const i32 *next;
    GLOBAL float *x;
    GLOBAL float *y;
    GLOBAL float *mass;
    GLOBAL i32 *bodies;
    i32 n;
};

/* A sum over nodes in progress: total mass first, then centres. */
struct summary {
    float mass, x, y, low_x, low_y, high_x, high_y;
    i32 members, bodies;
};

INLINE float clamped(float value, float low, float high)
{
    return value < low ? low : value > high ? high : value;
}

INLINE void add_mass(struct summary *s, float mass, float x, float y, i32 bodies)
{
    s->low_x = s->members && s->low_x < x ? s->low_x : x;
    s->low_y = s->members && s->low_y < y ? s->low_y : y;
    s->high_x = s->members && s->high_x > x ? s->high_x : x;
    s->high_y = s->members && s->high_y > y ? s->high_y : y;
    s->mass += mass;
    s->bodies += bodies;
    s->members++;
}

/* Weights, not products of mass and place: these overflow where the centre does not. Massless cells
 * have the mean place. */
INLINE void add_place(struct summary *s, float mass, float x, float y)
{
    const float weight = s->mass > 0.0f ? mass / s->mass : 1.0f / (float)s->members;
    s->x = FMA(weight, x, s->x);
    s->y = FMA(weight, y, s->y);
}

INLINE i32 child_cells(struct nodes *t, i32 cell COUNT_PARAMETER(counts))
{
    i32 cells = 0;

    COUNT(counts, ORR_IR, 4);
    for (i32 k = 0; k < 4; k++)
        cells += t->child[4 * (cell - t->n) + k] >= t->n;
    return cells;
}

/* The children of a cell in their order, twice; lists of bodies from their head. */
INLINE void summarize(struct nodes *t, i32 cell COUNT_PARAMETER(counts))
{
    struct summary s = {0};

    for (i32 pass = 0; pass < 2; pass++)
        for (i32 k = 0; k < 4; k++) {
            i32 node = COUNTED(counts, ORR_IR, 1, t->child[4 * (cell - t->n) + k]);
            while (node >= 0) {
                const i32 inner = node >= t->n;
                COUNT(counts, ORR_GR, 3);
                COUNT(counts, ORR_IR, !inner || !pass); /* its next, or its bodies */
                const float x = inner ? READ_F32(&t->x[node]) : t->x[node];
                const float y = inner ? READ_F32(&t->y[node]) : t->y[node];
                const float mass = inner ? READ_F32(&t->mass[node]) : t->mass[node];
                if (pass)
                    add_place(&s, mass, x, y);
                else
                    add_mass(&s, mass, x, y, inner ? ATOMIC_READ_I32(&t->bodies[node - t->n]) : 1);
                node = inner ? -1 : t->next[node];
            }
        }
    COUNT(counts, ORR_GW, 4);
    WRITE_F32(&t->x[cell], clamped(s.x, s.low_x, s.high_x));
    WRITE_F32(&t->y[cell], clamped(s.y, s.low_y, s.high_y));
    WRITE_F32(&t->mass[cell], s.mass);
    atomic_xchg(&t->bodies[cell - t->n], s.bodies);
}

/* Launched for `cells` cells from the root downward; arrived[] is zero. */
KERNEL GROUP_SIZE(SUMMARIZE_BLOCK)
    feng_summarize(GLOBAL const i32 *RESTRICT child, GLOBAL const i32 *RESTRICT parent,
                   GLOBAL const i32 *RESTRICT next, GLOBAL i32 *RESTRICT arrived,
                   GLOBAL float *RESTRICT x, GLOBAL float *RESTRICT y, GLOBAL float *RESTRICT mass,
                   GLOBAL i32 *RESTRICT bodies, i32 n, i32 pool,
                   i32 cells COUNT_ARGUMENT(totals))
{
    const i32 thread = get_global_id(0);
    const i32 root = n + pool - 1;
    struct nodes t;
    i32 cell = root - thread, climbs;
    COUNT_STATE(counts);

    COUNT_IN(counts, FENG_COUNT_SUMMARIZE);
    t.child = child;
    t.next = next;
    t.x = x;
    t.y = y;
    t.mass = mass;
    t.bodies = bodies;
    t.n = n;
    climbs = thread < cells && child_cells(&t, cell COUNT_PASS(counts)) == 0;
    while (climbs) {
        summarize(&t, cell COUNT_PASS(counts));
        FENCE_GLOBAL();
        climbs = cell < root;
        if (climbs) {
            cell = COUNTED(counts, ORR_IR, 1, parent[cell - n]);
            COUNT(counts, ORR_AG, 1);
            climbs = atomic_add(&arrived[cell - n], 1) + 1 ==
                     child_cells(&t, cell COUNT_PASS(counts));
            FENCE_GLOBAL();
        }
    }
    COUNT_FLUSH(counts, totals);
}

/* Bodies that come before those of `cell` in the order. Above the last level a slot with a body
 * holds one. */
INLINE i32 bodies_before(GLOBAL const i32 *child, GLOBAL const i32 *parent,
                         GLOBAL const i32 *bodies, i32 cell, i32 n,
                         i32 root COUNT_PARAMETER(counts))
{
    i32 before = 0;

    while (cell < root) {
        const i32 above = COUNTED(counts, ORR_IR, 1, parent[cell - n]);
        for (i32 k = 0; k < 4; k++) {
            const i32 node = COUNTED(counts, ORR_IR, 1, child[4 * (above - n) + k]);
            if (node == cell)
                break;
            COUNT(counts, ORR_IR, node >= n);
            before += node >= n ? bodies[node - n] : node >= 0 ? 1 : 0;
        }
        cell = above;
    }
    return before;
}

/* order[] is the bodies depth first. Launched like feng_summarize. */
KERNEL GROUP_SIZE(SORT_BLOCK)
    feng_sort(GLOBAL const i32 *RESTRICT child, GLOBAL const i32 *RESTRICT parent,
              GLOBAL const i32 *RESTRICT next, GLOBAL const i32 *RESTRICT bodies,
              GLOBAL i32 *RESTRICT order, i32 n, i32 pool,
              i32 cells COUNT_ARGUMENT(totals))
{
    const i32 thread = get_global_id(0);
    const i32 root = n + pool - 1, cell = root - thread;
    i32 at = 0;
    COUNT_STATE(counts);

    COUNT_IN(counts, FENG_COUNT_SORT);
    if (thread < cells) {
        at = bodies_before(child, parent, bodies, cell, n, root COUNT_PASS(counts));
        for (i32 k = 0; k < 4; k++) {
            i32 node = COUNTED(counts, ORR_IR, 1, child[4 * (cell - n) + k]);
            COUNT(counts, ORR_IR, node >= n);
            if (node >= n)
                at += bodies[node - n];
            else
                for (; node >= 0; node = COUNTED(counts, ORR_IR, 1, next[node]))
                    COUNTED(counts, ORR_GW, 1, order[at++] = node);
        }
    }
    COUNT_FLUSH(counts, totals);
}
