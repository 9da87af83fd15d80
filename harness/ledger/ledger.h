/* SPDX-License-Identifier: MIT */
/* The ledger: journals and published numbers in an in-memory SQLite database, the query engine of
 * tables, plots, the report and claims. Journals stay the truth; nothing is ever written back.
 *
 * schema.sql and members.csv say what its tables, views and columns mean, and `orrery query
 * --schema` prints it. */
#ifndef ORR_LEDGER_H
#define ORR_LEDGER_H

#include <signal.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "ledger/journal.h"

/* SQL that people write may read; the guard says what else it may do. */
struct orr_ledger_guard {
    const char *const *writable; /* temporary tables, up to NULL, for SQL that may define temporary
                                    views, too; NULL: none */
    bool tables;      /* of such SQL: temporary tables of any name may be made of a SELECT */
    bool temporary;   /* temporary tables, views and indices of any name may be made and changed */
    bool recursive;   /* recursion, which may never end, is allowed */
    bool racing;      /* audit_racing may be read, the times of results that are wrong on purpose;
                         their own table, which only an audit reads, no SQL that people write may */
    const char *rule; /* said to SQL that is refused: "claims may ..." */
};

struct orr_ledger {
    sqlite3 *db;
    struct orr_kept *kept;        /* statements that stay prepared, for loading */
    struct orr_ledger_held *held; /* what SQL is held to now */
    int failed;                   /* loading journals or papers, the first time; 0: it did not */
    char operand[2];              /* of journals loaded next: "A" or "B" of a comparison, else "" */
    char only[128];  /* the one paper or experiment whose cells are taken from journals loaded next,
                        unless they are shards; "": all */
    size_t journals; /* files loaded */
    char **paths;    /* of them */
    size_t cells;    /* cell records loaded */
    char audited[64]; /* the paper whose audit was filled last, of all that is loaded */
    struct orr_journal_damage damage; /* in all of them */
    size_t records;                   /* lines that say what they are */
};

/* An empty ledger with its tables, views and SQL functions. */
int orr_ledger_open(struct orr_ledger *out);
/* Another ledger of the same records and papers, for another thread. */
int orr_ledger_copy(struct orr_ledger *out, const struct orr_ledger *from);
void orr_ledger_close(struct orr_ledger *ledger); /* safe on a zeroed or half-made one */

/* A journal, a folder of journals (searched downwards) or a machine: results/NAME here, else the
 * reference results of that name. ORR_EUSAGE when it is none of these. NULL: every journal below
 * results/ of the current folder, reference results left out; none is no error. */
int orr_ledger_add(struct orr_ledger *ledger, const char *where);
/* True where orr_ledger_add would find something of that name. */
bool orr_ledger_finds(const char *where);
/* The reference results that come with Orrery, if there are any of `machine`; "": all. */
int orr_ledger_add_reference(struct orr_ledger *ledger, const char *machine);
/* A paper's file as tables (schema.sql: paper, variant, experiment ...), with the numbers printed
 * in it. */
struct orr_paper;
int orr_ledger_add_paper(struct orr_ledger *ledger, const struct orr_paper *paper);
/* The numbers printed in a paper: the file `own`, or with NULL variants/<key>/published/ *.csv
 * below the home folder. */
int orr_ledger_add_published(struct orr_ledger *ledger, const char *key, const char *own);

/* A function of SQL: aggregates have step and final, the others call. */
struct orr_ledger_function {
    const char *name;
    int arguments;
    void (*call)(sqlite3_context *, int, sqlite3_value **);
    void (*step)(sqlite3_context *, int, sqlite3_value **);
    void (*final)(sqlite3_context *);
    double (*of_numbers)(
        const double *numbers); /* what `call` makes of them, in ledger_functions.c */
    int end;                    /* of an interval, of functions that differ by it */
};
/* All of them share `data`, which is freed with the ledger, also when this fails: with data
 * they are not deterministic: it may change. Else the data of each is its
 * row, which stays where it is. */
int orr_ledger_add_functions(const struct orr_ledger *ledger,
                             const struct orr_ledger_function *functions, size_t count, void *data);

/* An aggregate keeps its rows so as its context, until its end, which frees the items. */
struct orr_ledger_rows {
    void *items;
    size_t count;
};
/* One more item, zeroed. */
void *orr_ledger_keep_row(sqlite3_context *context, size_t size);
/* Prepares `sql` and binds one text per '?', named by `types` of 's' (const char *, NULL for SQL
 * NULL), 'i' (long long) or 'd' (double). Finalise the statement with sqlite3_finalize. */
int orr_ledger_query(sqlite3_stmt **out, const struct orr_ledger *ledger, const char *sql,
                     const char *types, ...);
/* Runs a statement without rows, bound in the same way. 0 or a negative code. */
int orr_ledger_run(const struct orr_ledger *ledger, const char *sql, const char *types, ...);
/* Numbers of the first `count` columns of the first row, each NAN for NULL and where there is no
 * row. 1 with a row, 0 without, or a negative code. */
int orr_ledger_numbers(double *out, size_t count, const struct orr_ledger *ledger, const char *sql,
                       const char *types, ...);
/* One more row: 1, none left: 0, or a negative code. */
int orr_ledger_next(sqlite3_stmt *statement, const struct orr_ledger *ledger);
/* The same for a loop over all rows, which ends where *code is not 0, too: false then, when the
 * statement is finalised and *code is 0 or what went wrong. */
bool orr_ledger_row(int *code, sqlite3_stmt *statement, const struct orr_ledger *ledger);
/* Runs statements without values and rows. */
int orr_ledger_execute(const struct orr_ledger *ledger, const char *sql);
/* Runs the statements that the one text of the query holds. */
int orr_ledger_run_made(const struct orr_ledger *ledger, const char *sql);
/* Text of a column, "" for NULL; valid until the next row. */
const char *orr_ledger_text(sqlite3_stmt *statement, int column);
/* Number of a column, NAN for NULL. */
double orr_ledger_number(sqlite3_stmt *statement, int column);

/* Prints every table and view with its columns and what they mean. `texts`, up to NULL: SQL that
 * made temporary ones, with comments above. */
int orr_ledger_print_schema(FILE *to, const struct orr_ledger *ledger, const char *const *texts);
/* The guard and the limit that SQL is held to now. */
struct orr_ledger_held {
    const struct orr_ledger_guard *guard; /* NULL: nothing */
    double limit_s, deadline;             /* 0: none */
    bool watched;                         /* a signal ends the program soon after the deadline */
    const volatile sig_atomic_t *stop;    /* NULL: nothing stops it */
};
/* From now on SQL is held to `guard`, which must outlive it, and to the limit; NULL: to nothing. */
void orr_ledger_guard(const struct orr_ledger *ledger, const struct orr_ledger_guard *guard);
/* SQL may take so long under each guard, 60 s unless this says otherwise, 0 for ever; it also ends
 * as soon as *stop is not 0 (NULL: never). */
void orr_ledger_limit(const struct orr_ledger *ledger, double seconds,
                      const volatile sig_atomic_t *stop);
/* Fails with what SQLite said last of `what`. */
int orr_ledger_sql_failed(const struct orr_ledger *ledger, const char *what);
/* Behind the blanks and comments that `sql` begins with: where its first statement begins, if there
 * is one. */
const char *orr_ledger_skip(const char *sql);
/* Fails with ORR_EINPUT and "file:line: ..." for what SQLite said last of `statement`, somewhere in
 * `text`, which begins on `line`; with the nearest name of a column or table that there is not. */
int orr_ledger_blame(const struct orr_ledger *ledger, const char *file, size_t line,
                     const char *text, const char *statement);
/* Runs the statements of `text`, which begins on `line`, one by one, with `first` as ?1 of those
 * that have values. ORR_EINPUT with file and line of what is wrong. */
int orr_ledger_run_text(const struct orr_ledger *ledger, const char *file, size_t line,
                        const char *text, const char *first);
/* Runs the statements of the file of a paper, if it has that, one by one under the guard. */
int orr_ledger_run_own(const struct orr_ledger *ledger, const struct orr_ledger_guard *guard,
                       const char *paper, const char *file);

/* Calls `each` with what is to be said of the runs in the ledger, which are put together: are they
 * of one configuration, is every shard there? One line a finding, by kind: of all of them, or of
 * those with shards, each campaign by itself. A fault: bodies of one name differ. */
int orr_ledger_campaign(const struct orr_ledger *ledger, bool all,
                        int (*each)(bool is_fault, const char *text, void *context), void *context);

#endif
