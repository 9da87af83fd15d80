/* The judge is judged: a paper's printed numbers as a journal, which its own claims must find
 * reproduced, and numbers that say nothing, which they must not. docs/METHOD.md, "The judge is
 * judged", has the rules; planned.sql, feed.sql and nulls.sql say what is made up.
 *
 * What a paper's quantities mean beyond times, rates, ratios and registers, its folder says in
 * calibration.sql, which may read the ledger and write to `fed` and `peak`; what the paper itself
 * contradicts, in published/errata.csv. */
#ifndef ORR_CALIBRATE_H
#define ORR_CALIBRATE_H

#include "ledger/ledger.h"
#include "plan/paper.h"

/* Judges a paper's claims by made-up journals, which are loaded into a ledger that has the paper
 * and no results: machine `published`, and one for each null. 1 with what came of it in the tables
 * of assessed.sql, 0 for a paper without claims. */
int orr_calibrate_judge(struct orr_ledger *ledger, const struct orr_paper *paper);

#endif
