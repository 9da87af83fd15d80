#include "kernels.h"

#include <stdio.h>
#include <string.h>

enum { TOTALS = ORR_NEAR_PROCEDURES * ORR_ACCESS_KINDS };

int shan_kernels_build(struct orr_job *job, struct shan_kernels *kernels,
                       const struct orr_source *source, const char *defines)
{
    kernels->source = source;
    snprintf(kernels->defines, sizeof kernels->defines, "%s", defines);
    return orr_build(job->device, &kernels->program, source, defines);
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
    struct orr_arg args[SHAN_MOST_ARGUMENTS + 1];
    struct orr_launch counted = *launch;

    if (!kernels->totals)
        return shan_kernels_launch(job, kernels, phase, launch);
    memcpy(args, launch->args, (size_t)launch->arg_count * sizeof *args);
    args[counted.arg_count++] = ORR_BUF(kernels->totals);
    counted.args = args;
    return shan_kernels_launch(job, kernels, phase, &counted);
}

/* Low and high words of each count, procedure by procedure. */
static int read_totals(struct orr_job *job, struct orr_buffer *totals, struct orr_counts *out)
{
    static const char *const names[ORR_NEAR_PROCEDURES] = {"Father box", "Neighbor box",
                                                           "Return d_acc"};
    uint32_t words[TOTALS][2];
    int code = orr_download(job->device, words, totals, sizeof words);

    *out = (struct orr_counts){.count = ORR_NEAR_PROCEDURES};
    for (int p = 0; p < ORR_NEAR_PROCEDURES; p++) {
        out->procedures[p].name = names[p];
        for (int k = 0; !code && k < ORR_ACCESS_KINDS; k++) {
            const uint32_t *const total = words[p * ORR_ACCESS_KINDS + k];

            out->procedures[p].of[k] = total[0] | (uint64_t)total[1] << 32;
        }
    }
    return code;
}

int shan_kernels_count(struct orr_job *job, struct shan_kernels *kernels,
                       int (*step)(struct orr_job *job), struct orr_counts *out)
{
    const struct shan_kernels timed = *kernels;
    const size_t bytes = sizeof(uint32_t[TOTALS][2]);
    char defines[sizeof kernels->defines + 32];
    int code;

    snprintf(defines, sizeof defines, "%s -DORRERY_COUNT=1", timed.defines);
    kernels->program = NULL;
    if (!(code = orr_alloc(job->device, &kernels->totals, bytes)) &&
        !(code = orr_fill(job->device, kernels->totals, 0, bytes)) &&
        !(code = orr_build(job->device, &kernels->program, timed.source, defines)) &&
        !(code = step(job)))
        code = read_totals(job, kernels->totals, out);
    shan_kernels_release(job, kernels);
    *kernels = timed;
    return code;
}

void shan_kernels_release(struct orr_job *job, struct shan_kernels *kernels)
{
    orr_drop(job->device, kernels->program);
    orr_free(job->device, kernels->totals);
    memset(kernels, 0, sizeof *kernels);
}
