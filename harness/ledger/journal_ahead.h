/* A journal that is read by a thread of its own, while its reader is at another one. */
#ifndef ORR_JOURNAL_AHEAD_H
#define ORR_JOURNAL_AHEAD_H

#include <pthread.h>

#include "ledger/journal.h"

struct orr_journal_ahead {
    const char *path;
    struct orr_journal_wish wish;
    struct orr_journal_ahead_line *lines;
    size_t count;
    pthread_t thread;
    bool runs; /* the thread */
    int code;  /* of what ended the reading */
    char why[1024];
};

/* Begins to read. The functions of `wish` are called by the thread, `each` before a record is kept;
 * they share nothing with the caller until _each or _release was called. `out` stays where it is
 * and the path lasts as long. Where no thread can be started, the journal is read at once. */
void orr_journal_ahead_start(struct orr_journal_ahead *out, const char *path,
                             const struct orr_journal_wish *wish);
/* Waits for it, and calls `each` and tells damage as orr_journal_read does. *passed: lines passed
 * over. */
int orr_journal_ahead_each(struct orr_journal_ahead *ahead,
                           int (*each)(json_t *record, size_t line, void *context), void *context,
                           struct orr_journal_damage *damage, size_t *passed);
/* Also of one that was never used; again does nothing. */
void orr_journal_ahead_release(struct orr_journal_ahead *ahead);

#endif
