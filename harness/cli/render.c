/* orrery render: pictures of bodies. */
#include "cli/cli.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/render_parts.h"
#include "datasets/formats/output.h"
#include "error.h"
#include "format_value.h"
#include "render/bodies_file.h"
#include "render/picture.h"

static int read_options(struct orr_render *r, int argc, char **argv)
{
    const struct orr_option table[] = {
        {"output", 'o', ORR_OPTION_TEXT, &r->output, "FILE",
         "the picture, .png, or the moving one, .gif"},
        {"size", 0, ORR_OPTION_TEXT, &r->size, "WxH", "pixels (800x800)"},
        {"view", 0, ORR_OPTION_TEXT, &r->window, "X0:X1,Y0:Y1",
         "what is shown, in every picture; default: 98 % of the first picture's bodies"},
        {"plane", 0, ORR_OPTION_TEXT, &r->plane, "PLANE",
         "xy, xz or yz, for bodies in 3 dimensions (xy)"},
        {"weight", 0, ORR_OPTION_TEXT, &r->weight, "W",
         "mass or number of bodies a pixel (mass where it is known)"},
        {"colour", 0, ORR_OPTION_TEXT, &r->colours, "MAP", "dusk or grey (dusk)"},
        {"smear", 0, ORR_OPTION_NUMBER, &r->smear, "S",
         "size of a body, pixels; default: by bodies a pixel"},
        {"fps", 0, ORR_OPTION_NUMBER, &r->fps, "F", "pictures a second of a GIF (10)"},
        {"dataset", 0, ORR_OPTION_TEXT, &r->dataset, "NAME",
         "what a variant integrates; an experiment has one"},
        {"n", 0, ORR_OPTION_NUMBER, &r->n, "N",
         "number of its bodies; the published number when left out"},
        {"seed", 0, ORR_OPTION_NUMBER, &r->seed, "S", "seed of its random numbers (1)"},
        {"frames", 0, ORR_OPTION_NUMBER, &r->frames, "F",
         "pictures, the first before any step (50); a PNG shows the last (2)"},
        {"steps-per-frame", 0, ORR_OPTION_NUMBER, &r->steps, "K",
         "time steps between two pictures (4)"},
        {"device", 0, ORR_OPTION_TEXT, &r->device, "D",
         "cuda:0, opencl:0.0, host; default: the best that fits"},
        {"set", 0, ORR_OPTION_REPEAT, &r->set, "NAME=VALUE",
         "a parameter of the variant; repeatable"},
        {"timeout", 0, ORR_OPTION_NUMBER, &r->timeout_s, "S",
         "give up after so many seconds (3600)"},
        {"json", 0, ORR_OPTION_FLAG, &r->json, NULL, "the summary as one JSON object"},
    };
    const struct orr_options options = {
        "render SNAPSHOT...|VARIANT|EXPERIMENT -o FILE [options]",
        "Density pictures with a logarithmic scale of colours, the same in all of them.\n"
        "Snapshots (Gadget HDF5, Tipsy, CSV, or the bodies beside a journal) are drawn as they "
        "are, several as a GIF.\n"
        "A variant integrates a data set; an experiment stands for the last of its variants that "
        "does.",
        table, sizeof table / sizeof *table};
    return orr_options_parse(&options, argc, argv, &r->what);
}

static int check_numbers(const struct orr_render *r)
{
    if (!(r->fps > 0 && r->fps <= 100))
        return orr_fail(ORR_EUSAGE, "--fps takes a number above 0, at most 100");
    if (!isnan(r->smear) && !(r->smear >= 0 && r->smear <= ORR_SMEAR_LARGEST))
        return orr_fail(ORR_EUSAGE, "--smear takes pixels from 0 to %d", ORR_SMEAR_LARGEST);
    if (!(r->timeout_s > 0))
        return orr_fail(ORR_EUSAGE, "--timeout takes seconds above 0");
    if (r->weight && strcmp(r->weight, "mass") && strcmp(r->weight, "number"))
        return orr_fail(ORR_EUSAGE, "--weight takes mass or number, not '%s'", r->weight);
    return 0;
}

static int aim(struct orr_render *r)
{
    struct orr_film *film = &r->film;
    film->smear = r->smear;
    film->fps = r->fps;
    film->has_window = r->window != NULL;
    int code = check_numbers(r);
    if (!code)
        code = orr_view_parse_size(&film->view, r->size);
    if (!code)
        code = orr_view_parse_plane(&film->view, r->plane);
    if (!code && r->window)
        code = orr_view_parse_window(&film->view, r->window);
    return code ? code : orr_colour_map(&film->colours, r->colours);
}

/* Everything that can be known before any work. */
static int check(struct orr_render *r)
{
    if (!r->what.count || !r->output)
        return orr_fail(ORR_EUSAGE, "render needs something to draw and -o FILE; --help explains");
    int code = aim(r);
    if (!code)
        code = orr_picture_kind(&r->animated, r->output);
    if (!code)
        code = orr_picture_check();
    return code ? code : orr_output_try(r->output);
}

int orr_render_add(struct orr_render *r, const struct orr_bodies *bodies, bool weighed, bool shown,
                   const char *name)
{
    bool by_mass = r->weight ? !strcmp(r->weight, "mass") : r->film.weight == ORR_WEIGHT_MASS;
    int code = 0;
    if (!r->film.aimed) {
        double mass = 0;
        for (size_t i = 0; i < bodies->n; i++)
            mass += bodies->mass[i];
        by_mass = r->weight ? by_mass : weighed && mass > 0;
        r->film.weight = by_mass ? ORR_WEIGHT_MASS : ORR_WEIGHT_NUMBER;
        r->n_first = bodies->n;
    }
    if (by_mass && !weighed)
        return orr_fail(ORR_EUSAGE, "%s has no masses; use --weight number", name);
    if (!r->film.aimed)
        code = orr_film_aim(&r->film, bodies);
    if (!code && shown)
        code = orr_film_expose(&r->film, bodies);
    r->n_last = bodies->n;
    return code;
}

static int draw_snapshots(struct orr_render *r)
{
    int code = 0;
    if (r->dataset || r->device || r->set.count || !isnan(r->n) || !isnan(r->seed) ||
        !isnan(r->frames) || !isnan(r->steps))
        return orr_fail(ORR_EUSAGE,
                        "%s is no variant: snapshots take no --dataset, --n, --seed, --frames, "
                        "--steps-per-frame, --device and --set",
                        r->what.items[0]);
    if (!r->animated && r->what.count > 1)
        return orr_fail(ORR_EUSAGE,
                        "a PNG holds one picture; %d snapshots go to a file that ends in .gif",
                        r->what.count);
    for (int k = 0; !code && k < r->what.count; k++) {
        struct orr_bodies bodies;
        bool weighed;
        code = orr_bodies_file_read(&bodies, &weighed, r->what.items[k]);
        if (code)
            break;
        code = orr_render_add(r, &bodies, weighed, true, r->what.items[k]);
        if (code)
            orr_error_context("%s", r->what.items[k]);
        orr_bodies_release(&bodies);
    }
    return code;
}

static int draw(struct orr_render *r, enum orr_heard *heard)
{
    bool course = false;
    for (int k = 0; k < r->what.count; k++)
        course = course || orr_render_is_course(r->what.items[k]);
    if (course && r->what.count > 1)
        return orr_fail(ORR_EUSAGE, "render takes snapshots, or one variant or experiment");
    int code = course ? orr_render_course(r, heard) : draw_snapshots(r);
    if (!code && *heard == ORR_HEARD_MESSAGE)
        code = orr_film_write(&r->film, r->output);
    return code;
}

static void print_course(json_t *course)
{
    char seconds[32];
    json_t *error = json_object_get(course, "error");
    printf("%s on %s (%s), %s; relative error of the first and last picture against fp64 over %lld "
           "bodies: median "
           "%.1e, 99 %% below %.1e, largest %.1e\n",
           json_string_value(json_object_get(course, "variant")),
           json_string_value(json_object_get(course, "device")),
           json_string_value(json_object_get(course, "device_name")),
           orr_format_seconds(seconds, sizeof seconds,
                              json_number_value(json_object_get(course, "seconds"))),
           (long long)json_integer_value(json_object_get(error, "targets")),
           json_number_value(json_object_get(error, "median")),
           json_number_value(json_object_get(error, "p99")),
           json_number_value(json_object_get(error, "max")));
}

static void print_words(const struct orr_render *r)
{
    const struct orr_film *film = &r->film;
    const struct orr_view *v = &film->view;
    const struct orr_scale scale = orr_film_scale(film);
    const char *what = film->weight == ORR_WEIGHT_MASS ? "mass" : "bodies";
    printf("%s: %d picture%s of %d x %d pixels, %zu bodies", r->output, film->count,
           film->count == 1 ? "" : "s", v->width, v->height, r->n_first);
    printf(r->n_last != r->n_first ? " to %zu\n" : "\n", r->n_last);
    printf("view: %c %.4g to %.4g, %c %.4g to %.4g%s\n", 'x' + v->across, v->low[0], v->high[0],
           'x' + v->up, v->low[1], v->high[1],
           film->has_window ? ""
                            : " (98 % of the first picture's bodies and a margin; --view chooses)");
    if (!(film->peak > 0))
        printf("colours: all black, nothing in view has %s\n", what);
    else
        printf("colours: black for none, then the logarithm of %s a pixel, %.3g to %.3g; a body "
               "has %.2g pixels\n",
               what, scale.low, scale.high, film->smear);
    if (r->course)
        print_course(r->course);
}

static int print_json(const struct orr_render *r)
{
    const struct orr_film *film = &r->film;
    const struct orr_view *v = &film->view;
    const struct orr_scale scale = orr_film_scale(film);
    char plane[3] = {(char)('x' + v->across), (char)('x' + v->up), '\0'};
    json_t *all = json_pack(
        "{s:s, s:i, s:i, s:i, s:I, s:I, s:s, s:[f,f,f,f], s:b, s:s, s:[f,f], s:f, s:f, s:O?}",
        "output", r->output, "pictures", film->count, "width", v->width, "height", v->height,
        "n_first", (json_int_t)r->n_first, "n_last", (json_int_t)r->n_last, "plane", plane, "view",
        v->low[0], v->high[0], v->low[1], v->high[1], "view_chosen", film->has_window, "weight",
        film->weight == ORR_WEIGHT_MASS ? "mass" : "number", "scale", scale.low, scale.high, "peak",
        film->peak, "smear", film->smear, "course", r->course);
    if (!all)
        return orr_fail(ORR_EMEMORY, "no memory for the summary");
    json_dumpf(all, stdout, JSON_COMPACT);
    putchar('\n');
    json_decref(all);
    return 0;
}

int orr_cli_render(int argc, char **argv)
{
    struct orr_render r = {.size = "800x800",
                           .plane = "xy",
                           .colours = "dusk",
                           .fps = 10,
                           .smear = NAN,
                           .n = NAN,
                           .seed = NAN,
                           .frames = NAN,
                           .steps = NAN,
                           .timeout_s = 3600};
    enum orr_heard heard = ORR_HEARD_MESSAGE;
    int code = read_options(&r, argc, argv), status = ORR_EXIT_OK;
    bool helped = code == ORR_OPTIONS_HELPED;
    if (!code)
        code = check(&r);
    if (!code)
        code = draw(&r, &heard);
    if (code < 0)
        status = orr_cli_report_error();
    else if (heard == ORR_HEARD_SIGNAL)
        status = ORR_EXIT_INTERRUPTED;
    else if (!helped && r.json)
        status = print_json(&r) ? orr_cli_report_error() : ORR_EXIT_OK;
    else if (!helped)
        print_words(&r);
    orr_film_release(&r.film);
    orr_options_release_words(&r.what);
    orr_options_release_words(&r.set);
    json_decref(r.course);
    return status;
}
