
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "claims/claims_parts.h"
#include "error.h"
#include "measure/stats.h"
#include "memory.h"

static void give(sqlite3_context *context, const struct orr_level_estimate *timing)
{
    sqlite3_result_blob(context, timing, sizeof *timing, SQLITE_TRANSIENT);
}

bool orr_claims_timing_take(struct orr_level_estimate *out, sqlite3_value *value)
{
    const void *blob = sqlite3_value_blob(value);
    if (sqlite3_value_bytes(value) != sizeof *out)
        return false;
    memcpy(out, blob, sizeof *out); /* which may lie anywhere */
    return true;
}

/* --- from samples --- */

struct sample {
    double process, value;
};

static void take_sample(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    (void)count;
    double value = sqlite3_value_double(arguments[1]); /* NULL is 0 here */
    if (value > 0 && isfinite(value))
        *(struct sample *)orr_claims_keep_row(context, sizeof(struct sample)) =
            (struct sample){sqlite3_value_double(arguments[0]), value};
}

/* The samples in the order of their processes. */
static int estimate(struct orr_level_estimate *out, const struct sample *samples, size_t count)
{
    double *values = orr_memory_get(count * sizeof *values);
    size_t *counts = orr_memory_get(count * sizeof *counts);
    struct orr_levels levels = {values, counts, 0};
    for (size_t k = 0; k < count; k++) {
        levels.processes += !k || samples[k].process > samples[k - 1].process;
        counts[levels.processes - 1]++;
        values[k] = samples[k].value;
    }
    int code = orr_stats_levels_estimate(out, &levels);
    free(values);
    free(counts);
    return code;
}

static void timing(sqlite3_context *context)
{
    const struct orr_claims_rows *rows = orr_claims_kept_rows(context, 1, sizeof(struct sample));
    struct orr_level_estimate of;
    if (rows && !estimate(&of, rows->items, rows->count))
        give(context, &of);
    else if (rows)
        sqlite3_result_error(context, orr_error_text(), -1);
    orr_claims_release_rows(context);
}

/* An extrapolated cell has no samples but those of its source. */
const char orr_claims_timing_sql[] =
    "SELECT timing(s.process, s.value * c.seconds / b.seconds) FROM cell c JOIN cell b"
    " ON b.cell_key = iif(c.extrapolated_from IS NULL, c.cell_key, (SELECT max(o.cell_key) FROM"
    " cell o WHERE o.id = c.extrapolated_from AND o.run_key = c.run_key"
    " AND o.extrapolated_from IS NULL))"
    " JOIN sample s ON s.cell_key = b.cell_key AND s.kind = 'step_s' WHERE c.cell_key = ?";

/* What timing_of found last of a cell: views ask for the same few hundred cells again and again. */
enum { REMEMBERED = 4096 };
struct remembered {
    long long cell;
    bool known, has;
    struct orr_level_estimate timing;
};

static int look_up(struct remembered *out, sqlite3 *db, sqlite3_value *cell)
{
    sqlite3_stmt *row = orr_claims_statement(db, orr_claims_timing_sql);
    if (row && sqlite3_bind_value(row, 1, cell) == SQLITE_OK && sqlite3_step(row) == SQLITE_ROW) {
        *out = (struct remembered){.cell = sqlite3_value_int64(cell), .known = true};
        out->has = orr_claims_timing_take(&out->timing, sqlite3_column_value(row, 0));
    }
    return row ? sqlite3_reset(row) : SQLITE_ERROR;
}

static void timing_of(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    (void)count;
    sqlite3 *db = sqlite3_context_db_handle(context);
    const long long cell = sqlite3_value_int64(arguments[0]);
    struct remembered *all = sqlite3_user_data(context), *of = &all[(size_t)cell % REMEMBERED];
    if (sqlite3_value_type(arguments[0]) == SQLITE_NULL)
        return;
    if (!(of->known && of->cell == cell) && look_up(of, db, arguments[0]) != SQLITE_OK)
        sqlite3_result_error(context, sqlite3_errmsg(db), -1);
    else if (of->known && of->cell == cell && of->has)
        give(context, &of->timing);
}

/* --- from timings --- */

static void timing_over(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    struct orr_level_estimate a, b;
    (void)count;
    if (orr_claims_timing_take(&a, arguments[0]) && orr_claims_timing_take(&b, arguments[1])) {
        struct orr_level_estimate over = orr_stats_levels_over(&a, &b);
        give(context, &over);
    }
}

static void timing_apart(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    struct orr_level_estimate a;
    (void)count;
    if (orr_claims_timing_take(&a, arguments[0])) {
        a.log_mean *= a.log_median < 0 ? -1 : 1;
        a.log_median = fabs(a.log_median);
        give(context, &a);
    }
}

static void timing_value(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    struct orr_level_estimate a;
    (void)count;
    if (orr_claims_timing_take(&a, arguments[0]))
        sqlite3_result_double(context, exp(a.log_median));
}

/* With a variance that is moderated by what many have in common. */
static struct orr_level_ratio moderated(const struct orr_level_estimate *a, sqlite3_value *prior)
{
    struct orr_level_prior common = {0};
    struct orr_level_ratio ratio = orr_stats_levels_judge(a);
    const char *text = (const char *)sqlite3_value_text(prior);
    if (text && sscanf(text, "%lf %lf", &common.variance, &common.freedom) == 2)
        orr_stats_levels_moderate(&ratio, &common);
    return ratio;
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

static void timing_end(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    struct orr_level_estimate a;
    const int end = orr_ledger_function_end(context);
    if (!orr_claims_timing_take(&a, arguments[0]))
        return;
    if (count == 1) {
        struct orr_level_ratio ratio = orr_stats_levels_judge(&a);
        sqlite3_result_double(context, ratio.decides ? ratio.interval[end] : ratio.ratio);
        return;
    }
    struct orr_level_ratio ratio = moderated(&a, arguments[1]);
    if (ratio.decides)
        sqlite3_result_double(context,
                              end_among_many(&ratio, end, sqlite3_value_double(arguments[2])));
}

/* --- many timings --- */

static void take_timing(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    struct orr_level_estimate a;
    (void)count;
    if (orr_claims_timing_take(&a, arguments[0]))
        *(struct orr_level_ratio *)orr_claims_keep_row(context, sizeof(struct orr_level_ratio)) =
            orr_stats_levels_judge(&a);
}

static void timing_prior(sqlite3_context *context)
{
    const struct orr_claims_rows *rows = orr_claims_kept_rows(context, 1, 0);
    if (rows) {
        struct orr_level_prior prior = orr_stats_levels_prior(rows->items, rows->count);
        char text[64];
        snprintf(text, sizeof text, "%.17g %.17g", prior.variance, prior.freedom);
        sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
    }
    orr_claims_release_rows(context);
}

static void timing_p(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    struct orr_level_estimate a;
    (void)count;
    if (!orr_claims_timing_take(&a, arguments[0]))
        return;
    struct orr_level_ratio ratio = moderated(&a, arguments[1]);
    if (ratio.decides)
        sqlite3_result_double(context, ratio.p);
}

int orr_claims_make_timings(struct orr_ledger *ledger)
{
    static const struct orr_ledger_function functions[] = {
        {"timing", 2, .step = take_sample, .final = timing},
        {"timing_over", 2, .call = timing_over},
        {"timing_apart", 1, .call = timing_apart},
        {"timing_value", 1, .call = timing_value},
        {"timing_low", 1, .call = timing_end, .end = 0},
        {"timing_high", 1, .call = timing_end, .end = 1},
        {"timing_low", 3, .call = timing_end, .end = 0},
        {"timing_high", 3, .call = timing_end, .end = 1},
        {"timing_prior", 1, .step = take_timing, .final = timing_prior},
        {"timing_p", 2, .call = timing_p},
    };
    static const struct orr_ledger_function of = {"timing_of", 1, .call = timing_of};
    struct remembered *all = orr_memory_get(REMEMBERED * sizeof *all);
    int code = orr_ledger_add_functions(ledger, &of, 1, all);
    return code ? code
                : orr_ledger_add_functions(ledger, functions, sizeof functions / sizeof *functions,
                                           NULL);
}
