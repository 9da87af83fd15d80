/* Measuring inside a worker: samples of a run's step, its phases, end-to-end times, sensors and
 * counters. */
#ifndef ORR_WORKER_MEASURE_H
#define ORR_WORKER_MEASURE_H

#include <jansson.h>

#include "measure/sampler.h"
#include "run/cell_run.h"

enum { ORR_END_TO_END_SAMPLES = 5 };

struct orr_measured {
    struct orr_samples samples;
    struct orr_named_times_set phases; /* device seconds, one value a sample */
    struct orr_named_times_set stages; /* host seconds within the step, one value a sample */
    double *end_to_end_s;
    int end_to_end_count;
    json_t *sensors, *counters;
};

/* Samples under `policy`; the run has made its first step. Fetches nothing that the caller sees
 * but the end-to-end samples', so run->forces holds the last of these. Release it whatever is
 * returned. */
int orr_worker_measure(struct orr_measured *out, struct orr_cell_run *run,
                       const struct orr_policy *policy);
void orr_worker_measured_release(struct orr_measured *measured);

#endif
