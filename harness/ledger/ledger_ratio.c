/* SQL function ratio_bound(cell_key, baseline_key, end): the low (end 0) or high (1) end of the 95 % bootstrap interval
 * of baseline seconds over cell seconds, from the raw samples of the two cells; NULL when one of them has
 * none, or a single one, whose resamples would all be alike. */
#include <stdlib.h>

#include "error.h"
#include "ledger/ledger_parts.h"
#include "measure/stats.h"

/* The last pair: SQL asks for both ends one after the other. */
struct pair {
    sqlite3_int64 cell, baseline;
    bool known;
    double interval[2];
};

static double *load(sqlite3 *db, sqlite3_int64 cell, size_t *count)
{
    sqlite3_stmt *statement = NULL;
    double *values = NULL;
    *count = 0;
    if (sqlite3_prepare_v2(db, "SELECT value FROM sample WHERE cell_key = ? AND kind = 'step_s'", -1, &statement, NULL))
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

static void compute(sqlite3 *db, struct pair *pair, sqlite3_int64 cell, sqlite3_int64 baseline)
{
    size_t na, nb;
    double *a = load(db, baseline, &na), *b = load(db, cell, &nb), ratio;
    pair->cell = cell, pair->baseline = baseline;
    pair->known = na > 1 && nb > 1 && orr_stats_ratio(a, na, b, nb, &ratio, pair->interval) == 0;
    if (!pair->known)
        orr_error_clear();
    free(a);
    free(b);
}

static void ratio_bound(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    (void)count;
    struct pair *pair = sqlite3_user_data(context);
    sqlite3_int64 cell = sqlite3_value_int64(arguments[0]), baseline = sqlite3_value_int64(arguments[1]);
    if (pair->cell != cell || pair->baseline != baseline)
        compute(sqlite3_context_db_handle(context), pair, cell, baseline);
    if (pair->known)
        sqlite3_result_double(context, pair->interval[sqlite3_value_int(arguments[2]) != 0]);
    else
        sqlite3_result_null(context);
}

int orr_ledger_make_functions(struct orr_ledger *ledger)
{
    struct pair *pair = calloc(1, sizeof *pair);
    if (!pair)
        return orr_fail(ORR_EMEMORY, "no memory for the ledger");
    if (sqlite3_create_function_v2(ledger->db, "ratio_bound", 3, SQLITE_UTF8, pair, ratio_bound, NULL, NULL, free) !=
        SQLITE_OK)
        return orr_ledger_sql_failed(ledger, "ratio_bound");
    return 0;
}

int orr_ledger_ratio_interval(double out[2], const struct orr_ledger *ledger, long long cell, long long baseline)
{
    int code = orr_ledger_numbers(out, 2, ledger, "SELECT ratio_bound(?1, ?2, 0), ratio_bound(?1, ?2, 1)", "ii", cell,
                                  baseline);
    return code < 0 ? code : 0;
}
