/* The shares of the phases in an iteration (figs. 7, 8 of feng): a stack of phases a point, the
 * stacks of a curve side by side. */
#include <math.h>
#include <stdio.h>

#include "error.h"
#include "present/layout.h"
#include "present/phase_times.h"

/* An extrapolated point has no phases and no bar. */
static bool has_bar(const struct orr_phase_times *times, size_t point)
{
    bool any = false;
    for (size_t k = 0; k < times->phases.count; k++)
        any = any || !isnan(times->seconds[point][k]);
    return any;
}

/* Bars stand a unit apart, curves one and a half. */
static double place_of(const struct orr_phase_times *times, size_t point)
{
    size_t before = 0;
    for (size_t k = 0; k < point; k++)
        before += has_bar(times, k);
    return (double)before + 0.5 * (double)times->curves.points[point].curve;
}

static void write_share(FILE *file, const struct orr_phase_times *times, size_t point, int phase)
{
    const struct orr_curve_point *p = &times->curves.points[point];
    double below = 0, own = orr_phase_value(times, p, phase, ORR_PHASE_SHARE);
    for (int k = 0; k < phase; k++) {
        double share = orr_phase_value(times, p, k, ORR_PHASE_SHARE);
        below += isnan(share) ? 0 : share;
    }
    if (!isnan(own))
        fprintf(file, "%.3f,%.6f,%.6f\n", place_of(times, point), 100 * below, 100 * (below + own));
}

static int plot_stack(struct orr_plot *out, const struct orr_phase_times *times, int phase)
{
    FILE *file = orr_plot_series(out, "place,low,high", orr_phase_style(times, phase), "%s",
                                 orr_phase_name(times, phase));
    if (!file)
        return ORR_EIO;
    for (size_t k = 0; k < times->curves.point_count; k++)
        write_share(file, times, k, phase);
    fclose(file);
    return 0;
}

/* Names the bars of a curve, and the curve in the middle above them. */
static void name_curve(struct orr_plot *out, const struct orr_phase_times *times, size_t curve,
                       int *bars)
{
    const struct orr_curve *c = &times->curves.items[curve];
    char name[48], label[256];
    double first = NAN, last = NAN;
    for (size_t k = c->first; k < c->first + c->count; k++) {
        if (!has_bar(times, k))
            continue;
        last = place_of(times, k);
        first = isnan(first) ? last : first;
        snprintf(name, sizeof name, "bar_%d", ++*bars);
        orr_plot_number(out, name, last);
        snprintf(name, sizeof name, "bar_x_%d", *bars);
        orr_plot_number(out, name, times->curves.points[k].x);
    }
    snprintf(name, sizeof name, "curve_%zu", curve + 1);
    orr_plot_number(out, name, 0.5 * (first + last));
    snprintf(name, sizeof name, "curve_label_%zu", curve + 1);
    orr_plot_text(out, name, "%s",
                  isnan(first)
                      ? ""
                      : orr_curves_label(label, sizeof label, &times->curves, curve, times->scope));
}

static void name_bars(struct orr_plot *out, const struct orr_phase_times *times)
{
    int bars = 0;
    for (size_t k = 0; k < times->curves.count; k++)
        name_curve(out, times, k, &bars);
    orr_plot_number(out, "bars", bars);
    orr_plot_number(out, "curves", (double)times->curves.count);
}

static int table(struct orr_document *out, const struct orr_scope *scope,
                 const struct orr_results *results)
{
    struct orr_phase_times times;
    int code = orr_phase_times_make(&times, scope, results);
    if (!code)
        code = orr_phase_tables_add(out, &times, ORR_PHASE_SHARE);
    orr_phase_times_release(&times);
    return code;
}

static int plot(struct orr_plot *out, const struct orr_scope *scope,
                const struct orr_results *results)
{
    struct orr_phase_times times;
    int code = orr_phase_times_make(&times, scope, results);
    for (int phase = 0; phase < (int)times.phases.count && !code; phase++)
        code = plot_stack(out, &times, phase);
    if (!code) {
        name_bars(out, &times);
        orr_plot_text(out, "x_label", "%s",
                      times.curves.parameter ? times.curves.parameter : "N (bodies)");
    }
    orr_phase_times_release(&times);
    return orr_layout_drawn(code, out, scope, "measures them", "no times of phases of %s here",
                            scope->name);
}

const struct orr_layout orr_layout_shares = {"shares", "shares", table, plot};
