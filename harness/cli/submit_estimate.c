/* How long the shards of a campaign will take: the time limit of its jobs. */
#include <libgen.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/submit_parts.h"
#include "error.h"
#include "machine.h"
#include "sandbox.h"
#include "text.h"

/* Of the estimate: a limit that was too low costs another wait in the queue. What is a guess is
 * given twice as much. */
static const double MARGIN = 1.5, GUESS = 3;
static const double START_S = 300;

/* --- the devices --- */

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
    if (orr_run_has_devices(probe, &o->devices)) {
        orr_machine_name(name, sizeof name, &machine, *probe->gpu ? probe->gpu : NULL);
        return orr_journal_folder(run->folder, sizeof run->folder, o->root,
                                  o->machine ? o->machine : name);
    }
    struct orr_run_known_devices known = {.wanted = &o->devices};
    code = orr_journal_each_machine(o->root, orr_run_known_devices_look, &known);
    if (!code && *known.path) {
        *probe = known.devices;
        snprintf(run->folder, sizeof run->folder, "%s", dirname(known.path));
    }
    return code || *known.path ? code
                               : orr_fail(ORR_EUNSUPPORTED,
                                          "neither this machine nor any journal below %s has "
                                          "the devices that were asked for, so nothing is "
                                          "known of their time; give --time MINUTES",
                                          o->root);
}

/* --- the time --- */

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
        double seconds = code ? 0 : orr_run_plan_seconds(&part, estimate, &guessed);
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
