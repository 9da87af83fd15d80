/* Pictures of the bodies: which there are, and panels of them (Figs. 5-12 of fujiwara). */
#include <errno.h>
#include <libgen.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ledger/csv.h"
#include "error.h"
#include "present/layout.h"
#include "text.h"

/* Directions from which a data set is seen; columns of the picture file. The cartwheel's axis is x:
 * the paper shows it from the side and from the front. */
static const struct view {
    const char *dataset; /* "" any other */
    const char *name, *across, *up;
} views[] = {{"cartwheel", "side", "x", "y"}, {"cartwheel", "front", "y", "z"}, {"", "", "x", "y"}};
enum { VIEW_COUNT = sizeof views / sizeof *views, MAX_PANEL_COLUMNS = 6 };

static int table(struct orr_document *out, const struct orr_scope *scope,
                 const struct orr_results *results)
{
    struct orr_grid *g = orr_document_grid(out, true, "Pictures");
    orr_grid_column(g, "machine", "machine", ORR_PROGRAMS, false);
    orr_grid_column(g, "dataset", "data set", ORR_ALL, false);
    orr_grid_column(g, "n", "N", ORR_ALL, true);
    orr_grid_column(g, "steps", "steps", ORR_ALL, true);
    orr_grid_column(g, "variant", "variant", ORR_ALL, false);
    orr_grid_column(g, "device", "device", ORR_ALL, false);
    orr_grid_column(g, "outcome", "outcome", ORR_ALL, false);
    orr_grid_column(g, "energy_drift", "energy drift", ORR_ALL, true);
    orr_grid_column(g, "momentum_drift", "momentum drift", ORR_ALL, true);
    orr_grid_column(g, "bodies_file", "bodies", ORR_ALL, false);
    for (size_t k = 0; k < results->count; k++) {
        const struct orr_result *r = &results->items[k];
        orr_grid_row(g);
        orr_grid_text(g, "machine", "%s", scope->machine);
        orr_grid_text(g, "dataset", "%s", r->input.dataset);
        orr_grid_number(g, "n", r->input.n);
        orr_grid_number(g, "steps", r->steps);
        orr_grid_text(g, "variant", "%s", r->variant);
        orr_grid_text(g, "device", "%s", r->device);
        orr_grid_text(g, "outcome", "%s", r->outcome);
        orr_grid_number(g, "energy_drift", r->energy_drift);
        orr_grid_number(g, "momentum_drift", r->momentum_drift);
        if (*r->bodies_file)
            orr_grid_text(g, "bodies_file", "%s", r->bodies_file);
    }
    return 0;
}

/* --- the figure: a row of panels a data set and view, one panel a number of steps --- */

static void bodies_path(char *out, size_t size, const struct orr_result *result)
{
    char folder[1024];
    snprintf(folder, sizeof folder, "%s", result->path);
    snprintf(out, size, "%s/%s", *result->bodies_file == '/' ? "" : dirname(folder),
             result->bodies_file);
}

static bool has_picture(const struct orr_result *result)
{
    char path[2048];
    if (!result->ok || !*result->bodies_file)
        return false;
    bodies_path(path, sizeof path, result);
    return access(path, R_OK) == 0;
}

/* A file without a header line holds x,y,z. */
static bool has_header(const struct orr_csv *first)
{
    double ignored;
    return !orr_text_number(first->fields[0], &ignored);
}

static int column_of(const struct orr_csv *first, const char *name)
{
    if (!has_header(first))
        return *name - 'x' < (int)first->count ? *name - 'x' : -1;
    for (size_t k = 0; k < first->count; k++)
        if (!strcmp(first->fields[k], name))
            return (int)k;
    return -1;
}

/* Copies the two columns of a view into a series of the plot. */
static int copy_bodies(struct orr_plot *plot, const struct orr_result *result,
                       const struct view *view, FILE *from, struct orr_csv *csv)
{
    int more = orr_csv_next(csv, from);
    int across = more > 0 ? column_of(csv, view->across) : -1,
        up = more > 0 ? column_of(csv, view->up) : -1;
    if (across < 0 || up < 0)
        return orr_fail(ORR_EINPUT, "%s has no columns %s and %s", result->bodies_file,
                        view->across, view->up);
    FILE *to =
        orr_plot_series(plot, "across,up", 1, "%s%s%s, N = %.0f, %.0f steps", result->input.dataset,
                        *view->name ? ", " : "", view->name, result->input.n, result->steps);
    if (!to)
        return ORR_EIO;
    if (has_header(csv))
        more = orr_csv_next(csv, from);
    for (; more > 0; more = orr_csv_next(csv, from))
        if ((size_t)across < csv->count && (size_t)up < csv->count)
            fprintf(to, "%s,%s\n", csv->fields[across], csv->fields[up]);
    fclose(to);
    return more;
}

static int plot_panel(struct orr_plot *plot, const struct orr_result *result,
                      const struct view *view, int row, int column)
{
    char path[2048], name[32];
    bodies_path(path, sizeof path, result);
    FILE *from = fopen(path, "r");
    if (!from)
        return orr_fail(ORR_EIO, "cannot read the bodies %s: %s", path, strerror(errno));
    struct orr_csv csv = {0};
    int code = copy_bodies(plot, result, view, from, &csv);
    orr_csv_release(&csv);
    fclose(from);
    snprintf(name, sizeof name, "row_%d", plot->series);
    orr_plot_number(plot, name, row);
    snprintf(name, sizeof name, "column_%d", plot->series);
    orr_plot_number(plot, name, column);
    snprintf(name, sizeof name, "across_%d", plot->series);
    orr_plot_text(plot, name, "%s", view->across);
    snprintf(name, sizeof name, "up_%d", plot->series);
    orr_plot_text(plot, name, "%s", view->up);
    return code;
}

static bool is_seen_by(const struct orr_result *result, size_t view)
{
    bool special = false;
    for (size_t k = 0; k < VIEW_COUNT; k++)
        special |= !strcmp(views[k].dataset, result->input.dataset);
    return special ? !strcmp(views[view].dataset, result->input.dataset) : !*views[view].dataset;
}

/* The results are sorted by steps within a data set; of several devices the first tells the
 * picture. */
static int plot_row(struct orr_plot *plot, const struct orr_results *results,
                    const struct orr_input *input, size_t view, int row, int *columns)
{
    int code = 0, column = 0;
    double last = -1;
    for (size_t k = 0; k < results->count && !code && column < MAX_PANEL_COLUMNS; k++) {
        const struct orr_result *r = &results->items[k];
        if (!orr_input_same(&r->input, input) || r->steps <= last || !is_seen_by(r, view) ||
            !has_picture(r))
            continue;
        code = plot_panel(plot, r, &views[view], row, column++);
        last = r->steps;
    }
    if (column > *columns)
        *columns = column;
    return column ? code : code ? code : 1;
}

/* The largest N of a data set stands for it. */
static bool is_largest(const struct orr_results *results, const struct orr_input *input)
{
    for (size_t k = 0; k < results->count; k++)
        if (!strcmp(results->items[k].input.dataset, input->dataset) &&
            results->items[k].input.n > input->n && has_picture(&results->items[k]))
            return false;
    return true;
}

static int plot(struct orr_plot *out, const struct orr_scope *scope,
                const struct orr_results *results)
{
    int code = 0, row = 0, columns = 0;
    for (size_t k = 0; k < results->input_count && code >= 0; k++)
        for (size_t view = 0; view < VIEW_COUNT && code >= 0; view++) {
            if (!is_largest(results, &results->inputs[k]))
                continue;
            code = plot_row(out, results, &results->inputs[k], view, row, &columns);
            row += code == 0;
        }
    code = orr_layout_drawn(code < 0 ? code : 0, out, scope, "makes them",
                            "there are no bodies of %s here", scope->name);
    if (code)
        return code;
    orr_plot_number(out, "rows", row);
    orr_plot_number(out, "columns", columns);
    out->width = columns * 420 + 30;
    out->height = row * 420 + 80;
    return 0;
}

const struct orr_layout orr_layout_snapshots = {"snapshots", "snapshots", table, plot};
