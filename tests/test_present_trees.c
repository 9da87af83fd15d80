/* Tables and figures of tree codes: speedups, the phases of an iteration and what theta costs.
 * tests/data/feng-fixture.jsonl holds invented records of one machine. */
#include <unistd.h>

#include "present_for_tests.h"

static const char fixture[] = "tests/data/feng-fixture.jsonl";

/* --- tables --- */

static void speedups_stand_over_every_baseline(void **state)
{
    (void)state;
    char *text = table_from("feng/fig6", "md", fixture);
    char *grid = strstr(text, "**Speedup over CPU (cpu-naive)**");
    assert_non_null(grid);
    assert_non_null(strstr(grid, "**Speedup over cpu-tuned**"));
    const char *line = line_with(grid, "| CUDA ", "cuda:0");
    assert_non_null(line);
    assert_non_null(strstr(line, " ≈ |")); /* over an extrapolated time */
    assert_non_null(line_with(text, "| barnes-hut-modern ", " no memory |"));
    assert_non_null(
        strstr(text, "barnes-hut-modern (theta=0.9) uniform-2d N = 1000000 on cuda:0: no memory"));
    free(text);
}

static void times_are_of_one_iteration(void **state)
{
    (void)state;
    json_t *root, *rows = rows_from(&root, "feng/fig11", fixture);
    double sum = 0;
    static const char *const names[] = {"Setup",     "InsertRoot",    "BuildQuadTree",
                                        "Summarize", "ComputeForces", "Update"};
    for (size_t k = 0; k < 6; k++) {
        json_t *row = find_row(rows, "barnes-hut", 500, "\"sort\":\"off\"", names[k]);
        sum += number_of(row, "seconds");
        assert_true(number_of(row, "share") > 0 && number_of(row, "share") < 1);
    }
    close_to(number_of(find_row(rows, "barnes-hut", 500, "\"sort\":\"off\"", "ComputeForces"),
                       "seconds"),
             3e-5, 1e-4);
    /* the fixture's steps take 5 % longer than their phases */
    close_to(
        number_of(find_row(rows, "barnes-hut", 500, "\"sort\":\"off\"", "iteration"), "seconds"),
        1.05 * sum, 1e-4);
    json_decref(root);
}

static void phases_keep_the_order_of_a_step(void **state)
{
    (void)state;
    char *text = table_from("feng/fig11", "md", fixture);
    const char *last = strstr(text, "**Time of each phase");
    static const char *const names[] = {"Setup", "InsertRoot",    "BuildQuadTree", "Summarize",
                                        "Sort",  "ComputeForces", "Update",        "iteration"};
    assert_non_null(last);
    for (size_t k = 0; k < 8; k++) {
        char cell[64];
        snprintf(cell, sizeof cell, "| %s ", names[k]);
        const char *at = strstr(last, cell);
        assert_non_null(at);
        last = at;
    }
    free(text);
}

static void shares_sum_up_to_one(void **state)
{
    (void)state;
    json_t *root, *rows = rows_from(&root, "feng/fig8", fixture), *row;
    double sum[2] = {0, 0};
    size_t index;
    json_array_foreach(rows, index, row)
    {
        int n = (int)number_of(row, "n");
        if (strcmp(text_of(row, "phase"), "iteration") != 0 && (n == 500 || n == 1000000))
            sum[n == 500] += number_of(row, "share");
    }
    close_to(sum[0], 1, 1e-9);
    close_to(sum[1], 1, 1e-9);
    json_decref(root);
    char *text = table_from("feng/fig8", "md", fixture);
    assert_non_null(line_with(text, "| ComputeForces |", " % |"));
    free(text);
}

static void growth_is_over_the_smallest_size(void **state)
{
    (void)state;
    json_t *root, *rows = rows_from(&root, "feng/fig9", fixture);
    assert_true(number_of(find_row(rows, "barnes-hut", 500, "", "Setup"), "growth") == 1);
    close_to(number_of(find_row(rows, "barnes-hut", 1000000, "", "Setup"), "growth"),
             pow(2000, 0.72), 1e-4);
    json_decref(root);
    char *text = table_from("feng/fig9", "md", fixture);
    const char *line =
        line_with(text, "| published, an NVIDIA GPU that is not named | Summarize ", "~250 |");
    assert_non_null(line);
    free(text);
}

static void growth_of_several_theta_is_of_the_iteration(void **state)
{
    (void)state;
    char *text = table_from("feng/fig12", "md", fixture);
    assert_non_null(line_with(text, "| CUDA    | theta=0.3 ", "7303 ≈ |"));
    assert_non_null(line_with(text, "| CUDA    | theta=2 ", "| iteration |"));
    free(text);
}

static void one_number_of_bodies_is_shown_over_theta(void **state)
{
    (void)state;
    char *text = table_from("feng/fig13", "md", fixture);
    assert_non_null(line_with(
        text, "| program", " theta = 0.1 | theta = 0.3 | theta = 0.5 | theta = 0.9 | theta = 2 |"));
    assert_non_null(line_with(text, "| barnes-hut-modern |", "| 50000 |"));
    assert_non_null(line_with(text, "| barnes-hut-modern |", "|  5000 |"));
    free(text);
    json_t *root, *rows = rows_from(&root, "feng/fig13", fixture);
    assert_true(isnan(
        number_of(find_row(rows, "barnes-hut", 50000, "\"theta\":2", "iteration"), "growth")));
    json_decref(root);
}

static void what_a_setting_changes_stands_beside_what_is_printed(void **state)
{
    (void)state;
    char *text = table_from("feng/throttle", "md", fixture);
    const char *line = line_with(text, "throttle=none over throttle=barrier", "| BuildQuadTree |");
    assert_non_null(line);
    assert_non_null(strstr(line, "~1000¹"));
    assert_non_null(strstr(line, " 12.0 |"));
    assert_non_null(strstr(text, "1. In Burtscher & Pingali"));
    line = line_with(text, "throttle=backoff over throttle=barrier", "| BuildQuadTree |");
    assert_non_null(line);
    assert_null(strstr(line, "1000"));
    free(text);
}

/* The fixture with each cell of Figure 11 once more as one step with theta = 0.5. */
static void write_other_theta(const char *path)
{
    FILE *from = fopen(fixture, "r"), *to = fopen(path, "w");
    char *line = NULL;
    size_t room = 0;
    assert_true(from && to);
    while (getline(&line, &room, from) > 0) {
        json_t *record = json_loads(line, 0, NULL),
               *parameters = json_object_get(record, "parameters");
        fputs(line, to);
        if (!strcmp(text_of(record, "experiment"), "feng/fig11")) {
            char *copy;
            json_object_set_new(record, "id", json_sprintf("again-%s", text_of(record, "id")));
            json_object_set_new(parameters, "theta", json_real(0.5));
            json_object_set_new(parameters, "steps", json_integer(1));
            assert_non_null(copy = json_dumps(record, JSON_COMPACT));
            fprintf(to, "%s\n", copy);
            free(copy);
        }
        json_decref(record);
    }
    free(line);
    fclose(from);
    fclose(to);
}

static void a_factor_is_of_one_thing_changed(void **state)
{
    (void)state;
    char path[] = "/tmp/orrery-test-XXXXXX";
    close(mkstemp(path));
    write_other_theta(path);
    char *text = table_from("feng/fig11", "md", path);
    unlink(path);
    assert_non_null(line_with(
        text, "theta=0.9, sort=off, steps=20 over theta=0.9, sort=on, steps=20", "ComputeForces"));
    assert_non_null(line_with(text, "theta=0.5, sort=off, steps=1 over theta=0.5, sort=on, steps=1",
                              "ComputeForces"));
    assert_null(line_with(text, "steps=1 over theta=0.9", "ComputeForces"));
    free(text);
}

static void costs_are_sums_and_means(void **state)
{
    (void)state;
    json_t *root, *rows = rows_from(&root, "feng/fig15", fixture);
    static const char *const names[][2] = {{"position_sum", "position_mean"},
                                           {"speed_sum", "speed_mean"},
                                           {"velocity_sum", "velocity_mean"}};
    json_t *row = find_row(rows, "barnes-hut", 1000, "\"theta\":5,", NULL);
    for (size_t k = 0; k < 3; k++)
        close_to(number_of(row, names[k][0]), 1000 * number_of(row, names[k][1]), 1e-4);
    close_to(number_of(row, "velocity_sum"), 3 * number_of(row, "speed_sum"), 1e-4);
    json_decref(root);
}

/* --- figures --- */

/* 1 with a line of linear growth, 2 with an axis of means. */
static int kind_of(const char *variables)
{
    return strstr(variables, "linear = 1") ? 1 : strstr(variables, "mean_of = ") ? 2 : 0;
}

static void the_figures_draw_what_the_experiment_lists(void **state)
{
    (void)state;
    static const struct {
        struct drawn drawn;
        int kind;
    } figures[] = {
        {{"feng/fig6", "CUDA, cuda:0", "1000000,", 3}, 0}, /* the baseline itself is 1 */
        {{"feng/fig7", "Update", ",100.000000", 6}, 0},    /* the top of the stack */
        {{"feng/fig9", "Setup, CUDA, cuda:0", "500,1,1,1,1,\n", 8}, 1},
        {{"feng/fig9", "Setup, published", "1000000,250,245,255,250,\n", 8}, 1},
        {{"feng/fig11", "CUDA, sort=off, cuda:0", "500,0.03,", 3}, 0},
        {{"feng/fig12", "CUDA, theta=0.3, cuda:0", "1000000,7303", 4}, 1},
        {{"feng/fig13", "CUDA, N = 50000, cuda:0", "0.1,11.2,", 3}, 0},
        {{"feng/fig15", "speed, CUDA, N = 1000, cuda:0", "0.5,0.15", 4}, 2},
        {{"feng/throttle", "CUDA, throttle=backoff, cuda:0", "1000,", 3}, 0},
    };
    for (size_t k = 0; k < sizeof figures / sizeof *figures; k++) {
        char *variables = assert_drawn(&figures[k].drawn, fixture);
        assert_int_equal(kind_of(variables), figures[k].kind);
        free(variables);
    }
}

static void extrapolated_points_are_marked_apart(void **state)
{
    (void)state;
    char *variables, *points = plot_from("feng/fig6", fixture, 3, "CUDA, cuda:0", &variables);
    const char *line = line_with(points, "1000000,", ",,");
    assert_non_null(line); /* not measured, but estimated */
    assert_null(strstr(line_with(points, "100000,", ","), ",,"));
    free(points), free(variables);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(speedups_stand_over_every_baseline),
        cmocka_unit_test(times_are_of_one_iteration),
        cmocka_unit_test(phases_keep_the_order_of_a_step),
        cmocka_unit_test(shares_sum_up_to_one),
        cmocka_unit_test(growth_is_over_the_smallest_size),
        cmocka_unit_test(growth_of_several_theta_is_of_the_iteration),
        cmocka_unit_test(one_number_of_bodies_is_shown_over_theta),
        cmocka_unit_test(what_a_setting_changes_stands_beside_what_is_printed),
        cmocka_unit_test(a_factor_is_of_one_thing_changed),
        cmocka_unit_test(costs_are_sums_and_means),
        cmocka_unit_test(the_figures_draw_what_the_experiment_lists),
        cmocka_unit_test(extrapolated_points_are_marked_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
