/* SPDX-License-Identifier: MIT */
/* Random bodies, their reference and forces that are right, for tests of verification. */
#ifndef ORR_VERIFY_FOR_TESTS_H
#define ORR_VERIFY_FOR_TESTS_H

#include "datasets/bodies.h"
#include "measure/stats.h"
#include "verify/verify.h"
#include "tests/cases.h"

static const struct orr_targets targets = {.seed = 1};

static inline struct orr_bodies cloud(size_t n, uint64_t random)
{
    struct orr_bodies bodies = {0};
    bodies = bodies_made(n, 3);
    for (size_t i = 0; i < n; i++) {
        for (int d = 0; d < 3; d++) {
            bodies.pos[d][i] = (double)(orr_stats_random_next(&random) >> 11) * 0x1p-53 - 0.5;
            bodies.vel[d][i] = (double)(orr_stats_random_next(&random) >> 11) * 0x1p-53 - 0.5;
        }
        bodies.mass[i] = 1 / (double)n;
    }
    orr_bodies_round(&bodies);
    return bodies;
}

static inline struct orr_sources sources_of(const struct orr_bodies *b, double eps)
{
    return orr_reference_sources(b, b->mass, eps);
}

static inline struct orr_reference reference_of(const struct orr_bodies *bodies, double eps)
{
    struct orr_reference reference;
    struct orr_sources sources = sources_of(bodies, eps);
    assert_int_equal(orr_reference_make(&reference, &sources, NULL, &targets), 0);
    return reference;
}

/* Forces that are exactly the reference, rounded to float. */
static inline struct orr_forces right_forces(const struct orr_bodies *bodies,
                                             const struct orr_reference *reference)
{
    struct orr_forces forces;
    assert_int_equal(orr_verify_make_forces(&forces, bodies->n, false), 0);
    orr_verify_poison_forces(&forces, bodies->n);
    for (size_t k = 0; k < reference->count; k++) {
        for (int d = 0; d < 3; d++)
            forces.acc[d][reference->targets[k]] = (float)reference->acc[d][k];
        forces.phi[reference->targets[k]] = (float)reference->phi[k];
    }
    return forces;
}

#endif
