/* Near fields, all of whose sums are made in a declared stage of upload. Caught by the ceiling and
 * the referee's own count of pairs. */
#include "datasets/boxes.h"

static struct orr_boxes boxes;

#define ACTS(b, i, j) acts(b, i, j)
static int acts(const struct orr_bodies *b, size_t i, size_t j)
{
    for (int d = 0; d < 2; d++) {
        uint32_t one = orr_boxes_place(&boxes, d, b->pos[d][i]),
                 other = orr_boxes_place(&boxes, d, b->pos[d][j]);
        if (one > other + 1 || other > one + 1)
            return 0;
    }
    return j != i;
}
#include "sums.h"

struct near_params {
    struct params sums;
    int32_t level;
};

static const struct orr_param near_params[] = {
    {"eps", ORR_PARAM_FLOAT, offsetof(struct near_params, sums.eps), NAN, 0, 10, NULL,
     "softening length"},
    {"level", ORR_PARAM_INT, offsetof(struct near_params, level), 1, 0, 12, NULL, "of the boxes"},
};

static int prepare(struct orr_job *job)
{
    const struct near_params *p = job->params;
    boxes = orr_boxes_make(job->bodies, p->level);
    return sums_prepare(job);
}

static int upload(struct orr_job *job)
{
    orr_stage(job, "lists");
    int code = sums_step(job);
    orr_stage(job, NULL);
    return code;
}

static int fetch(struct orr_job *job, struct orr_forces *out)
{
    int code = sums_fetch(job, out);
    out->has_phi = 0;
    return code;
}

PLUGIN(near_in_stage, .capabilities = ORR_RUNS_HOST | ORR_NEAR_FIELD, .dimensions = 2,
       .params = near_params, .param_count = sizeof near_params / sizeof *near_params,
       .params_size = sizeof(struct near_params), .prepare = prepare, .upload = upload,
       .fetch = fetch, .step = do_nothing, .cost = NULL);
