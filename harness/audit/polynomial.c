#include "audit/polynomial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

enum { TERMS = ORR_POLYNOMIAL_TERMS, RADIX = ORR_MAX_POWER + 1 };
static const char symbols[] = "PNB"; /* from the lowest digit of a term on */

static int shift_of(char symbol)
{
    return 3 * (int)(strchr(symbols, symbol) - symbols);
}

static int power_of(int term, int shift)
{
    return term >> shift & ORR_MAX_POWER;
}

/* --- rational numbers --- */

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
    wide common = gcd(num, den);
    num /= den < 0 ? -common : common;
    den /= den < 0 ? -common : common;
    /* The lowest number is left out, so that every sign can be turned round. */
    if (num > INT64_MAX || num < -INT64_MAX || den > INT64_MAX)
        return orr_fail(ORR_EINPUT, "a coefficient is too large for 64 bits");
    *out = (struct orr_rational){(int64_t)num, (int64_t)den};
    return 0;
}

/* sum += a b, neither of them 0. */
static int accumulate(struct orr_rational *sum, struct orr_rational a, struct orr_rational b)
{
    struct orr_rational product;
    int code = reduce(&product, (wide)a.num * b.num, (wide)a.den * b.den);
    if (!code && sum->num)
        return reduce(sum, (wide)sum->num * product.den + (wide)product.num * sum->den,
                      (wide)sum->den * product.den);
    if (!code)
        *sum = product;
    return code;
}

/* --- arithmetic --- */

int orr_polynomial_symbol(struct orr_polynomial *out, const char *name)
{
    if (strlen(name) != 1 || !strchr(symbols, *name))
        return orr_fail(ORR_EINPUT, "the symbol '%s' is none of N, B and P", name);
    *out = (struct orr_polynomial){0};
    out->of[1 << shift_of(*name)] = (struct orr_rational){1, 1};
    return 0;
}

int orr_polynomial_add(struct orr_polynomial *out, const struct orr_polynomial *a, int64_t factor,
                       const struct orr_polynomial *b)
{
    struct orr_polynomial sum = *a;
    int code = 0;
    for (int k = 0; k < TERMS && !code; k++)
        if (b->of[k].num)
            code = accumulate(&sum.of[k], (struct orr_rational){factor, 1}, b->of[k]);
    *out = sum;
    return code;
}

int orr_polynomial_multiply(struct orr_polynomial *out, const struct orr_polynomial *a,
                            const struct orr_polynomial *b)
{
    struct orr_polynomial product = {0};
    int code = 0;
    for (int i = 0; i < TERMS && !code; i++)
        for (int j = 0; a->of[i].num && j < TERMS && !code; j++) {
            if (!b->of[j].num)
                continue;
            if (((i + j) ^ i ^ j) & 01110) /* a digit carried */
                return orr_fail(ORR_EINPUT, "a power is above %d", ORR_MAX_POWER);
            code = accumulate(&product.of[i + j], a->of[i], b->of[j]);
        }
    *out = product;
    return code;
}

int orr_polynomial_substitute(struct orr_polynomial *out, const struct orr_polynomial *a,
                              char symbol, const struct orr_polynomial *value)
{
    struct orr_polynomial sum = {0};
    int shift = shift_of(symbol), code = 0;
    for (int power = ORR_MAX_POWER; power >= 0 && !code; power--) { /* Horner's rule */
        struct orr_polynomial part = {0};
        for (int k = 0; k < TERMS; k++)
            if (power_of(k, shift) == power)
                part.of[k - (power << shift)] = a->of[k];
        code = orr_polynomial_multiply(&sum, &sum, value);
        if (!code)
            code = orr_polynomial_add(&sum, &sum, 1, &part);
    }
    *out = sum;
    return code;
}

/* --- questions --- */

bool orr_polynomial_equal(const struct orr_polynomial *a, const struct orr_polynomial *b)
{
    bool equal = true;
    for (int k = 0; k < TERMS && equal; k++)
        equal = a->of[k].num == b->of[k].num && (!a->of[k].num || a->of[k].den == b->of[k].den);
    return equal;
}

/* The last term; -1: none. */
static int leading_term(const struct orr_polynomial *a)
{
    int term = TERMS - 1;
    while (term >= 0 && !a->of[term].num)
        term--;
    return term;
}

bool orr_polynomial_ratio(struct orr_rational *ratio, const struct orr_polynomial *a,
                          const struct orr_polynomial *b)
{
    int lead = leading_term(a);
    struct orr_polynomial scaled = {0};
    if (lead < 0 || lead != leading_term(b))
        return false;
    struct orr_rational over = a->of[lead], under = b->of[lead];
    int code = reduce(&scaled.of[0], (wide)over.num * under.den, (wide)over.den * under.num);
    *ratio = scaled.of[0];
    if (!code)
        code = orr_polynomial_multiply(&scaled, &scaled, b);
    if (code)
        orr_error_clear();
    return !code && orr_polynomial_equal(a, &scaled);
}

int orr_polynomial_sign(const struct orr_polynomial *a)
{
    int lead = leading_term(a);
    return lead < 0 ? 0 : a->of[lead].num > 0 ? 1 : -1;
}

bool orr_polynomial_is_number(struct orr_rational *out, const struct orr_polynomial *a)
{
    *out = a->of[0].num ? a->of[0] : (struct orr_rational){0, 1};
    return leading_term(a) <= 0;
}

/* All powers, one over the other: a digit is 0 where no term has the symbol. */
static int used_powers(const struct orr_polynomial *a)
{
    int used = 0;
    for (int k = 0; k < TERMS; k++)
        used |= a->of[k].num ? k : 0;
    return used;
}

char orr_polynomial_only_symbol(const struct orr_polynomial *a)
{
    int used = used_powers(a);
    const char *only = !used            ? ""
                       : used <= 07     ? "P"
                       : !(used & 0707) ? "N"
                       : !(used & 077)  ? "B"
                                        : "?";
    return *only;
}

/* --- printing --- */

/* A term is its place in orr_polynomial.of, a group the terms whose places differ in one digit
 * only, that of the last symbol. */
struct printer {
    FILE *to;
    bool begun;
};

/* The sign, a whole factor and symbols; a factor of 1 is left out before symbols and brackets. */
static void put_front(struct printer *p, int64_t factor, int term, bool brackets)
{
    fputs(p->begun ? (factor < 0 ? " - " : " + ") : (factor < 0 ? "-" : ""), p->to);
    p->begun = true;
    if ((!term && !brackets) || llabs(factor) != 1)
        fprintf(p->to, "%lld", llabs(factor));
    for (const char *symbol = "BNP"; *symbol; symbol++, term = term << 3 & 0777) {
        int power = term >> 6;
        if (power)
            fputc(*symbol, p->to);
        if (power > 1)
            fprintf(p->to, "^%d", power);
    }
}

static void put_divisor(const struct printer *p, int64_t den)
{
    if (den != 1)
        fprintf(p->to, "/%lld", (long long)den);
}

/* What a group has in common: its coefficients are common x whole / den. */
struct shared {
    int64_t common, den, whole[RADIX]; /* by power of the last symbol */
    int lowest, highest;               /* powers */
};

/* False when there is nothing to be shared: one term only, or numbers beyond 64 bits. */
static bool find_shared(struct shared *out, const struct orr_rational of[RADIX])
{
    *out = (struct shared){.den = 1, .lowest = RADIX};
    for (int k = RADIX - 1; k >= 0; k--) {
        struct orr_rational c = of[k];
        if (!c.num)
            continue;
        if (__builtin_mul_overflow(out->den, c.den / (int64_t)gcd(out->den, c.den), &out->den))
            return false;
        out->highest = out->lowest == RADIX ? k : out->highest;
        out->lowest = k;
    }
    for (int k = out->lowest; k <= out->highest; k++) {
        struct orr_rational c = of[k];
        if (c.num && (__builtin_mul_overflow(c.num, out->den / c.den, &out->whole[k]) ||
                      out->whole[k] == INT64_MIN))
            return false;
        out->common = (int64_t)gcd(out->common, out->whole[k]);
    }
    return out->highest > out->lowest;
}

/* `of` by power of the last symbol: the terms from `group` on, `step` places apart. */
static void put_group(struct printer *p, const struct orr_rational of[RADIX], int group, int step)
{
    struct shared s;
    if (!find_shared(&s, of) || !(group || s.lowest || s.den != 1)) {
        for (int k = RADIX - 1; k >= 0; k--)
            if (of[k].num) {
                put_front(p, of[k].num, group + k * step, false);
                put_divisor(p, of[k].den);
            }
        return;
    }
    int64_t common = (group ? s.common : 1) * (s.whole[s.highest] < 0 ? -1 : 1);
    put_front(p, common, group + s.lowest * step, true);
    struct printer inner = {p->to, false};
    fputc('(', p->to);
    for (int k = s.highest; k >= s.lowest; k--)
        if (s.whole[k])
            put_front(&inner, s.whole[k] / common, (k - s.lowest) * step, false);
    fputc(')', p->to);
    put_divisor(p, s.den);
}

static void put_groups(struct printer *p, const struct orr_polynomial *a, int step, int from,
                       int to)
{
    for (int k = from; k >= to; k--) {
        struct orr_rational of[RADIX];
        int group = k * RADIX * step;
        if (group >= TERMS)
            continue;
        for (int power = 0, at = group; power < RADIX; power++, at += step)
            of[power] = a->of[at];
        put_group(p, of, group, step);
    }
}

char *orr_polynomial_print(char *out, size_t size, const struct orr_polynomial *a)
{
    *out = '\0';
    struct printer printer = {fmemopen(out, size, "w"), false};
    if (!printer.to)
        return out;
    int used = used_powers(a), step = used & 07 ? 01 : used & 070 ? 010 : 0100;
    put_groups(&printer, a, step, 07, 01); /* of one more symbol, the later one */
    put_groups(&printer, a, step, 077, 010);
    put_groups(&printer, a, step, 0, 0);
    if (!printer.begun)
        fputc('0', printer.to);
    fclose(printer.to);
    out[size - 1] = '\0';
    return out;
}

/* --- positive real roots: between two neighbouring places where the derivative is zero a
 * polynomial is monotonic and has at most one, which bisection finds --- */

/* Real coefficients by power. */
struct curve {
    double c[ORR_MAX_ROOTS + 1];
    int degree;
};

static double value_at(const struct curve *f, double x)
{
    double sum = 0;
    for (int k = f->degree; k >= 0; k--)
        sum = sum * x + f->c[k];
    return sum;
}

/* Up to rounding errors, which the lengths of the terms measure. */
static bool is_zero(const struct curve *f, double x)
{
    double lengths = 0;
    for (int k = f->degree; k >= 0; k--)
        lengths = lengths * x + fabs(f->c[k]);
    return fabs(value_at(f, x)) <= 1e-13 * lengths;
}

static double bisect(const struct curve *f, double low, double high)
{
    bool rises = value_at(f, high) > 0;
    for (double middle = 0.5 * (low + high); middle > low && middle < high;
         middle = 0.5 * (low + high)) {
        if ((value_at(f, middle) > 0) == rises)
            high = middle;
        else
            low = middle;
    }
    return 0.5 * (low + high);
}

static int find_roots(double *out, const struct curve *f)
{
    double turns[ORR_MAX_ROOTS + 1], most = 0, low = 0;
    int count = 0;
    if (f->degree < 1)
        return 0;
    struct curve slope = {.degree = f->degree - 1};
    for (int k = 0; k < f->degree; k++) {
        slope.c[k] = (k + 1) * f->c[k + 1];
        most = fmax(most, fabs(f->c[k] / f->c[f->degree]));
    }
    int turn_count = find_roots(turns, &slope);
    turns[turn_count++] = 1 + most; /* no root is larger (Cauchy) */
    for (int k = 0; k < turn_count; low = turns[k++]) {
        double high = turns[k], root = 0;
        if (is_zero(f, high))
            root = high; /* a double one touches zero where the curve turns */
        else if (!is_zero(f, low) && (value_at(f, low) > 0) != (value_at(f, high) > 0))
            root = bisect(f, low, high);
        if (root > 0 && (!count || root > out[count - 1] * (1 + 1e-7)))
            out[count++] = root;
    }
    return count;
}

int orr_polynomial_roots(double out[ORR_MAX_ROOTS], const struct orr_polynomial *a)
{
    char symbol = orr_polynomial_only_symbol(a);
    struct curve curve = {.degree = 0};
    if (symbol == '?')
        return orr_fail(ORR_EINPUT, "roots of a polynomial in several symbols");
    int shift = shift_of(symbol), lowest = -1;
    for (int power = 0; power <= ORR_MAX_POWER && power << shift < TERMS; power++) {
        struct orr_rational c = a->of[power << shift];
        if (!c.num)
            continue;
        lowest = lowest < 0 ? power : lowest; /* roots at 0 are not positive: that power goes */
        curve.degree = power - lowest;
        if (curve.degree > ORR_MAX_ROOTS)
            return orr_fail(ORR_EINPUT, "roots of a polynomial above degree %d", ORR_MAX_ROOTS);
        curve.c[curve.degree] = orr_rational_value(c);
    }
    return find_roots(out, &curve);
}
