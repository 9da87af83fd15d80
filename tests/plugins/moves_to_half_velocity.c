/* Returns the velocities of the last half step: its closing kick is missing.
 * Caught by the shift of the velocities and their distances from the trajectory; at any N by the
 * time that changes of velocity take. */
#include "moving.h"

static int advance(struct orr_job *job, int steps, double dt)
{
    forces(job);
    for (int k = 0; k < steps; k++) {
        kick(job, k > 0 ? dt : dt / 2);
        drift(job, dt);
        forces(job);
    }
    return 0;
}

MOVES("moves_to_half_velocity");
