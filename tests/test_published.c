/* SPDX-License-Identifier: MIT */
/* The published numbers of shan digit for digit, against sums of the printed columns made by hand.
 */
#include "ledger_for_tests.h"

static int setup(void **state)
{
    return open_ledger(state) || orr_ledger_add_published(*state, "shan");
}

static void assert_sum(struct orr_ledger *ledger, const char *sql, double expected)
{
    double got = number(ledger, sql);
    if (!(fabs(got - expected) <= 1e-12 * fabs(expected)))
        fail_msg("%s: %.15g, not %.15g", sql, got, expected);
}

#define OF(variant, quantity) \
    " FROM published WHERE variant = 'shan/" variant "' AND quantity = '" quantity "'"

TEST_AROUND(the_columns_add_up, setup, close_ledger)
{
    assert_sum(*state, "SELECT sum(value)" OF("serial", "seconds"), 773.225074);
    assert_sum(*state, "SELECT sum(value)" OF("bpb", "seconds"), 3.724116);
    assert_sum(*state, "SELECT sum(value)" OF("bpb-n3l", "seconds"), 2.834956);
    assert_sum(*state, "SELECT sum(value)" OF("bpb", "ratio"), 726.80);
    assert_sum(*state, "SELECT sum(value)" OF("bpb-n3l", "ratio"), 914.86);
    /* 16384 boxes of 8 to 512 bodies */
    assert_text(*state, "SELECT group_concat(n / 16384, ' ')" OF("serial", "seconds"),
                "8 16 32 64 128 256 512");
    assert_sum(*state, "SELECT count(*) FROM published WHERE n % 16384 <> 0", 0);
}

TEST_AROUND(digits_stay_as_printed, setup, close_ledger)
{
    assert_text(*state, "SELECT group_concat(printed, ' ')" OF("serial", "seconds"),
                "150.846 581.918 2291.87 9106.34 36426.1 145100 579568");
    assert_text(*state, "SELECT group_concat(printed, ' ')" OF("bpb", "ratio"),
                "1.90 7.06 25.40 78.04 155.31 225.01 234.08");
    assert_text(*state, "SELECT DISTINCT reference" OF("bpb-n3l", "ratio"), "serial");
    assert_text(*state, "SELECT DISTINCT unit || ' ' || device" OF("serial", "seconds"),
                "ms Xeon E5506 2.13 GHz");
    assert_sum(*state, "SELECT half_unit" OF("serial", "seconds") " AND printed = '36426.1'",
               0.05e-3);
    assert_sum(*state, "SELECT half_unit" OF("serial", "seconds") " AND printed = '579568'",
               0.5e-3);
}

/* Every printed speedup is the quotient of the printed times, within half a unit of its last digit.
 */
TEST_AROUND(speedups_are_quotients, setup, close_ledger)
{
    assert_sum(*state,
               "SELECT count(*) FROM published r JOIN published a ON a.variant = r.variant AND "
               "a.n = r.n AND"
               " a.quantity = 'seconds' JOIN published s ON s.variant = 'shan/serial' AND s.n = "
               "r.n WHERE r.quantity"
               " = 'ratio' AND abs(s.value / a.value - r.value) <= r.half_unit * 1.001",
               14);
}

TEST_AROUND(errata_are_kept, setup, close_ledger)
{
    assert_sum(*state, "SELECT value" OF("bpb", "ratio_max") " AND erratum LIKE '%234.08%'", 243);
    assert_sum(*state, "SELECT value" OF("bpb-n3l", "ratio_max"), 326);
    assert_sum(
        *state,
        "SELECT count(*)" OF("serial", "seconds") " AND erratum LIKE '%Table II''s caption%'", 7);
    assert_sum(*state, "SELECT count(*) FROM published WHERE erratum LIKE '%79 ms%' AND n = 131072",
               2);
    assert_sum(*state, "SELECT peak_gflops FROM published_device WHERE device = 'Tesla C1060'",
               622);
    assert_sum(*state, "SELECT bandwidth_gbs FROM published_device WHERE device = 'Tesla C1060'",
               102);
    assert_sum(*state,
               "SELECT count(*) FROM erratum WHERE paper = 'shan' AND claim = 'S7'"
               " AND what = 'change of shared memory' AND at = '' AND why LIKE '%65536%'",
               1);
}

RUN_TESTS(NULL, NULL)
