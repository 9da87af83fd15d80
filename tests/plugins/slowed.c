/* Right forces on the host, as late as ORRERY_TEST_SLOW says. */
#include "sums.h"

#include "slowed.h"

static void spoil(struct orr_job *job, struct state *s)
{
}

/* Without the sleep of the others, which takes longer than a short step. */
static int slowed_step(struct orr_job *job)
{
    const struct state *s = job->state;
    double start = now();
    for (size_t i = 0; i < job->bodies->n; i++)
        sums_one(job->bodies, job->params, i, s->result + 4 * i);
    slow_down(start);
    return 0;
}

#pragma GCC diagnostic ignored "-Woverride-init"
const struct orr_variant orr_variant = {SUMS_VARIANT, .name = "plugins/slowed",
                                        .step = slowed_step};
