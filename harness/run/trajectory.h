/* Trajectories by fp64 direct sums, and a variant's distance from them: the cost of Feng & Romero,
 * Figures 14-17. */
#ifndef ORR_TRAJECTORY_H
#define ORR_TRAJECTORY_H

#include "run/reference.h"
#include "variant.h"

enum { ORR_TRAJECTORY_LIMIT = 20000 }; /* bodies; beyond, all pairs of every step take too long */

/* Everything that a trajectory depends on. */
struct orr_trajectory_of {
    const struct orr_bodies *bodies;
    const char *sha256; /* of the bodies */
    double eps, dt;     /* softening length, time step of the leap-frog scheme */
    int steps;          /* above 0 */
};

/* Positions and velocities after the steps, n each. */
struct orr_trajectory {
    size_t n;
    double *pos[3], *vel[3];
};

/* Integrates the bodies by the scheme of variants/common/leapfrog.h. Release it whatever is
 * returned. ORR_EMEMORY. */
int orr_trajectory_make(struct orr_trajectory *out, const struct orr_trajectory_of *of);
void orr_trajectory_release(struct orr_trajectory *trajectory);

/* Sums over all bodies of squared differences: of the distance between the positions, of the speeds
 * |v|, which is what the report calls the velocity cost, and of the velocities as vectors. */
struct orr_trajectory_error {
    double position, speed, velocity;
};
struct orr_trajectory_error orr_trajectory_compare(const struct orr_trajectory *trajectory,
                                                   const struct orr_forces *moved, int dimensions);

#endif
