/* Fujiwara's claims on orders over invented cells: every verdict turns when its numbers do. */
#include "claims_for_tests.h"

enum { SIZES = 4, PROGRAMS = 4 };
static const int sizes[SIZES] = {7500, 10000, 18000, 100000};
static const char *const datasets[SIZES] = {"figure-eight-3", "figure-eight-4", "cartwheel",
                                            "random-3d"};
static const char *const programs[PROGRAMS] = {"cpu-only", "no-unrolling", "simple-unrolling",
                                               "double-unrolling"};

/* Seconds of each program at each size, and of the other settings over those of 4 x 4. */
struct world {
    double seconds[SIZES][PROGRAMS];
    double other;
};

static struct world as_printed(void)
{
    static const double least[PROGRAMS] = {1, 400, 500, 600};
    struct world w = {.other = between(1.1, 2)};
    for (int k = 0; k < SIZES; k++)
        for (int p = 0; p < PROGRAMS; p++)
            w.seconds[k][p] = between(0.999, 1.001) * 1e-8 * sizes[k] * sizes[k] /
                              (least[p] * (p ? 1.5 + 0.3 * p : 1));
    return w;
}

static void put_program(struct invented *in, const char *experiment, int size, int program,
                        const struct world *w, int steps, const char *extra)
{
    char dataset[96], parameters[64];
    snprintf(dataset, sizeof dataset, "\"name\":\"%s\",\"n\":%d", datasets[size], sizes[size]);
    snprintf(parameters, sizeof parameters, "\"steps\":%d", steps);
    put_of(in, "fujiwara", experiment, programs[program], program ? "cuda:0" : "host", dataset,
           parameters, w->seconds[size][program], extra);
}

static void put_stages(struct invented *in, const struct world *w)
{
    for (int i = 1; i <= 4; i *= 2) {
        char parameters[64];
        snprintf(parameters, sizeof parameters, "\"unroll_i\":%d,\"unroll_j\":4", i);
        put_of(in, "fujiwara", "unroll-sweep", "optimised", "cuda:0",
               "\"name\":\"random-3d\",\"n\":100000", parameters, i == 4 ? 1 : w->other, "");
    }
}

static void invent(struct invented *in, const struct world *w)
{
    start(in, "m");
    assert_int_equal(orr_ledger_add_published(&in->ledger, "fujiwara"), 0);
    for (int k = 0; k < SIZES; k++)
        for (int p = 0; p < PROGRAMS; p++) {
            put_program(in, "table2", k, p, w, 0, "");
            if (p > 1)
                put_program(in, "table3", k, p, w, 100, "");
            if (p && sizes[k] == 100000)
                put_program(in, "fig13", k, p, w, 1, ",\"flops_convention\":1e15");
        }
    put_stages(in, w);
    load_and_judge(in);
}

static void assert_verdict(const struct world *w, const char *claim, const char *verdict)
{
    struct invented in;
    invent(&in, w);
    assert_verdict_and_close(&in, claim, verdict);
}

static void what_is_printed_is_reproduced(void **state)
{
    (void)state;
    struct invented in;
    struct world w = as_printed();
    invent(&in, &w);
    assert_all_judged(&in, "N1\0N3\0N6\0", "cuda:0", ORR_REPRODUCED);
    assert_told(&in, "N1", "cuda:0", "why", "this order at 4 of 4 sizes");
    assert_told(&in, "N3", "cuda:0", "why", "each unrolling is faster than the one before");
    assert_told(&in, "N6", "cuda:0", "why", "2 differ from the paper's 4 x 4");
    assert_judged(&in, "N2", "cuda:0", ORR_PARTLY); /* by 1.37 at each, not by 1.45 */
    orr_ledger_close(&in.ledger);
}

static void orders_that_turn(void **state)
{
    (void)state;
    struct world w = as_printed();
    swap(&w.seconds[1][2], &w.seconds[1][3]);
    assert_verdict(&w, "N1", ORR_PARTLY);
    w = as_printed();
    swap(&w.seconds[3][1], &w.seconds[3][2]);
    assert_verdict(&w, "N3", ORR_PARTLY);
    for (int k = 0; k < SIZES; k++)
        w.seconds[k][3] = w.seconds[k][2] * 1.1;
    assert_verdict(&w, "N2", ORR_NOT_REPRODUCED);
    w.other = 1.01; /* within the margin */
    assert_verdict(&w, "N6", ORR_NOT_REPRODUCED);
}

static void one_process_leaves_orders_open(void **state)
{
    (void)state;
    struct invented in;
    struct world w = as_printed();
    wanted_rounds = 1;
    invent(&in, &w);
    wanted_rounds = 3;
    assert_all_judged(&in, "N3\0N6\0", "cuda:0", ORR_UNCLEAR);
    assert_told(&in, "N3", "cuda:0", "why",
                "3 of the 3 rates are reached; 2 of 2 comparisons are unclear for want of three "
                "processes a side: `orrery run fujiwara/fig13 --preset paper --device cuda:0 "
                "--repeats 3`");
    assert_told(&in, "N1", "cuda:0", "why", "12 of 12 comparisons are unclear");
    orr_ledger_close(&in.ledger);
}

static int set_up(void **state)
{
    (void)state;
    return begin_claims("fujiwara");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_printed_is_reproduced),
        cmocka_unit_test(orders_that_turn),
        cmocka_unit_test(one_process_leaves_orders_open),
    };
    return cmocka_run_group_tests(tests, set_up, end_claims);
}
