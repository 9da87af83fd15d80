/* Claims: what a paper says, judged over the ledger. variants/<key>/claims.sql is plain SQL, which
 * inserts into the tables
 *
 *   claim(id, text, published, needs)
 *   comparison(claim, machine, device, timing)
 *   sequence(claim, machine, device, name, x, timing)
 *   verdict(claim, machine, device, verdict, measured, why)
 *
 * the paper's sentence, its printed numbers and the command that measures what it takes ("orrery
 * run ...") or the reason why no device can; each difference that it calls, and each series that it
 * calls growing; and what was found where. Verdicts are written last, when all comparisons are
 * known. It may define temporary views on the way; anything else is refused. docs/METHOD.md has the
 * rules, claims_parts.h what they offer to SQL. The harness knows no claim. */
#ifndef ORR_CLAIMS_H
#define ORR_CLAIMS_H

#include "ledger/ledger.h"
#include "plan/paper.h"

/* The verdicts. */
#define ORR_REPRODUCED "reproduced"
#define ORR_PARTLY "partly"
#define ORR_NOT_REPRODUCED "not reproduced"
#define ORR_UNCLEAR "unclear"
#define ORR_NOT_MEASURABLE "not measurable here"
#define ORR_VERDICTS                                                        \
    ORR_REPRODUCED ", " ORR_PARTLY ", " ORR_NOT_REPRODUCED ", " ORR_UNCLEAR \
                   " or " ORR_NOT_MEASURABLE

/* Judges a paper's claims, for orr_claims_query: a row for every verdict, and one "not measurable
 * here" for every claim and device with results of the paper that has none. 1; 0 for a paper
 * without claims; ORR_EINPUT with file and line of a mistake in the SQL. */
int orr_claims_judge(struct orr_ledger *ledger, const struct orr_paper *paper);
/* What was judged so far, on one machine or (NULL) on all: paper, id, text, published, machine,
 * device, verdict, measured, why; by paper and in the order of its file. machine and device are
 * NULL where a verdict needs no machine, or where nothing was measured anywhere; measured is NULL
 * where no number judged. Finalise with sqlite3_finalize. */
int orr_claims_query(sqlite3_stmt **out, const struct orr_ledger *ledger, const char *machine);

#endif
