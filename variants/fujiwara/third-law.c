/* SPDX-License-Identifier: MIT */
/* fujiwara/third-law: every pair once, for both of its bodies (Newton's third law),
 * variants/common/third_law.h. Where too few pairs fill the device, the one-sided sum of
 * fujiwara/optimised. */
#include <string.h>

#include "kernels/fujiwara_optimised.h"
#include "kernels/leapfrog.h"
#include "kernels/third_law.h"
#include "shared/flow.h"
#include "shared/plain.h"

struct params {
    struct fuji_common common;
    struct third_law_shape shape;
    int32_t third_law; /* enum third_law_use */
};

struct state {
    struct fuji_flow flow;
    struct fuji_plain plain;
};

static const struct orr_source sources[] = {{"third_law", kernel_third_law},
                                            {"fujiwara_optimised", kernel_fujiwara_optimised},
                                            {"leapfrog", kernel_leapfrog}};

static int prepare(struct orr_job *job)
{
    struct state *s = job->state;
    const struct params *p = job->params;
    const struct third_law_task task = {.n = job->bodies->n,
                                        .pairs = p->common.positions == POSITIONS_PAIRS,
                                        .eps = p->common.eps,
                                        .shape = p->shape};
    size_t padded;
    int code = fuji_plain_prepare(job, &s->plain, &task, (enum third_law_use)p->third_law, &padded);

    return code ? code : fuji_flow_prepare(job, padded);
}

static int forces(struct orr_job *job)
{
    const struct state *s = job->state;

    return fuji_plain_forces(job, &s->plain);
}

static int step(struct orr_job *job)
{
    return fuji_flow_step(job, forces);
}

static int cost(const struct orr_job *job, struct orr_cost *out)
{
    const struct state *s = job->state;
    int code = fuji_cost(job, out);

    /* Sums for the other ranks' bodies take as many bytes as where these are. */
    for (int k = 0; !code && s->plain.both && k < out->figure_count; k++)
        if (!strcmp(out->figures[k].name, ORR_FIGURE_RECEIVED))
            out->figures[k].value *= 2;
    if (!code)
        fuji_plain_cost(job, &s->plain, out);
    return code;
}

static void release(struct orr_job *job)
{
    struct state *s = job->state;

    fuji_plain_release(job, &s->plain);
    fuji_flow_release(job);
}

#define ROW(name, most, help)                                                             \
    {                                                                                     \
#name, ORR_PARAM_INT, offsetof(struct params, shape.name), 0, 0, most, NULL, help \
    }
static const struct orr_param params[] = {
    FUJI_COMMON_PARAMS(struct params),
    FUJI_FLOW_PARAMS(struct params, FUJI_ON_DEVICE),
    THIRD_LAW_PARAM(struct params, third_law),
    ROW(bodies, 16, "bodies (or vectors of them) a thread keeps in registers; 0: by the device"),
    ROW(warps, 64, "warps of a group; 0: by the device"),
    ROW(vector, 16, "lanes of a thread's vectors, 1 2 4 8 16 (1 on a GPU); 0: by the device"),
    ROW(tile, 1024, "bodies j in a tile; 0: by the device"),
    ROW(unroll, 32, "turns of the bodies j that a pass of the inner loop takes; 0: by the device"),
    ROW(resident, 32,
        "CUDA: groups a multiprocessor holds at once, which bounds registers; 0: by the device"),
    ROW(depth, 64, "blocks of bodies j that a group meets; 0: by the device"),
    ROW(distances, 1048576, "most distances of blocks in a launch; 0: what memory allows"),
};

const struct orr_variant orr_variant = {
    .abi = ORR_VARIANT_ABI,
    .size = sizeof(struct orr_variant),
    .name = "fujiwara/third-law",
    .summary = "each pair once, for both bodies, whose sums rotate through the lanes of a warp",
    .capabilities = ORR_RUNS_OPENCL | ORR_RUNS_CUDA | ORR_INTEGRATES | ORR_THIRD_LAW |
                    ORR_RUNS_RANKS | ORR_TAKES_DOUBLES,
    .dimensions = 3,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .params_size = sizeof(struct params),
    .state_size = sizeof(struct state),
    .sources = sources,
    .source_count = sizeof sources / sizeof *sources,
    .build_flags = ORR_BUILD_FLAGS,
    .prepare = prepare,
    .upload = fuji_flow_upload,
    .step = step,
    .fetch = fuji_flow_fetch,
    .cost = cost,
    .release = release,
};
