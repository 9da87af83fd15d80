/* SPDX-License-Identifier: MIT */
/* Everything that holds of a host octree, held against the bodies it was made of: for the tests of
 * paper gaburov. */
#ifndef GABUROV_OCTREE_CHECK_H
#define GABUROV_OCTREE_CHECK_H

#include <float.h>

#include "error.h"
#include "tests/cases.h"
#include "variants/gaburov/shared/octree_parts.h"

/* What a cell or a group should say of its bodies, summed directly. */
struct sums {
    double low[3], high[3], mass, com[3], quad[6];
    double spread, far; /* sum of m r^2 about com; largest coordinate */
};

/* Of the bodies [first, end) of x y z m. */
static inline struct sums sum_directly(const float *body, int32_t first, int32_t end)
{
    struct sums s = {.low = {INFINITY, INFINITY, INFINITY},
                     .high = {-INFINITY, -INFINITY, -INFINITY}};
    long double moment[3] = {0, 0, 0}, mass = 0;

    for (int32_t k = first; k < end; k++) {
        const float *b = body + 4 * (size_t)k;
        mass += (long double)b[3];
        for (int d = 0; d < 3; d++) {
            s.low[d] = fmin(s.low[d], (double)b[d]);
            s.high[d] = fmax(s.high[d], (double)b[d]);
            s.far = fmax(s.far, fabs((double)b[d]));
            moment[d] += (long double)b[3] * (long double)b[d];
        }
    }
    s.mass = (double)mass;
    for (int d = 0; d < 3; d++)
        s.com[d] = mass > 0 ? (double)(moment[d] / mass) : 0.5 * (s.low[d] + s.high[d]);
    for (int32_t k = first; k < end; k++) {
        const float *b = body + 4 * (size_t)k;
        const double x = (double)b[0] - s.com[0], y = (double)b[1] - s.com[1],
                     z = (double)b[2] - s.com[2];
        const double m = (double)b[3], r2 = x * x + y * y + z * z;
        const double q[6] = {3 * x * x - r2, 3 * y * y - r2, 3 * z * z - r2,
                             3 * x * y,      3 * x * z,      3 * y * z};
        for (int ab = 0; ab < 6; ab++)
            s.quad[ab] += m * q[ab];
        s.spread += m * r2;
    }
    return s;
}

/* Bodies as build and reorder take them. */
struct world {
    size_t n;
    float *pos[3], *mass;
};

static const struct orr_host octree_host = {.fail = orr_error_set, .threads = 2};
static const struct orr_job octree_job = {.host = &octree_host};

static inline void octree_grow(struct gaburov_octree *tree, enum gaburov_build how,
                               const struct world *w, int32_t nleaf, int32_t ngroup, int threads)
{
    assert_done(gaburov_octree_build(&octree_job, tree, how, w->pos, nleaf, ngroup, threads));
    gaburov_octree_reorder(tree, w->pos, w->mass, NULL, threads);
    gaburov_octree_summarize(tree, threads);
}

static inline void octree_make(struct gaburov_octree *tree, enum gaburov_build how,
                               const struct world *w, int32_t nleaf, int32_t ngroup, int threads)
{
    assert_done(gaburov_octree_prepare(&octree_job, tree, w->n));
    octree_grow(tree, how, w, nleaf, ngroup, threads);
}

static inline void check_order(const struct gaburov_octree *tree, const struct world *w)
{
    uint8_t *seen = calloc(w->n, 1);

    for (size_t k = 0; k < w->n; k++) {
        const uint32_t i = tree->order[k];
        assert_true(i < w->n && !seen[i]);
        seen[i] = 1;
        for (int d = 0; d < 3; d++)
            assert_true(tree->body[4 * k + (size_t)d] == w->pos[d][i]);
        assert_true(tree->body[4 * k + 3] == w->mass[i]);
    }
    free(seen);
}

/* Bodies by key, those with the same one as in the input. */
static inline void check_keys(const struct gaburov_octree *tree)
{
    const struct host_place *places = tree->memory->sort.places;

    for (size_t k = 0; k < tree->n; k++) {
        assert_int_equal(places[k].body, tree->order[k]);
        if (k && (places[k - 1].key > places[k].key ||
                  (places[k - 1].key == places[k].key && tree->order[k - 1] > tree->order[k])))
            fail_msg("bodies %zu and %zu are not in order", k - 1, k);
    }
}

/* A recursion leaves the bodies of a leaf as in the input. */
static inline void check_leaves(const struct gaburov_octree *tree)
{
    for (int32_t c = 0; c < tree->cells; c++)
        for (int32_t k = 1; k < tree->cell[c].count && tree->cell[c].child < 0; k++)
            assert_true(tree->order[tree->cell[c].first + k - 1] <
                        tree->order[tree->cell[c].first + k]);
}

/* The bodies of a cell lie within its cube, but for rounding: each level's octant is one digit of
 * their keys, where they have any. */
static inline void check_place(const struct gaburov_octree *tree, enum gaburov_build how,
                               const struct gaburov_cell *cell, uint64_t path)
{
    const struct host_place *places = tree->memory->sort.places;
    const double slack = 1e-6 * (double)tree->edge,
                 side = ldexp((double)tree->edge, -cell->level) + slack;
    double low[3];

    for (int d = 0; d < 3; d++) {
        uint64_t row = 0;
        for (int level = 0; level < cell->level; level++)
            row |= (path >> (3 * level + d) & 1) << level;
        low[d] = (double)tree->corner[d] + (double)row * ldexp((double)tree->edge, -cell->level);
    }
    for (int32_t k = cell->first; k < cell->first + cell->count; k++) {
        if (how == GABUROV_SORTED)
            assert_true(places[k].key >> 3 * (GABUROV_LEVELS - cell->level) == path);
        for (int d = 0; d < 3; d++) {
            const double x = (double)tree->body[4 * (size_t)k + (size_t)d];
            if (!(x >= low[d] - slack && x <= low[d] + side))
                fail_msg("body %d at %g is not in its cell [%g, %g)", k, x, low[d], low[d] + side);
        }
    }
}

static inline void check_children(const struct gaburov_octree *tree, int32_t c, uint64_t *paths)
{
    const struct gaburov_cell *cell = &tree->cell[c];
    int32_t next = cell->first, at = cell->child;

    assert_int_equal(cell->children, __builtin_popcount(cell->octants));
    for (int o = 0; o < 8; o++)
        if (cell->octants >> o & 1) {
            const struct gaburov_cell *child = &tree->cell[at];
            assert_int_equal(child->parent, c);
            assert_int_equal(child->level, cell->level + 1);
            assert_int_equal(child->first, next);
            assert_true(child->count > 0);
            paths[at++] = paths[c] << 3 | (uint64_t)o;
            next += child->count;
        }
    assert_int_equal(next, cell->first + cell->count);
}

/* Every cell is where its level says and follows the one before; a body is in one leaf, as children
 * partition. */
static inline void check_cells(const struct gaburov_octree *tree, enum gaburov_build how,
                               int32_t nleaf)
{
    uint64_t *paths = calloc((size_t)tree->cells, sizeof *paths);
    int32_t next = 1, leaves = 0, bodies = 0;

    assert_int_equal(tree->cell[0].count, tree->n);
    assert_int_equal(tree->cell[0].parent, -1);
    assert_int_equal(tree->level_first[0], 0);
    assert_int_equal(tree->level_first[tree->levels], tree->cells);
    for (int32_t c = 0; c < tree->cells; c++) {
        const struct gaburov_cell *cell = &tree->cell[c];
        const int leaf = cell->count <= nleaf || cell->level == GABUROV_LEVELS;
        assert_true(tree->level_first[cell->level] <= c && c < tree->level_first[cell->level + 1]);
        check_place(tree, how, cell, paths[c]);
        assert_int_equal(cell->child, leaf ? -1 : next);
        if (!leaf)
            check_children(tree, c, paths);
        next += cell->children;
        leaves += leaf;
        bodies += leaf ? cell->count : 0;
    }
    assert_int_equal(next, tree->cells);
    assert_int_equal(bodies, tree->n);
    assert_int_equal(leaves, tree->leaves);
    assert_int_equal(leaves + tree->nodes, tree->cells);
    free(paths);
}

static inline void check_box(const struct gaburov_octree *tree, const struct sums *s, int32_t first,
                             int32_t count, const float centre[3], const float half[3])
{
    for (int d = 0; d < 3; d++) {
        const float low = centre[d] - half[d], high = centre[d] + half[d];
        for (int32_t k = first; k < first + count; k++) {
            const float x = tree->body[4 * (size_t)k + (size_t)d];
            assert_true(low <= x && x <= high && fabsf(x - centre[d]) <= half[d]);
            assert_true(fabs((double)x - (double)centre[d]) <= (double)half[d]);
        }
        /* Not larger than rounding of the centre makes it. */
        const double large = 0.5 * (s->high[d] - s->low[d]) * (1 + 1e-6) + 2 * FLT_TRUE_MIN +
                             fmax(fabs(s->low[d]), fabs(s->high[d])) * FLT_EPSILON;
        assert_true((double)half[d] <= large);
        if (s->low[d] == s->high[d])
            assert_true((double)centre[d] == s->low[d] && half[d] == 0);
    }
}

static inline void check_com(const struct sums *s, const float com[3])
{
    for (int d = 0; d < 3; d++) {
        const double error = fabs((double)com[d] - s->com[d]);
        assert_true((double)com[d] >= s->low[d] && (double)com[d] <= s->high[d]);
        assert_true(error <= 1e-7 * fabs(s->com[d]) +
                                 1e-13 * fmax(fabs(s->low[d]), fabs(s->high[d])) + FLT_TRUE_MIN);
    }
}

static inline void check_properties(const struct gaburov_octree *tree, int32_t c)
{
    const struct gaburov_cell *cell = &tree->cell[c];
    const struct gaburov_properties *p = &tree->properties[c];
    const struct sums s = sum_directly(tree->body, cell->first, cell->first + cell->count);
    /* What rounding of the centre of mass in double precision, a sum of `count` terms, does to the
     * moments about it. */
    const double off = (1e-15 + 1.2e-16 * cell->count) * s.far;
    const double shift = s.mass * off * off + off * sqrt(s.mass * s.spread);

    check_box(tree, &s, cell->first, cell->count, p->centre, p->half);
    check_com(&s, p->com);
    assert_true(fabs((double)p->mass - s.mass) <= 1e-7 * s.mass);
    assert_true(p->side == 2 * fmaxf(p->half[0], fmaxf(p->half[1], p->half[2])));
    for (int ab = 0; ab < 6; ab++)
        assert_true(isfinite(p->quad[ab])); /* also where floats end */
    if (3 * s.spread > (double)FLT_MAX)
        return;
    for (int ab = 0; ab < 6; ab++)
        if (!(fabs((double)p->quad[ab] - s.quad[ab]) <=
              6e-8 * fabs(s.quad[ab]) + 1e-12 * s.spread + 10 * shift + FLT_TRUE_MIN))
            fail_msg("cell %d: quadrupole %d is %g, not %g (spread %g)", c, ab, (double)p->quad[ab],
                     s.quad[ab], s.spread);
    assert_true(fabs((double)p->quad[0] + (double)p->quad[1] + (double)p->quad[2]) <=
                4e-7 * s.spread + FLT_MIN);
}

/* The groups are the bodies in order, cut where the rule says. */
static inline void check_groups(const struct gaburov_octree *tree, int32_t ngroup)
{
    int32_t next = 0, leaf_parts = 0, whole = 0;

    for (int32_t k = 0; k < tree->groups; k++) {
        const struct gaburov_group *g = &tree->group[k];
        const struct sums s = sum_directly(tree->body, g->first, g->first + g->count);
        assert_int_equal(g->first, next);
        assert_true(g->count > 0 && g->count <= ngroup);
        check_box(tree, &s, g->first, g->count, g->centre, g->half);
        check_com(&s, g->com);
        next += g->count;
    }
    assert_int_equal(next, ngroup ? tree->n : 0);
    for (int32_t c = 0; c < tree->cells && ngroup; c++) {
        const struct gaburov_cell *cell = &tree->cell[c];
        if (cell->count <= ngroup)
            whole += cell->parent < 0 || tree->cell[cell->parent].count > ngroup;
        else if (cell->child < 0)
            leaf_parts += (int32_t)(((int64_t)cell->count + ngroup - 1) / ngroup);
    }
    assert_int_equal(tree->groups, whole + leaf_parts);
}

static inline void check_octree(const struct gaburov_octree *tree, enum gaburov_build how,
                                const struct world *w, int32_t nleaf, int32_t ngroup)
{
    check_order(tree, w);
    if (how == GABUROV_SORTED)
        check_keys(tree);
    else
        check_leaves(tree);
    check_cells(tree, how, nleaf);
    for (int32_t c = 0; c < tree->cells; c++)
        check_properties(tree, c);
    check_groups(tree, ngroup);
}

/* The same bits. */
static inline void check_equal(const struct gaburov_octree *a, const struct gaburov_octree *b)
{
    assert_true(a->n == b->n && a->cells == b->cells && a->nodes == b->nodes &&
                a->leaves == b->leaves);
    assert_true(a->levels == b->levels && a->groups == b->groups);
    assert_memory_equal(a->level_first, b->level_first, sizeof a->level_first);
    assert_memory_equal(a->corner, b->corner, sizeof a->corner);
    assert_memory_equal(&a->edge, &b->edge, sizeof a->edge);
    assert_memory_equal(a->order, b->order, a->n * sizeof *a->order);
    assert_memory_equal(a->body, b->body, 4 * a->n * sizeof *a->body);
    assert_memory_equal(a->cell, b->cell, (size_t)a->cells * sizeof *a->cell);
    assert_memory_equal(a->properties, b->properties, (size_t)a->cells * sizeof *a->properties);
    if (a->groups)
        assert_memory_equal(a->group, b->group, (size_t)a->groups * sizeof *a->group);
}

#endif
