#include "calibrate/calibrate.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "audit/audit.h"
#include "calibrate/calibrate_parts.h"
#include "claims/claims.h"
#include "error.h"
#include "paths.h"
#include "sql/calibrate/assessed.h"
#include "sql/calibrate/feed.h"
#include "sql/calibrate/judged.h"
#include "sql/calibrate/nulls.h"
#include "sql/calibrate/planned.h"
#include "text.h"

static int execute(const struct orr_ledger *ledger, const char *sql)
{
    return sqlite3_exec(ledger->db, sql, NULL, NULL, NULL) == SQLITE_OK
               ? 0
               : orr_fail(ORR_EINTERNAL, "calibration: %s", sqlite3_errmsg(ledger->db));
}

/* The paper's own file, statement by statement. */
static int execute_file(const struct orr_ledger *ledger, const char *text, const char *shown)
{
    static const char *const writable[] = {"fed", NULL};
    static const struct orr_ledger_guard guard = {
        .writable = writable,
        .rule = "a calibration may read the ledger, write to the table fed and create temporary"
                " views"};
    return orr_ledger_guarded(ledger, &guard, text, shown);
}

/* 1 with the path of a paper's file, 0 where it has none. */
static int find_file(char path[PATH_MAX], const char **shown, const struct orr_paper *paper,
                     const char *name)
{
    int code = orr_paths_paper(path, PATH_MAX, shown, paper->key, name);
    return code ? code : !access(path, F_OK);
}

/* A paper whose quantities explain themselves has no such file. */
static int feed_paper(const struct orr_ledger *ledger, const struct orr_paper *paper)
{
    char path[PATH_MAX], *text = NULL;
    const char *shown;
    size_t size;
    int code = find_file(path, &shown, paper, "calibration.sql");
    if (code <= 0)
        return code;
    code = orr_text_read(&text, &size, path, shown);
    if (!code)
        code = execute_file(ledger, text, shown);
    free(text);
    return code;
}

/* The table or view `name` of one machine's ledger, each row with the machine before it. */
static int keep(const struct orr_ledger *to, const struct orr_ledger *from, const char *name,
                const char *machine)
{
    char sql[160], places[64] = "?";
    sqlite3_stmt *row = NULL, *insert = NULL;
    snprintf(sql, sizeof sql, "SELECT ?, * FROM %s", name);
    int code = orr_ledger_query(&row, from, sql, "s", machine), more = 0;
    for (int k = 1; !code && k < sqlite3_column_count(row); k++)
        strcat(places, ",?");
    snprintf(sql, sizeof sql, "INSERT INTO %s VALUES (%s)", name, places);
    if (!code)
        code = orr_ledger_query(&insert, to, sql, "");
    while (!code && (more = orr_ledger_next(row, from)) > 0) {
        sqlite3_reset(insert);
        for (int k = 0; k < sqlite3_column_count(row); k++)
            sqlite3_bind_value(insert, k + 1, sqlite3_column_value(row, k));
        code = orr_ledger_next(insert, to);
    }
    sqlite3_finalize(row);
    sqlite3_finalize(insert);
    return code ? code : more;
}

/* Each machine is judged by itself, as claims take longer than twice as long for two. */
static int judge(const struct orr_ledger *ledger, const struct orr_calibration *calibration,
                 const char *machine)
{
    struct orr_ledger own = {0};
    int code = orr_ledger_open(&own), judged = 0;
    if (!code)
        code = orr_ledger_add_paper(&own, calibration->paper);
    if (!code)
        code = orr_calibrate_journal(&own, ledger, calibration, machine);
    if (!code)
        code = judged = orr_claims_judge(&own, calibration->paper);
    if (code > 0)
        code = execute(&own, sql_calibrate_judged);
    if (!code && judged > 0)
        code = keep(ledger, &own, "told", machine);
    if (!code && judged > 0)
        code = keep(ledger, &own, "told_part", machine);
    orr_ledger_close(&own);
    return code ? code : judged;
}

/* 1; 0 for a paper without claims. */
static int judge_all(const struct orr_ledger *ledger, const struct orr_calibration *calibration)
{
    sqlite3_stmt *row;
    int code = orr_ledger_query(&row, ledger, "SELECT machine FROM machine ORDER BY place", ""),
        more = 0, judged = 1;
    while (!code && judged > 0 && (more = orr_ledger_next(row, ledger)) > 0)
        judged = judge(ledger, calibration, orr_ledger_text(row, 0));
    sqlite3_finalize(row);
    return code ? code : more < 0 ? more : judged;
}

static int make_up(struct orr_ledger *ledger, struct orr_calibration *calibration)
{
    int code = execute(ledger, sql_calibrate_planned);
    if (!code)
        code = orr_calibrate_plan(calibration, ledger);
    if (!code)
        code = execute(ledger, sql_calibrate_feed);
    if (!code)
        code = orr_audit_fill(ledger, calibration->paper, NULL); /* formulas are printed, too */
    if (!code)
        code = feed_paper(ledger, calibration->paper);
    return code ? code : execute(ledger, sql_calibrate_nulls);
}

int orr_calibrate_judge(struct orr_ledger *ledger, const struct orr_paper *paper)
{
    struct orr_calibration calibration = {.paper = paper};
    char path[PATH_MAX];
    const char *shown;
    int code = find_file(path, &shown, paper, "claims.sql");
    if (code <= 0)
        return code;
    code = make_up(ledger, &calibration);
    if (!code)
        code = judge_all(ledger, &calibration);
    orr_calibrate_release(&calibration);
    if (code > 0) {
        int assessed = execute(ledger, sql_calibrate_assessed);
        code = assessed ? assessed : code;
    }
    return code;
}
