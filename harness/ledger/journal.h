/* The journal: append-only JSON lines, one object a record, fsynced. docs/JOURNAL.md lists
 * every member. */
#ifndef ORR_JOURNAL_H
#define ORR_JOURNAL_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Since 2 every line ends with a checksum (journal_line.h), since 3 a cell has a record a round. A
 * journal stays what it was begun as. */
#define ORR_JOURNAL_SCHEMA 3
#define ORR_CHECKSUM_SCHEMA 2

struct orr_journal {
    int fd;
    char path[1024];
    char run[40]; /* "20261120T135000Z-3fa2" */
    bool checked; /* its lines have checksums */
};

/* Creates <folder>/<run>.jsonl with a fresh run name (folder is made). ORR_EIO says which folder
 * and why. Locked: two writers never share a journal. */
int orr_journal_create(struct orr_journal *out, const char *folder);
/* Opens an existing one to go on with; a half-written last line is ended, never overwritten. */
int orr_journal_reopen(struct orr_journal *out, const char *path);
/* Appends one record and fsyncs. On a full disk: ORR_EIO, and the half line is cut off again. */
int orr_journal_append(struct orr_journal *journal, json_t *record);
void orr_journal_close(struct orr_journal *journal);

/* --- reading --- */

/* Lines and records that could not be used. */
struct orr_journal_damage {
    size_t count, named;
    char text[1024]; /* the first of them, "FILE:LINE: why; ..." */
    /* Told of each, with `listener`; NULL: nobody is. */
    void (*tell)(void *listener, const char *path, size_t line, const char *why);
    void *listener;
};

void orr_journal_damage_add(struct orr_journal_damage *damage, const char *path, size_t line,
                            const char *why);
/* Do the lines have checksums? They do where the first record says so, in case its own is damaged,
 * and where any line ends with one, in case the first record is. */
int orr_journal_is_checked(bool *out, const char *path);
/* What is read of a journal. */
struct orr_journal_wish {
    int (*each)(json_t *record, size_t line, void *context);
    /* Whether a line, if it is whole, may be passed over without a look at what it says. NULL: none
     * may. */
    bool (*passes)(const char *line, size_t length, const void *context);
    void *context;
    size_t passed; /* filled in: lines passed over */
};
int orr_journal_read_wanted(const char *path, struct orr_journal_wish *wish,
                            struct orr_journal_damage *damage);
/* Calls `each` for every whole record with its line in the file, from 1; damaged lines are skipped
 * and added to `damage`, which may be NULL. */
int orr_journal_read(const char *path, int (*each)(json_t *record, size_t line, void *context),
                     void *context, struct orr_journal_damage *damage);

/* --- where journals lie: <root>/<machine>/<run>.jsonl --- */

/* <root>/<machine>. ORR_EUSAGE when the name could leave the root. */
int orr_journal_folder(char *out, size_t size, const char *root, const char *machine);
/* The journal of `run`: a path, a run's name or its beginning, or "last". ORR_EUSAGE when there is
 * none. */
int orr_journal_find(char *out, size_t size, const char *root, const char *run);
/* The newest journal of `folder` with this very request; "" when there is none. */
int orr_journal_matching(char *out, size_t size, const char *folder, json_t *request);
/* Removes what killed processes of this run, which is locked, left half-written beside it. */
void orr_journal_drop_leftovers(const struct orr_journal *journal);
/* Calls `each` with the path of every journal of `folder`, oldest first. None when the folder is
 * not there. */
int orr_journal_each(const char *folder, int (*each)(const char *path, void *context),
                     void *context);
/* The same of all machines below `root`, without the reference results. */
int orr_journal_each_machine(const char *root, int (*each)(const char *path, void *context),
                             void *context);

/* --- what a journal holds, to go on with it --- */

struct orr_journal_records {
    json_t *run;      /* the run record; NULL when there is none yet */
    json_t *cells;    /* id -> its records with an outcome, in the order of rounds */
    json_t *ceilings; /* device -> the last record */
    json_t *access;   /* device -> its access ceilings, in the order of rounds */
    struct orr_journal_damage damage;
};

int orr_journal_records_make(struct orr_journal_records *out); /* empty */
/* A cell with a flaw (journal_flaw.h) is passed over, as if it had not been measured. */
int orr_journal_records_read(struct orr_journal_records *out, const char *path);
void orr_journal_records_release(struct orr_journal_records *records);
/* Did the cell of the record end ok? */
bool orr_journal_is_ok(const json_t *record);
/* Measured all the way though its results are wrong, because they were meant to be: such a time is
 * for an audit alone. */
#define ORR_OUTCOME_WRONG_ON_PURPOSE "wrong on purpose"
bool orr_journal_is_wrong_on_purpose(const json_t *record);
/* Either of the two. */
bool orr_journal_is_measured(const json_t *record);
/* Adds one more record (its reference is not taken). A cell without an outcome is passed over. */
int orr_journal_records_add(struct orr_journal_records *records, json_t *record);
/* All rounds of cell `id` as one record (cell_rounds.h), a new reference; NULL: none, or no
 * memory. */
json_t *orr_journal_records_cell(const struct orr_journal_records *records, const char *id);
/* How the cell ended: as the first round that failed, or as all; NULL: it did not begin. */
const char *orr_journal_records_outcome(const struct orr_journal_records *records, const char *id);
/* The record of one round of it, or NULL. */
json_t *orr_journal_records_round(const struct orr_journal_records *records, const char *id,
                                  int round);

#endif
