/* SPDX-License-Identifier: MIT */
/* Integration in time over whatever holds the bodies. The leap-frog scheme (kick, drift, kick;
 * Fujiwara & Nakasato 2009, section III):
 *
 *     v_{i+1/2} = v_i + a_i dt/2
 *     x_{i+1} = x_i + v_{i+1/2} dt
 *     v_{i+1} = v_{i+1/2} + a_{i+1} dt/2
 *
 * Euler's (Feng & Romero, "Updating Particle Locations and Velocities"):
 *
 *     x_{i+1} = x_i + v_i dt
 *     v_{i+1} = v_i + a_i dt
 *
 * `steps` steps take steps + 1 force evaluations: both begin with the accelerations, and those at
 * the end belong to the result. */
#ifndef VARIANTS_COMMON_LEAPFROG_H
#define VARIANTS_COMMON_LEAPFROG_H

#include "harness/variant.h"

/* Values of a CHOICE "leapfrog|euler". */
enum integrator { INTEGRATOR_LEAPFROG, INTEGRATOR_EULER };

/* What the scheme is made of; each returns 0 or a code. */
struct leapfrog {
    int (*forces)(struct orr_job *job); /* accelerations of the bodies where they are */
    /* v += a closing; v += a opening; x += v dt. The last kick of a step and the first of the next
     * are one call. With Euler's scheme x moves by the v from before the kicks. */
    int (*kick_and_drift)(struct orr_job *job, float closing, float opening, float dt);
    enum integrator integrator;
};

/* Integrates; with steps = 0 it evaluates the forces once. Bodies stand where they start. */
int leapfrog_run(struct orr_job *job, const struct leapfrog *scheme, int32_t steps, float dt);

#endif
