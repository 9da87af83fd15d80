/* Drifts before it kicks: Euler's scheme.
 * Caught by the shift of the positions, the distances from the trajectory and the energy. */
#include "moving.h"

static int advance(struct orr_job *job, int steps, double dt)
{
    forces(job);
    for (int k = 0; k < steps; k++) {
        drift(job, dt);
        kick(job, dt);
        forces(job);
    }
    return 0;
}

MOVES("moves_by_old_velocity");
