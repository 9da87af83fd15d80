/* SPDX-License-Identifier: MIT */
/* Says that it is a tree code of a thousand interactions, and sums in a stage "build" of upload.
 * Caught by the length of the stage. */
#include "sums.h"

static const struct orr_param tree_params[] = {
    {"eps", ORR_PARAM_FLOAT, offsetof(struct params, eps), NAN, 0, 10, NULL, "softening length"},
    {"theta", ORR_PARAM_FLOAT, offsetof(struct params, delay), 0.1, 0, 100, NULL, "opening angle"},
};

static int upload(struct orr_job *job)
{
    const struct params *p = job->params;
    const struct params own = {.eps = p->eps};
    struct state *s = job->state;
    orr_stage(job, "build");
    for (size_t i = 0; i < job->bodies->n; i++)
        sums_one(job->bodies, &own, i, s->result + 4 * i);
    orr_stage(job, NULL);
    return 0;
}

static int cost(const struct orr_job *job, struct orr_cost *out)
{
    *out = (struct orr_cost){.interactions = 1000};
    return 0;
}

PLUGIN(tree_in_stage, .capabilities = ORR_RUNS_HOST | ORR_TREE_CODE, .params = tree_params,
       .upload = upload, .step = do_nothing, .cost = cost);
