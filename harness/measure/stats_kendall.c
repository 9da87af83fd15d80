#include "measure/stats_kendall.h"

#include <math.h>
#include <string.h>

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
