/* SPDX-License-Identifier: MIT */
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
    SOURCES = 512, /* bodies and cells that wait to act, in the first-level cache */
    LEAVES = 64,   /* that wait to be copied */
    AT_ONCE = 4,   /* quads that are judged in one go: no one waits for another */
    MANY = 256     /* quads on the stack from which on they are judged one by one */
};

_Static_assert((int)GROUP <= (int)HOST_PADDING && (int)FENG_LEAF <= (int)HOST_PADDING,
               "arrays are padded for whole groups and leaves");

struct group {
    uint32_t from, to;     /* bodies */
    float low[2], high[2]; /* the box around them */
    int alike;             /* a body's pair with itself gives exactly 0: it is like any other */
    double interactions;
};

/* Copies of what acts; a leaf is copied as a whole, up to FENG_LEAF beyond the count. */
struct sources {
    float x[SOURCES + FENG_LEAF], y[SOURCES + FENG_LEAF], mass[SOURCES + FENG_LEAF];
    uint32_t count;
} __attribute__((aligned(64)));

/* What a walk has found and not yet gone to. */
struct found {
    uint32_t quads[MANY + 4 * AT_ONCE + 3 * FENG_MAX_DEPTH], quad_count;
    struct leaf {
        uint32_t first, count;
    } leaves[LEAVES];
    uint32_t leaf_count;
};

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

/* Whether m / eps^3 is a float for all bodies, so that 0 times it is 0. */
static inline int softened(const struct feng_tree *tree, float eps)
{
    const float least = 1e-12f, most = 1e36f; /* eps^-3 as well must be a float */

    return eps > least && tree->quads[tree->root].mass[0] < most * (eps * eps * eps);
}

static struct group make_group(const struct feng_tree *tree, uint32_t from, float eps)
{
    const uint32_t n = (uint32_t)tree->n, to = from + GROUP < n ? from + GROUP : n;
    struct group g = {.from = from, .to = to, .alike = softened(tree, eps)};

    range(&g.low[0], &g.high[0], tree->x + from, to - from);
    range(&g.low[1], &g.high[1], tree->y + from, to - from);
    return g;
}

/* How many of the bodies from..to are the group's. */
static inline uint32_t own_of(const struct group *g, uint32_t from, uint32_t to)
{
    const uint32_t first = from > g->from ? from : g->from, end = to < g->to ? to : g->to;

    return end > first ? end - first : 0;
}

/* Bit k: part k of the quad may act as one body on the whole group. No body is nearer than the
 * nearest point of the group's box. */
static inline __attribute__((always_inline)) uint32_t far_of(const struct group *g,
                                                             const struct feng_quad *quad)
{
    const float *const centre[2] = {quad->x, quad->y};
    simd_four distance2 = simd_all_baseline(0);

#pragma GCC unroll 2
    for (int d = 0; d < 2; d++) {
        const simd_four at = simd_load_baseline(centre[d]);
        const simd_four outside = simd_max_baseline(simd_all_baseline(g->low[d]) - at,
                                                    at - simd_all_baseline(g->high[d]));
        const simd_four beyond = simd_max_baseline(outside, simd_all_baseline(0));
        distance2 += beyond * beyond;
    }
    return simd_above_baseline(distance2, simd_load_baseline(quad->reach2));
}

/* Sorts the parts of a quad: what is far joins the sources, the rest is found. Without a branch for
 * each, which no predictor would learn. */
static inline __attribute__((always_inline)) void
judge(const struct group *g, const struct feng_quad *quad, struct sources *s, struct found *f)
{
    const uint32_t far = far_of(g, quad), leaves = quad->leaves & ~far, cells = quad->cells & ~far;
    uint32_t count = s->count, leaf = f->leaf_count, cell = f->quad_count;

#pragma GCC unroll 4
    for (int k = 0; k < 4; k++) {
        s->x[count] = quad->x[k];
        s->y[count] = quad->y[k];
        s->mass[count] = quad->mass[k];
        f->leaves[leaf] = (struct leaf){quad->first[k], quad->count[k]};
        f->quads[cell] = quad->first[k];
        count += far >> k & 1;
        leaf += leaves >> k & 1;
        cell += cells >> k & 1;
    }
    s->count = count;
    f->leaf_count = leaf;
    f->quad_count = cell;
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

#include "simd_order.h"
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
                                   const struct leaf *leaf, float eps)
{
    const uint32_t end = leaf->first + leaf->count;

    g->interactions -= g->alike ? own_of(g, leaf->first, end) : 0;
    for (uint32_t from = leaf->first, to; from < end; from = to) {
        const int own = !g->alike && from >= g->from && from < g->to;
        const uint32_t limit = own ? g->to : !g->alike && from < g->from ? g->from : end;
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

/* The bodies of leaves join the sources. */
SIMD_FUNCTION void SIMD(open_leaves)(struct feng_tree *tree, struct group *g, struct sources *s,
                                     struct found *f, float eps)
{
    for (uint32_t k = 0; k < f->leaf_count; k++)
        SIMD(open_leaf)(tree, g, s, &f->leaves[k], eps);
    f->leaf_count = 0;
}

/* Accelerations of the bodies from..from + GROUP. Returns the number of interactions. */
SIMD_FUNCTION double SIMD(walk)(struct feng_tree *tree, uint32_t from, float eps)
{
    struct group g = make_group(tree, from, eps);
    struct sources s;
    struct found f;

    for (uint32_t k = from; k < from + GROUP; k += SIMD_LANES) {
        SIMD_STORE(tree->ax + k, REAL(0.0f));
        SIMD_STORE(tree->ay + k, REAL(0.0f));
    }
    s.count = f.leaf_count = 0;
    f.quads[0] = tree->root;
    f.quad_count = 1;
    while (f.quad_count) {
        uint32_t now[AT_ONCE];
        const uint32_t most = f.quad_count < MANY ? AT_ONCE : 1,
                       some = f.quad_count < most ? f.quad_count : most;
        f.quad_count -= some;
        for (uint32_t k = 0; k < some; k++)
            now[k] = f.quads[f.quad_count + k];
        if (f.leaf_count + 4 * AT_ONCE > LEAVES)
            SIMD(open_leaves)(tree, &g, &s, &f, eps);
        if (s.count + 4 * AT_ONCE > SOURCES)
            SIMD(flush)(tree, &g, &s, eps);
        for (uint32_t k = 0; k < some; k++)
            judge(&g, &tree->quads[now[k]], &s, &f);
    }
    SIMD(open_leaves)(tree, &g, &s, &f, eps);
    SIMD(flush)(tree, &g, &s, eps);
    return g.interactions;
}
