/* SPDX-License-Identifier: MIT */
/* Speedups from the papers' cards to devices that were measured, taken apart: factors that multiply
 * to them, with and without what is not known; orders of programs. */
#include "ledger_for_tests.h"
#include "table_for_tests.h"

#include "compare/compare.h"
#include "measure/stats.h"

#define GPU "tests/data/frozen-gpu.jsonl"
/* One process of each program of Table II. */
#define ONE_PROCESS "tests/data/nvidia-h200/20261120T154958Z-ae36.jsonl"
#define MOST 100 /* things in an enumeration of orders */

static struct orr_selection selection;

/* The document that is looked at, the table of its rows (NULL: none), and a row of that. */
static struct orr_document document;
static const struct orr_grid *grid;
static size_t row;

static void change(const char *sql)
{
    if (sqlite3_exec(selection.ledger.db, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(selection.ledger.db));
}

static int release_selection(void **state)
{
    orr_document_release(&document);
    orr_selection_release(&selection);
    return 0;
}

static void make(const struct orr_paper *paper)
{
    orr_document_release(&document);
    assert_done(orr_layout_overview(&document, NULL, &orr_compare_generations, &selection, paper,
                                    paper->key));
    grid = document.data;
}

static const struct orr_value *value_of(size_t of, const char *key)
{
    for (size_t column = 0; column < grid->column_count; column++)
        if (!strcmp(grid->columns[column].key, key))
            return orr_grid_at(grid, of, column);
    fail_msg("no column %s", key);
    return NULL;
}

static double at(const char *key)
{
    return value_of(row, key)->number;
}

static const char *text_at(size_t of, const char *key)
{
    const char *text = value_of(of, key)->text;
    return text ? text : "";
}

static const char *text(const char *key)
{
    return text_at(row, key);
}

static const struct orr_grid *named(const char *name)
{
    for (size_t k = 0; k < document.grid_count; k++)
        if (document.grids[k]->key && !strcmp(document.grids[k]->key, name))
            return document.grids[k];
    fail_msg("no grid %s", name);
    return NULL;
}

/* What is made of the selection after a change, at the row of a program and a device at N bodies.
 */
static void look(const char *sql, const char *experiment, const char *variant, const char *device,
                 double n)
{
    change(sql);
    make(selection.papers[0]);
    for (row = 0; row < grid->row_count; row++)
        if (!strcmp(text("experiment"), experiment) && !strcmp(text("variant"), variant) &&
            !strcmp(text("device"), device) && at("n") == n)
            return;
    fail_msg("no row of %s %s on %s", experiment, variant, device);
}

/* --- factors --- */

static const char *const factors[] = {"factor_clock", "factor_lanes", "factor_slots",
                                      "factor_share"};
static const char *const names[] = {"clock", "lanes", "slots", "share"};

/* "clock × lanes; slots × share": what stands in one factor, as the columns without a number say.
 */
static const char *merged_of(void)
{
    const char *group = "", *out = "";
    for (int k = 0; k < 4; k++) {
        group = filled("%s%s%s", group, *group ? " × " : "", names[k]);
        if (isnan(at(factors[k])))
            continue;
        if (strstr(group, "×"))
            out = filled("%s%s%s", out, *out ? "; " : "", group);
        group = "";
    }
    return out;
}

/* The product of what is known is the speedup, and with the algorithm the whole; so are the ends of
 * the interval. */
static void assert_multiplies(void)
{
    double product = 1, others, speedup = at("speedup");
    for (int k = 0; k < 4; k++) {
        double factor = at(factors[k]);
        product *= isnan(factor) ? 1 : factor;
    }
    assert_relative(product, speedup, 1e-14);
    assert_relative(speedup, at("card_seconds") / at("seconds"), 1e-14);
    others = product / at("factor_share");
    assert_relative(others * at("factor_share_low"), at("speedup_low"), 1e-13);
    assert_relative(others * at("factor_share_high"), at("speedup_high"), 1e-13);
    assert_true(at("speedup_low") <= speedup * (1 + 1e-12));
    assert_true(at("speedup_high") >= speedup * (1 - 1e-12));
    if (!isnan(at("factor_algorithm"))) {
        assert_relative(product * at("factor_algorithm"), at("together"), 1e-14);
        assert_relative(at("together"), at("card_seconds") / at("fastest_seconds"), 1e-13);
        assert_true(at("factor_algorithm") >= 1);
    }
    assert_string_equal(text("merged"), merged_of());
}

/* A program on a device has one algorithm at an input, whichever experiment prints it. */
static void assert_one_algorithm(void)
{
    static const char *const same[] = {"variant", "machine", "device", "dataset"};
    const double algorithm = at("factor_algorithm");
    for (size_t other = 0; other < row && !isnan(algorithm); other++) {
        bool is_same = value_of(other, "n")->number == at("n") &&
                       !isnan(value_of(other, "factor_algorithm")->number);
        for (size_t k = 0; k < sizeof same / sizeof *same; k++)
            is_same = is_same && !strcmp(text_at(other, same[k]), text(same[k]));
        if (is_same)
            assert_relative(value_of(other, "factor_algorithm")->number, algorithm, 1e-14);
    }
}

/* How many rows are of a card and how many of a processor, and how many each way of knowing has. */
struct tally {
    int gpus, cpus, merges[4];
};

static void tally_paper(struct tally *tally, const struct orr_paper *paper)
{
    static const char *const ways[4] = {"", "clock × lanes", "slots × share",
                                        "clock × lanes × slots × share"};
    make(paper);
    for (row = 0; grid && row < grid->row_count; row++) {
        assert_multiplies();
        assert_one_algorithm();
        bool is_gpu = !strcmp(text("device"), "cuda:0");
        tally->gpus += is_gpu;
        tally->cpus += !is_gpu;
        for (int k = 0; k < 4; k++)
            tally->merges[k] += !strcmp(text("merged"), ways[k]);
    }
}

TEST(factors_multiply_to_the_speedup)
{
    static const char *const sources[] = {GPU, "tests/data/frozen-cpu.jsonl",
                                          "tests/data/intel-xeon-2-cores",
                                          "tests/data/shan-fixture.jsonl"};
    struct tally tally = {0};
    for (size_t k = 0; k < sizeof sources / sizeof *sources; k++) {
        select_from(&selection, NULL, sources[k]);
        for (size_t p = 0; p < selection.paper_count; p++)
            tally_paper(&tally, selection.papers[p]);
        release_selection(NULL);
    }
    assert_true(tally.gpus > 20 && tally.cpus > 40);
    for (int k = 0; k < 4; k++)
        assert_true(tally.merges[k] > 0); /* each way of knowing is there */
}

/* 0.50 s on 800 lanes at 625 MHz in 22.5 slots; 132 multiprocessors of 128 lanes at 1980 MHz. */
TEST_AROUND(factors_are_those_of_both_devices, NULL, release_selection)
{
    select_from(&selection, "fujiwara", GPU);
    look("SELECT 1", "fujiwara/table2", "double-unrolling", "cuda:0", 100000);
    double here = at("limit_rate"), rate = 132 * 128 * 1980e6;
    assert_relative(at("factor_clock"), 1980.0 / 625, 1e-3);
    assert_relative(at("factor_lanes"), 132 * 128 / 800.0, 1e-3);
    assert_relative(at("factor_slots"), 22.5 / (rate / here), 1e-3);
    assert_relative(at("card_share"), 100000.0 * 99999 / 0.5 / (800 * 625e6 / 22.5), 1e-6);
    assert_relative(at("factor_share"), at("share") / at("card_share"), 1e-12);
    assert_relative(at("by_peak"), at("speedup") / (2 * rate / 1000e9), 1e-3);
    assert_relative(at("card_low"), 0.495, 1e-9);
    assert_relative(at("card_high"), 0.505, 1e-9);
    /* 63.6 GB/s, and what `run ceilings` found. */
    assert_relative(at("by_bandwidth"), at("speedup") * 63.6e9 / 4.76e12, 2e-2);
    assert_string_equal(text("year_is"), "release");
    assert_relative(at("year"), 2024, 0);
    /* 38 operations an interaction: a speed is a time */
    look("SELECT 1", "fujiwara/fig14", "optimised", "cuda:0", 200000);
    assert_relative(at("card_seconds"), 38 * 200000.0 * 199999 / 990e9, 1e-9);
    assert_relative(at("card_low"), 38 * 200000.0 * 199999 / 995e9, 1e-9);
}

/* What a planted fault leaves unknown goes into the next factor, and the product stays. */
TEST_AROUND(what_is_not_known_is_merged_and_not_guessed, NULL, release_selection)
{
    static const struct {
        const char *fault, *merged;
    } faults[] = {
        {"SELECT 1", ""},
        {"UPDATE published_fact SET value = NULL WHERE quantity = 'clock'", "clock × lanes"},
        {"UPDATE published_fact SET value = NULL WHERE quantity = 'slots'",
         "clock × lanes; slots × share"},
        {"UPDATE published_fact SET value = NULL WHERE quantity IN ('lanes', 'peak')",
         "clock × lanes × slots × share"},
        {"UPDATE published_fact SET value = 625e6 WHERE quantity = 'clock' AND device LIKE "
         "'%4850%'",
         "lanes × slots × share"},
    };
    double speedup = 0;
    select_from(&selection, "fujiwara", GPU);
    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
        look(faults[k].fault, "fujiwara/table2", "double-unrolling", "cuda:0", 100000);
        assert_multiplies();
        assert_string_equal(text("merged"), faults[k].merged);
        assert_true(!k || at("speedup") == speedup);
        speedup = at("speedup");
    }
}

/* --- the algorithm --- */

TEST_AROUND(the_algorithm_is_of_an_equal_error, NULL, release_selection)
{
    static const char *const faults[] = {
        "SELECT 1",
        "UPDATE cell SET error_by_terms_median = 10 * error_by_terms_median "
        "WHERE variant = 'gaburov/octgrav-modern'",
        "UPDATE cell SET error_by_terms_median = NULL"};
    select_from(&selection, "gaburov", GPU);
    for (int k = 0; k < 3; k++) {
        look(faults[k], "gaburov/headline", "octgrav", "cuda:0", 1000000);
        if (k == 0) /* theta = 0.66, not the faster but less precise ones */
            assert_relative(at("fastest_seconds"), 0.00195488, 1e-5);
        assert_true(!strcmp(text("fastest"), "octgrav-modern") == (k == 0));
        assert_true(isnan(at("factor_algorithm")) == (k == 2));
    }
}

/* A program is not the fastest of itself alone. */
TEST_AROUND(without_a_rival_there_is_no_algorithm, NULL, release_selection)
{
    select_from(&selection, "fujiwara", GPU);
    for (int k = 0; k < 2; k++) {
        look(k ? "DELETE FROM cell WHERE variant NOT GLOB '*/no-unrolling'" : "SELECT 1",
             "fujiwara/table2", "no-unrolling", "cuda:0", 100000);
        assert_true(isnan(at("factor_algorithm")) == (k == 1));
        assert_true(isnan(at("together")) == (k == 1));
        grid = document.grids[0];
        const char *best = text_at(0, "best");
        assert_true(strstr(best, "no rival measured") == (k ? best : NULL));
    }
}

/* --- one thread --- */

/* What a share is by the multiply-adds that one core of 16 here and of the Xeon's eight can do. */
TEST_AROUND(one_thread_is_held_against_one_core, NULL, release_selection)
{
    static const char *const faults[] = {
        "SELECT 1", "UPDATE run SET cores = 1",
        "UPDATE published_fact SET value = 1 WHERE quantity = 'cores'",
        "DELETE FROM published_fact WHERE quantity = 'threads'"};
    static const double times[] = {1, 1 / 16.0, 1 / 2.0, 1 / 2.0};
    double share = 0;
    select_from(&selection, "shan", GPU);
    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
        look(faults[k], "shan/table3", "serial", "host", 1048576);
        assert_multiplies();
        share = k ? share : at("factor_share");
        assert_relative(at("factor_share"), share * times[k], 1e-12);
        assert_relative(at("factor_share"), at("by_ceiling"), 1e-2);
    }
}

/* --- orders --- */

TEST(p_values_are_exact)
{
    assert_relative(orr_stats_kendall_p(2, 1), 1, 0);
    assert_relative(orr_stats_kendall_p(3, 3), 2 / 6.0, 1e-15);
    assert_relative(orr_stats_kendall_p(3, 1), 1, 1e-15);
    assert_relative(orr_stats_kendall_p(4, -6), 2 / 24.0, 1e-15);
    assert_relative(orr_stats_kendall_p(4, 2), 18 / 24.0, 1e-15);
    assert_relative(orr_stats_kendall_p(5, 10), 2 / 120.0, 1e-15);
    assert_relative(orr_stats_kendall_p(8, 20), 2 * (1 + 7 + 27 + 76 + 174) / 40320.0, 1e-13);
    assert_relative(orr_stats_kendall_p(10, 0), 1, 1e-12);
    assert_true(orr_stats_kendall_p(MOST, MOST * (MOST - 1) / 2.0) < 1e-100);
    assert_true(isnan(orr_stats_kendall_p(1, 0)) && isnan(orr_stats_kendall_p(MOST + 1, 0)));
    assert_true(isnan(orr_stats_kendall_p(3, NAN)));
}

static void assert_order(const char *verdict, double tau, double p, const char *turned)
{
    make(selection.papers[0]);
    grid = named("orders");
    row = 0;
    while (strcmp(text("experiment"), "fujiwara/table2") != 0 || at("n") != 100000)
        assert_true(++row < grid->row_count);
    assert_string_equal(text("verdict"), verdict);
    assert_relative(at("tau"), tau, 1e-15);
    assert_relative(at("p"), p, 1e-15);
    assert_string_equal(text("turned"), turned);
}

#define OF_TABLE2(variant) \
    "experiment = 'fujiwara/table2' AND n = 100000 AND variant = 'fujiwara/" variant "'"
TEST_AROUND(orders_are_compared, NULL, release_selection)
{
    select_from(&selection, "fujiwara", ONE_PROCESS);
    assert_order("not kept", -1 / 3.0, 1,
                 "simple-unrolling behind no-unrolling; double-unrolling behind no-unrolling");
    change("UPDATE published SET value = 0.6 WHERE " OF_TABLE2("no-unrolling"));
    assert_order("not kept", 1 / 3.0, 1, "double-unrolling behind no-unrolling");
    change("UPDATE published SET value = 0.2 WHERE " OF_TABLE2("no-unrolling"));
    assert_order("kept", 1, 1 / 3.0, "");
    /* digits that leave open which was faster */
    change("UPDATE published SET half_unit = 0.3 WHERE " OF_TABLE2("double-unrolling"));
    assert_order("not told apart", 1, 1 / 3.0, "");
}

/* --- what is said --- */

TEST_AROUND(a_paper_without_times_says_so, NULL, release_selection)
{
    RELEASED_BY(orr_plot_release) struct orr_plot plot;
    select_from(&selection, "feng", GPU);
    make(selection.papers[0]);
    assert_int_equal(document.remark_count, 1);
    assert_string_equal(document.remarks[0],
                        "feng: the paper prints no time or rate of a program at a size");
    assert_fails(orr_layout_overview(NULL, &plot, &orr_compare_generations, &selection,
                                     selection.papers[0], "feng"),
                 ORR_EUSAGE, "no time that feng prints was measured here");
}

/* The peaks that are printed or derived are those of clock and lanes. */
TEST_AROUND(peaks_are_two_operations_a_lane_and_clock, NULL, release_selection)
{
    select_from(&selection, NULL, "tests/data/feng-fixture.jsonl");
    assert_true(number(&selection.ledger, "SELECT count(*) FROM published_device WHERE peak_gflops"
                                          " * clock * lanes NOT NULL") >= 6);
    assert_number(&selection.ledger,
                  "SELECT count(*) FROM published_device WHERE abs(2e-9 * clock * lanes / "
                  "peak_gflops - 1) > 0.003",
                  0);
}

RUN_TESTS(NULL, NULL)
