/* SPDX-License-Identifier: MIT */
/* Readers of data: snapshots, journals, tables of numbers. */
#ifndef ORR_FUZZ_READ_DATA_H
#define ORR_FUZZ_READ_DATA_H

#include "reader.h"

#include "audit/audit.h"
#include "datasets/formats/format.h"
#include "datasets/dataset.h"
#include "ledger/journal.h"
#include "ledger/ledger.h"
#include "plan/plan.h"
#include "run/progress.h"

static inline void check_bodies(struct orr_bodies *bodies, int code)
{
    promise(code ? !bodies->mass : bodies->n && bodies->mass && !orr_bodies_check(bodies));
    orr_bodies_release(bodies);
}

static inline bool is_hdf5(const uint8_t *bytes, size_t size)
{
    return memmem(bytes, size, "\x89HDF", 4) != NULL;
}

/* Tipsy and CSV. HDF5 has a reader of its own: the library itself, of other people, reads outside
 * its buffers where bytes of a file were changed. */
static inline void read_snapshot(const uint8_t *bytes, size_t size)
{
    struct orr_bodies bodies;
    if (!is_hdf5(bytes, size))
        check_bodies(&bodies, orr_snapshot_read(&bodies, as_file(bytes, size)));
}

/* A ledger with the papers' tables, empty again after every input. */
static inline struct orr_ledger *fresh_ledger(void)
{
    static struct orr_ledger ledger;
    static char clear[4096];
    sqlite3_stmt *row;
    if (!ledger.db) {
        promise(!orr_ledger_open(&ledger));
        promise(
            !orr_ledger_query(&row, &ledger,
                              "SELECT group_concat('DELETE FROM ' || name, ';') FROM sqlite_master"
                              " WHERE type = 'table' AND name NOT LIKE 'sqlite%'",
                              ""));
        promise(orr_ledger_next(row, &ledger) == 1);
        promise((size_t)snprintf(clear, sizeof clear, "%s", orr_ledger_text(row, 0)) <
                sizeof clear);
        sqlite3_finalize(row);
    }
    promise(!sqlite3_exec(ledger.db, clear, NULL, NULL, NULL));
    ledger.cells = 0;
    return &ledger;
}

static inline double ask_number(const struct orr_ledger *ledger, const char *sql)
{
    double number = 0;
    promise(orr_ledger_numbers(&number, 1, ledger, sql, "") == 1);
    return number;
}

/* What `run --resume` takes from a journal. */
static inline int resume_with(json_t *record, size_t line, void *context)
{
    struct orr_time_estimate *estimate = context;
    struct orr_request request;
    promise(line > 0);
    orr_time_estimate_add(estimate, record);
    if (!orr_request_from_json(&request, json_object_get(record, "request"))) {
        json_decref(orr_request_to_json(&request));
        orr_request_release(&request);
    }
    orr_error_clear();
    return 0;
}

static inline void read_journal(const uint8_t *bytes, size_t size)
{
    struct orr_ledger *ledger = fresh_ledger();
    struct orr_journal_records records;
    RELEASED_BY(orr_time_estimate_release) struct orr_time_estimate estimate = {0};
    const char *path = as_file(bytes, size);
    if (!orr_ledger_add(ledger, path)) {
        promise(ask_number(ledger, "SELECT count(*) FROM cell") == (double)ledger->cells);
        promise(ask_number(ledger, "SELECT count(*) FROM latest") <= (double)ledger->cells);
        ask_number(ledger, "SELECT count(gflops) + count(ceiling_fraction) FROM rates");
    }
    orr_error_clear();
    if (!orr_journal_records_read(&records, path))
        promise(json_is_object(records.cells) && json_is_object(records.ceilings));
    orr_journal_records_release(&records);
    orr_error_clear();
    orr_journal_read(path, resume_with, &estimate, NULL);
}

static inline void read_published(const uint8_t *bytes, size_t size)
{
    struct orr_ledger *ledger = fresh_ledger();
    orr_ledger_add_published(ledger, "own", as_file(bytes, size));
}

static inline int check_entry(const struct orr_manifest_entry *entry, void *context)
{
    (void)context;
    promise(*entry->name && strlen(entry->sha256) == 64);
    return 0;
}

static inline void read_manifest(const uint8_t *bytes, size_t size)
{
    orr_manifest_read(as_file(bytes, size), check_entry, NULL);
}

#endif
