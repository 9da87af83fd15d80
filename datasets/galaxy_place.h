/* A model galaxy as bodies: shared by the data sets milky-way, milky-way-numbers and merger. */
#ifndef ORR_GALAXY_PLACE_H
#define ORR_GALAXY_PLACE_H

#include <stddef.h>
#include <stdint.h>

#include "datasets/bodies.h"
#include "datasets/galaxy_model.h"

/* What the "mass ratio of bulge, disk and halo particles 1:1:4" of Gaburov et al. 2010,
 * section 3.3, may mean. */
enum orr_galaxy_reading {
    ORR_GALAXY_MASSES, /* masses of one particle: a body of the halo has four times the mass of one
                          of bulge or disk */
    ORR_GALAXY_NUMBERS /* numbers of particles */
};

/* Bodies of each component, at least one each, together n >= 3. */
void orr_galaxy_split(size_t count[ORR_GALAXY_COMPONENTS], size_t n,
                      enum orr_galaxy_reading reading);

/* How a galaxy stands in space. */
struct orr_galaxy_stand {
    double centre[3];   /* of its density; the bodies' own centre of mass lies off it by the scatter
                           of their number */
    double velocity[3]; /* of the bodies' centre of mass, to rounding */
    double axis[3][3]; /* unit vectors: where the disk's own x, y and z (its axis of rotation) point
                          to */
    uint32_t stream;   /* random streams stream ... stream + 2 (rng.h) are used */
};

/* Fills bodies first ... first + all of `count` - 1, in the order of the components. */
void orr_galaxy_place(struct orr_bodies *bodies, size_t first,
                      const size_t count[ORR_GALAXY_COMPONENTS],
                      const struct orr_galaxy_model *model, const struct orr_galaxy_stand *stand,
                      uint64_t seed);

#endif
