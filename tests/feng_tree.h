/* SPDX-License-Identifier: MIT */
/* The tree of feng/barnes-hut, brought back, and what must hold of it after every kernel. */
#ifndef ORR_TEST_FENG_TREE_H
#define ORR_TEST_FENG_TREE_H

#include "feng_run.h"
#include "variants/feng/shared/device_pipeline.h"

static inline const struct feng_pipeline *pipeline_of(const struct run *r)
{
    return r->job.state;
}

/* The arrays of a tree in host memory. */
struct tree {
    int32_t n, root, *child, *parent, *bodies, *next, *order;
    float *x, *y, *mass;
    const struct run *run;
};

static inline struct tree tree_of(const struct run *r)
{
    const struct feng_pipeline *s = pipeline_of(r);
    const size_t n = s->soa.n, pool = s->pool;

    return (struct tree){.n = (int32_t)n,
                         .root = (int32_t)(n + pool - 1),
                         .child = words_of(r, s->child, 4 * pool),
                         .parent = words_of(r, s->parent, pool),
                         .bodies = words_of(r, s->bodies, pool),
                         .next = words_of(r, s->next, n),
                         .order = words_of(r, s->order, n),
                         .x = words_of(r, s->soa.pos[0], n + pool),
                         .y = words_of(r, s->soa.pos[1], n + pool),
                         .mass = words_of(r, s->soa.mass, n + pool),
                         .run = r};
}

static inline void tree_release(struct tree *t)
{
    void *const arrays[] = {t->child, t->parent, t->bodies, t->next, t->order, t->x, t->y, t->mass};

    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        free(arrays[k]);
}

/* A walk of the tree by recursion, with what it must find. */
struct walk {
    const struct tree *tree;
    double corner[2], side;
    int seen;        /* bodies so far, in depth-first order */
    int cells;       /* cells so far */
    bool *met;       /* n: bodies met */
    bool with_order; /* Sort ran */
};

/* Sums over a subtree in fp64. */
struct sums {
    double mass, x, y, low[2], high[2];
    int bodies;
};

static inline void add(struct sums *to, const struct sums *from)
{
    for (int d = 0; d < 2; d++) {
        to->low[d] = to->bodies ? fmin(to->low[d], from->low[d]) : from->low[d];
        to->high[d] = to->bodies ? fmax(to->high[d], from->high[d]) : from->high[d];
    }
    to->mass += from->mass;
    to->x += from->x;
    to->y += from->y;
    to->bodies += from->bodies;
}

static inline struct sums body(struct walk *w, int i, const double low[2], double width)
{
    const struct tree *t = w->tree;
    const struct orr_bodies *b = t->run->job.bodies;
    const double x = b->pos[0][i], y = b->pos[1][i], m = b->mass[i], slack = 1e-6 * w->side;

    assert_false(w->met[i]);
    w->met[i] = true;
    if (w->with_order)
        assert_int_equal(t->order[w->seen], i);
    w->seen++;
    if (x < low[0] - slack || x > low[0] + width + slack || y < low[1] - slack ||
        y > low[1] + width + slack)
        fail_msg("body %d at %g, %g is not in its cell at %g, %g of width %g", i, x, y, low[0],
                 low[1], width);
    return (struct sums){m, m * x, m * y, {x, y}, {x, y}, 1};
}

static inline void check_sums(const struct tree *t, int cell, const struct sums *s)
{
    const double scale =
        fmax(fmax(fabs(s->low[0]), fabs(s->high[0])), fmax(fabs(s->low[1]), fabs(s->high[1])));
    const double x = (double)t->x[cell], y = (double)t->y[cell];

    assert_int_equal(t->bodies[cell - t->n], s->bodies);
    if (!(fabs((double)t->mass[cell] - s->mass) <= 1e-5 * s->mass))
        fail_msg("cell %d has mass %g, its bodies %g", cell, (double)t->mass[cell], s->mass);
    assert_true(s->low[0] <= x && x <= s->high[0] && s->low[1] <= y && y <= s->high[1]);
    if (s->mass > 0 && !(hypot(x - s->x / s->mass, y - s->y / s->mass) <= 2e-6 * scale))
        fail_msg("cell %d has its centre at %g, %g, its bodies at %g, %g", cell, x, y,
                 s->x / s->mass, s->y / s->mass);
}

static inline struct sums subtree(struct walk *w, int cell, int depth, const double low[2],
                                  double width)
{
    const struct tree *t = w->tree;
    struct sums s = {0};

    assert_true(depth < FENG_MAX_DEPTH);
    assert_in_range(cell, t->root - (int)pipeline_of(t->run)->cells + 1, t->root);
    w->cells++;
    for (int q = 0; q < 4; q++) {
        const double corner[2] = {low[0] + (q & 1) * width / 2, low[1] + (q >> 1) * width / 2};
        int node = t->child[4 * (cell - t->n) + q];
        struct sums part = {0};

        assert_true(node != FENG_LOCKED);
        if (node >= t->n) {
            assert_int_equal(t->parent[node - t->n], cell);
            part = subtree(w, node, depth + 1, corner, width / 2);
        }
        for (; node >= 0 && node < t->n; node = t->next[node]) {
            const struct sums one = body(w, node, corner, width / 2);
            assert_true(t->next[node] == FENG_EMPTY || depth == FENG_MAX_DEPTH - 1);
            add(&part, &one);
        }
        if (part.bodies)
            add(&s, &part);
    }
    assert_true(s.bodies >= 2 || cell == t->root);
    check_sums(t, cell, &s);
    return s;
}

/* Each body once, in its cell's square; mass, centre and number of every cell those of its bodies;
 * no lock left; the order that of the tree. */
static inline void check_tree(const struct run *r)
{
    struct tree t = tree_of(r);
    const struct feng_pipeline_params *params = r->params;
    struct walk w = {
        .tree = &t, .met = calloc((size_t)t.n, 1), .with_order = params->sort == FENG_SORT_ON};
    float *square = words_of(r, pipeline_of(r)->square, 4);

    w.side = (double)square[2];
    w.corner[0] = (double)square[0];
    w.corner[1] = (double)square[1];
    assert_int_equal(subtree(&w, t.root, 0, w.corner, w.side).bodies, t.n);
    assert_int_equal(w.seen, t.n);
    assert_int_equal(w.cells, pipeline_of(r)->cells);
    free(square);
    free(w.met);
    tree_release(&t);
}

#endif
