/* SPDX-License-Identifier: MIT */
/* Statistics of one process: medians with bootstrap intervals, Hartigan's dip, Student's t and
 * Kendall's rank correlation. */
#include "measure/stats.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

uint64_t orr_stats_random_next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

uint64_t orr_stats_random_below(uint64_t *state, uint64_t bound)
{
    return (uint64_t)(((unsigned __int128)orr_stats_random_next(state) * bound) >> 64);
}

int orr_stats_ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double orr_stats_quantile_sorted(const double *values, size_t count, double q)
{
    double place = q * (double)(count - 1);
    size_t low = (size_t)place;
    if (low + 1 >= count)
        return values[count - 1];
    return values[low] + (place - (double)low) * (values[low + 1] - values[low]);
}

void orr_stats_quantiles(const double *values, size_t count, const double *q, size_t quantiles,
                         double *out)
{
    double *copy = count ? malloc(count * sizeof *copy) : NULL;
    if (copy) {
        memcpy(copy, values, count * sizeof *copy);
        qsort(copy, count, sizeof *copy, orr_stats_ascending);
    }
    for (size_t k = 0; k < quantiles; k++)
        out[k] = copy ? orr_stats_quantile_sorted(copy, count, q[k]) : NAN;
    free(copy);
}

double orr_stats_median(const double *values, size_t count)
{
    double result;
    orr_stats_quantiles(values, count, (double[]){0.5}, 1, &result);
    return result;
}

/* Median of one resample with replacement of sorted values, of which value k is drawn drawn[k]
 * times: no sorting needed. */
static double resampled_median(const double *values, size_t count, unsigned *drawn, uint64_t *state)
{
    const size_t lower_rank = (count - 1) / 2, upper_rank = count / 2;
    size_t passed = 0, k = 0;
    memset(drawn, 0, count * sizeof *drawn);
    for (size_t draw = 0; draw < count; draw++)
        drawn[orr_stats_random_below(state, count)]++;
    while ((passed += drawn[k]) <= lower_rank)
        k++;
    const double lower = values[k];
    while (passed <= upper_rank)
        passed += drawn[++k];
    return 0.5 * (lower + values[k]);
}

void orr_stats_resample(const double *values, size_t count, uint64_t *state,
                        double out[ORR_STATS_RESAMPLES])
{
    double *copy = orr_memory_get(count * sizeof *copy);
    unsigned *drawn = orr_memory_get(count * sizeof *drawn);
    memcpy(copy, values, count * sizeof *copy);
    qsort(copy, count, sizeof *copy, orr_stats_ascending);
    for (int k = 0; k < ORR_STATS_RESAMPLES; k++)
        out[k] = resampled_median(copy, count, drawn, state);
    free(drawn);
    free(copy);
}

void orr_stats_central_95(double values[ORR_STATS_RESAMPLES], double interval[2])
{
    qsort(values, ORR_STATS_RESAMPLES, sizeof *values, orr_stats_ascending);
    interval[0] = orr_stats_quantile_sorted(values, ORR_STATS_RESAMPLES, 0.025);
    interval[1] = orr_stats_quantile_sorted(values, ORR_STATS_RESAMPLES, 0.975);
}

void orr_stats_interval(const double *values, size_t count, double interval[2])
{
    double medians[ORR_STATS_RESAMPLES];
    uint64_t state = ORR_STATS_SEED;
    interval[0] = interval[1] = NAN;
    if (!count)
        return;
    orr_stats_resample(values, count, &state, medians);
    orr_stats_central_95(medians, interval);
}

double orr_stats_plus_minus(double median, double low, double high)
{
    return fmax(high - median, median - low) / median;
}

/* --- Hartigan's dip --- */

/* A step function through the points (x[k], k), from `low` to `high`: its greatest convex minorant,
 * or its least concave majorant. */
struct hull {
    double *height; /* at each point */
    bool *knot;     /* the hull touches it */
};

/* Sign 1 makes the minorant, -1 the majorant. Points that would bend the hull the wrong way are
 * dropped from the end (Andrew 1979). `stack` holds the knots so far. */
static void make_hull(struct hull *out, const double *x, size_t low, size_t high, int sign,
                      size_t *stack)
{
    size_t knots = 0;
    for (size_t k = low; k <= high; k++) {
        while (knots > 1) {
            size_t b = stack[knots - 1], a = stack[knots - 2];
            double bend = (x[b] - x[a]) * (double)(k - a) - (x[k] - x[a]) * (double)(b - a);
            if (sign * bend > 0)
                break;
            knots--;
        }
        stack[knots++] = k;
        out->knot[k] = false;
    }
    for (size_t j = 0; j < knots; j++)
        out->knot[stack[j]] = true;
    for (size_t j = 0; j + 1 < knots; j++)
        for (size_t a = stack[j], b = stack[j + 1], k = a; k <= b; k++) {
            double share = x[b] > x[a] ? (x[k] - x[a]) / (x[b] - x[a]) : k == b;
            out->height[k] = (double)a + share * (double)(b - a);
        }
    if (knots == 1)
        out->height[low] = (double)low;
}

/* The single peak must be where the hulls are furthest apart: between a knot of the minorant and
 * the next one of the majorant. */
static double widest(const struct hull *minorant, const struct hull *majorant, size_t *low,
                     size_t *high)
{
    size_t first = *low, last = *high;
    double most = -1;
    for (size_t k = first; k <= last; k++) {
        double apart = majorant->height[k] - minorant->height[k] + 1;
        if ((!minorant->knot[k] && !majorant->knot[k]) || !(apart > most))
            continue;
        most = apart;
        *low = *high = k;
    }
    if (minorant->knot[*low])
        while (*high < last && !majorant->knot[*high])
            ++*high;
    else
        while (*low > first && !minorant->knot[*low])
            --*low;
    return most;
}

/* The largest distance of the step function from a hull between two of its points. */
static double distance(const struct hull *hull, size_t from, size_t to, int sign)
{
    double most = 0;
    for (size_t k = from; k <= to; k++)
        most = fmax(most, 1 + sign * ((double)k - hull->height[k]));
    return most;
}

double orr_stats_dip(const double *sorted, size_t count)
{
    size_t low = 0, high = count - 1, *stack = orr_memory_get(count * sizeof *stack);
    double *heights = orr_memory_get(2 * count * sizeof *heights), dip = 1;
    bool *knots = orr_memory_get(2 * count * sizeof *knots);
    struct hull minorant = {heights, knots}, majorant = {heights + count, knots + count};
    while (count > 1) {
        size_t first = low, last = high;
        make_hull(&minorant, sorted, low, high, 1, stack);
        make_hull(&majorant, sorted, low, high, -1, stack);
        if (widest(&minorant, &majorant, &low, &high) <= dip)
            break;
        dip = fmax(dip,
                   fmax(distance(&minorant, first, low, 1), distance(&majorant, high, last, -1)));
        if (low == first && high == last)
            break;
    }
    free(stack);
    free(heights);
    free(knots);
    return dip / (2 * (double)count);
}

/* --- Student's t distribution --- */

/* The continued fraction of the incomplete beta function, evaluated from the front (Lentz 1976);
 * converges quickly for x < (a + 1) / (a + b + 2). */
static double beta_fraction(double x, double a, double b)
{
    const double least = 1e-300;
    double c = 1, d = 1 - (a + b) * x / (a + 1);
    d = 1 / (fabs(d) < least ? least : d);
    double value = d;
    for (int k = 1; k < 500; k++) {
        const double even = k * (b - k) * x / ((a + 2 * k - 1) * (a + 2 * k)),
                     odd = -(a + k) * (a + b + k) * x / ((a + 2 * k) * (a + 2 * k + 1));
        double factor = 1;
        for (int half = 0; half < 2; half++) {
            const double term = half ? odd : even;
            d = 1 + term * d;
            d = 1 / (fabs(d) < least ? least : d);
            c = 1 + term / c;
            c = fabs(c) < least ? least : c;
            factor = c * d;
            value *= factor;
        }
        if (fabs(factor - 1) < 1e-14)
            break;
    }
    return value;
}

/* The regularised incomplete beta function I_x(a, b); y is 1 - x without its rounding. */
static double beta_share(double x, double y, double a, double b)
{
    if (!(x > 0))
        return 0;
    if (!(y > 0))
        return 1;
    const double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(y));
    const bool front_first = x < (a + 1) / (a + b + 2);
    return front_first ? front * beta_fraction(x, a, b) / a
                       : 1 - front * beta_fraction(y, b, a) / b;
}

double orr_stats_student_tail(double t, double freedom)
{
    if (isnan(t) || !(freedom > 0))
        return NAN;
    if (isinf(t))
        return t < 0;
    if (freedom > 1e8)
        return 0.5 * erfc(t / sqrt(2));
    const double all = freedom + t * t,
                 tail = 0.5 * beta_share(freedom / all, t * t / all, 0.5 * freedom, 0.5);
    return t < 0 ? 1 - tail : tail;
}

/* The density at t. */
static double density(double t, double freedom)
{
    if (freedom > 1e8)
        return exp(-0.5 * t * t) / sqrt(2 * M_PI);
    return exp(lgamma(0.5 * (freedom + 1)) - lgamma(0.5 * freedom) -
               0.5 * (freedom + 1) * log1p(t * t / freedom)) /
           sqrt(freedom * M_PI);
}

/* Newton's steps between ends that enclose the value, halving where a step leaves them. */
double orr_stats_student_quantile(double tail, double freedom)
{
    if (!(freedom > 0) || !(tail > 0) || tail > 0.5)
        return NAN;
    double low = 0, high = INFINITY, t = 2, step = 1;
    for (int k = 0; k < 200 && fabs(step) > 1e-12 * t; k++) {
        const double off = orr_stats_student_tail(t, freedom) - tail;
        if (off > 0)
            low = t;
        else
            high = t;
        step = off / density(t, freedom);
        if (!(t + step > low && t + step < high))
            step = (isinf(high) ? 2 * t : 0.5 * (low + high)) - t;
        t += step;
    }
    return t;
}

/* --- Kendall's rank correlation --- */

enum { MOST_PAIRS = ORR_KENDALL_MOST * (ORR_KENDALL_MOST - 1) / 2 };

/* The share of orders of `count` things with k pairs turned: the next thing turns 0 to m pairs,
 * each as likely. */
static void shares_of_turned(double shares[MOST_PAIRS + 1], size_t count)
{
    double before[MOST_PAIRS + 1];
    size_t pairs = 0;
    memset(shares, 0, (MOST_PAIRS + 1) * sizeof *shares);
    shares[0] = 1;
    for (size_t m = 1; m < count; m++) {
        double sum = 0;
        pairs += m;
        memcpy(before, shares, sizeof before);
        for (size_t k = 0; k <= pairs; k++) {
            sum += before[k];
            sum -= k > m ? before[k - m - 1] : 0;
            shares[k] = sum / (double)(m + 1);
        }
    }
}

double orr_stats_kendall_p(size_t count, double score)
{
    double shares[MOST_PAIRS + 1], p = 0;
    if (count < 2 || count > ORR_KENDALL_MOST || isnan(score))
        return NAN;
    size_t pairs = count * (count - 1) / 2;
    shares_of_turned(shares, count);
    for (size_t turned = 0; turned <= pairs; turned++)
        if (fabs((double)pairs - 2 * (double)turned) >= fabs(score) - 0.5)
            p += shares[turned];
    return fmin(p, 1);
}
