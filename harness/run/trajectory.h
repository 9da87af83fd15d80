/* Trajectories by fp64 direct sums: a variant's distance from them, which is the cost of Feng &
 * Romero, Figures 14-17, and whether a variant that integrates went where its steps lead. */
#ifndef ORR_TRAJECTORY_H
#define ORR_TRAJECTORY_H

#include <stdbool.h>

#include "datasets/dataset.h"
#include "run/reference.h"
#include "variant.h"

enum { ORR_TRAJECTORY_LIMIT = 20000 }; /* bodies; beyond, all pairs of every step take too long */

/* Accelerations of the bodies at the sources' positions, [length/time^2]; 0 or a negative code. */
typedef int orr_trajectory_forces(void *context, double *const acc[3],
                                  const struct orr_sources *sources);

/* Everything that a trajectory depends on. */
struct orr_trajectory_of {
    const struct orr_bodies *bodies;
    const char *sha256;            /* of the bodies */
    double eps, dt;                /* softening length, time step */
    int steps;                     /* above 0 */
    bool euler;                    /* by Euler's scheme, else by leap-frog */
    orr_trajectory_forces *forces; /* NULL: fp64 direct sums */
    void *context;                 /* of `forces` */
};

/* Positions, velocities and accelerations after the steps, n each; and positions and velocities one
 * step earlier. */
struct orr_trajectory {
    size_t n;
    double *pos[3], *vel[3], *acc[3], *earlier_pos[3], *earlier_vel[3];
};

/* Integrates the bodies by a scheme of variants/common/leapfrog.h. Release it whatever is
 * returned. ORR_EMEMORY, or what `forces` returns. */
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

struct orr_trajectory_verdict {
    double value[ORR_TRAJECTORY_CHECKS], limit[ORR_TRAJECTORY_CHECKS];
    bool blind; /* a result one step too short would pass: rounding or chaos hide it, or dt is 0 */
};

/* Judges positions and velocities after the steps against the trajectory. `force_error` is the
 * relative error that the twins' accelerations get, about what the variant's may have compared with
 * those that the trajectory is made by. What is allowed follows from twins: the same steps in
 * single precision, with accelerations that are wrong by so much. ORR_EWRONG with the first check
 * that fails, ORR_EMEMORY, or what `forces` returns. */
int orr_trajectory_judge(struct orr_trajectory_verdict *out, const struct orr_trajectory_of *of,
                         const struct orr_forces *moved, double force_error);

/* Bodies of a companion: a cell with so few bodies that its trajectory can be judged, at most as
 * many as the cell has, and a number that the data set takes. `level` as in orr_dataset_check. */
size_t orr_trajectory_companion(const struct orr_dataset *set, size_t n, int level, int steps);

/* --- many bodies: what needs no trajectory --- */

enum orr_trajectory_sign {
    ORR_TRAJECTORY_STILL, /* share of the bodies that must have moved and are where they were,
                             or are as fast as they were and must not be */
    ORR_TRAJECTORY_DISPLACEMENT, /* time that the displacements take, over that of the steps, less 1
                                  */
    ORR_TRAJECTORY_CHANGE,       /* the same of the changes of velocity */
    ORR_TRAJECTORY_CENTRE, /* distance of the centre of mass from where the momentum takes it */
    ORR_TRAJECTORY_SIGNS
};
extern const char *const orr_trajectory_signs[ORR_TRAJECTORY_SIGNS];

/* Both ends of an integration. */
struct orr_trajectory_ends {
    const struct orr_bodies *start;
    const struct orr_forces *moved; /* with accelerations, which belong to the end */
    double dt, force_error;         /* as of orr_trajectory_judge; INFINITY: not known */
    int steps;
    bool euler; /* as of a trajectory */
    /* Accelerations at the start, of direct sums or, where they are far from the variant's, what it
     * computes with steps = 0; NULL: not known. */
    const struct orr_reference *reference;
};

/* NAN: cannot be judged. */
struct orr_trajectory_plausibility {
    double value[ORR_TRAJECTORY_SIGNS], limit[ORR_TRAJECTORY_SIGNS];
};

/* ORR_EWRONG with the first sign that the bodies did not move by so many steps, or ORR_EMEMORY. */
int orr_trajectory_plausible(struct orr_trajectory_plausibility *out,
                             const struct orr_trajectory_ends *ends);

#endif
