#include "run/worker_measure.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "measure/clock.h"
#include "measure/counters.h"
#include "measure/sensors.h"

struct taking {
    struct orr_measured *measured;
    struct orr_course *course;
    struct orr_sensors *sensors;
};

static int take(void *context, struct orr_sample *out)
{
    struct taking *taking = context;
    struct orr_course *course = taking->course;
    double start = orr_clock_now();
    int code = orr_course_step(course);
    for (int k = 0; !code && k < course->times.phase_count; k++)
        code = orr_series_add(&taking->measured->phases, course->times.phases[k].name,
                              course->times.phases[k].seconds);
    *out = (struct orr_sample){.step_s = course->step_s, .kernel_s = course->times.seconds};
    if (!code)
        out->throttled = orr_sensors_throttled_since(taking->sensors, start, orr_clock_now());
    return code;
}

/* Steps of the warm-up come first: of each name only the latest values belong to samples. */
static void drop_warm_up(struct orr_series_set *set, int samples)
{
    for (int k = 0; k < set->count; k++) {
        struct orr_series *series = &set->items[k];
        int surplus = series->count - samples;
        if (surplus <= 0)
            continue;
        series->count -= surplus;
        memmove(series->seconds, series->seconds + surplus, (size_t)series->count * sizeof(double));
    }
}

/* What the course's steps marked becomes the samples'; later steps mark anew. */
static void keep_samples(struct orr_measured *measured, struct orr_course *course)
{
    measured->stages = course->step_stages;
    course->step_stages = (struct orr_series_set){0};
    drop_warm_up(&measured->phases, measured->samples.count);
    drop_warm_up(&measured->stages, measured->samples.count);
}

/* From bodies on the host to forces on the host. After long steps one fetch more has to do: the
 * latest step is completed. */
static int sample_end_to_end(struct orr_measured *out, struct orr_course *course, bool long_steps)
{
    int wanted = long_steps ? 1 : ORR_END_TO_END_SAMPLES;
    out->end_to_end_s = malloc((size_t)wanted * sizeof *out->end_to_end_s);
    if (!out->end_to_end_s)
        return orr_fail(ORR_EMEMORY, "no memory for end-to-end samples");
    while (out->end_to_end_count < wanted) {
        int code = long_steps ? 0 : orr_course_step(course);
        if (!code)
            code = orr_course_fetch(course);
        if (code)
            return code;
        out->end_to_end_s[out->end_to_end_count++] =
            course->upload_s + course->step_s + course->fetch_s;
    }
    return 0;
}

/* One more step under the host's counters. They see threads made from now on, so the pool of the
 * old ones is dissolved.
 */
static int count_step(struct orr_measured *out, struct orr_course *course)
{
    struct orr_counters *counters = NULL;
    if (course->device->info.kind != ORR_DEVICE_HOST || course->step_s > ORR_LONG_STEP_S)
        return 0;
    omp_pause_resource_all(omp_pause_hard);
    if (orr_counters_start(&counters, &course->device->info) || !counters) {
        orr_error_clear(); /* counters are a bonus */
        return 0;
    }
    int code = orr_course_step(course);
    out->counters = orr_counters_stop(counters);
    return code;
}

int orr_measure_course(struct orr_measured *out, struct orr_course *course,
                       const struct orr_policy *policy)
{
    struct taking taking = {out, course, NULL};
    struct orr_sampler sampler = {policy, course->step_s, take, &taking};
    if (orr_sensors_start(&taking.sensors, &course->device->info)) {
        orr_error_clear(); /* so are sensors */
        taking.sensors = NULL;
    }
    int code = orr_sampler_run(&sampler, &out->samples);
    out->sensors = orr_sensors_stop(taking.sensors);
    if (code)
        return code;
    keep_samples(out, course);
    code = sample_end_to_end(out, course, course->step_s > ORR_LONG_STEP_S);
    return code ? code : count_step(out, course);
}

void orr_measured_release(struct orr_measured *measured)
{
    orr_samples_release(&measured->samples);
    orr_series_release(&measured->phases);
    orr_series_release(&measured->stages);
    free(measured->end_to_end_s);
    json_decref(measured->sensors);
    json_decref(measured->counters);
    *measured = (struct orr_measured){0};
}
