/* An accident: each step prints. Right all the same: the cell stays `ok`, nothing of it gets into
 * what `orrery` prints, and the record says so. */
#include <stdio.h>

#define HAS_SPOIL
#include "cheats.h"

static void spoil(struct orr_job *job, struct state *s)
{
    printf("{\"say\":\"done\"}\nstep %d on stdout\n", s->steps);
    fprintf(stderr, "step %d on stderr\n", s->steps);
    fflush(stdout);
}

const struct orr_variant orr_variant = {SUMS_VARIANT, .name = "plugins/prints"};
