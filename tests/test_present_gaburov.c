/* Tables and figures of gaburov: distributions and norms of errors, host and device, use of the
 * device, integrations. tests/data/gaburov-fixture.jsonl holds invented records of one machine. */
#include "present_for_tests.h"

static const char fixture[] = "tests/data/gaburov-fixture.jsonl";

/* --- tables --- */

static void distributions_are_given_by_three_norms(void **state)
{
    (void)state;
    json_t *root, *rows = rows_from(&root, "gaburov/fig3.4", fixture);
    json_t *row = find_row(rows, "octgrav", 100000, "\"theta\":0.5", NULL);
    close_to(number_of(row, "relative_half"), 1e-4, 1e-5);
    close_to(number_of(row, "relative_hundredth"), 5e-4, 1e-5);
    close_to(number_of(row, "relative_tenth"), 1e-4 * pow(5, log(5) / log(50)), 1e-5);
    close_to(number_of(row, "by_mean_half"), 4e-5, 1e-5);
    close_to(number_of(row, "by_terms_hundredth"), 2.5e-4, 1e-5);
    json_decref(root);
    char *text = table_from("gaburov/fig3.4", "md", fixture);
    assert_null(strstr(text, "| direct ")); /* not in this figure, though in its cells */
    free(text);
}

static void errors_stand_over_theta_and_n(void **state)
{
    (void)state;
    char *text = table_from("gaburov/fig3.5", "md", fixture);
    assert_non_null(line_with(text, "| Octgrav        | theta=0.5 ", "| 1.0e-04 / 5.0e-04 |"));
    assert_non_null(strstr(text, "by the mean acceleration of all bodies"));
    assert_non_null(line_with(text, "| exponent of theta ", "|      4¹ |"));
    assert_non_null(strstr(text, "1. The text and the caption call it the first percentile"));
    assert_non_null(line_with(text, "| Octgrav        | theta=0.5 ", " wrong |"));
    free(text);
    json_t *root, *rows = rows_from(&root, "gaburov/fig3.5", fixture);
    json_t *row = find_row(rows, "octgrav-modern", 30000, "\"theta\":0.6999", NULL);
    close_to(number_of(row, "error_p99"), 5 * number_of(row, "error_median"), 1e-4);
    close_to(number_of(row, "by_mean_median"), 0.4 * number_of(row, "error_median"), 1e-4);
    json_decref(root);
}

static void time_divides_into_host_and_device(void **state)
{
    (void)state;
    json_t *root, *rows = rows_from(&root, "gaburov/fig3.7", fixture);
    json_t *row = find_row(rows, "octgrav", 1000000, "\"theta\":0.5", NULL);
    double host = 2e-8 * 1e6 * log(1e6);
    close_to(number_of(row, "host_seconds"), host, 1e-4);
    close_to(number_of(row, "device_seconds"), 0.01, 1e-4);
    close_to(number_of(row, "build"), 0.5 * host, 1e-4);
    close_to(number_of(row, "device walk 2"), 0.002, 1e-4);
    row = find_row(rows, "octgrav-modern", 1000000, "\"theta\":0.5", NULL);
    assert_true(isnan(number_of(row, "host_seconds")));
    close_to(number_of(row, "device_seconds"), 0.004, 1e-4);
    json_decref(root);
    char *text = table_from("gaburov/fig3.7", "md", fixture);
    assert_non_null(line_with(text, "| Octgrav          | theta=0.5 | cuda:0 | host: build ",
                              "|    138.2 ms |"));
    assert_non_null(line_with(text, "| Octgrav          | theta=0.5 | cuda:0 | device's share ",
                              "|       3.5 % |"));
    assert_non_null(line_with(text, "| octgrav-modern | theta=0.5 | cuda:0 ", "|     130.9 ≈ |"));
    assert_null(strstr(text, "in no time above"));
    free(text);
    text = table_from("gaburov/headline", "md", fixture);
    assert_non_null(
        line_with(text, "host_threads=0 (all cores)", "| host             |    46.05 ms |"));
    assert_non_null(line_with(text, "| published, GeForce 8800 Ultra ", "|          ~1 |"));
    assert_non_null(line_with(text, "| ratio over cpu-tree-simd ", "~10 |"));
    free(text);
}

static void an_integration_is_divided_by_its_evaluations(void **state)
{
    (void)state;
    json_t *root, *rows = rows_from(&root, "gaburov/merger", fixture);
    json_t *row = find_row(rows, "octgrav", 800000, "", NULL);
    close_to(number_of(row, "bodies_per_second"), 800000 / number_of(row, "iteration_seconds"),
             1e-4);
    assert_true(number_of(row, "energy_drift") == 1.5e-5);
    json_decref(root);
    char *text = table_from("gaburov/merger", "md", fixture);
    assert_non_null(line_with(text, "| bodies per second ", "1.6e6 1/s¹ |"));
    free(text);
}

static void the_use_of_the_device_follows_from_figures_and_phases(void **state)
{
    (void)state;
    json_t *root, *rows = rows_from(&root, "gaburov/fig3.8", fixture);
    json_t *row = find_row(rows, "octgrav", 100000, "\"theta\":0.2999", NULL);
    double evaluation = 1e-8 / 300, nodes = 70 / (0.4 * evaluation),
           leaves = 38 * 4 / 3.0 / (0.15 * evaluation);
    close_to(number_of(row, "node_gflops"), nodes / 1e9, 1e-4);
    close_to(number_of(row, "leaf_gflops"), leaves / 1e9, 1e-4);
    close_to(number_of(row, "gflops"), (0.4 * nodes + 0.15 * leaves) / 0.55 / 1e9, 1e-4);
    close_to(number_of(row, "peak_share"), number_of(row, "gflops") * 1e9 / 6e13, 1e-4);
    close_to(number_of(row, "node_interactions_per_second"), nodes / 70, 1e-4);
    close_to(number_of(row, "walk_1_bytes_per_second"), 2e11, 1e-4);
    close_to(number_of(row, "walk_2_bytes_per_second"), 1.5e11, 1e-4);
    assert_true(number_of(row, "bodies_per_group") == 18 &&
                number_of(row, "active_threads") == 0.28125);
    row = find_row(rows, "octgrav-modern", 100000, "\"theta\":0.2999", NULL);
    assert_true(isnan(number_of(row, "node_gflops"))); /* one walk evaluates both */
    close_to(number_of(row, "gflops"), (0.4 * nodes + 0.15 * leaves) / (0.4 * 0.7) / 1e9, 1e-4);
    json_decref(root);
    char *text = table_from("gaburov/fig3.8", "md", fixture);
    assert_non_null(line_with(text, "| peak share ", "~30 %¹ |"));
    assert_non_null(strstr(text, "1. 100 of 384 Gflop/s are 26 %"));
    free(text);
}

/* --- figures --- */

/* Panels, and the series of a label in the first panel that has it. */
static void the_figures_draw_what_the_paper_draws(void **state)
{
    (void)state;
    static const struct {
        struct drawn drawn;
        int panels;
    } figures[] = {
        {{"gaburov/fig3.4", "theta = 0.5", ",0.5,,,,\n", 18},
         3}, /* three lines of the paper's in each panel */
        {{"gaburov/fig3.5", "N = 30000", "0.3,", 27}, 9},
        {{"gaburov/fig3.5", "theta to the power of 4", "0.7,", 27}, 9},
        {{"gaburov/fig3.6", "host, Octgrav", "0.3,0.00618", 15}, 3},
        {{"gaburov/fig3.7", "theta = 0.5, Octgrav", "1000000,0.01,", 22}, 3},
        {{"gaburov/fig3.7", "N log N", "30000,0.00618", 22}, 3},
        {{"gaburov/fig3.8", "walk 1", "0.5,200,200,200,200,\n", 15}, 9},
        {{"gaburov/nleaf8", "nleaf = 8", "1000000,0.000282", 12}, 6},
        {{"gaburov/merger", "Octgrav, published, NVIDIA GT200",
          "800000,1600000,1550000,1650000,1600000,\n", 3},
         0},
        {{"gaburov/headline", "octgrav-modern, cuda:0", "1000000,2857.14", 4}, 0},
    };
    for (size_t k = 0; k < sizeof figures / sizeof *figures; k++) {
        char *variables = assert_drawn(&figures[k].drawn, fixture), panels[32];
        snprintf(panels, sizeof panels, "\npanels = %d\n", figures[k].panels);
        if (figures[k].panels && !strstr(variables, panels))
            fail_msg("%s has not %d panels", figures[k].drawn.experiment, figures[k].panels);
        free(variables);
    }
}

/* The direct sum is extrapolated at a million, and so is the speedup over it. */
static void extrapolated_speedups_are_marked(void **state)
{
    (void)state;
    struct orr_selection selection;
    struct orr_scopes scopes;
    struct orr_plot plot;
    open_scope(&selection, &scopes, "gaburov/fig3.7", fixture);
    assert_int_equal(orr_layout_plot(&plot, &scopes.items[0]), 0);
    char *points = plot_file(&plot, "series-22.csv"); /* the last of the third panel */
    assert_non_null(line_with(points, "1000000,255.39", ",,255.39"));
    assert_null(strstr(line_with(points, "100000,23.53", ","), ",,"));
    free(points);
    orr_plot_release(&plot);
    close_scope(&selection, &scopes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distributions_are_given_by_three_norms),
        cmocka_unit_test(errors_stand_over_theta_and_n),
        cmocka_unit_test(time_divides_into_host_and_device),
        cmocka_unit_test(an_integration_is_divided_by_its_evaluations),
        cmocka_unit_test(the_use_of_the_device_follows_from_figures_and_phases),
        cmocka_unit_test(the_figures_draw_what_the_paper_draws),
        cmocka_unit_test(extrapolated_speedups_are_marked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
