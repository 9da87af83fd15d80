/* SPDX-License-Identifier: MIT */
/* The rules of docs/METHOD.md, "Claims", as SQL, for claims.sql. The view
 *
 *   compared
 *
 * has the ledger's speedups of the same work, with `timing`, the ratio as explained below,
 * `low` and `high`, the ends of its interval (the ratio itself where it has none), for amounts,
 * and `estimated`, whether the baseline is extrapolated; extrapolated times are not judged, and
 * theirs are left out.
 *
 * Each difference that a claim calls stands in the table comparison, as a timing that is compared
 * with 1, and each series that it calls growing in the table sequence, whose neighbours are
 * compared, and whose last with its first. What is told of them depends on all of them: their
 * intervals (found.sql) hold the rate of false ones of a paper on a machine. The views
 *
 *   step(claim, machine, device, name, x_from, x, timing, cells)
 *   rise(claim, machine, device, name, x_from, x, timing, cells)
 *
 * have the neighbours of each sequence, and its last over its first.
 * The function
 *
 *   shown(number)
 *
 * gives a number of three significant digits. The aggregates
 *
 *   listing(x, text)         places(x, text)
 *   median(value)
 *   fills_from(x, rate)
 *   loglog_slope(x, y)       loglog_slope_low(x, y)       loglog_slope_high(x, y)
 *   sigmoid(x, y)            steepest(x, y)
 *
 * give the texts in the order of x with commas between, those that are NULL left out, and what they
 * all begin with up to " = " said once ("P = 8, 16"; NULL where all are empty); a median; from
 * which x on each rate is within a tenth of the largest, NULL where only the last one is; the
 * least-squares slope of log y over log x and the ends of its 95 % interval (Student's t of the
 * residuals); how steep y is over log x at its ends, over where it is steepest: at most 0.5 for a
 * curve that is flat, steep and flat, 1 for one that falls by more than a tenth; and between which
 * x it is steepest, "1 to 5". NULL: the ends for two points, the slope for one x, sigmoid for fewer
 * than four points, steepest for fewer than two. Rows with a NULL, and for slopes and sigmoids with
 * an x, and for slopes with a y, that has no logarithm, are left out.
 *
 * Timings: a time, or a quotient of times, with what the processes that measured it let know of it
 * (measure/stats_levels.h). To SQL a timing is a blob; NULL makes NULL.
 *
 *   timing(process, value)     aggregate: of samples
 *   timing_of(cell_key)        of a cell's step; of an extrapolated one that of its source, scaled
 *   timing_over(a, b)          a over b, measured independently
 *   timing_value(a)            the number
 *   timing_low(a)              the ends of its 95 % interval; the number itself where fewer than
 *   timing_high(a)             three processes measured a time of it
 *                              (with a prior and the two tails together: of a moderated variance,
 *                              and of the medians and means, NULL with fewer processes)
 *   timing_apart(a)            the same for a over b and b over a: the one of them above 1
 *   timing_prior(a)            aggregate: what the variances of many have in common, a text
 *   timing_p(a, prior)         the p value of "it is 1", with the variance moderated by what many
 *                              have in common; NULL where fewer than three processes measured a
 *                              time of it */
#ifndef ORR_CLAIMS_PARTS_H
#define ORR_CLAIMS_PARTS_H

#include "ledger/ledger.h"

/* Offers them to the ledger's SQL. */
int orr_claims_make_functions(const struct orr_ledger *ledger);

#endif
