/* SPDX-License-Identifier: MIT */
/* SQL functions of every query.
 *
 * Four are of the ratio of baseline seconds over cell seconds, from the raw samples of two cells
 * (measure/stats_levels.h). ratio_bound(cell_key, baseline_key, end): the low (end 0) or high (1)
 * end of its 95 % interval; NULL when one of the cells has no sample, or a single one.
 * ratio_p(cell_key, baseline_key): the two-sided p value of "no difference".
 * ratio_within(cell_key, baseline_key, margin): the p value of "the ratio is further from 1 than
 * the margin", 0.02 for 2 %; small where the two are equivalent. Both are NULL with fewer than
 * three processes on either side. All three take, as last argument, what the ratios of a table have
 * in common: ratio_prior(cell_key, baseline_key), an aggregate over its rows. The variances are
 * moderated by it; NULL moderates nothing. A negative key is of the cell's whole calls, upload,
 * step and fetch, in place of its steps.
 * median_bound(cell_key, end): an end of the 95 % interval of a cell's own median, likewise.
 *
 * p_adjusted(p, all): the p value that holds the false discovery rate of its table, whose p values
 * are p_values(p), an aggregate. NULL where p is, and such are not among them.
 *
 * ratio_finding(ratio, p_adjusted, p_within, margin): what is found of a ratio, a word.
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

const struct orr_ledger_rows *orr_ledger_rows_kept(sqlite3_context *context)
{
    return sqlite3_aggregate_context(context, sizeof(struct orr_ledger_rows));
}

/* The samples of a cell, process by process. */
struct samples {
    double *values;
    size_t *counts, total, processes;
};

static void release_samples(struct samples *samples)
{
    free(samples->values);
    free(samples->counts);
}

static const char samples_of_cell[] =
    "SELECT value, process FROM sample WHERE cell_key = abs(?1) AND "
    "kind = iif(?1 < 0, 'end_to_end_s', 'step_s') ORDER BY process, idx";

static int load_samples(struct samples *out, sqlite3 *db, const char *sql, sqlite3_int64 cell)
{
    sqlite3_stmt *row = NULL;
    sqlite3_int64 last = -1;
    if (sqlite3_prepare_v2(db, sql, -1, &row, NULL))
        return orr_fail(ORR_EINTERNAL, "ledger: %s", sqlite3_errmsg(db));
    sqlite3_bind_int64(row, 1, cell);
    while (sqlite3_step(row) == SQLITE_ROW) {
        sqlite3_int64 process = sqlite3_column_int64(row, 1);
        double *value = orr_memory_add(&out->values, &out->total, sizeof *value);
        *value = sqlite3_column_double(row, 0);
        if (!out->processes || process != last)
            orr_memory_add(&out->counts, &out->processes, sizeof *out->counts);
        out->counts[out->processes - 1]++;
        last = process;
    }
    sqlite3_finalize(row);
    return 0;
}

const struct orr_level_estimate *orr_ledger_estimate(struct orr_ledger_estimated *all, sqlite3 *db,
                                                     const char *sql, sqlite3_int64 cell)
{
    struct orr_ledger_estimated *of = &all[(size_t)cell % ORR_LEDGER_ESTIMATES];
    struct samples samples = {0};
    if (of->known && of->cell == cell)
        return &of->estimate;
    of->cell = cell;
    of->known =
        !load_samples(&samples, db, sql, cell) &&
        !orr_stats_levels_estimate(
            &of->estimate, &(struct orr_levels){samples.values, samples.counts, samples.processes});
    if (!of->known)
        orr_error_clear();
    release_samples(&samples);
    return of->known ? &of->estimate : NULL;
}

/* What is remembered: the pair of cells whose ratio was computed last, as SQL asks for both ends in
 * turn, and the estimates of cells. */
struct ratios {
    sqlite3_int64 cell, baseline; /* 0 before the first */
    bool known;
    struct orr_level_ratio last;
    struct orr_ledger_estimated estimates[ORR_LEDGER_ESTIMATES];
};

/* 1 with an interval, 0 without, or a negative code: the interval of few processes is one of their
 * samples. */
static int compute_of_samples(struct orr_level_ratio *out, sqlite3 *db, sqlite3_int64 cell,
                              sqlite3_int64 baseline)
{
    struct samples a = {0}, b = {0};
    int code = load_samples(&a, db, samples_of_cell, baseline);
    if (!code)
        code = load_samples(&b, db, samples_of_cell, cell);
    const bool known = !code && a.total > 1 && b.total > 1;
    if (known)
        code = orr_stats_levels_ratio(out, &(struct orr_levels){a.values, a.counts, a.processes},
                                      &(struct orr_levels){b.values, b.counts, b.processes});
    release_samples(&a);
    release_samples(&b);
    return code ? code : known;
}

static void compute(struct ratios *of, sqlite3 *db)
{
    const struct orr_level_estimate *cell = orr_ledger_estimate(of->estimates, db, samples_of_cell,
                                                                of->cell),
                                    *baseline = orr_ledger_estimate(of->estimates, db,
                                                                    samples_of_cell, of->baseline);
    int code = 0;
    if (cell && baseline) {
        const struct orr_level_estimate over = orr_stats_levels_over(baseline, cell);
        of->last = orr_stats_levels_judge(&over);
        code = of->last.decides ? 1 : compute_of_samples(&of->last, db, of->cell, of->baseline);
    }
    of->known = code > 0;
    if (code < 0)
        orr_error_clear();
}

/* NULL where there is no interval. */
static const struct orr_level_ratio *ratio_of(sqlite3_context *context, sqlite3_value **arguments)
{
    sqlite3_int64 cell = sqlite3_value_int64(arguments[0]),
                  baseline = sqlite3_value_int64(arguments[1]);
    struct ratios *of = sqlite3_user_data(context);
    if (of->cell != cell || of->baseline != baseline) {
        of->cell = cell, of->baseline = baseline;
        compute(of, sqlite3_context_db_handle(context));
    }
    return of->known ? &of->last : NULL;
}

/* SQLite may be built without its own. */
static void give_finite(sqlite3_context *context, double value)
{
    if (isfinite(value))
        sqlite3_result_double(context, value);
}

void orr_ledger_moderate(struct orr_level_ratio *ratio, sqlite3_value *prior)
{
    const char *text = (const char *)sqlite3_value_text(prior);
    struct orr_level_prior common;
    if (text && sscanf(text, "%lf %lf", &common.variance, &common.freedom) == 2)
        orr_stats_levels_moderate(ratio, &common);
}

void orr_ledger_give_prior(sqlite3_context *context)
{
    const struct orr_ledger_rows *rows = orr_ledger_rows_kept(context);
    const struct orr_level_prior prior = orr_stats_levels_prior(rows->items, rows->count);
    char text[64];
    snprintf(text, sizeof text, "%.17g %.17g", prior.variance, prior.freedom);
    if (prior.freedom > 0)
        sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
    free(rows->items);
}

/* The ratio of the first two arguments, moderated by the one at `prior` if there is one. */
static bool moderated(struct orr_level_ratio *out, sqlite3_context *context, int count,
                      sqlite3_value **arguments, int prior)
{
    const struct orr_level_ratio *ratio = ratio_of(context, arguments);
    if (!ratio)
        return false;
    *out = *ratio;
    if (count > prior)
        orr_ledger_moderate(out, arguments[prior]);
    return true;
}

static void ratio_bound(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    struct orr_level_ratio ratio;
    if (moderated(&ratio, context, count, arguments, 3))
        give_finite(context, ratio.interval[sqlite3_value_int(arguments[2]) != 0]);
}

static void median_bound(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    (void)count;
    struct samples of = {0};
    struct orr_level_summary s;
    if (load_samples(&of, sqlite3_context_db_handle(context), samples_of_cell,
                     sqlite3_value_int64(arguments[0])) ||
        orr_stats_levels(&s, &(struct orr_levels){of.values, of.counts, of.processes}))
        orr_error_clear();
    else
        give_finite(context, s.interval[sqlite3_value_int(arguments[1]) != 0]);
    release_samples(&of);
}

static void ratio_p(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    struct orr_level_ratio ratio;
    if (moderated(&ratio, context, count, arguments, 2))
        give_finite(context, ratio.p);
}

static void ratio_within(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    struct orr_level_ratio ratio;
    if (moderated(&ratio, context, count, arguments, 3))
        give_finite(context, orr_stats_levels_within(&ratio, sqlite3_value_double(arguments[2])));
}

static void gather(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    (void)count;
    const struct orr_level_ratio *ratio = ratio_of(context, arguments);
    if (ratio)
        *(struct orr_level_ratio *)orr_ledger_keep_row(context, sizeof *ratio) = *ratio;
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
    const struct orr_ledger_rows *all = orr_ledger_rows_kept(context);
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
    const struct orr_ledger_rows *all = orr_ledger_rows_kept(context);
    if (all->count)
        give_finite(context, orr_stats_median(all->items, all->count));
    free(all->items);
}

/* An end of the interval of their median, one number a round; one or two rounds do not know it. */
static void give_end(sqlite3_context *context)
{
    const struct orr_ledger_rows *all = orr_ledger_rows_kept(context);
    struct orr_level_summary summary;
    size_t *ones = orr_memory_get(all->count * sizeof *ones);
    for (size_t k = 0; k < all->count; k++)
        ones[k] = 1;
    if (all->count >= ORR_STATS_ENOUGH_PROCESSES &&
        !orr_stats_levels(&summary, &(struct orr_levels){all->items, ones, all->count}))
        give_finite(context, summary.interval[orr_ledger_function_end(context)]);
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

static double number_or_nan(sqlite3_value *value)
{
    return sqlite3_value_type(value) == SQLITE_NULL ? NAN : sqlite3_value_double(value);
}

static void ratio_finding(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    (void)count;
    sqlite3_result_text(
        context,
        orr_stats_levels_finding(number_or_nan(arguments[0]), number_or_nan(arguments[1]),
                                 number_or_nan(arguments[2]), number_or_nan(arguments[3])),
        -1, SQLITE_STATIC);
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
        give_finite(context, orr_access_lanes(capability));
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
    give_finite(context, f->of_numbers(numbers));
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

int orr_ledger_function_end(sqlite3_context *context)
{
    return ((const struct orr_ledger_function *)sqlite3_user_data(context))->end;
}

int orr_ledger_make_functions(struct orr_ledger *ledger)
{
    static const struct orr_ledger_function ratios[] = {
        {"ratio_bound", -1, .call = ratio_bound},
        {"ratio_p", -1, .call = ratio_p},
        {"ratio_within", -1, .call = ratio_within},
        {"ratio_prior", 2, .step = gather, .final = orr_ledger_give_prior}};
    static const struct orr_ledger_function others[] = {
        {"p_values", 1, .step = take_number, .final = give_p_values},
        {"median", 1, .step = take_number, .final = median},
        {"rounds_low", 1, .step = take_number, .final = give_end, .end = 0},
        {"rounds_high", 1, .step = take_number, .final = give_end, .end = 1},
        {"first_known", 1, .step = take_first, .final = give_first},
        {"unsure_cores", 3, .call = of_numbers, .of_numbers = unsure_cores},
        {"p_adjusted", 2, .call = p_adjusted},
        {"ratio_finding", 4, .call = ratio_finding},
        {"median_bound", 2, .call = median_bound},
        {"kendall_p", 2, .call = of_numbers, .of_numbers = kendall_p},
        {"chip_lanes", 1, .call = chip_lanes},
        {"device_id", 1, .call = device_id},
        {"parsed", 1, .call = parsed},
        {"half_unit", 1, .call = half_unit},
        {"unknown", 3, .call = unknown}};
    int code = orr_ledger_add_functions(ledger, ratios, sizeof ratios / sizeof *ratios,
                                        orr_memory_get(sizeof(struct ratios)));
    return code ? code
                : orr_ledger_add_functions(ledger, others, sizeof others / sizeof *others, NULL);
}
