/* SPDX-License-Identifier: MIT */
/* gaburov/direct and gaburov/direct-fp64: the paper's direct summation on the device, over
 * kernels/direct.cl. A variant of this family is a name and a precision. */
#ifndef GABUROV_DIRECT_H
#define GABUROV_DIRECT_H

#include "gaburov.h"
#include "kernels/pair.h"
#include "variants/common/direct.h"

struct gaburov_direct_params {
    struct gaburov_common common;
    struct direct_shape shape;
    int32_t third_law; /* enum third_law_use; no parameter in single precision */
    int32_t positions; /* enum positions; no parameter in double precision */
};

/* prepare() of the plugin contract in single or double precision. */
static inline int gaburov_direct_prepare(struct orr_job *job, int in_double)
{
    static const struct device_bodies_kind kind = {.has_phi = 1, .update_phase = "update"};
    const struct gaburov_direct_params *p = job->params;
    const struct direct_task task = {.dimensions = 3,
                                     .in_double = in_double,
                                     .eps = p->common.eps,
                                     .shape = p->shape,
                                     .third_law = in_double ? (enum third_law_use)p->third_law
                                                            : THIRD_LAW_NO,
                                     .pairs = p->positions == POSITIONS_PAIRS,
                                     .phase = "direct"};
    int code = gaburov_check(job);

    if (!code)
        code = params_check_pairs(job, (enum positions)p->positions, p->common.steps);

    if (!code)
        code = device_bodies_prepare(job, &kind, job->bodies->n, p->common.steps, p->common.dt);
    return code ? code : direct_prepare(job, &task);
}

static inline int gaburov_direct_cost(const struct orr_job *job, struct orr_cost *out)
{
    const struct gaburov_direct_params *p = job->params;
    const struct direct *state = job->state;
    double n = (double)job->bodies->n, steps = p->common.steps;

    out->interactions = (steps + 1) * n * (n - 1);
    out->flops_convention = out->interactions * GABUROV_LEAF_FLOPS;
    out->flops_true =
        out->interactions * (state->both ? PAIR_BOTH_FLOPS_TRUE / 2 : PAIR_FLOPS_TRUE);
    if (p->positions == POSITIONS_PAIRS)
        out->flops_true += out->interactions * PAIR_LOW_FLOPS;
    /* An evaluation reads body and writes acc, a step reads and writes body and velocity and reads
     * acc. */
    out->bytes_min = ((steps + 1) * 2 + steps * 5) * n * DEVICE_FLOAT4;
    orr_figure(out, "leaf interactions", out->interactions);
    return ORR_OK;
}

/* The members that both variants share; each adds its name, summary, capabilities and prepare(). */
#define GABUROV_DIRECT_VARIANT                                                                  \
    .abi = ORR_VARIANT_ABI, .size = sizeof(struct orr_variant), .build_flags = ORR_BUILD_FLAGS, \
    .dimensions = 3, .params = params, .param_count = sizeof params / sizeof *params,           \
    .params_size = sizeof(struct gaburov_direct_params), .state_size = sizeof(struct direct),   \
    .sources = direct_sources, .source_count = sizeof direct_sources / sizeof *direct_sources,  \
    .prepare = prepare, .upload = device_bodies_upload, .step = direct_step,                    \
    .fetch = device_bodies_fetch, .cost = gaburov_direct_cost, .release = direct_release

#endif
