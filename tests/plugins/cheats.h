/* What plugins that cheat have in common: the right sums of sums.h, of which each replaces a verb
 * or two. tests/e2e_cheats.sh runs them, the table in docs/METHOD.md lists them. */
#ifndef CHEATS_H
#define CHEATS_H

#include "sums.h"

/* A verb that stands after SUMS_VARIANT takes the place of the one in it. */
#pragma GCC diagnostic ignored "-Woverride-init"

#ifndef HAS_SPOIL /* the plugin has a spoil() of its own */
static void spoil(struct orr_job *job, struct state *s)
{
}
#endif

static inline int do_nothing(struct orr_job *job)
{
    return 0;
}

#endif
