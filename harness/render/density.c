#include "render/render.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

enum { REACH = 3, TAPS = REACH * ORR_SMEAR_LARGEST + 1 }; /* the Gaussian ends at 3 sigma */

int orr_density_make(struct orr_density *out, int width, int height)
{
    *out = (struct orr_density){width, height,
                                calloc((size_t)width * (size_t)height, sizeof *out->light)};
    return out->light
               ? 0
               : orr_fail(ORR_EMEMORY, "no memory for a picture of %d x %d pixels", width, height);
}

void orr_density_release(struct orr_density *density)
{
    free(density->light);
    *density = (struct orr_density){0};
}

void orr_density_count(struct orr_density *density, const struct orr_view *view,
                       const struct orr_bodies *bodies, enum orr_weight weight)
{
    int column, row;
    memset(density->light, 0,
           (size_t)density->width * (size_t)density->height * sizeof *density->light);
    for (size_t i = 0; i < bodies->n; i++)
        if (orr_view_pixel(view, bodies, i, &column, &row))
            density->light[(size_t)row * (size_t)density->width + (size_t)column] +=
                weight == ORR_WEIGHT_MASS ? bodies->mass[i] : 1;
}

/* Half of a Gaussian normalised to 1, from its middle. Returns the number of values. */
static int make_taps(double taps[TAPS], double sigma)
{
    int count = (int)ceil(REACH * sigma) + 1;
    double sum = 0;
    for (int k = 0; k < count; k++) {
        taps[k] = exp(-0.5 * (k / sigma) * (k / sigma));
        sum += k ? 2 * taps[k] : taps[k];
    }
    for (int k = 0; k < count; k++)
        taps[k] /= sum;
    return count;
}

/* One line of `count` values, `stride` apart, through `line`. */
static void smear_line(double *light, size_t stride, int count, const double *taps, int reach,
                       double *line)
{
    for (int k = 0; k < count; k++)
        line[k] = light[(size_t)k * stride];
    for (int k = 0; k < count; k++) {
        int first = k - reach + 1 > 0 ? k - reach + 1 : 0,
            last = k + reach - 1 < count - 1 ? k + reach - 1 : count - 1;
        double sum = 0;
        for (int from = first; from <= last; from++)
            sum += line[from] * taps[abs(from - k)];
        light[(size_t)k * stride] = sum;
    }
}

int orr_density_smear(struct orr_density *density, double sigma)
{
    double taps[TAPS] = {0};
    size_t width = (size_t)density->width, height = (size_t)density->height;
    if (!(sigma > 0))
        return 0;
    double *line = calloc(width > height ? width : height, sizeof *line);
    if (!line)
        return orr_fail(ORR_EMEMORY, "no memory to smear a picture");
    int reach = make_taps(taps, sigma);
    for (size_t row = 0; row < height; row++)
        smear_line(density->light + row * width, 1, density->width, taps, reach, line);
    for (size_t column = 0; column < width; column++)
        smear_line(density->light + column, width, density->height, taps, reach, line);
    free(line);
    return 0;
}

double orr_density_kept(double sigma)
{
    double taps[TAPS] = {0};
    if (!(sigma > 0))
        return 1;
    make_taps(taps, sigma);
    return taps[0] * taps[0];
}

double orr_density_peak(const struct orr_density *density)
{
    double peak = 0;
    for (size_t k = 0; k < (size_t)density->width * (size_t)density->height; k++)
        peak = fmax(peak, density->light[k]);
    return peak;
}
