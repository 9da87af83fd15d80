/* Right forces on a device, as late as ORRERY_TEST_SLOW says. */
#include "device_sums.h"

#include "slowed.h"

static int slowed_step(struct orr_job *job)
{
    double start = now();
    int code = device_sums_step(job);
    if (!code)
        code = orr_sync(job->device);
    slow_down(start);
    return code;
}

const struct orr_variant orr_variant = {DEVICE_SUMS_VARIANT, .name = "plugins/device_slowed",
                                        .step = slowed_step};
