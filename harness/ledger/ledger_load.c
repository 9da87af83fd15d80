/* From journal records to rows. */
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "memory.h"
#include "json_member.h"
#include "ledger/journal.h"
#include "ledger/ledger.h"
#include "ledger/ledger_parts.h"

/* The journal being read. */
struct load {
    struct orr_ledger *ledger;
    const char *path;
    sqlite3_int64 run_key; /* 0 before a run record */
    json_t *cells;         /* id -> records by round, of this run */
    json_t *devices;       /* of the run record; a reference */
};

static void insert_all(struct orr_ledger *ledger, enum orr_record_kind kind, const json_t *records,
                       sqlite3_int64 parent)
{
    size_t k;
    json_t *record;
    json_array_foreach (records, k, record)
        orr_ledger_insert(ledger, kind, record, parent);
}

/* results/<machine>/<run>.jsonl */
static void folder_name(char *out, size_t size, const char *path)
{
    const char *end = strrchr(path, '/');
    const char *start = end;
    while (start && start > path && start[-1] != '/')
        start--;
    snprintf(out, size, "%.*s", end ? (int)(end - start) : 0, end ? start : "");
}

static void note_schema(struct orr_ledger *ledger, const json_t *record, const char *path)
{
    int schema = (int)orr_json_integer(record, "schema");
    if (schema <= ORR_JOURNAL_SCHEMA)
        return;
    if (!ledger->newer++)
        snprintf(ledger->newer_path, sizeof ledger->newer_path, "%s", path);
    if (schema > ledger->newest_schema)
        ledger->newest_schema = schema;
}

static void load_run(struct load *load, const json_t *record)
{
    char folder[256];
    const char *machine = json_string_value(orr_json_follow(record, "machine/name"));
    note_schema(load->ledger, record, load->path);
    load->run_key = orr_ledger_insert(load->ledger, ORR_RECORD_RUN, record, 0);
    folder_name(folder, sizeof folder, load->path);
    orr_ledger_put(load->ledger,
                   "UPDATE run SET path = ?, machine = ?, operand = ?, ended = NULL"
                   " WHERE run_key = ?",
                   "sssi", load->path, machine && *machine ? machine : folder,
                   load->ledger->operand, load->run_key);
    insert_all(load->ledger, ORR_RECORD_DEVICE, json_object_get(record, "devices"), load->run_key);
    json_decref(load->devices);
    load->devices = json_incref(json_object_get(record, "devices"));
}

/* --- what a process of a cell has of its own --- */

struct process {
    sqlite3_int64 cell;
    bool single;  /* its single steps are its samples */
    int number;   /* from 0 */
    size_t count; /* of its samples */
    size_t first; /* samples of the processes before it */
};

/* One row a value: the cell, the name of the series, the index, the value, the process and, where
 * there are marks, its mark. What is no number was not reported. */
static void load_series(struct orr_ledger *ledger, const char *sql, const struct process *process,
                        const char *name, const json_t *values, const bool *marks)
{
    sqlite3_stmt *row = NULL;
    size_t index;
    json_t *value;
    if (!ledger->failed && json_array_size(values))
        ledger->failed = orr_ledger_keep(&row, ledger, sql);
    if (!row)
        return;
    sqlite3_bind_int64(row, 1, process->cell); /* these three stay bound */
    sqlite3_bind_text(row, 2, name ? name : "", -1, SQLITE_STATIC);
    sqlite3_bind_int(row, 5, process->number);
    json_array_foreach (values, index, value) {
        if (!json_is_number(value))
            continue;
        sqlite3_bind_int64(row, 3, (sqlite3_int64)process->first + (sqlite3_int64)index);
        sqlite3_bind_double(row, 4, json_number_value(value));
        if (marks)
            sqlite3_bind_int(row, 6, marks[index]);
        if (sqlite3_step(row) != SQLITE_DONE)
            ledger->failed = orr_ledger_sql_failed(ledger, sql);
        sqlite3_reset(row);
    }
    sqlite3_clear_bindings(row); /* the name is not ours */
}

/* In the order of the table's key, so that each row goes to its end. The kernels of `device_s` are
 * of steps of their own: none of those was throttled. */
static void load_samples(struct orr_ledger *ledger, const json_t *samples,
                         const struct process *process)
{
    static const char *const kinds[] = {"device_s", "end_to_end_s", "kernel_s", "single_s",
                                        "step_s"};
    enum { SINGLE = 3, STEP };
    size_t room = 1, k;
    json_t *index;
    for (k = 0; k < sizeof kinds / sizeof *kinds; k++)
        room += json_array_size(json_object_get(samples, kinds[k]));
    bool *marks = orr_memory_get(2 * room), *none = marks + room;
    json_array_foreach (json_object_get(samples, "throttled"), k, index) {
        json_int_t at = json_integer_value(index);
        if (json_is_integer(index) && at >= 0 && (size_t)at < room)
            marks[at] = true;
    }
    for (k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (!process->single || k != SINGLE)
            load_series(ledger,
                        "INSERT INTO sample(cell_key, kind, idx, value, process, throttled) "
                        "VALUES (?,?,?,?,?,?)",
                        process, kinds[k],
                        json_object_get(samples, kinds[process->single && k == STEP ? SINGLE : k]),
                        k ? marks : none);
    free(marks);
}

/* A row a sample, where the sensors said anything. */
static void load_sensors(struct orr_ledger *ledger, const json_t *samples,
                         const struct process *process)
{
    static const char *const names[] = {"clock_mhz", "memory_clock_mhz", "power_w", "temperature_c",
                                        "throttle"};
    enum { NAMES = sizeof names / sizeof *names };
    const json_t *of[NAMES];
    size_t said = 0;
    for (size_t k = 0; k < NAMES; k++)
        said += json_array_size(of[k] = json_object_get(samples, names[k]));
    for (size_t k = 0; said && k < process->count; k++)
        orr_ledger_put(ledger, "INSERT INTO sensor VALUES (?,?,?,?,?,?,?,?)", "iiijjjjj",
                       process->cell, (sqlite3_int64)process->number,
                       (sqlite3_int64)process->first + (sqlite3_int64)k, json_array_get(of[0], k),
                       json_array_get(of[1], k), json_array_get(of[2], k), json_array_get(of[3], k),
                       json_array_get(of[4], k));
}

static void load_process(struct orr_ledger *ledger, const json_t *record,
                         const struct process *process)
{
    const json_t *samples = json_object_get(record, "samples");
    size_t index;
    json_t *part;
    load_samples(ledger, samples, process);
    load_sensors(ledger, samples, process);
    json_array_foreach (json_object_get(record, "phases"), index, part)
        load_series(ledger, "INSERT INTO phase VALUES (?,?,?,?,?)", process,
                    orr_json_text(part, "name"), json_object_get(part, "kernel_s"), NULL);
    json_array_foreach (json_object_get(record, "stages"), index, part)
        load_series(ledger, "INSERT INTO stage_sample VALUES (?,?,?,?,?)", process,
                    orr_json_text(part, "name"), json_object_get(part, "host_s"), NULL);
    orr_ledger_put(ledger, "INSERT INTO round VALUES (?,?,?,?,?,?,?)", "iiijjjj", process->cell,
                   (sqlite3_int64)process->number, (sqlite3_int64)orr_cell_rounds_of(record),
                   json_object_get(record, "#"), json_object_get(record, "started"),
                   json_object_get(record, "outcome"), json_object_get(record, "reason"));
}

static void load_processes(struct orr_ledger *ledger, const struct orr_rounds *rounds,
                           sqlite3_int64 key)
{
    struct process process = {.cell = key};
    for (size_t k = 0; k < rounds->count; k++) {
        process.number = (int)k;
        process.single = rounds->single[k];
        process.count = json_array_size(orr_cell_rounds_steps(rounds, k));
        load_process(ledger, rounds->records[k], &process);
        process.first += process.count;
    }
}

/* --- what a cell has --- */

static void load_counts(struct orr_ledger *ledger, const char *sql, json_t *counts,
                        sqlite3_int64 key)
{
    const char *procedure, *kind;
    json_t *kinds, *value;
    json_object_foreach (counts, procedure, kinds)
        json_object_foreach (kinds, kind, value)
            orr_ledger_put(ledger, sql, "issi", key, procedure, kind,
                           (sqlite3_int64)json_integer_value(value));
}

static void load_curve(struct orr_ledger *ledger, const json_t *curve, sqlite3_int64 key)
{
    static const char *const normalisations[] = {"relative", "by_mean", "by_terms"};
    const json_t *fractions = json_object_get(curve, "fractions");
    size_t index;
    json_t *error;
    for (size_t k = 0; k < sizeof normalisations / sizeof *normalisations; k++)
        json_array_foreach (json_object_get(curve, normalisations[k]), index, error)
            orr_ledger_put(ledger, "INSERT INTO error_curve VALUES (?,?,?,?)", "isdd", key,
                           normalisations[k], json_number_value(json_array_get(fractions, index)),
                           json_number_value(error));
}

static void load_counter(struct orr_ledger *ledger, const json_t *source, sqlite3_int64 key)
{
    const char *of = orr_json_text(source, "source"), *reason = orr_json_text(source, "reason"),
               *name;
    json_t *value;
    json_object_foreach (json_object_get(source, "values"), name, value) {
        if (of && json_is_number(value) && json_number_value(value) >= 0)
            orr_ledger_put(ledger, "INSERT INTO counter VALUES (?,?,?,?,NULL)", "issj", key, of,
                           name, value);
    }
    if (of && reason)
        orr_ledger_put(ledger, "INSERT INTO counter_reason VALUES (?,?,?)", "iss", key, of, reason);
}

/* Counts, counters, figures and error curves. */
static void load_findings(struct orr_ledger *ledger, const json_t *record, sqlite3_int64 key)
{
    json_t *counters = json_object_get(record, "counters"), *value;
    const char *name;
    size_t k;
    load_counts(ledger, "INSERT INTO count VALUES (?,?,?,?)", json_object_get(record, "counts"),
                key);
    json_object_foreach (json_object_get(record, "figures"), name, value) {
        if (json_is_number(value))
            orr_ledger_put(ledger, "INSERT INTO figure VALUES (?,?,?)", "isj", key, name, value);
    }
    load_counter(ledger, counters, key); /* one source, in old journals, or a list of them */
    json_array_foreach (counters, k, value)
        load_counter(ledger, value, key);
    load_curve(ledger, orr_json_follow(record, "error/curve"), key);
}

/* Each stage that any round has, once. */
static void load_stages(struct orr_ledger *ledger, const struct orr_rounds *rounds,
                        sqlite3_int64 key)
{
    size_t k;
    json_t *stage, *seen = json_object();
    for (size_t p = 0; p < (rounds->merges ? rounds->count : 1); p++) {
        const json_t *record = rounds->merges ? rounds->records[p] : rounds->first;
        json_array_foreach (json_object_get(record, "stages"), k, stage) {
            const char *name = orr_json_text(stage, "name");
            if (rounds->merges && (!name || json_object_get(seen, name)))
                continue;
            orr_ledger_insert(ledger, ORR_RECORD_STAGE, stage, key);
            json_object_set_new(seen, name ? name : "", json_true());
        }
    }
    json_decref(seen);
}

/* The rounds of a cell become one row of `cell`. One that is wrong on purpose has a table of its
 * own: no query of cells can come upon it. */
static void load_cell(struct load *load, const json_t *records)
{
    struct orr_ledger *ledger = load->ledger;
    struct orr_rounds rounds;
    orr_cell_rounds_load(&rounds, ledger, records, load->run_key);
    json_t *whole = orr_cell_rounds_whole(&rounds);
    const bool wrong = orr_journal_is_wrong_on_purpose(whole);
    orr_ledger_put(ledger,
                   wrong ? "INSERT INTO wrong_on_purpose SELECT NULL, c.* FROM rounds.cell c"
                         : "INSERT INTO cell SELECT NULL, c.* FROM rounds.cell c",
                   "");
    sqlite3_int64 key = sqlite3_last_insert_rowid(ledger->db);
    insert_all(ledger, ORR_RECORD_KERNEL, json_object_get(whole, "kernels"), wrong ? -key : key);
    if (wrong) {
        load_counts(ledger, "INSERT INTO wrong_on_purpose_count VALUES (?,?,?,?)",
                    json_object_get(whole, "counts"), key);
    } else {
        load_stages(ledger, &rounds, key);
        load_findings(ledger, whole, key);
        load_processes(ledger, &rounds, key);
    }
    json_decref(whole);
    orr_cell_rounds_release(&rounds);
}

/* At the end of a run. */
static void load_cells(struct load *load)
{
    const char *id;
    json_t *rounds;
    json_object_foreach (load->cells, id, rounds)
        load_cell(load, rounds);
    json_object_clear(load->cells);
}

/* A cell without an id is like no other. */
static void keep_cell(struct load *load, json_t *record)
{
    char unnamed[32];
    const char *id = orr_json_text(record, "id");
    if (!id || !*id) {
        snprintf(unnamed, sizeof unnamed, "#%lld", (long long)orr_json_integer(record, "#"));
        id = unnamed;
    }
    load->ledger->cells++;
    if (!json_object_get(load->cells, id))
        json_object_set_new(load->cells, id, json_array());
    orr_cell_rounds_put(json_object_get(load->cells, id), record);
}

/* --- the other records --- */

static void load_ceiling(struct load *load, json_t *record)
{
    const char *device = orr_json_text(record, "device"), *kind;
    json_t *rate, *rates = json_object();
    json_object_set(rates, "mix", json_object_get(record, "interactions_per_second"));
    json_object_set(rates, "fma", json_object_get(record, "fma_per_second"));
    json_object_update(rates, json_object_get(record, "pairs"));
    orr_ledger_insert(load->ledger, ORR_RECORD_CEILING, record, load->run_key);
    json_object_foreach (rates, kind, rate) {
        if (json_is_number(rate) && device)
            orr_ledger_put(load->ledger,
                           "INSERT INTO ceiling_pair VALUES (?,?,?,?) ON CONFLICT DO UPDATE "
                           "SET rate = max(rate, excluded.rate)",
                           "issj", load->run_key, device, kind, rate);
    }
    json_decref(rates);
}

static void load_access(struct load *load, const json_t *record)
{
    size_t k;
    json_t *rate;
    json_array_foreach (json_object_get(record, "rates"), k, rate)
        orr_ledger_put(load->ledger,
                       "INSERT OR REPLACE INTO access_rate VALUES (?,?,?,?,?,?,?,?,nullif(?, 0),?,"
                       "nullif(?, 0),?)",
                       "ijijjijjjjjj", load->run_key, json_object_get(record, "device"),
                       (sqlite3_int64)orr_cell_rounds_of(record), json_object_get(rate, "kind"),
                       json_object_get(rate, "degree"), (sqlite3_int64)k,
                       json_object_get(record, "device_name"), json_object_get(rate, "unit"),
                       json_object_get(rate, "rate"), json_object_get(rate, "reason"),
                       json_object_get(rate, "clock_mhz"), json_object_get(record, "#"));
}

static void load_kind(struct load *load, json_t *record, const char *kind)
{
    if (!strcmp(kind, "run")) {
        load_cells(load);
        load_run(load, record);
    } else if (!strcmp(kind, "ceiling")) {
        load_ceiling(load, record);
    } else if (!strcmp(kind, "access_ceilings")) {
        load_access(load, record);
    } else if (!strcmp(kind, "end") || !strcmp(kind, "resume")) {
        const bool stopped = json_is_true(json_object_get(record, "interrupted"));
        orr_ledger_put(load->ledger, "UPDATE run SET ended = ? WHERE run_key = ?", "si",
                       strcmp(kind, "end") ? NULL /* it goes on */
                       : stopped           ? "interrupted"
                                           : "over",
                       load->run_key);
    } else if (!strcmp(kind, "self")) {
        orr_ledger_insert(load->ledger, ORR_RECORD_SELF, record, load->run_key);
    } else if (!strcmp(kind, "cell") && !json_is_true(json_object_get(record, "once"))) {
        keep_cell(load, record); /* one step for a profiler is no result */
    }
}

static int load_record(json_t *record, size_t line, void *context)
{
    struct load *load = context;
    const char *kind = orr_json_text(record, "record"), *lacks = NULL;
    char flaw[160];
    json_object_set_new(record, "#", json_integer((json_int_t)line));
    load->ledger->records += kind != NULL;
    if (!kind)
        lacks = "it is no record";
    else if (strcmp(kind, "run") && !load->run_key)
        lacks = "its run record is missing";
    else if (orr_journal_flaw(flaw, sizeof flaw, record))
        lacks = flaw;
    else if (orr_journal_is_elsewhere(load->devices, record))
        lacks = "it was measured on another device, driver or number of threads than its run tells";
    if (lacks)
        orr_journal_damage_add(&load->ledger->damage, load->path, line, lacks);
    else
        load_kind(load, record, kind);
    return load->ledger->failed;
}

int orr_ledger_load(struct orr_ledger *ledger, const char *path)
{
    struct load load = {.ledger = ledger, .path = path, .cells = json_object()};
    size_t passed = 0;
    *ledger->audited = '\0';
    *(char **)orr_memory_add(&ledger->paths, &ledger->journals, sizeof *ledger->paths) =
        orr_memory_text(path);
    int code = orr_ledger_execute(ledger, "BEGIN");
    if (!code)
        code =
            orr_journal_read_only(&passed, path, ledger->only, load_record, &load, &ledger->damage);
    ledger->records += passed;
    ledger->cells += passed;
    if (!code)
        load_cells(&load);
    json_decref(load.cells);
    json_decref(load.devices);
    int ended = orr_ledger_execute(ledger, "COMMIT");
    return code ? code : ledger->failed ? ledger->failed : ended;
}
