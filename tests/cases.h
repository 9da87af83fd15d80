/* SPDX-License-Identifier: MIT */
/* What nearly every test includes. A test is defined by TEST; RUN_TESTS runs those of the file in
 * the order of their definitions. */
#ifndef CASES_H
#define CASES_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "datasets/bodies.h"
#include "harness/error.h"
#include "tests/released.h"

/* An operation of the harness succeeds: `code` is 0. */
#define assert_done(code)                     \
    do {                                      \
        if (code)                             \
            fail_msg("%s", orr_error_text()); \
    } while (0)

static inline void assert_close(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.17g is not %.17g within %g", value, expected, tolerance);
}

static inline void assert_relative(double value, double expected, double tolerance)
{
    assert_close(value, expected, tolerance * fabs(expected) + 1e-300);
}

/* For qsort: ascending doubles. */
static inline int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline struct orr_bodies bodies_made(size_t n, int dimensions)
{
    struct orr_bodies b;
    assert_done(orr_bodies_make(&b, n, dimensions));
    return b;
}

/* The recorded message holds `part`; it is forgotten after that. */
static inline void assert_says(const char *part)
{
    if (!strstr(orr_error_text(), part))
        fail_msg("expected '%s' in '%s'", part, orr_error_text());
    orr_error_clear();
}

/* An operation fails with this code, and says so. */
static inline void assert_fails(int code, int expected, const char *part)
{
    if (code != expected)
        fail_msg("code %d, not %d: %s", code, expected, orr_error_text());
    assert_says(part);
}

/* The text of `format`, which lasts until thousands more were asked for. */
__attribute__((format(printf, 1, 2))) static inline const char *filled(const char *format, ...)
{
    static char *last[1 << 13];
    static unsigned next;
    char **text = &last[next++ % (sizeof last / sizeof *last)];
    va_list args;
    free(*text);
    va_start(args, format);
    if (vasprintf(text, format, args) < 0)
        abort();
    va_end(args);
    return *text;
}

/* A file of this text. */
static inline void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_true(file && fputs(text, file) >= 0 && !fclose(file));
}

/* What a file holds. Free it; NULL where it cannot be read. */
static inline char *file_text(const char *path)
{
    char *text = NULL, part[65536];
    size_t size, got;
    FILE *from = fopen(path, "r");
    FILE *to = from ? open_memstream(&text, &size) : NULL;
    while (to && (got = fread(part, 1, sizeof part, from)) > 0)
        fwrite(part, 1, got, to);
    if (to)
        fclose(to);
    if (from)
        fclose(from);
    return text;
}

/* The text holds each of these, a NULL behind the last. */
static inline void assert_holds(const char *text, const char *const *parts)
{
    for (; *parts; parts++)
        if (!strstr(text, *parts))
            fail_msg("no '%s' in\n%s", *parts, text);
}
#define HOLDS(text, ...) assert_holds(text, (const char *const[]){__VA_ARGS__, NULL})

static struct CMUnitTest defined_tests[64];
static size_t defined_test_count;

static inline void define_test(struct CMUnitTest test)
{
    if (defined_test_count == sizeof defined_tests / sizeof *defined_tests)
        abort();
    defined_tests[defined_test_count++] = test;
}

/* A test between `set_up` and `tear_down`, which may be NULL, without a recorded failure. Those
 * that need neither are TEST alone. Constructors run in the order of their priorities; those up to
 * 100 are the compiler's.
 */
#define TEST_AROUND(name, set_up, tear_down)                                            \
    __attribute__((noinline)) static void name(void **state);                           \
    static void begin_##name(void **state)                                              \
    {                                                                                   \
        orr_error_clear();                                                              \
        name(state);                                                                    \
    }                                                                                   \
    __attribute__((constructor(101 + __COUNTER__))) static void define_##name(void)     \
    {                                                                                   \
        define_test((struct CMUnitTest){#name, begin_##name, set_up, tear_down, NULL}); \
    }                                                                                   \
    static void name(__attribute__((unused)) void **state)

#define TEST(name) TEST_AROUND(name, NULL, NULL)

/* A test that `caller` calls with everything that it is to hold for: its body, which follows, takes
 * these parameters. */
#define TEST_EACH(name, caller, ...)      \
    static void each_##name(__VA_ARGS__); \
    TEST(name)                            \
    {                                     \
        caller(each_##name);              \
    }                                     \
    static void each_##name(__VA_ARGS__)

/* Returns the number of tests that failed. */
static inline int run_all(CMFixtureFunction set_up, CMFixtureFunction tear_down)
{
    return _cmocka_run_group_tests("tests", defined_tests, defined_test_count, set_up, tear_down);
}

/* The main of a test program, between the set-up and the tear-down of its group, which may be NULL.
 */
#define RUN_TESTS(set_up, tear_down)       \
    int main(void)                         \
    {                                      \
        return run_all(set_up, tear_down); \
    }

#endif
