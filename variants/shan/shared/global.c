/* SPDX-License-Identifier: MIT */
#include "global.h"

#include <stdio.h>

#include "kernels/pair.h"
#include "kernels/shan_global.h"

const struct orr_source shan_global_source = {"shan_global", kernel_shan_global};
const struct orr_param shan_global_params[3] = {
    SHAN_COMMON_PARAMS(struct shan_global_params),
    SHAN_GROUP_PARAM(struct shan_global_params),
};

int shan_global_prepare(struct orr_job *job, const char *kernel, size_t threads, size_t group)
{
    const struct shan_global_params *p = job->params;
    struct shan_global *s = job->state;
    const size_t by_device = job->device->info.kind == ORR_DEVICE_CPU ? 16 : group;
    char defines[32];
    int code = shan_group_choose(job, &s->group, "group", p->group, by_device, 0);

    if (code)
        return code;
    s->kernel = kernel;
    s->groups = (threads + s->group - 1) / s->group;
    snprintf(job->note, sizeof job->note, "group %zu", s->group);
    snprintf(defines, sizeof defines, "-DBLOCK=%zu", s->group);
    return shan_kernels_build(job, &s->kernels, &shan_global_source, defines);
}

int shan_global_step(struct orr_job *job)
{
    const struct shan_global_params *p = job->params;
    struct shan_global *s = job->state;
    const struct shan_device *d = &s->device;
    const float eps = (float)p->common.eps;
    const struct orr_arg args[] = {ORR_BUF(d->body),   ORR_BUF(d->start),
                                   ORR_BUF(d->list),   ORR_BUF(d->acc),
                                   ORR_F32(eps * eps), ORR_I32((int32_t)d->boxes.count)};
    const struct orr_launch launch = {.kernel = s->kernel,
                                      .groups = {s->groups},
                                      .group = {s->group},
                                      .args = args,
                                      .arg_count = sizeof args / sizeof *args};
    int code = shan_kernels_launch_counted(job, &s->kernels, "forces", &launch);

    return code ? code : orr_phase(job->device, NULL);
}

int shan_global_cost(const struct orr_job *job, struct orr_cost *out)
{
    const struct shan_global *s = job->state;

    shan_cost(out, &s->device.boxes, PAIR2_FLOPS_TRUE);
    return ORR_OK;
}

int shan_global_count(struct orr_job *job, struct orr_counts *out)
{
    struct shan_global *s = job->state;

    return shan_kernels_count(job, &s->kernels, shan_global_step, out);
}

void shan_global_release(struct orr_job *job)
{
    struct shan_global *s = job->state;

    shan_kernels_release(job, &s->kernels);
    shan_device_release(job);
}
