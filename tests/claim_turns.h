/* SPDX-License-Identifier: MIT */
/* Worlds that are not as printed, and the verdicts on a paper's claims there. The file that
 * includes this has a struct world and as_printed(). */
#ifndef CLAIM_TURNS_H
#define CLAIM_TURNS_H

#include "claims_for_tests.h"

struct turn {
    const char *claims, *reading, *expected; /* with blanks between; a verdict or a score */
    const struct world *world;
};

/* The world as printed but for this. */
#define WHERE(...)                         \
    (struct world[])                       \
    {                                      \
        ({                                 \
            struct world w = as_printed(); \
            __VA_ARGS__;                   \
            w;                             \
        })                                 \
    }

static inline void assert_turned(const struct turn *turn, size_t number)
{
    char claims[64], *save;
    snprintf(claims, sizeof claims, "%s", turn->claims);
    for (char *c = strtok_r(claims, " ", &save); c; c = strtok_r(NULL, " ", &save)) {
        const char *score = told_in(c, turn->reading, "cuda:0", "score");
        if (strcmp(score, turn->expected) &&
            strcmp(told_in(c, turn->reading, "cuda:0", "verdict"), turn->expected))
            fail_msg("world %zu, %s %s: %s, expected %s: %s", number, c, turn->reading, score,
                     turn->expected, told_in(c, turn->reading, "cuda:0", "why"));
    }
}

/* Some worlds are machines of one ledger, which is judged once. */
static inline void assert_turns(const struct turn *turns, size_t count, void (*begin)(void),
                                void (*put_one)(const struct world *))
{
    enum { AT_ONCE = 6 };
    for (size_t first = 0, k; first < count; first += AT_ONCE) {
        const size_t end = first + AT_ONCE < count ? first + AT_ONCE : count;
        begin();
        for (k = first; k < end; k++) {
            load();
            begin_journal(filled("m%zu", k), "");
            put_one(turns[k].world);
        }
        load_and_judge();
        for (k = first; k < end; k++) {
            judged_machine = filled("m%zu", k);
            assert_turned(&turns[k], k);
        }
    }
    judged_machine = NULL;
}

#endif
