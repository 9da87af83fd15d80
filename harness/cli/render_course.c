/* orrery render of a variant: a worker integrates, picture by picture. */
#include "cli/render_parts.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "datasets/dataset.h"
#include "datasets/formats/format.h"
#include "error.h"
#include "names.h"
#include "plan/catalogue.h"
#include "plan/paper.h"
#include "plugin/plugin.h"

enum { FRAMES = 50, STEPS_PER_FRAME = 4, MOST_FRAMES = 100000 };

/* What is to be integrated. */
struct plan {
    char variant[128], dataset[64];
    size_t n;
    int level; /* of the boxes; -1: not made of boxes */
    int frames, steps;
};

/* The file in which the worker hands over frame after frame, in a folder of its own. */
struct exchange {
    struct orr_render *render;
    struct orr_child *child;
    char folder[512], file[640];
    int frames, code;
};

bool orr_render_is_course(const char *word)
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
                 word); /* the worker knows whether there is one */
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

static int resolve_numbers(struct plan *plan, const struct orr_render *r)
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

static int resolve_dataset(struct plan *plan, const struct orr_render *r)
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

static int make_plan(struct plan *plan, const struct orr_render *r)
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

/* With whatever a worker that was stopped in the middle left there. */
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
    struct orr_render *r = exchange->render;
    struct orr_bodies bodies = {0};
    bool last = json_integer_value(json_object_get(message, "frame")) == exchange->frames - 1;
    if (!exchange->code)
        exchange->code = orr_snapshot_read(&bodies, exchange->file);
    if (!exchange->code)
        exchange->code = orr_render_add(r, &bodies, true, r->animated || last, r->what.items[0]);
    orr_bodies_release(&bodies);
    orr_channel_send(&exchange->child->channel,
                     json_pack("{s:s}", "ask", exchange->code ? "stop" : "next"));
}

static int integrate(struct orr_render *r, const struct plan *plan,
                     struct orr_worker_session *session, enum orr_heard *heard)
{
    struct exchange exchange = {.render = r, .child = &session->child, .frames = plan->frames};
    json_t *request = NULL, *answer = NULL;
    int code = orr_worker_session_request(&request, "frames", plan->variant, r->device, &r->set);
    if (!code)
        code = orr_worker_session_begin(session);
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
        r->course = json_incref(answer);
    json_decref(answer);
    orr_child_shutdown(&session->child, *heard != ORR_HEARD_MESSAGE);
    close_exchange(&exchange);
    return code;
}

int orr_render_course(struct orr_render *render, enum orr_heard *heard)
{
    struct orr_worker_session session = ORR_WORKER_SESSION_INIT;
    struct plan plan;
    int code = make_plan(&plan, render);
    if (!code)
        code = integrate(render, &plan, &session, heard);
    orr_worker_session_release(&session, *heard != ORR_HEARD_MESSAGE);
    return code;
}
