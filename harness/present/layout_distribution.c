/* Distributions of the errors of accelerations (fig. 3.4 of gaburov): which share of the bodies has
 * an error larger than a value, a panel for each number of bodies. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "error.h"
#include "present/cell_row.h"
#include "present/family.h"
#include "present/layout.h"
#include "present/panels.h"
#include "present/printed.h"

static const char *const kinds[] = {"relative", "by_mean", "by_terms"};
static const char *const kind_heads[] = {"relative", "by mean", "by terms"};
static const double shares[] = {0.5, 0.1, 0.01};
static const char *const share_keys[] = {"half", "tenth", "hundredth"};
static const char *const share_heads[] = {"50 %", "10 %", "1 %"};
enum { KINDS = 3, SHARES = 3, MAX_CURVE = 64, MAX_PANELS = 3 };

/* Errors that shares of the bodies exceed, shares falling. */
struct spread {
    double share[MAX_CURVE], error[MAX_CURVE];
    size_t count;
};

static int load_spread(struct spread *out, const struct orr_scope *scope,
                       const struct orr_result *result, const char *kind)
{
    sqlite3_stmt *row;
    out->count = 0;
    int more, code = orr_ledger_query(
                  &row, scope->ledger,
                  "SELECT fraction, error FROM error_curve WHERE cell_key = ? AND normalisation = ?"
                  " ORDER BY fraction DESC",
                  "is", result->key, kind);
    if (code)
        return code;
    while ((more = orr_ledger_next(row, scope->ledger)) > 0 && out->count < MAX_CURVE) {
        out->share[out->count] = orr_ledger_number(row, 0);
        out->error[out->count++] = orr_ledger_number(row, 1);
    }
    sqlite3_finalize(row);
    return more < 0 ? more : 0;
}

/* The error that so many of the bodies exceed; the logarithms are linear between those that are
 * known. */
static double error_at(const struct spread *spread, double share)
{
    for (size_t k = 0; k < spread->count; k++) {
        if (spread->share[k] == share)
            return spread->error[k];
        if (k && spread->share[k] < share && spread->error[k - 1] > 0) {
            double part =
                log(spread->share[k - 1] / share) / log(spread->share[k - 1] / spread->share[k]);
            return spread->error[k - 1] * pow(spread->error[k] / spread->error[k - 1], part);
        }
    }
    return NAN;
}

/* --- table --- */

static void add_columns(struct orr_grid *g)
{
    orr_cell_columns(g, ORR_ALL);
    for (int kind = 0; kind < KINDS; kind++)
        for (int share = 0; share < SHARES; share++) {
            char key[64], head[64];
            snprintf(key, sizeof key, "%s_%s", kinds[kind], share_keys[share]);
            snprintf(head, sizeof head, "%s, %s", kind_heads[kind], share_heads[share]);
            orr_grid_column(g, key, head, ORR_ALL, true);
        }
    orr_grid_column(g, "error_max", "largest, relative", ORR_ALL, true);
}

static int put_row(struct orr_grid *g, const struct orr_scope *scope, const struct orr_result *r)
{
    orr_cell_row(g, scope, r);
    for (int kind = 0; kind < KINDS; kind++) {
        struct spread spread;
        int code = load_spread(&spread, scope, r, kinds[kind]);
        if (code)
            return code;
        for (int share = 0; share < SHARES; share++) {
            char key[64];
            snprintf(key, sizeof key, "%s_%s", kinds[kind], share_keys[share]);
            orr_cell_small(g, key, error_at(&spread, shares[share]));
        }
    }
    orr_cell_small(g, "error_max", r->error_max);
    return 0;
}

static int table(struct orr_document *out, const struct orr_scope *scope,
                 const struct orr_results *results)
{
    int code = orr_printed_add(out, scope);
    struct orr_grid *g = orr_document_grid(out, true,
                                           "Errors of accelerations that half, a tenth and a "
                                           "hundredth of the bodies exceed, by three norms");
    add_columns(g);
    for (size_t k = 0; k < results->count && !code; k++)
        if (!results->items[k].extrapolated)
            code = put_row(g, scope, &results->items[k]);
    return code;
}

/* --- the figure --- */

static int plot_curve(struct orr_panels *panels, const struct orr_family *family, size_t curve,
                      double n)
{
    char label[320];
    struct spread spread = {.count = 0};
    const struct orr_curve *c = &family->curves.items[curve];
    int code = 0;
    for (size_t k = c->first; k < c->first + c->count; k++)
        if (family->curves.points[k].x == n)
            code = load_spread(&spread, family->scope, family->curves.points[k].result, kinds[0]);
    if (code || !spread.count)
        return code;
    FILE *file = orr_panels_series(panels, orr_family_style(family, curve), "%s",
                                   orr_family_label(label, sizeof label, family, curve));
    if (!file)
        return ORR_EIO;
    for (size_t k = 0; k < spread.count; k++)
        if (spread.error[k] > 0)
            orr_panels_line_point(file, spread.error[k], spread.share[k]);
    fclose(file);
    return 0;
}

/* The horizontal lines of the paper's figure. */
static int plot_shares(struct orr_panels *panels, double least, double most)
{
    for (int share = 0; share < SHARES; share++) {
        FILE *file = orr_panels_series(panels, 0, "%s", "");
        if (!file)
            return ORR_EIO;
        orr_panels_line_point(file, least, shares[share]);
        orr_panels_line_point(file, most, shares[share]);
        fclose(file);
    }
    return 0;
}

/* Ends of the axis of errors, the same in every panel. */
static int find_ends(double *least, double *most, const struct orr_family *family)
{
    *least = INFINITY, *most = 0;
    for (size_t k = 0; k < family->curves.point_count; k++) {
        struct spread spread;
        int code = load_spread(&spread, family->scope, family->curves.points[k].result, kinds[0]);
        if (code)
            return code;
        for (size_t e = 0;
             e < spread.count && orr_family_drawn(family, family->curves.points[k].curve); e++)
            if (spread.error[e] > 0)
                *least = fmin(*least, spread.error[e]), *most = fmax(*most, spread.error[e]);
    }
    return 0;
}

static int plot_panels(struct orr_panels *panels, const struct orr_family *family, double least,
                       double most)
{
    double sizes[MAX_PANELS];
    size_t count = orr_family_sizes(sizes, MAX_PANELS, family);
    int code = 0;
    orr_panels_start(panels, panels->plot, (int)count);
    for (size_t k = 0; k < count && !code; k++) {
        char title[48];
        snprintf(title, sizeof title, "N = %.0f", sizes[k]);
        orr_panels_add(panels,
                       &(struct orr_panel){.title = title,
                                           .x_label = "relative error of the acceleration",
                                           .y_label = "share of the bodies with a larger error",
                                           .x_values = "",
                                           .least = 1e-3,
                                           .most = 1.2});
        code = plot_shares(panels, least, most);
        for (size_t c = 0; c < family->curves.count && !code; c++)
            if (orr_family_drawn(family, c))
                code = plot_curve(panels, family, c, sizes[k]);
    }
    orr_panels_finish(panels);
    return code;
}

static int plot(struct orr_plot *out, const struct orr_scope *scope,
                const struct orr_results *results)
{
    struct orr_family family;
    struct orr_panels panels = {.plot = out};
    double least = NAN, most = NAN;
    int code = orr_family_make(&family, false, true, scope, results);
    if (!code)
        code = find_ends(&least, &most, &family);
    if (!code && !(least < INFINITY))
        code = orr_fail(
            ORR_EUSAGE,
            "nothing to plot: no distributions of errors of %s here; `orrery run %s` keeps them",
            scope->name, scope->name);
    if (!code)
        code = plot_panels(&panels, &family, least, most);
    orr_family_release(&family);
    return code;
}

const struct orr_layout orr_layout_distribution = {"distribution", "panels", table, plot};
