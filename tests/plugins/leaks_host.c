/* An accident: each step leaves 64 KiB of memory behind. Right all the same: the cell stays `ok`,
 * and its record says so. */
#include <string.h>

#define HAS_SPOIL
#include "cheats.h"

static void *volatile lost;

static void spoil(struct orr_job *job, struct state *s)
{
    lost = malloc(65536);
    if (lost)
        memset(lost, 1, 65536);
}

const struct orr_variant orr_variant = {SUMS_VARIANT, .name = "plugins/leaks_host"};
