/* SPDX-License-Identifier: MIT */
/* The rules of docs/METHOD.md, "Claims", as SQL functions. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "claims/claims.h"
#include "memory.h"
#include "text.h"
#include "measure/stats.h"

/* --- rows of an aggregate --- */

/* All items, in the order of x, a double, which is their first member; NULL
 * when there are fewer than `wanted`. Release them either way. */
static const struct orr_ledger_rows *kept_rows(sqlite3_context *context, size_t wanted, size_t size)
{
    const struct orr_ledger_rows *rows = sqlite3_aggregate_context(context, sizeof *rows);
    if (rows->count < wanted)
        return NULL;
    qsort(rows->items, rows->count, size, orr_stats_ascending);
    return rows;
}

static void release_rows(sqlite3_context *context)
{
    const struct orr_ledger_rows *rows = sqlite3_aggregate_context(context, sizeof *rows);
    free(rows->items);
}

/* --- one row --- */

static void shown(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    (void)count;
    char text[32];
    if (sqlite3_value_type(arguments[0]) == SQLITE_NULL)
        return;
    orr_format_number(text, sizeof text, sqlite3_value_double(arguments[0]));
    sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

/* --- texts in the order of x --- */

struct entry {
    double x;
    char *text;
};

static void take_text(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    const char *text = (const char *)sqlite3_value_text(arguments[1]);
    (void)count;
    if (text)
        *(struct entry *)orr_ledger_keep_row(context, sizeof(struct entry)) =
            (struct entry){sqlite3_value_double(arguments[0]), orr_memory_text(text)};
}

/* How much all of them begin with, up to and with " = ". */
static size_t common_head(const struct entry *entries, size_t count)
{
    const char *first = entries->text, *equals = strstr(first, " = ");
    size_t head = equals ? (size_t)(equals + 3 - first) : 0;
    for (size_t k = 1; k < count; k++)
        head = strncmp(entries[k].text, first, head) ? 0 : head;
    return head;
}

/* Of places what all begin with is said once, and nothing where all are empty. */
static void give_texts(sqlite3_context *context)
{
    const bool places = ((const struct orr_ledger_function *)sqlite3_user_data(context))->end;
    const struct orr_ledger_rows *series = kept_rows(context, 1, sizeof(struct entry));
    char *text = NULL;
    size_t size = 0;
    if (!series)
        return;
    struct entry *entries = series->items;
    const size_t head = places ? common_head(entries, series->count) : 0;
    bool said = !places;
    FILE *to = orr_memory_stream(&text, &size);
    for (size_t k = 0; k < series->count; k++) {
        said |= *entries[k].text != '\0';
        fprintf(to, "%s%s", k ? ", " : "", entries[k].text + (k ? head : 0));
        free(entries[k].text);
    }
    fclose(to);
    if (size && said)
        sqlite3_result_text(context, text, (int)size, SQLITE_TRANSIENT);
    free(text);
    release_rows(context);
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
    const int ends = ((const struct orr_ledger_function *)sqlite3_user_data(context))->end;
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
    *(struct point *)orr_ledger_keep_row(context, sizeof(struct point)) =
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
    const struct orr_ledger_rows *rows = kept_rows(context, wanted, sizeof *out->point);
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

/* The larger slope at an end over the steepest. Values without intervals: a decrease is more than
 * 10 %. */
static void sigmoid(sqlite3_context *context)
{
    struct curve curve;
    if (finish(&curve, context, 4)) {
        double top = steepness(&curve, steepest_of(&curve)),
               ends = fmax(fabs(steepness(&curve, 0)), fabs(steepness(&curve, curve.count - 2))),
               share = top > 0 ? fmin(ends / top, 1) : 1;
        for (size_t k = 0; k + 1 < curve.count; k++)
            if (curve.point[k + 1].y < 0.9 * curve.point[k].y)
                share = 1;
        sqlite3_result_double(context, share);
    }
    release_rows(context);
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
    release_rows(context);
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
    release_rows(context);
}

int orr_claims_make_functions(const struct orr_ledger *ledger)
{
    static const struct orr_ledger_function functions[] = {
        {"shown", 1, .call = shown},
        {"listing", 2, .step = take_text, .final = give_texts, .end = 0},
        {"places", 2, .step = take_text, .final = give_texts, .end = 1},
        {"loglog_slope", 2, .step = take_pair, .final = give_slope, .end = 0},
        {"loglog_slope_low", 2, .step = take_pair, .final = give_slope, .end = -1},
        {"loglog_slope_high", 2, .step = take_pair, .final = give_slope, .end = 1},
        {"sigmoid", 2, .step = take_point, .final = sigmoid},
        {"steepest", 2, .step = take_point, .final = steepest},
        {"fills_from", 2, .step = take_point, .final = fills_from},
    };
    return orr_ledger_add_functions(ledger, functions, sizeof functions / sizeof *functions, NULL);
}
