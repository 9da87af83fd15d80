/* SPDX-License-Identifier: MIT */
/* The ledger: opening it, and queries of it. */
#include "ledger/ledger.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "memory.h"
#include "ledger/ledger_parts.h"
#include "sql/ledger/faults.h"
#include "sql/ledger/rounds.h"
#include "sql/ledger/schema.h"
#include "sql/ledger/tables.h"

static const double SQL_SECONDS = 60;

/* One thread uses a ledger: no mutex. */
static int open_memory(sqlite3 **out)
{
    /* A cell is a row of several kilobytes: on smaller pages each column of it is looked for on one
     * page after another. Temporary tables and sorting stay in memory, too: a full disk is none of
     * their business. */
    static const char how[] = "PRAGMA page_size = 16384; PRAGMA temp_store = MEMORY";
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    /* Nobody asks how much memory SQLite has, and counting it takes a lock for each block. Our long
     * statements need more of its small blocks than it keeps for a connection. */
    enum { SMALL = 1200, BLOCKS = 2000 };
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); /* without effect once a ledger was opened */
    int status = sqlite3_open_v2(":memory:", out, flags, NULL);
    if (status == SQLITE_OK)
        sqlite3_db_config(*out, SQLITE_DBCONFIG_LOOKASIDE, NULL, SMALL, BLOCKS);
    return status == SQLITE_OK ? sqlite3_exec(*out, how, NULL, NULL, NULL) : status;
}

int orr_ledger_open(struct orr_ledger *out)
{
    /* In the schema `rounds` rounds.sql makes one row of the rounds of a cell. */
    static const char *const texts[] = {sql_ledger_tables, sql_ledger_schema,
                                        "ATTACH ':memory:' AS rounds", sql_ledger_rounds_tables,
                                        sql_ledger_rounds};
    *out = (struct orr_ledger){0};
    out->held = orr_memory_get(sizeof *out->held);
    if (open_memory(&out->db) != SQLITE_OK) {
        orr_ledger_close(out);
        return orr_fail(ORR_EMEMORY, "no memory for the ledger");
    }
    orr_ledger_limit(out, SQL_SECONDS, NULL);
    int code = orr_ledger_make_functions(out);
    for (size_t k = 0; !code && k < sizeof texts / sizeof *texts; k++)
        code = orr_ledger_execute(out, texts[k]);
    if (code)
        orr_ledger_close(out);
    return code;
}

int orr_ledger_copy(struct orr_ledger *out, const struct orr_ledger *from)
{
    int code = orr_ledger_open(out);
    if (code)
        return code;
    sqlite3_backup *copy = sqlite3_backup_init(out->db, "main", from->db, "main");
    if (copy)
        sqlite3_backup_step(copy, -1);
    orr_ledger_limit(out, from->held->limit_s, from->held->stop);
    memcpy(out->audited, from->audited, sizeof out->audited);
    if (copy && sqlite3_backup_finish(copy) == SQLITE_OK)
        return 0;
    code = orr_ledger_sql_failed(out, "copying");
    orr_ledger_close(out);
    return code;
}

struct orr_kept {
    struct orr_kept *next;
    const char *sql;
    sqlite3_stmt *statement;
};

int orr_ledger_keep(sqlite3_stmt **out, struct orr_ledger *ledger, const char *sql)
{
    struct orr_kept *kept = ledger->kept;
    while (kept && kept->sql != sql)
        kept = kept->next;
    if (kept) {
        *out = kept->statement;
        sqlite3_reset(*out);
        sqlite3_clear_bindings(*out);
        return 0;
    }
    if (sqlite3_prepare_v3(ledger->db, sql, -1, SQLITE_PREPARE_PERSISTENT, out, NULL) != SQLITE_OK)
        return orr_ledger_sql_failed(ledger, sql);
    kept = orr_memory_get(sizeof *kept);
    *kept = (struct orr_kept){ledger->kept, sql, *out};
    ledger->kept = kept;
    return 0;
}

void orr_ledger_close(struct orr_ledger *ledger)
{
    for (struct orr_kept *kept = ledger->kept, *next; kept; kept = next) {
        next = kept->next;
        sqlite3_finalize(kept->statement);
        free(kept);
    }
    for (size_t k = 0; k < ledger->journals; k++)
        free(ledger->paths[k]);
    free(ledger->paths);
    sqlite3_close(ledger->db);
    free(ledger->held);
    *ledger = (struct orr_ledger){0};
}

/* --- queries --- */

int orr_ledger_sql_failed(const struct orr_ledger *ledger, const char *what)
{
    return orr_fail(ORR_EINTERNAL, "ledger: %s: %s", what, sqlite3_errmsg(ledger->db));
}

int orr_ledger_execute(const struct orr_ledger *ledger, const char *sql)
{
    if (sqlite3_exec(ledger->db, sql, NULL, NULL, NULL) != SQLITE_OK)
        return orr_ledger_sql_failed(ledger, "SQL");
    return 0;
}

int orr_ledger_bind_json(sqlite3_stmt *statement, int at, const json_t *value)
{
    if (json_is_string(value))
        return sqlite3_bind_text(statement, at, json_string_value(value), -1, SQLITE_STATIC);
    if (json_is_integer(value))
        return sqlite3_bind_int64(statement, at, json_integer_value(value));
    return json_is_real(value) ? sqlite3_bind_double(statement, at, json_real_value(value))
                               : sqlite3_bind_null(statement, at);
}

static int bind(sqlite3_stmt *statement, const char *types, va_list values)
{
    int status = SQLITE_OK;
    for (int k = 1; types[k - 1] && status == SQLITE_OK; k++)
        if (types[k - 1] == 's')
            status =
                sqlite3_bind_text(statement, k, va_arg(values, const char *), -1, SQLITE_TRANSIENT);
        else if (types[k - 1] == 'i')
            status = sqlite3_bind_int64(statement, k, va_arg(values, long long));
        else if (types[k - 1] == 'j')
            status = orr_ledger_bind_json(statement, k, va_arg(values, const json_t *));
        else if (types[k - 1] == 'o')
            status = sqlite3_bind_text(
                statement, k, json_dumps(va_arg(values, const json_t *), JSON_COMPACT), -1, free);
        else
            status = sqlite3_bind_double(statement, k, va_arg(values, double));
    return status;
}

static int query(sqlite3_stmt **out, const struct orr_ledger *ledger, const char *sql,
                 const char *types, va_list values)
{
    *out = NULL;
    if (sqlite3_prepare_v2(ledger->db, sql, -1, out, NULL) != SQLITE_OK)
        return orr_ledger_sql_failed(ledger, sql);
    if (bind(*out, types, values) == SQLITE_OK)
        return 0;
    sqlite3_finalize(*out);
    *out = NULL;
    return orr_ledger_sql_failed(ledger, sql);
}

int orr_ledger_query(sqlite3_stmt **out, const struct orr_ledger *ledger, const char *sql,
                     const char *types, ...)
{
    va_list values;
    va_start(values, types);
    int code = query(out, ledger, sql, types, values);
    va_end(values);
    return code;
}

void orr_ledger_put(struct orr_ledger *ledger, const char *sql, const char *types, ...)
{
    sqlite3_stmt *statement;
    va_list values;
    if (!ledger->failed)
        ledger->failed = orr_ledger_keep(&statement, ledger, sql);
    if (ledger->failed)
        return;
    va_start(values, types);
    if (bind(statement, types, values) != SQLITE_OK || orr_ledger_next(statement, ledger) < 0)
        ledger->failed = orr_ledger_sql_failed(ledger, sql);
    va_end(values);
}

int orr_ledger_run(const struct orr_ledger *ledger, const char *sql, const char *types, ...)
{
    sqlite3_stmt *statement;
    va_list values;
    va_start(values, types);
    int code = query(&statement, ledger, sql, types, values);
    va_end(values);
    if (!code)
        code = orr_ledger_next(statement, ledger);
    sqlite3_finalize(statement);
    return code < 0 ? code : 0;
}

int orr_ledger_numbers(double *out, size_t count, const struct orr_ledger *ledger, const char *sql,
                       const char *types, ...)
{
    sqlite3_stmt *row;
    va_list values;
    va_start(values, types);
    int more = query(&row, ledger, sql, types, values);
    va_end(values);
    if (!more)
        more = orr_ledger_next(row, ledger);
    for (size_t k = 0; k < count; k++)
        out[k] = more > 0 ? orr_ledger_number(row, (int)k) : NAN;
    sqlite3_finalize(row);
    return more;
}

int orr_ledger_next(sqlite3_stmt *statement, const struct orr_ledger *ledger)
{
    int status = sqlite3_step(statement);
    if (status == SQLITE_ROW || status == SQLITE_DONE)
        return status == SQLITE_ROW;
    return orr_ledger_sql_failed(ledger, sqlite3_sql(statement));
}

bool orr_ledger_row(int *code, sqlite3_stmt *statement, const struct orr_ledger *ledger)
{
    int more = *code ? *code : orr_ledger_next(statement, ledger);
    if (!*code && more > 0)
        return true;
    *code = more;
    sqlite3_finalize(statement);
    return false;
}

int orr_ledger_run_made(const struct orr_ledger *ledger, const char *sql)
{
    char *made = NULL;
    sqlite3_stmt *row;
    int code = orr_ledger_query(&row, ledger, sql, "");
    while (orr_ledger_row(&code, row, ledger))
        made = orr_memory_text(orr_ledger_text(row, 0));
    if (!code)
        code = orr_ledger_execute(ledger, made);
    free(made);
    return code;
}

const char *orr_ledger_text(sqlite3_stmt *statement, int column)
{
    const char *text = (const char *)sqlite3_column_text(statement, column);
    return text ? text : "";
}

double orr_ledger_number(sqlite3_stmt *statement, int column)
{
    return sqlite3_column_type(statement, column) == SQLITE_NULL
               ? NAN
               : sqlite3_column_double(statement, column);
}

int orr_ledger_campaign(const struct orr_ledger *ledger, bool all,
                        int (*each)(bool is_fault, const char *text, void *context), void *context)
{
    sqlite3_stmt *row;
    int code = orr_ledger_query(&row, ledger, sql_ledger_campaign, "ii", (long long)all,
                                (long long)ORR_JOURNAL_SCHEMA);
    while (orr_ledger_row(&code, row, ledger))
        code = each(!strcmp(orr_ledger_text(row, 0), "input"), orr_ledger_text(row, 1), context);
    return code;
}
