#include "present/figures.h"

#include <math.h>

int orr_figure_of(double *out, const struct orr_scope *scope, const struct orr_result *result, const char *name)
{
    sqlite3_stmt *row;
    *out = NAN;
    int code = orr_ledger_query(&row, scope->ledger, "SELECT value FROM figure WHERE cell_key = ? AND name = ?", "is",
                                result->key, name);
    if (code)
        return code;
    int more = orr_ledger_next(row, scope->ledger);
    if (more > 0)
        *out = orr_ledger_number(row, 0);
    sqlite3_finalize(row);
    return more < 0 ? more : 0;
}
