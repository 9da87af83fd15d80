/* Counts that a table leaves out, and operations. */
#include <stdio.h>
#include <string.h>

#include "names.h"
#include "audit/findings_parts.h"
#include "error.h"
#include "kernels/pair.h"

/* --- counts that are not printed --- */

static bool is_first_of_its_kind(const struct orr_formulas *formulas, size_t at)
{
    const struct orr_formula *row = &formulas->rows[at];
    for (size_t k = 0; k < at; k++)
        if (formulas->rows[k].inferred && formulas->rows[k].kinds == row->kinds &&
            !strcmp(formulas->rows[k].variant, row->variant))
            return false;
    return true;
}

/* "Father box N(P - 1), Neighbor box BP^2" */
static void show_inferred(char *out, size_t size, const struct orr_formulas *formulas,
                          const struct orr_formula *like)
{
    size_t used = 0;
    for (size_t k = 0; k < formulas->count && used < size; k++) {
        const struct orr_formula *row = &formulas->rows[k];
        char text[96];
        if (row->inferred && row->kinds == like->kinds && !strcmp(row->variant, like->variant))
            used +=
                (size_t)snprintf(out + used, size - used, "%s%s %s", used ? ", " : "", row->item,
                                 orr_polynomial_print(text, sizeof text, &row->value));
    }
}

static const char *needed_by(const struct orr_formulas *formulas, const struct orr_formula *missing)
{
    for (size_t k = 0; k < formulas->count; k++) {
        const struct orr_formula *row = &formulas->rows[k];
        if (row->says == ORR_SAYS_CHANGE && row->kinds & missing->kinds &&
            (!strcmp(row->variant, missing->variant) || !strcmp(row->over, missing->variant)))
            return row->item;
    }
    return "";
}

static int add_missing(struct orr_findings *out, const struct orr_formulas *formulas,
                       const struct orr_formula *row)
{
    const char *kind = orr_names_access[orr_formula_kind(row)];
    struct orr_finding *finding =
        orr_findings_add(out, row->experiment, false, "%s of %s", kind, row->variant);
    if (!finding)
        return ORR_EMEMORY;
    show_inferred(finding->derived, sizeof finding->derived, formulas, row);
    snprintf(finding->why, sizeof finding->why,
             "not printed, though the change of '%.80s' needs it; in the other variant %s is "
             "%lld/%lld %s in every"
             " procedure, and so it is taken to be here",
             needed_by(formulas, row), kind, (long long)row->ratio.num, (long long)row->ratio.den,
             orr_names_access[row->from]);
    return 0;
}

/* --- operations of a pair --- */

static const struct pair {
    const char *name;
    int flops, one_sided; /* as kernels/pair.h counts them; one_sided: without what the other body
                             gets, 0: nothing */
} pairs[] = {{"PAIR", PAIR_FLOPS_TRUE, 0},
             {"PAIR2", PAIR2_FLOPS_TRUE, 0},
             {"PAIR2_BOTH", PAIR2_BOTH_FLOPS_TRUE, PAIR2_FLOPS_TRUE}};

static const struct pair *find_pair(const char *name)
{
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        if (!strcmp(pairs[k].name, name))
            return &pairs[k];
    return NULL;
}

/* A convention may be generous; one that is below what the source needs leaves something out. */
static int add_flops(struct orr_findings *out, const struct orr_formula *row)
{
    const struct pair *pair = find_pair(row->item);
    struct orr_rational printed;
    if (!pair)
        return orr_fail(ORR_EINPUT, "formulas.csv line %zu: kernels/pair.h has no pair '%s'",
                        row->line, row->item);
    orr_polynomial_is_number(&printed, &row->value);
    bool agrees = pair->flops <= orr_rational_value(printed);
    struct orr_finding *finding =
        orr_findings_add(out, row->experiment, agrees, "flops of a pair in %s", row->variant);
    if (!finding)
        return ORR_EMEMORY;
    snprintf(finding->printed, sizeof finding->printed, "%s", row->printed);
    snprintf(finding->derived, sizeof finding->derived, "%d, counted in kernels/pair.h (%s)",
             pair->flops, pair->name);
    if (agrees)
        snprintf(finding->why, sizeof finding->why, "%s", row->note);
    else if (pair->one_sided)
        snprintf(
            finding->why, sizeof finding->why,
            "the printed number leaves the counterforce out: %d serve one body, %d more the other",
            pair->one_sided, pair->flops - pair->one_sided);
    return 0;
}

int orr_findings_counts(struct orr_findings *out, const struct orr_formulas *formulas)
{
    int code = 0;
    for (size_t k = 0; k < formulas->count && !code; k++)
        if (formulas->rows[k].inferred && is_first_of_its_kind(formulas, k))
            code = add_missing(out, formulas, &formulas->rows[k]);
    for (size_t k = 0; k < formulas->count && !code; k++)
        if (formulas->rows[k].says == ORR_SAYS_FLOPS)
            code = add_flops(out, &formulas->rows[k]);
    return code;
}
