#include "datasets/dataset.h"
#include "datasets/galaxy_place.h"

/* Density and velocities are those of galaxy_tables.h, made anew: the published tables are all that
 * is left of the paper's bodies. Its disk lies in the plane z = 0 and turns from x to y. */
static int generate(struct orr_bodies *bodies, enum orr_galaxy_reading reading, uint64_t seed)
{
    static const struct orr_galaxy_stand upright = {.axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    struct orr_galaxy_model model;
    size_t count[ORR_GALAXY_COMPONENTS];
    orr_galaxy_model_make(&model);
    orr_galaxy_split(count, bodies->n, reading);
    orr_galaxy_place(bodies, 0, count, &model, &upright, seed);
    return 0;
}

static int generate_by_mass(struct orr_bodies *bodies, uint64_t seed)
{
    return generate(bodies, ORR_GALAXY_MASSES, seed);
}

static int generate_by_number(struct orr_bodies *bodies, uint64_t seed)
{
    return generate(bodies, ORR_GALAXY_NUMBERS, seed);
}

/* One galaxy under two names: all but the reading is the same. The paper's tests of accuracy are
 * without softening, hence eps = 0; dt is that of merger, which is softened by 0.1. */
#define MILKY_WAY(called, told, reading)                                                       \
    {                                                                                          \
        .name = (called), .summary = (told), .dimensions = 3, .default_n = 100000, .min_n = 3, \
        .max_n = 100000000, .multiple = 1, .eps = 0, .dt = 1.0 / 64, .generate = (reading)     \
    }

const struct orr_dataset orr_dataset_milky_way =
    MILKY_WAY("milky-way",
              "bulge, disk and halo after Widrow & Dubinski (2005), a reconstruction; masses of "
              "one body 1:1:4",
              generate_by_mass);

const struct orr_dataset orr_dataset_milky_way_numbers =
    MILKY_WAY("milky-way-numbers",
              "the same galaxy with numbers of bodies in bulge, disk and halo 1:1:4, the other "
              "reading of the paper",
              generate_by_number);
