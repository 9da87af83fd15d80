/* Honest: OpenMP's threads share the work of a step. They spin for about a millisecond after it,
 * which is no work that goes on. */
#include "cheats.h"

static int step(struct orr_job *job)
{
    struct state *s = job->state;
#pragma omp parallel for num_threads(job->host->threads)
    for (size_t i = 0; i < job->bodies->n; i++)
        sums_one(job->bodies, job->params, i, s->result + 4 * i);
    return 0;
}

const struct orr_variant orr_variant = {SUMS_VARIANT, .name = "plugins/openmp", .step = step};
