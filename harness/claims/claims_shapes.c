/* Medians, slopes and sigmoids as SQL functions: what claims about the shape of a figure are judged by. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "claims/claims_parts.h"
#include "error.h"
#include "measure/stats.h"

/* --- medians --- */

struct values {
    double *value;
    size_t count;
    bool full; /* memory ran out */
};

static void take_value(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    (void)count;
    struct values *values = sqlite3_aggregate_context(context, sizeof *values);
    if (!values || sqlite3_value_type(arguments[0]) == SQLITE_NULL)
        return;
    double *more = realloc(values->value, (values->count + 1) * sizeof *more);
    values->full |= !more;
    if (!more)
        return;
    values->value = more;
    more[values->count++] = sqlite3_value_double(arguments[0]);
}

/* `end` of the interval, or the median for -1. */
static void give_median(sqlite3_context *context, int end)
{
    struct values *values = sqlite3_aggregate_context(context, 0);
    double interval[2];
    if (!values)
        return;
    if (values->full)
        sqlite3_result_error_nomem(context);
    else if (end < 0 && values->count)
        sqlite3_result_double(context, orr_stats_median(values->value, values->count));
    else if (values->count > 1 && orr_stats_interval(values->value, values->count, interval) == 0)
        sqlite3_result_double(context, interval[end]);
    free(values->value);
}

static void median(sqlite3_context *context)
{
    give_median(context, -1);
}

static void median_low(sqlite3_context *context)
{
    give_median(context, 0);
}

static void median_high(sqlite3_context *context)
{
    give_median(context, 1);
}

/* --- slopes --- */

/* Sums of log x, log y and their products. */
struct fit {
    double count, x, y, xx, xy, yy;
};

static void take_pair(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    (void)count;
    struct fit *fit = sqlite3_aggregate_context(context, sizeof *fit);
    double x = sqlite3_value_double(arguments[0]), y = sqlite3_value_double(arguments[1]);
    if (!fit || !(x > 0) || !(y > 0)) /* NULL is 0 here */
        return;
    x = log(x), y = log(y);
    fit->count++;
    fit->x += x, fit->y += y;
    fit->xx += x * x, fit->xy += x * y, fit->yy += y * y;
}

/* The 97.5 % quantile of Student's t: its first values, then the expansion by Fisher about the normal quantile. */
static double student(size_t freedom)
{
    static const double first[] = {12.706, 4.303, 3.182, 2.776};
    const double z = 1.959964, z3 = z * z * z, z5 = z3 * z * z;
    if (freedom <= sizeof first / sizeof *first)
        return first[freedom - 1];
    double f = (double)freedom;
    return z + (z3 + z) / (4 * f) + (5 * z5 + 16 * z3 + 3 * z) / (96 * f * f);
}

/* The slope moved by `ends` half widths of its interval. */
static void give_slope(sqlite3_context *context, int ends)
{
    const struct fit *fit = sqlite3_aggregate_context(context, 0);
    if (!fit || fit->count < (ends ? 3 : 2))
        return;
    double xx = fit->xx - fit->x * fit->x / fit->count, xy = fit->xy - fit->x * fit->y / fit->count;
    double yy = fit->yy - fit->y * fit->y / fit->count, freedom = fit->count - 2;
    if (xx <= 1e-12 * fit->xx)
        return;
    double slope = xy / xx;
    if (ends)
        slope += ends * student((size_t)freedom) * sqrt(fmax(0, yy - slope * xy) / freedom / xx);
    sqlite3_result_double(context, slope);
}

static void loglog_slope(sqlite3_context *context)
{
    give_slope(context, 0);
}

static void loglog_slope_low(sqlite3_context *context)
{
    give_slope(context, -1);
}

static void loglog_slope_high(sqlite3_context *context)
{
    give_slope(context, 1);
}

/* --- sigmoids --- */

struct point {
    double x, y;
};

struct curve {
    struct point *point;
    size_t count;
    bool full;
};

static void take_point(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    (void)count;
    struct curve *curve = sqlite3_aggregate_context(context, sizeof *curve);
    double x = sqlite3_value_double(arguments[0]);
    if (!curve || !(x > 0) || sqlite3_value_type(arguments[1]) == SQLITE_NULL)
        return;
    struct point *more = realloc(curve->point, (curve->count + 1) * sizeof *more);
    curve->full |= !more;
    if (!more)
        return;
    curve->point = more;
    more[curve->count++] = (struct point){x, sqlite3_value_double(arguments[1])};
}

static int by_x(const void *left, const void *right)
{
    double a = ((const struct point *)left)->x, b = ((const struct point *)right)->x;
    return (a > b) - (a < b);
}

/* The curve in order; NULL with fewer points than wanted. */
static const struct curve *finish(sqlite3_context *context, size_t wanted)
{
    struct curve *curve = sqlite3_aggregate_context(context, 0);
    if (curve && curve->full)
        sqlite3_result_error_nomem(context);
    if (!curve || curve->full || curve->count < wanted)
        return NULL;
    qsort(curve->point, curve->count, sizeof *curve->point, by_x);
    return curve;
}

static void release(sqlite3_context *context)
{
    struct curve *curve = sqlite3_aggregate_context(context, 0);
    if (curve)
        free(curve->point);
}

/* Increment of y over log x behind point k. */
static double steepness(const struct curve *curve, size_t k)
{
    const struct point *p = curve->point + k;
    return (p[1].y - p[0].y) / log(p[1].x / p[0].x);
}

static size_t steepest_of(const struct curve *curve)
{
    size_t best = 0;
    for (size_t k = 1; k + 1 < curve->count; k++)
        if (steepness(curve, k) > steepness(curve, best))
            best = k;
    return best;
}

/* As values without intervals are compared: down is more than 10 % down. */
static bool is_down(const struct curve *curve, size_t k)
{
    return curve->point[k + 1].y < 0.9 * curve->point[k].y;
}

/* Flat is at most half as steep as where it is steepest. */
static void sigmoid(sqlite3_context *context)
{
    const struct curve *curve = finish(context, 4);
    if (curve) {
        double top = steepness(curve, steepest_of(curve));
        bool holds =
            top > 0 && fabs(steepness(curve, 0)) <= top / 2 && fabs(steepness(curve, curve->count - 2)) <= top / 2;
        for (size_t k = 0; k + 1 < curve->count; k++)
            holds &= !is_down(curve, k);
        sqlite3_result_int(context, holds);
    }
    release(context);
}

static void steepest(sqlite3_context *context)
{
    const struct curve *curve = finish(context, 2);
    if (curve) {
        const struct point *p = curve->point + steepest_of(curve);
        char text[64];
        snprintf(text, sizeof text, "%g to %g", p[0].x, p[1].x);
        sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
    }
    release(context);
}

int orr_claims_make_shapes(struct orr_ledger *ledger)
{
    static const struct orr_claims_function functions[] = {
        {"median", 1, NULL, take_value, median},
        {"median_low", 1, NULL, take_value, median_low},
        {"median_high", 1, NULL, take_value, median_high},
        {"loglog_slope", 2, NULL, take_pair, loglog_slope},
        {"loglog_slope_low", 2, NULL, take_pair, loglog_slope_low},
        {"loglog_slope_high", 2, NULL, take_pair, loglog_slope_high},
        {"sigmoid", 2, NULL, take_point, sigmoid},
        {"steepest", 2, NULL, take_point, steepest},
    };
    int code = 0;
    for (size_t k = 0; !code && k < sizeof functions / sizeof *functions; k++)
        code = orr_claims_make_function(ledger, &functions[k]);
    return code;
}
