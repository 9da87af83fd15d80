/* Computes right forces. */
#include "sums.h"

static void spoil(struct orr_job *job, struct state *s)
{
}

const struct orr_variant orr_variant = {SUMS_VARIANT, .name = "plugins/right"};
