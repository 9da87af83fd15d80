#include "datasets/dataset.h"
#include "datasets/figure_eight.h"

/* Chenciner & Montgomery's three-body figure eight, from the collinear state;
 * period 6.3259139829262116775890. */
static const double vx = 0.3471168881189269382427769, vy = 0.5327249453880302292620280;

static int generate(struct orr_bodies *bodies, uint64_t seed)
{
    const struct orr_choreography orbit[] = {
        {{-1, 0}, {vx, vy}},
        {{1, 0}, {vx, vy}},
        {{0, 0}, {-2 * vx, -2 * vy}},
    };
    orr_figure_eight_place(bodies, orbit, 3, 1, seed);
    return 0;
}

const struct orr_dataset orr_dataset_figure_eight_3 = {
    .name = "figure-eight-3",
    .summary = "three Plummer galaxies on the figure-eight orbit; a reconstruction of Fujiwara & "
               "Nakasato's input",
    .dimensions = 3,
    .default_n = 7500,
    .min_n = 3,
    .max_n = 30000000,
    .multiple = 3,
    .eps = 0.1,
    .dt = 1.0 / 64,
    .generate = generate,
};
