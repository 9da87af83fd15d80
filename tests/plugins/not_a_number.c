/* Leaves a NaN in the last body, which a sample of the bodies may miss. */
#include "sums.h"

static void spoil(struct orr_job *job, struct state *s)
{
    s->result[4 * (job->bodies->n - 1) + 3] = NAN;
}

const struct orr_variant orr_variant = {SUMS_VARIANT, .name = "plugins/not_a_number"};
