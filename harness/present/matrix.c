/* Grids with programs down and inputs across, one a quantity: where a table has more inputs than
 * "published, measured, ratio" of each could stand beside one another. Published numbers are lines
 * of their own, above the measured ones. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "present/layout.h"
#include "present/show.h"
#include "present/stages.h"

struct shown {
    char text[96]; /* "": nothing is known */
    int note;
};

struct matrix {
    struct orr_document *document;
    struct orr_grid *grid;
    const struct orr_scope *scope;
    const struct orr_results *results;
    const struct orr_lines *lines;
    struct shown *row;     /* the line being made, one an input */
    char published_on[64]; /* device of its published numbers */
    char unit[16]; /* of the published times; "": there are none, and every time has its own */
    const char *baseline; /* of speedups */
    size_t member;        /* of struct orr_result, for times */
    struct orr_stages stages;
};

/* What one grid shows. */
struct quantity {
    int (*measured)(struct shown *out, struct matrix *m, const struct orr_result *result);
    /* NULL: the paper has no such numbers. */
    int (*published)(struct shown *out, struct matrix *m, const char *variant,
                     const struct orr_input *input);
    bool all; /* programs that were not measured have a line too */
};

/* --- times --- */

static int show_time(struct shown *out, struct matrix *m, const struct orr_result *result)
{
    double seconds = *(const double *)((const char *)result + m->member);
    char text[48];
    if (!result->ok)
        snprintf(out->text, sizeof out->text, "%s",
                 m->member == offsetof(struct orr_result, seconds) ? result->outcome : "");
    else if (!isnan(seconds))
        snprintf(out->text, sizeof out->text, "%s%s",
                 orr_format_in_unit(text, sizeof text, seconds, m->unit),
                 result->extrapolated ? ORR_ABOUT : "");
    return 0;
}

static int show_printed(struct shown *out, struct matrix *m, const char *variant,
                        const struct orr_input *input, const char *quantity)
{
    struct orr_published published;
    int code = orr_published_find(&published, m->scope, variant, input, quantity, m->baseline);
    if (code > 0) {
        snprintf(out->text, sizeof out->text, "%s", published.printed);
        out->note = orr_document_note(m->document, published.erratum);
        snprintf(m->published_on, sizeof m->published_on, "%s", published.device);
    }
    orr_published_release(&published);
    return code;
}

static int show_published_time(struct shown *out, struct matrix *m, const char *variant,
                               const struct orr_input *input)
{
    int code = show_printed(out, m, variant, input, "seconds");
    return code < 0 ? code : 0;
}

/* --- speedups --- */

/* Four digits: the gain of one algorithm over another begins in the third. */
static void show_factor(char *out, size_t size, double value)
{
    snprintf(out, size, value < 1000 ? "%#.4g" : "%.0f", value);
}

static int show_speedup(struct shown *out, struct matrix *m, const struct orr_result *result)
{
    struct orr_ratio ratio;
    char text[48];
    int code = orr_ratio_of(&ratio, m->scope, result,
                            orr_results_baseline(m->results, result, m->baseline));
    if (code || isnan(ratio.value))
        return code;
    show_factor(text, sizeof text, ratio.value);
    snprintf(out->text, sizeof out->text, "%s%s", text, ratio.extrapolated ? ORR_ABOUT : "");
    return 0;
}

/* As printed, else the quotient of the printed times. */
static int show_published_speedup(struct shown *out, struct matrix *m, const char *variant,
                                  const struct orr_input *input)
{
    struct orr_published a = {0}, b = {0};
    int code = show_printed(out, m, variant, input, "ratio");
    if (code || !strcmp(variant, m->baseline))
        return code < 0 ? code : 0;
    code = orr_published_find(&a, m->scope, variant, input, "seconds", NULL);
    if (code > 0)
        code = orr_published_find(&b, m->scope, m->baseline, input, "seconds", NULL);
    if (code > 0) {
        show_factor(out->text, sizeof out->text, b.value / a.value);
        snprintf(m->published_on, sizeof m->published_on, "%s", a.device);
    }
    orr_published_release(&a);
    orr_published_release(&b);
    return code < 0 ? code : 0;
}

/* --- host stages --- */

static int show_stages(struct shown *out, struct matrix *m, const struct orr_result *result)
{
    double seconds[ORR_MAX_STAGES];
    int any = orr_stages_of(seconds, &m->stages, m->scope, result);
    for (size_t k = 0; any > 0 && k < m->stages.count; k++) {
        char text[48];
        size_t used = strlen(out->text);
        if (!m->stages.in_step[k])
            snprintf(out->text + used, sizeof out->text - used, "%s%s", used ? " + " : "",
                     orr_format_in_unit(text, sizeof text, seconds[k], m->unit));
    }
    return any < 0 ? any : 0;
}

/* --- lines --- */

static bool row_has_any(const struct matrix *m)
{
    bool any = false;
    for (size_t k = 0; k < m->results->input_count; k++)
        any = any || *m->row[k].text;
    return any;
}

static void put_row(const struct matrix *m, const struct orr_line *line, const char *setting,
                    const char *on)
{
    orr_grid_row(m->grid);
    orr_grid_text(m->grid, "program", "%s", orr_layout_label(m->scope, line->variant));
    if (m->lines->settings)
        orr_grid_text(m->grid, "setting", "%s", setting);
    if (*on)
        orr_grid_text(m->grid, "on", "%s", on);
    for (size_t k = 0; k < m->results->input_count; k++) {
        char key[32];
        snprintf(key, sizeof key, "%zu", k);
        if (*m->row[k].text)
            orr_grid_text(m->grid, key, "%s", m->row[k].text);
        orr_grid_note(m->grid, key, m->row[k].note);
    }
}

static int put_measured(struct matrix *m, const struct quantity *what, const struct orr_line *line)
{
    int code = 0;
    for (size_t k = 0; k < m->results->input_count && !code; k++) {
        const struct orr_result *result = orr_line_result(line, m->results, &m->results->inputs[k]);
        m->row[k] = (struct shown){0};
        if (result)
            code = what->measured(&m->row[k], m, result);
    }
    if (!code && (row_has_any(m) || what->all))
        put_row(m, line, line->setting, line->device);
    return code;
}

static int put_published(struct matrix *m, const struct quantity *what, const struct orr_line *line)
{
    char on[128];
    int code = 0;
    for (size_t k = 0; k < m->results->input_count && !code; k++) {
        m->row[k] = (struct shown){0};
        code = what->published(&m->row[k], m, line->variant, &m->results->inputs[k]);
    }
    snprintf(on, sizeof on, "published, %s", m->published_on);
    if (!code && row_has_any(m))
        put_row(m, line, "", on);
    return code;
}

/* --- grids --- */

static void add_columns(const struct matrix *m)
{
    orr_grid_column(m->grid, "program", "program", ORR_PEOPLE, false);
    if (m->lines->settings)
        orr_grid_column(m->grid, "setting", "setting", ORR_PEOPLE, false);
    orr_grid_column(m->grid, "on", "on", ORR_PEOPLE, false);
    orr_layout_input_columns(m->grid, m->results);
}

static int add_grid(struct matrix *m, const struct quantity *what, const char *title)
{
    m->grid = orr_document_grid(m->document, false, "%s", title);
    add_columns(m);
    int code = 0;
    for (size_t k = 0; k < m->lines->count && !code; k++) {
        const struct orr_line *line = &m->lines->items[k];
        if (what->published && (!k || strcmp(line->variant, m->lines->items[k - 1].variant)))
            code = put_published(m, what, line);
        if (!code)
            code = put_measured(m, what, line);
    }
    if (!code && m->grid && !m->grid->row_count)
        orr_document_drop_grid(m->document);
    return code;
}

static int add_times(struct matrix *m)
{
    static const struct {
        const char *title;
        size_t member;
    } times[] = {
        {"Time of a step", offsetof(struct orr_result, seconds)},
        {"The kernels alone, by device events", offsetof(struct orr_result, kernel_seconds)},
        {"End to end: the input to the device, a step, the result back",
         offsetof(struct orr_result, end_to_end_seconds)},
    };
    int code = 0;
    for (size_t k = 0; k < sizeof times / sizeof *times && !code; k++) {
        char title[160];
        bool step = times[k].member == offsetof(struct orr_result, seconds);
        struct quantity what = {show_time, step ? show_published_time : NULL, step};
        snprintf(title, sizeof title, "%s%s%s%s", times[k].title, *m->unit ? " [" : "", m->unit,
                 *m->unit ? "]" : "");
        m->member = times[k].member;
        code = add_grid(m, &what, title);
    }
    return code;
}

static int add_speedups(struct matrix *m)
{
    const struct orr_experiment *e = m->scope->experiment;
    const struct quantity what = {show_speedup, show_published_speedup, false};
    int code = 0;
    for (unsigned k = 0; k < e->baselines_count && !code; k++) {
        char title[160];
        const char *label = orr_layout_label(m->scope, e->baselines[k]);
        bool same = !strcmp(label, e->baselines[k]);
        snprintf(title, sizeof title, "Speedup over %s%s%s%s", label, same ? "" : " (",
                 same ? "" : e->baselines[k], same ? "" : ")");
        m->baseline = e->baselines[k];
        code = add_grid(m, &what, title);
    }
    m->baseline = NULL;
    return code;
}

/* Those within the step are shown with its other parts (time_split.h). */
static int add_stages(struct matrix *m)
{
    const struct quantity what = {show_stages, NULL, false};
    char title[256] = "";
    for (size_t k = 0; k < m->stages.count; k++)
        if (!m->stages.in_step[k])
            snprintf(title + strlen(title), sizeof title - strlen(title), "%s%s",
                     *title ? " + " : "", m->stages.names[k]);
    if (!*title)
        return 0;
    snprintf(title + strlen(title), sizeof title - strlen(title),
             ", on the host and in no time above%s%s%s", *m->unit ? " [" : "", m->unit,
             *m->unit ? "]" : "");
    return add_grid(m, &what, title);
}

int orr_matrices_add(struct orr_document *document, const struct orr_scope *scope,
                     const struct orr_results *results, const struct orr_lines *lines)
{
    struct matrix m = {.document = document, .scope = scope, .results = results, .lines = lines};
    m.row = calloc(results->input_count + 1, sizeof *m.row);
    int code =
        m.row ? orr_published_unit(m.unit, scope) : orr_fail(ORR_EMEMORY, "no memory for a table");
    if (!code)
        code = add_times(&m);
    if (!code)
        code = add_speedups(&m);
    if (!code)
        code = orr_stages_load(&m.stages, scope);
    if (!code)
        code = add_stages(&m);
    free(m.row);
    return code;
}
