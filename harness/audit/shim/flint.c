/* SPDX-License-Identifier: MIT */
/* liborrery_flint.so: the verbs of audit/flint.h. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <flint/fmpq_mpoly.h>

#include "audit/flint.h"

enum { SYMBOLS = 3 };
static const char *names[SYMBOLS] = {"B", "N", "P"}; /* the first one leads */
static fmpq_mpoly_ctx_t ring;

/* "72962P - 138498": FLINT's text, without each `*` and the first sign. */
static void print_plain(FILE *to, const fmpq_mpoly_t a)
{
    char *text = fmpq_mpoly_get_str_pretty(a, names, ring);
    for (const char *at = text + (*text == '-'); *at; at++)
        if (strchr("+-", *at))
            fprintf(to, " %c ", *at);
        else if (!strchr("* ", *at))
            fputc(*at, to);
    flint_free(text);
}

/* "- 3N(P - 1)/2": terms with what they share before brackets. In a group of terms `alone`, of one
 * symbol, whole coefficients stay inside. */
static void print_group(FILE *to, const fmpq_mpoly_t group, bool alone)
{
    const bool several = fmpq_mpoly_length(group, ring) > 1;
    fmpq_mpoly_t shared, inside;
    fmpq_t c;
    if (fmpq_mpoly_is_zero(group, ring))
        return;
    fmpq_init(c);
    fmpq_mpoly_init(shared, ring);
    fmpq_mpoly_init(inside, ring);
    fmpq_mpoly_term_content(shared, group, ring);
    fmpq_mpoly_divides(inside, group, shared, ring);
    fmpq_set(c, inside->content);
    fmpq_one(inside->content);
    const bool negative = fmpq_sgn(c) < 0, pure = fmpq_mpoly_is_one(shared, ring);
    fputs(ftell(to) > 0 ? (negative ? " - " : " + ") : negative ? "-" : "", to);
    fmpq_abs(c, c);
    const bool inner = several && alone, open = inner && pure && fmpz_is_one(fmpq_denref(c));
    if (inner)
        fmpz_swap(fmpq_numref(inside->content), fmpq_numref(c));
    if (open && negative)
        fmpq_mpoly_neg(inside, inside, ring);
    if (!inner && (!fmpz_is_one(fmpq_numref(c)) || (pure && !several)))
        fmpz_fprint(to, fmpq_numref(c));
    if (!pure)
        print_plain(to, shared);
    if (several) {
        fputs(open ? "" : "(", to);
        print_plain(to, inside);
        fputs(open ? "" : ")", to);
    }
    if (!fmpz_is_one(fmpq_denref(c))) {
        fputc('/', to);
        fmpz_fprint(to, fmpq_denref(c));
    }
    fmpq_clear(c);
    fmpq_mpoly_clear(shared, ring);
    fmpq_mpoly_clear(inside, ring);
}

/* A group for all powers of the symbols before the last one. Those of N come first, then those of
 * B, and a group without either last. */
static char *print_polynomial(const fmpq_mpoly_t a)
{
    char *text = NULL;
    size_t size;
    slong most[SYMBOLS], last = SYMBOLS - 1, leading[] = {0, 1};
    FILE *to = open_memstream(&text, &size);
    fmpq_mpoly_t group, outside;
    fmpq_t one;
    fmpq_init(one);
    fmpq_one(one);
    fmpq_mpoly_init(group, ring);
    fmpq_mpoly_init(outside, ring);
    fmpq_mpoly_degrees_si(most, a, ring);
    while (last > 0 && most[last] <= 0)
        last--;
    for (int pass = 0; pass < 3; pass++)
        for (slong b = last > 0 ? most[0] : 0; b >= 0; b--)
            for (slong n = last > 1 ? most[1] : 0; n >= 0; n--) {
                const ulong powers[SYMBOLS] = {(ulong)b, (ulong)n};
                if (pass != (b ? 1 : n ? 0 : 2))
                    continue;
                fmpq_mpoly_get_coeff_vars_ui(group, a, leading, powers, last, ring);
                fmpq_mpoly_zero(outside, ring);
                fmpq_mpoly_set_coeff_fmpq_ui(outside, one, powers, ring);
                fmpq_mpoly_mul(group, group, outside, ring);
                print_group(to, group, !b && !n);
            }
    if (fmpq_mpoly_is_zero(a, ring))
        fputc('0', to);
    fclose(to);
    fmpq_mpoly_clear(group, ring);
    fmpq_mpoly_clear(outside, ring);
    fmpq_clear(one);
    return text;
}

static char *print(const char *formula)
{
    fmpq_mpoly_t a;
    fmpq_mpoly_init(a, ring);
    char *text = fmpq_mpoly_set_str_pretty(a, formula, names, ring) ? NULL : print_polynomial(a);
    fmpq_mpoly_clear(a, ring);
    return text;
}

/* Without their contents, whose sign is that of the leading coefficient, the two are one. */
static char *ratio(const char *f, const char *g)
{
    char *text = NULL;
    size_t size;
    fmpq_mpoly_t a, b;
    fmpq_mpoly_init(a, ring);
    fmpq_mpoly_init(b, ring);
    if (!fmpq_mpoly_set_str_pretty(a, f, names, ring) &&
        !fmpq_mpoly_set_str_pretty(b, g, names, ring)) {
        FILE *to = open_memstream(&text, &size);
        if (!fmpq_mpoly_is_zero(a, ring) && fmpz_mpoly_equal(a->zpoly, b->zpoly, ring->zctx)) {
            fmpq_div(a->content, a->content, b->content);
            fmpz_fprint(to, fmpq_numref(a->content));
            fputc('/', to);
            fmpz_fprint(to, fmpq_denref(a->content));
        }
        fclose(to);
    }
    fmpq_mpoly_clear(a, ring);
    fmpq_mpoly_clear(b, ring);
    return text;
}

extern const struct orr_flint orr_flint;
__attribute__((visibility("default")))
const struct orr_flint orr_flint = {sizeof orr_flint, print, ratio};

__attribute__((constructor)) static void make_ring(void)
{
    fmpq_mpoly_ctx_init(ring, SYMBOLS, ORD_LEX);
}
