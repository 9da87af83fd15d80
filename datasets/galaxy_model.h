/* The model galaxy of galaxy_tables.h made ready to be sampled: masses inside radii, velocity
 * dispersions, escape speeds. */
#ifndef ORR_GALAXY_MODEL_H
#define ORR_GALAXY_MODEL_H

#include "datasets/galaxy_curve.h"

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
/* Where the fraction `inside`, in (0, 1), of the mass lies inside. */
struct orr_galaxy_rung orr_galaxy_rung_of(const struct orr_galaxy_ladder *ladder, double inside);
/* ln r there. */
double orr_galaxy_rung_log(const struct orr_galaxy_ladder *ladder, struct orr_galaxy_rung rung);
/* A column of node values there, between its nodes linear; inside of node 0 that of node 0. */
double orr_galaxy_rung_value(const double column[ORR_GALAXY_NODES], struct orr_galaxy_rung rung);
/* Mass of both spheroids inside ln r. */
double orr_galaxy_spheroids_mass(const struct orr_galaxy_model *model, double ln_r);

#endif
