#include "audit/audit.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "audit/algebra.h"
#include "audit/cost_files.h"
#include "audit/hardware.h"
#include "error.h"
#include "paths.h"
#include "sql/audit/audit.h"
#include "sql/audit/findings.h"
#include "sql/audit/formulas.h"
#include "sql/audit/limits.h"
#include "sql/audit/own_findings.h"
#include "sql/audit/predict.h"
#include "text.h"

/* --- SQL --- */

/* All statements, with the paper as ?1. */
static int execute(const struct orr_ledger *ledger, const char *sql, const struct orr_paper *paper)
{
    int status = SQLITE_DONE;
    for (const char *at = sql; status == SQLITE_DONE && *at;) {
        sqlite3_stmt *statement = NULL;
        status = sqlite3_prepare_v2(ledger->db, at, -1, &statement, &at);
        if (status == SQLITE_OK && sqlite3_bind_parameter_count(statement))
            status = sqlite3_bind_text(statement, 1, paper->key, -1, SQLITE_STATIC);
        if (status == SQLITE_OK)
            status = statement ? sqlite3_step(statement) : SQLITE_DONE;
        sqlite3_finalize(statement);
    }
    return status == SQLITE_DONE
               ? 0
               : orr_fail(ORR_EINTERNAL, "ledger: %s", sqlite3_errmsg(ledger->db));
}

/* --- what only the paper's own audit knows --- */

/* Its findings, statement by statement. */
static int find_own(const struct orr_ledger *ledger, const struct orr_paper *paper)
{
    static const char *const writable[] = {"own_finding", "own_counted", "own_slots", NULL};
    static const struct orr_ledger_guard guard = {
        .writable = writable,
        .racing = true,
        .rule = "an audit may read the ledger and write to the tables own_finding, own_counted and "
                "own_slots"};
    char path[PATH_MAX], *text = NULL;
    const char *shown;
    size_t size;
    int code = orr_paths_paper(path, sizeof path, &shown, paper->key, "audit.sql");
    if (code || access(path, F_OK))
        return code;
    code = orr_text_read(&text, &size, path, shown);
    if (!code)
        code = orr_ledger_guarded(ledger, &guard, text, shown);
    free(text);
    return code;
}

/* --- all of it --- */

/* Whether cells of the experiment are counted: with costs there is more to audit than formulas. */
static bool counts(const struct orr_paper *paper, const char *experiment)
{
    const char *name = strchr(experiment, '/');
    for (unsigned k = 0; name && k < paper->experiments_count; k++)
        if (!strcmp(paper->experiments[k].name, name + 1))
            return orr_paper_cells(paper, &paper->experiments[k])->counts;
    return false;
}

static int check_experiment(const struct orr_ledger *ledger, const struct orr_paper *paper,
                            const char *experiment)
{
    double found[2] = {0};
    int more = orr_ledger_numbers(
        found, 2, ledger,
        "SELECT (SELECT count(*) FROM audit_formula WHERE paper = ?1 AND experiment = ?2),"
        " (SELECT count(*) FROM audit_cost WHERE paper = ?1)",
        "ss", paper->key, experiment);
    if (more < 0 || found[0] > 0 || (found[1] > 0 && counts(paper, experiment)))
        return more < 0 ? more : 0;
    return orr_fail(ORR_EINPUT,
                    "variants/%s/formulas.csv says nothing of %s, which is to be audited",
                    paper->key, experiment);
}

int orr_audit_formulas(const struct orr_ledger *ledger, const struct orr_paper *paper,
                       const char *path)
{
    int code = orr_hardware_make_table(ledger);
    if (!code)
        code = orr_algebra_offer(ledger);
    if (!code)
        code = orr_overlap_offer(ledger);
    if (!code)
        code = execute(ledger, sql_audit_audit, paper);
    if (!code)
        code = orr_cost_files_formulas((struct orr_ledger *)ledger, paper, path);
    return code ? code : execute(ledger, sql_audit_formulas, paper);
}

int orr_audit_fill(const struct orr_ledger *ledger, const struct orr_paper *paper)
{
    static const char *const texts[] = {sql_audit_findings, sql_audit_predict, sql_audit_limits};
    int code = orr_audit_formulas(ledger, paper, NULL);
    if (!code)
        code = orr_cost_files_costs((struct orr_ledger *)ledger, paper);
    for (size_t k = 0; k < sizeof texts / sizeof *texts && !code; k++)
        code = execute(ledger, texts[k], paper);
    if (!code)
        code = find_own(ledger, paper);
    return code ? code : execute(ledger, sql_audit_own_findings, paper);
}

int orr_audit_have(const struct orr_ledger *ledger, const struct orr_paper *paper,
                   const char *experiment)
{
    char *audited = ((struct orr_ledger *)ledger)->audited;
    int code = 0;
    if (strcmp(audited, paper->key) != 0) {
        *audited = '\0';
        code = orr_audit_fill(ledger, paper);
        if (!code)
            snprintf(audited, sizeof ledger->audited, "%s", paper->key);
    }
    return code || !experiment ? code : check_experiment(ledger, paper, experiment);
}
