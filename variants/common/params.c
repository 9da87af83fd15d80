/* SPDX-License-Identifier: MIT */
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

int params_check_pairs(const struct orr_job *job, enum positions positions, int32_t steps)
{
    if (positions == POSITIONS_PAIRS && (steps > 0 || orr_ranks_size(job->ranks) > 1))
        return ORR_FAIL(
            job, ORR_EUSAGE,
            "positions=pairs is of bodies at rest on one rank: neither steps nor ranks");
    return ORR_OK;
}
