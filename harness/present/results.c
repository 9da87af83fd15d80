#include "present/results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "text.h"

void orr_scope_set(struct orr_scope *out, const struct orr_ledger *ledger, const struct orr_paper *paper,
                   const struct orr_experiment *experiment, const char *machine)
{
    *out = (struct orr_scope){.ledger = ledger, .paper = paper, .experiment = experiment, .machine = machine};
    snprintf(out->name, sizeof out->name, "%s/%s", paper->key, experiment->name);
}

/* --- the order of things --- */

size_t orr_scope_rank(const struct orr_scope *scope, const char *variant)
{
    size_t k = 0;
    while (k < scope->paper->variants_count && strcmp(scope->paper->variants[k].name, variant))
        k++;
    return k;
}

/* Place of a data set in the experiment's axis "a,b,c"; those that are not there come last. */
static size_t dataset_rank(const struct orr_scope *scope, const char *dataset)
{
    for (size_t k = 0; k < scope->experiment->axes_count; k++) {
        if (strcmp(scope->experiment->axes[k].name, "dataset"))
            continue;
        size_t rank = 0, length = strlen(dataset);
        for (const char *at = scope->experiment->axes[k].values; *at; rank++) {
            size_t word = strcspn(at, ",");
            if (word == length && !strncmp(at, dataset, word))
                return rank;
            at += word + (at[word] == ',');
        }
    }
    return (size_t)-1;
}

static int compare(double a, double b)
{
    return (a > b) - (a < b);
}

static int compare_inputs(const void *left, const void *right, void *context)
{
    const struct orr_input *a = left, *b = right;
    int order = compare(a->n, b->n);
    if (!order)
        order = compare((double)dataset_rank(context, a->dataset), (double)dataset_rank(context, b->dataset));
    return order ? order : strcmp(a->dataset, b->dataset);
}

static int compare_results(const void *left, const void *right, void *context)
{
    const struct orr_result *a = left, *b = right;
    struct orr_input first = {.n = a->n}, second = {.n = b->n};
    memcpy(first.dataset, a->dataset, sizeof first.dataset);
    memcpy(second.dataset, b->dataset, sizeof second.dataset);
    int order = compare_inputs(&first, &second, context);
    if (!order)
        order = compare((double)orr_scope_rank(context, a->variant), (double)orr_scope_rank(context, b->variant));
    if (!order)
        order = strcmp(a->variant, b->variant);
    if (!order)
        order = strcmp(a->device, b->device);
    if (!order)
        order = compare(a->steps, b->steps);
    return order ? order : strcmp(a->parameters, b->parameters);
}

/* --- loading --- */

static const char result_sql[] =
    "SELECT l.cell_key, substr(l.variant, instr(l.variant, '/') + 1), l.device, l.device_name, l.dataset, l.n,"
    " l.outcome, l.reason, coalesce(l.started, l.run_started), l.parameters, l.steps, l.extrapolated, r.seconds,"
    " r.seconds_low, r.seconds_high, r.interactions_per_second, r.gflops, r.ceiling_fraction, l.error_median,"
    " l.error_p99, l.error_max, l.energy_drift, l.momentum_drift, l.bodies_file, l.path,"
    " (SELECT count(*) FROM sample s WHERE s.cell_key = l.cell_key AND kind = 'step_s'),"
    " (SELECT count(*) FROM sample s WHERE s.cell_key = l.cell_key AND kind = 'step_s' AND throttled)"
    " FROM latest l LEFT JOIN rates r USING (cell_key) WHERE l.experiment = ? AND l.machine = ?";

static void take_text(char *to, size_t size, sqlite3_stmt *row, int column)
{
    snprintf(to, size, "%s", orr_ledger_text(row, column));
}

static int take_result(struct orr_result *out, sqlite3_stmt *row)
{
    *out = (struct orr_result){.key = sqlite3_column_int64(row, 0)};
    take_text(out->variant, sizeof out->variant, row, 1);
    take_text(out->device, sizeof out->device, row, 2);
    take_text(out->device_name, sizeof out->device_name, row, 3);
    take_text(out->dataset, sizeof out->dataset, row, 4);
    take_text(out->outcome, sizeof out->outcome, row, 6);
    take_text(out->started, sizeof out->started, row, 8);
    out->ok = !strcmp(out->outcome, "ok");
    out->extrapolated = sqlite3_column_int(row, 11);
    double *const numbers[] = {&out->seconds,       &out->low,
                               &out->high,          &out->interactions_per_second,
                               &out->gflops,        &out->ceiling_fraction,
                               &out->error_median,  &out->error_p99,
                               &out->error_max,     &out->energy_drift,
                               &out->momentum_drift};
    for (int k = 0; k < 11; k++)
        *numbers[k] = orr_ledger_number(row, 12 + k);
    out->n = orr_ledger_number(row, 5);
    out->steps = orr_ledger_number(row, 10);
    if (isnan(out->steps))
        out->steps = 0;
    out->samples = sqlite3_column_int(row, 25);
    out->throttled = sqlite3_column_int(row, 26);
    out->reason = strdup(orr_ledger_text(row, 7));
    out->parameters = strdup(orr_ledger_text(row, 9));
    out->bodies_file = strdup(orr_ledger_text(row, 23));
    out->path = strdup(orr_ledger_text(row, 24));
    return out->reason && out->parameters && out->bodies_file && out->path ? 0 : ORR_EMEMORY;
}

static int load_rows(struct orr_results *out, const struct orr_scope *scope)
{
    sqlite3_stmt *row;
    int more, code = orr_ledger_query(&row, scope->ledger, result_sql, "ss", scope->name, scope->machine);
    if (code)
        return code;
    while ((more = orr_ledger_next(row, scope->ledger)) > 0) {
        struct orr_result *items = realloc(out->items, (out->count + 1) * sizeof *items);
        if (!items || (out->items = items, take_result(&items[out->count++], row))) {
            more = orr_fail(ORR_EMEMORY, "no memory for the results of %s", scope->name);
            break;
        }
    }
    sqlite3_finalize(row);
    return more;
}

static int load_inputs(struct orr_results *out, const struct orr_scope *scope)
{
    sqlite3_stmt *row;
    int more, code = orr_ledger_query(&row, scope->ledger,
                                      "SELECT dataset, n, max(published) FROM (SELECT dataset, n, 1 AS published FROM"
                                      " published WHERE experiment = ?1 AND n IS NOT NULL AND dataset IS NOT NULL UNION"
                                      " ALL SELECT dataset, n, 0 FROM latest WHERE experiment = ?1 AND machine = ?2)"
                                      " GROUP BY dataset, n",
                                      "ss", scope->name, scope->machine);
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
        *input = (struct orr_input){.n = orr_ledger_number(row, 1), .published = sqlite3_column_int(row, 2)};
        take_text(input->dataset, sizeof input->dataset, row, 0);
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
    if (out->count)
        qsort_r(out->items, out->count, sizeof *out->items, compare_results, (void *)scope);
    if (out->input_count)
        qsort_r(out->inputs, out->input_count, sizeof *out->inputs, compare_inputs, (void *)scope);
    mark_standard(out, scope);
    return orr_results_label(out);
}

void orr_results_release(struct orr_results *results)
{
    for (size_t k = 0; k < results->count; k++) {
        free(results->items[k].reason);
        free(results->items[k].parameters);
        free(results->items[k].bodies_file);
        free(results->items[k].path);
    }
    free(results->items);
    free(results->inputs);
    *results = (struct orr_results){0};
}

const struct orr_result *orr_results_newest(const struct orr_results *results, const char *variant,
                                            const struct orr_input *input, const char *device)
{
    const struct orr_result *newest = NULL;
    for (size_t k = 0; k < results->count; k++) {
        const struct orr_result *r = &results->items[k];
        if (strcmp(r->variant, variant) || strcmp(r->dataset, input->dataset) || r->n != input->n ||
            (*device && strcmp(r->device, device)))
            continue;
        bool newer = newest && r->standard == newest->standard ? strcmp(r->started, newest->started) > 0 : r->standard;
        if (!newest || newer)
            newest = r;
    }
    return newest;
}
