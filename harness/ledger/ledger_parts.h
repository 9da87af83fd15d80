/* SPDX-License-Identifier: MIT */
/* The interface between the files of the ledger; nobody else includes it. */
#ifndef ORR_LEDGER_PARTS_H
#define ORR_LEDGER_PARTS_H

#include <jansson.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

struct orr_ledger;

/* --- members of journal records and the columns that SQL finds them in, each described once, in
 * members.csv: of what type they are, what is asked of them, what becomes of several rounds --- */

enum orr_member_type {
    ORR_MEMBER_NONE,   /* a column that the loader fills itself */
    ORR_MEMBER_RECORD, /* the record itself: its table, and what that holds */
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
    const char *record, *path; /* "cell", "error/median"; "#" is the line of the record */
    enum orr_member_type type;
    enum orr_member_needed needed;
    enum orr_member_range range;
    const char *column; /* "": SQL does not see it; of a record its table */
    enum orr_member_sql sql;
    enum orr_member_rounds rounds;
    const char *means; /* in a few words, for `orrery query --schema` */
};

/* The row of a record, or of the items of one of its lists, and behind it its members: *count, the
 * row included. NULL where there is no such record. */
const struct orr_member *orr_ledger_members_of(size_t *count, const char *record);
/* The next of the record's members with a column: behind `last`, or the first behind NULL. NULL
 * behind the last. */
const struct orr_member *orr_ledger_next_column(const char *record, bool of_round,
                                                const struct orr_member *last);

/* --- loading --- */

/* A table whose rows mirror records, or items of their lists. Its first column, `<table>_key`, is
 * the primary key; the others are those members of the record that have a column. */
struct orr_record_map {
    const char *table, *record;
    const char *means; /* NULL: what the record's own table means */
    bool of_round;     /* of a round of a cell, in the schema `rounds` */
};

enum orr_record_kind {
    ORR_RECORD_RUN,
    ORR_RECORD_DEVICE,
    ORR_RECORD_CEILING,
    ORR_RECORD_CELL,
    ORR_RECORD_WRONG, /* of a cell, too */
    ORR_RECORD_KERNEL,
    ORR_RECORD_STAGE,
    ORR_RECORD_SELF,
    ORR_RECORD_ROUND, /* the last one: of the cell that is being loaded */
    ORR_RECORD_KINDS
};

extern const struct orr_record_map orr_ledger_maps[ORR_RECORD_KINDS];
int orr_ledger_load(struct orr_ledger *ledger, const char *path);
int orr_ledger_create_table(struct orr_ledger *ledger, const struct orr_record_map *map);
int orr_ledger_make_functions(struct orr_ledger *ledger);
/* Loading: what fails first stays in ledger->failed, and nothing is done after it.
 *
 * Inserts a record; columns that the loader fills itself take `parent`. Its primary key. */
sqlite3_int64 orr_ledger_insert(struct orr_ledger *ledger, enum orr_record_kind kind,
                                const json_t *record, sqlite3_int64 parent);
/* Binds a text or a number, NULL of anything else; the value must outlive that. */
int orr_ledger_bind_json(sqlite3_stmt *statement, int at, const json_t *value);
/* As orr_ledger_run, where 'j' is a json_t * as above. The
 * statement stays prepared for the next time. */
void orr_ledger_put(struct orr_ledger *ledger, const char *sql, const char *types, ...);
/* A row of each number that the object has: `key`, `of`, its name, the number. Nothing where `of`
 * is NULL. */
void orr_ledger_put_numbers(struct orr_ledger *ledger, const char *sql, sqlite3_int64 key,
                            const char *of, json_t *object);

/* Makes the schema `rounds`, in which rounds.sql makes one row of the rounds of a cell. */
int orr_cell_rounds_make_schema(struct orr_ledger *ledger);
/* A ledger for that alone. */
int orr_ledger_open_rounds(struct orr_ledger *out);
/* The records, which are the rounds of a cell, become one row of `cell` and those of its parts. One
 * that is wrong on purpose has a table of its own: no query of cells can come upon it. */
void orr_cell_rounds_load(struct orr_ledger *ledger, const json_t *records, sqlite3_int64 run_key);
/* The statement `sql`, reset and unbound; the ledger's own. */
int orr_ledger_keep(sqlite3_stmt **out, struct orr_ledger *ledger, const char *sql);

#endif
