/* Tables: numbers computed again from the records they come from, formats, names. What tables of
 * the fixtures look like is pinned in tests/golden. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "format_value.h"
#include "ledger/csv.h"
#include "present/column_format.h"
#include "present/plot.h"
#include "random_for_tests.h"
#include "table_for_tests.h"

#define OF(paper) "tests/data/" paper "-fixture.jsonl"

static char *table(const char *experiment, const char *format)
{
    return table_from(experiment, format, OF("ledger"));
}

/* The rows of a table of the journal `from`; decref the root. */
static json_t *rows_from(json_t **root, const char *experiment, const char *from)
{
    char *text = table_from(experiment, "json", from);
    *root = json_loads(text, 0, NULL);
    assert_non_null(*root);
    free(text);
    return json_object_get(*root, "rows");
}

static double number_of(const json_t *row, const char *name)
{
    const json_t *value = json_object_get(row, name);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static const char *text_of(const json_t *row, const char *name)
{
    const char *text = json_string_value(json_object_get(row, name));
    return text ? text : "";
}

/* Of a row, as compact JSON; until the next call. */
static const char *parameters_of(const json_t *row)
{
    static char text[1024];
    size_t size = json_dumpb(json_object_get(row, "parameters"), text, sizeof text - 1,
                             JSON_COMPACT | JSON_ENCODE_ANY);
    text[size < sizeof text ? size : 0] = '\0';
    return text;
}

/* The row of a phase (NULL: of a cell) whose parameters hold `setting`. */
static json_t *find_row(json_t *rows, const char *variant, int n, const char *setting,
                        const char *phase)
{
    size_t index;
    json_t *row;
    json_array_foreach(rows, index, row)
    {
        if (!strcmp(text_of(row, "variant"), variant) && number_of(row, "n") == n &&
            strstr(parameters_of(row), setting) &&
            (!phase || !strcmp(text_of(row, "phase"), phase)))
            return row;
    }
    fail_msg("no row of %s, N = %d, %s, %s", variant, n, setting, phase ? phase : "");
    return NULL;
}

static void close_to(double value, double expected, double relative)
{
    if (!(fabs(value - expected) <= relative * fabs(expected)))
        fail_msg("%g is not %g", value, expected);
}

/* --- what intervals are called --- */

static void assert_shown(const struct orr_ledger *ledger, const char *call, const char *text)
{
    char sql[256];
    sqlite3_stmt *row;
    snprintf(sql, sizeof sql, "SELECT %s", call);
    assert_int_equal(orr_ledger_query(&row, ledger, sql, ""), 0);
    assert_int_equal(orr_ledger_next(row, ledger), 1);
    assert_string_equal(orr_ledger_text(row, 0), text);
    sqlite3_finalize(row);
}

/* Fewer than three processes are marked; a single sample has no ±; the further end counts. */
static void intervals_say_what_they_hold(void **state)
{
    (void)state;
    struct orr_ledger ledger = {0};
    assert_int_equal(orr_ledger_open(&ledger), 0);
    assert_int_equal(orr_column_format_offer(&ledger), 0);
    assert_shown(&ledger, "time_text('ok', 2, 0, 1.99, 2.06, 20, 3, 0)", "2.000 s ± 3.0 %");
    assert_shown(&ledger, "time_text('ok', 2, 0, 1.7, 2.06, 20, 2, 0)", "2.000 s ± 15 %†");
    assert_shown(&ledger, "time_text('ok', 2, 0, 1.99, 2.06, 20, NULL, 0)", "2.000 s ± 3.0 %†");
    assert_shown(&ledger, "time_text('ok', 2, 0, 1.99, 2.06, 20, 5, 1)", "2.000 s ± 3.0 %‡");
    assert_shown(&ledger, "time_text('ok', 2, 0, 2, 2, 1, 1, 0)", "2.000 s (1 sample)");
    assert_shown(&ledger, "time_text('ok', 2, 1, 2, 2, 0, 1, 0)", "2.000 s ≈");
    assert_shown(&ledger, "ratio_text(2, 1.9, 2.1, 0, 1)", "2.00 [1.90, 2.10]†");
    assert_shown(&ledger, "ratio_text(2, 1.9, 2.1, 0, 3)", "2.00 [1.90, 2.10]");
    assert_shown(&ledger, "ratio_text(2, NULL, NULL, 0, 1)", "2.00");
    orr_ledger_close(&ledger);
}

/* A mark is explained once, and only where it stands. */
static void marks_are_explained(void **state)
{
    (void)state;
    struct orr_document document = {0};
    struct orr_grid *grid = orr_document_grid(&document, true, "times");
    orr_grid_column(grid, "time", "time", ORR_ALL, true);
    orr_grid_row(grid);
    orr_grid_put(grid, 0, (struct orr_value){.text = strdup("1 s ± 1.0 %")});
    assert_int_equal(document.remark_count, 0);
    for (int k = 0; k < 2; k++) {
        orr_grid_row(grid);
        orr_grid_put(grid, 0, (struct orr_value){.text = strdup("1 s ± 1.0 %†")});
    }
    assert_int_equal(document.remark_count, 1);
    assert_non_null(strstr(document.remarks[0], "within one run"));
    orr_document_release(&document);
}

/* --- numbers computed again --- */

/* Half a unit in the last printed digit and the interval of the median, where there is one, are
 * taken together; what did not end well has no ratio. */
static void ratios_to_printed_times_hold_both_errors(void **state)
{
    (void)state;
    json_t *root, *rows = rows_from(&root, "fujiwara/table2", OF("ledger")), *row;
    size_t index, count = 0;
    json_array_foreach(rows, index, row)
    {
        double printed = number_of(row, "published"), half = number_of(row, "published_half_unit"),
               seconds = number_of(row, "seconds"), low = number_of(row, "seconds_low"),
               high = number_of(row, "seconds_high"),
               ratio = number_of(row, "published_over_measured");
        if (strcmp(text_of(row, "outcome"), "ok") != 0)
            assert_true(isnan(ratio));
        if (isnan(ratio))
            continue;
        close_to(ratio, printed / seconds, 1e-9);
        close_to(number_of(row, "ratio_low"), (printed - half) / (isnan(high) ? seconds : high),
                 1e-9);
        close_to(number_of(row, "ratio_high"), (printed + half) / (isnan(low) ? seconds : low),
                 1e-9);
        count++;
    }
    assert_true(count > 10);
    json_decref(root);
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
            number_of(row, "per_box") == per_box && strstr(parameters_of(row), setting))
            return row;
    }
    return NULL;
}

static void speedups_compare_like_with_like(void **state)
{
    (void)state;
    json_t *root, *rows = rows_from(&root, "shan/table3", OF("shan"));
    for (int block = 0; block <= 512; block += 512) {
        char setting[32];
        snprintf(setting, sizeof setting, "\"block\":%d", block);
        json_t *one = row_of_boxes(rows, "bpb-n3l", 7, 128, setting),
               *other = row_of_boxes(rows, "bpb", 7, 128, setting);
        double expected = number_of(other, "seconds") / number_of(one, "seconds");
        close_to(number_of(one, "speedup_over_bpb"), expected, 1e-9);
        assert_true(number_of(one, "speedup_over_bpb_low") <= expected * (1 + 1e-9));
        assert_true(number_of(one, "speedup_over_bpb_high") >= expected * (1 - 1e-9));
    }
    /* No setting in common: the fastest way to run it. */
    json_t *free_one = row_of_boxes(rows, "bpb-n3l-free", 7, 128, ""),
           *best = row_of_boxes(rows, "bpb", 7, 128, "\"block\":0");
    close_to(number_of(free_one, "speedup_over_bpb"),
             number_of(best, "seconds") / number_of(free_one, "seconds"), 1e-9);
    json_decref(root);
}

static void shares_sum_up_to_one(void **state)
{
    (void)state;
    json_t *root, *rows = rows_from(&root, "feng/fig8", OF("feng")), *row;
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
}

static void growth_is_over_the_smallest_size(void **state)
{
    (void)state;
    json_t *root, *rows = rows_from(&root, "feng/fig9", OF("feng"));
    const json_t *first = find_row(rows, "barnes-hut", 500, "", "Setup"),
                 *last = find_row(rows, "barnes-hut", 1000000, "", "Setup");
    assert_true(number_of(first, "growth") == 1);
    close_to(number_of(last, "growth"), number_of(last, "seconds") / number_of(first, "seconds"),
             1e-9);
    json_decref(root);
}

static void distributions_are_given_by_three_norms(void **state)
{
    (void)state;
    json_t *root, *rows = rows_from(&root, "gaburov/fig3.4", OF("gaburov"));
    json_t *row = find_row(rows, "octgrav", 100000, "\"theta\":0.5", NULL);
    close_to(number_of(row, "relative_half"), 1e-4, 1e-5);
    close_to(number_of(row, "relative_hundredth"), 5e-4, 1e-5);
    close_to(number_of(row, "relative_tenth"), 1e-4 * pow(5, log(5) / log(50)), 1e-5);
    close_to(number_of(row, "by_mean_half"), 4e-5, 1e-5);
    close_to(number_of(row, "by_terms_hundredth"), 2.5e-4, 1e-5);
    json_decref(root);
}

static void the_use_of_the_device_follows_from_figures_and_phases(void **state)
{
    (void)state;
    json_t *root, *rows = rows_from(&root, "gaburov/fig3.8", OF("gaburov"));
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
}

/* --- journals made here --- */

/* The fixture with each cell of Figure 11 once more as one step with theta = 0.5. */
static void write_other_theta(const char *path)
{
    FILE *from = fopen(OF("feng"), "r"), *to = fopen(path, "w");
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

/* The part of a markdown table from a grid's title to its end. Free it. */
static char *grid_of(const char *text, const char *title)
{
    const char *at = strstr(text, title);
    assert_non_null(at);
    const char *head = strstr(at, "\n\n"), *end = strstr(head + 2, "\n\n");
    return strndup(at, end ? (size_t)(end - at) : strlen(at));
}

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
            "\"2026-01-01T00:00:01Z\",\"seconds\":%.17g,\"interactions\":1,\"samples\":{\"step_s\":"
            "[%.17g]}}\n",
            at, 16 * all->per_box[p], all->per_box[p], all->blocks[s], all->seconds[s][p],
            all->seconds[s][p]);
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
        const char *cell = strsep(&rest, "|");
        if (!isnan(all->seconds[s][p]))
            orr_format_seconds(text, sizeof text, all->seconds[s][p]);
        assert_non_null(strstr(cell, isnan(all->seconds[s][p]) ? "—" : text));
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

/* --- formats --- */

static void what_is_not_measured_is_a_dash_and_a_command(void **state)
{
    (void)state;
    char *text = table_from("fujiwara/table2", "md", "/dev/null");
    assert_non_null(line_with(text, "cpu-only", "971"));
    assert_non_null(strstr(text, "`orrery run fujiwara/table2`"));
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
        char *text = table(name, "csv");
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

static void make_awkward(struct orr_document *document)
{
    *document = (struct orr_document){0};
    orr_document_name(document, "p/e", "A & B_c 100 %");
    orr_document_fact(document, "cpu", "<fast> & \"quoted\"");
    struct orr_grid *grid = orr_document_grid(document, true, "Grid #1");
    orr_grid_column(grid, "a", "a|b", ORR_ALL, false);
    orr_grid_column(grid, "b", "b", ORR_ALL, true);
    orr_grid_row(grid);
    orr_grid_put(grid, 0,
                 (struct orr_value){strdup("x|y, \"z\" <i> {k} \\n $1 ~ ^ _u_ v_w"), NAN, 0});
    orr_grid_put(grid, 1, (struct orr_value){NULL, 0.1, orr_document_note(document, "note <1>")});
    assert_int_equal(orr_document_note(document, "note <1>"), 1);
}

/* The document's text; releases the document. */
static char *written_of(struct orr_document *document, const char *format)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    if (strcmp(format, "html"))
        assert_int_equal(orr_format_find(format)->write(to, document, 1), 0);
    else
        orr_html_document(to, document);
    fclose(to);
    orr_document_release(document);
    return text;
}

static char *written(const char *format)
{
    struct orr_document document;
    make_awkward(&document);
    return written_of(&document, format);
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
        tex, "\\{k\\} \\textbackslash{}n $\\$$1 \\textasciitilde{} \\textasciicircum{} \\_u\\_"));
    assert_non_null(strstr(tex, "Grid \\#1"));
    assert_non_null(strstr(html, "&lt;i&gt;"));
    assert_non_null(strstr(html, "&lt;fast&gt; &amp; &quot;quoted&quot;"));
    free(md), free(csv), free(tex), free(html);
}

/* What a journal of others may hold: no format breaks, none carries it on as an order. */
static void hostile_texts_stay_texts(void **state)
{
    static const char *const formats[] = {"md", "csv", "tex", "json", "html"};
    static const char *const texts[] = {"=cmd|' /C calc'!A0", "-1.5",
                                        "\033[2Jgone\x9b",    "a\n# b",
                                        "-2+cmd|'x'!A0",      "é\xc2\x9b\xed\xa0\x80"};
    (void)state;
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        struct orr_document document = {0};
        orr_document_name(&document, "p/e", "A\n<script>alert(1)</script>");
        orr_document_fact(&document, "cpu", "fast\n\n# <img src=x> `a < b` \033]0;x");
        orr_document_remark(&document, "`<b` `` <script> `");
        struct orr_grid *grid = orr_document_grid(&document, true, "T <a>");
        orr_grid_column(grid, "text", "te|xt <i>", ORR_ALL, false);
        orr_grid_column(grid, "much", "much", ORR_ALL, false);
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
            orr_grid_row(grid);
            orr_grid_put(grid, 0, (struct orr_value){strdup(texts[k]), NAN, 0});
            orr_grid_put(grid, 1, (struct orr_value){NULL, k % 2 ? INFINITY : -INFINITY, 0});
        }
        char *text = written_of(&document, formats[f]);
        for (const char *c = text; *c; c++)
            assert_true((unsigned char)*c >= ' ' || *c == '\n' || *c == '\r');
        assert_null(strstr(text, "\x9b"));
        assert_true(!strcmp(formats[f], "json") || !strcmp(formats[f], "tex") ||
                    !strstr(text, "<script>") || strstr(text, "\\<script>"));
        if (!strcmp(formats[f], "md")) {
            assert_non_null(strstr(text, "## A \\<script>alert(1)\\</script>\n"));
            assert_non_null(strstr(text, "- cpu: fast  # \\<img src=x> `a < b` ?]0;x\n"));
            assert_non_null(strstr(text, "- `\\<b` `` \\<script> `\n"));
            assert_non_null(strstr(text, "| te\\|xt \\<i> "));
            assert_non_null(strstr(text, "| ?[2Jgone? "));
        } else if (!strcmp(formats[f], "csv")) {
            assert_non_null(strstr(text, "\n'=cmd|' /C calc'!A0,-inf\r\n-1.5,inf\r\n"));
            assert_non_null(strstr(text, "\n?[2Jgone?,-inf\r\n\"a\n# b\",inf\r\n'-2+cmd|'x'!A0,"));
        } else if (!strcmp(formats[f], "json")) {
            json_t *root = json_loads(text, 0, NULL), *row;
            row = json_array_get(json_object_get(root, "rows"), 5);
            assert_true(json_is_null(json_object_get(row, "much")));
            assert_string_equal(text_of(row, "text"), "é?????");
            json_decref(root);
        }
        free(text);
    }
}

/* gnuplot itself says what it read; nothing of a text is run or replaced. */
static void gnuplot_reads_texts_as_they_are(void **state)
{
    static const char *const texts[] = {
        "plain (the paper's)", "'", "''lead", "a''b'", "`touch x`@t \"\\140date\\n", "t'`echo y`"};
    (void)state;
    if (system("command -v gnuplot >/dev/null")) {
        print_message("skipped: gnuplot is not installed\n");
        skip();
    }
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        struct orr_plot plot;
        char command[512], line[256] = "";
        assert_int_equal(orr_plot_open(&plot, "rates"), 0);
        orr_plot_text(&plot, "t", texts[k]);
        assert_int_equal(fflush(plot.variables), 0);
        snprintf(command, sizeof command, "gnuplot -e \"load '%s/variables.gp'; print t\" 2>&1",
                 plot.folder);
        FILE *from = popen(command, "r");
        assert_non_null(from);
        assert_non_null(fgets(line, sizeof line, from));
        assert_int_equal(pclose(from), 0);
        line[strcspn(line, "\n")] = '\0';
        assert_string_equal(line, texts[k]);
        orr_plot_release(&plot);
    }
}

/* Groups, math and environments of TeX must close, and each row must have the cells of its tabular.
 */
static void tex_is_balanced(void **state)
{
    (void)state;
    char *text = table("fujiwara/table2", "tex");
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
    char nowhere[] = "nowhere", *machines[] = {nowhere};
    wish.machines = machines, wish.machine_count = 1;
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
    assert_string_equal(orr_format_si(text, sizeof text, 212e9, "int/s"), "212 Gint/s");
    assert_string_equal(orr_format_si(text, sizeof text, 3.2e-9, "J"), "3.20 nJ");
    assert_string_equal(orr_format_si(text, sizeof text, -0.25, "J"), "-250 mJ");
    assert_string_equal(orr_format_si(text, sizeof text, 0, "J"), "0.00 J");
}

static const char *heads_of(const struct orr_html_head *heads, size_t count)
{
    static char text[1024];
    FILE *to = fmemopen(text, sizeof text, "w");
    orr_html_heads(to, heads, count);
    fclose(to);
    return text;
}

/* Columns beside each other share a head; what they begin or end with is not said twice. */
static void heads_stand_in_two_lines(void **state)
{
    (void)state;
    const struct orr_html_head two[] = {
        {"", "program", false},        {"7500", "7500 published [s]", true},
        {"7500", "ratio", true},       {"same", "cas, same", true},
        {"same", "fixed, same", true}, {"alone", "alone, once", true}};
    assert_string_equal(
        heads_of(two, 6),
        "<thead><tr><th rowspan=\"2\">program</th><th class=\"above\" colspan=\"2\">7500</th>"
        "<th class=\"above\" colspan=\"2\">same</th><th class=\"r\" rowspan=\"2\">alone, once</th>"
        "</tr><tr class=\"below\"><th class=\"r\">published [s]</th><th class=\"r\">ratio</th>"
        "<th class=\"r\">cas</th><th class=\"r\">fixed</th></tr></thead>\n");
    const struct orr_html_head one[] = {{NULL, "a<b", false}, {"", "b", true}};
    assert_string_equal(heads_of(one, 2),
                        "<thead><tr><th>a&lt;b</th><th class=\"r\">b</th></tr></thead>\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heads_stand_in_two_lines),
        cmocka_unit_test(ratios_to_printed_times_hold_both_errors),
        cmocka_unit_test(speedups_compare_like_with_like),
        cmocka_unit_test(shares_sum_up_to_one),
        cmocka_unit_test(growth_is_over_the_smallest_size),
        cmocka_unit_test(distributions_are_given_by_three_norms),
        cmocka_unit_test(the_use_of_the_device_follows_from_figures_and_phases),
        cmocka_unit_test(a_factor_is_of_one_thing_changed),
        cmocka_unit_test(any_cells_make_one_line_a_setting),
        cmocka_unit_test(what_is_not_measured_is_a_dash_and_a_command),
        cmocka_unit_test(csv_has_one_header_and_full_rows),
        cmocka_unit_test(every_format_escapes),
        cmocka_unit_test(hostile_texts_stay_texts),
        cmocka_unit_test(gnuplot_reads_texts_as_they_are),
        cmocka_unit_test(tex_is_balanced),
        cmocka_unit_test(unknown_names_are_answered_with_the_nearest),
        cmocka_unit_test(intervals_say_what_they_hold),
        cmocka_unit_test(marks_are_explained),
        cmocka_unit_test(numbers_look_as_they_should),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
