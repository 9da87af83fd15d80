#include "audit/derive.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "boxes.h"
#include "error.h"

const char *const orr_derive_atomic_conventions[ORR_ATOMIC_CONVENTIONS] = {
    "an atomic update is one write", "an atomic update is a read and a write"};

/* Kinds that an atomic update adds to when it is read, too: reads of the memory whose writes it is
 * among. */
static unsigned reads_of(unsigned writes)
{
    return (writes & 1u << ORR_GW ? 1u << ORR_GR : 0) | (writes & 1u << ORR_SW ? 1u << ORR_SR : 0);
}

int orr_derive_sum(struct orr_polynomial *out, const struct orr_formulas *formulas,
                   const char *variant, unsigned kinds, enum orr_atomic_convention atomics)
{
    int code = 0;
    *out = (struct orr_polynomial){0};
    for (size_t k = 0; k < formulas->count && !code; k++) {
        const struct orr_formula *row = &formulas->rows[k];
        bool counts = row->says == ORR_SAYS_COUNT && row->kinds & kinds;
        bool reads = atomics == ORR_ATOMIC_READS_AND_WRITES && row->says == ORR_SAYS_ATOMIC &&
                     reads_of(row->kinds) & kinds;
        if ((counts || reads) && !strcmp(row->variant, variant))
            code = orr_polynomial_add(out, out, 1, &row->value);
    }
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
    for (size_t k = 0; k < formulas->count; k++) {
        const struct orr_formula *row = &formulas->rows[k];
        found |= row->says == ORR_SAYS_ATOMIC && reads_of(row->kinds) & entry->kinds &&
                 (!strcmp(row->variant, entry->variant) || !strcmp(row->variant, entry->over));
    }
    return found;
}

bool orr_derive_is_gapped(const struct orr_formulas *formulas, const struct orr_formula *entry)
{
    unsigned before = 0, after = 0;
    for (size_t k = 0; k < formulas->count; k++) {
        const struct orr_formula *row = &formulas->rows[k];
        if (row->says != ORR_SAYS_COUNT)
            continue;
        before |= strcmp(row->variant, entry->over) ? 0 : row->kinds & entry->kinds;
        after |= strcmp(row->variant, entry->variant) ? 0 : row->kinds & entry->kinds;
    }
    return before != after;
}

/* --- values for symbols --- */

int orr_derive_where(struct orr_polynomial *out, const struct orr_polynomial *a,
                     const struct orr_formulas *formulas, const char *experiment)
{
    int code = 0;
    *out = *a;
    for (size_t k = 0; k < formulas->count && !code; k++) {
        const struct orr_formula *row = &formulas->rows[k];
        if (row->says == ORR_SAYS_WHERE && !strcmp(row->experiment, experiment) &&
            strcmp(row->item, "level") != 0)
            code = orr_polynomial_substitute(out, out, *row->item, &row->value);
    }
    return code;
}

int orr_derive_level(struct orr_polynomial *out, const struct orr_polynomial *a, int level)
{
    struct orr_polynomial bodies, per_box,
        boxes = orr_polynomial_whole((int64_t)1 << 2 * level),
        neighbours = orr_polynomial_whole((int64_t)orr_boxes_neighbours(level));
    int code = orr_polynomial_symbol(&per_box, "P");
    if (!code)
        code = orr_polynomial_multiply(&bodies, &boxes, &per_box);
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

static int sign(struct orr_rational value)
{
    return (value.num > 0) - (value.num < 0);
}

static int value_at(struct orr_rational *out, const struct orr_polynomial *change, char symbol,
                    int64_t at)
{
    struct orr_polynomial value = orr_polynomial_whole(at);
    int code = orr_polynomial_substitute(&value, change, symbol, &value);
    orr_polynomial_is_number(out, &value);
    return code;
}

/* From where on the sign is that of the end. A root is a double: the place to look from, and exact
 * values decide. Where the sign is the same on both sides of it, as about a double root, the place
 * is further down. */
static int find_steady(struct orr_sign_change *out, const struct orr_polynomial *change)
{
    struct orr_rational value;
    double last = out->root_count ? out->roots[out->root_count - 1] : 0;
    int code = 0;
    out->steady = last + 1 >= (double)out->from ? (int64_t)floor(last) + 2 : out->from;
    while (!code && out->steady > out->from &&
           !(code = value_at(&value, change, out->symbol, out->steady - 1)) &&
           sign(value) == out->end)
        out->steady--;
    while (!code && !(code = value_at(&value, change, out->symbol, out->steady)) &&
           sign(value) != out->end)
        out->steady++;
    return code;
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

char *orr_derive_sign_change_text(char *out, size_t size, const struct orr_sign_change *fall)
{
    const char *verb = fall->end < 0 ? "falls" : "rises";
    FILE *to = fmemopen(out, size, "w");
    *out = '\0';
    if (!to)
        return out;
    if (!fall->end)
        fputs("does not change", to);
    else if (!fall->symbol)
        fprintf(to, "%s", verb);
    else if (fall->steady == fall->from)
        fprintf(to, "%s for every %c >= %lld", verb, fall->symbol, (long long)fall->from);
    else
        fprintf(to, "%s from %c = %lld on", verb, fall->symbol, (long long)fall->steady);
    for (int k = 0; k < fall->root_count; k++)
        if (fall->roots[k] >= (double)fall->from)
            fprintf(to, ", break-even %c = %.4g", fall->symbol, fall->roots[k]);
    if (fall->end && fall->steady != fall->from)
        fprintf(to, "; at %c = %lld it %s by %.15g", fall->symbol, (long long)fall->from,
                fall->first.num > 0   ? "rises"
                : fall->first.num < 0 ? "falls"
                                      : "changes",
                fabs(orr_rational_value(fall->first)));
    fclose(to);
    return out;
}
