#include "measure/stats.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

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

static double *sorted(const double *values, size_t count)
{
    double *copy = malloc((count ? count : 1) * sizeof *copy);
    if (!copy)
        return NULL;
    memcpy(copy, values, count * sizeof *copy);
    qsort(copy, count, sizeof *copy, orr_stats_ascending);
    return copy;
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
    double *copy = count ? sorted(values, count) : NULL;
    for (size_t k = 0; k < quantiles; k++)
        out[k] = copy ? orr_stats_quantile_sorted(copy, count, q[k]) : NAN;
    free(copy);
}

double orr_stats_quantile(const double *values, size_t count, double q)
{
    double result;
    orr_stats_quantiles(values, count, &q, 1, &result);
    return result;
}

double orr_stats_median(const double *values, size_t count)
{
    return orr_stats_quantile(values, count, 0.5);
}

/* Median of as many values as there are, sorted value k being taken drawn[k] times: no sorting
 * needed. */
static double median_of_drawn(const double *values, const unsigned *drawn, size_t count)
{
    size_t lower_rank = (count - 1) / 2, upper_rank = count / 2, passed = 0, k = 0;
    while ((passed += drawn[k]) <= lower_rank)
        k++;
    double lower = values[k];
    while (passed <= upper_rank)
        passed += drawn[++k];
    return 0.5 * (lower + values[k]);
}

/* Median of one resample with replacement of sorted values. */
static double resampled_median(const double *values, size_t count, unsigned *drawn, uint64_t *state)
{
    memset(drawn, 0, count * sizeof *drawn);
    for (size_t k = 0; k < count; k++)
        drawn[orr_stats_random_below(state, count)]++;
    return median_of_drawn(values, drawn, count);
}

int orr_stats_resample(const double *values, size_t count, uint64_t *state,
                       double out[ORR_STATS_RESAMPLES])
{
    if (!count)
        return orr_fail(ORR_EUSAGE, "no samples to make an interval of");
    double *copy = sorted(values, count);
    unsigned *drawn = calloc(count, sizeof *drawn);
    bool ready = copy && drawn;
    for (int k = 0; ready && k < ORR_STATS_RESAMPLES; k++)
        out[k] = resampled_median(copy, count, drawn, state);
    free(drawn);
    free(copy);
    return ready ? 0 : orr_fail(ORR_EMEMORY, "no memory for %zu samples", count);
}

/* Puts the value of this rank where sorting would, smaller ones before it and larger ones behind:
 * Hoare's FIND (1961). */
static void put_in_place(double *values, long count, long rank)
{
    long low = 0, high = count - 1;
    while (low < high) {
        double pivot = values[rank];
        long up = low, down = high;
        while (up <= down) {
            while (values[up] < pivot)
                up++;
            while (pivot < values[down])
                down--;
            if (up <= down) {
                double value = values[up];
                values[up++] = values[down];
                values[down--] = value;
            }
        }
        if (down < rank)
            low = up;
        if (rank < up)
            high = down;
    }
}

/* Only the values that the two quantiles lie between need to be in place. */
void orr_stats_central_95(double values[ORR_STATS_RESAMPLES], double interval[2])
{
    static const double ends[] = {0.025, 0.975};
    for (int k = 0; k < 2; k++) {
        long rank = (long)(ends[k] * (ORR_STATS_RESAMPLES - 1));
        put_in_place(values, ORR_STATS_RESAMPLES, rank);
        put_in_place(values + rank + 1, ORR_STATS_RESAMPLES - rank - 1, 0);
        interval[k] = orr_stats_quantile_sorted(values, ORR_STATS_RESAMPLES, ends[k]);
    }
}

int orr_stats_interval(const double *values, size_t count, double interval[2])
{
    double medians[ORR_STATS_RESAMPLES] = {0};
    uint64_t state = ORR_STATS_SEED;
    int code = orr_stats_resample(values, count, &state, medians);
    if (!code)
        orr_stats_central_95(medians, interval);
    return code;
}

double orr_stats_plus_minus(double median, double low, double high)
{
    return fmax(high - median, median - low) / median;
}
