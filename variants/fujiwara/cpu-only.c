/* SPDX-License-Identifier: MIT */
/* fujiwara/cpu-only: the plain loop of Fig. 2 in one thread, the paper's serial baseline. No trick
 * of any kind: what the ordinary compiler flags (in the journal) make of it is the measurement. */
#include <math.h>

#include "shared/host.h"

struct params {
    struct fuji_common common;
};

/* Fig. 2 with eq. 1's minus sign put right: acc[i] += f(x[i], x[j]). */
static void forces(struct host_bodies *b, float eps, int threads)
{
    float eps2 = eps * eps;

    (void)threads;
    for (size_t i = 0; i < b->n; i++) {
        float ax = 0, ay = 0, az = 0, phi = 0;

        for (size_t j = 0; j < b->n; j++) {
            if (j == i)
                continue;
            float dx = b->pos[0][j] - b->pos[0][i];
            float dy = b->pos[1][j] - b->pos[1][i];
            float dz = b->pos[2][j] - b->pos[2][i];
            float r = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + eps2);
            float mr = b->mass[j] * r;
            float mr3 = mr * (r * r);
            phi -= mr;
            ax += mr3 * dx;
            ay += mr3 * dy;
            az += mr3 * dz;
        }
        b->acc[0][i] = ax;
        b->acc[1][i] = ay;
        b->acc[2][i] = az;
        b->phi[i] = phi;
    }
}

static int prepare(struct orr_job *job)
{
    return fuji_host_prepare(job, 1);
}

static int step(struct orr_job *job)
{
    return fuji_host_step(job, forces);
}

static const struct orr_param params[] = {FUJI_COMMON_PARAMS(struct params)};

const struct orr_variant orr_variant = {
    .abi = ORR_VARIANT_ABI,
    .size = sizeof(struct orr_variant),
    .name = "fujiwara/cpu-only",
    .summary = "plain two-nested loop in one thread (Fig. 2)",
    .capabilities = ORR_RUNS_HOST | ORR_INTEGRATES,
    .dimensions = 3,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .params_size = sizeof(struct params),
    .state_size = sizeof(struct fuji_host),
    .build_flags = ORR_BUILD_FLAGS,
    .prepare = prepare,
    .upload = host_bodies_upload,
    .step = step,
    .fetch = host_bodies_fetch,
    .cost = fuji_cost,
    .release = host_bodies_release,
};
