/* Right at first, wrong after some steps: what is measured must be verified too. */
#include "sums.h"

static void spoil(struct orr_job *job, struct state *s)
{
    if (s->steps > 3)
        s->result[0] *= 2;
}

const struct orr_variant orr_variant = {SUMS_VARIANT, .name = "plugins/wrong_later"};
