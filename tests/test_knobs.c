/* Knobs: what paper.yaml declares, and the configurations made of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "error_for_tests.h"
#include "names.h"
#include "plan/knobs.h"
#include "plugin/plugin.h"

/* --- what the papers declare --- */

static void check_variant(const struct orr_paper *paper, const struct orr_paper_variant *variant,
                          size_t *knobs_seen)
{
    char name[128];
    struct orr_inspection inspection;
    struct orr_knobs knobs;
    snprintf(name, sizeof name, "%s/%s", paper->key, variant->name);
    assert_int_equal(orr_plugin_inspect(&inspection, name), 0);
    if (orr_knobs_make(&knobs,
                       &(struct orr_knobs_wish){variant, &inspection.variant, NULL, NULL, 0}))
        fail_msg("%s: %s", name, orr_error_text());
    for (size_t k = 0; k < knobs.count; k++)
        if (knobs.items[k].count < 2 || knobs.items[k].usual >= knobs.items[k].count)
            fail_msg("%s: knob %s has nothing to try beside its default", name,
                     knobs.items[k].name);
    *knobs_seen += knobs.count;
    orr_knobs_release(&knobs);
    orr_inspect_release(&inspection);
}

/* Every knob is a parameter, and takes the values. */
static void test_declared(void **state)
{
    (void)state;
    char **papers;
    size_t seen = 0;
    assert_int_equal(orr_paper_keys(&papers), 0);
    for (char **key = papers; *key; key++) {
        struct orr_paper *paper;
        assert_int_equal(orr_paper_load(&paper, *key), 0);
        for (unsigned v = 0; v < paper->variants_count; v++)
            if (paper->variants[v].knobs_count)
                check_variant(paper, &paper->variants[v], &seen);
        orr_paper_free(paper);
    }
    orr_names_free(papers);
    assert_true(seen > 20);
}

/* --- configurations --- */

static const struct orr_param params[] = {
    {"eps", ORR_PARAM_FLOAT, 0, 0.0 / 0.0, 0, 1, NULL, "softening"},
    {"block", ORR_PARAM_INT, 8, 3, 0, 100, NULL, "a knob"},
    {"how", ORR_PARAM_CHOICE, 12, 1, 0, 0, "one|two|three", "a knob"},
};
static const struct orr_variant variant = {
    .name = "a/b", .params = params, .param_count = 3, .params_size = 16};
static struct orr_knob_range ranges[] = {{(char *)"block", (char *)"2:8:*2,4.0", NULL},
                                         {(char *)"how", (char *)"one", NULL}};
static const struct orr_paper_variant declared = {
    .name = (char *)"b", .knobs = ranges, .knobs_count = 2};

static void test_values(void **state)
{
    (void)state;
    struct orr_knobs knobs;
    assert_int_equal(
        orr_knobs_make(&knobs, &(struct orr_knobs_wish){&declared, &variant, "cpu", NULL, 0}), 0);
    assert_int_equal(knobs.count, 2);
    assert_int_equal(knobs.items[0].count, 4); /* 2 4 8, each once, and the default */
    assert_string_equal(knobs.items[0].values[knobs.items[0].usual], "3");
    assert_int_equal(knobs.items[1].count, 2);
    assert_string_equal(knobs.items[1].values[1], "two");
    assert_int_equal(orr_knobs_configurations(&knobs), 8);
    orr_knobs_release(&knobs);
}

/* What is given is tried alone; the default is still there to be compared with. */
static void test_given(void **state)
{
    (void)state;
    struct orr_knobs knobs;
    struct orr_cell cell = {.setting_count = 2, .settings = {{"block", "7"}, {"theta", "0.5"}}};
    char block[] = "block=8,16", *given[] = {block};
    assert_int_equal(
        orr_knobs_make(&knobs, &(struct orr_knobs_wish){&declared, &variant, "cpu", given, 1}), 0);
    assert_int_equal(knobs.items[0].count, 2);
    assert_int_equal(knobs.items[0].usual, 2);
    assert_int_equal(orr_knobs_configurations(&knobs), 4);
    for (size_t a = 0; a < 2; a++)
        for (size_t b = 0; b < 2; b++) {
            size_t places[ORR_MOST_KNOBS] = {a, b}, back[ORR_MOST_KNOBS];
            orr_knobs_places(back, &knobs, orr_knobs_code(&knobs, places));
            assert_memory_equal(places, back, 2 * sizeof *places);
        }
    assert_int_equal(orr_knobs_set(&cell, &knobs, orr_knobs_usual(&knobs)), 0);
    assert_int_equal(cell.setting_count, 3);
    assert_string_equal(cell.settings[0].name, "theta");
    assert_string_equal(cell.settings[1].value, "3");
    assert_string_equal(cell.settings[2].value, "two");
    orr_knobs_release(&knobs);
}

/* A knob of another kind of device is left alone, unless its values are given. */
static void test_kinds(void **state)
{
    (void)state;
    struct orr_knobs knobs;
    struct orr_knob_range kinds[] = {{(char *)"block", (char *)"2,4", (char *)"gpu"},
                                     {(char *)"how", (char *)"one", NULL}};
    const struct orr_paper_variant of = {.name = (char *)"b", .knobs = kinds, .knobs_count = 2};
    char block[] = "block=8", *given[] = {block};
    struct orr_knobs_wish wish = {&of, &variant, "cpu", NULL, 0};
    assert_int_equal(orr_knobs_make(&knobs, &wish), 0);
    assert_int_equal(knobs.count, 1);
    orr_knobs_release(&knobs);
    wish.given = given, wish.given_count = 1;
    assert_int_equal(orr_knobs_make(&knobs, &wish), 0);
    assert_int_equal(knobs.count, 2);
    orr_knobs_release(&knobs);
    wish = (struct orr_knobs_wish){&of, &variant, "gpu", NULL, 0};
    assert_int_equal(orr_knobs_make(&knobs, &wish), 0);
    assert_int_equal(knobs.count, 2);
    orr_knobs_release(&knobs);
}

static void refuse(const struct orr_paper_variant *of, char *given, const char *why)
{
    struct orr_knobs knobs;
    assert_int_equal(orr_knobs_make(&knobs, &(struct orr_knobs_wish){of, &variant, "cpu", &given,
                                                                     given != NULL}),
                     ORR_EUSAGE);
    assert_says(why);
    orr_knobs_release(&knobs);
}

static void test_mistakes(void **state)
{
    (void)state;
    struct orr_knob_range eps = {(char *)"eps", (char *)"0.1", NULL},
                          none = {(char *)"none", (char *)"1", NULL};
    const struct orr_paper_variant of_data = {.name = (char *)"b", .knobs = &eps, .knobs_count = 1},
                                   unknown = {
                                       .name = (char *)"b", .knobs = &none, .knobs_count = 1};
    refuse(&(struct orr_paper_variant){.name = (char *)"b"}, NULL, "declares no knobs");
    refuse(&of_data, NULL, "its default is the data set's");
    refuse(&unknown, NULL, "knob 'none': a/b has no such parameter");
    char nameless[] = "8", other[] = "blok=8", beyond[] = "block=101";
    refuse(&declared, nameless, "write it as name=a,b");
    refuse(&declared, other, "did you mean 'block'");
    refuse(&declared, beyond, "knob 'block'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_declared), cmocka_unit_test(test_values),
        cmocka_unit_test(test_given),    cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
