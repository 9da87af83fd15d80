/* One cell in the worker: from its description to its journal record. */
#include "run/worker.h"

#include <errno.h>
#include <float.h>
#include <stdio.h>
#include <string.h>

#include "datasets/formats/output.h"
#include "error.h"
#include "measure/clock.h"
#include "run/worker_energy.h"
#include "run/worker_record.h"

struct work {
    struct orr_cell cell;
    struct orr_course course;
    struct orr_measured measured;
    const char *bodies_file; /* full path; NULL: not wanted */
    json_t *record;
};

int orr_worker_check_dimensions(const struct orr_variant *variant,
                                const struct orr_stocked_set *set)
{
    if (variant->dimensions >= set->bodies.dimensions)
        return 0;
    return orr_fail(ORR_EUSAGE, "%s is for 2 dimensions and the data set %s has 3", variant->name,
                    set->name);
}

int orr_worker_check_softening(struct orr_stocked_set *set, double eps)
{
    float softening = (float)eps;
    if (softening * softening >= FLT_MIN) /* below it devices may round to zero */
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

/* Finds everything that the cell names and makes the course ready. */
static int set_out(struct work *work, struct orr_stock *stock, uint64_t seed)
{
    struct orr_course *course = &work->course;
    const struct orr_cell *cell = &work->cell;
    const struct orr_plugin *plugin;
    struct orr_stocked_set *set;
    int code = orr_stock_plugin(stock, &plugin, cell->variant);
    if (!code)
        code = orr_stock_set(stock, &set, cell->dataset, cell->n, orr_cell_level(cell), cell->seed);
    if (!code)
        code = orr_stock_device(stock, &course->device, cell->device);
    if (code)
        return code;
    course->stock = stock;
    course->variant = plugin->variant;
    course->bodies = &set->bodies;
    course->sha256 = set->sha256;
    course->settings = cell->settings;
    course->setting_count = cell->setting_count;
    course->bound = cell->bound;
    course->targets = (struct orr_targets){cell->targets, seed};
    code = orr_worker_check_dimensions(course->variant, set);
    if (!code)
        code = orr_course_configure(course);
    if (!code)
        code = orr_record_variant(work->record, plugin, course);
    return code ? code : orr_worker_check_softening(set, course->eps);
}

static int write_columns(FILE *file, const struct orr_course *course)
{
    const struct orr_bodies *b = course->bodies;
    for (size_t i = 0; i < b->n; i++) {
        float x[3] = {0};
        for (int d = 0; d < course->variant->dimensions; d++)
            x[d] = course->steps > 0 ? course->forces.pos[d][i] : (float)b->pos[d][i];
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
    if (!code && write_columns(output.file, &work->course))
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
    struct orr_course *course = &work->course;
    course->device->kernel_count = 0;
    int code = orr_course_prepare(course);
    if (!code)
        code = orr_course_step(course);
    if (!code)
        code = orr_course_fetch(course);
    if (!code)
        code = orr_record_kernels(work->record, course->device);
    return code ? code : orr_course_verify(course);
}

/* Not among what is timed; the experiment asks for it, and not every variant has a counting build.
 */
static int count(struct work *work)
{
    struct orr_counts counts;
    if (!work->cell.counts || !work->course.variant->count)
        return 0;
    int code = orr_course_count(&work->course, &counts);
    return code ? code : orr_record_counts(work->record, &counts);
}

/* Not judged: the experiment asks how far the bodies are from where direct sums take them. */
static int compare_trajectory(struct work *work)
{
    struct orr_course *course = &work->course;
    struct orr_departure departure;
    char why[64] = "the step moves no bodies";
    if (!work->cell.trajectory)
        return 0;
    if (course->steps > 0)
        snprintf(why, sizeof why, "not computed beyond %d bodies", ORR_TRAJECTORY_LIMIT);
    if (course->steps == 0 || course->bodies->n > ORR_TRAJECTORY_LIMIT)
        return orr_record_trajectory(work->record, NULL, course->bodies->n, why);
    int code = orr_course_depart(course, &departure);
    return code ? code : orr_record_trajectory(work->record, &departure, course->bodies->n, NULL);
}

static int measure(struct work *work)
{
    struct orr_course *course = &work->course;
    int code = orr_measure_course(&work->measured, course, &work->cell.policy);
    if (!code)
        code = orr_course_verify(course);
    if (!code && work->bodies_file)
        code = keep_bodies(work);
    if (!code)
        code = compare_trajectory(work);
    if (!code)
        code = count(work);
    if (!code)
        code = orr_record_stages(work->record, &course->stages, &work->measured.stages);
    if (!code)
        code = orr_record_times(work->record, &work->measured);
    if (!code)
        code = orr_record_bodies(work->record, course);
    struct orr_cost cost = {0};
    if (!course->variant->cost)
        return code;
    if (!code)
        code = course->variant->cost(&course->job, &cost);
    return code ? code : orr_record_cost(work->record, &cost);
}

/* Also those of a cell that failed by them. */
static int record_errors(struct work *work)
{
    int code = orr_record_errors(work->record, &work->course);
    return code || !work->cell.error_curve ? code : orr_record_curve(work->record, &work->course);
}

static void conclude(struct work *work, int code, double wall_s, double device_s)
{
    json_t *record = work->record;
    json_object_set_new(record, "outcome", json_string(orr_record_outcome(code)));
    json_object_set_new(record, "reason", json_string(code ? orr_error_text() : ""));
    json_object_set_new(record, "note", json_string(work->course.job.note));
    json_object_set_new(record, "wall_s", json_real(wall_s));
    json_object_set_new(record, "harness_s", json_real(wall_s - work->course.own_s - device_s));
}

static int tell_partial(struct orr_channel *channel, json_t *record)
{
    return orr_channel_send(channel, json_pack("{s:s, s:O}", "say", "partial", "record", record));
}

json_t *orr_worker_cell(struct orr_stock *stock, json_t *request, struct orr_channel *channel)
{
    double start = orr_clock_now();
    struct work work = {.bodies_file = json_string_value(json_object_get(request, "bodies_file"))};
    if (orr_cell_from_json(&work.cell, json_object_get(request, "cell")))
        return NULL;
    work.record = orr_record_begin(&work.cell);
    if (!work.record) {
        orr_fail(ORR_EMEMORY, "no memory for a record");
        return NULL;
    }
    stock->device_s = 0;
    int code =
        set_out(&work, stock, (uint64_t)json_integer_value(json_object_get(request, "seed")));
    if (!code)
        code = tell_partial(channel, work.record);
    if (!code)
        code = run_first_step(&work);
    if (!code)
        code = measure(&work);
    if (!code && work.cell.energy)
        code = orr_course_energy(&work.course);
    if (record_errors(&work) && !code)
        code = ORR_EMEMORY;
    orr_course_release(&work.course);
    orr_measured_release(&work.measured);
    conclude(&work, code, orr_clock_now() - start, stock->device_s);
    return json_pack("{s:o}", "record", work.record);
}
