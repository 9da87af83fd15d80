/* SPDX-License-Identifier: MIT */
/* What share of the time a core was slow. */
#include "measure/system_state.h"
#include "tests/cases.h"

static double slow_of(size_t count, double seconds[])
{
    return orr_system_state_slow(seconds, count);
}
#define SLOW(...) slow_of(sizeof(double[]){__VA_ARGS__} / sizeof(double), (double[]){__VA_ARGS__})

TEST(a_steady_core_is_never_slow)
{
    assert_true(orr_system_state_slow(NULL, 0) == 0);
    assert_true(SLOW(3) == 0);
    assert_true(SLOW(1, 1, 1, 1) == 0);
    assert_true(SLOW(1, 1.2, 1.1, 1.24) == 0);
}

TEST(half_speed_counts_by_its_time)
{
    assert_true(SLOW(1, 2) == 2.0 / 3);
    assert_true(SLOW(2, 1, 1, 2, 1, 1) == 0.5);
}

TEST(a_core_is_measured)
{
    double share = orr_system_state_steadiness(0.02);
    assert_true(share >= 0 && share < 1);
    assert_true(orr_system_state_steadiness(0) == 0);
}

RUN_TESTS(NULL, NULL)
