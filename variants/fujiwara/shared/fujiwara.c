#include "fujiwara.h"

#include "kernels/pair.h"

static const struct fuji_common *common(const struct orr_job *job)
{
    return job->params;
}

int fuji_check(const struct orr_job *job)
{
    if (job->bodies->n > FUJI_MAX_BODIES)
        return ORR_FAIL(job, ORR_EUNSUPPORTED, "%zu bodies are more than the %d these variants index", job->bodies->n,
                        FUJI_MAX_BODIES);
    if (common(job)->steps > 0 && common(job)->dt == 0)
        return ORR_FAIL(job, ORR_EUSAGE, "steps = %d needs a time step and dt is 0; give one with --set dt=TIME",
                        common(job)->steps);
    return ORR_OK;
}

int fuji_cost(const struct orr_job *job, struct orr_cost *out)
{
    double n = (double)job->bodies->n, steps = common(job)->steps, evaluations = steps + 1;

    out->interactions = evaluations * n * (n - 1);
    out->flops_convention = out->interactions * PAIR_FLOPS_CONVENTION;
    out->flops_true = out->interactions * PAIR_FLOPS_TRUE;
    /* An evaluation reads x y z m and writes ax ay az phi; a step reads and writes x and v and reads a. */
    out->bytes_min = evaluations * n * 8 * sizeof(float) + steps * n * 15 * sizeof(float);
    return ORR_OK;
}
