#include "measure/stats_dip.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

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

/* Where the hulls are furthest apart the single peak must be: between a knot of the minorant and
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

/* How far the step function leaves a hull between two of its points. */
static double distance(const struct hull *hull, size_t from, size_t to, int sign)
{
    double most = 0;
    for (size_t k = from; k <= to; k++)
        most = fmax(most, 1 + sign * ((double)k - hull->height[k]));
    return most;
}

double orr_stats_dip(const double *sorted, size_t count)
{
    size_t low = 0, high = count - 1, *stack = calloc(count, sizeof *stack);
    struct hull minorant = {calloc(count, sizeof(double)), calloc(count, sizeof(bool))},
                majorant = {calloc(count, sizeof(double)), calloc(count, sizeof(bool))};
    bool ready = stack && minorant.height && minorant.knot && majorant.height && majorant.knot;
    double dip = 1;
    while (ready && count > 1) {
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
    free(minorant.height);
    free(minorant.knot);
    free(majorant.height);
    free(majorant.knot);
    return ready ? dip / (2 * (double)count) : NAN;
}

double orr_stats_dip_chance(double dip, size_t count)
{
    const double root = sqrt((double)count), scaled = dip * root + 0.387 / root;
    return fmin(1, pow(10, 1.349 - 8.5 * scaled * scaled));
}
