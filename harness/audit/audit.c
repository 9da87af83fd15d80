#include "audit/audit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "audit/findings.h"
#include "audit/situation.h"
#include "error.h"

static const char tables[] =
    "CREATE TABLE IF NOT EXISTS audit_finding(paper TEXT, experiment TEXT, item TEXT,"
    " agrees INTEGER, printed TEXT, derived TEXT);"
    "CREATE TABLE IF NOT EXISTS audit_situation(paper TEXT, machine TEXT, device TEXT,"
    " dataset TEXT, n INTEGER, level INTEGER, per_box INTEGER, a TEXT, b TEXT, situation TEXT,"
    " predicts TEXT, ratio REAL, ratio_low REAL, ratio_high REAL, agrees INTEGER);";

static int make_tables(struct orr_ledger *ledger, const struct orr_paper *paper)
{
    if (sqlite3_exec(ledger->db, tables, NULL, NULL, NULL) != SQLITE_OK)
        return orr_fail(ORR_EINTERNAL, "ledger: %s", sqlite3_errmsg(ledger->db));
    int code = orr_ledger_run(ledger, "DELETE FROM audit_finding WHERE paper = ?", "s", paper->key);
    return code ? code
                : orr_ledger_run(ledger, "DELETE FROM audit_situation WHERE paper = ?", "s",
                                 paper->key);
}

static int insert_finding(struct orr_ledger *ledger, const struct orr_paper *paper,
                          const struct orr_finding *finding)
{
    return orr_ledger_run(ledger, "INSERT INTO audit_finding VALUES (?, ?, ?, ?, nullif(?, ''), ?)",
                          "sssiss", paper->key, finding->experiment, finding->item,
                          (long long)finding->agrees, finding->printed, finding->derived);
}

static int fill_findings(struct orr_ledger *ledger, const struct orr_paper *paper)
{
    struct orr_formulas formulas;
    struct orr_findings findings = {0};
    int code = orr_formulas_load(&formulas, paper);
    if (!code)
        code = orr_derive_missing(&formulas);
    if (!code)
        code = orr_findings_make(&findings, &formulas, ledger, paper);
    for (size_t k = 0; k < findings.count && !code; k++)
        code = insert_finding(ledger, paper, &findings.items[k]);
    orr_findings_release(&findings);
    orr_formulas_release(&formulas);
    return code;
}

static int insert_situation(struct orr_ledger *ledger, const struct orr_paper *paper,
                            const struct orr_situation *s)
{
    static const char *const predictions[] = {"worse", NULL, "better"};
    /* SQLite takes NaN for NULL. */
    return orr_ledger_run(ledger,
                          "INSERT INTO audit_situation VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?,"
                          " coalesce(nullif(?, 0), 'none'), ?, ?, ?, ?, nullif(?, -1))",
                          "ssssdddssisdddi", paper->key, s->a->machine, s->a->device, s->a->dataset,
                          s->a->n, s->a->level, s->a->per_box, s->a->variant, s->b->variant,
                          (long long)s->situation, predictions[s->predicts + 1], s->ratio, s->low,
                          s->high, (long long)orr_situation_agrees(s));
}

static int fill_situations(struct orr_ledger *ledger, const struct orr_paper *paper)
{
    struct orr_counted_set set;
    struct orr_situation situation;
    int code = orr_counted_load(&set, ledger, paper->key, NULL, NULL);
    for (size_t i = 0; i < set.count && !code; i++)
        for (size_t j = 0; j < set.count && !code; j++) {
            const struct orr_counted *a = &set.items[i], *b = &set.items[j];
            if (!strcmp(a->variant, b->variant) || !orr_counted_same_work(a, b))
                continue;
            code = orr_situation_judge(&situation, ledger, a, b);
            if (!code)
                code = insert_situation(ledger, paper, &situation);
        }
    orr_counted_release(&set);
    return code;
}

int orr_audit_fill(struct orr_ledger *ledger, const struct orr_paper *paper)
{
    int code = make_tables(ledger, paper);
    if (!code)
        code = fill_findings(ledger, paper);
    return code ? code : fill_situations(ledger, paper);
}
