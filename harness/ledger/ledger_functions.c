/* SPDX-License-Identifier: MIT */
/* SQL functions of every query.
 *
 * p_adjusted(p, all): the p value that holds the false discovery rate of its table, whose p values
 * are p_values(p), an aggregate. NULL where p is, and such are not among them.
 *
 * kendall_p(n, score): the exact two-sided p value of so many pairs of n things in the same order
 * less those in the other (measure/stats.h). chip_lanes(capability): lanes of a
 * multiprocessor of an NVIDIA GPU (measure/access.h). NULL where there is none.
 *
 * median(x), first_known(x): aggregates. The median of all, and the first that is not NULL.
 * rounds_low(x), rounds_high(x): the 95 % interval of the median of a number a round.
 * unsure_cores(cpus, seconds, count): by how much the cores that others used may be off, of the
 * median of so many processes (measure/system_state.h).
 *
 * parsed(text): the number that is all of the text; half_unit(printed): half a unit in the last
 * printed digit of such a number: "0.50" 0.005, "119" 0.5, "~990" (about) 5. NULL where it is none.
 * unknown(what, word, names): NULL where the word is among the names, which have commas between;
 * else
 * "<what> '<word>'; did you mean ...".
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "ledger/ledger.h"
#include "ledger/ledger_parts.h"
#include "memory.h"
#include "measure/access.h"
#include "measure/stats.h"
#include "measure/stats_levels.h"
#include "measure/system_state.h"
#include "names.h"
#include "text.h"

void *orr_ledger_keep_row(sqlite3_context *context, size_t size)
{
    struct orr_ledger_rows *rows = sqlite3_aggregate_context(context, sizeof *rows);
    return orr_memory_add(&rows->items, &rows->count, size);
}

static void take_number(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    (void)count;
    if (sqlite3_value_type(arguments[0]) != SQLITE_NULL)
        *(double *)orr_ledger_keep_row(context, sizeof(double)) =
            sqlite3_value_double(arguments[0]);
}

/* The p values of a table are a blob to SQL, ascending. */
static void give_p_values(sqlite3_context *context)
{
    const struct orr_ledger_rows *all = sqlite3_aggregate_context(context, sizeof *all);
    if (!all->count)
        return;
    qsort(all->items, all->count, sizeof(double), orr_stats_ascending);
    sqlite3_result_blob64(context, all->items, all->count * sizeof(double), free);
}

static void p_adjusted(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    (void)count;
    if (sqlite3_value_type(arguments[0]) == SQLITE_NULL ||
        sqlite3_value_type(arguments[1]) != SQLITE_BLOB)
        return;
    const void *blob = sqlite3_value_blob(arguments[1]);
    size_t size = (size_t)sqlite3_value_bytes(arguments[1]);
    double *all = orr_memory_get(size); /* the blob may lie anywhere */
    if (size)
        memcpy(all, blob, size);
    sqlite3_result_double(context, orr_stats_levels_adjusted(sqlite3_value_double(arguments[0]),
                                                             all, size / sizeof *all));
    free(all);
}

static void median(sqlite3_context *context)
{
    const struct orr_ledger_rows *all = sqlite3_aggregate_context(context, sizeof *all);
    if (all->count)
        orr_ledger_give(context, orr_stats_median(all->items, all->count));
    free(all->items);
}

/* An end of the interval of their median, one number a round; one or two rounds do not know it. */
static void give_end(sqlite3_context *context)
{
    const struct orr_ledger_rows *all = sqlite3_aggregate_context(context, sizeof *all);
    const struct orr_ledger_function *own = sqlite3_user_data(context);
    struct orr_level_summary summary;
    size_t *ones = orr_memory_get(all->count * sizeof *ones);
    for (size_t k = 0; k < all->count; k++)
        ones[k] = 1;
    if (all->count >= ORR_STATS_ENOUGH_PROCESSES &&
        !orr_stats_levels(&summary, &(struct orr_levels){all->items, ones, all->count}))
        orr_ledger_give(context, summary.interval[own->end]);
    free(ones);
    free(all->items);
}

static void take_first(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    (void)count;
    sqlite3_value **first = sqlite3_aggregate_context(context, sizeof *first);
    if (!*first && sqlite3_value_type(arguments[0]) != SQLITE_NULL)
        *first = sqlite3_value_dup(arguments[0]);
}

static void give_first(sqlite3_context *context)
{
    sqlite3_value **first = sqlite3_aggregate_context(context, sizeof *first);
    if (!*first)
        return;
    sqlite3_result_value(context, *first);
    sqlite3_value_free(*first);
}

/* "opencl:0.0" of "opencl:0.0 (PoCL 6.0)" (newest.sql): what `--device` takes. */
static void device_id(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    (void)count;
    const char *name = (const char *)sqlite3_value_text(arguments[0]);
    if (name)
        sqlite3_result_text(context, name, (int)strcspn(name, " "), SQLITE_TRANSIENT);
}

static void chip_lanes(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    (void)count;
    const char *capability = (const char *)sqlite3_value_text(arguments[0]);
    if (capability)
        orr_ledger_give(context, orr_access_lanes(capability));
}

static void parsed(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    (void)count;
    const char *text = (const char *)sqlite3_value_text(arguments[0]);
    double number;
    if (text && orr_text_number(text, &number))
        sqlite3_result_double(context, number);
}

static void half_unit(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    (void)count;
    const char *printed = (const char *)sqlite3_value_text(arguments[0]);
    const bool about = printed && *printed == '~';
    const char *digits = printed + about;
    double number;
    if (!printed || !orr_text_number(digits, &number))
        return;
    const char *point = strchr(digits, '.'), *exponent = strpbrk(digits, "eE");
    int decimals = point ? (int)strspn(point + 1, "0123456789") : 0;
    int power = (exponent ? atoi(exponent + 1) : 0) - decimals;
    /* "about 990": trailing zeros are not significant. */
    if (about && !point)
        for (size_t k = strspn(digits, "0123456789"); k > 1 && digits[k - 1] == '0'; k--)
            power++;
    sqlite3_result_double(context, 0.5 * pow(10, power));
}

static void unknown(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    enum { MOST = 256 };
    (void)count;
    const char *what = (const char *)sqlite3_value_text(arguments[0]),
               *word = (const char *)sqlite3_value_text(arguments[1]),
               *list = (const char *)sqlite3_value_text(arguments[2]), *names[MOST];
    size_t known = 0;
    char *all = orr_memory_text(list ? list : ""), *rest;
    for (char *name = strtok_r(all, ",", &rest); name && known < MOST;
         name = strtok_r(NULL, ",", &rest))
        names[known++] = name;
    if (what && word && !orr_names_find(word, names, known, sizeof *names)) {
        orr_names_fail(what, word, names, known, sizeof *names);
        sqlite3_result_text(context, orr_error_text(), -1, SQLITE_TRANSIENT);
        orr_error_clear();
    }
    free(all);
}

/* Functions of numbers, with NULL where one of them is NULL or they have no value there. */
enum { MOST_NUMBERS = 3 };
static void of_numbers(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    const struct orr_ledger_function *f = sqlite3_user_data(context);
    double numbers[MOST_NUMBERS] = {0};
    for (int k = 0; k < count; k++) {
        if (sqlite3_value_type(arguments[k]) == SQLITE_NULL)
            return;
        numbers[k] = sqlite3_value_double(arguments[k]);
    }
    orr_ledger_give(context, f->of_numbers(numbers));
}

static double unsure_cores(const double *of)
{
    return of[0] >= 1 && of[1] > 0 ? orr_system_state_unsure((int)of[0], of[1]) / sqrt(of[2]) : NAN;
}

static double kendall_p(const double *of)
{
    return of[0] >= 1 ? orr_stats_kendall_p((size_t)of[0], of[1]) : NAN;
}

int orr_ledger_add_functions(const struct orr_ledger *ledger,
                             const struct orr_ledger_function *functions, size_t count, void *data)
{
    const int kind = SQLITE_UTF8 | (data ? 0 : SQLITE_DETERMINISTIC);
    for (size_t k = 0; k < count; k++) {
        const struct orr_ledger_function *f = &functions[k];
        if (sqlite3_create_function_v2(ledger->db, f->name, f->arguments, kind,
                                       data ? data : (void *)f, f->call, f->step, f->final,
                                       data && !k ? free : NULL) != SQLITE_OK)
            return orr_ledger_sql_failed(ledger, f->name);
    }
    return 0;
}

int orr_ledger_make_functions(struct orr_ledger *ledger)
{
    static const struct orr_ledger_function functions[] = {
        {"p_values", 1, .step = take_number, .final = give_p_values},
        {"median", 1, .step = take_number, .final = median},
        {"rounds_low", 1, .step = take_number, .final = give_end, .end = 0},
        {"rounds_high", 1, .step = take_number, .final = give_end, .end = 1},
        {"first_known", 1, .step = take_first, .final = give_first},
        {"unsure_cores", 3, .call = of_numbers, .of_numbers = unsure_cores},
        {"p_adjusted", 2, .call = p_adjusted},
        {"kendall_p", 2, .call = of_numbers, .of_numbers = kendall_p},
        {"chip_lanes", 1, .call = chip_lanes},
        {"device_id", 1, .call = device_id},
        {"parsed", 1, .call = parsed},
        {"half_unit", 1, .call = half_unit},
        {"unknown", 3, .call = unknown}};
    int code =
        orr_ledger_add_functions(ledger, functions, sizeof functions / sizeof *functions, NULL);
    return code ? code : orr_ledger_make_timings(ledger);
}
