#include "run/cell_run.h"

#include <math.h>
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "error.h"
#include "plan/paper.h"
#include "plugin/params.h"
#include "run/named_times.h"

static double number_of(json_t *parameters, const char *name, double fallback)
{
    json_t *value = json_object_get(parameters, name);
    return json_is_number(value) ? json_number_value(value) : fallback;
}

int orr_cell_run_configure(struct orr_cell_run *run)
{
    const struct orr_variant *variant = run->variant;
    run->params = calloc(1, variant->params_size ? variant->params_size : 1);
    if (!run->params)
        return orr_fail(ORR_EMEMORY, "no memory for the parameters of %s", variant->name);
    int code =
        orr_params_fill(variant, run->bodies, run->settings, run->setting_count, run->params);
    if (code)
        return code;
    json_t *parameters = orr_params_to_json(variant, run->params);
    if (!parameters)
        return orr_fail(ORR_EMEMORY, "no memory for the parameters of %s", variant->name);
    run->eps = number_of(parameters, "eps", run->bodies->eps);
    run->dt = number_of(parameters, "dt", run->bodies->dt);
    run->theta = number_of(parameters, "theta", 0);
    run->level =
        (variant->capabilities & ORR_NEAR_FIELD) ? (int)number_of(parameters, "level", 0) : -1;
    run->steps =
        (variant->capabilities & ORR_INTEGRATES) ? (int)number_of(parameters, "steps", 0) : 0;
    json_decref(parameters);
    return 0;
}

int orr_cell_run_bound(struct orr_cell_run *run)
{
    const struct orr_variant *variant = run->variant;
    const struct orr_bound_at at = {.variant = variant->name,
                                    .tree = variant->capabilities & ORR_TREE_CODE,
                                    .settings = run->settings,
                                    .setting_count = run->setting_count,
                                    .theta = run->theta,
                                    .n = (double)run->bodies->n};
    return orr_bound_of_variant(&run->bound, &at);
}

/* An OpenCL driver's compiler catches fatal signals and would survive a crash in a broken state. A
 * crash must end the process, for the scheduler to report. SIGFPE stays the driver's: it handles
 * integer division by zero. */
static void take_signals_back(void)
{
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGTERM};
    for (size_t k = 0; k < sizeof fatal / sizeof *fatal; k++)
        signal(fatal[k], SIG_DFL);
    signal(SIGINT, SIG_IGN);
}

/* After a call of the variant that began at `start`: counts its seconds as the variant's own, adds
 * its stages to `stages` (NULL: drops them), and returns the seconds. */
static double account(struct orr_cell_run *run, double start, struct orr_named_times_set *stages,
                      int *code)
{
    double seconds = orr_clock_now() - start;
    int taken = orr_named_times_take_stages(stages);
    run->own_s += seconds;
    if (!*code)
        *code = taken;
    return seconds;
}

int orr_cell_run_prepare(struct orr_cell_run *run)
{
    const struct orr_variant *variant = run->variant;
    run->host = (struct orr_host){
        .fail = orr_error_set, .threads = omp_get_num_procs(), .stage = orr_named_times_mark_stage};
    run->job = (struct orr_job){.host = &run->host,
                                .device = run->device,
                                .bodies = run->bodies,
                                .params = run->params,
                                .state = calloc(1, variant->state_size ? variant->state_size : 1)};
    if (!run->job.state)
        return orr_fail(ORR_EMEMORY, "no memory for the state of %s", variant->name);
    int code = orr_verify_make_forces(&run->forces, run->bodies->n, run->steps > 0);
    if (code)
        return code;
    run->prepared = true; /* a partial prepare is released too */
    take_signals_back();
    if (!variant->prepare)
        return 0;
    double start = orr_clock_now();
    code = variant->prepare(&run->job);
    account(run, start, &run->stages, &code);
    take_signals_back(); /* compiling may have caught them again */
    return code;
}

/* Uploads and waits; the seconds that takes go to upload_s. */
static int timed_upload(struct orr_cell_run *run)
{
    double start = orr_clock_now();
    int code = run->variant->upload ? run->variant->upload(&run->job) : 0;
    if (!code)
        code = orr_sync(run->device);
    run->upload_s = orr_clock_now() - start;
    return code;
}

/* The device's marks lie within the host's span: device time is never longer. */
static int timed_step(struct orr_cell_run *run)
{
    const struct orr_device_ops *ops = run->device->ops;
    double start = orr_clock_now();
    int code = ops->time_start(run->device);
    if (!code)
        code = run->variant->step(&run->job);
    if (!code)
        code = ops->time_stop(run->device);
    if (!code)
        code = orr_sync(run->device);
    run->step_s = orr_clock_now() - start;
    return code ? code : ops->time_read(run->device, &run->times);
}

int orr_cell_run_step(struct orr_cell_run *run)
{
    double start = orr_clock_now();
    int code = timed_upload(run);
    if (!code)
        code = orr_named_times_take_stages(&run->stages);
    if (!code)
        code = timed_step(run);
    account(run, start, &run->step_stages, &code);
    return code;
}

int orr_cell_run_fetch(struct orr_cell_run *run)
{
    orr_verify_poison_forces(&run->forces, run->bodies->n);
    double start = orr_clock_now();
    int code = run->variant->fetch(&run->job, &run->forces);
    run->fetch_s = account(run, start, &run->stages, &code);
    return code;
}

static int compare(struct orr_cell_run *run, const struct orr_reference *reference)
{
    struct orr_errors errors;
    int code = orr_verify_errors(&errors, &run->forces, reference, run->variant->dimensions);
    if (code)
        return code;
    orr_verify_widen(&run->errors, &errors);
    return orr_verify_judge(&errors, &run->bound);
}

static struct orr_reference_of reference_of(const struct orr_cell_run *run)
{
    return (struct orr_reference_of){run->bodies, run->sha256, run->eps, run->level, run->targets};
}

/* Energy and momentum before and after, once a run; those of the start are kept from run to run. */
static void conserve(struct orr_cell_run *run, const struct orr_sources *moved,
                     const double *const vel[3])
{
    if (run->conserved)
        return;
    run->conserved = true;
    struct orr_reference_of start = reference_of(run);
    orr_worker_cache_totals(run->cache, &run->start, &start);
    orr_reference_totals(&run->end, moved, vel);
}

static void widen_columns(double *const to[3], float *const from[3], size_t n, int dimensions)
{
    for (int d = 0; d < dimensions; d++)
        for (size_t i = 0; i < n; i++)
            to[d][i] = from[d][i];
}

/* An integration is verified at its end: its forces must be those at its positions. */
static int verify_moved(struct orr_cell_run *run)
{
    struct orr_bodies moved = {0};
    struct orr_reference reference = {0};
    int dimensions = run->variant->dimensions;
    size_t n = run->bodies->n;
    int code = orr_bodies_make(&moved, n, dimensions);
    if (code)
        goto out;
    widen_columns(moved.pos, run->forces.pos, n, dimensions);
    widen_columns(moved.vel, run->forces.vel, n, dimensions);
    struct orr_sources sources = {
        n, {moved.pos[0], moved.pos[1], moved.pos[2]}, run->bodies->mass, run->eps};
    code = orr_reference_make(&reference, &sources, &run->targets);
    if (code)
        goto out;
    conserve(run, &sources, (const double *const[3]){moved.vel[0], moved.vel[1], moved.vel[2]});
    code = compare(run, &reference);
out:
    orr_reference_release(&reference);
    orr_bodies_release(&moved);
    return code;
}

int orr_cell_run_verify(struct orr_cell_run *run)
{
    int code = orr_verify_finite(&run->forces, run->bodies->n, run->variant->dimensions);
    if (code)
        return code;
    if (run->steps > 0)
        return verify_moved(run);
    const struct orr_reference *reference;
    struct orr_reference_of of = reference_of(run);
    code = orr_worker_cache_reference(run->cache, &reference, &of);
    return code ? code : compare(run, reference);
}

int orr_cell_run_trajectory_error(struct orr_cell_run *run, struct orr_trajectory_error *out)
{
    const struct orr_trajectory_of of = {run->bodies, run->sha256, run->eps, run->dt, run->steps};
    const struct orr_trajectory *trajectory;
    int code = orr_worker_cache_trajectory(run->cache, &trajectory, &of);
    if (!code)
        *out = orr_trajectory_compare(trajectory, &run->forces, run->variant->dimensions);
    return code;
}

int orr_cell_run_count(struct orr_cell_run *run, struct orr_counts *out)
{
    *out = (struct orr_counts){0};
    double start = orr_clock_now();
    int code = run->variant->count(&run->job, out);
    if (!code)
        code = orr_sync(run->device);
    account(run, start, NULL, &code);
    if (!code)
        code = orr_cell_run_fetch(run);
    if (!code)
        code = orr_cell_run_verify(run);
    return code ? orr_error_context("the counting build") : 0;
}

/* Releases the variant; the fetched output stays. */
static void shut_down(struct orr_cell_run *run)
{
    if (run->prepared && run->variant->release) {
        double start = orr_clock_now();
        run->variant->release(&run->job);
        run->own_s += orr_clock_now() - start;
    }
    run->prepared = false;
}

void orr_cell_run_release(struct orr_cell_run *run)
{
    shut_down(run);
    free(run->job.state);
    free(run->params);
    orr_verify_release_forces(&run->forces);
    orr_named_times_release(&run->stages);
    orr_named_times_release(&run->step_stages);
    run->job.state = run->params = NULL;
}

double orr_cell_run_potential(const struct orr_bodies *bodies, const struct orr_forces *forces)
{
    double sum = 0;
    for (size_t i = 0; i < bodies->n; i++)
        sum += 0.5 * bodies->mass[i] * forces->phi[i];
    return sum;
}

/* The run's settings with steps = 0. Returns how many there are. */
static int settings_at_rest(struct orr_setting out[ORR_MAX_SETTINGS + 1],
                            const struct orr_cell_run *run)
{
    int count = 0;
    for (int k = 0; k < run->setting_count; k++)
        if (strcmp(run->settings[k].name, "steps") != 0)
            out[count++] = run->settings[k];
    out[count] = (struct orr_setting){.name = "steps", .value = "0"};
    return count + 1;
}

int orr_cell_run_energy(struct orr_cell_run *run)
{
    if (run->steps == 0 || run->bodies->n <= ORR_ENERGY_LIMIT || !run->forces.has_phi)
        return 0;
    shut_down(run);
    struct orr_setting settings[ORR_MAX_SETTINGS + 1];
    struct orr_cell_run start = {.cache = run->cache,
                                 .variant = run->variant,
                                 .device = run->device,
                                 .bodies = run->bodies,
                                 .sha256 = run->sha256,
                                 .settings = settings,
                                 .setting_count = settings_at_rest(settings, run),
                                 .bound = run->bound,
                                 .targets = run->targets};
    int code = orr_cell_run_configure(&start);
    if (!code)
        code = orr_cell_run_prepare(&start);
    if (!code)
        code = orr_cell_run_step(&start);
    if (!code)
        code = orr_cell_run_fetch(&start);
    if (!code)
        code = orr_cell_run_verify(&start);
    if (!code) {
        run->start.energy = run->start.kinetic + orr_cell_run_potential(run->bodies, &start.forces);
        run->end.energy = run->end.kinetic + orr_cell_run_potential(run->bodies, &run->forces);
    }
    orr_cell_run_release(&start);
    run->own_s += start.own_s;
    return code ? orr_error_context("the energy at the start") : 0;
}
