#include "calibrate/calibrate.h"

#include <limits.h>
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
    int code = 0;
    orr_ledger_guard(ledger, &guard);
    for (const char *at = orr_ledger_skip(text); !code && *at; at = orr_ledger_skip(at)) {
        const char *start = at;
        sqlite3_stmt *statement = NULL;
        int status = sqlite3_prepare_v2(ledger->db, start, -1, &statement, &at);
        while (status == SQLITE_ROW || (status == SQLITE_OK && statement))
            status = sqlite3_step(statement);
        if (status != SQLITE_DONE && status != SQLITE_OK)
            code = orr_ledger_blame(ledger, shown, 1, text, start);
        sqlite3_finalize(statement);
    }
    orr_ledger_guard(ledger, NULL);
    return code;
}

/* A paper whose quantities explain themselves has no such file. */
static int feed_paper(const struct orr_ledger *ledger, const struct orr_paper *paper)
{
    char path[PATH_MAX], *text = NULL;
    const char *shown;
    size_t size;
    int code = orr_paths_paper(path, sizeof path, &shown, paper->key, "calibration.sql");
    if (code || access(path, F_OK))
        return code;
    code = orr_text_read(&text, &size, path, shown);
    if (!code)
        code = execute_file(ledger, text, shown);
    free(text);
    return code;
}

/* The views of this room: claims have their own. */
static int leave(const struct orr_ledger *ledger)
{
    sqlite3_stmt *row;
    int code = orr_ledger_query(&row, ledger,
                                "SELECT group_concat(printf('DROP VIEW temp.\"%w\"', name), ';')"
                                " FROM sqlite_temp_master WHERE type = 'view'",
                                "");
    if (!code)
        code = orr_ledger_next(row, ledger);
    char *drop = code > 0 ? strdup(orr_ledger_text(row, 0)) : NULL;
    sqlite3_finalize(row);
    if (code > 0)
        code = drop ? execute(ledger, drop) : orr_fail(ORR_EMEMORY, "no memory for a calibration");
    free(drop);
    return code;
}

static int load(struct orr_ledger *ledger, const struct orr_paper *paper)
{
    struct orr_calibration calibration = {0};
    int code = execute(ledger, sql_calibrate_planned);
    if (!code)
        code = orr_calibrate_plan(&calibration, ledger, paper);
    if (!code)
        code = execute(ledger, sql_calibrate_feed);
    if (!code)
        code = orr_audit_fill(ledger, paper, NULL); /* formulas are printed, too */
    if (!code)
        code = feed_paper(ledger, paper);
    if (!code)
        code = execute(ledger, sql_calibrate_nulls);
    if (!code)
        code = orr_calibrate_journal(ledger, &calibration, paper);
    orr_calibrate_release(&calibration);
    return code ? code : leave(ledger);
}

int orr_calibrate_judge(struct orr_ledger *ledger, const struct orr_paper *paper)
{
    int code = load(ledger, paper);
    if (!code)
        code = orr_claims_judge(ledger, paper);
    if (code > 0) {
        int assessed = execute(ledger, sql_calibrate_assessed);
        code = assessed ? assessed : code;
    }
    return code;
}
