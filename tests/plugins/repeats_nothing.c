/* Does nothing in a step without an upload before it. Caught by the launches: its time is that of
 * single steps. */
#include "device_repeats.h"

static int step(struct orr_job *job)
{
    return is_first() ? device_sums_step(job) : 0;
}

const struct orr_variant orr_variant = {DEVICE_SUMS_VARIANT, .name = "plugins/repeats_nothing",
                                        .upload = upload, .step = step};
