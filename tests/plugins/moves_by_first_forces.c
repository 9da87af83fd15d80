/* Evaluates the forces in the first step only, and once more at the end.
 * Caught by the distances from the trajectory. */
#include "moving.h"

static int advance(struct orr_job *job, int steps, double dt)
{
    forces(job);
    for (int k = 0; k < steps; k++) {
        kick(job, dt / 2);
        drift(job, dt);
        kick(job, dt / 2);
    }
    return forces(job);
}

MOVES("moves_by_first_forces");
