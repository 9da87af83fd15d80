/* Forgets the very first half kick.
 * Caught by the shift of the velocities and their distances from the trajectory; at any N by the
 * time that changes of velocity take. */
#include "moving.h"

static int advance(struct orr_job *job, int steps, double dt)
{
    forces(job);
    for (int k = 0; k < steps; k++) {
        kick(job, k > 0 ? dt / 2 : 0);
        drift(job, dt);
        forces(job);
        kick(job, dt / 2);
    }
    return 0;
}

MOVES("moves_without_opening");
