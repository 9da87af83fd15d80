/* SPDX-License-Identifier: MIT */
#include "present/queries.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "measure/stats_levels.h"
#include "names.h"
#include "text.h"
#include "present/plot.h"

enum { MOST_OTHERS = 2 }; /* dashes and the sign of extrapolation, in the legend of panels */
static const double LARGEST_STYLE = 1e6;

struct draw {
    struct orr_plot *plot;
    const struct orr_ledger *ledger;
    sqlite3_stmt *telling; /* what a point tells of its cell */
    bool one_run;          /* a bar is of fewer processes than tell runs apart */
    FILE *file;            /* of the series being written */
    char series[320];      /* which it is */
    int panels, columns;
    struct orr_names keys; /* labels in the legend of all panels */
    size_t longest;        /* of them, characters */
};

static double number_at(sqlite3_stmt *row, const char *name)
{
    int column = orr_section_column(row, name);
    return column < 0 ? NAN : orr_ledger_number(row, column);
}

/* gnuplot reads `name = value`: a name that is more than a word would be a command. */
static bool is_word(const char *name)
{
    return *name && !isdigit((unsigned char)*name) &&
           !name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789")];
}

static void put_variable(struct orr_plot *plot, const char *name, sqlite3_stmt *row, int column)
{
    if (!strcmp(name, "width"))
        plot->width = sqlite3_column_int(row, column);
    else if (!strcmp(name, "height"))
        plot->height = sqlite3_column_int(row, column);
    else if (sqlite3_column_type(row, column) == SQLITE_TEXT)
        orr_plot_text(plot, name, orr_ledger_text(row, column));
    else
        orr_plot_number(plot, name, orr_ledger_number(row, column));
}

static int for_each(struct draw *draw, const struct orr_section *section,
                    int (*each)(struct draw *, const struct orr_section *, sqlite3_stmt *))
{
    sqlite3_stmt *row;
    int code = orr_section_query(&row, section);
    while (orr_section_row(&code, row, section))
        code = each(draw, section, row);
    return code;
}

static int add_variable(struct draw *draw, const struct orr_section *section, sqlite3_stmt *row)
{
    if (sqlite3_column_count(row) != 2)
        return orr_section_blame(section, "variables are rows of name and value");
    if (!is_word(orr_ledger_text(row, 0)))
        return orr_section_blame(section, "'%s' is no name of a variable", orr_ledger_text(row, 0));
    put_variable(draw->plot, orr_ledger_text(row, 0), row, 1);
    return 0;
}

/* --- panels: rows of them from the left, with one legend below (plots/panels.gp) --- */

static int add_panel(struct draw *draw, const struct orr_section *section, sqlite3_stmt *row)
{
    static const struct {
        const char *column, *variable;
    } of[] = {{"title", "panel_title"},   {"x_label", "panel_x"},   {"y_label", "panel_y"},
              {"linear", "panel_linear"}, {"least", "panel_least"}, {"most", "panel_most"}};
    char name[64];
    int tics = orr_section_column(row, "tics");
    draw->panels++;
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        int column = orr_section_column(row, of[k].column);
        if (column < 0)
            return orr_section_blame(section, "panels select %s", of[k].column);
        snprintf(name, sizeof name, "%s_%d", of[k].variable, draw->panels);
        put_variable(draw->plot, name, row, column);
    }
    bool bodies = tics < 0 || sqlite3_column_type(row, tics) == SQLITE_NULL;
    snprintf(name, sizeof name, "panel_tics_%d", draw->panels);
    orr_plot_text(draw->plot, name, bodies ? "" : orr_ledger_text(row, tics));
    snprintf(name, sizeof name, "panel_bodies_%d", draw->panels);
    orr_plot_number(draw->plot, name, bodies);
    return 0;
}

/* True where the label is new to the legend, which has one line of it however many panels do. */
static bool is_new(struct draw *draw, const char *label)
{
    if (!*label || orr_names_has(draw->keys.items, label))
        return false;
    orr_names_add(&draw->keys, "%s", label);
    draw->longest = strlen(label) > draw->longest ? strlen(label) : draw->longest;
    return true;
}

static void size_panels(struct draw *draw)
{
    enum { HEADING = 70, PANEL = 440, KEY = 34, WIDE = 480, LETTER = 12 };
    struct orr_plot *plot = draw->plot;
    int rows = (draw->panels + draw->columns - 1) / draw->columns;
    plot->width = draw->columns > 1 ? 500 * draw->columns : 800;
    int key_width = LETTER * (int)draw->longest > WIDE ? LETTER * (int)draw->longest : WIDE;
    int keys_a_row = plot->width / key_width > 1 ? plot->width / key_width : 1;
    int key_rows = ((int)draw->keys.count + MOST_OTHERS) / keys_a_row + 1;
    int legend = KEY * key_rows + KEY / 2;
    plot->height = HEADING + PANEL * rows + legend;
    orr_plot_number(plot, "panels", draw->panels);
    orr_plot_number(plot, "columns", draw->columns);
    orr_plot_number(plot, "rows", rows);
    orr_plot_number(plot, "keys_a_row", keys_a_row);
    orr_plot_number(plot, "key_rows", key_rows);
    orr_plot_number(plot, "heading_height", HEADING);
    orr_plot_number(plot, "legend_height", legend);
}

/* --- series --- */

static bool has_points(sqlite3_stmt *row)
{
    return orr_section_column(row, "x") >= 0 && orr_section_column(row, "y") >= 0 &&
           orr_section_column(row, "file") < 0;
}

static bool is_in_file(const char *name)
{
    static const char *const others[] = {"series", "label", "style", "panel", "file", "cell_key"};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (!strcmp(name, others[k]))
            return false;
    return *name != '$' && *name != '_';
}

static void write_header(char *out, size_t size, sqlite3_stmt *row)
{
    *out = '\0';
    for (int k = 0; k < sqlite3_column_count(row); k++) {
        const char *name = sqlite3_column_name(row, k);
        size_t used = strlen(out);
        if (is_in_file(name))
            snprintf(out + used, size - used, "%s%s", used ? "," : "", name);
    }
    size_t used = strlen(out);
    if (orr_section_column(row, "cell_key") >= 0)
        snprintf(out + used, size - used, ",about");
}

static int start_series(struct draw *draw, sqlite3_stmt *row)
{
    char header[256] = "x,y,low,high,measured,estimated,about";
    const char *label = orr_section_text(row, "label", "");
    if (draw->file)
        fclose(draw->file);
    if (!has_points(row))
        write_header(header, sizeof header, row);
    double style = number_at(row, "style");
    draw->file =
        orr_plot_series(draw->plot, header, fabs(style) <= LARGEST_STYLE ? (int)style : 0, label);
    if (!draw->file)
        return ORR_EIO;
    for (int k = 0; k < sqlite3_column_count(row); k++) {
        const char *name = sqlite3_column_name(row, k);
        if (*name == '$' && is_word(name + 1))
            put_variable(draw->plot, name, row, k);
    }
    if (draw->panels) {
        orr_plot_number(draw->plot, "$panel", number_at(row, "panel") + 1);
        orr_plot_number(draw->plot, "$key", is_new(draw, label));
    }
    return 0;
}

/* A number as CSV: empty for NAN. */
static void put_value(FILE *to, double value, char after)
{
    if (!isnan(value))
        fprintf(to, "%.10g", value);
    fputc(after, to);
}

/* A field of the CSV that gnuplot reads: a comma, a quote or a line break would end it. */
static void put_field(FILE *to, const char *text)
{
    for (; *text; text++)
        fputc(strchr(",\"\r\n", *text) ? ' ' : *text, to);
}

/* A point's cell, where the series selects its cell_key (then `about` is the last column): id, time
 * with its interval, samples, and the command that tells the rest. */
static void tell_point(char *out, size_t size, struct draw *draw, sqlite3_stmt *row)
{
    const bool bar = isfinite(number_at(row, "low")) && isfinite(number_at(row, "high"));
    int column = orr_section_column(row, "cell_key");
    *out = '\0';
    if (column < 0 || sqlite3_column_type(row, column) == SQLITE_NULL)
        return;
    static const char sql[] =
        "SELECT replace(variant || ' N = ' || n || ' ' || device || '; cell ' || id || '; ' ||"
        " seconds_text(seconds) || coalesce(' [' || seconds_text(seconds_low) || ' to ' ||"
        " seconds_text(seconds_high) || ']' || iif(few, ' " ORR_WITHIN_ONE_RUN "', ''), '') || '; '"
        " || iif(extrapolated_from IS NULL, (SELECT count(*) FROM sample m WHERE m.cell_key ="
        " c.cell_key AND kind = 'step_s') || ' samples of ' || coalesce(processes, 1) ||"
        " iif(coalesce(processes, 1) = 1, ' process', ' processes'), 'extrapolated from the cell '"
        " || extrapolated_from) || '; orrery describe ' || id, ' us', ' µs'), few FROM (SELECT *,"
        " extrapolated_from IS NULL AND coalesce(processes, 1) < ? AS few FROM cells) c WHERE"
        " cell_key = ?";
    /* A figure has hundreds of points: the query is prepared once. */
    if (!draw->telling && orr_ledger_query(&draw->telling, draw->ledger, sql, ""))
        return;
    sqlite3_bind_int(draw->telling, 1, ORR_STATS_ENOUGH_PROCESSES);
    sqlite3_bind_int64(draw->telling, 2, sqlite3_column_int64(row, column));
    if (orr_ledger_next(draw->telling, draw->ledger) > 0) {
        snprintf(out, size, "%s", orr_ledger_text(draw->telling, 0));
        /* gnuplot's SVG makes a script of it: nothing of a journal may end a text there. */
        for (char *c = out; (c = strpbrk(c, "'\\<&"));)
            *c = ' ';
        draw->one_run |= bar && sqlite3_column_int(draw->telling, 1);
    }
    sqlite3_reset(draw->telling);
}

static void put_about(struct draw *draw, sqlite3_stmt *row)
{
    char about[512];
    tell_point(about, sizeof about, draw, row);
    put_field(draw->file, about);
}

/* As plots/curves.gp reads it. Style 0, a guide, and what is `plain` are lines without marks or
 * ends. */
static void put_point(struct draw *draw, sqlite3_stmt *row)
{
    const bool plain = number_at(row, "style") == 0 || number_at(row, "plain") > 0,
               estimated = number_at(row, "extrapolated") > 0;
    const double y = number_at(row, "y"), ends[] = {number_at(row, "low"), number_at(row, "high")};
    put_value(draw->file, number_at(row, "x"), ',');
    put_value(draw->file, y, ',');
    for (int k = 0; k < 2; k++)
        put_value(draw->file, plain ? NAN : isnan(ends[k]) ? y : ends[k], ',');
    put_value(draw->file, plain || estimated ? NAN : y, ',');
    put_value(draw->file, plain || !estimated ? NAN : y, ',');
    put_about(draw, row);
    fputc('\n', draw->file);
}

static void put_line(struct draw *draw, sqlite3_stmt *row)
{
    const char *separator = "";
    for (int k = 0; k < sqlite3_column_count(row); k++) {
        if (!is_in_file(sqlite3_column_name(row, k)))
            continue;
        fputs(separator, draw->file);
        separator = ",";
        if (sqlite3_column_type(row, k) == SQLITE_TEXT)
            put_field(draw->file, orr_ledger_text(row, k));
        else if (sqlite3_column_type(row, k) != SQLITE_NULL)
            fprintf(draw->file, "%.10g", sqlite3_column_double(row, k));
    }
    if (orr_section_column(row, "cell_key") >= 0) {
        fputc(',', draw->file);
        put_about(draw, row);
    }
    fputc('\n', draw->file);
}

/* --- series copied from a file of bodies: x,y,z a line --- */

static int copy_line(const struct draw *draw, sqlite3_stmt *row, const double x[3])
{
    char after = 0;
    for (int k = 0; k < sqlite3_column_count(row); k++) {
        const char *axis = orr_ledger_text(row, k);
        if (!is_in_file(sqlite3_column_name(row, k)))
            continue;
        if (*axis < 'x' || *axis > 'z' || axis[1])
            return orr_fail(ORR_EINPUT, "a file of bodies has no column %s", axis);
        fprintf(draw->file, after ? ",%.10g" : "%.10g", x[*axis - 'x']);
        after = ',';
    }
    fputc('\n', draw->file);
    return 0;
}

static int copy_file(struct draw *draw, sqlite3_stmt *row)
{
    const char *path = orr_section_text(row, "file", ""), *why;
    char line[256];
    double x[3];
    int code = 0;
    FILE *from = orr_plain_file_open(path, &why);
    if (!from)
        return orr_fail(ORR_EIO, "cannot read %s: %s", path, why);
    for (size_t number = 1; !code && fgets(line, sizeof line, from); number++)
        if (sscanf(line, "%lf,%lf,%lf", &x[0], &x[1], &x[2]) == 3)
            code = copy_line(draw, row, x);
        else if (number > 1) /* the first may name the columns */
            code = orr_fail(ORR_EINPUT, "%s:%zu: not three numbers x,y,z", path, number);
    fclose(from);
    return code;
}

static int add_point(struct draw *draw, const struct orr_section *section, sqlite3_stmt *row)
{
    const char *series = orr_section_text(row, "series", "");
    int code = 0;
    if (orr_section_column(row, "series") < 0)
        return orr_section_blame(section, "a series selects `series`, which tells them apart");
    if (!draw->file || strcmp(series, draw->series) != 0)
        code = start_series(draw, row);
    snprintf(draw->series, sizeof draw->series, "%s", series);
    if (code)
        return code;
    if (orr_section_column(row, "file") >= 0)
        return copy_file(draw, row);
    if (has_points(row))
        put_point(draw, row);
    else
        put_line(draw, row);
    return 0;
}

static int add_series(struct draw *draw, const struct orr_section *section)
{
    int code = for_each(draw, section, add_point);
    if (draw->file)
        fclose(draw->file);
    draw->file = NULL;
    return code;
}

/* --- the whole --- */

static int add_panels(struct draw *draw, const struct orr_section *section)
{
    char *columns;
    int code = orr_section_fill(&columns, section, section->argument);
    draw->columns = code ? 1 : atoi(columns);
    free(columns);
    if (!code && draw->columns < 1)
        return orr_section_blame(section,
                                 "`--: panels` is followed by how many stand side by side");
    return code ? code : for_each(draw, section, add_panel);
}

static int check_series(const struct draw *draw, const struct orr_section *section)
{
    char *text, *bar;
    if (draw->plot->series)
        return 0;
    int code = orr_section_fill(&text, section, section->argument);
    if (!code && (bar = strstr(text, " | "))) {
        char *run;
        *bar = '\0';
        code = orr_section_fill(&run, section, "{experiment}");
        if (!code)
            code =
                orr_fail(ORR_EUSAGE, "nothing to plot: %s; `orrery run %s` %s", bar + 3, run, text);
        free(run);
    }
    free(text);
    return code;
}

int orr_query_figure(struct orr_plot *out, const struct orr_queries *queries,
                     const struct orr_section *figure)
{
    struct draw draw = {.plot = out, .ledger = queries->ledger};
    struct orr_section_walk walk = {.at = {figure}};
    const struct orr_section *s;
    int code = 0;
    while (orr_queries_next(&code, &s, &walk, queries))
        if (s->kind == ORR_SECTION_VARIABLES)
            code = for_each(&draw, s, add_variable);
        else if (s->kind == ORR_SECTION_PANELS)
            code = add_panels(&draw, s);
        else if (s->kind == ORR_SECTION_SERIES)
            code = add_series(&draw, s);
        else if (s->kind == ORR_SECTION_NOTHING)
            code = check_series(&draw, s);
    sqlite3_finalize(draw.telling);
    if (!code && draw.panels)
        size_panels(&draw);
    orr_names_free(draw.keys.items);
    if (!code && draw.one_run)
        orr_plot_text(out, "intervals", ", bars of fewer than 3 processes: " ORR_WITHIN_ONE_RUN);
    return code;
}
