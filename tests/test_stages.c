/* SPDX-License-Identifier: MIT */
/* Host stages: seconds by name, call by call. */
#include <time.h>

#include "run/named_times.h"
#include "tests/cases.h"

/* Longer than the clock is coarse. */
static void pass_time(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
}

TEST(spans_of_one_name_are_summed)
{
    struct orr_named_times_set set = {0};
    orr_named_times_mark_stage("encode");
    pass_time();
    orr_named_times_mark_stage("sort");
    pass_time();
    orr_named_times_mark_stage("encode");
    pass_time();
    orr_named_times_mark_stage(NULL);
    pass_time();
    orr_named_times_take_stages(&set);
    assert_int_equal(set.count, 2);
    assert_string_equal(set.items[0].name, "encode");
    assert_string_equal(set.items[1].name, "sort");
    assert_int_equal(set.items[0].count, 1);
    assert_true(set.items[0].seconds[0] >= 4e-4 && set.items[1].seconds[0] >= 2e-4);
    orr_named_times_release(&set);
    assert_int_equal(set.count, 0);
}

TEST(each_call_is_a_value_of_its_own)
{
    RELEASED_BY(orr_named_times_release) struct orr_named_times_set set = {0};
    for (int call = 0; call < 100; call++) {
        orr_named_times_mark_stage("lists"); /* left open: the end of the call ends it */
        orr_named_times_take_stages(&set);
        orr_named_times_take_stages(&set); /* a call without stages */
    }
    assert_int_equal(set.count, 1);
    assert_int_equal(set.items[0].count, 100);
}

TEST(what_nobody_takes_is_forgotten)
{
    struct orr_named_times_set set = {0};
    orr_named_times_mark_stage("counted");
    orr_named_times_take_stages(NULL);
    orr_named_times_take_stages(&set);
    assert_int_equal(set.count, 0);
}

TEST(names_without_end_do_no_harm)
{
    RELEASED_BY(orr_named_times_release) struct orr_named_times_set set = {0};
    for (int k = 0; k < 3 * ORR_MAX_NAMED_TIMES; k++) {
        const char *name = filled("%d, and much more than there is room for in a name", k);
        orr_named_times_mark_stage(name);
        orr_named_times_mark_stage(name);
    }
    orr_named_times_take_stages(&set);
    assert_int_equal(set.count, ORR_MAX_NAMED_TIMES);
    assert_int_equal(strlen(set.items[0].name), sizeof set.items[0].name - 1);
    assert_int_equal(set.items[0].count, 1);
}

RUN_TESTS(NULL, NULL)
