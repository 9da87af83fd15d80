/* How a tree code uses its device, over a parameter, a column of panels a number of bodies
 * (fig. 3.8 of gaburov): speed of both evaluations, bandwidth of both walks, threads with a body.
 */
#include <math.h>
#include <stdio.h>

#include "present/cell_row.h"
#include "present/family.h"
#include "present/layout.h"
#include "present/panels.h"
#include "present/points.h"
#include "present/printed.h"
#include "present/show.h"
#include "present/work.h"

static const struct {
    const char *key, *head;
    double scale; /* of the number that people see */
} columns[ORR_WORK_KINDS] = {
    [ORR_WORK_NODE_GFLOPS] = {"node_gflops", "GFLOPS, nodes", 1},
    [ORR_WORK_LEAF_GFLOPS] = {"leaf_gflops", "GFLOPS, leaves", 1},
    [ORR_WORK_BOTH_GFLOPS] = {"gflops", "GFLOPS, both", 1},
    [ORR_WORK_PEAK_SHARE] = {"peak_share", "of peak [%]", 100},
    [ORR_WORK_NODE_RATE] = {"node_interactions_per_second", "nodes/s", 0},
    [ORR_WORK_LEAF_RATE] = {"leaf_interactions_per_second", "leaves/s", 0},
    [ORR_WORK_WALK_1] = {"walk_1_bytes_per_second", "walk 1 [GB/s]", 1e-9},
    [ORR_WORK_WALK_2] = {"walk_2_bytes_per_second", "walk 2 [GB/s]", 1e-9},
    [ORR_WORK_PER_GROUP] = {"bodies_per_group", "bodies in a group", 1},
    [ORR_WORK_ACTIVE] = {"active_threads", "threads with a body [%]", 100},
};

static void put_work(struct orr_grid *g, const struct orr_work *work)
{
    for (int k = 0; k < ORR_WORK_KINDS; k++) {
        char text[48];
        double value = work->of[k];
        if (isnan(value))
            continue;
        if (columns[k].scale > 0)
            orr_format_number(text, sizeof text, columns[k].scale * value);
        else
            orr_format_si(text, sizeof text, value, "");
        orr_grid_text(g, columns[k].key, "%s", text);
        orr_grid_number(g, columns[k].key, value);
    }
}

static int table(struct orr_document *out, const struct orr_scope *scope,
                 const struct orr_results *results)
{
    struct orr_time_splitter splitter;
    int code = orr_printed_add(out, scope);
    if (!code)
        code = orr_time_splitter_make(&splitter, scope);
    struct orr_grid *g = orr_document_grid(
        out, true, "Use of the device (GFLOPS count %g flops for two bodies, as the paper does)",
        scope->paper->flops_per_interaction);
    orr_cell_columns(g, ORR_ALL);
    for (int k = 0; k < ORR_WORK_KINDS; k++)
        orr_grid_column(g, columns[k].key, columns[k].head, ORR_ALL, true);
    for (size_t k = 0; k < results->count && !code; k++) {
        struct orr_work work;
        code = orr_work_of(&work, &splitter, &results->items[k]);
        if (code || results->items[k].extrapolated)
            continue;
        orr_cell_row(g, scope, &results->items[k]);
        put_work(g, &work);
    }
    return code;
}

/* --- the figure --- */

/* A row of panels: its axis and the one or two kinds that it shows. */
static const struct {
    const char *y_label;
    enum orr_work_kind kinds[2];
    const char *names[2];
    enum orr_panel_scale scale;
    double factor, most;
} rows[] = {
    {"GFLOPS by the convention",
     {ORR_WORK_NODE_GFLOPS, ORR_WORK_LEAF_GFLOPS},
     {"nodes", "leaves"},
     ORR_PANEL_LINEAR,
     1,
     0},
    {"bandwidth [GB/s]",
     {ORR_WORK_WALK_1, ORR_WORK_WALK_2},
     {"walk 1", "walk 2"},
     ORR_PANEL_LINEAR,
     1e-9,
     0},
    {"threads with a body [%]",
     {ORR_WORK_ACTIVE, ORR_WORK_ACTIVE},
     {"threads with a body", NULL},
     ORR_PANEL_LINEAR,
     100,
     100},
};
enum { ROWS = sizeof rows / sizeof *rows, DASH = 100 };

struct figure {
    struct orr_panels panels;
    struct orr_time_splitter splitter;
    struct orr_family family;
};

static int plot_curve(struct figure *f, size_t curve, size_t row, int kind)
{
    const struct orr_curve *c = &f->family.curves.items[curve];
    char program[256], label[320];
    struct orr_points points = {.panels = &f->panels,
                                .style = (int)(2 * row) + kind + 1 +
                                         DASH * (int)f->family.programs[curve],
                                .label = label};
    int code = 0;
    orr_family_program(program, sizeof program, &f->family, curve);
    snprintf(label, sizeof label, "%s%s%s", rows[row].names[kind], *program ? ", " : "", program);
    for (size_t k = c->first; k < c->first + c->count && !code; k++) {
        const struct orr_curve_point *p = &f->family.curves.points[k];
        struct orr_work work;
        code = orr_work_of(&work, &f->splitter, p->result);
        double value = code ? NAN : rows[row].factor * work.of[rows[row].kinds[kind]];
        if (!isnan(value))
            code = orr_points_add(&points, p->x, (double[]){value, NAN, NAN}, false);
    }
    orr_points_close(&points);
    return code;
}

static int plot_panel(struct figure *f, size_t row, double n)
{
    char title[48], tics[512];
    int code = 0;
    snprintf(title, sizeof title, "N = %.0f", n);
    orr_panels_add(&f->panels, &(struct orr_panel){.title = title,
                                                   .x_label = f->family.curves.parameter,
                                                   .y_label = rows[row].y_label,
                                                   .x_values = orr_curves_tics(tics, sizeof tics,
                                                                               &f->family.curves),
                                                   .y = rows[row].scale,
                                                   .most = rows[row].most});
    for (size_t k = 0; k < f->family.curves.count && !code; k++)
        for (int kind = 0; kind < 2 && rows[row].names[kind] && !code; kind++)
            if (f->family.curves.items[k].input->n == n && orr_family_drawn(&f->family, k))
                code = plot_curve(f, k, row, kind);
    return code;
}

static int plot(struct orr_plot *out, const struct orr_scope *scope,
                const struct orr_results *results)
{
    enum { MOST = 3 };
    double sizes[MOST];
    struct figure f = {.panels = {.plot = out}};
    int code = orr_time_splitter_make(&f.splitter, scope);
    if (!code)
        code = orr_family_make(&f.family, true, true, scope, results);
    size_t count = code ? 0 : orr_family_sizes(sizes, MOST, &f.family);
    orr_panels_start(&f.panels, out, (int)count);
    for (size_t row = 0; row < ROWS && !code; row++)
        for (size_t k = 0; k < count && !code; k++)
            code = plot_panel(&f, row, sizes[k]);
    if (!code && out->series)
        orr_panels_finish(&f.panels);
    orr_family_release(&f.family);
    return orr_layout_drawn(code, out, scope, "measures it",
                            "nothing is known of the work in %s here", scope->name);
}

const struct orr_layout orr_layout_utilisation = {"utilisation", "panels", table, plot};
