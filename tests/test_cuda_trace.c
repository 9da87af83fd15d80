/* SPDX-License-Identifier: MIT */
/* Kernels' own times from CUPTI's records: what is summed, and what is not believed. The library is
 * tests/drivers/cupti.c, the launches are made up. */
#include "harness/device/cuda.h"
#include "tests/cases.h"

static const double MANY_S = 1; /* events around the launches */

static double sum(const char *records, int launches, double span_s, const char **why)
{
    setenv("FAKE_CUPTI", records, 1);
    orr_cuda_trace_clear(0);
    return orr_cuda_trace_sum(launches, span_s, why);
}

TEST(durations_are_summed)
{
    const char *why;
    assert_int_equal(orr_cuda_trace_switch(true), 0);
    assert_true(fabs(sum("1000-3500,4000-4500", 2, MANY_S, &why) - 3e-6) < 1e-15);
    assert_null(why);
    assert_true(fabs(sum("x,1000-3500,x", 1, MANY_S, &why) - 2.5e-6) < 1e-15);
    /* Of the span alone, not of those before it. */
    assert_true(fabs(sum("5000-6000", 1, MANY_S, &why) - 1e-6) < 1e-15);
    /* What is not handed out at once is asked for. */
    assert_true(fabs(sum("1000-2000/3000-5000", 2, MANY_S, &why) - 3e-6) < 1e-15);
}

/* Those of an upload that launches kernels, say. */
TEST(records_of_before_are_fetched_and_forgotten)
{
    const char *why;
    assert_int_equal(orr_cuda_trace_switch(true), 0);
    setenv("FAKE_CUPTI", "!100-200,300-400", 1);
    orr_cuda_trace_clear(2);
    assert_null(getenv("FAKE_CUPTI"));
    setenv("FAKE_CUPTI", "!1000-3000", 1);
    assert_true(fabs(orr_cuda_trace_sum(1, MANY_S, &why) - 2e-6) < 1e-15);
}

TEST(other_records_are_not_believed)
{
    const struct {
        const char *records, *why;
        int launches;
        double span_s;
    } cases[] = {
        {"1000-2000", "not those of the launches", 2, MANY_S},
        {"1000-2000,3000-4000", "not those of the launches", 1, MANY_S},
        {"", "not those of the launches", 1, MANY_S},
        {"1000-2000,0-0", "no times", 2, MANY_S},
        {"2000-1000", "no times", 1, MANY_S},
        {"1000-90001000", "longer than the events", 1, 80e-6},
    };
    assert_int_equal(orr_cuda_trace_switch(true), 0);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *why = NULL;
        assert_true(isnan(sum(cases[k].records, cases[k].launches, cases[k].span_s, &why)));
        assert_non_null(why);
        assert_non_null(strstr(why, cases[k].why));
    }
}

TEST(nothing_comes_when_it_is_off)
{
    const char *why;
    assert_int_equal(orr_cuda_trace_switch(true), 0);
    assert_int_equal(orr_cuda_trace_switch(false), 0);
    assert_true(isnan(sum("1000-2000", 1, MANY_S, &why)));
}

TEST(a_refusal_has_its_reason)
{
    setenv("FAKE_CUPTI", "refuse", 1);
    assert_int_equal(orr_cuda_trace_switch(true), ORR_EUNSUPPORTED);
    assert_says("MULTIPLE_SUBSCRIBERS");
}

int main(void)
{
    const char *build = getenv("BUILD");
    setenv("ORRERY_CUPTI", filled("%s/tests/drivers/cupti.so", build ? build : "build"), 1);
    return run_all(NULL, NULL);
}
