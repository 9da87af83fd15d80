/* Changes from one variant to another: each printed entry beside what the counts give. */
#include <stdio.h>
#include <string.h>

#include "audit/derive.h"
#include "audit/findings_parts.h"
#include "boxes.h"
#include "error.h"

enum { TEXT_SIZE = 160 };

/* "at level 7", or what else the numbers of an experiment hold for. */
static void show_where(char out[32], const struct orr_formulas *formulas, const char *experiment)
{
    const struct orr_formula *level =
        orr_formulas_find(formulas, ORR_SAYS_WHERE, experiment, "", "level");
    char text[16];
    snprintf(out, 32, level ? "at level %s" : "in numbers",
             level ? orr_polynomial_print(text, sizeof text, &level->value) : "");
}

/* "reduced by P(72962P - 138498)" */
static int show_change(char *out, size_t size, const struct orr_polynomial *change)
{
    char text[TEXT_SIZE];
    int sign = orr_polynomial_sign(change);
    struct orr_polynomial amount = {0};
    int code = orr_polynomial_add(&amount, &amount, sign, change);
    orr_polynomial_print(text, sizeof text, &amount);
    if (sign)
        snprintf(out, size, "%s by %s", sign < 0 ? "reduced" : "increased", text);
    else
        snprintf(out, size, "unchanged");
    return code;
}

/* --- symbolic entries --- */

/* Another entry of the same table that says the same, and rightly so. */
static const struct orr_formula *find_source(const struct orr_formulas *formulas,
                                             const struct orr_formula *entry)
{
    for (size_t k = 0; k < formulas->count; k++) {
        const struct orr_formula *row = &formulas->rows[k];
        struct orr_polynomial right;
        if (row != entry && row->says == entry->says &&
            !strcmp(row->experiment, entry->experiment) &&
            orr_polynomial_equal(&row->value, &entry->value) &&
            !orr_derive_change(&right, formulas, row, ORR_ATOMIC_WRITES) &&
            orr_polynomial_equal(&right, &row->value))
            return row;
    }
    return NULL;
}

static void explain_entry(struct orr_finding *finding, const struct orr_formulas *formulas,
                          const struct orr_formula *entry)
{
    const struct orr_formula *source = finding->agrees ? NULL : find_source(formulas, entry);
    if (orr_derive_is_gapped(formulas, entry))
        snprintf(finding->why, sizeof finding->why,
                 "counts that it needs are not printed, and nothing gives them");
    else if (source)
        snprintf(finding->why, sizeof finding->why, "the printed one repeats the entry '%.100s'",
                 source->item);
}

static int judge_entry(struct orr_findings *out, const struct orr_formulas *formulas,
                       const struct orr_formula *entry)
{
    struct orr_polynomial right;
    int code = orr_derive_change(&right, formulas, entry, ORR_ATOMIC_WRITES);
    if (code)
        return code;
    bool agrees =
        orr_polynomial_equal(&right, &entry->value) && !orr_derive_is_gapped(formulas, entry);
    struct orr_finding *finding =
        orr_findings_add(out, entry->experiment, agrees, "%s", entry->item);
    if (!finding)
        return ORR_EMEMORY;
    snprintf(finding->printed, sizeof finding->printed, "%s", entry->printed);
    orr_polynomial_print(finding->derived, sizeof finding->derived, &right);
    explain_entry(finding, formulas, entry);
    return 0;
}

/* --- entries with numbers --- */

static int explain_number(struct orr_finding *finding, const struct orr_formulas *formulas,
                          const struct orr_formula *number)
{
    const struct orr_formula *entry = orr_formulas_find(
        formulas, ORR_SAYS_CHANGE, number->experiment, number->variant, number->item);
    struct orr_polynomial symbol;
    char text[TEXT_SIZE];
    if (finding->agrees || !entry)
        return 0;
    int code = orr_derive_where(&symbol, &entry->value, formulas, number->experiment);
    if (!code)
        code = show_change(text, sizeof text, &symbol);
    if (orr_polynomial_equal(&symbol, &number->value))
        snprintf(finding->why, sizeof finding->why,
                 "the printed one follows from the printed symbols, which are wrong");
    else
        snprintf(finding->why, sizeof finding->why,
                 "the printed one follows neither from the counts nor from the printed symbols, "
                 "which would give:"
                 " %s",
                 text);
    return code;
}

static int judge_number(struct orr_findings *out, const struct orr_formulas *formulas,
                        const struct orr_formula *number)
{
    struct orr_polynomial right;
    char where[32];
    int code = orr_derive_change(&right, formulas, number, ORR_ATOMIC_WRITES);
    if (!code)
        code = orr_derive_where(&right, &right, formulas, number->experiment);
    if (code)
        return code;
    bool agrees =
        orr_polynomial_equal(&right, &number->value) && !orr_derive_is_gapped(formulas, number);
    show_where(where, formulas, number->experiment);
    struct orr_finding *finding =
        orr_findings_add(out, number->experiment, agrees, "%s %s", number->item, where);
    if (!finding)
        return ORR_EMEMORY;
    snprintf(finding->printed, sizeof finding->printed, "%s", number->printed);
    code = show_change(finding->derived, sizeof finding->derived, &right);
    return code ? code : explain_number(finding, formulas, number);
}

/* --- from where on the numbers hold --- */

static int add_range(struct orr_findings *out, const struct orr_formulas *formulas,
                     const struct orr_formula *number, const struct orr_formula *from,
                     enum orr_atomic_convention atomics)
{
    struct orr_polynomial right;
    struct orr_sign_change claimed, fall;
    struct orr_rational start;
    char change[TEXT_SIZE], shown[TEXT_SIZE];
    orr_polynomial_is_number(&start, &from->value);
    int code = orr_derive_change(&right, formulas, number, atomics);
    if (!code)
        code = orr_derive_where(&right, &right, formulas, number->experiment);
    if (!code)
        code = orr_derive_sign_change(&claimed, &number->value, start.num);
    if (!code)
        code = orr_derive_sign_change(&fall, &right, start.num);
    if (!code)
        code = show_change(change, sizeof change, &right);
    if (code)
        return code;
    bool agrees = orr_sign_change_throughout(&fall, claimed.end);
    struct orr_finding *finding = orr_findings_add(
        out, number->experiment, agrees, "%s for %s%s", number->item, from->printed,
        atomics == ORR_ATOMIC_WRITES ? "" : ", atomic updates read and written");
    if (!finding)
        return ORR_EMEMORY;
    snprintf(finding->printed, sizeof finding->printed, "%s", number->printed);
    snprintf(finding->derived, sizeof finding->derived, "%s: %s", change,
             orr_derive_sign_change_text(shown, sizeof shown, &fall));
    if (atomics != ORR_ATOMIC_WRITES)
        snprintf(finding->why, sizeof finding->why,
                 "the table counts an atomic update as one write; it is a read and a write");
    return 0;
}

static int judge_range(struct orr_findings *out, const struct orr_formulas *formulas,
                       const struct orr_formula *number)
{
    int code = 0;
    for (size_t k = 0; k < formulas->count && !code; k++) {
        const struct orr_formula *from = &formulas->rows[k];
        if (from->says != ORR_SAYS_FROM || strcmp(from->experiment, number->experiment) != 0)
            continue;
        code = add_range(out, formulas, number, from, ORR_ATOMIC_WRITES);
        if (!code && orr_derive_has_atomics(formulas, number))
            code = add_range(out, formulas, number, from, ORR_ATOMIC_READS_AND_WRITES);
    }
    return code;
}

/* --- what the numbers were made with --- */

static int judge_where(struct orr_findings *out, const struct orr_formulas *formulas,
                       const struct orr_formula *row)
{
    const struct orr_formula *at =
        orr_formulas_find(formulas, ORR_SAYS_WHERE, row->experiment, "", "level");
    struct orr_polynomial symbol, right;
    struct orr_rational level;
    char text[TEXT_SIZE], where[32];
    if (!at || at == row || !orr_polynomial_is_number(&level, &at->value) || level.num < 0 ||
        level.num > ORR_MAX_LEVEL)
        return 0;
    int code = orr_polynomial_symbol(&symbol, row->item);
    if (!code)
        code = orr_derive_level(&right, &symbol, (int)level.num);
    if (code)
        return code;
    show_where(where, formulas, row->experiment);
    struct orr_finding *finding = orr_findings_add(
        out, row->experiment, orr_polynomial_equal(&right, &row->value), "%s %s", row->item, where);
    if (!finding)
        return ORR_EMEMORY;
    snprintf(finding->printed, sizeof finding->printed, "%s", row->printed);
    snprintf(finding->derived, sizeof finding->derived, "%s = %s", row->item,
             orr_polynomial_print(text, sizeof text, &right));
    return 0;
}

int orr_findings_changes(struct orr_findings *out, const struct orr_formulas *formulas)
{
    static const struct {
        enum orr_says says;
        int (*judge)(struct orr_findings *out, const struct orr_formulas *formulas,
                     const struct orr_formula *row);
    } passes[] = {{ORR_SAYS_CHANGE, judge_entry},
                  {ORR_SAYS_WHERE, judge_where},
                  {ORR_SAYS_NUMBER, judge_number},
                  {ORR_SAYS_NUMBER, judge_range}};
    int code = 0;
    for (size_t pass = 0; pass < sizeof passes / sizeof *passes; pass++)
        for (size_t k = 0; k < formulas->count && !code; k++)
            if (formulas->rows[k].says == passes[pass].says)
                code = passes[pass].judge(out, formulas, &formulas->rows[k]);
    return code;
}
