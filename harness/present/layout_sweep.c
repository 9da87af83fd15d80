/* A sweep of two parameters: one matrix a data set, N and device; and a heat map. The parameters
 * are the first two axes of the experiment that do not choose the input. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "present/layout.h"
#include "present/show.h"

enum { MAX_VALUES = 32 };

struct point {
    const struct orr_result *result;
    double row, column; /* values of the two parameters */
};

struct sweep {
    const char *row, *column; /* names of the parameters */
    struct point *points;     /* one a result, in the results' order */
    size_t count;
    double rows[MAX_VALUES], columns[MAX_VALUES]; /* values that occur, rising */
    size_t row_count, column_count;
};

static int find_axes(const char **row, const char **column, const struct orr_scope *scope)
{
    const char **names[] = {row, column};
    int found = 0;
    for (unsigned k = 0; k < scope->experiment->axes_count && found < 2; k++)
        if (!orr_axis_chooses_input(scope->experiment->axes[k].name))
            *names[found++] = scope->experiment->axes[k].name;
    if (found == 2)
        return 0;
    return orr_fail(ORR_EINPUT, "%s has the layout sweep but not two axes of parameters",
                    scope->name);
}

static void add_value(double *values, size_t *count, double value)
{
    size_t k = 0;
    while (k < *count && values[k] < value)
        k++;
    if ((k < *count && values[k] == value) || *count == MAX_VALUES)
        return;
    memmove(values + k + 1, values + k, (*count - k) * sizeof *values);
    values[k] = value;
    ++*count;
}

/* Results without the two parameters (a crash before they were known) stay out of the matrix and in
 * the list of failures. */
static int sweep_make(struct sweep *sweep, const struct orr_scope *scope,
                      const struct orr_results *results)
{
    *sweep = (struct sweep){0};
    const char *row_name, *column_name;
    int code = find_axes(&row_name, &column_name, scope);
    if (code)
        return code;
    sweep->row = row_name;
    sweep->column = column_name;
    sweep->points = calloc(results->count + 1, sizeof *sweep->points);
    if (!sweep->points)
        return orr_fail(ORR_EMEMORY, "no memory for the sweep");
    for (size_t k = 0; k < results->count; k++) {
        const json_t *values = results->items[k].values;
        const json_t *row = json_object_get(values, sweep->row),
                     *column = json_object_get(values, sweep->column);
        if (json_is_number(row) && json_is_number(column)) {
            struct point *point = &sweep->points[sweep->count++];
            *point = (struct point){&results->items[k], json_number_value(row),
                                    json_number_value(column)};
            add_value(sweep->rows, &sweep->row_count, point->row);
            add_value(sweep->columns, &sweep->column_count, point->column);
        }
    }
    return 0;
}

static bool is_same_matrix(const struct orr_result *a, const struct orr_result *b)
{
    return !strcmp(a->variant, b->variant) && !strcmp(a->device, b->device) &&
           orr_input_same(&a->input, &b->input);
}

static const struct orr_result *find(const struct sweep *sweep, const struct orr_result *like,
                                     double row, double column)
{
    const struct orr_result *newest = NULL;
    for (size_t k = 0; k < sweep->count; k++) {
        const struct point *p = &sweep->points[k];
        if (is_same_matrix(p->result, like) && p->row == row && p->column == column &&
            (!newest || strcmp(p->result->started, newest->started) > 0))
            newest = p->result;
    }
    return newest;
}

/* Whether an earlier point belongs to the same matrix. */
static bool is_repeated(const struct sweep *sweep, size_t at)
{
    for (size_t k = 0; k < at; k++)
        if (is_same_matrix(sweep->points[k].result, sweep->points[at].result))
            return true;
    return false;
}

static void put_entry(struct orr_grid *grid, const char *key, const struct orr_result *r,
                      const struct orr_result *unit)
{
    char rate[48], relative[48] = "";
    if (!r)
        return;
    if (!r->ok) {
        orr_grid_text(grid, key, "%s", r->outcome);
        return;
    }
    if (unit && unit->ok && !isnan(r->interactions_per_second))
        orr_format_number(relative, sizeof relative,
                          r->interactions_per_second / unit->interactions_per_second);
    orr_grid_text(
        grid, key, "%s%s%s%s%s", orr_format_si(rate, sizeof rate, r->interactions_per_second, "/s"),
        *relative ? " (" : "", relative, *relative ? "×)" : "", r->extrapolated ? ORR_ABOUT : "");
}

static void add_matrix(struct orr_document *out, const struct sweep *sweep,
                       const struct orr_result *like)
{
    const struct orr_result *unit = find(sweep, like, sweep->rows[0], sweep->columns[0]);
    struct orr_grid *grid = orr_document_grid(
        out, false, "%s on %s, %s N = %.0f: interactions/s, and relative to %s = %g, %s = %g",
        like->variant, like->device, like->input.dataset, like->input.n, sweep->row, sweep->rows[0],
        sweep->column, sweep->columns[0]);
    char head[96];
    snprintf(head, sizeof head, "%s \\ %s", sweep->row, sweep->column);
    orr_grid_column(grid, "row", head, ORR_PEOPLE, true);
    for (size_t c = 0; c < sweep->column_count; c++) {
        snprintf(head, sizeof head, "%g", sweep->columns[c]);
        orr_grid_column(grid, head, head, ORR_PEOPLE, true);
    }
    for (size_t r = 0; r < sweep->row_count; r++) {
        orr_grid_row(grid);
        orr_grid_text(grid, "row", "%g", sweep->rows[r]);
        for (size_t c = 0; c < sweep->column_count; c++) {
            snprintf(head, sizeof head, "%g", sweep->columns[c]);
            put_entry(grid, head, find(sweep, like, sweep->rows[r], sweep->columns[c]), unit);
        }
    }
}

static int table(struct orr_document *out, const struct orr_scope *scope,
                 const struct orr_results *results)
{
    struct sweep sweep;
    int code = sweep_make(&sweep, scope, results);
    for (size_t k = 0; !code && k < sweep.count; k++)
        if (!is_repeated(&sweep, k))
            add_matrix(out, &sweep, sweep.points[k].result);
    free(sweep.points);
    struct orr_cell_grid options = {.published = "seconds"};
    return code ? code : orr_cell_grid_add(out, scope, results, &options);
}

/* --- the figure: one heat map a matrix --- */

static int write_matrix(struct orr_plot *plot, const struct sweep *sweep,
                        const struct orr_result *like)
{
    const struct orr_result *unit = find(sweep, like, sweep->rows[0], sweep->columns[0]);
    FILE *file = orr_plot_series(plot, "row,column,rate,relative,text", 1, "%s, %s, N = %.0f%s",
                                 like->device, like->input.dataset, like->input.n,
                                 like->extrapolated ? ", ≈ extrapolated" : "");
    if (!file)
        return ORR_EIO;
    for (size_t r = 0; r < sweep->row_count; r++)
        for (size_t c = 0; c < sweep->column_count; c++) {
            const struct orr_result *result = find(sweep, like, sweep->rows[r], sweep->columns[c]);
            char text[48];
            bool ok = result && result->ok;
            orr_plot_value(file, (double)r, ',');
            orr_plot_value(file, (double)c, ',');
            orr_plot_value(file, ok ? result->interactions_per_second : NAN, ',');
            orr_plot_value(file,
                           ok && unit && unit->ok
                               ? result->interactions_per_second / unit->interactions_per_second
                               : NAN,
                           ',');
            fprintf(file, "%s\n",
                    ok ? orr_format_si(text, sizeof text, result->interactions_per_second, "/s")
                    : result ? result->outcome
                             : "");
        }
    fclose(file);
    return 0;
}

static void name_values(struct orr_plot *plot, const char *name, const double *values, size_t count)
{
    char text[512] = "";
    for (size_t k = 0; k < count; k++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%g", k ? " " : "", values[k]);
    orr_plot_text(plot, name, "%s", text);
}

static int plot(struct orr_plot *out, const struct orr_scope *scope,
                const struct orr_results *results)
{
    struct sweep sweep;
    int code = sweep_make(&sweep, scope, results);
    for (size_t k = 0; !code && k < sweep.count; k++)
        if (!is_repeated(&sweep, k))
            code = write_matrix(out, &sweep, sweep.points[k].result);
    if (!code) {
        name_values(out, "rows", sweep.rows, sweep.row_count);
        name_values(out, "columns", sweep.columns, sweep.column_count);
        orr_plot_text(out, "row_name", "%s", sweep.row);
        orr_plot_text(out, "column_name", "%s", sweep.column);
    }
    free(sweep.points);
    return orr_layout_drawn(code, out, scope, "measures it", "%s was not measured yet",
                            scope->name);
}

const struct orr_layout orr_layout_sweep = {"sweep", "sweep", table, plot};
