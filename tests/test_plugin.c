/* SPDX-License-Identifier: MIT */
/* The plugin loader: what it takes, what it refuses and in which words. */
#include <sys/stat.h>

#include "names.h"
#include "plan/paper.h"
#include "plugin/plugin.h"
#include "tests/cases.h"
#include "tests/plugins/base.h"
#include "tests/home_for_tests.h"

static void refuses(const char *name, int code, const char *why)
{
    struct orr_plugin plugin;
    assert_int_equal(orr_plugin_load(&plugin, name), code);
    assert_says(why);
    assert_null(plugin.handle);
    orr_plugin_release(&plugin);
    orr_error_clear();
}

TEST(loads_a_good_plugin)
{
    struct orr_plugin plugin;
    assert_int_equal(orr_plugin_load(&plugin, "plugins/good"), 0);
    assert_string_equal(plugin.variant->name, "plugins/good");
    assert_int_equal(strlen(plugin.sha256), 64);
    orr_plugin_release(&plugin);
    assert_null(plugin.handle);
}

TEST(names_what_is_built)
{
    char **names;
    int found = 0;
    assert_int_equal(orr_plugin_names(&names), 0);
    for (char **k = names; *k; k++)
        found += !strcmp(*k, "plugins/good") || !strcmp(*k, "plugins/kernels");
    assert_int_equal(found, 2);
    orr_names_free(names);
}

TEST(refuses_bad_plugins)
{
    refuses("plugins/goood", ORR_EINPUT, "is not built");
    refuses("../plugins/good", ORR_EUSAGE, "there is no variant");
    refuses("good", ORR_EUSAGE, "there is no variant");
    refuses("", ORR_EUSAGE, "there is no variant");
    refuses("plugins/wrong_abi", ORR_EINPUT, "plugin ABI 7");
    refuses("plugins/exports_two", ORR_EINPUT, "exports 'forgotten_helper'");
    refuses("plugins/no_symbol", ORR_EINPUT, "does not export 'orr_variant'");
    refuses("plugins/wrong_name", ORR_EINPUT,
            "calls itself 'plugins/another', but its file is 'plugins/wrong_name'");
    refuses("plugins/bad_parameter", ORR_EINPUT, "parameter 'far': offset 32 lies outside");
}

TEST(names_a_variant_that_is_not_built)
{
    write_paper(
        "unbuilt",
        "paper: unbuilt\ntitle: t\nauthors: a\nvenue: v\nyear: 2009\nflops_per_interaction: 38\n"
        "variants: [{name: missing, label: m, in: [one]}]\n"
        "experiments: [{name: one, shows: s, title: t, layout: times, bound: {median: 1, p99: 1, "
        "max: 1},\n"
        "  axes: [{name: dataset, values: plummer}]}]\n");
    refuses("unbuilt/missing", ORR_EINPUT, "is not built");
    assert_int_equal(orr_plan_check_variant("unbuilt/missing"), 0);
    assert_int_equal(orr_plan_check_variant("plugins/good"), 0);
    assert_int_equal(orr_plan_check_variant("plugins/goood"), ORR_EUSAGE);
    assert_says("there is no variant 'plugins/goood'; did you mean 'plugins/good'?");
    remove_paper("unbuilt");
}

static void write_file(const char *path, const char *from, size_t size)
{
    FILE *in = from ? fopen(from, "r") : NULL, *out = fopen(path, "w");
    assert_non_null(out);
    for (size_t k = 0; k < size; k++)
        fputc(in ? fgetc(in) : 'x', out);
    if (in)
        fclose(in);
    fclose(out);
}

TEST(refuses_damaged_files)
{
    const char *plugins = filled("%s", getenv("ORRERY_PLUGINS"));
    const char *good = filled("%s/plugins/good.so", plugins);
    const char *folder = filled("%s/plugins", test_home);
    const char *damaged = filled("%s/good.so", folder);
    const size_t sizes[] = {0, 3, 64, 100, 5000};
    assert_int_equal(mkdir(folder, 0777), 0);
    setenv("ORRERY_PLUGINS", test_home, 1);
    for (size_t k = 0; k < 2 * sizeof sizes / sizeof *sizes; k++) {
        write_file(damaged, k % 2 ? good : NULL, sizes[k / 2]);
        refuses("plugins/good", ORR_EINPUT, "not a whole shared object");
    }
    unlink(damaged);
    refuses("plugins/good", ORR_EINPUT, "is not built");
    rmdir(folder);
    setenv("ORRERY_PLUGINS", plugins, 1);
}

TEST(inspection_survives_crashes)
{
    RELEASED_BY(orr_inspect_release) struct orr_inspection inspection;
    assert_int_equal(orr_plugin_inspect(&inspection, "plugins/crash_on_load"), ORR_EINTERNAL);
    assert_says("loading the plugin of plugins/crash_on_load: crashed: Segmentation fault");
    assert_int_equal(orr_plugin_inspect(&inspection, "plugins/exit_on_load"), ORR_EINTERNAL);
    assert_says("ended the process with status 7");
    assert_int_equal(orr_plugin_inspect(&inspection, "plugins/exports_two"), ORR_EINPUT);
    assert_says("exports 'forgotten_helper'");
}

TEST(inspection_repeats_the_table)
{
    RELEASED_BY(orr_inspect_release) struct orr_inspection inspection;
    assert_int_equal(orr_plugin_inspect(&inspection, "plugins/good"), 0);
    const struct orr_variant *v = &inspection.variant;
    assert_string_equal(v->name, "plugins/good");
    assert_int_equal(v->capabilities, ORR_RUNS_HOST);
    assert_int_equal(v->dimensions, 3);
    assert_int_equal(v->param_count, 5);
    assert_true(isnan(v->params[0].fallback));
    assert_int_equal(v->params[3].type, ORR_PARAM_INT);
    assert_true(v->params[3].min == 1 && v->params[3].max == 8 && v->params[3].fallback == 4);
    assert_int_equal(v->params[4].type, ORR_PARAM_CHOICE);
    assert_string_equal(v->params[4].choices, "native|cas|fixed");
    assert_true(v->params[4].fallback == 1);
}

TEST(one_that_breaks_costs_itself_alone)
{
    struct orr_inspection items[] = {{.name = "plugins/crash_on_load"},
                                     {.name = "plugins/good"},
                                     {.name = "plugins/exports_two"},
                                     {.name = "plugins/missing"}};
    assert_int_equal(orr_plugin_inspect_all(items, 4), 0);
    assert_int_equal(items[0].refused, ORR_EINTERNAL);
    assert_string_equal(items[0].why,
                        "loading the plugin of plugins/crash_on_load: crashed: Segmentation fault");
    assert_int_equal(items[1].refused, 0);
    assert_int_equal(items[1].variant.param_count, 5);
    assert_int_equal(items[2].refused, ORR_EINPUT);
    assert_non_null(strstr(items[2].why, "exports 'forgotten_helper'"));
    assert_int_equal(items[3].refused, ORR_EINPUT);
    assert_non_null(strstr(items[3].why, "is not built"));
    for (size_t k = 0; k < 4; k++)
        orr_inspect_release(&items[k]);
}

static struct orr_variant whole(void)
{
    return (struct orr_variant){VARIANT, .name = "plugins/good"};
}

static void refuse_variant(const struct orr_variant *variant, const char *why)
{
    assert_int_equal(orr_variant_validate(variant), ORR_EINPUT);
    assert_says(why);
}

TEST(validates_members)
{
    struct orr_variant v = whole();
    assert_int_equal(orr_variant_validate(&v), 0);
#define REFUSE(member, value, why) \
    v = whole();                   \
    v.member = (value);            \
    refuse_variant(&v, (why))
    REFUSE(abi, 0, "plugin ABI 0");
    REFUSE(size, 8, "8 bytes in the plugin");
    REFUSE(name, NULL, "not of the form paper/variant");
    REFUSE(name, "good", "not of the form paper/variant");
    REFUSE(name, "a/b/c", "not of the form paper/variant");
    REFUSE(summary, "", "summary");
    REFUSE(summary, "two\nlines", "summary");
    REFUSE(build_flags, NULL, "build_flags is missing");
    REFUSE(build_flags, "", "build_flags is missing");
    REFUSE(dimensions, 4, "dimensions is 4");
    REFUSE(step, NULL, "step is NULL");
    REFUSE(fetch, NULL, "fetch is NULL");
    REFUSE(params, NULL, "params is NULL");
    REFUSE(capabilities, 0, "nothing it runs on");
    REFUSE(capabilities, ORR_NEEDS_FP64, "nothing it runs on");
    REFUSE(capabilities, 1 << 20, "unknown bits 0x100000");
    REFUSE(capabilities, ORR_RUNS_OPENCL, "no kernel sources");
    REFUSE(params_size, 8, "outside");
    static const struct orr_source empty = {"name", ""};
    v = whole();
    v.sources = &empty;
    v.source_count = 1;
    refuse_variant(&v, "no capability to run on a device");
    v.capabilities = ORR_RUNS_CUDA;
    refuse_variant(&v, "no name or no text");
    v = whole();
    v.capabilities |= ORR_INTEGRATES;
    assert_int_equal(orr_variant_validate(&v), 0);
    v.param_count = 2;
    refuse_variant(&v, "lacks an integer parameter 'steps'");
}

TEST(validates_near_fields)
{
    struct orr_param level = {"level", ORR_PARAM_INT, offsetof(struct params, steps), 3, 0, 12,
                              NULL,    "of the boxes"};
    struct orr_variant v = whole();
    v.dimensions = 2;
    v.capabilities |= ORR_NEAR_FIELD;
    refuse_variant(&v, "lacks an integer parameter 'level'");
    v.params = &level;
    v.param_count = 1;
    assert_int_equal(orr_variant_validate(&v), 0);
    level.max = 13;
    refuse_variant(&v, "within 0 to 12");
    level.max = 12;
    level.min = -1;
    refuse_variant(&v, "within 0 to 12");
    level.min = 0;
    level.name = "depth";
    refuse_variant(&v, "lacks an integer parameter 'level'");
    level.name = "level";
    v.dimensions = 3;
    refuse_variant(&v, "2 dimensions");
}

TEST(validates_tree_codes)
{
    struct orr_param theta = {"theta", ORR_PARAM_FLOAT, offsetof(struct params, dt), 0.5, 0, 10,
                              NULL,    "opening angle"};
    struct orr_variant v = whole();
    v.capabilities |= ORR_TREE_CODE;
    refuse_variant(&v, "lacks a number 'theta' from 0");
    v.params = &theta;
    v.param_count = 1;
    assert_int_equal(orr_variant_validate(&v), 0);
    theta.min = 0.1;
    refuse_variant(&v, "lacks a number 'theta' from 0");
    theta = (struct orr_param){"theta", ORR_PARAM_INT,  offsetof(struct params, steps), 1, 0, 10,
                               NULL,    "opening angle"};
    refuse_variant(&v, "lacks a number 'theta' from 0");
    theta = (struct orr_param){"angle", ORR_PARAM_FLOAT, offsetof(struct params, dt), 0.5, 0, 10,
                               NULL,    "opening angle"};
    refuse_variant(&v, "lacks a number 'theta' from 0");
    theta.name = "theta";
    v.capabilities |= ORR_NEAR_FIELD;
    refuse_variant(&v, "both a tree code and a near field");
}

TEST(validates_parameters)
{
    static const struct {
        struct orr_param param;
        const char *why;
    } cases[] = {
        {{NULL, ORR_PARAM_INT, 16, 0, 0, 1, NULL, "h"}, "no usable name"},
        {{"a b", ORR_PARAM_INT, 16, 0, 0, 1, NULL, "h"}, "no usable name"},
        {{"n", ORR_PARAM_INT, 16, 0, 0, 1, NULL, "h"}, "chooses the input"},
        {{"x", (enum orr_param_type)9, 16, 0, 0, 1, NULL, "h"}, "unknown type 9"},
        {{"x", ORR_PARAM_INT, 17, 0, 0, 1, NULL, "h"}, "not a multiple of 4"},
        {{"x", ORR_PARAM_FLOAT, 4, 0, 0, 1, NULL, "h"}, "not a multiple of 8"},
        {{"x", ORR_PARAM_FLOAT, 28, 0, 0, 1, NULL, "h"}, "lies outside"},
        {{"x", ORR_PARAM_INT, 16, 0, 2, 1, NULL, "h"}, "min 2 is above max 1"},
        {{"x", ORR_PARAM_INT, 16, 3, 0, 1, NULL, "h"}, "default 3 is outside 0 to 1"},
        {{"x", ORR_PARAM_INT, 16, 0.5, 0, 1, NULL, "h"}, "not a 32-bit integer"},
        {{"x", ORR_PARAM_INT, 16, 0, 0, 1e10, NULL, "h"}, "not a 32-bit integer"},
        {{"x", ORR_PARAM_FLOAT, 0, NAN, 0, 1, NULL, "h"}, "default nan is outside"},
        {{"x", ORR_PARAM_FLOAT, 0, 0, NAN, 1, NULL, "h"}, "min nan is above"},
        {{"x", ORR_PARAM_CHOICE, 16, 0, 0, 0, NULL, "h"}, "words separated by |"},
        {{"x", ORR_PARAM_CHOICE, 16, 0, 0, 0, "a||b", "h"}, "words separated by |"},
        {{"x", ORR_PARAM_CHOICE, 16, 2, 0, 0, "a|b", "h"}, "no index into 'a|b'"},
        {{"x", ORR_PARAM_INT, 16, 0, 0, 1, NULL, NULL}, "help"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct orr_variant v = whole();
        v.params = &cases[k].param;
        v.param_count = 1;
        refuse_variant(&v, cases[k].why);
    }
    struct orr_variant v = whole();
    const struct orr_param twice[] = {params[3], params[3]};
    v.params = twice;
    v.param_count = 2;
    refuse_variant(&v, "two parameters are called 'unroll'");
}

RUN_TESTS(begin_home, end_home)
