/* Which results of two sides are the same work. */
#ifndef ORR_MATCH_H
#define ORR_MATCH_H

#include "present/results.h"

/* Results of one experiment on one side. */
struct orr_singles {
    const struct orr_result **items;
    size_t count;
};

/* What two results have in common; each level includes those above. */
enum orr_likeness {
    ORR_LIKE_NOTHING, /* not even the variant */
    ORR_LIKE_VARIANT,
    ORR_LIKE_DEVICE, /* the device too, */
    ORR_LIKE_INPUT,  /* the data set, its n, its seed and the level of its boxes too, */
    ORR_LIKE_WORK    /* and every parameter: the same work */
};
/* `across`: one device was named for each side, so that they need not be the same. */
enum orr_likeness orr_match_likeness(const struct orr_result *a, const struct orr_result *b,
                                     bool across);

/* Sets partners[k] to the result of b that is the same work as a->items[k], or leaves it NULL;
 * matched ones become NULL in `b`. A result that failed early knows only some of its parameters: it
 * matches by id or, where the match is unique on both sides, by all that both know. */
void orr_match(const struct orr_result **partners, const struct orr_singles *a,
               struct orr_singles *b, bool across);

/* Whether the two differ only by parameters that one of them lacks. */
bool orr_match_almost(const struct orr_result *a, const struct orr_result *b, bool across);

#endif
