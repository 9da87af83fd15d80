#include "audit/polynomial.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

enum { TERMS = ORR_POLYNOMIAL_TERMS, RADIX = ORR_MAX_POWER + 1, MAX_DEPTH = 32 };
static const char symbols[] = "PNB"; /* from the lowest digit of a term on */

static int shift_of(char symbol)
{
    return 3 * (int)(strchr(symbols, symbol) - symbols);
}

/* --- rational numbers --- */

__extension__ typedef __int128 wide; /* holds a sum of two products of 64 bits */

static wide gcd(wide a, wide b)
{
    return b ? gcd(b, a % b) : a < 0 ? -a : a;
}

static int reduce(struct orr_rational *out, wide num, wide den)
{
    wide common = den < 0 ? -gcd(num, den) : gcd(num, den);
    num /= common;
    den /= common;
    /* The lowest number is left out, so that every sign can be turned round. */
    if (num > INT64_MAX || num < -INT64_MAX || den > INT64_MAX)
        return orr_fail(ORR_EINPUT, "a coefficient is too large for 64 bits");
    *out = (struct orr_rational){(int64_t)num, (int64_t)den};
    return 0;
}

/* sum += a b */
static int accumulate(struct orr_rational *sum, struct orr_rational a, struct orr_rational b)
{
    struct orr_rational product;
    int code = reduce(&product, (wide)a.num * b.num, (wide)a.den * b.den);
    if (code)
        return code;
    wide den = sum->num ? sum->den : 1;
    return reduce(sum, (wide)sum->num * product.den + product.num * den, den * product.den);
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
    int code = 0;
    for (int k = 0; k < TERMS && !code; k++) {
        struct orr_rational sum = a->of[k];
        if (b->of[k].num)
            code = accumulate(&sum, (struct orr_rational){factor, 1}, b->of[k]);
        out->of[k] = sum;
    }
    return code;
}

/* The last term; -1: none. */
static int leading_term(const struct orr_polynomial *a)
{
    int term = TERMS - 1;
    while (term >= 0 && !a->of[term].num)
        term--;
    return term;
}

int orr_polynomial_multiply(struct orr_polynomial *out, const struct orr_polynomial *a,
                            const struct orr_polynomial *b)
{
    struct orr_polynomial product = {0};
    const int last_of_a = leading_term(a), last_of_b = leading_term(b);
    int code = 0;
    for (int i = 0; i <= last_of_a && !code; i++)
        for (int j = 0; a->of[i].num && j <= last_of_b && !code; j++) {
            if (!b->of[j].num)
                continue;
            if (((i + j) ^ i ^ j) & 01110) /* a digit carried */
                return orr_fail(ORR_EINPUT, "a power is above %d", ORR_MAX_POWER);
            code = accumulate(&product.of[i + j], a->of[i], b->of[j]);
        }
    *out = product;
    return code;
}

/* All powers, one over the other: a digit is 0 where no term has the symbol. */
static int used_powers(const struct orr_polynomial *a)
{
    int used = 0;
    for (int k = 0; k < TERMS; k++)
        used |= a->of[k].num ? k : 0;
    return used;
}

int orr_polynomial_substitute(struct orr_polynomial *out, const struct orr_polynomial *a,
                              char symbol, const struct orr_polynomial *value)
{
    const struct orr_rational one = {1, 1};
    struct orr_polynomial sum = {0};
    int shift = shift_of(symbol), code = 0;
    const int highest = used_powers(a) >> shift & ORR_MAX_POWER; /* or a little above */
    for (int power = highest; power >= 0 && !code; power--) {    /* Horner's rule */
        code = orr_polynomial_multiply(&sum, &sum, value);
        for (int k = 0; k < TERMS && !code; k++)
            if (a->of[k].num && (k >> shift & ORR_MAX_POWER) == power)
                code = accumulate(&sum.of[k - (power << shift)], a->of[k], one);
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
    if (code || orr_polynomial_multiply(&scaled, &scaled, b)) {
        orr_error_clear();
        return false;
    }
    return orr_polynomial_equal(a, &scaled);
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

char orr_polynomial_only_symbol(const struct orr_polynomial *a)
{
    int used = used_powers(a);
    for (int k = 0; k < 3; k++)
        if (!(used & ~(07 << 3 * k)))
            return symbols[used ? k : 3]; /* of none: '\0' */
    return '?';
}

/* --- from text, by recursive descent --- */

/* After the first error there is nothing more to read. */
struct reader {
    const char *text, *at;
    int depth, code; /* open brackets; of the first error */
};

static char peek(struct reader *r)
{
    r->at += strspn(r->at, " \t");
    return *(r->code ? "" : r->at);
}

/* Takes the next character if it is one of `any`; '\0' if not. */
static char take(struct reader *r, const char *any)
{
    char next = peek(r);
    if (!next || !strchr(any, next))
        return '\0';
    r->at++;
    return next;
}

/* Puts the place before the message of the first error. */
static void blame(struct reader *r, const char *place, int code)
{
    if (!code || r->code)
        return;
    orr_error_context("'%s' column %zu", r->text, (size_t)(place - r->text) + 1);
    r->code = code;
}

static void expected(struct reader *r, const char *what)
{
    char found = peek(r), shown[32] = "the text ends";
    if (found)
        snprintf(shown, sizeof shown, "there is '%c'", found);
    blame(r, r->at, orr_fail(ORR_EINPUT, "expected %s, but %s", what, shown));
}

/* At a digit. */
static int64_t read_number(struct reader *r)
{
    const char *from = r->at;
    char *end;
    errno = 0;
    int64_t number = strtoll(from, &end, 10);
    r->at = end;
    if (errno)
        blame(r, from, orr_fail(ORR_EINPUT, "the number is too large for 64 bits"));
    return number;
}

static void read_sum(struct reader *r, struct orr_polynomial *out);

static void read_primary(struct reader *r, struct orr_polynomial *out)
{
    char next = peek(r), name[32];
    const char *from = r->at;
    if (isdigit((unsigned char)next)) {
        *out = orr_polynomial_whole(read_number(r));
    } else if (isalpha((unsigned char)next)) {
        /* What follows a letter in a name: "BP" is B times P, "Nleaf" one name. */
        r->at += 1 + strspn(r->at + 1, "abcdefghijklmnopqrstuvwxyz0123456789_");
        snprintf(name, sizeof name, "%.*s", (int)(r->at - from), from);
        blame(r, from, orr_polynomial_symbol(out, name));
    } else if (next != '(') {
        expected(r, "a number, a symbol or '('");
    } else if (++r->depth > MAX_DEPTH) {
        expected(r, "fewer brackets inside each other");
    } else {
        r->at++;
        read_sum(r, out);
        r->depth--;
        if (!take(r, ")"))
            expected(r, "')'");
    }
}

static void read_power(struct reader *r, struct orr_polynomial *out)
{
    const char *from = r->at;
    struct orr_polynomial base = {0};
    int64_t power = 1;
    read_primary(r, &base);
    if (take(r, "^")) {
        if (isdigit((unsigned char)peek(r)))
            power = read_number(r);
        else
            expected(r, "a whole number as power");
    }
    if (power > ORR_MAX_POWER)
        blame(r, from, orr_fail(ORR_EINPUT, "a power is above %d", ORR_MAX_POWER));
    *out = orr_polynomial_whole(1);
    for (; power > 0 && !r->code; power--)
        blame(r, from, orr_polynomial_multiply(out, out, &base));
}

static void read_product(struct reader *r, struct orr_polynomial *out)
{
    char sign;
    read_power(r, out);
    while ((sign = take(r, "*/")) || peek(r) == '(' || isalpha((unsigned char)peek(r))) {
        const char *from = r->at - (sign == '*');
        struct orr_polynomial factor;
        struct orr_rational number;
        if (sign == '/')
            peek(r);
        const char *place = r->at;
        read_power(r, &factor);
        if (sign == '/' && (!orr_polynomial_is_number(&number, &factor) || !number.num)) {
            r->at = place;
            expected(r, "a number other than 0 to divide by");
        } else if (sign == '/') {
            factor = (struct orr_polynomial){{{number.den, number.num}}};
        }
        if (!r->code)
            blame(r, from, orr_polynomial_multiply(out, out, &factor));
    }
}

static void read_sum(struct reader *r, struct orr_polynomial *out)
{
    char sign = take(r, "+-");
    *out = (struct orr_polynomial){0};
    do {
        const char *from = r->at;
        struct orr_polynomial part;
        read_product(r, &part);
        if (!r->code)
            blame(r, from, orr_polynomial_add(out, out, sign == '-' ? -1 : 1, &part));
    } while ((sign = take(r, "+-")));
}

int orr_polynomial_parse(struct orr_polynomial *out, const char *text)
{
    struct reader reader = {.text = text, .at = text};
    read_sum(&reader, out);
    if (peek(&reader))
        expected(&reader, "'+', '-', '*' or '/'");
    return reader.code;
}

/* --- to text --- */

/* Appends "- 3N(P - 1)/2"; a factor of 1 is left out before symbols and brackets. */
static void put_term(char *out, size_t size, struct orr_rational c, int term, const char *brackets)
{
    char number[24] = "", powers[16], *end = powers, divisor[24] = "";
    if ((!term && !*brackets) || llabs(c.num) != 1)
        snprintf(number, sizeof number, "%lld", llabs(c.num));
    for (const char *symbol = "BNP"; *symbol; symbol++, term = term << 3 & 0777) {
        int power = term >> 6;
        if (power)
            *end++ = *symbol;
        if (power > 1)
            *end++ = '^', *end++ = (char)('0' + power);
    }
    *end = '\0';
    if (c.den != 1)
        snprintf(divisor, sizeof divisor, "/%lld", (long long)c.den);
    const char *sign = *out ? (c.num < 0 ? " - " : " + ") : (c.num < 0 ? "-" : "");
    size_t used = strlen(out);
    snprintf(out + used, size - used, *brackets ? "%s%s%s(%s)%s" : "%s%s%s%s%s", sign, number,
             powers, brackets, divisor);
}

/* A group is the terms whose places differ in one digit only, that of the last symbol, `step`
 * places apart from `group` on. Its coefficients are whole multiples of common / den. One term
 * shares nothing; numbers beyond 64 bits neither. */
static void put_group(char *out, size_t size, const struct orr_polynomial *a, int group, int step)
{
    struct orr_rational of[RADIX];
    char inner[256] = "";
    wide common = 0;
    int64_t den = 1;
    int lowest = RADIX, highest = 0;
    bool fits = true;
    for (int k = RADIX - 1; k >= 0; k--) {
        of[k] = a->of[group + k * step];
        if (!of[k].num)
            continue;
        highest = lowest == RADIX ? k : highest;
        lowest = k;
        common = gcd(common, of[k].num);
        int64_t more = of[k].den / (int64_t)gcd(den, of[k].den);
        fits = fits && !__builtin_mul_overflow(den, more, &den);
    }
    bool shared = fits && highest > lowest && (group || lowest || den != 1);
    for (int k = 0; k < RADIX && shared; k++)
        shared = !of[k].num || (wide)llabs(of[k].num) * (den / of[k].den) <= INT64_MAX;
    common = (group ? common : 1) * (of[highest].num < 0 ? -1 : 1);
    for (int k = RADIX - 1; k >= 0; k--) {
        struct orr_rational c = of[k];
        if (c.num && !shared)
            put_term(out, size, c, group + k * step, "");
        if (c.num && shared) {
            c = (struct orr_rational){(int64_t)((wide)c.num * (den / c.den) / common), 1};
            put_term(inner, sizeof inner, c, (k - lowest) * step, "");
        }
    }
    if (shared)
        put_term(out, size, (struct orr_rational){(int64_t)common, den}, group + lowest * step,
                 inner);
}

char *orr_polynomial_print(char *out, size_t size, const struct orr_polynomial *a)
{
    int used = used_powers(a), step = used & 07 ? 01 : used & 070 ? 010 : 0100;
    *out = '\0';
    for (int n = 1; n <= 64; n++) { /* groups of one more symbol, the later one, come first */
        int group = RADIX * step * (n < 8 ? 8 - n : n < 64 ? 71 - n : 0);
        if (group < TERMS)
            put_group(out, size, a, group, step);
    }
    if (!used && !a->of[0].num)
        snprintf(out, size, "0");
    return out;
}

/* --- positive real roots --- */

/* Sign of a polynomial, coefficients by power; values up to `slack` times the sum of the lengths
 * of the terms are 0. */
static int sign_at(const double *c, int degree, double x, double slack)
{
    double sum = 0, lengths = 0;
    for (int k = degree; k >= 0; k--) {
        sum = sum * x + c[k];
        lengths = lengths * x + fabs(c[k]);
    }
    return (sum > slack * lengths) - (sum < -slack * lengths);
}

/* Between two neighbouring places where the derivative is zero a polynomial is monotonic and has
 * at most one root, which bisection finds. */
static int find_roots(double *out, const double *c, int degree)
{
    const double rounding = 1e-13;
    double slope[ORR_MAX_ROOTS], turns[ORR_MAX_ROOTS + 1], most = 0, start = 0;
    int count = 0;
    if (degree < 1)
        return 0;
    for (int k = 0; k < degree; k++) {
        slope[k] = (k + 1) * c[k + 1];
        most = fmax(most, fabs(c[k] / c[degree]));
    }
    int turn_count = find_roots(turns, slope, degree - 1);
    turns[turn_count++] = 1 + most; /* no root is larger (Cauchy) */
    for (int k = 0; k < turn_count; start = turns[k++]) {
        double low = start, high = turns[k], root = 0;
        int before = sign_at(c, degree, low, rounding), after = sign_at(c, degree, high, rounding);
        if (!after)
            root = high; /* a double one touches zero where the curve turns */
        while (before * after < 0) {
            root = 0.5 * (low + high);
            if (root <= low || root >= high)
                break;
            bool above = sign_at(c, degree, root, 0) > 0;
            *(above == (after > 0) ? &high : &low) = root;
        }
        if (root > 0 && (!count || root > out[count - 1] * (1 + 1e-7)))
            out[count++] = root;
    }
    return count;
}

int orr_polynomial_roots(double out[ORR_MAX_ROOTS], const struct orr_polynomial *a)
{
    double c[ORR_MAX_ROOTS + 1] = {0};
    char symbol = orr_polynomial_only_symbol(a);
    if (symbol == '?')
        return orr_fail(ORR_EINPUT, "roots of a polynomial in several symbols");
    int shift = shift_of(symbol), lowest = -1, degree = 0;
    for (int power = 0; power <= ORR_MAX_POWER && power << shift < TERMS; power++) {
        struct orr_rational term = a->of[power << shift];
        if (!term.num)
            continue;
        lowest = lowest < 0 ? power : lowest; /* roots at 0 are not positive: that power goes */
        degree = power - lowest;
        if (degree > ORR_MAX_ROOTS)
            return orr_fail(ORR_EINPUT, "roots of a polynomial above degree %d", ORR_MAX_ROOTS);
        c[degree] = orr_rational_value(term);
    }
    return find_roots(out, c, degree);
}
