/* What share of the time a core was slow. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "measure/surroundings.h"

static double slow_of(size_t count, double seconds[])
{
    return orr_surroundings_slow(seconds, count);
}
#define SLOW(...) slow_of(sizeof(double[]){__VA_ARGS__} / sizeof(double), (double[]){__VA_ARGS__})

static void a_steady_core_is_never_slow(void **state)
{
    (void)state;
    assert_true(orr_surroundings_slow(NULL, 0) == 0);
    assert_true(SLOW(3) == 0);
    assert_true(SLOW(1, 1, 1, 1) == 0);
    assert_true(SLOW(1, 1.2, 1.1, 1.24) == 0);
}

static void half_speed_counts_by_its_time(void **state)
{
    (void)state;
    assert_true(SLOW(1, 2) == 2.0 / 3);
    assert_true(SLOW(2, 1, 1, 2, 1, 1) == 0.5);
}

static void a_core_is_measured(void **state)
{
    (void)state;
    double share = orr_surroundings_steadiness(0.02);
    assert_true(share >= 0 && share < 1);
    assert_true(orr_surroundings_steadiness(0) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_steady_core_is_never_slow),
        cmocka_unit_test(half_speed_counts_by_its_time),
        cmocka_unit_test(a_core_is_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
