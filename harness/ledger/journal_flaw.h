/* What parses need not be what a run wrote. */
#ifndef ORR_JOURNAL_FLAW_H
#define ORR_JOURNAL_FLAW_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* Does the record of a cell or of ceilings hold what no run can have measured? Then `why` says in a
 * few words what: a time that is not the median of its samples, a negative count. */
bool orr_journal_flaw(char *why, size_t size, const json_t *record);

#endif
