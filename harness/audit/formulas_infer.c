/* Counts that a paper does not print, yet needs: where one of the two variants of a change has
 * counts of a kind and the other has none. They follow when another kind stands in one proportion
 * to it in every procedure of the first variant, as two writes to the sums in registers belong to
 * every pair evaluated. */
#include <stdlib.h>
#include <string.h>

#include "audit/formulas_parts.h"
#include "error.h"

/* Kind `missing` of variant `of`, which variant `like` has. */
struct gap {
    const char *of, *like;
    enum orr_access missing;
};

static bool has_kind(const struct orr_formulas *formulas, const char *variant, enum orr_access kind)
{
    bool found = false;
    for (size_t k = 0; k < formulas->count; k++) {
        const struct orr_formula *row = &formulas->rows[k];
        found |= row->says == ORR_SAYS_COUNT && row->kinds == 1u << kind &&
                 !strcmp(row->variant, variant);
    }
    return found;
}

/* missing = ratio x from in every procedure of the variant that has both, and the other variant has
 * `from` in all of them. */
static bool are_in_proportion(struct orr_rational *ratio, const struct orr_formulas *formulas,
                              const struct gap *gap, enum orr_access from)
{
    bool any = false;
    *ratio = (struct orr_rational){0, 1};
    for (size_t k = 0; k < formulas->count; k++) {
        const struct orr_formula *row = &formulas->rows[k], *other;
        struct orr_rational here;
        if (row->says != ORR_SAYS_COUNT || row->kinds != 1u << gap->missing ||
            strcmp(row->variant, gap->like) != 0)
            continue;
        other = orr_formulas_count(formulas, gap->like, row->item, from);
        if (!other || !orr_formulas_count(formulas, gap->of, row->item, from) ||
            !orr_polynomial_ratio(&here, &row->value, &other->value) ||
            (any && (here.num != ratio->num || here.den != ratio->den)))
            return false;
        *ratio = here;
        any = true;
    }
    return any;
}

static int add_inferred(struct orr_formulas *formulas, const struct gap *gap, const char *procedure,
                        enum orr_access from, struct orr_rational ratio)
{
    struct orr_formula *row = orr_formulas_add(formulas);
    if (!row)
        return ORR_EMEMORY;
    const struct orr_formula *source = orr_formulas_count(formulas, gap->of, procedure, from);
    char *made[6] = {strdup(source->experiment),
                     strdup(source->variant),
                     strdup(""),
                     strdup(source->item),
                     strdup(""),
                     strdup("")};
    row->says = ORR_SAYS_COUNT, row->kinds = 1u << gap->missing;
    row->inferred = true, row->from = from, row->ratio = ratio;
    row->experiment = made[0], row->variant = made[1], row->over = made[2];
    row->item = made[3], row->printed = made[4], row->note = made[5];
    for (int k = 0; k < 6; k++)
        if (!made[k])
            return orr_fail(ORR_EMEMORY, "no memory for formulas");
    struct orr_polynomial factor = orr_polynomial_number(ratio);
    return orr_polynomial_multiply(&row->value, &source->value, &factor);
}

static int fill_gap(struct orr_formulas *formulas, struct gap gap)
{
    size_t known = formulas->count;
    struct orr_rational ratio;
    int from = 0;
    while (from <= ORR_CP &&
           (from == (int)gap.missing || !are_in_proportion(&ratio, formulas, &gap, from)))
        from++;
    int code = 0;
    for (size_t k = 0; k < known && from <= ORR_CP && !code; k++) {
        const struct orr_formula *row = &formulas->rows[k];
        if (row->says == ORR_SAYS_COUNT && row->kinds == 1u << gap.missing &&
            !strcmp(row->variant, gap.like))
            code = add_inferred(formulas, &gap, row->item, from, ratio);
    }
    return code;
}

int orr_formulas_infer(struct orr_formulas *formulas)
{
    int code = 0;
    for (size_t k = 0, known = formulas->count; k < known && !code; k++)
        for (int kind = 0; kind <= ORR_CP && !code; kind++) {
            const struct orr_formula *row = &formulas->rows[k];
            if (row->says != ORR_SAYS_CHANGE || !(row->kinds & 1u << kind))
                continue;
            bool before = has_kind(formulas, row->over, kind),
                 after = has_kind(formulas, row->variant, kind);
            if (before != after)
                code = fill_gap(formulas, before ? (struct gap){row->variant, row->over, kind}
                                                 : (struct gap){row->over, row->variant, kind});
        }
    return code;
}
