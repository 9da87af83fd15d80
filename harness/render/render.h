/* From bodies to pictures: what part of a plane is seen, how much is in each pixel, its colour, and
 * the frames of a film written as PNG or GIF. */
#ifndef ORR_RENDER_H
#define ORR_RENDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "datasets/bodies.h"
#include "datasets/formats/output.h"

/* --- view: which part of a plane a picture shows, and where a body lands in it --- */

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

/* --- density: how many bodies, or how much mass, is in each pixel --- */

enum orr_weight { ORR_WEIGHT_MASS, ORR_WEIGHT_NUMBER };

struct orr_density {
    int width, height;
    double *light; /* width * height, rows from the top down: mass or bodies in each pixel */
};

/* Room for pictures of this size, zeroed. 0 or ORR_EMEMORY. */
int orr_density_make(struct orr_density *out, int width, int height);
void orr_density_release(struct orr_density *density);
/* Counts all bodies that are in view, in the order of the input. */
void orr_density_count(struct orr_density *density, const struct orr_view *view,
                       const struct orr_bodies *bodies, enum orr_weight weight);
/* Spreads each pixel over its neighbours by a Gaussian of standard deviation `sigma` pixels, 0 to
 * ORR_SMEAR_LARGEST; 0 leaves all as it is. What is spread beyond the edge is lost. 0 or
 * ORR_EMEMORY. */
enum { ORR_SMEAR_LARGEST = 16 };
int orr_density_smear(struct orr_density *density, double sigma);
/* The share of its light that a pixel keeps. */
double orr_density_kept(double sigma);
/* The brightest pixel. */
double orr_density_peak(const struct orr_density *density);

/* --- colours: 256, the first black for nothing at all, then in even steps of lightness --- */

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

/* --- PNG and GIF --- */

/* ORR_EUNSUPPORTED in a build without the two libraries: to be asked before long work. */
int orr_picture_check(void);
/* Does `path` end in .gif (true) or .png (false)? ORR_EUSAGE when in neither. */
int orr_picture_kind(bool *animated, const char *path);

/* A file being written. */
struct orr_picture {
    struct orr_output *to; /* open */
    const struct orr_colours *colours;
    bool animated;
    int width, height;
    void *gif; /* giflib's, NULL for a PNG */
};

int orr_picture_begin(struct orr_picture *out, struct orr_output *to, bool animated, int width,
                      int height, const struct orr_colours *colours);
/* The next frame: width * height colours, rows from the top down; shown for `hundredths` of a
 * second in an animation. A PNG takes one frame. */
int orr_picture_write(struct orr_picture *picture, const unsigned char *pixels, int hundredths);
/* Completes the file; the caller commits it. */
int orr_picture_end(struct orr_picture *picture);
/* Safe at any time after begin. */
void orr_picture_release(struct orr_picture *picture);

/* --- film: frames and one scale of colours for all of them, so nothing is drawn before the last
 * frame is there and the brightest pixel known --- */

struct orr_film {
    /* set by the caller */
    struct orr_view view; /* size and plane; low and high only with has_window */
    bool has_window;      /* else orr_film_aim chooses */
    enum orr_weight weight;
    double smear; /* pixels; NAN: orr_film_aim chooses by the number of bodies a pixel */
    double fps;   /* frames a second of an animation, above 0 */
    struct orr_colours colours;
    /* filled in */
    bool aimed;
    struct orr_density density;
    FILE *frames; /* a nameless temporary file: the densities of each frame */
    int count;
    double faintest; /* what the lightest body leaves in its pixel; INFINITY: no body has weight */
    double peak;     /* the brightest pixel of all frames */
};

/* Chooses an open view and smear from these bodies, the first frame's. Exposing the first frame
 * does so too. */
int orr_film_aim(struct orr_film *film, const struct orr_bodies *bodies);
/* The next frame. ORR_EUSAGE when the bodies have no such plane, ORR_EIO when the disk is full. */
int orr_film_expose(struct orr_film *film, const struct orr_bodies *bodies);
/* The scale over all frames: from half of what the lightest body leaves, at most six decades, to
 * the brightest pixel. */
struct orr_scale orr_film_scale(const struct orr_film *film);
/* Writes all frames as a GIF, or the only one as a PNG, by the ending of `path`. */
int orr_film_write(struct orr_film *film, const char *path);
void orr_film_release(struct orr_film *film);

/* --- bodies from a snapshot, or from the x,y,z lines beside a journal --- */

/* Reads either, told apart by the first line. Bodies of a file without masses have mass 1 and
 * *weighed is false; where all z are 0 they have 2 dimensions. Errors are those of
 * orr_snapshot_read. */
int orr_bodies_file_read(struct orr_bodies *out, bool *weighed, const char *path);

#endif
