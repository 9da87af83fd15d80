#include "device.h"

int feng_device_prepare(struct orr_job *job)
{
    static const struct device_bodies_kind kind = {.start_phase = "Setup",
                                                   .update_phase = "Update"};
    const struct feng_common *p = job->params;
    int code = feng_check(job);

    return code ? code : device_bodies_prepare(job, &kind, job->bodies->n, p->steps, p->dt);
}
