/* What the files of the claims share; nobody else includes it. The rules as SQL, for claims.sql:
 *
 *   compared                    view: the ledger's speedups of the same work, with `low` and `high`, the ends of what
 * the ratio can be (docs/METHOD.md), and `estimated`, whether one of the two times is extrapolated; comparisons of two
 * extrapolated times are left out verdict_of(held, parts)     a claim of several parts: all hold, some, or none
 *   growth(x, low, value, high, points)   aggregate: "grows with x", over at least that many points; NULL for one point
 *   course(x, low, value, high)           aggregate: "up from 8 to 64, level to 128, down to 512"
 *   listing(x, text)            aggregate: the texts in the order of x, with commas between; NULL texts are left out
 *   shown(number)               three significant digits */
#ifndef ORR_CLAIMS_PARTS_H
#define ORR_CLAIMS_PARTS_H

#include "claims/claims.h"

int orr_claims_make_functions(struct orr_ledger *ledger);
/* The statements of `text` one by one, which may only read, write claim and verdict and define temporary views.
 * `shown` names the file in ORR_EINPUT. */
int orr_claims_execute(struct orr_ledger *ledger, const char *text, const char *shown);

#endif
