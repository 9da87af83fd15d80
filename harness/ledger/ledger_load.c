/* From journal records to rows. */
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "json_member.h"
#include "ledger/cell_rounds.h"
#include "ledger/journal.h"
#include "ledger/journal_flaw.h"
#include "ledger/ledger_parts.h"
#include "sql/ledger/newest.h"

/* The journal being read. */
struct load {
    struct orr_ledger *ledger;
    const char *path;
    sqlite3_int64 run_key; /* 0 before a run record */
    bool is_shard;         /* its run is a part of another */
    json_t *cells;         /* id -> records by round, of this run */
};

static int bind_member(sqlite3_stmt *statement, int at, const json_t *value,
                       enum orr_member_sql sql)
{
    switch (sql) {
    case ORR_SQL_LENGTH:
        return sqlite3_bind_int64(statement, at, (sqlite3_int64)json_array_size(value));
    case ORR_SQL_JSON: {
        char *text = json_dumps(value, JSON_COMPACT | JSON_SORT_KEYS); /* of a list or object */
        return text ? sqlite3_bind_text(statement, at, text, -1, free)
                    : sqlite3_bind_null(statement, at);
    }
    case ORR_SQL_TEXT:
        return json_is_string(value)
                   ? sqlite3_bind_text(statement, at, json_string_value(value), -1, SQLITE_STATIC)
                   : sqlite3_bind_null(statement, at);
    case ORR_SQL_INTEGER:
        if (json_is_boolean(value))
            return sqlite3_bind_int(statement, at, json_is_true(value));
        if (json_is_integer(value))
            return sqlite3_bind_int64(statement, at, json_integer_value(value));
        break;
    default:
        break;
    }
    return json_is_number(value) ? sqlite3_bind_double(statement, at, json_number_value(value))
                                 : sqlite3_bind_null(statement, at);
}

static char *insert_sql(const struct orr_record_map *map)
{
    char *sql = NULL;
    size_t size = 0;
    FILE *text = open_memstream(&sql, &size);
    if (!text)
        return NULL;
    size_t count = 0;
    fprintf(text, "INSERT INTO %s%s(", map->of_round ? "rounds." : "", map->table);
    for (const struct orr_member *m = NULL; (m = orr_ledger_next_column(map, m));)
        fprintf(text, "%s%s", count++ ? "," : "", m->column);
    fputs(") VALUES (", text);
    for (size_t k = 0; k < count; k++)
        fputs(k ? ",?" : "?", text);
    fputs(")", text);
    fclose(text);
    return sql;
}

int orr_ledger_insert(struct orr_ledger *ledger, enum orr_record_kind kind, const json_t *record,
                      sqlite3_int64 parent, sqlite3_int64 *key)
{
    const struct orr_record_map *map = &orr_ledger_maps[kind];
    char **sql = &ledger->inserts[kind];
    sqlite3_stmt *statement;
    int at = 0, status = SQLITE_OK;
    if (!*sql && !(*sql = insert_sql(map)))
        return orr_fail(ORR_EMEMORY, "no memory for the ledger");
    int code = orr_ledger_keep(&statement, ledger, *sql);
    if (code)
        return code;
    for (const struct orr_member *m = NULL;
         status == SQLITE_OK && (m = orr_ledger_next_column(map, m));)
        status = *m->path ? bind_member(statement, ++at, orr_json_follow(record, m->path), m->sql)
                          : sqlite3_bind_int64(statement, ++at, parent);
    if (status == SQLITE_OK)
        status = sqlite3_step(statement) == SQLITE_DONE ? SQLITE_OK : SQLITE_ERROR;
    *key = sqlite3_last_insert_rowid(ledger->db);
    return status == SQLITE_OK ? 0 : orr_ledger_sql_failed(ledger, map->table);
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

static int load_run(struct load *load, const json_t *record)
{
    note_schema(load->ledger, record, load->path);
    load->is_shard = json_object_get(record, "shard") != NULL;
    int code = orr_ledger_insert(load->ledger, ORR_RECORD_RUN, record, 0, &load->run_key);
    if (code)
        return code;
    char folder[256];
    folder_name(folder, sizeof folder, load->path);
    const char *machine = json_string_value(orr_json_follow(record, "machine/name"));
    code = orr_ledger_run(load->ledger,
                          "UPDATE run SET path = ?, machine = ?, operand = ?, ended = NULL"
                          " WHERE run_key = ?",
                          "sssi", load->path, machine && *machine ? machine : folder,
                          load->ledger->operand, (long long)load->run_key);
    size_t index;
    json_t *device;
    sqlite3_int64 key;
    json_array_foreach(json_object_get(record, "devices"), index, device) if (!code) code =
        orr_ledger_insert(load->ledger, ORR_RECORD_DEVICE, device, load->run_key, &key);
    return code;
}

/* A process of a cell. */
struct process {
    sqlite3_int64 cell;
    bool single;  /* its single steps are its samples */
    int number;   /* from 0 */
    size_t count; /* of its samples */
    size_t first; /* samples of the processes before it */
};

/* One row a value: the cell, the name of the series, the index, the value, the process and, where
 * there are marks, its mark. What is no number was not reported. */
static int load_series(struct orr_ledger *ledger, const char *sql, const struct process *process,
                       const char *name, const json_t *values, const bool *marks)
{
    sqlite3_stmt *row = NULL;
    size_t index;
    json_t *value;
    int code = json_array_size(values) ? orr_ledger_keep(&row, ledger, sql) : 0;
    if (code || !row)
        return code;
    sqlite3_bind_int64(row, 1, process->cell); /* these three stay bound */
    sqlite3_bind_text(row, 2, name ? name : "", -1, SQLITE_STATIC);
    sqlite3_bind_int(row, 5, process->number);
    json_array_foreach(values, index, value)
    {
        if (!json_is_number(value))
            continue;
        sqlite3_bind_int64(row, 3, (sqlite3_int64)process->first + (sqlite3_int64)index);
        sqlite3_bind_double(row, 4, json_number_value(value));
        if (marks)
            sqlite3_bind_int(row, 6, marks[index]);
        if (sqlite3_step(row) != SQLITE_DONE)
            code = orr_ledger_sql_failed(ledger, sql);
        sqlite3_reset(row);
        if (code)
            break;
    }
    sqlite3_clear_bindings(row); /* the name is not ours */
    return code;
}

/* Which of `count` samples a journal lists as throttled. NULL without memory. */
static bool *throttled_samples(const json_t *list, size_t count)
{
    bool *marks = calloc(count ? count : 1, sizeof *marks);
    size_t k;
    json_t *index;
    json_array_foreach(list, k, index)
    {
        json_int_t at = json_integer_value(index);
        if (marks && json_is_integer(index) && at >= 0 && (size_t)at < count)
            marks[at] = true;
    }
    return marks;
}

/* In the order of the table's key, so that each row goes to its end. */
static int load_samples(struct orr_ledger *ledger, const json_t *record,
                        const struct process *process)
{
    static const char *const kinds[] = {"device_s", "end_to_end_s", "kernel_s", "single_s",
                                        "step_s"};
    enum { SINGLE = 3, STEP };
    const json_t *samples = json_object_get(record, "samples");
    int code = 0;
    for (size_t k = 0; !code && k < sizeof kinds / sizeof *kinds; k++) {
        const char *from = process->single && k == STEP ? kinds[SINGLE] : kinds[k];
        const json_t *values =
            process->single && k == SINGLE ? NULL : json_object_get(samples, from);
        bool *marks = throttled_samples(strcmp(kinds[k], "device_s") /* steps of their own */
                                            ? json_object_get(samples, "throttled")
                                            : NULL,
                                        json_array_size(values));
        code = marks ? load_series(ledger,
                                   "INSERT INTO sample(cell_key, kind, idx, value, process,"
                                   " throttled) VALUES (?,?,?,?,?,?)",
                                   process, kinds[k], values, marks)
                     : orr_fail(ORR_EMEMORY, "no memory for the ledger");
        free(marks);
    }
    return code;
}

static void bind_reading(sqlite3_stmt *row, int at, const json_t *value)
{
    if (json_is_string(value))
        sqlite3_bind_text(row, at, json_string_value(value), -1, SQLITE_TRANSIENT);
    else if (json_is_number(value))
        sqlite3_bind_double(row, at, json_number_value(value));
    else
        sqlite3_bind_null(row, at);
}

/* A row a sample, where the sensors said anything. */
static int load_sensors(struct orr_ledger *ledger, const json_t *record,
                        const struct process *process)
{
    static const char *const names[] = {"clock_mhz", "memory_clock_mhz", "power_w", "temperature_c",
                                        "throttle"};
    enum { NAMES = sizeof names / sizeof *names };
    const json_t *samples = json_object_get(record, "samples"), *arrays[NAMES];
    sqlite3_stmt *row = NULL;
    size_t said = 0, count = process->count;
    for (size_t k = 0; k < NAMES; k++) {
        arrays[k] = json_object_get(samples, names[k]);
        said += json_array_size(arrays[k]);
    }
    int code =
        said ? orr_ledger_keep(&row, ledger, "INSERT INTO sensor VALUES (?,?,?,?,?,?,?,?)") : 0;
    for (size_t index = 0; !code && said && index < count; index++) {
        sqlite3_reset(row);
        sqlite3_bind_int64(row, 1, process->cell);
        sqlite3_bind_int(row, 2, process->number);
        sqlite3_bind_int64(row, 3, (sqlite3_int64)process->first + (sqlite3_int64)index);
        for (size_t k = 0; k < NAMES; k++)
            bind_reading(row, (int)k + 4, json_array_get(arrays[k], index));
        if (sqlite3_step(row) != SQLITE_DONE)
            code = orr_ledger_sql_failed(ledger, "sensor");
    }
    return code;
}

static int load_procedure(struct orr_ledger *ledger, const char *procedure, json_t *kinds,
                          sqlite3_int64 key)
{
    const char *kind;
    json_t *value;
    json_object_foreach(kinds, kind, value)
    {
        int code =
            orr_ledger_run(ledger, "INSERT INTO count VALUES (?,?,?,?)", "issi", (long long)key,
                           procedure, kind, (long long)json_integer_value(value));
        if (code)
            return code;
    }
    return 0;
}

static int load_figures(struct orr_ledger *ledger, json_t *figures, sqlite3_int64 key)
{
    const char *name;
    json_t *value;
    json_object_foreach(figures, name, value)
    {
        if (!json_is_number(value))
            continue;
        int code = orr_ledger_run(ledger, "INSERT INTO figure VALUES (?,?,?)", "isd",
                                  (long long)key, name, json_number_value(value));
        if (code)
            return code;
    }
    return 0;
}

static int load_curve(struct orr_ledger *ledger, const json_t *curve, const char *normalisation,
                      sqlite3_int64 key)
{
    size_t index;
    json_t *error;
    json_array_foreach(json_object_get(curve, normalisation), index, error)
    {
        int code = orr_ledger_run(
            ledger, "INSERT INTO error_curve VALUES (?,?,?,?)", "isdd", (long long)key,
            normalisation,
            json_number_value(json_array_get(json_object_get(curve, "fractions"), index)),
            json_number_value(error));
        if (code)
            return code;
    }
    return 0;
}

static int load_counter(struct orr_ledger *ledger, const json_t *source, sqlite3_int64 key)
{
    const char *of = orr_json_text(source, "source"), *reason = orr_json_text(source, "reason"),
               *name;
    json_t *value;
    json_object_foreach(json_object_get(source, "values"), name, value)
    {
        int code = !(json_number_value(value) >= 0) || !json_is_number(value)
                       ? 0
                       : orr_ledger_run(ledger, "INSERT INTO counter VALUES (?,?,?,?,NULL)", "issd",
                                        (long long)key, of, name, json_number_value(value));
        if (code)
            return code;
    }
    return !reason ? 0
                   : orr_ledger_run(ledger, "INSERT INTO counter_reason VALUES (?,?,?)", "iss",
                                    (long long)key, of, reason);
}

/* One source or a list of them. */
static int load_counters(struct orr_ledger *ledger, const json_t *counters, sqlite3_int64 key)
{
    size_t index;
    json_t *source;
    int code = 0;
    if (orr_json_text(counters, "source"))
        return load_counter(ledger, counters, key);
    json_array_foreach(counters, index, source)
    {
        if (!code && orr_json_text(source, "source"))
            code = load_counter(ledger, source, key);
    }
    return code;
}

/* Counts, counters, figures and error curves. */
static int load_findings(struct orr_ledger *ledger, const json_t *record, sqlite3_int64 key)
{
    static const char *const normalisations[] = {"relative", "by_mean", "by_terms"};
    const char *procedure;
    json_t *part;
    int code = 0;
    json_object_foreach(json_object_get(record, "counts"), procedure, part) if (!code) code =
        load_procedure(ledger, procedure, part, key);
    if (!code)
        code = load_figures(ledger, json_object_get(record, "figures"), key);
    if (!code)
        code = load_counters(ledger, json_object_get(record, "counters"), key);
    for (size_t k = 0; !code && k < sizeof normalisations / sizeof *normalisations; k++)
        code = load_curve(ledger, orr_json_follow(record, "error/curve"), normalisations[k], key);
    return code;
}

/* What a process has of its own. */
static int load_process(struct orr_ledger *ledger, const json_t *record,
                        const struct process *process)
{
    int code = load_samples(ledger, record, process);
    if (!code)
        code = load_sensors(ledger, record, process);
    size_t index;
    json_t *part;
    json_array_foreach(json_object_get(record, "phases"), index, part) if (!code) code =
        load_series(ledger, "INSERT INTO phase VALUES (?,?,?,?,?)", process,
                    orr_json_text(part, "name"), json_object_get(part, "kernel_s"), NULL);
    json_array_foreach(json_object_get(record, "stages"), index, part) if (!code) code =
        load_series(ledger, "INSERT INTO stage_sample VALUES (?,?,?,?,?)", process,
                    orr_json_text(part, "name"), json_object_get(part, "host_s"), NULL);
    if (code)
        return code;
    return orr_ledger_run(
        ledger, "INSERT INTO round VALUES (?,?,?,?,?,?,?)", "iiiisss", (long long)process->cell,
        (long long)process->number, (long long)orr_cell_rounds_of(record),
        (long long)orr_json_integer(record, "#"), orr_json_text(record, "started"),
        orr_json_text(record, "outcome"), orr_json_text(record, "reason"));
}

static int load_processes(struct orr_ledger *ledger, const struct orr_rounds *rounds,
                          sqlite3_int64 key)
{
    struct process process = {.cell = key};
    int code = 0;
    for (size_t k = 0; !code && k < rounds->count; k++) {
        process.number = (int)k;
        process.single = rounds->single[k];
        process.count = json_array_size(orr_cell_rounds_steps(rounds, k));
        code = load_process(ledger, rounds->records[k], &process);
        process.first += process.count;
    }
    return code;
}

static int load_kernels(struct orr_ledger *ledger, const json_t *kernels, sqlite3_int64 key)
{
    sqlite3_int64 kernel_key;
    size_t index;
    json_t *kernel;
    int code = 0;
    json_array_foreach(kernels, index, kernel) if (!code) code =
        orr_ledger_insert(ledger, ORR_RECORD_KERNEL, kernel, key, &kernel_key);
    return code;
}

/* Each stage that any round has, once. */
static int load_stages(struct orr_ledger *ledger, const struct orr_rounds *rounds,
                       sqlite3_int64 key)
{
    sqlite3_int64 stage_key;
    size_t k, p;
    json_t *stage, *seen = json_object();
    int code = 0;
    for (p = 0; p < (rounds->merges ? rounds->count : 1); p++) {
        const json_t *record = rounds->merges ? rounds->records[p] : rounds->first;
        json_array_foreach(json_object_get(record, "stages"), k, stage)
        {
            const char *name = orr_json_text(stage, "name");
            if (code || (rounds->merges && (!name || json_object_get(seen, name))))
                continue;
            code = orr_ledger_insert(ledger, ORR_RECORD_STAGE, stage, key, &stage_key);
            json_object_set_new(seen, name ? name : "", json_true());
        }
    }
    json_decref(seen);
    return code;
}

/* A cell that is wrong on purpose has a table of its own: no query of cells can come upon it. */
static int load_wrong(struct orr_ledger *ledger, const json_t *whole)
{
    const char *procedure, *kind;
    json_t *kinds, *value;
    int code = orr_ledger_run(
        ledger, "INSERT INTO wrong_on_purpose SELECT NULL, c.* FROM rounds.cell c", "");
    long long key = sqlite3_last_insert_rowid(ledger->db);
    json_object_foreach(json_object_get(whole, "counts"), procedure, kinds)
    {
        json_object_foreach(kinds, kind, value)
        {
            if (!code)
                code = orr_ledger_run(ledger, "INSERT INTO wrong_on_purpose_count VALUES (?,?,?,?)",
                                      "issi", key, procedure, kind,
                                      (long long)json_integer_value(value));
        }
    }
    return code ? code : load_kernels(ledger, json_object_get(whole, "kernels"), -key);
}

static int load_right(struct orr_ledger *ledger, const json_t *whole,
                      const struct orr_rounds *rounds)
{
    int code = orr_ledger_run(ledger, "INSERT INTO cell SELECT NULL, c.* FROM rounds.cell c", "");
    sqlite3_int64 key = sqlite3_last_insert_rowid(ledger->db);
    if (!code)
        code = load_kernels(ledger, json_object_get(whole, "kernels"), key);
    if (!code)
        code = load_stages(ledger, rounds, key);
    if (!code)
        code = load_findings(ledger, whole, key);
    return code ? code : load_processes(ledger, rounds, key);
}

/* The rounds of a cell become one row of `cell`. */
static int load_cell(struct load *load, const json_t *records)
{
    struct orr_rounds rounds;
    int code = orr_cell_rounds_load(&rounds, load->ledger, records, load->run_key);
    json_t *whole = code ? NULL : orr_cell_rounds_whole(&rounds);
    if (!code)
        code = orr_journal_is_wrong_on_purpose(whole) ? load_wrong(load->ledger, whole)
                                                      : load_right(load->ledger, whole, &rounds);
    json_decref(whole);
    orr_cell_rounds_release(&rounds);
    return code;
}

/* At the end of a run. */
static int load_cells(struct load *load)
{
    const char *id;
    json_t *rounds;
    int code = 0;
    json_object_foreach(load->cells, id, rounds)
    {
        if (!code)
            code = load_cell(load, rounds);
    }
    json_object_clear(load->cells);
    return code;
}

/* Whether a shard is whole is asked of all its cells. */
static bool is_wanted(const struct load *load, const json_t *record)
{
    const char *experiment = orr_json_text(record, "experiment"), *only = load->ledger->only;
    return !*only || load->is_shard || (experiment && orr_ledger_is_of(experiment, only));
}

/* A cell without an id is like no other. */
static int keep_cell(struct load *load, json_t *record)
{
    char unnamed[32];
    const char *id = orr_json_text(record, "id");
    if (!id || !*id) {
        snprintf(unnamed, sizeof unnamed, "#%lld", (long long)orr_json_integer(record, "#"));
        id = unnamed;
    }
    load->ledger->cells++;
    if (!is_wanted(load, record))
        return 0;
    if (!json_object_get(load->cells, id))
        json_object_set_new(load->cells, id, json_array());
    return orr_cell_rounds_put(json_object_get(load->cells, id), record)
               ? orr_fail(ORR_EMEMORY, "no memory for the ledger")
               : 0;
}

static int load_ceiling(struct load *load, json_t *record)
{
    const char *device = orr_json_text(record, "device"), *kind;
    sqlite3_int64 key;
    json_t *rate, *rates = json_object();
    json_object_set(rates, "mix", json_object_get(record, "interactions_per_second"));
    json_object_set(rates, "fma", json_object_get(record, "fma_per_second"));
    json_object_update(rates, json_object_get(record, "pairs"));
    int code = orr_ledger_insert(load->ledger, ORR_RECORD_CEILING, record, load->run_key, &key);
    json_object_foreach(rates, kind, rate)
    {
        if (!code && json_is_number(rate) && device)
            code = orr_ledger_run(load->ledger,
                                  "INSERT INTO ceiling_pair VALUES (?,?,?,?) ON CONFLICT DO UPDATE "
                                  "SET rate = max(rate, excluded.rate)",
                                  "issd", (long long)load->run_key, device, kind,
                                  json_number_value(rate));
    }
    json_decref(rates);
    return code;
}

/* With a resume record it goes on. */
static int load_end(struct load *load, const json_t *record, bool resumed)
{
    const bool interrupted = json_is_true(json_object_get(record, "interrupted"));
    return orr_ledger_run(load->ledger, "UPDATE run SET ended = ? WHERE run_key = ?", "si",
                          resumed       ? NULL
                          : interrupted ? "interrupted"
                                        : "over",
                          (long long)load->run_key);
}

static int load_record(json_t *record, size_t line, void *context)
{
    struct load *load = context;
    const char *kind = orr_json_text(record, "record"), *lacks = NULL;
    char flaw[160];
    sqlite3_int64 key;
    json_object_set_new(record, "#", json_integer((json_int_t)line));
    load->ledger->records += kind != NULL;
    if (!kind)
        lacks = "it is no record";
    else if (strcmp(kind, "run") && !load->run_key)
        lacks = "its run record is missing";
    else if (orr_journal_flaw(flaw, sizeof flaw, record))
        lacks = flaw;
    if (lacks)
        orr_journal_damage_add(&load->ledger->damage, load->path, line, lacks);
    else if (!strcmp(kind, "run")) {
        int code = load_cells(load);
        return code ? code : load_run(load, record);
    } else if (!strcmp(kind, "ceiling"))
        return load_ceiling(load, record);
    else if (!strcmp(kind, "access_ceilings"))
        return orr_ledger_load_access(load->ledger, record, (long long)load->run_key);
    else if (!strcmp(kind, "end") || !strcmp(kind, "resume"))
        return load_end(load, record, !strcmp(kind, "resume"));
    else if (!strcmp(kind, "self"))
        return orr_ledger_insert(load->ledger, ORR_RECORD_SELF, record, load->run_key, &key);
    else if (!strcmp(kind, "cell") && !json_is_true(json_object_get(record, "once")))
        return keep_cell(load, record); /* one step for a profiler is no result */
    return 0;
}

static int note_path(struct orr_ledger *ledger, const char *path)
{
    char **paths = realloc(ledger->paths, (ledger->journals + 1) * sizeof *paths),
         *own = strdup(path);
    if (paths)
        ledger->paths = paths;
    if (paths && own) {
        paths[ledger->journals++] = own;
        return 0;
    }
    free(own);
    return orr_fail(ORR_EMEMORY, "no memory for the ledger");
}

int orr_ledger_load_ahead(struct orr_ledger *ledger, struct orr_ledger_ahead *ahead)
{
    const char *path = ahead->journal.path;
    struct load load = {.ledger = ledger, .path = path, .cells = json_object()};
    size_t passed = 0;
    int code = note_path(ledger, path);
    *ledger->audited = '\0';
    if (!code)
        code = orr_ledger_execute(ledger, "BEGIN");
    if (!code)
        code =
            orr_journal_ahead_each(&ahead->journal, load_record, &load, &ledger->damage, &passed);
    ledger->records += passed;
    ledger->cells += passed;
    if (!code)
        code = load_cells(&load);
    json_decref(load.cells);
    int ended = orr_ledger_execute(ledger, "COMMIT");
    orr_journal_ahead_release(&ahead->journal);
    return code ? code : ended;
}

int orr_ledger_settle(struct orr_ledger *ledger)
{
    return orr_ledger_execute(ledger, sql_ledger_newest);
}

int orr_ledger_add_file(struct orr_ledger *ledger, const char *path)
{
    struct orr_ledger_ahead ahead;
    orr_ledger_read_ahead(&ahead, ledger, path);
    int code = orr_ledger_load_ahead(ledger, &ahead), settled = orr_ledger_settle(ledger);
    return code ? code : settled;
}
