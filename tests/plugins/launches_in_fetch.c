/* Launches its kernel in fetch, which is not part of the step. Caught by the launch: a fetch that
 * works on the device becomes part of the step's time. */
#include "device_sums.h"

static int nothing(struct orr_job *job)
{
    return 0;
}

static int fetch(struct orr_job *job, struct orr_forces *out)
{
    int code = device_sums_step(job);
    return code ? code : device_bodies_fetch(job, out);
}

const struct orr_variant orr_variant = {DEVICE_SUMS_VARIANT, .name = "plugins/launches_in_fetch",
                                        .step = nothing, .fetch = fetch};
