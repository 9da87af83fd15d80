/* SPDX-License-Identifier: MIT */
/* The interface between the files of the ledger; nobody else includes it. */
#ifndef ORR_LEDGER_PARTS_H
#define ORR_LEDGER_PARTS_H

#include <jansson.h>
#include <math.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "measure/stats_levels.h"
#include "memory.h"

struct orr_ledger;

/* --- members of journal records and the columns that SQL finds them in, each described once, in
 * members.csv: of what type they are, what is asked of them, what becomes of several rounds --- */

enum orr_member_type {
    ORR_MEMBER_NONE, /* a column that the loader fills itself */
    ORR_MEMBER_TEXT,
    ORR_MEMBER_NUMBER,
    ORR_MEMBER_INTEGER,
    ORR_MEMBER_COUNT, /* an integer from 0 up */
    ORR_MEMBER_FLAG,
    ORR_MEMBER_LIST,
    ORR_MEMBER_OBJECT
};
enum orr_member_needed {
    ORR_NEEDED_NONE, /* may be absent or null */
    ORR_NEEDED_YES,
    ORR_NEEDED_NEVER /* no record has it: it is made of the rounds of a cell */
};
enum orr_member_range {
    ORR_RANGE_NONE,
    ORR_RANGE_POSITIVE,
    ORR_RANGE_NOT_NEGATIVE,
    ORR_RANGE_COUNT
};

enum orr_member_sql {
    ORR_SQL_NONE,
    ORR_SQL_TEXT,
    ORR_SQL_REAL,
    ORR_SQL_INTEGER,
    ORR_SQL_JSON,  /* compact text with sorted keys */
    ORR_SQL_LENGTH /* of a list */
};
/* The values of a cell's rounds become one in this way (rounds.sql). */
enum orr_member_rounds {
    ORR_ROUNDS_NONE, /* the first that is known */
    ORR_ROUNDS_MEDIAN,
    ORR_ROUNDS_SUM,
    ORR_ROUNDS_MAX,
    ORR_ROUNDS_MADE,
    ORR_ROUNDS_OWN /* nothing: only rounds have that column */
};

struct orr_member {
    const char *path; /* "error/median"; "#" is the line of the record; NULL ends the members */
    enum orr_member_type type;
    enum orr_member_needed needed;
    enum orr_member_range range;
    const char *column; /* "": SQL does not see it */
    enum orr_member_sql sql;
    enum orr_member_rounds rounds;
    const char *means; /* in a few words, for `orrery query --schema` */
};

struct orr_record {
    const char *name, *list; /* "kernel", and the list whose items are such, "cell/kernels" */
    const char *table;       /* "": SQL does not see it. Its first column, `<table>_key`, is the
                                primary key; the others are the members that have a column */
    const char *means;       /* that table */
    const struct orr_member *members;
    const char *insert; /* SQL that takes all that have a column; of a cell those of a round */
};

/* NULL where there is none, or no name. */
const struct orr_record *orr_ledger_record(const char *name);
/* That member, or the next one behind it, that has a column; NULL behind the last. of_round: in the
 * table of the rounds of a cell. */
const struct orr_member *orr_ledger_column(const struct orr_member *member, bool of_round);

/* --- samples of one time, process by process; zeroed, they are none --- */

struct orr_ledger_samples {
    struct orr_levels levels;
    size_t total;
    double process; /* of the last one */
};

static inline void orr_ledger_samples_add(struct orr_ledger_samples *to, double process,
                                          double value)
{
    struct orr_levels *of = &to->levels;
    *(double *)orr_memory_add(&of->values, &to->total, sizeof value) = value;
    if (!of->processes || process != to->process)
        orr_memory_add(&of->counts, &of->processes, sizeof *of->counts);
    ((size_t *)of->counts)[of->processes - 1]++;
    to->process = process;
}

static inline void orr_ledger_samples_release(struct orr_ledger_samples *samples)
{
    free((void *)samples->levels.values);
    free((void *)samples->levels.counts);
}

/* The result of a function of SQL; NULL where the value is not finite. */
static inline void orr_ledger_give(sqlite3_context *context, double value)
{
    if (isfinite(value))
        sqlite3_result_double(context, value);
}

/* --- loading --- */

int orr_ledger_load(struct orr_ledger *ledger, const char *path);
int orr_ledger_make_functions(struct orr_ledger *ledger);
int orr_ledger_make_timings(struct orr_ledger *ledger);
/* Loading: what fails first stays in ledger->failed, and nothing is done after it.
 *
 * Inserts a record `name`, or an item of that kind; one of a cell is a round of the cell that is
 * being loaded. Columns that the loader fills itself take `parent`. Its primary key. */
sqlite3_int64 orr_ledger_insert(struct orr_ledger *ledger, const char *name, const json_t *record,
                                sqlite3_int64 parent);
/* Binds a text or a number, NULL of anything else; the value must outlive that. */
int orr_ledger_bind_json(sqlite3_stmt *statement, int at, const json_t *value);
/* As orr_ledger_run, where 'j' is a json_t * as above and 'o' the JSON text of one. The statement
 * stays prepared for the next time. */
void orr_ledger_put(struct orr_ledger *ledger, const char *sql, const char *types, ...);

/* A ledger whose only schema is `rounds`, for orr_cell_rounds_merge. */
int orr_ledger_open_rounds(struct orr_ledger *out);
/* The records, which are the rounds of a cell, become one row of `cell` and those of its parts. One
 * that is wrong on purpose has a table of its own: no query of cells can come upon it. */
void orr_cell_rounds_load(struct orr_ledger *ledger, const json_t *records, sqlite3_int64 run_key);
/* The statement `sql`, reset and unbound; the ledger's own. */
int orr_ledger_keep(sqlite3_stmt **out, struct orr_ledger *ledger, const char *sql);

#endif
