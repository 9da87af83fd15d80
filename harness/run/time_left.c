#include "run/time_left.h"

#include <math.h>
#include <stdio.h>

/* A cell weighs so much less than the one after it: load comes and goes. */
static const double FADES = 0.97;
/* Before anything finished, expected times are right in the mean, as if so many cells had said so,
 * and scatter by these deviations of the logarithm: replayed journals (tests/test_time_left.c). */
static const double PRIOR_WEIGHT = 2;
static const double scatter[ORR_TIME_BASES] = {0.3, 0.4, 0.6, 1, 2};
/* Nine in ten normal numbers are within so many deviations; of replayed lines, whose tails are
 * longer, so many for a range. */
static const double NINE_IN_TEN = 1.645, NINE_IN_TEN_RANGES = 2.3;
/* A range of more times tells nothing. */
static const double MOST_RANGE = 25;

void orr_time_left_learn(struct orr_time_left *left, enum orr_time_basis basis, double expected_s,
                         double taken_s)
{
    struct orr_time_ratios *of = &left->of[basis];
    if (!(expected_s > 0) || !(taken_s > 0))
        return;
    const double ratio = log(taken_s / expected_s);
    for (int k = 0; k < ORR_TIME_BASES; k++) {
        left->of[k].weight *= FADES;
        left->of[k].sum *= FADES;
        left->of[k].squares *= FADES;
    }
    of->weight += 1;
    of->sum += ratio;
    of->squares += ratio * ratio;
}

/* The mean of the logarithms of all bases: what the machine's load does to each. */
static double common(const struct orr_time_left *left)
{
    double weight = PRIOR_WEIGHT, sum = 0;
    for (int k = 0; k < ORR_TIME_BASES; k++) {
        weight += left->of[k].weight;
        sum += left->of[k].sum;
    }
    return sum / weight;
}

double orr_time_left(double *spread, const struct orr_time_left *left,
                     const struct orr_time_expected expected[ORR_TIME_BASES])
{
    const double all = common(left);
    double seconds = 0, variance = 0;
    for (int k = 0; k < ORR_TIME_BASES; k++) {
        const struct orr_time_ratios *of = &left->of[k];
        const double weight = PRIOR_WEIGHT + of->weight,
                     mean = (PRIOR_WEIGHT * all + of->sum) / weight,
                     about = of->squares - 2 * mean * of->sum + mean * mean * of->weight,
                     own = (PRIOR_WEIGHT * scatter[k] * scatter[k] + about) / weight,
                     sum = expected[k].sum * exp(mean), scale = exp(2 * mean);
        if (!(expected[k].sum > 0))
            continue;
        seconds += sum;
        variance += expected[k].squares * scale * expm1(own) + sum * sum * expm1(own / weight);
    }
    *spread = seconds > 0 ? sqrt(log1p(variance / (seconds * seconds))) : 0;
    return seconds;
}

char *orr_time_left_duration(char *out, size_t size, double seconds)
{
    long whole = (long)ceil(seconds);
    if (whole < 90)
        snprintf(out, size, "%lds", whole);
    else if (whole < 5400)
        snprintf(out, size, "%ldm", (whole + 30) / 60);
    else
        snprintf(out, size, "%ldh%02ldm", whole / 3600, whole % 3600 / 60);
    return out;
}

char *orr_time_left_text(char *out, size_t size, double seconds, double spread)
{
    const double factor = exp(NINE_IN_TEN_RANGES * spread);
    char least[32], most[32];
    if (exp(NINE_IN_TEN * spread) <= 2)
        return orr_time_left_duration(out, size, seconds);
    *out = '\0';
    if (factor * factor <= MOST_RANGE)
        snprintf(out, size, "%s to %s",
                 orr_time_left_duration(least, sizeof least, seconds / factor),
                 orr_time_left_duration(most, sizeof most, seconds * factor));
    return out;
}
