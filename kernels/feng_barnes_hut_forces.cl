/* SPDX-License-Identifier: MIT */
/* ComputeForces of feng_barnes_hut.cl: every body's walk over the tree, depth first, children in
 * their order.
 *
 * Where lanes can vote, the lanes of a warp walk together with one stack, as in Burtscher & Pingali
 * 2011: a cell is opened when any lane needs what is in it. A lane that took the cell as one body
 * sleeps until the warp has left it, so each body meets exactly the nodes that it would meet alone,
 * in the same order: results do not depend on who walks together. */
#ifndef FORCES_BLOCK
#define FORCES_BLOCK 128
#endif
#ifndef MAX_DEPTH
#define MAX_DEPTH 30
#endif

#include "feng_count.h"

#define SIDE 2
#define AWAKE 1000 /* deeper than any cell */

/* Lanes that walk together. The build that counts walks so without votes too, in groups that are no
 * larger than a warp: it counts what a warp would do. There all lanes have the same stack. */
#if ORR_VOTES
#define TOGETHER ORR_WARP
#elif ORRERY_COUNT && FORCES_BLOCK <= 32
#define TOGETHER FORCES_BLOCK
#else
#define TOGETHER 1
#endif
#if ORR_VOTES || TOGETHER == 1
#define ANY_OF_WALKER(word, x) ANY_OF_WARP(x)
#else
#define ANY_OF_WALKER(word, x) (GROUP_VOTE(word, FORCES_BLOCK, x) != 0)
#endif

/* Whether a lane reads and evaluates in the program that is timed: in a warp also asleep. */
#define TAKES_PART(awake) (ORR_VOTES || (awake))

#if ORR_VOTES
#define STACKS (FORCES_BLOCK / ORR_WARP)
#define ABOVE(above, level) (above)[(i32)get_local_id(0) / ORR_WARP * MAX_DEPTH + (level)]
/* Between lanes that still read a slot or will, and those that write it: they need not run in
 * step. */
#define STACK_BARRIER() WARP_BARRIER()
#else
#define ABOVE(above, level) (above)[level]
#define STACK_BARRIER() (void)0
#endif

/* `order` is the bodies in the order of the work-items where `sorted`; `per_theta2` is theta^-2,
 * infinite for theta = 0. */
KERNEL GROUP_SIZE(FORCES_BLOCK)
    feng_forces(GLOBAL const i32 *RESTRICT child, GLOBAL const i32 *RESTRICT next,
                GLOBAL const float *RESTRICT x, GLOBAL const float *RESTRICT y,
                GLOBAL const float *RESTRICT mass, GLOBAL const float *RESTRICT square,
                GLOBAL const i32 *RESTRICT order, GLOBAL float *RESTRICT acc_x,
                GLOBAL float *RESTRICT acc_y, i32 n, i32 pool, i32 sorted, float eps2,
                float per_theta2 COUNT_ARGUMENT(totals))
{
    /* The slot to go on with in each cell above; all lanes of a warp write the same. */
#if ORR_VOTES
    LOCAL i32 above[STACKS * MAX_DEPTH];
#else
    i32 above[MAX_DEPTH];
#endif
#if ORRERY_COUNT
    LOCAL u32 word;
    const i32 first = (i32)get_local_id(0) % TOGETHER == 0; /* of those that walk together */
#endif
    COUNT_STATE(counts);

    COUNT_IN(counts, FENG_COUNT_FORCES);
    COUNT(counts, ORR_IR, sorted);
    COUNT(counts, ORR_GR, 2);
    const i32 k = get_global_id(0);
    const i32 i = k >= n ? 0 : sorted ? order[k] : k;
    const float xi = x[i], yi = y[i];
    float ax = 0.0f, ay = 0.0f;
    /* Square of the width over theta of the cells at level + 1, where the node looked at is. */
    float size2 = square[SIDE] * square[SIDE] * per_theta2;
    i32 level = -1; /* of the cell whose slots are being looked at */
    i32 slot = 0;   /* of all slots, the next to look at; a multiple of 4 is a cell's first */
    i32 last = 0;   /* whether the cell's slots are all done */
    i32 wakes = k < n ? AWAKE : -2; /* the lane is awake at levels below this */
    i32 node = n + pool - 1;

    do {
        if (node >= n) {
            const float xj = x[node], yj = y[node];
            const float dx = xj - xi, dy = yj - yi;
            const i32 awake = level < wakes;
            const i32 opens = awake && !(size2 < FMA(dx, dx, dy * dy));
            if (awake && !opens)
                PAIR2(ax, ay, xi, yi, xj, yj, mass[node], eps2);
            const i32 any = ANY_OF_WALKER(&word, opens);
            COUNT(counts, ORR_GR, (TAKES_PART(awake) ? 2 : 0) + (awake && !opens));
            COUNT(counts, ORR_CT, first);
            COUNT(counts, ORR_CA, first && !any);
            COUNT(counts, ORR_TB, awake);
            COUNT(counts, ORR_TL, 1);
            COUNT(counts, ORR_CN, awake && !opens);
            if (any) {
                STACK_BARRIER();
                if (level >= 0)
                    ABOVE(above, level) = last ? -1 : slot;
                STACK_BARRIER();
                level++;
                size2 *= 0.25f;
                slot = 4 * (node - n);
                if (awake)
                    wakes = opens ? AWAKE : level;
                last = 0;
            }
        }
        for (; node >= 0 && node < n; node = next[node]) {
            if (level < wakes && node != i)
                PAIR2(ax, ay, xi, yi, x[node], y[node], mass[node], eps2);
            COUNT(counts, ORR_IR, TAKES_PART(level < wakes));
            COUNT(counts, ORR_CB, first);
            COUNT(counts, ORR_GR, level < wakes && node != i ? 3 : 0);
            COUNT(counts, ORR_CP, level < wakes && node != i);
            COUNT(counts, ORR_CX, TAKES_PART(level < wakes) && !(level < wakes && node != i));
        }
        while (last && level >= 0) {
            level--;
            size2 *= 4.0f;
            if (level >= 0) {
                slot = ABOVE(above, level);
                last = slot < 0;
            }
        }
        if (level >= 0) {
            node = COUNTED(counts, ORR_IR, TAKES_PART(level < wakes), child[slot]);
            slot++;
            last = (slot & 3) == 0;
        }
    } while (level >= 0);
    if (k < n) {
        COUNT(counts, ORR_GW, 2);
        acc_x[i] = ax;
        acc_y[i] = ay;
    }
    COUNT_FLUSH(counts, totals);
}
