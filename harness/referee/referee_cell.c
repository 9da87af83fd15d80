/* SPDX-License-Identifier: MIT */
/* One cell: from its description to its journal record. */
#include "referee/referee.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "datasets/formats/output.h"
#include "device/backend.h"
#include "error.h"
#include "json_member.h"
#include "ledger/journal.h"
#include "measure/counters.h"
#include "names.h"
#include "referee/cell_record.h"
#include "referee/cell_run.h"

struct work {
    struct orr_cell cell;
    struct orr_cell_run run;
    struct orr_measured measured;
    struct orr_cell_motion motion;
    char *bodies_file; /* full path; NULL: not wanted */
    json_t *ceiling;   /* the journal's record of the device; NULL: there is none */
    json_t *cost;      /* the worker's answer; NULL: the variant knows none */
    json_t *record;
};

/* Finds what the cell names and configures the run; `request` NULL: it is not measured. */
static int initialise(struct work *work, struct orr_referee *referee, const json_t *request)
{
    struct orr_cell_run *run = &work->run;
    const struct orr_cell *cell = &work->cell;
    struct orr_cached_set *set;
    *run = (struct orr_cell_run){
        .referee = referee,
        .variant = cell->variant,
        .device = cell->device,
        .setting_count = cell->setting_count,
        .kernels_s = orr_json_number(request, "kernels_s"),
        .bound = cell->bound,
        .ranks = cell->ranks,
        .oversubscribe = cell->oversubscribe,
        .joules = cell->policy.joules,
        .targets = {.count = cell->targets, .seed = (uint64_t)orr_json_integer(request, "seed")}};
    memcpy(run->settings, cell->settings, sizeof cell->settings);
    const bool failed = orr_cell_run_load(run) ||
                        orr_cell_run_take_set(run, &set, cell->dataset, cell->n,
                                              orr_cell_level(cell), cell->seed) ||
                        orr_cell_run_configure(run);
    orr_cell_record_run(work->record, run);
    if (run->wrong_on_purpose) /* any number will do */
        run->bound = (struct orr_bound){DBL_MAX, DBL_MAX, DBL_MAX, cell->bound.by_terms};
    return failed || orr_cell_run_check_softening(set, run->eps) ? orr_error_failed() : 0;
}

/* The bodies after the step, x,y,z a line, for pictures. */
static int keep_bodies(struct work *work)
{
    const struct orr_cell_run *run = &work->run;
    const struct orr_bodies *b = run->bodies;
    struct orr_output output;
    int code = orr_output_begin(&output, work->bodies_file) || orr_output_open(&output)
                   ? orr_error_failed()
                   : 0;
    for (size_t i = 0; !code && i < b->n; i++) {
        float x[3] = {0};
        for (int d = 0; d < run->dimensions; d++)
            x[d] = run->steps > 0 ? run->forces.pos[d][i] : (float)b->pos[d][i];
        if (fprintf(output.file, "%.9g,%.9g,%.9g\n", x[0], x[1], x[2]) < 0)
            code = orr_fail(ORR_EIO, "cannot write the bodies to %s: %s", work->bodies_file,
                            strerror(errno));
    }
    if (orr_output_end(&output, code))
        return orr_error_code();
    const char *base = strrchr(work->bodies_file, '/');
    json_object_set_new(work->record, "bodies_file",
                        json_string(base ? base + 1 : work->bodies_file));
    return 0;
}

/* --- the work that is declared --- */

/* Declared numbers are doubles: sums beyond 2^53 are rounded. */
static const double ROUNDING = 1e-9;

/* The least interactions that a step takes, by the referee's own count: of a direct sum
 * n (n - 1), of near boxes their pairs, of a tree one of each body; each times steps + 1. */
static int count_pairs(double *out, const struct orr_cell_run *run)
{
    const double n = (double)run->bodies->n;
    *out = (run->capabilities & ORR_TREE_CODE) ? n : n * (n - 1);
    if (run->level >= 0) {
        const struct orr_reference_of of = {
            .bodies = run->bodies, .sha256 = run->sha256, .level = run->level};
        const struct orr_reference_near *near;
        if (orr_referee_cache_near(&run->referee->cache, &near, &of))
            return orr_error_code();
        *out = orr_reference_near_pairs(near);
    }
    *out *= run->steps + 1.0;
    return 0;
}

/* What is declared (0: unknown) is exactly that. A tree code's are its own business. */
static int check_interactions(const struct orr_cell_run *run, json_t *cost)
{
    double declared = orr_json_number(cost, "interactions"), pairs;
    if (declared == 0 || (run->capabilities & ORR_TREE_CODE))
        return 0;
    if (count_pairs(&pairs, run))
        return orr_error_code();
    if (fabs(declared - pairs) <= ROUNDING * pairs)
        return 0;
    return orr_fail(ORR_EWRONG, "%.17g interactions are declared where there are %.17g", declared,
                    pairs);
}

/* So long a ceiling takes at most that is measured again. */
static const double CEILING_S = 60;

/* Most pairs a second of the cheapest kind, matrix units for those that declare them; 0: not
 * known. */
static double most_pairs(const struct orr_cell_run *run, json_t *ceiling)
{
    json_t *pairs = json_object_get(ceiling, "pairs");
    double most = fmax(orr_json_number(pairs, orr_cell_work_pair(0, run->dimensions)),
                       orr_json_number(pairs, orr_cell_work_pair(ORR_THIRD_LAW, run->dimensions)));
    if (run->capabilities & ORR_MATRIX_UNITS)
        most = orr_json_number(pairs, orr_cell_work_pair(ORR_MATRIX_UNITS, run->dimensions));
    most *=
        orr_json_is(run->about, "device_kind", "gpu") ? ORR_CEILING_CLOCKS : ORR_CEILING_COMPANY;
    return most * (run->ranks > 1 ? run->ranks : 1);
}

/* Whatever the variant says of its work: the pairs are the referee's. A ceiling that is exceeded is
 * measured once more, by a worker without the variant, which may have had more of the machine than
 * the ceiling had; the larger one counts. */
static int check_rate(const struct orr_cell_run *run, json_t *record, json_t *ceiling)
{
    struct orr_referee *referee = run->referee;
    const double seconds = orr_json_number(record, "seconds");
    double pairs, most = most_pairs(run, ceiling);
    json_t *again = NULL;
    if (!(most > 0) || !json_is_number(json_object_get(record, "seconds")) ||
        json_is_true(orr_json_follow(run->about, "program/gpu"))) /* on a device of no ceiling */
        return 0;
    if (count_pairs(&pairs, run))
        return orr_error_code();
    if (!(pairs > most * seconds))
        return 0;
    const int ranks = referee->ranks;
    const double limit_s = referee->limit_s, deadline = referee->deadline;
    referee->ranks = 1;
    orr_referee_afresh(referee, CEILING_S);
    if (!orr_referee_ask(referee,
                         json_pack("{s:s, s:s}", "ask", "ceiling", "device",
                                   orr_json_text(run->about, "device")),
                         &again))
        most = fmax(most, most_pairs(run, json_object_get(again, "record")));
    json_object_set(record, ORR_NEWER_CEILING, json_object_get(again, "record"));
    json_decref(again);
    orr_error_clear();
    referee->ranks = ranks;
    orr_referee_afresh(referee, limit_s);
    referee->limit_s = limit_s;
    referee->deadline = deadline;
    return pairs > most * seconds
               ? orr_fail(ORR_ESUSPECT, "%.3g interactions/s are above the ceiling of %s, %.3g",
                          pairs / seconds, orr_json_text(run->about, "device_name"), most)
               : 0;
}

/* --- counters: in a worker of their own, after everything that is timed, so that neither a
 * profiler nor its crash costs a time --- */

/* A profiler serialises kernels and reads its counters after each: a pass takes a few steps' time.
 * Loading one, and compiling what it patches into kernels, takes seconds. */
static const double LEAST_S = 60, STEPS = 200;
/* A longer step would cost more than it tells: there are passes, and one step before them. */
static const double LONGEST_S = 10;

/* What the cell's device is, as far as sources ask. */
static struct orr_device_info device_of(const struct orr_cell_run *run)
{
    const json_t *found = json_object_get(run->about, "found");
    const char *id = orr_json_text(found, "id"), *backend = orr_json_text(found, "backend");
    struct orr_device_info info = {.kind = (enum orr_device_kind)orr_json_integer(found, "kind")};
    snprintf(info.id, sizeof info.id, "%s", id ? id : "");
    snprintf(info.backend, sizeof info.backend, "%s", backend ? backend : "");
    return info;
}

/* Each source that would have counted gets the reason. */
static json_t *refuse_all(const struct orr_cell_run *run, const char *groups, const char *reason)
{
    json_t *list = json_array();
    const struct orr_device_info device = device_of(run);
    for (const struct orr_counter_source *const *s = orr_counters_all; *s; s++) {
        uint32_t wanted = orr_counters_wanted(*s, groups);
        if (wanted && (*s)->suits(&device))
            json_array_append_new(list, orr_counters_refusal(*s, wanted, reason));
    }
    if (!json_array_size(list))
        json_array_append_new(
            list,
            json_pack("{s:s, s:[], s:o}", "source", "none", "groups", "reason",
                      json_sprintf("nothing counts %s%son %s", strcmp(groups, "auto") ? groups : "",
                                   strcmp(groups, "auto") ? " " : "", device.id)));
    return list;
}

/* The same work in another worker: a list of sources, of which a worker that failed leaves none.
 * The last pass must leave what is right: each began with the input as it is. *lost: it crashed or
 * hung. */
static json_t *count_apart(const struct orr_cell_run *run, const char *groups, bool *lost)
{
    struct orr_referee *referee = run->referee;
    struct orr_cell_run again = orr_cell_run_again(run);
    json_t *sources = NULL;
    orr_referee_afresh(referee, LEAST_S + STEPS * run->step_s);
    bool failed = orr_cell_run_begin(&again) || orr_cell_run_counters(&again, groups, &sources) ||
                  orr_cell_run_verify(&again) || orr_cell_run_close(&again, NULL);
    *lost = referee->outcome != NULL;
    double opening_s = orr_json_number(again.about, "opening_s");
    referee->own_s += opening_s;
    if (failed) {
        json_decref(sources);
        sources = refuse_all(run, groups, orr_error_text());
    }
    orr_error_clear();
    orr_cell_run_release(&again);
    return sources;
}

/* Kept by the referee, which asks a device that has refused no more, nor lets a variant crash or
 * hang under counters a second time. */
static json_t *count_or_refuse(const struct orr_cell_run *run, const char *groups)
{
    struct orr_referee *referee = run->referee;
    const struct orr_device_info info = device_of(run);
    bool lost, final = true;
    char variant[128], reason[96] = "";
    snprintf(variant, sizeof variant, "%s %s", info.id, run->variant);
    json_t *sources = json_object_get(referee->refusals, info.id);
    if (!sources)
        sources = json_object_get(referee->refusals, variant);
    if (sources)
        return json_incref(sources);
    if (run->step_s > LONGEST_S)
        snprintf(reason, sizeof reason, "a step takes %.3g s; those beyond %g s are not counted",
                 run->step_s, LONGEST_S);
    sources = refuse_all(run, groups, reason);
    if (*reason || orr_json_is(json_array_get(sources, 0), "source", "none"))
        return sources;
    json_decref(sources);
    sources = count_apart(run, groups, &lost);
    referee->replace = true; /* a profiler may leave something behind */
    /* Every source refused before it saw the step: it will for the next cell, too. */
    for (size_t k = 0; k < json_array_size(sources); k++)
        final &= json_is_true(json_object_get(json_array_get(sources, k), "refused"));
    if (lost || (final && json_array_size(sources)))
        json_object_set(referee->refusals, lost ? variant : info.id, sources);
    return sources;
}

void orr_referee_cell_counters(json_t *record, const struct orr_cell_run *run,
                               const struct orr_cell *cell)
{
    if (!strcmp(cell->counters, "none") || cell->once)
        return;
    double start = orr_clock_now();
    json_t *sources = count_or_refuse(run, cell->counters);
    orr_cell_record_counters(record, sources);
    json_object_set_new(record, "counters_s", json_real(orr_clock_now() - start));
    json_decref(sources);
}

/* --- the cell --- */

/* Recorded, not judged; only if the experiment asks for it. */
static int compare_trajectory(struct work *work)
{
    struct orr_cell_run *run = &work->run;
    json_t *trajectory = NULL;
    int code = 0;
    if (!work->cell.trajectory)
        return 0;
    if (run->steps == 0)
        trajectory = json_pack("{s:s}", "reason", "the step moves no bodies");
    else if (run->bodies->n > ORR_TRAJECTORY_LIMIT)
        trajectory = json_pack("{s:o}", "reason",
                               json_sprintf("not computed beyond %d bodies", ORR_TRAJECTORY_LIMIT));
    else
        code = orr_cell_run_trajectory_error(run, &trajectory);
    json_object_set_new(work->record, "trajectory", trajectory);
    return code;
}

/* The step over the bodies as they are: verified, and kept for what must not depend on the masses
 * that the samples have. */
static int run_first_step(struct work *work)
{
    struct orr_cell_run *run = &work->run;
    const struct orr_cell_result result = {&run->forces, run->bodies->mass};
    if (orr_cell_run_prepare(run) ||
        orr_cell_run_step(run, &(struct orr_cell_steps){.idle = true, .kernels = true}))
        return orr_error_code();
    json_object_set(work->record, "kernels", json_object_get(run->answer, "kernels"));
    if (orr_cell_run_verify(run) || orr_cell_motion_check(&work->motion, run, &result) ||
        orr_cell_run_keep_first(run) || (work->bodies_file && keep_bodies(work)) ||
        compare_trajectory(work))
        return orr_error_code();
    if (!run->costs)
        return 0;
    /* What the variant says of its work, while its masses are the bodies' own. */
    return orr_referee_ask(run->referee, json_pack("{s:s}", "ask", "cost"), &work->cost) ||
                   check_interactions(run, work->cost)
               ? orr_error_failed()
               : 0;
}

/* Kinds beyond those of tables of accesses stand where there are any. */
static void record_counts(json_t *record, json_t *procedures)
{
    json_t *named = json_object(), *numbers;
    const char *name;
    json_object_foreach (procedures, name, numbers) {
        json_t *of = json_object();
        for (size_t k = 0; k < ORR_ACCESS_KINDS; k++) {
            const json_int_t number = json_integer_value(json_array_get(numbers, k));
            if (k <= ORR_IR || number)
                json_object_set_new(of, orr_names_access[k], json_integer(number));
        }
        json_object_set_new(named, name, of);
    }
    json_object_set_new(record, "counts", named);
}

/* Untimed; only if the experiment asks for it and the variant has a counting build. */
static int count_accesses(struct work *work)
{
    json_t *counts;
    if (!work->cell.counts || !work->run.counts)
        return 0;
    int code = orr_cell_run_count(&work->run, &counts);
    if (!code)
        record_counts(work->record, counts);
    json_decref(counts);
    return code;
}

static int measure_samples(struct work *work)
{
    work->measured.policy = &work->cell.policy;
    work->measured.record = work->record;
    json_object_set_new(work->record, "checks", json_array());
    return orr_cell_run_measure(&work->measured) || count_accesses(work) ? orr_error_failed() : 0;
}

/* Lets the variant go and notes what is odd about it. */
static int close_variant(struct work *work)
{
    json_t *answer = NULL;
    int code = orr_cell_run_close(&work->run, &answer);
    const char *note = orr_json_text(answer, "note");
    json_object_set_new(work->record, "note", json_string(note ? note : ""));
    json_object_set(json_object_get(work->record, "program"), "own_seconds",
                    json_object_get(answer, "own_seconds"));
    json_int_t printed = orr_json_integer(answer, "printed");
    if (printed > 0)
        orr_cell_record_remark(work->record, "the variant printed %lld bytes on standard output",
                               (long long)printed);
    json_int_t buffers = orr_json_integer(answer, "buffers");
    if (buffers > 0) {
        orr_cell_record_remark(work->record, "the variant left %lld device buffers",
                               (long long)buffers);
        work->run.referee->replace = true;
    }
    json_decref(answer);
    return code;
}

/* All that is of the variant over the cell's own bodies; for a profiler the first step, which was
 * verified, is all. Of several reasons the first is kept. */
static int measure_and_close(struct work *work, struct orr_referee *referee, json_t *request)
{
    bool failed = initialise(work, referee, request) || run_first_step(work) ||
                  (!work->cell.once && measure_samples(work));
    if (!failed && work->cell.once)
        json_object_set_new(work->record, "once", json_true());
    if (!failed)
        orr_cell_record_measured(work->record, &work->measured, work->cost);
    if (referee->unfinished) { /* what the cell itself was at, not its small-N cell */
        json_object_set(work->record, "unfinished", referee->unfinished);
        json_object_set_new(work->record, "timeout_s", json_real(referee->limit_s));
    }
    return close_variant(work) || failed ? orr_error_failed() : 0;
}

/* What was judged of the trajectory; nothing when there is none. */
static void record_motion(json_t *record, const struct orr_cell_motion *m)
{
    if (!m->n)
        return;
    json_t *motion = json_pack("{s:I}", "n", (json_int_t)m->n);
    if (m->nearest) /* else a cell before this one had it judged */
        json_object_update_new(motion, json_pack("{s:b, s:f, s:s}", "blind", m->blind, "share",
                                                 m->share, "nearest", m->nearest));
    json_object_set_new(record, "motion", motion);
}

static void conclude(struct work *work, int code, double wall_s)
{
    json_t *record = work->record;
    struct orr_referee *referee = work->run.referee;
    double opening_s = orr_json_number(work->run.about, "opening_s");
    const char *outcome = code && referee->outcome              ? referee->outcome
                          : !code && work->run.wrong_on_purpose ? ORR_OUTCOME_WRONG_ON_PURPOSE
                                                                : orr_cell_record_outcome(code);
    json_object_set_new(record, "outcome", json_string(outcome));
    if (code)
        orr_cell_record_drop_times(record);
    json_object_set_new(record, "reason", json_string(code ? orr_error_text() : ""));
    json_object_set_new(record, "wall_s", json_real(wall_s));
    json_object_set_new(record, "harness_s", json_real(wall_s - referee->own_s - opening_s));
}

json_t *orr_referee_cell(struct orr_referee *referee, json_t *request)
{
    double start = orr_clock_now();
    struct work work = {.bodies_file = orr_json_path_of(request, "bodies_file"),
                        .ceiling = json_object_get(request, "ceiling"),
                        .measured = {.run = &work.run}};
    struct orr_cell *cell = &work.cell;
    if (orr_cell_from_json(cell, json_object_get(request, "cell"))) {
        free(work.bodies_file);
        return NULL;
    }
    work.record = orr_cell_record_begin(cell);
    if (cell->ranks > 1) { /* what one worker takes alone, at which ranks would wait for others */
        cell->counts = cell->policy.joules = false;
        strcpy(cell->counters, "none");
    }
    referee->ranks = cell->ranks;
    orr_referee_ready(referee, cell->timeout_s);
    const bool alone = cell->once; /* no small-N cell's launches beside it */
    int code = measure_and_close(&work, referee, request);
    if (!code)
        code = check_rate(&work.run, work.record, work.ceiling);
    if (!code && !alone)
        code = orr_cell_small_n_check(&work.motion, &work.run, cell) ||
                       orr_cell_run_check_pace(&work.run, orr_json_number(work.record, "seconds"))
                   ? orr_error_failed()
                   : 0;
    if (!code)
        record_motion(work.record, &work.motion);
    if (!code && cell->energy && !alone)
        code = orr_cell_run_energy(&work.run);
    /* Also of one that failed verification. */
    orr_cell_record_errors(work.record, &work.run, cell->error_curve);
    if (!code)
        orr_referee_cell_counters(work.record, &work.run, cell);
    conclude(&work, code, orr_clock_now() - start);
    if (code)
        referee->replace = true; /* a small-N cell may still be there */
    else
        orr_cell_run_close(&work.run, NULL);
    json_decref(work.cost);
    orr_cell_run_release(&work.run);
    orr_cell_run_release_measured(&work.measured);
    free(work.bodies_file);
    return json_pack("{s:o}", "record", work.record);
}

/* --- kernels ahead of their cells (compile_ahead.c) --- */

/* So long a compiler may take for what one cell needs; one that hangs costs its process's part. */
static const double COMPILING_S = 15;

static void compile_cell(struct orr_referee *referee, json_t *cell)
{
    struct work work = {.record = json_object()};
    if (orr_cell_from_json(&work.cell, cell))
        return;
    work.cell.policy.joules = false;
    referee->ranks = 1;
    orr_referee_ready(referee, COMPILING_S);
    if (!initialise(&work, referee, NULL) && !orr_cell_run_prepare(&work.run) && work.cell.counts &&
        work.run.counts)
        orr_referee_ask(referee, json_pack("{s:s}", "ask", "count"), NULL);
    orr_cell_run_close(&work.run, NULL);
    orr_cell_run_release(&work.run);
    json_decref(work.record);
}

/* A key is kept before its cell is tried, so that none is tried twice. */
json_t *orr_referee_compile(struct orr_referee *referee, json_t *request)
{
    size_t k;
    json_t *one;
    json_array_foreach (json_object_get(request, "cells"), k, one) {
        orr_cache_store(orr_json_text(one, "key"), "tried", NULL, 0);
        compile_cell(referee, json_object_get(one, "cell"));
        orr_error_clear();
        if (referee->outcome) /* its worker crashed or hung */
            break;
    }
    referee->replace = true; /* a driver takes a while to end: all of them do so at a time */
    orr_referee_ready(referee, 0);
    orr_child_shutdown(&referee->former, true);
    return json_object();
}
