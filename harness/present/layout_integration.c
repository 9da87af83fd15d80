/* Integrations over the number of bodies: bodies a second, which the paper may print, beside energy
 * and momentum. */
#include <math.h>
#include <stdio.h>

#include "present/cell_row.h"
#include "present/curves.h"
#include "present/layout.h"
#include "present/points.h"
#include "present/printed.h"
#include "present/show.h"

static void add_columns(struct orr_grid *g)
{
    orr_cell_columns(g, ORR_ALL);
    orr_grid_column(g, "extrapolated", "extrapolated", ORR_PROGRAMS, false);
    orr_grid_column(g, "bodies_per_second", "bodies/s", ORR_ALL, true);
    orr_grid_column(g, "iteration_seconds", "a force evaluation", ORR_ALL, true);
    orr_grid_column(g, "measured", "all steps", ORR_PEOPLE, true);
    orr_grid_column(g, "seconds", "seconds", ORR_PROGRAMS, true);
    orr_grid_column(g, "seconds_low", "low", ORR_PROGRAMS, true);
    orr_grid_column(g, "seconds_high", "high", ORR_PROGRAMS, true);
    orr_grid_column(g, "energy_drift", "drift of energy", ORR_ALL, true);
    orr_grid_column(g, "momentum_drift", "of momentum", ORR_ALL, true);
    orr_cell_error_columns(g);
    orr_grid_column(g, "samples", "samples", ORR_ALL, true);
}

static void put_row(struct orr_grid *g, const struct orr_scope *scope, const struct orr_result *r)
{
    char text[96];
    const char *about = r->extrapolated ? ORR_ABOUT : "";
    orr_cell_row(g, scope, r);
    orr_grid_text(g, "extrapolated", "%s", r->extrapolated ? "extrapolated" : "no");
    orr_grid_text(g, "measured", "%s", orr_show_time(text, sizeof text, r));
    orr_grid_number(g, "seconds", r->seconds);
    orr_grid_number(g, "seconds_low", r->low);
    orr_grid_number(g, "seconds_high", r->high);
    if (!isnan(r->bodies_per_second))
        orr_grid_text(g, "bodies_per_second", "%s%s",
                      orr_format_si(text, sizeof text, r->bodies_per_second, ""), about);
    orr_grid_number(g, "bodies_per_second", r->bodies_per_second);
    if (!isnan(r->seconds))
        orr_grid_text(g, "iteration_seconds", "%s%s",
                      orr_format_seconds(text, sizeof text, r->seconds / (r->steps + 1)), about);
    orr_grid_number(g, "iteration_seconds", r->seconds / (r->steps + 1));
    orr_cell_small(g, "energy_drift", r->energy_drift);
    orr_cell_small(g, "momentum_drift", r->momentum_drift);
    orr_cell_errors(g, r);
    if (!r->extrapolated)
        orr_grid_number(g, "samples", r->samples);
}

static int table(struct orr_document *out, const struct orr_scope *scope,
                 const struct orr_results *results)
{
    int code = orr_printed_add(out, scope);
    struct orr_grid *g = orr_document_grid(out, true, "Integrations by the leap-frog scheme");
    add_columns(g);
    for (size_t k = 0; k < results->count; k++)
        put_row(g, scope, &results->items[k]);
    return code;
}

static int plot_curve(struct orr_plot *out, const struct orr_scope *scope,
                      const struct orr_curves *curves, size_t curve)
{
    const struct orr_curve *c = &curves->items[curve];
    char label[256];
    struct orr_points points = {.plot = out,
                                .style = c->style,
                                .label =
                                    orr_curves_label(label, sizeof label, curves, curve, scope)};
    int code = 0;
    for (size_t k = c->first; k < c->first + c->count && !code; k++) {
        const struct orr_curve_point *p = &curves->points[k];
        double rate = p->result->bodies_per_second, work = rate * p->result->seconds;
        if (rate > 0)
            code = orr_points_add(&points, p->x,
                                  (double[]){rate, work / p->result->high, work / p->result->low},
                                  p->result->extrapolated);
    }
    orr_points_close(&points);
    return code;
}

/* A printed rate, as an open symbol of its program's colour. */
static int plot_published(struct orr_plot *out, const struct orr_scope *scope,
                          const struct orr_results *results, const char *variant)
{
    int code = 0;
    for (size_t k = 0; k < results->input_count && code >= 0; k++) {
        struct orr_published p;
        code =
            orr_published_find(&p, scope, variant, &results->inputs[k], "bodies_per_second", NULL);
        if (code > 0) {
            char label[320];
            struct orr_points points = {
                .plot = out, .style = -(int)(orr_scope_rank(scope, variant) + 1), .label = label};
            snprintf(label, sizeof label, "%s, published, %s", orr_layout_label(scope, variant),
                     p.device);
            code = orr_points_add_published(&points, results->inputs[k].n, &p);
            orr_points_close(&points);
        }
        orr_published_release(&p);
    }
    return code < 0 ? code : 0;
}

static int plot(struct orr_plot *out, const struct orr_scope *scope,
                const struct orr_results *results)
{
    struct orr_curves curves;
    int code = orr_curves_make(&curves, scope, results);
    for (size_t k = 0; k < curves.count && !code; k++)
        code = plot_curve(out, scope, &curves, k);
    for (unsigned k = 0; k < scope->paper->variants_count && !code; k++)
        code = plot_published(out, scope, results, scope->paper->variants[k].name);
    if (!code)
        orr_curves_name_axes(&curves, out, "bodies a second", "10^{%L}");
    orr_curves_release(&curves);
    return orr_layout_drawn(code, out, scope, "measures it", "%s was not measured here",
                            scope->name);
}

const struct orr_layout orr_layout_integration = {"integration", "curves", table, plot};
