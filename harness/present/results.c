#include "present/results_parts.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "text.h"

void orr_scope_set(struct orr_scope *out, const struct orr_ledger *ledger,
                   const struct orr_paper *paper, const struct orr_experiment *experiment,
                   const char *machine)
{
    *out = (struct orr_scope){
        .ledger = ledger, .paper = paper, .experiment = experiment, .machine = machine};
    snprintf(out->name, sizeof out->name, "%s/%s", paper->key, experiment->name);
    snprintf(out->cells, sizeof out->cells, "%s/%s", paper->key,
             orr_paper_cells(paper, experiment)->name);
}

bool orr_input_same(const struct orr_input *a, const struct orr_input *b)
{
    return a->n == b->n && (a->level == b->level || (isnan(a->level) && isnan(b->level))) &&
           !strcmp(a->dataset, b->dataset);
}

double orr_input_size(const struct orr_input *input)
{
    return isnan(input->per_box) ? input->n : input->per_box;
}

double orr_scope_level(const struct orr_scope *scope)
{
    double level;
    for (unsigned k = 0; k < scope->experiment->axes_count; k++)
        if (!strcmp(scope->experiment->axes[k].name, "level") &&
            orr_text_number(scope->experiment->axes[k].values, &level))
            return level;
    return NAN;
}

/* --- loading --- */

static const char result_sql[] =
    "SELECT l.cell_key, substr(l.variant, instr(l.variant, '/') + 1), l.device, l.device_name, "
    "l.dataset, l.outcome,"
    " coalesce(l.started, l.run_started), l.extrapolated, l.reason, l.parameters, l.bodies_file, "
    "l.path,"
    " (SELECT count(*) FROM sample s WHERE s.cell_key = l.cell_key AND kind = 'step_s'),"
    " (SELECT count(*) FROM sample s WHERE s.cell_key = l.cell_key AND kind = 'step_s' AND "
    "throttled), l.id, l.seed,"
    " l.dataset_sha256, l.n, l.level, l.per_box, l.steps, r.seconds, r.seconds_low, "
    "r.seconds_high, l.kernel_seconds,"
    " l.end_to_end_seconds, r.interactions_per_second, r.gflops, r.ceiling_fraction, "
    "l.error_median, l.error_p99,"
    " l.error_max, l.error_by_mean_median, l.error_by_mean_p99, l.error_by_terms_median, "
    "l.error_by_terms_p99,"
    " l.bodies_per_second, l.energy_drift, l.momentum_drift, l.trajectory_position_sum, "
    "l.trajectory_position_mean,"
    " l.trajectory_speed_sum, l.trajectory_speed_mean, l.trajectory_velocity_sum, "
    "l.trajectory_velocity_mean, "
    "l.noise_floor FROM "
    "latest l LEFT JOIN rates r USING (cell_key) WHERE"
    " l.experiment = ? AND l.machine = ?";

static void take_numbers(struct orr_result *out, sqlite3_stmt *row, int first)
{
    double *const numbers[] = {&out->input.n,
                               &out->input.level,
                               &out->input.per_box,
                               &out->steps,
                               &out->seconds,
                               &out->low,
                               &out->high,
                               &out->kernel_seconds,
                               &out->end_to_end_seconds,
                               &out->interactions_per_second,
                               &out->gflops,
                               &out->ceiling_fraction,
                               &out->error_median,
                               &out->error_p99,
                               &out->error_max,
                               &out->by_mean_median,
                               &out->by_mean_p99,
                               &out->by_terms_median,
                               &out->by_terms_p99,
                               &out->bodies_per_second,
                               &out->energy_drift,
                               &out->momentum_drift,
                               &out->position_sum,
                               &out->position_mean,
                               &out->speed_sum,
                               &out->speed_mean,
                               &out->velocity_sum,
                               &out->velocity_mean,
                               &out->noise_floor};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        *numbers[k] = orr_ledger_number(row, first + (int)k);
    if (isnan(out->steps))
        out->steps = 0;
}

static int take_result(struct orr_result *out, sqlite3_stmt *row)
{
    *out = (struct orr_result){.key = sqlite3_column_int64(row, 0)};
    orr_ledger_copy(out->variant, sizeof out->variant, row, 1);
    orr_ledger_copy(out->device, sizeof out->device, row, 2);
    orr_ledger_copy(out->device_name, sizeof out->device_name, row, 3);
    orr_ledger_copy(out->input.dataset, sizeof out->input.dataset, row, 4);
    orr_ledger_copy(out->outcome, sizeof out->outcome, row, 5);
    orr_ledger_copy(out->started, sizeof out->started, row, 6);
    out->ok = !strcmp(out->outcome, "ok");
    out->extrapolated = sqlite3_column_int(row, 7);
    out->reason = strdup(orr_ledger_text(row, 8));
    out->parameters = strdup(orr_ledger_text(row, 9));
    out->bodies_file = strdup(orr_ledger_text(row, 10));
    out->path = strdup(orr_ledger_text(row, 11));
    out->samples = sqlite3_column_int(row, 12);
    out->throttled = sqlite3_column_int(row, 13);
    orr_ledger_copy(out->id, sizeof out->id, row, 14);
    out->seed = sqlite3_column_int64(row, 15);
    orr_ledger_copy(out->dataset_sha256, sizeof out->dataset_sha256, row, 16);
    take_numbers(out, row, 17);
    return out->reason && out->parameters && out->bodies_file && out->path ? 0 : ORR_EMEMORY;
}

/* An experiment may show the cells of some variants of another one. */
static bool is_shown(const struct orr_scope *scope, const char *variant)
{
    bool shown = !scope->experiment->cells;
    for (unsigned k = 0; k < scope->paper->variants_count && !shown; k++)
        shown = !strcmp(scope->paper->variants[k].name, variant) &&
                orr_paper_takes_part(&scope->paper->variants[k], scope->experiment->name);
    return shown;
}

static int load_rows(struct orr_results *out, const struct orr_scope *scope)
{
    sqlite3_stmt *row;
    int more, code = orr_ledger_query(&row, scope->ledger, result_sql, "ss", scope->cells,
                                      scope->machine);
    if (code)
        return code;
    while ((more = orr_ledger_next(row, scope->ledger)) > 0) {
        if (!is_shown(scope, orr_ledger_text(row, 1)))
            continue;
        struct orr_result *items = realloc(out->items, (out->count + 1) * sizeof *items);
        if (!items || (out->items = items, take_result(&items[out->count++], row))) {
            more = orr_fail(ORR_EMEMORY, "no memory for the results of %s", scope->name);
            break;
        }
    }
    sqlite3_finalize(row);
    return more;
}

/* Published numbers are of the experiment's own level; bodies in a box follow from N. */
static int query_inputs(sqlite3_stmt **row, const struct orr_scope *scope)
{
    double level = orr_scope_level(scope);
    char text[32] = "";
    if (!isnan(level))
        snprintf(text, sizeof text, "%.0f", level);
    return orr_ledger_query(
        row, scope->ledger,
        "SELECT dataset, n, level, per_box, max(published) FROM (SELECT dataset, n, level, n / (1 "
        "<<"
        " 2 * level) AS per_box, 1 AS published FROM (SELECT dataset, n, CAST(nullif(?3, '') AS"
        " INTEGER) AS level FROM published WHERE experiment = ?1 AND n IS NOT NULL AND dataset IS"
        " NOT NULL) UNION ALL SELECT dataset, n, level, per_box, 0 FROM latest WHERE experiment ="
        " ?4 AND machine = ?2) GROUP BY dataset, n, level",
        "ssss", scope->name, scope->machine, text, scope->cells);
}

static int load_inputs(struct orr_results *out, const struct orr_scope *scope)
{
    sqlite3_stmt *row;
    int more, code = query_inputs(&row, scope);
    if (code)
        return code;
    while ((more = orr_ledger_next(row, scope->ledger)) > 0) {
        struct orr_input *inputs = realloc(out->inputs, (out->input_count + 1) * sizeof *inputs);
        if (!inputs) {
            more = orr_fail(ORR_EMEMORY, "no memory for the inputs of %s", scope->name);
            break;
        }
        out->inputs = inputs;
        struct orr_input *input = &inputs[out->input_count++];
        *input = (struct orr_input){.n = orr_ledger_number(row, 1),
                                    .level = orr_ledger_number(row, 2),
                                    .per_box = orr_ledger_number(row, 3),
                                    .published = sqlite3_column_int(row, 4)};
        orr_ledger_copy(input->dataset, sizeof input->dataset, row, 0);
        out->boxed = out->boxed || !isnan(input->per_box);
    }
    sqlite3_finalize(row);
    return more;
}

/* Published times are for the experiment's own number of steps, not for that of a preset. */
static void mark_standard(struct orr_results *out, const struct orr_scope *scope)
{
    double steps = NAN;
    for (unsigned k = 0; k < scope->experiment->axes_count; k++)
        if (!strcmp(scope->experiment->axes[k].name, "steps") &&
            !orr_text_number(scope->experiment->axes[k].values, &steps))
            steps = NAN;
    for (size_t k = 0; k < out->count; k++)
        out->items[k].standard = isnan(steps) || out->items[k].steps == steps;
}

int orr_results_load(struct orr_results *out, const struct orr_scope *scope)
{
    *out = (struct orr_results){0};
    int code = load_rows(out, scope);
    if (!code)
        code = load_inputs(out, scope);
    if (code) {
        orr_results_release(out);
        return code;
    }
    mark_standard(out, scope);
    orr_results_place(out, scope);
    orr_results_sort(out, scope);
    return orr_results_label(out, 1, scope);
}

void orr_results_release(struct orr_results *results)
{
    for (size_t k = 0; k < results->count; k++) {
        free(results->items[k].reason);
        free(results->items[k].parameters);
        free(results->items[k].bodies_file);
        free(results->items[k].path);
        json_decref(results->items[k].values);
    }
    free(results->items);
    free(results->inputs);
    *results = (struct orr_results){0};
}

bool orr_results_estimated(const struct orr_results *results)
{
    bool any = false;
    for (size_t k = 0; k < results->count; k++)
        any = any || results->items[k].extrapolated;
    return any;
}
