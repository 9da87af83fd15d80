/* An accident: writes two numbers before the beginning of a column of results. Caught by the zones
 * around each. */
#include "cheats.h"

static int fetch(struct orr_job *job, struct orr_forces *out)
{
    float *column = out->phi;
    column[-1] = column[-2] = 0;
    return sums_fetch(job, out);
}

const struct orr_variant orr_variant = {SUMS_VARIANT, .name = "plugins/overflows_before",
                                        .fetch = fetch};
