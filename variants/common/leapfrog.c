/* SPDX-License-Identifier: MIT */
#include "variants/common/leapfrog.h"

int leapfrog_run(struct orr_job *job, const struct leapfrog *scheme, int32_t steps, float dt)
{
    const int euler = scheme->integrator == INTEGRATOR_EULER;
    const float opening = euler ? dt : 0.5f * dt, closing = euler ? 0 : 0.5f * dt;
    int code = scheme->forces(job);

    for (int32_t step = 0; step < steps && !code; step++) {
        code = scheme->kick_and_drift(job, step ? closing : 0, opening, dt);
        if (!code)
            code = scheme->forces(job);
    }
    return code || euler || steps <= 0 ? code : scheme->kick_and_drift(job, closing, 0, 0);
}
