/* Positive real roots: between two neighbouring places where the derivative is zero a polynomial is
 * monotonic and has at most one, which bisection finds. */
#include <math.h>
#include <string.h>

#include "audit/polynomial.h"
#include "error.h"

enum { DEGREE = ORR_MAX_ROOTS };

/* Coefficients by power, real. */
struct curve {
    double c[DEGREE + 1];
    int degree;
};

static double value(const struct curve *f, double x)
{
    double sum = 0;
    for (int k = f->degree; k >= 0; k--)
        sum = sum * x + f->c[k];
    return sum;
}

/* Sum of the lengths of the terms: what rounding errors of value() are measured by. */
static double size_at(const struct curve *f, double x)
{
    double sum = 0;
    for (int k = f->degree; k >= 0; k--)
        sum = sum * x + fabs(f->c[k]);
    return sum;
}

static bool is_zero(const struct curve *f, double x)
{
    return fabs(value(f, x)) <= 1e-13 * size_at(f, x);
}

static double bisect(const struct curve *f, double low, double high)
{
    bool rises = value(f, high) > 0;
    for (double middle = 0.5 * (low + high); middle > low && middle < high;
         middle = 0.5 * (low + high)) {
        if ((value(f, middle) > 0) == rises)
            high = middle;
        else
            low = middle;
    }
    return 0.5 * (low + high);
}

/* Every positive root lies below 1 + max |c_k / c_degree| (Cauchy). */
static double bound(const struct curve *f)
{
    double most = 0;
    for (int k = 0; k < f->degree; k++)
        most = fmax(most, fabs(f->c[k] / f->c[f->degree]));
    return 1 + most;
}

static int add_root(double *out, int count, double x)
{
    if (x > 0 && (!count || x > out[count - 1] * (1 + 1e-7)))
        out[count++] = x;
    return count;
}

static int find_roots(double *out, const struct curve *f)
{
    double turns[DEGREE + 1];
    int turn_count = 0, count = 0;
    if (f->degree < 1)
        return 0;
    struct curve slope = {.degree = f->degree - 1};
    for (int k = 1; k <= f->degree; k++)
        slope.c[k - 1] = k * f->c[k];
    turn_count = find_roots(turns, &slope);
    turns[turn_count++] = bound(f);
    double low = 0;
    for (int k = 0; k < turn_count; k++) {
        double high = turns[k];
        /* A double root touches zero where the curve turns. */
        if (!is_zero(f, low) && !is_zero(f, high) && (value(f, low) > 0) != (value(f, high) > 0))
            count = add_root(out, count, bisect(f, low, high));
        if (is_zero(f, high))
            count = add_root(out, count, high);
        low = high;
    }
    return count;
}

int orr_polynomial_roots(double out[ORR_MAX_ROOTS], const struct orr_polynomial *a)
{
    char symbol[ORR_SYMBOL_SIZE];
    struct curve curve = {.degree = 0};
    if (!orr_polynomial_is_univariate(symbol, a))
        return orr_fail(ORR_EINPUT, "roots of a polynomial in several symbols");
    int lowest = a->count ? ORR_MAX_POWER : 0;
    for (int k = 0; k < a->count; k++) {
        int power = a->terms[k].count ? a->terms[k].factors[0].power : 0;
        lowest = power < lowest ? power : lowest;
    }
    /* Roots at 0 are not positive: the common power goes. */
    for (int k = 0; k < a->count; k++) {
        int power = (a->terms[k].count ? a->terms[k].factors[0].power : 0) - lowest;
        if (power > DEGREE)
            return orr_fail(ORR_EINPUT, "roots of a polynomial above degree %d", DEGREE);
        curve.c[power] = orr_rational_value(a->terms[k].coefficient);
        curve.degree = power > curve.degree ? power : curve.degree;
    }
    return find_roots(out, &curve);
}
