#include "audit/derive.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "datasets/boxes.h"
#include "error.h"

/* --- counts that are not printed --- */

/* Kinds that are counted for the variant. */
static unsigned kinds_of(const struct orr_formulas *formulas, const char *variant)
{
    unsigned kinds = 0;
    const struct orr_formula *row = NULL;
    while ((row = orr_formulas_next(formulas, row, ORR_SAYS_COUNT, variant)))
        kinds |= row->kinds;
    return kinds;
}

unsigned orr_derive_gaps(const struct orr_formulas *formulas, const struct orr_formula *entry)
{
    return (kinds_of(formulas, entry->over) ^ kinds_of(formulas, entry->variant)) & entry->kinds;
}

/* Kind `missing` of variant `of`, which variant `like` has. */
struct gap {
    const char *of, *like;
    enum orr_access missing;
};

/* missing = ratio x from in every procedure of the variant that has both, and the other variant has
 * `from` in all of them. */
static bool are_in_proportion(struct orr_rational *ratio, const struct orr_formulas *formulas,
                              const struct gap *gap, enum orr_access from)
{
    bool any = false;
    const struct orr_formula *row = NULL, *other;
    while ((row = orr_formulas_next(formulas, row, ORR_SAYS_COUNT, gap->like))) {
        struct orr_rational here;
        if (row->kinds != 1u << gap->missing)
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
    const struct orr_polynomial factor = {{ratio}};
    row->says = ORR_SAYS_COUNT, row->kinds = 1u << gap->missing;
    row->inferred = true, row->from = from, row->ratio = ratio;
    row->experiment = source->experiment, row->variant = source->variant, row->item = source->item;
    row->over = row->note = row->printed = "";
    return orr_polynomial_multiply(&row->value, &source->value, &factor);
}

static int fill_gap(struct orr_formulas *formulas, struct gap gap)
{
    size_t known = formulas->count;
    struct orr_rational ratio;
    int from = 0, code = 0;
    while (from <= ORR_CP &&
           (from == (int)gap.missing || !are_in_proportion(&ratio, formulas, &gap, from)))
        from++;
    for (size_t k = 0; k < known && from <= ORR_CP && !code; k++) {
        const struct orr_formula *row = &formulas->rows[k];
        if (row->says == ORR_SAYS_COUNT && row->kinds == 1u << gap.missing &&
            !strcmp(row->variant, gap.like))
            code = add_inferred(formulas, &gap, row->item, from, ratio);
    }
    return code;
}

int orr_derive_missing(struct orr_formulas *formulas)
{
    int code = 0;
    for (size_t k = 0, known = formulas->count; k < known; k++)
        for (int kind = 0; kind <= ORR_CP && !code; kind++) {
            const struct orr_formula *row = &formulas->rows[k];
            if (row->says != ORR_SAYS_CHANGE || !(orr_derive_gaps(formulas, row) & 1u << kind))
                continue;
            bool before = kinds_of(formulas, row->over) & 1u << kind;
            code = fill_gap(formulas, before ? (struct gap){row->variant, row->over, kind}
                                             : (struct gap){row->over, row->variant, kind});
        }
    return code;
}

/* --- sums and changes --- */

/* Kinds that an atomic update adds to when it is read, too: reads of the memory whose writes it is
 * among. */
static unsigned reads_of(unsigned writes)
{
    return (writes & 1u << ORR_GW ? 1u << ORR_GR : 0) | (writes & 1u << ORR_SW ? 1u << ORR_SR : 0);
}

int orr_derive_sum(struct orr_polynomial *out, const struct orr_formulas *formulas,
                   const char *variant, unsigned kinds, enum orr_atomic_convention atomics)
{
    const struct orr_formula *row = NULL;
    int code = 0;
    *out = (struct orr_polynomial){0};
    while (!code && (row = orr_formulas_next(formulas, row, ORR_SAYS_COUNT, variant)))
        if (row->kinds & kinds)
            code = orr_polynomial_add(out, out, 1, &row->value);
    row = NULL;
    while (atomics == ORR_ATOMIC_READS_AND_WRITES && !code &&
           (row = orr_formulas_next(formulas, row, ORR_SAYS_ATOMIC, variant)))
        if (reads_of(row->kinds) & kinds)
            code = orr_polynomial_add(out, out, 1, &row->value);
    return code;
}

int orr_derive_change(struct orr_polynomial *out, const struct orr_formulas *formulas,
                      const struct orr_formula *entry, enum orr_atomic_convention atomics)
{
    struct orr_polynomial before;
    int code = orr_derive_sum(&before, formulas, entry->over, entry->kinds, atomics);
    if (!code)
        code = orr_derive_sum(out, formulas, entry->variant, entry->kinds, atomics);
    return code ? code : orr_polynomial_add(out, out, -1, &before);
}

bool orr_derive_has_atomics(const struct orr_formulas *formulas, const struct orr_formula *entry)
{
    bool found = false;
    const struct orr_formula *row = NULL;
    while ((row = orr_formulas_next(formulas, row, ORR_SAYS_ATOMIC, NULL)))
        found |= reads_of(row->kinds) & entry->kinds &&
                 (!strcmp(row->variant, entry->variant) || !strcmp(row->variant, entry->over));
    return found;
}

/* --- values for symbols --- */

int orr_derive_where(struct orr_polynomial *out, const struct orr_polynomial *a,
                     const struct orr_formulas *formulas, const char *experiment)
{
    const struct orr_formula *row = NULL;
    int code = 0;
    *out = *a;
    while (!code && (row = orr_formulas_next(formulas, row, ORR_SAYS_WHERE, NULL)))
        if (!strcmp(row->experiment, experiment) && strcmp(row->item, "level") != 0)
            code = orr_polynomial_substitute(out, out, *row->item, &row->value);
    return code;
}

int orr_derive_level(struct orr_polynomial *out, const struct orr_polynomial *a, int level)
{
    struct orr_polynomial per_box,
        bodies = orr_polynomial_whole((int64_t)1 << 2 * level),
        neighbours = orr_polynomial_whole((int64_t)orr_boxes_neighbours(level));
    int code = orr_polynomial_symbol(&per_box, "P");
    if (!code)
        code = orr_polynomial_multiply(&bodies, &bodies, &per_box);
    if (!code)
        code = orr_polynomial_substitute(out, a, 'N', &bodies);
    return code ? code : orr_polynomial_substitute(out, out, 'B', &neighbours);
}

int orr_derive_value(struct orr_rational *out, const struct orr_polynomial *a,
                     const struct orr_place *place)
{
    const int64_t values[] = {place->n, place->per_box,
                              (int64_t)orr_boxes_neighbours(place->level)};
    struct orr_polynomial left = *a;
    int code = 0;
    for (int k = 0; k < 3 && !code; k++) {
        struct orr_polynomial value = orr_polynomial_whole(values[k]);
        code = orr_polynomial_substitute(&left, &left, "NPB"[k], &value);
    }
    orr_polynomial_is_number(out, &left);
    return code;
}

/* --- falls and rises --- */

static int value_at(struct orr_rational *out, const struct orr_polynomial *change, char symbol,
                    int64_t at)
{
    struct orr_polynomial value = orr_polynomial_whole(at);
    int code = orr_polynomial_substitute(&value, change, symbol, &value);
    orr_polynomial_is_number(out, &value);
    return code;
}

/* 1 where the change has the sign of the end, 0 where not, or a negative code. */
static int has_end_sign(const struct orr_sign_change *s, const struct orr_polynomial *change,
                        int64_t at)
{
    struct orr_rational value;
    int code = value_at(&value, change, s->symbol, at);
    return code ? code : (value.num > 0) - (value.num < 0) == s->end;
}

/* From where on the sign is that of the end. A root is a double: the place to look from, and exact
 * values decide. Where the sign is the same on both sides of it, as about a double root, the place
 * is further down. */
static int find_steady(struct orr_sign_change *out, const struct orr_polynomial *change)
{
    double last = out->root_count ? out->roots[out->root_count - 1] : 0;
    int same = 1;
    out->steady = last + 1 >= (double)out->from ? (int64_t)floor(last) + 2 : out->from;
    while (out->steady > out->from && (same = has_end_sign(out, change, out->steady - 1)) > 0)
        out->steady--;
    while (same >= 0 && !(same = has_end_sign(out, change, out->steady)))
        out->steady++;
    return same < 0 ? same : 0;
}

int orr_derive_sign_change(struct orr_sign_change *out, const struct orr_polynomial *change,
                           int64_t from)
{
    *out = (struct orr_sign_change){.from = from, .steady = from};
    int count = orr_polynomial_roots(out->roots, change);
    if (count < 0)
        return count;
    out->root_count = count;
    out->symbol = orr_polynomial_only_symbol(change);
    out->end = orr_polynomial_sign(change);
    int code = value_at(&out->first, change, out->symbol, from);
    return code || !out->end ? code : find_steady(out, change);
}

char *orr_derive_sign_change_text(char *out, size_t size, const struct orr_sign_change *s)
{
    const char *verb = s->end < 0 ? "falls" : "rises";
    FILE *to = fmemopen(out, size, "w");
    *out = '\0';
    if (!to)
        return out;
    if (!s->end)
        fputs("does not change", to);
    else if (!s->symbol)
        fprintf(to, "%s", verb);
    else if (s->steady == s->from)
        fprintf(to, "%s for every %c >= %lld", verb, s->symbol, (long long)s->from);
    else
        fprintf(to, "%s from %c = %lld on", verb, s->symbol, (long long)s->steady);
    for (int k = 0; k < s->root_count; k++)
        if (s->roots[k] >= (double)s->from)
            fprintf(to, ", break-even %c = %.4g", s->symbol, s->roots[k]);
    if (s->end && s->steady != s->from)
        fprintf(to, "; at %c = %lld it %s by %.15g", s->symbol, (long long)s->from,
                s->first.num > 0   ? "rises"
                : s->first.num < 0 ? "falls"
                                   : "changes",
                fabs(orr_rational_value(s->first)));
    fclose(to);
    return out;
}
