/* Timings: a time, or a quotient of times, with what is known of it from the processes that
 * measured it. To SQL a timing is a blob; NULL makes NULL.
 *
 *   timing(process, value)    aggregate: the samples' timing, of their processes' medians
 *   timing_of(cell_key)       of a cell's step; of an extrapolated one that of its source, scaled
 *   timing_over(a, b)         of a over b, measured independently
 *   timing_value(a)           the number
 *   timing_low(a), timing_high(a)    the ends of its 95 % interval; the number itself where fewer
 *                                  than three processes measured a time of it
 *   timing_p(a)               how probable it is that it were so far from 1 if it were 1; NULL
 * where fewer than three processes measured a time of it timing_apart(a)           a, or 1 / a if a
 * is below 1: the same for a over b and b over a
 *
 * Processes' medians are taken by their logarithms. A quotient's variance is the sum of both, its
 * degrees of freedom are those of Welch and Satterthwaite. */
#ifndef ORR_CLAIMS_TIMINGS_H
#define ORR_CLAIMS_TIMINGS_H

#include <stdbool.h>

#include "ledger/ledger.h"

struct orr_claims_timing {
    double log, variance, freedom; /* the last two of the log's mean; 0 with one process */
    double processes;              /* of the time that fewest processes measured */
};

enum { ORR_CLAIMS_PROCESSES = 3 }; /* from which on a difference is called */

/* false where the value is no timing. */
bool orr_claims_timing_take(struct orr_claims_timing *out, sqlite3_value *value);
struct orr_claims_timing orr_claims_timing_over(const struct orr_claims_timing *a,
                                                const struct orr_claims_timing *b);
void orr_claims_timing_give(sqlite3_context *context, const struct orr_claims_timing *timing);
int orr_claims_make_timings(struct orr_ledger *ledger);

#endif
