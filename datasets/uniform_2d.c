#include "datasets/dataset.h"
#include "datasets/rng.h"

/* "randomly located in the box bounded by (-1024, -1024) and (1024, 1024), with mass randomly
 * assigned between 0.1 and 100", "initial velocity set to zero". The report gives neither G,
 * softening nor time step: G = 1, a softening of half the mean distance of 10^6 bodies, and a step
 * in which even there few bodies move further than that. */
static int generate(struct orr_bodies *bodies, uint64_t seed)
{
#pragma omp parallel for schedule(static) if (bodies->n > ORR_BODIES_MANY)
    for (size_t i = 0; i < bodies->n; i++) {
        struct orr_rng rng = orr_rng_make(seed, 0, i);
        for (int k = 0; k < 2; k++)
            bodies->pos[k][i] = orr_rng_between(&rng, -1024, 1024);
        bodies->mass[i] = orr_rng_between(&rng, 0.1, 100);
    }
    return 0;
}

const struct orr_dataset orr_dataset_uniform_2d = {
    .name = "uniform-2d",
    .summary = "uniform in a square of side 2048, at rest, masses 0.1 to 100 (Feng & Romero)",
    .dimensions = 2,
    .default_n = 10000,
    .min_n = 1,
    .max_n = 1000000000,
    .multiple = 1,
    .eps = 1,
    .dt = 0.05,
    .generate = generate,
};
