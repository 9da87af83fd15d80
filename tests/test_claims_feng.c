/* Feng's claims over invented cells: every verdict turns when its numbers do. */
#include "feng_world.h"

static void what_the_report_says_is_reproduced(void **state)
{
    (void)state;
    struct world w = as_printed();
    struct invented in;
    invent(&in, &w);
    assert_all_judged(&in, "F1\0F2\0F3\0F4\0F5\0F6\0F7\0F8\0F9\0", "cuda:0", ORR_REPRODUCED);
    assert_told(&in, "F1", "cuda:0", "why", "over cpu-tuned, all cores of the machine, ");
    assert_told(&in, "F4", "cuda:0", "measured",
                "Setup 250 times, Summarize 250 times as long at 1000000 as at 500");
    assert_told(&in, "F4", "cuda:0", "why",
                "from 100000 bodies on alone the slopes are Setup 0.73");
    assert_told(&in, "F8", "cuda:0", "why", "as vectors it is 3.00 times as large");
    assert_told(&in, "F9", "cuda:0", "measured", "a whole step 1.00, 1.00, at N = 1000, 100000");
    assert_told(&in, "F9", "cuda:0", "why", "with growing pauses instead of it 1.25, 1.25");
    orr_ledger_close(&in.ledger);
}

static void speedups_that_dip_or_fall(void **state)
{
    (void)state;
    struct world w = as_printed();
    int dip = 1 + (int)random_below(SIZES - 3);
    swap(&w.speedup[dip], &w.speedup[dip + 1]);
    assert_verdict(&w, "F1", ORR_PARTLY);
    w = as_printed();
    for (int k = 0; k < SIZES / 2; k++)
        swap(&w.speedup[k], &w.speedup[SIZES - 1 - k]);
    assert_verdict(&w, "F1", ORR_NOT_REPRODUCED);
}

/* Kernels beside the build and the forces that grow faster than these. */
static void the_share_of_build_and_forces_falls(void **state)
{
    (void)state;
    struct world w = as_printed();
    w.exponent[0][UPDATE] = 1.5;
    assert_verdict(&w, "F2", ORR_NOT_REPRODUCED);
}

static void sorting_helps_late_or_never(void **state)
{
    (void)state;
    struct world w = as_printed();
    w.start[1][FORCES] = 1.3 * w.start[0][FORCES]; /* slower at first */
    assert_verdict(&w, "F3", ORR_PARTLY);
    w.exponent[1][FORCES] = w.exponent[0][FORCES];
    assert_verdict(&w, "F3", ORR_NOT_REPRODUCED);
    assert_verdict(&w, "F5", ORR_NOT_REPRODUCED);
    w.exponent[1][FORCES] = w.exponent[0][FORCES] + 0.1;
    assert_verdict(&w, "F5", ORR_NOT_REPRODUCED);
}

/* Slopes are apart by what the gain says, however both lines bend; a certain but slight gain is
 * half of it. */
static void sorting_scales_better_by_the_gain(void **state)
{
    (void)state;
    struct world w = as_printed();
    w.bend = 0.1;
    w.exponent[1][FORCES] = w.exponent[0][FORCES] - 0.15;
    assert_verdict(&w, "F5", ORR_REPRODUCED);
    w.exponent[1][FORCES] = w.exponent[0][FORCES] - 0.01;
    assert_verdict(&w, "F5", ORR_PARTLY);
}

static void kernels_that_do_not_scale_linearly(void **state)
{
    (void)state;
    struct world w = as_printed();
    w.exponent[0][UPDATE] = 0.3;
    assert_verdict(&w, "F4", ORR_PARTLY);
    w = as_printed();
    w.exponent[1][SORT] = 0.3;
    assert_verdict(&w, "F4", ORR_PARTLY);
    for (int k = 0; k < KERNELS; k++)
        w.exponent[0][k] = w.exponent[1][k] = k % 2 ? 0.4 : 1.6;
    assert_verdict(&w, "F4", ORR_NOT_REPRODUCED);
}

static void growth_out_of_the_order_of_theta(void **state)
{
    (void)state;
    struct world w = as_printed();
    swap(&w.growth[1], &w.growth[2]);
    assert_verdict(&w, "F6", ORR_PARTLY);
    for (int t = 0; t < THETAS; t++)
        w.growth[t] = 1 + 0.1 * t;
    assert_verdict(&w, "F6", ORR_NOT_REPRODUCED);
}

static void steps_that_get_dearer_with_theta(void **state)
{
    (void)state;
    struct world w = as_printed();
    w.step[4] = w.step[3]; /* level at the end */
    assert_verdict(&w, "F7", ORR_PARTLY);
    for (int t = 0; t < THETAS; t++)
        w.step[t] = 0.01 * (t + 1); /* as the caption says */
    assert_verdict(&w, "F7", ORR_NOT_REPRODUCED);
}

static void costs_that_are_no_sigmoid(void **state)
{
    (void)state;
    struct world w = as_printed();
    for (int n = 0; n < COUNTS; n++)
        w.position[n][1] = w.position[n][4]; /* steep at once, then down */
    assert_verdict(&w, "F8", ORR_PARTLY);
    for (int n = 0; n < COUNTS; n++)
        for (int t = 0; t < THETAS;
             t++) /* a straight line over log theta, and sums that shrink with N */
            w.position[n][t] = w.velocity[n][t] = (10 + log(thetas[t])) / counts[n] / counts[n];
    assert_verdict(&w, "F8", ORR_NOT_REPRODUCED);
}

/* Sums grow where means do not: that is one part of each cost. */
static void means_that_do_not_grow(void **state)
{
    (void)state;
    struct world w = as_printed();
    for (int n = 1; n < COUNTS; n++)
        for (int t = 0; t < THETAS; t++)
            w.position[n][t] = w.position[0][t];
    struct invented in;
    invent(&in, &w);
    assert_judged(&in, "F8", "cuda:0", ORR_PARTLY);
    assert_told(&in, "F8", "cuda:0", "why", "at every theta for 2 of 2 costs, the mean for 1;");
    orr_ledger_close(&in.ledger);
}

static void the_throttle_matters_less(void **state)
{
    (void)state;
    struct world w = as_printed();
    w.unthrottled[0] = w.unthrottled[1] = 2;
    assert_verdict(&w, "F9", ORR_PARTLY);
    w.unthrottled[0] = w.unthrottled[1] = 1.015; /* within the margin */
    assert_verdict(&w, "F9", ORR_NOT_REPRODUCED);
}

static void what_was_not_measured_is_said(void **state)
{
    (void)state;
    struct world w = as_printed();
    struct invented in;
    w.beyond = 6, w.last = SIZES - 1, w.costs = 2;
    invent(&in, &w);
    assert_judged(&in, "F1", "cuda:0", ORR_REPRODUCED);
    assert_told(&in, "F1", "cuda:0", "why", "cpu-naive extrapolated at N = 500000, 1000000");
    for (const char *claim = "F2\0F3\0F4\0F5\0"; *claim; claim += 3) {
        assert_judged(&in, claim, "cuda:0", ORR_PARTLY);
        assert_told(&in, claim, "cuda:0", "why", "7 of 8 sizes measured");
    }
    assert_told(&in, "F4", "cuda:0", "why", "1000000 bodies were not measured");
    assert_judged(&in, "F8", "cuda:0", ORR_PARTLY);
    assert_told(&in, "F8", "cuda:0", "why", "4 of 8 curves measured");
    orr_ledger_close(&in.ledger);
}

/* Two small sizes have no slope; the claims say what would measure them. */
static void too_little_is_not_judged(void **state)
{
    (void)state;
    struct world w = as_printed();
    struct invented in;
    w.last = 2;
    start(&in, "m");
    put_kernels(&in, &w);
    load_and_judge(&in);
    assert_all_judged(&in, "F1\0F4\0F5\0F6\0F7\0F8\0F9\0", "cuda:0", ORR_NOT_MEASURABLE);
    assert_told(&in, "F9", "cuda:0", "why",
                "needs `orrery run feng/throttle --preset paper --device cuda:0`");
    assert_judged(&in, "F2", "cuda:0", ORR_PARTLY);
    orr_ledger_close(&in.ledger);
}

/* --- the functions on shapes --- */

/* The textbook's formulas for the slope of y over x. */
static void slopes_by_the_formulas(void **state)
{
    (void)state;
    struct invented in;
    start(&in, "m");
    load_and_judge(&in); /* makes the functions */
#define POINTS \
    "(VALUES (1, 2.0), (10, 30.0), (100, 200.0), (1000, 5000.0), (-1, 7), (NULL, 7), (5, 0))"
    const double y[] = {log10(2), log10(30), log10(200), log10(5000)};
    double slope = (-1.5 * y[0] - 0.5 * y[1] + 0.5 * y[2] + 1.5 * y[3]) / 5,
           mean = (y[0] + y[1] + y[2] + y[3]) / 4;
    double left = 0;
    for (int k = 0; k < 4; k++)
        left += pow(y[k] - mean - slope * (k - 1.5), 2);
    double half = 4.30265273 * sqrt(left / 2 / 5);
    assert_true(fabs(number(&in.ledger, "SELECT loglog_slope(column1, column2) FROM " POINTS) -
                     slope) < 1e-12);
    assert_true(fabs(number(&in.ledger, "SELECT loglog_slope_low(column1, column2) FROM " POINTS) -
                     (slope - half)) < 1e-9);
    assert_true(fabs(number(&in.ledger, "SELECT loglog_slope_high(column1, column2) FROM " POINTS) -
                     (slope + half)) < 1e-9);
    assert_true(isnan(
        number(&in.ledger, "SELECT loglog_slope_low(column1, column1) FROM (VALUES (1), (2))")));
    assert_true(isnan(
        number(&in.ledger, "SELECT loglog_slope(column1, column1) FROM (VALUES (3), (3), (3))")));
    orr_ledger_close(&in.ledger);
}

static void medians_and_sigmoids(void **state)
{
    (void)state;
    struct invented in;
    start(&in, "m");
    load_and_judge(&in);
    assert_true(number(&in.ledger,
                       "SELECT median(column1) FROM (VALUES (3), (NULL), (1), (2), (9))") == 2.5);
#define SIGMOID(points) \
    number(&in.ledger, "SELECT sigmoid(column1, column2) FROM (VALUES " points ")")
    assert_true(SIGMOID("(1, 1), (10, 2), (100, 9), (1000, 10)") == 1);
    assert_true(SIGMOID("(1, 1), (10, 2), (100, 9), (1000, 8.5)") == 1); /* 10 % down is level */
    assert_true(SIGMOID("(1, 1), (10, 2), (100, 9), (1000, 8)") == 0);
    assert_true(SIGMOID("(1, 1), (10, 6), (100, 9), (1000, 10)") == 0); /* steepest first */
    assert_true(SIGMOID("(1, 1), (10, 2), (100, 5), (1000, 10)") == 0); /* last */
    assert_true(SIGMOID("(1, 1), (10, 1), (100, 1), (1000, 1)") == 0);
    assert_true(isnan(SIGMOID("(1, 1), (10, 2), (100, 9)")));
    orr_ledger_close(&in.ledger);
}

static int set_up(void **state)
{
    (void)state;
    return begin_claims("feng");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_report_says_is_reproduced),
        cmocka_unit_test(speedups_that_dip_or_fall),
        cmocka_unit_test(the_share_of_build_and_forces_falls),
        cmocka_unit_test(sorting_helps_late_or_never),
        cmocka_unit_test(sorting_scales_better_by_the_gain),
        cmocka_unit_test(kernels_that_do_not_scale_linearly),
        cmocka_unit_test(growth_out_of_the_order_of_theta),
        cmocka_unit_test(steps_that_get_dearer_with_theta),
        cmocka_unit_test(costs_that_are_no_sigmoid),
        cmocka_unit_test(means_that_do_not_grow),
        cmocka_unit_test(the_throttle_matters_less),
        cmocka_unit_test(what_was_not_measured_is_said),
        cmocka_unit_test(too_little_is_not_judged),
        cmocka_unit_test(slopes_by_the_formulas),
        cmocka_unit_test(medians_and_sigmoids),
    };
    return cmocka_run_group_tests(tests, set_up, end_claims);
}
