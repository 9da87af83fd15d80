/* Polynomials in named symbols with exact rational coefficients: the formulas of a paper's cost
 * model. Values of fixed size: copying one is assignment, nothing is released. Functions return 0
 * or ORR_EINPUT when a coefficient leaves 64 bits or a polynomial its room; `out` may be one of the
 * arguments.
 *
 * As text: "3N(P-1)/2+2N". A symbol is a letter and what lower-case letters, digits and underscores
 * follow it, so that "BP" is B times P and "Nleaf" one symbol; products may leave out the `*`; only
 * numbers divide; `^` takes a whole number. */
#ifndef ORR_AUDIT_POLYNOMIAL_H
#define ORR_AUDIT_POLYNOMIAL_H

#include <stdbool.h>
#include <stddef.h>

#include "audit/rational.h"

enum {
    ORR_SYMBOL_SIZE = 12, /* of a symbol's name, its end included */
    ORR_MAX_FACTORS = 4,  /* symbols in a term */
    ORR_MAX_TERMS = 32,
    ORR_MAX_POWER = 32
};

struct orr_factor {
    char symbol[ORR_SYMBOL_SIZE];
    int power; /* > 0 */
};

struct orr_term {
    struct orr_rational coefficient; /* not 0 */
    int count;                       /* factors, in the order of their names; 0: a number */
    struct orr_factor factors[ORR_MAX_FACTORS];
};

/* No two terms have the same factors; in a fixed order. Zeroed it is the polynomial 0. */
struct orr_polynomial {
    int count;
    struct orr_term terms[ORR_MAX_TERMS];
};

/* On an error names the column of `text`, from 1, and what was expected there. */
int orr_polynomial_parse(struct orr_polynomial *out, const char *text);

struct orr_polynomial orr_polynomial_number(struct orr_rational value);
struct orr_polynomial orr_polynomial_whole(int64_t value);
int orr_polynomial_symbol(struct orr_polynomial *out, const char *name);
int orr_polynomial_add(struct orr_polynomial *out, const struct orr_polynomial *a,
                       const struct orr_polynomial *b);
int orr_polynomial_subtract(struct orr_polynomial *out, const struct orr_polynomial *a,
                            const struct orr_polynomial *b);
int orr_polynomial_multiply(struct orr_polynomial *out, const struct orr_polynomial *a,
                            const struct orr_polynomial *b);
int orr_polynomial_scale(struct orr_polynomial *out, const struct orr_polynomial *a,
                         struct orr_rational factor);
bool orr_polynomial_equal(const struct orr_polynomial *a, const struct orr_polynomial *b);

/* Puts a polynomial in the place of a symbol. */
int orr_polynomial_substitute(struct orr_polynomial *out, const struct orr_polynomial *a,
                              const char *symbol, const struct orr_polynomial *value);
/* True when no symbol is left; *out receives the number. */
bool orr_polynomial_is_number(struct orr_rational *out, const struct orr_polynomial *a);
/* True when the polynomial has no symbol, or one only; `symbol` receives it, "" for none. */
bool orr_polynomial_is_univariate(char symbol[ORR_SYMBOL_SIZE], const struct orr_polynomial *a);

/* Readable and in a fixed order; parsing it gives the same polynomial. Terms that differ only in
 * the last symbol are taken together, "N(P - 9)/2 + BP(P - 1)/2"; of one symbol only, whole
 * coefficients stay inside the brackets as papers print them, "P(72962P - 138498)". Cut off at
 * `size`; returns `out`. */
char *orr_polynomial_print(char *out, size_t size, const struct orr_polynomial *a);

enum { ORR_MAX_ROOTS = 3 };
/* The positive real roots of a polynomial in one symbol up to degree 3, ascending, double ones
 * once; their number, or ORR_EINPUT for any other polynomial. Of 0, which is zero everywhere, none.
 */
int orr_polynomial_roots(double out[ORR_MAX_ROOTS], const struct orr_polynomial *a);

#endif
