/* SPDX-License-Identifier: MIT */
/* Stands for a tree code: direct sums that are too large by theta / 1000, so that every error is
 * known beforehand; at theta = 100 nothing acts, which takes no time and has a potential. It
 * integrates, and does not know how many interactions it evaluates.
 */
#define DIMENSIONS 2
#include "moving.h"

static int step(struct orr_job *job)
{
    return moving_step(job, advance_rightly);
}

static int cost(const struct orr_job *job, struct orr_cost *out)
{
    const struct params *p = job->params;
    *out = (struct orr_cost){.bytes_min = 20.0 * (double)job->bodies->n,
                             .figure_count = 3,
                             .figures = {{"node interactions", p->theta},
                                         {"evaluations", p->steps + 1},
                                         {"unknown", NAN}}};
    return 0;
}

PLUGIN(tree, .capabilities = ORR_RUNS_HOST | ORR_INTEGRATES | ORR_TREE_CODE,
       .param_count = TREE_PARAMS, .step = step, .cost = cost);
