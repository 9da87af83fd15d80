/* The journal of a calibration: made-up cells, five processes each, as lines that the ordinary
 * loader reads. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calibrate/calibrate_parts.h"
#include "datasets/rng.h"
#include "error.h"
#include "json_member.h"
#include "ledger/cell_rounds.h"
#include "ledger/journal_line.h"
#include "run/cell_record.h"
#include "run/worker.h"

/* Processes differ by this, of one standard deviation, and their samples by a quarter of it. */
static const double SCATTER = 0.002, WITHIN = 0.0005;
enum { PROCESSES = 5, SAMPLES = 5, MIDDLE = SAMPLES / 2, TEXT = 64 };

/* What is written: one run for each card. */
struct writer {
    FILE *to;
    const struct orr_ledger *ledger;
    const struct orr_calibration *calibration;
    const char *machine;
    char card[2 * TEXT]; /* of the run in hand */
    int runs;
    bool printed;                      /* this machine has the printed numbers */
    long long cell;                    /* in hand; -1: none */
    int processes;                     /* that measured it */
    json_t *rounds;                    /* its records by process, NULL: none */
    double values[PROCESSES][SAMPLES]; /* the number in hand, as it was measured */
};

static int no_memory(void)
{
    return orr_fail(ORR_EMEMORY, "no memory for a calibration");
}

static int write_record(struct writer *w, const json_t *record)
{
    char *line = record ? orr_journal_line_make(record, true) : NULL;
    int code = !line                    ? no_memory()
               : fputs(line, w->to) < 0 ? orr_fail(ORR_EIO, "cannot write a calibration")
                                        : 0;
    free(line);
    return code;
}

/* --- runs --- */

/* The peak of the card, two operations a multiply-add, is what the ceiling would be. */
static int write_ceiling(struct writer *w)
{
    double peak;
    int code = orr_ledger_numbers(
        &peak, 1, w->ledger,
        "SELECT peak_gflops FROM published_device WHERE paper = ? AND device = ?", "ss",
        w->calibration->paper->key, w->card);
    if (code <= 0 || isnan(peak))
        return code < 0 ? code : 0;
    json_t *record =
        json_pack("{s:s, s:s, s:s, s:i, s:f}", "record", "ceiling", "device", ORR_CALIBRATE_DEVICE,
                  "device_name", w->card, "round", 1, "fma_per_second", 5e8 * peak);
    code = write_record(w, record);
    json_decref(record);
    return code;
}

static int begin_run(struct writer *w, const char *card)
{
    char run[2 * TEXT];
    snprintf(w->card, sizeof w->card, "%s", card);
    snprintf(run, sizeof run, "%s-%d", w->machine, ++w->runs);
    json_t *record =
        json_pack("{s:s, s:i, s:s, s:s, s:{s:s}, s:{s:s}, s:[o]}", "record", "run", "schema",
                  ORR_JOURNAL_SCHEMA, "run", run, "started", "2000-01-01T00:00:00Z", "request",
                  "preset", "paper", "machine", "name", w->machine, "devices",
                  orr_worker_device_to_json(&orr_calibrate_device));
    int code = write_record(w, record);
    json_decref(record);
    return code ? code : write_ceiling(w);
}

/* --- numbers --- */

static int by_value(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The median of the processes that give a printed number is that number; those of a null lie about
 * theirs as chance will have it. */
static void scatter(struct writer *w, const char *what, const char *name, double value)
{
    double deviates[PROCESSES], sorted[PROCESSES];
    const char *texts[] = {w->machine, what, name};
    uint32_t stream = 0;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        for (const char *c = texts[k]; *c; c++)
            stream = stream * 31 + (unsigned char)*c;
    struct orr_rng rng = orr_rng_make(1, stream, (uint64_t)w->cell);
    for (int k = 0; k < PROCESSES; k++)
        sorted[k] = deviates[k] = orr_rng_normal(&rng);
    qsort(sorted, PROCESSES, sizeof *sorted, by_value);
    double middle = w->printed ? sorted[PROCESSES / 2] : 0;
    for (int k = 0; k < PROCESSES; k++)
        for (int s = 0; s < SAMPLES; s++)
            w->values[k][s] =
                value * (1 + SCATTER * (deviates[k] - middle)) * (1 + WITHIN * (s - MIDDLE));
}

static json_t *samples_of(const struct writer *w, int process)
{
    json_t *array = json_array();
    for (int s = 0; s < SAMPLES; s++)
        json_array_append_new(array, json_real(w->values[process][s]));
    return array;
}

static json_t *list_of(json_t *record, const char *name)
{
    if (!json_object_get(record, name))
        json_object_set_new(record, name, json_array());
    return json_object_get(record, name);
}

static json_t *object_of(json_t *record, const char *name)
{
    if (!json_object_get(record, name))
        json_object_set_new(record, name, json_object());
    return json_object_get(record, name);
}

static void put_seconds(const struct writer *w, json_t *record, int process)
{
    const struct orr_cell *cell = &w->calibration->plan.cells[w->cell];
    const double *values = w->values[process], seconds = values[MIDDLE];
    const json_t *steps = orr_json_follow(record, "parameters/steps");
    json_object_set_new(record, "seconds", json_real(seconds));
    json_object_set_new(record, "interval", json_pack("[f, f]", values[0], values[SAMPLES - 1]));
    json_object_set_new(record, "end_to_end_seconds", json_real(seconds));
    json_object_set_new(record, "samples",
                        json_pack("{s:o, s:o}", "step_s", samples_of(w, process), "end_to_end_s",
                                  samples_of(w, process)));
    if (steps)
        json_object_set_new(record, "bodies_per_second",
                            json_real((double)cell->n * (json_number_value(steps) + 1) / seconds));
    if (orr_cell_theta(cell) > 0)
        return;
    double pairs = orr_cell_pairs(cell);
    json_object_set_new(record, "interactions", json_real(pairs));
    json_object_set_new(record, "interactions_per_second", json_real(pairs / seconds));
    json_object_set_new(record, "flops_convention",
                        json_real(pairs * w->calibration->paper->flops_per_interaction));
}

/* "error/median" */
static void put_member(json_t *record, const char *path, double value)
{
    char outer[TEXT];
    const char *slash = strchr(path, '/');
    snprintf(outer, sizeof outer, "%.*s", (int)strcspn(path, "/"), path);
    json_object_set_new(slash ? object_of(record, outer) : record, slash ? slash + 1 : path,
                        json_real(value));
}

/* "Father box/GR" */
static void put_count(json_t *record, const char *name, double value)
{
    char procedure[TEXT];
    const char *slash = strrchr(name, '/');
    snprintf(procedure, sizeof procedure, "%.*s", slash ? (int)(slash - name) : 0, name);
    json_object_set_new(object_of(object_of(record, "counts"), procedure), slash ? slash + 1 : name,
                        json_integer((json_int_t)llround(value)));
}

/* One number of one process. Only times scatter. */
static void put(const struct writer *w, json_t *record, int process, const char *what,
                const char *name, double value)
{
    if (!strcmp(what, "seconds"))
        put_seconds(w, record, process);
    else if (!strcmp(what, "phase"))
        json_array_append_new(
            list_of(record, "phases"),
            json_pack("{s:s, s:o}", "name", name, "kernel_s", samples_of(w, process)));
    else if (!strcmp(what, "stage"))
        json_array_append_new(list_of(record, "stages"),
                              json_pack("{s:s, s:f, s:b, s:o}", "name", name, "seconds",
                                        w->values[process][MIDDLE], "in_step", true, "host_s",
                                        samples_of(w, process)));
    else if (!strcmp(what, "figure"))
        json_object_set_new(object_of(record, "figures"), name, json_real(value));
    else if (!strcmp(what, "kernel"))
        json_array_append_new(
            list_of(record, "kernels"),
            json_pack("{s:s, s:I}", "name", "loop", name, (json_int_t)llround(value)));
    else if (!strcmp(what, "count"))
        put_count(record, name, value);
    else
        put_member(record, name, value);
}

/* --- cells --- */

static int begin_cell(struct writer *w, long long cell)
{
    w->cell = cell;
    w->processes = PROCESSES;
    w->rounds = json_array();
    for (int k = 0; k < PROCESSES; k++) {
        json_t *record = json_deep_copy(json_array_get(w->calibration->records, (size_t)cell));
        if (!record || json_array_append_new(w->rounds, record))
            return no_memory();
        json_object_set_new(record, "round", json_integer(k + 1));
        json_object_set_new(record, "device_name", json_string(w->card));
        json_object_set_new(record, "outcome", json_string("ok"));
    }
    return 0;
}

/* The cells that a run would scale from the one in hand. */
static int write_scaled(struct writer *w)
{
    const struct orr_plan *plan = &w->calibration->plan;
    json_t *source = orr_cell_rounds_merge(w->rounds);
    int code = source ? 0 : no_memory();
    for (size_t k = 0; !code && k < plan->count; k++) {
        if (strcmp(plan->cells[k].extrapolate_from, plan->cells[w->cell].id) != 0)
            continue;
        json_t *record = orr_cell_record_extrapolate(&plan->cells[k], source);
        code = write_record(w, record);
        json_decref(record);
    }
    json_decref(source);
    return code;
}

static int end_cell(struct writer *w)
{
    size_t k;
    json_t *record;
    int code = 0;
    if (!w->rounds)
        return 0;
    json_array_foreach(w->rounds, k, record)
    {
        if (!code && k < (size_t)w->processes)
            code = write_record(w, record);
    }
    if (!code && w->printed)
        code = write_scaled(w);
    json_decref(w->rounds);
    w->rounds = NULL;
    w->cell = -1;
    return code;
}

/* --- all --- */

enum { CARD, CELL, WHAT, NAME, VALUE };

static int write_number(struct writer *w, sqlite3_stmt *row)
{
    const char *card = orr_ledger_text(row, CARD), *what = orr_ledger_text(row, WHAT),
               *name = orr_ledger_text(row, NAME);
    bool other = strcmp(w->card, card) != 0 || !w->runs;
    long long cell = sqlite3_column_int64(row, CELL);
    double value = orr_ledger_number(row, VALUE);
    int code = other || cell != w->cell ? end_cell(w) : 0;
    if (!code && other)
        code = begin_run(w, card);
    if (!code && w->printed && *w->calibration->plan.cells[cell].extrapolate_from)
        return 0; /* comes of its source */
    if (!code && !w->rounds)
        code = begin_cell(w, cell);
    if (code)
        return code;
    if (!strcmp(what, "seconds") && *name)
        w->processes = 1; /* not printed */
    scatter(w, what, name, value);
    for (int k = 0; k < PROCESSES; k++)
        put(w, json_array_get(w->rounds, (size_t)k), k, what, name, value);
    return 0;
}

static int write_all(struct writer *w)
{
    static const char sql[] =
        "SELECT coalesce(max(card) OVER (PARTITION BY cell), '') AS card, cell, what, name, value"
        " FROM given WHERE machine = ? ORDER BY 1, cell, what, name";
    sqlite3_stmt *row;
    int code = orr_ledger_query(&row, w->ledger, sql, "s", w->machine), more = code;
    while (!code && (more = orr_ledger_next(row, w->ledger)) > 0)
        code = write_number(w, row);
    sqlite3_finalize(row);
    int ended = end_cell(w);
    return code ? code : more < 0 ? more : ended;
}

int orr_calibrate_journal(struct orr_ledger *to, const struct orr_ledger *from,
                          const struct orr_calibration *calibration, const char *machine)
{
    const char *base = getenv("TMPDIR");
    char path[1024];
    snprintf(path, sizeof path, "%s/orrery-calibration-XXXXXX", base && *base ? base : "/tmp");
    struct writer writer = {.ledger = from,
                            .calibration = calibration,
                            .machine = machine,
                            .printed = !strcmp(machine, ORR_CALIBRATE_PRINTED),
                            .cell = -1};
    int fd = mkstemp(path), code = 0;
    writer.to = fd < 0 ? NULL : fdopen(fd, "w");
    if (!writer.to)
        return orr_fail(ORR_EIO, "cannot write to %s; TMPDIR names another folder", path);
    code = write_all(&writer);
    if (fclose(writer.to) && !code)
        code = orr_fail(ORR_EIO, "cannot write to %s", path);
    if (!code)
        code = orr_ledger_add_file(to, path);
    if (!code && to->damage.count)
        code = orr_fail(ORR_EINTERNAL, "calibration: %s", to->damage.text);
    unlink(path);
    return code;
}
