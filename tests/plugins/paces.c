/* Integrations that are right over few bodies and save work over more. */
#include "moving.h"

/* Of more bodies than a trajectory is judged of, evaluates the forces at the start and at the end
 * alone. Caught by the time of one evaluation over as many bodies. */
MOVES(skips_forces)
{
    return job->bodies->n <= 1024 ? advance_rightly(job, steps, dt)
                                  : advance_by_two(job, steps, dt);
}

/* Of more bodies than a trajectory is judged of, takes a fifth of the steps, five times as long.
 * Caught by the time of one evaluation over as many bodies. */
MOVES(takes_long_steps)
{
    const int few = job->bodies->n > 1024 && steps % 5 == 0 ? steps / 5 : steps;
    return advance_rightly(job, few, dt * steps / few);
}
