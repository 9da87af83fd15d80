/* Evaluates the forces once and moves no body.
 * Caught by the distances from the trajectory; at any N by bodies that stand still. */
#include "moving.h"

static int advance(struct orr_job *job, int steps, double dt)
{
    return forces(job);
}

MOVES("moves_never");
