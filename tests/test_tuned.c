/* Tuned settings: what is kept of them, and which cells they fit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error_for_tests.h"
#include "folder_for_tests.h"
#include "json_member.h"
#include "plan/tuned.h"

static const struct orr_param params[] = {
    {"eps", ORR_PARAM_FLOAT, 0, NAN, 0, 1, NULL, "softening"},
    {"theta", ORR_PARAM_FLOAT, 8, 0.5, 0, 1, NULL, "opening angle"},
    {"steps", ORR_PARAM_INT, 16, 0, 0, 100, NULL, "time steps"},
    {"how", ORR_PARAM_CHOICE, 20, 0, 0, 0, "one|two", "no knob"},
    {"block", ORR_PARAM_INT, 24, 0, 0, 1024, NULL, "a knob"},
};
static const struct orr_variant variant = {
    .name = "a/b", .params = params, .param_count = 5, .params_size = 32};
static struct orr_device_info device = {.id = "cuda:0", .name = "A card", .driver = "driver 1"};
static const struct orr_tuned_place here = {&variant, &device, "build 1"};

static char path[64];

static int begin_all(void **state)
{
    int code = make_folder(state);
    orr_tuned_path(path, sizeof path, folder);
    return code;
}

/* Keeps block = `block` for n bodies. */
static void keep_after(int n, int block, const char *build, bool gain, bool cut, int kept)
{
    json_t *record = json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:{s:s, s:i, s:i}, s:{s:f, s:f, s:i, s:s}, s:{s:i}, s:b, s:b, "
        "s:s}",
        "record", "tuned", "variant", "a/b", "device_name", "A card", "driver", "driver 1",
        "plugin_sha256", build, "dataset", "name", "random-3d", "n", n, "seed", 1, "parameters",
        "eps", 0.01, "theta", 0.5, "steps", 0, "how", "one", "knobs", "block", block, "gain", gain,
        "out_of_budget", cut, "verdict", gain ? "faster" : "same");
    assert_non_null(record);
    assert_int_equal(orr_tuned_keep(path, record, "a run"), kept);
    json_decref(record);
}

static void keep(int n, int block, const char *build, bool gain)
{
    keep_after(n, block, build, gain, false, 1);
}

static struct orr_cell cell_of(uint64_t n)
{
    struct orr_cell cell = {
        .variant = "a/b", .device = "cuda:0", .dataset = "random-3d", .seed = 1, .ranks = 1};
    cell.n = n;
    return cell;
}

static void set(struct orr_cell *cell, const char *name, const char *value)
{
    struct orr_setting *to = &cell->settings[cell->setting_count++];
    snprintf(to->name, sizeof to->name, "%s", name);
    snprintf(to->value, sizeof to->value, "%s", value);
}

/* The block that the cell gets; "" for none. `fits`: whether an entry does. */
static const char *block_of(struct orr_cell *cell, const struct orr_tuned_place *place, bool fits)
{
    static char block[64];
    json_t *entries, *kept = json_array();
    const int before = cell->setting_count;
    assert_int_equal(orr_tuned_read(&entries, path), 0);
    assert_int_equal(orr_tuned_apply(cell, entries, place, kept), fits);
    snprintf(block, sizeof block, "%s",
             cell->setting_count > before ? cell->settings[before].value : "");
    assert_int_equal(cell->tuning != NULL, json_array_size(kept) > 0);
    if (cell->tuning)
        assert_string_equal(orr_json_text(cell->tuning, "run"), "a run");
    json_decref(entries);
    json_decref(kept);
    return block;
}

static void test_nearest(void **state)
{
    (void)state;
    struct orr_cell none = cell_of(1000);
    assert_string_equal(block_of(&none, &here, false), ""); /* there is no file yet */
    keep(1000, 64, "build 1", true);
    keep(3000, 128, "build 1", true);
    static const struct {
        uint64_t n;
        const char *block;
    } sizes[] = {{499, ""},     {500, "64"},   {1000, "64"}, {1700, "64"},
                 {1800, "128"}, {6000, "128"}, {6001, ""}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        struct orr_cell cell = cell_of(sizes[k].n);
        assert_string_equal(block_of(&cell, &here, *sizes[k].block), sizes[k].block);
    }
}

/* The same work again takes the place of what was there, whatever the build. */
static void test_replaced(void **state)
{
    (void)state;
    struct orr_cell cell = cell_of(1000), later = cell_of(1000);
    json_t *entries;
    keep(1000, 256, "build 2", true);
    assert_int_equal(orr_tuned_read(&entries, path), 0);
    assert_int_equal(json_array_size(entries), 2);
    json_decref(entries);
    assert_string_equal(block_of(&cell, &here, false), "");
    const struct orr_tuned_place there = {&variant, &device, "build 2"};
    assert_string_equal(block_of(&later, &there, true), "256");
    keep(1000, 64, "build 1", true);
}

static void test_other_work(void **state)
{
    (void)state;
    struct orr_cell tuned = cell_of(1000), softer = tuned, wider = tuned, how = tuned, own = tuned,
                    same = tuned, ranks = tuned;
    strcpy(tuned.dataset, "plummer");
    assert_string_equal(block_of(&tuned, &here, false), "");
    set(&softer, "eps", "0.5"); /* softening and time steps are no other work */
    set(&softer, "steps", "10");
    set(&softer, "theta", "0.5");
    assert_string_equal(block_of(&softer, &here, true), "64");
    set(&wider, "theta", "0.75");
    assert_string_equal(block_of(&wider, &here, false), "");
    set(&how, "how", "two");
    assert_string_equal(block_of(&how, &here, false), "");
    set(&own, "block", "32");
    assert_string_equal(block_of(&own, &here, false), "");
    set(&same, "block", "64"); /* what was found, given */
    assert_string_equal(block_of(&same, &here, true), "");
    ranks.ranks = 2;
    assert_string_equal(block_of(&ranks, &here, false), "");
}

static void test_other_device(void **state)
{
    (void)state;
    struct orr_device_info newer = device, other = device;
    strcpy(newer.driver, "driver 2");
    strcpy(other.name, "Another card");
    struct orr_cell a = cell_of(1000), b = cell_of(1000);
    assert_string_equal(block_of(&a, &(struct orr_tuned_place){&variant, &newer, "build 1"}, false),
                        "");
    assert_string_equal(block_of(&b, &(struct orr_tuned_place){&variant, &other, "build 1"}, false),
                        "");
}

/* A search that was cut short and found nothing does not take back a gain, a whole one does. */
static void test_short_look(void **state)
{
    (void)state;
    struct orr_cell cell = cell_of(1000), other = cell_of(1000);
    keep_after(1000, 16, "build 1", false, true, 0);
    assert_string_equal(block_of(&cell, &here, true), "64");
    keep_after(1000, 16, "build 1", true, true, 1);
    assert_string_equal(block_of(&other, &here, true), "16");
}

/* Where nothing better was found the defaults stay, and nothing is missing. */
static void test_no_gain(void **state)
{
    (void)state;
    struct orr_cell cell = cell_of(1000);
    keep(1000, 64, "build 1", false);
    assert_string_equal(block_of(&cell, &here, true), "");
    assert_null(cell.tuning);
}

static void refuse(const char *text, const char *why)
{
    json_t *entries;
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
    assert_int_equal(orr_tuned_read(&entries, path), ORR_EINPUT);
    assert_says(why);
}

static void test_damaged(void **state)
{
    (void)state;
    refuse("{", ":1: ");
    refuse("[]", "holds no tuned settings as this Orrery writes them");
    refuse("{\"schema\": \"orrery/tuned/2\", \"entries\": []}", "tune again");
    refuse("{\"schema\": \"orrery/tuned/1\", \"entries\": [{\"variant\": \"a/b\"}]}",
           "entry 1 lacks what tuned settings have");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nearest),    cmocka_unit_test(test_replaced),
        cmocka_unit_test(test_other_work), cmocka_unit_test(test_other_device),
        cmocka_unit_test(test_short_look), cmocka_unit_test(test_no_gain),
        cmocka_unit_test(test_damaged),
    };
    return cmocka_run_group_tests(tests, begin_all, remove_folder);
}
