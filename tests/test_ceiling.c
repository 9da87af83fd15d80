/* SPDX-License-Identifier: MIT */
/* Ceilings: which kind of pair each variant is measured by, and that each cell is measured by the
 * ceiling of its own run, which judges nothing where it is too low. */
#include "claims_for_tests.h"
#include "plan/paper.h"
#include "referee/cell_run.h"

/* What a variant declares chooses the kind of pair that its rate is held against. */
TEST(each_variant_has_its_kind_of_pair)
{
    static const struct {
        unsigned capabilities;
        int dimensions;
        const char *pair;
    } cases[] = {{ORR_RUNS_HOST, 2, "2d"},
                 {ORR_RUNS_HOST, 3, "3d"},
                 {ORR_NEAR_FIELD, 2, "2d"},
                 {ORR_NEAR_FIELD | ORR_THIRD_LAW, 2, "2d-both"},
                 {ORR_THIRD_LAW, 3, "3d-both"},
                 {ORR_TREE_CODE | ORR_MONOPOLES, 2, "2d"}, /* its cells act as bodies do */
                 {ORR_TREE_CODE, 3, "3d-tree"},
                 {ORR_MATRIX_UNITS, 3, "3d-matrix"},
                 {ORR_THIRD_LAW | ORR_MATRIX_UNITS, 3, "3d-matrix"},
                 {ORR_NEEDS_FP64, 3, "other"}}; /* the ceilings are of single precision */
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_string_equal(orr_cell_work_pair(cases[k].capabilities, cases[k].dimensions),
                            cases[k].pair);
}

/* --- whose ceiling a cell is measured by --- */

static void put_run(const char *run, const char *started)
{
    fprintf(in.file,
            "{\"record\":\"run\",\"run\":\"%s\",\"started\":\"%s\",\"machine\":{\"name\":\"m\"}}\n",
            run, started);
}

/* `pairs` is a member with a leading comma, or more of them. */
static void put_ceiling(const char *device, double mix, const char *pairs)
{
    fprintf(in.file,
            "{\"record\":\"ceiling\",\"device\":\"%s\",\"interactions_per_second\":%.17g,"
            "\"fma_per_second\":%.17g%s}\n",
            device, mix, 14 * mix, pairs);
}

/* A cell of 1000 interactions a second. */
static void put(const char *variant, const char *device, const char *pair)
{
    put_of("p", "e", variant, device, "\"name\":\"s\",\"n\":1000", "", 1,
           filled(",\"interactions\":1000,\"interactions_per_second\":1000,"
                  "\"flops_convention\":38000%s",
                  *pair ? filled(",\"pair\":\"%s\"", pair) : ""));
}

static void assert_ceiling(const char *variant, const char *kind, double rate)
{
    const char *of = filled("FROM rates WHERE variant = 'p/%s'", variant);
    reads(filled("SELECT coalesce(ceiling_kind, 'none') %s", of), kind);
    assert_close(number(&in.ledger, filled("SELECT coalesce(ceiling_fraction, 0) %s", of)),
                 rate > 0 ? 1000 / rate : 0, 1e-12);
}

/* One machine; the newest run's ceilings are no one else's. */
TEST(each_cell_has_the_ceiling_of_its_own_run)
{
    start("m");
    put_ceiling("host", 2000, "");
    put_ceiling("cuda:0", 8000, "");
    put("quiet", "host", "");
    put("card", "cuda:0", "");
    put_run("later", "2026-02-01T00:00:00Z");
    put_ceiling("host", 1250, "");
    put("busy", "host", "");
    put("uncovered", "cuda:0", ""); /* only another run measured that device's */
    load();
    assert_ceiling("quiet", "mix", 2000);
    assert_ceiling("card", "mix", 8000);
    assert_ceiling("busy", "mix", 1250);
    assert_ceiling("uncovered", "none", 0);
}

TEST(each_cell_has_the_ceiling_of_its_kind)
{
    static const char pairs[] = ",\"pairs\":{\"3d\":2000,\"2d\":3000,\"2d-both\":4000}";
    start("m");
    put_ceiling("host", 2500, pairs);
    put("space", "host", "3d");
    put("plane", "host", "2d");
    put("plane-both", "host", "2d-both");
    put("space-both", "host", "3d-both"); /* not measured: another kind's does not serve */
    put("fp64", "host", "other");
    put("tree", "host", "3d-tree"); /* of cells' ceiling nothing is known */
    put("older", "host", "");
    put_ceiling("cuda:0", 5000, ""); /* by an older program, whose run was continued */
    put("continued", "cuda:0", "3d");
    put("continued-tree", "cuda:0", "other");
    load();
    assert_ceiling("space", "3d", 2000);
    assert_ceiling("plane", "2d", 3000);
    assert_ceiling("plane-both", "2d-both", 4000);
    assert_ceiling("space-both", "none", 0);
    assert_ceiling("fp64", "none", 0);
    assert_ceiling("tree", "none", 0);
    assert_ceiling("older", "mix", 2500);
    assert_ceiling("continued", "mix", 5000);
    assert_ceiling("continued-tree", "none", 0);
}

/* 1000 interactions: cells with quadrupoles, and 500 bodies; the rest acts otherwise. */
static void put_tree(const char *variant, const char *device, int cells)
{
    put_of("p", "e", variant, device, "\"name\":\"s\",\"n\":1000", "", 1,
           filled(",\"interactions\":1000,\"interactions_per_second\":1000,\"pair\":\"3d-tree\","
                  "\"figures\":{\"pairs with masses\":500,\"%s\":%d}",
                  cells < 0 ? "node interactions" : "pairs with quadrupoles", cells));
}

TEST(a_tree_has_the_ceiling_of_its_mix)
{
    start("m");
    put_ceiling("host", 2500, ",\"pairs\":{\"3d\":2000,\"3d-node\":500}");
    put_ceiling("cuda:0", 2500, ",\"pairs\":{\"3d\":2000}");
    put_ceiling("cuda:1", 2500, "");
    put_tree("mixed", "host", 250);
    put_tree("masses", "host", 0);
    put_tree("older", "host", -1);
    put_tree("without", "cuda:0", 250); /* no ceiling of cells in its run */
    put_tree("continued", "cuda:1", 250);
    load();
    assert_ceiling("mixed", "3d-tree", 1000 / 0.75); /* 250 / 500 + 500 / 2000 s */
    assert_ceiling("masses", "3d-tree", 1000 / 0.25);
    assert_ceiling("older", "none", 0);
    assert_ceiling("without", "none", 0);
    assert_ceiling("continued", "none", 0);
}

TEST(the_largest_of_the_rounds_counts)
{
    start("m");
    put_ceiling("host", 2000, ",\"pairs\":{\"3d\":1500},\"round\":1");
    put_ceiling("host", 2400, ",\"pairs\":{\"3d\":1600},\"round\":2");
    put_ceiling("host", 1200, ",\"pairs\":{\"3d\":1700},\"round\":3");
    put("space", "host", "3d");
    put("older", "host", "");
    load();
    assert_ceiling("space", "3d", 1700);
    assert_ceiling("older", "mix", 2400);
    finds("SELECT count(*) FROM rates", 2);
    finds("SELECT max(round) FROM ceiling", 3);
}

TEST(a_share_above_one_is_a_fault_of_the_ceiling)
{
    start("m");
    put_ceiling("host", 900, ",\"pairs\":{\"3d\":1000,\"2d\":999}");
    put("space", "host", "3d");
    put("plane", "host", "2d");
    put("older", "host", "");
    load();
    finds("SELECT ceiling_fault IS NULL FROM rates WHERE variant = 'p/space'", 1);
    reads("SELECT ceiling_fault FROM rates WHERE variant = 'p/plane'",
          "above 100 %: the ceiling of that run is too low, not used");
    reads("SELECT ceiling_fault FROM rates WHERE variant = 'p/older'",
          "above 100 %: the ceiling of that run, 12 multiply-adds and a root, is too low, "
          "not used");
}

/* --- what is judged --- */

/* Fujiwara's Figure 14 at N = 200000: 1000 Gflop/s, 38 an interaction, on a device that does so
 * many multiply-adds; and a
 * little less at N = 400000. */
static void judge_figure_14(double multiply_adds, double pairs)
{
    start("m");
    assert_int_equal(orr_ledger_add_published(&in.ledger, "fujiwara", NULL), 0);
    fprintf(in.file,
            "{\"record\":\"ceiling\",\"device\":\"cuda:0\",\"interactions_per_second\":1e10,"
            "\"fma_per_second\":%.17g,\"pairs\":{\"3d\":%.17g}}\n",
            multiply_adds, pairs);
    put_of("fujiwara", "fig14", "optimised", "cuda:0", "\"name\":\"random-3d\",\"n\":200000",
           "\"steps\":0", 2,
           ",\"interactions\":52e9,\"interactions_per_second\":26e9,\"flops_convention\":2e12,"
           "\"flops_true\":1e12,\"pair\":\"3d\"");
    put_of("fujiwara", "fig14", "optimised", "cuda:0", "\"name\":\"random-3d\",\"n\":400000",
           "\"steps\":0", 8,
           ",\"interactions\":200e9,\"interactions_per_second\":25e9,\"flops_convention\":7.6e12,"
           "\"flops_true\":3.8e12,\"pair\":\"3d\"");
    load_and_judge();
}

TEST(a_ceiling_that_is_too_low_judges_nothing)
{
    judge_figure_14(6e11, 30e9);
    assert_told("N4", "cuda:0", "measured", "share of the peak 0.833 at N = 200000");
    assert_told("N4", "cuda:0", "held", "3");
    assert_told("N4", "cuda:0", "why", "the device does 86.7 % of what it can with this mix");
    judge_figure_14(4e11, 30e9); /* 500 of 800 Gflop/s: the convention's are more */
    assert_told("N4", "cuda:0", "measured", "share of the peak 1.25 at N = 200000");
    assert_told("N4", "cuda:0", "why",
                "Cannot be judged here: share of the peak at N = 200000: above the peak: 38");
    assert_told("N4", "cuda:0", "held", "2");
    judge_figure_14(2e11, 20e9);
    assert_told(
        "N4", "cuda:0", "why",
        "Cannot be judged here: share of the peak at N = 200000: by its own count the device "
        "does more");
    assert_told("N4", "cuda:0", "why", "its share of the ceiling is above 100 %: the ceiling");
}

RUN_CLAIMS_OF("fujiwara")
