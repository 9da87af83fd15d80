/* SPDX-License-Identifier: MIT */
/* orrery run: its options, what it goes on with, the run itself, and what is printed of it. */
#include <inttypes.h>
#include <unistd.h>

#include "cli/cli.h"
#include "clock.h"
#include "ledger/journal.h"
#include "machine.h"
#include "measure/counters.h"
#include "measure/device_lock.h"
#include "measure/system_state.h"
#include "plan/plan.h"
#include "plugin/plugin.h"
#include "referee/cell_record.h"
#include "run/progress.h"
#include "run/schedule.h"
#include "worker/rank_library.h"
#include "worker/worker.h"
#include "ranks/ranks.h"
#include "sandbox.h"
#include "version.h"

struct run_options {
    struct orr_request asked; /* what a fresh run asks for, as far as it needs no conversion */
    const char *resume, *root, *machine, *shard, *campaign;
    double seed, repeats, ranks;
    bool go_on, failed, dry_run, json, sandbox, energy, no_energy, no_wait;
};

struct run {
    struct run_options options;
    struct orr_worker_session session;
    struct orr_request request; /* that of the options, or owns its strings when `resumed` */
    bool resumed;
    char folder[1024], path[1024]; /* path: of the journal to go on with, "" for a fresh one */
    struct orr_plan plan;          /* of ceilings only its rounds */
    struct {
        const struct orr_device_info *devices[ORR_DEVICE_MOST];
        size_t count; /* 0: the run is of cells */
    } ceilings;
    struct orr_journal_records records;
    bool *skip; /* as in run/schedule.h */
    struct orr_journal journal;
    struct orr_progress progress;
    struct orr_device_locks locks;
    size_t ended, wanted; /* measurements of this session, rounds of cells */
    bool busy;            /* the worker is in a cell */
    json_t *found;        /* `devices` and `machine`, as the journal has them */
};

/* --- options --- */

static bool resumes(const struct run_options *o)
{
    return o->resume || (o->failed && !o->asked.what.count);
}

static int check_shard(struct run_options *o)
{
    if (o->shard && orr_plan_shard_read(&o->asked.shard, o->shard))
        return ORR_EUSAGE;
    if (o->campaign &&
        (!o->shard || !*o->campaign || strlen(o->campaign) >= sizeof o->asked.shard.campaign))
        return orr_fail(ORR_EUSAGE, "--campaign goes with --shard and takes 1 to %zu bytes",
                        sizeof o->asked.shard.campaign - 1);
    strcpy(o->asked.shard.campaign, o->campaign ? o->campaign : "");
    return 0;
}

static const char ceilings[] = ORR_CEILINGS;

static int check_ceilings(const struct run_options *o)
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

static int check_most(const char *option, double value, int most)
{
    return value <= most ? 0
                         : orr_fail(ORR_EUSAGE, "--%s takes a whole number from 1 to %d, not %g",
                                    option, most, value);
}

/* A run that is resumed brings the rest of its options from its journal. */
static int check_options(struct run_options *o)
{
    const struct orr_sampling *sampling = &o->asked.sampling;
    if (sampling->once && sampling->min_samples + sampling->precision + sampling->time_limit_s > 0)
        return orr_fail(ORR_EUSAGE, "--once takes no samples; leave out --min-samples, "
                                    "--precision and --time-limit");
    if (!resumes(o) && !o->asked.what.count)
        return orr_fail(ORR_EUSAGE, "run what? Name papers, experiments (paper/table2) or variants "
                                    "(paper/variant); `orrery list` shows them; or ceilings");
    if (resumes(o) &&
        (o->asked.what.count ||
         orr_options_beyond("resume failed json dry-run no-wait timeout machine output")))
        return orr_fail(
            ORR_EUSAGE,
            "--resume takes everything from the run that it goes on with; only --failed, --json, "
            "--dry-run, --no-wait, --timeout, --machine and -o go with it");
    if (check_shard(o) || check_ceilings(o))
        return ORR_EUSAGE;
    if (o->energy && o->no_energy)
        return orr_fail(ORR_EUSAGE, "--energy and --no-energy exclude each other");
    if (o->asked.counters && orr_counters_check(o->asked.counters))
        return ORR_EUSAGE;
    if (o->sandbox)
        orr_sandbox_ask();
    if (o->failed && !resumes(o) && !o->go_on)
        return orr_fail(ORR_EUSAGE,
                        "--failed goes with --resume or --continue, or alone for the last run");
    if (check_most("repeats", o->repeats, ORR_MAX_REPEATS) ||
        check_most("ranks", o->ranks, ORR_MAX_RANKS) ||
        check_most("min-samples", sampling->min_samples, ORR_MAX_SAMPLES))
        return ORR_EUSAGE;
    if (o->ranks > 1 && o->sandbox)
        return orr_fail(ORR_EUSAGE, "--ranks and --sandbox exclude each other: MPI opens files and "
                                    "sockets that the sandbox forbids");
    return o->ranks > 1 ? orr_rank_library_check() : 0;
}

/* The command line, from its name on; returns what orr_options_parse does. Release the options
 * whatever is returned. */
static int parse_options(struct run_options *o, int argc, char **argv)
{
    const struct orr_option options[] = {{"device", &o->asked.devices},
                                         {"preset", &o->asked.preset},
                                         {"set", &o->asked.set},
                                         {"program", &o->asked.programs},
                                         {"only", &o->asked.globs.only},
                                         {"exclude", &o->asked.globs.exclude},
                                         {"timeout", &o->asked.timeout_s},
                                         {"repeats", &o->repeats},
                                         {"seed", &o->seed},
                                         {"resume", &o->resume},
                                         {"shard", &o->shard},
                                         {"campaign", &o->campaign},
                                         {"continue", &o->go_on},
                                         {"failed", &o->failed},
                                         {"energy", &o->energy},
                                         {"no-energy", &o->no_energy},
                                         {"counters", &o->asked.counters},
                                         {"min-samples", &o->asked.sampling.min_samples},
                                         {"precision", &o->asked.sampling.precision},
                                         {"time-limit", &o->asked.sampling.time_limit_s},
                                         {"once", &o->asked.sampling.once},
                                         {"ranks", &o->ranks},
                                         {"oversubscribe", &o->asked.oversubscribe},
                                         {"sandbox", &o->sandbox},
                                         {"dry-run", &o->dry_run},
                                         {"no-wait", &o->no_wait},
                                         {"json", &o->json},
                                         {"output", &o->root},
                                         {"machine", &o->machine}};
    int code = orr_options_parse("run", ORR_OPTIONS(options), argc, argv, &o->asked.what);
    if (!code)
        code = orr_cli_claims_expand(&o->asked.what);
    return code ? code : check_options(o);
}

/* --- `run ceilings`: a run like those of cells, but that its rounds measure devices --- */

static const double KIND_TIMEOUT_S = 120;
/* A round takes about so long; only the estimate depends on it. */
static const double ROUND_S = 25, QUICK_ROUND_S = 8;

static bool is_quick(const struct run *run)
{
    return run->request.preset && !strcmp(run->request.preset, "smoke");
}

static int plan_ceilings(struct run *run)
{
    const struct orr_device_probe *found = &run->session.devices;
    run->plan.rounds = run->request.repeats > 0 ? run->request.repeats : 1;
    int code = orr_plan_devices(run->ceilings.devices, &run->ceilings.count, &run->request,
                                found->devices, found->count);
    return code || run->ceilings.count ? code
                                       : orr_fail(ORR_EUNSUPPORTED, "there is no device here");
}

/* The record of the device and round, or NULL. */
static json_t *record_of(const struct run *run, size_t device, int round)
{
    size_t k;
    json_t *record;
    json_array_foreach (json_object_get(run->records.access, run->ceilings.devices[device]->id), k,
                        record)
        if (orr_json_integer(record, "round") == round)
            return record;
    return NULL;
}

/* Rounds of a cell or a device that are neither measured nor over before. */
static int rounds_left(const struct run *run, size_t k)
{
    const size_t count = run->ceilings.count ? run->ceilings.count : run->plan.count;
    int left = 0;
    for (int round = 0; round < run->plan.rounds; round++)
        left += !run->skip[(size_t)round * count + k];
    return left;
}

static void print_ceilings_plan(const struct run *run)
{
    char time[32];
    double seconds = 0;
    for (size_t k = 0; k < run->ceilings.count; k++) {
        const struct orr_device_info *device = run->ceilings.devices[k];
        const int left = rounds_left(run, k);
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
    const struct run *run = context;
    fprintf(stderr, "%s of %s (%s), round %d of %d\n", ceilings, device->id, device->name, round,
            run->plan.rounds);
}

static void after(void *context, int round, json_t *record)
{
    const struct run *run = context;
    size_t rates = orr_schedule_access_rates(record);
    (void)round;
    fprintf(stderr, "%zu rates, %zu with a reason in their place\n", rates,
            json_array_size(json_object_get(record, "rates")) - rates);
    if (!run->options.json)
        return;
    orr_cli_print_line(stdout, record);
    fflush(stdout);
}

static int measure_ceilings(struct run *run, const struct orr_schedule *schedule,
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
static int make_request(struct orr_request *out, const struct run_options *o)
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

static int read_records(struct run *run)
{
    int code = orr_journal_records_read(&run->records, run->path);
    orr_cli_warn_damaged(&run->records.damage);
    return code;
}

/* --resume: the request is the one in the journal. */
static int read_request(struct run *run)
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

/* The machine and its devices as the journal has them. */
static void describe_machine(struct run *run)
{
    const struct orr_device_probe *found = &run->session.devices;
    struct orr_machine machine;
    json_t *devices = json_array();
    orr_machine_describe(&machine);
    for (int k = 0; k < found->count; k++) {
        json_t *device = orr_worker_device_to_json(&found->devices[k]);
        char identity[17];
        orr_cell_record_identity(identity, device);
        json_object_set_new(device, "identity", json_string(identity));
        json_array_append_new(devices, device);
    }
    run->found = json_pack("{s:o, s:o}", "devices", devices, "machine",
                           orr_machine_to_json(&machine, *found->gpu ? found->gpu : NULL));
}

static int choose_folder(struct run *run)
{
    const char *found = orr_json_text(json_object_get(run->found, "machine"), "name"),
               *chosen = run->options.machine,
               *before = orr_json_text(json_object_get(run->records.run, "machine"), "name"),
               *name = chosen ? chosen : found;
    if (before && strcmp(before, name) && !chosen) {
        if (!json_object_get(run->records.run, "machine_chosen"))
            return orr_fail(ORR_EUSAGE, "%s is of the machine %s and this is %s; start a fresh run",
                            run->path, before, name);
        name = before;
    }
    if (name != found)
        json_object_set_new(json_object_get(run->found, "machine"), "name", json_string(name));
    if (!*name || *name == '.' || strchr(name, '/'))
        return orr_fail(ORR_EUSAGE, "'%s' is no name for a machine: no slash, and no dot in front",
                        name);
    if ((size_t)snprintf(run->folder, sizeof run->folder, "%s/%s", run->options.root, name) >=
        sizeof run->folder)
        return orr_fail(ORR_EUSAGE, "path too long: %s", run->options.root);
    return 0;
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
static bool find_change(char *out, size_t size, const struct run *run)
{
    static const char *const of_machine[] = {"cpu", "simd", "threads", NULL};
    const json_t *before = run->records.run, *now = run->found, *device;
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
static int check_change(struct run *run)
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
static int look_for_same(struct run *run)
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
static bool is_over(const struct run *run, const struct orr_cell *cell, int round)
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

/* Extrapolated cells are of the last round alone. */
static bool is_to_skip(const struct run *run, size_t k, int round)
{
    if (run->ceilings.count) {
        const json_t *record = record_of(run, k, round);
        return record && !(run->options.failed && !orr_schedule_access_rates(record));
    }
    const struct orr_cell *cell = &run->plan.cells[k];
    return is_over(run, cell, round) || (*cell->extrapolate_from && round < run->plan.rounds);
}

static void mark_finished(struct run *run)
{
    const size_t count = run->ceilings.count ? run->ceilings.count : run->plan.count,
                 all = count * (size_t)run->plan.rounds;
    run->skip = orr_memory_get(all * sizeof *run->skip);
    for (size_t k = 0; k < all; k++)
        run->skip[k] = is_to_skip(run, k % count, (int)(k / count) + 1);
}

/* Seconds of a first round as far as nothing was measured: alike on every machine. */
static double unmeasured_s(const struct orr_cell *cell)
{
    return orr_time_estimate_cell(&(struct orr_time_estimate){0}, cell, false).seconds;
}

/* The cells that are asked for, or those of the shard. */
static int plan_cells(struct run *run)
{
    const struct orr_device_probe *found = &run->session.devices;
    int code = orr_plan_make(&run->plan, &run->request, found->devices, found->count);
    return code || !run->request.shard.of
               ? code
               : orr_plan_shard_take(&run->plan, &run->request.shard, unmeasured_s);
}

static int prepare(struct run *run)
{
    const struct orr_words *what = &run->request.what;
    if ((resumes(&run->options) ? read_request(run) : make_request(&run->request, &run->options)) ||
        orr_worker_session_begin(&run->session, (const char *const *)run->request.devices.items,
                                 run->request.devices.count))
        return orr_error_failed();
    describe_machine(run);
    if (choose_folder(run) ||
        (what->count == 1 && !strcmp(*what->items, ceilings) ? plan_ceilings : plan_cells)(run) ||
        (run->options.go_on && look_for_same(run)) || (run->records.run && check_change(run)))
        return orr_error_code();
    if (!run->records.cells)
        orr_journal_records_make(&run->records);
    mark_finished(run);
    orr_progress_begin(&run->progress, stderr, run->plan.cells, run->plan.count, run->plan.rounds,
                       run->skip, run->folder);
    return 0;
}

static json_t *run_record(const struct run *run, bool resumes)
{
    char started[32];
    orr_cell_record_now(started);
    if (resumes)
        return json_pack("{s:s, s:s, s:{s:s, s:s}}", "record", "resume", "started", started,
                         "orrery", "version", ORR_VERSION, "commit", ORR_GIT_COMMIT);
    json_t *record = json_pack(
        "{s:s, s:i, s:s, s:s, s:o, s:{s:s, s:s, s:s, s:s}, s:O, s:O}", "record", "run", "schema",
        ORR_JOURNAL_SCHEMA, "run", run->journal.run, "started", started, "request",
        orr_request_to_json(&run->request), "orrery", "version", ORR_VERSION, "commit",
        ORR_GIT_COMMIT, "compiler", ORR_COMPILER, "flags", ORR_BUILD_FLAGS, "machine",
        json_object_get(run->found, "machine"), "devices", json_object_get(run->found, "devices"));
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

static int open_journal(struct run *run)
{
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
    if (orr_sandbox_is_asked())
        json_object_set_new(record, "sandbox", orr_sandbox_to_json());
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
static bool rank_uses(const struct run *run, const struct orr_cell *cell, const char *id)
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
static bool is_used(const struct run *run, const char *id)
{
    for (size_t k = 0; k < run->plan.count; k++) {
        const struct orr_cell *cell = &run->plan.cells[k];
        if (!run->skip[k] && !*cell->extrapolate_from && !cell->refused && rank_uses(run, cell, id))
            return true;
    }
    for (size_t k = 0; k < run->ceilings.count; k++)
        if (!strcmp(run->ceilings.devices[k]->id, id))
            return rounds_left(run, k) > 0;
    return false;
}

static int lock_devices(struct run *run)
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

/* --- what is printed beside its progress --- */

/* Shows per_box among the parameters, although it belongs to the data set. Takes the reference. */
static void show_per_box(json_t *object, const char *member, json_t *per_box)
{
    json_t *shown = per_box && !json_is_null(per_box) ? json_object_get(object, member) : NULL;
    if (shown) {
        shown = json_copy(shown);
        json_object_set(shown, "per_box", per_box);
        json_object_set_new(object, member, shown);
    }
    json_decref(per_box);
}

static void print_planned(const struct orr_cell *cell)
{
    json_auto_t *object = orr_cell_to_json(cell);
    const uint64_t per_box = orr_cell_per_box(cell);
    show_per_box(object, "settings", per_box ? json_sprintf("%" PRIu64, per_box) : NULL);
    orr_cli_print_line(stdout, object);
}

static void print_plan(struct run *run)
{
    size_t left = 0;
    for (size_t k = 0; k < run->plan.count; k++) {
        const struct orr_cell *cell = &run->plan.cells[k];
        char label[512];
        if (!rounds_left(run, k))
            continue;
        left++;
        if (run->options.json)
            print_planned(cell);
        else
            printf("%s %s%s\n", cell->experiment, orr_cell_label(label, sizeof label, cell),
                   *cell->extrapolate_from ? " (extrapolated)" : "");
    }
    char time[80];
    double spread, seconds = orr_progress_left(&spread, &run->progress);
    size_t guessed = orr_progress_guessed(&run->progress);
    FILE *to = run->options.json ? stderr : stdout;
    fprintf(to, "%zu cells to run", left);
    if (run->plan.rounds > 1)
        fprintf(to, " in %d rounds", run->plan.rounds);
    orr_time_left_text(time, sizeof time, seconds, spread);
    if (!*time)
        orr_time_left_duration(time, sizeof time, seconds);
    fprintf(to, ", %zu finished; about %s", run->plan.count - left, time);
    if (guessed)
        fprintf(to, " (a guess: %zu of them are of a kind or size not measured here yet)", guessed);
    fputc('\n', to);
}

/* The record under the documented names of `run --json`. A cell that is not ok has no times, and
 * one that is wrong on purpose none outside of the audit. */
static void print_cell(json_t *record)
{
    char members[] =
        "id experiment variant device dataset parameters outcome reason seconds interval processes "
        "spread p5 p95 two_peaks halving mode single_seconds kernel_seconds kernel_clock "
        "end_to_end_seconds stop interactions_per_second bodies_per_second trajectory figures "
        "beside extrapolated_from ranks transport exchange_seconds skew wall_s";
    static const char always[] = "seconds interval interactions_per_second",
                      times[] = "seconds interval interactions_per_second p5 p95 single_seconds "
                                "kernel_seconds end_to_end_seconds bodies_per_second "
                                "exchange_seconds skew";
    const json_t *error = json_object_get(record, "error");
    const bool ok = orr_journal_is_ok(record);
    json_auto_t *object = json_pack("{s:s}", "schema", "orrery/run/1");
    for (char *rest = members, *name; (name = strsep(&rest, " "));) {
        json_t *value = ok || !orr_text_lists(times, name) ? json_object_get(record, name) : NULL;
        if (value || orr_text_lists(always, name))
            json_object_set_new(object, name, value ? json_incref(value) : json_null());
    }
    show_per_box(object, "parameters",
                 json_incref(json_object_get(json_object_get(record, "dataset"), "per_box")));
    json_object_update_new(
        object,
        json_pack("{s:I, s:O?, s:O?, s:O?}", "samples",
                  (json_int_t)json_array_size(orr_json_follow(record, "samples/step_s")),
                  "error_median", json_object_get(error, "median"), "error_p99",
                  json_object_get(error, "p99"), "error_max", json_object_get(error, "max")));
    orr_cli_print_line(stdout, object);
    fflush(stdout);
}

static const char *ending(size_t count)
{
    return count == 1 ? "" : "s";
}

static void print_end(const struct run *run, const struct orr_tally *tally, double wall_s)
{
    FILE *to = run->options.json ? stderr : stdout;
    char time[32];
    const size_t rounds = (size_t)run->plan.rounds;
    if (run->ceilings.count)
        fprintf(to, "%zu device%s, %zu round%s: %d measured, %d failed", run->ceilings.count,
                ending(run->ceilings.count), rounds, ending(rounds), tally->ok, tally->failed);
    else
        fprintf(to, "%zu cell%s: %d ok, %d wrong, %d failed, %d unsupported", run->plan.count,
                ending(run->plan.count), tally->ok, tally->wrong, tally->failed,
                tally->unsupported);
    if (tally->suspect)
        fprintf(to, ", %d suspect", tally->suspect);
    if (tally->wrong_on_purpose)
        fprintf(to, ", %d wrong on purpose", tally->wrong_on_purpose);
    if (tally->left && rounds > 1)
        fprintf(to, ", %d of %zu measurements not made", tally->left, run->plan.count * rounds);
    else if (tally->left)
        fprintf(to, ", %d not run", tally->left);
    fprintf(to, "; %s\njournal: %s\n", orr_time_left_duration(time, sizeof time, wall_s),
            run->journal.path);
    const bool elsewhere = strcmp(run->options.root, "results") != 0;
    if (tally->left || tally->failed)
        fprintf(stderr, "%s: orrery run --resume %s%s%s%s\n",
                !tally->left         ? "run the failed cells again with"
                : tally->interrupted ? "interrupted; go on with"
                                     : "stopped; go on with",
                run->journal.run, tally->left ? "" : " --failed", elsewhere ? " -o " : "",
                elsewhere ? run->options.root : "");
}

/* --- the run --- */

static void before_cell(void *context, int round, size_t place, const struct orr_cell *cell)
{
    struct run *run = context;
    orr_progress_before(&run->progress, round, place, cell);
}

/* A cell is told once: after its last round, or when it failed. */
static void after_cell(void *context, int round, size_t place, const struct orr_cell *cell,
                       json_t *record)
{
    struct run *run = context;
    const bool last = round == run->plan.rounds || !orr_journal_is_measured(record);
    json_auto_t *whole = last ? orr_cell_rounds_whole(&run->records, cell->id) : NULL;
    orr_device_lock_tell(&run->locks, ++run->ended, run->wanted);
    orr_progress_after(&run->progress, round, place, cell, record, whole);
    if (whole && run->options.json)
        print_cell(whole);
}

static void remark(void *context, const char *text)
{
    struct run *run = context;
    orr_progress_clear(&run->progress);
    char tamed[1024];
    snprintf(tamed, sizeof tamed, "%s", text);
    fprintf(stderr, "orrery: %s\n", orr_text_tame(tamed));
}

static int write_end(struct run *run, const struct orr_tally *tally)
{
    char finished[32];
    orr_cell_record_now(finished);
    json_auto_t *record =
        json_pack("{s:s, s:s, s:i, s:i, s:i, s:i, s:b, s:o*, s:o*}", "record", "end", "finished",
                  finished, "ok", tally->ok, "wrong", tally->wrong, "failed", tally->failed,
                  "unsupported", tally->unsupported, "interrupted", tally->interrupted, "suspect",
                  tally->suspect ? json_integer(tally->suspect) : NULL, "wrong_on_purpose",
                  tally->wrong_on_purpose ? json_integer(tally->wrong_on_purpose) : NULL);
    return orr_journal_append(&run->journal, record);
}

static int exit_of(const struct orr_tally *tally)
{
    if (tally->interrupted)
        return ORR_EXIT_INTERRUPTED;
    if (tally->wrong || tally->suspect)
        return ORR_EXIT_WRONG;
    if (tally->failed)
        return ORR_EXIT_SOME_FAILED;
    return !tally->ok && !tally->wrong_on_purpose && tally->unsupported ? ORR_EXIT_DEVICE
                                                                        : ORR_EXIT_OK;
}

static int execute(struct run *run)
{
    double start = orr_clock_now();
    struct orr_tally tally;
    const struct orr_schedule schedule = {.program = ORR_CHILD_PROGRAM,
                                          .child = &run->session.child,
                                          .cells = run->plan.cells,
                                          .count = run->plan.count,
                                          .rounds = run->plan.rounds,
                                          .skip = run->skip,
                                          .journal = &run->journal,
                                          .devices = json_object_get(run->found, "devices"),
                                          .records = &run->records,
                                          .seed = run->request.seed ? run->request.seed : 1,
                                          .signals = run->session.signals,
                                          .child_mask = &run->session.child_mask,
                                          .before = before_cell,
                                          .after = after_cell,
                                          .remark = remark,
                                          .context = run};
    for (size_t k = 0; k < run->plan.count; k++) {
        const int left = rounds_left(run, k);
        json_auto_t *earlier = run->options.json && !left
                                   ? orr_cell_rounds_whole(&run->records, run->plan.cells[k].id)
                                   : NULL;
        run->wanted += (size_t)left;
        if (earlier)
            print_cell(earlier);
    }
    int code = run->ceilings.count ? measure_ceilings(run, &schedule, &tally)
                                   : orr_schedule_run(&schedule, &tally);
    run->busy = tally.interrupted;
    if (!code)
        code = write_end(run, &tally);
    orr_progress_clear(&run->progress);
    print_end(run, &tally, orr_clock_now() - start);
    if (!code)
        return exit_of(&tally);
    /* The journal could not be written, or no worker started: not a usage error. */
    orr_cli_report_error();
    return ORR_EXIT_SOME_FAILED;
}

static int run_or_show(struct run *run)
{
    if (prepare(run))
        return orr_error_failed();
    for (char **note = run->plan.notes; note && *note; note++)
        fprintf(stderr, "orrery: %s\n", *note);
    if (run->options.dry_run) {
        if (run->ceilings.count)
            print_ceilings_plan(run);
        else
            print_plan(run);
        return ORR_EXIT_OK;
    }
    if (lock_devices(run) || open_journal(run))
        return orr_error_failed();
    return execute(run);
}

static void release_run(struct run *run)
{
    orr_worker_session_release(&run->session, run->busy);
    orr_device_lock_release(&run->locks);
    orr_journal_close(&run->journal);
    orr_progress_release(&run->progress);
    orr_plan_release(&run->plan);
    orr_journal_records_release(&run->records);
    if (run->resumed)
        orr_request_release(&run->request);
    json_decref(run->found);
    free(run->skip);
}

int orr_cli_run(int argc, char **argv)
{
    return orr_cli_run_journal(argc, argv, NULL, 0);
}

int orr_cli_run_journal(int argc, char **argv, char *journal, size_t size)
{
    struct run run = {
        .journal.fd = -1, .session = ORR_WORKER_SESSION_INIT, .options.root = "results"};
    int code = parse_options(&run.options, argc, argv);
    if (!code)
        code = run_or_show(&run);
    snprintf(journal, size, "%s", run.journal.path);
    release_run(&run);
    return code;
}
