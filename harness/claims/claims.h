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
 * interval, its unit; in place of the number a timing (claims_parts.h), which has both; holds: the
 * limits that the interval is to lie in, as '[least, most]' with null for none, or "above 1.02",
 * "below 0.98" or "at least 0.98" for what is compared: one rule tells whether it does
 * (verdicts.sql); or 1 or 0, the answer itself, or NULL, not told apart; cannot: why nothing there
 * can tell, then it counts for nothing; cells: what it was found from, an array of cell_keys in
 * JSON; which claims are of numbers that no other program disturbs; and what else should be known.
 * A reading is 'as printed', 'where the device is full' or 'mechanism'. The verdict on a claim in
 * one reading is what its parts make of it (verdicts.sql). Parts and notes are written last, when
 * all comparisons are known. The file may define temporary views on the way, and tables for what
 * several of its statements read and takes long; anything else is refused. docs/METHOD.md has the
 * rules, claims_parts.h what they offer to SQL. The harness knows no claim. */
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
#define ORR_VERDICTS                                                                            \
    ORR_REPRODUCED ", " ORR_PARTLY ", " ORR_NOT_REPRODUCED ", " ORR_UNCLEAR ", " ORR_INCOMPLETE \
                   " or " ORR_NOT_MEASURABLE

/* Judges a paper's claims, for orr_claims_query: a row for every verdict, and one "not measurable
 * here" for every claim and device with results of the paper that has none. 1; 0 for a paper
 * without claims; ORR_EINPUT with file and line of a mistake in the SQL. */
int orr_claims_judge(struct orr_ledger *ledger, const struct orr_paper *paper);
/* The verdicts so far, on one machine or (NULL) on all: paper, id, section, text, quote,
 * published, machine, device, reading, verdict, score (the verdict with how many parts hold or were
 * measured; its range where what the paper does not print decides), held, of, measured_parts,
 * unclear (numbers of parts), measured, why, parts (findings.sql: JSON), short (the claim in a
 * sentence; its text where the paper has none); by paper and in the order of its file. machine and
 * device are NULL where a verdict needs no machine, or where nothing was measured anywhere;
 * measured is NULL where no number judged. Finalise with sqlite3_finalize. */
enum {
    ORR_CLAIM_PAPER,
    ORR_CLAIM_ID,
    ORR_CLAIM_SECTION,
    ORR_CLAIM_TEXT,
    ORR_CLAIM_QUOTE,
    ORR_CLAIM_PUBLISHED,
    ORR_CLAIM_MACHINE,
    ORR_CLAIM_DEVICE,
    ORR_CLAIM_READING,
    ORR_CLAIM_VERDICT,
    ORR_CLAIM_SCORE,
    ORR_CLAIM_HELD,
    ORR_CLAIM_OF,
    ORR_CLAIM_MEASURED_PARTS,
    ORR_CLAIM_UNCLEAR,
    ORR_CLAIM_MEASURED,
    ORR_CLAIM_WHY,
    ORR_CLAIM_PARTS,
    ORR_CLAIM_SHORT
};
int orr_claims_query(sqlite3_stmt **out, const struct orr_ledger *ledger, const char *machine);
/* The number of a part, "2.00 [1.99, 2.01] ms", "" where it has none. Returns `out`. */
char *orr_claims_part_value(char *out, size_t size, const json_t *part);

#endif
