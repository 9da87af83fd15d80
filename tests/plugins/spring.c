/* SPDX-License-Identifier: MIT */
/* Holds every body to the origin by a spring, phi = |x|^2: a motion and an energy that are known
 * exactly. Two of it never hold memory at once. */
#include "plugin.h"

static int held; /* variants that hold their memory */

struct params {
    double dt;
    int32_t steps, mute;
};
static const struct orr_param params[] = {
    {"dt", ORR_PARAM_FLOAT, offsetof(struct params, dt), 0.5, 0, 10, NULL, "time step"},
    {"steps", ORR_PARAM_INT, offsetof(struct params, steps), 4, 0, 1000, NULL, "time steps"},
    {"mute", ORR_PARAM_INT, offsetof(struct params, mute), 0, 0, 1, NULL, "gives no potential"},
};

static int spring_prepare(struct orr_job *job)
{
    return ++held == 1 ? 0 : ORR_FAIL(job, ORR_EINTERNAL, "two at once");
}

static void spring_release(struct orr_job *job)
{
    held--;
}

static int spring_fetch(struct orr_job *job, struct orr_forces *out)
{
    const struct params *p = job->params;
    const struct orr_bodies *b = job->bodies;
    double c = cos(p->dt * p->steps), s = sin(p->dt * p->steps);
    out->has_phi = !p->mute;
    for (size_t i = 0; i < b->n; i++) {
        double r2 = 0;
        for (int d = 0; d < 3; d++) {
            double x = b->pos[d][i] * c + b->vel[d][i] * s;
            out->acc[d][i] = (float)-x;
            r2 += x * x;
            if (p->steps > 0) {
                out->pos[d][i] = (float)x;
                out->vel[d][i] = (float)(b->vel[d][i] * c - b->pos[d][i] * s);
            }
        }
        out->phi[i] = (float)r2;
    }
    return 0;
}

#define MEMBERS \
    .prepare = spring_prepare, .step = do_nothing, .fetch = spring_fetch, .release = spring_release
PLUGIN(spring, .capabilities = ORR_RUNS_HOST | ORR_INTEGRATES);
