/* Sets all masses of the input to zero, so that nothing is the right answer. Caught by inputs that
 * are mapped read-only. */
#include "cheats.h"

static int step(struct orr_job *job)
{
    for (size_t i = 0; i < job->bodies->n; i++)
        job->bodies->mass[i] = 0;
    return sums_step(job);
}

const struct orr_variant orr_variant = {SUMS_VARIANT, .name = "plugins/zeroes_masses",
                                        .step = step};
