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
#include "sql/ledger/rounds.h"

int orr_cell_rounds_of(const json_t *record)
{
    json_int_t round = orr_json_integer(record, "round");
    return round > 0 && round < 1000000 ? (int)round : 1;
}

static bool is_extrapolated(const json_t *record)
{
    return json_object_get(record, "extrapolated_from");
}

void orr_cell_rounds_put(json_t *rounds, json_t *record)
{
    size_t place = 0;
    const json_t *first = json_array_get(rounds, 0);
    if (first && is_extrapolated(first) != is_extrapolated(record)) {
        if (is_extrapolated(record))
            return;
        json_array_clear(rounds);
    }
    while (place < json_array_size(rounds) &&
           orr_cell_rounds_of(json_array_get(rounds, place)) < orr_cell_rounds_of(record))
        place++;
    const json_t *there = json_array_get(rounds, place);
    bool again = there && orr_cell_rounds_of(there) == orr_cell_rounds_of(record);
    if (again)
        json_array_set(rounds, place, record);
    else
        json_array_insert(rounds, place, record);
}

/* --- rounds in SQL --- */

/* What is made of a column of the rounds that count. */
static void print_made(FILE *to, const struct orr_member *column)
{
    static const char *const made[] = {[ORR_ROUNDS_NONE] = "first_known(p.",
                                       [ORR_ROUNDS_MEDIAN] = "median(p.",
                                       [ORR_ROUNDS_SUM] = "sum(p.",
                                       [ORR_ROUNDS_MAX] = "max(p.",
                                       [ORR_ROUNDS_MADE] = "(made."};
    fprintf(to, "%s%s) AS %s", made[column->rounds], column->column, column->column);
}

int orr_cell_rounds_make_schema(struct orr_ledger *ledger)
{
    char *sql = NULL;
    size_t size = 0;
    int code = orr_ledger_execute(ledger, "ATTACH ':memory:' AS rounds");
    if (!code)
        code = orr_ledger_create_table(ledger, &orr_ledger_maps[ORR_RECORD_ROUND]);
    if (!code)
        code = orr_ledger_execute(ledger, sql_ledger_rounds);
    FILE *text = orr_memory_stream(&sql, &size);
    fputs("CREATE VIEW rounds.cell AS SELECT ", text);
    for (const struct orr_member *m = NULL, *next;
         (next = orr_ledger_next_column("cell", false, m)); m = next) {
        fputs(m ? ", " : "", text);
        print_made(text, next);
    }
    fputs(" FROM made CROSS JOIN chosen c CROSS JOIN process p USING (process_key) WHERE c.counts",
          text);
    fclose(text);
    code = code ? code : orr_ledger_execute(ledger, sql);
    free(sql);
    return code;
}

static void choose(struct orr_rounds *out, struct orr_ledger *ledger, const json_t *rounds)
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

/* Steps of the rounds that are alike; whole: each has some. */
static void gather(struct orr_levels *out, bool *whole, const struct orr_rounds *rounds)
{
    size_t k, p, all = 0, used = 0;
    json_t *value;
    for (p = 0; p < rounds->count; p++)
        all += json_array_size(orr_cell_rounds_steps(rounds, p));
    double *values = orr_memory_get((all + 1) * sizeof *values);
    size_t *counts = orr_memory_get((rounds->count + 1) * sizeof *counts);
    *out = (struct orr_levels){values, counts, rounds->count};
    *whole = true;
    for (p = 0; p < rounds->count; p++) {
        json_array_foreach (orr_cell_rounds_steps(rounds, p), k, value) {
            if (!json_is_number(value))
                continue;
            values[used++] = json_number_value(value);
            counts[p]++;
        }
        *whole = *whole && counts[p];
    }
}

static void release(const struct orr_levels *levels)
{
    free((void *)levels->values);
    free((void *)levels->counts);
}

/* Also of a single round, whose own median and interval are the same. One sample has no interval:
 * it would say that nothing varies. */
static void summarise(struct orr_ledger *ledger, const struct orr_rounds *rounds)
{
    struct orr_level_summary s;
    struct orr_levels levels;
    bool whole;
    gather(&levels, &whole, rounds);
    if (whole && !ledger->failed && !(ledger->failed = orr_stats_levels(&s, &levels)))
        orr_ledger_put(ledger, "INSERT INTO rounds.summary VALUES (?,?,?,?,?,?,?,?,?)", "dddddddid",
                       s.median, s.interval[0], s.interval[1], s.within, s.between, s.p5, s.p95,
                       (long long)s.two_peaks, s.halving);
    release(&levels);
}

json_t *orr_cell_rounds_steps(const struct orr_rounds *rounds, size_t round)
{
    const json_t *samples = json_object_get(rounds->records[round], "samples");
    return json_object_get(samples, rounds->single[round] ? "single_s" : "step_s");
}

void orr_cell_rounds_load(struct orr_rounds *out, struct orr_ledger *ledger, const json_t *rounds,
                          sqlite3_int64 run_key)
{
    size_t k, count = json_array_size(rounds);
    json_t *record;
    *out = (struct orr_rounds){.records = orr_memory_get((count + 1) * sizeof *out->records),
                               .single = orr_memory_get(count + 1)};
    orr_ledger_put(ledger, "DELETE FROM rounds.process", "");
    orr_ledger_put(ledger, "DELETE FROM rounds.summary", "");
    json_array_foreach (rounds, k, record)
        orr_ledger_insert(ledger, ORR_RECORD_ROUND, record, run_key);
    choose(out, ledger, rounds);
    if (out->merges)
        summarise(ledger, out);
}

void orr_cell_rounds_release(struct orr_rounds *rounds)
{
    free(rounds->records);
    free(rounds->single);
    *rounds = (struct orr_rounds){0};
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

json_t *orr_cell_rounds_whole(const struct orr_rounds *rounds)
{
    json_t *whole = json_copy(rounds->first);
    for (size_t p = 0; rounds->merges && p < rounds->count; p++)
        json_object_update_missing(whole, rounds->records[p]);
    return whole;
}

/* What is made of several rounds takes the place of the first one's. */
static json_t *merge(struct orr_ledger *ledger, const struct orr_rounds *rounds)
{
    const struct orr_member *m = NULL;
    sqlite3_stmt *row;
    json_t *merged = orr_cell_rounds_whole(rounds), *steps = json_array();
    if (!orr_ledger_keep(&row, ledger, "SELECT * FROM rounds.cell") &&
        orr_ledger_next(row, ledger) > 0)
        for (int k = 0; (m = orr_ledger_next_column("cell", false, m)); k++)
            if (m->rounds &&
                (rounds->merges || !strcmp(m->column, "processes") || !strcmp(m->column, "reason")))
                set_member(merged, m->path, value_of(row, k, m));
    for (size_t p = 0; p < rounds->count; p++)
        json_array_extend(steps, orr_cell_rounds_steps(rounds, p));
    if (rounds->merges && !json_object_get(merged, "spread"))
        json_object_set_new(merged, "spread", json_object());
    if (rounds->merges)
        json_object_set_new(merged, "samples", json_pack("{s:O}", "step_s", steps));
    json_decref(steps);
    json_object_del(merged, "round");
    return merged;
}

json_t *orr_cell_rounds_merge(const json_t *rounds)
{
    struct orr_ledger ledger;
    struct orr_rounds chosen;
    json_t *merged = NULL;
    if (orr_ledger_open_rounds(&ledger))
        return NULL;
    orr_cell_rounds_load(&chosen, &ledger, rounds, 0);
    if (!ledger.failed)
        merged = merge(&ledger, &chosen);
    orr_cell_rounds_release(&chosen);
    orr_ledger_close(&ledger);
    return merged;
}
