/* SPDX-License-Identifier: MIT */
/* Medians, intervals and the stopping rules. */
#include <time.h>

#include "measure/sampler.h"
#include "measure/stats.h"
#include "measure/stats_levels.h"
#include "tests/cases.h"

/* Uniform in [low, high). */
static void fill(double *out, size_t count, double low, double high, uint64_t seed)
{
    for (size_t k = 0; k < count; k++)
        out[k] = low + (high - low) * (double)(orr_stats_random_next(&seed) >> 11) * 0x1p-53;
}

TEST(quantiles_of_known_values)
{
    const double odd[] = {5, 1, 3}, even[] = {4, 1, 3, 2};
    assert_close(orr_stats_median(odd, 3), 3, 0);
    assert_close(orr_stats_median(even, 4), 2.5, 0);
    double found[2];
    orr_stats_quantiles(even, 4, (double[]){0, 1}, 2, found);
    assert_true(found[0] == 1 && found[1] == 4);
    orr_stats_quantiles(odd, 3, (double[]){0.25}, 1, found);
    assert_close(found[0], 2, 1e-15);
    assert_true(isnan(orr_stats_median(odd, 0)));
}

TEST(intervals_hold_the_median)
{
    double values[101], interval[2], same[7] = {2, 2, 2, 2, 2, 2, 2}, one = 3;
    fill(values, 101, 1, 2, 7);
    orr_stats_interval(values, 101, interval);
    double median = orr_stats_median(values, 101);
    assert_true(interval[0] <= median && median <= interval[1]);
    /* Half-width of the interval of the median of 101 uniform values: about 0.1. */
    assert_close(interval[1] - interval[0], 0.2, 0.1);
    orr_stats_interval(same, 7, interval);
    assert_true(interval[0] == 2 && interval[1] == 2);
    orr_stats_interval(&one, 1, interval);
    assert_true(interval[0] == 3 && interval[1] == 3);
    orr_stats_interval(&one, 0, interval);
    assert_true(isnan(interval[0]) && isnan(interval[1]));
}

/* The interval must hold the true median about 95 times in 100. */
TEST(intervals_cover)
{
    int covered = 0;
    for (int k = 0; k < 200; k++) {
        double values[25], interval[2];
        fill(values, 25, 0, 1, (uint64_t)k + 1);
        orr_stats_interval(values, 25, interval);
        covered += interval[0] <= 0.5 && 0.5 <= interval[1];
    }
    assert_in_range(covered, 180, 200);
}

struct source {
    int taken, slow_first; /* so many steps at first are slower */
    double step_s, spread;
    uint64_t seed;
    int fail_at;
    int begun; /* steps taken when the warm-up was over */
};

static int take(void *context, struct orr_sample *out)
{
    struct source *source = context;
    if (++source->taken == source->fail_at)
        return orr_fail(ORR_EDEVICE, "lost");
    double noise = (double)(orr_stats_random_next(&source->seed) >> 11) * 0x1p-53 - 0.5;
    *out = (struct orr_sample){.step_s = source->step_s * (1 + source->spread * noise)};
    if (source->taken <= source->slow_first)
        out->step_s *= 3;
    nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    return 0;
}

static void begin(void *context)
{
    struct source *source = context;
    source->begun = source->taken;
}

static struct orr_samples sample(struct source *source, struct orr_policy policy, double first_s,
                                 int expected)
{
    struct orr_samples samples = {0};
    struct orr_sampler sampler = {&policy, first_s, take, begin, source};
    assert_int_equal(orr_sampler_run(&sampler, &samples), expected);
    if (!expected)
        assert_int_equal(source->taken - source->begun, samples.count);
    return samples;
}

TEST(stops_when_the_interval_is_narrow)
{
    struct source source = {.step_s = 1e-3, .spread = 0.001, .seed = 1, .slow_first = 4};
    RELEASED_BY(orr_sampler_release)
    struct orr_samples samples =
        sample(&source, (struct orr_policy){10, 1000, 0.01, 5, 3, false, false}, 1e-3, 0);
    assert_string_equal(samples.stop, "converged");
    assert_int_equal(samples.count, 10);
    assert_true(samples.warmups >= 7);
    for (int k = 0; k < samples.count; k++)
        assert_true(samples.step_s[k] < 2e-3); /* the slow ones were warm-up */
}

TEST(stops_at_the_limits)
{
    struct source wild = {.step_s = 1e-3, .spread = 1.8, .seed = 1};
    RELEASED_BY(orr_sampler_release)
    struct orr_samples samples =
        sample(&wild, (struct orr_policy){10, 40, 0.001, 5, 3, false, false}, 1e-3, 0);
    assert_string_equal(samples.stop, "sample limit");
    assert_int_equal(samples.count, 40);
    orr_sampler_release(&samples);
    samples =
        sample(&wild, (struct orr_policy){10, 1000000, 0.0001, 0.02, 3, false, false}, 1e-3, 0);
    assert_string_equal(samples.stop, "time limit");
    assert_true(samples.count >= 1);
    orr_sampler_release(&samples);
    /* As many as were asked for, however long they take. */
    struct orr_policy asked = {.min_samples = 500, .max_samples = 1000000, .precision = 0.0001};
    asked.time_limit_s = 1e-9;
    samples = sample(&wild, asked, 1e-3, 0);
    assert_int_equal(samples.count, 1);
    orr_sampler_release(&samples);
    asked.insists = true;
    samples = sample(&wild, asked, 1e-3, 0);
    assert_string_equal(samples.stop, "time limit");
    assert_int_equal(samples.count, 500);
}

TEST(long_steps_are_counted)
{
    struct source source = {.step_s = 2, .seed = 1};
    RELEASED_BY(orr_sampler_release)
    struct orr_samples samples =
        sample(&source, (struct orr_policy){10, 1000, 0.01, 5, 3, false, false}, 2, 0);
    assert_string_equal(samples.stop, "fixed count");
    assert_int_equal(samples.count, 3);
    assert_int_equal(samples.warmups, 1); /* the verification step */
    orr_sampler_release(&samples);
    /* Only the first step was slow: not a long one after all. */
    struct source cold = {.step_s = 1e-3, .spread = 0.001, .seed = 1};
    samples = sample(&cold, (struct orr_policy){10, 1000, 0.01, 5, 3, false, false}, 2, 0);
    assert_string_equal(samples.stop, "converged");
    assert_int_equal(samples.count, 10);
}

TEST(a_failing_step_ends_it)
{
    for (int at = 1; at < 30; at += 7) {
        struct source source = {.step_s = 1e-3, .spread = 1, .seed = 1, .fail_at = at};
        struct orr_samples samples = sample(
            &source, (struct orr_policy){10, 1000, 1e-9, 5, 3, false, false}, 1e-3, ORR_EDEVICE);
        orr_sampler_release(&samples);
        orr_error_clear();
    }
}

RUN_TESTS(NULL, NULL)
