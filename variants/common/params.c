#include "variants/common/params.h"

#include <float.h>

float params_eps2(double eps)
{
    const float eps2 = (float)eps * (float)eps;

    return eps2 >= FLT_MIN ? eps2 : 0.0f;
}

int params_check(const struct orr_job *job, size_t most_bodies, int32_t steps, double dt)
{
    if (job->bodies->n > most_bodies)
        return ORR_FAIL(job, ORR_EUNSUPPORTED,
                        "%zu bodies are more than the %zu these variants index", job->bodies->n,
                        most_bodies);
    if (steps > 0 && dt == 0)
        return ORR_FAIL(job, ORR_EUSAGE,
                        "steps = %d needs a time step and dt is 0; give one with --set dt=TIME",
                        steps);
    return ORR_OK;
}
