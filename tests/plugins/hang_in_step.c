/* Loads well, then never comes back from the timed step. */
#include <unistd.h>

#include "base.h"

static int step(struct orr_job *job)
{
    while (pause())
        ;
    return 0;
}

const struct orr_variant orr_variant = {BASE_VARIANT, .name = "plugins/hang_in_step", .step = step};
