#include "device.h"

int feng_device_prepare(struct orr_job *job)
{
    static const struct device_bodies_kind kinds[] = {
        [INTEGRATOR_LEAPFROG] = {.start_phase = "Setup", .update_phase = "Update", .divided = 1},
        [INTEGRATOR_EULER] = {.start_phase = "Setup",
                              .update_phase = "Update",
                              .integrator = INTEGRATOR_EULER,
                              .divided = 1}};
    const struct feng_common *p = job->params;
    const struct device_bodies_kind *kind = &kinds[p->integrator];
    int code = feng_check(job);

    return code ? code : device_bodies_prepare(job, kind, job->bodies->n, p->steps, p->dt);
}
