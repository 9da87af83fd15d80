/* Sends answers to questions that nobody asked, for ever. Ended when its time is over. */
#define HAS_SPOIL
#include "cheats.h"
#include "sockets.h"

static void spoil(struct orr_job *job, struct state *s)
{
    static const char answer[] = "{\"say\":\"done\",\"to\":1}\n";
    talk(answer, sizeof answer - 1);
}

const struct orr_variant orr_variant = {SUMS_VARIANT, .name = "plugins/talks_on"};
