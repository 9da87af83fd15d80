/* Timings: a time, or a quotient of times, with what the processes that measured it let know of it
 * (measure/stats_levels.h). To SQL a timing is a blob; NULL makes NULL.
 *
 *   timing(process, value)     aggregate: of samples
 *   timing_of(cell_key)        of a cell's step; of an extrapolated one that of its source, scaled
 *   timing_over(a, b)          a over b, measured independently
 *   timing_value(a)            the number
 *   timing_low(a)              the ends of its 95 % interval; the number itself where fewer than
 *   timing_high(a)             three processes measured a time of it
 *   timing_apart(a)            the same for a over b and b over a: the one of them above 1
 *   timing_prior(a)            aggregate: what the variances of many have in common, a text
 *   timing_p(a, prior)         the p value of "it is 1", with the variance moderated by what many
 *                              have in common; NULL where fewer than three processes measured a
 *                              time of it */
#ifndef ORR_CLAIMS_TIMINGS_H
#define ORR_CLAIMS_TIMINGS_H

#include <stdbool.h>

#include "ledger/ledger.h"
#include "measure/stats_levels.h"

/* false where the value is no timing. */
bool orr_claims_timing_take(struct orr_level_estimate *out, sqlite3_value *value);
/* What timing_of() asks. */
extern const char orr_claims_timing_sql[];
int orr_claims_make_timings(struct orr_ledger *ledger);

#endif
