/* SPDX-License-Identifier: MIT */
/* Planning over data sets made of boxes: the axes per_box and level, limits, and pairs of near
 * boxes. */
#include "datasets/dataset.h"
#include "referee/cell_record.h"
#include "tests/cases.h"
#include "tests/home_for_tests.h"
#include "tests/plan_for_tests.h"
#include "tests/random_for_tests.h"

static const char *setting(const struct orr_cell *cell, const char *name)
{
    for (int k = 0; k < cell->setting_count; k++)
        if (!strcmp(cell->settings[k].name, name))
            return cell->settings[k].value;
    return "none";
}

/* The data set and the variant have one level, and the setting per_box stays with the data set. Its
 * record says both, also of a cell that never ran. */
static void check_cell(const struct orr_cell *cell, const char *level, uint64_t per_box)
{
    assert_string_equal(setting(cell, "level"), level);
    assert_string_equal(setting(cell, "per_box"), "none");
    assert_int_equal(orr_cell_level(cell), atoi(level));
    assert_int_equal(orr_cell_per_box(cell), per_box);
    assert_int_equal(cell->n, per_box << 2 * atoi(level));
    json_auto_t *record = orr_cell_record_begin(cell);
    const json_t *dataset = json_object_get(record, "dataset");
    assert_int_equal(json_integer_value(json_object_get(dataset, "level")), atoi(level));
    assert_int_equal(json_integer_value(json_object_get(dataset, "per_box")), per_box);
}

TEST_AROUND(per_box_says_n, NULL, end)
{
    PLANS(8, .what = {"plugins/boxes"}, .preset = "paper");
    for (size_t k = 0; k < plan.count; k++)
        check_cell(&plan.cells[k], k < 4 ? "2" : "3", 5u << k % 4);
    PLANS(3, .what = {"plugins/boxes"}, .set = {"per_box=3:5:+1", "level=0"});
    check_cell(&plan.cells[2], "0", 5);
    PLANS(2, .what = {"plugins/boxes"}, .set = {"per_box=1e1", "level=4,4.0,1"});
    check_cell(&plan.cells[1], "1", 10);
}

TEST_AROUND(level_has_a_default, NULL, end)
{
    PLANS(1, .what = {"plugins/plain"}); /* the data set's 7, not the variant's 3 */
    check_cell(&plan.cells[0], "7", 64);
    PLANS(1, .what = {"plugins/plain"}, .set = {"level=5"});
    check_cell(&plan.cells[0], "5", 64);
    PLANS(1, .what = {"plugins/plain"}, .set = {"per_box=2"});
    check_cell(&plan.cells[0], "7", 2);
    PLANS(1, .what = {"plugins/direct"}); /* a variant that knows no level takes none */
    assert_string_equal(setting(&plan.cells[0], "level"), "none");
    assert_true(plan.cells[0].n == 64 << 14 && orr_cell_per_box(&plan.cells[0]) == 64);
}

TEST_AROUND(n_and_per_box_replace_each_other, NULL, end)
{
    PLANS(2, .what = {"plugins/boxes"}, .set = {"n=1280"}, .preset = "paper");
    check_cell(&plan.cells[0], "2", 80);
    check_cell(&plan.cells[1], "3", 20);
    PLANS(2, .what = {"plugins/boxes"},
          .preset = "smoke"); /* the preset's n for the experiment's per_box */
    check_cell(&plan.cells[0], "2", 40);
    PLANS(2, .what = {"plugins/boxes"}, .preset = "smoke", .set = {"per_box=3"});
    check_cell(&plan.cells[1], "3", 3);
    REFUSES(ORR_EUSAGE, "--set: n and per_box both say how many bodies there are; set one of them",
            .what = {"plugins/boxes"}, .set = {"n=1280", "per_box=3"});
    REFUSES(
        ORR_EUSAGE,
        "plugins/boxes: uniform-boxes: n = 1300 is not a multiple of 16, the boxes of level 2; the "
        "nearest that is: 1296",
        .what = {"plugins/boxes"}, .set = {"n=1300"});
}

TEST_AROUND(wrong_boxes_are_named, NULL, end)
{
    REFUSES(ORR_EUSAGE,
            "plugins/space: plummer is not made of boxes, so it takes no per_box; give n instead",
            .what = {"plugins/space"}, .set = {"per_box=3"});
    REFUSES(ORR_EUSAGE, "--set: what was asked for has no axis or parameter 'level'",
            .what = {"plugins/space"}, .set = {"level=3"});
    static const struct refused_set refused[] = {
        {"level=13", "uniform-boxes: level = 13 is out of range; it takes 0 to 12"},
        {"level=1e12", "level = 2147483647 is out of range"},
        {"level=2.5", "level must be a whole number, not '2.5'"},
        {"level=-1", "level must be a whole number, not '-1'"},
        {"per_box=few", "per_box must be a whole number, not 'few'"},
        {"per_box=0",
         "uniform-boxes: per_box = 0 is out of range; at level 2 it takes 1 to 6250000 bodies"},
    };
    refuse_sets("plugins/boxes", refused, sizeof refused / sizeof *refused);
    REFUSES(ORR_EUSAGE,
            "per_box = 9000000000000000 is out of range; at level 12 it takes 1 to 5 bodies",
            .what = {"plugins/boxes"}, .set = {"per_box=9e15", "level=12"});
    REFUSES(ORR_EUSAGE,
            "plugins/flat has no parameter 'level', so it takes uniform-boxes at level 7 only",
            .what = {"plugins/boxes", "plugins/flat"}, .only = {"*direct*"}, .set = {"level=3"});
}

TEST_AROUND(a_broken_plugin_keeps_its_boxes, NULL, end)
{
    PLANS(1, .what = {"plugins/broken"});
    check_cell(&plan.cells[0], "3", 7);
}

TEST_AROUND(limits_keep_to_a_level, NULL, end)
{
    PLANS(8, .what = {"plugins/boxes"});
    const struct orr_cell *last =
        &plan.cells[7]; /* level 3: 320, 640, then 1280 and 2560, both from 640 */
    check_cell(last, "3", 40);
    assert_string_equal(plan.cells[6].extrapolate_from, last->extrapolate_from);
    for (size_t k = 0; k < 6; k++) {
        assert_string_equal(plan.cells[k].extrapolate_from, "");
        if (!strcmp(plan.cells[k].id, last->extrapolate_from))
            check_cell(&plan.cells[k], "3", 10);
    }
    json_auto_t *source = json_pack("{s:s, s:f, s:f, s:{s:i}}", "outcome", "ok", "seconds", 0.5,
                                    "interactions", 90.0, "dataset", "n", 640);
    json_auto_t *record = orr_cell_record_extrapolate(last, source);
    double factor =
        (2560 * 39 + 420.0 * 40 * 40) / (640 * 9 + 420.0 * 10 * 10); /* B = 22^2 - 8^2 = 420 */
    assert_true(fabs(json_number_value(json_object_get(record, "seconds")) - 0.5 * factor) < 1e-12);
    assert_string_equal(json_string_value(json_object_get(record, "reason")),
                        "extrapolated from P=10 by interactions");
}

/* Every ordered pair asked whether its boxes touch, with floors of its own. */
static double count_pairs(const struct orr_bodies *b, int level)
{
    double side = pow(2, level), pairs = 0;
    for (size_t i = 0; i < b->n; i++)
        for (size_t j = 0; j < b->n; j++)
            pairs += i != j && fabs(floor(b->pos[0][i] * side) - floor(b->pos[0][j] * side)) <= 1 &&
                     fabs(floor(b->pos[1][i] * side) - floor(b->pos[1][j] * side)) <= 1;
    return pairs;
}

TEST_AROUND(pairs_are_those_of_near_boxes, NULL, end)
{
    for (int level = 0; level <= 4; level++) {
        uint64_t per_box = 1 + seed % (7u + (unsigned)level);
        struct orr_cell cell = {
            .dataset = "uniform-boxes", .n = per_box << 2 * level, .setting_count = 1};
        BODIES bodies;
        strcpy(cell.settings[0].name, "level");
        snprintf(cell.settings[0].value, sizeof cell.settings[0].value, "%d", level);
        assert_int_equal(orr_dataset_make_boxes(&bodies, "uniform-boxes", cell.n, level, seed), 0);
        assert_true(orr_cell_pairs(&cell) == count_pairs(&bodies, level));
        strcpy(
            cell.dataset,
            "plummer"); /* of another data set only an estimate: never negative, never beyond all */
        assert_true(orr_cell_pairs(&cell) >= 0 &&
                    orr_cell_pairs(&cell) <= (double)(cell.n * (cell.n - 1)));
    }
    struct orr_cell published = {.dataset = "uniform-boxes",
                                 .n = 512 << 14,
                                 .setting_count = 2,
                                 .settings = {{"level", "7"}, {"steps", "2"}}};
    assert_true(orr_cell_pairs(&published) == 3 * (16384.0 * 512 * 511 + 129540.0 * 512 * 512));
    published.setting_count = 0;
    assert_true(orr_cell_pairs(&published) == 16384.0 * 512 * (16384.0 * 512 - 1));
}

static int set_up(void **state)
{
    return use_paper("boxes");
}

RUN_TESTS(set_up, forget_paper)
