#include "render/render.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "text.h"

/* Quantiles of more bodies than this are those of every k-th. */
enum { SAMPLE = 200000 };
static const double LEFT_OUT = 0.01; /* of the bodies, at each end */
static const double MARGIN = 0.1;    /* of the extent, shared by both ends */

int orr_view_parse_size(struct orr_view *out, const char *text)
{
    char end;
    int width, height;
    if (strspn(text, "0123456789x") == strlen(text) &&
        sscanf(text, "%5dx%5d%c", &width, &height, &end) == 2 && width >= ORR_VIEW_SMALLEST &&
        height >= ORR_VIEW_SMALLEST && width <= ORR_VIEW_LARGEST && height <= ORR_VIEW_LARGEST) {
        out->width = width;
        out->height = height;
        return 0;
    }
    return orr_fail(ORR_EUSAGE, "--size takes WIDTHxHEIGHT in pixels, each %d to %d, not '%s'",
                    ORR_VIEW_SMALLEST, ORR_VIEW_LARGEST, text);
}

int orr_view_parse_plane(struct orr_view *out, const char *text)
{
    static const char *const planes[] = {"xy", "xz", "yz"};
    for (int k = 0; k < 3; k++)
        if (!strcmp(text, planes[k])) {
            out->across = text[0] - 'x';
            out->up = text[1] - 'x';
            return 0;
        }
    return orr_fail(ORR_EUSAGE, "--plane takes xy, xz or yz, not '%s'", text);
}

/* One "low:high". */
static bool parse_range(char *text, double *low, double *high)
{
    char *colon = strchr(text, ':');
    if (!colon)
        return false;
    *colon = '\0';
    return orr_text_number(text, low) && orr_text_number(colon + 1, high) && *low < *high &&
           isfinite(*high - *low);
}

int orr_view_parse_window(struct orr_view *out, const char *text)
{
    char copy[256];
    char *comma = NULL;
    if (strlen(text) < sizeof copy)
        comma = strchr(strcpy(copy, text), ',');
    if (comma)
        *comma = '\0';
    if (comma && parse_range(copy, &out->low[0], &out->high[0]) &&
        parse_range(comma + 1, &out->low[1], &out->high[1]))
        return 0;
    return orr_fail(ORR_EUSAGE, "--view takes x0:x1,y0:y1 with x0 < x1 and y0 < y1, not '%s'",
                    text);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The middle of the bodies along one axis, and half of what they take up. */
static int measure(double *middle, double *half, const double *x, size_t n)
{
    size_t stride = n / SAMPLE + 1, count = 0;
    double *sample = malloc((n / stride + 1) * sizeof *sample);
    if (!sample)
        return orr_fail(ORR_EMEMORY, "no memory for the extent of %zu bodies", n);
    for (size_t i = 0; i < n; i += stride)
        sample[count++] = x[i];
    qsort(sample, count, sizeof *sample, by_value);
    size_t cut = (size_t)(LEFT_OUT * (double)count);
    double low = count ? sample[cut] : 0, high = count ? sample[count - 1 - cut] : 0;
    free(sample);
    *middle = 0.5 * low + 0.5 * high;
    *half = (0.5 * high - 0.5 * low) * (1 + MARGIN);
    return 0;
}

int orr_view_fit(struct orr_view *view, const struct orr_bodies *bodies)
{
    const int axes[2] = {view->across, view->up}, pixels[2] = {view->width, view->height};
    double middle[2], half[2];
    for (int k = 0; k < 2; k++) {
        int code = measure(&middle[k], &half[k], bodies->pos[axes[k]], bodies->n);
        if (code)
            return code;
    }
    double scale = fmax(half[0] / pixels[0], half[1] / pixels[1]); /* lengths in half a pixel */
    if (!(scale > 0))
        scale = 1.0 / fmin(pixels[0], pixels[1]);
    for (int k = 0; k < 2; k++) {
        view->low[k] = middle[k] - scale * pixels[k];
        view->high[k] = middle[k] + scale * pixels[k];
        if (!(view->low[k] < view->high[k]) || !isfinite(view->high[k] - view->low[k]))
            return orr_fail(
                ORR_EINPUT,
                "the bodies lie around %g within %g, which no picture can resolve; give --view",
                middle[k], half[k]);
    }
    return 0;
}

/* Which of `count` equal parts of the half open range holds x; -1: none. */
static int part_of(double x, double low, double high, int count)
{
    double at = floor((x - low) / (high - low) * count);
    return at >= 0 && at < count && x < high ? (int)at : -1;
}

bool orr_view_pixel(const struct orr_view *view, const struct orr_bodies *bodies, size_t i,
                    int *column, int *row)
{
    int from_left = part_of(bodies->pos[view->across][i], view->low[0], view->high[0], view->width);
    int from_below = part_of(bodies->pos[view->up][i], view->low[1], view->high[1], view->height);
    *column = from_left;
    *row = view->height - 1 - from_below;
    return from_left >= 0 && from_below >= 0;
}
