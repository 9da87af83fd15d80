/* Plummer's sphere in equilibrium, as placed by several data sets. */
#ifndef ORR_PLUMMER_H
#define ORR_PLUMMER_H

#include <stdint.h>

#include "datasets/bodies.h"

struct orr_plummer {
    double mass;   /* of all bodies together; they have equal masses */
    double radius; /* Plummer's scale length a: density ~ (1 + r^2/a^2)^-5/2 */
    double depth; /* mass that makes the potential the velocities belong to; = mass when isolated */
    double centre[3];   /* centre of mass */
    double velocity[3]; /* of the centre of mass */
    uint32_t stream;    /* random stream (rng.h) */
};

/* Places bodies first ... first + count - 1. Truncated at 0.99 of the mass (12.2 a); velocities are
 * isotropic and exactly those of the model's distribution function; the sample's own centre of mass
 * and mean velocity are taken off.
 */
void orr_plummer_place(struct orr_bodies *bodies, size_t first, size_t count,
                       const struct orr_plummer *model, uint64_t seed);
/* Moves bodies so that their centre of mass and its velocity are as given (all with equal masses).
 */
void orr_plummer_centre(struct orr_bodies *bodies, size_t first, size_t count,
                        const double centre[3], const double velocity[3]);

#endif
