/* Which part of a plane a picture shows, and where a body lands in it. */
#ifndef ORR_VIEW_H
#define ORR_VIEW_H

#include <stdbool.h>
#include <stddef.h>

#include "datasets/bodies.h"

enum { ORR_VIEW_SMALLEST = 16, ORR_VIEW_LARGEST = 8192 }; /* pixels along an edge */

struct orr_view {
    int width, height; /* of the picture, pixels */
    int across, up;    /* axes of the bodies: 0 x, 1 y, 2 z */
    double low[2],
        high[2]; /* across and up, [length]; half open, so that views side by side share no body */
};

/* "800x600". ORR_EUSAGE. */
int orr_view_parse_size(struct orr_view *out, const char *text);
/* "xy", "xz" or "yz". ORR_EUSAGE. */
int orr_view_parse_plane(struct orr_view *out, const char *text);
/* "x0:x1,y0:y1", along the axes of the plane. ORR_EUSAGE. */
int orr_view_parse_window(struct orr_view *out, const char *text);

/* Chooses low and high: the middle 98 % of the bodies along each axis and a tenth more, widened to
 * the shape of the picture. Bodies at one place, and none, get a view of edge 2. ORR_EINPUT when
 * that is beyond double precision. */
int orr_view_fit(struct orr_view *view, const struct orr_bodies *bodies);

/* The pixel, rows from the top down, of body i; false when it is outside. */
bool orr_view_pixel(const struct orr_view *view, const struct orr_bodies *bodies, size_t i,
                    int *column, int *row);

#endif
