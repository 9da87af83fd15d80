/* SPDX-License-Identifier: MIT */
/* Parameters of a variant and the cells that carry them. */
#include "plan/cell.h"
#include "plugin/params.h"
#include "tests/cases.h"
#include "tests/plugins/base.h"

static const struct orr_variant variant = {VARIANT, .name = "plugins/good"};
static const struct orr_bodies bodies = {.n = 1, .dimensions = 3, .eps = 0.1, .dt = 0.25};

TEST(defaults_come_from_table_and_bodies)
{
    struct params p;
    assert_done(orr_params_fill(&variant, &bodies, NULL, 0, &p));
    assert_true(p.eps == 0.1 && p.dt == 0.25 && p.steps == 0 && p.unroll == 4 && p.mode == 1);
    assert_done(orr_params_fill(&variant, NULL, NULL, 0, &p));
    assert_true(isnan(p.eps) && isnan(p.dt));
}

TEST(sets_every_type)
{
    struct params p;
    const struct orr_setting settings[] = {
        {"steps", "1e2"}, {"eps", "0.5"}, {"mode", "fixed"}, {"unroll", "8"}, {"dt", "1"}};
    assert_int_equal(orr_params_fill(&variant, &bodies, settings, 5, &p), 0);
    assert_true(p.steps == 100 && p.eps == 0.5 && p.mode == 2 && p.unroll == 8 && p.dt == 1);
    json_auto_t *json = orr_params_to_json(&variant, &p);
    RELEASED_BY(free_text) char *text = json_dumps(json, JSON_COMPACT | JSON_SORT_KEYS);
    assert_string_equal(text,
                        "{\"dt\":1.0,\"eps\":0.5,\"mode\":\"fixed\",\"steps\":100,\"unroll\":8}");
}

/* Not every integer between two limits. */
TEST(integers_of_a_list_or_a_step)
{
    static const struct orr_param of[] = {
        {"stages", ORR_PARAM_INT, 0, 4, 1, 8, "1|2|4|8", "a list"},
        {"block", ORR_PARAM_INT, sizeof(int32_t), 0, 0, 1024, "*8", "a step"}};
    static const struct orr_variant some = {
        .name = "p/some", .params = of, .param_count = 2, .params_size = 2 * sizeof(int32_t)};
    int32_t p[2];
    const struct orr_setting good[] = {{"stages", "8"}, {"block", "24"}}, odd = {"stages", "3"},
                             uneven = {"block", "7"};
    assert_done(orr_params_fill(&some, NULL, good, 2, p));
    assert_true(p[0] == 8 && p[1] == 24);
    assert_fails(orr_params_fill(&some, NULL, &odd, 1, p), ORR_EUSAGE,
                 "'stages' must be one of 1|2|4|8, not '3'");
    assert_fails(orr_params_fill(&some, NULL, &uneven, 1, p), ORR_EUSAGE,
                 "'block' must be a multiple of 8 from 0 to 1024, not '7'");
}

TEST(refuses_bad_values)
{
    static const struct {
        struct orr_setting setting;
        const char *why;
    } cases[] = {
        {{"steps", "-1"}, "'steps' must be an integer from 0 to 1000, not '-1'"},
        {{"steps", "1001"}, "an integer from 0 to 1000"},
        {{"steps", "1.5"}, "an integer"},
        {{"steps", "ten"}, "not 'ten'"},
        {{"steps", ""}, "not ''"},
        {{"steps", "3 "}, "not '3 '"},
        {{"steps", "nan"}, "an integer"},
        {{"eps", "0"}, "a number from 1e-06 to 10, not '0'"},
        {{"eps", "inf"}, "a number"},
        {{"eps", "0.1x"}, "a number"},
        {{"mode", "nativ"}, "one of native|cas|fixed, not 'nativ'"},
        {{"mode", ""}, "one of"},
        {{"mode", "native|cas"}, "one of"},
        {{"stepz", "1"}, "no parameter 'stepz'; did you mean 'steps'?"},
    };
    struct params p;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_fails(orr_params_fill(&variant, &bodies, &cases[k].setting, 1, &p), ORR_EUSAGE,
                     cases[k].why);
    }
    assert_true(p.steps == 0 && p.eps == 0.1 && p.mode == 1);
}

TEST(checks_values_of_the_data_set)
{
    struct params p;
    const struct orr_bodies hard = {.n = 1, .dimensions = 3, .eps = 0, .dt = 0.25};
    const struct orr_setting given = {"eps", "0.01"};
    assert_fails(orr_params_fill(&variant, &hard, NULL, 0, &p), ORR_EUSAGE,
                 "the data set's own eps = 0 is not a number from 1e-06 to 10; give one with --set "
                 "eps=VALUE");
    assert_int_equal(orr_params_fill(&variant, &hard, &given, 1, &p), 0);
}

TEST(normal_spelling)
{
    static const char *const cases[][3] = {{"steps", "1e2", "100"},
                                           {"steps", "+7", "7"},
                                           {"steps", "-0", "0"},
                                           {"eps", "0.10", "0.1"},
                                           {"eps", "1e-3", "0.001"},
                                           {"mode", "cas", "cas"},
                                           {"eps", "0.3333333333333333", "0.3333333333333333"}};
    char out[64];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_int_equal(orr_params_normal(&variant, cases[k][0], cases[k][1], out, sizeof out), 0);
        assert_string_equal(out, cases[k][2]);
    }
}

static struct orr_cell example(void)
{
    struct orr_cell cell = {.experiment = "p/e",
                            .variant = "p/v",
                            .device = "cuda:0",
                            .dataset = "plummer",
                            .n = 1000,
                            .seed = 1,
                            .setting_count = 2,
                            .settings = {{"steps", "100"}, {"eps", "0.1"}},
                            .policy = {10, 100, 0.01, 2, 3},
                            .bound = {1e-5, 1e-4, 1e-2, true},
                            .timeout_s = 60,
                            .targets = 8192,
                            .keep_bodies = true,
                            .error_curve = true,
                            .energy = true,
                            .once = true,
                            .extrapolate_from = "0123456789abcdef"};
    orr_cell_identify(&cell);
    return cell;
}

TEST(cells_are_told_apart)
{
    struct orr_cell a = example(), b = example();
    assert_int_equal(strlen(a.id), 16);
    assert_int_equal(strspn(a.id, "0123456789abcdef"), 16);
    b.settings[0] = a.settings[1], b.settings[1] = a.settings[0];
    b.policy.min_samples = 3, b.timeout_s = 1, b.targets = 0, b.error_curve = b.energy = false;
    orr_cell_identify(&b);
    assert_string_equal(a.id, b.id);
#define DIFFERS(change)    \
    b = example();         \
    change;                \
    orr_cell_identify(&b); \
    assert_string_not_equal(a.id, b.id)
    DIFFERS(b.n = 1001);
    DIFFERS(b.seed = 2);
    DIFFERS(b.device[0] = 'C');
    DIFFERS(b.variant[2] = 'w');
    DIFFERS(b.dataset[0] = 'P');
    DIFFERS(b.experiment[2] = 'f');
    DIFFERS(strcpy(b.settings[0].value, "101"));
    DIFFERS(b.setting_count = 1);
}

TEST(cells_survive_json)
{
    struct orr_cell a = example(), b;
    json_auto_t *json = orr_cell_to_json(&a);
    assert_non_null(json);
    assert_int_equal(orr_cell_from_json(&b, json), 0);
    json_auto_t *again = orr_cell_to_json(&b);
    assert_true(json_equal(json, again));
    json_object_del(json, "variant");
    assert_fails(orr_cell_from_json(&b, json), ORR_EINPUT, "'variant' is missing");
    json_object_set_new(again, "n", json_string("many"));
    assert_fails(orr_cell_from_json(&b, again), ORR_EINPUT, "cell: ");
}

TEST(a_level_beyond_all_has_no_boxes)
{
    struct orr_cell a = example();
    strcpy(a.dataset, "uniform-boxes");
    strcpy(a.settings[0].name, "level");
    strcpy(a.settings[0].value, "1e300");
    assert_int_equal(orr_cell_per_box(&a), 0);
}

RUN_TESTS(NULL, NULL)
