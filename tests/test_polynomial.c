/* Polynomials: laws over random ones, text there and back, roots against those they were made
 * of, and messages.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "error_for_tests.h"
#include "random_for_tests.h"

#include "audit/polynomial.h"

enum { SYMBOLS = 3 };
static const char *const symbols[SYMBOLS] = {"B", "N", "P"};

static struct orr_polynomial parse(const char *text)
{
    struct orr_polynomial made;
    if (orr_polynomial_parse(&made, text))
        fail_msg("%s", orr_error_text());
    return made;
}

static struct orr_polynomial add(const struct orr_polynomial *a, const struct orr_polynomial *b)
{
    struct orr_polynomial sum;
    assert_int_equal(orr_polynomial_add(&sum, a, 1, b), 0);
    return sum;
}

/* A sum of up to `terms` products of up to three symbols. */
static struct orr_polynomial random_polynomial(unsigned terms)
{
    struct orr_polynomial sum = {0};
    for (long long k = random_below(terms + 1); k > 0; k--) {
        struct orr_polynomial term, factor;
        char text[32];
        snprintf(text, sizeof text, "%d/%d", (int)random_below(2000) - 1000,
                 1 + (int)random_below(12));
        term = parse(text);
        for (long long f = random_below(4); f > 0; f--) {
            assert_int_equal(orr_polynomial_symbol(&factor, symbols[random_below(SYMBOLS)]), 0);
            assert_int_equal(orr_polynomial_multiply(&term, &term, &factor), 0);
        }
        sum = add(&sum, &term);
    }
    return sum;
}

/* Every symbol takes a whole value; the number left, which is a polynomial, too. */
static struct orr_polynomial evaluate(const struct orr_polynomial *a, const int *values)
{
    struct orr_polynomial left = *a;
    struct orr_rational number;
    for (int k = 0; k < SYMBOLS; k++) {
        struct orr_polynomial value = orr_polynomial_whole(values[k]);
        assert_int_equal(orr_polynomial_substitute(&left, &left, *symbols[k], &value), 0);
    }
    assert_true(orr_polynomial_is_number(&number, &left));
    return left;
}

static void random_values(int values[SYMBOLS])
{
    for (int k = 0; k < SYMBOLS; k++)
        values[k] = (int)random_below(41) - 20;
}

static void assert_same(const struct orr_polynomial *a, const struct orr_polynomial *b)
{
    char left[1024], right[1024];
    if (!orr_polynomial_equal(a, b))
        fail_msg("%s is not %s", orr_polynomial_print(left, sizeof left, a),
                 orr_polynomial_print(right, sizeof right, b));
}

static void what_is_printed_is_read_back(void **state)
{
    (void)state;
    for (int k = 0; k < 2000; k++) {
        struct orr_polynomial a = random_polynomial(8), b;
        char text[1024];
        orr_polynomial_print(text, sizeof text, &a);
        if (orr_polynomial_parse(&b, text))
            fail_msg("%s", orr_error_text());
        assert_same(&a, &b);
    }
}

static void sums_and_products_are_those_of_a_ring(void **state)
{
    (void)state;
    const struct orr_polynomial one = orr_polynomial_whole(1), zero = {0};
    for (int k = 0; k < 500; k++) {
        struct orr_polynomial a = random_polynomial(3), b = random_polynomial(3),
                              c = random_polynomial(2), l, r, t;
        l = add(&a, &b);
        r = add(&b, &a);
        assert_same(&l, &r);
        l = add(&l, &c);
        r = add(&b, &c);
        r = add(&a, &r);
        assert_same(&l, &r);
        orr_polynomial_multiply(&l, &a, &b);
        orr_polynomial_multiply(&r, &b, &a);
        assert_same(&l, &r);
        t = add(&b, &c);
        orr_polynomial_multiply(&l, &a, &t);
        orr_polynomial_multiply(&t, &a, &c);
        r = add(&r, &t);
        assert_same(&l, &r);
        orr_polynomial_add(&l, &a, -1, &a);
        assert_same(&l, &zero);
        orr_polynomial_multiply(&l, &a, &one);
        assert_same(&l, &a);
        orr_polynomial_multiply(&l, &a, &zero);
        assert_same(&l, &zero);
        assert_int_equal(orr_error_code(), 0);
    }
}

static void arithmetic_and_values_agree(void **state)
{
    (void)state;
    for (int k = 0; k < 500; k++) {
        struct orr_polynomial a = random_polynomial(3), b = random_polynomial(2), x, y, made, at;
        int values[SYMBOLS];
        random_values(values);
        x = evaluate(&a, values), y = evaluate(&b, values);
        made = add(&a, &b), at = evaluate(&made, values), x = add(&x, &y);
        assert_same(&at, &x);
        x = evaluate(&a, values);
        assert_int_equal(orr_polynomial_multiply(&made, &a, &b), 0);
        at = evaluate(&made, values);
        assert_int_equal(orr_polynomial_multiply(&x, &x, &y), 0);
        assert_same(&at, &x);
        /* A small polynomial in the place of P, then values: the same as its value in the place of
         * P. */
        char text[32];
        snprintf(text, sizeof text, "%lldN - %lld", random_below(10), random_below(10));
        b = parse(text);
        y = evaluate(&b, values);
        assert_int_equal(orr_polynomial_substitute(&made, &a, 'P', &b), 0);
        assert_int_equal(orr_polynomial_substitute(&x, &a, 'P', &y), 0);
        made = evaluate(&made, values), x = evaluate(&x, values);
        assert_same(&made, &x);
    }
}

static void proportions_are_found(void **state)
{
    (void)state;
    struct orr_rational ratio;
    for (int k = 0; k < 500; k++) {
        struct orr_polynomial a = random_polynomial(4), b, factor;
        int num = (int)random_below(200) - 100, den = 1 + (int)random_below(20);
        char text[32];
        snprintf(text, sizeof text, "%d/%d", num, den);
        factor = parse(text);
        assert_int_equal(orr_polynomial_multiply(&b, &factor, &a), 0);
        bool none = !num || !orr_polynomial_sign(&a);
        assert_int_equal(orr_polynomial_ratio(&ratio, &b, &a), !none);
        if (none)
            continue;
        assert_true(ratio.num * den == num * ratio.den && ratio.den > 0);
        factor = parse("B^7");
        b = add(&b, &factor);
        assert_false(orr_polynomial_ratio(&ratio, &b, &a));
    }
}

static void assert_prints(const char *text, const char *expected)
{
    char printed[256];
    struct orr_polynomial a = parse(text);
    assert_string_equal(orr_polynomial_print(printed, sizeof printed, &a), expected);
}

static void text_is_as_papers_write_it(void **state)
{
    (void)state;
    assert_prints("3*N*(P-1)/2 + 2*N", "N(3P + 1)/2");
    assert_prints("72962*P*P-138498*P", "P(72962P - 138498)");
    assert_prints("-72962P^2+138498P", "-P(72962P - 138498)");
    assert_prints("2N-BP/2", "2N - BP/2");
    assert_prints("BP^2 - N + NP", "N(P - 1) + BP^2");
    assert_prints("N(P-1)/2 - 4N + BP^2/2 - BP/2", "N(P - 9)/2 + BP(P - 1)/2");
    assert_prints("32002P", "32002P");
    assert_prints("P-1", "P - 1");
    assert_prints("P/2-1/3", "(3P - 2)/6");
    assert_prints("N-N", "0");
    assert_prints("B^2N+BN^2+B^2+N^3+N+1", "B^2(N + 1) + BN^2 + N^3 + N + 1");
    assert_prints("BP+NP+BNP+P^2-B", "NP + BNP + B(P - 1) + P^2");
}

static void symbols_are_told_apart(void **state)
{
    (void)state;
    struct orr_polynomial a = parse("BP"), b = parse("B*P"), c = parse("N^2-1"), d = parse("N"),
                          e = parse("7");
    assert_same(&a, &b);
    assert_false(orr_polynomial_equal(&c, &d));
    assert_int_equal(orr_polynomial_only_symbol(&a), '?');
    assert_int_equal(orr_polynomial_only_symbol(&c), 'N');
    assert_int_equal(orr_polynomial_only_symbol(&e), '\0');
    assert_int_equal(orr_polynomial_symbol(&a, "Nleaf"), ORR_EINPUT);
    assert_says("none of N, B and P");
}

static void roots_are_those_it_was_made_of(void **state)
{
    (void)state;
    for (int k = 0; k < 500; k++) {
        struct orr_polynomial product = orr_polynomial_whole(1 + (int)random_below(9)), factor;
        double expected[3], found[ORR_MAX_ROOTS];
        int count = 0;
        for (long long f = 1 + random_below(3); f > 0; f--) {
            int a = 1 + (int)random_below(50), b = (int)random_below(2000) - 700; /* root b / a */
            char text[64];
            snprintf(text, sizeof text, "%dP - %d + %d", a, b > 0 ? b : 0, b > 0 ? 0 : -b);
            factor = parse(text);
            assert_int_equal(orr_polynomial_multiply(&product, &product, &factor), 0);
            double root = (double)b / a;
            bool known = root <= 0;
            for (int j = 0; j < count; j++)
                known |=
                    fabs(expected[j] - root) < 1e-4 * root; /* near double ones are tested below */
            if (known && root > 0)
                goto next;
            if (!known)
                expected[count++] = root;
        }
        assert_int_equal(orr_polynomial_roots(found, &product), count);
        for (int i = 0; i < count; i++) {
            double nearest = INFINITY;
            for (int j = 0; j < count; j++)
                nearest = fmin(nearest, fabs(found[i] - expected[j]) / expected[j]);
            assert_true(nearest < 1e-6);
            assert_true(!i || found[i] > found[i - 1]);
        }
    next:;
    }
}

static int count_roots(const char *text, double *first)
{
    double roots[ORR_MAX_ROOTS] = {0};
    struct orr_polynomial a = parse(text);
    int count = orr_polynomial_roots(roots, &a);
    *first = roots[0];
    return count;
}

static void special_roots(void **state)
{
    (void)state;
    double root;
    assert_int_equal(count_roots("(P-3)^2", &root), 1);
    assert_true(fabs(root - 3) < 1e-6);
    assert_int_equal(count_roots("(P-2)^3", &root), 1);
    assert_true(fabs(root - 2) < 1e-4);
    assert_int_equal(count_roots("P^2+1", &root), 0);
    assert_int_equal(count_roots("7", &root), 0);
    assert_int_equal(count_roots("0", &root), 0);
    assert_int_equal(count_roots("P^5 - 4P^3", &root), 1); /* the common power goes */
    assert_true(fabs(root - 2) < 1e-12);
    assert_int_equal(count_roots("P(72962P-138498)", &root), 1);
    assert_true(fabs(root - 1.89822) < 1e-5);
    assert_int_equal(count_roots("P^4-1", &root), ORR_EINPUT);
    assert_says("above degree 3");
    assert_int_equal(count_roots("NP-1", &root), ORR_EINPUT);
    assert_says("several symbols");
}

static void what_does_not_fit_is_an_error(void **state)
{
    (void)state;
    struct orr_polynomial a = parse("9223372036854775807"), b = parse("4611686018427387904N/3"),
                          out;
    assert_int_equal(orr_polynomial_add(&out, &a, 1, &a), ORR_EINPUT);
    assert_says("64 bits");
    assert_int_equal(orr_polynomial_multiply(&out, &b, &b), ORR_EINPUT);
    assert_says("64 bits");
    struct orr_polynomial half = parse("1/2"), twice;
    assert_int_equal(orr_polynomial_multiply(&twice, &a, &half), 0); /* 9223372036854775807/2 */
    twice = add(&twice, &twice);
    assert_same(&twice, &a);
    for (int k = 0; k < SYMBOLS; k++) { /* beyond the bound no power spills into another symbol's */
        char text[16];
        snprintf(text, sizeof text, "%s^4", symbols[k]);
        a = parse(text);
        assert_int_equal(orr_polynomial_multiply(&out, &a, &a), ORR_EINPUT);
        assert_says("a power is above 7");
    }
    assert_prints("B^7N^7P^7 + (B+N+P)^0", "B^7N^7P^7 + 1");
}

static void assert_malformed(const char *text, int column, const char *expected)
{
    struct orr_polynomial out;
    char place[32];
    assert_int_equal(orr_polynomial_parse(&out, text), ORR_EINPUT);
    snprintf(place, sizeof place, "column %d", column);
    if (!strstr(orr_error_text(), place) || !strstr(orr_error_text(), expected))
        fail_msg("'%s' is not %s: %s", orr_error_text(), place, expected);
    orr_error_clear();
}

static void malformed_text_names_its_column(void **state)
{
    (void)state;
    assert_malformed("", 1, "expected a number, a symbol or '('");
    assert_malformed("3N(P-1", 7, "expected ')', but the text ends");
    assert_malformed("3N(P-1))", 8, "expected '+', '-', '*' or '/', but there is ')'");
    assert_malformed("N/P", 3, "a number other than 0 to divide by");
    assert_malformed("N / (3 - 3)", 5, "a number other than 0 to divide by");
    assert_malformed("N^", 3, "whole number as power");
    assert_malformed("N^P", 3, "whole number as power");
    assert_malformed("N + * 2", 5, "there is '*'");
    assert_malformed("2 N 3", 5, "there is '3'");
    assert_malformed("N # 2", 3, "there is '#'");
    assert_malformed("N^8", 1, "a power is above 7");
    assert_malformed("1 + B^4*B^4", 8, "a power is above 7");
    assert_malformed("1 + 99999999999999999999", 5, "64 bits");
    assert_malformed("2Nleaf", 2, "the symbol 'Nleaf' is none of N, B and P");
    char deep[128] = "";
    for (int k = 0; k < 60; k++)
        strcat(deep, "(");
    assert_malformed(deep, 33, "fewer brackets");
}

#define TEST(name) cmocka_unit_test_setup(name, begin)
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_is_printed_is_read_back),   TEST(sums_and_products_are_those_of_a_ring),
        TEST(arithmetic_and_values_agree),    TEST(proportions_are_found),
        TEST(text_is_as_papers_write_it),     TEST(symbols_are_told_apart),
        TEST(roots_are_those_it_was_made_of), TEST(special_roots),
        TEST(what_does_not_fit_is_an_error),  TEST(malformed_text_names_its_column),
    };
    print_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
