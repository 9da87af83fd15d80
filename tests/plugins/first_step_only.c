/* Computes in its first step and returns that result ever after. Caught by fresh masses: they
 * change before each sample, so that the result of another sample is wrong. */
#include "cheats.h"

static int step(struct orr_job *job)
{
    const struct state *s = job->state;
    return s->steps ? 0 : sums_step(job);
}

const struct orr_variant orr_variant = {SUMS_VARIANT, .name = "plugins/first_step_only",
                                        .step = step};
