/* Right near-field forces, by asking of every pair of bodies whether their boxes touch. */
#include <stdbool.h>

#include "harness/boxes.h"

static struct orr_boxes boxes; /* of the step that runs */

static bool is_near(const struct orr_bodies *b, size_t i, size_t j)
{
    for (int d = 0; d < 2; d++) {
        uint32_t one = orr_boxes_place(&boxes, d, b->pos[d][i]), other = orr_boxes_place(&boxes, d, b->pos[d][j]);
        if (one > other + 1 || other > one + 1)
            return false;
    }
    return j != i;
}
#define ACTS(b, i, j) is_near(b, i, j)
#include "sums.h"

static void spoil(struct orr_job *job, struct state *s)
{
    (void)job;
    (void)s;
}

static const struct orr_param near_params[] = {
    {"eps", ORR_PARAM_FLOAT, offsetof(struct params, eps), NAN, 0, 10, NULL, "softening length"},
    {"level", ORR_PARAM_INT, offsetof(struct params, level), 3, 0, 12, NULL, "of the boxes"},
};

static int step(struct orr_job *job)
{
    const struct params *p = job->params;
    boxes = orr_boxes_make(job->bodies, p->level);
    return sums_step(job);
}

static int fetch(struct orr_job *job, struct orr_forces *out)
{
    int code = sums_fetch(job, out);
    out->has_phi = 0;
    return code;
}

const struct orr_variant orr_variant = {.abi = ORR_VARIANT_ABI,
                                        .size = sizeof(struct orr_variant),
                                        .name = "plugins/near",
                                        .summary = "a test of near fields",
                                        .capabilities = ORR_RUNS_HOST | ORR_NEAR_FIELD,
                                        .dimensions = 2,
                                        .params = near_params,
                                        .param_count = sizeof near_params / sizeof *near_params,
                                        .params_size = sizeof(struct params),
                                        .state_size = sizeof(struct state),
                                        .prepare = sums_prepare,
                                        .step = step,
                                        .fetch = fetch,
                                        .cost = sums_cost,
                                        .release = sums_release};
