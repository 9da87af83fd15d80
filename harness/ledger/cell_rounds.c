/* SPDX-License-Identifier: MIT */
/* The rounds of a cell, made one by rounds.sql. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "memory.h"
#include "json_member.h"
#include "ledger/ledger.h"
#include "ledger/ledger_parts.h"
#include "measure/stats_levels.h"

int orr_cell_rounds_of(const json_t *record)
{
    json_int_t round = orr_json_integer(record, "round");
    return round > 0 && round < 1000000 ? (int)round : 1;
}

/* The rounds of a cell that can be put together (rounds.sql). */
struct rounds {
    json_t *first; /* of those that count */
    json_t **records;
    bool *single; /* of each: its single steps are its samples */
    size_t count;
    bool merges; /* the cell is made of all of them */
};

/* The samples of the step of a round. */
static json_t *steps_of(const struct rounds *rounds, size_t round)
{
    const json_t *samples = json_object_get(rounds->records[round], "samples");
    return json_object_get(samples, rounds->single[round] ? "single_s" : "step_s");
}

static void choose(struct rounds *out, struct orr_ledger *ledger, const json_t *rounds)
{
    sqlite3_stmt *row = NULL;
    orr_ledger_put(ledger, "DELETE FROM rounds.chosen", "");
    orr_ledger_put(ledger, "INSERT INTO rounds.chosen SELECT * FROM rounds.choice", "");
    if (!ledger->failed)
        ledger->failed = orr_ledger_keep(&row, ledger,
                                         "SELECT process_key - 1, single, merges, alike, counts "
                                         "FROM rounds.chosen ORDER BY process_key");
    while (row && sqlite3_step(row) == SQLITE_ROW) {
        json_t *record = json_array_get(rounds, (size_t)sqlite3_column_int64(row, 0));
        out->merges = sqlite3_column_int(row, 2);
        if (!out->first && sqlite3_column_int(row, 4))
            out->first = record;
        if (!sqlite3_column_int(row, 3))
            continue;
        out->records[out->count] = record;
        out->single[out->count++] = sqlite3_column_int(row, 1);
    }
    if (row && sqlite3_reset(row) != SQLITE_OK)
        ledger->failed = orr_ledger_sql_failed(ledger, "rounds");
}

/* Where each of the rounds that are alike has steps. A single round is summarised, too: its median
 * and interval are its own. One sample has no interval, which would say that nothing varies. */
static void summarise(struct orr_ledger *ledger, const struct rounds *rounds)
{
    struct orr_level_summary s;
    struct orr_ledger_samples steps = {0};
    size_t k;
    json_t *value;
    for (size_t p = 0; p < rounds->count; p++)
        json_array_foreach (steps_of(rounds, p), k, value) {
            if (json_is_number(value))
                orr_ledger_samples_add(&steps, (double)p, json_number_value(value));
        }
    if (steps.levels.processes == rounds->count && !ledger->failed &&
        !(ledger->failed = orr_stats_levels(&s, &steps.levels)))
        orr_ledger_put(ledger, "INSERT INTO rounds.summary VALUES (?,?,?,?,?,?,?,?,?)", "dddddddid",
                       s.median, s.interval[0], s.interval[1], s.within, s.between, s.p5, s.p95,
                       (long long)s.two_peaks, s.halving);
    orr_ledger_samples_release(&steps);
}

/* Loads the records into the schema `rounds`, whose view `cell` is then the cell's row; they stay
 * the caller's. Release it also when that fails. */
static void put_together(struct rounds *out, struct orr_ledger *ledger, const json_t *rounds,
                         sqlite3_int64 run_key)
{
    size_t k, count = json_array_size(rounds);
    json_t *record;
    *out = (struct rounds){.records = orr_memory_get((count + 1) * sizeof *out->records),
                           .single = orr_memory_get(count + 1)};
    orr_ledger_put(ledger, "DELETE FROM rounds.process", "");
    orr_ledger_put(ledger, "DELETE FROM rounds.summary", "");
    json_array_foreach (rounds, k, record)
        orr_ledger_insert(ledger, "cell", record, run_key);
    choose(out, ledger, rounds);
    if (out->merges)
        summarise(ledger, out);
}

static void release(struct rounds *rounds)
{
    free(rounds->records);
    free(rounds->single);
    *rounds = (struct rounds){0};
}

/* A new record of what any of them has: the first one's members, and what only others have. */
static json_t *whole_of(const struct rounds *rounds)
{
    json_t *whole = json_copy(rounds->first);
    for (size_t p = 0; rounds->merges && p < rounds->count; p++)
        json_object_update_missing(whole, rounds->records[p]);
    return whole;
}

/* --- what a process of a cell has of its own --- */

struct process {
    sqlite3_int64 cell;
    sqlite3_int64 number; /* from 0 */
    sqlite3_int64 first;  /* samples of the processes before it */
    bool single;          /* its single steps are its samples */
};

/* One row a value: the cell, the name of the series, the index, the value and the process. What is
 * no number was not reported. */
static void load_series(struct orr_ledger *ledger, const char *sql, const struct process *process,
                        const char *name, const json_t *values)
{
    size_t k;
    json_t *value;
    json_array_foreach (values, k, value) {
        if (json_is_number(value))
            orr_ledger_put(ledger, sql, "isiji", process->cell, name ? name : "",
                           process->first + (sqlite3_int64)k, value, process->number);
    }
}

/* Rows come in the order of the table's key, so that each goes to its end. The kernels of
 * `device_s` are of steps of their own: none of those was throttled. */
static void load_samples(struct orr_ledger *ledger, const json_t *samples,
                         const struct process *process)
{
    static const char *const kinds[] = {"device_s", "end_to_end_s", "kernel_s", "single_s",
                                        "step_s"};
    enum { SINGLE = 3, STEP, KINDS };
    size_t k;
    json_t *index;
    for (k = 0; k < KINDS; k++)
        if (!process->single || k != SINGLE)
            load_series(ledger,
                        "INSERT INTO sample(cell_key, kind, idx, value, process, throttled) "
                        "VALUES (?,?,?,?,?,0)",
                        process, kinds[k],
                        json_object_get(samples, kinds[process->single && k == STEP ? SINGLE : k]));
    json_array_foreach (json_object_get(samples, "throttled"), k, index) {
        if (json_is_integer(index))
            orr_ledger_put(ledger,
                           "UPDATE sample SET throttled = 1 WHERE cell_key = ? AND process = ? AND "
                           "idx = ? + ? AND kind IN ('end_to_end_s', 'kernel_s', 'single_s', "
                           "'step_s')",
                           "iiij", process->cell, process->number, process->first, index);
    }
}

/* A row a sample, where the sensors said anything. */
static void load_sensors(struct orr_ledger *ledger, const json_t *samples,
                         const struct process *process, size_t count)
{
    static const char *const names[] = {"clock_mhz", "memory_clock_mhz", "power_w", "temperature_c",
                                        "throttle"};
    enum { NAMES = sizeof names / sizeof *names };
    const json_t *of[NAMES];
    size_t said = 0;
    for (size_t k = 0; k < NAMES; k++)
        said += json_array_size(of[k] = json_object_get(samples, names[k]));
    for (size_t k = 0; said && k < count; k++)
        orr_ledger_put(ledger, "INSERT INTO sensor VALUES (?,?,?,?,?,?,?,?)", "iiijjjjj",
                       process->cell, process->number, process->first + (sqlite3_int64)k,
                       json_array_get(of[0], k), json_array_get(of[1], k), json_array_get(of[2], k),
                       json_array_get(of[3], k), json_array_get(of[4], k));
}

static void load_process(struct orr_ledger *ledger, const json_t *record,
                         const struct process *process, size_t count)
{
    const json_t *samples = json_object_get(record, "samples");
    size_t index;
    json_t *part;
    load_samples(ledger, samples, process);
    load_sensors(ledger, samples, process, count);
    json_array_foreach (json_object_get(record, "phases"), index, part)
        load_series(ledger, "INSERT INTO phase VALUES (?,?,?,?,?)", process,
                    orr_json_text(part, "name"), json_object_get(part, "kernel_s"));
    json_array_foreach (json_object_get(record, "stages"), index, part)
        load_series(ledger, "INSERT INTO stage_sample VALUES (?,?,?,?,?)", process,
                    orr_json_text(part, "name"), json_object_get(part, "host_s"));
    orr_ledger_put(ledger, "INSERT INTO round VALUES (?,?,?,?,?,?,?)", "iiijjjj", process->cell,
                   process->number, (sqlite3_int64)orr_cell_rounds_of(record),
                   json_object_get(record, "#"), json_object_get(record, "started"),
                   json_object_get(record, "outcome"), json_object_get(record, "reason"));
}

/* A forged record may have more of another series than steps. */
static size_t longest_series(const json_t *record)
{
    const char *name;
    json_t *values;
    size_t longest = 0;
    json_object_foreach (json_object_get(record, "samples"), name, values)
        longest = json_array_size(values) > longest ? json_array_size(values) : longest;
    return longest;
}

static void load_processes(struct orr_ledger *ledger, const struct rounds *rounds,
                           sqlite3_int64 key)
{
    struct process process = {.cell = key};
    for (size_t k = 0; k < rounds->count; k++) {
        process.number = (sqlite3_int64)k;
        process.single = rounds->single[k];
        load_process(ledger, rounds->records[k], &process, json_array_size(steps_of(rounds, k)));
        process.first += (sqlite3_int64)longest_series(rounds->records[k]);
    }
}

/* --- what a cell has --- */

/* Of {procedure: {kind: number}}. */
#define SELECT_COUNTS                                         \
    " SELECT ?1, p.key, k.key, k.value FROM json_each(?2) p," \
    " json_each(iif(p.type = 'object', p.value, '{}')) k WHERE k.type IN ('integer', 'real')"

static void load_findings(struct orr_ledger *ledger, const json_t *record, sqlite3_int64 key)
{
    static const struct {
        const char *member, *sql;
    } findings[] = {
        {"counts", "INSERT INTO count" SELECT_COUNTS},
        {"figures", "INSERT INTO figure SELECT ?1, key, value FROM json_each(?2)"
                    " WHERE type IN ('integer', 'real')"},
        /* One source, in old journals, or a list of them. */
        {"counters", "INSERT INTO counter SELECT ?1, json_extract(s.value, '$.source') AS source,"
                     " v.key, v.value, NULL FROM"
                     " json_each(iif(json_type(?2) = 'array', ?2, json_array(json(?2)))) s,"
                     " json_each(iif(s.type = 'object', s.value, '{}'), '$.values') v"
                     " WHERE source NOT NULL AND v.type IN ('integer', 'real') AND v.value >= 0"},
        {"counters", "INSERT INTO counter_reason SELECT ?1, json_extract(s.value, '$.source') AS"
                     " source, json_extract(s.value, '$.reason') AS reason FROM"
                     " json_each(iif(json_type(?2) = 'array', ?2, json_array(json(?2)))) s"
                     " WHERE s.type = 'object' AND source NOT NULL AND reason NOT NULL"},
        {"error/curve", "INSERT INTO error_curve SELECT ?1, n.value,"
                        " json_extract(?2, '$.fractions[' || e.key || ']'), e.value"
                        " FROM json_each('[\"relative\", \"by_mean\", \"by_terms\"]') n"
                        " CROSS JOIN json_each(?2, '$.' || n.value) e"},
    };
    for (size_t k = 0; k < sizeof findings / sizeof *findings; k++) {
        const json_t *value = orr_json_follow(record, findings[k].member);
        if (json_is_object(value) || json_is_array(value))
            orr_ledger_put(ledger, findings[k].sql, "io", key, value);
    }
}

/* Each stage that any round has, once. */
static void load_stages(struct orr_ledger *ledger, const struct rounds *rounds, sqlite3_int64 key)
{
    size_t k;
    json_t *stage, *seen = json_object();
    for (size_t p = 0; p < (rounds->merges ? rounds->count : 1); p++) {
        const json_t *record = rounds->merges ? rounds->records[p] : rounds->first;
        json_array_foreach (json_object_get(record, "stages"), k, stage) {
            const char *name = orr_json_text(stage, "name");
            if (rounds->merges && (!name || json_object_get(seen, name)))
                continue;
            orr_ledger_insert(ledger, "stage", stage, key);
            json_object_set_new(seen, name ? name : "", json_true());
        }
    }
    json_decref(seen);
}

void orr_cell_rounds_load(struct orr_ledger *ledger, const json_t *records, sqlite3_int64 run_key)
{
    struct rounds rounds;
    size_t k;
    json_t *kernel;
    put_together(&rounds, ledger, records, run_key);
    json_t *whole = whole_of(&rounds);
    const bool wrong = orr_json_is(whole, "outcome", ORR_OUTCOME_WRONG_ON_PURPOSE);
    orr_ledger_put(ledger,
                   wrong ? "INSERT INTO wrong_on_purpose SELECT NULL, c.* FROM rounds.cell c"
                         : "INSERT INTO cell SELECT NULL, c.* FROM rounds.cell c",
                   "");
    sqlite3_int64 key = sqlite3_last_insert_rowid(ledger->db);
    json_array_foreach (json_object_get(whole, "kernels"), k, kernel)
        orr_ledger_insert(ledger, "kernel", kernel, wrong ? -key : key);
    if (wrong) {
        orr_ledger_put(ledger, "INSERT INTO wrong_on_purpose_count" SELECT_COUNTS, "io", key,
                       json_object_get(whole, "counts"));
    } else {
        load_stages(ledger, &rounds, key);
        load_findings(ledger, whole, key);
        load_processes(ledger, &rounds, key);
    }
    json_decref(whole);
    release(&rounds);
}

/* --- one record --- */

/* Sets "spread/within" or "interval/1", in parts that are the record's own; NULL: it has none,
 * and a null stays one. */
static void set_member(json_t *to, const char *path, json_t *value)
{
    char name[64];
    const size_t length = strcspn(path, "/");
    const char *rest = path + length + 1;
    snprintf(name, sizeof name, "%.*s", (int)length, path);
    json_t *part = json_object_get(to, name);
    if (!value && json_is_null(part))
        return;
    if (!path[length] && value) {
        json_object_set_new(to, name, value);
    } else if (!path[length] || (isdigit((unsigned char)*rest) && !value)) {
        json_object_del(to, name);
    } else if (isdigit((unsigned char)*rest)) {
        part = part && *rest != '0' ? json_copy(part) : json_array();
        json_array_append_new(part, value);
        json_object_set_new(to, name, part);
    } else if (part || value) {
        part = part ? json_copy(part) : json_object();
        set_member(part, rest, value);
        json_object_set_new(to, name, part);
    }
}

static json_t *value_of(sqlite3_stmt *row, int at, const struct orr_member *member)
{
    if (sqlite3_column_type(row, at) == SQLITE_NULL)
        return NULL;
    switch (member->type) {
    case ORR_MEMBER_TEXT:
        return json_string(orr_ledger_text(row, at));
    case ORR_MEMBER_LIST:
        return json_loads(orr_ledger_text(row, at), 0, NULL);
    case ORR_MEMBER_FLAG:
        return json_boolean(sqlite3_column_int(row, at));
    case ORR_MEMBER_COUNT:
        return json_integer(sqlite3_column_int64(row, at));
    default:
        return json_real(sqlite3_column_double(row, at));
    }
}

/* A member that is made of several rounds takes the place of the first one's. */
static json_t *merge(struct orr_ledger *ledger, const struct rounds *rounds)
{
    const struct orr_member *m = orr_ledger_record("cell")->members;
    sqlite3_stmt *row = NULL;
    json_t *merged = whole_of(rounds), *steps = json_array();
    if (!orr_ledger_keep(&row, ledger, "SELECT * FROM rounds.cell") &&
        orr_ledger_next(row, ledger) > 0)
        for (int k = 0; (m = orr_ledger_column(m, false)); k++, m++)
            if (m->made &&
                (rounds->merges || !strcmp(m->column, "processes") || !strcmp(m->column, "reason")))
                set_member(merged, m->path, value_of(row, k, m));
    sqlite3_reset(row);
    for (size_t p = 0; p < rounds->count; p++)
        json_array_extend(steps, steps_of(rounds, p));
    if (rounds->merges && !json_object_get(merged, "spread"))
        json_object_set_new(merged, "spread", json_object());
    if (rounds->merges)
        json_object_set_new(merged, "samples", json_pack("{s:O}", "step_s", steps));
    json_decref(steps);
    json_object_del(merged, "round");
    return merged;
}

json_t *orr_cell_rounds_whole(const struct orr_journal_records *records, const char *id)
{
    const json_t *rounds = json_object_get(records->cells, id);
    static _Thread_local struct orr_ledger
        ledger; /* making its tables takes longer than the rest */
    struct rounds chosen;
    json_t *merged = NULL;
    if (!rounds || (!ledger.db && orr_ledger_open(&ledger)))
        return NULL;
    put_together(&chosen, &ledger, rounds, 0);
    if (!ledger.failed)
        merged = merge(&ledger, &chosen);
    release(&chosen);
    if (ledger.failed)
        orr_ledger_close(&ledger);
    return merged;
}
