/* An accident: closes every descriptor, as a daemon does. Costs its own cell: the worker has lost
 * its channel. */
#include <unistd.h>

#define HAS_SPOIL
#include "cheats.h"

static void spoil(struct orr_job *job, struct state *s)
{
    for (int fd = 0; fd < 1024; fd++)
        close(fd);
}

const struct orr_variant orr_variant = {SUMS_VARIANT, .name = "plugins/closes_descriptors"};
