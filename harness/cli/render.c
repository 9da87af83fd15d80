/* SPDX-License-Identifier: MIT */
/* orrery render: densities of bodies, counted here and drawn by gnuplot (plots/render.gp). */
#include <math.h>

#include "cli/cli.h"
#include "datasets/formats/format.h"
#include "datasets/formats/output.h"
#include "measure/stats.h"
#include "present/plot.h"
#include "sandbox.h"

enum { LEAST_BINS = 100, MOST_BINS = 1024, MOST_FRAMES = 10000 };
static const double LEFT_OUT = 0.01; /* of the bodies, at each end of an axis */
static const double DECADES = 1e6;   /* what the scale of colours spans at most */

struct render {
    /* options */
    struct orr_words what, set;
    const char *output, *size, *window, *plane, *weight, *dataset, *device;
    double edge, fps, n, seed, frames, steps, timeout_s;
    bool json, sandbox;
    /* from them */
    bool film; /* a GIF, of every frame */
    struct orr_plot plot;
    char frame[256]; /* where the referee leaves each frame */
    struct orr_child *child;
    int code; /* of drawing the frames */
    /* of the pictures */
    double low[2], high[2]; /* of the view [length]; chosen by the first bodies, or by --view */
    int bins[2];            /* squares across and up; 0: not chosen yet */
    double least, most;     /* of what is in a bin that is not empty, over all pictures */
    size_t bodies;          /* in the last picture */
    json_t *course;         /* what the referee says of the integration */
};

static int read_view(struct render *r)
{
    char end;
    struct orr_plot *plot = &r->plot;
    if (sscanf(r->size, "%5dx%5d%c", &plot->width, &plot->height, &end) != 2 ||
        fmin(plot->width, plot->height) < 200 || fmax(plot->width, plot->height) > 8192)
        return orr_fail(ORR_EUSAGE, "--size takes WIDTHxHEIGHT in pixels, 200 to 8192, not '%s'",
                        r->size);
    if (strcmp(r->plane, "xy") && strcmp(r->plane, "xz") && strcmp(r->plane, "yz"))
        return orr_fail(ORR_EUSAGE, "--plane takes xy, xz or yz, not '%s'", r->plane);
    if (strcmp(r->weight, "mass") && strcmp(r->weight, "number"))
        return orr_fail(ORR_EUSAGE, "--weight takes mass or number, not '%s'", r->weight);
    if (!(r->fps >= 1 && r->fps <= 100))
        return orr_fail(ORR_EUSAGE, "--fps takes a number from 1 to 100");
    if (r->window && (sscanf(r->window, "%lf:%lf,%lf:%lf%c", &r->low[0], &r->high[0], &r->low[1],
                             &r->high[1], &end) != 4 ||
                      !(r->low[0] < r->high[0] && r->low[1] < r->high[1]) ||
                      !isfinite(r->high[0] - r->low[0] + r->high[1] - r->low[1])))
        return orr_fail(ORR_EUSAGE, "--view takes x0:x1,y0:y1 with x0 < x1 and y0 < y1, not '%s'",
                        r->window);
    return 0;
}

static int check_options(struct render *r)
{
    if (!r->what.count || !r->output)
        return orr_fail(ORR_EUSAGE, "render needs something to draw and -o FILE; --help explains");
    if (r->sandbox)
        orr_sandbox_ask();
    if (orr_plot_check(r->output, true) || orr_plot_open(&r->plot, "render") || read_view(r))
        return orr_error_code();
    r->plot.film = true;
    r->film = !strcmp(strrchr(r->output, '.'), ".gif");
    return orr_output_try(r->output);
}

/* A square around the middle 98 % of the bodies along each axis, and a tenth more. */
static int fit_view(struct render *r, const double *const at[2], size_t n)
{
    double *sorted = malloc(n * sizeof *sorted), half = 0, middle[2];
    if (!sorted)
        return orr_fail(ORR_EMEMORY, "no memory for the extent of %zu bodies", n);
    for (int k = 0; k < 2; k++) {
        memcpy(sorted, at[k], n * sizeof *sorted);
        qsort(sorted, n, sizeof *sorted, orr_stats_ascending);
        size_t cut = (size_t)(LEFT_OUT * (double)n);
        middle[k] = 0.5 * sorted[cut] + 0.5 * sorted[n - 1 - cut];
        half = fmax(half, 1.1 * (0.5 * sorted[n - 1 - cut] - 0.5 * sorted[cut]));
    }
    free(sorted);
    for (int k = 0; k < 2; k++) {
        r->low[k] = middle[k] - (half > 0 ? half : 1);
        r->high[k] = middle[k] + (half > 0 ? half : 1);
        if (!(r->low[k] < r->high[k]) || !isfinite(r->high[k] - r->low[k]))
            return orr_fail(ORR_EINPUT, "the bodies lie around %g, which no picture resolves",
                            middle[k]);
    }
    return 0;
}

/* Bins are square, and two for each body unless told: fewer bodies, coarser bins. */
static int choose_bins(struct render *r, const double *const at[2], size_t n)
{
    int code = r->window ? 0 : fit_view(r, at, n);
    double across = r->high[0] - r->low[0], up = r->high[1] - r->low[1];
    double most = r->edge > 0 ? r->edge : fmax(sqrt(2.0 * (double)n), LEAST_BINS);
    most = fmin(most, MOST_BINS);
    r->bins[0] = (int)fmax(1, round(most * across / fmax(across, up)));
    r->bins[1] = (int)fmax(1, round(most * up / fmax(across, up)));
    return code;
}

static void bin_bodies(const struct render *r, double *bins, const double *const at[2],
                       const struct orr_bodies *bodies)
{
    bool by_number = !strcmp(r->weight, "number");
    for (size_t i = 0; i < bodies->n; i++) {
        double place[2];
        bool inside = true;
        for (int k = 0; k < 2; k++) {
            place[k] = floor((at[k][i] - r->low[k]) / (r->high[k] - r->low[k]) * r->bins[k]);
            inside = inside && place[k] >= 0 && place[k] < r->bins[k];
        }
        if (inside)
            bins[(size_t)place[1] * (size_t)r->bins[0] + (size_t)place[0]] +=
                by_number ? 1 : bodies->mass[i];
    }
}

/* A picture of these bodies: a file of doubles from the lower left. */
static int add_picture(struct render *r, const struct orr_bodies *bodies, const char *label)
{
    const double *const at[2] = {bodies->pos[r->plane[0] - 'x'], bodies->pos[r->plane[1] - 'x']};
    if (bodies->dimensions < 3 && r->plane[1] == 'z')
        return orr_fail(ORR_EUSAGE, "the bodies have 2 dimensions, so the only plane is xy");
    if (!r->bins[0] && choose_bins(r, at, bodies->n))
        return orr_error_code();
    if (!r->film || !r->plot.series) { /* a PNG holds the last one alone */
        r->plot.series = 0;
        r->least = INFINITY;
        r->most = 0;
    }
    size_t size = (size_t)r->bins[0] * (size_t)r->bins[1];
    double *bins = orr_memory_get(size * sizeof *bins);
    bin_bodies(r, bins, at, bodies);
    for (size_t k = 0; k < size; k++)
        if (bins[k] > 0) {
            r->least = fmin(r->least, bins[k]);
            r->most = fmax(r->most, bins[k]);
        }
    FILE *file = orr_plot_series(&r->plot, NULL, 1, label);
    const bool kept = file && fwrite(bins, sizeof *bins, size, file) == size;
    free(bins);
    r->bodies = bodies->n;
    if (!file)
        return ORR_EIO;
    return fclose(file) || !kept
               ? orr_fail(ORR_EIO, "cannot keep a picture in %s: the disk is full", r->plot.folder)
               : 0;
}

static int draw_snapshots(struct render *r)
{
    if (!r->film && r->what.count > 1)
        return orr_fail(ORR_EUSAGE, "a PNG holds one picture; several go to a file that ends in "
                                    ".gif");
    for (int k = 0; k < r->what.count; k++) {
        __attribute__((cleanup(orr_bodies_release))) struct orr_bodies bodies = {0};
        const int code = orr_snapshot_read(&bodies, r->what.items[k]);
        if (code)
            return code == ORR_EIO ? orr_error_context("no snapshot, and no --dataset to integrate")
                                   : code;
        if (add_picture(r, &bodies, r->what.items[k]))
            return orr_error_context("%s", r->what.items[k]);
    }
    return 0;
}

/* A PNG shows the last frame in the view of the first. */
static void take_frame(json_t *message, void *context)
{
    __attribute__((cleanup(orr_bodies_release))) struct orr_bodies bodies = {0};
    char label[64];
    struct render *r = context;
    long long frame = orr_json_integer(message, "frame");
    snprintf(label, sizeof label, "after %lld steps", frame * (long long)r->steps);
    if (!r->code)
        r->code = orr_snapshot_read(&bodies, r->frame);
    if (!r->code)
        r->code = add_picture(r, &bodies, label);
    orr_child_channel_send(&r->child->channel,
                           json_pack("{s:s}", "ask", r->code ? "stop" : "next"));
}

/* Of the integration: its bodies and frames. */
static int make_members(json_t **out, struct render *r)
{
    const double most = fmax(fmax(r->n, r->seed), r->steps);
    double frames = r->frames > 0 ? r->frames : r->film ? 50 : 2;
    int level = -1;
    if (r->what.count > 1)
        return orr_fail(ORR_EUSAGE, "render takes snapshots, or one variant");
    if (frames < 2 || frames > MOST_FRAMES || most > 1e9)
        return orr_fail(ORR_EUSAGE,
                        "--frames is from 2 to %d; --n, --seed and --steps-per-frame "
                        "are at most 1e9",
                        MOST_FRAMES);
    const struct orr_dataset *set = orr_dataset_find(r->dataset);
    if (!set || orr_dataset_level(set, &level))
        return ORR_EUSAGE;
    size_t n = r->n > 0 ? (size_t)r->n : orr_dataset_default_n(set, level);
    if (orr_dataset_check(set, n, level))
        return orr_error_code();
    for (int k = 0; k < r->set.count; k++)
        if (!strncmp(r->set.items[k], "steps=", 6))
            return orr_fail(ORR_EUSAGE, "--steps-per-frame says how many steps, not --set steps");
    char steps[32];
    snprintf(steps, sizeof steps, "steps=%d", (int)r->steps);
    orr_options_add_word(&r->set, steps);
    *out = json_pack("{s:s, s:I, s:i, s:I, s:i, s:s}", "dataset", r->dataset, "n", (json_int_t)n,
                     "level", level, "seed", (json_int_t)r->seed, "frames", (int)frames, "output",
                     r->frame);
    return 0;
}

static int draw_integration(struct render *r)
{
    struct orr_worker_session session;
    json_auto_t *members = NULL;
    snprintf(r->frame, sizeof r->frame, "%s/frame", r->plot.folder);
    r->child = &session.child;
    int code = make_members(&members, r);
    const struct orr_worker_question question = {.ask = "frames",
                                                 .variant = r->what.items[0],
                                                 .device = r->device,
                                                 .set = &r->set,
                                                 .members = members,
                                                 .timeout_s = r->timeout_s,
                                                 .partial = take_frame,
                                                 .context = r};
    if (!code)
        code = orr_worker_session_ask(&r->course, &session, &question);
    r->child = NULL;
    return r->code ? r->code : code;
}

static int draw_pictures(struct render *r)
{
    struct orr_plot *plot = &r->plot;
    const char *weight = !strcmp(r->weight, "mass") ? "mass" : "bodies";
    if (!(r->most > 0))
        return orr_fail(ORR_EUSAGE, "nothing in view has %s; --view and --weight choose", weight);
    if (!isfinite(r->most))
        return orr_fail(ORR_EINPUT, "masses in view are too large to be summed");
    orr_plot_number(plot, "left", r->low[0]);
    orr_plot_number(plot, "right", r->high[0]);
    orr_plot_number(plot, "bottom", r->low[1]);
    orr_plot_number(plot, "top", r->high[1]);
    orr_plot_number(plot, "columns", r->bins[0]);
    orr_plot_number(plot, "rows", r->bins[1]);
    orr_plot_number(plot, "fps", r->fps);
    orr_plot_number(plot, "high", r->most);
    orr_plot_number(plot, "low", fmax(fmin(r->least, 0.5 * r->most), r->most / DECADES));
    orr_plot_text(plot, "plane", r->plane);
    orr_plot_text(plot, "weight", weight);
    orr_plot_heading(plot, "title", "%s", r->course ? r->what.items[0] : "");
    orr_plot_heading(plot, "subtitle", r->course ? "%s, %zu bodies" : "", r->dataset, r->bodies);
    return orr_plot_draw(plot, r->output, NULL);
}

static void print_summary(const struct render *r)
{
    if (r->json) {
        json_auto_t *all =
            json_pack("{s:s, s:i, s:I, s:[f,f,f,f], s:[f,f], s:s, s:O?}", "output", r->output,
                      "pictures", r->plot.series, "bodies", (json_int_t)r->bodies, "view",
                      r->low[0], r->high[0], r->low[1], r->high[1], "scale", r->least, r->most,
                      "weight", r->weight, "course", r->course);
        orr_cli_print_line(stdout, all);
        return;
    }
    printf("%s: %d picture%s of %zu bodies, %c from %.4g to %.4g, %c from %.4g to %.4g\n",
           r->output, r->plot.series, r->plot.series == 1 ? "" : "s", r->bodies, r->plane[0],
           r->low[0], r->high[0], r->plane[1], r->low[1], r->high[1]);
    const json_t *error = json_object_get(r->course, "error");
    if (r->course)
        printf("%s on %s (%s): relative error of the first and last picture against fp64 over %lld "
               "bodies: median %.1e, 99 %% below %.1e, largest %.1e\n",
               r->what.items[0], orr_json_text(r->course, "device"),
               orr_json_text(r->course, "device_name"),
               (long long)orr_json_integer(error, "targets"), orr_json_number(error, "median"),
               orr_json_number(error, "p99"), orr_json_number(error, "max"));
}

int orr_cli_render(int argc, char **argv)
{
    struct render r = {.size = "900x800",
                       .plane = "xy",
                       .weight = "mass",
                       .fps = 10,
                       .seed = 1,
                       .steps = 4,
                       .timeout_s = 3600};
    const struct orr_option options[] = {
        {"output", &r.output},   {"size", &r.size},       {"view", &r.window},
        {"plane", &r.plane},     {"weight", &r.weight},   {"bins", &r.edge},
        {"fps", &r.fps},         {"dataset", &r.dataset}, {"n", &r.n},
        {"seed", &r.seed},       {"frames", &r.frames},   {"steps-per-frame", &r.steps},
        {"device", &r.device},   {"set", &r.set},         {"timeout", &r.timeout_s},
        {"sandbox", &r.sandbox}, {"json", &r.json}};
    int code = orr_options_parse("render", ORR_OPTIONS(options), argc, argv, &r.what);
    if (!code && !(code = check_options(&r)) &&
        !(code = r.dataset ? draw_integration(&r) : draw_snapshots(&r)) &&
        !(code = draw_pictures(&r)))
        print_summary(&r);
    orr_plot_release(&r.plot);
    json_decref(r.course);
    return code;
}
