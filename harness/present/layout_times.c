/* Times beside published times: the paper's own grid, the factors it quotes, every cell; and time
 * over size. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "present/layout.h"
#include "present/points.h"
#include "present/show.h"

struct times {
    struct orr_document *document;
    struct orr_grid *grid;
    const struct orr_scope *scope;
    const struct orr_results *results;
    const struct orr_lines *lines;
    char unit[16]; /* of the published times */
};

/* N, and the data set too where two of one size stand beside each other. */
static void input_name(char *out, size_t size, const struct orr_results *results, size_t at)
{
    const struct orr_input *input = &results->inputs[at];
    bool twin = (at > 0 && results->inputs[at - 1].n == input->n) ||
                (at + 1 < results->input_count && results->inputs[at + 1].n == input->n);
    snprintf(out, size, "%.0f%s%s", input->n, twin ? " " : "", twin ? input->dataset : "");
}

static void add_columns(const struct times *t)
{
    orr_grid_column(t->grid, "program", "program / particles", ORR_PEOPLE, false);
    if (t->lines->settings)
        orr_grid_column(t->grid, "setting", "setting", ORR_PEOPLE, false);
    orr_grid_column(t->grid, "device", "device", ORR_PEOPLE, false);
    for (size_t k = 0; k < t->results->input_count; k++) {
        char key[96], head[128], name[96];
        input_name(name, sizeof name, t->results, k);
        bool published = t->results->inputs[k].published;
        if (published) {
            snprintf(key, sizeof key, "published %zu", k);
            snprintf(head, sizeof head, "%s published [%s]", name, t->unit);
            orr_grid_column(t->grid, key, head, ORR_PEOPLE, true);
        }
        snprintf(key, sizeof key, "measured %zu", k);
        snprintf(head, sizeof head, published ? "measured" : "%s measured", name);
        orr_grid_column(t->grid, key, head, ORR_PEOPLE, true);
        snprintf(key, sizeof key, "ratio %zu", k);
        if (published)
            orr_grid_column(t->grid, key, "ratio", ORR_PEOPLE, true);
    }
}

static int put_cell(const struct times *t, const struct orr_line *line, size_t at)
{
    const struct orr_input *input = &t->results->inputs[at];
    const struct orr_result *result = orr_line_result(line, t->results, input);
    char key[96], text[96];
    snprintf(key, sizeof key, "measured %zu", at);
    orr_grid_text(t->grid, key, "%s", orr_show_short_time(text, sizeof text, result));
    if (!input->published || !line->faithful)
        return 0;
    struct orr_published published;
    int code = orr_published_find(&published, t->scope, line->variant, input, "seconds", NULL);
    if (code > 0) {
        struct orr_ratio ratio = orr_ratio_to_published(&published, result);
        ratio.low = NAN; /* the interval stands in the list of cells */
        snprintf(key, sizeof key, "published %zu", at);
        orr_grid_text(t->grid, key, "%s", published.printed);
        orr_grid_note(t->grid, key, orr_document_note(t->document, published.erratum));
        snprintf(key, sizeof key, "ratio %zu", at);
        orr_grid_text(t->grid, key, "%s", orr_show_ratio(text, sizeof text, &ratio));
    }
    orr_published_release(&published);
    return code < 0 ? code : 0;
}

static int put_line(const struct times *t, const struct orr_line *line)
{
    orr_grid_row(t->grid);
    orr_grid_text(t->grid, "program", "%s", orr_layout_label(t->scope, line->variant));
    if (t->lines->settings)
        orr_grid_text(t->grid, "setting", "%s", line->setting);
    if (*line->device)
        orr_grid_text(t->grid, "device", "%s", line->device);
    int code = 0;
    for (size_t k = 0; k < t->results->input_count && !code; k++)
        code = put_cell(t, line, k);
    return code;
}

/* Programs down, particles across, published and measured side by side. */
static int add_paper_grid(struct times *t)
{
    t->grid = orr_document_grid(
        t->document, false, "%s as printed, and measured here (ratio: published / measured)",
        t->scope->experiment->shows ? t->scope->experiment->shows : "The table");
    add_columns(t);
    int code = 0;
    for (size_t k = 0; k < t->lines->count && !code; k++)
        code = put_line(t, &t->lines->items[k]);
    return code;
}

static int table(struct orr_document *out, const struct orr_scope *scope,
                 const struct orr_results *results)
{
    struct orr_lines lines;
    int code = orr_lines_make(&lines, scope, results);
    if (code)
        return code;
    struct times t = {.document = out, .scope = scope, .results = results, .lines = &lines};
    code = orr_published_unit(t.unit, scope);
    if (!code)
        code = results->boxed ? orr_matrices_add(out, scope, results, &lines) : add_paper_grid(&t);
    orr_lines_release(&lines);
    if (!code)
        code = orr_quoted_ratios_add(out, scope, results);
    struct orr_cell_grid options = {.published = "seconds", .speedups = true};
    return code ? code : orr_cell_grid_add(out, scope, results, &options);
}

/* --- the figure: time over the size of the input, published points open --- */

struct figure {
    struct orr_plot *plot;
    const struct orr_scope *scope;
    const struct orr_results *results;
    struct orr_lines lines;
    double level; /* of the boxes of what was measured; NAN where there are none */
    bool levels;  /* the published numbers are of another one: the labels tell it */
    double scale; /* units of the time axis in a second */
};

/* Two levels are two amounts of work: the figure is of the published one or, where that was not
 * measured, the highest.
 */
static double level_shown(const struct orr_scope *scope, const struct orr_results *results)
{
    double published = orr_scope_level(scope), highest = NAN;
    for (size_t k = 0; k < results->count; k++) {
        double level = results->items[k].input.level;
        if (level == published)
            return published;
        highest = fmax(highest, level); /* of NAN and a number the number */
    }
    return isnan(highest) ? published : highest;
}

static void name_series(char *out, size_t size, const struct figure *f, const struct orr_line *line,
                        const char *setting, const char *where, double level)
{
    char boxes[32] = "";
    if (f->levels)
        snprintf(boxes, sizeof boxes, ", level %.0f", level);
    snprintf(out, size, "%s%s%s, %s%s", orr_layout_label(f->scope, line->variant),
             *setting ? ", " : "", setting, where, boxes);
}

static bool has_published(const struct orr_results *results)
{
    bool any = false;
    for (size_t k = 0; k < results->input_count; k++)
        any = any || results->inputs[k].published;
    return any;
}

static int put_point(const struct figure *f, struct orr_points *points,
                     const struct orr_input *input, const double seconds[3], bool extrapolated)
{
    const double scaled[] = {f->scale * seconds[0], f->scale * seconds[1], f->scale * seconds[2]};
    return orr_points_add(points, orr_input_size(input), scaled, extrapolated);
}

static int plot_published(const struct figure *f, const struct orr_line *line)
{
    char label[512];
    struct orr_points points = {.plot = f->plot, .style = -line->style, .label = label};
    int code = 0;
    for (size_t k = 0; k < f->results->input_count && code >= 0; k++) {
        const struct orr_input *input = &f->results->inputs[k];
        struct orr_published p;
        code = orr_published_find(&p, f->scope, line->variant, input, "seconds", NULL);
        if (code > 0 && !points.file) {
            char where[96];
            snprintf(where, sizeof where, "published, %s", p.device);
            name_series(label, sizeof label, f, line, "", where, input->level);
        }
        if (code > 0)
            code =
                put_point(f, &points, input,
                          (double[]){p.value, p.value - p.half_unit, p.value + p.half_unit}, false);
        orr_published_release(&p);
    }
    orr_points_close(&points);
    return code < 0 ? code : 0;
}

static int plot_measured(const struct figure *f, const struct orr_line *line)
{
    char label[512], setting[160];
    struct orr_points points = {.plot = f->plot, .style = line->style, .label = label};
    int code = 0;
    orr_line_difference(setting, sizeof setting, &f->lines, line);
    for (size_t k = 0; k < f->results->input_count && !code; k++) {
        const struct orr_input *input = &f->results->inputs[k];
        const struct orr_result *r = orr_line_result(line, f->results, input);
        if (!r || !r->ok ||
            (f->results->boxed && (isnan(input->per_box) || input->level != f->level)))
            continue;
        if (!points.file)
            name_series(label, sizeof label, f, line, setting, line->device, input->level);
        code =
            put_point(f, &points, input, (double[]){r->seconds, r->low, r->high}, r->extrapolated);
    }
    orr_points_close(&points);
    return code;
}

/* The first of its program: published points take its colour. */
static const struct orr_line *faithful_line(const struct orr_lines *lines, const char *variant)
{
    const struct orr_line *line = lines->items;
    while (!line->faithful || strcmp(line->variant, variant))
        line++;
    return line;
}

static void name_axes(const struct figure *f, const char *unit)
{
    bool boxed = f->results->boxed;
    if (boxed && !f->levels)
        orr_plot_text(f->plot, "x_label", "P (particles in each of %.0f boxes)", pow(4, f->level));
    else
        orr_plot_text(f->plot, "x_label", "%s", boxed ? "P (particles in a box)" : "N (bodies)");
    orr_plot_number(f->plot, "x_base", boxed ? 2 : 10);
    orr_plot_text(f->plot, "y_label", "time [%s]", unit);
    orr_plot_text(f->plot, "y_format", "10^{%%L}");
}

static int plot_lines(const struct figure *f)
{
    const struct orr_line *lines = f->lines.items;
    int code = 0;
    for (size_t k = 0; k < f->lines.count && !code; k++) {
        code = plot_measured(f, &lines[k]);
        bool last = k + 1 == f->lines.count || strcmp(lines[k].variant, lines[k + 1].variant) != 0;
        if (!code && last)
            code = plot_published(f, faithful_line(&f->lines, lines[k].variant));
    }
    return code;
}

enum { FEW_SERIES = 9 };

static int plot(struct orr_plot *out, const struct orr_scope *scope,
                const struct orr_results *results)
{
    char unit[16];
    struct figure f = {
        .plot = out, .scope = scope, .results = results, .level = level_shown(scope, results)};
    int code = orr_published_unit(unit, scope);
    if (!code)
        code = orr_lines_make(&f.lines, scope, results);
    f.levels = results->boxed && f.level != orr_scope_level(scope) && has_published(results);
    bool ms = !strcmp(unit, "ms") || (results->boxed && !*unit);
    f.scale = ms ? 1e3 : 1;
    if (!code)
        code = plot_lines(&f);
    orr_lines_release(&f.lines);
    name_axes(&f, ms ? "ms" : "s");
    out->height += out->series > FEW_SERIES ? 100 : 0; /* for the legend */
    return orr_layout_drawn(code, out, scope, "measures it",
                            "%s was neither measured nor published", scope->name);
}

const struct orr_layout orr_layout_times = {"times", "curves", table, plot};
