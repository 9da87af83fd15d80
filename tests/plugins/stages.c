/* SPDX-License-Identifier: MIT */
/* Plugins that declare work as a stage beside the step, where a stage that takes longer than the
 * step becomes part of it. */
#include "sums.h"

static int sum_in_stage(struct orr_job *job, const char *name)
{
    orr_stage(job, name);
    int code = sums_step(job);
    orr_stage(job, NULL);
    return code;
}

static int upload(struct orr_job *job)
{
    return sum_in_stage(job, "sort");
}

/* Computes in a stage of upload and declares the work, of which nothing is left to the step. */
PLUGIN(in_stage, .upload = upload, .step = do_nothing);

/* The same, and says nothing of its work. */
PLUGIN(stage_unpriced, .upload = upload, .step = do_nothing, .cost = NULL);

/* The same, with a cost whose interactions are not known. */
static int zero_cost(const struct orr_job *job, struct orr_cost *out)
{
    *out = (struct orr_cost){.bytes_min = 32 * (double)job->bodies->n};
    return 0;
}

PLUGIN(stage_zero, .upload = upload, .step = do_nothing, .cost = zero_cost);

/* Computes in a stage of fetch. */
static int stage_in_fetch_fetch(struct orr_job *job, struct orr_forces *out)
{
    int code = sum_in_stage(job, "back");
    return code ? code : sums_fetch(job, out);
}

PLUGIN(stage_in_fetch, .fetch = stage_in_fetch_fetch, .step = do_nothing, .cost = NULL);

/* Computes two bodies of three in a stage of upload. */
static int part(struct orr_job *job, size_t first, size_t last)
{
    struct state *s = job->state;
    for (size_t i = first; i < last; i++)
        sums_one(job->bodies, job->params, i, s->result + 4 * i);
    return 0;
}

static int most_upload(struct orr_job *job)
{
    orr_stage(job, "sort");
    int code = part(job, 0, 2 * job->bodies->n / 3);
    orr_stage(job, NULL);
    return code;
}

static int most_step(struct orr_job *job)
{
    return part(job, 2 * job->bodies->n / 3, job->bodies->n);
}

PLUGIN(stage_most, .upload = most_upload, .step = most_step, .cost = NULL);

/* Honest: the name of its stage is text that a template could take for one of its own. */
PLUGIN_WITH(stage_named, upload, struct orr_job *job)
{
    orr_stage(job, "sort{keys}");
    orr_stage(job, NULL);
    return 0;
}

/* Says that it is a tree code of a thousand interactions, and sums in a stage of upload. */
static const struct orr_param tree_params[] = {
    {"eps", ORR_PARAM_FLOAT, offsetof(struct params, eps), NAN, 0, 10, NULL, "softening length"},
    {"theta", ORR_PARAM_FLOAT, offsetof(struct params, delay), 0.1, 0, 100, NULL, "opening angle"},
};

static int tree_upload(struct orr_job *job)
{
    orr_stage(job, "build");
    int code = part(job, 0, job->bodies->n);
    orr_stage(job, NULL);
    return code;
}

static int tree_cost(const struct orr_job *job, struct orr_cost *out)
{
    *out = (struct orr_cost){.interactions = 1000};
    return 0;
}

PLUGIN(tree_in_stage, .capabilities = ORR_RUNS_HOST | ORR_TREE_CODE, .params = tree_params,
       .upload = tree_upload, .step = do_nothing, .cost = tree_cost);
