/* SPDX-License-Identifier: MIT */
/* trial/kernel: the sums on a device, a thread a body. */
#include <stdio.h>

#include "kernels/compensated.h"
#include "shared/sums.h"
#include "variants/common/device_bodies.h"
#include "variants/common/j_split.h"

enum { BLOCK = 64 };

struct state {
    struct device_bodies device;
    struct orr_program *program;
};

static const struct orr_param params[] = {SUMS_PARAMS};
static const struct orr_source sources[] = {{"compensated", kernel_compensated}};

static int prepare(struct orr_job *job)
{
    static const struct device_bodies_kind kind = {.has_phi = 1, .far = 1e18f};
    const struct sums_params *p = job->params;
    struct state *s = job->state;
    char defines[96];
    int code = params_check(job, 1 << 30, 0, 0);

    if (!code)
        code = device_bodies_prepare(job, &kind, j_split_round_up(job->bodies->n, BLOCK), 0, 0);
    snprintf(defines, sizeof defines, "-DBLOCK=%d -DCOMPENSATED=%d -DSOFTENED=%d", BLOCK,
             p->compensated, params_eps2(p->eps) > 0);
    return code ? code : orr_build(job->device, &s->program, &sources[0], defines);
}

static int forces(struct orr_job *job)
{
    const struct sums_params *p = job->params;
    struct state *s = job->state;
    const struct orr_arg args[] = {ORR_BUF(s->device.body), ORR_BUF(s->device.acc),
                                   ORR_F32(params_eps2(p->eps)), ORR_I32((int32_t)s->device.n)};
    const struct orr_launch launch = {.kernel = "compensated",
                                      .groups = {s->device.padded / BLOCK},
                                      .group = {BLOCK},
                                      .args = args,
                                      .arg_count = sizeof args / sizeof *args};
    int code = orr_phase(job->device, "sum");

    return code ? code : orr_launch(job->device, s->program, &launch);
}

static int step(struct orr_job *job)
{
    return device_bodies_step(job, forces);
}

static void release(struct orr_job *job)
{
    struct state *s = job->state;

    orr_drop(job->device, s->program);
    s->program = NULL;
    device_bodies_release(job);
}

const struct orr_variant orr_variant = {
    .abi = ORR_VARIANT_ABI,
    .size = sizeof(struct orr_variant),
    .name = "trial/kernel",
    .summary = "direct sum on a device, with compensated or plain additions",
    .capabilities = ORR_RUNS_OPENCL | ORR_RUNS_CUDA,
    .dimensions = 3,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .params_size = sizeof(struct sums_params),
    .state_size = sizeof(struct state),
    .sources = sources,
    .source_count = 1,
    .build_flags = ORR_BUILD_FLAGS,
    .prepare = prepare,
    .upload = device_bodies_upload,
    .step = step,
    .fetch = device_bodies_fetch,
    .cost = sums_cost,
    .release = release,
};
