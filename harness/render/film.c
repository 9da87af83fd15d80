
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/formats/output.h"
#include "error.h"
#include "render/render.h"

static const double DECADES = 1e6;

/* Sparse bodies are drawn as dots of a quarter of their mean distance, at most 1.5 pixels. */
static double choose_smear(const struct orr_view *view, size_t n)
{
    double sigma = n ? fmin(0.25 * sqrt((double)view->width * view->height / (double)n), 1.5) : 0;
    return sigma < 0.5 ? 0 : sigma;
}

static int check_plane(const struct orr_film *film, const struct orr_bodies *bodies)
{
    if (bodies->dimensions == 3 || film->view.up < 2)
        return 0;
    return orr_fail(ORR_EUSAGE, "the bodies have 2 dimensions, so the only plane is xy");
}

int orr_film_aim(struct orr_film *film, const struct orr_bodies *bodies)
{
    int code = check_plane(film, bodies);
    if (!code && !film->has_window)
        code = orr_view_fit(&film->view, bodies);
    if (!code && !(film->frames = tmpfile()))
        code = orr_fail(ORR_EIO, "cannot make a temporary file: %s", strerror(errno));
    if (!code)
        code = orr_density_make(&film->density, film->view.width, film->view.height);
    if (code)
        return code;
    if (isnan(film->smear))
        film->smear = choose_smear(&film->view, bodies->n);
    film->faintest = INFINITY;
    film->aimed = true;
    return 0;
}

static double lightest(const struct orr_bodies *bodies, enum orr_weight weight)
{
    double least = weight == ORR_WEIGHT_NUMBER && bodies->n ? 1 : INFINITY;
    for (size_t i = 0; weight == ORR_WEIGHT_MASS && i < bodies->n; i++)
        if (bodies->mass[i] > 0)
            least = fmin(least, bodies->mass[i]);
    return least;
}

static size_t pixels_of(const struct orr_film *film)
{
    return (size_t)film->view.width * (size_t)film->view.height;
}

static int keep(struct orr_film *film)
{
    if (fwrite(film->density.light, sizeof(double), pixels_of(film), film->frames) ==
        pixels_of(film))
        return 0;
    return orr_fail(ORR_EIO, "cannot keep frame %d in a temporary file: %s", film->count,
                    strerror(errno));
}

int orr_film_expose(struct orr_film *film, const struct orr_bodies *bodies)
{
    int code = film->aimed ? check_plane(film, bodies) : orr_film_aim(film, bodies);
    if (code)
        return code;
    orr_density_count(&film->density, &film->view, bodies, film->weight);
    code = orr_density_smear(&film->density, film->smear);
    if (code)
        return code;
    film->faintest =
        fmin(film->faintest, lightest(bodies, film->weight) * orr_density_kept(film->smear));
    film->peak = fmax(film->peak, orr_density_peak(&film->density));
    code = keep(film);
    film->count += !code;
    return code;
}

struct orr_scale orr_film_scale(const struct orr_film *film)
{
    double high = film->peak > 0 ? film->peak : 1;
    return (struct orr_scale){fmax(fmin(0.5 * film->faintest, 0.5 * high), high / DECADES), high};
}

/* Reads the next frame back and gives each pixel its colour. */
static int develop(struct orr_film *film, unsigned char *colours)
{
    const struct orr_scale scale = orr_film_scale(film);
    if (fread(film->density.light, sizeof(double), pixels_of(film), film->frames) !=
        pixels_of(film))
        return orr_fail(ORR_EIO, "cannot read a frame back: %s", strerror(errno));
    for (size_t k = 0; k < pixels_of(film); k++)
        colours[k] = (unsigned char)orr_colour_of(&scale, film->density.light[k]);
    return 0;
}

/* Delays are whole hundredths of a second; the mean comes out right. */
static int hundredths_of(const struct orr_film *film, int frame)
{
    return (int)(lround((frame + 1) * 100 / film->fps) - lround(frame * 100 / film->fps));
}

static int write_frames(struct orr_film *film, struct orr_output *to, bool animated)
{
    struct orr_picture picture = {0};
    unsigned char *colours = malloc(pixels_of(film));
    int code = colours ? 0 : orr_fail(ORR_EMEMORY, "no memory for the pixels");
    rewind(film->frames);
    if (!code)
        code = orr_picture_begin(&picture, to, animated, film->view.width, film->view.height,
                                 &film->colours);
    for (int k = 0; !code && k < film->count; k++) {
        code = develop(film, colours);
        if (!code)
            code = orr_picture_write(&picture, colours, hundredths_of(film, k));
    }
    if (!code)
        code = orr_picture_end(&picture);
    orr_picture_release(&picture);
    free(colours);
    return code;
}

int orr_film_write(struct orr_film *film, const char *path)
{
    struct orr_output output;
    bool animated;
    int code = orr_picture_kind(&animated, path);
    if (!code && !animated && film->count > 1)
        code = orr_fail(ORR_EUSAGE,
                        "a PNG holds one picture; %d of them go to a file that ends in .gif",
                        film->count);
    if (!code)
        code = orr_output_begin(&output, path);
    if (code)
        return code;
    code = orr_output_open(&output);
    if (!code)
        code = write_frames(film, &output, animated);
    return orr_output_end(&output, code);
}

void orr_film_release(struct orr_film *film)
{
    orr_density_release(&film->density);
    if (film->frames)
        fclose(film->frames);
    film->frames = NULL;
}
