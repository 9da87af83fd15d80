/* Times beside published times: the paper's own grid, the factors it quotes, every cell; and time over N. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "error.h"
#include "present/layout.h"
#include "present/show.h"

enum { MAX_DEVICES = 16 };

struct times {
    struct orr_document *document;
    struct orr_grid *grid;
    const struct orr_scope *scope;
    const struct orr_results *results;
};

/* N, and the data set too where two of one size stand beside each other. */
static void input_name(char *out, size_t size, const struct orr_results *results, size_t at)
{
    const struct orr_input *input = &results->inputs[at];
    bool twin = (at > 0 && results->inputs[at - 1].n == input->n) ||
                (at + 1 < results->input_count && results->inputs[at + 1].n == input->n);
    snprintf(out, size, "%.0f%s%s", input->n, twin ? " " : "", twin ? input->dataset : "");
}

static void add_columns(const struct times *t)
{
    orr_grid_column(t->grid, "program", "program / particles", ORR_PEOPLE, false);
    orr_grid_column(t->grid, "device", "device", ORR_PEOPLE, false);
    for (size_t k = 0; k < t->results->input_count; k++) {
        char key[96], head[128], name[96];
        input_name(name, sizeof name, t->results, k);
        bool published = t->results->inputs[k].published;
        if (published) {
            snprintf(key, sizeof key, "published %zu", k);
            snprintf(head, sizeof head, "%s published [s]", name);
            orr_grid_column(t->grid, key, head, ORR_PEOPLE, true);
        }
        snprintf(key, sizeof key, "measured %zu", k);
        snprintf(head, sizeof head, published ? "measured" : "%s measured", name);
        orr_grid_column(t->grid, key, head, ORR_PEOPLE, true);
        snprintf(key, sizeof key, "ratio %zu", k);
        if (published)
            orr_grid_column(t->grid, key, "ratio", ORR_PEOPLE, true);
    }
}

static int put_cell(const struct times *t, const char *variant, const char *device, size_t at)
{
    const struct orr_input *input = &t->results->inputs[at];
    const struct orr_result *result = orr_results_newest(t->results, variant, input, device);
    char key[96], text[96], note[320];
    snprintf(key, sizeof key, "measured %zu", at);
    orr_grid_text(t->grid, key, "%s", orr_show_short_time(text, sizeof text, result));
    if (result && strcmp(result->label, result->variant)) {
        snprintf(note, sizeof note, "%s: the newest of several settings; every one is in the list of cells.",
                 result->label);
        orr_grid_note(t->grid, key, orr_document_note(t->document, note));
    }
    if (!input->published)
        return 0;
    struct orr_published published;
    int code = orr_published_find(&published, t->scope, variant, input->dataset, input->n, "seconds", NULL);
    if (code > 0) {
        struct orr_ratio ratio = orr_ratio_to_published(&published, result);
        ratio.low = NAN; /* the interval stands in the list of cells */
        snprintf(key, sizeof key, "published %zu", at);
        orr_grid_text(t->grid, key, "%s", published.printed);
        orr_grid_note(t->grid, key, orr_document_note(t->document, published.erratum));
        snprintf(key, sizeof key, "ratio %zu", at);
        orr_grid_text(t->grid, key, "%s", orr_show_ratio(text, sizeof text, &ratio));
    }
    orr_published_release(&published);
    return code < 0 ? code : 0;
}

static int put_program(const struct times *t, const char *variant, const char *device)
{
    orr_grid_row(t->grid);
    orr_grid_text(t->grid, "program", "%s", orr_layout_label(t->scope, variant));
    if (*device)
        orr_grid_text(t->grid, "device", "%s", device);
    int code = 0;
    for (size_t k = 0; k < t->results->input_count && !code; k++)
        code = put_cell(t, variant, device, k);
    return code;
}

/* The paper's own shape: programs down, particles across. */
static int add_paper_grid(struct times *t)
{
    t->grid = orr_document_grid(t->document, false, "%s as printed, and measured here (ratio: published / measured)",
                                t->scope->experiment->shows ? t->scope->experiment->shows : "The table");
    add_columns(t);
    int code = 0;
    for (unsigned v = 0; v < t->scope->paper->variants_count && !code; v++) {
        const struct orr_paper_variant *variant = &t->scope->paper->variants[v];
        const char *devices[MAX_DEVICES];
        size_t count = orr_layout_devices(devices, MAX_DEVICES, t->results, variant->name);
        if (!count && orr_layout_takes(t->scope, variant))
            code = put_program(t, variant->name, "");
        for (size_t d = 0; d < count && !code; d++)
            code = put_program(t, variant->name, devices[d]);
    }
    return code;
}

static int table(struct orr_document *out, const struct orr_scope *scope, const struct orr_results *results)
{
    struct times t = {out, NULL, scope, results};
    int code = add_paper_grid(&t);
    if (!code)
        code = orr_quoted_ratios_add(out, scope, results);
    struct orr_cell_grid options = {.published = "seconds", .speedups = true};
    return code ? code : orr_cell_grid_add(out, scope, results, &options);
}

/* --- the figure: time over N, published points open --- */

static int plot_published(struct orr_plot *plot, const struct orr_scope *scope, const char *variant, int style)
{
    char full[160];
    sqlite3_stmt *row;
    snprintf(full, sizeof full, "%s/%s", scope->paper->key, variant);
    int more, code = orr_ledger_query(&row, scope->ledger,
                                      "SELECT n, value, value - half_unit, value + half_unit FROM published WHERE"
                                      " experiment = ? AND variant = ? AND quantity = 'seconds' ORDER BY n",
                                      "ss", scope->name, full);
    if (code)
        return code;
    FILE *file = NULL;
    while ((more = orr_ledger_next(row, scope->ledger)) > 0) {
        if (!file)
            file = orr_plot_series(plot, "n,seconds,low,high,mark", -style, "%s, published",
                                   orr_layout_label(scope, variant));
        if (!file) {
            more = ORR_EIO;
            break;
        }
        for (int k = 0; k < 4; k++)
            orr_plot_value(file, orr_ledger_number(row, k), ',');
        fputc('\n', file);
    }
    if (file)
        fclose(file);
    sqlite3_finalize(row);
    return more;
}

static int plot_measured(struct orr_plot *plot, const struct orr_scope *scope, const struct orr_results *results,
                         const char *variant, const char *device, int style)
{
    FILE *file = NULL;
    for (size_t k = 0; k < results->input_count; k++) {
        const struct orr_result *r = orr_results_newest(results, variant, &results->inputs[k], device);
        if (!r || !r->ok)
            continue;
        if (!file)
            file = orr_plot_series(plot, "n,seconds,low,high,mark", style, "%s, %s", orr_layout_label(scope, variant),
                                   device);
        if (!file)
            return ORR_EIO;
        orr_plot_value(file, r->n, ',');
        orr_plot_value(file, r->seconds, ',');
        orr_plot_value(file, isnan(r->low) ? r->seconds : r->low, ',');
        orr_plot_value(file, isnan(r->high) ? r->seconds : r->high, ',');
        fputs(r->extrapolated ? "≈\n" : "\n", file);
    }
    if (file)
        fclose(file);
    return 0;
}

static int plot(struct orr_plot *out, const struct orr_scope *scope, const struct orr_results *results)
{
    int code = 0;
    for (unsigned v = 0; v < scope->paper->variants_count && !code; v++) {
        const char *variant = scope->paper->variants[v].name, *devices[MAX_DEVICES];
        size_t count = orr_layout_devices(devices, MAX_DEVICES, results, variant);
        for (size_t d = 0; d < count && !code; d++)
            code = plot_measured(out, scope, results, variant, devices[d], (int)(v + 1 + 100 * d));
        if (!code)
            code = plot_published(out, scope, variant, (int)v + 1);
    }
    if (!code && !out->series)
        return orr_fail(ORR_EUSAGE,
                        "nothing to plot: %s was neither measured nor published; `orrery run %s` measures it",
                        scope->name, scope->name);
    return code;
}

const struct orr_layout orr_layout_times = {"times", table, plot};
