/* SPDX-License-Identifier: MIT */
#include "worker/rank_library.h"

#include "error.h"

extern const struct orr_rank_library orr_ranks_verbs;

const struct orr_rank_library *orr_rank_library(void)
{
#ifdef ORR_HAVE_RANKS
    return &orr_ranks_verbs;
#else
    orr_fail(ORR_EUNSUPPORTED, "this build has no ranks: install libopenmpi-dev and openmpi-bin "
                               "and build again");
    return NULL;
#endif
}
