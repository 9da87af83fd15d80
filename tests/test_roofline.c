/* SPDX-License-Identifier: MIT */
/* Rooflines and energy in tables: numbers computed again from invented records
 * (tests/data/roofline-fixture.jsonl), and what is said where something is missing. */
#include <jansson.h>

#include "folder_for_tests.h"
#include "present/layout.h"
#include "table_for_tests.h"
#include "tests/cases.h"

#define FIXTURE "tests/data/roofline-fixture.jsonl"
#define PAIRS 38244712448.0
#define N 8388608.0

/* The fixture with `from` as `to` in each line, or without the lines that have it (NULL). */
static const char *spoil(const char *from, const char *to)
{
    char source[1024], *line = NULL, *at;
    const char *path = filled("%s/spoilt.jsonl", folder);
    size_t room = 0;
    int changed = 0;
    assert_int_equal(orr_paths_home(source, sizeof source, FIXTURE), 0);
    FILE *in = fopen(source, "r"), *out = fopen(path, "w");
    assert_true(in && out);
    while (getline(&line, &room, in) > 0) {
        at = strstr(line, from);
        changed += at != NULL;
        if (!at)
            fputs(line, out);
        else if (to)
            fprintf(out, "%.*s%s%s", (int)(at - line), line, to, at + strlen(from));
    }
    free(line);
    fclose(in);
    fclose(out);
    assert_true(changed > 0);
    return path;
}

/* The roofline of a paper in one format. */
static const char *roofline(const char *paper, const char *format, const char *from)
{
    RELEASED_BY(orr_selection_release) struct orr_selection selection;
    RELEASED_BY(orr_document_release) struct orr_document document;
    select_from(&selection, paper, from);
    assert_done(orr_layout_overview(&document, NULL, &orr_layout_roofline, &selection,
                                    selection.papers[0], paper));
    return text_in(format, &document);
}

static double number_of(const json_t *row, const char *name)
{
    const json_t *value = json_object_get(row, name);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* The row of N bodies with this text in `column`. */
static const json_t *find(const json_t *root, const char *variant, const char *column,
                          const char *text)
{
    size_t k;
    json_t *row;
    json_array_foreach (json_object_get(root, "rows"), k, row) {
        if (!strcmp(text_of(row, "variant"), variant) && number_of(row, "n") == N &&
            !strcmp(text_of(row, column), text))
            return row;
    }
    fail_msg("no row of %s with %s", variant, text);
    return NULL;
}

static json_t *rows_of(const char *from)
{
    json_t *root = json_loads(roofline("shan", "json", from), 0, NULL);
    assert_non_null(root);
    return root;
}

#define NEAR(value, wanted) assert_relative(value, wanted, 1e-6)

/* Two additions, two multiplications and five multiply-adds a pair; shared memory 4 times 0.8
 * words, 0.3 bytes through L1 beside. */
TEST(counters_make_the_work)
{
    json_auto_t *root = rows_of(FIXTURE);
    const json_t *row = find(root, "bpb", "measure", "flops");
    double seconds = number_of(row, "seconds"), flops = 14 * PAIRS;
    NEAR(number_of(row, "rate"), flops / seconds);
    NEAR(number_of(row, "l1_intensity"), 14 / 3.5);
    NEAR(number_of(row, "l2_intensity"), flops / (60 * N));
    NEAR(number_of(row, "dram_intensity"), flops / (22 * N));
    NEAR(number_of(row, "peak_share"), flops / seconds / 6.4e13);
    NEAR(number_of(row, "pairs_share"), PAIRS / seconds / 3e12);
    NEAR(number_of(row, "l1_share"), 3.5 * PAIRS / seconds / 4e13);
    NEAR(number_of(row, "dram_share"), 22 * N / seconds / 4e12);
    assert_string_equal(text_of(row, "binding"), "pairs 2d");
    NEAR(number_of(row, "distance"), 3e12 * seconds / PAIRS);
    assert_string_equal(text_of(row, "source"), "cupti");
    row = find(root, "bpb", "measure", "instructions");
    NEAR(number_of(row, "rate"), PAIRS * 14 / 32 / seconds);
    NEAR(number_of(row, "peak_share"), PAIRS * 14 / 32 / seconds / 1e12);
    NEAR(number_of(row, "dram_intensity"), PAIRS * 14 / 22 / N);
    assert_string_equal(text_of(row, "binding"), "fma issued");
}

/* Counters tell every level, so that a program stands where it has them, not where it is fastest.
 */
TEST(counted_cells_come_first)
{
    const char *text = roofline("shan", "md", FIXTURE);
    assert_non_null(strstr(text, "8388608 | L1/shared: cupti"));
    assert_null(strstr(text, " 524288 | "));
    text = roofline("shan", "md",
                    spoil("\"values\":{\"fp32_add\":76489424896",
                          "\"reason\":\"none\",\"was\":{\"fp32_add\":76489424896"));
    assert_non_null(strstr(text, " 524288 | L1/shared: cupti"));
}

/* An atomic update is two words, so that shared memory binds before pairs do. */
TEST(memory_binds)
{
    json_auto_t *root = rows_of(FIXTURE);
    const json_t *row = find(root, "bpb-n3l", "measure", "flops");
    NEAR(number_of(row, "l1_intensity"), 10 / 13.3);
    assert_string_equal(text_of(row, "binding"), "L1/shared");
    NEAR(number_of(row, "binding_rate"), 10 / 13.3 * 4e13);
    row = find(root, "cpu-simd", "measure", "flops");
    NEAR(number_of(row, "dram_share"), 20 * N / number_of(row, "seconds") / 4e10);
    row = find(root, "bpt", "measure", "flops");
    assert_string_equal(text_of(row, "source"), "declared");
    assert_string_equal(text_of(row, "bytes_from"), "DRAM: declared");
}

TEST(published_devices_have_printed_roofs)
{
    json_auto_t *root = rows_of(FIXTURE);
    const json_t *row = find(root, "bpb", "device_name", "Tesla C1060");
    NEAR(number_of(row, "rate"), 14 * PAIRS / 2.4759);
    NEAR(number_of(row, "peak_share"), 14 * PAIRS / 2.4759 / 622e9);
    assert_string_equal(text_of(row, "binding"), "published peak");
    assert_string_equal(text_of(row, "source"), "published");
}

/* Cells of the largest size are extrapolated: their bytes are not known. A size at which the
 * paper's device is as fast gives the mark, one at which it is slower does not. */
TEST(published_programs_stand_where_bytes_are_known)
{
    json_t *root = rows_of("tests/data/shan-fixture.jsonl"), *row;
    size_t k, cpus = 0;
    json_array_foreach (json_object_get(root, "rows"), k, row) {
        if (strcmp(text_of(row, "device"), "Xeon E5506 2.13 GHz") != 0)
            continue;
        cpus++;
        NEAR(number_of(row, "n"), N / 2);
        assert_true(number_of(row, "dram_intensity") > 0);
    }
    assert_int_equal(cpus, 1);
    json_decref(root);
    root = rows_of("tests/data/intel-xeon-2-cores");
    const json_t *slower = find(root, "bpb", "device", "Tesla C1060");
    NEAR(number_of(slower, "rate"), 14 * PAIRS / 2.4759);
    assert_true(isnan(number_of(slower, "dram_intensity")));
    json_decref(root);
}

/* A ceiling that a cell is above bounds none of its kind. */
TEST(a_ceiling_too_low_binds_nothing)
{
    json_auto_t *root = rows_of(spoil("\"2d\":3000000000000.0", "\"2d\":1000000000000.0"));
    const json_t *row = find(root, "bpb", "measure", "flops");
    assert_string_equal(text_of(row, "binding"), "fp32 fma");
    assert_true(isnan(number_of(row, "pairs_share")));
    row = find(root, "ppt", "measure", "flops");
    assert_string_equal(text_of(row, "binding"), "fp32 fma");
}

TEST(what_is_missing_is_said)
{
    const char *text = roofline("shan", "md", spoil("\"record\":\"access_ceilings\"", NULL));
    HOLDS(text, "bandwidths of cuda:0 of fixture-roof", "counters are refused: ERR_NVGPUCTRPERM");
    text = roofline("shan", "md", spoil("\"flops_true\":535425974272", "\"flops_true\":null"));
    assert_null(strstr(text, "| bpt"));
    assert_non_null(strstr(text, "bpt on cuda:0 of fixture-roof: its flops are neither"));
    text = roofline("feng", "md", FIXTURE);
    assert_non_null(strstr(text, "no cell of feng here tells its work"));
}

/* What gnuplot gets: the panels, no more than eight programs in each, all roofs. */
TEST(the_figure_has_all_panels)
{
    RELEASED_BY(orr_selection_release) struct orr_selection selection;
    RELEASED_BY(orr_plot_release) struct orr_plot plot;
    select_from(&selection, "shan", FIXTURE);
    assert_done(orr_layout_overview(NULL, &plot, &orr_layout_roofline, &selection,
                                    selection.papers[0], "shan"));
    assert_int_equal(fflush(plot.variables), 0);
    RELEASED_BY(free_text) char *text = file_text(filled("%s/variables.gp", plot.folder));
    HOLDS(text, "panels = 4\n", "title_1 = 'Fixture GPU'\n",
          "where_1 = 'cuda:0 on fixture-roof, roofs at 1980 MHz'\n", "title_4 = 'Tesla C1060'\n",
          "'L1/shared 40.0 TB/s'\n", "'L1 2.00 TB/s'\n", "'LLC 300 GB/s'\n",
          "'Previous BPB 66 %'\n");
    orr_plot_release(&plot);
    orr_selection_release(&selection);
    select_from(&selection, "feng", FIXTURE);
    assert_fails(orr_layout_overview(NULL, &plot, &orr_layout_roofline, &selection,
                                     selection.papers[0], "feng"),
                 ORR_EUSAGE, "nothing to plot");
}

/* --- energy --- */

static const char *energy_table(const char *format, const char *from)
{
    return quantity_from("shan/table3", "energy", format, from);
}

TEST(joules_of_steps_and_digits)
{
    json_auto_t *root = json_loads(energy_table("json", FIXTURE), 0, NULL);
    assert_non_null(root);
    const json_t *row = find(root, "bpb", "joules_counter", "nvml");
    NEAR(number_of(row, "joules_step"), 10);
    NEAR(number_of(row, "joules_net_step"), 6);
    NEAR(number_of(row, "joules_net_interaction"), 6 / PAIRS);
    NEAR(number_of(row, "digits"), 5);
    NEAR(number_of(row, "joules_digit"), 2);
    NEAR(number_of(row, "joules_net_digit"), 1.2);
    NEAR(number_of(row, "joules_error"), 0.02);
    NEAR(number_of(row, "joules_net_error"), 0.02 * 10 / 6);
    /* An error of 0 is not more than single precision can show. */
    row = find(root, "bpb-n3l", "joules_counter", "nvml");
    NEAR(number_of(row, "digits"), 24 * log10(2));
    /* Judged by the terms; without an idle power, without a second measurement. */
    row = find(root, "cpu-simd", "joules_counter", "rapl");
    NEAR(number_of(row, "joules_digit"), 10);
    assert_true(isnan(number_of(row, "joules_net_step")));
    assert_true(isnan(number_of(row, "joules_error")));
}

TEST(cells_without_joules_say_why)
{
    const char *text = energy_table("md", FIXTURE);
    assert_non_null(line_with(text, "| bpt ", "the driver counts no energy"));
    assert_null(line_with(text, "| ppt ", ""));
    assert_non_null(line_with(text, "- no row: ", "not asked for (run --energy)"));
    assert_non_null(line_with(text, "| bpb ", "10.0 J ± 2.0 %"));
    assert_null(strstr(text, "± 0.0 %"));
    text = energy_table("md", spoil("\"joules_step\":10.0,", ""));
    assert_null(strstr(text, "10.0 J ±"));
    text = energy_table("tex", FIXTURE);
    assert_non_null(strstr(text, "2.00 J"));
}

RUN_TESTS(make_folder, remove_folder)
