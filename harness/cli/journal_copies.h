/* The journals of a ledger, copied as they are into a folder of their own, every run once. */
#ifndef ORR_CLI_JOURNAL_COPIES_H
#define ORR_CLI_JOURNAL_COPIES_H

#include <stddef.h>

#include "ledger/ledger.h"

struct orr_journal_copies {
    const struct orr_ledger *ledger;
    const char *folder;    /* gets <machine>/<run>.jsonl */
    char *const *machines; /* only theirs; NULL: all */
    int machine_count;
    const char *paper; /* only runs with cells of it, or of access ceilings; NULL: all */
    size_t count;      /* journals written */
};

/* Of copies of one run the longest is taken, which is told on stdout. ORR_EINPUT where they
 * differ. */
int orr_journal_copies_write(struct orr_journal_copies *copies);

#endif
