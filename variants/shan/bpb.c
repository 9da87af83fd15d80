/* shan/bpb: box per block, the most efficient mapping of the earlier work (section III B):
 * kernels/shan_bpb.cl. */
#include <stdio.h>

#include "kernels/pair.h"
#include "kernels/shan_bpb.h"
#include "shared/device.h"
#include "shared/group.h"
#include "shared/kernels.h"

struct params {
    struct shan_common common;
    int32_t block; /* threads a box gets; 0: fitted */
};

struct state {
    struct shan_device device;
    struct shan_kernels kernels;
    size_t block;
};

static const struct orr_source source = {"shan_bpb", kernel_shan_bpb};
/* x, y and mass of one body a thread */
enum { LOCAL_BYTES = 3 * sizeof(float) };

static int prepare(struct orr_job *job)
{
    const struct params *p = job->params;
    struct state *s = job->state;
    char defines[32];
    int code = shan_device_prepare(job, SHAN_LIST_FULL);

    if (code || (code = shan_group_choose(job, &s->block, "block", p->block,
                                          shan_group_fitted(job, &s->device.boxes), LOCAL_BYTES)))
        return code;
    snprintf(job->note, sizeof job->note, "block %zu, fullest box %u", s->block,
             s->device.boxes.most);
    snprintf(defines, sizeof defines, "-DBLOCK=%zu", s->block);
    return shan_kernels_build(job, &s->kernels, &source, defines);
}

static int step(struct orr_job *job)
{
    const struct params *p = job->params;
    struct state *s = job->state;
    const struct shan_device *d = &s->device;
    const float eps = (float)p->common.eps;
    const struct orr_arg args[] = {ORR_BUF(d->body), ORR_BUF(d->start), ORR_BUF(d->list),
                                   ORR_BUF(d->acc), ORR_F32(eps * eps)};
    const struct orr_launch launch = {.kernel = "shan_bpb",
                                      .groups = {d->boxes.count},
                                      .group = {s->block},
                                      .args = args,
                                      .arg_count = sizeof args / sizeof *args};
    int code = shan_kernels_launch_counted(job, &s->kernels, "forces", &launch);

    return code ? code : orr_phase(job->device, NULL);
}

static int cost(const struct orr_job *job, struct orr_cost *out)
{
    const struct state *s = job->state;

    shan_cost(out, &s->device.boxes, PAIR2_FLOPS_TRUE);
    return ORR_OK;
}

static int count(struct orr_job *job, struct orr_counts *out)
{
    struct state *s = job->state;

    return shan_kernels_count(job, &s->kernels, step, out);
}

static void release(struct orr_job *job)
{
    struct state *s = job->state;

    shan_kernels_release(job, &s->kernels);
    shan_device_release(job);
}

static const struct orr_param params[] = {
    SHAN_COMMON_PARAMS(struct params),
    SHAN_BLOCK_PARAM(struct params),
};

const struct orr_variant orr_variant = {
    .abi = ORR_VARIANT_ABI,
    .size = sizeof(struct orr_variant),
    .name = "shan/bpb",
    .summary =
        "box per block: bodies of a box a thread each, boxes through local memory (section III B)",
    .capabilities = ORR_RUNS_OPENCL | ORR_RUNS_CUDA | ORR_NEAR_FIELD,
    .dimensions = 2,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .params_size = sizeof(struct params),
    .state_size = sizeof(struct state),
    .sources = &source,
    .source_count = 1,
    .build_flags = ORR_BUILD_FLAGS,
    .prepare = prepare,
    .upload = shan_device_upload,
    .step = step,
    .fetch = shan_device_fetch,
    .cost = cost,
    .count = count,
    .release = release,
};
