#include "run/rank_library.h"

#include "error.h"

#ifdef ORR_HAVE_RANKS
extern const struct orr_rank_library orr_ranks_verbs;

const struct orr_rank_library *orr_rank_library(void)
{
    return &orr_ranks_verbs;
}
#else
const struct orr_rank_library *orr_rank_library(void)
{
    orr_fail(ORR_EUNSUPPORTED, "this build has no ranks: install libopenmpi-dev and openmpi-bin "
                               "and build again");
    return NULL;
}
#endif

int orr_rank_library_check(void)
{
    const struct orr_rank_library *ranks = orr_rank_library();
    return ranks ? ranks->check() : orr_error_code();
}
