/* How the time divides between the host and the device: over a parameter (fig. 3.6 of gaburov) and
 * over the number of bodies, with the device's share and the speedup over a direct sum (fig. 3.7).
 */
#include <math.h>
#include <stdio.h>

#include "error.h"
#include "present/family.h"
#include "present/layout.h"
#include "present/panels.h"
#include "present/points.h"
#include "present/time_split.h"

enum part { HOST, DEVICE, SHARE };

static double part_of(const struct orr_time_split *split, enum part part)
{
    return part == HOST     ? split->host
           : part == DEVICE ? split->device
                            : split->device / split->whole;
}

struct figure {
    struct orr_panels panels;
    struct orr_time_splitter splitter;
    struct orr_family family;
    const struct orr_results *results;
};

/* What a curve is drawn of: a value with its ends, and whether it is extrapolated. */
struct drawn {
    double value[3];
    bool extrapolated;
};
typedef int value_of(struct drawn *out, const struct figure *f, const struct orr_result *result);

static int split_value(struct drawn *out, const struct figure *f, const struct orr_result *result,
                       enum part part)
{
    struct orr_time_split split;
    int code = orr_time_split_of(&split, &f->splitter, result);
    *out = (struct drawn){{code ? NAN : part_of(&split, part), NAN, NAN}, false};
    return code;
}

static int host_of(struct drawn *out, const struct figure *f, const struct orr_result *result)
{
    return split_value(out, f, result, HOST);
}

static int device_of(struct drawn *out, const struct figure *f, const struct orr_result *result)
{
    return split_value(out, f, result, DEVICE);
}

static int share_of(struct drawn *out, const struct figure *f, const struct orr_result *result)
{
    return split_value(out, f, result, SHARE);
}

static int whole_of(struct drawn *out, const struct figure *f, const struct orr_result *result)
{
    (void)f;
    double calls = result->steps + 1;
    *out = (struct drawn){{result->seconds / calls, result->low / calls, result->high / calls},
                          result->extrapolated};
    return 0;
}

static int speedup_of(struct drawn *out, const struct figure *f, const struct orr_result *result)
{
    const struct orr_experiment *e = f->splitter.scope->experiment;
    struct orr_ratio ratio = {NAN, NAN, NAN, false};
    int code = e->baselines_count
                   ? orr_ratio_of(&ratio, f->splitter.scope, result,
                                  orr_results_baseline(f->results, result, e->baselines[0]))
                   : 0;
    *out = (struct drawn){{ratio.value, ratio.low, ratio.high}, ratio.extrapolated};
    return code;
}

static int plot_curve(struct figure *f, size_t curve, value_of *of, int style, const char *label)
{
    const struct orr_curve *c = &f->family.curves.items[curve];
    struct orr_points points = {.panels = &f->panels, .style = style, .label = label};
    int code = 0;
    for (size_t k = c->first; k < c->first + c->count && !code; k++) {
        const struct orr_curve_point *p = &f->family.curves.points[k];
        struct drawn drawn;
        code = of(&drawn, f, p->result);
        if (!code && drawn.value[0] > 0)
            code = orr_points_add(&points, p->x, drawn.value, drawn.extrapolated);
    }
    orr_points_close(&points);
    return code;
}

/* A guide through the first value of a curve that has one. */
static int plot_guide(struct figure *f, value_of *of, double (*law)(double n), const char *label)
{
    enum { POINTS = 16 };
    const struct orr_curves *curves = &f->family.curves;
    for (size_t k = 0; k < curves->point_count; k++) {
        const struct orr_curve_point *p = &curves->points[k];
        struct drawn drawn;
        int code = of(&drawn, f, p->result);
        if (code)
            return code;
        if (!(drawn.value[0] > 0) || curves->x_count < 2)
            continue;
        FILE *file = orr_panels_series(&f->panels, 0, "%s", label);
        if (!file)
            return ORR_EIO;
        for (int point = 0; point <= POINTS; point++) {
            double x = p->x * pow(curves->xs[curves->x_count - 1] / p->x, (double)point / POINTS);
            orr_panels_line_point(file, x, drawn.value[0] * law(x) / law(p->x));
        }
        fclose(file);
        return 0;
    }
    return 0;
}

static double n_log_n(double n)
{
    return n * log(n);
}

static double n_over_log_n(double n)
{
    return n / log(n);
}

enum { DASH = 100, HOST_STYLE = 61, DEVICE_STYLE = 1, WHOLE_STYLE = 2 };

static int plot_times_over_n(struct figure *f)
{
    int code = plot_guide(f, host_of, n_log_n, "N log N");
    for (size_t k = 0; k < f->family.curves.count && !code; k++) {
        char label[320], host[340];
        double member = orr_family_member(&f->family, k);
        bool first = !isnan(member) && member == f->family.members[0];
        int style = orr_family_style(&f->family, k);
        snprintf(host, sizeof host, "host%s%s",
                 *orr_family_program(label, sizeof label, &f->family, k) ? ", " : "", label);
        if (first) /* the host's time is that of the tree, whatever theta */
            code = plot_curve(f, k, host_of, HOST_STYLE + style / DASH * DASH, host);
        if (!code)
            code = plot_curve(f, k, device_of, style,
                              orr_family_label(label, sizeof label, &f->family, k));
    }
    return code;
}

/* Of programs that have the parameter: a direct sum is no curve of the family. */
static int plot_members(struct figure *f, value_of *of)
{
    int code = 0;
    for (size_t k = 0; k < f->family.curves.count && !code; k++) {
        char label[320];
        if (!isnan(orr_family_member(&f->family, k)))
            code = plot_curve(f, k, of, orr_family_style(&f->family, k),
                              orr_family_label(label, sizeof label, &f->family, k));
    }
    return code;
}

static int plot_over_n(struct figure *f)
{
    const struct orr_experiment *e = f->splitter.scope->experiment;
    char over[160];
    orr_panels_start(&f->panels, f->panels.plot, 3);
    orr_panels_add(&f->panels, &(struct orr_panel){.title = "time on the device, and on the host",
                                                   .x_label = "N (bodies)",
                                                   .y_label = "time [s]"});
    int code = plot_times_over_n(f);
    orr_panels_add(&f->panels, &(struct orr_panel){.title = "the device's share of the whole",
                                                   .x_label = "N (bodies)",
                                                   .y_label = "device / whole",
                                                   .y = ORR_PANEL_LINEAR,
                                                   .most = 1.05});
    if (!code)
        code = plot_members(f, share_of);
    snprintf(over, sizeof over, "speedup over %s",
             e->baselines_count ? orr_layout_label(f->splitter.scope, e->baselines[0]) : "nothing");
    orr_panels_add(&f->panels, &(struct orr_panel){.title = over,
                                                   .x_label = "N (bodies)",
                                                   .y_label = "time / time of the tree"});
    if (!code)
        code = plot_guide(f, speedup_of, n_over_log_n, "N / log N");
    if (!code)
        code = plot_members(f, speedup_of);
    return code;
}

static int plot_panel(struct figure *f, double n)
{
    static const struct {
        const char *name;
        value_of *of;
        int style;
    } parts[] = {{"host", host_of, HOST_STYLE},
                 {"device", device_of, DEVICE_STYLE},
                 {"whole", whole_of, WHOLE_STYLE}};
    char title[48], tics[512];
    int code = 0;
    snprintf(title, sizeof title, "N = %.0f", n);
    orr_panels_add(&f->panels, &(struct orr_panel){.title = title,
                                                   .x_label = f->family.curves.parameter,
                                                   .y_label = "time [s]",
                                                   .x_values = orr_curves_tics(tics, sizeof tics,
                                                                               &f->family.curves)});
    for (size_t k = 0; k < f->family.curves.count && !code; k++)
        for (size_t p = 0;
             p < sizeof parts / sizeof *parts && f->family.curves.items[k].input->n == n && !code;
             p++) {
            char program[256], label[320];
            orr_family_program(program, sizeof program, &f->family, k);
            snprintf(label, sizeof label, "%s%s%s", parts[p].name, *program ? ", " : "", program);
            code =
                plot_curve(f, k, parts[p].of,
                           parts[p].style + orr_family_style(&f->family, k) / DASH * DASH, label);
        }
    return code;
}

static int plot_over_parameter(struct figure *f)
{
    enum { MOST = 6, ACROSS = 3 };
    double sizes[MOST];
    size_t count = orr_family_sizes(sizes, MOST, &f->family);
    int code = 0;
    orr_panels_start(&f->panels, f->panels.plot, count < ACROSS ? (int)count : ACROSS);
    for (size_t k = 0; k < count && !code; k++)
        code = plot_panel(f, sizes[k]);
    return code;
}

static int plot_figure(struct orr_plot *out, const struct orr_scope *scope,
                       const struct orr_results *results, bool over_parameter)
{
    struct figure f = {.panels = {.plot = out}, .results = results};
    int code = orr_time_splitter_make(&f.splitter, scope);
    if (!code)
        code = orr_family_make(&f.family, over_parameter, false, scope, results);
    if (!code)
        code = over_parameter ? plot_over_parameter(&f) : plot_over_n(&f);
    if (!code && out->series)
        orr_panels_finish(&f.panels);
    orr_family_release(&f.family);
    return orr_layout_drawn(code, out, scope, "measures it", "%s was not measured here",
                            scope->name);
}

static int plot_n(struct orr_plot *out, const struct orr_scope *scope,
                  const struct orr_results *results)
{
    return plot_figure(out, scope, results, false);
}

static int plot_parameter(struct orr_plot *out, const struct orr_scope *scope,
                          const struct orr_results *results)
{
    return plot_figure(out, scope, results, true);
}

const struct orr_layout orr_layout_host_device = {"host-device", "panels", orr_time_tables_add,
                                                  plot_n};
const struct orr_layout orr_layout_host_device_over = {"host-device-over", "panels",
                                                       orr_time_tables_add, plot_parameter};
