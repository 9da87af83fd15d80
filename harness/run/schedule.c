/* SPDX-License-Identifier: MIT */
#include "run/schedule.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "error.h"
#include "json_member.h"
#include "measure/access.h"
#include "measure/stats.h"
#include "memory.h"
#include "referee/cell_record.h"

static const double CEILING_TIMEOUT_S = 120;
/* A referee gives its worker up in time; one that does not answer either is given up later. */
static const double GRACE_S = 2;
/* Their launcher takes a moment to end hung ranks. */
static const double GRACE_OF_RANKS_S = 12;

static void count(struct orr_tally *tally, const char *outcome)
{
    int *const kind = !strcmp(outcome, "ok")                           ? &tally->ok
                      : !strcmp(outcome, ORR_OUTCOME_WRONG_ON_PURPOSE) ? &tally->wrong_on_purpose
                      : !strcmp(outcome, "wrong")                      ? &tally->wrong
                      : !strcmp(outcome, "suspect")                    ? &tally->suspect
                      : !strcmp(outcome, "unsupported")                ? &tally->unsupported
                                                                       : &tally->failed;
    ++*kind;
}

static int have_referee(const struct orr_schedule *s)
{
    const struct orr_child_plan plan = {s->program, "__referee", s->child_mask, NULL};
    return s->child->pid > 0 ? 0 : orr_child_start(s->child, &plan);
}

static int append(const struct orr_schedule *s, json_t *record)
{
    int code = orr_journal_append(s->journal, record);
    if (!code)
        orr_journal_records_add(s->records, record);
    return code;
}

static int ask_referee(const struct orr_schedule *s, json_t *request, double timeout_s,
                       double limit_s, json_t **answer)
{
    const struct orr_child_wait wait = {
        .timeout_s = timeout_s, .limit_s = limit_s, .signals = s->signals};
    return orr_child_ask(s->child, request, &wait, answer);
}

/* Measures the ceiling of the cell's device, once a round. A device without one still runs its
 * cells. */
static int have_ceiling(const struct orr_schedule *s, const char *device, int round,
                        bool *interrupted)
{
    json_t *answer, *known = json_object_get(s->records->ceilings, device);
    char text[640];
    if (known && orr_cell_rounds_of(known) == round)
        return 0;
    int code = ask_referee(s, json_pack("{s:s, s:s}", "ask", "ceiling", "device", device),
                           CEILING_TIMEOUT_S, CEILING_TIMEOUT_S, &answer);
    *interrupted = code == ORR_EINTERRUPTED;
    json_t *record = json_object_get(answer, "record");
    if (!code && record) {
        json_object_set_new(record, "round", json_integer(round));
        code = append(s, record);
    } else {
        snprintf(text, sizeof text, "no ceiling of %s: %s", device, orr_error_text());
        if (!*interrupted && s->remark)
            s->remark(s->context, text);
        /* Remembered, so that it is not tried before every cell, and in no journal. */
        record =
            json_pack("{s:s, s:s, s:i}", "record", "ceiling", "device", device, "round", round);
        orr_journal_records_add(s->records, record);
        json_decref(record);
        orr_error_clear();
        code = 0;
    }
    json_decref(answer);
    return code;
}

/* The least that the kernels of a step took by their own clock, in any round so far; 0: no round
 * has traced them. Kernels are the same in every process, and tracing costs a worker. */
static double kernels_of(const struct orr_schedule *s, const struct orr_cell *cell)
{
    double least = INFINITY;
    for (int round = 1; round <= s->rounds; round++) {
        size_t k;
        json_t *value, *record = orr_journal_records_round(s->records, cell->id, round);
        json_array_foreach (orr_json_follow(record, "samples/device_s"), k, value) {
            if (json_is_number(value))
                least = fmin(least, json_number_value(value));
        }
    }
    return isfinite(least) ? least : 0;
}

static json_t *cell_request(const struct orr_schedule *s, const struct orr_cell *cell)
{
    json_t *request = json_pack("{s:s, s:o, s:I, s:O*, s:f}", "ask", "cell", "cell",
                                orr_cell_to_json(cell), "seed", (json_int_t)s->seed, "ceiling",
                                json_object_get(s->records->ceilings, cell->device), "kernels_s",
                                kernels_of(s, cell));
    if (cell->keep_bodies) {
        char path[sizeof s->journal->path + 32];
        size_t stem = strlen(s->journal->path) - strlen(".jsonl");
        snprintf(path, sizeof path, "%.*s-%s.csv", (int)stem, s->journal->path, cell->id);
        json_object_set_new(request, "bodies_file", orr_json_path(path));
    }
    return request;
}

static void set_outcome(json_t *record, const char *outcome, const char *reason, double wall_s)
{
    json_object_set_new(record, "outcome", json_string(outcome));
    json_object_set_new(record, "reason", json_string(reason));
    json_object_set_new(record, "wall_s", json_real(wall_s));
}

/* Asks the referee for the cell. A new reference, NULL when interrupted. */
static json_t *run_under_referee(const struct orr_schedule *s, const struct orr_cell *cell)
{
    double start = orr_clock_now();
    json_t *answer, *record = orr_cell_record_begin(cell);
    const double limit_s = cell->timeout_s + (cell->ranks > 1 ? GRACE_OF_RANKS_S : GRACE_S);
    int code = ask_referee(s, cell_request(s, cell), limit_s, cell->timeout_s, &answer);
    json_t *finished = json_object_get(answer, "record");
    const char *lost = s->child->lost;
    if (code == ORR_EINTERRUPTED) {
        json_decref(record);
        record = NULL;
    } else if (code) {
        set_outcome(record, lost ? lost : "failed", orr_error_text(), orr_clock_now() - start);
    } else if (!finished || json_object_update(record, finished) ||
               !orr_json_text(record, "outcome") || !orr_json_text(record, "reason")) {
        set_outcome(record, "crashed", "crashed: the referee's answer is damaged",
                    orr_clock_now() - start);
    }
    if (lost && !strcmp(lost, "timed out"))
        json_object_set_new(record, "timeout_s", json_real(cell->timeout_s));
    orr_error_clear();
    json_decref(answer);
    return record;
}

/* What is no time is found out once. */
static struct orr_cell as_measured_again(const struct orr_cell *cell, int round)
{
    struct orr_cell again = *cell;
    if (round > 1)
        again.counts = again.trajectory = again.error_curve = again.energy = again.keep_bodies =
            again.policy.joules = false;
    if (round > 1)
        strcpy(again.counters, "none");
    return again;
}

/* The whole record of a cell that is refused (cell.h). */
static json_t *refuse(const struct orr_cell *cell)
{
    json_t *record = orr_cell_record_begin(cell);
    const bool crashed = cell->refused == ORR_EINTERNAL;
    set_outcome(record, crashed ? "crashed" : orr_cell_record_outcome(cell->refused), cell->refusal,
                0);
    return record;
}

static int make_record(const struct orr_schedule *s, const struct orr_cell *cell, int round,
                       json_t **out)
{
    bool interrupted = false;
    *out = NULL;
    if (*cell->extrapolate_from) {
        json_t *source = orr_cell_rounds_whole(s->records, cell->extrapolate_from);
        *out = orr_cell_record_extrapolate(cell, source);
        json_decref(source);
        return 0;
    }
    if (cell->refused) {
        *out = refuse(cell);
        return 0;
    }
    if (have_referee(s) || (!cell->once && have_ceiling(s, cell->device, round, &interrupted)) ||
        (!interrupted && have_referee(s)))
        return orr_error_code();
    const struct orr_cell again = as_measured_again(cell, round);
    if (!interrupted)
        *out = run_under_referee(s, &again);
    return 0;
}

/* A ceiling that was measured again beside the cell: what the cell was judged by is in the journal.
 */
static int keep_ceiling(const struct orr_schedule *s, json_t *record, int round)
{
    json_t *ceiling = json_incref(json_object_get(record, ORR_NEWER_CEILING));
    int code = 0;
    if (ceiling) {
        json_object_del(record, ORR_NEWER_CEILING);
        json_object_set_new(ceiling, "round", json_integer(round));
        code = append(s, ceiling);
    }
    json_decref(ceiling);
    return code;
}

/* A driver may be replaced, or cores taken away, while a long run goes on. */
static void hold_to_device(const struct orr_schedule *s, json_t *record)
{
    if (!orr_journal_is_elsewhere(s->devices, record))
        return;
    orr_cell_record_drop_times(record);
    json_object_set_new(record, "outcome", json_string("failed"));
    json_object_set_new(record, "reason",
                        json_string("its device, driver or number of threads is no longer that "
                                    "with which the run began; start a fresh run"));
    json_object_del(record, "identity");
}

static int run_one(const struct orr_schedule *s, int round, size_t place,
                   const struct orr_cell *cell, struct orr_tally *tally)
{
    json_t *record;
    if (s->before)
        s->before(s->context, round, place, cell);
    int code = make_record(s, cell, round, &record);
    tally->interrupted = !code && !record;
    if (record) {
        json_object_set_new(record, "round", json_integer(round));
        hold_to_device(s, record);
        code = keep_ceiling(s, record, round);
        if (!code)
            code = append(s, record);
        if (!code) {
            tally->left--;
            if (s->after)
                s->after(s->context, round, place, cell, record);
        }
        json_decref(record);
    }
    return code;
}

/* --- rounds --- */

/* Where a cell stands in a round. */
struct turn {
    bool scaled; /* last: from what is measured by then */
    int ranks;   /* cells of as many together: others need other workers, which take seconds */
    uint64_t chance;
    size_t cell;
};

static int by_turn(const void *a, const void *b)
{
    const struct turn *x = a, *y = b;
    if (x->scaled != y->scaled)
        return x->scaled - y->scaled;
    if (x->ranks != y->ranks)
        return (x->ranks > y->ranks) - (x->ranks < y->ranks);
    return (x->chance > y->chance) - (x->chance < y->chance);
}

/* A random order that the round gives. */
static struct turn *order_of(const struct orr_schedule *s, int round)
{
    struct turn *order = orr_memory_get(s->count * sizeof *order);
    uint64_t state = s->seed + (uint64_t)round * 0x9e3779b97f4a7c15u;
    for (size_t k = 0; k < s->count; k++)
        order[k] = (struct turn){*s->cells[k].extrapolate_from != '\0', s->cells[k].ranks,
                                 orr_stats_random_next(&state), k};
    qsort(order, s->count, sizeof *order, by_turn);
    return order;
}

static bool is_wanted(const struct orr_schedule *s, size_t k, int round)
{
    if (*s->cells[k].extrapolate_from && round < s->rounds)
        return false;
    return !(s->skip && s->skip[(size_t)(round - 1) * s->count + k]);
}

/* What is measured next gets a worker of its own. */
static void begin_round(const struct orr_schedule *s)
{
    json_t *answer = NULL;
    if (s->child->pid > 0 &&
        orr_child_ask(s->child, json_pack("{s:s}", "ask", "round"),
                      &(struct orr_child_wait){.timeout_s = GRACE_S, .signals = -1}, &answer))
        orr_error_clear();
    json_decref(answer);
}

static int run_round(const struct orr_schedule *s, int round, struct orr_tally *out)
{
    struct turn *order = order_of(s, round);
    size_t place = 0;
    int code = 0;
    begin_round(s);
    for (size_t k = 0; k < s->count && !code && !out->interrupted; k++) {
        const struct orr_cell *cell = &s->cells[order[k].cell];
        bool failed = false; /* in a round before, and is not measured again */
        place += round == s->rounds || !*cell->extrapolate_from;
        if (!is_wanted(s, order[k].cell, round))
            continue;
        for (int before = 1; before < round; before++) {
            const json_t *record = orr_journal_records_round(s->records, cell->id, before);
            failed |= record && !orr_journal_is_measured(record);
        }
        if (failed)
            out->left--;
        else
            code = run_one(s, round, place, cell, out);
    }
    free(order);
    return code;
}

/* A cell that did not begin has no rounds. */
static void count_cell(struct orr_tally *tally, const json_t *rounds)
{
    const size_t all = json_array_size(rounds);
    size_t k = 0;
    while (k < all && orr_journal_is_measured(json_array_get(rounds, k)))
        k++;
    if (all)
        count(tally, orr_json_text(json_array_get(rounds, k % all), "outcome"));
}

int orr_schedule_run(const struct orr_schedule *s, struct orr_tally *out)
{
    int code = 0;
    *out = (struct orr_tally){0};
    for (int round = 1; round <= s->rounds; round++)
        for (size_t k = 0; k < s->count; k++)
            out->left += is_wanted(s, k, round);
    orr_compile_ahead(s);
    for (int round = 1; round <= s->rounds && !code && !out->interrupted; round++)
        code = run_round(s, round, out);
    for (size_t k = 0; k < s->count; k++)
        count_cell(out, json_object_get(s->records->cells, s->cells[k].id));
    return code;
}

/* --- ceilings of access --- */

/* What is measured now. */
struct ask {
    const struct orr_schedule *schedule;
    const struct orr_access_plan *plan;
    const struct orr_device_info *device;
    char given_up[512]; /* why nothing more is measured; "": go on */
    bool interrupted;
};

/* A new answer, or NULL with the error recorded. A worker that crashed is replaced; one that cannot
 * begin, will not with the next kind either. */
static json_t *ask_kind(struct ask *a, const char *kind)
{
    const struct orr_schedule *s = a->schedule;
    json_t *answer = NULL;
    json_t *request =
        json_pack("{s:s, s:s, s:b, s:s*, s:s*}", "ask", "access", "device", a->device->id, "quick",
                  a->plan->quick, "kind", kind, "defines", a->plan->defines);
    int code = have_referee(s);
    if (code)
        json_decref(request);
    else
        code = ask_referee(s, request, a->plan->timeout_s, a->plan->timeout_s, &answer);
    a->interrupted = code == ORR_EINTERRUPTED;
    if (code && !s->child->lost && code != ORR_EINTERNAL)
        snprintf(a->given_up, sizeof a->given_up, "%s", orr_error_text());
    if (!code)
        return answer;
    json_decref(answer);
    return NULL;
}

/* Its rates, or reasons for all of its degrees. */
static json_t *measure_kind(struct ask *a, const char *kind)
{
    json_t *answer = *a->given_up ? NULL : ask_kind(a, kind),
           *rates = json_incref(json_object_get(answer, "rates"));
    if (!json_is_array(rates)) {
        const char *why = answer ? "the answer is damaged" : orr_error_text();
        json_decref(rates);
        rates = orr_access_measure(NULL, kind, *a->given_up ? a->given_up : why);
    }
    orr_error_clear();
    json_decref(answer);
    return rates;
}

/* A new record; NULL when interrupted. */
static json_t *make_access_record(struct ask *a, int round)
{
    json_t *rates = json_array(),
           *record = json_pack("{s:s, s:s, s:s, s:i}", "record", "access_ceilings", "device",
                               a->device->id, "device_name", a->device->name, "round", round);
    for (size_t k = 0; !a->interrupted && orr_access_kind(k); k++) {
        json_t *found = measure_kind(a, orr_access_kind(k));
        json_array_extend(rates, found);
        json_decref(found);
    }
    if (!a->interrupted && !*a->given_up) {
        json_t *answer = ask_kind(a, NULL), *sensors = json_object_get(answer, "sensors");
        orr_error_clear();
        json_object_set(record, "clock_mhz", json_object_get(sensors, "clock_mhz_median"));
        json_object_set(record, "sensors", sensors);
        json_decref(answer);
    }
    json_object_set_new(record, "rates", rates);
    if (!a->interrupted)
        return record;
    json_decref(record);
    return NULL;
}

size_t orr_schedule_access_rates(const json_t *record)
{
    size_t k, count = 0;
    json_t *rate;
    json_array_foreach (json_object_get(record, "rates"), k, rate) {
        count += json_is_number(json_object_get(rate, "rate"));
    }
    return count;
}

static int run_device(const struct orr_schedule *s, const struct orr_access_plan *plan, int round,
                      size_t place, struct orr_tally *out)
{
    struct ask a = {.schedule = s, .plan = plan, .device = plan->devices[place]};
    if (plan->before)
        plan->before(s->context, round, a.device);
    json_t *record = make_access_record(&a, round);
    out->interrupted = a.interrupted;
    if (!record)
        return 0;
    int code = append(s, record);
    if (!code) {
        count(out, orr_schedule_access_rates(record) ? "ok" : "failed");
        out->left--;
    }
    if (!code && plan->after)
        plan->after(s->context, round, record);
    json_decref(record);
    return code;
}

int orr_schedule_access(const struct orr_schedule *s, const struct orr_access_plan *plan,
                        struct orr_tally *out)
{
    const size_t all = (size_t)s->rounds * plan->count;
    int code = 0;
    *out = (struct orr_tally){0};
    for (size_t k = 0; k < all; k++)
        out->left += !plan->skip[k];
    for (size_t k = 0; k < all && !code && !out->interrupted; k++) {
        if (k % plan->count == 0)
            begin_round(s);
        if (!plan->skip[k])
            code = run_device(s, plan, (int)(k / plan->count) + 1, k % plan->count, out);
    }
    return code;
}
