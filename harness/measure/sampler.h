/* SPDX-License-Identifier: MIT */
/* The sampler: when a step counts as warm, when enough samples are taken. The rules are in
 * docs/METHOD.md. It knows nothing of devices: `take` runs and times one sample. */
#ifndef ORR_SAMPLER_H
#define ORR_SAMPLER_H

#include <stdbool.h>

/* Steps longer than this are counted, not sampled until they converge. */
#define ORR_LONG_STEP_S 1.0

/* The policy of a cell's measurement, its length and its samples (docs/METHOD.md). */
struct orr_policy {
    int min_samples; /* at least this many, 10 */
    int max_samples;
    double precision; /* stop when the 95 % interval of the median is within this fraction, 0.01 */
    double time_limit_s; /* of sampling */
    int long_samples;    /* fixed count for steps longer than a second */
    bool joules;         /* also read the device's energy counter over a window of steps */
    bool insists;        /* min_samples are taken even where the time limit is over */
};

struct orr_sample {
    double step_s;   /* monotonic clock, step and synchronisation */
    double kernel_s; /* device events */
    bool throttled;  /* the device lowered its clock meanwhile */
};

struct orr_samples {
    double *step_s, *kernel_s;
    bool *throttled;
    int count;
    int warmups;      /* samples taken and discarded, the first step among them */
    const char *stop; /* "converged", "time limit", "sample limit", "fixed count" */
};

struct orr_sampler {
    const struct orr_policy *policy;
    double first_s; /* seconds of the first step, which was verified; >= 0 */
    int (*take)(void *context, struct orr_sample *out);
    void (*begin)(void *context); /* what is taken from now on are samples; called once or twice */
    void *context;
};

/* Fills zeroed `out`; release it whatever is returned. */
int orr_sampler_run(const struct orr_sampler *sampler, struct orr_samples *out);
void orr_sampler_release(struct orr_samples *samples);

#endif
