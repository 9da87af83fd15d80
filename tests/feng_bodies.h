/* SPDX-License-Identifier: MIT */
/* Bodies in the plane that are easy or difficult for a tree, of every kind that the tests of feng's
 * device variants go through. */
#ifndef ORR_TEST_FENG_BODIES_H
#define ORR_TEST_FENG_BODIES_H

#include "feng_expected.h"
#include "random_for_tests.h"

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

#endif
