/* SPDX-License-Identifier: MIT */
#include "fujiwara.h"

#include "kernels/pair.h"

static const struct fuji_common *common(const struct orr_job *job)
{
    return job->params;
}

int fuji_check(const struct orr_job *job)
{
    int code = params_check(job, FUJI_MAX_BODIES, common(job)->steps, common(job)->dt);

    return code ? code
                : params_check_pairs(job, (enum positions)common(job)->positions,
                                     common(job)->steps);
}

double fuji_received(const struct orr_job *job)
{
    return (orr_ranks_size(job->ranks) - 1.0) *
           (double)orr_ranks_share(job->ranks, job->bodies->n) * 4 * sizeof(float);
}

int fuji_cost(const struct orr_job *job, struct orr_cost *out)
{
    double n = (double)job->bodies->n, steps = common(job)->steps, evaluations = steps + 1;

    out->interactions = evaluations * n * (n - 1);
    out->flops_convention = out->interactions * PAIR_FLOPS_CONVENTION;
    out->flops_true = out->interactions * PAIR_FLOPS_TRUE;
    if (common(job)->positions == POSITIONS_PAIRS)
        out->flops_true += out->interactions * PAIR_LOW_FLOPS;
    /* An evaluation reads x y z m and writes ax ay az phi; a step reads and writes x and v and
     * reads a. */
    out->bytes_min = evaluations * n * 8 * sizeof(float) + steps * n * 15 * sizeof(float);
    if (orr_ranks_size(job->ranks) > 1)
        orr_figure(out, ORR_FIGURE_RECEIVED, evaluations * fuji_received(job));
    return ORR_OK;
}
