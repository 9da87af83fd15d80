/* The rules of docs/METHOD.md, "Claims", as SQL functions. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "claims/claims_parts.h"
#include "error.h"
#include "format_value.h"

/* --- one row --- */

static void verdict_of(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    (void)count;
    double held = sqlite3_value_double(arguments[0]), parts = sqlite3_value_double(arguments[1]);
    const char *verdict = held <= 0      ? ORR_NOT_REPRODUCED
                          : held < parts ? ORR_PARTLY
                                         : ORR_REPRODUCED;
    sqlite3_result_text(context, verdict, -1, SQLITE_STATIC);
}

static void shown(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    (void)count;
    char text[32];
    if (sqlite3_value_type(arguments[0]) == SQLITE_NULL)
        return;
    orr_format_number(text, sizeof text, sqlite3_value_double(arguments[0]));
    sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

/* --- a series of rows, in the order of x --- */

struct point {
    double x, low, value, high;
    sqlite3_int64 wanted; /* least number of points for a verdict; the same in every row */
    char *text;
};

static struct point *add(sqlite3_context *context, sqlite3_value *x)
{
    struct point *point = orr_claims_keep_row(context, sizeof *point);
    if (point)
        point->x = sqlite3_value_double(x);
    return point;
}

static void take_interval(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    for (int k = 0; k < 4; k++)
        if (sqlite3_value_type(arguments[k]) == SQLITE_NULL)
            return;
    struct point *point = add(context, arguments[0]);
    if (!point)
        return;
    point->low = sqlite3_value_double(arguments[1]);
    point->value = sqlite3_value_double(arguments[2]);
    point->high = sqlite3_value_double(arguments[3]);
    if (count > 4)
        point->wanted = sqlite3_value_int64(arguments[4]);
}

static void take_text(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    (void)count;
    const char *text = (const char *)sqlite3_value_text(arguments[1]);
    struct point *point = text ? add(context, arguments[0]) : NULL;
    if (point)
        point->text = strdup(text);
}

/* The whole series in order; NULL when there is none. */
static const struct orr_claims_rows *finish(sqlite3_context *context)
{
    const struct orr_claims_rows *series = orr_claims_kept_rows(context, 1);
    orr_claims_sort_rows(series, sizeof(struct point));
    return series;
}

static void release(sqlite3_context *context)
{
    const struct orr_claims_rows *series = sqlite3_aggregate_context(context, 0);
    for (size_t k = 0; series && k < series->count; k++)
        free(((struct point *)series->items)[k].text);
    orr_claims_release_rows(context);
}

/* 1 up, -1 down, 0 when the intervals meet. */
static int direction(const struct point *from, const struct point *to)
{
    return (to->low > from->high) - (to->high < from->low);
}

static void growth(sqlite3_context *context)
{
    const struct orr_claims_rows *series = finish(context);
    if (series && series->count > 1) {
        const struct point *first = series->items, *last = first + series->count - 1;
        bool every = (sqlite3_int64)series->count >= first->wanted;
        for (const struct point *p = first; p < last; p++)
            every &= direction(p, p + 1) > 0;
        const char *verdict = every                        ? ORR_REPRODUCED
                              : direction(first, last) > 0 ? ORR_PARTLY
                                                           : ORR_NOT_REPRODUCED;
        sqlite3_result_text(context, verdict, -1, SQLITE_STATIC);
    }
    release(context);
}

static void write_course(FILE *to, const struct point *points, size_t count)
{
    static const char *const words[] = {"down", "level", "up"};
    int before = 2;
    for (size_t k = 1; k < count; k++) {
        int now = direction(&points[k - 1], &points[k]);
        if (now != before && k > 1)
            fprintf(to, " to %g, %s", points[k - 1].x, words[now + 1]);
        else if (now != before)
            fprintf(to, "%s from %g", words[now + 1], points[0].x);
        before = now;
    }
    fprintf(to, count > 1 ? " to %g" : "only %g", points[count - 1].x);
}

static void write_listing(FILE *to, const struct point *points, size_t count)
{
    for (size_t k = 0; k < count; k++)
        fprintf(to, "%s%s", k ? ", " : "", points[k].text ? points[k].text : "");
}

static void give_text(sqlite3_context *context,
                      void (*write)(FILE *to, const struct point *points, size_t count))
{
    const struct orr_claims_rows *series = finish(context);
    char *text = NULL;
    size_t size = 0;
    FILE *to = series ? open_memstream(&text, &size) : NULL;
    if (to) {
        write(to, series->items, series->count);
        fclose(to);
        sqlite3_result_text(context, text, (int)size, SQLITE_TRANSIENT);
        free(text);
    } else if (series) {
        sqlite3_result_error_nomem(context);
    }
    release(context);
}

static void course(sqlite3_context *context)
{
    give_text(context, write_course);
}

static void listing(sqlite3_context *context)
{
    give_text(context, write_listing);
}

int orr_claims_add_functions(struct orr_ledger *ledger, const struct orr_claims_function *functions,
                             size_t count)
{
    for (const struct orr_claims_function *f = functions; f < functions + count; f++)
        if (sqlite3_create_function_v2(ledger->db, f->name, f->arguments,
                                       SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, f->call, f->step,
                                       f->final, NULL) != SQLITE_OK)
            return orr_fail(ORR_EINTERNAL, "ledger: %s: %s", f->name, sqlite3_errmsg(ledger->db));
    return 0;
}

int orr_claims_make_functions(struct orr_ledger *ledger)
{
    static const struct orr_claims_function functions[] = {
        {"verdict_of", 2, verdict_of, NULL, NULL},  {"shown", 1, shown, NULL, NULL},
        {"growth", 5, NULL, take_interval, growth}, {"course", 4, NULL, take_interval, course},
        {"listing", 2, NULL, take_text, listing},
    };
    int code = orr_claims_add_functions(ledger, functions, sizeof functions / sizeof *functions);
    return code ? code : orr_claims_make_shapes(ledger);
}

void *orr_claims_keep_row(sqlite3_context *context, size_t size)
{
    struct orr_claims_rows *rows = sqlite3_aggregate_context(context, sizeof *rows);
    char *more = rows ? realloc(rows->items, (rows->count + 1) * size) : NULL;
    if (!more) {
        if (rows)
            rows->full = true;
        return NULL;
    }
    rows->items = more;
    return memset(more + rows->count++ * size, 0, size);
}

const struct orr_claims_rows *orr_claims_kept_rows(sqlite3_context *context, size_t wanted)
{
    const struct orr_claims_rows *rows = sqlite3_aggregate_context(context, 0);
    if (rows && rows->full)
        sqlite3_result_error_nomem(context);
    return rows && !rows->full && rows->count >= wanted ? rows : NULL;
}

static int by_x(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

void orr_claims_sort_rows(const struct orr_claims_rows *rows, size_t size)
{
    if (rows)
        qsort(rows->items, rows->count, size, by_x);
}

void orr_claims_release_rows(sqlite3_context *context)
{
    struct orr_claims_rows *rows = sqlite3_aggregate_context(context, 0);
    if (rows)
        free(rows->items);
}
