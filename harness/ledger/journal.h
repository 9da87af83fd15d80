/* SPDX-License-Identifier: MIT */
/* The journal: append-only JSON lines, one object a record, fsynced. docs/JOURNAL.md lists
 * every member. */
#ifndef ORR_JOURNAL_H
#define ORR_JOURNAL_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Since 2 every line ends with a checksum, since 3 a cell has a record a round. A
 * journal stays what it was begun as. */
#define ORR_JOURNAL_SCHEMA 3
#define ORR_CHECKSUM_SCHEMA 2

struct orr_journal {
    int fd;
    char path[1024];
    char run[40];  /* "20261120T135000Z-3fa2" */
    bool checked;  /* its lines have checksums */
    bool unlocked; /* its file system has no locks (NFS, Lustre): nothing keeps others away */
    off_t size;    /* bytes after its last line; another program may have cut it since */
};

/* Creates <folder>/<run>.jsonl with a fresh run name (folder is made). ORR_EIO says which folder
 * and why. Locked, where the file system can: two writers never share a journal. */
int orr_journal_create(struct orr_journal *out, const char *folder);
/* Opens an existing one to go on with; a half-written last line is ended, never overwritten, and
 * what killed processes of this run left half-written beside it is removed. */
int orr_journal_reopen(struct orr_journal *out, const char *path);
/* Appends one record and fsyncs. On a full disk: ORR_EIO, and the half line is cut off again. Where
 * another program has removed, moved or cut the file meanwhile, ORR_EIO says where the lines are
 * now; what was removed is written again, with the record. */
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
/* The record as a line with its newline, with a checksum when `checked`; free it. A checksum is the
 * last member: the first 16 hex digits of the SHA-256 of what stands before it,
 * ,"check":"0123456789abcdef"} */
char *orr_journal_line_make(const json_t *record, bool checked);
/* Calls `each` for every whole record with its line in the file, from 1; damaged lines are skipped
 * and added to `damage`, which may be NULL. Cells that are not of `only`, "paper" or
 * "paper/experiment", are passed over where the line begins as a run writes it, and with them their
 * flaws: *passed counts them. "" passes none over. Whether a shard is whole is asked of all its
 * cells: those of a shard are read. */
int orr_journal_read_only(size_t *passed, const char *path, const char *only,
                          int (*each)(json_t *record, size_t line, void *context), void *context,
                          struct orr_journal_damage *damage);
/* All of them. */
static inline int orr_journal_read(const char *path,
                                   int (*each)(json_t *record, size_t line, void *context),
                                   void *context, struct orr_journal_damage *damage)
{
    size_t none;
    return orr_journal_read_only(&none, path, "", each, context, damage);
}

/* --- what parses need not be what a run wrote (members.csv) --- */

/* Does a record lack a member that every writer has written, or hold one of another type? Then
 * `why` says in a few words what. */
bool orr_journal_misfit(char *why, size_t size, const json_t *record);
/* Adds to `names`, an object, the record's members that this version does not know: "cell/NAME". */
void orr_journal_strangers(json_t *names, const json_t *record);
/* Does the record of a cell or of ceilings hold what no run can have measured? Then `why` says in a
 * few words what: a time that is not the median of its samples, a negative count. */
bool orr_journal_flaw(char *why, size_t size, const json_t *record);

/* Was the record, of a cell, measured on another device, driver or number of threads than
 * `devices`, those of its run record, tell by the name of its device? Older journals do not tell:
 * false. */
bool orr_journal_is_elsewhere(const json_t *devices, const json_t *record);
/* The device of that id, or NULL. */
const json_t *orr_journal_device(const json_t *devices, const char *id);

/* --- where journals lie: <root>/<machine>/<run>.jsonl --- */

/* The journal of `run`: a path, a run's name or its beginning, or "last". ORR_EUSAGE when there is
 * none. */
int orr_journal_find(char *out, size_t size, const char *root, const char *run);
/* The newest journal of `folder` with this very request; "" when there is none. */
int orr_journal_matching(char *out, size_t size, const char *folder, json_t *request);
/* Calls `each` with the path of every journal of `folder`, oldest first. None when the folder is
 * not there. */
int orr_journal_each(const char *folder, int (*each)(const char *path, void *context),
                     void *context);

/* --- what a journal holds, to go on with it --- */

struct orr_journal_records {
    json_t *run;      /* the run record; NULL when there is none yet */
    json_t *cells;    /* id -> its records with an outcome, in the order of rounds */
    json_t *ceilings; /* device -> the last record */
    json_t *access;   /* device -> its access ceilings, in the order of rounds */
    struct orr_journal_damage damage;
};

void orr_journal_records_make(struct orr_journal_records *out); /* empty */
/* A cell with a flaw is passed over, as if it had not been measured. */
int orr_journal_records_read(struct orr_journal_records *out, const char *path);
void orr_journal_records_release(struct orr_journal_records *records);
/* Did the cell of the record end ok? */
bool orr_journal_is_ok(const json_t *record);
/* Measured all the way though its results are wrong, because they were meant to be: such a time is
 * for an audit alone. */
#define ORR_OUTCOME_WRONG_ON_PURPOSE "wrong on purpose"
/* Did it end ok or so? */
bool orr_journal_is_measured(const json_t *record);
/* Adds one more record (its reference is not taken). A cell without an outcome is passed over. */
void orr_journal_records_add(struct orr_journal_records *records, json_t *record);
/* All rounds of cell `id` as one new record: members as members.csv and rounds.sql say that they
 * are made of rounds, of its samples the steps of all. Where a round is not ok, that round's
 * record. NULL: there is none, or SQL fails. */
json_t *orr_cell_rounds_whole(const struct orr_journal_records *records, const char *id);
/* The record of one round of it, or NULL. */
json_t *orr_journal_records_round(const struct orr_journal_records *records, const char *id,
                                  int round);

/* --- the rounds of a cell: its records by several processes --- */

/* The round of a record, from 1; that of journals which have none is 1. */
int orr_cell_rounds_of(const json_t *record);

#endif
