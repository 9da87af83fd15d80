#include "present/panels.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void orr_panels_start(struct orr_panels *out, struct orr_plot *plot, int columns)
{
    *out = (struct orr_panels){.plot = plot, .columns = columns};
}

/* name_<number> = text. */
static void put_text(const struct orr_panels *panels, const char *name, const char *text)
{
    char full[48];
    snprintf(full, sizeof full, "%s_%d", name, panels->count);
    orr_plot_text(panels->plot, full, "%s", text);
}

static void put_number(const struct orr_panels *panels, const char *name, int of, double value)
{
    char full[48];
    snprintf(full, sizeof full, "%s_%d", name, of);
    orr_plot_number(panels->plot, full, value);
}

void orr_panels_add(struct orr_panels *panels, const struct orr_panel *panel)
{
    panels->count++;
    put_text(panels, "panel_title", panel->title);
    put_text(panels, "panel_x", panel->x_label);
    put_text(panels, "panel_y", panel->y_label);
    put_text(panels, "panel_tics", panel->x_values ? panel->x_values : "");
    put_number(panels, "panel_bodies", panels->count, !panel->x_values);
    put_number(panels, "panel_linear", panels->count, panel->y == ORR_PANEL_LINEAR);
    put_number(panels, "panel_least", panels->count, panel->least);
    put_number(panels, "panel_most", panels->count, panel->most);
}

/* Whether the label is new to the legend. */
static bool is_new(struct orr_panels *panels, const char *label)
{
    if (!*label)
        return false;
    for (int k = 0; k < panels->keys; k++)
        if (!strcmp(panels->known[k], label))
            return false;
    if (panels->keys == ORR_MAX_KEYS)
        return false;
    snprintf(panels->known[panels->keys++], sizeof *panels->known, "%s", label);
    return true;
}

FILE *orr_panels_series(struct orr_panels *panels, int style, const char *format, ...)
{
    char label[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(label, sizeof label, format, arguments);
    va_end(arguments);
    FILE *file = orr_plot_series(panels->plot, ORR_PLOT_POINT, style, "%s", label);
    put_number(panels, "panel_of", panels->plot->series, panels->count);
    put_number(panels, "key", panels->plot->series, is_new(panels, label));
    return file;
}

void orr_panels_line_point(FILE *to, double x, double y)
{
    orr_plot_value(to, x, ',');
    orr_plot_value(to, y, ',');
    fputs(",,,\n", to);
}

void orr_panels_finish(struct orr_panels *panels)
{
    enum { HEADING = 70, PANEL = 420, KEY = 24, KEYS_A_ROW = 4 };
    struct orr_plot *plot = panels->plot;
    int rows = (panels->count + panels->columns - 1) / panels->columns;
    int key_rows =
        panels->keys / KEYS_A_ROW + 1; /* with room for the sign of what is extrapolated */
    int legend = KEY * key_rows + KEY / 2;
    plot->width = panels->columns > 1 ? 500 * panels->columns : 800;
    plot->height = HEADING + PANEL * rows + legend;
    orr_plot_number(plot, "panels", panels->count);
    orr_plot_number(plot, "columns", panels->columns);
    orr_plot_number(plot, "rows", rows);
    orr_plot_number(plot, "keys_a_row", KEYS_A_ROW);
    orr_plot_number(plot, "key_rows", key_rows);
    orr_plot_number(plot, "heading_height", HEADING);
    orr_plot_number(plot, "legend_height", legend);
}
