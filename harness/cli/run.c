/* SPDX-License-Identifier: MIT */
/* orrery run: its options, the run itself, and what is printed of it. */
#include <inttypes.h>

#include "cli/cli.h"
#include "cli/run_parts.h"
#include "clock.h"
#include "measure/counters.h"
#include "plan/paper.h"
#include "referee/cell_record.h"
#include "worker/rank_library.h"
#include "ranks/ranks.h"
#include "sandbox.h"

/* --- options --- */

static int need_what(void)
{
    char **papers, list[256] = "";
    if (orr_paper_keys(&papers))
        return orr_error_code();
    json_auto_t *keys = orr_json_list(papers, orr_names_count(papers));
    orr_cli_table_value(list, sizeof list, keys);
    orr_names_free(papers);
    return orr_fail(
        ORR_EUSAGE,
        "run what? Name papers (%s), experiments (paper/table2) or variants (paper/variant); "
        "`orrery list` shows them; or ceilings",
        *list ? list : "none found");
}

static bool resumes(const struct orr_run_options *o)
{
    return o->resume || (o->failed && !o->asked.what.count);
}

static int check_shard(struct orr_run_options *o)
{
    char *to = o->asked.shard.campaign;
    if (o->shard && orr_plan_shard_read(&o->asked.shard, o->shard))
        return ORR_EUSAGE;
    if (o->campaign &&
        (!o->shard || !*o->campaign || strlen(o->campaign) >= sizeof o->asked.shard.campaign))
        return orr_fail(ORR_EUSAGE, "--campaign goes with --shard and takes 1 to %zu bytes",
                        sizeof o->asked.shard.campaign - 1);
    strcpy(to, o->campaign ? o->campaign : "");
    return 0;
}

static int check_most(const char *option, double value, int most)
{
    return value <= most ? 0
                         : orr_fail(ORR_EUSAGE, "--%s takes a whole number from 1 to %d, not %g",
                                    option, most, value);
}

/* A run that is resumed brings the rest of its options from its journal. */
static int check_options(struct orr_run_options *o)
{
    const struct orr_sampling *sampling = &o->asked.sampling;
    if (sampling->once && sampling->min_samples + sampling->precision + sampling->time_limit_s > 0)
        return orr_fail(ORR_EUSAGE, "--once takes no samples; leave out --min-samples, "
                                    "--precision and --time-limit");
    if (!resumes(o) && !o->asked.what.count)
        return need_what();
    if (resumes(o) &&
        (o->asked.what.count ||
         orr_options_beyond("resume failed json dry-run no-wait timeout machine output")))
        return orr_fail(
            ORR_EUSAGE,
            "--resume takes everything from the run that it goes on with; only --failed, --json, "
            "--dry-run, --no-wait, --timeout, --machine and -o go with it");
    if (check_shard(o) || orr_run_check_ceilings(o))
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
static int parse_options(struct orr_run_options *o, int argc, char **argv)
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

static void print_plan(struct orr_run *run)
{
    size_t left = 0;
    for (size_t k = 0; k < run->plan.count; k++) {
        const struct orr_cell *cell = &run->plan.cells[k];
        char label[512];
        if (orr_run_is_finished(run, k))
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
    static const char *const same[] = {"id",
                                       "experiment",
                                       "variant",
                                       "device",
                                       "dataset",
                                       "parameters",
                                       "outcome",
                                       "reason",
                                       "seconds",
                                       "interval",
                                       "processes",
                                       "spread",
                                       "p5",
                                       "p95",
                                       "two_peaks",
                                       "halving",
                                       "mode",
                                       "single_seconds",
                                       "kernel_seconds",
                                       "kernel_clock",
                                       "end_to_end_seconds",
                                       "stop",
                                       "interactions_per_second",
                                       "bodies_per_second",
                                       "trajectory",
                                       "figures",
                                       "beside",
                                       "extrapolated_from",
                                       "ranks",
                                       "transport",
                                       "exchange_seconds",
                                       "skew",
                                       "wall_s"};
    static const char times[] = "p5 p95 single_seconds kernel_seconds end_to_end_seconds "
                                "bodies_per_second exchange_seconds skew";
    static const char *const always[] = {"seconds", "interval", "interactions_per_second"},
                             *const errors[] = {"median", "p99", "max"};
    const bool ok = orr_journal_is_ok(record);
    json_auto_t *object = json_pack("{s:s}", "schema", "orrery/run/1");
    for (size_t k = 0; k < sizeof same / sizeof *same; k++)
        if (ok || !orr_names_hold(times, same[k]))
            json_object_set(object, same[k], json_object_get(record, same[k]));
    show_per_box(object, "parameters",
                 json_incref(json_object_get(json_object_get(record, "dataset"), "per_box")));
    for (size_t k = 0; k < sizeof always / sizeof *always; k++)
        if (!ok || !json_object_get(object, always[k]))
            json_object_set_new(object, always[k], json_null());
    json_object_set_new(
        object, "samples",
        json_integer((json_int_t)json_array_size(orr_json_follow(record, "samples/step_s"))));
    for (size_t k = 0; k < sizeof errors / sizeof *errors; k++) {
        char name[32];
        json_t *value = json_object_get(json_object_get(record, "error"), errors[k]);
        snprintf(name, sizeof name, "error_%s", errors[k]);
        json_object_set_new(object, name, value ? json_incref(value) : json_null());
    }
    orr_cli_print_line(stdout, object);
    fflush(stdout);
}

static const char *ending(size_t count)
{
    return count == 1 ? "" : "s";
}

static void print_end(const struct orr_run *run, const struct orr_tally *tally, double wall_s)
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
    struct orr_run *run = context;
    orr_progress_before(&run->progress, round, place, cell);
}

/* A cell is told once: after its last round, or when it failed. */
static void after_cell(void *context, int round, size_t place, const struct orr_cell *cell,
                       json_t *record)
{
    struct orr_run *run = context;
    const bool last = round == run->plan.rounds || !orr_journal_is_measured(record);
    json_auto_t *whole = last ? orr_journal_records_cell(&run->records, cell->id) : NULL;
    orr_progress_after(&run->progress, round, cell, record);
    orr_device_lock_tell(&run->locks, ++run->ended, run->wanted);
    if (whole)
        orr_progress_print(&run->progress, round, place, cell, whole);
    if (whole && run->options.json)
        print_cell(whole);
}

static void remark(void *context, const char *text)
{
    struct orr_run *run = context;
    orr_progress_clear(&run->progress);
    char tamed[1024];
    snprintf(tamed, sizeof tamed, "%s", text);
    fprintf(stderr, "orrery: %s\n", orr_text_tame(tamed));
}

/* Outcomes of the whole plan, earlier sessions included. */
static void tally_all(const struct orr_run *run, struct orr_tally *tally)
{
    *tally = (struct orr_tally){.interrupted = tally->interrupted, .left = tally->left};
    for (size_t k = 0; k < run->plan.count; k++) {
        const char *outcome = orr_journal_records_outcome(&run->records, run->plan.cells[k].id);
        if (outcome)
            orr_schedule_count(tally, outcome);
    }
}

static int write_end(struct orr_run *run, const struct orr_tally *tally)
{
    char finished[32];
    orr_cell_record_now(finished);
    json_auto_t *record =
        json_pack("{s:s, s:s, s:i, s:i, s:i, s:i, s:b}", "record", "end", "finished", finished,
                  "ok", tally->ok, "wrong", tally->wrong, "failed", tally->failed, "unsupported",
                  tally->unsupported, "interrupted", tally->interrupted);
    if (tally->suspect)
        json_object_set_new(record, "suspect", json_integer(tally->suspect));
    if (tally->wrong_on_purpose)
        json_object_set_new(record, "wrong_on_purpose", json_integer(tally->wrong_on_purpose));
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

static void print_earlier(const struct orr_run *run)
{
    for (size_t k = 0; k < run->plan.count; k++) {
        json_auto_t *record = orr_run_is_finished(run, k)
                                  ? orr_journal_records_cell(&run->records, run->plan.cells[k].id)
                                  : NULL;
        if (record)
            print_cell(record);
    }
}

static int execute(struct orr_run *run)
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
                                          .devices = json_object_get(run->session.found, "devices"),
                                          .records = &run->records,
                                          .seed = run->request.seed ? run->request.seed : 1,
                                          .signals = run->session.signals,
                                          .child_mask = &run->session.child_mask,
                                          .before = before_cell,
                                          .after = after_cell,
                                          .remark = remark,
                                          .context = run};
    for (size_t k = 0; run->skip && k < run->plan.count * (size_t)run->plan.rounds; k++)
        run->wanted += !run->skip[k];
    if (run->options.json)
        print_earlier(run);
    int code = run->ceilings.count ? orr_run_measure_ceilings(run, &schedule, &tally)
                                   : orr_schedule_run(&schedule, &tally);
    run->busy = tally.interrupted;
    if (!run->ceilings.count)
        tally_all(run, &tally);
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

static int run_or_show(struct orr_run *run)
{
    if (orr_run_prepare(run))
        return orr_cli_report_error();
    for (char **note = run->plan.notes; note && *note; note++)
        fprintf(stderr, "orrery: %s\n", *note);
    orr_progress_learn(&run->progress, run->folder);
    if (run->options.dry_run) {
        if (run->ceilings.count)
            orr_run_print_ceilings_plan(run);
        else
            print_plan(run);
        return ORR_EXIT_OK;
    }
    if (orr_run_lock(run) || orr_run_open_journal(run))
        return orr_cli_report_error();
    return execute(run);
}

static void release_run(struct orr_run *run)
{
    orr_worker_session_release(&run->session, run->busy);
    orr_device_lock_release(&run->locks);
    orr_journal_close(&run->journal);
    orr_progress_release(&run->progress);
    orr_plan_release(&run->plan);
    orr_journal_records_release(&run->records);
    if (run->resumed)
        orr_request_release(&run->request);
    free(run->skip);
}

int orr_cli_run(int argc, char **argv)
{
    return orr_cli_run_journal(argc, argv, NULL, 0);
}

int orr_cli_run_journal(int argc, char **argv, char *journal, size_t size)
{
    struct orr_run run = {
        .journal.fd = -1, .session = ORR_WORKER_SESSION_INIT, .options.root = "results"};
    int code = parse_options(&run.options, argc, argv);
    int status = code == ORR_OPTIONS_HELPED ? ORR_EXIT_OK
                 : code                     ? orr_cli_report_error()
                                            : run_or_show(&run);
    snprintf(journal, size, "%s", run.journal.path);
    release_run(&run);
    return status;
}
