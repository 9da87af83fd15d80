#include "present/curves.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "present/layout.h"
#include "text.h"

/* --- what lies along x --- */

static bool has_several(const char *values)
{
    return strpbrk(values, ",:") != NULL;
}

static bool are_numbers(const char *values)
{
    char word[64];
    double ignored;
    for (const char *at = values; *at; at += strspn(at, ",:")) {
        size_t length = strcspn(at, ",:");
        snprintf(word, sizeof word, "%.*s", (int)length, at + (*at == '*' || *at == '+'));
        if (!orr_text_number(word, &ignored))
            return false;
        at += length;
    }
    return true;
}

const char *orr_curves_parameter(const struct orr_experiment *experiment)
{
    for (unsigned k = 0; k < experiment->axes_count; k++) {
        const struct orr_axis *axis = &experiment->axes[k];
        if (!orr_axis_chooses_input(axis->name) && has_several(axis->values) &&
            are_numbers(axis->values))
            return axis->name;
    }
    return NULL;
}

static bool varies_n(const struct orr_experiment *experiment)
{
    for (unsigned k = 0; k < experiment->axes_count; k++)
        if (!strcmp(experiment->axes[k].name, "n") && has_several(experiment->axes[k].values))
            return true;
    return false;
}

/* NAN: the result does not know the parameter. */
static double x_of(const struct orr_curves *curves, const struct orr_result *result)
{
    if (!curves->parameter)
        return result->input.n;
    const json_t *value = json_object_get(result->values, curves->parameter);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* --- gathering --- */

char *orr_setting_without(char *out, size_t size, const char *setting, const char *without)
{
    size_t skipped = without ? strlen(without) : 0;
    *out = '\0';
    for (const char *at = setting; *at; at += strspn(at, ", ")) {
        size_t length = strcspn(at, ","), used = strlen(out);
        if (!without || strncmp(at, without, skipped) != 0 || at[skipped] != '=')
            snprintf(out + used, size - used, "%s%.*s", used ? ", " : "", (int)length, at);
        at += length;
    }
    return out;
}

static bool is_same_curve(const struct orr_curve *a, const struct orr_curve *b)
{
    /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): curves below the count are filled in
     */
    return !strcmp(a->variant, b->variant) && !strcmp(a->device, b->device) &&
           !strcmp(a->setting, b->setting) && a->input == b->input;
}

/* The curve of a line's results for an input: at most as many as there are results. */
static size_t place_curve(struct orr_curves *out, const struct orr_lines *lines,
                          const struct orr_line *line, const struct orr_input *input)
{
    struct orr_curve curve = {.variant = line->variant,
                              .device = line->device,
                              .input = out->parameter ? input : NULL,
                              .style = line->style};
    orr_setting_without(curve.setting, sizeof curve.setting, line->setting, out->parameter);
    size_t k = 0;
    while (k < out->count && !is_same_curve(&out->items[k], &curve))
        k++;
    if (k == out->count) {
        char difference[160];
        orr_line_difference(difference, sizeof difference, lines, line);
        orr_setting_without(curve.difference, sizeof curve.difference, difference, out->parameter);
        curve.style = out->parameter ? (int)k + 1 : line->style;
        out->items[out->count++] = curve;
    }
    return k;
}

static void gather(struct orr_curves *out, const struct orr_lines *lines,
                   const struct orr_results *results)
{
    for (size_t l = 0; l < lines->count; l++)
        for (size_t i = 0; i < results->input_count; i++) {
            const struct orr_line *line = &lines->items[l];
            const struct orr_result *result =
                *line->device ? orr_line_result(line, results, &results->inputs[i]) : NULL;
            if (!result || !result->ok)
                continue;
            double x = x_of(out, result);
            if (!isnan(x))
                out->points[out->point_count++] = (struct orr_curve_point){
                    place_curve(out, lines, line, &results->inputs[i]), x, result};
        }
}

static int compare_points(const void *left, const void *right)
{
    const struct orr_curve_point *a = left, *b = right;
    int order = (a->curve > b->curve) - (a->curve < b->curve);
    return order ? order : (a->x > b->x) - (a->x < b->x);
}

static void sort_points(struct orr_curves *out)
{
    if (out->point_count)
        qsort(out->points, out->point_count, sizeof *out->points, compare_points);
    for (size_t k = out->point_count; k-- > 0;) {
        out->items[out->points[k].curve].first = k;
        out->items[out->points[k].curve].count++;
    }
}

static int compare_numbers(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

static void collect_xs(struct orr_curves *out, const struct orr_results *results)
{
    size_t all = 0, kept = 0;
    for (size_t k = 0; k < out->point_count; k++)
        out->xs[all++] = out->points[k].x;
    for (size_t k = 0; k < results->input_count && !out->parameter; k++)
        if (results->inputs[k].published)
            out->xs[all++] = results->inputs[k].n;
    if (all)
        qsort(out->xs, all, sizeof *out->xs, compare_numbers);
    for (size_t k = 0; k < all; k++)
        if (!kept || out->xs[k] != out->xs[kept - 1])
            out->xs[kept++] = out->xs[k];
    out->x_count = kept;
}

int orr_curves_make_over(struct orr_curves *out, const char *parameter,
                         const struct orr_scope *scope, const struct orr_results *results)
{
    *out = (struct orr_curves){.parameter = parameter};
    struct orr_lines lines;
    int code = orr_lines_make(&lines, scope, results);
    if (code)
        return code;
    size_t most = results->count + 1;
    out->items = calloc(most, sizeof *out->items);
    out->points = calloc(most, sizeof *out->points);
    out->xs = calloc(most + results->input_count, sizeof *out->xs);
    if (out->items && out->points && out->xs) {
        gather(out, &lines, results);
        sort_points(out);
        collect_xs(out, results);
    } else {
        code = orr_fail(ORR_EMEMORY, "no memory for the curves of %s", scope->name);
    }
    orr_lines_release(&lines);
    return code;
}

int orr_curves_make(struct orr_curves *out, const struct orr_scope *scope,
                    const struct orr_results *results)
{
    const char *parameter =
        varies_n(scope->experiment) ? NULL : orr_curves_parameter(scope->experiment);
    return orr_curves_make_over(out, parameter, scope, results);
}

void orr_curves_release(struct orr_curves *curves)
{
    free(curves->items);
    free(curves->points);
    free(curves->xs);
    *curves = (struct orr_curves){0};
}

char *orr_curves_label(char *out, size_t size, const struct orr_curves *curves, size_t curve,
                       const struct orr_scope *scope)
{
    const struct orr_curve *c = &curves->items[curve];
    char n[48] = "";
    if (c->input)
        snprintf(n, sizeof n, ", N = %.0f", c->input->n);
    snprintf(out, size, "%s%s%s%s, %s", orr_layout_label(scope, c->variant),
             *c->difference ? ", " : "", c->difference, n, c->device);
    return out;
}

char *orr_curves_tics(char *out, size_t size, const struct orr_curves *curves)
{
    *out = '\0';
    for (size_t k = 0; k < curves->x_count; k++) {
        size_t used = strlen(out);
        snprintf(out + used, size - used, "%s%g", k ? " " : "", curves->xs[k]);
    }
    return out;
}

void orr_curves_name_axes(const struct orr_curves *curves, struct orr_plot *plot,
                          const char *y_label, const char *y_format)
{
    orr_plot_text(plot, "x_label", "%s", curves->parameter ? curves->parameter : "N (bodies)");
    orr_plot_number(plot, "x_base", curves->parameter ? 1 : 10);
    char tics[512];
    orr_plot_text(plot, "x_values", "%s",
                  curves->parameter ? orr_curves_tics(tics, sizeof tics, curves) : "");
    orr_plot_text(plot, "y_label", "%s", y_label);
    orr_plot_text(plot, "y_format", "%s", y_format);
}
