/* How long the shards of a campaign will take: the time limit of its jobs. */
#include <libgen.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/submit_parts.h"
#include "error.h"
#include "json_member.h"
#include "machine.h"
#include "run/worker.h"
#include "sandbox.h"
#include "text.h"

/* Of the estimate: a limit that was too low costs another wait in the queue. What is a guess is
 * given twice as much. */
static const double MARGIN = 1.5, GUESS = 3;
static const double START_S = 300;

/* --- the devices --- */

static bool has_device(const struct orr_device_probe *probe, const char *id)
{
    for (int k = 0; k < probe->count; k++)
        if (!strcmp(probe->devices[k].id, id))
            return true;
    return false;
}

static bool has_all(const struct orr_device_probe *probe, const struct orr_words *wanted)
{
    for (int k = 0; k < wanted->count; k++)
        if (!has_device(probe, wanted->items[k]))
            return false;
    return true;
}

struct search {
    const struct orr_words *wanted;
    struct orr_device_probe *probe;
    char *folder; /* of the journal */
    size_t size;
    char newest[1024];
};

/* The run record alone is read: the rest of a journal may be long. */
static int take_devices(json_t *record, size_t line, void *context)
{
    struct search *search = context;
    (void)line;
    size_t k;
    json_t *device;
    struct orr_device_probe found = {0};
    json_array_foreach(json_object_get(record, "devices"), k, device)
    {
        if (found.count < ORR_DEVICE_MOST)
            orr_worker_device_from_json(&found.devices[found.count++], device);
    }
    if (found.count && has_all(&found, search->wanted)) {
        *search->probe = found;
        return 1;
    }
    return ORR_EINPUT;
}

static int look_into(const char *path, void *context)
{
    struct search *search = context;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char above[1024];
    if (strcmp(name, search->newest) <= 0)
        return 0;
    if (orr_journal_read(path, take_devices, search, NULL) == 1) {
        snprintf(search->newest, sizeof search->newest, "%s", name);
        snprintf(above, sizeof above, "%s", path);
        snprintf(search->folder, search->size, "%s", dirname(above));
    }
    orr_error_clear();
    return 0;
}

/* Those of this machine, else of the newest journal whose machine has them. */
static int find_devices(struct orr_run *run, struct orr_device_probe *probe)
{
    const struct orr_run_options *o = &run->options;
    struct orr_machine machine;
    char name[128];
    int code = orr_cli_probe_devices(probe, false);
    if (!code)
        code = orr_machine_describe(&machine);
    if (code)
        return code;
    if (has_all(probe, &o->devices)) {
        orr_machine_name(name, sizeof name, &machine, *probe->gpu ? probe->gpu : NULL);
        return orr_journal_folder(run->folder, sizeof run->folder, o->root,
                                  o->machine ? o->machine : name);
    }
    struct search search = {&o->devices, probe, run->folder, sizeof run->folder, ""};
    code = orr_journal_each_machine(o->root, look_into, &search);
    return code || *search.newest ? code
                                  : orr_fail(ORR_EUNSUPPORTED,
                                             "neither this machine nor any journal below %s has "
                                             "the devices that were asked for, so nothing is "
                                             "known of their time; give --time MINUTES",
                                             o->root);
}

/* --- the time --- */

static double seconds_of(const struct orr_plan *plan, const struct orr_time_estimate *estimate,
                         bool *guessed)
{
    double sum = 0, step;
    for (int round = 1; round <= plan->rounds; round++) {
        sum += orr_time_estimate_beside(estimate);
        for (size_t k = 0; k < plan->count; k++)
            sum += orr_time_estimate_cell(estimate, &plan->cells[k], round > 1);
    }
    for (size_t k = 0; k < plan->count; k++)
        *guessed |= !*plan->cells[k].extrapolate_from &&
                    !orr_time_estimate_step(&step, estimate, &plan->cells[k]);
    return sum;
}

/* The longest shard. */
static int add_up(double *out, const struct orr_submit *submit, const struct orr_plan *whole,
                  const struct orr_time_estimate *estimate)
{
    int code = 0;
    *out = 0;
    for (int k = 1; !code && k <= submit->count; k++) {
        struct orr_plan part = {.count = whole->count, .rounds = whole->rounds};
        const struct orr_shard shard = {k, submit->count};
        bool guessed = false;
        part.cells = malloc((whole->count + 1) * sizeof *part.cells);
        if (!part.cells)
            return orr_fail(ORR_EMEMORY, "no memory for %zu cells", whole->count);
        memcpy(part.cells, whole->cells, whole->count * sizeof *part.cells);
        code = orr_shard_take(&part, &shard, orr_time_estimate_unmeasured);
        double seconds = code ? 0 : seconds_of(&part, estimate, &guessed);
        *out = fmax(*out, START_S + seconds * (guessed ? GUESS : MARGIN));
        orr_plan_release(&part);
    }
    return code;
}

static int estimate(struct orr_submit *submit, struct orr_run *run)
{
    struct orr_device_probe probe;
    double seconds = 0;
    int code = orr_sandbox_open();
    if (!code)
        code = find_devices(run, &probe);
    if (!code)
        code = orr_plan_make(&run->plan, &run->request, probe.devices, probe.count);
    if (code)
        return code;
    orr_progress_learn(&run->progress, run->folder, NULL);
    submit->plan_cells = run->plan.count;
    code = add_up(&seconds, submit, &run->plan, &run->progress.estimate);
    if (!submit->minutes)
        submit->minutes = (long)ceil(seconds / 60);
    return code;
}

int orr_submit_estimate(struct orr_submit *submit)
{
    struct orr_run run = {.options = submit->run};
    double minutes = 0;
    if (submit->time && (!orr_text_number(submit->time, &minutes) || minutes < 2 || minutes > 1e6))
        return orr_fail(ORR_EUSAGE, "--time takes minutes from 2 up, not '%s'", submit->time);
    submit->minutes = (long)ceil(minutes);
    int code = orr_run_ask(&run.request, &submit->run);
    if (!code)
        code = estimate(submit, &run);
    /* With a time the devices may be unknown here: names are judged where the job runs. */
    if (code == ORR_EUNSUPPORTED && submit->minutes) {
        orr_error_clear();
        code = 0;
    }
    orr_sandbox_close();
    orr_progress_release(&run.progress);
    orr_plan_release(&run.plan);
    return code;
}
