/* SPDX-License-Identifier: MIT */
/* An experiment may show the cells of another one: what is planned for it, and what its table and
 * figure are of. */
#include "tests/cases.h"
#include "tests/home_for_tests.h"
#include "tests/plan_for_tests.h"
#include "tests/table_for_tests.h"

#define HEAD                                                                                       \
    "paper: plugins\ntitle: t\nauthors: a\nvenue: v\nflops_per_interaction: 14\n"                  \
    "variants:\n"                                                                                  \
    "  - {name: tree, label: a tree, in: [times, errors]}\n"                                       \
    "  - {name: flat, label: a sum, in: [times]}\n"                                                \
    "tree_bounds: [{variants: [tree], median: {floor: 1, at: 1, theta: 1}, "                       \
    "p99: {floor: 1, at: 1, theta: 1}, max: {floor: 1, at: 1, theta: 1}}]\n"                       \
    "experiments:\n"                                                                               \
    "  - name: times\n    shows: Figure 2\n    title: t\n    layout: times\n"                      \
    "    bound: {median: 1, p99: 1, max: 1}\n    axes: [{name: dataset, values: uniform-2d}, "     \
    "{name: n, "                                                                                   \
    "values: \"100,200\"}, {name: theta, values: \"0.5,1\"}]\n"                                    \
    "    presets: [{name: smoke, axes: [{name: n, values: 10}]}]\n"                                \
    "  - name: errors\n    shows: Figure 1\n    title: t\n    layout: times\n    axes: "           \
    "[{name: dataset, values: uniform-2d}, {name: n, values: \"100,200\"}, {name: theta, values: " \
    "\"0.5,1\"}]\n"
static const char paper[] = HEAD "    cells: times\n";

TEST_AROUND(running_it_runs_the_cells_of_its_variants, NULL, end)
{
    PLANS(6, .what = {"plugins/times"});
    PLANS(4, .what = {"plugins/errors"});
    for (size_t k = 0; k < plan.count; k++) {
        assert_string_equal(plan.cells[k].experiment, "plugins/times");
        assert_string_equal(plan.cells[k].variant, "plugins/tree");
    }
    PLANS(6, .what = {"plugins"});
    PLANS(6, .what = {"plugins/errors", "plugins/times"});
    PLANS(2, .what = {"plugins/errors"}, .preset = "smoke");
    PLANS(2, .what = {"plugins/flat"});
}

TEST_AROUND(its_results_are_theirs, NULL, end)
{
    char path[] = "/tmp/orrery-shown-XXXXXX";
    FILE *file = begin_journal(path);
    for (int k = 0; k < 2; k++)
        fprintf(file,
                "{\"record\":\"cell\",\"id\":\"c%d\",\"experiment\":\"plugins/times\","
                "\"variant\":\"plugins/%s\",\"device\":\"host\","
                "\"dataset\":{\"name\":\"uniform-2d\",\"n\":100},\"parameters\":{%s},"
                "\"outcome\":\"ok\",\"seconds\":1,\"samples\":{\"step_s\":[1]},"
                "\"error\":{\"median\":1e-4,\"p99\":1e-3,\"max\":1e-2}}\n",
                k, k ? "flat" : "tree", k ? "" : "\"theta\":0.5");
    assert_int_equal(fclose(file), 0);
    const char *text = table_from("plugins/errors", "md", path);
    unlink(path);
    assert_non_null(line_with(text, "| tree (theta=0.5) ", " 1.0e-04 / 1.0e-03 / 1.0e-02 "));
    assert_null(strstr(text, "a sum"));
    assert_null(strstr(text, "flat"));
    assert_non_null(strstr(text, "- machine: m "));
}

TEST_AROUND(mistakes_are_named, NULL, end)
{
    static const struct {
        const char *text, *says;
    } cases[] = {
        {HEAD, "paper.yaml:18: the key 'bound' is missing"},
        {HEAD "    cells: time\n", "no experiment 'time'; did you mean 'times'?"},
        {HEAD "    cells: errors\n", "name the experiment that has them"},
        {HEAD "    cells: times\n    bound: {median: 1, p99: 1, max: 1}\n",
         "presets and bound belong there"},
        {HEAD "    cells: times\n    presets: [{name: smoke}]\n", "presets and bound belong there"},
        {HEAD "    cells: other\n  - {name: other, shows: s, title: t, layout: times, bound: "
              "{median: 1, p99: 1, max: 1}, axes: "
              "[{name: dataset, values: uniform-2d}]}\n",
         "tree takes part in errors but not in other, which has the cells"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct orr_paper *wrong;
        write_paper("plugins", cases[k].text);
        if (orr_paper_load(&wrong, "plugins") != ORR_EINPUT)
            fail_msg("case %zu: %s", k, orr_error_text());
        assert_says(cases[k].says);
    }
    write_paper("plugins", paper);
}

int main(void)
{
    use_test_plugins();
    make_test_home();
    write_paper("plugins", paper);
    return run_all(NULL, NULL);
}
