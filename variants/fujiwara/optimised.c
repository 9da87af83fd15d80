/* SPDX-License-Identifier: MIT */
/* fujiwara/optimised: section VI's "after extensive optimizations" on the device at hand,
 * variants/common/one_sided.h. Parameters give its shape; those left at 0 are chosen from the
 * device's properties. */
#include "kernels/leapfrog.h"
#include "kernels/fujiwara_optimised.h"
#include "shared/flow.h"
#include "variants/common/one_sided.h"

struct params {
    struct fuji_common common;
    struct one_sided_shape shape;
};

struct state {
    struct fuji_flow flow;
    struct one_sided sum;
};

static const struct orr_source sources[] = {{"fujiwara_optimised", kernel_fujiwara_optimised},
                                            {"leapfrog", kernel_leapfrog}};

static int prepare(struct orr_job *job)
{
    struct state *s = job->state;
    const struct params *p = job->params;
    size_t padded;
    const struct one_sided_task task = fuji_flow_one_sided(job);
    int code = one_sided_prepare(job, &s->sum, &task, &p->shape, &padded);

    return code ? code : fuji_flow_prepare(job, padded);
}

static int forces(struct orr_job *job)
{
    const struct state *s = job->state;

    return one_sided_forces(job, &s->sum, s->flow.body, s->flow.low, s->flow.acc);
}

static int step(struct orr_job *job)
{
    return fuji_flow_step(job, forces);
}

static int build(struct orr_job *job, void *of)
{
    struct state *s = job->state;

    (void)of;
    return one_sided_build(job, &s->sum);
}

static int count(struct orr_job *job, struct orr_counts *out)
{
    struct state *s = job->state;

    return fuji_flow_count(job, &s->sum.program, build, step, out);
}

static void release(struct orr_job *job)
{
    struct state *s = job->state;

    one_sided_release(job, &s->sum);
    fuji_flow_release(job);
}

#define ROW(name, most, help)                                                             \
    {                                                                                     \
#name, ORR_PARAM_INT, offsetof(struct params, shape.name), 0, 0, most, NULL, help \
    }
static const struct orr_param params[] = {
    FUJI_COMMON_PARAMS(struct params),
    /* "Computing Eq.(1)" is what Fig. 14 times: no step is integrated there. */
    FUJI_FLOW_PARAMS(struct params, FUJI_ON_DEVICE),
    ROW(block, 1024, "threads in a group; 0: by the device"),
    ROW(bodies, 16, "bodies (or vectors of them) a thread keeps in registers; 0: by the device"),
    ROW(vector, 16, "lanes of a thread's vectors, 1 2 4 8 16 (1 on a GPU); 0: by the device"),
    ROW(tile, 4096, "bodies j in a tile; 0: by the device"),
    ROW(unroll_j, 32, "bodies j a pass of the inner loop takes; 0: by the device"),
    ROW(resident, 32,
        "CUDA: groups a multiprocessor holds at once, which bounds registers; 0: by the device"),
    ROW(split, 65535, "shares into which the bodies j are split; 0: as many as fill the device"),
    ROW(slices, 1024, "parts of a tile that threads of one group meet apart; 0: by the device"),
    {"staged", ORR_PARAM_CHOICE, offsetof(struct params, shape.staged), ONE_SIDED_STAGED_AUTO, 0, 0,
     "auto|yes|no", "copy tiles to local memory; auto: on a GPU"},
};

const struct orr_variant orr_variant = {
    .abi = ORR_VARIANT_ABI,
    .size = sizeof(struct orr_variant),
    .name = "fujiwara/optimised",
    .summary =
        "as fast as the device allows: register blocking, tiles, a split over j (section VI)",
    .capabilities =
        ORR_RUNS_OPENCL | ORR_RUNS_CUDA | ORR_INTEGRATES | ORR_RUNS_RANKS | ORR_TAKES_DOUBLES,
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
    .cost = fuji_cost,
    .count = count,
    .release = release,
};
