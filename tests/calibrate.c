/* SPDX-License-Identifier: MIT */
/* The judge judged (docs/METHOD.md): each paper's printed numbers as a journal, which its own
 * claims must find reproduced, and numbers that say nothing, which they must not. tests/calibrate/
 * has the SQL that makes them up and says what came of it, a paper's calibration.sql what its
 * quantities mean beyond times, rates, ratios and registers.
 *
 * usage: calibrate [--json] [PAPER]      exit code 1 where a calibration fails */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "audit/audit.h"
#include "claims/claims.h"
#include "cli/cli.h"
#include "datasets/rng.h"
#include "error.h"
#include "json_member.h"
#include "names.h"
#include "paths.h"
#include "plan/plan.h"
#include "plugin/plugin.h"
#include "referee/cell_record.h"
#include "worker/worker.h"
#include "sql/calibrate/assessed.h"
#include "sql/calibrate/feed.h"
#include "sql/calibrate/journal.h"
#include "sql/calibrate/judged.h"
#include "sql/calibrate/nulls.h"
#include "sql/calibrate/planned.h"
#include "text.h"
#include "tests/released.h"

/* The card of every paper: it runs all of its cells. */
static const struct orr_device_info card = {
    .id = "cuda:0", .backend = "cuda", .name = "the paper's", .kind = ORR_DEVICE_GPU, .fp64 = true};
static struct orr_plan plan; /* of the paper in hand */

static int execute(const struct orr_ledger *ledger, const char *sql)
{
    return sqlite3_exec(ledger->db, sql, NULL, NULL, NULL) == SQLITE_OK
               ? 0
               : orr_fail(ORR_EINTERNAL, "calibration: %s", sqlite3_errmsg(ledger->db));
}

/* --- what SQL is offered --- */

enum { PROCESSES = 5, MIDDLE = 3 };

static int by_value(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* How much longer a process of a cell takes beside other programs: up to half as long again, of the
 * machines "dealt-" one in two. Beyond the last process stands the median. */
static double slowdown(const char *machine, long long cell, int process)
{
    const bool dealt = !strncmp(machine, "dealt-", 6);
    if (!dealt && strcmp(machine, "loaded") != 0)
        return 1;
    struct orr_rng rng = orr_rng_make(2, (uint32_t)machine[strlen(machine) - 1], (uint64_t)cell);
    double each[PROCESSES];
    for (int k = 0; k < PROCESSES; k++) {
        const double coin = orr_rng_uniform(&rng), turn = orr_rng_uniform(&rng);
        each[k] = dealt && coin < 0.5 ? 1 : 1 + 0.5 * turn;
    }
    if (process <= PROCESSES)
        return each[process - 1];
    qsort(each, PROCESSES, sizeof *each, by_value);
    return each[PROCESSES / 2];
}

/* beside(machine, cell, process): what a record says of the programs that slowed it down. */
static void beside(sqlite3_context *context, int count, sqlite3_value **of)
{
    const double slower = slowdown((const char *)sqlite3_value_text(of[0]),
                                   sqlite3_value_int64(of[1]), sqlite3_value_int(of[2])),
                 cores = 2 * (1 - 1 / slower);
    char text[160] = "{}";
    (void)count;
    if (slower > 1)
        snprintf(text, sizeof text,
                 "{\"beside\":\"others used %.2g of 2 cores\",\"surroundings\":{\"cpus\":2,"
                 "\"others_cores\":%.17g}}",
                 cores, cores);
    sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

/* measured(machine, what, name, cell, process, sample, value): processes scatter by 0.2 %, one
 * standard deviation, and their samples by a quarter of it. The median of those that give a printed
 * number is that number; those of a null lie about theirs as chance will have it. */
static void measured(sqlite3_context *context, int count, sqlite3_value **of)
{
    double deviates[PROCESSES + 1], sorted[PROCESSES];
    uint32_t stream = 0;
    (void)count;
    for (int k = 0; k < 3; k++)
        for (const unsigned char *c = sqlite3_value_text(of[k]); c && *c; c++)
            stream = stream * 31 + *c;
    struct orr_rng rng = orr_rng_make(1, stream, (uint64_t)sqlite3_value_int64(of[3]));
    for (int k = 0; k < PROCESSES; k++)
        sorted[k] = deviates[k] = orr_rng_normal(&rng);
    qsort(sorted, PROCESSES, sizeof *sorted, by_value);
    const char *machine = (const char *)sqlite3_value_text(of[0]);
    const bool printed = !strcmp(machine, "published");
    const double middle = printed ? sorted[PROCESSES / 2] : 0;
    deviates[PROCESSES] = middle;
    const int process = sqlite3_value_int(of[4]) - 1, sample = sqlite3_value_int(of[5]);
    sqlite3_result_double(context, sqlite3_value_double(of[6]) *
                                       slowdown(machine, sqlite3_value_int64(of[3]), process + 1) *
                                       (1 + 0.002 * (deviates[process] - middle)) *
                                       (1 + 0.0005 * (sample - MIDDLE)));
}

/* Lists are made longer, objects fuller. */
static void add(json_t *to, json_t *more)
{
    const char *name;
    json_t *value;
    json_object_foreach (more, name, value) {
        json_t *old = json_object_get(to, name);
        if (json_is_array(old))
            json_array_extend(old, value);
        else if (json_is_object(old))
            add(old, value);
        else
            json_object_set(to, name, value);
    }
}

static void merged_step(sqlite3_context *context, int count, sqlite3_value **of)
{
    json_t **all = sqlite3_aggregate_context(context, sizeof *all);
    json_auto_t *more = json_loads((const char *)sqlite3_value_text(of[0]), 0, NULL);
    (void)count;
    if (!*all)
        *all = json_object();
    add(*all, more);
}

static void give_json(sqlite3_context *context, json_t *value)
{
    char *text = json_dumps(value, JSON_COMPACT);
    sqlite3_result_text(context, text, -1, free);
    json_decref(value);
}

static void merged_final(sqlite3_context *context)
{
    json_t **all = sqlite3_aggregate_context(context, sizeof *all);
    give_json(context, *all);
}

/* scaled(cell, record): the cell as a run would scale it from the record of its source. */
static void scaled(sqlite3_context *context, int count, sqlite3_value **of)
{
    json_auto_t *source = json_loads((const char *)sqlite3_value_text(of[1]), 0, NULL);
    (void)count;
    give_json(context,
              orr_cell_record_extrapolate(&plan.cells[sqlite3_value_int64(of[0])], source));
}

static int offer(struct orr_ledger *ledger)
{
    static const struct orr_ledger_function functions[] = {
        {"measured", 7, .call = measured},
        {"beside", 3, .call = beside},
        {"merged", 1, .step = merged_step, .final = merged_final},
        {"scaled", 2, .call = scaled}};
    return orr_ledger_add_functions(ledger, functions, sizeof functions / sizeof *functions, NULL);
}

/* --- the plan: what the preset `paper` would measure with one GPU --- */

/* Defaults that come from the data set are not known. */
static int add_defaults(json_t *records, const char *variant)
{
    RELEASED_BY(orr_inspect_release) struct orr_inspection inspection;
    int code = orr_plugin_inspect(&inspection, variant);
    for (size_t k = 0; !code && k < plan.count; k++) {
        json_t *parameters = json_object_get(json_array_get(records, k), "parameters");
        for (size_t p = 0; p < inspection.variant.param_count; p++) {
            const struct orr_param *param = &inspection.params[p];
            json_auto_t *value = orr_params_value(param, param->fallback);
            if (!strcmp(plan.cells[k].variant, variant) && !json_is_null(value) &&
                !json_object_get(parameters, param->name))
                json_object_set(parameters, param->name, value);
        }
    }
    return code;
}

static bool is_first(size_t at)
{
    for (size_t k = 0; k < at; k++)
        if (!strcmp(plan.cells[k].variant, plan.cells[at].variant))
            return false;
    return true;
}

static long long place_of(const char *id)
{
    for (size_t k = 0; *id && k < plan.count; k++)
        if (!strcmp(plan.cells[k].id, id))
            return (long long)k;
    return -1;
}

static int put_cell(struct orr_ledger *ledger, size_t at, const json_t *record)
{
    static const char sql[] =
        "INSERT INTO planned SELECT ?1, r ->> 'id', r ->> 'experiment', r ->> 'variant',"
        " r ->> 'device', r ->> '$.dataset.name', r ->> '$.dataset.n', nullif(?2, -1),"
        " nullif(?3, 0), r ->> '$.parameters.steps', r ->> '$.parameters.theta', r -> 'parameters',"
        " ?4, nullif(?5, -1), ?6, r FROM (SELECT ?7 AS r)";
    const struct orr_cell *cell = &plan.cells[at];
    const double pairs = orr_cell_pairs(cell);
    RELEASED_BY(free_text) char *text = json_dumps(record, JSON_COMPACT);
    int code =
        orr_ledger_run(ledger, sql, "iiidids", (long long)at, (long long)orr_cell_level(cell),
                       (long long)orr_cell_per_box(cell), pairs, place_of(cell->extrapolate_from),
                       orr_cell_theta(cell) > 0 ? NAN : pairs, text);
    return code;
}

static int fill_plan(struct orr_ledger *ledger, const struct orr_paper *paper)
{
    char id[sizeof card.id];
    char *what[] = {(char *)paper->key}, *devices[] = {strcpy(id, card.id)};
    const struct orr_request request = {
        .what = {what, 1}, .devices = {devices, 1}, .preset = "paper"};
    json_auto_t *records = json_array(), *device = orr_worker_device_to_json(&card);
    RELEASED_BY(free_text) char *description = json_dumps(device, JSON_COMPACT);
    int code = orr_plan_make(&plan, &request, &card, 1);
    for (size_t k = 0; k < plan.count; k++)
        json_array_append_new(records, orr_cell_record_begin(&plan.cells[k]));
    for (size_t k = 0; !code && k < plan.count; k++)
        if (is_first(k))
            code = add_defaults(records, plan.cells[k].variant);
    for (size_t k = 0; !code && k < plan.count; k++)
        code = put_cell(ledger, k, json_array_get(records, k));
    if (!code)
        code = orr_ledger_run(ledger, "INSERT INTO card VALUES (?)", "s", description);
    return code;
}

/* --- the paper's own file, statement by statement --- */

static int feed_paper(const struct orr_ledger *ledger, const struct orr_paper *paper)
{
    static const char *const writable[] = {"fed", NULL};
    static const struct orr_ledger_guard guard = {
        .writable = writable,
        .rule = "a calibration may read the ledger, write to the table fed and create temporary"
                " views"};
    return orr_ledger_run_own(ledger, &guard, paper->key,
                              "calibration.sql"); /* quantities that explain themselves need none */
}

/* --- the judgement --- */

/* Writes the machine's lines to a file, which is loaded into `to`. */
static int load_journal(struct orr_ledger *to, const struct orr_ledger *from, const char *machine)
{
    char path[] = "/tmp/orrery-calibration-XXXXXX";
    sqlite3_stmt *row = NULL;
    int fd = mkstemp(path), more = 0;
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    if (!file)
        return orr_fail(ORR_EIO, "cannot write to %s", path);
    int code = orr_ledger_query(
        &row, from, "SELECT line FROM line WHERE machine = ? ORDER BY card, cell, process", "s",
        machine);
    while (!code && (more = orr_ledger_next(row, from)) > 0)
        fprintf(file, "%s\n", orr_ledger_text(row, 0));
    sqlite3_finalize(row);
    if (fclose(file) && !code)
        code = orr_fail(ORR_EIO, "cannot write to %s", path);
    if (!code && !more)
        code = orr_ledger_add(to, path);
    if (!code && to->damage.count)
        code = orr_fail(ORR_EINTERNAL, "calibration: %s", to->damage.text);
    unlink(path);
    return code ? code : more;
}

/* The view `name` of one machine's ledger, each row with the machine before it. */
static int keep(const struct orr_ledger *to, const struct orr_ledger *from, const char *name,
                const char *machine)
{
    char sql[160], places[64] = "?";
    RELEASED_BY(end_query) sqlite3_stmt *row = NULL, *insert = NULL;
    snprintf(sql, sizeof sql, "SELECT ?, * FROM %s", name);
    int code = orr_ledger_query(&row, from, sql, "s", machine), more = 0;
    for (int k = 1; !code && k < sqlite3_column_count(row); k++)
        strcat(places, ",?");
    snprintf(sql, sizeof sql, "INSERT INTO %s VALUES (%s)", name, places);
    if (!code)
        code = orr_ledger_query(&insert, to, sql, "");
    while (!code && (more = orr_ledger_next(row, from)) > 0) {
        sqlite3_reset(insert);
        for (int k = 0; k < sqlite3_column_count(row); k++)
            sqlite3_bind_value(insert, k + 1, sqlite3_column_value(row, k));
        code = orr_ledger_next(insert, to);
    }
    return code ? code : more;
}

/* Each machine is judged by itself, as claims take longer than twice as long for two. */
static int judge(const struct orr_ledger *ledger, const struct orr_paper *paper,
                 const char *machine)
{
    RELEASED_BY(orr_ledger_close) struct orr_ledger own = {0};
    int code = orr_ledger_open(&own);
    if (!code)
        code = orr_ledger_add_paper(&own, paper);
    if (!code)
        code = load_journal(&own, ledger, machine);
    if (!code && (code = orr_claims_judge(&own, paper)) > 0)
        code = execute(&own, sql_calibrate_judged);
    if (!code)
        code = keep(ledger, &own, "told", machine);
    if (!code)
        code = keep(ledger, &own, "told_part", machine);
    return code;
}

static int judge_all(const struct orr_ledger *ledger, const struct orr_paper *paper)
{
    RELEASED_BY(end_query) sqlite3_stmt *row;
    int code = orr_ledger_query(&row, ledger, "SELECT machine FROM machine ORDER BY place", "");
    int more = 0;
    while (!code && (more = orr_ledger_next(row, ledger)) > 0)
        code = judge(ledger, paper, orr_ledger_text(row, 0));
    return code ? code : more;
}

static int fill(struct orr_ledger *ledger, const struct orr_paper *paper)
{
    int code = offer(ledger);
    if (!code)
        code = execute(ledger, sql_calibrate_planned);
    if (!code)
        code = fill_plan(ledger, paper);
    if (!code)
        code = execute(ledger, sql_calibrate_feed);
    if (!code)
        code = orr_audit_fill(ledger, paper); /* formulas are printed, too */
    if (!code)
        code = feed_paper(ledger, paper);
    if (!code)
        code = execute(ledger, sql_calibrate_nulls);
    return code ? code : execute(ledger, sql_calibrate_journal);
}

/* Adds the rows of the view `calibration`; nothing of a paper without claims. */
static int calibrate(json_t *rows, const char *key)
{
    RELEASED_BY(free_paper) struct orr_paper *paper = NULL;
    RELEASED_BY(orr_ledger_close) struct orr_ledger ledger = {0};
    sqlite3_stmt *statement;
    char path[PATH_MAX];
    const char *shown;
    int code = orr_paper_load(&paper, key);
    if (!code)
        code = orr_paths_paper(path, sizeof path, &shown, key, "claims.sql");
    const bool judges = !code && !access(path, F_OK);
    if (judges)
        code = orr_ledger_open(&ledger);
    if (judges && !code)
        code = orr_ledger_add_paper(&ledger, paper);
    if (judges && !code)
        code = fill(&ledger, paper);
    if (judges && !code)
        code = judge_all(&ledger, paper);
    if (judges && !code)
        code = execute(&ledger, sql_calibrate_assessed);
    if (judges && !code)
        code = orr_ledger_query(&statement, &ledger, "SELECT ? AS paper, * FROM calibration", "s",
                                key);
    if (judges && !code)
        code = orr_cli_query_rows(rows, &ledger, statement, "amiss unrefuted opposite");
    orr_plan_release(&plan);
    return code;
}

/* --- what is shown --- */

/* Below the table: what is not as it should be, or is not and may be. */
static void print_amiss(const json_t *row)
{
    const char *paper = orr_json_text(row, "paper"), *claim = orr_json_text(row, "claim"),
               *refuted = orr_json_text(row, "refuted"), *unprinted = orr_json_text(row, "why");
    size_t k;
    json_t *part;
    json_array_foreach (json_object_get(row, "amiss"), k, part) {
        const char *value = orr_json_text(part, "value"), *why = orr_json_text(part, "erratum");
        printf("%s %s: %s %s%s (expected %s) is %s%s%s\n", paper, claim,
               orr_json_text(part, "part"), value, *value ? "" : "without a number",
               orr_json_text(part, "wants"), orr_json_text(part, "is"), why ? ". Erratum: " : "",
               why ? why : "");
    }
    json_array_foreach (json_object_get(row, "unrefuted"), k, part) {
        printf("%s %s: %s holds of every null, too\n", paper, claim, json_string_value(part));
    }
    json_array_foreach (json_object_get(row, "opposite"), k, part) {
        printf("%s %s: %s changes with co-runners\n", paper, claim, json_string_value(part));
    }
    if (*unprinted)
        printf("%s %s is not judgeable: %s\n", paper, claim, unprinted);
    if (orr_json_integer(row, "blind"))
        printf("%s %s: numbers that say nothing reproduce it; it is refuted by %s alone\n", paper,
               claim, *refuted ? refuted : "none");
}

static void print(json_t *rows)
{
    size_t k;
    json_t *row;
    orr_cli_table_print(stdout, rows, "paper|claim|reading|verdict|parts|fed|refuted refuted by",
                        0);
    json_array_foreach (rows, k, row) {
        print_amiss(row);
    }
}

int main(int argc, char **argv)
{
    const bool as_json = argc > 1 && !strcmp(argv[1], "--json");
    char **keys = NULL;
    json_t *rows = json_array(), *row;
    size_t k, failed = 0;
    int code = argc > 1 + as_json ? calibrate(rows, argv[1 + as_json]) : orr_paper_keys(&keys);
    for (char **key = keys; !code && key && *key; key++)
        code = calibrate(rows, *key);
    orr_names_free(keys);
    json_array_foreach (rows, k, row) {
        failed += orr_json_integer(row, "fails") || orr_json_integer(row, "blind");
    }
    if (!code && as_json)
        orr_cli_table_json(rows);
    else if (!code)
        print(rows);
    if (!code && failed)
        fprintf(stderr, "%zu of %zu calibrations fail\n", failed, json_array_size(rows));
    json_decref(rows);
    return code ? orr_cli_report_error() : failed ? 1 : 0;
}
