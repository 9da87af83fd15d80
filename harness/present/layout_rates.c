/* Speed over N: GFLOPS by the paper's convention and interactions/s, with the figures the paper
 * quotes and the ceiling.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "error.h"
#include "present/layout.h"
#include "present/show.h"

enum { MAX_DEVICES = 16 };

struct rates {
    struct orr_document *document;
    struct orr_grid *grid;
    const struct orr_scope *scope;
    const struct orr_results *results;
};

/* Calls `each` for every variant and device that was measured, variants in the paper's order. */
static int for_each_line(const struct rates *r,
                         int (*each)(const struct rates *, const char *variant, const char *device,
                                     int style, void *),
                         void *context)
{
    int code = 0;
    for (unsigned v = 0; v < r->scope->paper->variants_count && !code; v++) {
        const char *variant = r->scope->paper->variants[v].name, *devices[MAX_DEVICES];
        size_t count = orr_layout_devices(devices, MAX_DEVICES, r->results, variant);
        for (size_t d = 0; d < count && !code; d++)
            code = each(r, variant, devices[d], (int)(v + 1 + 100 * d), context);
    }
    return code;
}

/* --- speed by N, one column a program --- */

static int add_column(const struct rates *r, const char *variant, const char *device, int style,
                      void *context)
{
    (void)style, (void)context;
    char key[128], head[192];
    snprintf(key, sizeof key, "%s %s", variant, device);
    snprintf(head, sizeof head, "%s on %s", orr_layout_label(r->scope, variant), device);
    orr_grid_column(r->grid, key, head, ORR_PEOPLE, true);
    return 0;
}

static int put_speed(const struct rates *r, const char *variant, const char *device, int style,
                     void *context)
{
    (void)style;
    const struct orr_result *result =
        orr_results_newest(r->results, variant, context, device, NULL);
    char key[128], text[64];
    snprintf(key, sizeof key, "%s %s", variant, device);
    if (result && result->ok)
        orr_grid_text(r->grid, key, "%s%s", orr_format_number(text, sizeof text, result->gflops),
                      result->extrapolated ? ORR_ABOUT : "");
    else if (result)
        orr_grid_text(r->grid, key, "%s", result->outcome);
    return 0;
}

static int add_speed_grid(struct rates *r)
{
    if (!r->results->count)
        return 0;
    r->grid = orr_document_grid(r->document, false, "GFLOPS at %g operations an interaction",
                                r->scope->paper->flops_per_interaction);
    orr_grid_column(r->grid, "n", "N", ORR_PEOPLE, true);
    orr_grid_column(r->grid, "dataset", "data set", ORR_PEOPLE, false);
    int code = for_each_line(r, add_column, NULL);
    for (size_t k = 0; k < r->results->input_count && !code; k++) {
        orr_grid_row(r->grid);
        orr_grid_text(r->grid, "n", "%.0f", r->results->inputs[k].n);
        orr_grid_text(r->grid, "dataset", "%s", r->results->inputs[k].dataset);
        code = for_each_line(r, put_speed, &r->results->inputs[k]);
    }
    return code;
}

/* --- quoted figures --- */

/* The ok cell of a variant whose N is nearest by factor; the fastest of those. */
static const struct orr_result *nearest(const struct orr_results *results, const char *variant,
                                        double n)
{
    const struct orr_result *best = NULL;
    double best_distance = INFINITY;
    for (size_t k = 0; k < results->count; k++) {
        const struct orr_result *r = &results->items[k];
        if (!r->ok || strcmp(r->variant, variant))
            continue;
        double distance = fabs(log(r->input.n / n));
        if (!best || distance < best_distance ||
            (distance == best_distance && r->gflops > best->gflops))
            best = r, best_distance = distance;
    }
    return best;
}

static void put_quoted(const struct rates *r, sqlite3_stmt *row)
{
    const char *variant = orr_ledger_text(row, 0);
    double n = orr_ledger_number(row, 1), value = orr_ledger_number(row, 3);
    bool speed = !strcmp(orr_ledger_text(row, 2), "gflops");
    const struct orr_result *result = nearest(r->results, variant, n);
    char text[96];
    orr_grid_row(r->grid);
    orr_grid_text(r->grid, "program", "%s", orr_layout_label(r->scope, variant));
    orr_grid_text(r->grid, "n", "%.0f", n);
    orr_grid_text(r->grid, "published", "%s %s", orr_ledger_text(row, 4), orr_ledger_text(row, 5));
    orr_grid_note(r->grid, "published", orr_document_note(r->document, orr_ledger_text(row, 7)));
    orr_grid_text(r->grid, "where", "%s", orr_ledger_text(row, 6));
    if (!result)
        return;
    const char *about = result->extrapolated ? ORR_ABOUT : "";
    orr_grid_text(r->grid, "nearest", "%.0f, %s", result->input.n, result->device);
    if (speed) {
        orr_grid_text(r->grid, "measured", "%s Gflop/s%s",
                      orr_format_number(text, sizeof text, result->gflops), about);
        struct orr_ratio ratio = {result->gflops / value, NAN, NAN, result->extrapolated};
        orr_grid_text(r->grid, "ratio", "%s", orr_show_ratio(text, sizeof text, &ratio));
    } else if (result->input.n == n) {
        orr_grid_text(r->grid, "measured", "%s", orr_show_time(text, sizeof text, result));
    }
}

static int add_quoted_grid(struct rates *r)
{
    sqlite3_stmt *row;
    int more, code = orr_ledger_query(
                  &row, r->scope->ledger,
                  "SELECT substr(variant, instr(variant, '/') + 1), n, quantity, value, printed,"
                  " unit, device || '; ' || includes, coalesce(erratum, '') FROM published WHERE"
                  " experiment = ? AND n IS NOT NULL AND quantity IN ('gflops', 'seconds')"
                  " ORDER BY rowid",
                  "s", r->scope->name);
    if (code)
        return code;
    while ((more = orr_ledger_next(row, r->scope->ledger)) > 0) {
        if (!r->grid || strcmp(r->grid->title, "Figures quoted in the text")) {
            r->grid = orr_document_grid(r->document, false, "Figures quoted in the text");
            orr_grid_column(r->grid, "program", "program", ORR_PEOPLE, false);
            orr_grid_column(r->grid, "n", "N", ORR_PEOPLE, true);
            orr_grid_column(r->grid, "published", "published", ORR_PEOPLE, true);
            orr_grid_column(r->grid, "nearest", "nearest N measured", ORR_PEOPLE, true);
            orr_grid_column(r->grid, "measured", "measured there", ORR_PEOPLE, true);
            orr_grid_column(r->grid, "ratio", "measured / published", ORR_PEOPLE, true);
            orr_grid_column(r->grid, "where", "published on", ORR_PEOPLE, false);
        }
        put_quoted(r, row);
    }
    sqlite3_finalize(row);
    return more;
}

static int table(struct orr_document *out, const struct orr_scope *scope,
                 const struct orr_results *results)
{
    struct rates r = {out, NULL, scope, results};
    int code = add_speed_grid(&r);
    if (!code)
        code = add_quoted_grid(&r);
    struct orr_cell_grid options = {.published = "gflops"};
    return code ? code : orr_cell_grid_add(out, scope, results, &options);
}

/* --- the figure --- */

static int plot_line(const struct rates *r, const char *variant, const char *device, int style,
                     void *context)
{
    FILE *file = NULL;
    for (size_t k = 0; k < r->results->input_count; k++) {
        const struct orr_result *result =
            orr_results_newest(r->results, variant, &r->results->inputs[k], device, NULL);
        if (!result || !result->ok)
            continue;
        if (!file)
            file = orr_plot_series(context, "n,gflops,low,high,mark", style, "%s, %s",
                                   orr_layout_label(r->scope, variant), device);
        if (!file)
            return ORR_EIO;
        double operations = result->gflops * result->seconds; /* of the interval's ends too */
        orr_plot_value(file, result->input.n, ',');
        orr_plot_value(file, result->gflops, ',');
        orr_plot_value(file, isnan(result->high) ? result->gflops : operations / result->high, ',');
        orr_plot_value(file, isnan(result->low) ? result->gflops : operations / result->low, ',');
        fputs(result->extrapolated ? "≈\n" : "\n", file);
    }
    if (file)
        fclose(file);
    return 0;
}

static int plot_published(struct orr_plot *plot, const struct orr_scope *scope)
{
    sqlite3_stmt *row;
    int more, code = orr_ledger_query(
                  &row, scope->ledger,
                  "SELECT substr(variant, instr(variant, '/') + 1), n, value, half_unit, printed,"
                  " device FROM published WHERE experiment = ? AND quantity = 'gflops' AND n IS NOT"
                  " NULL ORDER BY rowid",
                  "s", scope->name);
    if (code)
        return code;
    while ((more = orr_ledger_next(row, scope->ledger)) > 0) {
        const char *variant = orr_ledger_text(row, 0);
        double value = orr_ledger_number(row, 2), half = orr_ledger_number(row, 3);
        int style = (int)orr_scope_rank(scope, variant) + 1;
        FILE *file =
            orr_plot_series(plot, "n,gflops,low,high,mark", -style, "%s, published: %s GFLOPS",
                            orr_layout_label(scope, variant), orr_ledger_text(row, 4));
        if (!file) {
            more = ORR_EIO;
            break;
        }
        char name[32];
        snprintf(name, sizeof name, "value_%d", plot->series);
        orr_plot_number(plot, name, value);
        orr_plot_value(file, orr_ledger_number(row, 1), ',');
        orr_plot_value(file, value, ',');
        orr_plot_value(file, value - half, ',');
        orr_plot_value(file, value + half, ',');
        fputc('\n', file);
        fclose(file);
    }
    sqlite3_finalize(row);
    return more;
}

/* Measured ceilings of the devices used, as speeds by the paper's convention. */
static int plot_ceilings(struct orr_plot *plot, const struct orr_scope *scope)
{
    sqlite3_stmt *row;
    int more,
        count = 0,
        code =
            orr_ledger_query(&row, scope->ledger,
                             "SELECT DISTINCT device, ceiling FROM rates WHERE experiment = ? AND"
                             " machine = ? AND ceiling IS NOT NULL ORDER BY ceiling DESC",
                             "ss", scope->cells, scope->machine);
    if (code)
        return code;
    while ((more = orr_ledger_next(row, scope->ledger)) > 0) {
        char name[32];
        count++;
        snprintf(name, sizeof name, "ceiling_%d", count);
        orr_plot_number(plot, name,
                        orr_ledger_number(row, 1) * scope->paper->flops_per_interaction / 1e9);
        snprintf(name, sizeof name, "ceiling_label_%d", count);
        orr_plot_text(plot, name, "measured ceiling, %s", orr_ledger_text(row, 0));
    }
    sqlite3_finalize(row);
    orr_plot_number(plot, "ceilings", count);
    return more;
}

static int plot(struct orr_plot *out, const struct orr_scope *scope,
                const struct orr_results *results)
{
    struct rates r = {NULL, NULL, scope, results};
    orr_plot_number(out, "flops", scope->paper->flops_per_interaction);
    int code = for_each_line(&r, plot_line, out);
    if (!code)
        code = plot_published(out, scope);
    if (!code)
        code = plot_ceilings(out, scope);
    return orr_layout_drawn(code, out, scope, "measures it",
                            "%s was neither measured nor published", scope->name);
}

const struct orr_layout orr_layout_rates = {"rates", "rates", table, plot};
