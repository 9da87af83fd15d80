#include "claims/claims.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "audit/audit.h"
#include "claims/claims_parts.h"
#include "error.h"
#include "paths.h"
#include "sql/claims/comparisons.h"
#include "text.h"

/* All verdicts so far; `place` is the order of claims.sql. */
static const char book[] = "CREATE TEMP TABLE IF NOT EXISTS judgement(paper TEXT, place INTEGER, "
                           "id TEXT, text TEXT, published TEXT,"
                           " machine TEXT, device TEXT, verdict TEXT, measured TEXT, why TEXT)";

/* The tables that claims.sql fills, and the view it compares by. */
static const char room[] =
    "CREATE TEMP TABLE claim(id TEXT NOT NULL PRIMARY KEY, text TEXT NOT "
    "NULL, published TEXT NOT NULL,"
    " needs TEXT NOT NULL);"
    "CREATE TEMP TABLE verdict(claim TEXT NOT NULL, machine TEXT, device "
    "TEXT, verdict TEXT NOT NULL CONSTRAINT"
    " \"verdicts are " ORR_VERDICTS "\" CHECK"
    " (verdict IN ('" ORR_REPRODUCED "', '" ORR_PARTLY "', '" ORR_NOT_REPRODUCED "', '" ORR_UNCLEAR
    "', '" ORR_NOT_MEASURABLE "')),"
    " measured TEXT, why TEXT NOT NULL, UNIQUE (claim, machine, device));"
    "CREATE TEMP VIEW compared AS SELECT s.*, s.extrapolated AS estimated,"
    " coalesce(ratio_low, ratio) AS low, coalesce(ratio_high, ratio) AS high,"
    " timing_over(timing_of(s.baseline_key), timing_of(s.cell_key)) AS timing"
    " FROM speedups s JOIN cell a ON a.cell_key = s.cell_key"
    " WHERE a.extrapolated_from IS NULL;";

/* The claim's command, for a device and with more words. */
#define COMMAND(device, more) \
    "'`' || c.needs || coalesce(' --device ' || nullif(" device ", 'host'), '') || '" more "`'"

/* One row for each verdict. A claim without a verdict on a device that measured the paper says what
 * it would take. The host counts only where it is the only device, since it carries the
 * baselines. */
static const char settle[] =
    "INSERT INTO judgement WITH measured AS (SELECT DISTINCT machine, device FROM latest l WHERE "
    "paper = ?1 AND (device"
    " <> 'host' OR NOT EXISTS (SELECT 1 FROM latest o WHERE o.machine = l.machine AND o.paper = ?1 "
    "AND o.device <>"
    " 'host'))), here AS (SELECT * FROM measured UNION ALL SELECT NULL, NULL WHERE NOT EXISTS "
    "(SELECT 1 FROM measured))"
    " SELECT ?1, c.rowid, c.id, c.text, c.published, v.machine, v.device, v.verdict, v.measured, "
    "v.why || coalesce((SELECT printf('; %d of %d comparisons are unclear for want of three"
    " processes a side: ', count(*) - count(differs), count(*)) || " COMMAND(
        "v.device", " --repeats 3") " FROM found f WHERE f.claim = c.id AND f.machine = v.machine "
                                    "AND f.device = v.device HAVING"
                                    " count(*) > count(differs)), '') FROM claim c"
                                    " JOIN verdict v ON v.claim = c.id UNION ALL"
                                    " SELECT ?1, c.rowid, c.id, c.text, c.published, h.machine, "
                                    "h.device, '" ORR_NOT_MEASURABLE "', NULL, CASE WHEN"
                                    " c.needs LIKE 'orrery %' THEN 'needs ' || " COMMAND(
                                        "h.device",
                                        "") " ELSE c.needs END || coalesce((SELECT '; ' || "
                                            "count(*) || ' of its cells did not end well, "
                                            "such as ' ||"
                                            " max(f.variant || ': ' || f.outcome || ': ' || "
                                            "coalesce(f.reason, '')) FROM latest f WHERE "
                                            "f.machine = h.machine "
                                            "AND"
                                            " f.device IN (h.device, 'host') AND f.outcome <> 'ok' "
                                            "AND instr(c.needs || ' ', ' ' || "
                                            "f.experiment || ' ') HAVING"
                                            " count(*) > 0), '') FROM claim c, here h WHERE NOT "
                                            "EXISTS (SELECT 1 FROM verdict v WHERE "
                                            "v.claim = c.id AND"
                                            " (v.machine IS NULL OR (v.machine = h.machine AND "
                                            "v.device = h.device)))";

static int execute(const struct orr_ledger *ledger, const char *sql)
{
    if (sqlite3_exec(ledger->db, sql, NULL, NULL, NULL) != SQLITE_OK)
        return orr_fail(ORR_EINTERNAL, "claims: %s", sqlite3_errmsg(ledger->db));
    return 0;
}

/* The query's first row, which the caller finalises: 1, 0 when there is none, or a negative
 * code. */
static int first_row(sqlite3_stmt **row, const struct orr_ledger *ledger, const char *sql,
                     const char *key)
{
    int code = orr_ledger_query(row, ledger, sql, key ? "s" : "", key);
    return code ? code : orr_ledger_next(*row, ledger);
}

/* Views that claims.sql defined are dropped with its tables. */
static int leave(struct orr_ledger *ledger)
{
    sqlite3_stmt *row;
    int code =
        first_row(&row, ledger,
                  "SELECT group_concat(printf('DROP %s temp.\"%w\"', type, name), ';') FROM "
                  "sqlite_temp_master"
                  " WHERE type = 'view' OR name IN ('claim', 'comparison', 'sequence', 'found',"
                  " 'verdict')",
                  NULL);
    char *drop = code > 0 ? strdup(orr_ledger_text(row, 0)) : NULL;
    sqlite3_finalize(row);
    if (code > 0)
        code = drop ? execute(ledger, drop) : orr_fail(ORR_EMEMORY, "no memory for the claims");
    free(drop);
    return code;
}

static int check(const struct orr_ledger *ledger, const char *shown)
{
    sqlite3_stmt *row;
    int code = first_row(
        &row, ledger, "SELECT claim FROM verdict WHERE claim NOT IN (SELECT id FROM claim)", NULL);
    if (code > 0)
        code = orr_fail(ORR_EINPUT, "%s: a verdict on '%s', which is none of its claims", shown,
                        orr_ledger_text(row, 0));
    sqlite3_finalize(row);
    return code;
}

static int judge(struct orr_ledger *ledger, const struct orr_paper *paper, const char *text,
                 const char *shown)
{
    sqlite3_stmt *row = NULL;
    int code = orr_audit_fill(ledger, paper, NULL);
    if (!code)
        code = orr_claims_make_functions(ledger);
    if (!code)
        code = execute(ledger, book);
    if (!code)
        code = execute(ledger, room);
    if (!code)
        code = execute(ledger, sql_claims_comparisons);
    if (!code)
        code = orr_claims_execute(ledger, text, shown);
    if (!code)
        code = check(ledger, shown);
    if (!code)
        code = first_row(&row, ledger, settle, paper->key);
    sqlite3_finalize(row);
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
    int code = execute(ledger, book);
    return code ? code
                : orr_ledger_query(out, ledger,
                                   "SELECT paper, id, text, published, machine, device, verdict, "
                                   "measured, why FROM judgement"
                                   " WHERE machine IS NULL OR coalesce(machine = ?, 1) ORDER BY "
                                   "paper, place, machine, device",
                                   "s", machine);
}
