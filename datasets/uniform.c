/* SPDX-License-Identifier: MIT */
/* Bodies that are uniform in a cube, a square or its boxes. */
#include "datasets/boxes.h"
#include "datasets/dataset.h"
#include "datasets/rng.h"

/* The paper says "random initial position and velocity" and no more. Masses differ so that a code
 * that mixes them up is found out; their mean makes the total about 1. */
void orr_dataset_random_3d(struct orr_bodies *bodies, int level, uint64_t seed)
{
    (void)level;

#pragma omp parallel for schedule(static) if (bodies->n > ORR_BODIES_MANY)
    for (size_t i = 0; i < bodies->n; i++) {
        struct orr_rng rng = orr_rng_make(seed, 0, i);
        for (int k = 0; k < 3; k++)
            bodies->pos[k][i] = orr_rng_between(&rng, -1, 1);
        for (int k = 0; k < 3; k++)
            bodies->vel[k][i] = orr_rng_between(&rng, -0.5, 0.5);
        bodies->mass[i] = orr_rng_between(&rng, 0.5, 1.5) / (double)bodies->n;
    }
}

/* "randomly located in the box bounded by (-1024, -1024) and (1024, 1024), with mass randomly
 * assigned between 0.1 and 100", "initial velocity set to zero". The report gives neither G,
 * softening nor time step: G = 1, a softening of half the mean distance of 10^6 bodies, and a step
 * in which even there few bodies move further than that. */
void orr_dataset_uniform_2d(struct orr_bodies *bodies, int level, uint64_t seed)
{
    (void)level;

#pragma omp parallel for schedule(static) if (bodies->n > ORR_BODIES_MANY)
    for (size_t i = 0; i < bodies->n; i++) {
        struct orr_rng rng = orr_rng_make(seed, 0, i);
        for (int k = 0; k < 2; k++)
            bodies->pos[k][i] = orr_rng_between(&rng, -1024, 1024);
        bodies->mass[i] = orr_rng_between(&rng, 0.1, 100);
    }
}

/* A body is at (column 2^k + m) / 2^24 with m below 2^k and k = 24 - level: 24 bits, so exactly a
 * float, on the lower edge of its box at the lowest and never on the upper one. Arithmetic in float
 * cannot move it to another box. */
static double place(uint32_t column, int level, struct orr_rng *rng)
{
    int bits = 24 - level;
    uint32_t within = (uint32_t)(orr_rng_uniform(rng) * (double)(1u << bits));
    return (double)((column << bits) + within) * 0x1p-24;
}

/* Each stretch of 4^level bodies visits every box once, since the step is odd, and in no order that
 * sorting along the curve could profit from, since it is about the golden section of all boxes.
 * Where the first body is depends on the seed. The paper gives neither masses nor a softening
 * length. */
void orr_dataset_uniform_boxes(struct orr_bodies *bodies, int level, uint64_t seed)
{

    uint64_t boxes = (uint64_t)1 << 2 * level, step = (boxes * 0x9e3779b9u >> 32) | 1;
    struct orr_rng start = orr_rng_make(seed, 1, 0);
    uint64_t first = (uint64_t)(orr_rng_uniform(&start) * (double)boxes);
#pragma omp parallel for schedule(static) if (bodies->n > ORR_BODIES_MANY)
    for (size_t i = 0; i < bodies->n; i++) {
        struct orr_rng rng = orr_rng_make(seed, 0, i);
        uint32_t column, row;
        orr_boxes_decode((uint32_t)((first + i * step) % boxes), &column, &row);
        bodies->pos[0][i] = place(column, level, &rng);
        bodies->pos[1][i] = place(row, level, &rng);
        bodies->mass[i] = orr_rng_between(&rng, 0.5, 1.5);
    }
    bodies->edge = 1;
}
