/* SPDX-License-Identifier: MIT */
/* Which differences claims call: from three processes a side on, and beyond the margin. */
#include "claims_for_tests.h"
#include "home_for_tests.h"

static const struct orr_paper trial = {.key = (char *)"trial"};

/* A claim for each size: fast takes less time than slow. */
static const char faster[] =
    "INSERT INTO claim SELECT DISTINCT 'T' || per_box, '', 'faster', NULL, '', 'orrery run trial/e"
    " --preset quick' FROM latest;\n"
    "INSERT INTO wanted SELECT id, 'as printed', 'ratio', '', 1, 'above 1.02' FROM claim;\n"
    "CREATE TEMP VIEW pair AS SELECT * FROM compared WHERE variant = 'trial/fast';\n"
    "INSERT INTO part SELECT 'T' || per_box, machine, device, 'as printed', 'ratio', '', "
    "timing,\n"
    " NULL, NULL, NULL, 'above 1.02', NULL, cells FROM pair;\n"
    /* announced behind the part, which waits for it */
    "INSERT INTO comparison SELECT 'T' || per_box, machine, device, timing FROM pair;\n";

static void write_claims(const char *sql)
{
    FILE *file = fopen(filled("%s/variants/trial/claims.sql", test_home), "w");
    assert_true(file && fputs(sql, file) >= 0 && !fclose(file));
}

static void judge(const char *sql)
{
    write_claims(sql);
    load();
    assert_done(orr_claims_judge(&in.ledger, &trial) != 1);
}

/* What is found of a ratio that so many processes measured. */
static void assert_found(int processes, double ratio, const char *extra, const char *verdict)
{
    wanted_rounds = processes;
    start("m");
    add("trial/e", "trial/fast", "cuda:0", 8, 1, "", "");
    add("trial/e", "trial/slow", "cuda:0", 8, ratio, "", extra);
    judge(faster);
    assert_judged("T8", "cuda:0", verdict);
    if (!strcmp(verdict, ORR_UNCLEAR))
        assert_told(
            "T8", "cuda:0", "why",
            "Unclear: ratio. 1 of 1 comparisons are unclear for want of three processes a side: "
            "`orrery run trial/e --preset quick --device cuda:0 --repeats 3`");
    else
        assert_told("T8", "cuda:0", "why",
                    !strcmp(verdict, ORR_REPRODUCED) ? "It holds." : "Broken: ratio is ");
}

TEST(three_processes_call_a_difference)
{
    assert_found(5, 1.1, "", ORR_REPRODUCED);
    assert_found(3, 1.1, "", ORR_REPRODUCED);
    assert_found(5, 1, "", ORR_NOT_REPRODUCED);
    assert_found(5, 0.9, "", ORR_NOT_REPRODUCED);
    assert_found(5, 1.015, "", ORR_NOT_REPRODUCED); /* certain, and within the margin */
}

TEST(fewer_are_unclear)
{
    assert_found(1, 100, "", ORR_UNCLEAR);
    assert_found(2, 100, "", ORR_UNCLEAR);
    assert_found(1, 100, ",'samples':{'step_s':[100]}", ORR_UNCLEAR);
}

/* What others took of the machine may be all of a difference of 1.3, and is not all of one of 2. */
TEST(a_difference_beside_others_is_wider)
{
    static const char beside[] = ",'beside':'others used 0.7 of 2 cores','surroundings':{'cpus':2,"
                                 "'others_cores':0.7}";
    static const struct {
        double ratio;
        const char *verdict;
    } cases[] = {
        {2, ORR_REPRODUCED}, {1.3, ORR_UNCLEAR}, {0.8, ORR_UNCLEAR}, {0.5, ORR_NOT_REPRODUCED}};
    wanted_rounds = 3;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        start("m");
        add("trial/e", "trial/fast", "cuda:0", 8, 1, "", "");
        add("trial/e", "trial/slow", "cuda:0", 8, cases[k].ratio, "", beside);
        judge(faster);
        assert_judged("T8", "cuda:0", cases[k].verdict);
        if (!strcmp(cases[k].verdict, ORR_UNCLEAR))
            assert_told("T8", "cuda:0", "why",
                        "Not told apart: ratio. 1 of 2 cells behind this was");
    }
}

/* An extrapolated baseline is known as well as its source. */
TEST(extrapolated_baselines_have_the_processes_of_their_source)
{
    for (int processes = 1; processes <= 3; processes += 2) {
        wanted_rounds = processes;
        start("m");
        add("trial/e", "trial/slow", "cuda:0", 4, 1, "", "");
        in.rounds = 1;
        add("trial/e", "trial/slow", "cuda:0", 8, 4, "", ",'samples':{},'extrapolated_from':'c0'");
        in.rounds = processes;
        add("trial/e", "trial/fast", "cuda:0", 8, 2, "", "");
        judge(faster);
        assert_judged("T8", "cuda:0", processes < 3 ? ORR_UNCLEAR : ORR_REPRODUCED);
        assert_string_equal(told("T8", "cuda:0", "measured"), "ratio 2.00");
    }
}

static int set_up(void **state)
{
    make_test_home();
    write_paper("trial", "");
    return 0;
}

static int tear_down(void **state)
{
    unlink(filled("%s/variants/trial/claims.sql", test_home));
    remove_paper("trial");
    remove_test_home();
    return 0;
}

RUN_TESTS(set_up, tear_down)
