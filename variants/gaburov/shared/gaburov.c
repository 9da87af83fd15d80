#include "gaburov.h"

int gaburov_check(const struct orr_job *job)
{
    const struct gaburov_common *p = job->params;

    return params_check(job, GABUROV_MAX_BODIES, p->steps, p->dt);
}
