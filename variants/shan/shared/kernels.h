/* SPDX-License-Identifier: MIT */
/* A variant's kernels in two builds of one source: the one that is timed and the one that counts
 * (kernels/count.h). */
#ifndef SHAN_KERNELS_H
#define SHAN_KERNELS_H

#include "variants/common/counting.h"

struct shan_kernels {
    const struct orr_source *source;
    char defines[160];
    struct orr_program *program;
    struct counting counting;
};

/* Compiles `source` with build defines such as "-DBLOCK=512". Release it whatever is returned. */
int shan_kernels_build(struct orr_job *job, struct shan_kernels *kernels,
                       const struct orr_source *source, const char *defines);
/* Queues a launch as phase `phase`: of a kernel with COUNT_ARGUMENT at its end, which is not among
 * launch->args, and of one without. */
int shan_kernels_launch_counted(struct orr_job *job, const struct shan_kernels *kernels,
                                const char *phase, const struct orr_launch *launch);
int shan_kernels_launch(struct orr_job *job, const struct shan_kernels *kernels, const char *phase,
                        const struct orr_launch *launch);
/* count() of the plugin contract: builds the source once more, counting, and lets `step` queue that
 * build's kernels. */
int shan_kernels_count(struct orr_job *job, struct shan_kernels *kernels,
                       int (*step)(struct orr_job *job), struct orr_counts *out);
void shan_kernels_release(struct orr_job *job, struct shan_kernels *kernels);

#endif
