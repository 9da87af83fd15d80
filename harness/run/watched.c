#include "run/watched.h"

#include <libgen.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "error.h"
#include "json_member.h"
#include "ledger/cell_rounds.h"
#include "ledger/journal_flaw.h"
#include "measure/device_lock.h"
#include "run/schedule_access.h"
#include "run/worker.h"
#include "sandbox.h"

void orr_watched_begin(struct orr_watched *out, const char *path)
{
    *out = (struct orr_watched){.run = "", .written = -1};
    snprintf(out->path, sizeof out->path, "%s", path);
    char above[sizeof out->path];
    memcpy(above, out->path, sizeof above);
    snprintf(out->folder, sizeof out->folder, "%s", dirname(above));
}

void orr_watched_release(struct orr_watched *watched)
{
    json_decref(watched->session);
    json_decref(watched->end);
    free(watched->order);
    orr_journal_records_release(&watched->records);
    orr_progress_release(&watched->progress);
    orr_plan_release(&watched->plan);
    orr_request_release(&watched->request);
    *watched = (struct orr_watched){.run = ""};
}

/* --- the plan --- */

/* What a later round alone has is no measurement of the others. */
static int begin_progress(struct orr_watched *w)
{
    const size_t count = w->plan.count, all = count * (size_t)w->plan.rounds;
    bool *skip = calloc(all + 1, sizeof *skip);
    if (!skip)
        return orr_fail(ORR_EMEMORY, "no memory for %zu cells", count);
    for (size_t k = 0; k + count < all; k++)
        skip[k] = *w->plan.cells[k % count].extrapolate_from;
    int code = orr_progress_begin(&w->progress, stdout, w->plan.cells, count, w->plan.rounds, skip);
    free(skip);
    return code;
}

static int plan_devices(struct orr_device_info devices[ORR_DEVICE_MOST], const json_t *run)
{
    int count = 0;
    size_t k;
    json_t *device;
    json_array_foreach(json_object_get(run, "devices"), k, device)
    {
        if (count < ORR_DEVICE_MOST)
            orr_worker_device_from_json(&devices[count++], device);
    }
    return count;
}

static int make_plan(struct orr_watched *w, json_t *run)
{
    struct orr_device_info devices[ORR_DEVICE_MOST];
    const char *plan = json_string_value(orr_json_follow(run, "shard/plan"));
    int count = plan_devices(devices, run), code = 0;
    if (w->request.sandbox)
        orr_sandbox_ask();
    code = orr_sandbox_open();
    if (!code)
        code = orr_schedule_plan(&w->plan, &w->request, devices, count);
    orr_sandbox_close();
    if (!code && plan && strcmp(plan, w->plan.split.plan) != 0)
        code = orr_fail(ORR_EINPUT, "this Orrery makes another plan of its request");
    return code ? code : begin_progress(w);
}

static void drop_plan(struct orr_watched *w, const char *why)
{
    snprintf(w->unplanned, sizeof w->unplanned, "%s", why);
    orr_progress_release(&w->progress);
    orr_plan_release(&w->plan);
    w->plan = (struct orr_plan){0};
    orr_error_clear();
}

/* Without a plan a run can be watched as well, but nobody knows what is left. */
static void plan(struct orr_watched *w, json_t *run)
{
    if (orr_request_from_json(&w->request, json_object_get(run, "request"))) {
        drop_plan(w, orr_error_text());
        return;
    }
    if (orr_schedule_is_of_ceilings(&w->request))
        return;
    if (make_plan(w, run))
        drop_plan(w, orr_error_text());
    else
        orr_progress_learn(&w->progress, w->folder, w->path);
}

static const struct orr_cell *cell_of(const struct orr_watched *w, const char *id)
{
    for (size_t k = 0; id && k < w->plan.count; k++)
        if (!strcmp(w->plan.cells[k].id, id))
            return &w->plan.cells[k];
    return NULL;
}

static const size_t *order_of(struct orr_watched *w, int round)
{
    const struct orr_schedule schedule = {.cells = w->plan.cells,
                                          .count = w->plan.count,
                                          .rounds = w->plan.rounds,
                                          .seed = w->request.seed ? w->request.seed : 1};
    if (w->order_round != round) {
        free(w->order);
        w->order = orr_schedule_order(&schedule, round);
        w->order_round = round;
    }
    return w->order;
}

/* As the run itself counts: in rounds but the last one without cells that are extrapolated. */
static size_t place_of(struct orr_watched *w, int round, const struct orr_cell *cell)
{
    const size_t *order = order_of(w, round);
    size_t place = 0;
    for (size_t k = 0; order && k < w->plan.count; k++) {
        const struct orr_cell *other = &w->plan.cells[order[k]];
        place += round == w->plan.rounds || !*other->extrapolate_from;
        if (other == cell)
            break;
    }
    return place;
}

/* --- reading --- */

struct looking {
    struct orr_watched *watched;
    const struct orr_watched_listener *listener;
};

static int tell(const struct looking *looking, json_t *record)
{
    struct orr_watched *w = looking->watched;
    struct orr_watched_event event = {
        .watched = w, .record = record, .round = orr_cell_rounds_of(record)};
    const char *id = orr_json_text(record, "id");
    event.cell = cell_of(w, id);
    if (id && w->plan.count && (!event.cell || event.round < 1 || event.round > w->plan.rounds)) {
        drop_plan(w, "this Orrery would measure other cells for its request");
        event.cell = NULL;
    }
    if (event.cell) {
        event.place = place_of(w, event.round, event.cell);
        orr_progress_after(&w->progress, event.round, event.cell, record);
    }
    return looking->listener ? looking->listener->hear(looking->listener->context, &event) : 0;
}

static void begin_session(struct orr_watched *w, json_t *record)
{
    json_decref(w->session);
    json_decref(w->end);
    w->session = json_incref(record);
    w->end = NULL;
    w->sessions++;
    orr_time_estimate_add(&w->progress.estimate, record);
}

static int take(json_t *record, size_t line, void *context)
{
    const struct looking *looking = context;
    struct orr_watched *w = looking->watched;
    const char *kind = orr_json_text(record, "record");
    char why[160];
    if (orr_journal_flaw(why, sizeof why, record)) {
        orr_journal_damage_add(&w->records.damage, w->path, line, why);
        return 0;
    }
    int code = orr_journal_records_add(&w->records, record);
    if (code || !kind)
        return code;
    if (!strcmp(kind, "run") && !w->session) {
        const char *run = orr_json_text(w->records.run, "run");
        w->run = run ? run : "";
        plan(w, record);
        begin_session(w, record);
    } else if (!strcmp(kind, "resume")) {
        begin_session(w, record);
    } else if (!strcmp(kind, "end") && !w->end) {
        w->end = json_incref(record);
    } else if ((!strcmp(kind, "cell") && orr_json_text(record, "outcome")) ||
               !strcmp(kind, "access_ceilings")) {
        code = tell(looking, record);
    }
    return code;
}

int orr_watched_look(struct orr_watched *w, const struct orr_watched_listener *listener)
{
    const struct looking looking = {w, listener};
    struct stat status;
    int code = w->records.cells ? 0 : orr_journal_records_make(&w->records);
    /* Asked first: what a process wrote before it went is read below. */
    w->written = w->end ? 0 : orr_journal_is_written(w->path);
    if (!code)
        code = orr_journal_read_on(&w->place, w->path, take, (void *)&looking, &w->records.damage);
    if (!code && !stat(w->path, &status))
        w->changed = (double)status.st_mtim.tv_sec + 1e-9 * (double)status.st_mtim.tv_nsec;
    return code;
}

/* --- what is known --- */

enum orr_watched_state orr_watched_state(const struct orr_watched *w)
{
    if (w->end)
        return json_is_true(json_object_get(w->end, "interrupted")) ? ORR_WATCHED_INTERRUPTED
                                                                    : ORR_WATCHED_OVER;
    return w->written > 0    ? ORR_WATCHED_RUNNING
           : w->written == 0 ? ORR_WATCHED_STOPPED
                             : ORR_WATCHED_UNKNOWN;
}

json_t *orr_watched_telling(const json_t *rounds)
{
    size_t k;
    json_t *record = NULL;
    json_array_foreach(rounds, k, record)
    {
        if (!orr_journal_is_measured(record))
            return record;
    }
    return json_array_get(rounds, json_array_size(rounds) - 1);
}

static int rounds_of(const struct orr_watched *w)
{
    return w->plan.rounds ? w->plan.rounds : w->request.repeats > 0 ? w->request.repeats : 1;
}

/* Every device is measured in each round. */
static void count_ceilings(struct orr_watched_counts *out, const struct orr_watched *w)
{
    struct orr_device_info devices[ORR_DEVICE_MOST];
    const struct orr_device_info *used[ORR_DEVICE_MOST];
    const int count = plan_devices(devices, w->records.run);
    const char *device;
    size_t devices_used = 0, k;
    json_t *rounds, *record;
    if (orr_plan_devices(used, &devices_used, &w->request, devices, count))
        orr_error_clear();
    out->measurements = devices_used * (size_t)out->rounds;
    json_object_foreach(w->records.access, device, rounds)
    {
        out->measured += json_array_size(rounds);
        json_array_foreach(rounds, k, record)
        {
            const int round = orr_cell_rounds_of(record);
            out->round = round > out->round ? round : out->round;
            orr_schedule_access_rates(record) ? out->tally.ok++ : out->tally.failed++;
        }
    }
}

void orr_watched_count(struct orr_watched_counts *out, const struct orr_watched *w)
{
    const char *id;
    json_t *rounds;
    *out = (struct orr_watched_counts){.cells = w->plan.count, .rounds = rounds_of(w)};
    if (orr_schedule_is_of_ceilings(&w->request)) {
        count_ceilings(out, w);
        return;
    }
    for (size_t k = 0; k < w->plan.count; k++)
        out->measurements += *w->plan.cells[k].extrapolate_from ? 1 : (size_t)out->rounds;
    json_object_foreach(w->records.cells, id, rounds)
    {
        json_t *record = orr_watched_telling(rounds);
        const int round = orr_cell_rounds_of(record);
        const bool over = orr_journal_ends_cell(record, out->rounds);
        /* What failed is not tried in the rounds behind. */
        out->measured += !over || orr_json_text(record, "extrapolated_from")
                             ? json_array_size(rounds)
                             : (size_t)out->rounds;
        out->done += over;
        out->round = round > out->round ? round : out->round;
        if (over)
            orr_schedule_count(&out->tally, orr_json_text(record, "outcome"));
    }
    /* It came to its end, whatever this Orrery would plan today. */
    if (orr_watched_state(w) == ORR_WATCHED_OVER) {
        out->cells = out->done;
        out->measurements = out->measured;
    }
}

void orr_watched_end(struct orr_tally *out, const struct orr_watched *w)
{
    *out = (struct orr_tally){
        .ok = (int)orr_json_integer(w->end, "ok"),
        .wrong = (int)orr_json_integer(w->end, "wrong"),
        .failed = (int)orr_json_integer(w->end, "failed"),
        .unsupported = (int)orr_json_integer(w->end, "unsupported"),
        .wrong_on_purpose = (int)orr_json_integer(w->end, "wrong_on_purpose"),
        .interrupted = json_is_true(json_object_get(w->end, "interrupted")),
    };
}

bool orr_watched_now(struct orr_watched_event *out, struct orr_watched *w)
{
    const size_t count = w->plan.count;
    for (int round = 1; round <= w->plan.rounds; round++) {
        const size_t *order = order_of(w, round);
        const bool *done = w->progress.done + (size_t)(round - 1) * count;
        for (size_t k = 0; order && k < count; k++)
            if (!done[order[k]]) {
                *out = (struct orr_watched_event){
                    .watched = w, .cell = &w->plan.cells[order[k]], .round = round};
                out->place = place_of(w, round, out->cell);
                return true;
            }
    }
    return false;
}

/* The estimate of the run itself, less what has passed of the cell that is under way. */
double orr_watched_left(struct orr_watched *w, double at)
{
    struct orr_watched_event now;
    if (!w->plan.count)
        return NAN;
    if (w->left.lines != w->place.lines) {
        w->left.seconds = orr_progress_left(&w->progress);
        w->left.lines = w->place.lines;
    }
    double left = w->left.seconds;
    if (orr_watched_now(&now, w)) {
        double cell = orr_time_estimate_cell(&w->progress.estimate, now.cell, now.round > 1);
        left -= fmin(fmax(at - w->changed, 0), cell);
    }
    return fmax(left, 0);
}

int orr_watched_pid(const struct orr_watched *w)
{
    size_t k;
    json_t *key;
    int pid = 0;
    json_array_foreach(orr_json_follow(w->session, "locks/held"), k, key)
    {
        if (!pid && json_is_string(key))
            pid = orr_device_lock_pid(json_string_value(key), w->run);
    }
    return pid;
}

bool orr_watched_is_on_cores(const struct orr_watched *w)
{
    size_t k;
    json_t *key;
    const json_t *locks = json_object_get(w->session, "locks");
    json_array_foreach(json_object_get(locks, "held"), k, key)
    {
        if (json_is_string(key) && !strcmp(json_string_value(key), ORR_DEVICE_LOCK_CORES))
            return true;
    }
    return !locks || orr_json_text(locks, "missing");
}
