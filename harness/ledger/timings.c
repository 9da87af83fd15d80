/* SPDX-License-Identifier: MIT */
/* What the processes that measured a time let know of it, and of ratios of times, as functions of
 * SQL (measure/stats_levels.h).
 *
 * Four are of the ratio of baseline seconds over cell seconds, from the raw samples of two cells.
 * ratio_bound(cell_key, baseline_key, end): the low (end 0) or high (1) end of its 95 % interval;
 * NULL when one of the cells has no sample, or a single one. ratio_p(cell_key, baseline_key): the
 * two-sided p value of "no difference". ratio_within(cell_key, baseline_key, margin): the p value
 * of "the ratio is further from 1 than the margin", 0.02 for 2 %; small where the two are
 * equivalent. Both are NULL with fewer than three processes on either side. All three take, as last
 * argument, what the ratios of a table have in common: ratio_prior(cell_key, baseline_key), an
 * aggregate over its rows. The variances are moderated by it; NULL moderates nothing. A negative
 * key is of the cell's whole calls, upload, step and fetch, in place of its steps.
 * median_bound(cell_key, end): an end of the 95 % interval of a cell's own median, likewise.
 *
 * The others are of timings (claims/claims.h): a timing is an estimate as a blob. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "ledger/ledger.h"
#include "ledger/ledger_parts.h"
#include "measure/stats.h"
#include "measure/stats_levels.h"
#include "memory.h"

/* --- samples --- */

/* An extrapolated cell has no samples but those of its source. */
enum { OF_CELL, OF_SOURCE, KINDS };
static const char *const samples_sql[KINDS] = {
    "SELECT value, process FROM sample WHERE cell_key = abs(?1) AND "
    "kind = iif(?1 < 0, 'end_to_end_s', 'step_s') ORDER BY process, idx",
    "SELECT s.value * c.seconds / b.seconds, s.process FROM cell c JOIN cell b"
    " ON b.cell_key = iif(c.extrapolated_from IS NULL, c.cell_key, (SELECT max(o.cell_key) FROM"
    " cell o WHERE o.id = c.extrapolated_from AND o.run_key = c.run_key"
    " AND o.extrapolated_from IS NULL))"
    " JOIN sample s ON s.cell_key = b.cell_key AND s.kind = 'step_s' WHERE c.cell_key = ?"
    " ORDER BY s.process"};

static int load_samples(struct orr_ledger_samples *out, sqlite3 *db, int kind, sqlite3_int64 cell)
{
    sqlite3_stmt *row = NULL;
    if (sqlite3_prepare_v2(db, samples_sql[kind], -1, &row, NULL))
        return orr_fail(ORR_EINTERNAL, "ledger: %s", sqlite3_errmsg(db));
    sqlite3_bind_int64(row, 1, cell);
    while (sqlite3_step(row) == SQLITE_ROW)
        orr_ledger_samples_add(out, sqlite3_column_double(row, 1), sqlite3_column_double(row, 0));
    sqlite3_finalize(row);
    return 0;
}

/* --- what is remembered --- */

/* Views ask for the same few hundred cells again and again. */
enum { ESTIMATES = 4096 };
struct estimated {
    sqlite3_int64 cell;
    bool known;
    struct orr_level_estimate estimate;
};
/* The pair of cells whose ratio was computed last, as SQL asks for both ends in turn, and the
 * estimates of cells. */
struct ratios {
    sqlite3_int64 cell, baseline; /* 0 before the first */
    bool known;
    struct orr_level_ratio last;
    struct estimated estimates[KINDS][ESTIMATES];
};

/* False: the cell has no samples. What is given is a copy, as another cell may take the place. */
static bool estimate_of(struct orr_level_estimate *out, struct ratios *all, sqlite3 *db, int kind,
                        sqlite3_int64 cell)
{
    struct estimated *of = &all->estimates[kind][(size_t)cell % ESTIMATES];
    struct orr_ledger_samples samples = {0};
    if (!of->known || of->cell != cell) {
        of->cell = cell;
        of->known = !load_samples(&samples, db, kind, cell) &&
                    !orr_stats_levels_estimate(&of->estimate, &samples.levels);
        if (!of->known)
            orr_error_clear();
        orr_ledger_samples_release(&samples);
    }
    *out = of->estimate;
    return of->known;
}

/* The interval of few processes is one of their samples. False: there is none. */
static bool compute_of_samples(struct orr_level_ratio *out, sqlite3 *db, sqlite3_int64 cell,
                               sqlite3_int64 baseline)
{
    struct orr_ledger_samples a = {0}, b = {0};
    const bool known = !load_samples(&a, db, OF_CELL, baseline) &&
                       !load_samples(&b, db, OF_CELL, cell) && a.total > 1 && b.total > 1 &&
                       !orr_stats_levels_ratio(out, &a.levels, &b.levels);
    if (!known)
        orr_error_clear();
    orr_ledger_samples_release(&a);
    orr_ledger_samples_release(&b);
    return known;
}

static void compute(struct ratios *of, sqlite3 *db)
{
    struct orr_level_estimate cell, baseline;
    of->known = estimate_of(&cell, of, db, OF_CELL, of->cell) &&
                estimate_of(&baseline, of, db, OF_CELL, of->baseline);
    if (!of->known)
        return;
    const struct orr_level_estimate over = orr_stats_levels_over(&baseline, &cell);
    of->last = orr_stats_levels_judge(&over);
    if (!of->last.decides)
        of->known = compute_of_samples(&of->last, db, of->cell, of->baseline);
}

/* --- ratios: of two cells, or a timing as a blob --- */

/* False where the value is no timing. */
static bool take_timing(struct orr_level_estimate *out, sqlite3_value *value)
{
    const void *blob = sqlite3_value_blob(value);
    if (sqlite3_value_type(value) != SQLITE_BLOB || sqlite3_value_bytes(value) != sizeof *out)
        return false;
    memcpy(out, blob, sizeof *out); /* which may lie anywhere */
    return true;
}

static bool ratio_of_cells(struct orr_level_ratio *out, sqlite3_context *context,
                           sqlite3_value **arguments)
{
    const sqlite3_int64 cell = sqlite3_value_int64(arguments[0]),
                        baseline = sqlite3_value_int64(arguments[1]);
    struct ratios *of = sqlite3_user_data(context);
    if (of->cell != cell || of->baseline != baseline) {
        of->cell = cell, of->baseline = baseline;
        compute(of, sqlite3_context_db_handle(context));
    }
    *out = of->last;
    return of->known;
}

/* The ratio that the first arguments are, moderated by the prior, a text, that may stand `others`
 * behind them. False where it has no interval. */
static bool take_ratio(struct orr_level_ratio *out, sqlite3_context *context, int count,
                       sqlite3_value **arguments, int others)
{
    struct orr_level_estimate timing;
    struct orr_level_prior common;
    const bool is_timing = take_timing(&timing, arguments[0]);
    const int at = (is_timing ? 1 : 2) + others;
    if (is_timing)
        *out = orr_stats_levels_judge(&timing);
    else if (count < 2 || sqlite3_value_type(arguments[0]) == SQLITE_NULL ||
             !ratio_of_cells(out, context, arguments))
        return false;
    const char *prior = count > at ? (const char *)sqlite3_value_text(arguments[at]) : NULL;
    if (prior && sscanf(prior, "%lf %lf", &common.variance, &common.freedom) == 2)
        orr_stats_levels_moderate(out, &common);
    return true;
}

static void ratio_bound(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    struct orr_level_ratio ratio;
    if (take_ratio(&ratio, context, count, arguments, 1))
        orr_ledger_give(context, ratio.interval[sqlite3_value_int(arguments[2]) != 0]);
}

static void p_value(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    struct orr_level_ratio ratio;
    if (take_ratio(&ratio, context, count, arguments, 0))
        sqlite3_result_double(context, ratio.p);
}

static void ratio_within(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    struct orr_level_ratio ratio;
    if (take_ratio(&ratio, context, count, arguments, 1))
        sqlite3_result_double(context,
                              orr_stats_levels_within(&ratio, sqlite3_value_double(arguments[2])));
}

static void gather(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    struct orr_level_ratio ratio;
    if (take_ratio(&ratio, context, count, arguments, 0))
        *(struct orr_level_ratio *)orr_ledger_keep_row(context, sizeof ratio) = ratio;
}

static void give_prior(sqlite3_context *context)
{
    const struct orr_ledger_rows *rows = sqlite3_aggregate_context(context, sizeof *rows);
    const struct orr_level_prior prior = orr_stats_levels_prior(rows->items, rows->count);
    char text[64];
    snprintf(text, sizeof text, "%.17g %.17g", prior.variance, prior.freedom);
    if (prior.freedom > 0)
        sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
    free(rows->items);
}

static void median_bound(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    (void)count;
    struct orr_ledger_samples of = {0};
    struct orr_level_summary s;
    if (load_samples(&of, sqlite3_context_db_handle(context), OF_CELL,
                     sqlite3_value_int64(arguments[0])) ||
        orr_stats_levels(&s, &of.levels))
        orr_error_clear();
    else
        orr_ledger_give(context, s.interval[sqlite3_value_int(arguments[1]) != 0]);
    orr_ledger_samples_release(&of);
}

/* --- timings --- */

static void give_timing(sqlite3_context *context, const struct orr_level_estimate *timing)
{
    sqlite3_result_blob(context, timing, sizeof *timing, SQLITE_TRANSIENT);
}

struct row {
    double process, value;
};

static void take_sample(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    (void)count;
    double value = sqlite3_value_double(arguments[1]); /* NULL is 0 here */
    if (value > 0 && isfinite(value))
        *(struct row *)orr_ledger_keep_row(context, sizeof(struct row)) =
            (struct row){sqlite3_value_double(arguments[0]), value};
}

static void timing(sqlite3_context *context)
{
    const struct orr_ledger_rows *rows = sqlite3_aggregate_context(context, sizeof *rows);
    struct row *row = rows->items;
    struct orr_ledger_samples samples = {0};
    struct orr_level_estimate of;
    if (!row)
        return;
    qsort(row, rows->count, sizeof *row, orr_stats_ascending);
    for (size_t k = 0; k < rows->count; k++)
        orr_ledger_samples_add(&samples, row[k].process, row[k].value);
    if (!orr_stats_levels_estimate(&of, &samples.levels))
        give_timing(context, &of);
    else
        sqlite3_result_error(context, orr_error_text(), -1);
    orr_ledger_samples_release(&samples);
    free(row);
}

static void timing_of(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    (void)count;
    struct orr_level_estimate of;
    if (estimate_of(&of, sqlite3_user_data(context), sqlite3_context_db_handle(context), OF_SOURCE,
                    sqlite3_value_int64(arguments[0])))
        give_timing(context, &of);
}

static void timing_over(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    struct orr_level_estimate a, b;
    (void)count;
    if (take_timing(&a, arguments[0]) && take_timing(&b, arguments[1])) {
        struct orr_level_estimate over = orr_stats_levels_over(&a, &b);
        give_timing(context, &over);
    }
}

static void timing_apart(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    struct orr_level_estimate a;
    (void)count;
    if (take_timing(&a, arguments[0])) {
        a.log_mean *= a.log_median < 0 ? -1 : 1;
        a.log_median = fabs(a.log_median);
        give_timing(context, &a);
    }
}

static void timing_value(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    struct orr_level_estimate a;
    (void)count;
    if (take_timing(&a, arguments[0]))
        sqlite3_result_double(context, exp(a.log_median));
}

/* A difference is one of the medians and of the means: the interval holds that of both, and
 * excludes 1 where timing_p is below the tails. */
static double end_among_many(const struct orr_level_ratio *ratio, int end, double tails)
{
    const struct orr_level_estimate *of = &ratio->of;
    const double way = end ? 1 : -1, reach = orr_stats_student_quantile(0.5 * tails, of->freedom),
                 median = way * log(ratio->ratio) + reach * sqrt(of->variance),
                 mean = way * of->log_mean + reach * sqrt(of->mean_variance);
    return exp(way * fmax(median, mean));
}

static void give_timing_end(sqlite3_context *context, int count, sqlite3_value **arguments, int end)
{
    struct orr_level_ratio ratio;
    if (!take_ratio(&ratio, context, count, arguments, 0))
        return;
    if (count == 1)
        sqlite3_result_double(context, ratio.decides ? ratio.interval[end] : ratio.ratio);
    else if (ratio.decides)
        sqlite3_result_double(context,
                              end_among_many(&ratio, end, sqlite3_value_double(arguments[2])));
}

static void timing_low(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    give_timing_end(context, count, arguments, 0);
}

static void timing_high(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    give_timing_end(context, count, arguments, 1);
}

int orr_ledger_make_timings(struct orr_ledger *ledger)
{
    static const struct orr_ledger_function functions[] = {
        {"ratio_bound", 3, .call = ratio_bound},
        {"ratio_bound", 4, .call = ratio_bound},
        {"ratio_p", 2, .call = p_value},
        {"ratio_p", 3, .call = p_value},
        {"ratio_within", 3, .call = ratio_within},
        {"ratio_within", 4, .call = ratio_within},
        {"ratio_prior", 2, .step = gather, .final = give_prior},
        {"median_bound", 2, .call = median_bound},
        {"timing", 2, .step = take_sample, .final = timing},
        {"timing_of", 1, .call = timing_of},
        {"timing_over", 2, .call = timing_over},
        {"timing_apart", 1, .call = timing_apart},
        {"timing_value", 1, .call = timing_value},
        {"timing_low", 1, .call = timing_low},
        {"timing_low", 3, .call = timing_low},
        {"timing_high", 1, .call = timing_high},
        {"timing_high", 3, .call = timing_high},
        {"timing_prior", 1, .step = gather, .final = give_prior},
        {"timing_p", 2, .call = p_value}};
    return orr_ledger_add_functions(ledger, functions, sizeof functions / sizeof *functions,
                                    orr_memory_get(sizeof(struct ratios)));
}
