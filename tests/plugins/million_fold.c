/* Declares a million times its interactions. Caught by what a direct sum of n bodies is. */
#include "cheats.h"

static int cost(const struct orr_job *job, struct orr_cost *out)
{
    int code = sums_cost(job, out);
    out->interactions *= 1e6;
    return code;
}

const struct orr_variant orr_variant = {SUMS_VARIANT, .name = "plugins/million_fold", .cost = cost};
