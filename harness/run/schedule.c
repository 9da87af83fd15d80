#include "run/schedule.h"

#include <stdio.h>
#include <string.h>

#include "error.h"
#include "clock.h"
#include "json_member.h"
#include "run/cell_record.h"

static const double CEILING_TIMEOUT_S = 120;
/* A referee gives its worker up in time; one that does not answer either is given up later. */
static const double GRACE_S = 2;
static const char damaged_answer[] = "crashed: the referee's answer is damaged";

void orr_schedule_count(struct orr_tally *tally, const char *outcome)
{
    if (!strcmp(outcome, "ok"))
        tally->ok++;
    else if (!strcmp(outcome, "wrong"))
        tally->wrong++;
    else if (!strcmp(outcome, "unsupported"))
        tally->unsupported++;
    else
        tally->failed++;
}

static int have_referee(const struct orr_schedule *s)
{
    const struct orr_child_plan plan = {s->program, "__referee", s->child_mask, NULL};
    return s->child->pid > 0 ? 0 : orr_child_start(s->child, &plan);
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
static int give_up_ceiling(const struct orr_schedule *s, const char *device)
{
    json_t *record = json_pack("{s:s, s:s}", "record", "ceiling", "device", device);
    int code = orr_journal_records_add(s->records, record);
    json_decref(record);
    return code;
}

/* Measures the ceiling of the cell's device, once a journal. A device without one still runs its
 * cells. */
static int have_ceiling(const struct orr_schedule *s, const char *device, bool *interrupted)
{
    if (json_object_get(s->records->ceilings, device))
        return 0;
    json_t *answer;
    char reason[512];
    enum orr_heard heard =
        orr_child_ask(s->child, json_pack("{s:s, s:s}", "ask", "ceiling", "device", device),
                      CEILING_TIMEOUT_S, s->signals, NULL, NULL, &answer);
    *interrupted = heard == ORR_HEARD_SIGNAL;
    json_t *record = json_object_get(answer, "record");
    int code;
    if (record) {
        code = orr_journal_append(s->journal, record);
        if (!code)
            code = orr_journal_records_add(s->records, record);
    } else {
        const char *text = orr_json_text(answer, "text");
        if (heard != ORR_HEARD_MESSAGE)
            orr_child_reap(s->child, reason, sizeof reason);
        if (!*interrupted)
            remark(s, device, text ? text : heard == ORR_HEARD_TIMEOUT ? "timed out" : reason);
        code = give_up_ceiling(s, device);
    }
    json_decref(answer);
    return code;
}

static json_t *cell_request(const struct orr_schedule *s, const struct orr_cell *cell)
{
    json_t *request = json_pack("{s:s, s:o, s:I, s:O*}", "ask", "cell", "cell",
                                orr_cell_to_json(cell), "seed", (json_int_t)s->seed, "ceiling",
                                json_object_get(s->records->ceilings, cell->device));
    if (request && cell->keep_bodies) {
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
    if (!record)
        return orr_fail(ORR_EMEMORY, "no memory for a record");
    enum orr_heard heard = orr_child_ask(s->child, cell_request(s, cell), cell->timeout_s + GRACE_S,
                                         s->signals, NULL, NULL, &answer);
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

static int make_record(const struct orr_schedule *s, const struct orr_cell *cell, json_t **out)
{
    bool interrupted = false;
    *out = NULL;
    if (*cell->extrapolate_from) {
        *out = orr_cell_record_extrapolate(
            cell, orr_journal_records_cell(s->records, cell->extrapolate_from));
        return *out ? 0 : orr_fail(ORR_EMEMORY, "no memory for a record");
    }
    if (cell->refused) {
        *out = orr_cell_record_refuse(cell);
        return *out ? 0 : orr_fail(ORR_EMEMORY, "no memory for a record");
    }
    int code = have_referee(s);
    if (!code && !cell->once)
        code = have_ceiling(s, cell->device, &interrupted);
    if (!code && !interrupted)
        code = have_referee(s);
    return code || interrupted ? code : run_under_referee(s, cell, out);
}

static int run_one(const struct orr_schedule *s, size_t place, const struct orr_cell *cell,
                   struct orr_tally *tally)
{
    json_t *record;
    if (s->before)
        s->before(s->context, place, cell);
    int code = make_record(s, cell, &record);
    tally->interrupted = !code && !record;
    if (record) {
        code = orr_journal_append(s->journal, record);
        if (!code)
            code = orr_journal_records_add(s->records, record);
        if (!code) {
            orr_schedule_count(tally, orr_json_text(record, "outcome"));
            tally->left--;
        }
        if (!code && s->after)
            s->after(s->context, place, cell, record);
        json_decref(record);
    }
    return code;
}

/* Extrapolated cells come last: what they are scaled from is measured by then. */
int orr_schedule_run(const struct orr_schedule *s, struct orr_tally *out)
{
    *out = (struct orr_tally){0};
    size_t place = 0;
    for (size_t k = 0; k < s->count; k++)
        s->skip && s->skip[k] ? (void)place++ : (void)out->left++;
    for (int extrapolated = 0; extrapolated < 2; extrapolated++)
        for (size_t k = 0; k < s->count; k++) {
            const struct orr_cell *cell = &s->cells[k];
            if ((s->skip && s->skip[k]) || (*cell->extrapolate_from != '\0') != extrapolated)
                continue;
            int code = run_one(s, ++place, cell, out);
            if (code || out->interrupted)
                return code;
        }
    return 0;
}
