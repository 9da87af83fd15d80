/* SPDX-License-Identifier: MIT */
#include "kernels.h"

#include <stdio.h>
#include <string.h>

/* `of`: the kernels. */
static int build(struct orr_job *job, void *of)
{
    struct shan_kernels *kernels = of;
    char defines[sizeof kernels->defines + 32];

    snprintf(defines, sizeof defines, "%s%s", kernels->defines,
             counting_define(&kernels->counting));
    return orr_build(job->device, &kernels->program, kernels->source, defines);
}

int shan_kernels_build(struct orr_job *job, struct shan_kernels *kernels,
                       const struct orr_source *source, const char *defines)
{
    kernels->source = source;
    snprintf(kernels->defines, sizeof kernels->defines, "%s", defines);
    return build(job, kernels);
}

int shan_kernels_launch(struct orr_job *job, const struct shan_kernels *kernels, const char *phase,
                        const struct orr_launch *launch)
{
    int code = orr_phase(job->device, phase);

    return code ? code : orr_launch(job->device, kernels->program, launch);
}

int shan_kernels_launch_counted(struct orr_job *job, const struct shan_kernels *kernels,
                                const char *phase, const struct orr_launch *launch)
{
    int code = orr_phase(job->device, phase);

    return code ? code : counting_launch(job, &kernels->counting, kernels->program, launch);
}

int shan_kernels_count(struct orr_job *job, struct shan_kernels *kernels,
                       int (*step)(struct orr_job *job), struct orr_counts *out)
{
    /* By enum orr_near_procedure. */
    static const char *const names[] = {"Father box", "Neighbor box", "Return d_acc", NULL};

    return counting_run(job, &kernels->counting,
                        &(struct counting_build){.procedures = names,
                                                 .programs = {&kernels->program},
                                                 .build = build,
                                                 .of = kernels,
                                                 .step = step},
                        out);
}

void shan_kernels_release(struct orr_job *job, struct shan_kernels *kernels)
{
    orr_drop(job->device, kernels->program);
    memset(kernels, 0, sizeof *kernels);
}
