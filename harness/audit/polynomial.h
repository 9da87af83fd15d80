/* Polynomials in B, N and P with exact rational coefficients: the formulas of a paper's cost model.
 * Values of fixed size: copying one is assignment, nothing is released. Functions return 0 or
 * ORR_EINPUT when a coefficient leaves 64 bits or a power its bound; `out` may be an argument.
 *
 * As text: "3N(P-1)/2+2N". Products may leave out the `*`, only numbers divide, and `^` takes a
 * whole number. */
#ifndef ORR_AUDIT_POLYNOMIAL_H
#define ORR_AUDIT_POLYNOMIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ORR_MAX_POWER = 7, ORR_POLYNOMIAL_TERMS = 512, ORR_MAX_ROOTS = 3 };

/* Reduced, den > 0. */
struct orr_rational {
    int64_t num, den;
};

static inline double orr_rational_value(struct orr_rational a)
{
    return (double)a.num / (double)a.den;
}

/* The coefficient of B^b N^n P^p is of[64 b + 8 n + p]: the powers are octal digits. Where `num` is
 * 0, `den` says nothing, so that a zeroed struct is the polynomial 0. */
struct orr_polynomial {
    struct orr_rational of[ORR_POLYNOMIAL_TERMS];
};

static inline struct orr_polynomial orr_polynomial_whole(int64_t value)
{
    return (struct orr_polynomial){{{value, 1}}};
}

/* "B", "N" or "P"; ORR_EINPUT for any other name. */
int orr_polynomial_symbol(struct orr_polynomial *out, const char *name);
/* On an error names the column of `text`, from 1, and what was expected there. */
int orr_polynomial_parse(struct orr_polynomial *out, const char *text);
/* Readable and in a fixed order; parsing it gives the same polynomial. Terms that differ only in
 * the last symbol are taken together, "N(P - 9)/2 + BP(P - 1)/2"; of one symbol only, whole
 * coefficients stay inside the brackets as papers print them, "P(72962P - 138498)". Cut off at
 * `size`; returns `out`. */
char *orr_polynomial_print(char *out, size_t size, const struct orr_polynomial *a);

/* a + factor b */
int orr_polynomial_add(struct orr_polynomial *out, const struct orr_polynomial *a, int64_t factor,
                       const struct orr_polynomial *b);
int orr_polynomial_multiply(struct orr_polynomial *out, const struct orr_polynomial *a,
                            const struct orr_polynomial *b);
/* Puts a polynomial in the place of a symbol. */
int orr_polynomial_substitute(struct orr_polynomial *out, const struct orr_polynomial *a,
                              char symbol, const struct orr_polynomial *value);

bool orr_polynomial_equal(const struct orr_polynomial *a, const struct orr_polynomial *b);
/* Whether a = ratio x b for some number other than 0. */
bool orr_polynomial_ratio(struct orr_rational *ratio, const struct orr_polynomial *a,
                          const struct orr_polynomial *b);
/* Sign of the leading coefficient, which in one symbol is the sign for large values; 0: of 0. */
int orr_polynomial_sign(const struct orr_polynomial *a);
/* True when no symbol is left; *out receives the number. */
bool orr_polynomial_is_number(struct orr_rational *out, const struct orr_polynomial *a);
/* Its one symbol; '\0': it has none, '?': several. */
char orr_polynomial_only_symbol(const struct orr_polynomial *a);
/* The positive real roots of a polynomial in one symbol up to degree 3, ascending, double ones
 * once; their number, or ORR_EINPUT for any other polynomial. Of 0 there are none. */
int orr_polynomial_roots(double out[ORR_MAX_ROOTS], const struct orr_polynomial *a);

#endif
