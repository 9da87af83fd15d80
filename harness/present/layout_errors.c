/* Errors of accelerations over a parameter and over the number of bodies (fig. 3.5 of gaburov), by
 * three norms: each body's own acceleration, the mean of all, and the sum of the lengths of the
 * terms. */
#include <math.h>
#include <stdio.h>

#include "present/cell_row.h"
#include "present/family.h"
#include "present/layout.h"
#include "present/panels.h"
#include "present/points.h"
#include "present/printed.h"
#include "present/show.h"

enum { MEDIAN, P99, ENDS };
static const struct {
    const char *key, *name;
    size_t member[ENDS];
} norms[] = {
    {"error",
     "relative",
     {offsetof(struct orr_result, error_median), offsetof(struct orr_result, error_p99)}},
    {"by_mean",
     "by the mean",
     {offsetof(struct orr_result, by_mean_median), offsetof(struct orr_result, by_mean_p99)}},
    {"by_terms",
     "by the terms",
     {offsetof(struct orr_result, by_terms_median), offsetof(struct orr_result, by_terms_p99)}},
};
enum { NORMS = sizeof norms / sizeof *norms };
static const char *const ends[ENDS] = {"median", "p99"};
static const char *const end_names[ENDS] = {"median", "99 %"};

static double error_of(const struct orr_result *result, int norm, int end)
{
    return *(const double *)((const char *)result + norms[norm].member[end]);
}

/* --- tables --- */

static void put_line(struct orr_grid *g, const struct orr_scope *scope,
                     const struct orr_results *results, const struct orr_line *line, int norm)
{
    orr_grid_row(g);
    orr_grid_text(g, "program", "%s", orr_layout_label(scope, line->variant));
    orr_grid_text(g, "setting", "%s", line->setting);
    orr_grid_text(g, "on", "%s", line->device);
    for (size_t k = 0; k < results->input_count; k++) {
        const struct orr_result *r =
            *line->device ? orr_line_result(line, results, &results->inputs[k]) : NULL;
        char key[32];
        snprintf(key, sizeof key, "%zu", k);
        if (r && !isnan(error_of(r, norm, MEDIAN)))
            orr_grid_text(g, key, "%.1e / %.1e%s%s", error_of(r, norm, MEDIAN),
                          error_of(r, norm, P99), r->ok ? "" : " ", r->ok ? "" : r->outcome);
        else if (r && !r->ok)
            orr_grid_text(g, key, "%s", r->outcome);
    }
}

static int add_grids(struct orr_document *out, const struct orr_scope *scope,
                     const struct orr_results *results)
{
    static const char *const titles[NORMS] = {
        "Error of the acceleration, relative to the body's own: median / 99 %",
        "The same by the mean acceleration of all bodies",
        "The same by the sum of the lengths of all terms of the body's acceleration"};
    struct orr_lines lines;
    int code = orr_lines_make(&lines, scope, results);
    for (int norm = 0; norm < NORMS && !code; norm++) {
        struct orr_grid *g = orr_document_grid(out, false, "%s", titles[norm]);
        orr_grid_column(g, "program", "program", ORR_PEOPLE, false);
        orr_grid_column(g, "setting", "setting", ORR_PEOPLE, false);
        orr_grid_column(g, "on", "on", ORR_PEOPLE, false);
        orr_layout_input_columns(g, results);
        for (size_t k = 0; k < lines.count; k++)
            put_line(g, scope, results, &lines.items[k], norm);
    }
    orr_lines_release(&lines);
    return code;
}

static void add_data(struct orr_document *out, const struct orr_scope *scope,
                     const struct orr_results *results)
{
    struct orr_grid *g = orr_document_grid(out, true, "Every cell");
    orr_cell_columns(g, ORR_ALL);
    for (int norm = 0; norm < NORMS; norm++)
        for (int end = 0; end < ENDS; end++) {
            char key[64], head[64];
            snprintf(key, sizeof key, "%s_%s", norms[norm].key, ends[end]);
            snprintf(head, sizeof head, "%s, %s", norms[norm].name, end_names[end]);
            orr_grid_column(g, key, head, ORR_ALL, true);
        }
    orr_grid_column(g, "error_max", "relative, largest", ORR_ALL, true);
    orr_grid_column(g, "seconds", "seconds", ORR_PROGRAMS, true);
    for (size_t k = 0; k < results->count; k++) {
        const struct orr_result *r = &results->items[k];
        if (r->extrapolated) /* has no errors */
            continue;
        orr_cell_row(g, scope, r);
        for (int norm = 0; norm < NORMS; norm++)
            for (int end = 0; end < ENDS; end++) {
                char key[64];
                snprintf(key, sizeof key, "%s_%s", norms[norm].key, ends[end]);
                orr_cell_small(g, key, error_of(r, norm, end));
            }
        orr_cell_small(g, "error_max", r->error_max);
        orr_grid_number(g, "seconds", r->seconds);
    }
}

static int table(struct orr_document *out, const struct orr_scope *scope,
                 const struct orr_results *results)
{
    int code = orr_printed_add(out, scope);
    if (!code)
        code = add_grids(out, scope, results);
    if (!code)
        add_data(out, scope, results);
    return code;
}

/* --- the figure: a row a norm; over the parameter both ends, over N a panel each --- */

enum { DASH = 100 };

static int plot_curve(struct orr_panels *panels, const struct orr_family *family, size_t curve,
                      int norm, int end, int style, const char *label)
{
    const struct orr_curve *c = &family->curves.items[curve];
    struct orr_points points = {.panels = panels, .style = style, .label = label};
    int code = 0;
    for (size_t k = c->first; k < c->first + c->count && !code; k++) {
        const struct orr_curve_point *p = &family->curves.points[k];
        double error = error_of(p->result, norm, end);
        if (error > 0)
            code = orr_points_add(&points, p->x, (double[]){error, NAN, NAN}, false);
    }
    orr_points_close(&points);
    return code;
}

/* A straight line through the first point of the lowest curve: what the paper says of the slope. */
static int plot_power(struct orr_panels *panels, const struct orr_family *family, int norm)
{
    double least = INFINITY, most = 0, lowest = INFINITY;
    for (size_t k = 0; k < family->curves.point_count; k++) {
        const struct orr_curve_point *p = &family->curves.points[k];
        least = fmin(least, p->x), most = fmax(most, p->x);
    }
    for (size_t k = 0; k < family->curves.point_count; k++) {
        const struct orr_curve_point *p = &family->curves.points[k];
        if (p->x == least && error_of(p->result, norm, MEDIAN) > 0 &&
            orr_family_drawn(family, p->curve))
            lowest = fmin(lowest, error_of(p->result, norm, MEDIAN));
    }
    struct orr_published power;
    int code = orr_published_find(&power, family->scope, "octgrav", NULL, "exponent",
                                  family->curves.parameter);
    FILE *file = code > 0 && lowest < INFINITY && least > 0
                     ? orr_panels_series(panels, 0, "%s to the power of %s",
                                         family->curves.parameter, power.printed)
                     : NULL;
    if (file) {
        orr_panels_line_point(file, least, lowest);
        orr_panels_line_point(file, most, lowest * pow(most / least, power.value));
        fclose(file);
    }
    orr_published_release(&power);
    return code < 0 ? code : 0;
}

static int plot_over_parameter(struct orr_panels *panels, const struct orr_family *family, int norm)
{
    double sizes[3];
    size_t count = orr_family_sizes(sizes, 3, family);
    char tics[512], title[96];
    snprintf(title, sizeof title, "median (lines) and 99 %% (dashed), %s", norms[norm].name);
    orr_panels_add(panels, &(struct orr_panel){
                               .title = title,
                               .x_label = family->curves.parameter,
                               .y_label = "error of the acceleration",
                               .x_values = orr_curves_tics(tics, sizeof tics, &family->curves)});
    int code = plot_power(panels, family, norm);
    for (size_t k = 0; k < family->curves.count && !code; k++) {
        bool shown = false;
        for (size_t s = 0; s < count; s++)
            shown = shown || family->curves.items[k].input->n == sizes[s];
        char label[320];
        int style = orr_family_style(family, k);
        orr_family_label(label, sizeof label, family, k);
        for (int end = 0; end < ENDS && shown && !code && orr_family_drawn(family, k); end++)
            code = plot_curve(panels, family, k, norm, end, style + DASH * end, end ? "" : label);
    }
    return code;
}

static int plot_over_n(struct orr_panels *panels, const struct orr_family *family, int norm,
                       int end)
{
    char title[96];
    int code = 0;
    snprintf(title, sizeof title, "%s, %s", end_names[end], norms[norm].name);
    orr_panels_add(panels, &(struct orr_panel){.title = title,
                                               .x_label = "N (bodies)",
                                               .y_label = "error of the acceleration"});
    for (size_t k = 0; k < family->curves.count && !code; k++) {
        char label[320];
        if (orr_family_drawn(family, k))
            code = plot_curve(panels, family, k, norm, end, orr_family_style(family, k),
                              orr_family_label(label, sizeof label, family, k));
    }
    return code;
}

static int plot_rows(struct orr_plot *out, const struct orr_family *over_n,
                     const struct orr_family *over_parameter)
{
    enum { FEW = 3 };
    bool wide = over_parameter->curves.x_count >= FEW;
    struct orr_panels panels;
    int code = 0;
    orr_panels_start(&panels, out, wide ? 3 : 2);
    for (int norm = 0; norm < NORMS && !code; norm++) {
        if (wide)
            code = plot_over_parameter(&panels, over_parameter, norm);
        for (int end = 0; end < ENDS && !code; end++)
            code = plot_over_n(&panels, over_n, norm, end);
    }
    orr_panels_finish(&panels);
    return code;
}

static int plot(struct orr_plot *out, const struct orr_scope *scope,
                const struct orr_results *results)
{
    struct orr_family over_n, over_parameter = {.scope = scope};
    int code = orr_family_make(&over_n, false, true, scope, results);
    if (!code)
        code = orr_family_make(&over_parameter, true, true, scope, results);
    if (!code)
        code = plot_rows(out, &over_n, &over_parameter);
    orr_family_release(&over_n);
    orr_family_release(&over_parameter);
    return orr_layout_drawn(code, out, scope, "measures it", "%s was not measured here",
                            scope->name);
}

const struct orr_layout orr_layout_errors = {"errors", "panels", table, plot};
