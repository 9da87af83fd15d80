/* Exact rational numbers. What does not fit 64 bits is an error, never a rounded number. */
#ifndef ORR_AUDIT_RATIONAL_H
#define ORR_AUDIT_RATIONAL_H

#include <stdint.h>

/* Reduced; den > 0. Zero is 0/1. */
struct orr_rational {
    int64_t num, den;
};

static inline struct orr_rational orr_rational_whole(int64_t value)
{
    return (struct orr_rational){value, 1};
}

/* ORR_EINPUT when numerator or denominator leaves 64 bits, or when the divisor is 0. `out` may be
 * an argument. */
int orr_rational_make(struct orr_rational *out, int64_t num, int64_t den);
int orr_rational_add(struct orr_rational *out, struct orr_rational a, struct orr_rational b);
int orr_rational_multiply(struct orr_rational *out, struct orr_rational a, struct orr_rational b);
int orr_rational_divide(struct orr_rational *out, struct orr_rational a, struct orr_rational b);
int64_t orr_rational_gcd(int64_t a, int64_t b); /* >= 0 */

static inline double orr_rational_value(struct orr_rational a)
{
    return (double)a.num / (double)a.den;
}

#endif
