/* An accident: writes two numbers after the end of a column of results. Caught by the zones around
 * each. */
#include "cheats.h"

static int fetch(struct orr_job *job, struct orr_forces *out)
{
    out->acc[0][job->bodies->n] = out->acc[0][job->bodies->n + 1] = 0;
    return sums_fetch(job, out);
}

const struct orr_variant orr_variant = {SUMS_VARIANT, .name = "plugins/overflows_after",
                                        .fetch = fetch};
