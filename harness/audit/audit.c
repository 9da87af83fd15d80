/* SPDX-License-Identifier: MIT */
/* Filling the audit's tables: a paper's files of formulas and costs, then the SQL of the audit. */
#include "audit/audit.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"
#include "kernels/pair.h"
#include "ledger/csv.h"
#include "names.h"
#include "paths.h"
#include "sql/audit/audit.h"
#include "sql/audit/counters.h"
#include "sql/audit/findings.h"
#include "sql/audit/formulas.h"
#include "sql/audit/limits.h"
#include "sql/audit/predict.h"
#include "text.h"

/* --- what only the paper's own audit knows --- */

/* Its findings, statement by statement. */
static int run_own_audit(const struct orr_ledger *ledger, const struct orr_paper *paper)
{
    static const char *const writable[] = {"own_finding", "own_counted", "own_slots", NULL};
    static const struct orr_ledger_guard guard = {
        .writable = writable,
        .racing = true,
        .rule = "an audit may read the ledger and write to the tables own_finding, own_counted and "
                "own_slots"};
    return orr_ledger_run_own(ledger, &guard, paper->key, "audit.sql");
}

/* --- all of it --- */

/* An experiment whose cells are counted has more to audit than formulas. */
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

/* --- formulas.csv and costs.csv --- */

static const struct orr_csv_kind formulas = {
    "experiment,says,variant,over,item,kinds,formula,printed,note", "audit/formulas.sql",
    sql_audit_formulas_csv};
static const struct orr_csv_kind costs = {"variant,kind,access,degree,times,condition,note",
                                          "audit/predict.sql", sql_audit_costs_csv};

/* `path`: NULL for the paper's own, if it has one. */
static int read_csv(const struct orr_ledger *ledger, const struct orr_paper *paper,
                    const struct orr_csv_kind *kind, const char *path, const char *name)
{
    char own[PATH_MAX], unknown[128];
    const char *shown = path;
    int code = path ? 0 : orr_paths_paper(own, sizeof own, &shown, paper->key, name);
    if (code || (!path && access(own, F_OK)))
        return code;
    snprintf(unknown, sizeof unknown, "the first line must be %s", kind->header);
    return orr_csv_load(ledger, paper->key, path ? path : own, shown, kind, 1, unknown);
}

/* Lines may name these: experiments and variants of the paper, pairs of kernels/pair.h, counts of
 * kernels/count.h. */
static int store_names(const struct orr_ledger *ledger, const struct orr_paper *paper)
{
    static const struct {
        const char *name;
        long long flops, one_sided;
    } pairs[] = {{"PAIR", PAIR_FLOPS_TRUE, 0},
                 {"PAIR2", PAIR2_FLOPS_TRUE, 0},
                 {"PAIR2_BOTH", PAIR2_BOTH_FLOPS_TRUE, PAIR2_FLOPS_TRUE}};
    static const char insert[] = "INSERT INTO audit_name VALUES (?, ?)";
    int code = 0;
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs && !code; k++)
        code = orr_ledger_run(ledger, "INSERT INTO audit_pair_flops VALUES (?, ?, ?)", "sii",
                              pairs[k].name, pairs[k].flops, pairs[k].one_sided);
    for (unsigned k = 0; k < paper->experiments_count && !code; k++)
        code = orr_ledger_run(ledger, insert, "ss", "experiment", paper->experiments[k].name);
    for (unsigned k = 0; k < paper->variants_count && !code; k++)
        code = orr_ledger_run(ledger, insert, "ss", "variant", paper->variants[k].name);
    for (size_t k = 0; k < ORR_ACCESS_KINDS && !code; k++)
        code = orr_ledger_run(ledger, insert, "ss", "count", orr_names_access[k]);
    return code;
}

int orr_audit_formulas(const struct orr_ledger *ledger, const struct orr_paper *paper,
                       const char *path)
{
    static const char drop[] =
        "SELECT group_concat('DROP TABLE ' || name, ';') FROM sqlite_master WHERE type = 'table'"
        " AND (name GLOB 'audit_*' OR name GLOB 'predict*')";
    int code = orr_ledger_run_made(ledger, drop);
    if (!code)
        code = orr_algebra_offer(ledger);
    if (!code)
        code = orr_ledger_run_text(ledger, "audit/audit.sql", 1, sql_audit_audit, paper->key);
    if (!code)
        code = store_names(ledger, paper);
    if (!code)
        code = read_csv(ledger, paper, &formulas, path, "formulas.csv");
    return code ? code
                : orr_ledger_run_text(ledger, "audit/formulas.sql", 1, sql_audit_formulas,
                                      paper->key);
}

int orr_audit_fill(const struct orr_ledger *ledger, const struct orr_paper *paper)
{
    static const char *const texts[][2] = {{"audit/findings.sql", sql_audit_findings},
                                           {"audit/predict.sql", sql_audit_predict},
                                           {"audit/limits.sql", sql_audit_limits},
                                           {"audit/counters.sql", sql_audit_counters},
                                           {"audit/findings.sql", sql_audit_own_findings}};
    enum { TEXTS = sizeof texts / sizeof *texts };
    char *audited = ((struct orr_ledger *)ledger)->audited;
    *audited = '\0';
    int code = orr_audit_formulas(ledger, paper, NULL);
    if (!code)
        code = read_csv(ledger, paper, &costs, NULL, "costs.csv");
    for (size_t k = 0; k < TEXTS && !code; k++) {
        if (k + 1 == TEXTS)
            code = run_own_audit(ledger, paper);
        if (!code)
            code = orr_ledger_run_text(ledger, texts[k][0], 1, texts[k][1], paper->key);
    }
    if (!code)
        snprintf(audited, sizeof ledger->audited, "%s", paper->key);
    return code;
}

int orr_audit_have(const struct orr_ledger *ledger, const struct orr_paper *paper,
                   const char *experiment)
{
    int code = strcmp(ledger->audited, paper->key) != 0 ? orr_audit_fill(ledger, paper) : 0;
    return code || !experiment ? code : check_experiment(ledger, paper, experiment);
}
