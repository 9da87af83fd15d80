#include <math.h>

#include "datasets/dataset.h"
#include "datasets/galaxy_place.h"

/* The paper says "a realistic galaxy merger simulation with 8 10^5 particles" and no more. Here two
 * galaxies of milky-way, one body in it four times as heavy in the halo as elsewhere, approach each
 * other on the parabola that point masses of theirs would follow, in the plane z = 0: 100 kpc
 * apart, to pass at 10 kpc about 17 units of time (1100 steps) later. Their halos overlap by then,
 * which takes energy from the orbit, so that they merge. The first disk is tilted against the
 * orbit's plane by the angle with cosine 0.8, the second one by that with cosine -0.6: it turns
 * against the orbit. */
static const double separation = 100; /* kpc */
static const double pericentre = 10;

enum { STREAM_FIRST = 0, STREAM_SECOND = ORR_GALAXY_COMPONENTS };

static int generate(struct orr_bodies *bodies, uint64_t seed)
{
    struct orr_galaxy_stand stand[2] = {
        {.axis = {{1, 0, 0}, {0, 0.8, 0.6}, {0, -0.6, 0.8}}, .stream = STREAM_FIRST},
        {.axis = {{-0.6, 0, -0.8}, {0, 1, 0}, {0.8, 0, -0.6}}, .stream = STREAM_SECOND},
    };
    double mass = 0;
    for (int c = 0; c < ORR_GALAXY_COMPONENTS; c++)
        mass += 2 * orr_galaxy_mass[c];
    /* Energy 0, and the angular momentum sqrt(2 M q) of pericentre q: of the relative velocity. */
    double across = sqrt(2 * mass * pericentre) / separation;
    double approach = sqrt(2 * mass / separation - across * across);
    struct orr_galaxy_model model;
    size_t count[ORR_GALAXY_COMPONENTS];
    orr_galaxy_model_make(&model);
    orr_galaxy_split(count, bodies->n / 2, ORR_GALAXY_MASSES);
    for (int g = 0; g < 2; g++) {
        double side = g ? 0.5 : -0.5;
        stand[g].centre[0] = side * separation;
        stand[g].velocity[0] = -side * approach;
        stand[g].velocity[1] = side * across;
        orr_galaxy_place(bodies, (size_t)g * (bodies->n / 2), count, &model, &stand[g], seed);
    }
    return 0;
}

/* eps resolves the bulges, half of whose mass lies within 0.6 kpc; dt is a fiftieth of an orbit at
 * eps. 8192 bodies then keep their energy within 2e-5 for 2048 steps, through the encounter; with
 * dt = 1/32 it drifts by 4e-5 in 32. */
const struct orr_dataset orr_dataset_merger = {
    .name = "merger",
    .summary = "two galaxies of milky-way on a parabolic orbit, 100 kpc apart; a reconstruction",
    .dimensions = 3,
    .default_n = 800000,
    .min_n = 6,
    .max_n = 100000000,
    .multiple = 2,
    .eps = 0.1,
    .dt = 1.0 / 64,
    .generate = generate,
};
