/* Medians, slopes and sigmoids as SQL functions, for claims about the shape of a figure. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "claims/claims_parts.h"
#include "error.h"
#include "measure/stats.h"

/* --- medians --- */

static void take_value(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    (void)count;
    double *value = sqlite3_value_type(arguments[0]) == SQLITE_NULL
                        ? NULL
                        : orr_claims_keep_row(context, sizeof *value);
    if (value)
        *value = sqlite3_value_double(arguments[0]);
}

static void median(sqlite3_context *context)
{
    const struct orr_claims_rows *values = orr_claims_kept_rows(context, 1);
    if (values)
        sqlite3_result_double(context, orr_stats_median(values->items, values->count));
    orr_claims_release_rows(context);
}

/* An interval that was computed, and the values that it is of. SQL asks for both ends in turn, and
 * a view is evaluated anew in each query. */
struct known_interval {
    double *values, ends[2];
    size_t count;
};
enum { KNOWN = 2048 };

static void forget(void *all)
{
    struct known_interval *known = all;
    for (size_t k = 0; k < KNOWN; k++)
        free(known[k].values);
    free(known);
}

static struct known_interval *place_of(struct known_interval *all, const double *values,
                                       size_t count)
{
    uint64_t hash = count;
    for (size_t k = 0; k < count; k++) {
        uint64_t bits;
        memcpy(&bits, &values[k], sizeof bits);
        hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    return &all[hash % KNOWN];
}

static int know(struct known_interval *known, const double *values, size_t count)
{
    size_t size = count * sizeof *values;
    if (!count)
        return orr_fail(ORR_EUSAGE, "there is no interval of no values");
    if (known->count == count && !memcmp(known->values, values, size))
        return 0;
    double *copy = realloc(known->values, size);
    if (!copy)
        return orr_fail(ORR_EMEMORY, "no memory for %zu values", count);
    known->values = memcpy(copy, values, size);
    known->count = 0;
    int code = orr_stats_interval(values, count, known->ends);
    if (!code)
        known->count = count;
    return code;
}

static void give_median_end(sqlite3_context *context, int end)
{
    const struct orr_claims_rows *values = orr_claims_kept_rows(context, 2);
    if (values) {
        struct known_interval *known =
            place_of(sqlite3_user_data(context), values->items, values->count);
        if (know(known, values->items, values->count) == 0)
            sqlite3_result_double(context, known->ends[end]);
    }
    orr_claims_release_rows(context);
}

static void median_low(sqlite3_context *context)
{
    give_median_end(context, 0);
}

static void median_high(sqlite3_context *context)
{
    give_median_end(context, 1);
}

/* Both share what is known, which goes with the first. */
static int make_median_ends(struct orr_ledger *ledger)
{
    struct known_interval *known = calloc(KNOWN, sizeof *known);
    if (!known)
        return orr_fail(ORR_EMEMORY, "no memory for the claims");
    enum { FLAGS = SQLITE_UTF8 | SQLITE_DETERMINISTIC };
    if (sqlite3_create_function_v2(ledger->db, "median_low", 1, FLAGS, known, NULL, take_value,
                                   median_low, forget) != SQLITE_OK ||
        sqlite3_create_function_v2(ledger->db, "median_high", 1, FLAGS, known, NULL, take_value,
                                   median_high, NULL) != SQLITE_OK)
        return orr_fail(ORR_EINTERNAL, "ledger: median_low: %s", sqlite3_errmsg(ledger->db));
    return 0;
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

/* The 97.5 % quantile of Student's t: its first values, then the expansion by Fisher about the
 * normal quantile. */
static double student(size_t freedom)
{
    static const double first[] = {12.706, 4.303, 3.182, 2.776};
    const double z = 1.959964, z3 = z * z * z, z5 = z3 * z * z;
    if (freedom <= sizeof first / sizeof *first)
        return first[freedom - 1];
    double f = (double)freedom;
    return z + (z3 + z) / (4 * f) + (5 * z5 + 16 * z3 + 3 * z) / (96 * f * f);
}

/* The slope plus `ends` half widths of its interval. */
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

static void take_point(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    (void)count;
    double x = sqlite3_value_double(arguments[0]);
    if (!(x > 0) || sqlite3_value_type(arguments[1]) == SQLITE_NULL)
        return;
    struct point *point = orr_claims_keep_row(context, sizeof *point);
    if (point)
        *point = (struct point){x, sqlite3_value_double(arguments[1])};
}

/* A curve in order. */
struct curve {
    const struct point *point;
    size_t count;
};

/* false with fewer points than wanted. */
static bool finish(struct curve *out, sqlite3_context *context, size_t wanted)
{
    const struct orr_claims_rows *rows = orr_claims_kept_rows(context, wanted);
    orr_claims_sort_rows(rows, sizeof *out->point);
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

/* Flat: at most half the steepest slope. */
static void sigmoid(sqlite3_context *context)
{
    struct curve curve;
    if (finish(&curve, context, 4)) {
        double top = steepness(&curve, steepest_of(&curve));
        bool holds = top > 0 && fabs(steepness(&curve, 0)) <= top / 2 &&
                     fabs(steepness(&curve, curve.count - 2)) <= top / 2;
        for (size_t k = 0; k + 1 < curve.count; k++)
            holds &= !is_down(&curve, k);
        sqlite3_result_int(context, holds);
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

int orr_claims_make_shapes(struct orr_ledger *ledger)
{
    static const struct orr_claims_function functions[] = {
        {"median", 1, NULL, take_value, median},
        {"loglog_slope", 2, NULL, take_pair, loglog_slope},
        {"loglog_slope_low", 2, NULL, take_pair, loglog_slope_low},
        {"loglog_slope_high", 2, NULL, take_pair, loglog_slope_high},
        {"sigmoid", 2, NULL, take_point, sigmoid},
        {"steepest", 2, NULL, take_point, steepest},
    };
    int code = make_median_ends(ledger);
    return code ? code
                : orr_claims_add_functions(ledger, functions, sizeof functions / sizeof *functions);
}
