/* What approximating costs (figs. 14 to 17 of feng): how far the bodies went from where direct sums
 * take them, over a parameter. The paper's cost is the sum over all bodies, which grows with N by
 * itself; the mean stands beside it. */
#include <math.h>
#include <stdio.h>

#include "error.h"
#include "present/cell_row.h"
#include "present/curves.h"
#include "present/layout.h"
#include "present/points.h"

static const struct {
    const char *key, *head;
    size_t member;
} costs[] = {{"position_sum", "position, sum", offsetof(struct orr_result, position_sum)},
             {"position_mean", "position, mean", offsetof(struct orr_result, position_mean)},
             {"speed_sum", "speed, sum", offsetof(struct orr_result, speed_sum)},
             {"speed_mean", "speed, mean", offsetof(struct orr_result, speed_mean)},
             {"velocity_sum", "velocity, sum", offsetof(struct orr_result, velocity_sum)},
             {"velocity_mean", "velocity, mean", offsetof(struct orr_result, velocity_mean)}};
enum { COST_COUNT = sizeof costs / sizeof *costs };

static double cost_of(const struct orr_result *result, size_t cost)
{
    return *(const double *)((const char *)result + costs[cost].member);
}

static void add_columns(struct orr_grid *g)
{
    orr_cell_columns(g, ORR_ALL);
    for (size_t k = 0; k < COST_COUNT; k++)
        orr_grid_column(g, costs[k].key, costs[k].head, ORR_ALL, true);
    orr_cell_error_columns(g);
    orr_grid_column(g, "seconds", "seconds", ORR_PROGRAMS, true);
}

static void put_row(struct orr_grid *g, const struct orr_scope *scope, const struct orr_result *r)
{
    orr_cell_row(g, scope, r);
    for (size_t k = 0; k < COST_COUNT; k++)
        orr_cell_small(g, costs[k].key, cost_of(r, k));
    orr_cell_errors(g, r);
    orr_grid_number(g, "seconds", r->seconds);
}

static int table(struct orr_document *out, const struct orr_scope *scope,
                 const struct orr_results *results)
{
    struct orr_grid *g = orr_document_grid(
        out, true, "Squared distance of positions, squared difference of speeds and of velocities");
    add_columns(g);
    for (size_t k = 0; k < results->count; k++)
        put_row(g, scope, &results->items[k]);
    return 0;
}

/* --- the figure: sums of position and speed, with the mean on the right axis --- */

static const size_t drawn[] = {0, 2};
enum { DRAWN_COUNT = sizeof drawn / sizeof *drawn };

/* Of several numbers of bodies the largest is drawn, with the most steps: one figure has one mean.
 */
static const struct orr_result *largest_of(const struct orr_curves *curves)
{
    const struct orr_result *largest = NULL;
    for (size_t k = 0; k < curves->point_count; k++) {
        const struct orr_result *r = curves->points[k].result;
        if (!largest || r->input.n > largest->input.n ||
            (r->input.n == largest->input.n && r->steps > largest->steps))
            largest = r;
    }
    return largest;
}

static int plot_cost(struct orr_plot *out, const struct orr_scope *scope,
                     const struct orr_curves *curves, size_t curve, size_t cost,
                     const struct orr_result *shown)
{
    const struct orr_curve *c = &curves->items[curve];
    char name[256], label[320];
    struct orr_points points = {.plot = out, .style = c->style * (cost ? -1 : 1), .label = label};
    int code = 0;
    snprintf(label, sizeof label, "%s, %s", cost ? "speed" : "position",
             orr_curves_label(name, sizeof name, curves, curve, scope));
    for (size_t k = c->first; k < c->first + c->count && !code; k++) {
        const struct orr_curve_point *p = &curves->points[k];
        double value = cost_of(p->result, drawn[cost]);
        if (value > 0 && p->x > 0 && p->result->input.n == shown->input.n &&
            p->result->steps == shown->steps)
            code = orr_points_add(&points, p->x, (double[]){value, NAN, NAN}, false);
    }
    orr_points_close(&points);
    return code;
}

static int plot(struct orr_plot *out, const struct orr_scope *scope,
                const struct orr_results *results)
{
    struct orr_curves curves;
    int code = orr_curves_make(&curves, scope, results);
    if (!code && !curves.parameter)
        code =
            orr_fail(ORR_EINPUT, "%s has the layout cost but no axis of a parameter", scope->name);
    const struct orr_result *shown = code ? NULL : largest_of(&curves);
    for (size_t k = 0; k < curves.count && !code; k++)
        for (size_t cost = 0; cost < DRAWN_COUNT && !code; cost++)
            code = plot_cost(out, scope, &curves, k, cost, shown);
    if (!code && shown) {
        char label[128];
        snprintf(label, sizeof label, "sum of the squared differences after %.0f steps",
                 shown->steps);
        orr_curves_name_axes(&curves, out, label, "10^{%L}");
        orr_plot_number(out, "mean_of", shown->input.n);
    }
    orr_curves_release(&curves);
    return orr_layout_drawn(code, out, scope, "makes them", "%s has no trajectories here",
                            scope->name);
}

const struct orr_layout orr_layout_cost = {"cost", "curves", table, plot};
