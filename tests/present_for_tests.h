/* Tables of invented records as rows, and what their figures draw. */
#ifndef PRESENT_FOR_TESTS_H
#define PRESENT_FOR_TESTS_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "table_for_tests.h"

/* The rows of a table of the journal `from`; decref the root. */
static inline json_t *rows_from(json_t **root, const char *experiment, const char *from)
{
    char *text = table_from(experiment, "json", from);
    *root = json_loads(text, 0, NULL);
    assert_non_null(*root);
    free(text);
    return json_object_get(*root, "rows");
}

static inline double number_of(const json_t *row, const char *name)
{
    const json_t *value = json_object_get(row, name);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static inline const char *text_of(const json_t *row, const char *name)
{
    const char *text = json_string_value(json_object_get(row, name));
    return text ? text : "";
}

/* The row of a phase (NULL: of a cell) whose parameters hold `setting`. */
static inline json_t *find_row(json_t *rows, const char *variant, int n, const char *setting,
                               const char *phase)
{
    size_t index;
    json_t *row;
    json_array_foreach(rows, index, row)
    {
        if (!strcmp(text_of(row, "variant"), variant) && number_of(row, "n") == n &&
            strstr(text_of(row, "parameters"), setting) &&
            (!phase || !strcmp(text_of(row, "phase"), phase)))
            return row;
    }
    fail_msg("no row of %s, N = %d, %s, %s", variant, n, setting, phase ? phase : "");
    return NULL;
}

static inline void close_to(double value, double expected, double relative)
{
    if (!(fabs(value - expected) <= relative * fabs(expected)))
        fail_msg("%g is not %g", value, expected);
}

/* A file of a plot's folder. Free it. */
static inline char *plot_file(const struct orr_plot *plot, const char *name)
{
    char path[512], *text = calloc(1, 65536);
    snprintf(path, sizeof path, "%s/%s", plot->folder, name);
    if (plot->variables)
        fflush(plot->variables);
    FILE *from = fopen(path, "r");
    assert_non_null(from);
    assert_true(fread(text, 1, 65535, from) > 0);
    fclose(from);
    return text;
}

/* Number of the first series with a label; 0 when there is none. */
static inline int series_with(const char *variables, const char *label)
{
    char wanted[256];
    int number = 0;
    snprintf(wanted, sizeof wanted, " = '%s'", label);
    const char *line = line_with(variables, "label_", wanted);
    return line && sscanf(line, "label_%d", &number) == 1 ? number : 0;
}

/* The points of the series with a label. Free them. */
static inline char *points_of(const struct orr_plot *plot, const char *variables, const char *label)
{
    char name[64];
    int number = series_with(variables, label);
    if (!number)
        fail_msg("no series '%s' in\n%s", label, variables);
    snprintf(name, sizeof name, "series-%d.csv", number);
    return plot_file(plot, name);
}

/* The same in a figure of so many series, and the variables that go with it. Free both. */
static inline char *plot_from(const char *experiment, const char *from, int series,
                              const char *label, char **variables)
{
    struct orr_selection selection;
    struct orr_scopes scopes;
    struct orr_plot plot;
    open_scope(&selection, &scopes, experiment, from);
    assert_int_equal(orr_layout_plot(&plot, &scopes.items[0]), 0);
    if (plot.series != series)
        fail_msg("%s has %d series, not %d", experiment, plot.series, series);
    *variables = plot_file(&plot, "variables.gp");
    char *points = points_of(&plot, *variables, label);
    orr_plot_release(&plot);
    close_scope(&selection, &scopes);
    return points;
}

/* What a figure draws: a point of one of its series. */
struct drawn {
    const char *experiment, *label, *point;
    int series;
};

/* The variables of a figure that draws that. Free them. */
static inline char *assert_drawn(const struct drawn *f, const char *from)
{
    char *variables, *points = plot_from(f->experiment, from, f->series, f->label, &variables);
    if (!strstr(points, f->point))
        fail_msg("%s, %s lacks %s:\n%s", f->experiment, f->label, f->point, points);
    free(points);
    return variables;
}

#endif
