#include "render/render.h"

#include <math.h>
#include <string.h>

#include "error.h"
#include "names.h"

/* A map is a path through Oklab (Ottosson 2020), a perceptually uniform space. Lightness rises
 * evenly; chroma and hue pass through equally spaced points. */
enum { POINTS = 5 };
static const double DARKEST = 0.22, LIGHTEST = 0.95;
static const struct map {
    const char *name;
    double chroma[POINTS], hue[POINTS]; /* degrees */
} maps[] = {
    {"dusk", {0.10, 0.14, 0.10, 0.15, 0.13}, {305, 285, 220, 150, 108}},
    {"grey", {0}, {0}},
};
enum { MAPS = sizeof maps / sizeof *maps };

static unsigned char to_srgb(double linear)
{
    double x = fmin(fmax(linear, 0), 1);
    return (unsigned char)lround(255 *
                                 (x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055));
}

static void from_oklab(unsigned char rgb[3], double lightness, double a, double b)
{
    double l = pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
    double m = pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
    double s = pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
    rgb[0] = to_srgb(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
    rgb[1] = to_srgb(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
    rgb[2] = to_srgb(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s);
}

/* The colour at t, 0 to 1, of the way. */
static void colour_at(unsigned char rgb[3], const struct map *map, double t)
{
    int k = (int)fmin(t * (POINTS - 1), POINTS - 2);
    double part = t * (POINTS - 1) - k;
    double chroma = map->chroma[k] + part * (map->chroma[k + 1] - map->chroma[k]);
    double hue =
        (map->hue[k] + part * (map->hue[k + 1] - map->hue[k])) * 3.14159265358979323846 / 180;
    from_oklab(rgb, DARKEST + t * (LIGHTEST - DARKEST), chroma * cos(hue), chroma * sin(hue));
}

int orr_colour_map(struct orr_colours *out, const char *name)
{
    memset(out, 0, sizeof *out);
    for (size_t m = 0; m < MAPS; m++)
        if (!strcmp(name, maps[m].name)) {
            for (int k = 1; k < ORR_COLOURS; k++)
                colour_at(out->rgb[k], &maps[m], (k - 1) / (ORR_COLOURS - 2.0));
            return 0;
        }
    return orr_names_fail("no colours", name, maps, MAPS, sizeof *maps);
}

int orr_colour_of(const struct orr_scale *scale, double light)
{
    if (!(light >= scale->low))
        return 0;
    double t = log(light / scale->low) / log(scale->high / scale->low);
    return 1 + (int)lround(fmin(t, 1) * (ORR_COLOURS - 2));
}
