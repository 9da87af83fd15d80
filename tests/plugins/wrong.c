/* Computes the force on one body wrong. */
#include "sums.h"

static void spoil(struct orr_job *job, struct state *s)
{
    s->result[4 * (job->bodies->n / 2)] *= 1.1f;
}

const struct orr_variant orr_variant = {SUMS_VARIANT, .name = "plugins/wrong"};
