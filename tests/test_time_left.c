/* SPDX-License-Identifier: MIT */
/* The time left that a run prints, replayed from recorded journals: each is run again in its order,
 * with the wall times that its cells took, and after each cell the time left is held against what
 * the rest then took. On a quiet machine and on a busy one; with what earlier runs measured, and
 * without. The journals are sixteen of an H200, cut down to what an estimate reads. */
#include "clock.h"
#include "json_member.h"
#include "ledger/journal.h"
#include "run/progress.h"
#include "tests/cases.h"

enum { MOST = 2000 };
enum load { QUIET, BUSY, LOADS };

struct replay {
    json_t *records; /* of the cells, in their order */
    struct orr_cell *cells;
    size_t count;
    int rounds;
    double started_s, beside_s; /* when it began; a round took so long beside its cells */
};

/* How many lines there were, and what they said. */
struct tally {
    int lines, close; /* one number, within a factor of two */
    int ranges, held; /* that hold the time */
    int silent;
};

static struct orr_policy policy_of(json_t *record)
{
    json_t *policy = json_object_get(record, "policy");
    return (struct orr_policy){(int)orr_json_integer(policy, "min_samples"),
                               (int)orr_json_integer(policy, "max_samples"),
                               orr_json_number(policy, "precision"),
                               orr_json_number(policy, "time_limit_s"),
                               (int)orr_json_integer(policy, "long_samples"),
                               json_is_true(json_object_get(policy, "joules")),
                               json_is_true(json_object_get(policy, "insists"))};
}

static void take_settings(struct orr_cell *cell, json_t *record)
{
    const char *name;
    json_t *value;
    json_object_foreach (json_object_get(record, "parameters"), name, value) {
        struct orr_setting *to = &cell->settings[cell->setting_count++];
        snprintf(to->name, sizeof to->name, "%s", name);
        if (json_is_string(value))
            snprintf(to->value, sizeof to->value, "%s", json_string_value(value));
        else
            snprintf(to->value, sizeof to->value, "%.17g", json_number_value(value));
    }
}

static struct orr_cell cell_of(json_t *record)
{
    json_t *set = json_object_get(record, "dataset");
    struct orr_cell cell = {.n = (uint64_t)orr_json_integer(set, "n"),
                            .policy = policy_of(record),
                            .timeout_s = 300,
                            .once = json_is_true(json_object_get(record, "once"))};
    const char *from = orr_json_text(record, "extrapolated_from");
    snprintf(cell.id, sizeof cell.id, "%s", orr_json_text(record, "id"));
    snprintf(cell.variant, sizeof cell.variant, "%s", orr_json_text(record, "variant"));
    snprintf(cell.device, sizeof cell.device, "%s", orr_json_text(record, "device"));
    snprintf(cell.dataset, sizeof cell.dataset, "%s", orr_json_text(set, "name"));
    snprintf(cell.extrapolate_from, sizeof cell.extrapolate_from, "%s", from ? from : "");
    snprintf(cell.counters, sizeof cell.counters, "%s",
             orr_json_number(record, "counters_s") > 0 ? "auto" : "none");
    take_settings(&cell, record);
    return cell;
}

static size_t place_of(const struct replay *replay, json_t *record)
{
    size_t k = 0;
    while (k < replay->count && strcmp(replay->cells[k].id, orr_json_text(record, "id")) != 0)
        k++;
    return k;
}

static int round_of(json_t *record)
{
    int round = (int)orr_json_integer(record, "round");
    return round > 0 ? round : 1;
}

static void end(struct replay *replay, double seconds)
{
    size_t k;
    json_t *record;
    json_array_foreach (replay->records, k, record)
        seconds -= orr_json_number(record, "wall_s");
    replay->beside_s = fmax(seconds, 0) / (replay->rounds > 0 ? replay->rounds : 1);
}

/* Since 1970, of a time as journals have it. */
static double seconds_of(const char *text)
{
    struct tm utc = {0};
    assert_non_null(strptime(text, "%Y-%m-%dT%H:%M:%SZ", &utc));
    return (double)timegm(&utc);
}

static int collect(json_t *record, size_t line, void *context)
{
    struct replay *replay = context;
    if (orr_json_is(record, "record", "run"))
        replay->started_s = seconds_of(orr_json_text(record, "started"));
    if (orr_json_is(record, "record", "end"))
        end(replay, seconds_of(orr_json_text(record, "finished")) - replay->started_s);
    if (!orr_json_is(record, "record", "cell") || json_array_size(replay->records) >= MOST)
        return 0;
    if (place_of(replay, record) == replay->count)
        replay->cells[replay->count++] = cell_of(record);
    if (round_of(record) > replay->rounds)
        replay->rounds = round_of(record);
    json_array_append(replay->records, record);
    return 0;
}

static void slow_down(json_t *record, double factor)
{
    static const char *const times[] = {"wall_s", "seconds", "end_to_end_seconds", "counters_s"};
    for (size_t k = 0; k < sizeof times / sizeof *times; k++)
        if (json_is_number(json_object_get(record, times[k])))
            json_object_set_new(record, times[k],
                                json_real(factor * orr_json_number(record, times[k])));
}

/* Times as slow as the load makes the k-th of so many cells. */
static double load_of(enum load load, size_t k)
{
    const double scatter = (double)(k * 2654435761u % 1024) / 1024; /* 0 to 1, alike each time */
    return load == BUSY ? 2.5 * exp(scatter - 0.5) : 1;
}

static json_t *records_of(const struct replay *replay, enum load load)
{
    json_t *all = json_array(), *record;
    size_t k;
    json_array_foreach (replay->records, k, record) {
        json_t *own = json_copy(record);
        slow_down(own, load_of(load, k));
        json_array_append_new(all, own);
    }
    return all;
}

/* What a line says, as far as it can be compared: whole seconds. */
static void judge_line(struct tally *tally, struct orr_progress *progress, double actual)
{
    double spread, seconds = orr_progress_left(&spread, progress), left = fmax(ceil(seconds), 1),
                   took = fmax(ceil(actual), 1), factor = exp(2.3 * spread);
    char text[80];
    orr_time_left_text(text, sizeof text, seconds, spread);
    tally->lines++;
    if (!*text)
        tally->silent++;
    else if (strstr(text, " to ")) {
        tally->ranges++;
        tally->held += took >= floor(seconds / factor) && took <= ceil(seconds * factor);
    } else {
        tally->close += left <= 2 * took && 2 * left >= took;
    }
}

static void copy_estimate(struct orr_time_estimate *out, const struct orr_time_estimate *known)
{
    *out = *known;
    out->items = malloc((known->count + 1) * sizeof *out->items);
    memcpy(out->items, known->items, known->count * sizeof *out->items);
}

static void run_again(struct tally *tally, const struct replay *replay,
                      const struct orr_time_estimate *earlier, enum load load)
{
    RELEASED_BY(orr_progress_release) struct orr_progress progress;
    bool *skip = calloc(replay->count * (size_t)replay->rounds, sizeof *skip);
    json_t *records = records_of(replay, load), *record;
    size_t k, cells = replay->count;
    double left = 0;
    for (k = 0; k < cells * (size_t)replay->rounds; k++)
        skip[k] = true;
    json_array_foreach (records, k, record) {
        skip[(size_t)(round_of(record) - 1) * cells + place_of(replay, record)] = false;
        left += orr_json_number(record, "wall_s");
    }
    orr_progress_begin(&progress, stderr, replay->cells, cells, replay->rounds, skip, NULL);
    if (earlier)
        copy_estimate(&progress.estimate, earlier);
    json_array_foreach (records, k, record) {
        left -= orr_json_number(record, "wall_s");
        orr_progress_after(&progress, round_of(record), 1, &replay->cells[place_of(replay, record)],
                           record, NULL);
        if (k + 1 < json_array_size(records))
            judge_line(tally, &progress,
                       left + (replay->rounds - progress.round) * replay->beside_s);
    }
    json_decref(records);
    free(skip);
}

static int learn(json_t *record, size_t line, void *context)
{
    orr_time_estimate_add(context, record);
    return 0;
}

struct machine {
    struct orr_time_estimate known; /* by its journals so far */
    struct tally of[2][LOADS];      /* without them, and with them */
};

static int replay_journal(const char *path, void *context)
{
    struct machine *machine = context;
    struct replay replay = {.records = json_array(),
                            .cells = calloc(MOST, sizeof(struct orr_cell))};
    assert_done(orr_journal_read(path, collect, &replay, NULL));
    for (int known = 0; known <= 1 && replay.count; known++)
        for (enum load load = QUIET; load < LOADS; load++) {
            run_again(&machine->of[known][load], &replay, known ? &machine->known : NULL, load);
        }
    assert_done(orr_journal_read(path, learn, &machine->known, NULL));
    json_decref(replay.records);
    free(replay.cells);
    return 0;
}

/* Nine of ten numbers are within a factor of two, and most ranges hold. */
TEST(the_time_left_is_within_a_factor_of_two)
{
    static const char *const loads[] = {"quiet", "busy"};
    struct machine machine = {.of = {{{0}}}};
    orr_journal_each("tests/data/time-left", replay_journal, &machine);
    for (int known = 0; known <= 1; known++)
        for (enum load load = QUIET; load < LOADS; load++) {
            const struct tally *t = &machine.of[known][load];
            const int numbers = t->lines - t->ranges - t->silent;
            print_message("%s, %s: of %d lines %d numbers, %.3f within a factor of two; %d ranges, "
                          "%.3f hold; %d without\n",
                          loads[load], known ? "with earlier runs" : "first run", t->lines, numbers,
                          (double)t->close / numbers, t->ranges, (double)t->held / t->ranges,
                          t->silent);
            assert_true(t->close >= 0.9 * numbers && 2 * numbers > t->lines);
            assert_true(t->held >= 0.8 * t->ranges);
        }
    orr_time_estimate_release(&machine.known);
}

RUN_TESTS(NULL, NULL)
