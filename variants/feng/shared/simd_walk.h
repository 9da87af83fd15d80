/* One walk through the tree for a group of neighbouring bodies. The cells and bodies found act on
 * the whole group in vectors, by the physics of kernels/pair.h. This is the template that cpu-
 * tuned.c gives to variants/common/simd.h; code that does not depend on the instruction set comes
 * first. */
#ifndef FENG_HOST_WALK_H
#define FENG_HOST_WALK_H

#include <string.h>

#include "host_tree.h"

enum {
    GROUP =
        64, /* bodies that walk together: a multiple of any two vectors, no more than the padding */
    VECTORS = 2, /* of bodies in registers at once: independent sums that hide the latency of FMA */
    SOURCES = 512 /* bodies and cells that wait to act, in the first-level cache */
};

_Static_assert((int)GROUP <= (int)HOST_PADDING && (int)FENG_LEAF <= (int)HOST_PADDING,
               "arrays are padded for whole groups and leaves");

struct group {
    uint32_t from, to;     /* bodies */
    float low[2], high[2]; /* the box around them */
    double interactions;
};

/* Copies of what acts; a leaf is copied as a whole, up to FENG_LEAF beyond the count. */
struct sources {
    float x[SOURCES + FENG_LEAF], y[SOURCES + FENG_LEAF], mass[SOURCES + FENG_LEAF];
    uint32_t count;
} __attribute__((aligned(64)));

/* At least one number. No fminf(), which would be a call for each. */
static inline void range(float *low, float *high, const float *x, uint32_t count)
{
    float least = x[0], most = x[0];

#pragma omp simd reduction(min : least) reduction(max : most)
    for (uint32_t k = 1; k < count; k++) {
        least = x[k] < least ? x[k] : least;
        most = x[k] > most ? x[k] : most;
    }
    *low = least;
    *high = most;
}

static struct group make_group(const struct feng_tree *tree, uint32_t from)
{
    const uint32_t n = (uint32_t)tree->n, to = from + GROUP < n ? from + GROUP : n;
    struct group g = {.from = from, .to = to};

    range(&g.low[0], &g.high[0], tree->x + from, to - from);
    range(&g.low[1], &g.high[1], tree->y + from, to - from);
    return g;
}

/* How far a point is beyond low..high. */
static inline float beyond(float low, float high, float x)
{
    const float below = low - x, above = x - high, outside = below > above ? below : above;

    return outside > 0 ? outside : 0;
}

/* Whether the cell may act as one body on the whole group. No body is nearer than the nearest
 * point of the group's box. */
static inline int is_far(const struct group *g, const struct feng_cell *cell)
{
    const float dx = beyond(g->low[0], g->high[0], cell->x),
                dy = beyond(g->low[1], g->high[1], cell->y);

    return cell->reach2 < dx * dx + dy * dy;
}

static inline void push_cell(struct sources *s, const struct feng_cell *cell)
{
    s->x[s->count] = cell->x;
    s->y[s->count] = cell->y;
    s->mass[s->count++] = cell->mass;
}

/* At most FENG_LEAF bodies. The arrays are longer than n by more than that. */
static inline void push_bodies(struct sources *s, const struct feng_tree *tree, uint32_t from,
                               uint32_t count)
{
    memcpy(s->x + s->count, tree->x + from, FENG_LEAF * sizeof(float));
    memcpy(s->y + s->count, tree->y + from, FENG_LEAF * sizeof(float));
    memcpy(s->mass + s->count, tree->mass + from, FENG_LEAF * sizeof(float));
    s->count += count;
}

#endif

#include "variants/common/simd_cube.h"

/* Sources act on VECTORS vectors of bodies from `at` on. `own`, a constant where called: the
 * sources are bodies of the group, the first one number `first`, and none acts on itself. */
SIMD_INLINE void SIMD(act_on)(struct feng_tree *tree, size_t at, const float *sx, const float *sy,
                              const float *sm, uint32_t count, int own, uint32_t first, float eps)
{
    const real eps2 = REAL(eps * eps);
    real x[VECTORS], y[VECTORS], ax[VECTORS], ay[VECTORS];

#pragma GCC unroll 8
    for (size_t k = 0; k < VECTORS; k++) {
        x[k] = SIMD_LOAD(tree->x + at + k * SIMD_LANES);
        y[k] = SIMD_LOAD(tree->y + at + k * SIMD_LANES);
        ax[k] = ay[k] = REAL(0.0f);
    }
    for (uint32_t j = 0; j < count; j++) {
        const real xj = REAL(sx[j]), yj = REAL(sy[j]), mj = REAL(sm[j]);
        int self[VECTORS];
#pragma GCC unroll 8
        for (size_t k = 0; k < VECTORS; k++) {
            const size_t lane = first + j - at - k * SIMD_LANES;
            self[k] = lane < SIMD_LANES ? (int)lane : -1;
            PAIR2_CUBED(ax[k], ay[k], x[k], y[k], xj, yj, mj, eps2, r2,
                        own ? SIMD_AND(SIMD(cube)(r2), simd_but + 15 - self[k]) : SIMD(cube)(r2));
        }
    }
#pragma GCC unroll 8
    for (size_t k = 0; k < VECTORS; k++) {
        float *const to_x = tree->ax + at + k * SIMD_LANES, *const to_y =
                                                                tree->ay + at + k * SIMD_LANES;
        SIMD_STORE(to_x, FMA(REAL(CUBE), ax[k], SIMD_LOAD(to_x)));
        SIMD_STORE(to_y, FMA(REAL(CUBE), ay[k], SIMD_LOAD(to_y)));
    }
}

/* What has been collected acts on the whole group. */
SIMD_FUNCTION void SIMD(flush)(struct feng_tree *tree, struct group *g, struct sources *s,
                               float eps)
{
    for (uint32_t at = g->from; at < g->to; at += VECTORS * SIMD_LANES)
        SIMD(act_on)(tree, at, s->x, s->y, s->mass, s->count, 0, 0, eps);
    g->interactions += (double)s->count * (g->to - g->from);
    s->count = 0;
}

/* Bodies of the group act on the others of it. */
SIMD_FUNCTION void SIMD(act_own)(struct feng_tree *tree, struct group *g, uint32_t from,
                                 uint32_t count, float eps)
{
    for (uint32_t at = g->from; at < g->to; at += VECTORS * SIMD_LANES)
        SIMD(act_on)
    (tree, at, tree->x + from, tree->y + from, tree->mass + from, count, 1, from, eps);
    g->interactions += (double)count * (g->to - g->from - 1);
}

SIMD_FUNCTION void SIMD(open_leaf)(struct feng_tree *tree, struct group *g, struct sources *s,
                                   const struct feng_cell *leaf, float eps)
{
    const uint32_t end = leaf->first + leaf->count;

    for (uint32_t from = leaf->first, to; from < end; from = to) {
        const int own = from >= g->from && from < g->to;
        const uint32_t limit = own ? g->to : from < g->from ? g->from : end;
        to = from + FENG_LEAF < limit ? from + FENG_LEAF : limit;
        to = to < end ? to : end;
        if (s->count + FENG_LEAF > SOURCES)
            SIMD(flush)(tree, g, s, eps);
        if (own)
            SIMD(act_own)(tree, g, from, to - from, eps);
        else
            push_bodies(s, tree, from, to - from);
    }
}

/* Accelerations of the bodies from..from + GROUP. Returns the number of interactions. */
SIMD_FUNCTION double SIMD(walk)(struct feng_tree *tree, uint32_t from, float eps)
{
    struct group g = make_group(tree, from);
    struct sources s;
    uint32_t at = tree->root;

    memset(tree->ax + from, 0, GROUP * sizeof(float));
    memset(tree->ay + from, 0, GROUP * sizeof(float));
    s.count = 0;
    while (at != (uint32_t)FENG_LAST) {
        const struct feng_cell *cell = &tree->cells[at];
        at = cell->next;
        if (is_far(&g, cell)) {
            push_cell(&s, cell);
            if (s.count >= SOURCES)
                SIMD(flush)(tree, &g, &s, eps);
        } else if (cell->count) {
            SIMD(open_leaf)(tree, &g, &s, cell, eps);
        } else {
            at = cell->first;
        }
    }
    SIMD(flush)(tree, &g, &s, eps);
    return g.interactions;
}
