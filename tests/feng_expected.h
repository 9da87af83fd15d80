/* SPDX-License-Identifier: MIT */
/* Accelerations in the plane in double precision: direct sums, and those of a plain Barnes-Hut code
 * that builds no tree. */
#ifndef ORR_TEST_FENG_EXPECTED_H
#define ORR_TEST_FENG_EXPECTED_H

#include "datasets/bodies.h"
#include "tests/cases.h"

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
    double *errors = calloc(n, sizeof *errors);

    for (size_t i = 0; i < n; i++)
        errors[i] = distance(acc, expected, i) / hypot(expected[i].x, expected[i].y);
    const double median = median_of(errors, n);
    free(errors);
    return median;
}

#endif
