/* SPDX-License-Identifier: MIT */
/* Claims: what a paper says, judged over the ledger. variants/<key>/claims.sql is plain SQL, which
 * inserts into the tables
 *
 *   claim(id, section, text, quote, published, needs)
 *   short(claim, text)
 *   wanted(claim, reading, what, at, place, wants)
 *   comparison(claim, machine, device, timing)
 *   sequence(claim, machine, device, name, x, timing, cells)
 *   untimed(claim)
 *   part(claim, machine, device, reading, what, at, value, low, high, unit, holds, cannot, cells)
 *   note(claim, machine, device, reading, text)
 *
 * the paper's sentence in our words and, where it has one, in its own (quote), where it stands, its
 * printed numbers and the command that measures what it takes ("orrery run ...") or the reason why
 * no device can; the same in one sentence of at most 54 characters, for tables; the parts that the
 * claim has wherever it is judged, `at` a size or a setting ("P = 8", "" for none), in the order of
 * `place`, with what each is to be ("at least 1.895"); each difference that it calls, and each
 * series that it calls growing; what was found of a part on a device: the number, the ends of its
 * interval, its unit; in place of the number a timing (below), which has both; holds: the
 * limits that the interval is to lie in, as '[least, most]' with null for none, or "above 1.02",
 * "below 0.98" or "at least 0.98" for what is compared: one rule tells whether it does
 * (verdicts.sql); or 1 or 0, the answer itself, or NULL, not told apart; cannot: why nothing there
 * can tell, then it counts for nothing; cells: what it was found from, an array of cell_keys in
 * JSON; which claims are of numbers that no other program disturbs; and what else should be known.
 * A reading is 'as printed', 'where the device is full' or 'mechanism'. The verdict on a claim in
 * one reading is what its parts make of it (verdicts.sql). Parts and notes are written last, when
 * all comparisons are known. The file may define temporary views on the way, and tables for what
 * several of its statements read and takes long; anything else is refused. docs/METHOD.md has the
 * rules. The harness knows no claim. */
/* The rules of docs/METHOD.md, "Claims", are offered to claims.sql as SQL. The view
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
 * intervals (verdicts.sql) hold the rate of false ones of a paper on a machine. The views
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
#ifndef ORR_CLAIMS_H
#define ORR_CLAIMS_H

#include <jansson.h>

#include "ledger/ledger.h"
#include "plan/paper.h"

/* The verdicts. */
#define ORR_REPRODUCED "reproduced"
#define ORR_PARTLY "partly"
#define ORR_NOT_REPRODUCED "not reproduced"
#define ORR_UNCLEAR "unclear"
#define ORR_INCOMPLETE "incomplete"
#define ORR_NOT_MEASURABLE "not measurable here"

/* Judges a paper's claims, for orr_claims_query: a row for every verdict, and one "not measurable
 * here" for every claim and device with results of the paper that has none. 1; 0 for a paper
 * without claims; ORR_EINPUT with file and line of a mistake in the SQL. */
int orr_claims_judge(struct orr_ledger *ledger, const struct orr_paper *paper);
/* The verdicts so far, on one machine or (NULL) on all: paper, id, section, text, quote,
 * published, machine, device, reading, verdict, score (the verdict with how many parts hold or were
 * measured; its range where what the paper does not print decides), held, of, measured_parts,
 * unclear (numbers of parts), measured, why, parts (verdicts.sql: JSON), short (the claim in a
 * sentence; its text where the paper has none); by paper and in the order of its file. machine and
 * device are NULL where a verdict needs no machine, or where nothing was measured anywhere;
 * measured is NULL where no number judged. Finalise with sqlite3_finalize. */
int orr_claims_query(sqlite3_stmt **out, const struct orr_ledger *ledger, const char *machine);
/* Offers the functions above to the ledger's SQL. */
int orr_claims_make_functions(const struct orr_ledger *ledger);

#endif
