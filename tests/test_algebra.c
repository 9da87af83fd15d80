/* SPDX-License-Identifier: MIT */
/* Formulas: laws over random ones, text there and back, values, and messages. */
#include "tests/cases.h"
#include "random_for_tests.h"

#include "audit/audit.h"
#include "ledger/ledger.h"

enum { SYMBOLS = 3 };
static const char *const symbols[SYMBOLS] = {"B", "N", "P"};
static struct orr_ledger ledger;

static int offer(void **state)
{
    return orr_ledger_open(&ledger) || orr_algebra_offer(&ledger);
}

static int close_ledger(void **state)
{
    orr_ledger_close(&ledger);
    return 0;
}

/* The text that a query gives of these, the second NULL where it has one; "" for NULL. */
static const char *text_of(const char *sql, const char *f, const char *g)
{
    RELEASED_BY(end_query) sqlite3_stmt *row;
    assert_done(orr_ledger_query(&row, &ledger, sql, g ? "ss" : "s", f, g));
    assert_int_equal(orr_ledger_next(row, &ledger), 1);
    return filled("%s", orr_ledger_text(row, 0));
}

/* As a formula is printed. */
static const char *formula(const char *text)
{
    return text_of("SELECT formula(?)", text, NULL);
}
#define FORMULA(...) formula(filled(__VA_ARGS__))

/* A sum of up to `terms` products of up to three symbols. */
static const char *random_formula(unsigned terms)
{
    const char *out = "0";
    for (long long k = random_below(terms + 1); k > 0; k--) {
        out = filled("%s%+d", out, (int)random_below(2000) - 1000);
        for (long long f = random_below(4); f > 0; f--)
            out = filled("%s%s", out, symbols[random_below(SYMBOLS)]);
        out = filled("%s/%d", out, 1 + (int)random_below(12));
    }
    return out;
}

static double ask(const char *sql, const char *f, const char *g)
{
    double number;
    assert_done(orr_ledger_numbers(&number, 1, &ledger, sql, g ? "ss" : "s", f, g) != 1);
    return number;
}

TEST(what_is_printed_is_read_back)
{
    for (int k = 0; k < 2000; k++) {
        const char *once = formula(random_formula(8));
        assert_string_equal(formula(once), once);
    }
}

TEST(sums_and_products_are_those_of_a_ring)
{
    for (int k = 0; k < 500; k++) {
        const char *a = random_formula(3), *b = random_formula(3), *c = random_formula(2);
        assert_string_equal(FORMULA("%s+(%s)", a, b), FORMULA("%s+(%s)", b, a));
        assert_string_equal(FORMULA("(%s+(%s))+(%s)", a, b, c), FORMULA("%s+(%s+(%s))", a, b, c));
        assert_string_equal(FORMULA("(%s)(%s)", a, b), FORMULA("(%s)*(%s)", b, a));
        assert_string_equal(FORMULA("(%s)(%s+(%s))", a, b, c),
                            FORMULA("(%s)(%s)+(%s)(%s)", a, b, a, c));
        assert_string_equal(FORMULA("%s-(%s)", a, a), "0");
        assert_string_equal(FORMULA("(%s)*1", a), formula(a));
        assert_string_equal(FORMULA("(%s)*0", a), "0");
    }
}

/* Both sides are sums of at most a few dozen terms, each with an error of an ulp or two. */
TEST(arithmetic_and_values_agree)
{
    static const char value[] = "SELECT formula_value(?, 7, 11, 2)",
                      both[] = "SELECT formula_value(?, 7, 11, 2) * formula_value(?, 7, 11, 2)";
    for (int k = 0; k < 500; k++) {
        const char *a = random_formula(3), *b = random_formula(2), *put = "";
        const char *product = filled("(%s)(%s)", a, b);
        const double expected = ask(both, a, b);
        assert_true(fabs(ask(value, product, NULL) - expected) <= 1e-12 * fabs(expected));
        for (const char *at = a; *at; at++) /* values in the place of symbols: B of level 2 is 84 */
            put = filled("%s%s", put,
                         *at == 'N'   ? "(7)"
                         : *at == 'P' ? "(11)"
                         : *at == 'B' ? "(84)"
                                      : (char[]){*at, '\0'});
        assert_true(ask(value, put, NULL) == ask(value, a, NULL));
    }
    assert_true(ask("SELECT formula_value(?, 1, 1, 0)", "9007199254740993", NULL) > 9e15);
}

TEST(proportions_are_found)
{
    for (int k = 0; k < 500; k++) {
        const char *a = random_formula(4);
        int num = (int)random_below(200) - 100, den = 1 + (int)random_below(20);
        const char *b = filled("%s(%s)(%d)/%d", num < 0 ? "-" : "", a, abs(num), den);
        bool none = !num || !strcmp(formula(a), "0");
        assert_int_equal(ask("SELECT formula_ratio(?, ?) NOT NULL", b, a), !none);
        if (none)
            continue;
        const char *ratio = text_of("SELECT formula_ratio(?, ?)", b, a);
        assert_non_null(strchr(ratio, '/'));
        assert_string_equal(formula(ratio), FORMULA("%s%d/%d", num < 0 ? "-" : "", abs(num), den));
        assert_false(ask("SELECT formula_ratio(?, ?) NOT NULL", filled("%s+B^7", b), a));
    }
}

static void assert_prints(const char *text, const char *expected)
{
    assert_string_equal(formula(text), expected);
}

TEST(text_is_as_papers_write_it)
{
    assert_prints("3*N*(P-1)/2 + 2*N", "N(3P + 1)/2");
    assert_prints("72962*P*P-138498*P", "P(72962P - 138498)");
    assert_prints("-72962P^2+138498P", "-P(72962P - 138498)");
    assert_prints("2N-BP/2", "2N - BP/2");
    assert_prints("BP^2 - N + NP", "N(P - 1) + BP^2");
    assert_prints("N(P-1)/2 - 4N + BP^2/2 - BP/2", "N(P - 9)/2 + BP(P - 1)/2");
    assert_prints("32002P", "32002P");
    assert_prints("P-1", "P - 1");
    assert_prints("N-P-1", "N - P - 1");
    assert_prints("P/2-1/3", "(3P - 2)/6");
    assert_prints("N-N", "0");
    assert_prints("B^2N+BN^2+B^2+N^3+N+1", "B^2(N + 1) + BN^2 + N^3 + N + 1");
    assert_prints("BP+NP+BNP+P^2-B", "NP + BNP + B(P - 1) + P^2");
    assert_prints("(P-3)^2", "P^2 - 6P + 9");
    assert_prints("-N^2", "-N^2");
    assert_prints("B^7N^7P^7 + (B+N+P)^0", "B^7N^7P^7 + 1");
    assert_prints("1 + 99999999999999999999", "100000000000000000000");
}

static void assert_malformed(const char *text, const char *expected)
{
    const char *fault = text_of("SELECT formula_fault(?)", text, NULL);
    if (!strstr(fault, expected))
        fail_msg("'%s' does not say %s", fault, expected);
}

TEST(malformed_text_is_refused)
{
    static const char *const texts[] = {"",    "3N(P-1", "3N(P-1))", "N + * 2", "2 N 3",
                                        "2 3", "N3",     "()",       "((((((("};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        assert_malformed(texts[k], "is no formula");
    assert_malformed("N^", "column 2: a power is a digit");
    assert_malformed("N//2", "column 3: expected a number other than 0");
    assert_malformed("N/P", "column 3: expected a number other than 0 to divide by");
    assert_malformed("N/0", "column 3: expected a number other than 0");
    assert_malformed("N / (3 - 3)", "column 5: expected a number other than 0");
    assert_malformed("N^P", "column 2: a power is a digit up to 7");
    assert_malformed("N^8", "column 2: a power is a digit");
    assert_malformed("N^12", "column 2: a power is a digit");
    assert_malformed("N^2^2", "column 4: a power is a digit up to 7, of what holds no power");
    assert_malformed("((B+N+P)^7)^7", "column 12: a power");
    assert_malformed("(((9^7)^7)^7)^7", "column 8: a power");
    assert_malformed("N # 2", "column 3: a formula is of numbers, N, B and P");
    assert_malformed("2Nleaf", "column 3: a formula is of numbers, N, B and P");
}

RUN_TESTS(offer, close_ledger)
