#include "cli/query_rows.h"

#include <math.h>
#include <string.h>

#include "error.h"

static bool is_named(const char *names, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = names; (at = strstr(at, name)); at += length)
        if ((at == names || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

/* JSON has no infinite numbers. */
static json_t *value_of(sqlite3_stmt *row, int column, const char *json)
{
    switch (sqlite3_column_type(row, column)) {
    case SQLITE_NULL:
        return json_null();
    case SQLITE_INTEGER:
        return json_integer(sqlite3_column_int64(row, column));
    case SQLITE_FLOAT:
        return isfinite(sqlite3_column_double(row, column))
                   ? json_real(sqlite3_column_double(row, column))
                   : json_null();
    default:
        return is_named(json, sqlite3_column_name(row, column))
                   ? json_loads(orr_ledger_text(row, column), 0, NULL)
                   : json_string(orr_ledger_text(row, column));
    }
}

int orr_cli_query_rows(json_t *rows, const struct orr_ledger *ledger, sqlite3_stmt *statement,
                       const char *json)
{
    int more;
    while ((more = orr_ledger_next(statement, ledger)) > 0) {
        json_t *one = json_object();
        for (int k = 0; k < sqlite3_column_count(statement); k++)
            json_object_set_new(one, sqlite3_column_name(statement, k),
                                value_of(statement, k, json));
        json_array_append_new(rows, one);
    }
    sqlite3_finalize(statement);
    return more;
}
