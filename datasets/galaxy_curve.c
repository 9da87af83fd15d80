#include "datasets/galaxy_curve.h"

#include "datasets/galaxy_math.h"

static double secant(const struct orr_galaxy_curve *c, int k)
{
    return (c->y[k + 1] - c->y[k]) / (c->x[k + 1] - c->x[k]);
}

/* Between two secants: 0 where they differ in sign, else their weighted harmonic mean, which keeps
 * the cubic monotone.
 */
static double slope_between(const struct orr_galaxy_curve *c, int k)
{
    double before = secant(c, k - 1), after = secant(c, k);
    double left = c->x[k] - c->x[k - 1], right = c->x[k + 1] - c->x[k];
    if (before * after <= 0)
        return 0;
    return 3 * (left + right) / ((2 * right + left) / before + (right + 2 * left) / after);
}

void orr_galaxy_curve_make(struct orr_galaxy_curve *curve, const double (*points)[2], int count,
                           int flat_end)
{
    curve->count = count;
    for (int k = 0; k < count; k++) {
        curve->x[k] = orr_galaxy_log(points[k][0]);
        curve->y[k] = orr_galaxy_log(points[k][1]);
    }
    curve->slope[0] = secant(curve, 0);
    curve->slope[count - 1] = flat_end ? 0 : secant(curve, count - 2);
    for (int k = 1; k < count - 1; k++)
        curve->slope[k] = slope_between(curve, k);
}

/* Last point at or before x that has one behind it. */
static int interval_of(const struct orr_galaxy_curve *c, double x)
{
    int low = 0, high = c->count - 1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (c->x[middle] <= x)
            low = middle;
        else
            high = middle;
    }
    return low;
}

double orr_galaxy_curve_log(const struct orr_galaxy_curve *c, double x, double *slope)
{
    int last = c->count - 1;
    if (x <= c->x[0] || x >= c->x[last]) {
        int end = x <= c->x[0] ? 0 : last;
        *slope = c->slope[end];
        return c->y[end] + *slope * (x - c->x[end]);
    }
    /* Hermite's cubic: the secant and what the two slopes differ from it. */
    int k = interval_of(c, x);
    double h = c->x[k + 1] - c->x[k], t = (x - c->x[k]) / h, s = secant(c, k);
    double from = c->slope[k] - s, to = c->slope[k + 1] - s;
    *slope = s + from * (1 - t) * (1 - 3 * t) + to * t * (3 * t - 2);
    return c->y[k] + s * h * t + h * t * (1 - t) * (from * (1 - t) - to * t);
}

double orr_galaxy_curve_at(const struct orr_galaxy_curve *curve, double x)
{
    double slope;
    return orr_galaxy_exp(orr_galaxy_curve_log(curve, x, &slope));
}
