/* Tables: what they show and how each format escapes it. tests/data/ledger-fixture.jsonl holds
 * invented records. */
#include "ledger/csv.h"
#include "present/show.h"
#include "present_for_tests.h"

static const char fixture[] = "tests/data/ledger-fixture.jsonl";

static char *table(const char *experiment, const char *format, bool measured)
{
    return table_from(experiment, format, measured ? fixture : "/dev/null");
}

static void markdown_shows_published_beside_measured(void **state)
{
    (void)state;
    char *text = table("fujiwara/table2", "md", true);
    assert_non_null(line_with(text, "double-unrolling", "0.50"));
    assert_non_null(strstr(text, "fixture-gpu (Fixture CPU"));
    assert_non_null(strstr(text, "0123456789ab"));
    assert_non_null(strstr(text, "preset paper"));
    assert_non_null(strstr(text, "1. Table II's times hold one-off costs"));
    free(text);
}

static void a_wrong_cell_shows_the_word(void **state)
{
    (void)state;
    char *text = table("fujiwara/table2", "md", true);
    char *line = line_with(text, "cartwheel", "simple-unrolling");
    assert_non_null(line);
    assert_non_null(strstr(line, " wrong "));
    assert_null(strstr(line, "±"));
    assert_non_null(strstr(text, "wrong: error max 0.31"));
    free(text);
}

static void a_crash_that_was_mended_is_gone(void **state)
{
    (void)state;
    char *text = table("fujiwara/table2", "md", true);
    assert_null(strstr(text, "crashed"));
    free(text);
}

static void estimates_are_marked_in_every_format(void **state)
{
    (void)state;
    static const char *const formats[][2] = {{"md", "≈"},
                                             {"tex", "$\\approx$"},
                                             {"csv", "extrapolated"},
                                             {"json", "\"extrapolated\": \"extrapolated\""}};
    for (size_t k = 0; k < 4; k++) {
        char *text = table("fujiwara/table2", formats[k][0], true);
        assert_non_null(strstr(text, formats[k][1]));
        free(text);
    }
}

static void what_is_not_measured_is_a_dash_and_a_command(void **state)
{
    (void)state;
    char *text = table("fujiwara/table2", "md", false);
    assert_non_null(line_with(text, "cpu-only", "971"));
    assert_non_null(strstr(text, "`orrery run fujiwara/table2`"));
    free(text);
}

static void quoted_ratios_stand_beside_measured_ones(void **state)
{
    (void)state;
    char *text = table("fujiwara/table3", "md", true);
    char *line = line_with(text, "double-unrolling over simple-unrolling", "1.08");
    assert_non_null(line);
    assert_non_null(strstr(line, "1.09 [1.07, 1.10]"));
    assert_non_null(strstr(text, "1.0882"));
    assert_non_null(strstr(text, "copy error"));
    assert_non_null(strstr(text, "dividing-input"));
    free(text);
}

/* Two ways to run one program are two rows; the printed number stands beside the first alone. */
static void every_setting_has_a_row(void **state)
{
    (void)state;
    char *text = table("fujiwara/table2", "md", true), *csv = table("fujiwara/table2", "csv", true);
    assert_non_null(
        strstr(line_with(text, "| double-unrolling ", "unroll_i=4, unroll_j=4"), " 0.50 "));
    assert_non_null(
        strstr(line_with(text, "| double-unrolling ", "unroll_i=8, unroll_j=8"), " 258.5 us "));
    assert_null(strstr(line_with(text, "| double-unrolling ", "unroll_i=8, unroll_j=8"), " 0.50 "));
    assert_null(strstr(text, "newest of several"));
    assert_non_null(
        strstr(line_with(csv, "double-unrolling", "\"\"unroll_i\"\":8"), ",ok,,no,,,,"));
    free(text), free(csv);
    text = table("fujiwara/fig13", "md", true);
    assert_null(strstr(text, " setting "));
    free(text);
}

/* Times of another number of steps are not those of the paper. */
static void a_preset_with_fewer_steps_has_no_published_ratio(void **state)
{
    (void)state;
    char *text = table("fujiwara/table3", "md", true);
    char *line = line_with(text, "| cartwheel ", " 999 ");
    assert_non_null(line);
    assert_non_null(strstr(line, "— "));
    free(text);
}

static void csv_has_one_header_and_full_rows(void **state)
{
    (void)state;
    static const char *const names[] = {"table2",       "table3",    "fig13",    "fig14",
                                        "unroll-sweep", "resources", "snapshots"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char name[64];
        snprintf(name, sizeof name, "fujiwara/%s", names[k]);
        char *text = table(name, "csv", true);
        FILE *from = fmemopen(text, strlen(text), "r");
        struct orr_csv csv = {0};
        assert_int_equal(orr_csv_next(&csv, from), 1);
        size_t columns = csv.count, rows = 0;
        assert_string_equal(csv.fields[0], "machine");
        for (; orr_csv_next(&csv, from) == 1; rows++)
            assert_int_equal(csv.count, columns);
        assert_true(rows > 3);
        orr_csv_release(&csv);
        fclose(from);
        free(text);
    }
}

static void json_rows_are_typed(void **state)
{
    (void)state;
    json_t *root, *rows = rows_from(&root, "fujiwara/table2", fixture);
    assert_string_equal(text_of(root, "experiment"), "fujiwara/table2");
    json_t *good = find_row(rows, "double-unrolling", 7500, "", NULL);
    json_t *wrong = find_row(rows, "simple-unrolling", 18000, "", NULL);
    assert_true(json_is_number(json_object_get(good, "seconds")));
    assert_string_equal(text_of(good, "published_printed"), "0.009");
    assert_true(number_of(good, "speedup_over_cpu-only_low") <=
                number_of(good, "speedup_over_cpu-only"));
    assert_string_equal(text_of(wrong, "outcome"), "wrong");
    assert_true(json_is_null(json_object_get(wrong, "seconds")));
    assert_true(json_is_null(json_object_get(wrong, "gflops")));
    json_decref(root);
}

static void what_a_device_does_not_tell_is_said(void **state)
{
    (void)state;
    char *text = table("fujiwara/resources", "md", true);
    assert_non_null(strstr(text, "not reported by this device"));
    assert_non_null(line_with(text, "double-unrolling", " 34 "));
    free(text);
}

static void a_sweep_is_a_matrix(void **state)
{
    (void)state;
    char *text = table("fujiwara/unroll-sweep", "md", true);
    assert_non_null(strstr(text, "1.00×"));
    assert_non_null(strstr(text, " timed out "));
    free(text);
}

/* --- escaping --- */

static void make_awkward(struct orr_document *document)
{
    *document = (struct orr_document){0};
    orr_document_name(document, "p/e", "A & B_c 100 %");
    orr_document_fact(document, "cpu", "<fast> & \"quoted\"");
    struct orr_grid *grid = orr_document_grid(document, true, "Grid #1");
    orr_grid_column(grid, "a", "a|b", ORR_ALL, false);
    orr_grid_column(grid, "b", "b", ORR_ALL, true);
    orr_grid_row(grid);
    orr_grid_text(grid, "a", "x|y, \"z\" <i> {k} \\n $1 ~ ^ _u_ v_w");
    orr_grid_number(grid, "b", 0.1);
    orr_grid_note(grid, "b", orr_document_note(document, "note <1>"));
    assert_int_equal(orr_document_note(document, "note <1>"), 1);
    assert_int_equal(orr_document_check(document), 0);
}

static char *written(const char *format)
{
    struct orr_document document;
    char *text = NULL;
    size_t size;
    make_awkward(&document);
    FILE *to = open_memstream(&text, &size);
    if (strcmp(format, "html"))
        assert_int_equal(orr_format_find(format)->write(to, &document, 1), 0);
    else
        orr_html_document(to, &document);
    fclose(to);
    orr_document_release(&document);
    return text;
}

static void every_format_escapes(void **state)
{
    (void)state;
    char *md = written("md"), *csv = written("csv"), *tex = written("tex"), *html = written("html");
    assert_non_null(strstr(md, "x\\|y, \"z\" \\<i>"));
    assert_non_null(strstr(md, "\\_u\\_ v_w"));
    assert_non_null(strstr(md, "0.1¹"));
    assert_non_null(strstr(csv, "a,b\r\n\"x|y, \"\"z\"\" <i>"));
    assert_non_null(strstr(tex, "x$|$y"));
    assert_non_null(strstr(
        tex, "\\{k\\} \\textbackslash{}n \\$1 \\textasciitilde{} \\textasciicircum{} \\_u\\_"));
    assert_non_null(strstr(tex, "Grid \\#1"));
    assert_non_null(strstr(html, "&lt;i&gt;"));
    assert_non_null(strstr(html, "&lt;fast&gt; &amp; &quot;quoted&quot;"));
    free(md), free(csv), free(tex), free(html);
}

/* Groups, math and environments of TeX must close, and each row must have the cells of its tabular.
 */
static void tex_is_balanced(void **state)
{
    (void)state;
    char *text = table("fujiwara/table2", "tex", true);
    int depth = 0, dollars = 0, environments = 0;
    for (const char *c = text; *c; c++) {
        bool escaped = c > text && c[-1] == '\\' && !(c > text + 1 && c[-2] == '\\');
        depth += !escaped && *c == '{';
        depth -= !escaped && *c == '}';
        dollars += !escaped && *c == '$';
        assert_true(depth >= 0);
        assert_true((unsigned char)*c < 0x80);
        environments += !strncmp(c, "\\begin{", 7);
        environments -= !strncmp(c, "\\end{", 5);
    }
    assert_int_equal(depth, 0);
    assert_int_equal(dollars % 2, 0);
    assert_int_equal(environments, 0);
    free(text);
}

static void unknown_names_are_answered_with_the_nearest(void **state)
{
    (void)state;
    struct orr_selection selection;
    char none[] = "/dev/null", *from[] = {none};
    struct orr_wish wish = {.from = from, .from_count = 1};
    orr_error_clear();
    assert_int_equal(orr_selection_make(&selection, &wish, "fujiwara/tabel2"), ORR_EUSAGE);
    assert_non_null(strstr(orr_error_text(), "'fujiwara/table2'"));
    orr_error_clear();
    assert_int_equal(orr_selection_make(&selection, &wish, "table3"), ORR_EUSAGE);
    assert_non_null(strstr(orr_error_text(), "'fujiwara/table3' or 'shan/table3'"));
    orr_error_clear();
    wish.machine = "nowhere";
    assert_int_equal(orr_selection_make(&selection, &wish, "fujiwara"), ORR_EUSAGE);
    orr_error_clear();
    assert_null(orr_format_find("xml"));
}

static void numbers_look_as_they_should(void **state)
{
    (void)state;
    char text[64];
    assert_string_equal(orr_format_number(text, sizeof text, 249.4), "249");
    assert_string_equal(orr_format_number(text, sizeof text, 1.0882), "1.09");
    assert_string_equal(orr_format_number(text, sizeof text, 0.0418), "0.0418");
    assert_string_equal(orr_format_number(text, sizeof text, 0.00412), "0.00412");
    assert_string_equal(orr_format_number(text, sizeof text, NAN), "—");
    struct orr_ratio ratio = {2.5, 2.4, 2.6, true};
    assert_string_equal(orr_show_ratio(text, sizeof text, &ratio), "2.50 [2.40, 2.60] ≈");
    struct orr_published published = {.value = 0.5, .half_unit = 0.005};
    struct orr_result result = {
        .ok = true, .standard = true, .seconds = 0.1, .low = 0.1, .high = 0.1};
    ratio = orr_ratio_to_published(&published, &result);
    assert_true(fabs(ratio.low - 4.95) < 1e-12 && fabs(ratio.high - 5.05) < 1e-12);
    result.ok = false;
    ratio = orr_ratio_to_published(&published, &result);
    assert_true(isnan(ratio.value));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(markdown_shows_published_beside_measured),
        cmocka_unit_test(a_wrong_cell_shows_the_word),
        cmocka_unit_test(a_crash_that_was_mended_is_gone),
        cmocka_unit_test(estimates_are_marked_in_every_format),
        cmocka_unit_test(what_is_not_measured_is_a_dash_and_a_command),
        cmocka_unit_test(quoted_ratios_stand_beside_measured_ones),
        cmocka_unit_test(every_setting_has_a_row),
        cmocka_unit_test(a_preset_with_fewer_steps_has_no_published_ratio),
        cmocka_unit_test(csv_has_one_header_and_full_rows),
        cmocka_unit_test(json_rows_are_typed),
        cmocka_unit_test(what_a_device_does_not_tell_is_said),
        cmocka_unit_test(a_sweep_is_a_matrix),
        cmocka_unit_test(every_format_escapes),
        cmocka_unit_test(tex_is_balanced),
        cmocka_unit_test(unknown_names_are_answered_with_the_nearest),
        cmocka_unit_test(numbers_look_as_they_should),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
