/* SPDX-License-Identifier: MIT */
/* Right near-field forces, by asking of every pair of bodies whether their boxes touch. Marks
 * stages, and counts its pairs; the counting build is as wrong as it is told to be. */
#include <stdbool.h>

#include "datasets/boxes.h"

static struct orr_boxes boxes; /* of the step that runs */

static bool is_near(const struct orr_bodies *b, size_t i, size_t j)
{
    for (int d = 0; d < 2; d++) {
        uint32_t one = orr_boxes_place(&boxes, d, b->pos[d][i]),
                 other = orr_boxes_place(&boxes, d, b->pos[d][j]);
        if (one > other + 1 || other > one + 1)
            return false;
    }
    return j != i;
}
#define ACTS(b, i, j) is_near(b, i, j)
#include "sums.h"

struct near_params {
    struct params sums;
    double miscount;
    int32_t level;
};

static const struct orr_param near_params[] = {
    {"eps", ORR_PARAM_FLOAT, offsetof(struct near_params, sums.eps), NAN, 0, 10, NULL,
     "softening length"},
    {"level", ORR_PARAM_INT, offsetof(struct near_params, level), 3, 0, 12, NULL, "of the boxes"},
    {"miscount", ORR_PARAM_FLOAT, offsetof(struct near_params, miscount), 1, 0, 10, NULL,
     "factor on the counting build's first force"},
};

static int prepare(struct orr_job *job)
{
    const struct near_params *p = job->params;
    orr_stage(job, "encode");
    boxes = orr_boxes_make(job->bodies, p->level);
    orr_stage(job, "sort");
    int code = sums_prepare(job);
    orr_stage(job, NULL);
    return code;
}

static int fetch(struct orr_job *job, struct orr_forces *out)
{
    int code = sums_fetch(job, out);
    out->has_phi = 0;
    return code;
}

static uint64_t count_pairs(const struct orr_bodies *b)
{
    uint64_t pairs = 0;
    for (size_t i = 0; i < b->n; i++)
        for (size_t j = 0; j < b->n; j++)
            pairs += is_near(b, i, j);
    return pairs;
}

static int cost(const struct orr_job *job, struct orr_cost *out)
{
    int code = sums_cost(job, out);
    out->interactions = (double)count_pairs(job->bodies);
    return code;
}

static int count(struct orr_job *job, struct orr_counts *out)
{
    const struct near_params *p = job->params;
    struct state *s = job->state;
    int code = sums_step(job);
    s->result[0] *= (float)p->miscount;
    out->count = 2;
    out->procedures[0].name = "Father box";
    out->procedures[0].of[ORR_CP] = count_pairs(job->bodies);
    out->procedures[1].name = "Neighbor box";
    out->procedures[1].of[ORR_AG] = 5000000000u;
    return code;
}

PLUGIN(near, .capabilities = ORR_RUNS_HOST | ORR_NEAR_FIELD, .dimensions = 2, .params = near_params,
       .param_count = sizeof near_params / sizeof *near_params,
       .params_size = sizeof(struct near_params), .prepare = prepare, .fetch = fetch, .cost = cost,
       .count = count);

/* All of its sums are made in a declared stage of upload. */
static int upload(struct orr_job *job)
{
    orr_stage(job, "lists");
    int code = sums_step(job);
    orr_stage(job, NULL);
    return code;
}

PLUGIN(near_in_stage, .capabilities = ORR_RUNS_HOST | ORR_NEAR_FIELD, .dimensions = 2,
       .params = near_params, .param_count = sizeof near_params / sizeof *near_params,
       .params_size = sizeof(struct near_params), .prepare = prepare, .upload = upload,
       .fetch = fetch, .step = do_nothing, .cost = NULL);
