#include "render/render.h"

#include <string.h>
#include <strings.h>

#include "error.h"

int orr_picture_kind(bool *animated, const char *path)
{
    size_t length = strlen(path);
    const char *ending = length > 4 ? path + length - 4 : "";
    *animated = !strcasecmp(ending, ".gif");
    return *animated || !strcasecmp(ending, ".png")
               ? 0
               : orr_fail(ORR_EUSAGE, "pictures go to a file that ends in .png or .gif, not to %s",
                          path);
}

#ifdef ORR_HAVE_PICTURES
#include <gif_lib.h>
#include <png.h>

int orr_picture_check(void)
{
    return 0;
}

static int write_png(struct orr_picture *picture, const unsigned char *pixels)
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)picture->width,
                       .height = (png_uint_32)picture->height,
                       .format = PNG_FORMAT_RGB_COLORMAP,
                       .colormap_entries = ORR_COLOURS};
    if (png_image_write_to_stdio(&image, picture->to->file, 0, pixels, 0, picture->colours->rgb))
        return 0;
    return orr_fail(ORR_EIO, "cannot write %s: %s", picture->to->target, image.message);
}

/* Called by giflib; it takes any other number than `size` as a failure. */
static int take_bytes(GifFileType *gif, const GifByteType *bytes, int size)
{
    struct orr_picture *picture = gif->UserData;
    return orr_output_write(picture->to, bytes, (size_t)size) ? 0 : size;
}

/* What giflib failed at; the reason for a failed write is recorded already. */
static int gif_failed(const struct orr_picture *picture, int error)
{
    const char *why = GifErrorString(error);
    return orr_fail(error == E_GIF_ERR_NOT_ENOUGH_MEM ? ORR_EMEMORY : ORR_EIO,
                    "cannot write %s: %s", picture->to->target,
                    why ? why : "giflib gives no reason");
}

/* Endless loop: the Netscape extension with a count of 0. */
static int write_loop(GifFileType *gif)
{
    const unsigned char forever[] = {1, 0, 0};
    if (EGifPutExtensionLeader(gif, APPLICATION_EXT_FUNC_CODE) == GIF_ERROR ||
        EGifPutExtensionBlock(gif, 11, "NETSCAPE2.0") == GIF_ERROR ||
        EGifPutExtensionBlock(gif, sizeof forever, forever) == GIF_ERROR)
        return GIF_ERROR;
    return EGifPutExtensionTrailer(gif);
}

static int begin_gif(struct orr_picture *picture)
{
    GifColorType palette[ORR_COLOURS];
    int error = 0;
    for (int k = 0; k < ORR_COLOURS; k++) {
        const unsigned char *rgb = picture->colours->rgb[k];
        palette[k] = (GifColorType){rgb[0], rgb[1], rgb[2]};
    }
    ColorMapObject *map = GifMakeMapObject(ORR_COLOURS, palette);
    GifFileType *gif = map ? EGifOpen(picture, take_bytes, &error) : NULL;
    picture->gif = gif;
    if (!gif) {
        GifFreeMapObject(map);
        return gif_failed(picture, map ? error : E_GIF_ERR_NOT_ENOUGH_MEM);
    }
    EGifSetGifVersion(gif, true); /* 89a */
    int done = EGifPutScreenDesc(gif, picture->width, picture->height, 8, 0, map);
    GifFreeMapObject(map);
    return done != GIF_ERROR && write_loop(gif) != GIF_ERROR ? 0 : gif_failed(picture, gif->Error);
}

static int write_gif(struct orr_picture *picture, const unsigned char *pixels, int hundredths)
{
    GifFileType *gif = picture->gif;
    GraphicsControlBlock control = {DISPOSE_DO_NOT, false, hundredths, NO_TRANSPARENT_COLOR};
    GifByteType extension[4], row[1 << 16];
    size_t size = EGifGCBToExtension(&control, extension);
    int done = EGifPutExtension(gif, GRAPHICS_EXT_FUNC_CODE, (int)size, extension);
    if (done != GIF_ERROR)
        done = EGifPutImageDesc(gif, 0, 0, picture->width, picture->height, false, NULL);
    for (int k = 0; done != GIF_ERROR && k < picture->height; k++) {
        /* a copy, for giflib masks the pixels in place */
        memcpy(row, pixels + (size_t)k * (size_t)picture->width, (size_t)picture->width);
        done = EGifPutLine(gif, row, picture->width);
    }
    return done != GIF_ERROR ? 0 : gif_failed(picture, gif->Error);
}

int orr_picture_begin(struct orr_picture *out, struct orr_output *to, bool animated, int width,
                      int height, const struct orr_colours *colours)
{
    *out = (struct orr_picture){to, colours, animated, width, height, NULL};
    return animated ? begin_gif(out) : 0;
}

int orr_picture_write(struct orr_picture *picture, const unsigned char *pixels, int hundredths)
{
    return picture->animated ? write_gif(picture, pixels, hundredths) : write_png(picture, pixels);
}

int orr_picture_end(struct orr_picture *picture)
{
    int error = 0, done = picture->gif ? EGifCloseFile(picture->gif, &error) : GIF_OK;
    picture->gif = NULL;
    return done != GIF_ERROR ? 0 : gif_failed(picture, error);
}

void orr_picture_release(struct orr_picture *picture)
{
    if (picture->gif)
        EGifCloseFile(picture->gif, NULL);
    picture->gif = NULL;
}
#else
int orr_picture_check(void)
{
    return orr_fail(ORR_EUNSUPPORTED,
                    "this build of orrery draws no pictures; install libpng and giflib (libpng-dev "
                    "libgif-dev) and build again");
}

int orr_picture_begin(struct orr_picture *out, struct orr_output *to, bool animated, int width,
                      int height, const struct orr_colours *colours)
{
    *out = (struct orr_picture){to, colours, animated, width, height, NULL};
    return orr_picture_check();
}

int orr_picture_write(struct orr_picture *picture, const unsigned char *pixels, int hundredths)
{
    (void)picture, (void)pixels, (void)hundredths;
    return orr_picture_check();
}

int orr_picture_end(struct orr_picture *picture)
{
    (void)picture;
    return orr_picture_check();
}

void orr_picture_release(struct orr_picture *picture)
{
    (void)picture;
}
#endif
