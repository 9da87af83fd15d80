/* What the files of the ledger share; nobody else includes it. */
#ifndef ORR_LEDGER_PARTS_H
#define ORR_LEDGER_PARTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "ledger/journal_ahead.h"
#include "ledger/ledger.h"

/* Column of a table and the member it comes from: "error/median", "interval/0"; "#" for the line of
 * the record, "" for columns the loader fills itself. */
struct orr_field {
    const char *column;
    const char *type; /* TEXT, REAL, INTEGER or JSON (compact text with sorted keys) */
    const char *path;
    const char *means; /* in a few words, for `orrery query --schema` */
};

struct orr_record_map {
    const char *table, *means;
    const struct orr_field *fields;
    size_t count;
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
    ORR_RECORD_KINDS
};

/* The tables whose rows mirror journal records. The first column of each, `<table>_key`, is its
 * primary key. */
extern const struct orr_record_map orr_ledger_maps[ORR_RECORD_KINDS];

extern const char *const orr_ledger_schema; /* schema.sql */

/* A journal on its way into the ledger: a thread reads and parses it while another is loaded. */
struct orr_ledger_ahead {
    const char *only; /* of the ledger; "": all of it is shown */
    bool is_shard;    /* the run last read is a part of another */
    struct orr_journal_ahead journal;
};
/* Whether an experiment is `only`, "paper/experiment", or of it, "paper". */
bool orr_ledger_is_of(const char *experiment, const char *only);
/* `out` stays where it is, and the path lasts, until it was loaded. */
void orr_ledger_read_ahead(struct orr_ledger_ahead *out, const struct orr_ledger *ledger,
                           const char *path);
/* Waits for it, loads and releases it. */
int orr_ledger_load_ahead(struct orr_ledger *ledger, struct orr_ledger_ahead *ahead);
/* What is done once when all journals are loaded: the newest of their cells are found. */
int orr_ledger_settle(struct orr_ledger *ledger);
int orr_ledger_make_schema(struct orr_ledger *ledger);
int orr_ledger_make_functions(struct orr_ledger *ledger);
/* ledger_access.c: medians over rounds, rounds_median(rate), and both ends of their intervals. */
int orr_ledger_make_access_functions(struct orr_ledger *ledger);
/* Rows of an `access_ceilings` record. */
int orr_ledger_load_access(struct orr_ledger *ledger, const json_t *record, long long run_key);
/* The statement `sql`, reset and unbound; the ledger's own. */
int orr_ledger_keep(sqlite3_stmt **out, struct orr_ledger *ledger, const char *sql);
int orr_ledger_execute(struct orr_ledger *ledger, const char *sql);
int orr_ledger_sql_failed(const struct orr_ledger *ledger, const char *what);

#endif
