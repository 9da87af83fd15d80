/* Speedup over the experiment's first baseline (fig. 6 of feng); the table has times and the
 * speedups over all. */
#include <math.h>
#include <stdio.h>

#include "error.h"
#include "present/curves.h"
#include "present/layout.h"
#include "present/points.h"
#include "present/printed.h"
#include "present/time_split.h"

/* Where a program works on host and device in turn. */
static int add_parts(struct orr_document *out, const struct orr_scope *scope,
                     const struct orr_results *results, const struct orr_lines *lines)
{
    struct orr_time_splitter splitter;
    bool any = false;
    int code = orr_time_splitter_make(&splitter, scope);
    for (size_t k = 0; k < splitter.stages.count; k++)
        any = any || splitter.stages.in_step[k];
    return any && !code ? orr_time_parts_add(out, &splitter, results, lines) : code;
}

static int table(struct orr_document *out, const struct orr_scope *scope,
                 const struct orr_results *results)
{
    struct orr_lines lines;
    int code = orr_lines_make(&lines, scope, results);
    if (code)
        return code;
    code = orr_printed_add(out, scope);
    if (!code)
        code = orr_matrices_add(out, scope, results, &lines);
    if (!code)
        code = add_parts(out, scope, results, &lines);
    orr_lines_release(&lines);
    struct orr_cell_grid options = {.published = "seconds", .speedups = true};
    return code ? code : orr_cell_grid_add(out, scope, results, &options);
}

static int plot_curve(struct orr_plot *out, const struct orr_scope *scope,
                      const struct orr_results *results, const struct orr_curves *curves,
                      size_t curve)
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
        struct orr_ratio ratio;
        code =
            orr_ratio_of(&ratio, scope, p->result,
                         orr_results_baseline(results, p->result, scope->experiment->baselines[0]));
        if (!code && !isnan(ratio.value))
            code = orr_points_add(&points, p->x, (double[]){ratio.value, ratio.low, ratio.high},
                                  ratio.extrapolated);
    }
    orr_points_close(&points);
    return code;
}

static int plot(struct orr_plot *out, const struct orr_scope *scope,
                const struct orr_results *results)
{
    const struct orr_experiment *e = scope->experiment;
    struct orr_curves curves;
    if (!e->baselines_count)
        return orr_fail(ORR_EINPUT, "%s has the layout speedups but no baselines", scope->name);
    int code = orr_curves_make(&curves, scope, results);
    for (size_t k = 0; k < curves.count && !code; k++)
        code = plot_curve(out, scope, results, &curves, k);
    if (!code) {
        char label[160];
        snprintf(label, sizeof label, "speedup over %s", e->baselines[0]);
        orr_curves_name_axes(&curves, out, label, "%g");
    }
    orr_curves_release(&curves);
    return orr_layout_drawn(code, out, scope, "measures them",
                            "no two programs of %s were measured", scope->name);
}

const struct orr_layout orr_layout_speedups = {"speedups", "curves", table, plot};
