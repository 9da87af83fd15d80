/* SPDX-License-Identifier: MIT */
/* shan/serial: the paper's serial CPU (section II B), one thread: "to calculate the near-field
 * force that comes from those two parts on each particle of each box in order of the boxes'
 * indexes". No trick of any kind: what the ordinary compiler flags (in the journal) make of it is
 * the measurement. */
#include <math.h>

#include "shared/host.h"

#define real float
#define FMA(a, b, c) ((a) * (b) + (c))
#define RSQRT(x) (1.0f / sqrtf(x))
#include "kernels/pair.h"

struct params {
    struct shan_common common;
};

/* The paper counts a division and a square root where PAIR2_FLOPS_TRUE has one reciprocal square
 * root. */
enum { FLOPS_TRUE = PAIR2_FLOPS_TRUE + 1 };

/* What the bodies from..to do to body i, which may be one of them. */
static void act(struct shan_host *s, uint32_t i, uint32_t from, uint32_t to, float eps2)
{
    float ax = 0, ay = 0;

    for (uint32_t j = from; j < to; j++) {
        if (j == i)
            continue;
        PAIR2(ax, ay, s->x[i], s->y[i], s->x[j], s->y[j], s->mass[j], eps2);
    }
    s->ax[i] += ax;
    s->ay[i] += ay;
}

static void serve_box(struct shan_host *s, uint32_t b, float eps2)
{
    const uint32_t *start = s->boxes.start;
    const int32_t *list = s->boxes.list + (size_t)b * s->boxes.stride;

    for (uint32_t i = start[b]; i < start[b + 1]; i++) {
        s->ax[i] = s->ay[i] = 0;
        act(s, i, start[b], start[b + 1], eps2);
        for (uint32_t k = 0; k < s->boxes.stride && list[k] >= 0; k++)
            act(s, i, start[list[k]], start[list[k] + 1], eps2);
    }
}

static int step(struct orr_job *job)
{
    struct shan_host *s = job->state;
    const struct params *p = job->params;
    float eps = (float)p->common.eps;
    int code = orr_phase(job->device, "forces");

    if (code)
        return code;
    for (uint32_t b = 0; b < s->boxes.count; b++)
        serve_box(s, b, eps * eps);
    return orr_phase(job->device, NULL);
}

static int cost(const struct orr_job *job, struct orr_cost *out)
{
    const struct shan_host *s = job->state;

    shan_cost(out, &s->boxes, FLOPS_TRUE);
    return ORR_OK;
}

static const struct orr_param params[] = {SHAN_COMMON_PARAMS(struct params)};

const struct orr_variant orr_variant = {
    .abi = ORR_VARIANT_ABI,
    .size = sizeof(struct orr_variant),
    .name = "shan/serial",
    .summary = "each body of each box in turn, in one thread",
    .capabilities = ORR_RUNS_HOST | ORR_NEAR_FIELD,
    .dimensions = 2,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .params_size = sizeof(struct params),
    .state_size = sizeof(struct shan_host),
    .build_flags = ORR_BUILD_FLAGS,
    .prepare = shan_host_prepare,
    .upload = shan_host_upload,
    .step = step,
    .fetch = shan_host_fetch,
    .cost = cost,
    .release = shan_host_release,
};
