/* A watched run as one object for programs: docs/schemas/watch.schema.json. */
#include <math.h>
#include <string.h>
#include <time.h>

#include "cli/run_parts.h"
#include "cli/watch_parts.h"
#include "clock.h"
#include "json_member.h"

static void set_new(json_t *object, const char *name, json_t *value)
{
    json_object_set_new(object, name, value ? value : json_null());
}

/* Members of `from` under their own names; null where there is none. */
static void copy(json_t *to, const json_t *from, const char *const *names, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        json_t *value = json_object_get(from, names[k]);
        set_new(to, names[k], value ? json_incref(value) : NULL);
    }
}

static json_t *seconds_or_null(double seconds)
{
    return isnan(seconds) ? json_null() : json_real(seconds);
}

/* ISO 8601; null before 1970. */
static json_t *moment_to_json(double at)
{
    char text[32];
    struct tm utc;
    const time_t whole = (time_t)at;
    if (!(at > 0) || !gmtime_r(&whole, &utc) ||
        !strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc))
        return json_null();
    return json_string(text);
}

static json_t *tally_to_json(const struct orr_watched_counts *c)
{
    const struct orr_tally *t = &c->tally;
    return json_pack("{s:I, s:o, s:i, s:i, s:i, s:i, s:i}", "over", (json_int_t)c->done, "planned",
                     c->cells ? json_integer((json_int_t)c->cells) : json_null(), "ok", t->ok,
                     "wrong", t->wrong, "failed", t->failed, "unsupported", t->unsupported,
                     "wrong_on_purpose", t->wrong_on_purpose);
}

/* What is measured now; null where it is not known. */
static json_t *now_to_json(struct orr_watched *run)
{
    struct orr_watched_event now;
    if (orr_watched_state(run) != ORR_WATCHED_RUNNING || !orr_watched_now(&now, run))
        return json_null();
    return json_pack("{s:s, s:s, s:s, s:s, s:i, s:f}", "id", now.cell->id, "experiment",
                     now.cell->experiment, "variant", now.cell->variant, "device", now.cell->device,
                     "round", now.round, "for_s", fmax(orr_clock_date() - run->changed, 0));
}

static json_t *cell_to_json(const json_t *record)
{
    static const char *const same[] = {"id",      "experiment", "variant", "device",  "dataset",
                                       "outcome", "reason",     "seconds", "interval"},
                             *const known[] = {"parameters", "processes",    "round", "rates",
                                               "sensors",    "surroundings", "beside"};
    json_t *cell = json_object();
    copy(cell, record, same, sizeof same / sizeof *same);
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (json_object_get(record, known[k]))
            json_object_set(cell, known[k], json_object_get(record, known[k]));
    if (!orr_journal_is_measured(record)) {
        json_object_set_new(cell, "seconds", json_null());
        json_object_set_new(cell, "interval", json_null());
    }
    json_t *error = json_object_get(json_object_get(record, "error"), "p99");
    set_new(cell, "error_p99", error ? json_incref(error) : NULL);
    return cell;
}

static json_t *faults_to_json(const struct orr_watched *run)
{
    const char *id;
    json_t *rounds, *faults = json_array();
    json_object_foreach(run->records.cells, id, rounds)
    {
        const json_t *record = orr_watched_telling(rounds);
        if (!orr_journal_is_measured(record))
            json_array_append_new(faults, cell_to_json(record));
    }
    return faults;
}

static json_t *run_to_json(struct orr_watched *run)
{
    static const char *const states[] = {"running", "over", "interrupted", "stopped", "unknown"};
    const enum orr_watched_state state = orr_watched_state(run);
    const json_t *machine = json_object_get(run->records.run, "machine");
    const int pid = state == ORR_WATCHED_RUNNING ? orr_watched_pid(run) : 0;
    const bool goes_on = state == ORR_WATCHED_RUNNING || state == ORR_WATCHED_UNKNOWN;
    char resume[1200];
    struct orr_watched_counts counts;
    struct orr_tally end;
    orr_watched_count(&counts, run);
    orr_watched_end(&end, run);
    orr_watch_resume(resume, sizeof resume, run);
    json_t *out =
        json_pack("{s:s, s:s, s:s, s:O?, s:O?}", "run", run->run, "journal", run->path, "state",
                  states[state], "request", json_object_get(run->records.run, "request"), "machine",
                  json_object_get(machine, "name"));
    set_new(out, "shard", json_incref(json_object_get(run->records.run, "shard")));
    set_new(out, "started", json_incref(json_object_get(run->records.run, "started")));
    set_new(out, "session_started", json_incref(json_object_get(run->session, "started")));
    set_new(out, "finished", json_incref(json_object_get(run->end, "finished")));
    set_new(out, "last_line", moment_to_json(run->changed));
    set_new(out, "pid", pid ? json_integer(pid) : NULL);
    set_new(out, "round", json_integer(counts.round));
    set_new(out, "rounds", json_integer(counts.rounds));
    set_new(out, "cells", tally_to_json(&counts));
    set_new(out, "measurements",
            json_pack("{s:I, s:o}", "made", (json_int_t)counts.measured, "planned",
                      counts.measurements ? json_integer((json_int_t)counts.measurements)
                                          : json_null()));
    set_new(out, "now", now_to_json(run));
    set_new(out, "left_s",
            goes_on ? seconds_or_null(orr_watched_left(run, orr_clock_date())) : NULL);
    set_new(out, "exit", run->end ? json_integer(orr_run_exit(&end)) : NULL);
    set_new(out, "resume",
            state == ORR_WATCHED_STOPPED || state == ORR_WATCHED_INTERRUPTED ? json_string(resume)
                                                                             : NULL);
    set_new(out, "unplanned", *run->unplanned ? json_string(run->unplanned) : NULL);
    set_new(out, "damaged_lines", json_integer((json_int_t)run->records.damage.count));
    set_new(out, "faults", faults_to_json(run));
    return out;
}

/* Times of the rounds up to it, and what was around its own. */
static json_t *item_to_json(const struct orr_watch *watch, const struct orr_watch_item *item)
{
    static const char *const own[] = {"round", "sensors", "surroundings", "beside"};
    json_t *whole = orr_watch_whole(watch, item), *cell = cell_to_json(whole);
    set_new(cell, "run", json_string(watch->runs[item->run].run));
    for (size_t k = 0; k < sizeof own / sizeof *own; k++) {
        json_t *value = json_object_get(item->record, own[k]);
        json_object_del(cell, own[k]);
        if (value)
            json_object_set(cell, own[k], value);
    }
    json_decref(whole);
    return cell;
}

json_t *orr_watch_to_json(struct orr_watch *watch)
{
    json_t *out = json_pack("{s:s}", "schema", "orrery/watch/1"), *runs = json_array(),
           *last = json_array();
    for (size_t k = 0; k < watch->count; k++)
        json_array_append_new(runs, run_to_json(&watch->runs[k]));
    for (size_t k = 0; k < watch->recent_count; k++)
        json_array_append_new(last, item_to_json(watch, &watch->recent[k]));
    set_new(out, "as_of", moment_to_json(orr_clock_date()));
    set_new(out, "runs", runs);
    set_new(out, "last", last);
    set_new(out, "claims",
            watch->job.claims ? json_pack("{s:o, s:O}", "judged", moment_to_json(watch->job.judged),
                                          "verdicts", watch->job.claims)
                              : NULL);
    return out;
}
