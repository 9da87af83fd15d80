/* SQL functions of every query.
 *
 * ratio_bound(cell_key, baseline_key, end): the low (end 0) or high (1) end of the 95 % bootstrap
 * interval of baseline seconds over cell seconds, from the raw samples of the two cells; NULL when
 * one of them has none, or a single one, whose resamples would all be alike.
 *
 * ratio_end(ratio, bound, floor, end): that end moved out to the noise floor (measure/stats.h);
 * NULL without a bound.
 *
 * logarithm(x), power(x, y): the natural logarithm, and x to the power of y; NULL where there is
 * none.
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "error.h"
#include "ledger/ledger_parts.h"
#include "measure/stats.h"

/* A pair of cells whose interval was computed. SQL asks for both ends in turn, and several claims
 * and tables for the same pair. */
struct pair {
    sqlite3_int64 cell, baseline; /* 0 before the first */
    bool known;
    double interval[2];
};
enum { PAIRS = 4096 };

static struct pair *place_of(struct pair *pairs, sqlite3_int64 cell, sqlite3_int64 baseline)
{
    uint64_t mixed = ((uint64_t)cell * 0x9e3779b97f4a7c15u) ^ (uint64_t)baseline;
    return &pairs[(mixed * 0xbf58476d1ce4e5b9u >> 32) % PAIRS];
}

static double *load(sqlite3 *db, sqlite3_int64 cell, size_t *count)
{
    sqlite3_stmt *statement = NULL;
    double *values = NULL;
    *count = 0;
    if (sqlite3_prepare_v2(db, "SELECT value FROM sample WHERE cell_key = ? AND kind = 'step_s'",
                           -1, &statement, NULL))
        return NULL;
    sqlite3_bind_int64(statement, 1, cell);
    while (sqlite3_step(statement) == SQLITE_ROW) {
        double *more = realloc(values, (*count + 1) * sizeof *more);
        if (!more)
            break;
        values = more;
        values[(*count)++] = sqlite3_column_double(statement, 0);
    }
    sqlite3_finalize(statement);
    return values;
}

/* 1 with an interval, 0 without, or a negative code. */
static int compute(double interval[2], sqlite3 *db, sqlite3_int64 cell, sqlite3_int64 baseline)
{
    size_t na, nb;
    double *a = load(db, baseline, &na), *b = load(db, cell, &nb), ratio;
    int known = na > 1 && nb > 1,
        code = known ? orr_stats_ratio(a, na, b, nb, &ratio, interval) : 0;
    free(a);
    free(b);
    return code ? code : known;
}

static void ratio_bound(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    (void)count;
    sqlite3_int64 cell = sqlite3_value_int64(arguments[0]),
                  baseline = sqlite3_value_int64(arguments[1]);
    struct pair *pair = place_of(sqlite3_user_data(context), cell, baseline);
    if (pair->cell != cell || pair->baseline != baseline) {
        sqlite3 *db = sqlite3_context_db_handle(context);
        pair->cell = cell, pair->baseline = baseline;
        int code = compute(pair->interval, db, cell, baseline);
        pair->known = code > 0;
        if (code < 0)
            orr_error_clear();
    }
    if (pair->known)
        sqlite3_result_double(context, pair->interval[sqlite3_value_int(arguments[2]) != 0]);
    else
        sqlite3_result_null(context);
}

static void ratio_end(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    (void)count;
    for (int k = 0; k < 2; k++)
        if (sqlite3_value_type(arguments[k]) == SQLITE_NULL)
            return;
    sqlite3_result_double(
        context,
        orr_stats_ratio_end(sqlite3_value_double(arguments[0]), sqlite3_value_double(arguments[1]),
                            sqlite3_value_double(arguments[2]), /* NULL is 0 here */
                            sqlite3_value_int(arguments[3])));
}

/* SQLite may be built without its own. */
static void give_finite(sqlite3_context *context, double value)
{
    if (isfinite(value))
        sqlite3_result_double(context, value);
}

static void logarithm(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    (void)count;
    give_finite(context, log(sqlite3_value_double(arguments[0]))); /* NULL is 0 here */
}

static void power(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    (void)count;
    if (sqlite3_value_type(arguments[0]) != SQLITE_NULL &&
        sqlite3_value_type(arguments[1]) != SQLITE_NULL)
        give_finite(context,
                    pow(sqlite3_value_double(arguments[0]), sqlite3_value_double(arguments[1])));
}

int orr_ledger_make_functions(struct orr_ledger *ledger)
{
    static const struct {
        const char *name;
        int arguments;
        void (*call)(sqlite3_context *, int, sqlite3_value **);
    } functions[] = {{"ratio_end", 4, ratio_end}, {"logarithm", 1, logarithm}, {"power", 2, power}};
    struct pair *pairs = calloc(PAIRS, sizeof *pairs);
    if (!pairs)
        return orr_fail(ORR_EMEMORY, "no memory for the ledger");
    if (sqlite3_create_function_v2(ledger->db, "ratio_bound", 3, SQLITE_UTF8, pairs, ratio_bound,
                                   NULL, NULL, free) != SQLITE_OK)
        return orr_ledger_sql_failed(ledger, "ratio_bound");
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++)
        if (sqlite3_create_function_v2(ledger->db, functions[k].name, functions[k].arguments,
                                       SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, functions[k].call,
                                       NULL, NULL, NULL) != SQLITE_OK)
            return orr_ledger_sql_failed(ledger, functions[k].name);
    return 0;
}
