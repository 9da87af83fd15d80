/* One step too many.
 * Caught by the shift of the positions and the distances from the trajectory; at any N by the time
 * that displacements and changes of velocity take, and by the centre of mass, where it moves. */
#include "moving.h"

static int advance(struct orr_job *job, int steps, double dt)
{
    return advance_rightly(job, steps + 1, dt);
}

MOVES("moves_one_step_more");
