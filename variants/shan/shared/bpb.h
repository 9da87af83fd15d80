/* SPDX-License-Identifier: MIT */
/* Box per block (section III B): a group a box, whose bodies and neighbours go through local
 * memory. The variants of this family differ in their kernel. */
#ifndef SHAN_BPB_H
#define SHAN_BPB_H

#include "device.h"
#include "group.h"
#include "kernels.h"

struct shan_bpb_params {
    struct shan_common common;
    int32_t block; /* threads a box gets; 0: fitted */
};

struct shan_bpb {
    struct shan_device device;
    struct shan_kernels kernels;
    const char *kernel;
    size_t block;
};

extern const struct orr_param shan_bpb_params[3];

/* prepare() for `kernel` of `source`, whose arguments are body, start, list, acc, its first box
 * and eps^2. The
 * rest of the plugin contract as it is. */
int shan_bpb_prepare(struct orr_job *job, const struct orr_source *source, const char *kernel);
int shan_bpb_step(struct orr_job *job);
int shan_bpb_cost(const struct orr_job *job, struct orr_cost *out);
void shan_bpb_release(struct orr_job *job);

/* The members that the variants of this family share; each adds its name, its summary, its source
 * and prepare(). */
#define SHAN_BPB_VARIANT                                                                        \
    .abi = ORR_VARIANT_ABI, .size = sizeof(struct orr_variant), .build_flags = ORR_BUILD_FLAGS, \
    .capabilities = ORR_RUNS_OPENCL | ORR_RUNS_CUDA | ORR_NEAR_FIELD | ORR_RUNS_RANKS,          \
    .dimensions = 2, .params = shan_bpb_params, .param_count = 3,                               \
    .params_size = sizeof(struct shan_bpb_params), .state_size = sizeof(struct shan_bpb),       \
    .source_count = 1, .prepare = prepare, .upload = shan_device_upload, .step = shan_bpb_step, \
    .fetch = shan_device_fetch, .cost = shan_bpb_cost, .release = shan_bpb_release

#endif
