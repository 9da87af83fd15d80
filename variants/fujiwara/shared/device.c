#include "device.h"

int fuji_device_prepare(struct orr_job *job, size_t padded)
{
    static const struct device_bodies_kind kind = {
        .has_phi = 1, .far = FUJI_FAR, .update_phase = "kick and drift"};
    const struct fuji_common *p = job->params;
    int code = fuji_check(job);

    return code ? code : device_bodies_prepare(job, &kind, padded, p->steps, p->dt);
}
