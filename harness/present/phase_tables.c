/* Tables of phases: programs and phases down, sizes or values of a parameter across; and every
 * value for programs. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "present/cell_row.h"
#include "present/layout.h"
#include "present/phase_times.h"
#include "present/show.h"

struct tables {
    struct orr_document *document;
    struct orr_grid *grid;
    const struct orr_phase_times *times;
    enum orr_phase_measure measure;
};

static void show_value(char *out, size_t size, double value, enum orr_phase_measure measure)
{
    char text[48];
    if (isnan(value))
        snprintf(out, size, "—");
    else if (measure == ORR_PHASE_SECONDS)
        orr_format_seconds(out, size, value);
    else if (measure == ORR_PHASE_SHARE)
        snprintf(out, size, "%.1f %%", 100 * value);
    else
        snprintf(out, size, "%s", orr_format_number(text, sizeof text, value));
}

static void add_columns(const struct tables *t)
{
    const struct orr_curves *curves = &t->times->curves;
    orr_grid_column(t->grid, "program", "program", ORR_PEOPLE, false);
    if (curves->settings)
        orr_grid_column(t->grid, "setting", "setting", ORR_PEOPLE, false);
    orr_grid_column(t->grid, "on", "on", ORR_PEOPLE, false);
    if (curves->parameter)
        orr_grid_column(t->grid, "n", "N", ORR_PEOPLE, true);
    orr_grid_column(t->grid, "phase", "phase", ORR_PEOPLE, false);
    orr_curves_columns(t->grid, curves);
}

static void start_row(const struct tables *t, const struct orr_curve *curve, const char *setting,
                      const char *on, const char *phase)
{
    orr_grid_row(t->grid);
    orr_grid_text(t->grid, "program", "%s", orr_layout_label(t->times->scope, curve->variant));
    if (t->times->curves.settings)
        orr_grid_text(t->grid, "setting", "%s", setting);
    orr_grid_text(t->grid, "on", "%s", on);
    if (curve->input)
        orr_grid_text(t->grid, "n", "%.0f", curve->input->n);
    orr_grid_text(t->grid, "phase", "%s", phase);
}

static void put_row(const struct tables *t, size_t curve, int phase)
{
    const struct orr_curves *curves = &t->times->curves;
    const struct orr_curve *c = &curves->items[curve];
    bool share = t->measure == ORR_PHASE_SHARE && phase == ORR_ITERATION;
    start_row(t, c, c->setting, c->device, orr_phase_name(t->times, phase));
    for (size_t k = 0; k < curves->x_count; k++) {
        char key[32], text[64];
        const struct orr_curve_point *point = orr_curves_at(curves, curve, curves->xs[k]);
        double value =
            point ? orr_phase_value(t->times, point, phase, share ? ORR_PHASE_SECONDS : t->measure)
                  : NAN;
        snprintf(key, sizeof key, "%zu", k);
        show_value(text, sizeof text, value, share ? ORR_PHASE_SECONDS : t->measure);
        orr_grid_text(t->grid, key, "%s%s", text,
                      point && !isnan(value) && point->result->extrapolated ? ORR_ABOUT : "");
    }
}

static bool has_phase(const struct orr_phase_times *times, const struct orr_curve *curve, int phase)
{
    bool any = phase == ORR_ITERATION;
    for (size_t k = curve->first; k < curve->first + curve->count && !any; k++)
        any = !isnan(orr_phase_value(times, &times->curves.points[k], phase, ORR_PHASE_SECONDS));
    return any;
}

/* The printed factors of a phase over the smallest size. */
static int put_published(const struct tables *t, const struct orr_curve *curve, const char *phase)
{
    const struct orr_results *results = t->times->results;
    const struct orr_curves *curves = &t->times->curves;
    int code = 0;
    bool started = false;
    for (size_t k = 0; k < results->input_count && code >= 0; k++) {
        struct orr_published p;
        code = orr_published_find(&p, t->times->scope, curve->variant, &results->inputs[k],
                                  "growth", phase);
        for (size_t x = 0; code > 0 && x < curves->x_count; x++) {
            char key[32], on[96];
            if (curves->xs[x] != results->inputs[k].n)
                continue;
            snprintf(on, sizeof on, "published, %s", p.device);
            if (!started)
                start_row(t, curve, "", on, phase);
            started = true;
            snprintf(key, sizeof key, "%zu", x);
            orr_grid_text(t->grid, key, "%s", p.printed);
            orr_grid_note(t->grid, key, orr_document_note(t->document, p.erratum));
        }
        orr_published_release(&p);
    }
    return code < 0 ? code : 0;
}

static int put_curve(const struct tables *t, size_t curve)
{
    const struct orr_curve *c = &t->times->curves.items[curve];
    int code = 0;
    for (int phase = 0; phase < (int)t->times->phases.count && !code; phase++) {
        if (t->measure == ORR_PHASE_GROWTH && c->faithful)
            code = put_published(t, c, orr_phase_name(t->times, phase));
        if (!code && has_phase(t->times, c, phase))
            put_row(t, curve, phase);
    }
    put_row(t, curve, ORR_ITERATION);
    return code;
}

/* --- every value --- */

static void add_data_columns(struct orr_grid *g)
{
    orr_cell_columns(g, ORR_PROGRAMS);
    orr_grid_column(g, "extrapolated", "extrapolated", ORR_PROGRAMS, false);
    orr_grid_column(g, "phase", "phase", ORR_ALL, false);
    orr_grid_column(g, "seconds", "time", ORR_ALL, true);
    orr_grid_column(g, "share", "share", ORR_ALL, true);
    orr_grid_column(g, "growth", "growth", ORR_ALL, true);
    orr_cell_joined_error_columns(g);
    orr_grid_column(g, "samples", "samples", ORR_ALL, true);
}

static void put_data(struct orr_grid *g, const struct orr_phase_times *times,
                     const struct orr_curve_point *point, int phase)
{
    static const char *const keys[] = {"seconds", "share", "growth"};
    const struct orr_result *r = point->result;
    orr_cell_row(g, times->scope, r);
    orr_grid_text(g, "extrapolated", "%s", r->extrapolated ? "extrapolated" : "no");
    orr_grid_text(g, "phase", "%s", orr_phase_name(times, phase));
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        char text[64];
        double value = orr_phase_value(times, point, phase, (enum orr_phase_measure)k);
        show_value(text, sizeof text, value, (enum orr_phase_measure)k);
        orr_grid_text(g, keys[k], "%s%s", text, r->extrapolated ? ORR_ABOUT : "");
        orr_grid_number(g, keys[k], value);
    }
    if (phase != ORR_ITERATION)
        return;
    orr_cell_joined_errors(g, r); /* of the whole, as the samples are */
    if (!r->extrapolated)
        orr_grid_number(g, "samples", r->samples);
}

static void add_data(struct orr_document *out, const struct orr_phase_times *times)
{
    struct orr_grid *g = orr_document_grid(out, true, "Every phase of every cell");
    add_data_columns(g);
    for (size_t k = 0; k < times->curves.point_count; k++)
        for (int phase = ORR_ITERATION; phase < (int)times->phases.count; phase++)
            if (phase == ORR_ITERATION || !isnan(times->seconds[k][phase]))
                put_data(g, times, &times->curves.points[k], phase);
}

int orr_phase_tables_add(struct orr_document *out, const struct orr_phase_times *times,
                         enum orr_phase_measure measure)
{
    static const char *const titles[] = {
        [ORR_PHASE_SECONDS] = "Time of each phase in an iteration",
        [ORR_PHASE_SHARE] = "Share of each phase in the sum of all, and the time of an iteration",
        [ORR_PHASE_GROWTH] = "Time of each phase over its time at the smallest size"};
    struct tables t = {.document = out, .times = times, .measure = measure};
    t.grid = orr_document_grid(out, false, "%s", titles[measure]);
    add_columns(&t);
    int code = 0;
    for (size_t k = 0; k < times->curves.count && !code; k++)
        code = put_curve(&t, k);
    if (!code)
        add_data(out, times);
    return code;
}
