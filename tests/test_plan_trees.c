/* SPDX-License-Identifier: MIT */
/* Planning of tree codes: theta is always said, work grows as n log2 n, and large cells are scaled
 * by it. */
#include "referee/cell_record.h"
#include "tests/cases.h"
#include "tests/home_for_tests.h"
#include "tests/plan_for_tests.h"

static const struct orr_cell *cell_of(uint64_t n, double theta)
{
    for (size_t k = 0; k < plan.count; k++)
        if (plan.cells[k].n == n && orr_cell_theta(&plan.cells[k]) == theta)
            return &plan.cells[k];
    fail_msg("no cell of n = %d with theta = %g", (int)n, theta);
    return NULL;
}

TEST_AROUND(theta_is_always_a_setting, NULL, end)
{
    PLANS(4, .what = {"plugins/angles"}); /* the variant without theta has one cell */
    for (size_t k = 0; k < plan.count; k++) {
        assert_true(plan.cells[k].trajectory && plan.cells[k].energy &&
                    !plan.cells[k].error_curve && plan.cells[k].targets == 4096);
        if (!strcmp(plan.cells[k].variant, "plugins/flat"))
            assert_int_equal(plan.cells[k].setting_count, 0);
    }
    assert_true(cell_of(100, 0) && cell_of(100, 0.5) && cell_of(100, 50));
    PLANS(3, .what = {"plugins/sizes"});
    const struct orr_cell *cell = cell_of(256, 0.5); /* the plugin's default */
    assert_int_equal(cell->setting_count, 2);
    assert_true(!cell->trajectory && !cell->energy && cell->targets == 0);
    struct orr_cell same;
    json_t *json = orr_cell_to_json(cell_of(128, 0.5));
    assert_int_equal(orr_cell_from_json(&same, json), 0);
    assert_true(orr_cell_theta(&same) == 0.5);
    json_decref(json);
    PLANS(3, .what = {"plugins/sizes"}, .set = {"theta=0.9"});
    assert_non_null(cell_of(1024, 0.9));
}

TEST_AROUND(bounds_follow_theta_and_n, NULL, end)
{
    PLANS(4, .what = {"plugins/angles"}, .set = {"n=10000"});
    const struct orr_bound *wide = &cell_of(10000, 50)->bound;
    assert_true(wide->median == 1 + 2 * 125000 && wide->p99 == 1 + 2 * 50 * 100 &&
                wide->max == 101 && wide->by_terms);
    for (size_t k = 0; k < plan.count; k++)
        if (!strcmp(plan.cells[k].variant, "plugins/flat"))
            assert_true(plan.cells[k].bound.p99 == 0.5 && !plan.cells[k].bound.by_terms);
    REFUSES(ORR_EINPUT, "no bound for the tree code plugins/tree at theta = 61",
            .what = {"plugins/angles"}, .set = {"theta=61"});
}

TEST_AROUND(work_is_counted_by_theta, NULL, end)
{
    struct orr_cell cell = {
        .n = 1024, .dataset = "uniform-2d", .setting_count = 1, .settings = {{"theta", "0.5"}}};
    assert_true(orr_cell_pairs(&cell) == 1024 * 10);
    cell.settings[0] = (struct orr_setting){"theta", "0"};
    assert_true(orr_cell_pairs(&cell) == 1024 * 1023);
    cell.settings[1] = (struct orr_setting){"steps", "20"};
    cell.setting_count = 2;
    assert_true(orr_cell_pairs(&cell) == 21.0 * 1024 * 1023);
    cell.settings[0] = (struct orr_setting){"theta", "1e-3"};
    assert_true(orr_cell_pairs(&cell) == 21.0 * 1024 * 10);
}

static double number(json_t *record, const char *name)
{
    return json_number_value(json_object_get(record, name));
}

/* Interactions that the variant does not know stay unknown; bodies per second follow from the
 * scaled time. */
TEST_AROUND(large_cells_are_scaled_by_n_log_n, NULL, end)
{
    PLANS(3, .what = {"plugins/sizes"});
    const struct orr_cell *large = cell_of(1024, 0.5);
    assert_string_equal(large->extrapolate_from, cell_of(256, 0.5)->id);
    double rate = 256 * 21 / 0.5, factor = 1024 * 10 / (256 * 8.0);
    json_auto_t *source =
        json_pack("{s:s, s:f, s:n, s:n, s:f, s:{s:i}, s:{s:f, s:i}}", "outcome", "ok", "seconds",
                  0.5, "interactions", "interactions_per_second", "bodies_per_second", rate,
                  "dataset", "n", 256, "parameters", "theta", 0.5, "steps", 20);
    json_auto_t *record = orr_cell_record_extrapolate(large, source);
    assert_relative(number(record, "seconds"), 0.5 * factor, 1e-12);
    assert_relative(number(record, "bodies_per_second"), 1024 * 21 / (0.5 * factor), 1e-12);
    assert_null(json_object_get(record, "interactions"));
    assert_true(json_is_null(json_object_get(record, "interactions_per_second")));
    assert_string_equal(json_string_value(json_object_get(record, "reason")),
                        "extrapolated from n=256 by n log n");
}

/* A direct sum takes as long wherever the bodies are; a walk through a tree does not. */
TEST_AROUND(scaling_keeps_to_a_data_set, NULL, end)
{
    PLANS(4, .what = {"plugins/sets"});
    for (size_t k = 0; k < plan.count; k++)
        for (size_t j = 0; j < plan.count; j++)
            if (!strcmp(plan.cells[k].extrapolate_from, plan.cells[j].id))
                assert_string_equal(plan.cells[k].dataset, plan.cells[j].dataset);
    PLANS(4, .what = {"plugins/sets"}, .set = {"theta=0"});
    for (size_t k = 0; k < plan.count; k++)
        assert_true(plan.cells[k].n < 20000 || plan.cells[k].extrapolate_from[0]);
}

static int set_up(void **state)
{
    return use_paper("trees");
}

RUN_TESTS(set_up, forget_paper)
