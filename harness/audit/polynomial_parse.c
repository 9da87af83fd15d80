/* From text to polynomials, by recursive descent. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "audit/polynomial.h"
#include "error.h"

enum { MAX_DEPTH = 32 };

struct reader {
    const char *text, *at;
    int depth; /* open brackets */
};

static char peek(struct reader *r)
{
    while (*r->at == ' ' || *r->at == '\t')
        r->at++;
    return *r->at;
}

static int expected(struct reader *r, const char *what)
{
    char found = peek(r), shown[32] = "the text ends";
    if (found)
        snprintf(shown, sizeof shown, "there is '%c'", found);
    return orr_fail(ORR_EINPUT, "'%s' column %zu: expected %s, but %s", r->text,
                    (size_t)(r->at - r->text) + 1, what, shown);
}

/* Puts the place before a message of the arithmetic. */
static int blame(const struct reader *r, const char *from, int code)
{
    if (code)
        orr_error_context("'%s' column %zu", r->text, (size_t)(from - r->text) + 1);
    return code;
}

static int read_number(struct reader *r, int64_t *out)
{
    const char *from = r->at;
    *out = 0;
    for (; isdigit((unsigned char)*r->at); r->at++)
        if (__builtin_mul_overflow(*out, 10, out) ||
            __builtin_add_overflow(*out, *r->at - '0', out))
            return blame(r, from, orr_fail(ORR_EINPUT, "the number is too large for 64 bits"));
    return 0;
}

/* Lower-case letters, digits and underscores belong to the letter before them: "BP" is B times P,
 * "Nleaf" one name. */
static int read_symbol(struct reader *r, struct orr_polynomial *out)
{
    const char *from = r->at++;
    char name[32];
    while (islower((unsigned char)*r->at) || isdigit((unsigned char)*r->at) || *r->at == '_')
        r->at++;
    snprintf(name, sizeof name, "%.*s", (int)(r->at - from), from);
    return blame(r, from, orr_polynomial_symbol(out, name));
}

static int read_sum(struct reader *r, struct orr_polynomial *out);

static int read_primary(struct reader *r, struct orr_polynomial *out)
{
    char next = peek(r);
    int64_t number;
    int code;
    if (isdigit((unsigned char)next)) {
        code = read_number(r, &number);
        *out = orr_polynomial_whole(number);
        return code;
    }
    if (isalpha((unsigned char)next))
        return read_symbol(r, out);
    if (next != '(')
        return expected(r, "a number, a symbol or '('");
    if (++r->depth > MAX_DEPTH)
        return expected(r, "fewer brackets inside each other");
    r->at++;
    code = read_sum(r, out);
    if (code)
        return code;
    if (peek(r) != ')')
        return expected(r, "')'");
    r->at++;
    r->depth--;
    return 0;
}

static int read_power(struct reader *r, struct orr_polynomial *out)
{
    const char *from = r->at;
    struct orr_polynomial base;
    int64_t power = 1;
    int code = read_primary(r, &base);
    if (!code && peek(r) == '^') {
        r->at++;
        if (!isdigit((unsigned char)peek(r)))
            return expected(r, "a whole number as power");
        code = read_number(r, &power);
        if (!code && power > ORR_MAX_POWER)
            code = blame(r, from, orr_fail(ORR_EINPUT, "a power is above %d", ORR_MAX_POWER));
    }
    *out = orr_polynomial_whole(1);
    for (; power > 0 && !code; power--)
        code = blame(r, from, orr_polynomial_multiply(out, out, &base));
    return code;
}

static int read_divisor(struct reader *r, struct orr_polynomial *out)
{
    const char *from = r->at;
    struct orr_polynomial divisor;
    struct orr_rational number;
    peek(r);
    const char *at = r->at;
    int code = read_power(r, &divisor);
    if (code)
        return code;
    if (!orr_polynomial_is_number(&number, &divisor) || !number.num) {
        r->at = at;
        return expected(r, "a number other than 0 to divide by");
    }
    divisor.of[0] = (struct orr_rational){number.den, number.num};
    return blame(r, from, orr_polynomial_multiply(out, out, &divisor));
}

static int read_product(struct reader *r, struct orr_polynomial *out)
{
    int code = read_power(r, out);
    while (!code &&
           (peek(r) == '*' || *r->at == '/' || *r->at == '(' || isalpha((unsigned char)*r->at))) {
        const char *from = r->at;
        struct orr_polynomial factor;
        bool divides = *r->at == '/';
        r->at += divides || *r->at == '*';
        code = divides ? read_divisor(r, out) : read_power(r, &factor);
        if (!code && !divides)
            code = blame(r, from, orr_polynomial_multiply(out, out, &factor));
    }
    return code;
}

static int read_sum(struct reader *r, struct orr_polynomial *out)
{
    char sign = peek(r);
    int code = 0;
    *out = (struct orr_polynomial){0};
    if (sign == '+' || sign == '-')
        r->at++;
    do {
        const char *from = r->at;
        struct orr_polynomial part;
        code = read_product(r, &part);
        if (!code)
            code = blame(r, from, orr_polynomial_add(out, out, sign == '-' ? -1 : 1, &part));
        sign = peek(r);
    } while (!code && (sign == '+' || sign == '-') && r->at++);
    return code;
}

int orr_polynomial_parse(struct orr_polynomial *out, const char *text)
{
    struct reader reader = {.text = text, .at = text};
    int code = read_sum(&reader, out);
    if (!code && peek(&reader))
        code = expected(&reader, "'+', '-', '*' or '/'");
    return code;
}
