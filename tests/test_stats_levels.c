/* SPDX-License-Identifier: MIT */
/* Medians, intervals and the stopping rules of one process; times of several processes on simulated
 * data whose truth is known: intervals cover it, equal variants are not told apart, different ones
 * are, two peaks are found. METHOD.md's worked example is recomputed. ORRERY_SIMULATIONS=20 repeats
 * simulations 20 times as often; their tables are printed. */
#include <time.h>

#include "measure/sampler.h"
#include "measure/stats.h"
#include "measure/stats_levels.h"
#include "tests/cases.h"

enum { MOST_PROCESSES = 10, MOST_SAMPLES = 60, TABLE = 40 };
static uint64_t chance = 20130620;

static int times(int repetitions)
{
    const char *factor = getenv("ORRERY_SIMULATIONS");
    return factor && atoi(factor) > 0 ? repetitions * atoi(factor) : repetitions;
}

static double uniform(void)
{
    return ((double)(orr_stats_random_next(&chance) >> 11) + 0.5) * 0x1p-53;
}

static double normal(void)
{
    return sqrt(-2 * log(uniform())) * cos(2 * M_PI * uniform());
}

/* Skewed, as times are: a few take longer. */
static double lognormal(void)
{
    return exp(0.8 * normal()) - 1;
}

static double exponential(void)
{
    return -log(uniform()) - M_LN2;
}

/* Heavy tails: Student's t of three degrees. */
static double heavy(void)
{
    double squares = 0;
    for (int k = 0; k < 3; k++)
        squares += pow(normal(), 2);
    return normal() / sqrt(squares / 3) / 1.7;
}

/* Two groups of processes, as by where memory happened to lie. */
static double either(void)
{
    return uniform() < 0.5 ? -1 : 1;
}

/* What `processes` say of a time; median 0 and about unit spread each. */
struct world {
    size_t processes, samples;
    double median, between, within;
    double (*between_noise)(void), (*within_noise)(void);
};

struct draw {
    double values[MOST_PROCESSES * MOST_SAMPLES];
    size_t counts[MOST_PROCESSES];
    struct orr_levels levels;
};

static void take(struct draw *out, const struct world *world)
{
    for (size_t p = 0; p < world->processes; p++) {
        double own = world->median * exp(world->between * world->between_noise());
        out->counts[p] = world->samples;
        for (size_t k = 0; k < world->samples; k++)
            out->values[p * world->samples + k] = own * exp(world->within * world->within_noise());
    }
    out->levels = (struct orr_levels){out->values, out->counts, world->processes};
}

/* Of times drawn from the one world over those of the other. */
static struct orr_level_ratio ratio_of(const struct world *over, const struct world *under)
{
    struct draw a, b;
    struct orr_level_ratio ratio;
    take(&b, under);
    take(&a, over);
    assert_int_equal(orr_stats_levels_ratio(&ratio, &a.levels, &b.levels), 0);
    return ratio;
}

/* --- one process --- */

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
TEST(intervals_of_one_process_cover)
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

static int take_step(void *context, struct orr_sample *out)
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
    struct orr_sampler sampler = {&policy, first_s, take_step, begin, source};
    assert_int_equal(orr_sampler_run(&sampler, &samples), expected);
    if (!expected)
        assert_int_equal(source->taken - source->begun, samples.count);
    return samples;
}

static const struct orr_policy usual_policy = {10, 1000, 0.01, 5, 3, false, false};

TEST(stops_when_the_interval_is_narrow)
{
    struct source source = {.step_s = 1e-3, .spread = 0.001, .seed = 1, .slow_first = 4};
    RELEASED_BY(orr_sampler_release)
    struct orr_samples samples = sample(&source, usual_policy, 1e-3, 0);
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
    struct orr_samples samples = sample(&source, usual_policy, 2, 0);
    assert_string_equal(samples.stop, "fixed count");
    assert_int_equal(samples.count, 3);
    assert_int_equal(samples.warmups, 1); /* the verification step */
    orr_sampler_release(&samples);
    /* Only the first step was slow: not a long one after all. */
    struct source cold = {.step_s = 1e-3, .spread = 0.001, .seed = 1};
    samples = sample(&cold, usual_policy, 2, 0);
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

/* --- Student's t --- */

TEST(students_quantiles)
{
    static const double known[][2] = {{1, 12.7062047}, {2, 4.30265273}, {4, 2.77644511},
                                      {8, 2.30600414}, {2.5, 3.558},    {1e9, 1.95996398}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        double t = orr_stats_student_quantile(0.025, known[k][0]);
        assert_close(t, known[k][1], known[k][0] == 2.5 ? 0.02 : 1e-6);
        assert_close(orr_stats_student_tail(t, known[k][0]), 0.025, 1e-9);
    }
    assert_close(orr_stats_student_tail(-1, 1), 0.75, 1e-12); /* Cauchy */
    assert_close(orr_stats_student_tail(20, 3) / 0.000136468, 1, 1e-3);
    assert_true(isnan(orr_stats_student_quantile(0.025, 0)));
}

/* --- a summary --- */

TEST(what_is_known_of_few_samples)
{
    const double values[] = {2, 2.2, 1.8, 2.1};
    const size_t one[] = {1}, four[] = {4}, pair[] = {2, 2}, single[] = {1, 1, 1, 1}, none[] = {0};
    struct orr_level_summary s;
    assert_int_equal(orr_stats_levels(&s, &(struct orr_levels){values, one, 1}), 0);
    assert_true(s.median == 2 && isnan(s.interval[0]) && isnan(s.within) && isnan(s.between) &&
                isnan(s.halving) && !s.two_peaks);
    assert_int_equal(orr_stats_levels(&s, &(struct orr_levels){values, four, 1}), 0);
    double interval[2];
    orr_stats_interval(values, 4, interval);
    assert_memory_equal(s.interval, interval, sizeof interval); /* within one run */
    assert_true(isnan(s.between) && s.within > 0);
    assert_int_equal(orr_stats_levels(&s, &(struct orr_levels){values, pair, 2}), 0);
    assert_close(s.median, 2.025, 1e-12);
    assert_close(s.between, log(2.1 / 1.95) / sqrt(2), 1e-12);
    assert_true(s.interval[0] < 2.025 && s.interval[1] > 2.025 && isnan(s.halving));
    assert_int_equal(orr_stats_levels(&s, &(struct orr_levels){values, single, 4}), 0);
    assert_true(s.interval[0] > 1.5 && s.interval[1] < 2.8 && isnan(s.within));
    assert_int_equal(orr_stats_levels(&s, &(struct orr_levels){values, none, 1}), ORR_EUSAGE);
    const double negative[] = {1, -1};
    assert_int_equal(orr_stats_levels(&s, &(struct orr_levels){negative, pair, 1}), ORR_EUSAGE);
}

/* A clock of few ticks makes medians of processes equal; the interval stays one. */
TEST(agreement_by_chance_is_no_certainty)
{
    double values[36];
    const size_t counts[] = {12, 12, 12};
    for (size_t k = 0; k < 36; k++)
        values[k] = 1 + 0.01 * (double)(k % 12);
    struct orr_level_summary s;
    assert_int_equal(orr_stats_levels(&s, &(struct orr_levels){values, counts, 3}), 0);
    assert_true(s.between == 0 && s.interval[1] / s.interval[0] > 1.01);
}

TEST(halving_counts_processes)
{
    static const size_t counts[] = {1, 1, 1, 1, 1, 1, 1};
    static const double values[] = {1, 2, 3, 4, 5, 6, 7};
    struct orr_level_summary s;
    orr_stats_levels(&s, &(struct orr_levels){values, counts, 3});
    assert_true(s.halving == 6);
    orr_stats_levels(&s, &(struct orr_levels){values, counts, 5});
    assert_in_range((int)s.halving, 12, 16);
}

/* In per cent; each is to be 95. */
static double coverage(const struct world *world, int repetitions)
{
    int held = 0;
    for (int k = 0; k < repetitions; k++) {
        struct draw draw;
        struct orr_level_summary s;
        take(&draw, world);
        assert_int_equal(orr_stats_levels(&s, &draw.levels), 0);
        held += s.interval[0] <= world->median && world->median <= s.interval[1];
    }
    return 100.0 * held / repetitions;
}

TEST(intervals_cover)
{
    static const struct {
        const char *name;
        double (*noise)(void);
    } noises[] = {{"normal", normal},
                  {"lognormal", lognormal},
                  {"exponential", exponential},
                  {"heavy", heavy}};
    static const size_t processes[] = {3, 5, 10};
    static const double spreads[][2] = {{0, 0.01}, {0.01, 0.01}, {0.03, 0.01}};
    const int repetitions = times(1000);
    puts("coverage in %: processes; between/within 0/1 %, 1/1 %, 3/1 %");
    for (size_t n = 0; n < sizeof noises / sizeof *noises; n++)
        for (size_t p = 0; p < sizeof processes / sizeof *processes; p++) {
            printf("%-12s %2zu", noises[n].name, processes[p]);
            for (size_t s = 0; s < sizeof spreads / sizeof *spreads; s++) {
                const struct world world = {
                    processes[p],   12, 1, spreads[s][0], spreads[s][1], noises[n].noise,
                    noises[n].noise};
                double share = coverage(&world, repetitions);
                printf(" %5.1f", share);
                assert_true(share > 91.5 && share < 98.5);
            }
            puts("");
        }
}

/* --- ratios --- */

TEST(ratios_say_how_sure_they_are)
{
    struct draw a, b;
    struct orr_level_ratio ratio, other;
    take(&a, &(struct world){5, 12, 2, 0.005, 0.005, normal, normal});
    take(&b, &(struct world){5, 12, 1, 0.005, 0.005, normal, normal});
    assert_int_equal(orr_stats_levels_ratio(&ratio, &a.levels, &b.levels), 0);
    assert_true(ratio.decides && ratio.p < 1e-6 && ratio.of.freedom >= 4 && ratio.of.freedom <= 8);
    assert_close(ratio.ratio, 2, 0.05);
    assert_close(orr_stats_levels_within(&ratio, 0.02), 1, 1e-6);
    assert_true(orr_stats_levels_within(&ratio, 1.2) < 1e-4);
    orr_stats_levels_ratio(&other, &b.levels, &a.levels);
    assert_close(other.interval[0] * ratio.interval[1], 1, 1e-9);
    assert_close(other.p, ratio.p, 1e-12);
    orr_stats_levels_ratio(&other, &a.levels, &a.levels);
    assert_true(other.ratio == 1 && other.p == 1 && orr_stats_levels_within(&other, 0.05) < 0.01);
    b.levels.processes = 2;
    orr_stats_levels_ratio(&other, &a.levels, &b.levels);
    assert_true(!other.decides && isnan(other.p) && other.interval[0] < other.ratio &&
                other.ratio < other.interval[1]);
}

/* A table of cells, of which one in `every` differs by 5 % (0: none does). `unlike` spreads the
 * cells' own spreads between processes. */
struct trial {
    size_t processes;
    double between, unlike;
    int every;
    bool moderated;
};

static bool differs(const struct trial *trial, size_t cell)
{
    return trial->every && cell % (size_t)trial->every == 0;
}

static void fill_table(struct orr_level_ratio ratios[TABLE], const struct trial *trial)
{
    for (size_t k = 0; k < TABLE; k++) {
        const struct world world = {
            trial->processes, 12,       1, trial->between * exp(trial->unlike * normal()), 0.005,
            normal,           lognormal};
        struct world over = world;
        over.median = differs(trial, k) ? 1.05 : 1;
        ratios[k] = ratio_of(&over, &world);
    }
    struct orr_level_prior prior = orr_stats_levels_prior(ratios, TABLE);
    for (size_t k = 0; trial->moderated && k < TABLE; k++)
        orr_stats_levels_moderate(&ratios[k], &prior);
}

/* Shares, in per cent, of what is called different by more than a margin of 2 %. */
struct called {
    double equal, different;
};

static struct called call(const struct trial *trial, int repetitions)
{
    double calls[2] = {0}, all[2] = {0};
    for (int r = 0; r < repetitions; r++) {
        struct orr_level_ratio ratios[TABLE];
        fill_table(ratios, trial);
        double p[TABLE];
        for (size_t k = 0; k < TABLE; k++)
            p[k] = ratios[k].p;
        qsort(p, TABLE, sizeof *p, by_value);
        for (size_t k = 0; k < TABLE; k++) {
            const bool real = differs(trial, k);
            all[real]++;
            calls[real] += orr_stats_levels_adjusted(ratios[k].p, p, TABLE) <= 0.05 &&
                           fabs(log(ratios[k].ratio)) > log(1.02);
        }
    }
    return (struct called){100 * calls[0] / all[0], 100 * calls[1] / fmax(1, all[1])};
}

/* The example of Benjamini & Hochberg 1995, section 4: the first four of fifteen are significant.
 */
TEST(p_values_are_adjusted_by_their_table)
{
    static const double p[] = {0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
                               0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1};
    enum { COUNT = sizeof p / sizeof *p };
    for (size_t k = 0; k < COUNT; k++)
        assert_int_equal(orr_stats_levels_adjusted(p[k], p, COUNT) <= 0.05, k < 4);
    assert_close(orr_stats_levels_adjusted(p[0], p, COUNT), 15 * 0.0001, 1e-12);
    assert_close(orr_stats_levels_adjusted(p[4], p, COUNT), 15 * 0.0201 / 5, 1e-12);
    assert_close(orr_stats_levels_adjusted(p[5], p, COUNT), 15 * 0.0298 / 7,
                 1e-12); /* of the next */
    assert_true(orr_stats_levels_adjusted(p[14], p, COUNT) == 1);
    static const double alike[] = {0.03, 0.03, 0.03}, none[] = {0.5, 0.9};
    assert_true(orr_stats_levels_adjusted(0.03, alike, 3) == 0.03 &&
                orr_stats_levels_adjusted(0.04, alike, 1) == 1 &&
                orr_stats_levels_adjusted(0.5, none, 2) == 0.9);
}

/* What comparisons rely on: of equal cells at most 1 % are called different, and of those that
 * differ by 5 % at least 95 % with five processes whose medians spread by 1 %. */
TEST(equal_is_rarely_called_different)
{
    static const double between[] = {0.005, 0.01, 0.02};
    const int repetitions = times(15);
    puts(
        "40 cells, called different in %: none differs; a quarter and one of 40 do (equal, other)");
    for (size_t b = 0; b < 3; b++)
        for (size_t processes = 3; processes <= 5; processes += 2)
            for (int kind = 0; kind < 4; kind++) {
                struct trial trial = {processes, between[b], kind / 2 ? 0.5 : 0, 0, kind % 2};
                struct called none = call(&trial, repetitions), quarter, one;
                trial.every = 4, quarter = call(&trial, repetitions);
                trial.every = TABLE, one = call(&trial, repetitions);
                printf("between %.1f %%, %s, %zu processes, %-9s: %4.2f %4.2f %5.1f %4.2f %5.1f\n",
                       100 * between[b], kind / 2 ? "unlike" : "alike ", processes,
                       trial.moderated ? "moderated" : "plain", none.equal, quarter.equal,
                       quarter.different, one.equal, one.different);
                assert_true(none.equal <= 1 && quarter.equal <= 2.5 && one.equal <= 1);
                if (trial.moderated && processes == 5 && b < 2 && kind / 2 == 0)
                    assert_true(quarter.different >= 95 && one.different >= 93);
            }
}

/* Without a difference p is below x in at most a share x of all cases; p is the larger of two. */
TEST(p_values_keep_their_level)
{
    const int repetitions = times(4000);
    int below[2] = {0};
    for (int r = 0; r < repetitions; r++) {
        const struct world world = {3, 12, 1, 0.01, 0.005, normal, lognormal};
        const struct orr_level_ratio ratio = ratio_of(&world, &world);
        below[0] += ratio.p < 0.05;
        below[1] += ratio.p < 0.5;
    }
    assert_true(below[0] < 0.065 * repetitions && below[0] > 0.025 * repetitions);
    assert_true(below[1] < 0.55 * repetitions && below[1] > 0.30 * repetitions);
}

/* Medians of five such processes lie in one group or the other: half of all pairs of equal cells
 * are 20 % apart. */
TEST(two_groups_of_processes_are_no_difference)
{
    const int repetitions = times(1000);
    int apart = 0, called = 0;
    for (int r = 0; r < repetitions; r++) {
        const struct world world = {5, 10, 1, 0.09, 0.002, either, normal};
        const struct orr_level_ratio ratio = ratio_of(&world, &world);
        apart += fabs(log(ratio.ratio)) > 0.1;
        called += ratio.p < 0.05;
    }
    printf("%d of %d pairs of equal cells are 20 %% apart, %d have p < 0.05\n", apart, repetitions,
           called);
    assert_true(apart > 0.4 * repetitions && called < 0.08 * repetitions);
}

/* A difference of just the margin is called the same in 5 % of all cases. */
TEST(equivalence_keeps_its_level)
{
    const int repetitions = times(4000);
    int same = 0, equal = 0;
    for (int r = 0; r < repetitions; r++) {
        const struct world slow = {5, 12, 1.02, 0.005, 0.005, normal, normal},
                           usual = {5, 12, 1, 0.005, 0.005, normal, normal};
        const struct orr_level_ratio apart = ratio_of(&slow, &usual),
                                     none = ratio_of(&usual, &usual);
        same += orr_stats_levels_within(&apart, 0.02) < 0.05;
        equal += orr_stats_levels_within(&none, 0.02) < 0.05;
    }
    assert_true(same < 0.06 * repetitions && equal > 0.9 * repetitions);
}

TEST(few_ratios_share_nothing)
{
    struct orr_level_ratio ratios[TABLE], before;
    fill_table(ratios, &(struct trial){.processes = 5, .between = 0.01});
    struct orr_level_prior prior = orr_stats_levels_prior(ratios, ORR_STATS_PRIOR_LEAST - 1);
    before = ratios[0];
    orr_stats_levels_moderate(&ratios[0], &prior);
    assert_true(prior.freedom == 0 && before.p == ratios[0].p);
    prior = orr_stats_levels_prior(ratios, TABLE);
    orr_stats_levels_moderate(&ratios[0], &prior);
    assert_true(prior.freedom > 8 && ratios[0].of.freedom > before.of.freedom);
    assert_close(sqrt(prior.variance), 0.01 * sqrt(2) * 0.4868, 0.002);
}

/* --- two peaks --- */

TEST(dips_of_known_values)
{
    const double even[] = {1, 2, 3, 4, 5}, two[] = {1, 1.01, 1.02, 5, 5.01, 5.02};
    assert_close(orr_stats_dip(even, 5), 0.1, 1e-12); /* 1 / (2 n) */
    assert_close(orr_stats_dip(two, 6), 0.25 * 0.992, 0.01);
    assert_close(orr_stats_dip(even, 1), 0.5, 1e-12);
}

static int peaks(const struct world *world, double apart, double share, double tick,
                 int repetitions)
{
    int found = 0;
    for (int r = 0; r < repetitions; r++) {
        struct draw draw;
        struct orr_level_summary s;
        take(&draw, world);
        for (size_t k = 0; k < world->processes * world->samples; k++) {
            double *value = &draw.values[k];
            *value *= uniform() < share ? 1 + apart : 1;
            *value = tick > 0 ? tick * round(*value / tick) : *value;
        }
        orr_stats_levels(&s, &draw.levels);
        found += s.two_peaks;
    }
    return found;
}

TEST(two_peaks_are_found)
{
    const int repetitions = times(1000);
    const struct world one = {1, 50, 1, 0, 0.01, normal, normal},
                       three = {3, 30, 1, 0.02, 0.01, normal, normal},
                       skewed = {5, 12, 1, 0, 0.01, normal, exponential};
    assert_true(peaks(&one, 0.08, 0.5, 0, repetitions) > 0.95 * repetitions);
    assert_true(peaks(&three, 0.1, 0.5, 0, repetitions) > 0.95 * repetitions);
    assert_true(peaks(&one, 0, 0, 0, repetitions) <= 0.015 * repetitions);
    assert_true(peaks(&three, 0, 0, 0, repetitions) <= 0.015 * repetitions);
    assert_true(peaks(&skewed, 0, 0, 0, repetitions) <= 0.015 * repetitions);
    assert_true(peaks(&one, 0, 0, 0.005, repetitions) <= 0.015 * repetitions); /* ticks */
}

/* --- the manual --- */

/* Every number of the worked example, as it stands there. */
TEST(the_worked_example_holds)
{
    static const double a[] = {3.370, 3.387, 6.524, 3.410, 3.372, 3.434, 3.613, 4.903,
                               3.368, 3.397, 3.581, 3.688, 3.621, 3.481, 3.419, 3.510},
                        b[] = {3.364, 3.412, 3.379, 3.365, 3.389, 3.360, 3.354, 3.374, 3.414};
    static const size_t na[] = {6, 7, 3}, nb[] = {3, 3, 3};
    const struct orr_levels A = {a, na, 3}, B = {b, nb, 3};
    struct orr_level_summary s, t;
    struct orr_level_ratio r;
    RELEASED_BY(free_text) char *text = file_text("docs/METHOD.md");
    char line[13][160];
    assert_int_equal(orr_stats_levels(&s, &A), 0);
    assert_int_equal(orr_stats_levels(&t, &B), 0);
    assert_int_equal(orr_stats_levels_ratio(&r, &A, &B), 0);
    int lines = 0;
    const struct orr_level_summary *both[] = {&s, &t};
    for (size_t p = 0, k = 0; p < 3; k += na[p++]) {
        char *at = line[lines++];
        at += sprintf(at, "| A%zu |", p + 1);
        for (size_t j = k; j < k + na[p]; j++)
            at += sprintf(at, "%s%.3f", j > k ? ", " : " ", a[j]);
        sprintf(at, " | %.4f |", orr_stats_median(a + k, na[p]));
    }
    for (size_t p = 0; p < 3; p++)
        sprintf(line[lines++], "| B%zu | %.3f, %.3f, %.3f | %.4f |", p + 1, b[3 * p], b[3 * p + 1],
                b[3 * p + 2], orr_stats_median(b + 3 * p, 3));
    for (int k = 0; k < 2; k++)
        sprintf(
            line[lines++], "%.3f ms ± %.1f %%, from %.3f to %.3f", both[k]->median,
            100 * orr_stats_plus_minus(both[k]->median, both[k]->interval[0], both[k]->interval[1]),
            both[k]->interval[0], both[k]->interval[1]);
    sprintf(line[lines++], "between processes %.2f %% and %.2f %%", 100 * s.between,
            100 * t.between);
    sprintf(line[lines++], "within them %.2f %% and %.2f %%", 100 * s.within, 100 * t.within);
    sprintf(line[lines++], "%.3f [%.3f, %.3f]", r.ratio, r.interval[0], r.interval[1]);
    sprintf(line[lines++], "%.5f with %.2f degrees", sqrt(r.of.variance), r.of.freedom);
    sprintf(line[lines++], "p = %.2f; within 2 %%: p = %.2f", r.p,
            orr_stats_levels_within(&r, 0.02));
    for (int k = 0; k < lines; k++)
        if (!strstr(text, line[k]))
            fail_msg("docs/METHOD.md does not have: %s", line[k]);
}

RUN_TESTS(NULL, NULL)
