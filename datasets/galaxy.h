/* SPDX-License-Identifier: MIT */
/* A model galaxy as bodies: shared by the data sets milky-way, milky-way-numbers and merger. */
#ifndef ORR_GALAXY_H
#define ORR_GALAXY_H

#include <stddef.h>
#include <stdint.h>

#include "datasets/bodies.h"

/* A smooth curve through a few printed points (r, value), both positive: a monotone cubic of ln
 * value over ln r (Fritsch & Butland 1984). Value and slope are continuous, and a power law, which
 * is what masses near a centre are, is met exactly. */
enum { ORR_GALAXY_POINTS = 48 };

struct orr_galaxy_curve {
    int count; /* points */
    double x[ORR_GALAXY_POINTS], y[ORR_GALAXY_POINTS],
        slope[ORR_GALAXY_POINTS]; /* ln r, ln value, d y / d x */
};

/* The model galaxy of galaxy_tables.h made ready to be sampled: masses inside radii, velocity
 * dispersions, escape speeds. */

/* In the order in which a galaxy's bodies stand. */
enum orr_galaxy_component {
    ORR_GALAXY_BULGE,
    ORR_GALAXY_DISK,
    ORR_GALAXY_HALO,
    ORR_GALAXY_COMPONENTS
};
extern const double orr_galaxy_mass[ORR_GALAXY_COMPONENTS];

enum { ORR_GALAXY_NODES = 512 };

/* A component's mass over radius at nodes that are even in ln r; between two nodes it is a power
 * law. */
struct orr_galaxy_ladder {
    double first, step;                   /* ln r of node 0, from node to node */
    double ln_fraction[ORR_GALAXY_NODES]; /* of the mass inside; 0 at the last node, the component's
                                             end */
};

/* Where a body stands on a ladder. */
struct orr_galaxy_rung {
    int node;    /* at or before it */
    double part; /* of the way to the next node; below 0 inside of node 0 */
};

/* Bulge or halo: isotropic, in equilibrium in the field of all three. */
struct orr_galaxy_spheroid {
    struct orr_galaxy_curve mass; /* inside r */
    struct orr_galaxy_ladder ladder;
    double dispersion2[ORR_GALAXY_NODES]; /* of one component of velocity, squared (Jeans) */
    double escape2[ORR_GALAXY_NODES];     /* speed at which a body would leave, squared */
    double maxwell2[ORR_GALAXY_NODES]; /* dispersion2 of the Maxwellian that has it when cut at the
                                          escape speed */
};

struct orr_galaxy_disk {
    struct orr_galaxy_curve speed2;     /* of a circular orbit in the disk's own field, over R */
    struct orr_galaxy_ladder ladder;    /* over R, the distance to the axis */
    double vertical2[ORR_GALAXY_NODES]; /* sigma_z^2 that keeps the height as it is */
    double ratio2[ORR_GALAXY_NODES]; /* (sigma_phi / sigma_R)^2 = (kappa / 2 Omega)^2 (epicycles) */
};

struct orr_galaxy_model {
    struct orr_galaxy_spheroid bulge, halo;
    struct orr_galaxy_disk disk;
};

/* Takes some milliseconds; the same bits everywhere. */
void orr_galaxy_model_make(struct orr_galaxy_model *model);

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
