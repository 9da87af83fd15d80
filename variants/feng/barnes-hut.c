/* SPDX-License-Identifier: MIT */
/* feng/barnes-hut: the paper's CUDA implementation, seven kernels after Burtscher & Pingali, with
 * bounded rounds where theirs wait for each other, unless throttle=spin. */
#include "shared/device_pipeline.h"

#define BLOCK(name, kernel, usual)                                                                 \
    {                                                                                              \
        name, ORR_PARAM_INT, offsetof(struct feng_pipeline_params, block[kernel]), usual, 0, 1024, \
            NULL, "threads in a group of that kernel; 0: by the device"                            \
    }

static const struct orr_param params[] = {
    FENG_COMMON_PARAMS(struct feng_pipeline_params),
    {"sort", ORR_PARAM_CHOICE, offsetof(struct feng_pipeline_params, sort), FENG_SORT_ON, 0, 0,
     "on|off", "whether ComputeForces takes the bodies by their place in the tree"},
    {"throttle", ORR_PARAM_CHOICE, offsetof(struct feng_pipeline_params, throttle), FENG_BARRIER, 0,
     0, "barrier|none|backoff|spin",
     "what is between two rounds of insertion: a barrier of the group, nothing, or pauses that "
     "double; spin: no rounds, a body tries until it gets its lock"},
    {"rounds", ORR_PARAM_INT, offsetof(struct feng_pipeline_params, rounds), 64, 1, 1000000, NULL,
     "rounds of insertion in a launch; bodies that found locks in all of them go into the next "
     "launch"},
    {"pool", ORR_PARAM_INT, offsetof(struct feng_pipeline_params, pool), 0, 0, 1 << 28, NULL,
     "cells set aside at first; 0: as many as bodies. The pool grows when it is too small"},
    BLOCK("block_setup", FENG_SETUP, 0),
    BLOCK("block_root", FENG_INSERT_ROOT, 0),
    BLOCK("block_build", FENG_BUILD, 0),
    BLOCK("block_summarize", FENG_SUMMARIZE, 0),
    BLOCK("block_sort", FENG_SORT, 0),
    BLOCK("block_forces", FENG_COMPUTE_FORCES, 32), /* "a one-warp-per-block design" */
    BLOCK("block_update", FENG_UPDATE, 0),
};

const struct orr_variant orr_variant = {
    .abi = ORR_VARIANT_ABI,
    .size = sizeof(struct orr_variant),
    .name = "feng/barnes-hut",
    .summary = "the paper's seven kernels: quadtree in arrays, locked slots, one stack a warp",
    .capabilities =
        ORR_RUNS_OPENCL | ORR_RUNS_CUDA | ORR_INTEGRATES | ORR_TREE_CODE | ORR_MONOPOLES,
    .dimensions = 2,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .params_size = sizeof(struct feng_pipeline_params),
    .state_size = sizeof(struct feng_pipeline),
    .sources = feng_pipeline_sources,
    .source_count = 4,
    .build_flags = ORR_BUILD_FLAGS,
    .prepare = feng_pipeline_prepare,
    .upload = feng_soa_upload,
    .step = feng_pipeline_step,
    .fetch = feng_soa_fetch,
    .cost = feng_cost,
    .count = feng_pipeline_count,
    .release = feng_pipeline_release,
};
