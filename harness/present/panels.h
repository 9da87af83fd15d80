/* Figures of several panels with one legend (plots/panels.gp). Panels fill rows from the left; a
 * series belongs to the panel that was added last. */
#ifndef ORR_PANELS_H
#define ORR_PANELS_H

#include "present/plot.h"

enum { ORR_MAX_KEYS = 48 };

struct orr_panels {
    struct orr_plot *plot;
    int columns, count, keys;
    char known[ORR_MAX_KEYS][160]; /* labels that the legend has */
};

enum orr_panel_scale { ORR_PANEL_LOG, ORR_PANEL_LINEAR };

struct orr_panel {
    const char *title, *x_label, *y_label;
    const char
        *x_values; /* "0.2 0.3": the tics, of a parameter; "": decades; NULL: numbers of bodies */
    enum orr_panel_scale y;
    double least, most; /* of y; 0: by what is drawn */
};

void orr_panels_start(struct orr_panels *out, struct orr_plot *plot, int columns);
void orr_panels_add(struct orr_panels *panels, const struct orr_panel *panel);
/* A series of points (orr_plot_point): style 0 is a guide, grey and without marks. One label has
 * one line in the legend however many panels have a series of it; "" has none. Close the file. */
FILE *orr_panels_series(struct orr_panels *panels, int style, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A line through points without marks and ends: header and x, y. */
void orr_panels_line_point(FILE *to, double x, double y);
/* Writes what the script needs and sizes the picture. */
void orr_panels_finish(struct orr_panels *panels);

#endif
