/* Gaburov's claims over invented cells: every verdict turns when its numbers do. */
#include "gaburov_world.h"

static void what_the_paper_says_is_reproduced(void **state)
{
    (void)state;
    struct world w = as_printed();
    struct invented in;
    invent(&in, &w);
    assert_all_judged(&in, "G1\0G2\0G3\0G4\0G5\0G6\0G7\0G8\0G9\0G10\0G11\0G12\0G13\0G14\0",
                      "cuda:0", ORR_REPRODUCED);
    assert_judged(&in, "G15", "cuda:0", ORR_NOT_MEASURABLE);
    assert_told(&in, "G4", "cuda:0", "why",
                "cannot be told here: largest change of the host's stages from theta = 0.2 to 0.7: "
                "the tree never reads theta");
    assert_told(&in, "G9", "cuda:0", "why",
                "direct summation extrapolated at N = 3000000, 10000000");
    assert_told(&in, "G10", "cuda:0", "why", "16 steps at theta = 0.5");
    assert_told(&in, "G10", "cuda:0", "why", "the energy drifts by 1.50e-05");
    assert_told(&in, "G11", "cuda:0", "why",
                "over cpu-tree, a thread each: N = 1000000, median errors 2.00e-04 and 2.00e-04");
    assert_told(&in, "G14", "cuda:0", "why", "the fastest of 25 settings");
    orr_ledger_close(&in.ledger);
}

static void errors_that_follow_another_power_of_theta(void **state)
{
    (void)state;
    struct world w = as_printed();
    w.power[1] = 3.2;
    assert_verdict(&w, "G1", ORR_PARTLY);
    w.power[0] = 4.7;
    assert_verdict(&w, "G1", ORR_NOT_REPRODUCED);
}

/* It is the slope that has to be near 4; whether 4 is within its interval is told. */
static void a_power_near_four(void **state)
{
    (void)state;
    struct world w = as_printed();
    struct invented in;
    w.power[0] = w.power[1] = 3.6;
    invent(&in, &w);
    assert_judged(&in, "G1", "cuda:0", ORR_REPRODUCED);
    assert_told(&in, "G1", "cuda:0", "why", "4 itself is outside of the intervals of 6 of 6");
    orr_ledger_close(&in.ledger);
}

static void errors_that_grow_otherwise_with_n(void **state)
{
    (void)state;
    const double slopes[] = {0, -0.15, log10(1.4) / 2, log10(2.6) / 2};
    for (size_t k = 0; k < sizeof slopes / sizeof *slopes; k++) {
        struct world w = as_printed();
        w.spread = slopes[k];
        assert_verdict(&w, "G2", ORR_NOT_REPRODUCED);
    }
}

static void small_leaves_do_not_help_or_hurt(void **state)
{
    (void)state;
    struct world w = as_printed();
    w.small_ratio = 1.1;
    assert_verdict(&w, "G3", ORR_PARTLY);
    w.small_spread = 0.1;
    assert_verdict(&w, "G3", ORR_NOT_REPRODUCED);
    w.small_ratio = 2;
    assert_verdict(&w, "G3", ORR_PARTLY);
}

/* The tree never reads theta: what differs is scatter, and judges nothing. */
static void the_host_s_time_depends_on_theta(void **state)
{
    (void)state;
    struct world w = as_printed();
    struct invented in;
    w.tree_theta = -0.2; /* 22 % less from 0.2 to 0.7 */
    invent(&in, &w);
    assert_judged(&in, "G4", "cuda:0", ORR_REPRODUCED);
    assert_told(&in, "G4", "cuda:0", "measured", "from theta = 0.2 to 0.7 22.2 %");
    orr_ledger_close(&in.ledger);
    w.tree = 1.4;
    assert_verdict(&w, "G4", ORR_NOT_REPRODUCED);
}

static void the_device_s_time_grows_otherwise(void **state)
{
    (void)state;
    struct world w = as_printed();
    w.device = 0.8;
    assert_verdict(&w, "G5", ORR_NOT_REPRODUCED);
    w.device = 1.3;
    assert_verdict(&w, "G5", ORR_NOT_REPRODUCED);
}

/* Small sizes do not fill the device: from a million bodies on its time is as long as theirs says.
 */
static void the_device_fills_late(void **state)
{
    (void)state;
    struct world w = as_printed();
    struct invented in;
    w.idle = 0.05;
    invent(&in, &w);
    assert_judged(&in, "G5", "cuda:0", ORR_NOT_REPRODUCED);
    assert_string_equal(told_in(&in, "G5", "where the device is full", "cuda:0", "verdict"),
                        ORR_REPRODUCED);
    orr_ledger_close(&in.ledger);
    w.idle = 20;
    invent(&in, &w);
    assert_string_equal(told_in(&in, "G5", "where the device is full", "cuda:0", "verdict"),
                        ORR_NOT_MEASURABLE);
    orr_ledger_close(&in.ledger);
}

/* A rate is bound to its card: a fast one that wastes its peak keeps half of the promise. */
static void evaluations_that_use_the_device_otherwise(void **state)
{
    (void)state;
    struct world w = as_printed();
    w.gflops = 1000, w.peak = 60000;
    assert_verdict(&w, "G6", ORR_PARTLY);
    w.gflops = 10;
    assert_verdict(&w, "G6", ORR_PARTLY);
    w.active = 0.9, w.per_group = 60;
    assert_verdict(&w, "G6", ORR_NOT_REPRODUCED);
    w = as_printed(); /* "only 30 %" is no promise: twice as much is something else */
    w.gflops = 210, w.active = 0.6;
    assert_verdict(&w, "G6", ORR_PARTLY);
    w = as_printed(); /* "about 100" is not 80 */
    w.gflops = 80, w.peak = 300;
    assert_verdict(&w, "G6", ORR_PARTLY);
}

/* A share above 1, of flops that are counted or of flops that there are, says nothing. */
static void a_peak_that_is_too_low_judges_nothing(void **state)
{
    (void)state;
    struct world w = as_printed();
    struct invented in;
    w.peak = 0.8 * w.gflops;
    invent(&in, &w);
    assert_judged(&in, "G6", "cuda:0", ORR_REPRODUCED);
    assert_told(&in, "G6", "cuda:0", "why",
                "cannot be told here: share of the device's peak: above 100 %");
    orr_ledger_close(&in.ledger);
    w.peak = 0.5 * w.gflops;
    invent(&in, &w);
    assert_judged(&in, "G6", "cuda:0", ORR_REPRODUCED);
    assert_told(&in, "G6", "cuda:0", "why",
                "by its own count the device does more: the peak of that run is too low");
    orr_ledger_close(&in.ledger);
    w.peak = 0.3 * w.gflops; /* by which a call would take less than it did */
    invent(&in, &w);
    assert_told(&in, "G8", "cuda:0", "why",
                "the device's phases, scaled to a peak of 384 Gflop/s: by its own count the device "
                "does more");
    orr_ledger_close(&in.ledger);
}

static void walks_out_of_order(void **state)
{
    (void)state;
    struct world w = as_printed();
    w.walk[0] = 500, w.walk[1] = 300;
    assert_verdict(&w, "G7", ORR_REPRODUCED);
    w.walk[0] = 40, w.walk[1] = 39;
    assert_verdict(&w, "G7", ORR_PARTLY);
    w.walk_power[0] = w.walk_power[1] = 0.3;
    w.walk[0] = 30, w.walk[1] = 45;
    assert_verdict(&w, "G7", ORR_NOT_REPRODUCED);
    w.walk[0] = 80; /* the first faster, and more so the larger theta is: two of four */
    assert_verdict(&w, "G7", ORR_PARTLY);
}

/* One more size, of one process, undoes nothing that three of another tell. */
static void a_larger_size_of_one_process(void **state)
{
    (void)state;
    struct world w = as_printed();
    struct invented in;
    w.last--;
    begin_world(&in);
    put_sweep(&in, &w);
    w.first = w.last++;
    in.rounds = 1;
    put_sweep(&in, &w);
    load_and_judge(&in);
    assert_judged(&in, "G7", "cuda:0", ORR_REPRODUCED);
    assert_null(strstr(told(&in, "G7", "cuda:0", "why"), "N = 10000000:"));
    orr_ledger_close(&in.ledger);
}

/* A rise that no step from one theta to the next shows is one from end to end. */
static void a_slow_rise(void **state)
{
    (void)state;
    struct world w = as_printed();
    struct invented in;
    w.walk_power[0] = w.walk_power[1] = 0.04; /* 5 %, at most 1.6 % a step */
    invent(&in, &w);
    assert_told(&in, "G7", "cuda:0", "why",
                "first walk, at theta = 0.7 over that at 0.2, which is to be below 1");
    orr_ledger_close(&in.ledger);
}

static void a_call_is_judged_by_what_the_card_can_do(void **state)
{
    (void)state;
    struct world w = as_printed();
    w.whole = 0.5, w.peak = 60000;
    assert_verdict(&w, "G8", ORR_PARTLY);
    w.whole = 5;
    assert_verdict(&w, "G8", ORR_NOT_REPRODUCED);
    w.peak = 50, w.gflops = 30; /* a slow device that is well used */
    assert_verdict(&w, "G8", ORR_PARTLY);
    w.peak = 1; /* which it cannot have, by what it does */
    assert_verdict(&w, "G8", ORR_NOT_REPRODUCED);
}

static void speedups_over_the_direct_sum_that_grow_otherwise(void **state)
{
    (void)state;
    struct world w = as_printed();
    w.speedup = 0.7;
    assert_verdict(&w, "G9", ORR_NOT_REPRODUCED);
    w.speedup = 1.3;
    assert_verdict(&w, "G9", ORR_NOT_REPRODUCED);
}

static void a_merger_is_judged_by_what_the_card_can_do(void **state)
{
    (void)state;
    struct world w = as_printed();
    w.merger = 1.7e6, w.peak = 60000;
    assert_verdict(&w, "G10", ORR_PARTLY);
    w.merger = 1.5e6;
    assert_verdict(&w, "G10", ORR_NOT_REPRODUCED);
    w.peak = 100;
    assert_verdict(&w, "G10", ORR_PARTLY);
    w.peak = 1; /* which it cannot have, by what it does */
    assert_verdict(&w, "G10", ORR_NOT_REPRODUCED);
}

/* An order has two sides, and as many cores on one side as on the other. */
static void orders_of_magnitude(void **state)
{
    (void)state;
    struct world w = as_printed();
    w.tree_ratio = 1000;
    assert_verdict(&w, "G11", ORR_PARTLY);
    w.simd_ratio = 50;
    assert_verdict(&w, "G11", ORR_PARTLY);
    w.cores_ratio = 2;
    assert_verdict(&w, "G11", ORR_NOT_REPRODUCED);
    w.tree_ratio = 20, w.simd_ratio = 1, w.cores_ratio = 40;
    assert_verdict(&w, "G11", ORR_NOT_REPRODUCED);
}

static void host_and_device_out_of_balance(void **state)
{
    (void)state;
    struct world w = as_printed();
    w.balance = 4; /* the host takes longer */
    assert_verdict(&w, "G12", ORR_NOT_REPRODUCED);
    assert_verdict(&w, "G13", ORR_NOT_REPRODUCED);
    w.balance = 0.01;
    assert_verdict(&w, "G12", ORR_NOT_REPRODUCED);
    assert_verdict(&w, "G13", ORR_PARTLY);
}

static void other_leaves_and_groups_are_faster(void **state)
{
    (void)state;
    struct world w = as_printed();
    w.crowd = 1.001; /* where nothing differs nothing is best */
    assert_verdict(&w, "G14", ORR_PARTLY);
    w.crowd = 0.8;
    assert_verdict(&w, "G14", ORR_NOT_REPRODUCED);
}

static void what_was_not_measured_is_said(void **state)
{
    (void)state;
    struct world w = as_printed();
    struct invented in;
    w.last = 3, w.angles = 4;
    invent(&in, &w);
    assert_all_judged(&in, "G1\0G2\0G3\0G5\0G7\0G8\0G9\0G12\0G13\0", "cuda:0", ORR_INCOMPLETE);
    assert_told(&in, "G1", "cuda:0", "why",
                "not measured: power of theta, median at N = 1000000; power of theta, 99 % at N = "
                "1000000");
    assert_told(&in, "G1", "cuda:0", "why", "4 of 6 theta measured");
    assert_told(&in, "G2", "cuda:0", "why",
                "needs `orrery run gaburov/fig3.7 --preset paper --device cuda:0`");
    assert_told(&in, "G3", "cuda:0", "why",
                "the median over that with 64, N = 1000000 at theta = 0.3");
    assert_told(&in, "G5", "cuda:0", "why",
                "not measured: slope of the device's phases over N at theta = 0.6, 0.7");
    assert_told(&in, "G5", "cuda:0", "why", "3 of 7 sizes measured");
    orr_ledger_close(&in.ledger);
}

/* Below 100000 bodies nothing is said of rates and laws; how full the groups are is. */
static void small_sizes_are_not_judged(void **state)
{
    (void)state;
    struct world w = as_printed();
    struct invented in;
    w.last = 2;
    begin_world(&in);
    put_sweep(&in, &w);
    load_and_judge(&in);
    assert_all_judged(&in, "G2\0G3\0G4\0G5\0G6\0G7\0G8\0G9\0", "cuda:0", ORR_INCOMPLETE);
    assert_told(&in, "G6", "cuda:0", "why", "rates are not judged below 100000 bodies");
    assert_told(&in, "G6", "cuda:0", "score", "incomplete (2 of 4 measured)");
    orr_ledger_close(&in.ledger);
}

/* The sorted tree is not the paper's: it tells nothing of the host, and what it tells of errors and
 * of the device is said to be its own. */
static void a_sorted_tree_does_not_judge_the_host(void **state)
{
    (void)state;
    struct world w = as_printed();
    struct invented in;
    w.build = "sorted";
    invent(&in, &w);
    assert_all_judged(&in, "G4\0G8\0G9\0G10\0G11\0G12\0G13\0G14\0", "cuda:0", ORR_INCOMPLETE);
    assert_all_judged(&in, "G1\0G2\0G3\0G5\0G6\0G7\0", "cuda:0", ORR_REPRODUCED);
    assert_told(&in, "G1", "cuda:0", "why", "some are of tree=sorted");
    orr_ledger_close(&in.ledger);
}

/* One walk, another scan or another criterion are not the paper's program. */
static void other_settings_do_not_judge(void **state)
{
    (void)state;
    static const char *const others[] = {"\"host_threads\":0", "\"scan\":\"device\"",
                                         "\"walk\":\"one\"",   "\"share\":\"on\"",
                                         "\"ngroup\":32",      "\"opening\":\"improved\"",
                                         "\"nleaf\":16",       "\"multipole\":\"monopole\""};
    struct world w = as_printed();
    char extra[2048], parameters[256];
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        struct invented in;
        begin_world(&in);
        for (int n = 0; n < SIZES; n++)
            for (int t = 0; t < THETAS; t++) {
                describe(extra, sizeof extra, &w, sizes[n], thetas[t]);
                snprintf(parameters, sizeof parameters,
                         ",\"theta\":%.17g,\"tree\":\"recursive\",%s", thetas[t], others[k]);
                put(&in, "fig3.7", "octgrav", "cuda:0", "milky-way", sizes[n], 1, parameters,
                    extra);
            }
        load_and_judge(&in);
        assert_all_judged(&in, "G1\0G4\0G6\0G8\0", "cuda:0", ORR_INCOMPLETE);
        assert_told(&in, "G1", "cuda:0", "score", "incomplete (0 of 6 measured)");
        orr_ledger_close(&in.ledger);
    }
}

static int set_up(void **state)
{
    (void)state;
    return begin_claims("gaburov");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_paper_says_is_reproduced),
        cmocka_unit_test(errors_that_follow_another_power_of_theta),
        cmocka_unit_test(a_power_near_four),
        cmocka_unit_test(errors_that_grow_otherwise_with_n),
        cmocka_unit_test(small_leaves_do_not_help_or_hurt),
        cmocka_unit_test(the_host_s_time_depends_on_theta),
        cmocka_unit_test(the_device_s_time_grows_otherwise),
        cmocka_unit_test(the_device_fills_late),
        cmocka_unit_test(evaluations_that_use_the_device_otherwise),
        cmocka_unit_test(a_peak_that_is_too_low_judges_nothing),
        cmocka_unit_test(walks_out_of_order),
        cmocka_unit_test(a_larger_size_of_one_process),
        cmocka_unit_test(a_slow_rise),
        cmocka_unit_test(a_call_is_judged_by_what_the_card_can_do),
        cmocka_unit_test(speedups_over_the_direct_sum_that_grow_otherwise),
        cmocka_unit_test(a_merger_is_judged_by_what_the_card_can_do),
        cmocka_unit_test(orders_of_magnitude),
        cmocka_unit_test(host_and_device_out_of_balance),
        cmocka_unit_test(other_leaves_and_groups_are_faster),
        cmocka_unit_test(what_was_not_measured_is_said),
        cmocka_unit_test(small_sizes_are_not_judged),
        cmocka_unit_test(a_sorted_tree_does_not_judge_the_host),
        cmocka_unit_test(other_settings_do_not_judge),
    };
    return cmocka_run_group_tests(tests, set_up, end_claims);
}
