#include "feng.h"

static const struct feng_common *common(const struct orr_job *job)
{
    return job->params;
}

int feng_check(const struct orr_job *job)
{
    if (job->bodies->n > FENG_MAX_BODIES)
        return ORR_FAIL(job, ORR_EUNSUPPORTED, "%zu bodies are more than the %d these variants index", job->bodies->n,
                        FENG_MAX_BODIES);
    if (common(job)->steps > 0 && common(job)->dt == 0)
        return ORR_FAIL(job, ORR_EUSAGE, "steps = %d needs a time step and dt is 0; give one with --set dt=TIME",
                        common(job)->steps);
    return ORR_OK;
}

int feng_cost(const struct orr_job *job, struct orr_cost *out)
{
    double n = (double)job->bodies->n, steps = common(job)->steps;

    *out = (struct orr_cost){0};
    /* An evaluation reads x y m and writes ax ay; a step reads and writes x and v and reads a. */
    out->bytes_min = (steps + 1) * n * 5 * sizeof(float) + steps * n * 10 * sizeof(float);
    return ORR_OK;
}
