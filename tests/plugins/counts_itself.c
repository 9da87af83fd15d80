/* An accident: declares n^2 interactions, each body's with itself included. Caught by what a direct
 * sum of n bodies is. */
#include "cheats.h"

static int cost(const struct orr_job *job, struct orr_cost *out)
{
    int code = sums_cost(job, out);
    out->interactions += (double)job->bodies->n;
    return code;
}

const struct orr_variant orr_variant = {SUMS_VARIANT, .name = "plugins/counts_itself",
                                        .cost = cost};
