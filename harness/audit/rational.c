#include "audit/rational.h"

#include "error.h"

__extension__ typedef __int128 wide; /* holds a sum of two products of 64 bits */

static wide gcd(wide a, wide b)
{
    a = a < 0 ? -a : a;
    b = b < 0 ? -b : b;
    while (b) {
        wide rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static int reduce(struct orr_rational *out, wide num, wide den)
{
    if (!den)
        return orr_fail(ORR_EINPUT, "division by 0");
    wide common = gcd(num, den);
    num /= den < 0 ? -common : common;
    den /= den < 0 ? -common : common;
    /* The lowest number is left out, so that every sign can be turned round. */
    if (num > INT64_MAX || num < -INT64_MAX || den > INT64_MAX)
        return orr_fail(ORR_EINPUT, "a coefficient is too large for 64 bits");
    *out = (struct orr_rational){(int64_t)num, (int64_t)den};
    return 0;
}

int orr_rational_make(struct orr_rational *out, int64_t num, int64_t den)
{
    return reduce(out, num, den);
}

int orr_rational_add(struct orr_rational *out, struct orr_rational a, struct orr_rational b)
{
    return reduce(out, (wide)a.num * b.den + (wide)b.num * a.den, (wide)a.den * b.den);
}

int orr_rational_multiply(struct orr_rational *out, struct orr_rational a, struct orr_rational b)
{
    return reduce(out, (wide)a.num * b.num, (wide)a.den * b.den);
}

int orr_rational_divide(struct orr_rational *out, struct orr_rational a, struct orr_rational b)
{
    return reduce(out, (wide)a.num * b.den, (wide)a.den * b.num);
}

int64_t orr_rational_gcd(int64_t a, int64_t b)
{
    return (int64_t)gcd(a, b);
}
