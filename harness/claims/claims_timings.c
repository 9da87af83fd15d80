#include "claims/claims_timings.h"

#include <math.h>
#include <string.h>

#include "claims/claims_parts.h"
#include "measure/stats.h"
#include "measure/stats_student.h"

/* --- from samples --- */

struct sample {
    double process, value;
};

static void take_sample(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    (void)count;
    double value = sqlite3_value_double(arguments[1]); /* NULL is 0 here */
    struct sample *sample =
        value > 0 && isfinite(value) ? orr_claims_keep_row(context, sizeof *sample) : NULL;
    if (sample)
        *sample = (struct sample){sqlite3_value_double(arguments[0]), value};
}

void orr_claims_timing_give(sqlite3_context *context, const struct orr_claims_timing *timing)
{
    sqlite3_result_blob(context, timing, sizeof *timing, SQLITE_TRANSIENT);
}

/* The logarithms of processes' medians, one after another (Welford 1962). */
static void add_process(struct orr_claims_timing *timing, double log, double *squares)
{
    double before = log - timing->log;
    timing->processes++;
    timing->log += before / timing->processes;
    *squares += before * (log - timing->log);
}

/* The samples in the order of their processes; `values` has room for all. */
static struct orr_claims_timing summarise(const struct sample *samples, size_t count,
                                          double *values)
{
    struct orr_claims_timing timing = {0};
    double squares = 0;
    size_t of_process = 0;
    for (size_t k = 0; k < count; k++) {
        values[of_process++] = samples[k].value;
        if (k + 1 < count && samples[k + 1].process <= samples[k].process)
            continue;
        add_process(&timing, log(orr_stats_median(values, of_process)), &squares);
        of_process = 0;
    }
    timing.freedom = timing.processes - 1;
    if (timing.freedom > 0)
        timing.variance = squares / timing.freedom / timing.processes;
    return timing;
}

static void timing(sqlite3_context *context)
{
    const struct orr_claims_rows *rows = orr_claims_kept_rows(context, 1);
    double *values = rows ? sqlite3_malloc64(rows->count * sizeof *values) : NULL;
    orr_claims_sort_rows(rows, sizeof(struct sample));
    if (values) {
        struct orr_claims_timing of = summarise(rows->items, rows->count, values);
        orr_claims_timing_give(context, &of);
    } else if (rows) {
        sqlite3_result_error_nomem(context);
    }
    sqlite3_free(values);
    orr_claims_release_rows(context);
}

/* An extrapolated cell has no samples but those of its source. */
static void timing_of(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    static const char sql[] =
        "SELECT timing(s.process, s.value * c.seconds / b.seconds) FROM cell c JOIN cell b"
        " ON b.cell_key = iif(c.extrapolated_from IS NULL, c.cell_key, (SELECT max(o.cell_key) FROM"
        " cell o WHERE o.id = c.extrapolated_from AND o.run_key = c.run_key"
        " AND o.extrapolated_from IS NULL))"
        " JOIN sample s ON s.cell_key = b.cell_key AND s.kind = 'step_s' WHERE c.cell_key = ?";
    (void)count;
    sqlite3_stmt *row = NULL;
    if (sqlite3_prepare_v2(sqlite3_context_db_handle(context), sql, -1, &row, NULL) == SQLITE_OK &&
        sqlite3_bind_value(row, 1, arguments[0]) == SQLITE_OK && sqlite3_step(row) == SQLITE_ROW)
        sqlite3_result_value(context, sqlite3_column_value(row, 0));
    if (sqlite3_finalize(row) != SQLITE_OK)
        sqlite3_result_error(context, sqlite3_errmsg(sqlite3_context_db_handle(context)), -1);
}

/* --- from timings --- */

bool orr_claims_timing_take(struct orr_claims_timing *out, sqlite3_value *value)
{
    const void *blob = sqlite3_value_blob(value);
    if (sqlite3_value_bytes(value) != sizeof *out)
        return false;
    memcpy(out, blob, sizeof *out); /* which may lie anywhere */
    return true;
}

struct orr_claims_timing orr_claims_timing_over(const struct orr_claims_timing *a,
                                                const struct orr_claims_timing *b)
{
    struct orr_claims_timing out = {.log = a->log - b->log,
                                    .variance = a->variance + b->variance,
                                    .processes = fmin(a->processes, b->processes)};
    double parts = (a->freedom > 0 ? a->variance * a->variance / a->freedom : 0) +
                   (b->freedom > 0 ? b->variance * b->variance / b->freedom : 0);
    out.freedom = parts > 0 ? out.variance * out.variance / parts : a->freedom + b->freedom;
    return out;
}

static void timing_over(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    struct orr_claims_timing a, b;
    (void)count;
    if (orr_claims_timing_take(&a, arguments[0]) && orr_claims_timing_take(&b, arguments[1])) {
        struct orr_claims_timing out = orr_claims_timing_over(&a, &b);
        orr_claims_timing_give(context, &out);
    }
}

static void timing_apart(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    struct orr_claims_timing a;
    (void)count;
    if (orr_claims_timing_take(&a, arguments[0])) {
        a.log = fabs(a.log);
        orr_claims_timing_give(context, &a);
    }
}

/* The number, moved by `ends` half widths of its interval. */
static void give_end(sqlite3_context *context, sqlite3_value *value, int ends)
{
    struct orr_claims_timing a;
    if (!orr_claims_timing_take(&a, value))
        return;
    double half = a.processes < ORR_CLAIMS_PROCESSES || !(a.variance > 0)
                      ? 0
                      : orr_stats_student_quantile(0.025, a.freedom) * sqrt(a.variance);
    sqlite3_result_double(context, exp(a.log + ends * half));
}

static void timing_value(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    (void)count;
    give_end(context, arguments[0], 0);
}

static void timing_low(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    (void)count;
    give_end(context, arguments[0], -1);
}

static void timing_high(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    (void)count;
    give_end(context, arguments[0], 1);
}

static void timing_p(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    struct orr_claims_timing a;
    (void)count;
    if (!orr_claims_timing_take(&a, arguments[0]) || a.processes < ORR_CLAIMS_PROCESSES)
        return;
    double t = a.log == 0 ? 0 : fabs(a.log) / sqrt(a.variance);
    sqlite3_result_double(context, fmin(1, 2 * orr_stats_student_tail(t, a.freedom)));
}

int orr_claims_make_timings(struct orr_ledger *ledger)
{
    static const struct orr_claims_function functions[] = {
        {"timing", 2, NULL, take_sample, timing},    {"timing_of", 1, timing_of, NULL, NULL},
        {"timing_over", 2, timing_over, NULL, NULL}, {"timing_value", 1, timing_value, NULL, NULL},
        {"timing_low", 1, timing_low, NULL, NULL},   {"timing_high", 1, timing_high, NULL, NULL},
        {"timing_p", 1, timing_p, NULL, NULL},       {"timing_apart", 1, timing_apart, NULL, NULL},
    };
    return orr_claims_add_functions(ledger, functions, sizeof functions / sizeof *functions);
}
