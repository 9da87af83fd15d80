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

/* --- a table --- */

static void change(const char *sql)
{
    if (sqlite3_exec(selection.ledger.db, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(selection.ledger.db));
}

static int release_selection(void **state)
{
    orr_selection_release(&selection);
    return 0;
}

/* Its rows; NULL: none. */
static const struct orr_grid *make(struct orr_document *out, const struct orr_paper *paper)
{
    assert_done(
        orr_layout_overview(out, NULL, &orr_compare_generations, &selection, paper, paper->key));
    return orr_document_data(out);
}

static const struct orr_value *value_of(const struct orr_grid *grid, size_t row, const char *key)
{
    for (size_t column = 0; column < grid->column_count; column++)
        if (!strcmp(grid->columns[column].key, key))
            return orr_grid_at(grid, row, column);
    fail_msg("no column %s", key);
    return NULL;
}

static double number_at(const struct orr_grid *grid, size_t row, const char *key)
{
    return value_of(grid, row, key)->number;
}

static const char *text_at(const struct orr_grid *grid, size_t row, const char *key)
{
    const char *text = value_of(grid, row, key)->text;
    return text ? text : "";
}

static const struct orr_grid *named(const struct orr_document *document, const char *name)
{
    for (size_t k = 0; k < document->grid_count; k++)
        if (document->grids[k]->key && !strcmp(document->grids[k]->key, name))
            return document->grids[k];
    fail_msg("no grid %s", name);
    return NULL;
}

/* The row of a program and a device at N bodies. */
static size_t find(const struct orr_grid *grid, const char *experiment, const char *variant,
                   const char *device, double n)
{
    for (size_t row = 0; row < grid->row_count; row++)
        if (!strcmp(text_at(grid, row, "experiment"), experiment) &&
            !strcmp(text_at(grid, row, "variant"), variant) &&
            !strcmp(text_at(grid, row, "device"), device) && number_at(grid, row, "n") == n)
            return row;
    fail_msg("no row of %s %s on %s", experiment, variant, device);
    return 0;
}

/* --- factors --- */

static const char *const factors[] = {"factor_clock", "factor_lanes", "factor_slots",
                                      "factor_share"};
static const char *const names[] = {"clock", "lanes", "slots", "share"};

/* "clock × lanes; slots × share": what stands in one factor, as the columns without a number say.
 */
static const char *merged_of(const struct orr_grid *grid, size_t row)
{
    const char *group = "", *out = "";
    for (int k = 0; k < 4; k++) {
        group = filled("%s%s%s", group, *group ? " × " : "", names[k]);
        if (isnan(number_at(grid, row, factors[k])))
            continue;
        if (strstr(group, "×"))
            out = filled("%s%s%s", out, *out ? "; " : "", group);
        group = "";
    }
    return out;
}

/* The product of what is known is the speedup, and with the algorithm the whole; so are the ends of
 * the interval. */
static void assert_multiplies(const struct orr_grid *grid, size_t row)
{
    double product = 1, others, speedup = number_at(grid, row, "speedup");
    for (int k = 0; k < 4; k++) {
        double factor = number_at(grid, row, factors[k]);
        product *= isnan(factor) ? 1 : factor;
    }
    assert_relative(product, speedup, 1e-14);
    assert_relative(speedup, number_at(grid, row, "card_seconds") / number_at(grid, row, "seconds"),
                    1e-14);
    others = product / number_at(grid, row, "factor_share");
    assert_relative(others * number_at(grid, row, "factor_share_low"),
                    number_at(grid, row, "speedup_low"), 1e-13);
    assert_relative(others * number_at(grid, row, "factor_share_high"),
                    number_at(grid, row, "speedup_high"), 1e-13);
    assert_true(number_at(grid, row, "speedup_low") <= speedup * (1 + 1e-12));
    assert_true(number_at(grid, row, "speedup_high") >= speedup * (1 - 1e-12));
    if (!isnan(number_at(grid, row, "factor_algorithm"))) {
        assert_relative(product * number_at(grid, row, "factor_algorithm"),
                        number_at(grid, row, "together"), 1e-14);
        assert_relative(
            number_at(grid, row, "together"),
            number_at(grid, row, "card_seconds") / number_at(grid, row, "fastest_seconds"), 1e-13);
        assert_true(number_at(grid, row, "factor_algorithm") >= 1);
    }
    assert_string_equal(text_at(grid, row, "merged"), merged_of(grid, row));
}

/* A program on a device has one algorithm at an input, whichever experiment prints it. */
static void assert_one_algorithm(const struct orr_grid *grid, size_t row)
{
    static const char *const same[] = {"variant", "machine", "device", "dataset"};
    const double algorithm = number_at(grid, row, "factor_algorithm");
    for (size_t other = 0; other < row && !isnan(algorithm); other++) {
        bool is_same = number_at(grid, other, "n") == number_at(grid, row, "n") &&
                       !isnan(number_at(grid, other, "factor_algorithm"));
        for (size_t k = 0; k < sizeof same / sizeof *same; k++)
            is_same =
                is_same && !strcmp(text_at(grid, other, same[k]), text_at(grid, row, same[k]));
        if (is_same)
            assert_relative(number_at(grid, other, "factor_algorithm"), algorithm, 1e-14);
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
    RELEASED_BY(orr_document_release) struct orr_document document;
    const struct orr_grid *grid = make(&document, paper);
    for (size_t row = 0; grid && row < grid->row_count; row++) {
        assert_multiplies(grid, row);
        assert_one_algorithm(grid, row);
        bool is_gpu = !strcmp(text_at(grid, row, "device"), "cuda:0");
        tally->gpus += is_gpu;
        tally->cpus += !is_gpu;
        for (int k = 0; k < 4; k++)
            tally->merges[k] += !strcmp(text_at(grid, row, "merged"), ways[k]);
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
        orr_selection_release(&selection);
    }
    assert_true(tally.gpus > 20 && tally.cpus > 40);
    for (int k = 0; k < 4; k++)
        assert_true(tally.merges[k] > 0); /* each way of knowing is there */
}

/* 0.50 s on 800 lanes at 625 MHz in 22.5 slots; 132 multiprocessors of 128 lanes at 1980 MHz. */
TEST_AROUND(factors_are_those_of_both_devices, NULL, release_selection)
{
    RELEASED_BY(orr_document_release) struct orr_document document;
    select_from(&selection, "fujiwara", GPU);
    const struct orr_grid *grid = make(&document, selection.papers[0]);
    size_t row = find(grid, "fujiwara/table2", "double-unrolling", "cuda:0", 100000);
    double here = number_at(grid, row, "limit_rate"), rate = 132 * 128 * 1980e6;
    assert_relative(number_at(grid, row, "factor_clock"), 1980.0 / 625, 1e-3);
    assert_relative(number_at(grid, row, "factor_lanes"), 132 * 128 / 800.0, 1e-3);
    assert_relative(number_at(grid, row, "factor_slots"), 22.5 / (rate / here), 1e-3);
    assert_relative(number_at(grid, row, "card_share"),
                    100000.0 * 99999 / 0.5 / (800 * 625e6 / 22.5), 1e-6);
    assert_relative(number_at(grid, row, "factor_share"),
                    number_at(grid, row, "share") / number_at(grid, row, "card_share"), 1e-12);
    assert_relative(number_at(grid, row, "by_peak"),
                    number_at(grid, row, "speedup") / (2 * rate / 1000e9), 1e-3);
    assert_relative(number_at(grid, row, "card_low"), 0.495, 1e-9);
    assert_relative(number_at(grid, row, "card_high"), 0.505, 1e-9);
    /* 63.6 GB/s, and what `run ceilings` found. */
    assert_relative(number_at(grid, row, "by_bandwidth"),
                    number_at(grid, row, "speedup") * 63.6e9 / 4.76e12, 2e-2);
    assert_string_equal(text_at(grid, row, "year_is"), "release");
    assert_relative(number_at(grid, row, "year"), 2024, 0);
    /* 38 operations an interaction: a speed is a time */
    row = find(grid, "fujiwara/fig14", "optimised", "cuda:0", 200000);
    assert_relative(number_at(grid, row, "card_seconds"), 38 * 200000.0 * 199999 / 990e9, 1e-9);
    assert_relative(number_at(grid, row, "card_low"), 38 * 200000.0 * 199999 / 995e9, 1e-9);
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
        RELEASED_BY(orr_document_release) struct orr_document document;
        change(faults[k].fault);
        const struct orr_grid *grid = make(&document, selection.papers[0]);
        size_t row = find(grid, "fujiwara/table2", "double-unrolling", "cuda:0", 100000);
        assert_multiplies(grid, row);
        assert_string_equal(text_at(grid, row, "merged"), faults[k].merged);
        assert_true(!k || number_at(grid, row, "speedup") == speedup);
        speedup = number_at(grid, row, "speedup");
    }
}

/* --- the algorithm --- */

TEST_AROUND(the_algorithm_is_of_an_equal_error, NULL, release_selection)
{
    struct orr_document document;
    select_from(&selection, "gaburov", GPU);
    for (int k = 0; k < 3; k++) {
        if (k == 1)
            change("UPDATE cell SET error_by_terms_median = 10 * error_by_terms_median "
                   "WHERE variant = 'gaburov/octgrav-modern'");
        if (k == 2)
            change("UPDATE cell SET error_by_terms_median = NULL");
        const struct orr_grid *grid = make(&document, selection.papers[0]);
        size_t row = find(grid, "gaburov/headline", "octgrav", "cuda:0", 1000000);
        if (k == 0) /* theta = 0.66, not the faster but less precise ones */
            assert_relative(number_at(grid, row, "fastest_seconds"), 0.00195488, 1e-5);
        assert_true(!strcmp(text_at(grid, row, "fastest"), "octgrav-modern") == (k == 0));
        assert_true(isnan(number_at(grid, row, "factor_algorithm")) == (k == 2));
        orr_document_release(&document);
    }
}

/* A program is not the fastest of itself alone. */
TEST_AROUND(without_a_rival_there_is_no_algorithm, NULL, release_selection)
{
    select_from(&selection, "fujiwara", GPU);
    for (int k = 0; k < 2; k++) {
        RELEASED_BY(orr_document_release) struct orr_document document;
        if (k)
            change("DELETE FROM cell WHERE variant NOT GLOB '*/no-unrolling'");
        const struct orr_grid *grid = make(&document, selection.papers[0]);
        size_t row = find(grid, "fujiwara/table2", "no-unrolling", "cuda:0", 100000);
        assert_true(isnan(number_at(grid, row, "factor_algorithm")) == (k == 1));
        assert_true(isnan(number_at(grid, row, "together")) == (k == 1));
        assert_true(strstr(text_at(document.grids[0], 0, "best"), "no rival measured") ==
                    (k ? text_at(document.grids[0], 0, "best") : NULL));
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
        RELEASED_BY(orr_document_release) struct orr_document document;
        change(faults[k]);
        const struct orr_grid *grid = make(&document, selection.papers[0]);
        size_t row = find(grid, "shan/table3", "serial", "host", 1048576);
        assert_multiplies(grid, row);
        share = k ? share : number_at(grid, row, "factor_share");
        assert_relative(number_at(grid, row, "factor_share"), share * times[k], 1e-12);
        assert_relative(number_at(grid, row, "factor_share"), number_at(grid, row, "by_ceiling"),
                        1e-2);
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
    RELEASED_BY(orr_document_release) struct orr_document document;
    make(&document, selection.papers[0]);
    const struct orr_grid *grid = named(&document, "orders");
    size_t row = 0;
    while (strcmp(text_at(grid, row, "experiment"), "fujiwara/table2") != 0 ||
           number_at(grid, row, "n") != 100000)
        assert_true(++row < grid->row_count);
    assert_string_equal(text_at(grid, row, "verdict"), verdict);
    assert_relative(number_at(grid, row, "tau"), tau, 1e-15);
    assert_relative(number_at(grid, row, "p"), p, 1e-15);
    assert_string_equal(text_at(grid, row, "turned"), turned);
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
    struct orr_document document;
    RELEASED_BY(orr_plot_release) struct orr_plot plot;
    select_from(&selection, "feng", GPU);
    make(&document, selection.papers[0]);
    assert_int_equal(document.remark_count, 1);
    assert_string_equal(document.remarks[0],
                        "feng: the paper prints no time or rate of a program at a size");
    orr_document_release(&document);
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
