#include "run/schedule.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "clock.h"
#include "json_member.h"
#include "measure/stats.h"
#include "run/cell_record.h"
#include "run/time_estimate.h"

static const double CEILING_TIMEOUT_S = 120;
/* A referee gives its worker up in time; one that does not answer either is given up later. */
static const double GRACE_S = 2;
/* Their launcher takes a moment to end hung ranks. */
static const double GRACE_OF_RANKS_S = 12;
static const char damaged_answer[] = "crashed: the referee's answer is damaged";

int orr_schedule_plan(struct orr_plan *out, const struct orr_request *request,
                      const struct orr_device_info *devices, int device_count)
{
    int code = orr_plan_make(out, request, devices, device_count);
    return code || !request->shard.of
               ? code
               : orr_plan_shard_take(out, &request->shard, orr_time_estimate_unmeasured);
}

void orr_schedule_count(struct orr_tally *tally, const char *outcome)
{
    if (!strcmp(outcome, "ok"))
        tally->ok++;
    else if (!strcmp(outcome, ORR_OUTCOME_WRONG_ON_PURPOSE))
        tally->wrong_on_purpose++;
    else if (!strcmp(outcome, "wrong"))
        tally->wrong++;
    else if (!strcmp(outcome, "unsupported"))
        tally->unsupported++;
    else
        tally->failed++;
}

int orr_schedule_have_referee(const struct orr_schedule *s)
{
    const struct orr_child_plan plan = {s->program, "__referee", s->child_mask, NULL};
    return s->child->pid > 0 ? 0 : orr_child_start(s->child, &plan);
}

int orr_schedule_keep(const struct orr_schedule *s, json_t *record)
{
    int code = orr_journal_append(s->journal, record);
    if (!code)
        orr_journal_records_add(s->records, record);
    return code;
}

static void remark(const struct orr_schedule *s, const char *device, const char *why)
{
    char text[640];
    snprintf(text, sizeof text, "no ceiling of %s: %s", device, why);
    if (s->remark)
        s->remark(s->context, text);
}

/* Remembers a failed ceiling, so that it is not tried before every cell. Not written to the
 * journal. */
static void give_up_ceiling(const struct orr_schedule *s, const char *device, int round)
{
    json_t *record =
        json_pack("{s:s, s:s, s:i}", "record", "ceiling", "device", device, "round", round);
    orr_journal_records_add(s->records, record);
    json_decref(record);
}

/* Measures the ceiling of the cell's device, once a round. A device without one still runs its
 * cells. */
static int have_ceiling(const struct orr_schedule *s, const char *device, int round,
                        bool *interrupted)
{
    json_t *known = json_object_get(s->records->ceilings, device);
    if (known && (s->one_ceiling || orr_cell_rounds_of(known) == round))
        return 0;
    json_t *answer;
    char reason[512];
    enum orr_heard heard =
        orr_child_ask(s->child, json_pack("{s:s, s:s}", "ask", "ceiling", "device", device),
                      CEILING_TIMEOUT_S, s->signals, NULL, NULL, &answer);
    *interrupted = heard == ORR_HEARD_SIGNAL;
    json_t *record = json_object_get(answer, "record");
    int code = 0;
    if (record) {
        json_object_set_new(record, "round", json_integer(round));
        code = orr_schedule_keep(s, record);
    } else {
        const char *text = orr_json_text(answer, "text");
        if (heard != ORR_HEARD_MESSAGE)
            orr_child_reap(s->child, reason, sizeof reason);
        if (!*interrupted)
            remark(s, device, text ? text : heard == ORR_HEARD_TIMEOUT ? "timed out" : reason);
        give_up_ceiling(s, device, round);
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
        json_array_foreach(orr_json_follow(record, "samples/device_s"), k, value)
        {
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
        json_object_set_new(request, "bodies_file", json_string(path));
    }
    return request;
}

static void set_outcome(json_t *record, const char *outcome, const char *reason, double wall_s)
{
    json_object_set_new(record, "outcome", json_string(outcome));
    json_object_set_new(record, "reason", json_string(reason));
    json_object_set_new(record, "wall_s", json_real(wall_s));
}

/* The record of a cell that lost its referee. */
static void conclude_lost(const struct orr_schedule *s, const struct orr_cell *cell,
                          enum orr_heard heard, json_t *record, double wall_s)
{
    char reason[512];
    const char *outcome = orr_child_reap(s->child, reason, sizeof reason);
    if (heard == ORR_HEARD_TIMEOUT) {
        outcome = "timed out";
        json_object_set_new(record, "timeout_s", json_real(cell->timeout_s));
        snprintf(reason, sizeof reason, "no result within %g s; --timeout S allows more",
                 cell->timeout_s);
    } else if (heard == ORR_HEARD_NOISE) {
        snprintf(reason, sizeof reason, "%s", damaged_answer);
    }
    set_outcome(record, outcome, reason, wall_s);
}

static bool is_concluded(const json_t *record)
{
    return orr_json_text(record, "outcome") && orr_json_text(record, "reason");
}

/* Asks the referee for the cell. A new reference in *out, NULL when interrupted. */
static int run_under_referee(const struct orr_schedule *s, const struct orr_cell *cell,
                             json_t **out)
{
    double start = orr_clock_now();
    json_t *answer, *record = orr_cell_record_begin(cell);
    *out = NULL;
    const double limit_s = cell->timeout_s + (cell->ranks > 1 ? GRACE_OF_RANKS_S : GRACE_S);
    enum orr_heard heard =
        orr_child_ask(s->child, cell_request(s, cell), limit_s, s->signals, NULL, NULL, &answer);
    if (heard == ORR_HEARD_SIGNAL) {
        json_decref(record);
        return 0;
    }
    json_t *finished = json_object_get(answer, "record");
    const char *text = orr_json_text(answer, "text");
    if (finished)
        json_object_update(record, finished);
    else if (answer)
        set_outcome(record, "failed", text ? text : "", orr_clock_now() - start);
    else
        conclude_lost(s, cell, heard, record, orr_clock_now() - start);
    if (!is_concluded(record))
        set_outcome(record, "crashed", damaged_answer, orr_clock_now() - start);
    json_decref(answer);
    *out = record;
    return 0;
}

static json_t *extrapolate(const struct orr_schedule *s, const struct orr_cell *cell)
{
    json_t *source = orr_journal_records_cell(s->records, cell->extrapolate_from),
           *record = orr_cell_record_extrapolate(cell, source);
    json_decref(source);
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

static int make_record(const struct orr_schedule *s, const struct orr_cell *cell, int round,
                       json_t **out)
{
    bool interrupted = false;
    *out = NULL;
    if (*cell->extrapolate_from || cell->refused) {
        *out = *cell->extrapolate_from ? extrapolate(s, cell) : orr_cell_record_refuse(cell);
        return 0;
    }
    int code = orr_schedule_have_referee(s);
    if (!code && !cell->once)
        code = have_ceiling(s, cell->device, round, &interrupted);
    if (!code && !interrupted)
        code = orr_schedule_have_referee(s);
    const struct orr_cell again = as_measured_again(cell, round);
    return code || interrupted ? code : run_under_referee(s, &again, out);
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
        code = orr_schedule_keep(s, record);
        if (!code) {
            orr_schedule_count(tally, orr_json_text(record, "outcome"));
            tally->left--;
        }
        if (!code && s->after)
            s->after(s->context, round, place, cell, record);
        json_decref(record);
    }
    return code;
}

/* --- rounds --- */

/* Moves cells of as many ranks together, else in the order they have: others need other workers,
 * which take seconds to start. */
static void group_ranks(const struct orr_schedule *s, size_t *order, size_t count)
{
    for (size_t k = 1; k < count; k++) {
        size_t moved = order[k], at = k;
        for (; at > 0 && s->cells[order[at - 1]].ranks > s->cells[moved].ranks; at--)
            order[at] = order[at - 1];
        order[at] = moved;
    }
}

/* A random order that the round gives. What those behind are scaled from is measured by then. */
static size_t *order_of(const struct orr_schedule *s, int round)
{
    size_t *order = malloc((s->count + 1) * sizeof *order), measured = 0, last = s->count;
    uint64_t state = s->seed + (uint64_t)round * 0x9e3779b97f4a7c15u;
    for (size_t k = s->count; order && k-- > 0;)
        if (*s->cells[k].extrapolate_from)
            order[--last] = k;
    for (size_t k = 0; order && k < s->count; k++)
        if (!*s->cells[k].extrapolate_from)
            order[measured++] = k;
    for (size_t k = order ? measured : 0; k > 1; k--) {
        size_t other = orr_stats_random_below(&state, k), kept = order[k - 1];
        order[k - 1] = order[other];
        order[other] = kept;
    }
    if (order)
        group_ranks(s, order, measured);
    return order;
}

/* A cell that failed in a round is not measured in the next ones. */
static bool failed_before(const struct orr_schedule *s, const struct orr_cell *cell, int round)
{
    for (int k = 1; k < round; k++) {
        const json_t *record = orr_journal_records_round(s->records, cell->id, k);
        if (record && !orr_journal_is_measured(record))
            return true;
    }
    return false;
}

static bool is_wanted(const struct orr_schedule *s, size_t k, int round)
{
    if (*s->cells[k].extrapolate_from && round < s->rounds)
        return false;
    return !(s->skip && s->skip[(size_t)(round - 1) * s->count + k]);
}

void orr_schedule_begin_round(const struct orr_schedule *s)
{
    json_t *answer;
    char reason[512];
    if (s->child->pid > 0 && orr_child_ask(s->child, json_pack("{s:s}", "ask", "round"), GRACE_S,
                                           -1, NULL, NULL, &answer) != ORR_HEARD_MESSAGE)
        orr_child_reap(s->child, reason, sizeof reason);
    else if (s->child->pid > 0)
        json_decref(answer);
}

static int run_round(const struct orr_schedule *s, int round, struct orr_tally *out)
{
    size_t *order = order_of(s, round), place = 0;
    int code = order ? 0 : orr_fail(ORR_EMEMORY, "no memory for the order of the cells");
    orr_schedule_begin_round(s);
    for (size_t k = 0; k < s->count && !code && !out->interrupted; k++) {
        const struct orr_cell *cell = &s->cells[order[k]];
        place += round == s->rounds || !*cell->extrapolate_from;
        if (!is_wanted(s, order[k], round))
            continue;
        if (failed_before(s, cell, round))
            out->left--;
        else
            code = run_one(s, round, place, cell, out);
    }
    free(order);
    return code;
}

int orr_schedule_run(const struct orr_schedule *s, struct orr_tally *out)
{
    int code = 0;
    *out = (struct orr_tally){0};
    const int first = s->first ? s->first : 1;
    for (int round = first; round <= s->rounds; round++)
        for (size_t k = 0; k < s->count; k++)
            out->left += is_wanted(s, k, round);
    for (int round = first; round <= s->rounds && !code && !out->interrupted; round++)
        code = run_round(s, round, out);
    return code;
}
