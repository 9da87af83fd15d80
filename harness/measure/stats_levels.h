/* SPDX-License-Identifier: MIT */
/* Times of several processes. What differs between processes is no smaller than what differs within
 * one, so a process counts as one observation, however many samples it has (Kalibera & Jones 2013,
 * "Rigorous benchmarking in reasonable time"). Everything is computed on the scale of logarithms
 * and is a function of the samples alone. METHOD.md, "Statistics", has a worked example. */
#ifndef ORR_STATS_LEVELS_H
#define ORR_STATS_LEVELS_H

#include <stdbool.h>
#include <stddef.h>

/* An interval of fewer processes says what one run could say, and no difference is called one. */
enum { ORR_STATS_ENOUGH_PROCESSES = 3 };

/* Samples of several processes, one process after another: process p has counts[p] of the values.
 */
struct orr_levels {
    const double *values;
    const size_t *counts;
    size_t processes;
};

/* Spreads are relative; NAN stands for what is not known. */
struct orr_level_summary {
    double median;      /* over processes of their medians */
    double interval[2]; /* 95 %; of one or two processes: within one run; NAN without two samples */
    double within;      /* of samples: half of what holds their middle 68 %, the median process's */
    double between;     /* standard deviation of the processes' medians */
    double p5, p95;     /* of all samples */
    bool two_peaks;     /* of one process at least; by chance in 1 % of the cells */
    double halving;     /* processes that make the interval half as wide, those measured included */
};
/* 0; ORR_EUSAGE without samples in each process or with a value that is not positive. */
int orr_stats_levels(struct orr_level_summary *out, const struct orr_levels *of);

/* An estimate of the logarithm of a median over processes, or of a quotient of such; all but the
 * first 0 without enough processes on each side. */
struct orr_level_estimate {
    double log_median;
    double variance, freedom;       /* and its degrees of freedom */
    double known;                   /* factor of the variance if it were not estimated but known */
    double log_mean, mean_variance; /* of the means of logarithms, which must differ, too */
};

/* a over b. */
struct orr_level_ratio {
    double ratio, interval[2];
    double p;     /* two-sided, of "there is no difference"; NAN unless it decides */
    bool decides; /* enough processes on both sides */
    struct orr_level_estimate of;
};
int orr_stats_levels_ratio(struct orr_level_ratio *out, const struct orr_levels *a,
                           const struct orr_levels *b);
/* The p value of "the ratio is further from 1 than the margin", 0.02 for 2 %: the larger one of the
 * two one-sided tests (Schuirmann 1987). NAN unless it decides. */
double orr_stats_levels_within(const struct orr_level_ratio *ratio, double margin);

/* 0, or the codes of orr_stats_levels. */
int orr_stats_levels_estimate(struct orr_level_estimate *out, const struct orr_levels *of);
/* a over b, which were measured independently. That of b over a differs in the logarithm's sign
 * only. */
struct orr_level_estimate orr_stats_levels_over(const struct orr_level_estimate *a,
                                                const struct orr_level_estimate *b);
/* The judgement of the quotient. */
struct orr_level_ratio orr_stats_levels_judge(const struct orr_level_estimate *of);

/* The variances of many ratios have this in common: each is a draw of `variance` times freedom over
 * chi-squared of `freedom` degrees; 0 degrees where they have nothing in common, INFINITY where
 * they are alike. */
struct orr_level_prior {
    double variance, freedom;
};
/* For the ratios of one table that decide. A variance of three to five processes is uncertain by a
 * factor of two and more, which makes a test weak; that of the table adds what is missing (Smyth
 * 2004). With fewer than ORR_STATS_PRIOR_LEAST ratios there are 0 degrees. */
enum { ORR_STATS_PRIOR_LEAST = 8 };
struct orr_level_prior orr_stats_levels_prior(const struct orr_level_ratio *ratios, size_t count);
/* Moderates the variance of a ratio by the prior: interval, p and freedom are new. */
void orr_stats_levels_moderate(struct orr_level_ratio *ratio, const struct orr_level_prior *prior);

/* p among `all` of its table, which ascend and hold it: the smallest false discovery rate at which
 * it is significant (Benjamini & Hochberg 1995). Where all with at most 0.05 are called different,
 * 5 % of the calls are expected to be false. */
double orr_stats_levels_adjusted(double p, const double *all, size_t count);

#endif
