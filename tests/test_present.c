/* SPDX-License-Identifier: MIT */
/* Tables: marks, factors, formats, hostile texts, names. The numbers of the fixtures' tables are
 * pinned in tests/golden. */
#include <jansson.h>

#include "text.h"
#include "present/queries.h"
#include "present/plot.h"
#include "present/document.h"
#include "ledger_for_tests.h"
#include "table_for_tests.h"
#include "tests/cases.h"

#define OF(paper) "tests/data/" paper "-fixture.jsonl"

/* --- what intervals are called --- */

static void assert_shown(const struct orr_ledger *ledger, const char *call, const char *text)
{
    assert_text(ledger, filled("SELECT %s", call), text);
}

/* Fewer than three processes are marked; a single sample has no ±; the further end counts. */
TEST(intervals_say_what_they_hold)
{
    RELEASED_BY(orr_ledger_close) struct orr_ledger ledger = {0};
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
}

/* A mark is explained once, and only where it stands. */
TEST(marks_are_explained)
{
    RELEASED_BY(orr_document_release) struct orr_document document = {0};
    struct orr_grid *grid = orr_document_grid(&document, true, "times", "");
    orr_grid_column(grid, "time", "time", "", ORR_ALL, true);
    orr_grid_row(grid);
    orr_grid_put(grid, 0, (struct orr_value){.text = strdup("1 s ± 1.0 %")});
    assert_int_equal(document.remark_count, 0);
    for (int k = 0; k < 2; k++) {
        orr_grid_row(grid);
        orr_grid_put(grid, 0, (struct orr_value){.text = strdup("1 s ± 1.0 %†")});
    }
    assert_int_equal(document.remark_count, 1);
    assert_non_null(strstr(document.remarks[0], "within one run"));
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
            RELEASED_BY(free_text) char *copy;
            json_object_set_new(record, "id", json_sprintf("again-%s", text_of(record, "id")));
            json_object_set_new(parameters, "theta", json_real(0.5));
            json_object_set_new(parameters, "steps", json_integer(1));
            assert_non_null(copy = json_dumps(record, JSON_COMPACT));
            fprintf(to, "%s\n", copy);
        }
        json_decref(record);
    }
    free(line);
    fclose(from);
    fclose(to);
}

TEST(a_factor_is_of_one_thing_changed)
{
    char path[] = "/tmp/orrery-test-XXXXXX";
    close(mkstemp(path));
    write_other_theta(path);
    const char *text = table_from("feng/fig11", "md", path);
    unlink(path);
    assert_non_null(line_with(
        text, "theta=0.9, sort=off, steps=20 over theta=0.9, sort=on, steps=20", "ComputeForces"));
    assert_non_null(line_with(text, "theta=0.5, sort=off, steps=1 over theta=0.5, sort=on, steps=1",
                              "ComputeForces"));
    assert_null(line_with(text, "steps=1 over theta=0.9", "ComputeForces"));
}

/* --- formats --- */

TEST(what_is_not_measured_is_a_dash_and_a_command)
{
    const char *text = table_from("fujiwara/table2", "md", "/dev/null");
    assert_non_null(line_with(text, "cpu-only", "971"));
    assert_non_null(strstr(text, "`orrery run fujiwara/table2`"));
}

/* What a journal of others may hold: no format breaks, none carries it on as an order. */
static void make_hostile(struct orr_document *document)
{
    static const char *const texts[] = {"=cmd|' /C calc'!A0",
                                        "-1.5",
                                        "\033[2Jgone\x9b",
                                        "a\n# b",
                                        "-2+cmd|'x'!A0",
                                        "é\xc2\x9b\xed\xa0\x80",
                                        "x|y, \"z\" <i> {k} \\n $1 ~ ^ _u_ v_w"};
    *document = (struct orr_document){0};
    orr_document_name(document, "p/e", "A\n<script>alert(1)</script>");
    orr_document_fact(document, "cpu", "fast\n\n# <img src=x> `a < b` \033]0;x");
    orr_document_fact(document, "core", "<fast> & \"quoted\"");
    orr_document_remark(document, "`<b` `` <script> `");
    struct orr_grid *grid = orr_document_grid(document, true, "T #1 <a>", "");
    orr_grid_column(grid, "text", "te|xt <i>", "", ORR_ALL, false);
    orr_grid_column(grid, "much", "much", "", ORR_ALL, false);
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        orr_grid_row(grid);
        orr_grid_put(grid, 0, (struct orr_value){strdup(texts[k]), NAN, 0});
        orr_grid_put(grid, 1, (struct orr_value){NULL, k % 2 ? INFINITY : -INFINITY, 0});
    }
    orr_grid_row(grid);
    orr_grid_put(grid, 1, (struct orr_value){NULL, 0.1, orr_document_note(document, "note <1>")});
    assert_int_equal(orr_document_note(document, "note <1>"), 1);
}

/* The document of hostile texts. */
static const char *hostile_in(const char *format)
{
    RELEASED_BY(orr_document_release) struct orr_document document;
    RELEASED_BY(free_text) char *text = NULL;
    size_t size;
    make_hostile(&document);
    if (strcmp(format, "html"))
        return text_in(format, &document);
    FILE *to = open_memstream(&text, &size);
    orr_html_document(to, &document, false);
    fclose(to);
    return filled("%s", text);
}

TEST(hostile_texts_stay_texts)
{
    static const struct {
        const char *format, *holds[8];
    } cases[] = {
        {"md",
         {"## A \\<script>alert(1)\\</script>\n", "- cpu: fast  # \\<img src=x> `a < b` ?]0;x\n",
          "- `\\<b` `` \\<script> `\n", "| te\\|xt \\<i> ", "| ?[2Jgone? ", "x\\|y, \"z\" \\<i>",
          "\\_u\\_ v_w"}},
        {"csv",
         {"\n'=cmd|' /C calc'!A0,-inf\r\n-1.5,inf\r\n",
          "\n?[2Jgone?,-inf\r\n\"a\n# b\",inf\r\n'-2+cmd|'x'!A0,", "\"x|y, \"\"z\"\" <i>"}},
        {"tex",
         {"x$|$y",
          "\\{k\\} \\textbackslash{}n $\\$$1 \\textasciitilde{} \\textasciicircum{} \\_u\\_",
          "T \\#1"}},
        {"html", {"&lt;i&gt;", "&lt;fast&gt; &amp; &quot;quoted&quot;"}},
        {"json", {"é?????"}}};
    for (size_t f = 0; f < sizeof cases / sizeof *cases; f++) {
        const char *text = hostile_in(cases[f].format);
        assert_holds(text, cases[f].holds);
        for (const char *c = text; *c; c++)
            assert_true((unsigned char)*c >= ' ' || *c == '\n' || *c == '\r');
        assert_null(strstr(text, "\x9b"));
        assert_true(!strcmp(cases[f].format, "json") || !strcmp(cases[f].format, "tex") ||
                    !strstr(text, "<script>") || strstr(text, "\\<script>"));
    }
    const char *text = hostile_in("json"), *md = hostile_in("md");
    assert_non_null(strstr(md, "0.1¹"));
    json_auto_t *root = json_loads(text, 0, NULL);
    const json_t *row = json_array_get(json_object_get(root, "rows"), 5);
    assert_true(json_is_null(json_object_get(row, "much")));
    assert_string_equal(text_of(row, "text"), "é?????");
}

/* gnuplot itself says what it read; nothing of a text is run or replaced. */
TEST(gnuplot_reads_texts_as_they_are)
{
    static const char *const texts[] = {
        "plain (the paper's)", "'", "''lead", "a''b'", "`touch x`@t \"\\140date\\n", "t'`echo y`"};
    if (system("command -v gnuplot >/dev/null")) {
        print_message("skipped: gnuplot is not installed\n");
        skip();
    }
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        RELEASED_BY(orr_plot_release) struct orr_plot plot;
        char line[256] = "";
        assert_int_equal(orr_plot_open(&plot, "rates"), 0);
        orr_plot_text(&plot, "t", texts[k]);
        assert_int_equal(fflush(plot.variables), 0);
        FILE *from =
            popen(filled("gnuplot -e \"load '%s/variables.gp'; print t\" 2>&1", plot.folder), "r");
        assert_non_null(from);
        assert_non_null(fgets(line, sizeof line, from));
        assert_int_equal(pclose(from), 0);
        line[strcspn(line, "\n")] = '\0';
        assert_string_equal(line, texts[k]);
    }
}

TEST(unknown_names_are_answered_with_the_nearest)
{
    struct orr_selection selection;
    char none[] = "/dev/null", *from[] = {none};
    struct orr_selection_options options = {.from = from, .from_count = 1};
    orr_error_clear();
    assert_fails(orr_selection_make(&selection, &options, "fujiwara/tabel2"), ORR_EUSAGE,
                 "'fujiwara/table2'");
    assert_fails(orr_selection_make(&selection, &options, "table3"), ORR_EUSAGE,
                 "'fujiwara/table3' or 'shan/table3'");
    char nowhere[] = "nowhere", *machines[] = {nowhere};
    options.machines = machines, options.machine_count = 1;
    assert_int_equal(orr_selection_make(&selection, &options, "fujiwara"), ORR_EUSAGE);
    orr_error_clear();
    assert_null(orr_format_find("xml"));
}

TEST(numbers_look_as_they_should)
{
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

/* The columns are HEAD above HEAD; the first one is aligned left. */
static void assert_heads(const char *wanted, const char *const (*columns)[2], size_t count)
{
    RELEASED_BY(orr_document_release) struct orr_document document = {0};
    char text[2048];
    struct orr_grid *grid = orr_document_grid(&document, false, "", "");
    for (size_t k = 0; k < count; k++)
        orr_grid_column(grid, "", columns[k][1], columns[k][0], ORR_PEOPLE, k > 0);
    FILE *to = fmemopen(text, sizeof text, "w");
    orr_html_document(to, &document, false);
    fclose(to);
    assert_non_null(strstr(text, wanted));
}

/* Columns beside each other share a head; what they begin or end with is not said twice. */
TEST(heads_stand_in_two_lines)
{
    static const char *const two[][2] = {{"", "program"},         {"7500", "7500 published [s]"},
                                         {"7500", "ratio"},       {"same", "cas, same"},
                                         {"same", "fixed, same"}, {"alone", "alone, once"}};
    assert_heads(
        "<thead><tr><th rowspan=\"2\">program</th><th class=\"above\" colspan=\"2\">7500</th>"
        "<th class=\"above\" colspan=\"2\">same</th><th class=\"r\" rowspan=\"2\">alone, once</th>"
        "</tr><tr class=\"below\"><th class=\"r\">published [s]</th><th class=\"r\">ratio</th>"
        "<th class=\"r\">cas</th><th class=\"r\">fixed</th></tr></thead>\n",
        two, 6);
    static const char *const one[][2] = {{"", "a<b"}, {"", "b"}};
    assert_heads("<thead><tr><th>a&lt;b</th><th class=\"r\">b</th></tr></thead>\n", one, 2);
}

/* --- tables in parts for narrow terminals: no column is lost, heads stay whole --- */

/* Columns for people: two of words, two below one head, two below another, one alone. A column has
 * a bar and two blanks besides its room. */
struct part_column {
    const char *key, *above;
    size_t room;
    bool programs, right;
};
static const struct part_column columns[] = {
    {"program", "", 9, .right = false}, {"id", "", 40, .programs = true},
    {"where", "", 5, .right = false},   {"a1", "a", 4, .right = true},
    {"a2", "a", 4, .right = true},      {"b1", "b", 4, .right = true},
    {"b2", "b", 4, .right = true},      {"c", "", 7, .right = true},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* The parts, as "program where a1 a2 / program ..."; a # before a part whose rows have numbers. */
static const char *parts_of(const struct part_column *of, size_t count, size_t screen)
{
    static char text[1024];
    static const char wide[] = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";
    RELEASED_BY(orr_document_release) struct orr_document document = {0};
    RELEASED_BY(free_text) char *shown = NULL;
    size_t size;
    struct orr_grid *grid = orr_document_grid(&document, true, "", "");
    for (size_t k = 0; k < count; k++)
        orr_grid_column(grid, of[k].key, of[k].key, of[k].above,
                        of[k].programs ? ORR_PROGRAMS : ORR_ALL, of[k].right);
    orr_grid_row(grid);
    for (size_t k = 0; k < count; k++)
        orr_grid_put(grid, k, (struct orr_value){.text = strndup(wide, of[k].room)});
    FILE *to = open_memstream(&shown, &size);
    orr_write_grid(to, grid, screen);
    fclose(to);
    *text = '\0';
    bool blank = false;
    for (char *at = shown, *line; (line = strsep(&at, "\n")); blank = !*line)
        for (char *head = blank && *line == '|' ? strtok(line, "| ") : NULL; head;
             head = strtok(NULL, "| ")) {
            bool first = head == line + strspn(line, "| ");
            strcat(strcat(text, first && *text ? " / "
                                : *text        ? " "
                                               : ""),
                   strcmp(head, "row") ? head
                   : *text             ? "#"
                                       : " #");
        }
    return text;
}

static const char *parts(size_t count, size_t screen)
{
    return parts_of(columns, count, screen);
}

/* What fits stays whole, each part names its rows, a head stays whole, rows have numbers where
 * names do not fit, and what is wider than the screen is shown all the same. */
TEST(parts_by_the_width_of_the_screen)
{
    static const struct {
        size_t count, screen;
        const char *parts;
    } cases[] = {
        {COLUMNS, SIZE_MAX, "program where a1 a2 b1 b2 c"},
        {COLUMNS, 59, "program where a1 a2 b1 b2 c"},
        {COLUMNS, 58, "program where a1 a2 b1 b2 / program where c"},
        {COLUMNS, 48, "program where a1 a2 / program where b1 b2 c"},
        {COLUMNS, 35, "program where a1 a2 / program where b1 b2 / program where c"},
        {COLUMNS, 34, " # program where / # program a1 a2 / # program b1 b2 / # program c"},
        {COLUMNS, 33, " # program where / # program a1 a2 / # program b1 b2 / # program c"},
        /* the number takes room, too: a head is not broken for a name */
        {COLUMNS, 32, " # program where / # a1 a2 / # b1 b2 c"},
        {COLUMNS, 21, " # program / # where / # a1 a2 / # b1 b2 / # c"},
        {COLUMNS, 9, " # program / # where / # a1 / # a2 / # b1 / # b2 / # c"},
        {3, 20, " # program / # where"},
        {1, 5, "program"},
        {0, 5, ""}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_string_equal(parts(cases[k].count, cases[k].screen), cases[k].parts);
}

/* A name that does not fit beside the other stands behind the number of its row; none is lost. */
TEST(a_wide_name_stands_alone)
{
    static const struct part_column wide[] = {{"program", "", 9, .right = false},
                                              {"setting", "", 15, .right = false},
                                              {"a", "", 4, .right = true}};
    assert_string_equal(parts_of(wide, 3, 37), " # program setting / # program a");
    assert_string_equal(parts_of(wide, 3, 36), " # program / # setting a");
    assert_string_equal(parts_of(wide, 3, 31), " # program / # setting / # program a");
}

TEST(no_column_is_lost_at_any_width)
{
    static const char *const keys[] = {"program", "where", "a1", "a2", "b1", "b2", "c"};
    for (size_t screen = 0; screen < 80; screen++)
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
            if (!strstr(parts(COLUMNS, screen), keys[k]))
                fail_msg("%zu characters show '%s'", screen, parts(COLUMNS, screen));
}

RUN_TESTS(NULL, NULL)
