#include "gaburov.h"

int gaburov_check(const struct orr_job *job)
{
    const struct gaburov_common *p = job->params;

    if (job->bodies->n > GABUROV_MAX_BODIES)
        return ORR_FAIL(job, ORR_EUNSUPPORTED, "%zu bodies are more than the %d these variants index", job->bodies->n,
                        GABUROV_MAX_BODIES);
    if (p->steps > 0 && p->dt == 0)
        return ORR_FAIL(job, ORR_EUSAGE, "steps = %d needs a time step and dt is 0; give one with --set dt=TIME",
                        p->steps);
    return ORR_OK;
}
