/* SPDX-License-Identifier: MIT */
/* Running a paper's claims.sql, once with its own settings and once for each guess. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "audit/audit.h"
#include "claims/claims.h"
#include "error.h"
#include "json_member.h"
#include "memory.h"
#include "paths.h"
#include "sql/claims/guesses.h"
#include "sql/claims/tables.h"
#include "sql/claims/verdicts.h"
#include "text.h"

/* Views and tables that claims.sql defined are dropped with its own, of which claim is the
 * first. */
static const char drops[] =
    "SELECT group_concat(printf('DROP %s temp.\"%w\"', type, name), ';') FROM sqlite_temp_master"
    " WHERE type = 'view' OR (type = 'table' AND rowid >="
    " (SELECT rowid FROM sqlite_temp_master WHERE name = 'claim'))";

/* --- a paper's SQL, statement by statement; the ledger is read-only to it --- */

/* Runs the statement at *at, or looks whether it could be run, and moves behind it. */
static int run_statement(const struct orr_ledger *ledger, const char *text, const char *shown,
                         const char **at, bool run)
{
    const char *start = *at;
    sqlite3_stmt *statement = NULL;
    int code = 0, status = sqlite3_prepare_v2(ledger->db, *at, -1, &statement, at);
    while (run && (status == SQLITE_OK || status == SQLITE_ROW))
        status = statement ? sqlite3_step(statement) : SQLITE_DONE;
    if (status != SQLITE_OK && status != SQLITE_DONE)
        code = orr_ledger_blame(ledger, shown, 1, text, start);
    sqlite3_finalize(statement);
    return code;
}

/* The statements of `text`, but those that write parts or notes: these are kept in `late`. */
static int run_first(const char ***late, size_t *count, const struct orr_ledger *ledger,
                     struct orr_ledger_guard *guard, const char *text, const char *shown)
{
    static const char *const tables[] = {"claim",      "short",    "wanted", "untimed",
                                         "comparison", "sequence", NULL},
                             *const all[] = {"claim",    "short", "wanted", "untimed", "comparison",
                                             "sequence", "part",  "note",   NULL};
    int code = 0;
    for (const char *at = orr_ledger_skip(text); !code && *at; at = orr_ledger_skip(at)) {
        const char *start = at;
        sqlite3_stmt *statement = NULL;
        guard->writable = tables;
        const bool is_late = sqlite3_prepare_v2(ledger->db, at, -1, &statement, &at) == SQLITE_AUTH;
        sqlite3_finalize(statement);
        guard->writable = is_late ? all : tables;
        at = start;
        code = run_statement(ledger, text, shown, &at, !is_late);
        if (is_late)
            *(const char **)orr_memory_add(late, count, sizeof **late) = start;
    }
    return code;
}

/* The statements may only read, write what claims.h names and define temporary views and tables.
 * The comparisons are judged before the parts and notes are written, which read the findings.
 * `shown` names the file in ORR_EINPUT. */
static int execute_text(struct orr_ledger *ledger, const char *text, const char *shown)
{
    static const char *const found[] = {"found", NULL}, *const last[] = {"part", "note", NULL};
    struct orr_ledger_guard guard = {
        .tables = true,
        .rule = "claims may read the ledger, write to the tables claim, short, wanted, untimed,"
                " comparison, sequence, part and note and create temporary views and tables"};
    const char **late = NULL;
    size_t count = 0;
    orr_ledger_guard(ledger, &guard);
    int code = run_first(&late, &count, ledger, &guard, text, shown);
    guard.writable = found;
    if (!code && sqlite3_exec(ledger->db, sql_claims_found, NULL, NULL, NULL) != SQLITE_OK)
        code = orr_ledger_blame(ledger, shown, 1, text, text);
    guard.writable = last;
    for (size_t k = 0; !code && k < count; k++)
        code = run_statement(ledger, text, shown, &late[k], true);
    orr_ledger_guard(ledger, NULL);
    free(late);
    return code;
}

/* A part or note that names no claim would judge nothing: it is a mistake in the file. */
static int check_names(const struct orr_ledger *ledger, const char *shown)
{
    static const char sql[] =
        "SELECT printf('a verdict on %Q, which is none of its claims', claim) FROM"
        " (SELECT claim FROM wanted UNION SELECT claim FROM note)"
        " WHERE claim NOT IN (SELECT id FROM claim) UNION ALL"
        " SELECT printf('%s has a part %Q at %Q, %s, that is not wanted', claim, what, at, reading)"
        " FROM part WHERE (claim, reading, what, at) NOT IN"
        " (SELECT claim, reading, what, at FROM wanted) UNION ALL"
        " SELECT printf('%s compares %s at %Q, which stands neither in comparison nor in sequence',"
        " claim, what, at) FROM part p WHERE typeof(value) = 'blob' AND holds IN ('above 1.02', "
        "'below 0.98',"
        " 'at least 0.98') AND NOT EXISTS (SELECT 1 FROM found f WHERE f.machine = p.machine"
        " AND f.apart = timing_apart(p.value))";
    sqlite3_stmt *row;
    int code = orr_ledger_query(&row, ledger, sql, "");
    while (orr_ledger_row(&code, row, ledger))
        code = orr_fail(ORR_EINPUT, "%s: %s", shown, orr_ledger_text(row, 0));
    return code;
}

/* Verdicts by the paper's SQL, on its cells that the ledger has now, written under `key`. */
static int judge(struct orr_ledger *ledger, const char *paper, const char *key, const char *text,
                 const char *shown)
{
    int code = orr_ledger_run_text(ledger, "claims/tables.sql", 1, sql_claims_tables, paper);
    if (!code)
        code = execute_text(ledger, text, shown);
    if (!code)
        code = check_names(ledger, shown);
    if (!code)
        code =
            orr_ledger_run(ledger, "CREATE TEMP TABLE judged_paper AS SELECT ? AS key", "s", key);
    if (!code)
        code = orr_ledger_execute(ledger, sql_claims_verdicts);
    int left = orr_ledger_run_made(ledger, drops);
    return code ? code : left;
}

/* --- what the paper does not print: judged with each value that was measured --- */

/* A guess that names a claim which there is not. */
static int check_guesses(const struct orr_ledger *ledger, const struct orr_paper *paper)
{
    double at[2];
    char path[64];
    int code = orr_ledger_numbers(at, 2, ledger,
                                  "SELECT guess, j.key FROM guess, json_each(claims) j WHERE paper"
                                  " = ?1 AND j.value NOT IN (SELECT id FROM judgement_needs WHERE"
                                  " paper = ?1)",
                                  "s", paper->key);
    if (code <= 0)
        return code;
    snprintf(path, sizeof path, "guess[%d].claims[%d]", (int)at[0], (int)at[1]);
    return orr_paper_blame(paper->key, path, "%s has no claim '%s'", paper->key,
                           paper->guess[(int)at[0]].claims[(int)at[1]]);
}

/* The exchanged cells are put back, whatever became of the verdicts. */
static int try_value(struct orr_ledger *ledger, const char *key, long long guess, long long place,
                     const char *text, const char *shown)
{
    char trial[96];
    double cells = 0;
    snprintf(trial, sizeof trial, "%s, guess %lld, value %lld", key, guess, place);
    int code = orr_ledger_run(ledger,
                              "CREATE TEMP TABLE tried AS SELECT *, ? AS trial FROM"
                              " guess WHERE paper = ? AND guess = ? AND place = ?",
                              "ssii", trial, key, guess, place);
    if (!code)
        code = orr_ledger_execute(ledger, sql_claims_exchange);
    if (!code && orr_ledger_numbers(&cells, 1, ledger, "SELECT count(*) FROM exchanged", "") < 0)
        code = orr_error_code();
    if (!code && cells > 0)
        code = judge(ledger, key, trial, text, shown);
    int back = orr_ledger_execute(ledger, sql_claims_restore);
    return code ? code : back;
}

static int try_guesses(struct orr_ledger *ledger, const struct orr_paper *paper, const char *text,
                       const char *shown)
{
    double values = 0;
    int code = check_guesses(ledger, paper);
    for (unsigned k = 0; k < paper->guess_count && !code; k++) {
        if (orr_ledger_numbers(&values, 1, ledger,
                               "SELECT count(*) FROM guess WHERE paper = ? AND guess = ?", "si",
                               paper->key, (long long)k) < 0)
            code = orr_error_code();
        for (long long place = 1; place < (long long)values && !code; place++)
            code = try_value(ledger, paper->key, k, place, text, shown);
    }
    if (!code)
        code = orr_ledger_run(ledger, "CREATE TEMP TABLE guessed AS SELECT ? AS paper", "s",
                              paper->key);
    return code ? code : orr_ledger_execute(ledger, sql_claims_guesses);
}

static int judge_all(struct orr_ledger *ledger, const struct orr_paper *paper, const char *text,
                     const char *shown)
{
    /* Its tables, for claims that read one of them. */
    int code = strstr(text, "audit_") ? orr_audit_fill(ledger, paper) : 0;
    if (!code)
        code = orr_claims_make_functions(ledger);
    if (!code)
        code = orr_ledger_execute(ledger, sql_claims_book);
    if (!code)
        code = judge(ledger, paper->key, paper->key, text, shown);
    return code ? code : try_guesses(ledger, paper, text, shown);
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
        code = judge_all(ledger, paper, text, shown);
    free(text);
    return code ? code : 1;
}

int orr_claims_query(sqlite3_stmt **out, const struct orr_ledger *ledger, const char *machine)
{
    *out = NULL;
    int code = orr_ledger_execute(ledger, sql_claims_book);
    return code ? code : orr_ledger_query(out, ledger, sql_claims_findings, "s", machine);
}
