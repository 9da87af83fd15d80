/* Launches as many kernels in a step without an upload before it, but for one body; the others have
 * their result already. Caught by the kernels' time: its own is that of single steps. */
#include "device_repeats.h"

static int step(struct orr_job *job)
{
    const struct state *s = job->state;
    return device_sums_launch(job, is_first() ? s->device.n : 1);
}

const struct orr_variant orr_variant = {DEVICE_SUMS_VARIANT, .name = "plugins/repeats_little",
                                        .upload = upload, .step = step};
