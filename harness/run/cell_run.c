#include "run/cell_run.h"

#include <math.h>
#include <omp.h>
#include <signal.h>
#include <stdlib.h>

#include "error.h"
#include "measure/clock.h"
#include "plan/params.h"
#include "run/worker_stages.h"

static double number_of(json_t *parameters, const char *name, double fallback)
{
    json_t *value = json_object_get(parameters, name);
    return json_is_number(value) ? json_number_value(value) : fallback;
}

int orr_course_configure(struct orr_course *course)
{
    const struct orr_variant *variant = course->variant;
    course->params = calloc(1, variant->params_size ? variant->params_size : 1);
    if (!course->params)
        return orr_fail(ORR_EMEMORY, "no memory for the parameters of %s", variant->name);
    int code = orr_params_fill(variant, course->bodies, course->settings, course->setting_count,
                               course->params);
    if (code)
        return code;
    json_t *parameters = orr_params_to_json(variant, course->params);
    if (!parameters)
        return orr_fail(ORR_EMEMORY, "no memory for the parameters of %s", variant->name);
    course->eps = number_of(parameters, "eps", course->bodies->eps);
    course->dt = number_of(parameters, "dt", course->bodies->dt);
    course->level =
        (variant->capabilities & ORR_NEAR_FIELD) ? (int)number_of(parameters, "level", 0) : -1;
    course->steps =
        (variant->capabilities & ORR_INTEGRATES) ? (int)number_of(parameters, "steps", 0) : 0;
    json_decref(parameters);
    return 0;
}

/* The compiler inside an OpenCL driver catches fatal signals, and a raised one is then survived in
 * a broken state. A crash here must end the process: the scheduler names it. SIGFPE stays the
 * driver's, which mends integer divisions by zero. */
static void take_signals_back(void)
{
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGTERM};
    for (size_t k = 0; k < sizeof fatal / sizeof *fatal; k++)
        signal(fatal[k], SIG_DFL);
    signal(SIGINT, SIG_IGN);
}

/* After a call of the variant that began at `start`: its seconds are the variant's own, the stages
 * it marked go to `stages` (NULL: nowhere). Returns the seconds. */
static double account(struct orr_course *course, double start, struct orr_series_set *stages,
                      int *code)
{
    double seconds = orr_clock_now() - start;
    int taken = orr_stages_take(stages);
    course->own_s += seconds;
    if (!*code)
        *code = taken;
    return seconds;
}

int orr_course_prepare(struct orr_course *course)
{
    const struct orr_variant *variant = course->variant;
    course->host = (struct orr_host){
        .fail = orr_error_set, .threads = omp_get_num_procs(), .stage = orr_stages_mark};
    course->job =
        (struct orr_job){.host = &course->host,
                         .device = course->device,
                         .bodies = course->bodies,
                         .params = course->params,
                         .state = calloc(1, variant->state_size ? variant->state_size : 1)};
    if (!course->job.state)
        return orr_fail(ORR_EMEMORY, "no memory for the state of %s", variant->name);
    int code = orr_forces_make(&course->forces, course->bodies->n, course->steps > 0);
    if (code)
        return code;
    course->prepared = true; /* also a partial prepare is released */
    take_signals_back();
    if (!variant->prepare)
        return 0;
    double start = orr_clock_now();
    code = variant->prepare(&course->job);
    account(course, start, &course->stages, &code);
    take_signals_back(); /* compiling may have taken them again */
    return code;
}

/* Uploads and waits; the seconds that takes go to upload_s. */
static int timed_upload(struct orr_course *course)
{
    double start = orr_clock_now();
    int code = course->variant->upload ? course->variant->upload(&course->job) : 0;
    if (!code)
        code = orr_sync(course->device);
    course->upload_s = orr_clock_now() - start;
    return code;
}

/* The device's own marks lie inside the span of the host clock, so device time is never the longer
 * one. */
static int timed_step(struct orr_course *course)
{
    const struct orr_device_ops *ops = course->device->ops;
    double start = orr_clock_now();
    int code = ops->time_start(course->device);
    if (!code)
        code = course->variant->step(&course->job);
    if (!code)
        code = ops->time_stop(course->device);
    if (!code)
        code = orr_sync(course->device);
    course->step_s = orr_clock_now() - start;
    return code ? code : ops->time_read(course->device, &course->times);
}

int orr_course_step(struct orr_course *course)
{
    double start = orr_clock_now();
    int code = timed_upload(course);
    if (!code)
        code = orr_stages_take(&course->stages);
    if (!code)
        code = timed_step(course);
    account(course, start, &course->step_stages, &code);
    return code;
}

int orr_course_fetch(struct orr_course *course)
{
    orr_forces_poison(&course->forces, course->bodies->n);
    double start = orr_clock_now();
    int code = course->variant->fetch(&course->job, &course->forces);
    course->fetch_s = account(course, start, &course->stages, &code);
    return code;
}

static int compare(struct orr_course *course, const struct orr_reference *reference)
{
    struct orr_errors errors;
    int code = orr_verify_errors(&errors, &course->forces, reference, course->variant->dimensions);
    if (code)
        return code;
    orr_verify_widen(&course->errors, &errors);
    return orr_verify_judge(&errors, &course->bound);
}

static struct orr_reference_of reference_of(const struct orr_course *course)
{
    return (struct orr_reference_of){course->bodies, course->sha256, course->eps, course->level,
                                     course->targets};
}

/* Energy and momentum before and after, once a course; those of the start are kept from course to
 * course. */
static void conserve(struct orr_course *course, const struct orr_sources *moved,
                     const double *const vel[3])
{
    if (course->conserved)
        return;
    course->conserved = true;
    struct orr_reference_of start = reference_of(course);
    orr_stock_totals(course->stock, &course->start, &start);
    orr_reference_totals(&course->end, moved, vel);
}

static void widen_columns(double *const to[3], float *const from[3], size_t n, int dimensions)
{
    for (int d = 0; d < dimensions; d++)
        for (size_t i = 0; i < n; i++)
            to[d][i] = from[d][i];
}

/* An integration is judged where it arrived: the forces must belong to the positions that came with
 * them. */
static int verify_moved(struct orr_course *course)
{
    struct orr_bodies moved = {0};
    struct orr_reference reference = {0};
    int dimensions = course->variant->dimensions;
    size_t n = course->bodies->n;
    int code = orr_bodies_make(&moved, n, dimensions);
    if (code)
        goto out;
    widen_columns(moved.pos, course->forces.pos, n, dimensions);
    widen_columns(moved.vel, course->forces.vel, n, dimensions);
    struct orr_sources sources = {
        n, {moved.pos[0], moved.pos[1], moved.pos[2]}, course->bodies->mass, course->eps};
    code = orr_reference_make(&reference, &sources, &course->targets);
    if (code)
        goto out;
    conserve(course, &sources, (const double *const[3]){moved.vel[0], moved.vel[1], moved.vel[2]});
    code = compare(course, &reference);
out:
    orr_reference_release(&reference);
    orr_bodies_release(&moved);
    return code;
}

int orr_course_verify(struct orr_course *course)
{
    int code = orr_verify_finite(&course->forces, course->bodies->n, course->variant->dimensions);
    if (code)
        return code;
    if (course->steps > 0)
        return verify_moved(course);
    const struct orr_reference *reference;
    struct orr_reference_of of = reference_of(course);
    code = orr_stock_reference(course->stock, &reference, &of);
    return code ? code : compare(course, reference);
}

int orr_course_depart(struct orr_course *course, struct orr_departure *out)
{
    const struct orr_trajectory_of of = {course->bodies, course->sha256, course->eps, course->dt,
                                         course->steps};
    const struct orr_trajectory *trajectory;
    int code = orr_stock_trajectory(course->stock, &trajectory, &of);
    if (!code)
        *out = orr_trajectory_compare(trajectory, &course->forces, course->variant->dimensions);
    return code;
}

int orr_course_count(struct orr_course *course, struct orr_counts *out)
{
    *out = (struct orr_counts){0};
    double start = orr_clock_now();
    int code = course->variant->count(&course->job, out);
    if (!code)
        code = orr_sync(course->device);
    account(course, start, NULL, &code);
    if (!code)
        code = orr_course_fetch(course);
    if (!code)
        code = orr_course_verify(course);
    return code ? orr_error_context("the counting build") : 0;
}

void orr_course_dismiss(struct orr_course *course)
{
    if (course->prepared && course->variant->release) {
        double start = orr_clock_now();
        course->variant->release(&course->job);
        course->own_s += orr_clock_now() - start;
    }
    course->prepared = false;
}

void orr_course_release(struct orr_course *course)
{
    orr_course_dismiss(course);
    free(course->job.state);
    free(course->params);
    orr_forces_release(&course->forces);
    orr_series_release(&course->stages);
    orr_series_release(&course->step_stages);
    course->job.state = course->params = NULL;
}
