#include "claims/claims.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "audit/audit.h"
#include "claims/claims_parts.h"
#include "error.h"
#include "memory.h"
#include "format_value.h"
#include "json_member.h"
#include "paths.h"
#include "sql/claims/book.h"
#include "sql/claims/tables.h"
#include "sql/claims/told.h"
#include "sql/claims/verdicts.h"
#include "text.h"

static int execute(const struct orr_ledger *ledger, const char *sql)
{
    if (sqlite3_exec(ledger->db, sql, NULL, NULL, NULL) != SQLITE_OK)
        return orr_fail(ORR_EINTERNAL, "claims: %s", sqlite3_errmsg(ledger->db));
    return 0;
}

/* The query's first row, which the caller finalises: 1, 0 when there is none, or a negative
 * code. */
static int first_row(sqlite3_stmt **row, const struct orr_ledger *ledger, const char *sql)
{
    int code = orr_ledger_query(row, ledger, sql, "");
    return code ? code : orr_ledger_next(*row, ledger);
}

/* Views and tables that claims.sql defined are dropped with its own, of which claim is the
 * first. */
static int leave(struct orr_ledger *ledger)
{
    sqlite3_stmt *row;
    orr_claims_forget_statements(ledger->db);
    int code = first_row(&row, ledger,
                         "SELECT group_concat(printf('DROP %s temp.\"%w\"', type, name), ';') FROM "
                         "sqlite_temp_master"
                         " WHERE type = 'view' OR (type = 'table' AND rowid >="
                         " (SELECT rowid FROM sqlite_temp_master WHERE name = 'claim'))");
    char *drop = code > 0 ? orr_memory_text(orr_ledger_text(row, 0)) : NULL;
    sqlite3_finalize(row);
    if (code > 0)
        code = execute(ledger, drop);
    free(drop);
    return code;
}

/* What names no claim, or no part of one, judges nothing. */
static int check(const struct orr_ledger *ledger, const char *shown)
{
    static const char sql[] =
        "SELECT printf('a verdict on %Q, which is none of its claims', claim) FROM"
        " (SELECT claim FROM wanted UNION SELECT claim FROM note)"
        " WHERE claim NOT IN (SELECT id FROM claim) UNION ALL"
        " SELECT printf('%s has a part %Q at %Q, %s, that is not wanted', claim, what, at, reading)"
        " FROM part WHERE (claim, reading, what, at) NOT IN"
        " (SELECT claim, reading, what, at FROM wanted)";
    sqlite3_stmt *row = NULL;
    int code = first_row(&row, ledger, sql);
    if (code > 0)
        code = orr_fail(ORR_EINPUT, "%s: %s", shown, orr_ledger_text(row, 0));
    sqlite3_finalize(row);
    return code;
}

static int settle(const struct orr_ledger *ledger, const struct orr_paper *paper)
{
    int code = orr_ledger_once(ledger, "CREATE TEMP TABLE judged_paper AS SELECT ? AS key", "s",
                               paper->key);
    return code ? code : execute(ledger, sql_claims_verdicts);
}

static int judge(struct orr_ledger *ledger, const struct orr_paper *paper, const char *text,
                 const char *shown)
{
    /* Its tables, for claims that read one of them. */
    int code = strstr(text, "audit_") ? orr_audit_fill(ledger, paper) : 0;
    if (!code)
        code = orr_claims_make_functions(ledger);
    if (!code)
        code = execute(ledger, sql_claims_book);
    if (!code)
        code = execute(ledger, sql_claims_tables);
    if (!code)
        code = orr_claims_execute(ledger, text, shown);
    if (!code)
        code = check(ledger, shown);
    if (!code)
        code = settle(ledger, paper);
    int left = leave(ledger);
    return code ? code : left;
}

int orr_claims_judge(struct orr_ledger *ledger, const struct orr_paper *paper)
{
    char path[PATH_MAX], *text;
    const char *shown;
    size_t size;
    int code = orr_paths_paper(path, sizeof path, &shown, paper->key, "claims.sql");
    if (code)
        return code;
    if (access(path, F_OK))
        return 0;
    code = orr_text_read(&text, &size, path, shown);
    if (!code)
        code = judge(ledger, paper, text, shown);
    free(text);
    return code ? code : 1;
}

int orr_claims_query(sqlite3_stmt **out, const struct orr_ledger *ledger, const char *machine)
{
    *out = NULL;
    int code = execute(ledger, sql_claims_book);
    return code ? code : orr_ledger_query(out, ledger, sql_claims_told, "s", machine);
}

char *orr_claims_part_value(char *out, size_t size, const json_t *part)
{
    const json_t *low = json_object_get(part, "low"), *high = json_object_get(part, "high");
    const char *unit = orr_json_text(part, "unit");
    char value[32], ends[2][32], interval[80] = "";
    *out = '\0';
    if (!json_is_number(json_object_get(part, "value")))
        return out;
    if (json_is_number(low) && json_is_number(high))
        snprintf(interval, sizeof interval, " [%s, %s]",
                 orr_format_number(ends[0], sizeof ends[0], json_number_value(low)),
                 orr_format_number(ends[1], sizeof ends[1], json_number_value(high)));
    snprintf(out, size, "%s%s%s%s",
             orr_format_number(value, sizeof value, orr_json_number(part, "value")), interval,
             unit && *unit ? " " : "", unit ? unit : "");
    return out;
}
