/* Printed ratios against printed times, and those that the text gives against the table. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "audit/findings_parts.h"
#include "error.h"

/* --- ratios that a table prints beside its times --- */

static const char ratio_sql[] =
    "SELECT r.experiment, substr(r.variant, instr(r.variant, '/') + 1), r.reference, r.n, "
    "r.printed, r.value,"
    " r.half_unit, b.value, b.half_unit, v.value, v.half_unit FROM published r"
    " JOIN published v ON v.paper = r.paper AND v.experiment = r.experiment AND v.variant = "
    "r.variant AND"
    " v.dataset IS r.dataset AND v.n IS r.n AND v.quantity = 'seconds'"
    " JOIN published b ON b.paper = r.paper AND b.experiment = r.experiment AND b.variant = "
    "r.paper || '/' ||"
    " r.reference AND b.dataset IS r.dataset AND b.n IS r.n AND b.quantity = 'seconds'"
    " WHERE r.paper = ? AND r.quantity = 'ratio' ORDER BY r.experiment, r.variant, r.reference, "
    "r.n";

/* Ratios of one variant over one reference: one finding for those that follow, one for each that
 * does not. */
struct ratios {
    struct orr_findings *out;
    char experiment[64], variant[64], reference[64];
    int right, all;
};

static int close_ratios(struct ratios *r)
{
    if (!r->all)
        return 0;
    struct orr_finding *finding =
        orr_findings_add(r->out, r->experiment, r->right == r->all, "speedups of %s over %s",
                         r->variant, r->reference);
    if (!finding)
        return ORR_EMEMORY;
    snprintf(finding->printed, sizeof finding->printed, "%d ratios", r->all);
    snprintf(finding->derived, sizeof finding->derived, "%d of %d follow from the printed times",
             r->right, r->all);
    return 0;
}

static int take_ratio(struct ratios *r, sqlite3_stmt *row)
{
    double printed = orr_ledger_number(row, 5), half = orr_ledger_number(row, 6);
    double over = orr_ledger_number(row, 7), over_half = orr_ledger_number(row, 8);
    double own = orr_ledger_number(row, 9), own_half = orr_ledger_number(row, 10);
    /* Printed and true numbers differ by at most half a unit; doubles by less than this. */
    double slack = 1e-12 * printed;
    bool follows = printed + half + slack >= (over - over_half) / (own + own_half) &&
                   printed - half - slack <= (over + over_half) / (own - own_half);
    r->all++;
    r->right += follows;
    if (follows)
        return 0;
    struct orr_finding *finding =
        orr_findings_add(r->out, r->experiment, false, "speedup of %s over %s at N = %.0f",
                         r->variant, r->reference, orr_ledger_number(row, 3));
    if (!finding)
        return ORR_EMEMORY;
    snprintf(finding->printed, sizeof finding->printed, "%s", orr_ledger_text(row, 4));
    snprintf(finding->derived, sizeof finding->derived, "%.5g from the printed times", over / own);
    return 0;
}

static int judge_ratios(struct orr_findings *out, const struct orr_ledger *ledger,
                        const struct orr_paper *paper)
{
    sqlite3_stmt *row;
    struct ratios now = {.out = out};
    int more = 0, code = orr_ledger_query(&row, ledger, ratio_sql, "s", paper->key);
    if (code)
        return code;
    while (!code && (more = orr_ledger_next(row, ledger)) > 0) {
        if (strcmp(now.experiment, orr_ledger_text(row, 0)) != 0 ||
            strcmp(now.variant, orr_ledger_text(row, 1)) != 0 ||
            strcmp(now.reference, orr_ledger_text(row, 2)) != 0) {
            code = close_ratios(&now);
            now.right = now.all = 0;
            snprintf(now.experiment, sizeof now.experiment, "%s", orr_ledger_text(row, 0));
            snprintf(now.variant, sizeof now.variant, "%s", orr_ledger_text(row, 1));
            snprintf(now.reference, sizeof now.reference, "%s", orr_ledger_text(row, 2));
        }
        if (!code)
            code = take_ratio(&now, row);
    }
    sqlite3_finalize(row);
    if (!code && !more)
        code = close_ratios(&now);
    return code ? code : more;
}

/* --- ratios that the text calls the highest --- */

static const char highest_sql[] = "SELECT m.experiment, substr(m.variant, instr(m.variant, '/') + "
                                  "1), m.reference, m.printed, m.value, m.half_unit,"
                                  " max(r.value), r.printed, m.includes FROM published m JOIN "
                                  "published r ON r.paper = m.paper AND r.experiment ="
                                  " m.experiment AND r.variant = m.variant AND r.reference = "
                                  "m.reference AND r.quantity = 'ratio' WHERE m.paper = ?"
                                  " AND m.quantity = 'ratio_max' GROUP BY m.rowid ORDER BY m.rowid";

/* A text may cut digits off where a table rounds: a whole unit of its last digit is no difference.
 */
static int add_highest(struct orr_findings *out, sqlite3_stmt *row)
{
    bool agrees =
        fabs(orr_ledger_number(row, 4) - orr_ledger_number(row, 6)) < 2 * orr_ledger_number(row, 5);
    struct orr_finding *finding =
        orr_findings_add(out, orr_ledger_text(row, 0), agrees, "highest speedup of %s over %s",
                         orr_ledger_text(row, 1), orr_ledger_text(row, 2));
    if (!finding)
        return ORR_EMEMORY;
    snprintf(finding->printed, sizeof finding->printed, "%s", orr_ledger_text(row, 3));
    snprintf(finding->derived, sizeof finding->derived, "%s in the table", orr_ledger_text(row, 7));
    snprintf(finding->why, sizeof finding->why, "%s", orr_ledger_text(row, 8));
    return 0;
}

static int judge_highest(struct orr_findings *out, const struct orr_ledger *ledger,
                         const struct orr_paper *paper)
{
    sqlite3_stmt *row;
    int more = 0, code = orr_ledger_query(&row, ledger, highest_sql, "s", paper->key);
    if (code)
        return code;
    while (!code && (more = orr_ledger_next(row, ledger)) > 0)
        code = add_highest(out, row);
    sqlite3_finalize(row);
    return code ? code : more;
}

int orr_findings_ratios(struct orr_findings *out, const struct orr_ledger *ledger,
                        const struct orr_paper *paper)
{
    int code = judge_ratios(out, ledger, paper);
    return code ? code : judge_highest(out, ledger, paper);
}
