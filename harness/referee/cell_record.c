/* SPDX-License-Identifier: MIT */
#include "referee/cell_record.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "json_member.h"
#include "machine.h"
#include "text.h"
#include "error.h"
#include "ledger/journal.h"
#include "memory.h"
#include "names.h"
#include "measure/stats.h"
#include "referee/cell_run.h"

void orr_cell_record_now(char out[32])
{
    time_t now = time(NULL);
    struct tm utc;
    strftime(out, 32, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
}

const char *orr_cell_record_outcome(int code)
{
    static const struct {
        int code;
        const char *outcome;
    } known[] = {{0, "ok"},
                 {ORR_EWRONG, "wrong"},
                 {ORR_ESUSPECT, "suspect"},
                 {ORR_EUNSUPPORTED, "unsupported"},
                 {ORR_EMEMORY, "no memory"},
                 {ORR_ETIMEOUT, "timed out"}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (known[k].code == code)
            return known[k].outcome;
    return "failed";
}

/* A setting as a number where it is one, else as text. */
static json_t *value_to_json(const char *text)
{
    double value;
    if (!orr_text_number(text, &value))
        return json_string(text);
    return value == floor(value) && fabs(value) < 1e15 ? json_integer((json_int_t)value)
                                                       : json_real(value);
}

/* Settings as typed JSON: the parameters known before the plugin is loaded. */
static json_t *settings_to_json(const struct orr_cell *cell)
{
    json_t *object = json_object();
    for (int k = 0; k < cell->setting_count; k++)
        json_object_set_new(object, cell->settings[k].name, value_to_json(cell->settings[k].value));
    if (cell->ranks > 1)
        json_object_set_new(object, "ranks", json_integer(cell->ranks));
    return object;
}

static json_t *dataset_to_json(const struct orr_cell *cell)
{
    json_t *dataset = json_pack("{s:s, s:I, s:I}", "name", cell->dataset, "n", (json_int_t)cell->n,
                                "seed", (json_int_t)cell->seed);
    int level = orr_cell_level(cell);
    if (level >= 0) {
        json_object_set_new(dataset, "level", json_integer(level));
        json_object_set_new(dataset, "per_box", json_integer((json_int_t)orr_cell_per_box(cell)));
    }
    return dataset;
}

json_t *orr_cell_record_begin(const struct orr_cell *cell)
{
    char started[32];
    orr_cell_record_now(started);
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o*, s:s, s:s, s:s}", "record",
                     "cell", "id", cell->id, "experiment", cell->experiment, "variant",
                     cell->variant, "device", cell->device, "dataset", dataset_to_json(cell),
                     "parameters", settings_to_json(cell), "settings",
                     orr_params_settings_to_json(cell->settings, cell->setting_count), "policy",
                     orr_cell_policy_to_json(&cell->policy), "ranks",
                     cell->ranks > 1 ? json_integer(cell->ranks) : NULL, "outcome", "failed",
                     "reason", "", "started", started);
}

/* Those of the members that there are. */
static void copy_members(json_t *to, const json_t *from, const char *const *names, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        json_t *value = json_object_get(from, names[k]);
        if (value)
            json_object_set(to, names[k], value);
    }
}

const char *const orr_cell_record_identifying[] = {"platform", "vendor", "name",    "pci",
                                                   "uuid",     "driver", "toolkit", NULL};

void orr_cell_record_identity(char out[17], const json_t *device)
{
    struct orr_machine machine;
    char text[1024], hex[65];
    orr_machine_describe(&machine);
    int used =
        snprintf(text, sizeof text, "%s\n%s\n%d", machine.cpu, machine.simd, machine.threads);
    for (const char *const *member = orr_cell_record_identifying; *member; member++) {
        const char *value = orr_json_text(device, *member);
        used += snprintf(text + used, sizeof text - (size_t)used, "\n%.120s", value ? value : "");
    }
    orr_text_sha256(text, (size_t)used, hex);
    snprintf(out, 17, "%.16s", hex);
}

void orr_cell_record_run(json_t *record, const struct orr_cell_run *run)
{
    static const char *const names[] = {"plugin_sha256", "build_flags", "program", "device_name",
                                        "transport"};
    static const char *const others[] = {"caches", "ranks"}; /* than the variant's */
    const json_t *found = json_object_get(run->about, "found");
    char identity[17];
    copy_members(record, run->about, names, sizeof names / sizeof *names);
    orr_cell_record_identity(identity, found);
    if (found)
        json_object_set_new(record, "identity", json_string(identity));
    if (!run->parameters)
        return;
    json_t *all = json_copy(run->parameters);
    copy_members(all, json_object_get(record, "parameters"), others,
                 sizeof others / sizeof *others);
    json_object_set_new(json_object_get(record, "dataset"), "sha256", json_string(run->sha256));
    json_object_set_new(record, "parameters", all);
    json_object_set_new(record, "pair",
                        json_string(orr_cell_work_pair(run->capabilities, run->dimensions)));
}

void orr_cell_record_remark(json_t *record, const char *format, ...)
{
    char text[512];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    if (!json_is_array(json_object_get(record, "remarks")))
        json_object_set_new(record, "remarks", json_array());
    json_array_append_new(json_object_get(record, "remarks"), json_string(text));
}

/* The energy's source: all pairs, or the variant's own potentials where those are too many. Drift
 * is relative to the start; a start of zero leaves the difference itself. */
static json_t *conservation(const struct orr_cell_run *run)
{
    const struct orr_totals *a = &run->start, *b = &run->end;
    double change2 = 0, scale = fmax(a->momentum_scale, b->momentum_scale);
    for (int d = 0; d < 3; d++)
        change2 += (b->momentum[d] - a->momentum[d]) * (b->momentum[d] - a->momentum[d]);
    const char *source = run->bodies->n <= ORR_ENERGY_LIMIT ? "pairs" : "potentials";
    bool known = isfinite(a->energy) && isfinite(b->energy);
    return json_pack(
        "{s:o, s:o, s:o, s:s?, s:o}", "energy_start", orr_json_real(a->energy), "energy_end",
        orr_json_real(b->energy), "energy_drift",
        orr_json_real(a->energy != 0 ? fabs((b->energy - a->energy) / a->energy) : fabs(b->energy)),
        "energy_source", known ? source : NULL, "momentum_drift",
        orr_json_real(scale > 0 ? sqrt(change2) / scale : sqrt(change2)));
}

static json_t *spread_to_json(const struct orr_spread *s)
{
    return json_pack("{s:f, s:f, s:f}", "median", s->median, "p99", s->p99, "max", s->max);
}

/* The errors that these shares of the targets exceed. */
static json_t *curve_of(const struct orr_errors *errors)
{
    json_t *curve =
        json_pack("{s:o}", "fractions", orr_json_reals(orr_verify_shares, ORR_ERROR_SHARES));
    for (int kind = 0; kind < ORR_ERROR_KINDS; kind++)
        json_object_set_new(curve, orr_verify_kinds[kind],
                            orr_json_reals(errors->of[kind].exceeded, ORR_ERROR_SHARES));
    return curve;
}

void orr_cell_record_errors(json_t *record, const struct orr_cell_run *run, bool curve)
{
    const struct orr_errors *e = &run->errors;
    if (!e->targets)
        return;
    json_t *error = spread_to_json(&e->of[ORR_ERROR_RELATIVE]);
    for (int kind = ORR_ERROR_BY_MEAN; kind < ORR_ERROR_KINDS; kind++)
        json_object_set_new(error, orr_verify_kinds[kind], spread_to_json(&e->of[kind]));
    json_object_update_new(error, json_pack("{s:f, s:I, s:o, s:o*}", "phi_max", e->phi_max,
                                            "targets", (json_int_t)e->targets, "bound",
                                            orr_bound_to_json(&run->bound), "curve",
                                            curve ? curve_of(e) : NULL));
    json_object_set_new(record, "error", error);
    if (run->steps > 0)
        json_object_set_new(record, "conservation", conservation(run));
}

/* A sample's upload, single step and fetch. */
static double end_to_end(const struct orr_measured *m, int sample)
{
    const struct {
        const char *clock;
        bool counts;
    } parts[] = {{"single", m->back_to_back},
                 {"upload_s", !m->counts_upload},
                 {"fetch_s", !m->counts_fetch}};
    double sum = m->back_to_back ? 0 : m->samples.step_s[sample];
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        if (parts[k].counts)
            sum += json_number_value(
                json_array_get(json_object_get(m->clocks, parts[k].clock), (size_t)sample));
    return sum;
}

static json_t *samples_to_json(const struct orr_measured *m, const double *end_to_end_s)
{
    json_t *throttled = json_array(), *values;
    const char *name;
    for (int k = 0; k < m->samples.count; k++)
        if (m->samples.throttled[k])
            json_array_append_new(throttled, json_integer(k));
    json_t *samples = json_pack(
        "{s:o, s:o, s:o, s:o}", "step_s", orr_json_reals(m->samples.step_s, m->samples.count),
        "kernel_s", orr_json_reals(m->samples.kernel_s, m->samples.count), "end_to_end_s",
        orr_json_reals(end_to_end_s, m->samples.count), "throttled", throttled);
    if (m->cold)
        json_object_set(samples, "cold_s", json_object_get(m->clocks, "cold"));
    if (m->back_to_back)
        json_object_set(samples, "single_s", json_object_get(m->clocks, "single"));
    json_object_set(samples, "device_s", json_object_get(m->clocks, "device"));
    json_object_foreach (m->readings, name, values) {
        bool told = false; /* a device has not all sensors */
        for (size_t k = 0; k < json_array_size(values); k++)
            told |= !json_is_null(json_array_get(values, k));
        if (told)
            json_object_set(samples, name, values);
    }
    return samples;
}

void orr_cell_record_stages(json_t *record, json_t *outside, json_t *within)
{
    const char *name;
    json_t *stages = json_array(), *times;
    json_object_foreach (outside, name, times) {
        json_array_append_new(stages, json_pack("{s:s, s:f}", "name", name, "seconds",
                                                orr_named_times_median(outside, name)));
    }
    json_object_foreach (within, name, times) {
        json_array_append_new(stages, json_pack("{s:s, s:f, s:b, s:O}", "name", name, "seconds",
                                                orr_named_times_median(within, name), "in_step",
                                                true, "host_s", times));
    }
    if (json_array_size(stages))
        json_object_set(record, "stages", stages);
    json_decref(stages);
}

/* What the time of a step holds; "step" alone unless work is done elsewhere. */
static const char *timed(const struct orr_measured *m)
{
    return m->counts_upload && m->counts_fetch ? "upload, step and fetch"
           : m->counts_upload                  ? "upload and step"
           : m->counts_fetch                   ? "step and fetch"
                                               : "step";
}

/* Which steps are timed how often, and what else was. */
static void record_clocks(json_t *record, const struct orr_measured *m)
{
    const bool queued = m->back_to_back;
    const double kernel_s = orr_named_times_count(m->clocks, "device")
                                ? orr_named_times_median(m->clocks, "device")
                                : orr_stats_median(m->samples.kernel_s, (size_t)m->samples.count),
                 single_s = orr_named_times_median(m->clocks, "single");
    json_object_update_new(
        record, json_pack("{s:s, s:i, s:o*, s:s*, s:o*, s:o*, s:o*}", "mode",
                          queued ? "back to back" : "single", "batch", queued ? m->queue : m->batch,
                          "kernel_seconds", m->kernel_clock ? orr_json_real(kernel_s) : NULL,
                          "kernel_clock", m->kernel_clock, "single_seconds",
                          queued ? orr_json_real(single_s) : NULL, "single_batch",
                          queued ? json_integer(m->batch) : NULL, "recorded",
                          queued && m->recorded ? json_true() : NULL));
    if (queued && m->refused)
        orr_cell_record_remark(record, "steps with NCCL were queued one by one, not recorded");
    if (m->odd[0])
        orr_cell_record_remark(record, "%s: the time is of single steps", m->odd);
}

static void record_times(json_t *record, const struct orr_measured *m)
{
    const struct orr_samples *s = &m->samples;
    const size_t count = (size_t)s->count;
    double *end_to_end_s = orr_memory_get((count + 1) * sizeof *end_to_end_s),
           interval[2] = {NAN, NAN};
    const char *name;
    json_t *phases = json_array(), *times;
    for (int k = 0; k < s->count; k++)
        end_to_end_s[k] = end_to_end(m, k);
    json_object_foreach (m->phases, name, times) {
        json_array_append_new(phases, json_pack("{s:s, s:O}", "name", name, "kernel_s", times));
    }
    orr_stats_interval(s->step_s, count, interval);
    json_object_update_new(record,
                           json_pack("{s:o, s:o, s:o, s:o, s:o, s:s, s:i, s:s}", "samples",
                                     samples_to_json(m, end_to_end_s), "phases", phases, "seconds",
                                     orr_json_real(orr_stats_median(s->step_s, count)), "interval",
                                     orr_json_reals(interval, 2), "end_to_end_seconds",
                                     orr_json_real(orr_stats_median(end_to_end_s, count)), "stop",
                                     s->stop, "warmups", s->warmups, "timed", timed(m)));
    free(end_to_end_s);
    record_clocks(record, m);
    if (m->counts_upload || m->counts_fetch)
        orr_cell_record_remark(record, "work is done outside the step, so the time is of %s",
                               timed(m));
}

/* Numbers that a worker may say. */
static json_t *counted(const json_t *of)
{
    const char *name;
    json_t *value, *out = json_object();
    json_object_foreach ((json_t *)of, name, value) {
        double number = json_number_value(value);
        if (json_is_number(value) && isfinite(number) && number >= 0)
            json_object_set(out, name, value);
    }
    return out;
}

void orr_cell_record_counters(json_t *record, const json_t *sources)
{
    size_t k;
    json_t *from, *list = json_array();
    json_array_foreach (sources, k, from) {
        const char *source = orr_json_text(from, "source"), *reason = orr_json_text(from, "reason");
        if (!source)
            continue;
        json_t *groups = json_object_get(from, "groups"),
               *to = json_pack("{s:s, s:O*}", "source", source, "groups",
                               json_is_array(groups) ? groups : NULL);
        if (reason)
            json_object_set_new(to, "reason", json_string(reason));
        else
            json_object_update_new(to, json_pack("{s:o, s:o}", "values",
                                                 counted(json_object_get(from, "values")), "raw",
                                                 counted(json_object_get(from, "raw"))));
        json_array_append_new(list, to);
    }
    json_object_set_new(record, "counters", list);
}

void orr_cell_record_joules(json_t *record, const json_t *of)
{
    const char *reason = orr_json_text(of, "reason"), *counter = orr_json_text(of, "counter");
    double steps = orr_json_number(of, "steps"), window_s = orr_json_number(of, "window_s"),
           joules = orr_json_number(of, "joules"), idle_w = orr_json_number(of, "idle_w"),
           interactions = orr_json_number(record, "interactions");
    if (!reason && !(counter && steps >= 1 && window_s > 0 && joules >= 0))
        reason = "the worker's window of energy is damaged";
    if (reason) {
        json_object_set_new(record, "energy", json_pack("{s:s}", "reason", reason));
        return;
    }
    const bool idle = json_object_get(of, "idle_w"), twice = json_object_get(of, "integrated");
    const double integrated = orr_json_number(of, "integrated");
    json_object_set_new(
        record, "energy",
        json_pack("{s:s, s:f, s:I, s:o, s:f, s:o*, s:o*, s:o*, s:o*, s:o*}", "counter", counter,
                  "window_s", window_s, "steps", (json_int_t)steps, "busy",
                  orr_json_real(orr_json_number(of, "busy_s") / window_s), "joules_step",
                  joules / steps, "idle_w", idle ? json_real(idle_w) : NULL, "joules_idle_step",
                  idle ? json_real(idle_w * window_s / steps) : NULL, "joules_interaction",
                  interactions > 0 ? orr_json_real(joules / steps / interactions) : NULL,
                  "integrated_power_joules", twice ? orr_json_real(integrated) : NULL, "error",
                  twice ? orr_json_real(fabs(joules - integrated) / joules) : NULL));
}

void orr_cell_record_drop_times(json_t *record)
{
    char times[] = "samples phases seconds interval kernel_seconds kernel_clock "
                   "kernel_clock_reason mode single_seconds single_batch end_to_end_seconds stages "
                   "interactions_per_second bodies_per_second batch timed stop warmups sensors "
                   "surroundings beside counters energy";
    char *rest;
    for (char *name = strtok_r(times, " ", &rest); name; name = strtok_r(NULL, " ", &rest))
        json_object_del(record, name);
}

/* 0 means unknown and becomes null. */
static json_t *known(double value)
{
    return value > 0 ? orr_json_real(value) : json_null();
}

/* Unknown values (0) and rates from them become null; unknown figures are left out. */
static void record_cost(json_t *record, const json_t *cost)
{
    double seconds = orr_json_number(record, "seconds"),
           interactions = orr_json_number(cost, "interactions");
    static const char *const names[] = {"flops_convention", "flops_true", "bytes_min"};
    json_object_set_new(record, "interactions", known(interactions));
    json_object_set_new(record, "interactions_per_second", known(interactions / seconds));
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        json_object_set_new(record, names[k], known(orr_json_number(cost, names[k])));
    if (json_object_size(json_object_get(cost, "figures")))
        json_object_set(record, "figures", json_object_get(cost, "figures"));
}

void orr_cell_record_measured(json_t *record, const struct orr_measured *m, const json_t *cost)
{
    const struct orr_cell_run *run = m->run;
    if (m->samples.count) {
        orr_cell_record_stages(record, run->stages, m->stages);
        record_times(record, m);
        if (m->ranks)
            orr_rank_library()->record(record, m->ranks,
                                       json_object_get(run->about, "rank_devices"));
        if (run->capabilities & ORR_INTEGRATES)
            json_object_set_new(record, "bodies_per_second",
                                known((double)run->bodies->n * (run->steps + 1.0) /
                                      orr_json_number(record, "seconds")));
    }
    if (cost)
        record_cost(record, cost);
    if (m->joules)
        orr_cell_record_joules(record, m->joules);
}

static double size_of(json_t *record)
{
    return orr_json_number(json_object_get(record, "dataset"), "n");
}

/* Scales times and work by `factor`; both cells have the same settings. */
static void scale_members(json_t *to, json_t *from, double factor)
{
    static const char *const names[] = {
        "seconds",      "single_seconds", "kernel_seconds",   "end_to_end_seconds",
        "interactions", "flops_true",     "flops_convention", "bytes_min"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        json_t *value = json_object_get(from, names[k]);
        if (json_is_number(value))
            json_object_set_new(to, names[k], json_real(factor * json_number_value(value)));
    }
    json_t *interval = json_object_get(from, "interval");
    if (json_array_size(interval) == 2)
        json_object_set_new(to, "interval",
                            json_pack("[f, f]",
                                      factor * json_number_value(json_array_get(interval, 0)),
                                      factor * json_number_value(json_array_get(interval, 1))));
    json_object_set(to, "interactions_per_second",
                    json_object_get(from, "interactions_per_second"));
    if (json_is_number(json_object_get(from, "bodies_per_second")))
        json_object_set_new(to, "bodies_per_second",
                            json_real(size_of(to) / size_of(from) / factor *
                                      orr_json_number(from, "bodies_per_second")));
}

json_t *orr_cell_record_extrapolate(const struct orr_cell *cell, json_t *source)
{
    /* Of the variant and the device; not the error: nothing was verified at this size. */
    static const char *const copied[] = {"device_name", "identity",    "plugin_sha256", "program",
                                         "build_flags", "note",        "pair",          "mode",
                                         "once",        "kernel_clock"};
    json_t *record = orr_cell_record_begin(cell);
    const char *outcome = "failed", *why = orr_json_text(source, "reason");
    json_t *reason;
    struct orr_cell measured = *cell; /* the same work at another n; 0: its record has no size */
    double n = size_of(source);
    measured.n = n >= 1 && n < 9e15 ? (uint64_t)n : 0;
    double pairs = orr_cell_pairs(&measured);
    uint64_t per_box = orr_cell_per_box(&measured);
    json_object_set_new(record, "extrapolated_from", json_string(cell->extrapolate_from));
    copy_members(record, source, copied, sizeof copied / sizeof *copied);
    if (source && orr_journal_is_ok(source) && pairs > 0) {
        /* The source's typed parameters with this cell's own settings over them. */
        json_t *merged = json_copy(json_object_get(source, "parameters"));
        if (merged && !json_object_update(merged, json_object_get(record, "parameters")))
            json_object_set(record, "parameters", merged);
        json_decref(merged);
        scale_members(record, source, orr_cell_pairs(cell) / pairs);
        outcome = "ok";
        reason = json_sprintf("extrapolated from %s=%" PRIu64 " by %s", per_box ? "P" : "n",
                              per_box ? per_box : measured.n,
                              orr_cell_theta(cell) > 0 ? "n log n" : "interactions");
    } else if (source && orr_journal_is_wrong_on_purpose(source)) {
        outcome = "unsupported";
        reason = json_string("times of results that are wrong on purpose are not scaled");
    } else {
        reason = json_sprintf("the cell it is extrapolated from %s%s%s",
                              source ? "failed" : "did not finish", why && *why ? ": " : "",
                              why ? why : "");
    }
    json_object_update_new(
        record, json_pack("{s:s, s:o, s:f}", "outcome", outcome, "reason", reason, "wall_s", 0.0));
    json_object_set_new(
        record, "samples",
        json_pack("{s:[], s:[], s:[], s:[]}", "step_s", "kernel_s", "end_to_end_s", "throttled"));
    return record;
}
