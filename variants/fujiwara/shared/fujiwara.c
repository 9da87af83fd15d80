#include "fujiwara.h"

/* Section V.B: "we adopted 38 floating operations per one interaction". */
static const double flops_convention = 38;
/* Counted beside the statements of kernels/pair.h: 3 subtractions, 3 fma (2 each) for r^2 + eps^2, 1 reciprocal square
 * root, 3 multiplications, 1 subtraction for the potential, 3 fma for the acceleration. */
static const double flops_true = 3 + 3 * 2 + 1 + 3 + 1 + 3 * 2;

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
        return ORR_FAIL(job, ORR_EUSAGE, "steps = %d needs a time step: the data set names none, set dt",
                        common(job)->steps);
    return ORR_OK;
}

int fuji_cost(const struct orr_job *job, struct orr_cost *out)
{
    double n = (double)job->bodies->n, steps = common(job)->steps, evaluations = steps + 1;

    out->interactions = evaluations * n * (n - 1);
    out->flops_convention = out->interactions * flops_convention;
    out->flops_true = out->interactions * flops_true;
    /* An evaluation reads x y z m and writes ax ay az phi; a step reads and writes x and v and reads a. */
    out->bytes_min = evaluations * n * 8 * sizeof(float) + steps * n * 15 * sizeof(float);
    return ORR_OK;
}
