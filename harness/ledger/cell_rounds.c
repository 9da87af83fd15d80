#include "ledger/cell_rounds.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "json_member.h"
#include "ledger/journal.h"
#include "measure/stats.h"
#include "measure/surroundings.h"

int orr_cell_rounds_of(const json_t *record)
{
    json_int_t round = orr_json_integer(record, "round");
    return round > 0 && round < 1000000 ? (int)round : 1;
}

static bool is_extrapolated(const json_t *record)
{
    return json_object_get(record, "extrapolated_from");
}

int orr_cell_rounds_put(json_t *rounds, json_t *record)
{
    size_t place = 0;
    const json_t *first = json_array_get(rounds, 0);
    if (first && is_extrapolated(first) != is_extrapolated(record)) {
        if (is_extrapolated(record))
            return 0;
        json_array_clear(rounds);
    }
    while (place < json_array_size(rounds) &&
           orr_cell_rounds_of(json_array_get(rounds, place)) < orr_cell_rounds_of(record))
        place++;
    const json_t *there = json_array_get(rounds, place);
    bool again = there && orr_cell_rounds_of(there) == orr_cell_rounds_of(record);
    return again ? json_array_set(rounds, place, record) : json_array_insert(rounds, place, record);
}

/* --- times --- */

/* Finite numbers of `member` of every round; counts[p] of them are of round p. */
static double *gather(const json_t *rounds, const char *member, size_t *counts)
{
    size_t p, k, all = 0, used = 0;
    json_t *record, *value;
    json_array_foreach(rounds, p, record) all += json_array_size(orr_json_follow(record, member));
    double *values = malloc((all + 1) * sizeof *values);
    json_array_foreach(rounds, p, record)
    {
        counts[p] = 0;
        json_array_foreach(orr_json_follow(record, member), k, value)
        {
            if (!values || !json_is_number(value))
                continue;
            values[used++] = json_number_value(value);
            counts[p]++;
        }
    }
    return values;
}

static void set_number(json_t *to, const char *member, double value)
{
    if (isfinite(value))
        json_object_set_new(to, member, json_real(value));
}

static void set_summary(json_t *to, const struct orr_level_summary *s)
{
    set_number(to, "seconds", s->median);
    /* A record of one sample has it twice as an interval, which says that nothing varies. */
    json_object_del(to, "interval");
    if (isfinite(s->interval[0]))
        json_object_set_new(to, "interval", json_pack("[f, f]", s->interval[0], s->interval[1]));
    json_t *spread = json_object();
    set_number(spread, "within", s->within);
    set_number(spread, "between", s->between);
    json_object_set_new(to, "spread", spread);
    set_number(to, "p5", s->p5);
    set_number(to, "p95", s->p95);
    json_object_set_new(to, "two_peaks", json_boolean(s->two_peaks));
    set_number(to, "halving", s->halving);
}

/* Also of a single round, whose own median and interval are the same. */
static int summarise(json_t *to, const json_t *rounds)
{
    size_t count = json_array_size(rounds), *counts = calloc(count + 1, sizeof *counts);
    double *values = counts ? gather(rounds, "samples/step_s", counts) : NULL;
    bool whole = values;
    for (size_t p = 0; whole && p < count; p++)
        whole = counts[p] > 0;
    struct orr_level_summary summary;
    int code = !values ? ORR_EMEMORY
               : whole ? orr_stats_levels(&summary, &(struct orr_levels){values, counts, count})
                       : 0;
    if (!code && whole)
        set_summary(to, &summary);
    free(values);
    free(counts);
    return code;
}

/* The median over the rounds of the number at `path`; NAN where none has it. */
static double median_over(const json_t *rounds, const char *path)
{
    size_t p, count = 0;
    json_t *record;
    double *values = malloc((json_array_size(rounds) + 1) * sizeof *values);
    json_array_foreach(rounds, p, record)
    {
        const json_t *value = orr_json_follow(record, path);
        if (values && json_is_number(value))
            values[count++] = json_number_value(value);
    }
    double median = orr_stats_median(values, count);
    free(values);
    return median;
}

/* Stays as it is where no round has it. */
static void set_median(json_t *to, const json_t *rounds, const char *member)
{
    set_number(to, member, median_over(rounds, member));
}

static double sum_of(const json_t *rounds, const char *member)
{
    size_t p;
    json_t *record;
    double sum = 0;
    json_array_foreach(rounds, p, record) sum += orr_json_number(record, member);
    return sum;
}

/* Rates of the work of `from`, had it taken so long. */
static void scale_rates(json_t *to, const json_t *from, double seconds)
{
    static const char *const rates[] = {"interactions_per_second", "bodies_per_second"};
    for (size_t k = 0; k < sizeof rates / sizeof *rates; k++) {
        const json_t *value = json_object_get(from, rates[k]);
        if (json_is_number(value))
            set_number(to, rates[k],
                       json_number_value(value) * orr_json_number(from, "seconds") / seconds);
    }
}

/* --- lists --- */

/* Appends the items of `from`, which are places among samples or have such a member, moved by as
 * many samples as came before. */
static void append_moved(json_t *to, const json_t *from, const char *member, json_int_t offset)
{
    size_t k;
    json_t *item;
    json_array_foreach(from, k, item)
    {
        json_t *moved = member ? json_copy(item) : json_integer(json_integer_value(item) + offset);
        if (member)
            json_object_set_new(moved, member,
                                json_integer(orr_json_integer(item, member) + offset));
        json_array_append_new(to, moved);
    }
}

/* Every list of `samples`, one process after another, and `process` of each of step_s. */
static json_t *join_samples(const json_t *rounds)
{
    size_t p;
    json_t *record, *joined = json_object(), *process = json_array();
    json_int_t offset = 0;
    json_array_foreach(rounds, p, record)
    {
        const char *name;
        json_t *list, *samples = json_object_get(record, "samples");
        json_object_foreach(samples, name, list)
        {
            if (!json_object_get(joined, name))
                json_object_set_new(joined, name, json_array());
            if (!strcmp(name, "throttled"))
                append_moved(json_object_get(joined, name), list, NULL, offset);
            else
                json_array_extend(json_object_get(joined, name), list);
        }
        size_t taken = json_array_size(json_object_get(samples, "step_s"));
        for (size_t k = 0; k < taken; k++)
            json_array_append_new(process, json_integer((json_int_t)p));
        offset += (json_int_t)taken;
    }
    json_object_set_new(joined, "process", process);
    return joined;
}

static json_t *join_checks(const json_t *rounds)
{
    size_t p;
    json_t *record, *joined = json_array();
    json_int_t offset = 0;
    json_array_foreach(rounds, p, record)
    {
        append_moved(joined, json_object_get(record, "checks"), "sample", offset);
        offset += (json_int_t)json_array_size(orr_json_follow(record, "samples/step_s"));
    }
    return joined;
}

static bool has(const json_t *list, const json_t *item)
{
    size_t k;
    json_t *other;
    json_array_foreach(list, k, other) if (json_equal(item, other)) return true;
    return false;
}

/* Every item of the list at `path` that any round has, once. */
static json_t *join_set(const json_t *rounds, const char *path)
{
    size_t p, k;
    json_t *record, *item, *joined = json_array();
    json_array_foreach(rounds, p, record) json_array_foreach(orr_json_follow(record, path), k, item)
    {
        if (!has(joined, item))
            json_array_append(joined, item);
    }
    return joined;
}

static json_t *part_named(const json_t *parts, const char *name)
{
    size_t k;
    json_t *part;
    json_array_foreach(parts, k,
                       part) if (!strcmp(orr_json_text(part, "name") ?: "", name)) return part;
    return NULL;
}

/* Phases or stages: the values of `series`, one process after another. A round without that name
 * leaves its places empty, so that those of several names stay side by side. */
static json_t *join_parts(const json_t *rounds, const char *list, const char *series)
{
    size_t p, k;
    json_t *record, *part, *joined = json_array();
    json_array_foreach(rounds, p, record) json_array_foreach(json_object_get(record, list), k, part)
    {
        const char *name = orr_json_text(part, "name");
        if (name && !part_named(joined, name))
            json_array_append_new(joined, json_copy(part));
    }
    json_array_foreach(joined, k, part)
    {
        if (!json_object_get(part, series))
            continue;
        json_t *values = json_array();
        json_array_foreach(rounds, p, record)
        {
            size_t samples = json_array_size(orr_json_follow(record, "samples/step_s")),
                   before = json_array_size(values);
            const json_t *own =
                part_named(json_object_get(record, list), orr_json_text(part, "name"));
            json_array_extend(values, json_object_get(own, series));
            while (json_array_size(values) < before + samples)
                json_array_append_new(values, json_null());
        }
        json_object_set_new(part, series, values);
    }
    return joined;
}

/* --- members --- */

/* Members by the end of their names: medians of medians, the least of _min, the most of _max; of
 * reasons each. */
static json_t *join_sensors(const json_t *rounds)
{
    size_t p;
    json_t *record, *joined = json_object();
    json_array_foreach(rounds, p, record)
    {
        const char *name;
        json_t *value;
        json_object_foreach(json_object_get(record, "sensors"), name, value)
        {
            json_t *before = json_object_get(joined, name);
            double number = json_number_value(value), other = json_number_value(before);
            bool least = strstr(name, "_min"), most = strstr(name, "_max");
            if (!before || (least && number < other) || (most && number > other))
                json_object_set(joined, name, value);
        }
    }
    const char *name;
    json_t *value;
    void *next;
    json_object_foreach_safe(joined, next, name, value)
    {
        char path[96];
        snprintf(path, sizeof path, "sensors/%s", name);
        if (json_is_array(value))
            json_object_set_new(joined, name, join_set(rounds, path));
        else if (strstr(name, "_median"))
            set_number(joined, name, median_over(rounds, path));
    }
    return joined;
}

/* Of the round in which others did most. */
static void set_busiest(json_t *to, const json_t *rounds)
{
    size_t p;
    json_t *record;
    double most = -1;
    json_array_foreach(rounds, p, record)
    {
        double others = json_number_value(orr_json_follow(record, "surroundings/others_cores"));
        bool marked = json_object_get(record, "beside");
        if (marked < !!json_object_get(to, "beside") ||
            (marked == !!json_object_get(to, "beside") && others <= most))
            continue;
        most = others;
        if (marked)
            json_object_set(to, "beside", json_object_get(record, "beside"));
        json_object_set(to, "surroundings", json_object_get(record, "surroundings"));
    }
}

/* How much others did beside most of the rounds, and how many of these are marked. */
static void set_others(json_t *to, const json_t *rounds)
{
    size_t p;
    json_t *record, *others = json_object(), *gpu = json_array();
    json_int_t marked = 0;
    double cpus = median_over(rounds, "surroundings/cpus"),
           seconds = median_over(rounds, "surroundings/seconds");
    json_array_foreach(rounds, p, record)
    {
        const json_t *count = orr_json_follow(record, "surroundings/gpu_processes");
        marked += !!json_object_get(record, "beside");
        if (count)
            json_array_append_new(gpu,
                                  json_pack("{s:f}", "most",
                                            fmax(json_number_value(json_array_get(count, 0)),
                                                 json_number_value(json_array_get(count, 1)))));
    }
    json_object_set_new(others, "marked", json_integer(marked));
    set_number(others, "cores", median_over(rounds, "surroundings/others_cores"));
    if (cpus > 0 && seconds > 0)
        set_number(others, "unsure_cores",
                   orr_surroundings_unsure((int)cpus, seconds) /
                       sqrt((double)json_array_size(rounds)));
    set_number(others, "gpu_processes", median_over(gpu, "most"));
    json_object_set_new(to, "others", others);
    json_decref(gpu);
}

/* What only some rounds have: counts, trajectories, energies are of one of them. */
static void take_missing(json_t *to, const json_t *rounds)
{
    size_t p;
    json_t *record;
    json_array_foreach(rounds, p, record) json_object_update_missing(to, record);
}

static bool is_back_to_back(const json_t *record)
{
    const char *mode = orr_json_text(record, "mode");
    return mode && !strcmp(mode, "back to back") &&
           json_array_size(orr_json_follow(record, "samples/single_s"));
}

/* What the step of a round holds. */
static const char *timed_of(const json_t *record)
{
    const char *timed = orr_json_text(record, "timed");
    return timed ? timed : "step";
}

static size_t count_timed(const json_t *rounds, const char *what)
{
    size_t p, count = 0;
    json_t *record;
    json_array_foreach(rounds, p, record) count += !strcmp(timed_of(record), what);
    return count;
}

/* What most rounds timed; of two as many, what holds more. */
static const char *timed_by_most(const json_t *rounds)
{
    size_t p, most = 0;
    const char *best = "step";
    json_t *record;
    json_array_foreach(rounds, p, record)
    {
        const char *timed = timed_of(record);
        size_t count = count_timed(rounds, timed);
        if (count > most || (count == most && strlen(timed) > strlen(best))) {
            most = count;
            best = timed;
        }
    }
    return best;
}

static void add_remark(json_t *record, json_t *remark)
{
    json_t *remarks = json_object_get(record, "remarks");
    remarks = remarks ? json_copy(remarks) : json_array();
    json_array_append_new(remarks, remark);
    json_object_set_new(record, "remarks", remarks);
}

/* Rounds that timed the same: a fetch near the limit of what it may take counts in some only. */
static json_t *of_one_span(const json_t *rounds)
{
    const char *timed = timed_by_most(rounds);
    size_t p, count = json_array_size(rounds), kept = count_timed(rounds, timed);
    json_t *record, *list;
    if (kept == count)
        return json_copy((json_t *)rounds); /* the list alone */
    list = json_array();
    json_array_foreach(rounds, p, record)
    {
        if (strcmp(timed_of(record), timed) != 0)
            continue;
        json_t *one = json_copy(record);
        if (!json_array_size(list))
            add_remark(one, json_sprintf("the times are of %s; %zu of %zu processes had to time "
                                         "something else and are left out",
                                         timed, count - kept, count));
        json_array_append_new(list, one);
    }
    return list;
}

static json_t *of_one_mode(const json_t *rounds)
{
    size_t p, queued = 0, count = json_array_size(rounds);
    json_t *record, *list;
    json_array_foreach(rounds, p, record) queued += is_back_to_back(record);
    if (!queued || queued == count)
        return json_copy((json_t *)rounds);
    list = json_array();
    json_array_foreach(rounds, p, record)
    {
        json_t *one = json_copy(record);
        if (is_back_to_back(record)) {
            json_t *samples = json_copy(json_object_get(record, "samples"));
            json_object_set(samples, "step_s", json_object_get(samples, "single_s"));
            json_object_del(samples, "single_s");
            json_object_set_new(one, "samples", samples);
            scale_rates(one, record, orr_json_number(record, "single_seconds"));
            json_object_set(one, "seconds", json_object_get(record, "single_seconds"));
            json_object_set(one, "batch", json_object_get(record, "single_batch"));
            json_object_set_new(one, "mode", json_string("single"));
            json_object_del(one, "single_seconds");
            json_object_del(one, "single_batch");
        }
        json_array_append_new(list, one);
    }
    return list;
}

json_t *orr_cell_rounds_alike(const json_t *rounds)
{
    json_t *of_span = of_one_span(rounds), *alike = of_one_mode(of_span);
    json_decref(of_span);
    return alike;
}

/* Of the rounds that timed the kernels by their own timestamps, if there are any: not all do. */
static void set_kernels(json_t *to, const json_t *rounds)
{
    size_t p;
    json_t *record, *timed = json_array();
    json_array_foreach(rounds, p, record)
    {
        const char *clock = orr_json_text(record, "kernel_clock");
        if (clock && !strcmp(clock, "kernel timestamps"))
            json_array_append(timed, record);
    }
    const json_t *from = json_array_size(timed) ? timed : rounds;
    set_median(to, from, "kernel_seconds");
    json_object_set(to, "kernel_clock", json_object_get(json_array_get(from, 0), "kernel_clock"));
    json_decref(timed);
}

/* What the harness spent its time on. */
static json_t *sum_parts(const json_t *rounds)
{
    size_t p;
    const char *name;
    json_t *record, *seconds, *sums = json_object();
    json_array_foreach(rounds, p, record)
    {
        json_object_foreach(json_object_get(record, "harness_parts"), name, seconds)
        {
            json_object_set_new(
                sums, name, json_real(orr_json_number(sums, name) + json_number_value(seconds)));
        }
    }
    return sums;
}

static int merge_ok(json_t *to, const json_t *rounds)
{
    static const char *const summed[] = {"wall_s", "harness_s", "warmups"};
    static const char *const medians[] = {"end_to_end_seconds", "single_seconds",
                                          "exchange_seconds", "skew"};
    const json_t *first = json_array_get(rounds, 0);
    take_missing(to, rounds);
    for (size_t k = 0; k < sizeof medians / sizeof *medians; k++)
        set_median(to, rounds, medians[k]);
    set_kernels(to, rounds);
    int code = summarise(to, rounds);
    scale_rates(to, first, orr_json_number(to, "seconds"));
    for (size_t k = 0; k < sizeof summed / sizeof *summed; k++)
        if (json_object_get(first, summed[k]))
            json_object_set_new(to, summed[k],
                                json_is_integer(json_object_get(first, summed[k]))
                                    ? json_integer((json_int_t)sum_of(rounds, summed[k]))
                                    : json_real(sum_of(rounds, summed[k])));
    if (json_object_get(first, "harness_parts"))
        json_object_set_new(to, "harness_parts", sum_parts(rounds));
    set_busiest(to, rounds);
    set_others(to, rounds);
    json_object_set_new(to, "samples", join_samples(rounds));
    if (json_object_get(to, "checks"))
        json_object_set_new(to, "checks", join_checks(rounds));
    if (json_object_get(to, "remarks"))
        json_object_set_new(to, "remarks", join_set(rounds, "remarks"));
    if (json_object_get(to, "phases"))
        json_object_set_new(to, "phases", join_parts(rounds, "phases", "kernel_s"));
    if (json_object_get(to, "stages"))
        json_object_set_new(to, "stages", join_parts(rounds, "stages", "host_s"));
    if (json_object_get(to, "sensors"))
        json_object_set_new(to, "sensors", join_sensors(rounds));
    return code;
}

/* One round in several that failed makes the cell fail. */
static json_t *merge_failed(json_t *failed, size_t rounds)
{
    json_t *merged = json_copy(failed);
    const char *reason = orr_json_text(failed, "reason");
    if (merged && rounds > 1)
        json_object_set_new(
            merged, "reason",
            json_sprintf("round %d: %s", orr_cell_rounds_of(failed), reason ? reason : ""));
    return merged;
}

json_t *orr_cell_rounds_merge(const json_t *rounds)
{
    size_t p, count = json_array_size(rounds);
    json_t *record, *failed = NULL, *merged;
    json_array_foreach(rounds, p, record) if (!failed && !orr_journal_is_measured(record)) failed =
        record;
    json_t *alike = orr_cell_rounds_alike(rounds);
    if (!failed)
        count = json_array_size(alike);
    if (failed)
        merged = merge_failed(failed, count);
    else
        merged = json_copy(json_array_get(alike, 0));
    int code = merged && !failed && !is_extrapolated(merged) ? merge_ok(merged, alike) : 0;
    json_decref(alike);
    if (code) {
        json_decref(merged);
        return NULL;
    }
    json_object_del(merged, "round");
    if (merged && !json_object_get(merged, "processes"))
        json_object_set_new(merged, "processes", json_integer((json_int_t)count));
    return merged;
}

/* Samples of the rounds that can be put together. */
struct gathered {
    double *values;
    size_t *counts, processes;
};

static int gather_steps(struct gathered *out, const json_t *rounds)
{
    json_t *alike = orr_cell_rounds_alike(rounds);
    out->processes = json_array_size(alike);
    out->counts = calloc(out->processes + 1, sizeof *out->counts);
    out->values = alike && out->counts ? gather(alike, "samples/step_s", out->counts) : NULL;
    json_decref(alike);
    return out->values ? 0 : orr_fail(ORR_EMEMORY, "no memory for the samples of a cell");
}

int orr_cell_rounds_ratio(struct orr_level_ratio *out, const json_t *over, const json_t *under)
{
    struct gathered a = {0}, b = {0};
    int code = gather_steps(&a, over);
    if (!code)
        code = gather_steps(&b, under);
    if (!code)
        code = orr_stats_levels_ratio(out, &(struct orr_levels){a.values, a.counts, a.processes},
                                      &(struct orr_levels){b.values, b.counts, b.processes});
    free(a.values);
    free(a.counts);
    free(b.values);
    free(b.counts);
    return code;
}
