#include "measure/stats_student.h"

#include <math.h>
#include <stdbool.h>

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
