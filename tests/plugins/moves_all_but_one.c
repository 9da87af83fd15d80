/* Leaves the last body where it is.
 * Caught by the body that is astray; at any N by the momentum, if the body is heavy enough. */
#include "moving.h"

static int advance(struct orr_job *job, int steps, double dt)
{
    const struct orr_bodies *b = job->bodies;
    struct state *s = job->state;
    advance_rightly(job, steps, dt);
    for (int d = 0; d < DIMENSIONS; d++) {
        s->pos[d][b->n - 1] = b->pos[d][b->n - 1];
        s->vel[d][b->n - 1] = b->vel[d][b->n - 1];
    }
    return forces(job);
}

MOVES("moves_all_but_one");
