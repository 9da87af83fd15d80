#include "datasets/plummer.h"

#include <math.h>

#include "datasets/dataset.h"
#include "datasets/rng.h"

static const double kept_mass = 0.99; /* the rest lies beyond 12.2 scale lengths */

/* Cube root of x in [0, 1) by Newton's iteration: only + - * /, so the same bits everywhere. x is
 * first scaled by powers of 8 (exact) into [1/8, 1), where six steps from the chord reach the last
 * digit. */
static double cube_root(double x)
{
    if (x <= 0)
        return 0;
    double scale = 1;
    while (x < 0.125) {
        x *= 8;
        scale *= 0.5;
    }
    double root = 0.4286 + 0.5714 * x; /* the chord through (1/8, 1/2) and (1, 1) */
    for (int k = 0; k < 6; k++)
        root = (2 * root + x / (root * root)) / 3;
    return root * scale;
}

/* Speed over escape speed, distributed as q^2 (1 - q^2)^3.5: rejection under a bound of 0.1, the
 * maximum is 0.0922. */
static double relative_speed(struct orr_rng *rng)
{
    for (;;) {
        double q = orr_rng_uniform(rng);
        double left = 1 - q * q;
        double density = q * q * (left * left * left * sqrt(left));
        if (0.1 * orr_rng_uniform(rng) < density)
            return q;
    }
}

/* One body of the model with scale length 1 and G M = 1 (Aarseth, Henon & Wielen 1974). */
static void place_one(struct orr_bodies *bodies, size_t i, const struct orr_plummer *model,
                      struct orr_rng rng)
{
    /* M(<r) = r^3 / (1 + r^2)^1.5 solved for r, with c the cube root of the mass fraction. */
    double c = cube_root(kept_mass * orr_rng_uniform(&rng));
    double radius = c / sqrt(1 - c * c);
    double escape = sqrt(2 / sqrt(1 + radius * radius));
    double direction[3];
    orr_rng_sphere(&rng, direction);
    for (int k = 0; k < 3; k++)
        bodies->pos[k][i] = model->radius * radius * direction[k];
    double speed = relative_speed(&rng) * escape * sqrt(model->depth / model->radius);
    orr_rng_sphere(&rng, direction);
    for (int k = 0; k < 3; k++)
        bodies->vel[k][i] = speed * direction[k];
}

/* In one order, so that the sum is the same for every number of threads. */
static void shift_mean(double *values, size_t count, double wanted)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    double shift = wanted - sum / (double)count;
    for (size_t i = 0; i < count; i++)
        values[i] += shift;
}

void orr_plummer_centre(struct orr_bodies *bodies, size_t first, size_t count,
                        const double centre[3], const double velocity[3])
{
    if (!count)
        return;
#pragma omp parallel for schedule(dynamic) if (count > ORR_BODIES_MANY)
    for (int k = 0; k < 6; k++)
        if (k < 3)
            shift_mean(bodies->pos[k] + first, count, centre[k]);
        else
            shift_mean(bodies->vel[k - 3] + first, count, velocity[k - 3]);
}

void orr_plummer_place(struct orr_bodies *bodies, size_t first, size_t count,
                       const struct orr_plummer *model, uint64_t seed)
{
#pragma omp parallel for schedule(static) if (count > ORR_BODIES_MANY)
    for (size_t i = first; i < first + count; i++) {
        bodies->mass[i] = model->mass / (double)count;
        place_one(bodies, i, model, orr_rng_make(seed, model->stream, i));
    }
    orr_plummer_centre(bodies, first, count, model->centre, model->velocity);
}

void orr_dataset_plummer(struct orr_bodies *bodies, int level, uint64_t seed)
{
    (void)level;
    /* Virial units: G = M = 1 and E = -1/4 give a = 3 pi / 16. */
    orr_plummer_place(
        bodies, 0, bodies->n,
        &(struct orr_plummer){.mass = 1, .depth = 1, .radius = 3 * 3.14159265358979323846 / 16},
        seed);
}
