/* SPDX-License-Identifier: MIT */
/* What share of the time a core was slow. */
#include "measure/system_state.h"

#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

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

TEST(a_single_quick_pass_says_nothing_of_the_others)
{
    assert_true(SLOW(0.5, 1, 1, 1, 1, 1) == 0);
}

/* Two threads on one core hold it in turns, whatever else the machine does. */
TEST(a_busy_loop_on_the_same_core_is_found)
{
    cpu_set_t before, one;
    CPU_ZERO(&one);
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    CPU_SET(sched_getcpu(), &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    const pid_t busy = fork();
    assert_true(busy >= 0);
    if (!busy) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (volatile unsigned spins = 0;; spins++)
            ;
    }
    const double slow = orr_system_state_unsteadiness(5, 0.1);
    kill(busy, SIGKILL);
    waitpid(busy, NULL, 0);
    sched_setaffinity(0, sizeof before, &before);
    assert_true(slow > 0.1 && slow < 1);
}

TEST(without_time_nothing_is_slow)
{
    assert_true(orr_system_state_unsteadiness(1, 0) == 0);
}

RUN_TESTS(NULL, NULL)
