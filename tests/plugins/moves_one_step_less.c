/* One step too few.
 * Caught by the shift of the positions and the distances from the trajectory; at any N by the time
 * that displacements and changes of velocity take, and by the centre of mass, where it moves. */
#include "moving.h"

static int advance(struct orr_job *job, int steps, double dt)
{
    return steps > 1 ? advance_rightly(job, steps - 1, dt) : forces(job);
}

MOVES("moves_one_step_less");
