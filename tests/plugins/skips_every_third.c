/* Every third step does nothing and leaves the result of the one before. Caught since some bodies
 * of every sample are verified. */
#include "cheats.h"

static int step(struct orr_job *job)
{
    static unsigned steps;
    return ++steps % 3 ? sums_step(job) : 0;
}

const struct orr_variant orr_variant = {SUMS_VARIANT, .name = "plugins/skips_every_third",
                                        .step = step};
