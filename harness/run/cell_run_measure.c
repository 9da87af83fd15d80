#include "run/cell_run.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "clock.h"
#include "measure/counters.h"
#include "measure/sensors.h"

struct taking {
    struct orr_measured *measured;
    struct orr_cell_run *run;
    struct orr_sensors *sensors;
};

static int take(void *context, struct orr_sample *out)
{
    struct taking *taking = context;
    struct orr_cell_run *run = taking->run;
    double start = orr_clock_now();
    int code = orr_cell_run_step(run);
    for (int k = 0; !code && k < run->times.phase_count; k++)
        code = orr_named_times_add(&taking->measured->phases, run->times.phases[k].name,
                                   run->times.phases[k].seconds);
    *out = (struct orr_sample){.step_s = run->step_s, .kernel_s = run->times.seconds};
    if (!code)
        out->throttled = orr_sensors_throttled_since(taking->sensors, start, orr_clock_now());
    return code;
}

/* Drops the warm-up's values, which come first. */
static void drop_warm_up(struct orr_named_times_set *set, int samples)
{
    for (int k = 0; k < set->count; k++) {
        struct orr_named_times *series = &set->items[k];
        int surplus = series->count - samples;
        if (surplus <= 0)
            continue;
        series->count -= surplus;
        memmove(series->seconds, series->seconds + surplus, (size_t)series->count * sizeof(double));
    }
}

/* Moves the stages of the run's steps to the samples. */
static void keep_samples(struct orr_measured *measured, struct orr_cell_run *run)
{
    measured->stages = run->step_stages;
    run->step_stages = (struct orr_named_times_set){0};
    drop_warm_up(&measured->phases, measured->samples.count);
    drop_warm_up(&measured->stages, measured->samples.count);
}

/* End to end: from bodies on the host to forces on the host. Long steps get a single sample, the
 * latest step and a fetch. */
static int sample_end_to_end(struct orr_measured *out, struct orr_cell_run *run, bool long_steps)
{
    int wanted = long_steps ? 1 : ORR_END_TO_END_SAMPLES;
    out->end_to_end_s = malloc((size_t)wanted * sizeof *out->end_to_end_s);
    if (!out->end_to_end_s)
        return orr_fail(ORR_EMEMORY, "no memory for end-to-end samples");
    while (out->end_to_end_count < wanted) {
        int code = long_steps ? 0 : orr_cell_run_step(run);
        if (!code)
            code = orr_cell_run_fetch(run);
        if (code)
            return code;
        out->end_to_end_s[out->end_to_end_count++] = run->upload_s + run->step_s + run->fetch_s;
    }
    return 0;
}

/* One more step under the host's counters, which see only new threads: OpenMP's pool is ended
 * first. */
static int count_step(struct orr_measured *out, struct orr_cell_run *run)
{
    struct orr_counters *counters = NULL;
    if (run->device->info.kind != ORR_DEVICE_HOST || run->step_s > ORR_LONG_STEP_S)
        return 0;
    omp_pause_resource_all(omp_pause_hard);
    if (orr_counters_start(&counters, &run->device->info) || !counters) {
        orr_error_clear(); /* counters are optional */
        return 0;
    }
    int code = orr_cell_run_step(run);
    out->counters = orr_counters_stop(counters);
    return code;
}

int orr_cell_run_measure(struct orr_measured *out, struct orr_cell_run *run,
                         const struct orr_policy *policy)
{
    struct taking taking = {out, run, NULL};
    struct orr_sampler sampler = {policy, run->step_s, take, &taking};
    if (orr_sensors_start(&taking.sensors, &run->device->info)) {
        orr_error_clear(); /* so are sensors */
        taking.sensors = NULL;
    }
    int code = orr_sampler_run(&sampler, &out->samples);
    out->sensors = orr_sensors_stop(taking.sensors);
    if (code)
        return code;
    keep_samples(out, run);
    code = sample_end_to_end(out, run, run->step_s > ORR_LONG_STEP_S);
    return code ? code : count_step(out, run);
}

void orr_cell_run_release_measured(struct orr_measured *measured)
{
    orr_sampler_release(&measured->samples);
    orr_named_times_release(&measured->phases);
    orr_named_times_release(&measured->stages);
    free(measured->end_to_end_s);
    json_decref(measured->sensors);
    json_decref(measured->counters);
    *measured = (struct orr_measured){0};
}
