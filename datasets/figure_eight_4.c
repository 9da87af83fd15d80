#include "datasets/dataset.h"
#include "datasets/figure_eight.h"

/* Gerver's four-body "super-eight"; period 2 pi. */
static const double x = 1.3828568436184188124899, y = 0.1570299222812202996010;
static const double u = 1.8719352458786758388359, v = 0.5848726308148750872527;

static int generate(struct orr_bodies *bodies, uint64_t seed)
{
    const struct orr_choreography orbit[] = {
        {{x, 0}, {0, v}},
        {{0, y}, {u, 0}},
        {{-x, 0}, {0, -v}},
        {{0, -y}, {-u, 0}},
    };
    orr_figure_eight_place(bodies, orbit, 4, 0.5, seed);
    return 0;
}

const struct orr_dataset orr_dataset_figure_eight_4 = {
    .name = "figure-eight-4",
    .summary = "four Plummer galaxies on the super-eight orbit; a reconstruction of Fujiwara & "
               "Nakasato's input",
    .dimensions = 3,
    .default_n = 10000,
    .min_n = 4,
    .max_n = 40000000,
    .multiple = 4,
    .eps = 0.1,
    .dt = 1.0 / 64,
    .generate = generate,
};
