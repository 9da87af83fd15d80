/* orrery render: pictures of bodies. */
#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/worker_session.h"
#include "datasets/dataset.h"
#include "datasets/formats/format.h"
#include "datasets/formats/output.h"
#include "error.h"
#include "format_value.h"
#include "json_member.h"
#include "names.h"
#include "plan/paper.h"
#include "plugin/plugin.h"
#include "render/render.h"
#include "sandbox.h"

struct render {
    /* options */
    struct orr_words what, set;
    const char *output, *size, *window, *plane, *colours, *weight;
    const char *dataset, *device;
    double fps, smear, n, seed, frames, steps, timeout_s; /* NAN: not given */
    bool json, sandbox;
    /* from them */
    bool animated; /* a GIF */
    struct orr_film film;
    size_t n_first, n_last; /* bodies in the first and the last picture */
    json_t *integration;    /* what the worker says of the integration; NULL with snapshots */
};

static int read_options(struct render *r, int argc, char **argv)
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
        {"set", 0, ORR_OPTION_SETTINGS, &r->set, "NAME=VALUE",
         "a parameter of the variant; repeatable"},
        {"timeout", 0, ORR_OPTION_SECONDS, &r->timeout_s, "S",
         "give up after so many seconds (3600)"},
        ORR_OPTION_SANDBOX(&r->sandbox),
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

static int check_numbers(const struct render *r)
{
    if (!(r->fps > 0 && r->fps <= 100))
        return orr_fail(ORR_EUSAGE, "--fps takes a number above 0, at most 100");
    if (!isnan(r->smear) && !(r->smear >= 0 && r->smear <= ORR_SMEAR_LARGEST))
        return orr_fail(ORR_EUSAGE, "--smear takes pixels from 0 to %d", ORR_SMEAR_LARGEST);
    if (r->weight && strcmp(r->weight, "mass") && strcmp(r->weight, "number"))
        return orr_fail(ORR_EUSAGE, "--weight takes mass or number, not '%s'", r->weight);
    return 0;
}

static int aim(struct render *r)
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

/* All checks that need no bodies. */
static int check(struct render *r)
{
    if (!r->what.count || !r->output)
        return orr_fail(ORR_EUSAGE, "render needs something to draw and -o FILE; --help explains");
    if (r->sandbox)
        orr_sandbox_ask();
    int code = aim(r);
    if (!code)
        code = orr_picture_kind(&r->animated, r->output);
    if (!code)
        code = orr_picture_check();
    return code ? code : orr_output_try(r->output);
}

/* Adds a picture of these bodies if it is `shown`; the first bodies decide view and weight.
 * `weighed`: they have masses. `name` is for messages. */
static int add_picture(struct render *r, const struct orr_bodies *bodies, bool weighed, bool shown,
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

static int draw_snapshots(struct render *r)
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
        code = add_picture(r, &bodies, weighed, true, r->what.items[k]);
        if (code)
            orr_error_context("%s", r->what.items[k]);
        orr_bodies_release(&bodies);
    }
    return code;
}

/* --- a variant: a worker integrates, picture by picture --- */

enum { FRAMES = 50, STEPS_PER_FRAME = 4, MOST_FRAMES = 100000 };

/* The integration that was asked for. */
struct plan {
    char variant[128], dataset[64];
    size_t n;
    int level; /* of the boxes; -1: not made of boxes */
    int frames, steps;
};

/* The worker hands over each frame in one file of a temporary folder. */
struct exchange {
    struct render *render;
    struct orr_child *child;
    char folder[512], file[640];
    int frames, code;
};

/* Does this word name a variant or an experiment rather than a file? */
static bool is_integration(const char *word)
{
    struct stat status;
    char **names = NULL;
    size_t length = strcspn(word, "/");
    bool found = false;
    if (!stat(word, &status) && S_ISREG(status.st_mode))
        return false;
    if (!orr_catalogue_names(&names))
        for (char **name = names; *name; name++)
            found = found || (strlen(*name) == length && !strncmp(*name, word, length));
    orr_names_free(names);
    orr_error_clear();
    return found;
}

static bool integrates(const char *variant)
{
    struct orr_inspection inspection = {0};
    bool does = !orr_plugin_inspect(&inspection, variant) &&
                (inspection.variant.capabilities & ORR_INTEGRATES);
    orr_inspect_release(&inspection);
    orr_error_clear();
    return does;
}

/* An experiment stands for the last of its variants that integrates, which is the fastest, and its
 * first data set. */
static int resolve_experiment(struct plan *plan, const struct orr_paper *paper,
                              const struct orr_experiment *experiment)
{
    for (unsigned k = paper->variants_count; k-- > 0 && !plan->variant[0];) {
        char name[sizeof plan->variant];
        snprintf(name, sizeof name, "%s/%s", paper->key, paper->variants[k].name);
        if (orr_paper_takes_part(&paper->variants[k], experiment->name) && integrates(name))
            memcpy(plan->variant, name, sizeof name);
    }
    if (!plan->variant[0])
        return orr_fail(ORR_EUSAGE, "no variant in %s/%s integrates", paper->key, experiment->name);
    for (unsigned k = 0; k < experiment->axes_count; k++) {
        const char *values = experiment->axes[k].values;
        if (!strcmp(experiment->axes[k].name, "dataset"))
            snprintf(plan->dataset, sizeof plan->dataset, "%.*s", (int)strcspn(values, ","),
                     values);
    }
    return 0;
}

static int resolve_name(struct plan *plan, const char *word)
{
    char key[64];
    struct orr_paper *paper = NULL;
    const char *slash = strchr(word, '/');
    if (!slash)
        return orr_fail(ORR_EUSAGE, "%s is a paper; name one of its variants or experiments", word);
    snprintf(key, sizeof key, "%.*s", (int)(slash - word), word);
    int code = orr_paper_load(&paper, key);
    const struct orr_experiment *experiment = NULL;
    for (unsigned k = 0; !code && k < paper->experiments_count; k++)
        if (!strcmp(paper->experiments[k].name, slash + 1))
            experiment = &paper->experiments[k];
    if (experiment)
        code = resolve_experiment(plan, paper, experiment);
    else
        snprintf(plan->variant, sizeof plan->variant, "%s",
                 word); /* the worker reports an unknown one */
    orr_paper_free(paper);
    return code;
}

static int whole(int *out, const char *name, double value, int fallback, int least, int most)
{
    *out = isnan(value) ? fallback : (int)fmin(fmax(value, -1), 1e9);
    if (isnan(value) || (value >= least && value <= most && value == floor(value)))
        return 0;
    return orr_fail(ORR_EUSAGE, "--%s takes a whole number from %d to %d, not %g", name, least,
                    most, value);
}

static int resolve_numbers(struct plan *plan, const struct render *r)
{
    int n, seed,
        code = whole(&plan->frames, "frames", r->frames, r->animated ? FRAMES : 2, 2, MOST_FRAMES);
    if (!code)
        code = whole(&plan->steps, "steps-per-frame", r->steps, STEPS_PER_FRAME, 1, 1000000000);
    if (!code)
        code = whole(&seed, "seed", r->seed, 1, 0, 1000000000);
    if (!code)
        code = whole(&n, "n", r->n, 0, 1, 1000000000);
    plan->n = code ? 0 : (size_t)n;
    return code;
}

static int resolve_dataset(struct plan *plan, const struct render *r)
{
    if (r->dataset)
        snprintf(plan->dataset, sizeof plan->dataset, "%s", r->dataset);
    if (!plan->dataset[0])
        return orr_fail(ORR_EUSAGE,
                        "%s needs bodies: --dataset NAME; `orrery dataset list` shows them",
                        plan->variant);
    const struct orr_dataset *set = orr_dataset_find(plan->dataset);
    if (!set)
        return ORR_EUSAGE;
    plan->level = -1;
    int code = orr_dataset_level(set, &plan->level);
    if (!code && !plan->n)
        plan->n = orr_dataset_default_n(set, plan->level);
    return code ? code : orr_dataset_check(set, plan->n, plan->level);
}

static int check_settings(const struct orr_words *set)
{
    for (int k = 0; k < set->count; k++)
        if (!strncmp(set->items[k], "steps=", 6))
            return orr_fail(ORR_EUSAGE,
                            "--steps-per-frame says how many steps there are, not --set steps");
    return 0;
}

static int make_plan(struct plan *plan, const struct render *r)
{
    *plan = (struct plan){.level = -1};
    int code = check_settings(&r->set);
    if (!code)
        code = resolve_numbers(plan, r);
    if (!code)
        code = resolve_name(plan, r->what.items[0]);
    return code ? code : resolve_dataset(plan, r);
}

static int open_exchange(struct exchange *exchange)
{
    const char *temporary = getenv("TMPDIR");
    snprintf(exchange->folder, sizeof exchange->folder, "%s/orrery-XXXXXX",
             temporary && *temporary ? temporary : "/tmp");
    if (!mkdtemp(exchange->folder)) {
        int code =
            orr_fail(ORR_EIO, "cannot make the folder %s: %s", exchange->folder, strerror(errno));
        exchange->folder[0] = '\0';
        return code;
    }
    snprintf(exchange->file, sizeof exchange->file, "%s/frame", exchange->folder);
    return 0;
}

/* A worker stopped half-way may have left files there. */
static void close_exchange(struct exchange *exchange)
{
    char path[1024];
    DIR *folder = exchange->folder[0] ? opendir(exchange->folder) : NULL;
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        snprintf(path, sizeof path, "%s/%s", exchange->folder, entry->d_name);
        if (entry->d_name[0] != '.')
            unlink(path);
    }
    if (folder) {
        closedir(folder);
        rmdir(exchange->folder);
    }
}

/* A PNG shows the last frame in the view of the first. */
static void take_frame(json_t *message, void *context)
{
    struct exchange *exchange = context;
    struct render *r = exchange->render;
    struct orr_bodies bodies = {0};
    bool last = orr_json_integer(message, "frame") == exchange->frames - 1;
    if (!exchange->code)
        exchange->code = orr_snapshot_read(&bodies, exchange->file);
    if (!exchange->code)
        exchange->code = add_picture(r, &bodies, true, r->animated || last, r->what.items[0]);
    orr_bodies_release(&bodies);
    orr_channel_send(&exchange->child->channel,
                     json_pack("{s:s}", "ask", exchange->code ? "stop" : "next"));
}

static int integrate(struct render *r, const struct plan *plan, struct orr_worker_session *session,
                     enum orr_heard *heard)
{
    struct exchange exchange = {.render = r, .child = &session->child, .frames = plan->frames};
    json_t *request = NULL, *answer = NULL;
    int code = orr_worker_session_request(&request, "frames", plan->variant, r->device, &r->set);
    if (!code)
        code = orr_worker_session_begin(session, &r->device, r->device != NULL);
    if (!code)
        code = open_exchange(&exchange);
    if (code) {
        json_decref(request);
        return code;
    }
    json_object_update_new(request,
                           json_pack("{s:s, s:I, s:i, s:I, s:i, s:i, s:s}", "dataset",
                                     plan->dataset, "n", (json_int_t)plan->n, "level", plan->level,
                                     "seed", (json_int_t)(isnan(r->seed) ? 1 : r->seed), "frames",
                                     plan->frames, "steps", plan->steps, "output", exchange.file));
    *heard = orr_child_ask(&session->child, request, r->timeout_s, session->signals, take_frame,
                           &exchange, &answer);
    code = exchange.code ? exchange.code
                         : orr_worker_session_answer(session, *heard, answer, r->timeout_s);
    if (!code && *heard == ORR_HEARD_MESSAGE)
        r->integration = json_incref(answer);
    json_decref(answer);
    orr_child_shutdown(&session->child, *heard != ORR_HEARD_MESSAGE);
    close_exchange(&exchange);
    return code;
}

/* Integrates what `what` names and adds every picture. *heard tells whether a signal ended it. */
static int draw_integration(struct render *render, enum orr_heard *heard)
{
    struct orr_worker_session session = ORR_WORKER_SESSION_INIT;
    struct plan plan;
    int code = make_plan(&plan, render);
    if (!code)
        code = integrate(render, &plan, &session, heard);
    orr_worker_session_release(&session, *heard != ORR_HEARD_MESSAGE);
    return code;
}

/* --- the command --- */

static int draw(struct render *r, enum orr_heard *heard)
{
    bool integration = false;
    for (int k = 0; k < r->what.count; k++)
        integration = integration || is_integration(r->what.items[k]);
    if (integration && r->what.count > 1)
        return orr_fail(ORR_EUSAGE, "render takes snapshots, or one variant or experiment");
    int code = integration ? draw_integration(r, heard) : draw_snapshots(r);
    if (!code && *heard == ORR_HEARD_MESSAGE)
        code = orr_film_write(&r->film, r->output);
    return code;
}

static void print_integration(json_t *integration)
{
    char seconds[32];
    json_t *error = json_object_get(integration, "error");
    printf("%s on %s (%s), %s; relative error of the first and last picture against fp64 over %lld "
           "bodies: median "
           "%.1e, 99 %% below %.1e, largest %.1e\n",
           orr_json_text(integration, "variant"), orr_json_text(integration, "device"),
           orr_json_text(integration, "device_name"),
           orr_format_seconds(seconds, sizeof seconds, orr_json_number(integration, "seconds")),
           (long long)orr_json_integer(error, "targets"), orr_json_number(error, "median"),
           orr_json_number(error, "p99"), orr_json_number(error, "max"));
}

static void print_words(const struct render *r)
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
    if (r->integration)
        print_integration(r->integration);
}

static int print_json(const struct render *r)
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
        film->peak, "smear", film->smear, "course", r->integration);
    if (!all)
        return orr_fail(ORR_EMEMORY, "no memory for the summary");
    json_dumpf(all, stdout, JSON_COMPACT);
    putchar('\n');
    json_decref(all);
    return 0;
}

int orr_cli_render(int argc, char **argv)
{
    struct render r = {.size = "800x800",
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
    json_decref(r.integration);
    return status;
}
