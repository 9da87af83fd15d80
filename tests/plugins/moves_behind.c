/* Returns the positions of the step before, with the forces that belong to them.
 * Caught by the shift of the positions and their distances from the trajectory; at any N by the
 * displacements, which the velocities do not explain. */
#include "moving.h"

static int advance(struct orr_job *job, int steps, double dt)
{
    struct state *s = job->state;
    size_t bytes = job->bodies->n * sizeof(double);
    double *vel[DIMENSIONS];
    advance_rightly(job, steps, dt);
    for (int d = 0; d < DIMENSIONS; d++) {
        vel[d] = s->vel[d];
        s->vel[d] = malloc(bytes);
        memcpy(s->pos[d], job->bodies->pos[d], bytes);
        memcpy(s->vel[d], job->bodies->vel[d], bytes);
    }
    if (steps > 1)
        advance_rightly(job, steps - 1, dt);
    for (int d = 0; d < DIMENSIONS; d++) {
        free(s->vel[d]);
        s->vel[d] = vel[d];
    }
    return forces(job);
}

MOVES("moves_behind");
