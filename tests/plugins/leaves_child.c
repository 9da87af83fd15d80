/* Computes right forces, but leaves a child that writes to where the results were, also while the
 * next variant runs. The worker is replaced, and its children end with it: the next cell stays ok.
 */
#include <unistd.h>

#include "cheats.h"

static float *column;
static size_t count;

static int fetch(struct orr_job *job, struct orr_forces *out)
{
    column = out->acc[0];
    count = job->bodies->n;
    return sums_fetch(job, out);
}

static void release(struct orr_job *job)
{
    if (column && fork() == 0)
        for (;;)
            for (size_t i = 0; i < count; i++)
                ((volatile float *)column)[i] = NAN;
    sums_release(job);
}

const struct orr_variant orr_variant = {SUMS_VARIANT, .name = "plugins/leaves_child",
                                        .fetch = fetch, .release = release};
