/* An accident: a library that it calls ends the process, and calls that a success. Costs its own
 * cell: a worker that leaves before it is told to has crashed. */
#define HAS_SPOIL
#include "cheats.h"

static void spoil(struct orr_job *job, struct state *s)
{
    exit(0);
}

const struct orr_variant orr_variant = {SUMS_VARIANT, .name = "plugins/exits"};
