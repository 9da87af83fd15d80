/* SPDX-License-Identifier: MIT */
#include "bpb.h"

#include <stdio.h>

#include "kernels/pair.h"

const struct orr_param shan_bpb_params[3] = {
    SHAN_COMMON_PARAMS(struct shan_bpb_params),
    SHAN_BLOCK_PARAM(struct shan_bpb_params),
};

/* x, y and mass of one body a thread */
enum { LOCAL_BYTES = 3 * sizeof(float) };

int shan_bpb_prepare(struct orr_job *job, const struct orr_source *source, const char *kernel)
{
    const struct shan_bpb_params *p = job->params;
    struct shan_bpb *s = job->state;
    char defines[32];
    int code = shan_device_prepare(job, SHAN_LIST_FULL);

    if (code || (code = shan_group_choose(job, &s->block, "block", p->block,
                                          shan_group_fitted(job, &s->device.boxes), LOCAL_BYTES)))
        return code;
    s->kernel = kernel;
    snprintf(job->note, sizeof job->note, "block %zu, fullest box %u", s->block,
             s->device.boxes.most);
    snprintf(defines, sizeof defines, "-DBLOCK=%zu", s->block);
    return shan_kernels_build(job, &s->kernels, source, defines);
}

int shan_bpb_step(struct orr_job *job)
{
    const struct shan_bpb_params *p = job->params;
    struct shan_bpb *s = job->state;
    const struct shan_device *d = &s->device;
    const float eps = (float)p->common.eps;
    const struct orr_arg args[] = {ORR_BUF(d->body),
                                   ORR_BUF(d->start),
                                   ORR_BUF(d->list),
                                   ORR_BUF(d->acc),
                                   ORR_I32((int32_t)d->halo.first_box),
                                   ORR_F32(eps * eps)};
    const struct orr_launch launch = {.kernel = s->kernel,
                                      .groups = {d->halo.last_box - d->halo.first_box},
                                      .group = {s->block},
                                      .args = args,
                                      .arg_count = sizeof args / sizeof *args};
    int code = shan_device_exchange(job);

    if (!code)
        code = shan_kernels_launch_counted(job, &s->kernels, "forces", &launch);
    return code ? code : orr_phase(job->device, NULL);
}

int shan_bpb_cost(const struct orr_job *job, struct orr_cost *out)
{
    const struct shan_bpb *s = job->state;

    shan_cost(out, &s->device.boxes, PAIR2_FLOPS_TRUE);
    shan_device_cost(job, out);
    return ORR_OK;
}

void shan_bpb_release(struct orr_job *job)
{
    struct shan_bpb *s = job->state;

    shan_kernels_release(job, &s->kernels);
    shan_device_release(job);
}
