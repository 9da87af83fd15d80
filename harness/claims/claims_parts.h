/* What the files of the claims share; nobody else includes it.
 *
 * The rules as SQL, for claims.sql. The view
 *
 *   compared
 *
 * has the ledger's speedups of the same work, with `low` and `high`, the ends of what the ratio can be, and
 * `estimated`, whether the baseline is extrapolated; extrapolated times are not judged, and theirs are left out. The
 * functions
 *
 *   verdict_of(held, parts)
 *   shown(number)
 *
 * give the verdict on a claim of several parts, and a number of three significant digits. The aggregates
 *
 *   growth(x, low, value, high, points)
 *   course(x, low, value, high)
 *   listing(x, text)
 *
 * give the verdict on "grows with x" over at least so many points, NULL for a single one; the course in words, "up from
 * 8 to 64, level to 128, down to 512"; and the texts in the order of x with commas between, those that are NULL left
 * out. */
#ifndef ORR_CLAIMS_PARTS_H
#define ORR_CLAIMS_PARTS_H

#include "claims/claims.h"

int orr_claims_make_functions(struct orr_ledger *ledger);
/* The statements of `text` one by one, which may only read, write claim and verdict and define temporary views.
 * `shown` names the file in ORR_EINPUT. */
int orr_claims_execute(struct orr_ledger *ledger, const char *text, const char *shown);

#endif
