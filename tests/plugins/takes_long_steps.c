/* Of more bodies than a trajectory is judged of, takes a fifth of the steps, five times as long.
 * Caught by the time of one evaluation over as many bodies. */
#include "moving.h"

static int advance(struct orr_job *job, int steps, double dt)
{
    const int few = job->bodies->n > 1024 && steps % 5 == 0 ? steps / 5 : steps;
    return advance_rightly(job, few, dt * steps / few);
}

MOVES("takes_long_steps");
