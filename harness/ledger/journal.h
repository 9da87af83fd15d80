/* The journal: append-only JSON lines, one object a record, fsynced. docs/ARCHITECTURE.md describes
 * every member. */
#ifndef ORR_JOURNAL_H
#define ORR_JOURNAL_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#define ORR_JOURNAL_SCHEMA 1

struct orr_journal {
    int fd;
    char path[1024];
    char run[40]; /* "20261120T135000Z-3fa2" */
};

/* Creates <folder>/<run>.jsonl with a fresh run name (folder is made). ORR_EIO says which folder
 * and why. Locked: two writers never share a journal. */
int orr_journal_create(struct orr_journal *out, const char *folder);
/* Opens an existing one to go on with; a half-written last line is sealed off, never overwritten.
 */
int orr_journal_reopen(struct orr_journal *out, const char *path);
/* Appends one record and fsyncs. On a full disk: ORR_EIO, and the half line is cut off again. */
int orr_journal_append(struct orr_journal *journal, json_t *record);
void orr_journal_close(struct orr_journal *journal);
/* Calls `each` for every whole record; damaged lines are skipped and counted in *skipped (may be
 * NULL). */
int orr_journal_read(const char *path, int (*each)(json_t *record, void *context), void *context,
                     size_t *skipped);

#endif
