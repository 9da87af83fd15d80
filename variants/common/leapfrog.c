#include "variants/common/leapfrog.h"

int leapfrog_run(struct orr_job *job, const struct leapfrog *scheme, int32_t steps, float dt)
{
    float half = 0.5f * dt;
    int code = scheme->forces(job);

    for (int32_t step = 0; step < steps && !code; step++) {
        code = scheme->kick_and_drift(job, step ? half : 0, half, dt);
        if (!code)
            code = scheme->forces(job);
    }
    return code || steps <= 0 ? code : scheme->kick_and_drift(job, half, 0, 0);
}
