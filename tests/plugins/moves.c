/* SPDX-License-Identifier: MIT */
/* Integrations, of which all but one are wrong. */
#include "moving.h"

/* Leaves the last body where it is.
 * Caught by the body that is astray; at any N by
 * the smaller run. */
MOVES(moves_all_but_one)
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

/* Returns the positions of the step before, with the forces that belong to them.
 * Caught by the shift of the positions and their distances from the trajectory; at any N by
 * the smaller run. */
MOVES(moves_behind)
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

/* Evaluates the forces in the first step only, and once more at the end.
 * Caught by the distances from the trajectory. */
MOVES(moves_by_first_forces)
{
    return advance_by_two(job, steps, dt);
}

/* Drifts before it kicks: Euler's scheme.
 * Caught by the shift of the positions, the distances from the trajectory and the energy. */
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

/* Leaves one body in ten where it is.
 * Caught by the body that is astray; at any N by bodies that stand still. */
MOVES(moves_most)
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

/* Evaluates the forces once and moves no body.
 * Caught by the distances from the trajectory; at any N by bodies that stand still. */
MOVES(moves_never)
{
    return forces(job);
}

/* One step too few.
 * Caught by the shift of the positions and the distances from the trajectory; at any N by
 * the smaller run. */
MOVES(moves_one_step_less)
{
    return steps > 1 ? advance_rightly(job, steps - 1, dt) : forces(job);
}

/* One step too many.
 * Caught by the shift of the positions and the distances from the trajectory; at any N by
 * the smaller run. */
MOVES(moves_one_step_more)
{
    return advance_rightly(job, steps + 1, dt);
}

/* Integrates as it should. Nothing catches it. */
MOVES(moves_right)
{
    return advance_rightly(job, steps, dt);
}

/* Returns the velocities of the last half step: its closing kick is missing.
 * Caught by the shift of the velocities and their distances from the trajectory; at any N by
 * the smaller run. */
MOVES(moves_to_half_velocity)
{
    forces(job);
    for (int k = 0; k < steps; k++) {
        kick(job, k > 0 ? dt : dt / 2);
        drift(job, dt);
        forces(job);
    }
    return 0;
}

/* The time step is 1 % too short.
 * Caught by the distances from the trajectory; at any N by
 * the smaller run. */
MOVES(moves_too_little)
{
    return advance_rightly(job, steps, 0.99 * dt);
}

/* Forgets the second half kick of every step.
 * Caught by the shift of the velocities and their distances from the trajectory; at any N by
 * the smaller run. */
MOVES(moves_without_closing)
{
    forces(job);
    for (int k = 0; k < steps; k++) {
        kick(job, dt / 2);
        drift(job, dt);
        forces(job);
    }
    return 0;
}

/* Forgets the very first half kick.
 * Caught by the shift of the velocities and their distances from the trajectory; at any N by
 * the smaller run. */
MOVES(moves_without_opening)
{
    forces(job);
    for (int k = 0; k < steps; k++) {
        kick(job, k > 0 ? dt / 2 : 0);
        drift(job, dt);
        forces(job);
        kick(job, dt / 2);
    }
    return 0;
}
