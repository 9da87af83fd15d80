#include "present/points.h"

#include "error.h"

int orr_points_add(struct orr_points *points, double x, const double value[3], bool extrapolated)
{
    if (!points->file)
        points->file =
            points->panels
                ? orr_panels_series(points->panels, points->style, "%s", points->label)
                : orr_plot_series(points->plot, ORR_PLOT_POINT, points->style, "%s", points->label);
    if (!points->file)
        return ORR_EIO;
    orr_plot_point(points->file, x, value, extrapolated);
    return 0;
}

int orr_points_add_published(struct orr_points *points, double x,
                             const struct orr_published *published)
{
    double value = published->value, half = published->half_unit;
    return orr_points_add(points, x, (double[]){value, value - half, value + half}, false);
}

void orr_points_close(struct orr_points *points)
{
    if (points->file)
        fclose(points->file);
    points->file = NULL;
}
