/* Slopes and sigmoids as SQL functions, for claims about the shape of a figure. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "claims/claims_parts.h"
#include "error.h"
#include "measure/stats.h"

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
    if (!(x > 0) || !(y > 0)) /* NULL is 0 here */
        return;
    x = log(x), y = log(y);
    fit->count++;
    fit->x += x, fit->y += y;
    fit->xx += x * x, fit->xy += x * y, fit->yy += y * y;
}

/* The slope, or the end of its interval: it plus that many half widths. */
static void give_slope(sqlite3_context *context)
{
    const int ends = orr_ledger_function_end(context);
    const struct fit *fit = sqlite3_aggregate_context(context, 0);
    if (!fit || fit->count < (ends ? 3 : 2))
        return;
    double xx = fit->xx - fit->x * fit->x / fit->count, xy = fit->xy - fit->x * fit->y / fit->count;
    double yy = fit->yy - fit->y * fit->y / fit->count, freedom = fit->count - 2;
    if (xx <= 1e-12 * fit->xx)
        return;
    double slope = xy / xx;
    if (ends)
        slope += ends * orr_stats_student_quantile(0.025, freedom) *
                 sqrt(fmax(0, yy - slope * xy) / freedom / xx);
    sqlite3_result_double(context, slope);
}

/* --- sigmoids --- */

struct point {
    double x, y;
};

static void take_point(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    (void)count;
    double x = sqlite3_value_double(arguments[0]);
    if (!(x > 0) || sqlite3_value_type(arguments[1]) == SQLITE_NULL)
        return;
    *(struct point *)orr_claims_keep_row(context, sizeof(struct point)) =
        (struct point){x, sqlite3_value_double(arguments[1])};
}

/* A curve in order. */
struct curve {
    const struct point *point;
    size_t count;
};

/* false with fewer points than wanted. */
static bool finish(struct curve *out, sqlite3_context *context, size_t wanted)
{
    const struct orr_claims_rows *rows =
        orr_claims_kept_rows(context, wanted, sizeof *out->point);
    if (rows)
        *out = (struct curve){rows->items, rows->count};
    return rows;
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

/* Values without intervals: a decrease is more than 10 %. */
static bool is_down(const struct curve *curve, size_t k)
{
    return curve->point[k + 1].y < 0.9 * curve->point[k].y;
}

/* The larger slope at an end over the steepest. */
static void sigmoid(sqlite3_context *context)
{
    struct curve curve;
    if (finish(&curve, context, 4)) {
        double top = steepness(&curve, steepest_of(&curve)),
               ends = fmax(fabs(steepness(&curve, 0)), fabs(steepness(&curve, curve.count - 2))),
               share = top > 0 ? fmin(ends / top, 1) : 1;
        for (size_t k = 0; k + 1 < curve.count; k++)
            if (is_down(&curve, k))
                share = 1;
        sqlite3_result_double(context, share);
    }
    orr_claims_release_rows(context);
}

static void steepest(sqlite3_context *context)
{
    struct curve curve;
    if (finish(&curve, context, 2)) {
        const struct point *p = curve.point + steepest_of(&curve);
        char text[64];
        snprintf(text, sizeof text, "%g to %g", p[0].x, p[1].x);
        sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
    }
    orr_claims_release_rows(context);
}

/* From there on a device has all that it can do; that takes a size that is not the largest. */
static void fills_from(sqlite3_context *context)
{
    static const double FULL = 0.9;
    struct curve curve;
    if (finish(&curve, context, 2)) {
        double top = 0;
        for (size_t k = 0; k < curve.count; k++)
            top = fmax(top, curve.point[k].y);
        size_t first = curve.count;
        while (first > 0 && curve.point[first - 1].y >= FULL * top)
            first--;
        if (first + 1 < curve.count)
            sqlite3_result_double(context, curve.point[first].x);
    }
    orr_claims_release_rows(context);
}

int orr_claims_make_shapes(struct orr_ledger *ledger)
{
    static const struct orr_ledger_function functions[] = {
        {"loglog_slope", 2, .step = take_pair, .final = give_slope, .end = 0},
        {"loglog_slope_low", 2, .step = take_pair, .final = give_slope, .end = -1},
        {"loglog_slope_high", 2, .step = take_pair, .final = give_slope, .end = 1},
        {"sigmoid", 2, .step = take_point, .final = sigmoid},
        {"steepest", 2, .step = take_point, .final = steepest},
        {"fills_from", 2, .step = take_point, .final = fills_from},
    };
    return orr_ledger_add_functions(ledger, functions, sizeof functions / sizeof *functions, NULL);
}
