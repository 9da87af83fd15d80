/* SPDX-License-Identifier: MIT */
/* Host stages: seconds by name, call by call. */
#include <time.h>

#include "worker/named_times.h"
#include "tests/cases.h"

/* Longer than the clock is coarse. */
static void pass_time(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
}

TEST(spans_of_one_name_are_summed)
{
    json_auto_t *set = NULL;
    orr_named_times_mark_stage("encode");
    pass_time();
    orr_named_times_mark_stage("sort");
    pass_time();
    orr_named_times_mark_stage("encode");
    pass_time();
    orr_named_times_mark_stage(NULL);
    pass_time();
    orr_named_times_take_stages(&set);
    assert_int_equal(json_object_size(set), 2);
    assert_int_equal(orr_named_times_count(set, "encode"), 1);
    assert_true(orr_named_times_median(set, "encode") >= 4e-4);
    assert_true(orr_named_times_median(set, "sort") >= 2e-4);
}

TEST(each_call_is_a_value_of_its_own)
{
    json_auto_t *set = NULL;
    for (int call = 0; call < 100; call++) {
        orr_named_times_mark_stage("lists"); /* left open: the end of the call ends it */
        orr_named_times_take_stages(&set);
        orr_named_times_take_stages(&set); /* a call without stages */
    }
    assert_int_equal(json_object_size(set), 1);
    assert_int_equal(orr_named_times_count(set, "lists"), 100);
}

TEST(what_nobody_takes_is_forgotten)
{
    json_auto_t *set = NULL;
    orr_named_times_mark_stage("counted");
    orr_named_times_take_stages(NULL);
    orr_named_times_take_stages(&set);
    assert_null(set);
}

TEST(names_without_end_do_no_harm)
{
    json_auto_t *set = NULL;
    for (int k = 0; k < 3 * ORR_MAX_NAMED_TIMES; k++) {
        const char *name = filled("%d, and much more than there is room for in a name", k);
        orr_named_times_mark_stage(name);
        orr_named_times_mark_stage(name);
    }
    orr_named_times_take_stages(&set);
    assert_int_equal(json_object_size(set), ORR_MAX_NAMED_TIMES);
    const char *first = json_object_iter_key(json_object_iter(set));
    assert_int_equal(strlen(first), ORR_LONGEST_NAME);
    assert_int_equal(orr_named_times_count(set, first), 1);
}

RUN_TESTS(NULL, NULL)
