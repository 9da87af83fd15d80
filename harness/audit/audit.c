/* SPDX-License-Identifier: MIT */
#include "audit/audit.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "audit/algebra.h"
#include "audit/cost_files.h"
#include "error.h"
#include "paths.h"
#include "sql/audit/audit.h"
#include "sql/audit/counters.h"
#include "sql/audit/findings.h"
#include "sql/audit/formulas.h"
#include "sql/audit/limits.h"
#include "sql/audit/own_findings.h"
#include "sql/audit/predict.h"
#include "text.h"

/* --- how far the parts of a device overlap --- */

/* How far the parts of a device overlap, its warps as customers of a closed network of queues.
 * The aggregate of SQL over the parts
 *
 *     overlap_seconds(seconds, units, warps, waiting)
 *
 * seconds: for which the part is busy in a step. units: of the part in a multiprocessor; a warp
 * belongs to one of them. warps: that a multiprocessor holds at once. waiting: seconds that a step
 * takes when no warp ever stands in another's way; NULL: not known, and the busiest part is all.
 *
 * Mean value analysis of a closed network (Reiser and Lavenberg, J. ACM 27 (1980) 313), by the
 * fixed point of Schweitzer (1979): a warp that comes to a part finds it as busy as it is with all
 * warps but itself. Nothing in it is fitted.
 *
 * Time is counted in passages: one of every warp of a step makes `seconds` of each part. */

enum { PARTS = 16, TURNS = 10000 };

struct network {
    int parts;
    double service[PARTS]; /* of a passage of one warp, by the unit that it belongs to */
    double units[PARTS];
    double warps, waiting, busiest;
};

/* The seconds of a passage with the queues as they are, which become those that follow of it. */
static double pass(const struct network *n, double thinking, double queue[PARTS])
{
    double there[PARTS], round = thinking;
    for (int k = 0; k < n->parts; k++) {
        const double own = fmax(1, n->warps / n->units[k]); /* warps of a unit */
        there[k] = n->service[k] * (1 + queue[k] * (own - 1) / own);
        round += there[k];
    }
    for (int k = 0; k < n->parts; k++)
        queue[k] = fmax(1, n->warps / n->units[k]) * there[k] / round;
    return round;
}

static double solve(const struct network *n)
{
    double queue[PARTS] = {0}, round = 0, before = -1, thinking = n->waiting * n->warps;
    for (int k = 0; k < n->parts; k++)
        thinking -= n->service[k]; /* which a chain alone waits for, too */
    thinking = fmax(0, thinking);
    for (int turn = 0; turn < TURNS && fabs(round - before) > 1e-12 * round; turn++) {
        before = round;
        round = pass(n, thinking, queue);
    }
    return fmax(round / n->warps, fmax(n->busiest, n->waiting));
}

static void add_part(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    struct network *n = sqlite3_aggregate_context(context, sizeof *n);
    const double seconds = sqlite3_value_double(arguments[0]);
    (void)count;
    if (!n || n->parts == PARTS)
        return;
    n->units[n->parts] = sqlite3_value_double(arguments[1]);
    n->service[n->parts] = seconds * n->units[n->parts];
    n->parts++;
    n->busiest = fmax(n->busiest, seconds);
    n->warps = fmax(1, sqlite3_value_double(arguments[2]));
    n->waiting = sqlite3_value_double(arguments[3]); /* NULL: 0 */
}

static void finish(sqlite3_context *context)
{
    const struct network *n = sqlite3_aggregate_context(context, 0);
    if (n && n->parts)
        sqlite3_result_double(context, n->waiting > 0 ? solve(n) : n->busiest);
}

static const struct orr_ledger_function overlap = {"overlap_seconds", 4, .step = add_part,
                                                   .final = finish};

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
        code = orr_ledger_add_functions(ledger, &overlap, 1, NULL);
    if (!code)
        code = orr_ledger_run_text(ledger, "audit/audit.sql", 1, sql_audit_audit, paper->key);
    if (!code)
        code = orr_cost_files_formulas((struct orr_ledger *)ledger, paper, path);
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
                                           {"audit/own_findings.sql", sql_audit_own_findings}};
    enum { TEXTS = sizeof texts / sizeof *texts };
    char *audited = ((struct orr_ledger *)ledger)->audited;
    *audited = '\0';
    int code = orr_audit_formulas(ledger, paper, NULL);
    if (!code)
        code = orr_cost_files_costs((struct orr_ledger *)ledger, paper);
    for (size_t k = 0; k < TEXTS && !code; k++) {
        if (k + 1 == TEXTS)
            code = find_own(ledger, paper);
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
