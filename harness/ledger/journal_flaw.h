/* What parses need not be what a run wrote (members.csv). */
#ifndef ORR_JOURNAL_FLAW_H
#define ORR_JOURNAL_FLAW_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* Does a record lack a member that every writer has written, or hold one of another type? Then
 * `why` says in a few words what. */
bool orr_journal_misfit(char *why, size_t size, const json_t *record);
/* Adds to `names`, an object, the record's members that this version does not know: "cell/NAME". */
void orr_journal_strangers(json_t *names, const json_t *record);
/* Does the record of a cell or of ceilings hold what no run can have measured? Then `why` says in a
 * few words what: a time that is not the median of its samples, a negative count. */
bool orr_journal_flaw(char *why, size_t size, const json_t *record);

#endif
