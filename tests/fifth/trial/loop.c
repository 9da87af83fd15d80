/* SPDX-License-Identifier: MIT */
/* trial/loop: the sums in one thread of the host. */
#include <math.h>

#include "kernels/kahan.h"
#include "shared/sums.h"
#include "variants/common/host_bodies.h"

static const struct orr_param params[] = {SUMS_PARAMS};

static int prepare(struct orr_job *job)
{
    static const struct host_bodies_kind kind = {.dimensions = 3, .has_phi = 1};
    int code = params_check(job, 1 << 30, 0, 0);

    return code ? code : host_bodies_prepare(job, &kind, 1, 0, 0);
}

/* What body j does to body i. */
static void pair(const struct host_bodies *b, size_t i, size_t j, float eps2, float out[4])
{
    float d[3], r2 = eps2;

    for (int k = 0; k < 3; k++) {
        d[k] = b->pos[k][j] - b->pos[k][i];
        r2 += d[k] * d[k];
    }
    float r = r2 > 0 ? 1.0f / sqrtf(r2) : 0, mr = b->mass[j] * r;
    for (int k = 0; k < 3; k++)
        out[k] = mr * (r * r) * d[k];
    out[3] = -mr;
}

static int forces(struct orr_job *job)
{
    const struct sums_params *p = job->params;
    struct host_bodies *b = job->state;
    float eps2 = params_eps2(p->eps);

    for (size_t i = 0; i < b->n; i++) {
        float sum[4] = {0}, lost[4] = {0}, one[4];

        for (size_t j = 0; j < b->n; j++) {
            if (j == i)
                continue;
            pair(b, i, j, eps2, one);
            for (int k = 0; k < 4; k++)
                if (p->compensated)
                    KAHAN_ADD(sum[k], lost[k], one[k]);
                else
                    sum[k] += one[k];
        }
        for (int k = 0; k < 3; k++)
            b->acc[k][i] = sum[k];
        b->phi[i] = sum[3];
    }
    return ORR_OK;
}

static int step(struct orr_job *job)
{
    return host_bodies_step(job, forces);
}

const struct orr_variant orr_variant = {
    .abi = ORR_VARIANT_ABI,
    .size = sizeof(struct orr_variant),
    .name = "trial/loop",
    .summary = "direct sum in one thread, with compensated or plain additions",
    .capabilities = ORR_RUNS_HOST,
    .dimensions = 3,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .params_size = sizeof(struct sums_params),
    .state_size = sizeof(struct host_bodies),
    .build_flags = ORR_BUILD_FLAGS,
    .prepare = prepare,
    .upload = host_bodies_upload,
    .step = step,
    .fetch = host_bodies_fetch,
    .cost = sums_cost,
    .release = host_bodies_release,
};
