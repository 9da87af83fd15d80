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
struct orr_member {
    const char *path; /* "error/median"; "#" is the line of the record; NULL ends the members */
    enum orr_member_type type;
    bool needed; /* else it may be absent or null */
    enum orr_member_range range;
    const char *column; /* "": SQL does not see it */
    enum orr_member_sql sql;
    bool own;          /* only rounds of a cell have that column */
    bool made;         /* of several rounds by rounds.sql; else it is the first that is known */
    const char *means; /* in a few words, for `orrery query --schema` */
};

struct orr_record {
    const char *name, *list; /* "kernel", and the list whose items are such, "cell/kernels" */
    const char *table;       /* "": SQL does not see it. Its first column, `<table>_key`, is the
                                primary key; the others are the members that have a column */
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

/* The records, which are the rounds of a cell, become one row of `cell` and those of its parts. One
 * that is wrong on purpose has a table of its own: no query of cells can come upon it. */
void orr_cell_rounds_load(struct orr_ledger *ledger, const json_t *records, sqlite3_int64 run_key);
/* The statement `sql`, reset and unbound; the ledger's own. */
int orr_ledger_keep(sqlite3_stmt **out, struct orr_ledger *ledger, const char *sql);

#endif
