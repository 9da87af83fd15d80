#include "datasets/dataset.h"
#include "datasets/rng.h"

/* The paper says "random initial position and velocity" and no more. Masses differ so that a code
 * that mixes them up is found out; their mean makes the total about 1. */
static int generate(struct orr_bodies *bodies, uint64_t seed)
{
#pragma omp parallel for schedule(static) if (bodies->n > ORR_BODIES_MANY)
    for (size_t i = 0; i < bodies->n; i++) {
        struct orr_rng rng = orr_rng_make(seed, 0, i);
        for (int k = 0; k < 3; k++)
            bodies->pos[k][i] = orr_rng_between(&rng, -1, 1);
        for (int k = 0; k < 3; k++)
            bodies->vel[k][i] = orr_rng_between(&rng, -0.5, 0.5);
        bodies->mass[i] = orr_rng_between(&rng, 0.5, 1.5) / (double)bodies->n;
    }
    return 0;
}

const struct orr_dataset orr_dataset_random_3d = {
    .name = "random-3d",
    .summary = "uniform in a cube of side 2, random velocities and masses (Fujiwara & Nakasato "
               "2009, section V)",
    .dimensions = 3,
    .default_n = 100000,
    .min_n = 1,
    .max_n = 100000000,
    .multiple = 1,
    .eps = 0.01,
    .dt = 0.01,
    .generate = generate,
};
