/* SPDX-License-Identifier: MIT */
#include "sums.h"

#include "kernels/pair.h"

int sums_cost(const struct orr_job *job, struct orr_cost *out)
{
    const struct sums_params *p = job->params;
    double n = (double)job->bodies->n;
    /* A compensated addition is four; there are four sums. */
    int flops = PAIR_FLOPS_TRUE + (p->compensated ? 12 : 0);

    out->interactions = n * (n - 1);
    out->flops_convention = out->interactions * PAIR_FLOPS_CONVENTION;
    out->flops_true = out->interactions * flops;
    out->bytes_min = n * 8 * sizeof(float);
    return ORR_OK;
}
