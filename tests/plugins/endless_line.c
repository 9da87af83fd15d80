/* Sends a line that has no end. Caught by its length. */
#define HAS_SPOIL
#include "cheats.h"
#include "sockets.h"

static void spoil(struct orr_job *job, struct state *s)
{
    static const char part[4096] = {[0 ... 4095] = ' '};
    talk(part, sizeof part);
}

const struct orr_variant orr_variant = {SUMS_VARIANT, .name = "plugins/endless_line"};
