/* SPDX-License-Identifier: MIT */
/* The bounds of cells, and what those of tree codes let through: a tree code with one wrong child
 * in a thousand is wrong, its honest twin is not. */
#include "datasets/dataset.h"
#include "plan/paper.h"
#include "tests/cases.h"
#include "tests/home_for_tests.h"
#include "tests/random_for_tests.h"
#include "tests/referee_for_tests.h"

static void is(const struct orr_bound *bound, double median, double p99, double max, bool by_terms)
{
    if (fabs(bound->median - median) > 1e-12 * median || fabs(bound->p99 - p99) > 1e-12 * p99 ||
        fabs(bound->max - max) > 1e-12 * max || bound->by_terms != by_terms)
        fail_msg("the bound is %g, %g, %g, %d", bound->median, bound->p99, bound->max,
                 bound->by_terms);
}

TEST(follows_theta_and_n)
{
    struct orr_paper *paper;
    struct orr_bound bound;
    const struct orr_setting settings[] = {{"nleaf", "8"}, {"multipole", "monopole"}};
    const struct {
        double n, theta;
        bool tree, set;
        struct orr_bound bound;
    } cases[] = {
        {1e4, 0.5, true, false, {1 + 10 * 0.25 * 100, 2 + 3 * 0.5, 3 + 8 * 0.125 / 1e4, true}},
        /* ten bodies are beyond the 99th percentile of a thousand */
        {999, 0.5, true, false, {1 + 10 * 0.25 * sqrt(999), 3 + 1 / 999.0, 3 + 1 / 999.0, true}},
        {99, 0.5, true, false, {3 + 1 / 99.0, 3 + 1 / 99.0, 3 + 1 / 99.0, true}},
        {1e4, 0, true, false, {1, 2, 3, true}}, /* the floor of single precision */
        {1e4, 0, true, true, {7, 8, 9, true}},
        {1e4, 2.1, false, true, {4, 5, 6, false}},
    };
    copy_paper("trial", "bounds");
    assert_int_equal(orr_paper_load(&paper, "trial"), 0);
    const struct orr_experiment *two = orr_paper_experiment(paper, "two");
    struct orr_bound_at at = {.variant = "trial/tree", .settings = settings};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        at.n = cases[k].n, at.theta = cases[k].theta, at.tree = cases[k].tree;
        at.setting_count = cases[k].set ? 2 : 0;
        assert_int_equal(orr_bound_of_cell(&bound, paper, two, &at), 0);
        const struct orr_bound *e = &cases[k].bound;
        is(&bound, e->median, e->p99, e->max, e->by_terms);
    }
    at.tree = true;
    assert_fails(orr_bound_of_cell(&bound, paper, two, &at), ORR_EINPUT,
                 "paper.yaml:11: no bound for the tree code trial/tree at theta = 2.1");
    orr_paper_free(paper);
    remove_paper("trial");
}

TEST(is_known_without_an_experiment)
{
    struct orr_bound bound;
    struct orr_bound_at at = {.variant = "trial/tree", .theta = 1, .n = 1e4};
    copy_paper("trial", "bounds");
    assert_int_equal(orr_bound_of_variant(&bound, &at), 0);
    is(&bound, 4, 5, 6, false);
    at.tree = true;
    assert_int_equal(orr_bound_of_variant(&bound, &at), 0);
    is(&bound, 1001, 5, 3 + 8e-4, true);
    at = (struct orr_bound_at){.variant = "trial/sum", .n = 1e4};
    assert_int_equal(orr_bound_of_variant(&bound, &at), 0);
    is(&bound, 1, 2, 3, false);
    static const char *const exact[] = {"trial/idle", "trial/new", "other/sum"};
    for (size_t k = 0; k < sizeof exact / sizeof *exact; k++) {
        at.variant = exact[k];
        assert_int_equal(orr_bound_of_variant(&bound, &at), 0);
        is(&bound, 1e-5, 1e-4, 1e-3, false);
        assert_int_equal(orr_error_code(), 0);
    }
    at.tree = true;
    assert_fails(orr_bound_of_variant(&bound, &at), ORR_EUSAGE,
                 "other/sum is a tree code, and the tree_bounds of no paper.yaml bound its error");
    remove_paper("trial");
}

TEST(nothing_is_unbound)
{
    static const char *const incomplete[] = {
        "{}", "{\"median\": 1, \"p99\": 1, \"by_terms\": true}",
        "{\"median\": 1, \"p99\": 0, \"max\": 1, \"by_terms\": false}",
        "{\"median\": -1, \"p99\": 1, \"max\": 1, \"by_terms\": false}"};
    const struct orr_cell cell = {.bound = {1, 2, 3, true}};
    struct orr_cell same;
    json_auto_t *json = orr_cell_to_json(&cell);
    assert_int_equal(orr_cell_from_json(&same, json), 0);
    is(&same.bound, 1, 2, 3, true);
    for (size_t k = 0; k < sizeof incomplete / sizeof *incomplete; k++) {
        json_object_set_new(json, "bound", json_loads(incomplete[k], 0, NULL));
        assert_int_equal(orr_cell_from_json(&same, json), ORR_EINPUT);
        orr_error_clear();
    }
    const struct orr_errors errors = {.of[ORR_ERROR_RELATIVE].median = 1e-9};
    assert_int_equal(orr_verify_judge(&errors, &(struct orr_bound){0}), ORR_EWRONG);
}

/* --- a planted fault --- */

static struct orr_referee *referee;

/* Masses as the harness changes them from sample to sample. */
static void make_bodies(struct orr_bodies *out, char sha[65], size_t n)
{
    double common = 0.5 + 0.5 * uniform();
    assert_int_equal(orr_dataset_make(out, "uniform-2d", n, random_below(1u << 30)), 0);
    for (size_t i = 0; i < n; i++)
        out->mass[i] *= common * (0.75 + 0.5 * uniform());
    orr_bodies_round(out);
    orr_bodies_sha256(out, sha);
}

/* 0 or ORR_EWRONG by the bounds of feng's walk for each body, whose criterion the plugin has. */
static int judge(const struct orr_bodies *bodies, const char *sha, double theta, const char *fault)
{
    struct orr_setting settings[] = {{"theta", ""}, {"fault", ""}};
    const struct orr_bound_at at = {
        .variant = "feng/cpu-naive", .tree = true, .theta = theta, .n = (double)bodies->n};
    snprintf(settings[0].value, sizeof settings[0].value, "%g", theta);
    snprintf(settings[1].value, sizeof settings[1].value, "%s", fault);
    orr_error_clear();
    RELEASED_BY(orr_cell_run_release)
    struct orr_cell_run run = {.referee = referee,
                               .variant = "plugins/tree_child",
                               .device = "host",
                               .bodies = bodies,
                               .sha256 = sha,
                               .setting_count = 2,
                               .targets = {.seed = random_below(1u << 30)}};
    memcpy(run.settings, settings, sizeof settings);
    assert_int_equal(orr_bound_of_variant(&run.bound, &at), 0);
    assert_int_equal(set_out(&run), 0);
    assert_int_equal(step_once(&run), 0);
    int code = orr_cell_run_verify(&run);
    assert_int_equal(orr_cell_run_close(&run, NULL), 0);
    return code;
}

static void check(double theta, size_t n, const char *fault, int expected)
{
    struct orr_bodies bodies = {0};
    char sha[65];
    make_bodies(&bodies, sha, n);
    int code = judge(&bodies, sha, theta, fault);
    if (code != expected)
        fail_msg("theta = %g, n = %zu, fault %s, seed %llu: %d %s", theta, n, fault,
                 (unsigned long long)seed, code, orr_error_text());
    orr_bodies_release(&bodies);
    orr_error_clear();
}

TEST(an_honest_tree_is_right)
{
    static const double thetas[] = {0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.2, 1.6, 2, 5, 50};
    unsetenv("ORRERY_HOME");
    for (size_t k = 0; k < sizeof thetas / sizeof *thetas; k++)
        for (size_t n = 100; n <= (thetas[k] < 0.3 ? 1000 : 10000); n *= 10)
            check(thetas[k], n, "none", 0);
    setenv("ORRERY_HOME", test_home, 1);
}

/* Larger theta leaves room for such faults: docs/decisions/0009-error-bounds.md. */
TEST(one_wrong_child_in_a_thousand)
{
    static const char *const faults[] = {"lost", "foreign", "skipped"};
    unsetenv("ORRERY_HOME");
    for (size_t n = 1000; n <= 10000; n *= 10)
        for (size_t k = 0; k < 3; k++) {
            check(0.2, n, faults[k], ORR_EWRONG);
            if (k < 2 && n > 1000)
                check(0.3, n, faults[k], ORR_EWRONG);
        }
    setenv("ORRERY_HOME", test_home, 1);
}

int main(void)
{
    use_test_plugins();
    make_test_home();
    referee = make_referee();
    int failed = run_all(NULL, NULL);
    end_referee(referee);
    remove_test_home();
    return failed;
}
