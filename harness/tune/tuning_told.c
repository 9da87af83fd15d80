/* What is told of a tuning: the record `tuned`. */
#include <math.h>
#include <string.h>

#include "clock.h"
#include "error.h"
#include "json_member.h"
#include "ledger/cell_rounds.h"
#include "run/cell_record.h"
#include "tune/tuning_parts.h"

enum { MOST_REFUSED = 20 };

static json_t *record_of(const struct orr_tuning *t, const char *id)
{
    return orr_journal_records_cell(t->schedule->records, id);
}

static const struct orr_configuration *find(const struct orr_tuning *t, uint64_t code)
{
    for (size_t k = 0; k < t->count; k++)
        if (t->items[k].code == code)
            return &t->items[k];
    return NULL;
}

int orr_tuning_check_default(const struct orr_tuning *t)
{
    static const struct {
        const char *outcome;
        int code;
    } codes[] = {{"wrong", ORR_EWRONG},
                 {"unsupported", ORR_EUNSUPPORTED},
                 {"no memory", ORR_EMEMORY},
                 {"timed out", ORR_ETIMEOUT}};
    const struct orr_configuration *usual = find(t, t->usual);
    json_t *record = usual ? record_of(t, usual->id) : NULL;
    int code = orr_journal_is_ok(record) ? 0 : ORR_EINTERNAL;
    const char *outcome = orr_json_text(record, "outcome"),
               *reason = orr_json_text(record, "reason");
    for (size_t k = 0; code && outcome && k < sizeof codes / sizeof *codes; k++)
        if (!strcmp(codes[k].outcome, outcome))
            code = codes[k].code;
    if (code)
        code = orr_fail(code, "%s has no result with its defaults, so there is no gain to find: %s",
                        t->wish->base.variant, reason && *reason ? reason : outcome);
    json_decref(record);
    return code;
}

/* --- configurations --- */

/* Those of the search that were measured; the default may be none of them. */
static size_t count_tried(const struct orr_tuning *t)
{
    const struct orr_knobs *knobs = t->wish->search.knobs;
    bool usual = true;
    for (size_t k = 0; k < knobs->count; k++)
        usual = usual && knobs->items[k].usual < knobs->items[k].count;
    return t->count - !usual;
}

static void copy(json_t *to, const json_t *from, const char *member)
{
    json_t *value = json_object_get(from, member);
    if (value)
        json_object_set(to, member, value);
}

/* Knobs, time, interval and processes of a cell. */
static json_t *row_of(const struct orr_tuning *t, uint64_t code, const json_t *record)
{
    json_t *row = json_pack("{s:o}", "knobs", orr_knobs_to_json(t->wish->search.knobs, code));
    copy(row, record, "seconds");
    if (json_array_size(orr_json_follow(record, "samples/step_s")) > 1)
        copy(row, record, "interval");
    const json_int_t processes = orr_json_integer(record, "processes");
    json_object_set_new(row, "processes", json_integer(processes > 0 ? processes : 1));
    json_object_set_new(row, "default", json_boolean(code == t->usual));
    return row;
}

static json_t *row_of_search(const struct orr_tuning *t, const struct orr_configuration *of,
                             double usual_s)
{
    json_t *record = record_of(t, of->id), *row = row_of(t, of->code, record);
    if (isfinite(usual_s))
        json_object_set_new(row, "over_default", json_real(usual_s / of->seconds));
    json_decref(record);
    return row;
}

/* The best ones, and the default where it is none of them. */
static json_t *rows_of(const struct orr_tuning *t)
{
    const struct orr_configuration *usual = find(t, t->usual);
    json_t *rows = json_array();
    size_t shown = 0;
    for (size_t k = 0; k < t->count; k++) {
        bool is_usual = t->items[k].code == t->usual;
        if (isfinite(t->items[k].seconds) && (shown < ORR_TUNING_SHOWN || is_usual)) {
            json_array_append_new(rows, row_of_search(t, &t->items[k], usual->seconds));
            shown++;
        }
    }
    return rows;
}

/* What has no result, the first of them with the reason; `outcomes` counts all. */
static json_t *refused_of(const struct orr_tuning *t, json_t *outcomes)
{
    json_t *refused = json_array();
    for (size_t k = 0; k < t->count; k++) {
        json_t *record = record_of(t, t->items[k].id);
        const char *outcome = orr_json_text(record, "outcome");
        json_object_set_new(outcomes, outcome,
                            json_integer(orr_json_integer(outcomes, outcome) + 1));
        if (!orr_journal_is_ok(record) && json_array_size(refused) < MOST_REFUSED)
            json_array_append_new(
                refused, json_pack("{s:o, s:s, s:s}", "knobs",
                                   orr_knobs_to_json(t->wish->search.knobs, t->items[k].code),
                                   "outcome", outcome, "reason", orr_json_text(record, "reason")));
        json_decref(record);
    }
    return refused;
}

/* --- sensitivity --- */

/* The time with another value of one knob, the others as in the best. */
static double time_with(const struct orr_tuning *t, size_t knob, size_t value)
{
    size_t places[ORR_MOST_KNOBS];
    orr_knobs_places(places, t->wish->search.knobs, t->best);
    places[knob] = value;
    const struct orr_configuration *of = find(t, orr_knobs_code(t->wish->search.knobs, places));
    return of ? of->seconds : INFINITY;
}

/* `spread`: the slowest of its values over the fastest; absent where one alone was measured. */
static json_t *sensitivity_of(const struct orr_tuning *t, size_t place)
{
    const struct orr_knob *knob = &t->wish->search.knobs->items[place];
    double least = INFINITY, most = 0;
    json_t *values = json_array();
    size_t places[ORR_MOST_KNOBS];
    orr_knobs_places(places, t->wish->search.knobs, t->best);
    for (size_t v = 0; v < knob->count; v++) {
        double seconds = time_with(t, place, v);
        if (!isfinite(seconds))
            continue;
        least = fmin(least, seconds);
        most = fmax(most, seconds);
        json_array_append_new(values, json_pack("{s:o, s:f}", "value",
                                                orr_cell_value_to_json(knob->values[v]), "seconds",
                                                seconds));
    }
    json_t *of = json_pack("{s:s, s:o, s:o, s:o}", "knob", knob->name, "best",
                           orr_cell_value_to_json(knob->values[places[place]]), "default",
                           orr_cell_value_to_json(knob->values[knob->usual]), "values", values);
    if (json_array_size(values) > 1)
        json_object_set_new(of, "spread", json_real(most / least));
    return of;
}

static json_t *sensitivities(const struct orr_tuning *t)
{
    json_t *all = json_array();
    for (size_t k = 0; k < t->wish->search.knobs->count; k++)
        json_array_append_new(all, sensitivity_of(t, k));
    return all;
}

/* --- the comparison --- */

static void tell_ratio(json_t *to, const struct orr_level_ratio *ratio, double margin)
{
    json_object_set_new(to, "ratio", json_real(ratio->ratio));
    if (isfinite(ratio->interval[0]) && isfinite(ratio->interval[1]))
        json_object_set_new(to, "interval",
                            json_pack("[f, f]", ratio->interval[0], ratio->interval[1]));
    if (ratio->decides)
        json_object_set_new(to, "p", json_real(ratio->p));
    const char *verdict =
        ratio->decides ? orr_stats_levels_finding(ratio->ratio, ratio->p,
                                                  orr_stats_levels_within(ratio, margin), margin)
                       : "unclear";
    json_object_set_new(to, "verdict", json_string(verdict));
    json_object_set_new(to, "gain", json_boolean(!strcmp(verdict, "faster")));
}

/* The default over the best, both measured anew. Where the best found is the default, or one of
 * them failed now, there is none. */
static int tell_comparison(json_t *to, const struct orr_tuning *t)
{
    const json_t *cells = t->schedule->records->cells;
    json_t *usual = record_of(t, t->last[0].id), *best = record_of(t, t->last[1].id);
    const json_t *failed = !orr_journal_is_ok(usual) ? usual : best;
    struct orr_level_ratio ratio;
    int code = 0;
    if (t->best == t->usual) {
        json_object_set_new(to, "verdict", json_string("default"));
        json_object_set_new(to, "gain", json_false());
    } else if (!orr_journal_is_ok(usual) || !orr_journal_is_ok(best)) {
        json_object_set_new(to, "verdict", json_string(orr_json_text(failed, "outcome")));
        json_object_set_new(to, "gain", json_false());
    } else {
        json_object_set_new(to, "default", row_of(t, t->usual, usual));
        json_object_set_new(to, "best", row_of(t, t->best, best));
        code = orr_cell_rounds_ratio(&ratio, json_object_get(cells, t->last[0].id),
                                     json_object_get(cells, t->last[1].id));
        if (!code)
            tell_ratio(to, &ratio, t->wish->margin);
    }
    json_decref(usual);
    json_decref(best);
    return code;
}

/* --- all of it --- */

static void tell_input(json_t *to, const struct orr_tuning *t)
{
    json_t *record = record_of(t, find(t, t->usual)->id);
    json_t *parameters = json_copy(json_object_get(record, "parameters"));
    const struct orr_knobs *knobs = t->wish->search.knobs;
    for (size_t k = 0; k < knobs->count; k++)
        json_object_del(parameters, knobs->items[k].name);
    json_object_set_new(to, "parameters", parameters);
    copy(to, record, "dataset");
    json_decref(record);
}

static void tell_search(json_t *to, const struct orr_tuning *t)
{
    const struct orr_search_wish *wish = &t->search.wish;
    json_t *outcomes = json_object();
    json_object_set_new(to, "candidates", orr_knobs_values_to_json(wish->knobs));
    json_object_set_new(to, "strategy", json_string(orr_search_strategy_name(wish->strategy)));
    json_object_set_new(to, "seed", json_integer((json_int_t)wish->seed));
    json_object_set_new(to, "configurations",
                        json_real((double)orr_knobs_configurations(wish->knobs)));
    json_object_set_new(to, "measured", json_integer((json_int_t)count_tried(t)));
    json_object_set_new(to, "budget_s",
                        t->wish->budget_s > 0 ? json_real(t->wish->budget_s) : json_null());
    json_object_set_new(to, "out_of_budget", json_boolean(t->out_of_time));
    json_object_set_new(to, "rows", rows_of(t));
    json_object_set_new(to, "refused", refused_of(t, outcomes));
    json_object_set_new(to, "outcomes", outcomes);
    json_object_set_new(to, "sensitivity", sensitivities(t));
}

int orr_tuning_to_json(json_t **out, const struct orr_tuning *t)
{
    const struct orr_cell *base = &t->wish->base;
    char finished[32];
    orr_cell_record_now(finished);
    json_t *record = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:f}", "record", "tuned",
                               "finished", finished, "variant", base->variant, "experiment",
                               base->experiment, "device", base->device, "device_name",
                               t->wish->device->name, "driver", t->wish->device->driver,
                               "plugin_sha256", t->plugin_sha256, "margin", t->wish->margin);
    if (!record)
        return orr_fail(ORR_EMEMORY, "no memory for what was tuned");
    tell_input(record, t);
    tell_search(record, t);
    json_t *usual = record_of(t, find(t, t->usual)->id);
    json_object_set_new(record, "default", row_of(t, t->usual, usual));
    json_decref(usual);
    json_object_set_new(record, "knobs", orr_knobs_to_json(t->wish->search.knobs, t->best));
    int code = tell_comparison(record, t);
    json_object_set_new(record, "wall_s", json_real(orr_clock_now() - t->started));
    if (code)
        json_decref(record);
    else
        *out = record;
    return code;
}
