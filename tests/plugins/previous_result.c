/* Computes, but returns the result of the step before, as with two buffers mixed up. Caught by
 * fresh masses. */
#include <string.h>

#define HAS_SPOIL
#include "cheats.h"

static float kept[4 * 256];

static void spoil(struct orr_job *job, struct state *s)
{
    size_t count = job->bodies->n * 4;
    for (size_t k = 0; k < count && count <= sizeof kept / sizeof *kept; k++) {
        float now = s->result[k];
        if (s->steps > 1)
            s->result[k] = kept[k];
        kept[k] = now;
    }
}

const struct orr_variant orr_variant = {SUMS_VARIANT, .name = "plugins/previous_result"};
