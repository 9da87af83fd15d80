/* SPDX-License-Identifier: MIT */
/* Medians of one process's samples and their bootstrap intervals. Every result is a function of the
 * samples alone (fixed seed). Arrays are not changed. stats_levels.h is about several processes. */
#ifndef ORR_STATS_H
#define ORR_STATS_H

#include <stddef.h>
#include <stdint.h>

/* Quantiles (0 to 1) with linear interpolation between order statistics; NAN without values or
 * memory. */
void orr_stats_quantiles(const double *values, size_t count, const double *q, size_t quantiles,
                         double *out);
double orr_stats_median(const double *values, size_t count);
/* For qsort of doubles. */
int orr_stats_ascending(const void *a, const void *b);
/* The same for values in ascending order, at least one. */
double orr_stats_quantile_sorted(const double *values, size_t count, double q);
/* 95 % percentile-bootstrap interval of the median; NANs without values. */
void orr_stats_interval(const double *values, size_t count, double interval[2]);
/* ± means this wherever it is shown: the further end of an interval, relative to the median. */
double orr_stats_plus_minus(double median, double low, double high);

/* Its parts: medians of resamples with replacement of at least one value, and what lies between
 * their 2.5 % and 97.5 % quantiles, which changes their order. */
enum { ORR_STATS_RESAMPLES = 1000 };
#define ORR_STATS_SEED UINT64_C(0x6f72726572790001)
void orr_stats_resample(const double *values, size_t count, uint64_t *state,
                        double out[ORR_STATS_RESAMPLES]);
void orr_stats_central_95(double values[ORR_STATS_RESAMPLES], double interval[2]);

/* A small generator (splitmix64) for choices that must be the same on every machine. */
uint64_t orr_stats_random_next(uint64_t *state);
/* Uniform in [0, bound); the bias is negligible for bounds far below 2^64. */
uint64_t orr_stats_random_below(uint64_t *state, uint64_t bound);

/* The largest distance between the distribution of ascending values and the nearest distribution
 * with a single peak (Hartigan & Hartigan 1985): 1 / (2 count) at least, at most 1/4. */
double orr_stats_dip(const double *sorted, size_t count);
/* The probability of a value above t. */
double orr_stats_student_tail(double t, double freedom);
/* The value that is exceeded with probability `tail`, from 1e-9 to 0.5. */
double orr_stats_student_quantile(double tail, double freedom);

/* Do two orders of the same things agree (Kendall 1938, "A new measure of rank correlation")? The
 * two-sided p value of a score, pairs in the same order less pairs in the other, of `count`
 * things without ties: the exact share of all orders whose score is as far from 0. NAN for fewer
 * than two things, or more than ORR_KENDALL_MOST. */
enum { ORR_KENDALL_MOST = 100 };
double orr_stats_kendall_p(size_t count, double score);

#endif
