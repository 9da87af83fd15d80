/* One cell in the worker: from its description to its journal record. */
#include "json_member.h"
#include "run/worker.h"

#include <errno.h>
#include <float.h>
#include <stdio.h>
#include <string.h>

#include "datasets/formats/output.h"
#include "error.h"
#include "clock.h"
#include "run/cell_run.h"
#include "run/cell_record.h"

struct work {
    struct orr_cell cell;
    struct orr_cell_run run;
    struct orr_measured measured;
    const char *bodies_file; /* full path; NULL: not wanted */
    json_t *record;
};

int orr_worker_check_dimensions(const struct orr_variant *variant, const struct orr_cached_set *set)
{
    if (variant->dimensions >= set->bodies.dimensions)
        return 0;
    return orr_fail(ORR_EUSAGE, "%s is for 2 dimensions and the data set %s has 3", variant->name,
                    set->name);
}

int orr_worker_check_softening(struct orr_cached_set *set, double eps)
{
    float softening = (float)eps;
    if (softening * softening >= FLT_MIN) /* devices may flush smaller values to zero */
        return 0;
    if (!set->checked) {
        int found = orr_bodies_coincident(&set->bodies, &set->first, &set->second);
        if (found < 0)
            return found;
        set->coincident = found > 0;
        set->checked = true;
    }
    if (set->coincident)
        return orr_fail(ORR_EINPUT,
                        "bodies %zu and %zu are at the same place in single precision and %s, so "
                        "their force is "
                        "infinite; give a softening length with --set eps=LENGTH",
                        set->first, set->second,
                        eps > 0 ? "the square of eps vanishes" : "eps is 0");
    return 0;
}

/* Finds what the cell names and configures the run. */
static int set_out(struct work *work, struct orr_worker_cache *cache, uint64_t seed)
{
    struct orr_cell_run *run = &work->run;
    const struct orr_cell *cell = &work->cell;
    const struct orr_plugin *plugin;
    struct orr_cached_set *set;
    int code = orr_worker_cache_plugin(cache, &plugin, cell->variant);
    if (!code)
        code = orr_worker_cache_set(cache, &set, cell->dataset, cell->n, orr_cell_level(cell),
                                    cell->seed);
    if (!code)
        code = orr_worker_cache_device(cache, &run->device, cell->device);
    if (!code)
        code = orr_plugin_check_device(plugin->variant, &run->device->info);
    if (code)
        return code;
    run->cache = cache;
    run->variant = plugin->variant;
    run->bodies = &set->bodies;
    run->sha256 = set->sha256;
    run->settings = cell->settings;
    run->setting_count = cell->setting_count;
    run->bound = cell->bound;
    run->targets = (struct orr_targets){cell->targets, seed};
    code = orr_worker_check_dimensions(run->variant, set);
    if (!code)
        code = orr_cell_run_configure(run);
    if (!code)
        code = orr_cell_record_variant(work->record, plugin, run);
    return code ? code : orr_worker_check_softening(set, run->eps);
}

static int write_columns(FILE *file, const struct orr_cell_run *run)
{
    const struct orr_bodies *b = run->bodies;
    for (size_t i = 0; i < b->n; i++) {
        float x[3] = {0};
        for (int d = 0; d < run->variant->dimensions; d++)
            x[d] = run->steps > 0 ? run->forces.pos[d][i] : (float)b->pos[d][i];
        if (fprintf(file, "%.9g,%.9g,%.9g\n", x[0], x[1], x[2]) < 0)
            return -1;
    }
    return 0;
}

/* The bodies after the step, x,y,z a line, for pictures. */
static int keep_bodies(struct work *work)
{
    struct orr_output output;
    int code = orr_output_begin(&output, work->bodies_file);
    if (!code)
        code = orr_output_open(&output);
    if (!code && write_columns(output.file, &work->run))
        code = orr_fail(ORR_EIO, "cannot write the bodies to %s: %s", work->bodies_file,
                        strerror(errno));
    if (code)
        orr_output_abandon(&output);
    else
        code = orr_output_commit(&output);
    if (code)
        return code;
    const char *base = strrchr(work->bodies_file, '/');
    json_object_set_new(work->record, "bodies_file",
                        json_string(base ? base + 1 : work->bodies_file));
    return 0;
}

static int run_first_step(struct work *work)
{
    struct orr_cell_run *run = &work->run;
    run->device->kernel_count = 0;
    int code = orr_cell_run_prepare(run);
    if (!code)
        code = orr_cell_run_step(run);
    if (!code)
        code = orr_cell_run_fetch(run);
    if (!code)
        code = orr_cell_record_kernels(work->record, run->device);
    return code ? code : orr_cell_run_verify(run);
}

/* Untimed; only if the experiment asks for it and the variant has a counting build. */
static int count(struct work *work)
{
    struct orr_counts counts;
    if (!work->cell.counts || !work->run.variant->count)
        return 0;
    int code = orr_cell_run_count(&work->run, &counts);
    return code ? code : orr_cell_record_counts(work->record, &counts);
}

/* Recorded, not judged; only if the experiment asks for it. */
static int compare_trajectory(struct work *work)
{
    struct orr_cell_run *run = &work->run;
    struct orr_trajectory_error error;
    char why[64] = "the step moves no bodies";
    if (!work->cell.trajectory)
        return 0;
    if (run->steps > 0)
        snprintf(why, sizeof why, "not computed beyond %d bodies", ORR_TRAJECTORY_LIMIT);
    if (run->steps == 0 || run->bodies->n > ORR_TRAJECTORY_LIMIT)
        return orr_cell_record_trajectory(work->record, NULL, run->bodies->n, why);
    int code = orr_cell_run_trajectory_error(run, &error);
    return code ? code : orr_cell_record_trajectory(work->record, &error, run->bodies->n, NULL);
}

static int measure(struct work *work)
{
    struct orr_cell_run *run = &work->run;
    int code = orr_cell_run_measure(&work->measured, run, &work->cell.policy);
    if (!code)
        code = orr_cell_run_verify(run);
    if (!code && work->bodies_file)
        code = keep_bodies(work);
    if (!code)
        code = compare_trajectory(work);
    if (!code)
        code = count(work);
    if (!code)
        code = orr_cell_record_stages(work->record, &run->stages, &work->measured.stages);
    if (!code)
        code = orr_cell_record_times(work->record, &work->measured);
    if (!code)
        code = orr_cell_record_bodies(work->record, run);
    struct orr_cost cost = {0};
    if (!run->variant->cost)
        return code;
    if (!code)
        code = run->variant->cost(&run->job, &cost);
    return code ? code : orr_cell_record_cost(work->record, &cost);
}

/* Also for a cell that failed verification. */
static int record_errors(struct work *work)
{
    int code = orr_cell_record_errors(work->record, &work->run);
    return code || !work->cell.error_curve ? code : orr_cell_record_curve(work->record, &work->run);
}

static void conclude(struct work *work, int code, double wall_s, double device_s)
{
    json_t *record = work->record;
    json_object_set_new(record, "outcome", json_string(orr_cell_record_outcome(code)));
    json_object_set_new(record, "reason", json_string(code ? orr_error_text() : ""));
    json_object_set_new(record, "note", json_string(work->run.job.note));
    json_object_set_new(record, "wall_s", json_real(wall_s));
    json_object_set_new(record, "harness_s", json_real(wall_s - work->run.own_s - device_s));
}

static int tell_partial(struct orr_channel *channel, json_t *record)
{
    return orr_channel_send(channel, json_pack("{s:s, s:O}", "say", "partial", "record", record));
}

json_t *orr_worker_cell(struct orr_worker_cache *cache, json_t *request,
                        struct orr_channel *channel)
{
    double start = orr_clock_now();
    struct work work = {.bodies_file = orr_json_text(request, "bodies_file")};
    if (orr_cell_from_json(&work.cell, json_object_get(request, "cell")))
        return NULL;
    work.record = orr_cell_record_begin(&work.cell);
    if (!work.record) {
        orr_fail(ORR_EMEMORY, "no memory for a record");
        return NULL;
    }
    cache->device_s = 0;
    int code = set_out(&work, cache, (uint64_t)orr_json_integer(request, "seed"));
    if (!code)
        code = tell_partial(channel, work.record);
    if (!code)
        code = run_first_step(&work);
    if (!code)
        code = measure(&work);
    if (!code && work.cell.energy)
        code = orr_cell_run_energy(&work.run);
    if (record_errors(&work) && !code)
        code = ORR_EMEMORY;
    orr_cell_run_release(&work.run);
    orr_cell_run_release_measured(&work.measured);
    conclude(&work, code, orr_clock_now() - start, cache->device_s);
    return json_pack("{s:o}", "record", work.record);
}
