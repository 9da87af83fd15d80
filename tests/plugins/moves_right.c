/* Integrates as it should. Nothing catches it. */
#include "moving.h"

static int advance(struct orr_job *job, int steps, double dt)
{
    return advance_rightly(job, steps, dt);
}

MOVES("moves_right");
