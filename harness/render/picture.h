/* Pictures of palette indices as PNG (libpng) and animated GIF (giflib). */
#ifndef ORR_PICTURE_H
#define ORR_PICTURE_H

#include <stdbool.h>

#include "datasets/formats/output.h"
#include "render/colour.h"

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
/* Completes the file, which is then to be committed. */
int orr_picture_end(struct orr_picture *picture);
/* Safe at any time after begin. */
void orr_picture_release(struct orr_picture *picture);

#endif
