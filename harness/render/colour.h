/* Colours of densities: 256, the first black for nothing at all, then in even steps of
 * lightness. */
#ifndef ORR_COLOUR_H
#define ORR_COLOUR_H

enum { ORR_COLOURS = 256 };

struct orr_colours {
    unsigned char rgb[ORR_COLOURS][3]; /* sRGB */
};

/* "dusk" (violet, blue, green, yellow) or "grey". ORR_EUSAGE. */
int orr_colour_map(struct orr_colours *out, const char *name);

/* The logarithmic scale: colour 1 at `low`, above 0, the last one at `high`, above `low`, and
 * beyond. */
struct orr_scale {
    double low, high;
};
/* The colour of a pixel; 0 below the scale. */
int orr_colour_of(const struct orr_scale *scale, double light);

#endif
