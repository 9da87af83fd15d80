#include "tune/tuning.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "error.h"
#include "json_member.h"
#include "ledger/cell_rounds.h"
#include "plugin/plugin.h"
#include "tune/tuning_parts.h"

/* A search looks at many for a short time, the comparison at two for as long as any cell. */
static const double SEARCH_SHARE = 0.25, CHOICE_SHARE = 0.5;
/* What takes so many times as long as the default, and is no compilation, is not worth waiting for.
 */
static const double PATIENCE = 10, PATIENCE_S = 30;

/* --- cells --- */

static struct orr_policy policy_of(const struct orr_tuning *t, enum orr_tuning_stage stage)
{
    struct orr_policy policy = t->wish->base.policy;
    policy.joules = false;
    if (stage == ORR_TUNING_FINAL)
        return policy;
    policy.time_limit_s *= stage == ORR_TUNING_SEARCH ? SEARCH_SHARE : CHOICE_SHARE;
    if (stage == ORR_TUNING_SEARCH && policy.min_samples > 3)
        policy.min_samples = 3;
    return policy;
}

/* The cell of a configuration; `tuning` is the tuner's own. */
static int make_cell(struct orr_cell *out, struct orr_tuning *t, enum orr_tuning_stage stage,
                     uint64_t code)
{
    *out = t->wish->base;
    out->policy = policy_of(t, stage);
    out->keep_bodies = out->counts = out->trajectory = out->error_curve = out->energy = false;
    strcpy(out->counters, "none");
    out->timeout_s = t->timeout_s;
    int failed = orr_knobs_set(out, t->wish->search.knobs, code);
    if (failed)
        return failed;
    out->tuning = json_pack("{s:s, s:o}", "stage", stage == ORR_TUNING_FINAL ? "final" : "search",
                            "knobs", orr_knobs_to_json(t->wish->search.knobs, code));
    if (!out->tuning || json_array_append_new(t->tunings, out->tuning))
        return orr_fail(ORR_EMEMORY, "no memory for a configuration");
    orr_cell_identify(out);
    return 0;
}

static struct orr_configuration *have(struct orr_tuning *t, uint64_t code)
{
    for (size_t k = 0; k < t->count; k++)
        if (t->items[k].code == code)
            return &t->items[k];
    struct orr_configuration *items = realloc(t->items, (t->count + 1) * sizeof *items);
    if (!items)
        return NULL;
    t->items = items;
    items[t->count] = (struct orr_configuration){.code = code};
    return &items[t->count++];
}

/* --- measuring --- */

/* One of another build does not count. */
static bool is_known(const struct orr_tuning *t, const char *id, int round)
{
    const json_t *record = orr_journal_records_round(t->schedule->records, id, round);
    const char *built = orr_json_text(record, "plugin_sha256");
    return record && (!built || !strcmp(built, t->plugin_sha256));
}

/* All cells in the rounds from `first` to `last`, each round by a process of its own. */
static int run_cells(struct orr_tuning *t, const struct orr_cell *cells, size_t count, int first,
                     int last, const char *what)
{
    struct orr_tally tally;
    struct orr_schedule schedule = *t->schedule;
    bool *skip = calloc(count * (size_t)last + 1, sizeof *skip), left = false;
    if (!skip)
        return orr_fail(ORR_EMEMORY, "no memory for %zu cells", count);
    for (int round = 1; round <= last; round++)
        for (size_t k = 0; k < count; k++) {
            bool *skipped = &skip[(size_t)(round - 1) * count + k];
            *skipped = round < first || is_known(t, cells[k].id, round);
            left = left || !*skipped;
        }
    schedule.cells = cells;
    schedule.count = count;
    schedule.first = first;
    schedule.rounds = last;
    schedule.skip = skip;
    schedule.one_ceiling = true;
    int code = left ? t->calls->batch(t->calls->context, what, &schedule) : 0;
    if (left && !code)
        code = orr_schedule_run(&schedule, &tally);
    if (left && !code)
        t->interrupted = tally.interrupted;
    free(skip);
    return code;
}

/* The time of one round; INFINITY where the cell has none. */
static double seconds_of(const struct orr_tuning *t, const char *id, int round)
{
    const json_t *record = orr_journal_records_round(t->schedule->records, id, round);
    return orr_journal_is_ok(record) ? orr_json_number(record, "seconds") : INFINITY;
}

/* Measures configurations together, once, and tells the search. */
static int measure(struct orr_tuning *t, enum orr_tuning_stage stage, const uint64_t *codes,
                   size_t count, const char *what)
{
    struct orr_cell *cells = calloc(count, sizeof *cells);
    int code = cells ? 0 : orr_fail(ORR_EMEMORY, "no memory for %zu cells", count);
    for (size_t k = 0; k < count && !code; k++)
        code = make_cell(&cells[k], t, stage, codes[k]);
    t->round++;
    if (!code)
        code = run_cells(t, cells, count, t->round, t->round, what);
    for (size_t k = 0; k < count && !code && !t->interrupted; k++) {
        struct orr_configuration *of = have(t, codes[k]);
        if (!of)
            code = orr_fail(ORR_EMEMORY, "no memory for a configuration");
        else
            strcpy(of->id, cells[k].id);
        if (!code)
            code = orr_search_tell(&t->search, codes[k], seconds_of(t, cells[k].id, t->round));
    }
    free(cells);
    return code;
}

/* What a configuration is given up after, once the default is known. */
static void set_timeout(struct orr_tuning *t)
{
    const json_t *record = orr_journal_records_round(t->schedule->records, t->items[0].id, 1);
    double enough = PATIENCE_S + PATIENCE * orr_json_number(record, "wall_s");
    if (!t->wish->own_timeout && enough < t->timeout_s)
        t->timeout_s = enough;
}

static int search(struct orr_tuning *t)
{
    uint64_t batch[ORR_SEARCH_BATCH];
    size_t count;
    int code = 0;
    while (!code && !t->interrupted && (count = orr_search_next(&t->search, batch))) {
        char what[64];
        if (t->wish->budget_s > 0 && orr_clock_now() - t->started > t->wish->budget_s && t->count) {
            t->out_of_time = true;
            break;
        }
        snprintf(what, sizeof what,
                 !t->count            ? "the default"
                 : t->search.descends ? "one knob, the others as in the best"
                                      : "configurations");
        bool first = !t->count;
        code = measure(t, ORR_TUNING_SEARCH, batch, count, what);
        if (first && !code && !t->interrupted) {
            code = orr_tuning_check_default(t);
            set_timeout(t);
        }
    }
    return code;
}

/* --- the best of them --- */

/* What was measured by one process alone may be fast by chance. */
static int by_seconds(const void *a, const void *b)
{
    const struct orr_configuration *left = a, *right = b;
    if (left->enough != right->enough)
        return right->enough - left->enough;
    return (left->seconds > right->seconds) - (left->seconds < right->seconds);
}

/* Medians over the processes so far, the fastest first; what has no result in any is behind. */
static void rank(struct orr_tuning *t)
{
    for (size_t k = 0; k < t->count; k++) {
        json_t *whole = orr_journal_records_cell(t->schedule->records, t->items[k].id);
        t->items[k].seconds =
            orr_journal_is_ok(whole) ? orr_json_number(whole, "seconds") : INFINITY;
        const json_t *rounds = json_object_get(t->schedule->records->cells, t->items[k].id);
        t->items[k].enough =
            orr_journal_is_ok(whole) && json_array_size(rounds) >= ORR_STATS_ENOUGH_PROCESSES;
        json_decref(whole);
    }
    qsort(t->items, t->count, sizeof *t->items, by_seconds);
}

/* The best ones and the default by as many more processes as an interval takes. */
static int choose(struct orr_tuning *t)
{
    uint64_t codes[ORR_TUNING_SHOWN + 1];
    size_t count = 0;
    bool has_usual = false;
    rank(t);
    for (size_t k = 0; k < t->count && count < ORR_TUNING_SHOWN; k++)
        if (isfinite(t->items[k].seconds)) {
            codes[count++] = t->items[k].code;
            has_usual = has_usual || t->items[k].code == t->usual;
        }
    if (!has_usual)
        codes[count++] = t->usual;
    int code = 0;
    for (int more = 1; more < ORR_STATS_ENOUGH_PROCESSES && count > 1 && !code && !t->interrupted;
         more++)
        code = measure(t, ORR_TUNING_CHOICE, codes, count, "the best of them and the default");
    /* Only of those measured again: one process flatters the luckiest of many. */
    rank(t);
    t->best = t->usual;
    for (size_t k = t->count; k-- > 0 && !code;)
        for (size_t c = 0; c < count; c++)
            if (t->items[k].code == codes[c] && isfinite(t->items[k].seconds))
                t->best = codes[c];
    return code;
}

/* The best and the default anew, so that the choice does not flatter the best. */
static int compare(struct orr_tuning *t)
{
    int code = make_cell(&t->last[0], t, ORR_TUNING_FINAL, t->usual);
    if (!code)
        code = make_cell(&t->last[1], t, ORR_TUNING_FINAL, t->best);
    return code || t->best == t->usual
               ? code
               : run_cells(t, t->last, 2, 1, t->wish->repeats, "the default and the best anew");
}

static int run(struct orr_tuning *t)
{
    int code = orr_plugin_hash(t->plugin_sha256, t->wish->base.variant);
    if (!code)
        code = orr_search_begin(&t->search, &t->wish->search);
    if (!code)
        code = search(t);
    if (!code && !t->interrupted)
        code = choose(t);
    if (!code && !t->interrupted)
        code = compare(t);
    return code;
}

int orr_tuning_run(json_t **out, const struct orr_tuning_wish *wish,
                   const struct orr_schedule *schedule, const struct orr_tuning_calls *calls)
{
    struct orr_tuning tuning = {.wish = wish,
                                .schedule = schedule,
                                .calls = calls,
                                .tunings = json_array(),
                                .usual = orr_knobs_usual(wish->search.knobs),
                                .timeout_s = wish->base.timeout_s,
                                .started = orr_clock_now()};
    *out = NULL;
    int code = run(&tuning);
    if (!code && !tuning.interrupted)
        code = orr_tuning_to_json(out, &tuning);
    orr_search_release(&tuning.search);
    json_decref(tuning.tunings);
    free(tuning.items);
    return code;
}
