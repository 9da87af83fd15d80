/* Shan's claims over invented times that grow, dip and fall: every verdict turns when its numbers
 * do. */
#include <math.h>

#include "claims_for_tests.h"

enum { SIZES = 7 };
static const int sizes[SIZES] = {8, 16, 32, 64, 128, 256, 512};

/* Speedups of BPB over the serial CPU, of the improved BPB over BPB, and of the conflict-free one
 * over a fitted BPB. */
struct course {
    double bpb[SIZES], improved[SIZES], free[SIZES];
};

/* As the paper prints it, in other numbers: everything grows. */
static struct course as_printed(void)
{
    struct course c;
    for (int k = 0; k < SIZES; k++) {
        c.bpb[k] = (k ? c.bpb[k - 1] : between(1, 3)) * between(1.1, 5);
        c.improved[k] = (k ? c.improved[k - 1] : 1.004) * between(1.02, 1.08);
        c.free[k] = c.improved[k] * between(1.03, 1.15);
    }
    c.bpb[SIZES - 1] = fmax(c.bpb[SIZES - 1], 400);
    return c;
}

/* `left_out` is an index that was not measured, -1 for none; the serial CPU is extrapolated from
 * `beyond` on. */
static void invent(struct invented *in, const struct course *c, int left_out, int beyond)
{
    static const char own[] = ",\"block\":512",
                      own_atomic[] = ",\"block\":512,\"atomic\":\"cas\",\"order\":\"same\"";
    static const char fitted[] = ",\"block\":0",
                      fitted_atomic[] = ",\"block\":0,\"atomic\":\"cas\",\"order\":\"same\"";
    static const char other[] = ",\"block\":0,\"atomic\":\"native\",\"order\":\"staggered\"";
    start(in, "m");
    for (int k = 0; k < SIZES; k++) {
        double serial = 1e-9 * sizes[k] * sizes[k] * 16384 * 9, bpb = serial / c->bpb[k];
        add(in, "shan/table3", "shan/serial", "host", sizes[k], serial, "",
            k >= beyond ? ",\"samples\":{},\"extrapolated_from\":\"c0\"" : "");
        if (k == left_out)
            continue;
        add(in, "shan/table3", "shan/bpb", "cuda:0", sizes[k], bpb, own, "");
        add(in, "shan/table3", "shan/bpb", "cuda:0", sizes[k], bpb * 0.9, fitted, "");
        add(in, "shan/table3", "shan/bpb-n3l", "cuda:0", sizes[k], bpb / c->improved[k], own_atomic,
            "");
        add(in, "shan/table3", "shan/bpb-n3l", "cuda:0", sizes[k], bpb / c->improved[k] * 0.85,
            fitted_atomic, "");
        add(in, "shan/table3", "shan/bpb-n3l-free", "cuda:0", sizes[k], bpb * 0.9 / c->free[k],
            ",\"group\":0", "");
        add(in, "shan/atomics", "shan/bpb", "cuda:0", sizes[k], 4, fitted, "");
        add(in, "shan/atomics", "shan/bpb-n3l", "cuda:0", sizes[k], 2.5, other, "");
    }
    load_and_judge(in);
}

static void assert_verdict(const struct course *c, const char *claim, const char *verdict)
{
    struct invented in;
    invent(&in, c, -1, SIZES);
    assert_verdict_and_close(&in, claim, verdict);
}

static void what_is_printed_is_reproduced(void **state)
{
    (void)state;
    struct course c = as_printed();
    for (const char *claim = "S1\0S2\0S3\0S4\0"; *claim; claim += 3)
        assert_verdict(&c, claim, ORR_REPRODUCED);
}

static void speedups_that_dip_or_fall(void **state)
{
    (void)state;
    struct course c = as_printed();
    int dip = 1 + (int)random_below(SIZES - 3);
    swap(&c.bpb[dip], &c.bpb[dip + 1]);
    assert_verdict(&c, "S1", ORR_PARTLY);
    c = as_printed();
    for (int k = 0; k < SIZES / 2; k++)
        swap(&c.bpb[k], &c.bpb[SIZES - 1 - k]);
    assert_verdict(&c, "S1", ORR_NOT_REPRODUCED);
}

static void the_highest_speedup(void **state)
{
    (void)state;
    struct course c = as_printed();
    for (int k = 0; k < SIZES; k++) /* 300 at the top: highest at 512, but not reached */
        c.bpb[k] = 300.0 / c.improved[k] * (k + 1) / SIZES;
    assert_verdict(&c, "S2", ORR_PARTLY);
    swap(&c.bpb[2], &c.bpb[SIZES - 1]);
    assert_verdict(&c, "S2", ORR_NOT_REPRODUCED);
}

static void the_improved_one_may_be_slower(void **state)
{
    (void)state;
    struct course c = as_printed();
    c.improved[0] = 0.9; /* slower once, still growing */
    assert_verdict(&c, "S3", ORR_PARTLY);
    c = as_printed();
    c.improved[3] = c.improved[5]; /* never slower, with a dip */
    assert_verdict(&c, "S3", ORR_PARTLY);
    for (int k = 0; k < SIZES; k++)
        c.improved[k] = 0.9 - 0.1 * k;
    assert_verdict(&c, "S3", ORR_NOT_REPRODUCED);
}

static void the_gain_without_atomics(void **state)
{
    (void)state;
    struct course c = as_printed();
    c.free[4] = c.improved[4] * 0.9;
    assert_verdict(&c, "S4", ORR_PARTLY);
    c = as_printed();
    for (int k = 0; k < SIZES; k++)
        c.improved[k] = between(2.1, 3);
    assert_verdict(&c, "S4", ORR_NOT_REPRODUCED);
    c = as_printed();
    c.free[6] = 2 + 2 * (2 - c.improved[6]); /* too far on the other side */
    assert_verdict(&c, "S4", ORR_PARTLY);
}

static void what_was_not_measured_is_said(void **state)
{
    (void)state;
    struct invented in;
    struct course c = as_printed();
    invent(&in, &c, 3, 5);
    assert_judged(&in, "S1", "cuda:0", ORR_PARTLY);
    assert_told(&in, "S1", "cuda:0", "why", "6 of 7 sizes measured");
    assert_told(&in, "S1", "cuda:0", "why", "extrapolated at P = 256, 512");
    assert_told(&in, "S1", "cuda:0", "why", "with block=0");
    assert_told(&in, "S4", "cuda:0", "why", "native and staggered, gains 1.60 at P = 512");
    assert_judged(&in, "S5", "cuda:0", ORR_NOT_MEASURABLE);
    assert_told(&in, "S8", "cuda:0", "why",
                "needs `orrery run shan/table1 --preset quick --device cuda:0`");
    orr_ledger_close(&in.ledger);
}

/* --- counts --- */

static void count_pairs(struct invented *in, int per_box, long long before, long long after)
{
    static const char form[] = ",\"counts\":{\"Neighbor box\":{\"CP\":%lld}}";
    char extra[128];
    snprintf(extra, sizeof extra, form, before);
    add(in, "shan/table1", "shan/bpb", "cuda:0", per_box, 1, ",\"block\":512", extra);
    snprintf(extra, sizeof extra, form, after);
    add(in, "shan/table1", "shan/bpb-n3l", "cuda:0", per_box, 1,
        ",\"block\":512,\"atomic\":\"cas\",\"order\":\"same\"", extra);
}

static void assert_halves(long long off_first, long long off_second, const char *verdict)
{
    struct invented in;
    start(&in, "m");
    count_pairs(&in, 8, 2000, 1000 + off_first);
    count_pairs(&in, 16, 8000, 4000 + off_second);
    load_and_judge(&in);
    assert_verdict_and_close(&in, "S8", verdict);
}

static void half_is_exactly_half(void **state)
{
    (void)state;
    assert_halves(0, 0, ORR_REPRODUCED);
    assert_halves(0, 1, ORR_PARTLY);
    assert_halves(-1, 1, ORR_NOT_REPRODUCED);
}

/* What the paper prints is judged without a machine. */
static void table_2_does_not_follow(void **state)
{
    (void)state;
    struct invented in;
    start(&in, "m");
    load_and_judge(&in);
    assert_judged(&in, "S6", "", ORR_NOT_REPRODUCED);
    assert_told(&in, "S6", "", "why", "P(72962P - 138498)");
    assert_judged(&in, "S7", "", ORR_PARTLY);
    assert_told(&in, "S7", "", "why", "break-even P = 1.898");
    orr_ledger_close(&in.ledger);
}

/* Changes of accesses from the previous to the improved BPB, counted at P = 1 and 2. */
static void falls_are_counted(void **state)
{
    (void)state;
    static const char form[] = ",\"counts\":{\"Neighbor box\":{\"GR\":%d,\"SR\":%d,\"AS\":%d}}";
    struct invented in;
    start(&in, "m");
    for (int p = 1; p <= 2; p++) {
        char extra[128];
        snprintf(extra, sizeof extra, form, 100, 200, 0);
        add(&in, "shan/table2", "shan/bpb", "cuda:0", p, 1, ",\"block\":512", extra);
        snprintf(extra, sizeof extra, form, 90, 150, p == 1 ? 60 : 40);
        add(&in, "shan/table2", "shan/bpb-n3l", "cuda:0", p, 1,
            ",\"block\":512,\"atomic\":\"cas\",\"order\":\"same\"", extra);
    }
    load_and_judge(&in);
    assert_judged(&in, "S7", "cuda:0", ORR_PARTLY);
    assert_told(&in, "S7", "cuda:0", "measured", "global memory -10 at P = 1, -10 at P = 2");
    assert_told(&in, "S7", "cuda:0", "measured", "shared memory +10 at P = 1, -10 at P = 2");
    orr_ledger_close(&in.ledger);
}

static int set_up(void **state)
{
    (void)state;
    return begin_claims("shan");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_printed_is_reproduced),
        cmocka_unit_test(speedups_that_dip_or_fall),
        cmocka_unit_test(the_highest_speedup),
        cmocka_unit_test(the_improved_one_may_be_slower),
        cmocka_unit_test(the_gain_without_atomics),
        cmocka_unit_test(what_was_not_measured_is_said),
        cmocka_unit_test(half_is_exactly_half),
        cmocka_unit_test(table_2_does_not_follow),
        cmocka_unit_test(falls_are_counted),
    };
    return cmocka_run_group_tests(tests, set_up, end_claims);
}
