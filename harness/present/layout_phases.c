/* The phases of an iteration: their times (fig. 11 of feng) and how they grow over the smallest
 * size (figs. 9, 10, 12).
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "present/layout.h"
#include "present/phase_times.h"
#include "present/points.h"
#include "present/show.h"

/* --- tables --- */

/* Factors over the first setting of the program on a device that has all values but one: what the
 * experiment varies (sort, throttle), and nothing else with it. */
static const struct orr_curve *reference_of(const struct orr_curves *curves,
                                            const struct orr_curve *c)
{
    for (const struct orr_curve *other = curves->items; other < c; other++)
        if (!strcmp(other->variant, c->variant) && !strcmp(other->device, c->device) &&
            other->input == c->input && orr_setting_changes(c->setting, other->setting) == 1)
            return other;
    return NULL;
}

static int put_printed(struct orr_document *out, struct orr_grid *grid,
                       const struct orr_phase_times *times, const struct orr_curve *curve)
{
    struct orr_published p;
    int code =
        orr_published_find(&p, times->scope, curve->variant, NULL, "slowdown", curve->difference);
    if (code > 0) {
        orr_grid_text(grid, "printed", "%s", p.printed);
        orr_grid_note(grid, "printed", orr_document_note(out, p.erratum));
    }
    orr_published_release(&p);
    return code < 0 ? code : 0;
}

static int put_factors(struct orr_document *out, struct orr_grid *grid,
                       const struct orr_phase_times *times, size_t curve,
                       const struct orr_curve *reference, int phase)
{
    const struct orr_curves *curves = &times->curves;
    const struct orr_curve *c = &curves->items[curve];
    orr_grid_row(grid);
    orr_grid_text(grid, "program", "%s", orr_layout_label(times->scope, c->variant));
    orr_grid_text(grid, "factor", "%s over %s", c->difference, reference->difference);
    orr_grid_text(grid, "on", "%s", c->device);
    orr_grid_text(grid, "phase", "%s", orr_phase_name(times, phase));
    for (size_t k = 0; k < curves->x_count; k++) {
        char key[32], text[48];
        const struct orr_curve_point *a = orr_curves_at(curves, curve, curves->xs[k]);
        const struct orr_curve_point *b =
            orr_curves_at(curves, (size_t)(reference - curves->items), curves->xs[k]);
        if (!a || !b)
            continue;
        double factor = orr_phase_value(times, a, phase, ORR_PHASE_SECONDS) /
                        orr_phase_value(times, b, phase, ORR_PHASE_SECONDS);
        bool about = a->result->extrapolated || b->result->extrapolated;
        snprintf(key, sizeof key, "%zu", k);
        orr_grid_text(grid, key, "%s%s", orr_format_number(text, sizeof text, factor),
                      about && !isnan(factor) ? ORR_ABOUT : "");
    }
    return phase == ORR_ITERATION ? 0 : put_printed(out, grid, times, c);
}

static int add_factors(struct orr_document *out, const struct orr_phase_times *times)
{
    const struct orr_curves *curves = &times->curves;
    struct orr_grid *grid = orr_document_grid(
        out, false, "What the setting changes: time over that of another setting");
    orr_grid_column(grid, "program", "program", ORR_PEOPLE, false);
    orr_grid_column(grid, "factor", "factor", ORR_PEOPLE, false);
    orr_grid_column(grid, "on", "on", ORR_PEOPLE, false);
    orr_grid_column(grid, "phase", "phase", ORR_PEOPLE, false);
    orr_grid_column(grid, "printed", "printed", ORR_PEOPLE, true);
    orr_curves_columns(grid, curves);
    int code = 0;
    for (size_t c = 0; c < curves->count; c++) {
        const struct orr_curve *reference = reference_of(curves, &curves->items[c]);
        for (int phase = ORR_ITERATION; reference && !code && phase < (int)times->phases.count;
             phase++)
            if (phase == ORR_ITERATION || orr_phase_drawn(times, phase))
                code = put_factors(out, grid, times, c, reference, phase);
    }
    if (!code && grid && !grid->row_count)
        orr_document_drop_grid(out);
    return code;
}

static int add_tables(struct orr_document *out, const struct orr_scope *scope,
                      const struct orr_results *results, enum orr_phase_measure measure)
{
    struct orr_phase_times times;
    int code = orr_phase_times_make(&times, scope, results);
    if (!code && measure == ORR_PHASE_SECONDS)
        code = add_factors(out, &times);
    if (!code)
        code = orr_phase_tables_add(out, &times, measure);
    orr_phase_times_release(&times);
    return code;
}

static int table_phases(struct orr_document *out, const struct orr_scope *scope,
                        const struct orr_results *results)
{
    return add_tables(out, scope, results, ORR_PHASE_SECONDS);
}

static int table_growth(struct orr_document *out, const struct orr_scope *scope,
                        const struct orr_results *results)
{
    return add_tables(out, scope, results, ORR_PHASE_GROWTH);
}

/* --- figures over x: a line a curve and phase --- */

enum { DASH = 100, FEW_SERIES = 9 };

/* "CUDA, cuda:0", with the phase first where several are drawn. */
static void name_series(char *out, size_t size, const struct orr_phase_times *times, size_t curve,
                        int phase)
{
    char label[256];
    bool several = times->scope->experiment->phases_count > 1;
    orr_curves_label(label, sizeof label, &times->curves, curve, times->scope);
    snprintf(out, size, "%s%s%s", several ? orr_phase_name(times, phase) : "", several ? ", " : "",
             label);
}

static int plot_series(struct orr_plot *plot, const struct orr_phase_times *times, size_t curve,
                       int phase, enum orr_phase_measure measure)
{
    const struct orr_curve *c = &times->curves.items[curve];
    char label[320];
    bool several = times->scope->experiment->phases_count > 1;
    struct orr_points points = {.plot = plot,
                                .style = several ? orr_phase_style(times, phase) + DASH * (int)curve
                                                 : c->style,
                                .label = label};
    int code = 0;
    name_series(label, sizeof label, times, curve, phase);
    for (size_t k = c->first; k < c->first + c->count && !code; k++) {
        const struct orr_curve_point *point = &times->curves.points[k];
        double value = orr_phase_value(times, point, phase, measure), spread = NAN;
        if (isnan(value) || value <= 0)
            continue;
        if (phase == ORR_ITERATION && measure == ORR_PHASE_SECONDS)
            spread = value / point->result->seconds;
        double scale = measure == ORR_PHASE_SECONDS ? 1e3 : 1;
        code = orr_points_add(&points, point->x,
                              (double[]){scale * value, scale * spread * point->result->low,
                                         scale * spread * point->result->high},
                              point->result->extrapolated);
    }
    orr_points_close(&points);
    return code;
}

/* The numbers that the text quotes, as points of their own. */
static int plot_published(struct orr_plot *plot, const struct orr_phase_times *times, size_t curve,
                          int phase)
{
    const struct orr_results *results = times->results;
    const struct orr_curve *c = &times->curves.items[curve];
    int code = 0;
    for (size_t k = 0; k < results->input_count && code >= 0; k++) {
        struct orr_published p;
        code = orr_published_find(&p, times->scope, c->variant, &results->inputs[k], "growth",
                                  orr_phase_name(times, phase));
        if (code > 0) {
            char label[320];
            struct orr_points points = {
                .plot = plot, .style = -orr_phase_style(times, phase), .label = label};
            snprintf(label, sizeof label, "%s, published", orr_phase_name(times, phase));
            code = orr_points_add_published(&points, results->inputs[k].n, &p);
            orr_points_close(&points);
        }
        orr_published_release(&p);
    }
    return code < 0 ? code : 0;
}

static int plot_curve(struct orr_plot *out, const struct orr_phase_times *times, size_t curve,
                      enum orr_phase_measure measure)
{
    int code = 0;
    for (int phase = ORR_ITERATION; phase < (int)times->phases.count && !code; phase++) {
        if (!orr_phase_drawn(times, phase))
            continue;
        code = plot_series(out, times, curve, phase, measure);
        if (!code && phase != ORR_ITERATION && measure == ORR_PHASE_GROWTH &&
            times->curves.items[curve].faithful)
            code = plot_published(out, times, curve, phase);
    }
    return code;
}

/* A figure of phases may leave all out that is extrapolated. */
static bool draws_estimates(const struct orr_phase_times *times)
{
    bool any = false;
    for (size_t k = 0; k < times->curves.point_count; k++)
        any = any || (times->curves.points[k].result->extrapolated &&
                      orr_phase_drawn(times, ORR_ITERATION));
    return any;
}

static void name_axes(struct orr_plot *out, const struct orr_phase_times *times,
                      enum orr_phase_measure measure)
{
    const struct orr_experiment *e = times->scope->experiment;
    char label[128];
    const char *what = e->phases_count == 1 ? e->phases[0]
                       : e->phases_count    ? "a phase"
                                            : "an iteration";
    if (measure == ORR_PHASE_SECONDS)
        snprintf(label, sizeof label, "time of %s [ms]", what);
    else
        snprintf(label, sizeof label, "time of %s over that of the smallest size", what);
    orr_curves_name_axes(&times->curves, out, label, "%g");
    orr_plot_number(out, "linear", measure == ORR_PHASE_GROWTH);
    orr_plot_number(out, "estimates", draws_estimates(times));
}

static int plot_over_x(struct orr_plot *out, const struct orr_scope *scope,
                       const struct orr_results *results, enum orr_phase_measure measure)
{
    struct orr_phase_times times;
    int code = orr_phase_times_make(&times, scope, results);
    for (size_t k = 0; k < times.curves.count && !code; k++)
        code = plot_curve(out, &times, k, measure);
    if (!code)
        name_axes(out, &times, measure);
    orr_phase_times_release(&times);
    out->height += out->series > FEW_SERIES ? 100 : 0; /* for the legend */
    return orr_layout_drawn(code, out, scope, "measures them", "no times of phases of %s here",
                            scope->name);
}

static int plot_phases(struct orr_plot *out, const struct orr_scope *scope,
                       const struct orr_results *results)
{
    return plot_over_x(out, scope, results, ORR_PHASE_SECONDS);
}

static int plot_growth(struct orr_plot *out, const struct orr_scope *scope,
                       const struct orr_results *results)
{
    return plot_over_x(out, scope, results, ORR_PHASE_GROWTH);
}

const struct orr_layout orr_layout_phases = {"phases", "curves", table_phases, plot_phases};
const struct orr_layout orr_layout_growth = {"growth", "curves", table_growth, plot_growth};
