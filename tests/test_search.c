/* The search for the best configuration, over times that are made up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "tune/search.h"

static char values[ORR_MOST_KNOB_VALUES + 1][64];

/* `count` knobs of `each` values, the default the last. */
static struct orr_knobs make(size_t count, size_t each)
{
    struct orr_knobs knobs = {.count = count};
    for (size_t k = 0; k < count; k++)
        knobs.items[k] = (struct orr_knob){.values = values, .count = each, .usual = each - 1};
    return knobs;
}

/* The time of a configuration; best where every knob is at its own place. */
typedef double (*landscape)(const size_t *places, size_t knobs);

static double bowl(const size_t *places, size_t knobs)
{
    double seconds = 1;
    for (size_t k = 0; k < knobs; k++)
        seconds += fabs((double)places[k] - (double)(k + 1) / 2);
    return seconds;
}

/* The same where three in four cannot run, the default can. */
static double holes(const size_t *places, size_t knobs)
{
    bool usual = true;
    for (size_t k = 0; k < knobs; k++)
        usual = usual && places[k] == 5;
    return usual || (places[0] < 3 && places[1] < 3) ? bowl(places, knobs) : INFINITY;
}

struct found {
    uint64_t best, first;
    double seconds;
    size_t asked, batches, largest;
};

static struct found run(const struct orr_search_wish *wish, landscape of)
{
    struct orr_search search;
    struct found found = {.seconds = INFINITY};
    uint64_t batch[ORR_SEARCH_BATCH];
    size_t count;
    assert_int_equal(orr_search_begin(&search, wish), 0);
    while ((count = orr_search_next(&search, batch)) && found.batches < 10000) {
        if (!found.batches++)
            found.first = batch[0], assert_int_equal(count, 1);
        found.largest = count > found.largest ? count : found.largest;
        for (size_t k = 0; k < count; k++) {
            size_t places[ORR_MOST_KNOBS];
            orr_knobs_places(places, wish->knobs, batch[k]);
            double seconds = of(places, wish->knobs->count);
            found.asked++;
            assert_int_equal(orr_search_tell(&search, batch[k], seconds), 0);
            if (seconds < found.seconds)
                found.seconds = seconds, found.best = batch[k];
        }
    }
    orr_search_release(&search);
    return found;
}

static void test_full(void **state)
{
    (void)state;
    const struct orr_knobs knobs = make(2, 6);
    const struct orr_search_wish wish = {.knobs = &knobs, .seed = 1};
    struct found found = run(&wish, bowl);
    assert_int_equal(found.first, orr_knobs_usual(&knobs));
    assert_int_equal(found.asked, 36); /* each of them once */
    assert_true(found.largest <= 16);
    assert_true(fabs(found.seconds - 1.5) < 1e-9);
}

/* 7776 configurations: the best is found by looking at one in twenty. */
static void test_staged(void **state)
{
    (void)state;
    const struct orr_knobs knobs = make(5, 6);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        const struct orr_search_wish wish = {.knobs = &knobs, .seed = seed};
        struct found found = run(&wish, bowl);
        assert_true(fabs(found.seconds - 2.5) < 1e-9);
        assert_true(found.asked < 400);
    }
}

static void test_holes(void **state)
{
    (void)state;
    const struct orr_knobs knobs = make(5, 6);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        const struct orr_search_wish wish = {.knobs = &knobs, .seed = seed};
        assert_true(fabs(run(&wish, holes).seconds - 2.5) < 1e-9);
    }
}

/* As many results as asked for, no configuration twice, and the same ones with the same seed. */
static void test_random(void **state)
{
    (void)state;
    const struct orr_knobs knobs = make(5, 6);
    struct orr_search_wish wish = {
        .knobs = &knobs, .strategy = ORR_SEARCH_RANDOM, .sample = 20, .seed = 3};
    struct found found = run(&wish, bowl), again = run(&wish, bowl);
    assert_int_equal(found.asked, 20);
    assert_int_equal(found.best, again.best);
    assert_true(run(&wish, holes).asked > 40);
    wish.sample = 10000;
    assert_int_equal(run(&wish, bowl).asked, 7776);
}

/* Nothing but the default runs: the search ends. */
static double nothing(const size_t *places, size_t knobs)
{
    bool usual = true;
    for (size_t k = 0; k < knobs; k++)
        usual = usual && places[k] == 5;
    return usual ? 1 : INFINITY;
}

static void test_nothing(void **state)
{
    (void)state;
    const struct orr_knobs knobs = make(5, 6);
    const struct orr_search_wish wish = {.knobs = &knobs, .seed = 1};
    struct found found = run(&wish, nothing);
    assert_int_equal(found.best, orr_knobs_usual(&knobs));
    assert_true(found.asked < 400);
}

static void test_too_many(void **state)
{
    (void)state;
    struct orr_search search;
    const struct orr_knobs knobs = make(8, 6);
    const struct orr_search_wish wish = {.knobs = &knobs, .strategy = ORR_SEARCH_FULL};
    assert_int_equal(orr_search_begin(&search, &wish), ORR_EUSAGE);
    assert_non_null(strstr(orr_error_text(), "--strategy staged"));
    orr_error_clear();
    orr_search_release(&search);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_full),    cmocka_unit_test(test_staged),
        cmocka_unit_test(test_holes),   cmocka_unit_test(test_random),
        cmocka_unit_test(test_nothing), cmocka_unit_test(test_too_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
