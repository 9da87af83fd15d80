/* SPDX-License-Identifier: MIT */
/* The schedule against a worker that misbehaves on request: this program plays both parts. */
#include <sys/signalfd.h>
#include <sys/stat.h>

#include "device/backend.h"
#include "json_member.h"
#include "measure/access.h"
#include "ledger/journal.h"
#include "run/schedule.h"
#include "referee/cell_record.h"
#include "tests/cases.h"
#include "tests/folder_for_tests.h"

/* --- the referee's part: it does what the variant is called --- */

static json_t *id; /* of the request */
static int rounds; /* begun after the first */

static void say(struct orr_channel *channel, json_t *message)
{
    json_object_set(message, "to", id);
    orr_child_channel_send(channel, message);
}

static json_t *good_record(json_t *cell)
{
    return json_pack("{s:{s:s, s:O, s:f, s:[f,f], s:f, s:f, s:i, s:i}, s:s}", "record", "outcome",
                     "ok", "id", json_object_get(cell, "id"), "seconds", 0.5, "interval", 0.4, 0.6,
                     "interactions", 90.0, "interactions_per_second", 180.0, "pid", (int)getpid(),
                     "rounds", rounds, "say", "done");
}

static void misbehave(struct orr_channel *channel, const char *how, json_t *cell)
{
    if (!strcmp(how, "crash")) {
        fprintf(stderr, "first line\nthe last thing it said\n");
        abort();
    } else if (!strcmp(how, "hang")) {
        pause();
    } else if (!strcmp(how, "leave")) {
        _exit(3);
    } else if (!strcmp(how, "noise")) {
        if (write(channel->fd, "gibberish\n", 10) != 10)
            _exit(1);
    } else if (!strcmp(how, "refuse")) {
        say(channel, json_pack("{s:s, s:i, s:s}", "say", "failed", "code", ORR_EINTERNAL, "text",
                               "no such thing"));
    } else {
        say(channel, good_record(cell));
    }
}

/* As a variant whose compiler crashes, one whose compiler hangs, or one that goes well. */
static void play_compiler(struct orr_channel *channel, json_t *cells)
{
    size_t k;
    json_t *one;
    json_array_foreach (cells, k, one) {
        const char *variant = orr_json_text(json_object_get(one, "cell"), "variant");
        orr_cache_store(json_string_value(json_object_get(one, "key")), "tried", NULL, 0);
        if (!strcmp(variant, "test/crashes"))
            abort();
        if (!strcmp(variant, "test/hangs"))
            pause();
    }
    say(channel, json_pack("{s:s}", "say", "done"));
}

/* Access ceilings: what it does depends on the kind, and on the device. */
static void measure_access(struct orr_channel *channel, const json_t *request)
{
    const char *kind = orr_json_text(request, "kind"), *device = orr_json_text(request, "device");
    json_t *message;
    if (kind && !strcmp(kind, "mul"))
        abort();
    if (kind && !strcmp(kind, "barrier"))
        pause();
    if (!strcmp(device, "broken"))
        message = json_pack("{s:s, s:i, s:s}", "say", "failed", "code", ORR_EBUILD, "text",
                            "does not compile");
    else if (kind && !strcmp(kind, "rsqrt")) /* a referee that lost its worker */
        message = json_pack("{s:s, s:i, s:s}", "say", "failed", "code", ORR_EINTERNAL, "text",
                            "crashed: SIGSEGV");
    else if (!kind)
        message = json_pack("{s:s, s:{s:i, s:f}}", "say", "done", "sensors", "samples", 3,
                            "clock_mhz_median", 1500.0);
    else
        message = json_pack("{s:s, s:[{s:s, s:i, s:s, s:f, s:s}]}", "say", "done", "rates", "kind",
                            kind, "degree", 1, "unit", "word", "rate", 5e9, "check", "ok");
    say(channel, message);
}

static int play_referee(void)
{
    struct orr_channel channel;
    json_t *request;
    orr_child_channel_init(&channel, STDIN_FILENO);
    while (orr_child_channel_receive(&channel, INFINITY, -1, &request) == ORR_HEARD_MESSAGE) {
        const char *ask = json_string_value(json_object_get(request, "ask"));
        id = json_object_get(request, "id");
        json_t *cell = json_object_get(request, "cell");
        if (!strcmp(ask, "quit"))
            break;
        if (!strcmp(ask, "round")) {
            rounds++;
            say(&channel, json_pack("{s:s}", "say", "done"));
        } else if (!strcmp(ask, "compile"))
            play_compiler(&channel, json_object_get(request, "cells"));
        else if (!strcmp(ask, "access"))
            measure_access(&channel, request);
        else if (!strcmp(ask, "ceiling"))
            say(&channel, json_pack("{s:s, s:{s:s, s:O}}", "say", "done", "record", "record",
                                    "ceiling", "device", json_object_get(request, "device")));
        else
            misbehave(&channel, json_string_value(json_object_get(cell, "variant")), cell);
        json_decref(request);
    }
    return 0;
}

/* --- the scheduler's part --- */

static char remarked[256];

struct fixture {
    struct orr_cell cells[8];
    struct orr_child child;
    struct orr_journal journal;
    struct orr_journal_records records;
    struct orr_schedule schedule;
    struct orr_tally tally;
    int afters;
    size_t order[32]; /* cells as they were measured, round by round */
};

/* Those that are compiled ahead are known by the bytes of their files. */
static void use_plugins_of_any_bytes(void)
{
    static const char *const names[] = {"good", "fine", "new", "crashes", "hangs"};
    mkdir(filled("%s/test", folder), 0700);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        write_text(filled("%s/test/%s.so", folder, names[k]), names[k]);
    setenv("ORRERY_PLUGINS", folder, 1);
    setenv("ORRERY_CACHE", folder, 1);
}

static void count_after(void *context, int round, size_t place, const struct orr_cell *cell,
                        json_t *record)
{
    struct fixture *f = context;
    assert_non_null(record);
    assert_true(place >= 1 && place <= f->schedule.count);
    assert_int_equal(json_integer_value(json_object_get(record, "round")), round);
    f->order[f->afters++] = (size_t)(cell - f->cells);
}

static void begin(struct fixture *f, const char *const variants[], size_t count)
{
    *f = (struct fixture){.child = {.log = -1, .channel.fd = -1}};
    for (size_t k = 0; k < count; k++) {
        struct orr_cell *cell = &f->cells[k];
        *cell =
            (struct orr_cell){.n = 10, .timeout_s = 20, .experiment = "test/all", .device = "host"};
        snprintf(cell->variant, sizeof cell->variant, "%s", variants[k]);
        snprintf(cell->id, sizeof cell->id, "%016zx", k);
        if (!strcmp(variants[k], "hang"))
            cell->timeout_s = 0.3;
    }
    assert_int_equal(orr_journal_create(&f->journal, folder), 0);
    orr_journal_records_make(&f->records);
    f->schedule = (struct orr_schedule){.program = "/proc/self/exe",
                                        .child = &f->child,
                                        .cells = f->cells,
                                        .count = count,
                                        .rounds = 1,
                                        .journal = &f->journal,
                                        .records = &f->records,
                                        .signals = -1,
                                        .after = count_after,
                                        .context = f};
}

static void end(struct fixture *f)
{
    orr_child_shutdown(&f->child, false);
    orr_journal_records_release(&f->records);
    orr_journal_close(&f->journal);
}

static const char *text_of(const struct fixture *f, size_t cell, const char *member)
{
    const char *text =
        orr_json_text(orr_journal_records_round(&f->records, f->cells[cell].id, 1), member);
    return text ? text : "";
}

static json_int_t pid_of(const struct fixture *f, size_t cell)
{
    return orr_json_integer(orr_journal_records_round(&f->records, f->cells[cell].id, 1), "pid");
}

/* One referee serves them all. */
TEST(each_round_measures_all_in_another_order)
{
    struct fixture f;
    begin(&f, (const char *const[]){"good", "good", "good", "good", "good", "good", "good"}, 7);
    f.schedule.rounds = 3;
    f.schedule.seed = 5;
    assert_int_equal(orr_schedule_run(&f.schedule, &f.tally), 0);
    assert_int_equal(f.tally.ok, 7);
    assert_int_equal(f.afters, 21);
    assert_true(pid_of(&f, 0) == pid_of(&f, 6) && pid_of(&f, 0) > 0);
    assert_int_equal(f.tally.left, 0);
    for (size_t round = 0; round < 3; round++) {
        unsigned met = 0;
        for (size_t k = 0; k < 7; k++)
            met |= 1u << f.order[7 * round + k];
        assert_int_equal(met, 0x7f);
        assert_memory_not_equal(&f.order[7 * round], &f.order[7 * ((round + 1) % 3)],
                                7 * sizeof *f.order);
    }
    for (int round = 1; round <= 3; round++) {
        json_t *record = orr_journal_records_round(&f.records, f.cells[0].id, round);
        assert_int_equal(json_integer_value(json_object_get(record, "rounds")), round - 1);
    }
    end(&f);
}

TEST(a_failed_cell_is_not_repeated)
{
    RELEASED_BY(end) struct fixture f;
    begin(&f, (const char *const[]){"good", "refuse", "good"}, 3);
    f.schedule.rounds = 4;
    assert_int_equal(orr_schedule_run(&f.schedule, &f.tally), 0);
    assert_int_equal(f.afters, 9);
    assert_int_equal(f.tally.left, 0);
    json_auto_t *whole = orr_cell_rounds_whole(&f.records, f.cells[1].id);
    assert_string_equal(json_string_value(json_object_get(whole, "reason")), "no such thing");
}

TEST(each_failure_costs_its_own_cell)
{
    RELEASED_BY(end) struct fixture f;
    begin(
        &f,
        (const char *const[]){"good", "crash", "good", "hang", "leave", "noise", "refuse", "good"},
        8);
    assert_int_equal(orr_schedule_run(&f.schedule, &f.tally), 0);
    assert_int_equal(f.tally.ok, 3);
    assert_int_equal(f.tally.failed, 5);
    assert_string_equal(text_of(&f, 1, "outcome"), "crashed");
    assert_string_equal(text_of(&f, 1, "reason"),
                        "crashed: SIGABRT; last words: the last thing it said");
    assert_string_equal(text_of(&f, 3, "outcome"), "timed out");
    assert_non_null(strstr(text_of(&f, 3, "reason"), "--timeout"));
    json_auto_t *hung = orr_cell_rounds_whole(&f.records, f.cells[3].id);
    assert_true(orr_json_number(hung, "timeout_s") == f.cells[3].timeout_s);
    assert_string_equal(text_of(&f, 4, "outcome"), "crashed");
    assert_non_null(strstr(text_of(&f, 4, "reason"), "status 3"));
    assert_string_equal(text_of(&f, 5, "outcome"), "crashed");
    assert_string_equal(text_of(&f, 6, "outcome"), "failed");
    assert_string_equal(text_of(&f, 6, "reason"), "no such thing");
    assert_true(pid_of(&f, 0) != pid_of(&f, 2) || pid_of(&f, 0) != pid_of(&f, 7));
}

TEST(finished_cells_are_skipped)
{
    RELEASED_BY(end) struct fixture f;
    begin(&f, (const char *const[]){"crash", "good"}, 2);
    f.schedule.skip = (const bool[]){true, false, true, true};
    f.schedule.rounds = 2;
    assert_int_equal(orr_schedule_run(&f.schedule, &f.tally), 0);
    assert_int_equal(f.tally.ok, 1);
    assert_int_equal(f.afters, 1);
}

static void check_signal(bool ahead)
{
    RELEASED_BY(end) struct fixture f;
    json_t *devices =
        json_pack("[{s:s, s:s, s:i}]", "id", "cuda:0", "backend", "cuda", "kind", ORR_DEVICE_GPU);
    sigset_t caught, before;
    sigemptyset(&caught);
    sigaddset(&caught, SIGUSR1);
    sigprocmask(SIG_BLOCK, &caught, &before);
    begin(&f, (const char *const[]){ahead ? "test/hangs" : "hang", "good"}, 2);
    f.cells[0].timeout_s = 20;
    if (ahead)
        strcpy(f.cells[0].device, "cuda:0");
    f.schedule.devices = devices;
    f.schedule.signals = signalfd(-1, &caught, SFD_CLOEXEC);
    raise(SIGUSR1);
    assert_int_equal(orr_schedule_run(&f.schedule, &f.tally), 0);
    assert_true(f.tally.interrupted);
    assert_int_equal(f.tally.left, 2);
    assert_int_equal(f.afters, 0);
    orr_child_shutdown(&f.child, true);
    struct signalfd_siginfo info;
    assert_int_equal(read(f.schedule.signals, &info, sizeof info), sizeof info);
    close(f.schedule.signals);
    sigprocmask(SIG_SETMASK, &before, NULL);
    json_decref(devices);
}

TEST(a_signal_ends_the_wait)
{
    check_signal(false);
}

TEST(a_signal_ends_the_wait_for_compilers)
{
    use_plugins_of_any_bytes();
    setenv("ORRERY_COMPILERS", "2", 1);
    check_signal(true);
    unsetenv("ORRERY_COMPILERS");
}

/* --- kernels compiled ahead --- */

static void keep_remark(void *context, const char *text)
{
    snprintf(remarked, sizeof remarked, "%s", text);
}

/* A run of six cells on `device`, half of them of `variant`, whose remark is kept. */
static void run_compiled(struct fixture *f, const char *variant, const char *device)
{
    json_t *devices =
        json_pack("[{s:s, s:s, s:i}, {s:s, s:s, s:i}]", "id", "cuda:0", "backend", "cuda", "kind",
                  ORR_DEVICE_GPU, "id", "opencl:0.0", "backend", "opencl", "kind", ORR_DEVICE_CPU);
    begin(f,
          (const char *const[]){variant, variant, variant, "test/good", "test/good", "test/good"},
          6);
    for (size_t k = 0; k < 6; k++) {
        strcpy(f->cells[k].device, device);
        f->cells[k].n = 10 + k;
    }
    f->schedule.devices = devices;
    f->schedule.remark = keep_remark;
    *remarked = '\0';
    assert_int_equal(orr_schedule_run(&f->schedule, &f->tally), 0);
    json_decref(devices);
}

/* The cells of a run are as they are without, whatever becomes of what is compiled ahead of them;
 * and nothing is tried twice. */
TEST(kernels_are_compiled_ahead_once)
{
    struct fixture f;
    static const char *const variants[] = {"test/fine", "test/crashes"};
    use_plugins_of_any_bytes();
    setenv("ORRERY_COMPILERS", "2", 1);
    for (size_t k = 0; k < 2; k++) {
        run_compiled(&f, variants[k], "cuda:0");
        assert_int_equal(f.tally.ok, 6);
        assert_string_equal(remarked, k ? "compiling the kernels of 3 cells in 2 processes"
                                        : "compiling the kernels of 6 cells in 2 processes");
        end(&f);
    }
    run_compiled(&f, variants[0], "cuda:0");
    assert_string_equal(remarked, "");
    end(&f);
    run_compiled(&f, variants[0], "opencl:0.0"); /* another device's are others */
    assert_string_equal(remarked, "compiling the kernels of 6 cells in 2 processes");
    end(&f);
    unsetenv("ORRERY_COMPILERS");
}

/* A CPU's kernels are compiled where they run, and ORRERY_COMPILERS=0 says no. */
TEST(nothing_is_compiled_ahead_for_processors)
{
    struct fixture f;
    use_plugins_of_any_bytes();
    run_compiled(&f, "test/new", "opencl:0.0");
    assert_string_equal(remarked, "");
    end(&f);
    setenv("ORRERY_COMPILERS", "0", 1);
    run_compiled(&f, "test/new", "cuda:0");
    assert_string_equal(remarked, "");
    assert_int_equal(f.tally.ok, 6);
    end(&f);
    unsetenv("ORRERY_COMPILERS");
}

TEST(scales_by_interactions)
{
    RELEASED_BY(end) struct fixture f;
    begin(&f, (const char *const[]){"good", "good", "crash", "good"}, 4);
    f.cells[0].n = 100; /* extrapolated although it comes first in the plan */
    strcpy(f.cells[0].extrapolate_from, f.cells[1].id);
    strcpy(f.cells[3].extrapolate_from, f.cells[2].id);
    assert_int_equal(orr_schedule_run(&f.schedule, &f.tally), 0);
    assert_int_equal(f.tally.ok, 2);
    assert_int_equal(f.tally.failed, 2);
    json_t *record = orr_journal_records_round(&f.records, f.cells[0].id, 1);
    double factor = 100 * 99 / 90.0;
    assert_true(fabs(orr_json_number(record, "seconds") - 0.5 * factor) < 1e-12);
    assert_true(fabs(json_number_value(json_array_get(json_object_get(record, "interval"), 1)) -
                     0.6 * factor) < 1e-12);
    assert_string_equal(text_of(&f, 0, "extrapolated_from"), f.cells[1].id);
    assert_string_equal(text_of(&f, 0, "reason"), "extrapolated from n=10 by interactions");
    assert_null(json_object_get(record, "error"));
    assert_done(json_array_size(json_object_get(json_object_get(record, "samples"), "step_s")));
    assert_string_equal(text_of(&f, 3, "outcome"), "failed");
    assert_non_null(strstr(text_of(&f, 3, "reason"), "extrapolated from failed: crashed"));
}

TEST(finds_journals)
{
    static const char *const runs[][2] = {{"a-machine", "20260101T000000Z-aaaa"},
                                          {"b-machine", "20260202T000000Z-bbbb"},
                                          {"reference", "20270101T000000Z-cccc"}};
    static const struct {
        const char *name, *found; /* NULL: it is none */
    } cases[] = {
        {"last", "bbbb"}, {"20260101T000000Z-aaaa", "aaaa"}, {"2026", NULL}, {"2099", NULL}};
    const char *root = filled("%s/results", folder);
    char path[1024], found[1024];
    assert_int_equal(mkdir(root, 0700), 0);
    for (size_t k = 0; k < 3; k++) {
        RELEASED_BY(orr_journal_close) struct orr_journal journal;
        assert_int_equal(orr_journal_create(&journal, filled("%s/%s", root, runs[k][0])), 0);
        json_auto_t *record = json_pack("{s:s, s:{s:i}}", "record", "run", "request", "k", (int)k);
        assert_int_equal(orr_journal_append(&journal, record), 0);
        snprintf(path, sizeof path, "%s/%s/%s.jsonl", root, runs[k][0], runs[k][1]);
        assert_int_equal(rename(journal.path, path), 0);
    }
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_int_equal(orr_journal_find(found, sizeof found, root, cases[k].name),
                         cases[k].found ? 0 : ORR_EUSAGE);
        assert_true(!cases[k].found || strstr(found, cases[k].found));
        orr_error_clear();
    }
    assert_done(orr_journal_find(found, sizeof found, root, path)); /* a path is taken as it is */
    json_auto_t *request = json_pack("{s:i}", "k", 1);
    for (size_t k = 0; k < 2; k++) {
        snprintf(path, sizeof path, "%s/%s", root, runs[k][0]);
        assert_int_equal(orr_journal_matching(found, sizeof found, path, request), 0);
        assert_true(k ? strstr(found, "bbbb") != NULL : !*found);
    }
}

/* --- access ceilings --- */

static json_t *rate_of(const struct orr_journal_records *records, const char *device,
                       const char *kind)
{
    const json_t *record = json_array_get(json_object_get(records->access, device), 0);
    size_t k;
    json_t *rate;
    json_array_foreach (json_object_get(record, "rates"), k, rate) {
        if (!strcmp(orr_json_text(rate, "kind"), kind))
            return rate;
    }
    fail_msg("%s: no %s", device, kind);
    return NULL;
}

static void assert_reason(const struct orr_journal_records *records, const char *device,
                          const char *kind, const char *reason)
{
    json_t *rate = rate_of(records, device, kind);
    assert_null(json_object_get(rate, "rate"));
    if (!strstr(orr_json_text(rate, "reason"), reason))
        fail_msg("%s: %s", kind, orr_json_text(rate, "reason"));
}

TEST(a_crash_costs_one_kind)
{
    struct orr_child child = {.log = -1, .channel.fd = -1};
    RELEASED_BY(orr_journal_close) struct orr_journal journal;
    struct orr_journal_records records, again;
    struct orr_tally tally;
    const struct orr_device_info good = {.id = "good", .name = "G"}, broken = {.id = "broken"};
    const struct orr_device_info *devices[] = {&good, &broken};
    const bool skip[4] = {false, false, true, true};
    assert_int_equal(orr_journal_create(&journal, folder), 0);
    orr_journal_records_make(&records);
    const struct orr_schedule schedule = {.program = "/proc/self/exe",
                                          .child = &child,
                                          .rounds = 2,
                                          .journal = &journal,
                                          .records = &records,
                                          .signals = -1};
    const struct orr_access_plan plan = {
        .devices = devices, .count = 2, .skip = skip, .quick = true, .timeout_s = 0.5};
    assert_int_equal(orr_schedule_access(&schedule, &plan, &tally), 0);
    assert_int_equal(tally.ok, 1);
    assert_int_equal(tally.failed, 1);
    assert_int_equal(tally.left, 0);
    assert_reason(&records, "good", "mul", "SIGABRT");
    assert_reason(&records, "good", "rsqrt", "SIGSEGV");
    assert_reason(&records, "good", "barrier", "no result within");
    assert_true(orr_json_number(rate_of(&records, "good", "launch"), "rate") == 5e9);
    assert_reason(&records, "broken", "from-device-pinned", "does not compile");
    json_t *record = json_array_get(json_object_get(records.access, "good"), 0);
    assert_true(orr_json_number(record, "clock_mhz") == 1500);
    assert_int_equal(orr_schedule_access_rates(record), 45);
    /* What was written is what is read, to go on with. */
    assert_int_equal(orr_journal_records_read(&again, journal.path), 0);
    assert_true(json_equal(json_object_get(rate_of(&again, "good", "l2"), "rate"),
                           json_object_get(rate_of(&records, "good", "l2"), "rate")));
    assert_int_equal(again.damage.count, 0);
    orr_journal_records_release(&again);
    orr_child_shutdown(&child, false);
    orr_journal_records_release(&records);
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "__referee"))
        return play_referee();
    return run_all(make_folder, remove_folder);
}
