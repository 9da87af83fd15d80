/* SPDX-License-Identifier: MIT */
/* Bodies that make trees difficult, and gaburov/octgrav on every device, for the tests of its lists
 * and of its forces.
 */
#ifndef ORR_TEST_GABUROV_OCTGRAV_RUN_H
#define ORR_TEST_GABUROV_OCTGRAV_RUN_H

#include "space_run.h"
#include "variants/gaburov/shared/octgrav.h"

/* A Plummer sphere of length 1 and mass 1, at rest. */
static inline struct orr_bodies plummer_bodies(size_t n, double eps)
{
    struct orr_bodies b = random_bodies(n, eps);

    for (size_t i = 0; i < n; i++) {
        const double radius = 1 / sqrt(pow(0.01 + 0.98 * uniform(), -2.0 / 3.0) - 1),
                     z = 2 * uniform() - 1;
        const double angle = 6.283185307179586 * uniform();
        b.pos[0][i] = radius * sqrt(1 - z * z) * cos(angle);
        b.pos[1][i] = radius * sqrt(1 - z * z) * sin(angle);
        b.pos[2][i] = radius * z;
        b.mass[i] = 1.0 / (double)n;
    }
    orr_bodies_round(&b);
    return b;
}

/* Shapes of bodies. */
enum shape { SPHERE, CUBE, LINE, ONE_PLACE, PAIRS, FAR_AWAY, MASSLESS, TINY, HUGE_ONES, SHAPES };
static const char *const shape_names[SHAPES] = {
    "sphere", "cube", "line", "one place", "pairs", "one is far away", "massless", "tiny", "huge"};

static inline struct orr_bodies bodies_of(enum shape shape, size_t n, double eps)
{
    struct orr_bodies b = shape == SPHERE ? plummer_bodies(n, eps) : random_bodies(n, eps);
    const double scale = shape == TINY ? 1e-9 : shape == HUGE_ONES ? 1e12 : 1;

    for (size_t i = 0; i < n; i++) {
        for (int d = 0; d < 3; d++) {
            double *x = &b.pos[d][i];
            *x = shape == LINE && d ? 0.25 : shape == ONE_PLACE ? 0.3 : *x;
            *x = shape == PAIRS ? b.pos[d][i / 2 * 2] : *x * scale;
        }
        if (shape == MASSLESS && i % 3)
            b.mass[i] = 0;
    }
    if (shape == FAR_AWAY)
        b.pos[0][n / 2] = -1e6;
    b.eps = eps * scale;
    orr_bodies_round(&b);
    return b;
}

/* Of the errors of the accelerations over their lengths. */
static inline double median_error(const struct run *r)
{
    const struct orr_bodies *b = r->job.bodies;
    RELEASED_BY(free_text) double *errors = malloc(b->n * sizeof *errors);

    for (size_t i = 0; i < b->n; i++) {
        double sum[5];
        exact(sum, b, i, (double)(float)b->eps);
        errors[i] =
            acc_error(r, i, sum) / sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
    }
    qsort(errors, b->n, sizeof *errors, by_value);
    const double median = errors[b->n / 2];
    return median;
}

#endif
