/* SPDX-License-Identifier: MIT */
/* `orrery run` up to its first cell. */
#include <unistd.h>

#include "cli/cli.h"
#include "cli/run_parts.h"
#include "ledger/journal.h"
#include "measure/system_state.h"
#include "plugin/plugin.h"
#include "referee/cell_record.h"
#include "worker/rank_library.h"
#include "sandbox.h"
#include "version.h"

/* --- `run ceilings`: a run like those of cells, but that its rounds measure devices --- */

static const char ceilings[] = ORR_CEILINGS;
static const double KIND_TIMEOUT_S = 120;
/* A round takes about so long; only the estimate depends on it. */
static const double ROUND_S = 25, QUICK_ROUND_S = 8;

int orr_run_check_ceilings(const struct orr_run_options *o)
{
    const struct orr_words *what = &o->asked.what;
    if (!orr_names_find(ceilings, what->items, (size_t)what->count, sizeof *what->items))
        return 0;
    if (what->count > 1)
        return orr_fail(ORR_EUSAGE, "ceilings are a run of their own: orrery run %s", ceilings);
    if (orr_options_beyond(
            "device preset repeats timeout continue failed dry-run no-wait json machine "
            "output resume"))
        return orr_fail(ORR_EUSAGE,
                        "`run %s` takes --device, --preset, --repeats, --timeout, "
                        "--continue, --dry-run, --no-wait, --json, "
                        "--machine and -o",
                        ceilings);
    return 0;
}

static bool is_quick(const struct orr_run *run)
{
    return run->request.preset && !strcmp(run->request.preset, "smoke");
}

static int plan_ceilings(struct orr_run *run)
{
    const struct orr_device_probe *found = &run->session.devices;
    run->plan.rounds = run->request.repeats > 0 ? run->request.repeats : 1;
    int code = orr_plan_devices(run->ceilings.devices, &run->ceilings.count, &run->request,
                                found->devices, found->count);
    return code || run->ceilings.count ? code
                                       : orr_fail(ORR_EUNSUPPORTED, "there is no device here");
}

/* The record of the device and round, or NULL. */
static json_t *record_of(const struct orr_run *run, size_t device, int round)
{
    size_t k;
    json_t *record;
    json_array_foreach (json_object_get(run->records.access, run->ceilings.devices[device]->id), k,
                        record)
        if (orr_json_integer(record, "round") == round)
            return record;
    return NULL;
}

/* Rounds that are left. */
static int left_on(const struct orr_run *run, size_t device)
{
    int left = 0;
    for (int round = 0; round < run->plan.rounds; round++)
        left += !run->skip[(size_t)round * run->ceilings.count + device];
    return left;
}

void orr_run_print_ceilings_plan(const struct orr_run *run)
{
    char time[32];
    double seconds = 0;
    for (size_t k = 0; k < run->ceilings.count; k++) {
        const struct orr_device_info *device = run->ceilings.devices[k];
        const int left = left_on(run, k);
        seconds += left * (is_quick(run) ? QUICK_ROUND_S : ROUND_S);
        if (run->options.json)
            printf("{\"device\":\"%s\",\"rounds\":%d}\n", device->id, left);
        else
            printf("%s %s, %s, %d round%s\n", ceilings, device->id, device->name, left,
                   left == 1 ? "" : "s");
    }
    fprintf(run->options.json ? stderr : stdout, "about %s\n",
            orr_time_left_duration(time, sizeof time, seconds));
}

static void before(void *context, int round, const struct orr_device_info *device)
{
    const struct orr_run *run = context;
    fprintf(stderr, "%s of %s (%s), round %d of %d\n", ceilings, device->id, device->name, round,
            run->plan.rounds);
}

static void after(void *context, int round, json_t *record)
{
    const struct orr_run *run = context;
    size_t rates = orr_schedule_access_rates(record);
    (void)round;
    fprintf(stderr, "%zu rates, %zu with a reason in their place\n", rates,
            json_array_size(json_object_get(record, "rates")) - rates);
    if (!run->options.json)
        return;
    orr_cli_print_line(stdout, record);
    fflush(stdout);
}

int orr_run_measure_ceilings(struct orr_run *run, const struct orr_schedule *schedule,
                             struct orr_tally *out)
{
    const size_t all = run->ceilings.count * (size_t)run->plan.rounds;
    const struct orr_access_plan plan = {
        .devices = run->ceilings.devices,
        .count = run->ceilings.count,
        .skip = run->skip,
        .quick = is_quick(run),
        .timeout_s = run->request.timeout_s > 0 ? run->request.timeout_s : KIND_TIMEOUT_S,
        .before = before,
        .after = after};
    int earlier = 0;
    for (size_t k = 0; k < all; k++) {
        earlier += run->skip[k];
        if (run->skip[k] && run->options.json)
            orr_cli_print_line(stdout, record_of(run, k % plan.count, (int)(k / plan.count) + 1));
    }
    int code = orr_schedule_access(schedule, &plan, out);
    out->ok += earlier;
    return code;
}

/* --- what is run --- */

/* A fresh run: options and defaults of the preset become its request. */
static int make_request(struct orr_request *out, const struct orr_run_options *o)
{
    const struct orr_preset_policy *preset =
        orr_plan_preset_policy(o->asked.preset ? o->asked.preset : "quick");
    if (!preset)
        return orr_error_code();
    *out = o->asked;
    out->repeats = out->sampling.once ? 1 : o->repeats > 0 ? (int)o->repeats : preset->repeats;
    out->seed = o->seed > 0 ? (uint64_t)o->seed : 1;
    out->sandbox = orr_sandbox_is_asked();
    out->energy = o->energy ? 1 : o->no_energy ? -1 : 0;
    out->ranks = (int)o->ranks;
    return 0;
}

static int read_records(struct orr_run *run)
{
    int code = orr_journal_records_read(&run->records, run->path);
    orr_cli_warn_damaged(&run->records.damage);
    return code;
}

/* --resume: the request is the one in the journal. */
static int read_request(struct orr_run *run)
{
    const char *name = run->options.resume ? run->options.resume : "last";
    if (orr_journal_find(run->path, sizeof run->path, run->options.root, name) || read_records(run))
        return orr_error_failed();
    json_t *request = json_object_get(run->records.run, "request");
    if (!request)
        return orr_fail(ORR_EINPUT, "%s does not begin with a run record; start a fresh run",
                        run->path);
    if (json_object_get(request, "tuner") || json_object_get(request, "tuned"))
        return orr_fail(ORR_EUSAGE,
                        "%s is of `orrery tune` or of settings that it found, which this release "
                        "does not have; start a fresh run",
                        run->path);
    run->resumed = true;
    int code = orr_request_from_json(&run->request, request);
    if (!code && run->request.sandbox)
        orr_sandbox_ask();
    if (!code && run->options.asked.timeout_s > 0)
        run->request.timeout_s = run->options.asked.timeout_s;
    return code;
}

static int choose_folder(struct orr_run *run)
{
    const char *found = orr_json_text(json_object_get(run->session.found, "machine"), "name"),
               *chosen = run->options.machine,
               *before = orr_json_text(json_object_get(run->records.run, "machine"), "name"),
               *name = chosen  ? chosen
                       : found ? found
                               : "unknown";
    if (before && strcmp(before, name) && !chosen) {
        if (!json_object_get(run->records.run, "machine_chosen"))
            return orr_fail(ORR_EUSAGE, "%s is of the machine %s and this is %s; start a fresh run",
                            run->path, before, name);
        name = before;
    }
    snprintf(run->machine, sizeof run->machine, "%s", name);
    return orr_journal_folder(run->folder, sizeof run->folder, run->options.root, run->machine);
}

/* --- a journal is of one machine and its devices: whatever makes times another's ends it --- */

/* Writes of the first of the members that is known of both and differs what it was and is; false
 * where there is none. */
static bool differs(char *out, size_t size, const char *what, const json_t *before,
                    const json_t *now, const char *const *members)
{
    for (; *members; members++) {
        json_t *was = json_object_get(before, *members), *is = json_object_get(now, *members);
        if (!was || !is || json_equal(was, is))
            continue;
        char *old = json_dumps(was, JSON_ENCODE_ANY), *new = json_dumps(is, JSON_ENCODE_ANY);
        snprintf(out, size, "the %s of %s changed from %.120s to %.120s", *members, what, old, new);
        free(old);
        free(new);
        return true;
    }
    return false;
}

/* Names the first change of the machine or of a measured device since the journal was begun; false
 * where there is none. */
static bool find_change(char *out, size_t size, const struct orr_run *run)
{
    static const char *const of_machine[] = {"cpu", "simd", "threads", NULL};
    const json_t *before = run->records.run, *now = run->session.found, *device;
    size_t k;
    bool found = differs(out, size, "the machine", json_object_get(before, "machine"),
                         json_object_get(now, "machine"), of_machine);
    json_array_foreach (json_object_get(before, "devices"), k, device) {
        const char *id = orr_json_text(device, "id");
        bool measures = run->ceilings.count > 0;
        for (size_t c = 0; c < run->plan.count; c++)
            measures |= !strcmp(run->plan.cells[c].device, id);
        /* a device that is not here is named when its cells are planned */
        if (!found && measures)
            found = differs(out, size, id, device,
                            orr_journal_device(json_object_get(now, "devices"), id),
                            orr_cell_record_identifying);
    }
    return found;
}

/* --resume refuses to go on elsewhere; --continue begins a run of its own. */
static int check_change(struct orr_run *run)
{
    char change[384];
    if (!find_change(change, sizeof change, run))
        return 0;
    if (run->resumed)
        return orr_fail(ORR_EUSAGE, "%s cannot go on here: %s; start a fresh run", run->path,
                        change);
    fprintf(stderr, "orrery: %s is not gone on with: %s; this is a run of its own\n", run->path,
            change);
    orr_journal_records_release(&run->records);
    run->records = (struct orr_journal_records){0};
    *run->path = '\0';
    return 0;
}

/* --continue: the newest run of this machine with the same request. */
static int look_for_same(struct orr_run *run)
{
    json_auto_t *request = orr_request_to_json(&run->request);
    int code = orr_journal_matching(run->path, sizeof run->path, run->folder, request);
    return code || !*run->path ? code : read_records(run);
}

/* Was the record made by another build of its plugin? Then --continue measures again. */
static bool is_stale(json_t *record, const char *variant)
{
    const char *before = orr_json_text(record, "plugin_sha256");
    char now[65];
    if (!before)
        return false;
    bool known = orr_plugin_hash(now, variant) == 0;
    orr_error_clear();
    return known && strcmp(before, now) != 0;
}

/* A round of a cell is over when it has its record, or when one before it failed. */
static bool is_over(const struct orr_run *run, const struct orr_cell *cell, int round)
{
    for (int k = 1; k <= round; k++) {
        json_t *record = orr_journal_records_round(&run->records, cell->id, k);
        bool failed = record && !orr_journal_is_measured(record);
        bool counts = record && !(run->options.failed && failed) &&
                      !(run->options.go_on && is_stale(record, cell->variant));
        if (counts && (failed || k == round))
            return true;
    }
    return false;
}

bool orr_run_is_finished(const struct orr_run *run, size_t k)
{
    for (int round = 0; round < run->plan.rounds; round++)
        if (!run->skip[(size_t)round * run->plan.count + k])
            return false;
    return true;
}

/* Extrapolated cells are of the last round alone. */
static bool is_to_skip(const struct orr_run *run, size_t k, int round)
{
    if (run->ceilings.count) {
        const json_t *record = record_of(run, k, round);
        return record && !(run->options.failed && !orr_schedule_access_rates(record));
    }
    const struct orr_cell *cell = &run->plan.cells[k];
    return is_over(run, cell, round) || (*cell->extrapolate_from && round < run->plan.rounds);
}

static void mark_finished(struct orr_run *run)
{
    const size_t count = run->ceilings.count ? run->ceilings.count : run->plan.count,
                 all = count * (size_t)run->plan.rounds;
    run->skip = orr_memory_get(all * sizeof *run->skip);
    for (size_t k = 0; k < all; k++)
        run->skip[k] = is_to_skip(run, k % count, (int)(k / count) + 1);
}

int orr_run_prepare(struct orr_run *run)
{
    const bool resumes = run->options.resume || !run->options.asked.what.count;
    if ((resumes ? read_request(run) : make_request(&run->request, &run->options)) ||
        orr_worker_session_begin(&run->session, (const char *const *)run->request.devices.items,
                                 run->request.devices.count))
        return orr_error_failed();
    orr_worker_session_describe(&run->session);
    if (choose_folder(run) ||
        (orr_schedule_is_of_ceilings(&run->request)
             ? plan_ceilings(run)
             : orr_schedule_plan(&run->plan, &run->request, run->session.devices.devices,
                                 run->session.devices.count)) ||
        (run->options.go_on && look_for_same(run)) || (run->records.run && check_change(run)))
        return orr_error_code();
    if (!run->records.cells)
        orr_journal_records_make(&run->records);
    mark_finished(run);
    orr_progress_begin(&run->progress, stderr, run->plan.cells, run->plan.count, run->plan.rounds,
                       run->skip);
    return 0;
}

static json_t *run_record(const struct orr_run *run, bool resumes)
{
    char started[32];
    orr_cell_record_now(started);
    if (resumes)
        return json_pack("{s:s, s:s, s:{s:s, s:s}}", "record", "resume", "started", started,
                         "orrery", "version", ORR_VERSION, "commit", ORR_GIT_COMMIT);
    json_t *machine = json_deep_copy(json_object_get(run->session.found, "machine"));
    json_object_set_new(machine, "name", json_string(run->machine));
    json_t *record =
        json_pack("{s:s, s:i, s:s, s:s, s:o, s:{s:s, s:s, s:s, s:s}, s:o, s:O}", "record", "run",
                  "schema", ORR_JOURNAL_SCHEMA, "run", run->journal.run, "started", started,
                  "request", orr_request_to_json(&run->request), "orrery", "version", ORR_VERSION,
                  "commit", ORR_GIT_COMMIT, "compiler", ORR_COMPILER, "flags", ORR_BUILD_FLAGS,
                  "machine", machine, "devices", json_object_get(run->session.found, "devices"));
    if (run->options.machine)
        json_object_set_new(record, "machine_chosen", json_true());
    if (run->plan.split.cells)
        json_object_set_new(
            record, "shard",
            json_pack("{s:i, s:i, s:I, s:I, s:s}", "number", run->request.shard.number, "of",
                      run->request.shard.of, "cells", (json_int_t)run->plan.count, "plan_cells",
                      (json_int_t)run->plan.split.cells, "plan", run->plan.split.plan));
    return record;
}

int orr_run_open_journal(struct orr_run *run)
{
    char sandbox[64];
    const bool resumes = *run->path;
    int code = resumes ? orr_journal_reopen(&run->journal, run->path)
                       : orr_journal_create(&run->journal, run->folder);
    if (code)
        return code;
    if (run->journal.unlocked)
        fprintf(stderr,
                "orrery: warning: %s is not locked, for its file system has no locks; let no other "
                "run write to it\n",
                run->journal.path);
    json_auto_t *record = run_record(run, resumes);
    if (orr_sandbox_is_asked()) {
        orr_sandbox_describe(sandbox, sizeof sandbox);
        json_object_set_new(record, "sandbox", json_string(sandbox));
    }
    json_object_set_new(record, "locks", orr_device_lock_to_json(&run->locks));
    json_object_set_new(
        record, "environment",
        orr_system_state_environment("", run->session.devices.devices, run->session.devices.count));
    code = orr_journal_append(&run->journal, record);
    if (code && !resumes) /* an empty journal would hide the last good one from --resume last */
        unlink(run->journal.path);
    return code;
}

/* --- the devices are its own while it measures --- */

static void say_waiting(const char *text)
{
    fprintf(stderr, "orrery: %s\n", text);
}

/* Is it the device of one of the cell's ranks? One without a device of its own fails later. */
static bool rank_uses(const struct orr_run *run, const struct orr_cell *cell, const char *id)
{
    const struct orr_device_probe *found = &run->session.devices;
    const struct orr_rank_library *ranks = cell->ranks > 1 ? orr_rank_library() : NULL;
    char own[32];
    if (!ranks)
        orr_error_clear();
    for (int rank = 1; ranks && rank < cell->ranks; rank++) {
        if (ranks->device(own, cell->device, rank, cell->ranks, found->devices, found->count, true))
            orr_error_clear();
        else if (!strcmp(own, id))
            return true;
    }
    return !strcmp(cell->device, id);
}

/* Is something left to measure on the device? */
static bool is_used(const struct orr_run *run, const char *id)
{
    for (size_t k = 0; k < run->plan.count; k++) {
        const struct orr_cell *cell = &run->plan.cells[k];
        if (!run->skip[k] && !*cell->extrapolate_from && !cell->refused && rank_uses(run, cell, id))
            return true;
    }
    for (size_t k = 0; k < run->ceilings.count; k++)
        if (!strcmp(run->ceilings.devices[k]->id, id))
            return left_on(run, k) > 0;
    return false;
}

int orr_run_lock(struct orr_run *run)
{
    const struct orr_device_probe *found = &run->session.devices;
    char what[256] = "orrery run";
    int code = 0;
    for (int k = 0; !code && k < found->count; k++)
        if (is_used(run, found->devices[k].id))
            code = orr_device_lock_add(&run->locks, &found->devices[k]);
    for (int k = 0; k < run->request.what.count; k++) {
        const size_t used = strlen(what);
        snprintf(what + used, sizeof what - used, " %s", run->request.what.items[k]);
    }
    const struct orr_device_lock_options options = {what, run->options.no_wait,
                                                    run->session.signals, say_waiting};
    if (!code)
        code = orr_device_lock_take(&run->locks, &options);
    if (!code && *run->locks.missing)
        fprintf(stderr, "orrery: %s; ORRERY_LOCKS names another folder\n", run->locks.missing);
    return code;
}
