/* Tables and figures of boxed data sets: what belongs to the input, what to the line.
 * tests/data/shan-fixture.jsonl holds invented records of one machine; beside the published level
 * there are a few cells of levels 3 and 6. */
#include <unistd.h>

#include "format_value.h"
#include "present_for_tests.h"
#include "random_for_tests.h"

static const char fixture[] = "tests/data/shan-fixture.jsonl";

static char *table(const char *experiment, const char *format)
{
    return table_from(experiment, format, fixture);
}

/* The part of a markdown table from a grid's title to its end. Free it. */
static char *grid_of(const char *text, const char *title)
{
    const char *at = strstr(text, title);
    assert_non_null(at);
    const char *head = strstr(at, "\n\n"), *end = strstr(head + 2, "\n\n");
    return strndup(at, end ? (size_t)(end - at) : strlen(at));
}

/* The row of a variant at a level and P whose parameters hold `setting`. */
static json_t *row_of_boxes(json_t *rows, const char *variant, int level, int per_box,
                            const char *setting)
{
    size_t index;
    json_t *row;
    json_array_foreach(rows, index, row)
    {
        if (!strcmp(text_of(row, "variant"), variant) && number_of(row, "level") == level &&
            number_of(row, "per_box") == per_box && strstr(text_of(row, "parameters"), setting))
            return row;
    }
    return NULL;
}

/* --- inputs --- */

static void inputs_are_named_by_the_bodies_in_a_box(void **state)
{
    (void)state;
    char *text = table("shan/table3", "md");
    char *head = line_with(text, "| program", "| setting");
    assert_non_null(head);
    const char *last = head;
    static const char *const names[] = {
        " P = 8 ",   " P = 16 ",  " P = 32 ",         " P = 64 ",          " P = 128 ",
        " P = 256 ", " P = 512 ", " P = 8, level 3 ", " P = 32, level 3 ", " P = 32, level 6 "};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const char *at = strstr(head, names[k]);
        assert_non_null(at);
        assert_true(at >= last);
        last = at;
    }
    assert_non_null(strstr(text, "- boxes: P bodies in each of 16384 boxes (level 7)"));
    free(text);
}

static void programs_read_level_and_bodies_in_a_box(void **state)
{
    (void)state;
    json_t *root, *rows = rows_from(&root, "shan/table3", fixture),
                  *row = row_of_boxes(rows, "bpb", 7, 64, "\"block\":0");
    assert_non_null(row);
    assert_true(number_of(row, "n") == 64 * 16384);
    assert_true(number_of(row, "kernel_seconds") < number_of(row, "seconds"));
    assert_true(number_of(row, "end_to_end_seconds") > number_of(row, "seconds"));
    assert_true(number_of(row, "stage_sort_seconds") > 0);
    assert_string_equal(text_of(row, "extrapolated"), "no");
    json_decref(root);
    char *csv = table("shan/table3", "csv");
    assert_non_null(line_with(csv, ",level,per_box,", ",kernel_seconds,end_to_end_seconds,"));
    free(csv);
}

/* --- settings --- */

static void every_setting_has_a_line(void **state)
{
    (void)state;
    char *text = table("shan/table3", "md"), *grid = grid_of(text, "**Time of a step");
    assert_non_null(line_with(grid, "| Previous BPB | block=512 ", "| cuda:0 "));
    assert_non_null(line_with(grid, "| Previous BPB | block=0 (fitted) ", "| cuda:0 "));
    assert_non_null(
        line_with(grid, "| Improved BPB | atomic=cas, order=same, block=512 ", "| cuda:0 "));
    assert_null(strstr(grid, "level="));
    assert_null(strstr(grid, "group="));
    free(grid), free(text);
    text = table("shan/atomics", "md"), grid = grid_of(text, "**Time of a step");
    static const char *const atomics[] = {"cas", "native", "fixed"}, *const orders[] = {
                                                                         "same", "staggered"};
    for (size_t k = 0; k < 6; k++) {
        char setting[96];
        snprintf(setting, sizeof setting, "atomic=%s, order=%s, block=0 (fitted)", atomics[k / 2],
                 orders[k % 2]);
        assert_non_null(line_with(grid, setting, "| Improved BPB "));
    }
    free(grid), free(text);
}

static void published_numbers_stand_beside_the_papers_setting(void **state)
{
    (void)state;
    json_t *root, *rows = rows_from(&root, "shan/table3", fixture);
    json_t *faithful = row_of_boxes(rows, "bpb", 7, 8, "\"block\":512"),
           *other = row_of_boxes(rows, "bpb", 7, 8, "\"block\":0");
    assert_string_equal(text_of(faithful, "published_printed"), "79.506");
    assert_string_equal(text_of(faithful, "published_unit"), "ms");
    assert_true(fabs(number_of(faithful, "published") - 0.079506) < 1e-12);
    assert_true(fabs(number_of(faithful, "published_half_unit") - 0.5e-6) < 1e-15);
    assert_true(json_is_null(json_object_get(other, "published_printed")));
    json_decref(root);
    char *text = table("shan/table3", "md"), *grid = grid_of(text, "**Time of a step");
    char *line = line_with(grid, "| Improved BPB ", "| published, Tesla C1060 ");
    assert_non_null(line);
    assert_non_null(strstr(line, " 1774.183 |"));
    free(grid), free(text);
}

/* 32 bodies in each box of level 6 are as many as 8 in each of level 7, and another work. */
static void another_level_has_no_published_number(void **state)
{
    (void)state;
    json_t *root, *rows = rows_from(&root, "shan/table3", fixture);
    json_t *published = row_of_boxes(rows, "bpb", 7, 8, "\"block\":512"),
           *same = row_of_boxes(rows, "bpb", 6, 32, "");
    assert_true(number_of(published, "n") == number_of(same, "n"));
    assert_true(json_is_null(json_object_get(same, "published_printed")));
    assert_true(json_is_null(json_object_get(same, "speedup_over_serial")));
    json_decref(root);
}

/* --- quantities --- */

static void kernels_end_to_end_and_stages_stand_apart(void **state)
{
    (void)state;
    char *text = table("shan/table3", "md"), *kernels = grid_of(text, "**The kernels alone");
    char *all = grid_of(text, "**End to end"), *stages = grid_of(text, "**encode + sort + lists");
    assert_non_null(line_with(kernels, "| bpb-n3l-free ", "| cuda:0 "));
    assert_null(strstr(kernels, "published"));
    assert_non_null(line_with(all, "| bpb-n3l-free ", "| cuda:0 "));
    assert_non_null(line_with(stages, "| Previous BPB | block=512", "0.393 + 1.44 + 0.393"));
    free(kernels), free(all), free(stages), free(text);
}

static void speedups_compare_like_with_like(void **state)
{
    (void)state;
    json_t *root, *rows = rows_from(&root, "shan/table3", fixture);
    for (int block = 0; block <= 512; block += 512) {
        char setting[32];
        snprintf(setting, sizeof setting, "\"block\":%d", block);
        json_t *one = row_of_boxes(rows, "bpb-n3l", 7, 128, setting),
               *other = row_of_boxes(rows, "bpb", 7, 128, setting);
        double expected = number_of(other, "seconds") / number_of(one, "seconds");
        assert_true(fabs(number_of(one, "speedup_over_bpb") / expected - 1) < 1e-9);
        assert_true(number_of(one, "speedup_over_bpb_low") <= expected * (1 + 1e-9));
        assert_true(number_of(one, "speedup_over_bpb_high") >= expected * (1 - 1e-9));
    }
    /* No setting in common: the fastest way to run it. */
    json_t *free_one = row_of_boxes(rows, "bpb-n3l-free", 7, 128, ""),
           *best = row_of_boxes(rows, "bpb", 7, 128, "\"block\":0");
    assert_true(fabs(number_of(free_one, "speedup_over_bpb") * number_of(free_one, "seconds") /
                         number_of(best, "seconds") -
                     1) < 1e-9);
    json_decref(root);
}

static void published_speedups_are_printed_or_quotients(void **state)
{
    (void)state;
    char *text = table("shan/table3", "md"), *serial = grid_of(text, "**Speedup over CPU (serial)");
    char *bpb = grid_of(text, "**Speedup over Previous BPB (bpb)");
    assert_non_null(
        strstr(line_with(serial, "| Previous BPB ", "published, Tesla C1060"), " 234.08 |"));
    assert_non_null(
        strstr(line_with(bpb, "| Improved BPB ", "published, Tesla C1060"), " 1.396 |"));
    free(serial), free(bpb), free(text);
}

static void estimates_are_marked_wherever_they_appear(void **state)
{
    (void)state;
    char *text = table("shan/table3", "md"), *csv = table("shan/table3", "csv"),
         *tex = table("shan/table3", "tex");
    char *times = grid_of(text, "**Time of a step"),
         *serial = grid_of(text, "**Speedup over CPU (serial)");
    assert_non_null(line_with(times, "| CPU ", " ≈ |"));
    assert_non_null(line_with(serial, "| bpb-n3l-free ", " ≈ |"));
    assert_non_null(strstr(text, "≈ extrapolated by the number of interactions"));
    assert_non_null(line_with(csv, ",serial,", ",extrapolated,"));
    assert_non_null(strstr(tex, " $\\approx$}"));
    free(times), free(serial), free(text), free(csv), free(tex);
}

static void what_went_wrong_is_a_word_and_a_line(void **state)
{
    (void)state;
    char *text = table("shan/table3", "md"), *times = grid_of(text, "**Time of a step");
    char *kernels = grid_of(text, "**The kernels alone");
    assert_non_null(line_with(times, "| Previous BPB | block=512", " wrong |"));
    assert_null(strstr(kernels, "wrong"));
    assert_non_null(
        strstr(text, "- bpb (block=512) uniform-boxes P = 16 on cuda:0: wrong: error max"));
    assert_non_null(strstr(
        text,
        "- bpb-n3l-free uniform-boxes P = 32, level 3 on cuda:0: crashed: killed by SIGSEGV"));
    free(kernels), free(times), free(text);
}

/* --- the figure --- */

static void the_figure_is_over_P_at_the_published_level(void **state)
{
    (void)state;
    struct orr_selection selection;
    struct orr_scopes scopes;
    struct orr_plot plot;
    open_scope(&selection, &scopes, "shan/table3", fixture);
    assert_int_equal(orr_layout_plot(&plot, &scopes.items[0]), 0);
    char *variables = plot_file(&plot, "variables.gp");
    assert_non_null(strstr(variables, "x_label = 'P (particles in each of 16384 boxes)'"));
    assert_non_null(strstr(variables, "y_label = 'time [ms]'"));
    assert_non_null(strstr(variables, "estimates = 1"));
    assert_true(series_with(variables, "Previous BPB, block=0 (fitted), cuda:0"));
    assert_true(series_with(variables, "Improved BPB, block=512, cuda:0"));
    char *serial = points_of(&plot, variables, "CPU, host");
    assert_non_null(line_with(serial, "512,", ",,")); /* not measured, but estimated */
    assert_null(line_with(serial, "8,0.06", ""));     /* of level 3 */
    char *published = points_of(&plot, variables, "Improved BPB, published, Tesla C1060");
    assert_non_null(line_with(published, "512,1774.183,1774.1825,1774.1835,", ""));
    free(published), free(serial), free(variables);
    orr_plot_release(&plot);
    close_scope(&selection, &scopes);
}

/* --- any set of cells --- */

enum { MOST_P = 6, MOST_SETTINGS = 8 };

/* What one invented journal holds: times of some settings at some P, NAN where a cell is missing.
 */
struct invented {
    int per_box[MOST_P], blocks[MOST_SETTINGS];
    size_t per_box_count, block_count;
    double seconds[MOST_SETTINGS][MOST_P];
};

/* Distinct numbers from 1, rising. */
static size_t draw_rising(int *out, size_t most)
{
    size_t count = 1 + (size_t)random_below((long long)most);
    for (size_t k = 0; k < count; k++)
        out[k] = (k ? out[k - 1] : 0) + 1 + (int)random_below(40);
    return count;
}

static void invent(struct invented *out)
{
    out->per_box_count = draw_rising(out->per_box, MOST_P);
    out->block_count = draw_rising(out->blocks, MOST_SETTINGS);
    for (size_t s = 0; s < out->block_count; s++)
        for (size_t p = 0; p < out->per_box_count; p++)
            out->seconds[s][p] =
                !s || !p || random_below(4) ? (double)(1 + random_below(100000)) * 1e-6 : NAN;
}

/* As a journal whose cells stand in no order. */
static void write_journal(FILE *to, const struct invented *all)
{
    fprintf(to, "{\"record\":\"run\",\"schema\":1,\"run\":\"r\",\"started\":\"2026-01-01T00:00:"
                "00Z\",\"machine\":"
                "{\"name\":\"invented\"}}\n");
    size_t cells = all->block_count * all->per_box_count,
           step = 7919; /* a prime: visits each cell once */
    for (size_t k = 0; k < cells; k++) {
        size_t at = k * step % cells, s = at / all->per_box_count, p = at % all->per_box_count;
        if (isnan(all->seconds[s][p]))
            continue;
        fprintf(
            to,
            "{\"record\":\"cell\",\"id\":\"%zu\",\"experiment\":\"shan/"
            "atomics\",\"variant\":\"shan/bpb\",\"device\":"
            "\"host\",\"dataset\":{\"name\":\"uniform-boxes\",\"n\":%d,\"seed\":1,\"per_box\":%d},"
            "\"parameters\":"
            "{\"level\":2,\"block\":%d,\"eps\":0.5},\"outcome\":\"ok\",\"reason\":\"\",\"started\":"
            "\"2026-01-01T00:00:01Z\",\"seconds\":%.17g,\"interactions\":1}\n",
            at, 16 * all->per_box[p], all->per_box[p], all->blocks[s], all->seconds[s][p]);
    }
}

static void check_line(const char *grid, const struct invented *all, size_t s)
{
    char setting[64], line[4096], *rest = line, text[64];
    snprintf(setting, sizeof setting, "| block=%d ", all->blocks[s]);
    const char *found = line_with(grid, "| Previous BPB ", setting);
    assert_non_null(found);
    snprintf(line, sizeof line, "%s", found);
    for (int k = 0; k < 4; k++)
        strsep(&rest, "|"); /* "", program, setting, device */
    for (size_t p = 0; p < all->per_box_count; p++) {
        const double seconds = all->seconds[s][p];
        const char *cell = strsep(&rest, "|");
        assert_non_null(
            strstr(cell, isnan(seconds) ? "—" : orr_format_seconds(text, sizeof text, seconds)));
    }
}

static void any_cells_make_one_line_a_setting(void **state)
{
    (void)state;
    print_seed();
    for (int round = 0; round < 20; round++) {
        char path[] = "/tmp/orrery-test-XXXXXX.jsonl";
        struct invented all;
        FILE *to = fdopen(mkstemps(path, 6), "w");
        assert_non_null(to);
        invent(&all);
        write_journal(to, &all);
        fclose(to);
        char *text = table_from("shan/atomics", "md", path),
             *grid = grid_of(text, "**Time of a step");
        unlink(path);
        size_t lines = 0;
        for (const char *at = grid; (at = strstr(at, "| Previous BPB ")); at++)
            lines++;
        assert_int_equal(lines, all.block_count);
        for (size_t s = 0; s < all.block_count; s++)
            check_line(grid, &all, s);
        free(grid), free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs_are_named_by_the_bodies_in_a_box),
        cmocka_unit_test(programs_read_level_and_bodies_in_a_box),
        cmocka_unit_test(every_setting_has_a_line),
        cmocka_unit_test(published_numbers_stand_beside_the_papers_setting),
        cmocka_unit_test(another_level_has_no_published_number),
        cmocka_unit_test(kernels_end_to_end_and_stages_stand_apart),
        cmocka_unit_test(speedups_compare_like_with_like),
        cmocka_unit_test(published_speedups_are_printed_or_quotients),
        cmocka_unit_test(estimates_are_marked_wherever_they_appear),
        cmocka_unit_test(what_went_wrong_is_a_word_and_a_line),
        cmocka_unit_test(the_figure_is_over_P_at_the_published_level),
        cmocka_unit_test(any_cells_make_one_line_a_setting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
