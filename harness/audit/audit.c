#include "audit/audit.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "audit/costs.h"
#include "audit/derive.h"
#include "audit/findings.h"
#include "audit/hardware.h"
#include "audit/overlap.h"
#include "datasets/boxes.h"
#include "error.h"
#include "names.h"
#include "paths.h"
#include "sql/audit/audit.h"
#include "sql/audit/findings.h"
#include "sql/audit/fit.h"
#include "sql/audit/limited.h"
#include "sql/audit/limits.h"
#include "sql/audit/predict.h"
#include "sql/audit/racing.h"
#include "sql/audit/told.h"
#include "text.h"

enum { LONG_TEXT = 1024 };

/* --- SQL --- */

static int fail(const struct orr_ledger *ledger)
{
    return orr_fail(ORR_EINTERNAL, "ledger: %s", sqlite3_errmsg(ledger->db));
}

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
        int code = status == SQLITE_DONE ? 0 : fail(ledger);
        sqlite3_finalize(statement);
        if (code)
            return code;
    }
    return 0;
}

/* A row of which the statement's parameters were bound. */
static int insert(const struct orr_ledger *ledger, int code, sqlite3_stmt *row)
{
    if (!code)
        code = orr_ledger_next(row, ledger);
    sqlite3_finalize(row);
    return code;
}

static void formula_value(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    struct orr_polynomial formula;
    struct orr_rational value;
    for (int k = 0; k < count; k++)
        if (sqlite3_value_type(arguments[k]) == SQLITE_NULL)
            return;
    const struct orr_place place = {sqlite3_value_int64(arguments[1]),
                                    sqlite3_value_int64(arguments[2]),
                                    sqlite3_value_int(arguments[3])};
    int code = orr_polynomial_parse(&formula, (const char *)sqlite3_value_text(arguments[0]));
    if (!code)
        code = orr_derive_value(&value, &formula, &place);
    if (code)
        sqlite3_result_error(context, orr_error_text(), -1);
    else if (value.den == 1)
        sqlite3_result_int64(context, value.num);
    else
        sqlite3_result_double(context, orr_rational_value(value));
}

static int offer(const struct orr_ledger *ledger)
{
    return sqlite3_create_function(ledger->db, "formula_value", 4,
                                   SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, formula_value, NULL,
                                   NULL) == SQLITE_OK
               ? orr_overlap_offer(ledger)
               : fail(ledger);
}

/* --- formulas --- */

struct filling {
    const struct orr_ledger *ledger;
    const struct orr_paper *paper;
    struct orr_formulas formulas;
};

static const char *write_kinds(char out[64], unsigned kinds)
{
    *out = '\0';
    for (int kind = 0; kind <= ORR_CP; kind++)
        if (kinds & 1u << kind)
            snprintf(out + strlen(out), 64 - strlen(out), "%s%s", *out ? "+" : "",
                     orr_names_access[kind]);
    return out;
}

/* What an entry would have to print; "" where there is nothing to say. */
static int write_change(char out[LONG_TEXT], const struct filling *f,
                        const struct orr_formula *entry, enum orr_atomic_convention atomics)
{
    struct orr_polynomial change;
    *out = '\0';
    if ((entry->says != ORR_SAYS_CHANGE && entry->says != ORR_SAYS_NUMBER) ||
        (atomics != ORR_ATOMIC_WRITES && !orr_derive_has_atomics(&f->formulas, entry)))
        return 0;
    int code = orr_derive_change(&change, &f->formulas, entry, atomics);
    if (!code)
        orr_polynomial_print(out, LONG_TEXT, &change);
    return code;
}

static int insert_formula(const struct filling *f, const struct orr_formula *row, const char *says,
                          size_t place)
{
    sqlite3_stmt *statement = NULL;
    char kinds[64], formula[LONG_TEXT], inferred[64] = "", once[LONG_TEXT], both[LONG_TEXT];
    int code = write_change(once, f, row, ORR_ATOMIC_WRITES);
    if (!code)
        code = write_change(both, f, row, ORR_ATOMIC_READS_AND_WRITES);
    if (code)
        return code;
    if (row->inferred)
        snprintf(inferred, sizeof inferred, "%lld/%lld %s", (long long)row->ratio.num,
                 (long long)row->ratio.den, orr_names_access[row->from]);
    code = orr_ledger_query(
        &statement, f->ledger,
        "INSERT INTO audit_formula VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, nullif(?, ''), ?,"
        " nullif(?, ''), nullif(?, ''), nullif(?, ''))",
        "sissssssssssss", f->paper->key, (long long)place, says, row->experiment, row->variant,
        row->over, row->item, write_kinds(kinds, row->kinds),
        orr_polynomial_print(formula, sizeof formula, &row->value), row->printed, row->note,
        inferred, once, both);
    return insert(f->ledger, code, statement);
}

/* All counts of a variant's kind together. */
static int insert_sums(const struct filling *f, const char *variant)
{
    int code = 0;
    for (int kind = 0; kind <= ORR_CP && !code; kind++) {
        struct orr_formula sum = {.kinds = 1u << kind,
                                  .experiment = "",
                                  .variant = variant,
                                  .over = "",
                                  .item = "total",
                                  .printed = "",
                                  .note = ""};
        code = orr_derive_sum(&sum.value, &f->formulas, variant, sum.kinds, ORR_ATOMIC_WRITES);
        if (!code && orr_polynomial_sign(&sum.value))
            code = insert_formula(f, &sum, "sum", f->formulas.count);
    }
    return code;
}

static int insert_formulas(const struct filling *f)
{
    int code = 0;
    for (size_t k = 0; k < f->formulas.count && !code; k++)
        code = insert_formula(f, &f->formulas.rows[k],
                              orr_formulas_sayings[f->formulas.rows[k].says], k);
    for (unsigned v = 0; v < f->paper->variants_count && !code; v++)
        code = insert_sums(f, f->paper->variants[v].name);
    return code;
}

static int insert_findings(const struct filling *f)
{
    struct orr_findings findings;
    int code = orr_findings_make(&findings, &f->formulas);
    for (size_t k = 0; k < findings.count && !code; k++) {
        const struct orr_finding *found = &findings.items[k];
        sqlite3_stmt *row = NULL;
        code = orr_ledger_query(
            &row, f->ledger,
            "INSERT INTO audit_finding VALUES (?, ?, ?, ?, nullif(?, ''), ?, ?, NULL)", "sssisss",
            f->paper->key, found->experiment, found->item, (long long)found->agrees, found->printed,
            found->derived, found->why);
        code = insert(f->ledger, code, row);
    }
    orr_findings_release(&findings);
    return code;
}

/* --- break-evens --- */

/* A number that the experiment's rows say of the item, else `otherwise`. */
static int64_t number_said(const struct filling *f, const struct orr_formula *entry,
                           enum orr_says says, const char *item, int64_t otherwise)
{
    const struct orr_formula *row =
        orr_formulas_find(&f->formulas, says, entry->experiment, "", item);
    struct orr_rational number;
    return row && orr_polynomial_is_number(&number, &row->value) ? number.num : otherwise;
}

static int insert_break_even(const struct filling *f, const struct orr_formula *entry, int level,
                             enum orr_atomic_convention atomics)
{
    struct orr_polynomial change;
    struct orr_sign_change fall, claimed;
    char text[LONG_TEXT], words[LONG_TEXT], root[32] = "", steady[32] = "";
    const int64_t from = number_said(f, entry, ORR_SAYS_FROM, "P", 1);
    const int64_t published = number_said(f, entry, ORR_SAYS_WHERE, "level", -1);
    int code = orr_derive_change(&change, &f->formulas, entry, atomics);
    if (!code)
        code = orr_derive_level(&change, &change, level);
    if (!code)
        code = orr_derive_sign_change(&fall, &change, from);
    if (!code)
        code = orr_derive_sign_change(&claimed, &entry->value, from);
    if (code)
        return code;
    if (fall.root_count && fall.roots[fall.root_count - 1] >= (double)from)
        snprintf(root, sizeof root, "%.17g", fall.roots[fall.root_count - 1]);
    if (fall.end < 0)
        snprintf(steady, sizeof steady, "%lld", (long long)fall.steady);
    sqlite3_stmt *row = NULL;
    code = orr_ledger_query(
        &row, f->ledger,
        "INSERT INTO audit_break_even VALUES (?, ?, ?, ?, ?, ?, nullif(?, ''), nullif(?, ''), ?,"
        " nullif(?, -1))",
        "siiiissssi", f->paper->key, (long long)(entry - f->formulas.rows), (long long)atomics,
        (long long)level, (long long)(level == published),
        orr_polynomial_print(text, sizeof text, &change), root, steady,
        orr_derive_sign_change_text(words, sizeof words, &fall),
        level == published ? (long long)orr_sign_change_throughout(&fall, claimed.end) : -1LL);
    return insert(f->ledger, code, row);
}

static int insert_level(const struct filling *f, const struct orr_formula *entry, int level)
{
    int code = insert_break_even(f, entry, level, ORR_ATOMIC_WRITES);
    return !code && orr_derive_has_atomics(&f->formulas, entry)
               ? insert_break_even(f, entry, level, ORR_ATOMIC_READS_AND_WRITES)
               : code;
}

/* At the published level, and those that were counted. */
static int insert_break_evens(const struct filling *f)
{
    bool counted[ORR_MAX_LEVEL + 1] = {false};
    sqlite3_stmt *row;
    int more, code = orr_ledger_query(&row, f->ledger,
                                      "SELECT DISTINCT level FROM audit_cell WHERE paper = ? AND"
                                      " level BETWEEN 0 AND ? AND per_box IS NOT NULL",
                                      "si", f->paper->key, (long long)ORR_MAX_LEVEL);
    if (code)
        return code;
    while ((more = orr_ledger_next(row, f->ledger)) > 0)
        counted[sqlite3_column_int(row, 0)] = true;
    sqlite3_finalize(row);
    const struct orr_formula *entry = NULL;
    while (!more && (entry = orr_formulas_next(&f->formulas, entry, ORR_SAYS_NUMBER, NULL))) {
        int64_t published = number_said(f, entry, ORR_SAYS_WHERE, "level", -1);
        for (int level = 0; level <= ORR_MAX_LEVEL && !more; level++)
            if (counted[level] || level == published)
                more = insert_level(f, entry, level);
    }
    return more;
}

/* --- what only the paper's own audit knows --- */

/* Its findings, statement by statement. */
static int execute_own(const struct orr_ledger *ledger, const char *text, const char *shown)
{
    static const char *const writable[] = {"own_finding", "own_counted", "own_slots", NULL};
    static const struct orr_ledger_guard guard = {
        .writable = writable,
        .racing = true,
        .rule = "an audit may read the ledger and write to the tables own_finding, own_counted and "
                "own_slots"};
    return orr_ledger_guarded(ledger, &guard, text, shown);
}

static int add_own(const struct orr_ledger *ledger, const struct orr_paper *paper)
{
    char path[PATH_MAX], *text = NULL;
    const char *shown;
    size_t size;
    int code = orr_paths_paper(path, sizeof path, &shown, paper->key, "audit.sql");
    if (code || access(path, F_OK))
        return code;
    code = orr_text_read(&text, &size, path, shown);
    if (!code)
        code = execute_own(ledger, text, shown);
    free(text);
    return code ? code : execute(ledger, sql_audit_told, paper);
}

/* --- all of it --- */

static bool has_costs(const struct orr_paper *paper)
{
    char path[PATH_MAX];
    const char *shown;
    return !orr_paths_paper(path, sizeof path, &shown, paper->key, "costs.csv") &&
           !access(path, F_OK);
}

/* Whether cells of the experiment are counted: with costs there is more to audit than formulas. */
static bool counts(const struct orr_paper *paper, const char *experiment)
{
    const char *name = strchr(experiment, '/');
    for (unsigned k = 0; name && k < paper->experiments_count; k++)
        if (!strcmp(paper->experiments[k].name, name + 1))
            return orr_paper_cells(paper, &paper->experiments[k])->counts;
    return false;
}

static int load_formulas(struct filling *f, const char *experiment)
{
    int code = orr_formulas_load(&f->formulas, f->paper);
    if (!code && experiment && !orr_formulas_cover(&f->formulas, experiment) &&
        !(has_costs(f->paper) && counts(f->paper, experiment)))
        code = orr_fail(ORR_EINPUT,
                        "variants/%s/formulas.csv says nothing of %s, which is to be audited",
                        f->paper->key, experiment);
    return code;
}

static int fill(struct filling *f)
{
    int code = orr_derive_missing(&f->formulas);
    if (!code)
        code = execute(f->ledger, sql_audit_audit, f->paper);
    if (!code)
        code = insert_formulas(f);
    if (!code)
        code = insert_findings(f);
    if (!code)
        code = insert_break_evens(f);
    if (!code)
        code = execute(f->ledger, sql_audit_findings, f->paper);
    if (!code)
        code = orr_costs_load((struct orr_ledger *)f->ledger, f->paper);
    if (!code)
        code = execute(f->ledger, sql_audit_fit, f->paper);
    if (!code)
        code = execute(f->ledger, sql_audit_predict, f->paper);
    if (!code)
        code = execute(f->ledger, sql_audit_limits, f->paper);
    if (!code)
        code = execute(f->ledger, sql_audit_racing, f->paper);
    if (!code)
        code = add_own(f->ledger, f->paper);
    return code ? code : execute(f->ledger, sql_audit_limited, f->paper);
}

static int fill_or_have(const struct orr_ledger *ledger, const struct orr_paper *paper,
                        const char *experiment, bool afresh)
{
    struct filling f = {.ledger = ledger, .paper = paper};
    char *audited = ((struct orr_ledger *)ledger)->audited;
    int code = orr_hardware_make_table(ledger);
    if (!code)
        code = offer(ledger);
    if (!code)
        code = load_formulas(&f, experiment);
    if (!code && (afresh || strcmp(audited, paper->key))) {
        *audited = '\0';
        code = fill(&f);
        if (!code)
            snprintf(audited, sizeof ledger->audited, "%s", paper->key);
    }
    orr_formulas_release(&f.formulas);
    return code;
}

int orr_audit_fill(const struct orr_ledger *ledger, const struct orr_paper *paper,
                   const char *experiment)
{
    return fill_or_have(ledger, paper, experiment, true);
}

int orr_audit_have(const struct orr_ledger *ledger, const struct orr_paper *paper,
                   const char *experiment)
{
    return fill_or_have(ledger, paper, experiment, false);
}
