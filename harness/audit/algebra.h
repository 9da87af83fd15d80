/* SPDX-License-Identifier: MIT */
/* The formulas of a paper's cost model as text that SQL computes with: exact polynomials in B, N
 * and P, by FLINT.
 *
 * As text: "3N(P-1)/2+2N". Products may leave out the `*`, only whole numbers divide, and `^` takes
 * a whole number. Printed in a fixed order, so that equal formulas are equal texts; terms that
 * differ only in the last symbol are taken together, "N(P - 9)/2 + BP(P - 1)/2"; of one symbol
 * only, whole coefficients stay inside the brackets as papers print them, "P(72962P - 138498)".
 *
 *   formula(text)                        the text as it is printed: SQL adds, multiplies and puts
 *                                        values in as text, and has the sum of it here
 *   formula_value(f, n, per_box, level)  with N, P and a quadtree's B put in: an integer or a real
 *   formula_ratio(f, g)                  '1/2' where f = 1/2 x g; NULL where no number does that
 *   box_neighbours(level)                B of a level of the quadtree (boxes.h) */
#ifndef ORR_AUDIT_ALGEBRA_H
#define ORR_AUDIT_ALGEBRA_H

#include "ledger/ledger.h"

/* The functions above for the ledger's SQL. */
int orr_algebra_offer(const struct orr_ledger *ledger);
/* The text as it is printed, to be freed. ORR_EINPUT names the column of `text`, from 1, and what
 * was expected there. */
int orr_algebra_read(char **out, const char *text);
/* ORR_EINPUT for a name that is none of B, N and P. */
int orr_algebra_symbol(const char *name);

#endif
