/* A curve of a figure, point by point. Its series starts with the first point, so that a curve
 * without any leaves neither a file nor a line in the legend. */
#ifndef ORR_POINTS_H
#define ORR_POINTS_H

#include "present/panels.h"
#include "present/plot.h"
#include "present/results.h"

struct orr_points {
    struct orr_plot *plot;     /* where it is drawn: a figure of one panel, */
    struct orr_panels *panels; /* or the panel that was added last; NULL: `plot` */
    int style;                 /* of plots/common.gp */
    const char *label;         /* read at the first point */
    FILE *file;                /* NULL until then */
};

/* value and its low and high end as orr_plot_point takes them. 0, or ORR_EIO when the series cannot
 * be started. */
int orr_points_add(struct orr_points *points, double x, const double value[3], bool extrapolated);
/* The same for a printed number: its ends are half a unit in the last digit away. */
int orr_points_add_published(struct orr_points *points, double x,
                             const struct orr_published *published);
/* Ends the series, whatever was returned before. */
void orr_points_close(struct orr_points *points);

#endif
