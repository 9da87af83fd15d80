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
    assert_fails(orr_plugin_load(&plugin, name), code, why);
    assert_null(plugin.handle);
    orr_plugin_release(&plugin);
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
    assert_fails(orr_plan_check_variant("plugins/goood"), ORR_EUSAGE,
                 "there is no variant 'plugins/goood'; did you mean 'plugins/good'?");
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
    static const struct {
        const char *name;
        int code;
        const char *why;
    } cases[] = {
        {"plugins/crash_on_load", ORR_EINTERNAL,
         "loading the plugin of plugins/crash_on_load: crashed: Segmentation fault"},
        {"plugins/good", 0, ""},
        {"plugins/exit_on_load", ORR_EINTERNAL, "ended the process with status 7"},
        {"plugins/exports_two", ORR_EINPUT, "exports 'forgotten_helper'"},
        {"plugins/missing", ORR_EINPUT, "is not built"},
    };
    enum { COUNT = sizeof cases / sizeof *cases };
    struct orr_inspection items[COUNT] = {0}, alone;
    for (size_t k = 0; k < COUNT; k++)
        strcpy(items[k].name, cases[k].name);
    assert_int_equal(orr_plugin_inspect_all(items, COUNT), 0);
    for (size_t k = 0; k < COUNT; k++) {
        assert_int_equal(items[k].refused, cases[k].code);
        assert_non_null(strstr(items[k].why, cases[k].why));
        orr_inspect_release(&items[k]);
        assert_int_equal(orr_plugin_inspect(&alone, cases[k].name), cases[k].code);
        assert_says(cases[k].why);
        orr_inspect_release(&alone);
        orr_error_clear();
    }
}

static struct orr_variant whole(void)
{
    return (struct orr_variant){VARIANT, .name = "plugins/good"};
}

/* A variant that is taken, but for one parameter in its place. */
struct case_of_parameter {
    struct orr_param param;
    const char *why; /* NULL: taken */
};

static void refuse_variant(const struct orr_variant *variant, const char *why)
{
    assert_fails(orr_variant_validate(variant), ORR_EINPUT, why);
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

static void check_parameters(struct orr_variant v, const struct case_of_parameter *cases,
                             size_t count)
{
    for (size_t k = 0; k < count; k++) {
        v.params = &cases[k].param;
        v.param_count = 1;
        if (cases[k].why)
            refuse_variant(&v, cases[k].why);
        else
            assert_int_equal(orr_variant_validate(&v), 0);
    }
}
#define CHECK(variant, ...)                                              \
    check_parameters(variant, (struct case_of_parameter[]){__VA_ARGS__}, \
                     sizeof((struct case_of_parameter[]){__VA_ARGS__}) / \
                         sizeof(struct case_of_parameter))

TEST(validates_near_fields)
{
    struct orr_variant v = whole();
    v.dimensions = 2;
    v.capabilities |= ORR_NEAR_FIELD;
    refuse_variant(&v, "lacks an integer parameter 'level'");
    CHECK(
        v, {{"level", ORR_PARAM_INT, 16, 3, 0, 12, NULL, "h"}, NULL},
        {{"level", ORR_PARAM_INT, 16, 3, 0, 13, NULL, "h"}, "within 0 to 12"},
        {{"level", ORR_PARAM_INT, 16, 3, -1, 12, NULL, "h"}, "within 0 to 12"},
        {{"depth", ORR_PARAM_INT, 16, 3, 0, 12, NULL, "h"}, "lacks an integer parameter 'level'"});
    v.dimensions = 3;
    CHECK(v, {{"level", ORR_PARAM_INT, 16, 3, 0, 12, NULL, "h"}, "2 dimensions"});
}

TEST(validates_tree_codes)
{
    const char *lacks = "lacks a number 'theta' from 0";
    struct orr_variant v = whole();
    v.capabilities |= ORR_TREE_CODE;
    refuse_variant(&v, lacks);
    CHECK(v, {{"theta", ORR_PARAM_FLOAT, 0, 0.5, 0, 10, NULL, "h"}, NULL},
          {{"theta", ORR_PARAM_FLOAT, 0, 0.5, 0.1, 10, NULL, "h"}, lacks},
          {{"theta", ORR_PARAM_INT, 16, 1, 0, 10, NULL, "h"}, lacks},
          {{"angle", ORR_PARAM_FLOAT, 0, 0.5, 0, 10, NULL, "h"}, lacks});
    v.capabilities |= ORR_NEAR_FIELD;
    CHECK(v, {{"theta", ORR_PARAM_FLOAT, 0, 0.5, 0, 10, NULL, "h"},
              "both a tree code and a near field"});
}

TEST(validates_parameters)
{
    static const struct case_of_parameter cases[] = {
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
    const struct orr_param twice[] = {params[3], params[3]};
    struct orr_variant v = whole();
    check_parameters(v, cases, sizeof cases / sizeof *cases);
    v.params = twice;
    v.param_count = 2;
    refuse_variant(&v, "two parameters are called 'unroll'");
}

RUN_TESTS(begin_home, end_home)
