#include "measure/steadiness.h"

#include <math.h>

#include "clock.h"

static const double SLOW = 1.25;
/* Sums that do not wait for each other, as many as keep the units for floating-point numbers busy:
 * a loop of fewer would leave a neighbour room. */
enum { SUMS = 16, PASSES = 10000, MOST = 100000 };

double orr_steadiness_slow(const double *seconds, size_t count)
{
    double least = INFINITY, slow = 0, all = 0;
    for (size_t k = 0; k < count; k++)
        least = fmin(least, seconds[k]);
    for (size_t k = 0; k < count; k++) {
        slow += seconds[k] > SLOW * least ? seconds[k] : 0;
        all += seconds[k];
    }
    return all > 0 ? slow / all : 0;
}

static double compute(void)
{
    double sums[SUMS], all = 0;
    for (int s = 0; s < SUMS; s++)
        sums[s] = s;
    for (int k = 0; k < PASSES; k++)
        for (int s = 0; s < SUMS; s++)
            sums[s] = sums[s] * 0.999 + 0.1;
    for (int s = 0; s < SUMS; s++)
        all += sums[s];
    return all;
}

double orr_steadiness_measure(double seconds)
{
    static double taken[MOST];
    size_t count = 0;
    double begin = orr_clock_now(), before = begin;
    volatile double kept = 0; /* or the compiler sees that nobody wants it */
    while (count < MOST && before - begin < seconds) {
        kept = compute();
        double after = orr_clock_now();
        taken[count++] = after - before;
        before = after;
    }
    (void)kept;
    return orr_steadiness_slow(taken, count);
}
