/* Counters of a cell: in a worker of their own, after everything that is timed, so that neither a
 * profiler nor its crash costs a time. */
#include "run/cell_run.h"

#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "error.h"
#include "json_member.h"
#include "measure/counters.h"
#include "run/cell_record.h"

/* A profiler serialises kernels and reads its counters after each: a pass takes a few steps' time.
 * Loading one, and compiling what it patches into kernels, takes seconds. */
static const double LEAST_S = 60, STEPS = 200;
/* A longer step would cost more than it tells: there are passes, and one step before them. */
static const double LONGEST_S = 10;

/* What the cell's device is, as far as sources ask. */
static struct orr_device_info device_of(const struct orr_cell_run *run)
{
    const char *id = orr_json_text(run->about, "device");
    bool cpu = orr_json_is(run->about, "device_kind", "cpu");
    struct orr_device_info info = {.kind = cpu                         ? ORR_DEVICE_CPU
                                           : orr_cell_run_on_host(run) ? ORR_DEVICE_HOST
                                                                       : ORR_DEVICE_OTHER};
    snprintf(info.id, sizeof info.id, "%s", id ? id : "");
    snprintf(info.backend, sizeof info.backend, "%.*s", (int)strcspn(info.id, ":"), info.id);
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
                  orr_cell_run_verify(&again) || orr_cell_run_let_go(&again, NULL);
    *lost = referee->outcome != NULL;
    double opening_s = orr_json_number(again.about, "opening_s");
    referee->own_s += opening_s;
    referee->spent[ORR_SPENT_WORKER] -= opening_s;
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
static json_t *find_out(const struct orr_cell_run *run, const char *groups)
{
    struct orr_referee *referee = run->referee;
    const struct orr_device_info info = device_of(run);
    bool any = false, lost, final = true;
    char variant[128];
    snprintf(variant, sizeof variant, "%s %s", info.id, run->variant);
    json_t *sources = json_object_get(referee->refusals, info.id);
    if (!sources)
        sources = json_object_get(referee->refusals, variant);
    if (sources)
        return json_incref(sources);
    for (const struct orr_counter_source *const *s = orr_counters_all; *s; s++)
        any |= orr_counters_wanted(*s, groups) && (*s)->suits(&info);
    if (!any)
        return refuse_all(run, groups, "");
    if (run->step_s > LONGEST_S) {
        char reason[96];
        snprintf(reason, sizeof reason, "a step takes %.3g s; those beyond %g s are not counted",
                 run->step_s, LONGEST_S);
        return refuse_all(run, groups, reason);
    }
    sources = count_apart(run, groups, &lost);
    referee->replace = true; /* a profiler may leave something behind */
    /* Every source refused before it saw the step: it will for the next cell, too. */
    for (size_t k = 0; k < json_array_size(sources); k++)
        final &= json_is_true(json_object_get(json_array_get(sources, k), "refused"));
    if (lost || (final && json_array_size(sources)))
        json_object_set(referee->refusals, lost ? variant : info.id, sources);
    return sources;
}

void orr_cell_counters_take(json_t *record, const struct orr_cell_run *run,
                            const struct orr_cell *cell)
{
    if (!strcmp(cell->counters, "none") || cell->once)
        return;
    double start = orr_clock_now();
    json_t *sources = find_out(run, cell->counters);
    orr_cell_record_counters(record, sources);
    json_object_set_new(record, "counters_s", json_real(orr_clock_now() - start));
    json_decref(sources);
}
