/* An accident: sorts the bodies of the input instead of a copy. Caught by inputs that are mapped
 * read-only. */
#include "cheats.h"

static int step(struct orr_job *job)
{
    const struct orr_bodies *b = job->bodies;
    for (size_t i = 0; i + 1 < b->n; i++)
        for (int k = 0; k < 3 && b->pos[0][i] > b->pos[0][i + 1]; k++) {
            double swapped = b->pos[k][i];
            b->pos[k][i] = b->pos[k][i + 1];
            b->pos[k][i + 1] = swapped;
        }
    return sums_step(job);
}

const struct orr_variant orr_variant = {SUMS_VARIANT, .name = "plugins/moves_positions",
                                        .step = step};
