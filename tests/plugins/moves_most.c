/* Leaves one body in ten where it is.
 * Caught by the body that is astray; at any N by bodies that stand still. */
#include "moving.h"

static int advance(struct orr_job *job, int steps, double dt)
{
    const struct orr_bodies *b = job->bodies;
    struct state *s = job->state;
    advance_rightly(job, steps, dt);
    for (size_t i = 0; i < b->n; i += 10)
        for (int d = 0; d < DIMENSIONS; d++) {
            s->pos[d][i] = b->pos[d][i];
            s->vel[d][i] = b->vel[d][i];
        }
    return forces(job);
}

MOVES("moves_most");
