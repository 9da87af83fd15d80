/* Says something that is not UTF-8 and has no end. It is tamed: the cell stays ok. */
#include <string.h>

#define HAS_SPOIL
#include "cheats.h"

static void spoil(struct orr_job *job, struct state *s)
{
    orr_stage(job, "gr\xfc\xdf");
    memset(job->note, 0xfc, sizeof job->note);
    orr_stage(job, NULL);
}

const struct orr_variant orr_variant = {SUMS_VARIANT, .name = "plugins/odd_note"};
