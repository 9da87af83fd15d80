/* From polynomials to text that people read and orr_polynomial_parse takes back. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit/polynomial.h"

/* Terms that differ only in the power of the last symbol. */
struct group {
    const struct orr_term *terms[ORR_MAX_TERMS]; /* higher powers first */
    int count;
};

struct printer {
    FILE *to;
    const char *last; /* symbol, the last one by name */
    bool begun;
};

static int power_of(const struct orr_term *term, const char *symbol)
{
    const struct orr_factor *end = term->count ? &term->factors[term->count - 1] : NULL;
    return end && !strcmp(end->symbol, symbol) ? end->power : 0;
}

/* Factors without those of the last symbol. */
static int rest_of(const struct orr_term *term, const char *last)
{
    return term->count - (power_of(term, last) > 0);
}

static bool same_rest(const struct orr_term *a, const struct orr_term *b, const char *last)
{
    int count = rest_of(a, last);
    bool same = count == rest_of(b, last);
    for (int k = 0; same && k < count; k++)
        same = a->factors[k].power == b->factors[k].power &&
               !strcmp(a->factors[k].symbol, b->factors[k].symbol);
    return same;
}

/* Two symbols side by side must not read as one. */
static void put_symbol(struct printer *p, const char *symbol, int power, bool behind_symbol)
{
    fprintf(p->to, "%s%s", behind_symbol && islower((unsigned char)*symbol) ? "*" : "", symbol);
    if (power > 1)
        fprintf(p->to, "^%d", power);
}

/* The sign, and a whole factor and symbols; a factor of 1 is left out before symbols and brackets.
 */
static void put_front(struct printer *p, int64_t factor, const struct orr_term *term, int power,
                      bool brackets)
{
    int rest = rest_of(term, p->last);
    bool bare = !rest && !power && !brackets;
    fputs(p->begun ? (factor < 0 ? " - " : " + ") : (factor < 0 ? "-" : ""), p->to);
    p->begun = true;
    if (bare || llabs(factor) != 1)
        fprintf(p->to, "%lld", llabs(factor));
    for (int k = 0; k < rest; k++)
        put_symbol(p, term->factors[k].symbol, term->factors[k].power, k > 0);
    if (power)
        put_symbol(p, p->last, power, rest > 0);
}

static void put_term(struct printer *p, const struct orr_term *term)
{
    put_front(p, term->coefficient.num, term, power_of(term, p->last), false);
    if (term->coefficient.den != 1)
        fprintf(p->to, "/%lld", (long long)term->coefficient.den);
}

/* What a group has in common: all coefficients are common x whole / den. */
struct shared {
    int64_t common, den;
    int64_t whole[ORR_MAX_TERMS];
    int power;
};

static bool find_shared(struct shared *out, const struct group *group, const char *last)
{
    const struct orr_term *first = group->terms[0], *end = group->terms[group->count - 1];
    *out = (struct shared){.common = 0, .den = 1, .power = power_of(end, last)};
    for (int k = 0; k < group->count; k++) {
        int64_t den = group->terms[k]->coefficient.den;
        if (__builtin_mul_overflow(out->den, den / orr_rational_gcd(out->den, den), &out->den))
            return false;
    }
    for (int k = 0; k < group->count; k++) {
        struct orr_rational c = group->terms[k]->coefficient;
        if (__builtin_mul_overflow(c.num, out->den / c.den, &out->whole[k]) ||
            out->whole[k] == INT64_MIN)
            return false;
        out->common = orr_rational_gcd(out->common, out->whole[k]);
    }
    if (!rest_of(first, last))
        out->common = 1;
    if (out->whole[0] < 0)
        out->common = -out->common;
    for (int k = 0; k < group->count; k++)
        out->whole[k] /= out->common;
    return true;
}

static void put_group(struct printer *p, const struct group *group)
{
    const struct orr_term *first = group->terms[0];
    struct shared shared;
    bool factored = group->count > 1 && find_shared(&shared, group, p->last) &&
                    (rest_of(first, p->last) || shared.power || shared.den != 1);
    if (!factored) {
        for (int k = 0; k < group->count; k++)
            put_term(p, group->terms[k]);
        return;
    }
    put_front(p, shared.common, first, shared.power, true);
    struct printer inner = {p->to, p->last, false};
    fputc('(', p->to);
    for (int k = 0; k < group->count; k++) {
        struct orr_term term = {.count = 0};
        put_front(&inner, shared.whole[k], &term, power_of(group->terms[k], p->last) - shared.power,
                  false);
    }
    fputc(')', p->to);
    if (shared.den != 1)
        fprintf(p->to, "/%lld", (long long)shared.den);
}

static const char *last_symbol(const struct orr_polynomial *a)
{
    const char *last = "";
    for (int k = 0; k < a->count; k++) {
        const struct orr_term *term = &a->terms[k];
        if (term->count && strcmp(term->factors[term->count - 1].symbol, last) > 0)
            last = term->factors[term->count - 1].symbol;
    }
    return last;
}

/* Groups in the reverse order of their names, what depends on the last symbol alone behind them;
 * higher powers first.
 */
static int by_rest(const void *left, const void *right, void *last)
{
    const struct orr_term *const *a = left, *const *b = right;
    int rest_a = rest_of(*a, last), rest_b = rest_of(*b, last);
    for (int k = 0; k < rest_a && k < rest_b; k++) {
        int order = strcmp((*b)->factors[k].symbol, (*a)->factors[k].symbol);
        if (!order)
            order = (*b)->factors[k].power - (*a)->factors[k].power;
        if (order)
            return order;
    }
    return rest_a != rest_b ? rest_b - rest_a : power_of(*b, last) - power_of(*a, last);
}

static void put_groups(struct printer *p, const struct orr_polynomial *a)
{
    struct group all = {.count = a->count};
    for (int k = 0; k < a->count; k++)
        all.terms[k] = &a->terms[k];
    qsort_r(all.terms, (size_t)a->count, sizeof *all.terms, by_rest, (void *)p->last);
    for (int k = 0; k < a->count;) {
        struct group group = {.count = 0};
        do
            group.terms[group.count++] = all.terms[k++];
        while (k < a->count && same_rest(all.terms[k - 1], all.terms[k], p->last));
        put_group(p, &group);
    }
}

char *orr_polynomial_print(char *out, size_t size, const struct orr_polynomial *a)
{
    *out = '\0';
    struct printer printer = {fmemopen(out, size, "w"), last_symbol(a), false};
    if (!printer.to)
        return out;
    if (a->count)
        put_groups(&printer, a);
    else
        fputc('0', printer.to);
    fclose(printer.to);
    out[size - 1] = '\0';
    return out;
}
