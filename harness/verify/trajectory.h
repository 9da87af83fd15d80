/* SPDX-License-Identifier: MIT */
/* Trajectories by fp64 direct sums: a variant's distance from them, which is the cost of Feng &
 * Romero, Figures 14-17, and whether a variant that integrates went where its steps lead. */
#ifndef ORR_TRAJECTORY_H
#define ORR_TRAJECTORY_H

#include <stdbool.h>

#include "datasets/dataset.h"
#include "verify/reference.h"
#include "variant.h"

enum { ORR_TRAJECTORY_LIMIT = 20000 }; /* bodies; beyond, all pairs of every step take too long */

/* Everything that a trajectory depends on. */
struct orr_trajectory_of {
    const struct orr_bodies *bodies;
    const char *sha256; /* of the bodies */
    double eps, dt;     /* softening length, time step */
    int steps;          /* above 0 */
    bool euler;         /* by Euler's scheme, else by leap-frog */
};

/* Positions, velocities and accelerations after the steps, n each; and positions and velocities one
 * step earlier. */
struct orr_trajectory {
    size_t n;
    double *pos[3], *vel[3], *acc[3], *earlier_pos[3], *earlier_vel[3];
};

/* Integrates the bodies by a scheme of variants/common/leapfrog.h. Release it whatever is
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

/* --- few bodies: the whole trajectory --- */

/* What is judged of a result; docs/METHOD.md, Integrations. */
enum orr_trajectory_check {
    ORR_TRAJECTORY_POSITION_SHIFT, /* in time, by the median body, in steps */
    ORR_TRAJECTORY_VELOCITY_SHIFT,
    ORR_TRAJECTORY_POSITION_MEDIAN, /* distance from the trajectory, [length] */
    ORR_TRAJECTORY_POSITION_P95,
    ORR_TRAJECTORY_VELOCITY_MEDIAN, /* [length/time] */
    ORR_TRAJECTORY_VELOCITY_P95,
    ORR_TRAJECTORY_ENERGY,   /* difference over kinetic energy and |potential| */
    ORR_TRAJECTORY_MOMENTUM, /* difference over the sum of m |v| */
    ORR_TRAJECTORY_ASTRAY,   /* of the worst body, over what is allowed to it */
    ORR_TRAJECTORY_CHECKS
};
extern const char *const orr_trajectory_names[ORR_TRAJECTORY_CHECKS];

/* What results of these steps are held to. It follows from twins: the same steps in single
 * precision, with accelerations that are wrong by a share of their length. */
struct orr_trajectory_judge {
    struct orr_trajectory expected;
    struct orr_totals totals; /* of `expected` */
    double *by_twins[2];      /* largest distance of the twins' positions and velocities, a body */
    double limit[ORR_TRAJECTORY_CHECKS];
    bool blind; /* a result one step too short would pass: rounding or chaos hide it, or dt is 0 */
};

/* `force_error` is the relative error that the twins' accelerations get, about what the variant's
 * may have compared with direct sums. Release it whatever is returned. ORR_EMEMORY. */
int orr_trajectory_judge_make(struct orr_trajectory_judge *out, const struct orr_trajectory_of *of,
                              double force_error);
void orr_trajectory_judge_release(struct orr_trajectory_judge *judge);
/* Judges positions and velocities after the steps; `of` is what the judge was made of. Fills in the
 * values that the limits hold for. ORR_EWRONG with the first beyond its limit, or ORR_EMEMORY. */
int orr_trajectory_judge(double value[ORR_TRAJECTORY_CHECKS],
                         const struct orr_trajectory_judge *judge,
                         const struct orr_trajectory_of *of, const struct orr_forces *moved);

/* Bodies of a small-N cell: a cell with so few bodies that its trajectory can be judged, at most as
 * many as the cell has, and a number that the data set takes. `level` as in orr_dataset_check. */
size_t orr_trajectory_small_n(const struct orr_dataset *set, size_t n, int level, int steps);

/* --- many bodies: what needs no trajectory --- */

/* ORR_EWRONG when bodies that must have moved, or changed their velocity, by either end of the
 * steps, did not by a bit, more than one in a hundred. `moved` has the end's accelerations. */
int orr_trajectory_still(const struct orr_trajectory_of *of, const struct orr_forces *moved);

#endif
