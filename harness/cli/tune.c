/* orrery tune: the best values of a variant's knobs on a device, under verification. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/tune_parts.h"
#include "compare/compare.h"
#include "error.h"
#include "json_member.h"
#include "names.h"
#include "plan/tuned.h"
#include "sandbox.h"

enum { REPEATS = 5 };

/* --- options --- */

static int check(struct orr_tune *tune)
{
    struct orr_run_options *o = &tune->run.options;
    int code = orr_sampling_read(&o->sampling, &o->words);
    if (!code && o->what.count != 1)
        code = orr_fail(ORR_EUSAGE, "tune takes one variant, as in `orrery tune "
                                    "fujiwara/optimised`; `orrery list variants` shows them");
    if (!code && tune->json && o->dry_run)
        code = orr_fail(ORR_EUSAGE, "--json prints what was measured, and --dry-run measures "
                                    "nothing; leave out one of them");
    if (!code && tune->strategy)
        code = orr_search_read_strategy(&tune->search.strategy, tune->strategy);
    if (!code && (o->repeats < 0 || o->repeats > ORR_MAX_REPEATS || o->repeats != (int)o->repeats))
        code = orr_fail(ORR_EUSAGE, "--repeats takes a whole number from 1 to %d, not %g",
                        ORR_MAX_REPEATS, o->repeats);
    if (!code && (tune->configurations < 0 || tune->configurations > ORR_SEARCH_MOST ||
                  tune->configurations != (int)tune->configurations))
        code = orr_fail(ORR_EUSAGE, "--configurations takes a whole number from 1 to %d, not %g",
                        ORR_SEARCH_MOST, tune->configurations);
    if (!code && (o->seed < 0 || o->seed > 9e15 || o->seed != (double)(uint64_t)o->seed))
        code = orr_fail(ORR_EUSAGE, "--seed takes a whole number from 1 up, not %g", o->seed);
    if (!code && o->sandbox)
        orr_sandbox_ask();
    return code;
}

static int parse(struct orr_tune *tune, int argc, char **argv)
{
    struct orr_run_options *o = &tune->run.options;
    const struct orr_option table[] = {
        {"device", 0, ORR_OPTION_LIST, &o->devices, "D",
         "cuda:0, opencl:0.0, host; repeatable; default: the best"},
        {"experiment", 0, ORR_OPTION_TEXT, &tune->experiment, "E",
         "whose inputs and bounds; default: the one whose figure opens the report, else the first"},
        {"preset", 0, ORR_OPTION_TEXT, &o->preset, "smoke|quick|paper|beyond",
         "default quick; of its sizes the largest, of other axes the first value"},
        {"set", 0, ORR_OPTION_SETTINGS, &o->set, "AXIS=VALUES",
         "inputs and fixed settings, each of them tuned for: n=1000,100000; repeatable"},
        {"knob", 0, ORR_OPTION_SETTINGS, &tune->given, "NAME=VALUES",
         "values to try instead of those declared; repeatable"},
        {"strategy", 0, ORR_OPTION_TEXT, &tune->strategy, "auto|full|staged|random",
         "auto: full up to 64 configurations, else staged: some at random, then knob by knob"},
        {"configurations", 0, ORR_OPTION_COUNT, &tune->configurations, "N",
         "drawn at random by staged and random; default 32"},
        {"budget", 0, ORR_OPTION_SECONDS, &tune->budget_s, "S",
         "seconds behind which the search of an input begins nothing more"},
        {"repeats", 0, ORR_OPTION_COUNT, &o->repeats, "R",
         "processes that measure the default and the best anew; default 5"},
        {"timeout", 0, ORR_OPTION_SECONDS, &o->timeout_s, "S",
         "seconds that one configuration may take; default: ten times the default's and 30"},
        {"min-samples", 0, ORR_OPTION_TEXT, &o->words.min_samples, "N",
         "at least so many samples in each process"},
        {"precision", 0, ORR_OPTION_TEXT, &o->words.precision, "P",
         "sample until the median's interval is within P of it: 1% or 0.01"},
        {"time-limit", 0, ORR_OPTION_TEXT, &o->words.time_limit, "S",
         "of sampling in a process of the comparison; the search takes a quarter of it"},
        {"lock-clocks", 0, ORR_OPTION_AMOUNT, &o->words.lock_clocks, "[MHZ]",
         "hold the GPUs at their base clock, or at MHZ, meanwhile"},
        {"seed", 0, ORR_OPTION_COUNT, &o->seed, "N", "of the draws and orders"},
        {"continue", 0, ORR_OPTION_FLAG, &o->go_on, NULL,
         "go on with the last tuning of this very request, if any"},
        ORR_OPTION_SANDBOX(&o->sandbox),
        {"dry-run", 0, ORR_OPTION_FLAG, &o->dry_run, NULL,
         "show inputs, knobs and configurations, measure nothing"},
        {"no-wait", 0, ORR_OPTION_FLAG, &o->no_wait, NULL, "refuse where the device is in use"},
        {"json", 0, ORR_OPTION_FLAG, &tune->json, NULL, "one JSON object an input on stdout"},
        {"output", 'o', ORR_OPTION_TEXT, &o->root, "DIR", "results folder (results)"},
        {"machine", 0, ORR_OPTION_TEXT, &o->machine, "NAME",
         "name of this machine instead of its hardware's"},
    };
    const struct orr_options options = {
        "tune VARIANT [options]",
        "Searches the values of the knobs that a variant declares, each configuration verified\n"
        "like any cell; measures the best and the default anew; keeps the best by device in\n"
        "<results>/<machine>/tuned.json, which `orrery run --tuned` uses.",
        table, sizeof table / sizeof *table};
    o->root = "results";
    int code = orr_options_parse(&options, argc, argv, &o->what);
    if (!code)
        code = orr_cli_spell(&o->what);
    return code ? code : check(tune);
}

/* --- the request --- */

static int find_variant(struct orr_tune *tune)
{
    const char *name = tune->run.options.what.items[0], *slash = strchr(name, '/');
    char key[64];
    int code = orr_catalogue_check_variant(name);
    if (code)
        return code;
    snprintf(key, sizeof key, "%.*s", (int)(slash - name), name);
    code = orr_paper_load(&tune->paper, key);
    if (!code && !(tune->variant = orr_paper_variant(tune->paper, slash + 1)))
        code = orr_error_code();
    return code ? code : orr_plugin_inspect(&tune->inspection, name);
}

static int make_knobs(struct orr_knobs *out, const struct orr_tune *tune, const char *kind)
{
    return orr_knobs_make(out,
                          &(struct orr_knobs_wish){tune->variant, &tune->inspection.variant, kind,
                                                   tune->given.items, tune->given.count});
}

const struct orr_device_info *orr_tune_device(const struct orr_tune *tune,
                                              const struct orr_cell *cell)
{
    const struct orr_device_probe *found = &tune->run.session.devices;
    for (int k = 0; k < found->count; k++)
        if (!strcmp(found->devices[k].id, cell->device))
            return &found->devices[k];
    return NULL;
}

int orr_tune_make_knobs(struct orr_knobs *out, const struct orr_tune *tune,
                        const struct orr_cell *cell)
{
    const struct orr_device_info *device = orr_tune_device(tune, cell);
    return make_knobs(out, tune, device && device->kind == ORR_DEVICE_GPU ? "gpu" : "cpu");
}

bool orr_tune_is_knob(const struct orr_tune *tune, const char *name)
{
    for (unsigned k = 0; k < tune->variant->knobs_count; k++)
        if (!strcmp(tune->variant->knobs[k].name, name))
            return true;
    return false;
}

/* Mistakes of --knob, before anything is looked for. */
static int check_knobs(const struct orr_tune *tune)
{
    struct orr_knobs knobs;
    int code = make_knobs(&knobs, tune, NULL);
    orr_knobs_release(&knobs);
    return code;
}

/* A knob is varied, not set. */
static int check_set(const struct orr_tune *tune)
{
    for (unsigned k = 0; k < tune->variant->knobs_count; k++) {
        const char *name = tune->variant->knobs[k].name;
        if (orr_tune_sets(tune, name))
            return orr_fail(ORR_EUSAGE,
                            "--set: %s is a knob, which is varied; --knob %s=VALUE holds it there",
                            name, name);
    }
    return 0;
}

/* What a journal keeps of it beside the request of a run. */
static json_t *tuner_of(const struct orr_tune *tune)
{
    json_t *given = json_array();
    for (int k = 0; k < tune->given.count; k++)
        json_array_append_new(given, json_string(tune->given.items[k]));
    return json_pack("{s:o, s:s, s:i, s:f}", "knobs", given, "strategy",
                     orr_search_strategy_name(tune->search.strategy), "configurations",
                     (int)tune->configurations, "budget_s", tune->budget_s);
}

static int ask(struct orr_tune *tune)
{
    struct orr_run_options *o = &tune->run.options;
    const struct orr_experiment *experiment;
    char name[128];
    int code = find_variant(tune);
    if (!code)
        code = check_knobs(tune);
    if (!code)
        code = check_set(tune);
    if (!code)
        code = orr_tune_choose_experiment(&experiment, tune);
    if (code)
        return code;
    snprintf(name, sizeof name, "%s/%s", tune->paper->key, experiment->name);
    o->only.items = calloc(1, sizeof *o->only.items);
    if (!o->only.items || !(o->only.items[0] = strdup(name)) || !(o->tuner = tuner_of(tune)))
        return orr_fail(ORR_EMEMORY, "no memory for the request");
    o->only.count = 1;
    o->repeats = o->repeats > 0 ? o->repeats : REPEATS;
    tune->search.sample = (size_t)tune->configurations;
    tune->search.seed = o->seed > 0 ? (uint64_t)o->seed : 1;
    code = orr_run_prepare(&tune->run);
    return code ? code : orr_tune_choose_inputs(tune);
}

/* --- the tuning --- */

/* Progress is of the cells that are measured together. */
static int begin_batch(void *context, const char *what, const struct orr_schedule *schedule)
{
    struct orr_run *run = context;
    struct orr_progress *progress = &run->progress;
    const struct orr_time_estimate known = progress->estimate;
    progress->estimate = (struct orr_time_estimate){0};
    orr_progress_clear(progress);
    orr_progress_release(progress);
    int code = orr_progress_begin(progress, stderr, schedule->cells, schedule->count,
                                  schedule->rounds, schedule->skip);
    progress->estimate = known;
    run->plan.rounds = schedule->rounds; /* a cell is told after the last of them */
    fprintf(stderr, "orrery: %s\n", what);
    return code;
}

static void say_kept(const struct orr_tune *tune, const json_t *record, const char *path, bool kept)
{
    FILE *to = tune->json ? stderr : stdout;
    if (!kept)
        fprintf(to, "%s stays as it was: a longer search found a gain\n", path);
    else if (json_is_true(json_object_get(record, "gain")))
        fprintf(to, "kept in %s; `orrery run --tuned` uses it\n", path);
    else
        fprintf(to, "kept in %s\n", path);
}

/* Journal, file and output of one input. */
static int keep(struct orr_tune *tune, json_t *record)
{
    struct orr_run *run = &tune->run;
    char path[sizeof run->folder + 16];
    orr_tuned_path(path, sizeof path, run->folder);
    int code = orr_journal_append(&run->journal, record);
    int kept = code ? code : orr_tuned_keep(path, record, run->journal.run);
    if (kept < 0)
        return kept;
    orr_progress_clear(&run->progress);
    orr_tune_print(tune, record);
    say_kept(tune, record, path, kept);
    return 0;
}

static int tune_input(struct orr_tune *tune, const struct orr_cell *base, json_t **record)
{
    struct orr_run *run = &tune->run;
    struct orr_knobs knobs;
    const struct orr_schedule schedule = orr_run_schedule(run);
    const struct orr_tuning_calls calls = {begin_batch, run};
    struct orr_tuning_wish wish = {.base = *base,
                                   .device = orr_tune_device(tune, base),
                                   .search = tune->search,
                                   .repeats = (int)run->options.repeats,
                                   .budget_s = tune->budget_s,
                                   .margin = ORR_COMPARE_MARGIN,
                                   .own_timeout = run->options.timeout_s > 0};
    *record = NULL;
    int code = orr_tune_make_knobs(&knobs, tune, base);
    wish.search.knobs = &knobs;
    if (!code && !wish.device)
        code = orr_fail(ORR_EUNSUPPORTED, "there is no device %s", base->device);
    if (!code)
        code = orr_tuning_run(record, &wish, &schedule, &calls);
    if (!code && *record)
        code = keep(tune, *record);
    orr_knobs_release(&knobs);
    return code;
}

/* All that this journal holds. */
static void tally_all(const struct orr_run *run, struct orr_tally *tally)
{
    const char *id;
    json_t *rounds;
    json_object_foreach(run->records.cells, id, rounds)
    {
        json_t *record = orr_journal_records_cell(&run->records, id);
        if (record)
            orr_schedule_count(tally, orr_json_text(record, "outcome"));
        json_decref(record);
    }
}

static int tune_all(struct orr_tune *tune)
{
    struct orr_run *run = &tune->run;
    struct orr_tally tally = {0};
    int status = ORR_EXIT_OK;
    for (size_t k = 0; k < run->plan.count && !tally.interrupted; k++) {
        json_t *record;
        int code = tune_input(tune, &run->plan.cells[k], &record);
        tally.interrupted = !code && !record; /* by a signal */
        json_decref(record);
        if (code) {
            orr_progress_clear(&run->progress);
            int failed = orr_cli_report_error();
            status = status ? status : failed;
        }
    }
    run->busy = tally.interrupted;
    tally_all(run, &tally);
    if (orr_run_write_end(run, &tally))
        status = orr_cli_report_error();
    fprintf(tune->json ? stderr : stdout, "journal: %s\n", run->journal.path);
    if (tally.interrupted)
        fputs("interrupted; the same command with --continue goes on\n", stderr);
    return tally.interrupted ? ORR_EXIT_INTERRUPTED : status;
}

static int tune_or_show(struct orr_tune *tune)
{
    struct orr_run *run = &tune->run;
    if (ask(tune))
        return orr_cli_report_error();
    if (*orr_options_defaults())
        fprintf(stderr, "orrery: defaults here: %s\n", orr_options_defaults());
    for (char **note = run->plan.notes; note && *note; note++)
        fprintf(stderr, "orrery: %s\n", *note);
    if (run->options.dry_run)
        return orr_tune_print_plan(tune) ? orr_cli_report_error() : ORR_EXIT_OK;
    orr_progress_learn(&run->progress, run->folder);
    if (orr_run_lock(run) || orr_run_lock_clocks(run) || orr_run_open_journal(run))
        return orr_cli_report_error();
    return tune_all(tune);
}

int orr_cli_tune(int argc, char **argv)
{
    struct orr_tune tune = {.run = {.journal.fd = -1, .session = ORR_WORKER_SESSION_INIT}};
    int code = parse(&tune, argc, argv);
    int status = code ? orr_cli_status(code) : tune_or_show(&tune);
    orr_inspect_release(&tune.inspection);
    orr_paper_free(tune.paper);
    orr_options_release_words(&tune.given);
    orr_run_release(&tune.run);
    return status;
}
