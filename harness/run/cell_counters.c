#include "run/cell_counters.h"

#include <stdio.h>
#include <string.h>

#include "error.h"
#include "json_member.h"
#include "measure/counter_source.h"
#include "run/cell_record.h"

/* A profiler serialises kernels and reads its counters after each: a pass takes a few steps' time.
 * Loading one, and compiling what it patches into kernels, takes seconds. */
static const double LEAST_S = 60, STEPS = 200;

/* The same work in another worker. The last pass must leave what is right: each began with the
 * input as it is. */
static int count(struct orr_cell_run *again, const char *groups, json_t **sources)
{
    int code = orr_cell_run_load(again);
    if (!code)
        code = orr_cell_run_configure(again);
    if (!code)
        code = orr_cell_run_prepare(again);
    if (!code)
        code = orr_cell_run_counters(again, groups, sources);
    if (!code)
        code = orr_cell_run_verify(again);
    return code ? code : orr_cell_run_let_go(again, NULL);
}

/* What the cell's device is, as far as sources ask. */
static struct orr_device_info device_of(const struct orr_cell_run *run)
{
    const char *id = orr_json_text(run->about, "device"),
               *kind = orr_json_text(run->about, "device_kind"),
               *pci = orr_json_text(run->about, "device_pci");
    struct orr_device_info info = {.kind = kind && !strcmp(kind, "gpu") ? ORR_DEVICE_GPU
                                           : orr_cell_run_on_host(run)  ? ORR_DEVICE_HOST
                                                                        : ORR_DEVICE_OTHER};
    snprintf(info.id, sizeof info.id, "%s", id ? id : "");
    snprintf(info.backend, sizeof info.backend, "%.*s", (int)strcspn(info.id, ":"), info.id);
    snprintf(info.pci, sizeof info.pci, "%s", pci ? pci : "");
    return info;
}

/* Each source that would have counted gets the reason. */
static json_t *refuse_all(const struct orr_cell_run *run, const char *groups, const char *reason)
{
    json_t *list = json_array();
    const struct orr_device_info device = device_of(run);
    for (const struct orr_counter_source *const *s = orr_counter_source_all(); *s; s++) {
        uint32_t wanted = orr_counter_source_wanted(*s, groups);
        if (wanted && (*s)->suits(&device))
            json_array_append_new(list, orr_counter_source_refusal(*s, wanted, reason));
    }
    if (!json_array_size(list))
        json_array_append_new(
            list, json_pack("{s:s, s:[], s:o}", "source", "none", "groups", "reason",
                            json_sprintf("nothing counts %s on %s",
                                         strcmp(groups, "auto") ? groups : "", device.id)));
    return list;
}

/* Every source refused before it saw the step: it will for the next cell, too. */
static bool is_final(const json_t *sources)
{
    size_t k;
    json_t *source;
    json_array_foreach(sources, k, source)
    {
        if (!json_is_true(json_object_get(source, "refused")))
            return false;
    }
    return json_array_size(sources) > 0;
}

/* A list of sources, of which a worker that failed leaves none. */
static json_t *count_apart(const struct orr_cell_run *run, const char *groups)
{
    struct orr_referee *referee = run->referee;
    struct orr_cell_run again = {.referee = referee,
                                 .variant = run->variant,
                                 .device = run->device,
                                 .bodies = run->bodies,
                                 .sha256 = run->sha256,
                                 .settings = run->settings,
                                 .setting_count = run->setting_count,
                                 .bound = run->bound,
                                 .targets = run->targets};
    json_t *sources = NULL;
    orr_referee_afresh(referee, LEAST_S + STEPS * run->step_s);
    int code = count(&again, groups, &sources);
    if (code) {
        json_decref(sources);
        sources = refuse_all(run, groups, orr_error_text());
    }
    orr_error_clear();
    orr_cell_run_release(&again);
    return sources;
}

/* Kept by the referee: it asks a device that has refused no more. */
static json_t *find_out(const struct orr_cell_run *run, const char *groups)
{
    struct orr_referee *referee = run->referee;
    const char *device = orr_json_text(run->about, "device");
    const struct orr_device_info info = device_of(run);
    bool any = false;
    json_t *sources = json_object_get(referee->refusals, device ? device : "");
    if (sources)
        return json_incref(sources);
    for (const struct orr_counter_source *const *s = orr_counter_source_all(); *s; s++)
        any |= orr_counter_source_wanted(*s, groups) && (*s)->suits(&info);
    if (!any)
        return refuse_all(run, groups, "");
    sources = count_apart(run, groups);
    referee->replace = true; /* a profiler may leave something behind */
    if (is_final(sources) && (referee->refusals || (referee->refusals = json_object())))
        json_object_set(referee->refusals, device ? device : "", sources);
    return sources;
}

int orr_cell_counters_take(json_t *record, const struct orr_cell_run *run,
                           const struct orr_cell *cell)
{
    if (!strcmp(cell->counters, "none") || cell->once)
        return 0;
    json_t *sources = find_out(run, cell->counters);
    int code = orr_cell_record_counters(record, sources);
    json_decref(sources);
    return code;
}
