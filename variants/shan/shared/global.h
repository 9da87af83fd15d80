/* SPDX-License-Identifier: MIT */
/* The mappings without local memory, kernels/shan_global.cl: a box or a body a thread. */
#ifndef SHAN_GLOBAL_H
#define SHAN_GLOBAL_H

#include "device.h"
#include "group.h"
#include "kernels.h"

struct shan_global_params {
    struct shan_common common;
    int32_t group; /* threads in a group; 0: by the device */
};

struct shan_global {
    struct shan_device device;
    struct shan_kernels kernels;
    const char *kernel;
    size_t group, groups;
};

extern const struct orr_source shan_global_source;
extern const struct orr_param shan_global_params[3];

/* prepare() for `kernel` of that file with `threads` threads in groups of `group` on a GPU; needs
 * the boxes made by shan_device_prepare. The rest of the plugin contract as it is. */
int shan_global_prepare(struct orr_job *job, const char *kernel, size_t threads, size_t group);
int shan_global_step(struct orr_job *job);
int shan_global_cost(const struct orr_job *job, struct orr_cost *out);
int shan_global_count(struct orr_job *job, struct orr_counts *out);
void shan_global_release(struct orr_job *job);

/* The members that the variants of this family share; each adds its name, its summary and
 * prepare(). */
#define SHAN_GLOBAL_VARIANT                                                                     \
    .abi = ORR_VARIANT_ABI, .size = sizeof(struct orr_variant), .build_flags = ORR_BUILD_FLAGS, \
    .capabilities = ORR_RUNS_OPENCL | ORR_RUNS_CUDA | ORR_NEAR_FIELD, .dimensions = 2,          \
    .params = shan_global_params, .param_count = 3,                                             \
    .params_size = sizeof(struct shan_global_params), .state_size = sizeof(struct shan_global), \
    .sources = &shan_global_source, .source_count = 1, .prepare = prepare,                      \
    .upload = shan_device_upload, .step = shan_global_step, .fetch = shan_device_fetch,         \
    .cost = shan_global_cost, .count = shan_global_count, .release = shan_global_release

#endif
