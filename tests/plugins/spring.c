/* Holds every body to the origin by a spring, phi = |x|^2: a motion and an energy that are known
 * exactly. Two of it never hold memory at once. */
#include <math.h>

#include "harness/variant.h"

static int held; /* variants that hold their memory */

struct spring {
    double dt;
    int32_t steps, mute;
};
static const struct orr_param spring_params[] = {
    {"dt", ORR_PARAM_FLOAT, offsetof(struct spring, dt), 0.5, 0, 10, NULL, "time step"},
    {"steps", ORR_PARAM_INT, offsetof(struct spring, steps), 4, 0, 1000, NULL, "time steps"},
    {"mute", ORR_PARAM_INT, offsetof(struct spring, mute), 0, 0, 1, NULL, "gives no potential"},
};

static int spring_prepare(struct orr_job *job)
{
    return ++held == 1 ? 0 : ORR_FAIL(job, ORR_EINTERNAL, "two at once");
}

static void spring_release(struct orr_job *job)
{
    held--;
}

static int spring_step(struct orr_job *job)
{
    return 0;
}

static int spring_fetch(struct orr_job *job, struct orr_forces *out)
{
    const struct spring *p = job->params;
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

const struct orr_variant orr_variant = {.abi = ORR_VARIANT_ABI,
                                        .size = sizeof(struct orr_variant),
                                        .build_flags = ORR_BUILD_FLAGS,
                                        .name = "plugins/spring",
                                        .summary = "a test of energies",
                                        .capabilities = ORR_RUNS_HOST | ORR_INTEGRATES,
                                        .dimensions = 3,
                                        .params = spring_params,
                                        .param_count = sizeof spring_params / sizeof *spring_params,
                                        .params_size = sizeof(struct spring),
                                        .prepare = spring_prepare,
                                        .step = spring_step,
                                        .fetch = spring_fetch,
                                        .release = spring_release};
