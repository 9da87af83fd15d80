/* Forgets the second half kick of every step.
 * Caught by the shift of the velocities and their distances from the trajectory; at any N by the
 * time that changes of velocity take. */
#include "moving.h"

static int advance(struct orr_job *job, int steps, double dt)
{
    forces(job);
    for (int k = 0; k < steps; k++) {
        kick(job, dt / 2);
        drift(job, dt);
        forces(job);
    }
    return 0;
}

MOVES("moves_without_closing");
