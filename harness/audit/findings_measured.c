/* Formulas against what was counted. */
#include <stdio.h>
#include <string.h>

#include "names.h"
#include "audit/counted.h"
#include "audit/findings_parts.h"
#include "error.h"

/* Counts of one variant on one device of one machine. */
struct tally {
    const struct orr_formulas *formulas;
    const struct orr_counted *first;
    int right, all, cells;
    char wrong[128]; /* the first that disagrees */
};

static int compare(struct tally *tally, const struct orr_formula *row,
                   const struct orr_counted *cell, const struct orr_place *place)
{
    struct orr_rational value;
    enum orr_access kind = orr_formula_kind(row);
    int code = orr_derive_value(&value, &row->value, place);
    if (code)
        return code;
    int64_t counted = orr_counted_of(cell, row->item, kind, ORR_ATOMIC_WRITES);
    bool right = value.den == 1 && value.num == counted;
    tally->all++;
    tally->right += right;
    if (!right && !*tally->wrong)
        snprintf(tally->wrong, sizeof tally->wrong, "%.40s %s at P = %lld: %.15g, counted %lld",
                 row->item, orr_names_access[kind], (long long)place->per_box,
                 orr_rational_value(value), (long long)counted);
    return 0;
}

static int take_cell(struct tally *tally, const struct orr_counted *cell)
{
    struct orr_place place;
    if (!orr_counted_place(&place, cell))
        return 0;
    int code = 0, before = tally->all;
    for (size_t k = 0; k < tally->formulas->count && !code; k++) {
        const struct orr_formula *row = &tally->formulas->rows[k];
        if (row->says == ORR_SAYS_COUNT && !strcmp(row->variant, cell->variant))
            code = compare(tally, row, cell, &place);
    }
    tally->cells += tally->all > before;
    return code;
}

static int close_tally(struct orr_findings *out, const struct tally *tally)
{
    if (!tally->all)
        return 0;
    const struct orr_counted *cell = tally->first;
    struct orr_finding *finding =
        orr_findings_add(out, cell->experiment, tally->right == tally->all,
                         "counts of %s on %s, %s", cell->variant, cell->machine, cell->device);
    if (!finding)
        return ORR_EMEMORY;
    snprintf(finding->machine, sizeof finding->machine, "%s", cell->machine);
    snprintf(finding->printed, sizeof finding->printed, "%d formula values", tally->all);
    snprintf(finding->derived, sizeof finding->derived, "%d of %d counted so, in %d cell%s",
             tally->right, tally->all, tally->cells, tally->cells == 1 ? "" : "s");
    if (*tally->wrong)
        snprintf(finding->why, sizeof finding->why, "first: %s", tally->wrong);
    return 0;
}

static bool same_tally(const struct orr_counted *a, const struct orr_counted *b)
{
    return !strcmp(a->machine, b->machine) && !strcmp(a->device, b->device) &&
           !strcmp(a->experiment, b->experiment) && !strcmp(a->variant, b->variant);
}

int orr_findings_measured(struct orr_findings *out, const struct orr_formulas *formulas,
                          const struct orr_ledger *ledger, const struct orr_paper *paper)
{
    struct orr_counted_set set;
    int code = orr_counted_load(&set, ledger, paper->key, NULL, NULL);
    for (size_t k = 0; k < set.count && !code; k++) {
        struct tally tally = {.formulas = formulas, .first = &set.items[k]};
        size_t before = 0;
        while (before < k && !same_tally(&set.items[before], &set.items[k]))
            before++;
        for (size_t j = k; j < set.count && before == k && !code; j++)
            if (same_tally(&set.items[j], &set.items[k]))
                code = take_cell(&tally, &set.items[j]);
        if (!code)
            code = close_tally(out, &tally);
    }
    orr_counted_release(&set);
    return code;
}
