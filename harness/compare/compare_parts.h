/* What the files of the comparison share; nobody else includes it. */
#ifndef ORR_COMPARE_PARTS_H
#define ORR_COMPARE_PARTS_H

#include "compare/compare.h"
#include "compare/match.h"

/* One experiment on both sides, A first. */
struct orr_part {
    struct orr_scope scopes[2];
    struct orr_results results[2];
    struct orr_singles
        singles[2]; /* the results on the device that was named; in B those without a partner */
};

/* ORR_EUSAGE for two sides without a cell in common: how many each has and what they differ in. */
int orr_compare_nothing(const struct orr_comparison *comparison);

#endif
