/* SPDX-License-Identifier: MIT */
/* Integrations that are right over few bodies and save work over more. */
#include "moving.h"

/* Of more bodies than a trajectory is judged of, evaluates the forces at the start and at the
 * end alone. */
MOVES(skips_forces)
{
    return job->bodies->n <= 1024 ? advance_rightly(job, steps, dt)
                                  : advance_by_two(job, steps, dt);
}

/* Of more bodies than a trajectory is judged of, takes a fifth of the steps, five times as long. */
MOVES(takes_long_steps)
{
    const int few = job->bodies->n > 1024 && steps % 5 == 0 ? steps / 5 : steps;
    return advance_rightly(job, few, dt * steps / few);
}

/* Of more bodies than a trajectory is judged of, the time step is 1 % too short. */
MOVES(moves_many_too_little)
{
    return advance_rightly(job, steps, job->bodies->n <= 1024 ? dt : 0.99 * dt);
}

#define TREE \
    .capabilities = ORR_RUNS_HOST | ORR_INTEGRATES | ORR_TREE_CODE, .param_count = TREE_PARAMS

/* Says that it is a tree code, whose evaluations may differ by half, and takes half of the
 * steps, twice as long. */
MOVES(takes_double_steps, TREE)
{
    const int few = job->bodies->n > 1024 && steps % 2 == 0 ? steps / 2 : steps;
    return advance_rightly(job, few, dt * steps / few);
}

/* Says the same, and lets the forces of a step serve the next one, too. */
MOVES(keeps_forces, TREE)
{
    int code = forces(job);
    for (int k = 1; k <= steps && !code; k++) {
        kick(job, dt / 2);
        drift(job, dt);
        if (job->bodies->n <= 1024 || k % 2 == 0 || k == steps)
            code = forces(job);
        kick(job, dt / 2);
    }
    return code;
}

/* Stands for an honest tree code, as `tree` does in the plane. */
MOVES(tree_right, TREE)
{
    return advance_rightly(job, steps, dt);
}
