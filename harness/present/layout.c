#include "present/layout.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "present/facts.h"
#include "present/show.h"
#include "text.h"

static const struct orr_layout *const layouts[] = {
    &orr_layout_times,       &orr_layout_rates,       &orr_layout_sweep,
    &orr_layout_resources,   &orr_layout_snapshots,   &orr_layout_audit,
    &orr_layout_speedups,    &orr_layout_phases,      &orr_layout_shares,
    &orr_layout_growth,      &orr_layout_cost,        &orr_layout_distribution,
    &orr_layout_errors,      &orr_layout_host_device, &orr_layout_host_device_over,
    &orr_layout_utilisation, &orr_layout_integration};
enum { LAYOUT_COUNT = sizeof layouts / sizeof *layouts };

const struct orr_layout *orr_layout_find(const struct orr_experiment *experiment)
{
    const char *wanted = experiment->layout ? experiment->layout : "times";
    const char *names[LAYOUT_COUNT];
    for (size_t k = 0; k < LAYOUT_COUNT; k++) {
        names[k] = layouts[k]->name;
        if (!strcmp(names[k], wanted))
            return layouts[k];
    }
    const char *near = orr_text_nearest(wanted, names, LAYOUT_COUNT);
    orr_fail(ORR_EINPUT, "experiment '%s' asks for an unknown layout '%s'%s%s%s", experiment->name,
             wanted, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    return NULL;
}

const char *orr_layout_label(const struct orr_scope *scope, const char *variant)
{
    for (unsigned k = 0; k < scope->paper->variants_count; k++) {
        const struct orr_paper_variant *v = &scope->paper->variants[k];
        if (!strcmp(v->name, variant))
            return v->label && *v->label ? v->label : variant;
    }
    return variant;
}

bool orr_layout_takes(const struct orr_scope *scope, const struct orr_paper_variant *variant)
{
    return orr_paper_takes_part(variant, scope->experiment->name);
}

int orr_layout_drawn(int code, const struct orr_plot *plot, const struct orr_scope *scope,
                     const char *verb, const char *format, ...)
{
    if (code || plot->series)
        return code;
    char why[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    return orr_fail(ORR_EUSAGE, "nothing to plot: %s; `orrery run %s` %s", why, scope->name, verb);
}

void orr_layout_input_columns(struct orr_grid *grid, const struct orr_results *results)
{
    for (size_t k = 0; k < results->input_count; k++) {
        char key[32], head[64];
        snprintf(key, sizeof key, "%zu", k);
        orr_grid_column(grid, key, orr_show_input(head, sizeof head, results, &results->inputs[k]),
                        ORR_PEOPLE, true);
    }
}

size_t orr_layout_devices(const char **out, size_t capacity, const struct orr_results *results,
                          const char *variant)
{
    size_t count = 0;
    for (size_t k = 0; k < results->count; k++) {
        const struct orr_result *r = &results->items[k];
        size_t known = 0;
        if (strcmp(r->variant, variant))
            continue;
        while (known < count && strcmp(out[known], r->device))
            known++;
        if (known == count && count < capacity)
            out[count++] = r->device;
    }
    return count;
}

/* --- facts that let a table stand alone --- */

static int add_facts(struct orr_document *document, const struct orr_scope *scope,
                     const struct orr_results *results)
{
    long long *keys = malloc((results->count + 1) * sizeof *keys);
    if (!keys)
        return orr_fail(ORR_EMEMORY, "no memory for the facts of %s", scope->name);
    for (size_t k = 0; k < results->count; k++)
        keys[k] = results->items[k].key;
    int code = orr_facts_add(document, scope->ledger, "", keys, results->count);
    free(keys);
    return code;
}

/* The level of the first input is that of all where no other is named. */
static void add_level(struct orr_document *document, const struct orr_results *results)
{
    double level = results->inputs[0].level;
    orr_document_fact(document, "boxes", "P bodies in each of %.0f boxes (level %.0f)",
                      pow(4, level), level);
}

/* --- closing lines --- */

static void add_failures(struct orr_document *document, const struct orr_results *results)
{
    for (size_t k = 0; k < results->count; k++) {
        const struct orr_result *r = &results->items[k];
        char input[64];
        orr_show_input(input, sizeof input, results, &r->input);
        if (!r->ok)
            orr_document_remark(document, "%s %s %s on %s: %s%s%s", r->label, r->input.dataset,
                                input, r->device, r->outcome, *r->reason ? ": " : "", r->reason);
        else if (r->throttled)
            orr_document_remark(
                document, "%s %s %s on %s: %d of %d samples were taken while the device throttled",
                r->label, r->input.dataset, input, r->device, r->throttled, r->samples);
    }
}

/* Cells that paper and experiment ask for and nobody has measured yet. */
static bool is_missing(const struct orr_scope *scope, const struct orr_results *results)
{
    for (unsigned k = 0; k < scope->paper->variants_count; k++) {
        const struct orr_paper_variant *variant = &scope->paper->variants[k];
        const char *device;
        if (!orr_layout_takes(scope, variant))
            continue;
        if (!orr_layout_devices(&device, 1, results, variant->name))
            return true;
        for (size_t i = 0; i < results->input_count; i++)
            if (results->inputs[i].published &&
                !orr_results_newest(results, variant->name, &results->inputs[i], "", NULL))
                return true;
    }
    return false;
}

/* Whether even the preset of the published sizes leaves cells to be extrapolated. */
static bool is_limited(const struct orr_experiment *experiment)
{
    for (unsigned k = 0; k < experiment->presets_count; k++)
        if (!strcmp(experiment->presets[k].name, "paper"))
            return experiment->presets[k].limits_count > 0;
    return false;
}

static void add_remarks(struct orr_document *document, const struct orr_scope *scope,
                        const struct orr_results *results)
{
    if (scope->experiment->note && *scope->experiment->note)
        orr_document_remark(document, "%s", scope->experiment->note);
    add_failures(document, results);
    if (orr_results_estimated(results))
        orr_document_remark(document,
                            "≈ extrapolated by the number of interactions (with theta by N log N) "
                            "from the largest size measured, not"
                            " measured;"
                            " `orrery run %s --preset paper` measures %s",
                            scope->name,
                            is_limited(orr_paper_cells(scope->paper, scope->experiment)) ? "further"
                                                                                         : "it");
    if (is_missing(scope, results))
        orr_document_remark(document,
                            "— not measured yet on this machine; `orrery run %s` measures it",
                            scope->name);
}

/* The layout of the scope's experiment, or NULL with file and line of its misspelt name. */
static const struct orr_layout *layout_of(const struct orr_scope *scope)
{
    const struct orr_layout *layout = orr_layout_find(scope->experiment);
    if (!layout) {
        char message[512], path[64];
        snprintf(message, sizeof message, "%.500s", orr_error_text());
        snprintf(path, sizeof path, "experiments[%td].layout",
                 scope->experiment - scope->paper->experiments);
        orr_error_clear();
        orr_paper_blame(scope->paper->key, path, "%s", message);
    }
    return layout;
}

int orr_layout_table(struct orr_document *out, const struct orr_scope *scope)
{
    *out = (struct orr_document){0};
    const struct orr_layout *layout = layout_of(scope);
    if (!layout)
        return orr_error_code();
    char title[512], venue[1100];
    snprintf(title, sizeof title, "%s — %s: %s", scope->name,
             scope->experiment->shows ? scope->experiment->shows : scope->experiment->name,
             scope->experiment->title ? scope->experiment->title : "");
    orr_document_name(out, scope->name, title);
    orr_document_fact(out, "paper", "%s, %s, %s", scope->paper->authors, scope->paper->title,
                      orr_show_venue(venue, sizeof venue, scope->paper));
    struct orr_results results;
    int code = orr_results_load(&results, scope);
    if (!code)
        code = add_facts(out, scope, &results);
    if (!code && results.boxed)
        add_level(out, &results);
    if (!code)
        code = layout->table(out, scope, &results);
    if (!code)
        add_remarks(out, scope, &results);
    orr_results_release(&results);
    return code ? code : orr_document_check(out);
}

/* Device and date: what a figure needs to stand alone. */
static int add_subtitle(struct orr_plot *plot, const struct orr_scope *scope)
{
    sqlite3_stmt *row;
    int code = orr_ledger_query(
        &row, scope->ledger,
        "SELECT group_concat(name, ', '), substr(max(day), 1, 10) FROM (SELECT device_name || ' (' "
        "||"
        " device || ')' AS name, max(started) AS day FROM latest WHERE experiment = ? AND"
        " machine = ? AND device_name IS NOT NULL GROUP BY 1)",
        "ss", scope->cells, scope->machine);
    if (code)
        return code;
    int more = orr_ledger_next(row, scope->ledger);
    if (more > 0 && *orr_ledger_text(row, 0))
        orr_plot_heading(plot, "subtitle", "%s · machine %s · %s", orr_ledger_text(row, 0),
                         scope->machine, orr_ledger_text(row, 1));
    else
        orr_plot_heading(plot, "subtitle",
                         "published numbers only: not measured on this machine yet");
    sqlite3_finalize(row);
    return more < 0 ? more : 0;
}

int orr_layout_plot(struct orr_plot *out, const struct orr_scope *scope)
{
    *out = (struct orr_plot){0};
    const struct orr_layout *layout = layout_of(scope);
    if (!layout)
        return orr_error_code();
    struct orr_results results;
    int code = orr_results_load(&results, scope);
    if (!code)
        code = orr_plot_open(out, layout->script);
    if (!code) {
        orr_plot_heading(out, "title", "%s: %s",
                         scope->experiment->shows ? scope->experiment->shows : scope->name,
                         scope->experiment->title ? scope->experiment->title : "");
        orr_plot_number(out, "estimates", orr_results_estimated(&results));
        code = add_subtitle(out, scope);
    }
    if (!code)
        code = layout->plot(out, scope, &results);
    orr_results_release(&results);
    return code;
}
