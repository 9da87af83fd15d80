/* From journal records to rows. */
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "json_member.h"
#include "ledger/journal.h"
#include "ledger/journal_flaw.h"
#include "ledger/ledger_parts.h"

/* The journal being read. */
struct load {
    struct orr_ledger *ledger;
    const char *path;
    sqlite3_int64 run_key; /* 0 before a run record */
    size_t line;           /* of the record */
};

static int bind_json(sqlite3_stmt *statement, int at, const json_t *value, const char *type)
{
    if (!strcmp(type, "JSON") && (json_is_object(value) || json_is_array(value))) {
        char *text = json_dumps(value, JSON_COMPACT | JSON_SORT_KEYS);
        return text ? sqlite3_bind_text(statement, at, text, -1, free) : SQLITE_NOMEM;
    }
    if (!strcmp(type, "TEXT") && json_is_string(value))
        return sqlite3_bind_text(statement, at, json_string_value(value), -1, SQLITE_TRANSIENT);
    if (!strcmp(type, "INTEGER") && json_is_boolean(value))
        return sqlite3_bind_int(statement, at, json_is_true(value));
    if (!strcmp(type, "INTEGER") && json_is_integer(value))
        return sqlite3_bind_int64(statement, at, json_integer_value(value));
    if (strcmp(type, "TEXT") && strcmp(type, "JSON") && json_is_number(value))
        return sqlite3_bind_double(statement, at, json_number_value(value));
    return sqlite3_bind_null(statement, at);
}

static char *insert_sql(const struct orr_record_map *map)
{
    char *sql = NULL;
    size_t size = 0;
    FILE *text = open_memstream(&sql, &size);
    if (!text)
        return NULL;
    fprintf(text, "INSERT INTO %s(", map->table);
    for (size_t k = 0; k < map->count; k++)
        fprintf(text, "%s%s", k ? "," : "", map->fields[k].column);
    fputs(") VALUES (", text);
    for (size_t k = 0; k < map->count; k++)
        fputs(k ? ",?" : "?", text);
    fputs(")", text);
    fclose(text);
    return sql;
}

static int bind_field(sqlite3_stmt *statement, int at, const struct orr_field *field,
                      const json_t *record, const struct load *load, sqlite3_int64 parent)
{
    if (!*field->path)
        return sqlite3_bind_int64(statement, at, parent);
    if (!strcmp(field->path, "#"))
        return sqlite3_bind_int64(statement, at, (sqlite3_int64)load->line);
    return bind_json(statement, at, orr_json_follow(record, field->path), field->type);
}

/* Inserts one record; columns the loader fills itself take `parent`. *key receives the new primary
 * key. */
static int insert(const struct load *load, enum orr_record_kind kind, const json_t *record,
                  sqlite3_int64 parent, sqlite3_int64 *key)
{
    struct orr_ledger *ledger = load->ledger;
    const struct orr_record_map *map = &orr_ledger_maps[kind];
    sqlite3_stmt *statement = NULL;
    char *sql = insert_sql(map);
    int code = sql ? orr_ledger_keep(&statement, ledger, sql)
                   : orr_fail(ORR_EMEMORY, "no memory for the ledger");
    int status = SQLITE_OK;
    free(sql);
    if (code)
        return code;
    for (size_t k = 0; status == SQLITE_OK && k < map->count; k++)
        status = bind_field(statement, (int)k + 1, &map->fields[k], record, load, parent);
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

static int load_run(struct load *load, const json_t *record)
{
    int code = insert(load, ORR_RECORD_RUN, record, 0, &load->run_key);
    if (code)
        return code;
    char folder[256];
    folder_name(folder, sizeof folder, load->path);
    const char *machine = json_string_value(orr_json_follow(record, "machine/name"));
    code = orr_ledger_run(load->ledger,
                          "UPDATE run SET path = ?, machine = ?, operand = ? WHERE run_key = ?",
                          "sssi", load->path, machine && *machine ? machine : folder,
                          load->ledger->operand, (long long)load->run_key);
    size_t index;
    json_t *device;
    sqlite3_int64 key;
    json_array_foreach(json_object_get(record, "devices"), index, device) if (!code) code =
        insert(load, ORR_RECORD_DEVICE, device, load->run_key, &key);
    return code;
}

static bool is_throttled(const json_t *throttled, size_t index)
{
    size_t k;
    json_t *mark;
    json_array_foreach(throttled, k,
                       mark) if ((size_t)json_integer_value(mark) == index) return true;
    return false;
}

static int load_samples(struct orr_ledger *ledger, const json_t *cell, sqlite3_int64 key)
{
    static const char *const kinds[] = {"step_s", "kernel_s", "end_to_end_s"};
    const json_t *samples = json_object_get(cell, "samples"),
                 *throttled = json_object_get(samples, "throttled");
    for (size_t kind = 0; kind < 3; kind++) {
        size_t index;
        json_t *value;
        json_array_foreach(json_object_get(samples, kinds[kind]), index, value)
        {
            if (!json_is_number(value))
                continue;
            int code =
                orr_ledger_run(ledger, "INSERT INTO sample VALUES (?,?,?,?,?)", "isidi",
                               (long long)key, kinds[kind], (long long)index,
                               json_number_value(value), (long long)is_throttled(throttled, index));
            if (code)
                return code;
        }
    }
    return 0;
}

/* Seconds of a phase or of a stage within the step, sample by sample, into `table`. */
static int load_series(struct orr_ledger *ledger, const char *table, const json_t *part,
                       const char *member, sqlite3_int64 key)
{
    const char *name = orr_json_text(part, "name");
    char sql[64];
    size_t index;
    json_t *value;
    snprintf(sql, sizeof sql, "INSERT INTO %s VALUES (?,?,?,?)", table);
    json_array_foreach(json_object_get(part, member), index, value)
    {
        int code = orr_ledger_run(ledger, sql, "isid", (long long)key, name ? name : "",
                                  (long long)index, json_number_value(value));
        if (code)
            return code;
    }
    return 0;
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

/* Counts, figures and error curves. */
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
    for (size_t k = 0; !code && k < sizeof normalisations / sizeof *normalisations; k++)
        code = load_curve(ledger, orr_json_follow(record, "error/curve"), normalisations[k], key);
    return code;
}

static int load_cell(struct load *load, const json_t *record)
{
    sqlite3_int64 key, part_key;
    int code = insert(load, ORR_RECORD_CELL, record, load->run_key, &key);
    if (!code)
        code = load_samples(load->ledger, record, key);
    size_t index;
    json_t *part;
    json_array_foreach(json_object_get(record, "kernels"), index, part) if (!code) code =
        insert(load, ORR_RECORD_KERNEL, part, key, &part_key);
    json_array_foreach(json_object_get(record, "phases"), index, part) if (!code) code =
        load_series(load->ledger, "phase", part, "kernel_s", key);
    json_array_foreach(json_object_get(record, "stages"), index, part)
    {
        if (!code)
            code = insert(load, ORR_RECORD_STAGE, part, key, &part_key);
        if (!code)
            code = load_series(load->ledger, "stage_sample", part, "host_s", key);
    }
    if (!code)
        code = load_findings(load->ledger, record, key);
    load->ledger->cells++;
    return code;
}

static int load_record(json_t *record, size_t line, void *context)
{
    struct load *load = context;
    load->line = line;
    const char *kind = orr_json_text(record, "record"), *lacks = NULL;
    char flaw[160];
    sqlite3_int64 key;
    if (!kind)
        lacks = "it is no record";
    else if (strcmp(kind, "run") && !load->run_key)
        lacks = "its run record is missing";
    else if (orr_journal_flaw(flaw, sizeof flaw, record))
        lacks = flaw;
    if (lacks)
        orr_journal_damage_add(&load->ledger->damage, load->path, line, lacks);
    else if (!strcmp(kind, "run"))
        return load_run(load, record);
    else if (!strcmp(kind, "ceiling"))
        return insert(load, ORR_RECORD_CEILING, record, load->run_key, &key);
    else if (!strcmp(kind, "cell"))
        return load_cell(load, record);
    return 0;
}

int orr_ledger_add_file(struct orr_ledger *ledger, const char *path)
{
    struct load load = {.ledger = ledger, .path = path};
    int code = orr_ledger_execute(ledger, "BEGIN");
    if (code)
        return code;
    code = orr_journal_read(path, load_record, &load, &ledger->damage);
    ledger->journals++;
    int ended = orr_ledger_execute(ledger, "COMMIT");
    return code ? code : ended;
}
