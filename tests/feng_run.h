/* SPDX-License-Identifier: MIT */
/* Bodies in the plane, their accelerations in double precision, and the forces of feng's variants
 * against these. */
#ifndef ORR_TEST_FENG_RUN_H
#define ORR_TEST_FENG_RUN_H

#include "variant_run.h"

/* --- direct sums, and those of a plain Barnes-Hut code that builds no tree --- */

enum { DEPTH = 30 }; /* of the tree: bodies that it does not separate act one by one */

/* What acts on one body: ax, ay, the sum of the terms' lengths, and how near a decision was to its
 * edge. */
struct sum {
    double x, y, size, margin;
};

static inline void pull(struct sum *s, double dx, double dy, double mass, double eps)
{
    const double r2 = dx * dx + dy * dy + eps * eps, force = r2 > 0 ? mass / (r2 * sqrt(r2)) : 0;

    s->x += force * dx;
    s->y += force * dy;
    s->size += force * sqrt(dx * dx + dy * dy);
}

/* Bodies of a square cell, and the body they act on. */
struct cell {
    size_t *members, count;
    double corner[2], width;
    int depth;
};

static inline void bodies_act(struct sum *s, const struct orr_bodies *b, const struct cell *cell,
                              size_t i)
{
    for (size_t k = 0; k < cell->count; k++) {
        const size_t j = cell->members[k];
        if (j != i)
            pull(s, b->pos[0][j] - b->pos[0][i], b->pos[1][j] - b->pos[1][i], b->mass[j],
                 (double)(float)b->eps);
    }
}

/* The members of one quarter come first; returns the quarter with them. */
static inline struct cell quarter_of(const struct orr_bodies *b, const struct cell *cell,
                                     size_t done, int quarter)
{
    struct cell part = {cell->members + done,
                        0,
                        {cell->corner[0], cell->corner[1]},
                        cell->width / 2,
                        cell->depth + 1};
    const double middle[2] = {cell->corner[0] + part.width, cell->corner[1] + part.width};

    for (size_t k = done; k < cell->count; k++) {
        const size_t j = cell->members[k];
        if ((b->pos[0][j] >= middle[0]) != (quarter & 1) ||
            (b->pos[1][j] >= middle[1]) != quarter >> 1)
            continue;
        cell->members[k] = part.members[part.count];
        part.members[part.count++] = j;
    }
    for (int d = 0; d < 2; d++)
        part.corner[d] = (quarter >> d & 1) ? middle[d] : cell->corner[d];
    return part;
}

/* The rule: a cell whose width is below theta times the distance of its centre of mass acts as one
 * body. */
static inline void cell_acts(struct sum *s, const struct orr_bodies *b, const struct cell *cell,
                             size_t i, double theta)
{
    const double *x = b->pos[0], *y = b->pos[1],
                 first[2] = {x[cell->members[0]], y[cell->members[0]]};
    double mass = 0,
           at[2] = {
               0,
               0}; /* the centre of mass from the first body: exactly 0 when all are at its place */

    for (size_t k = 0; k < cell->count; k++) {
        const size_t j = cell->members[k];
        mass += b->mass[j];
        at[0] += b->mass[j] * (x[j] - first[0]);
        at[1] += b->mass[j] * (y[j] - first[1]);
    }
    const double dx = at[0] / mass + (first[0] - x[i]), dy = at[1] / mass + (first[1] - y[i]);
    const double reach = theta * hypot(dx, dy);
    if (cell->count <= 1 || cell->depth == DEPTH) {
        bodies_act(s, b, cell, i);
    } else if (mass > 0 && cell->width < reach) {
        pull(s, dx, dy, mass, (double)(float)b->eps);
        s->margin = fmin(s->margin, 1 - cell->width / reach);
    } else if (mass > 0) {
        if (reach > 0)
            s->margin = fmin(s->margin, cell->width / reach - 1);
        for (int q = 0, done = 0; q < 4; q++) {
            const struct cell part = quarter_of(b, cell, (size_t)done, q);
            if (part.count)
                cell_acts(s, b, &part, i, theta);
            done += (int)part.count;
        }
    }
}

/* All bodies in the root's square. */
static inline struct cell root_of(const struct orr_bodies *b, size_t *members)
{
    struct cell root = {.members = members, .count = b->n};

    for (size_t i = 0; i < b->n; i++)
        members[i] = i;
    for (int d = 0; d < 2; d++) {
        double high = root.corner[d] = b->pos[d][0];
        for (size_t i = 1; i < b->n; i++) {
            root.corner[d] = fmin(root.corner[d], b->pos[d][i]);
            high = fmax(high, b->pos[d][i]);
        }
        root.width = fmax(root.width, (high - root.corner[d]) * (1 + 1e-6));
    }
    return root;
}

/* theta = 0: the direct sums. */
static inline struct sum *expect(const struct orr_bodies *b, double theta)
{
    struct sum *sums = calloc(b->n, sizeof *sums);
    size_t *members = calloc(b->n, sizeof *members);

    assert_true(sums && members);
    const struct cell root = root_of(b, members);
    for (size_t i = 0; i < b->n; i++) {
        sums[i].margin = 1;
        if (theta > 0)
            cell_acts(&sums[i], b, &root, i, theta);
        else
            bodies_act(&sums[i], b, &root, i);
    }
    free(members);
    return sums;
}

static inline double distance(float *const acc[2], const struct sum *expected, size_t i)
{
    return hypot((double)acc[0][i] - expected[i].x, (double)acc[1][i] - expected[i].y);
}

/* Sorts the values. */
static inline double median_of(double *values, size_t n)
{
    qsort(values, n, sizeof *values, by_value);
    return values[n / 2];
}

/* Of the errors of n accelerations relative to what was expected. */
static inline double median_error(float *const acc[2], const struct sum *expected, size_t n)
{
    RELEASED_BY(free_text) double *errors = calloc(n, sizeof *errors);

    for (size_t i = 0; i < n; i++)
        errors[i] = distance(acc, expected, i) / hypot(expected[i].x, expected[i].y);
    const double median = median_of(errors, n);
    return median;
}

/* --- bodies that are easy or difficult for a tree --- */

enum kind {
    UNIFORM,
    COINCIDENT,
    HALF_COINCIDENT,
    PAIRS, /* each place twice */
    LINE,  /* along an axis */
    SLOPE,
    HUGE_RANGE,
    TINY_RANGE,
    FAR_AWAY,
    MASSLESS,
    CLUSTERS, /* deep trees, crowded slots, never two at one place */
    CUSP,     /* ever denser towards one point */
    KINDS
};

static const char *const kind_names[KINDS] = {
    "uniform", "coincident", "half coincident", "pairs",    "line",     "slope",
    "huge",    "tiny",       "far away",        "massless", "clusters", "cusp"};

/* Softening goes with the scale. Unsoftened forces have to fit single precision, and leave less
 * room for a tiny one. */
static inline double scale_of(enum kind kind, bool softened)
{
    return kind == HUGE_RANGE ? 1e7 : kind == TINY_RANGE ? (softened ? 1e-12 : 1e-10) : 1;
}

static inline void place(double at[2], enum kind kind, size_t i)
{
    for (int d = 0; d < 2; d++) {
        at[d] = 2048 * uniform() - 1024;
        if (kind == COINCIDENT || (kind == HALF_COINCIDENT && i % 2))
            at[d] = 3.25;
        if (kind == CLUSTERS)
            at[d] = (double)(i % 3) * 3 +
                    (d ? (double)i / 16384 : pow(0.5, 20 * uniform()) * uniform());
        if (kind == CUSP)
            at[d] *= pow(0.5, 16 * uniform());
    }
    if (kind == LINE)
        at[1] = 5;
    if (kind == SLOPE)
        at[1] = 0.1 * at[0];
    if (kind == FAR_AWAY && i == 1)
        at[0] = 1e9;
}

/* Not softened: eps = 0. */
static inline struct orr_bodies make_bodies(enum kind kind, size_t n, bool softened)
{
    const double scale = scale_of(kind, softened);
    struct orr_bodies b = bodies_made(n, 2);
    for (size_t i = 0; i < n; i++) {
        double at[2];
        place(at, kind, i);
        for (int d = 0; d < 2; d++)
            b.pos[d][i] = kind == PAIRS && i % 2 ? b.pos[d][i - 1] : scale * at[d];
        b.mass[i] = kind == MASSLESS && i % 5 ? 0 : 0.1 + 99.9 * uniform();
    }
    b.eps = softened ? scale : 0;
    b.dt = 0.01;
    orr_bodies_round(&b);
    return b;
}

/* Mean error of the forces relative to the sum of the terms' lengths; each must be below `most`. */
static inline double check_forces(const struct run *r, const char *what, double most)
{
    const struct orr_bodies *b = r->job.bodies;
    struct sum *direct = expect(b, 0);
    double mean = 0;

    assert_false(r->out.has_phi);
    for (size_t i = 0; i < b->n; i++) {
        const double error = distance(r->out.acc, direct, i), size = direct[i].size;
        if (!(error <= most * size + 1e-35))
            fail_msg("%s on %s, %s, n = %zu, body %zu: off by %g of %g", r->variant->name,
                     r->job.device->info.id, what, b->n, i, error, size);
        mean += size > 0 ? error / size / (double)b->n : 0;
    }
    free(direct);
    return mean;
}

static inline void *words_of(const struct run *r, struct orr_buffer *from, size_t words)
{
    return fetched(r, from, 4 * words);
}

#endif
