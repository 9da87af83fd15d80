/* SPDX-License-Identifier: MIT */
#include "device.h"

#include "kernels/pair.h"

#define KIND(...)                                                                \
    {                                                                            \
        .flat = 1, .start_phase = "Setup", .update_phase = "Update", __VA_ARGS__ \
    }

static int prepare(struct orr_job *job, const struct device_bodies_kind kinds[], size_t padded)
{
    const struct feng_common *p = job->params;
    int code = feng_check(job);

    return code ? code : device_bodies_prepare(job, &kinds[p->integrator], padded, p->steps, p->dt);
}

int feng_device_prepare(struct orr_job *job)
{
    static const struct device_bodies_kind kinds[] = {
        [INTEGRATOR_LEAPFROG] = KIND(.divided = 1),
        [INTEGRATOR_EULER] = KIND(.divided = 1, .integrator = INTEGRATOR_EULER)};

    return prepare(job, kinds, job->bodies->n);
}

int feng_device_prepare_padded(struct orr_job *job, size_t padded)
{
    static const struct device_bodies_kind kinds[] = {
        [INTEGRATOR_LEAPFROG] = KIND(.far = PAIR_FAR),
        [INTEGRATOR_EULER] = KIND(.far = PAIR_FAR, .integrator = INTEGRATOR_EULER)};

    return prepare(job, kinds, padded);
}
