/* SPDX-License-Identifier: MIT */
/* feng/exact: theta = 0, the direct sum on the device, in single or double precision. The tree
 * codes are compared with it at sizes that a CPU cannot reach. It takes `theta`, as they do, and
 * ignores it. */
#include "kernels/pair.h"
#include "shared/device.h"
#include "variants/common/direct.h"

enum precision { SINGLE, DOUBLE };

struct params {
    struct feng_common common;
    int32_t precision; /* enum precision */
    struct direct_shape shape;
};

static int prepare(struct orr_job *job)
{
    const struct params *p = job->params;
    const struct direct_task task = {.dimensions = 2,
                                     .in_double = p->precision == DOUBLE,
                                     .eps = p->common.eps,
                                     .shape = p->shape,
                                     .phase = "ComputeForces"};
    int code = feng_device_prepare(job);

    return code ? code : direct_prepare(job, &task);
}

static int cost(const struct orr_job *job, struct orr_cost *out)
{
    const struct params *p = job->params;
    double n = (double)job->bodies->n;
    int code = feng_cost(job, out);

    out->interactions = (p->common.steps + 1.0) * n * (n - 1);
    out->flops_convention = out->flops_true = out->interactions * PAIR2_FLOPS_TRUE;
    return code;
}

static const struct orr_param params[] = {
    FENG_COMMON_PARAMS(struct params),
    {"precision", ORR_PARAM_CHOICE, offsetof(struct params, precision), SINGLE, 0, 0,
     "single|double", "of the sums; double needs a device that has it"},
    DIRECT_SHAPE_PARAMS(struct params, shape),
};

const struct orr_variant orr_variant = {
    .abi = ORR_VARIANT_ABI,
    .size = sizeof(struct orr_variant),
    .name = "feng/exact",
    .summary =
        "theta = 0 without a tree: the direct sum on the device, in single or double precision",
    .capabilities =
        ORR_RUNS_OPENCL | ORR_RUNS_CUDA | ORR_INTEGRATES | ORR_TREE_CODE | ORR_MONOPOLES,
    .dimensions = 2,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .params_size = sizeof(struct params),
    .state_size = sizeof(struct direct),
    .sources = direct_sources,
    .source_count = sizeof direct_sources / sizeof *direct_sources,
    .build_flags = ORR_BUILD_FLAGS,
    .prepare = prepare,
    .upload = device_bodies_upload,
    .step = direct_step,
    .fetch = device_bodies_fetch,
    .cost = cost,
    .release = direct_release,
};
