/* SPDX-License-Identifier: MIT */
/* The sampler: warming up, and sampling until the interval of the median is narrow. */
#include "measure/sampler.h"

#include <math.h>
#include <stdlib.h>

#include "clock.h"
#include "measure/stats.h"
#include "memory.h"

/* Warm-up: at least WARM_STEPS steps and WARM_S seconds, then until the median of the latest window
 * of steps is no more than FLAT below the window before it, at most WARM_SHARE of the time
 * limit. */
enum { WARM_STEPS = 6, WINDOW = 3 };
static const double WARM_S = 0.03, WARM_SHARE = 0.2, FLAT = 0.01;
/* The interval is computed again only after this growth, to keep its cost small. */
static const double GROWTH = 1.1;

void orr_sampler_release(struct orr_samples *samples)
{
    free(samples->step_s);
    free(samples->kernel_s);
    free(samples->throttled);
    *samples = (struct orr_samples){0};
}

static int take_one(const struct orr_sampler *sampler, struct orr_samples *out)
{
    struct orr_sample sample = {0};
    int code = sampler->take(sampler->context, &sample);
    if (code)
        return code;
    const size_t count = (size_t)out->count + 1;
    out->step_s = orr_memory_more(out->step_s, count * sizeof(double));
    out->kernel_s = orr_memory_more(out->kernel_s, count * sizeof(double));
    out->throttled = orr_memory_more(out->throttled, count * sizeof(bool));
    out->step_s[out->count] = sample.step_s;
    out->kernel_s[out->count] = sample.kernel_s;
    out->throttled[out->count++] = sample.throttled;
    return 0;
}

static bool trend_is_flat(const double recent[2 * WINDOW])
{
    return orr_stats_median(recent + WINDOW, WINDOW) >
           (1 - FLAT) * orr_stats_median(recent, WINDOW);
}

static int warm_up(const struct orr_sampler *sampler, struct orr_samples *out)
{
    double recent[2 * WINDOW] = {0}, start = orr_clock_now(),
                      most = WARM_SHARE * sampler->policy->time_limit_s;
    for (int steps = 1;; steps++) {
        struct orr_sample sample;
        int code = sampler->take(sampler->context, &sample);
        if (code)
            return code;
        out->warmups++;
        for (int k = 0; k < 2 * WINDOW - 1; k++)
            recent[k] = recent[k + 1];
        recent[2 * WINDOW - 1] = sample.step_s;
        double spent = orr_clock_now() - start;
        if (spent >= most || (steps >= WARM_STEPS && spent >= WARM_S && trend_is_flat(recent)))
            return 0;
    }
}

static bool interval_is_narrow(const struct orr_samples *samples, double precision)
{
    double interval[2], median = orr_stats_median(samples->step_s, (size_t)samples->count);
    orr_stats_interval(samples->step_s, (size_t)samples->count, interval);
    return orr_stats_plus_minus(median, interval[0], interval[1]) <= precision;
}

static int sample_until_sure(const struct orr_sampler *sampler, struct orr_samples *out)
{
    const struct orr_policy *policy = sampler->policy;
    double start = orr_clock_now();
    int look = policy->min_samples > 1 ? policy->min_samples : 1;
    while (!out->stop) {
        int code = take_one(sampler, out);
        bool narrow = false;
        if (code)
            return code;
        if (out->count >= look) {
            narrow = interval_is_narrow(out, policy->precision);
            look = (int)(out->count * GROWTH) + 1;
        }
        if (narrow)
            out->stop = "converged";
        else if (out->count >= policy->max_samples)
            out->stop = "sample limit";
        else if (orr_clock_now() - start >= policy->time_limit_s &&
                 !(policy->insists && out->count < policy->min_samples))
            out->stop = "time limit";
    }
    return 0;
}

int orr_sampler_run(const struct orr_sampler *sampler, struct orr_samples *out)
{
    out->warmups = 1;
    if (sampler->first_s > ORR_LONG_STEP_S) {
        /* A slow first step may only have been cold (page faults, lazy loading): the next one
         * decides. */
        sampler->begin(sampler->context);
        int code = take_one(sampler, out);
        if (!code && out->step_s[0] > ORR_LONG_STEP_S) {
            out->stop = "fixed count";
            while (!code && out->count < sampler->policy->long_samples)
                code = take_one(sampler, out);
            return code;
        }
        if (code)
            return code;
        out->count = 0;
        out->warmups++;
    }
    int code = warm_up(sampler, out);
    if (code)
        return code;
    sampler->begin(sampler->context);
    return sample_until_sure(sampler, out);
}
