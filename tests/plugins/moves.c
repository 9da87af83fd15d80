/* SPDX-License-Identifier: MIT */
/* Integrations, of which all but one are wrong. */
#include "moving.h"

MOVES(moves_right)
{
    return advance_rightly(job, steps, dt);
}

/* Puts bodies back to where they began: the first of these, and each so many after it. */
static int leave(struct orr_job *job, size_t first, size_t every)
{
    const struct orr_bodies *b = job->bodies;
    struct state *s = job->state;
    for (size_t i = first; i < b->n; i += every)
        for (int d = 0; d < DIMENSIONS; d++) {
            s->pos[d][i] = b->pos[d][i];
            s->vel[d][i] = b->vel[d][i];
        }
    return forces(job);
}

MOVES(moves_all_but_one)
{
    advance_rightly(job, steps, dt);
    return leave(job, job->bodies->n - 1, 1);
}

MOVES(moves_most)
{
    advance_rightly(job, steps, dt);
    return leave(job, 0, 10);
}

MOVES(moves_never)
{
    return forces(job);
}

/* Returns the positions of the step before, with the forces that belong to them. */
MOVES(moves_behind)
{
    struct state *s = job->state;
    double *late[DIMENSIONS], *vel[DIMENSIONS];
    advance_rightly(job, steps, dt);
    for (int d = 0; d < DIMENSIONS; d++) {
        late[d] = s->vel[d];
        s->vel[d] = vel[d] = malloc(job->bodies->n * sizeof(double));
    }
    leave(job, 0, 1);
    if (steps > 1)
        advance_rightly(job, steps - 1, dt);
    for (int d = 0; d < DIMENSIONS; d++) {
        s->vel[d] = late[d];
        free(vel[d]);
    }
    return forces(job);
}

MOVES(moves_by_first_forces)
{
    return advance_by_two(job, steps, dt);
}

/* Drifts before it kicks: Euler's scheme. */
MOVES(moves_by_old_velocity)
{
    forces(job);
    for (int k = 0; k < steps; k++) {
        drift(job, dt);
        kick(job, dt);
        forces(job);
    }
    return 0;
}

MOVES(moves_one_step_less)
{
    return steps > 1 ? advance_rightly(job, steps - 1, dt) : forces(job);
}

MOVES(moves_one_step_more)
{
    return advance_rightly(job, steps + 1, dt);
}

MOVES(moves_too_little)
{
    return advance_rightly(job, steps, 0.99 * dt);
}

/* Steps with kicks of these lengths: the very first, the opening ones after it, the closing ones.
 */
static int advance_by_kicks(struct orr_job *job, int steps, double dt, const double kicks[3])
{
    forces(job);
    for (int k = 0; k < steps; k++) {
        kick(job, dt * kicks[k > 0]);
        drift(job, dt);
        forces(job);
        kick(job, dt * kicks[2]);
    }
    return 0;
}

/* Returns the velocities of the last half step. */
MOVES(moves_to_half_velocity)
{
    return advance_by_kicks(job, steps, dt, (const double[]){0.5, 1, 0});
}

MOVES(moves_without_closing)
{
    return advance_by_kicks(job, steps, dt, (const double[]){0.5, 0.5, 0});
}

MOVES(moves_without_opening)
{
    return advance_by_kicks(job, steps, dt, (const double[]){0, 0.5, 0.5});
}
