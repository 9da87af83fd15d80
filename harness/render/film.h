/* One frame, or many, of one view with one scale of colours: exposed as the bodies come, written
 * when all are there, for only then the brightest pixel is known. */
#ifndef ORR_FILM_H
#define ORR_FILM_H

#include <stdio.h>

#include "render/colour.h"
#include "render/density.h"

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

/* Fixes what is left open of view and smear, from the first frame's bodies. Exposing the first
 * frame does it too. */
int orr_film_aim(struct orr_film *film, const struct orr_bodies *bodies);
/* The next frame. ORR_EUSAGE when the bodies have no such plane, ORR_EIO when the disk is full. */
int orr_film_expose(struct orr_film *film, const struct orr_bodies *bodies);
/* The scale over all frames: from half of what the lightest body leaves, at most six decades, to
 * the brightest pixel. */
struct orr_scale orr_film_scale(const struct orr_film *film);
/* Writes all frames as a GIF, or the only one as a PNG, by the ending of `path`. */
int orr_film_write(struct orr_film *film, const char *path);
void orr_film_release(struct orr_film *film);

#endif
