/* SPDX-License-Identifier: MIT */
/* The three loops of Figs. 2, 3 and 4 on a device: one kernel, kernels/fujiwara_unrolled.cl, with
 * the stages as build defines. A variant of this family is a table of parameters and its stages. */
#ifndef FUJI_UNROLLED_H
#define FUJI_UNROLLED_H

#include "flow.h"

struct fuji_unrolled_params {
    struct fuji_common common;
    int32_t block; /* threads in a group; 0: by the device */
    int32_t unroll_i,
        unroll_j; /* stages; a variant without the parameter leaves it 0: its fixed number */
};

/* The paper's programs integrate on the host. */
#define FUJI_UNROLLED_PARAMS                                         \
    FUJI_COMMON_PARAMS(struct fuji_unrolled_params),                 \
        FUJI_FLOW_PARAMS(struct fuji_unrolled_params, FUJI_ON_HOST), \
        FUJI_BLOCK_PARAM(struct fuji_unrolled_params)

#define FUJI_BLOCK_PARAM(type)                                           \
    {                                                                    \
        "block", ORR_PARAM_INT, offsetof(type, block), 0, 0, 1024, "*8", \
            "threads in a group; 0: by the device"                       \
    }

#define FUJI_UNROLL_I_PARAM                                                                  \
    {                                                                                        \
        "unroll_i", ORR_PARAM_INT, offsetof(struct fuji_unrolled_params, unroll_i), 4, 1, 8, \
            "1|2|4|8", "bodies i a thread takes: stages of the outer loop"                   \
    }

/* The members that the variants of this family share; each adds its name, its summary and
 * prepare(). */
#define FUJI_UNROLLED_VARIANT                                                                      \
    .abi = ORR_VARIANT_ABI, .size = sizeof(struct orr_variant), .build_flags = ORR_BUILD_FLAGS,    \
    .capabilities = ORR_RUNS_OPENCL | ORR_RUNS_CUDA | ORR_INTEGRATES | ORR_TAKES_DOUBLES,          \
    .dimensions = 3, .params = params, .param_count = sizeof params / sizeof *params,              \
    .params_size = sizeof(struct fuji_unrolled_params),                                            \
    .state_size = sizeof(struct fuji_unrolled), .sources = fuji_unrolled_sources,                  \
    .source_count = 2, .prepare = prepare, .upload = fuji_flow_upload, .step = fuji_unrolled_step, \
    .fetch = fuji_flow_fetch, .cost = fuji_cost, .count = fuji_unrolled_count,                     \
    .release = fuji_unrolled_release

struct fuji_unrolled {
    struct fuji_flow flow;
    struct orr_program *program;
    size_t block, stages_i, stages_j;
};

extern const struct orr_source fuji_unrolled_sources[2];

/* prepare() with the given stages, 1 2 4 or 8; the rest of the plugin contract as it is. */
int fuji_unrolled_prepare(struct orr_job *job, int32_t stages_i, int32_t stages_j);
int fuji_unrolled_step(struct orr_job *job);
int fuji_unrolled_count(struct orr_job *job, struct orr_counts *out);
void fuji_unrolled_release(struct orr_job *job);

#endif
