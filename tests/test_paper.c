/* SPDX-License-Identifier: MIT */
/* paper.yaml: what is read, and that every fault is named with file and line. */
#include <time.h>

#include "names.h"
#include "plan/paper.h"
#include "present/layout.h"
#include "tests/cases.h"
#include "tests/home_for_tests.h"

/* Loads the text of tests/data/papers/trial.yaml, in which the cases below count lines, with the
 * first `from` replaced by `to`. */
static int load_changed(struct orr_paper **out, const char *from, const char *to)
{
    char text[4096];
    const char *good = paper_text("trial");
    const char *at = strstr(good, from);
    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, to, at + strlen(from));
    write_paper("trial", text);
    return orr_paper_load(out, "trial");
}

TEST(reads_everything)
{
    RELEASED_BY(free_paper) struct orr_paper *paper;
    copy_paper("trial", "trial");
    assert_int_equal(orr_paper_load(&paper, "trial"), 0);
    assert_string_equal(paper->key, "trial");
    assert_int_equal(paper->year, 2009);
    assert_true(paper->flops_per_interaction == 38);
    assert_int_equal(paper->variants_count, 2);
    assert_string_equal(paper->variants[1].label, "");
    assert_int_equal(paper->variants[1].in_count, 2);
    const struct orr_experiment *table = orr_paper_experiment(paper, "table");
    assert_non_null(table);
    assert_string_equal(table->axes[1].values, "100");
    assert_true(table->bound->median == 1e-5 && table->bound->p99 == 1e-4 &&
                table->bound->max == 1e-3 && !table->bound->by_terms);
    assert_int_equal(paper->tree_bounds_count, 2);
    const struct orr_tree_bound *tree = paper->tree_bounds;
    assert_true(tree->variants_count == 2 && tree->settings_count == 1 && tree->up_to == 1.5);
    assert_true(tree->median.floor == 1 && tree->median.at == 2 && tree->median.theta == 3 &&
                tree->median.n == -0.5 && tree->p99.n == 0 && tree[1].up_to == 0);
    assert_int_equal(table->presets_count, 2);
    assert_true(table->presets[0].time_limit_s == 0.5 && table->presets[0].limits[0].n == 2000);
    assert_string_equal(table->presets[0].limits[0].on, "cpu");
    assert_true(table->presets[1].skip && !table->presets[0].skip && !table->keep_bodies);
    assert_true(orr_paper_experiment(paper, "curve")->keep_bodies);
    assert_null(orr_paper_experiment(paper, "tabel"));
    assert_says("trial has no experiment 'tabel'; did you mean 'table'?");
    assert_null(orr_paper_variant(paper, "fats"));
    assert_says("trial has no variant 'fats'; did you mean 'fast'?");
    orr_paper_free(NULL);
}

/* A change of the good file, and what is said of it. */
static const struct {
    const char *from, *to, *says;
} faults[] = {
    {"title: A trial", "titel: A trial",
     "variants/trial/paper.yaml:2: unknown key 'titel'; did you mean 'title'?"},
    {"in: [table]", "inn: [table]", "paper.yaml:8: unknown key 'inn'; did you mean 'in'?"},
    {"on: cpu", "only: cpu", "paper.yaml:23: unknown key 'only'; did you mean 'on'?"},
    {"year: 2009", "year: soon", "paper.yaml:5: year must be a number"},
    {"venue: nowhere\n", "", "paper.yaml:1: the key 'venue' is missing"},
    {"layout: times\n", "\n", "paper.yaml:11: the key 'layout' is missing"},
    {"n: 2000", "n: many", "paper.yaml:23: "},
    {"skip: true", "skip: maybe", "paper.yaml:25: skip must be a yes or a no"},
    {"skip: true", "long_samples: 4294967297", "paper.yaml:25: "},
    {"skip: true", "long_samples: 4294967295", "paper.yaml:25: long_samples must be at most"},
    {"year: 2009", "year: 2009\nyear: 2010", "paper.yaml:6: the key 'year' is there twice"},
    {"variants:", "variants: [", "paper.yaml:8: "},
    {"venue: nowhere", "\tvenue: nowhere", "paper.yaml:4: found"},
    {"paper: trial", "paper: other", "paper.yaml:1: paper is 'other', but the folder is 'trial'"},
    {"interaction: 38", "interaction: 0", "paper.yaml:6: flops_per_interaction must be above 0"},
    {"name: fast", "name: slow", "paper.yaml:9: 'slow' appears twice in variants"},
    {"name: fast", "name: curve", "paper.yaml:9: 'curve' names a variant and an experiment"},
    {"[table, curve]", "[table, curv]",
     "paper.yaml:9: trial has no experiment 'curv'; did you mean 'curve'?"},
    {"name: curve", "name: table", "paper.yaml:26: 'table' appears twice in experiments"},
    {"plummer,random-3d", "plummr", "paper.yaml:16: no data set 'plummr'; did you mean 'plummer'?"},
    {"name: steps", "name: dataset",
     "paper.yaml:17: 'dataset' appears twice in experiments[0].axes"},
    {"name: steps, values: 100", "name: \"steps,unroll\", values: \"1:2\"",
     "paper.yaml:17: 'steps,unroll': axes vary together in --set only"},
    {"values: 100", "values: \"1,,2\"", "paper.yaml:17: a value is missing between commas"},
    {"[slow]", "[slwo]", "paper.yaml:18: trial has no variant 'slwo'; did you mean 'slow'?"},
    {"median: 1.0e-5", "median: -1", "paper.yaml:19: bound median must be above 0"},
    {"median: 1.0e-5", "median: nan", "paper.yaml:19: median must be a number"},
    {"p99: 1.0e-4", "p99: 0", "paper.yaml:19: bound p99 must be above 0"},
    {"max: 1.0e-3", "max: inf", "paper.yaml:19: max must be a number"},
    {"p99: 1.0e-4, ", "", "paper.yaml:19: the key 'p99' is missing"},
    {"{median: 1, p99: 2, max: 3}", "{}", "paper.yaml:31: the key 'median' is missing"},
    {"    bound: {median: 1, p99: 2, max: 3}\n", "", "paper.yaml:26: the key 'bound' is missing"},
    {"[\"f*\", slow]", "[\"f*\", slwo]",
     "paper.yaml:34: bound of an unknown variant 'slwo'; did you mean 'slow'?"},
    {"up_to: 1.5", "up_to: -1", "paper.yaml:36: up_to must be above 0"},
    {"{floor: 1, at: 4, theta: 2}", "{floor: 0, at: 4, theta: 2}",
     "paper.yaml:38: floor, at and theta must be above 0"},
    {"{floor: 1, at: 4, theta: 2}", "{floor: 1, at: -4, theta: 2}", "paper.yaml:38: floor, at"},
    {"{floor: 1, at: 4, theta: 2}", "{floor: 1, at: 4, theta: nan}",
     "paper.yaml:38: theta must be a number"},
    {"{floor: 1, at: 4, theta: 2}", "{floor: 1, at: 4}",
     "paper.yaml:38: the key 'theta' is missing"},
    {"    max: {floor: 1, at: 8, theta: 1}\n", "", "paper.yaml:34: the key 'max' is missing"},
    {"name: quick", "name: qick",
     "paper.yaml:21: there is no preset 'qick'; did you mean 'quick'?"},
    {"name: beyond", "name: quick", "paper.yaml:25: 'quick' appears twice"},
    {"1000:4000:*2", "4000:1000:*2",
     "paper.yaml:22: '4000:1000:*2': the range ends before it starts"},
    {"1000:4000:*2", "12.5", "paper.yaml:22: n must be a whole number, not '12.5'"},
    {"{name: n, values: \"1000:4000:*2\"}", "{name: per_box, values: few}",
     "paper.yaml:22: per_box must be a whole number, not 'few'"},
    {"name: steps, values: 100", "name: level, values: 2.5",
     "paper.yaml:17: level must be a whole number, not '2.5'"},
    {"name: n, values: \"1000:4000:*2\"}", "name: per_box, values: 8}, {name: n, values: 9}",
     "paper.yaml:22: n and per_box both say how many bodies there are; name one of them"},
    {"\"sl*\"", "\"sla*\"", "paper.yaml:23: limit for an unknown variant 'sla*'"},
    {"n: 2000", "n: -1", "paper.yaml:23: a limit's n must be above 0"},
    {"on: cpu", "on: tpu", "paper.yaml:23: a limit's 'on' must be cpu or gpu, not 'tpu'"},
    {"{median: 1, p99: 2, max: 3}", "{median: 1, p99: 2, max: 3}\n    targets: 0",
     "paper.yaml:32: targets must be from 1 to 1000000"},
    {"{median: 1, p99: 2, max: 3}", "{median: 1, p99: 2, max: 3}\n    targets: 1000001",
     "paper.yaml:32: targets must be from 1 to 1000000"},
    {"{median: 1, p99: 2, max: 3}", "{median: 1, p99: 2, max: 3}\n    targets: many",
     "paper.yaml:32: "},
    {"{median: 1, p99: 2, max: 3}", "{median: 1, p99: 2, max: 3}\n    error_curve: maybe",
     "paper.yaml:32: "},
    {"{median: 1, p99: 2, max: 3}", "{median: 1, p99: 2, max: 3}\n    enrgy: yes",
     "paper.yaml:32: unknown key 'enrgy'; did you mean 'energy'?"},
    {"limit_s: 0.5", "limit_s: -1", "paper.yaml:24: time_limit_s"},
    {"time_limit_s: 0.5", "timeout_s: -1", "paper.yaml:24: timeout_s"},
    {"[{name: dataset, values: plummer}]", "[{name: n, values: 1}]",
     "paper.yaml:26: experiment 'curve' has no axis"},
#define GUESS(members) \
    "tree_bounds:", "guess: [{name: it, " members ", claims: [T1]}]\ntree_bounds:"
    {GUESS("setting: stesp, values: \"1,2\""),
     "paper.yaml:33: no axis and no knob is called 'stesp'; did you mean 'steps'?"},
    {GUESS("setting: steps, values: 1"), "paper.yaml:33: a guess has the value that was taken"},
    {GUESS("setting: steps, values: \"1,,2\""), "paper.yaml:33: a value is missing"},
    {GUESS("setting: steps, values: \"1,2\", where: steps"), "paper.yaml:33: 'where' is a setting"},
    {GUESS("setting: steps, values: \"1,2\", where: \"nn=3\""),
     "paper.yaml:33: no axis and no knob is called 'nn'"},
    {GUESS("values: \"1,2\""), "paper.yaml:33: the key 'setting' is missing"},
};

TEST(names_every_fault_with_its_line)
{
    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
        struct orr_paper *paper;
        int code = load_changed(&paper, faults[k].from, faults[k].to);
        if (code != ORR_EINPUT)
            fail_msg("'%s' gave %d: %s", faults[k].to, code, orr_error_text());
        assert_null(paper);
        assert_says(faults[k].says);
    }
}

/* A year need not be printed. */
TEST(what_may_be_left_out)
{
    RELEASED_BY(free_paper) struct orr_paper *paper;
    assert_done(load_changed(&paper, "{median: 1, p99: 2, max: 3}",
                             "{median: 1, p99: 2, max: 3}\n    trajectory: true"));
    assert_true(orr_paper_experiment(paper, "curve")->trajectory &&
                !orr_paper_experiment(paper, "table")->trajectory);
    orr_paper_free(paper);
    assert_done(load_changed(&paper, "{median: 1, p99: 2, max: 3}",
                             "{median: 1, p99: 2, max: 3}\n    targets: 8192\n    "
                             "error_curve: true\n    energy: yes"));
    const struct orr_experiment *curve = orr_paper_experiment(paper, "curve"),
                                *table = orr_paper_experiment(paper, "table");
    assert_true(curve->targets == 8192 && curve->error_curve && curve->energy);
    assert_true(table->targets == 0 && !table->error_curve && !table->energy);
    orr_paper_free(paper);
    assert_int_equal(load_changed(&paper, "year: 2009\n", ""), 0);
    assert_int_equal(paper->year, 0);
}

TEST(survives_strange_files)
{
    static const char *const texts[] = {"",
                                        "\n\n",
                                        "# only a comment\n",
                                        "just words",
                                        "- a\n- b\n",
                                        "a: &x [*x]\n",
                                        "? [a, b]\n: c\n",
                                        "paper: &p trial\ntitle: *p\n",
                                        "\xff\xfe\x00",
                                        "{",
                                        "%YAML 9.9\n---\n"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        struct orr_paper *paper;
        write_paper("trial", texts[k]);
        assert_int_equal(orr_paper_load(&paper, "trial"), ORR_EINPUT);
        assert_null(paper);
        assert_says("variants/trial/paper.yaml:");
    }
}

/* libyaml alone takes 18 s for the brackets. */
TEST(deep_nesting_is_refused_at_once)
{
    static const char deep[] = "paper.yaml:1: nested deeper than 32 levels";
    static const char *const levels[] = {"[", "{a: ", "- ", "? "}, *const says[] = {
                                                                       deep, deep, deep,
                                                                       "a key must be a word"};
    for (size_t k = 0; k < sizeof levels / sizeof *levels; k++) {
        size_t length = strlen(levels[k]), count = 50000;
        RELEASED_BY(free_text) char *text = malloc(count * length + 1);
        for (size_t at = 0; at < count; at++)
            memcpy(text + at * length, levels[k], length + 1);
        struct orr_paper *paper;
        write_paper("trial", text);
        clock_t start = clock();
        assert_int_equal(orr_paper_load(&paper, "trial"), ORR_EINPUT);
        assert_true(clock() - start < CLOCKS_PER_SEC);
        assert_says(says[k]);
    }
}

TEST(finds_papers)
{
    char **keys;
    struct orr_paper *paper;
    copy_paper("trial", "trial");
    assert_int_equal(orr_paper_keys(&keys), 0);
    assert_string_equal(keys[0], "trial");
    assert_null(keys[1]);
    orr_names_free(keys);
    assert_fails(orr_paper_load(&paper, "trail"), ORR_EUSAGE,
                 "there is no paper 'trail'; did you mean 'trial'?");
    assert_fails(orr_paper_load(&paper, "../trial"), ORR_EUSAGE, "there is no paper");
    remove_paper("trial");
    assert_int_equal(orr_paper_keys(&keys), 0);
    assert_null(keys[0]);
    orr_names_free(keys);
}

/* Layouts are what tables and figures use: that is where a misspelt one is reported. */
TEST(a_misspelt_layout_fails_where_it_is_used)
{
    RELEASED_BY(free_paper) struct orr_paper *paper;
    RELEASED_BY(orr_document_release) struct orr_document document;
    struct orr_plot plot;
    assert_int_equal(load_changed(&paper, "layout: times", "layout: tims"), 0);
    const struct orr_scope scope = {.paper = paper, .experiment = &paper->experiments[0]};
    assert_fails(
        orr_layout_show(&document, NULL, &scope), ORR_EINPUT,
        "paper.yaml:14: experiment 'table' asks for an unknown layout 'tims'; did you mean "
        "'times'?");
    assert_fails(orr_layout_show(NULL, &plot, &scope), ORR_EINPUT, "paper.yaml:14: ");
}

TEST(reads_the_real_papers)
{
    char **keys;
    unsetenv("ORRERY_HOME");
    assert_int_equal(orr_paper_keys(&keys), 0);
    assert_non_null(keys[0]);
    for (char **key = keys; *key; key++) {
        RELEASED_BY(free_paper) struct orr_paper *paper;
        assert_done(orr_paper_load(&paper, *key));
    }
    orr_names_free(keys);
    setenv("ORRERY_HOME", test_home, 1);
}

TEST(expands_values)
{
    static const struct {
        const char *text;
        bool integers;
        const char *values; /* joined with blanks */
    } cases[] = {
        {"a,b,c", false, "a b c"},
        {" a , b ", false, "a b"},
        {"1,1,2", true, "1 2"},
        {"1000:8000:*2", true, "1000 2000 4000 8000"},
        {"1000:5000:*2", true, "1000 2000 4000 5000"},
        {"100:500:*1.5", true, "100 150 225 338 500"},
        {"1:4:+1", false, "1 2 3 4"},
        {"1:4:+2", false, "1 3 4"},
        {"0:0.3:+0.1", false, "0 0.1 0.2 0.3"},
        {"0.001:1:*10", false, "0.001 0.01 0.1 1"},
        {"5:5:+1", false, "5"},
        {"-1:1:+1", false, "-1 0 1"},
        {"1:2:+1,10:20:*2,7", true, "1 2 10 20 7"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char **values;
        const char *joined = "";
        assert_int_equal(orr_axis_values(&values, cases[k].text, cases[k].integers), 0);
        for (char **v = values; *v; v++)
            joined = filled("%s%s%s", joined, v == values ? "" : " ", *v);
        assert_string_equal(joined, cases[k].values);
        orr_names_free(values);
    }
}

TEST(refuses_bad_value_lists)
{
    static const char *const cases[][2] = {{"", "a value is missing"},
                                           {"1,,2", "a value is missing"},
                                           {"1,", "a value is missing"},
                                           {"1:2", "is no range"},
                                           {"1:2:3", "is no range"},
                                           {"1:2:*x", "is no range"},
                                           {"1:2:*2:3", "is no range"},
                                           {":2:*2", "is no range"},
                                           {"2:1:+1", "ends before it starts"},
                                           {"1:2:*1", "a factor must be above 1"},
                                           {"0:2:*2", "start above 0"},
                                           {"1:2:+0", "a step must be above 0"},
                                           {"1:inf:*2", "is no range"},
                                           {"0:1e9:+1", "more than 10000 values"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char **values;
        assert_int_equal(orr_axis_values(&values, cases[k][0], false), ORR_EUSAGE);
        assert_null(values);
        assert_says(cases[k][1]);
    }
}

RUN_TESTS(begin_home, end_home)
