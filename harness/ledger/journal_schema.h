/* The members of a record, as docs/ARCHITECTURE.md describes them. */
#ifndef ORR_JOURNAL_SCHEMA_H
#define ORR_JOURNAL_SCHEMA_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* Does a record lack a member that every writer has written, or hold one of another type? Then
 * `why` says in a few words what. A flaw of its numbers is another thing (journal_flaw.h). */
bool orr_journal_misfit(char *why, size_t size, const json_t *record);
/* Adds to `names`, an object, the record's members that this version does not know: "cell/NAME". */
void orr_journal_strangers(json_t *names, const json_t *record);

#endif
