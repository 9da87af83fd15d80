#include "audit/findings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names.h"
#include "audit/derive.h"
#include "datasets/boxes.h"
#include "error.h"
#include "kernels/pair.h"

enum { TEXT_SIZE = 160 };
#define WRITE(array, ...) snprintf(array, sizeof(array), __VA_ARGS__)

static int add(struct orr_findings *out, const struct orr_finding *finding)
{
    struct orr_finding *items = realloc(out->items, (out->count + 1) * sizeof *items);
    if (!items)
        return orr_fail(ORR_EMEMORY, "no memory for findings");
    out->items = items;
    items[out->count++] = *finding;
    return 0;
}

static struct orr_finding begin(const struct orr_formula *row, bool agrees)
{
    struct orr_finding finding = {.agrees = agrees};
    WRITE(finding.experiment, "%s", row->experiment);
    WRITE(finding.printed, "%s", row->printed);
    return finding;
}

/* --- counts that are not printed --- */

static bool same_count(const struct orr_formula *a, const struct orr_formula *b)
{
    return a->inferred && a->kinds == b->kinds && !strcmp(a->variant, b->variant);
}

static const char *needed_by(const struct orr_formulas *formulas, const struct orr_formula *missing)
{
    const struct orr_formula *row = NULL;
    while ((row = orr_formulas_next(formulas, row, ORR_SAYS_CHANGE, NULL)))
        if (row->kinds & missing->kinds &&
            (!strcmp(row->variant, missing->variant) || !strcmp(row->over, missing->variant)))
            return row->item;
    return "";
}

/* The first of a kind and variant speaks for all procedures: "Father box N(P - 1), Neighbor box
 * BP^2". */
static int judge_count(struct orr_findings *out, const struct orr_formulas *formulas,
                       const struct orr_formula *row)
{
    const char *kind = orr_names_access[orr_formula_kind(row)];
    struct orr_finding finding = begin(row, false);
    size_t used = 0;
    if (!row->inferred)
        return 0;
    for (const struct orr_formula *like = formulas->rows; like < formulas->rows + formulas->count;
         like++) {
        char text[96];
        if (!same_count(like, row) || used >= sizeof finding.derived)
            continue;
        if (like < row)
            return 0;
        used += (size_t)snprintf(finding.derived + used, sizeof finding.derived - used, "%s%s %s",
                                 used ? ", " : "", like->item,
                                 orr_polynomial_print(text, sizeof text, &like->value));
    }
    WRITE(finding.item, "%s of %s", kind, row->variant);
    WRITE(finding.why,
          "not printed, though the change of '%.80s' needs it; in the other variant %s is "
          "%lld/%lld %s in every procedure, and so it is taken to be here",
          needed_by(formulas, row), kind, (long long)row->ratio.num, (long long)row->ratio.den,
          orr_names_access[row->from]);
    return add(out, &finding);
}

/* --- operations of a pair --- */

static const struct pair {
    const char *name;
    int flops, one_sided; /* as kernels/pair.h counts them; one_sided: without what the other body
                             gets, 0: nothing */
} pairs[] = {{"PAIR", PAIR_FLOPS_TRUE, 0},
             {"PAIR2", PAIR2_FLOPS_TRUE, 0},
             {"PAIR2_BOTH", PAIR2_BOTH_FLOPS_TRUE, PAIR2_FLOPS_TRUE}};

/* A convention may be generous; one that is below what the source needs leaves something out. */
static int judge_flops(struct orr_findings *out, const struct orr_formulas *formulas,
                       const struct orr_formula *row)
{
    size_t k = 0;
    struct orr_rational printed;
    (void)formulas;
    while (k < sizeof pairs / sizeof *pairs && strcmp(pairs[k].name, row->item) != 0)
        k++;
    if (k == sizeof pairs / sizeof *pairs)
        return orr_fail(ORR_EINPUT, "formulas.csv line %zu: kernels/pair.h has no pair '%s'",
                        row->line, row->item);
    const struct pair *pair = &pairs[k];
    orr_polynomial_is_number(&printed, &row->value);
    struct orr_finding finding = begin(row, pair->flops <= orr_rational_value(printed));
    WRITE(finding.item, "flops of a pair in %s", row->variant);
    WRITE(finding.derived, "%d, counted in kernels/pair.h (%s)", pair->flops, pair->name);
    if (finding.agrees)
        WRITE(finding.why, "%s", row->note);
    else if (pair->one_sided)
        WRITE(finding.why,
              "the printed number leaves the counterforce out: %d serve one body, %d more the "
              "other",
              pair->one_sided, pair->flops - pair->one_sided);
    return add(out, &finding);
}

/* --- changes from one variant to another --- */

/* "at level 7", or what else the numbers of an experiment hold for. */
static const char *show_where(char out[32], const struct orr_formulas *formulas,
                              const char *experiment)
{
    const struct orr_formula *level =
        orr_formulas_find(formulas, ORR_SAYS_WHERE, experiment, "", "level");
    char text[16];
    snprintf(out, 32, level ? "at level %s" : "in numbers",
             level ? orr_polynomial_print(text, sizeof text, &level->value) : "");
    return out;
}

/* "reduced by P(72962P - 138498)" */
static int show_change(char out[TEXT_SIZE + 16], const struct orr_polynomial *change)
{
    char text[TEXT_SIZE];
    int sign = orr_polynomial_sign(change);
    struct orr_polynomial amount = {0};
    int code = orr_polynomial_add(&amount, &amount, sign, change);
    snprintf(out, TEXT_SIZE + 16, "%s%s%s",
             !sign      ? "unchanged"
             : sign < 0 ? "reduced"
                        : "increased",
             sign ? " by " : "", sign ? orr_polynomial_print(text, sizeof text, &amount) : "");
    return code;
}

/* The change with the symbols put in that the experiment's numbers hold for. */
static int derive_number(struct orr_polynomial *out, const struct orr_formulas *formulas,
                         const struct orr_formula *number, enum orr_atomic_convention atomics)
{
    int code = orr_derive_change(out, formulas, number, atomics);
    return code ? code : orr_derive_where(out, out, formulas, number->experiment);
}

static bool agrees_with(const struct orr_formulas *formulas, const struct orr_formula *row,
                        const struct orr_polynomial *right)
{
    return orr_polynomial_equal(right, &row->value) && !orr_derive_gaps(formulas, row);
}

/* Another entry of the same table that says the same, and rightly so. */
static const struct orr_formula *find_source(const struct orr_formulas *formulas,
                                             const struct orr_formula *entry)
{
    const struct orr_formula *row = NULL;
    struct orr_polynomial right;
    while ((row = orr_formulas_next(formulas, row, entry->says, NULL)))
        if (row != entry && !strcmp(row->experiment, entry->experiment) &&
            orr_polynomial_equal(&row->value, &entry->value) &&
            !orr_derive_change(&right, formulas, row, ORR_ATOMIC_WRITES) &&
            orr_polynomial_equal(&right, &row->value))
            break;
    return row;
}

static int judge_change(struct orr_findings *out, const struct orr_formulas *formulas,
                        const struct orr_formula *entry)
{
    struct orr_polynomial right;
    int code = orr_derive_change(&right, formulas, entry, ORR_ATOMIC_WRITES);
    if (code)
        return code;
    struct orr_finding finding = begin(entry, agrees_with(formulas, entry, &right));
    const struct orr_formula *source = finding.agrees ? NULL : find_source(formulas, entry);
    WRITE(finding.item, "%s", entry->item);
    orr_polynomial_print(finding.derived, sizeof finding.derived, &right);
    if (orr_derive_gaps(formulas, entry))
        WRITE(finding.why, "counts that it needs are not printed, and nothing gives them");
    else if (source)
        WRITE(finding.why, "the printed one repeats the entry '%.100s'", source->item);
    return add(out, &finding);
}

static int explain_number(struct orr_finding *finding, const struct orr_formulas *formulas,
                          const struct orr_formula *number)
{
    const struct orr_formula *entry = orr_formulas_find(
        formulas, ORR_SAYS_CHANGE, number->experiment, number->variant, number->item);
    struct orr_polynomial symbol;
    char text[TEXT_SIZE + 16];
    if (finding->agrees || !entry)
        return 0;
    int code = orr_derive_where(&symbol, &entry->value, formulas, number->experiment);
    if (!code)
        code = show_change(text, &symbol);
    if (code)
        return code;
    if (orr_polynomial_equal(&symbol, &number->value))
        WRITE(finding->why, "the printed one follows from the printed symbols, which are wrong");
    else
        WRITE(finding->why,
              "the printed one follows neither from the counts nor from the printed symbols, "
              "which would give: %s",
              text);
    return 0;
}

static int judge_number(struct orr_findings *out, const struct orr_formulas *formulas,
                        const struct orr_formula *number)
{
    struct orr_polynomial right;
    char where[32];
    int code = derive_number(&right, formulas, number, ORR_ATOMIC_WRITES);
    if (code)
        return code;
    struct orr_finding finding = begin(number, agrees_with(formulas, number, &right));
    WRITE(finding.item, "%s %s", number->item, show_where(where, formulas, number->experiment));
    code = show_change(finding.derived, &right);
    if (!code)
        code = explain_number(&finding, formulas, number);
    return code ? code : add(out, &finding);
}

/* From where on the numbers hold. */
static int add_range(struct orr_findings *out, const struct orr_formulas *formulas,
                     const struct orr_formula *number, const struct orr_formula *from,
                     enum orr_atomic_convention atomics)
{
    struct orr_polynomial right;
    struct orr_sign_change claimed, found;
    struct orr_rational start;
    char change[TEXT_SIZE + 16], shown[TEXT_SIZE];
    orr_polynomial_is_number(&start, &from->value);
    int code = derive_number(&right, formulas, number, atomics);
    if (!code)
        code = orr_derive_sign_change(&claimed, &number->value, start.num);
    if (!code)
        code = orr_derive_sign_change(&found, &right, start.num);
    if (!code)
        code = show_change(change, &right);
    if (code)
        return code;
    struct orr_finding finding = begin(number, orr_sign_change_throughout(&found, claimed.end));
    WRITE(finding.item, "%s for %s%s", number->item, from->printed,
          atomics == ORR_ATOMIC_WRITES ? "" : ", atomic updates read and written");
    WRITE(finding.derived, "%s: %s", change,
          orr_derive_sign_change_text(shown, sizeof shown, &found));
    if (atomics != ORR_ATOMIC_WRITES)
        WRITE(finding.why,
              "the table counts an atomic update as one write; it is a read and a write");
    return add(out, &finding);
}

static int judge_range(struct orr_findings *out, const struct orr_formulas *formulas,
                       const struct orr_formula *number)
{
    const struct orr_formula *from = NULL;
    int code = 0;
    while (!code && (from = orr_formulas_next(formulas, from, ORR_SAYS_FROM, NULL))) {
        if (strcmp(from->experiment, number->experiment) != 0)
            continue;
        code = add_range(out, formulas, number, from, ORR_ATOMIC_WRITES);
        if (!code && orr_derive_has_atomics(formulas, number))
            code = add_range(out, formulas, number, from, ORR_ATOMIC_READS_AND_WRITES);
    }
    return code;
}

/* What the numbers were made with. */
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
    struct orr_finding finding = begin(row, orr_polynomial_equal(&right, &row->value));
    WRITE(finding.item, "%s %s", row->item, show_where(where, formulas, row->experiment));
    WRITE(finding.derived, "%s = %s", row->item, orr_polynomial_print(text, sizeof text, &right));
    return add(out, &finding);
}

/* --- all of them --- */

int orr_findings_make(struct orr_findings *out, const struct orr_formulas *formulas)
{
    static const struct {
        enum orr_says says;
        int (*judge)(struct orr_findings *out, const struct orr_formulas *formulas,
                     const struct orr_formula *row);
    } passes[] = {{ORR_SAYS_COUNT, judge_count},   {ORR_SAYS_FLOPS, judge_flops},
                  {ORR_SAYS_CHANGE, judge_change}, {ORR_SAYS_WHERE, judge_where},
                  {ORR_SAYS_NUMBER, judge_number}, {ORR_SAYS_NUMBER, judge_range}};
    int code = 0;
    *out = (struct orr_findings){0};
    for (size_t pass = 0; pass < sizeof passes / sizeof *passes; pass++) {
        const struct orr_formula *row = NULL;
        while (!code && (row = orr_formulas_next(formulas, row, passes[pass].says, NULL)))
            code = passes[pass].judge(out, formulas, row);
    }
    return code;
}

void orr_findings_release(struct orr_findings *findings)
{
    free(findings->items);
    *findings = (struct orr_findings){0};
}
