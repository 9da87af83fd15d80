/* Stops itself, as a debugger would. Ended when its time is over. */
#include <signal.h>

#define HAS_SPOIL
#include "cheats.h"

static void spoil(struct orr_job *job, struct state *s)
{
    if (s->steps > 1)
        raise(SIGSTOP);
}

const struct orr_variant orr_variant = {SUMS_VARIANT, .name = "plugins/stops_itself"};
