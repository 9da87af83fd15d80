#include "audit/polynomial.h"

#include <string.h>

#include "error.h"

/* --- terms in a fixed order: like a dictionary of factors, higher powers first --- */

static int compare_factors(const struct orr_factor *a, const struct orr_factor *b)
{
    int order = strcmp(a->symbol, b->symbol);
    return order ? order : b->power - a->power;
}

static int compare_terms(const struct orr_term *a, const struct orr_term *b)
{
    for (int k = 0; k < a->count && k < b->count; k++) {
        int order = compare_factors(&a->factors[k], &b->factors[k]);
        if (order)
            return order;
    }
    return b->count - a->count;
}

static int append(struct orr_polynomial *out, const struct orr_term *term)
{
    if (out->count == ORR_MAX_TERMS)
        return orr_fail(ORR_EINPUT, "a polynomial has more than %d terms", ORR_MAX_TERMS);
    out->terms[out->count++] = *term;
    return 0;
}

struct orr_polynomial orr_polynomial_number(struct orr_rational value)
{
    struct orr_polynomial made = {.count = value.num != 0};
    made.terms[0].coefficient = value;
    return made;
}

struct orr_polynomial orr_polynomial_whole(int64_t value)
{
    return orr_polynomial_number(orr_rational_whole(value));
}

int orr_polynomial_symbol(struct orr_polynomial *out, const char *name)
{
    size_t length = strlen(name);
    if (length >= ORR_SYMBOL_SIZE)
        return orr_fail(ORR_EINPUT, "the symbol '%s' is longer than %d letters", name,
                        ORR_SYMBOL_SIZE - 1);
    *out = orr_polynomial_whole(1);
    out->terms[0].count = 1;
    memcpy(out->terms[0].factors[0].symbol, name, length + 1);
    out->terms[0].factors[0].power = 1;
    return 0;
}

/* --- arithmetic --- */

int orr_polynomial_add(struct orr_polynomial *out, const struct orr_polynomial *a,
                       const struct orr_polynomial *b)
{
    struct orr_polynomial sum = {0};
    int code = 0;
    for (int i = 0, j = 0; !code && (i < a->count || j < b->count);) {
        int order = i == a->count   ? 1
                    : j == b->count ? -1
                                    : compare_terms(&a->terms[i], &b->terms[j]);
        struct orr_term term = order <= 0 ? a->terms[i] : b->terms[j];
        if (!order)
            code = orr_rational_add(&term.coefficient, term.coefficient, b->terms[j].coefficient);
        i += order <= 0;
        j += order >= 0;
        if (!code && term.coefficient.num)
            code = append(&sum, &term);
    }
    *out = sum;
    return code;
}

int orr_polynomial_scale(struct orr_polynomial *out, const struct orr_polynomial *a,
                         struct orr_rational factor)
{
    struct orr_polynomial scaled = *a;
    int code = 0;
    if (!factor.num)
        scaled.count = 0;
    for (int k = 0; k < scaled.count && !code; k++)
        code = orr_rational_multiply(&scaled.terms[k].coefficient, scaled.terms[k].coefficient,
                                     factor);
    *out = scaled;
    return code;
}

int orr_polynomial_subtract(struct orr_polynomial *out, const struct orr_polynomial *a,
                            const struct orr_polynomial *b)
{
    struct orr_polynomial negative;
    int code = orr_polynomial_scale(&negative, b, orr_rational_whole(-1));
    return code ? code : orr_polynomial_add(out, a, &negative);
}

static int multiply_terms(struct orr_term *out, const struct orr_term *a, const struct orr_term *b)
{
    struct orr_term product = {.count = 0};
    int code = orr_rational_multiply(&product.coefficient, a->coefficient, b->coefficient);
    for (int i = 0, j = 0; !code && (i < a->count || j < b->count);) {
        int order = i == a->count   ? 1
                    : j == b->count ? -1
                                    : strcmp(a->factors[i].symbol, b->factors[j].symbol);
        if (product.count == ORR_MAX_FACTORS)
            return orr_fail(ORR_EINPUT, "a term has more than %d symbols", ORR_MAX_FACTORS);
        struct orr_factor *factor = &product.factors[product.count++];
        *factor = order <= 0 ? a->factors[i] : b->factors[j];
        if (!order)
            factor->power += b->factors[j].power;
        if (factor->power > ORR_MAX_POWER)
            return orr_fail(ORR_EINPUT, "a power is above %d", ORR_MAX_POWER);
        i += order <= 0;
        j += order >= 0;
    }
    *out = product;
    return code;
}

int orr_polynomial_multiply(struct orr_polynomial *out, const struct orr_polynomial *a,
                            const struct orr_polynomial *b)
{
    struct orr_polynomial sum = {0};
    int code = 0;
    for (int i = 0; i < a->count && !code; i++)
        for (int j = 0; j < b->count && !code; j++) {
            struct orr_polynomial product = {.count = 1};
            code = multiply_terms(&product.terms[0], &a->terms[i], &b->terms[j]);
            if (!code)
                code = orr_polynomial_add(&sum, &sum, &product);
        }
    *out = sum;
    return code;
}

static bool equal_terms(const struct orr_term *a, const struct orr_term *b)
{
    return !compare_terms(a, b) && a->coefficient.num == b->coefficient.num &&
           a->coefficient.den == b->coefficient.den;
}

bool orr_polynomial_equal(const struct orr_polynomial *a, const struct orr_polynomial *b)
{
    bool equal = a->count == b->count;
    for (int k = 0; equal && k < a->count; k++)
        equal = equal_terms(&a->terms[k], &b->terms[k]);
    return equal;
}

/* --- substitution --- */

/* Takes the symbol out of the term; its power there. */
static int take_out(struct orr_term *term, const char *symbol)
{
    for (int k = 0; k < term->count; k++) {
        int power = term->factors[k].power;
        if (strcmp(term->factors[k].symbol, symbol))
            continue;
        term->count--;
        memmove(&term->factors[k], &term->factors[k + 1],
                (size_t)(term->count - k) * sizeof *term->factors);
        return power;
    }
    return 0;
}

int orr_polynomial_substitute(struct orr_polynomial *out, const struct orr_polynomial *a,
                              const char *symbol, const struct orr_polynomial *value)
{
    struct orr_polynomial sum = {0};
    int code = 0;
    for (int k = 0; k < a->count && !code; k++) {
        struct orr_polynomial part = {.count = 1, .terms = {a->terms[k]}};
        for (int power = take_out(&part.terms[0], symbol); power > 0 && !code; power--)
            code = orr_polynomial_multiply(&part, &part, value);
        if (!code)
            code = orr_polynomial_add(&sum, &sum, &part);
    }
    *out = sum;
    return code;
}

bool orr_polynomial_is_number(struct orr_rational *out, const struct orr_polynomial *a)
{
    *out = a->count ? a->terms[0].coefficient : orr_rational_whole(0);
    return !a->count || (a->count == 1 && !a->terms[0].count);
}

bool orr_polynomial_is_univariate(char symbol[ORR_SYMBOL_SIZE], const struct orr_polynomial *a)
{
    *symbol = '\0';
    for (int k = 0; k < a->count; k++) {
        const struct orr_term *term = &a->terms[k];
        if (term->count > 1 ||
            (term->count && *symbol && strcmp(symbol, term->factors[0].symbol) != 0))
            return false;
        if (term->count)
            memcpy(symbol, term->factors[0].symbol, ORR_SYMBOL_SIZE);
    }
    return true;
}
