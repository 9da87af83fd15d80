/* What Orrery shows of the reference results and of the invented records, pinned in tests/golden.
 * ORRERY_GOLDEN_UPDATE=1 writes these files instead of comparing: `git diff` then shows what
 * changed. */
#include <dirent.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "golden_for_tests.h"

#include "cli/cli.h"
#include "cli/table_io.h"
#include "error.h"
#include "folder_for_tests.h"
#include "names.h"
#include "paths.h"
#include "present/layout.h"
#include "present/selection.h"
#include "present/write.h"

#define H200 "results/reference/nvidia-h200"
#define XEON "tests/data/intel-xeon-2-cores"
#define EPYC "results/reference/amd-epyc-2-cores"
/* The runs that counted accesses. */
#define COUNTS_H200 "tests/data/nvidia-h200/20261122T002736Z-48cc.jsonl"
#define COUNTS_XEON XEON "/20261122T012552Z-f829.jsonl"

struct shown {
    const char *name; /* folder below tests/golden */
    char *from[4];    /* journals, or folders of journals */
    int from_count;
    const char *formats[5]; /* of tables; NULL behind the last one */
};

static struct shown sources[] = {
    {"nvidia-h200", {H200}, 1, {"md", "csv", "json", "tex"}},
    {"intel-xeon-2-cores", {XEON}, 1, {"md", "csv", "json", "tex"}},
    {"fixtures",
     {"tests/data/feng-fixture.jsonl", "tests/data/gaburov-fixture.jsonl",
      "tests/data/ledger-fixture.jsonl", "tests/data/shan-fixture.jsonl"},
     4,
     {"md", "csv", "json", "tex"}},
    {"nvidia-h200", {COUNTS_H200}, 1, {NULL}},
    {"intel-xeon-2-cores", {COUNTS_XEON}, 1, {NULL}},
    {"amd-epyc-2-cores", {EPYC}, 1, {"md"}}, /* in rounds */
};
enum { REFERENCE_H200, REFERENCE_XEON, FIXTURES, COUNTED_H200, COUNTED_XEON, ROUNDS_EPYC };

/* --- tables and figures: the journals of a source are loaded once --- */

static void open_source(struct orr_selection *out, const struct shown *source)
{
    const struct orr_wish wish = {.from = source->from, .from_count = source->from_count};
    orr_error_clear();
    begin_comparing();
    if (orr_selection_make(out, &wish, NULL))
        fail_msg("%s", orr_error_text());
}

/* What a command says instead of its output. Free it. */
static char *refusal(void)
{
    char *text = NULL;
    assert_true(asprintf(&text, "orrery: %s\n", orr_error_text()) > 0);
    orr_error_clear();
    return text;
}

static char *table_text(const struct orr_documents *all, const char *format)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    int code = orr_format_find(format)->write(to, all->items, all->count);
    fclose(to);
    if (!code)
        return text;
    free(text);
    return refusal();
}

static void tables(void **state)
{
    const struct shown *source = *state;
    struct orr_selection selection;
    open_source(&selection, source);
    for (size_t k = 0; k < selection.target_count; k++) {
        const struct orr_target *target = &selection.targets[k];
        struct orr_documents all = {0};
        if (orr_cli_add_documents(&all, &selection, target))
            fail_msg("%s/%s: %s", target->paper->key, target->experiment->name, orr_error_text());
        for (const char *const *format = source->formats; *format; format++) {
            char *text = table_text(&all, *format);
            compare(text, "%s/tables/%s-%s.%s", source->name, target->paper->key,
                    target->experiment->name, *format);
            free(text);
        }
        orr_cli_release_documents(&all);
    }
    orr_selection_release(&selection);
    assert_same();
}

static int compare_names(const void *left, const void *right)
{
    const char *a = *(char *const *)left, *b = *(char *const *)right;
    size_t first = strcspn(a, "="), second = strcspn(b, "=");
    int order = strncmp(a, b, first < second ? first : second);
    return order             ? order
           : first != second ? (first > second) - (first < second)
                             : (a > b) - (a < b);
}

/* Assignments mean the same in any order of names, so they are pinned in that of the alphabet; of
 * one name the later one holds. */
static void put_variables(FILE *to, char *text)
{
    enum { MOST = 4096 };
    char *lines[MOST];
    size_t count = 0;
    for (char *at = text, *line; (line = strsep(&at, "\n"));)
        if (*line) {
            assert_true(count < MOST);
            lines[count++] = line;
        }
    qsort(lines, count, sizeof *lines, compare_names);
    for (size_t k = 0; k < count; k++)
        fprintf(to, "%s\n", lines[k]);
}

/* What gnuplot is given: every file of the plot's folder. Free it. */
static char *plot_text(struct orr_plot *plot)
{
    char *text = NULL;
    size_t size;
    struct dirent **names;
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    assert_int_equal(fflush(plot->variables), 0);
    fprintf(to, "script %s, %d series, %d x %d\n", plot->script, plot->series, plot->width,
            plot->height);
    int count = scandir(plot->folder, &names, NULL, versionsort);
    assert_true(count > 0);
    for (int k = 0; k < count; k++) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%s/%s", plot->folder, names[k]->d_name);
        char *part = *names[k]->d_name == '.' ? NULL : read_text(path);
        if (part)
            fprintf(to, "== %s\n", names[k]->d_name);
        if (part && !strcmp(names[k]->d_name, "variables.gp"))
            put_variables(to, part);
        else if (part)
            fputs(part, to);
        free(part);
        free(names[k]);
    }
    free(names);
    fclose(to);
    return text;
}

static void figures(void **state)
{
    const struct shown *source = *state;
    struct orr_selection selection;
    open_source(&selection, source);
    for (size_t k = 0; k < selection.target_count; k++) {
        const struct orr_target *target = &selection.targets[k];
        struct orr_scopes scopes;
        struct orr_plot plot;
        assert_int_equal(orr_selection_scopes(&scopes, &selection, target), 0);
        int code = orr_layout_plot(&plot, &scopes.items[0]);
        char *text = code ? refusal() : plot_text(&plot);
        compare(text, "%s/figures/%s-%s.txt", source->name, target->paper->key,
                target->experiment->name);
        free(text);
        orr_plot_release(&plot);
        orr_selection_release_scopes(&scopes);
    }
    orr_selection_release(&selection);
    assert_same();
}

/* --- the other commands, by what they print --- */

/* Runs a command with the given words, the last one NULL, and with -r for each journal of `source`
 * (NULL: none). Free what it printed. */
static char *printed_by(int (*command)(int, char **), const struct shown *source, ...)
{
    char *words[32] = {"orrery"}, path[] = "/tmp/orrery-golden-XXXXXX";
    int count = 1, to = mkstemp(path), screen = dup(STDOUT_FILENO);
    va_list arguments;
    va_start(arguments, source);
    while ((words[count] = va_arg(arguments, char *)))
        count++;
    va_end(arguments);
    for (int k = 0; source && k < source->from_count; k++) {
        words[count++] = "-r";
        words[count++] = source->from[k];
    }
    assert_true(to >= 0 && screen >= 0);
    orr_error_clear();
    fflush(stdout);
    dup2(to, STDOUT_FILENO);
    int status = command(count, words);
    fflush(stdout);
    dup2(screen, STDOUT_FILENO);
    close(screen);
    close(to);
    char *text = read_text(path);
    unlink(path);
    if (status)
        fail_msg("%s ends with %d: %s", words[1], status, orr_error_text());
    assert_non_null(text);
    return text;
}

/* Compares what is printed, and frees it. */
#define COMPARE(printed, ...)        \
    do {                             \
        char *text_ = (printed);     \
        compare(text_, __VA_ARGS__); \
        free(text_);                 \
    } while (0)

/* How claims are printed: what stands before the first, between two and behind the last, and in
 * front of the paper's name in each. */
struct claims_form {
    char *option;
    const char *ending, *before, *between, *after, *lead;
};

/* All papers are judged at once, as journals take long to load; each has a file of its own. */
static void claims(const struct shown *source, const struct claims_form *form)
{
    char *all = printed_by(orr_cli_claims, source, form->option, NULL);
    size_t lead = strlen(form->lead);
    begin_comparing();
    all[strlen(all) - strlen(form->after)] = '\0';
    for (char *start = all + strlen(form->before), *end; start; start = end ? end + 2 : NULL) {
        size_t name = strcspn(start + lead, " \"");
        char *text = NULL;
        for (end = strstr(start, form->between); end && !strncmp(end + 2, start, lead + name + 1);)
            end = strstr(end + 2, form->between);
        int length = (int)(end ? (size_t)(end - start) : strlen(start));
        assert_true(asprintf(&text, "%s%.*s%s", form->before, length, start, form->after) > 0);
        COMPARE(text, "%s/claims/%.*s.%s", source->name, (int)name, start + lead, form->ending);
    }
    free(all);
    assert_same();
}

static void claims_as_text(void **state)
{
    claims(*state, &(struct claims_form){NULL, "txt", "", "\n\n", "\n", ""});
}

static void claims_as_json(void **state)
{
    claims(*state, &(struct claims_form){"--json", "json", "[\n", ",\n  {", "\n]\n",
                                         "  {\n    \"paper\": \""});
}

/* The audit of an experiment is its table, of any journals. */
static void audits(void **state)
{
    static const char *const names[] = {"table1", "table2"};
    const struct shown *source = *state;
    begin_comparing();
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char what[64];
        snprintf(what, sizeof what, "shan/%s", names[k]);
        COMPARE(printed_by(orr_cli_audit, source, what, NULL), "%s/tables/shan-%s.md", source->name,
                names[k]);
        COMPARE(printed_by(orr_cli_audit, source, what, "--json", NULL), "%s/tables/shan-%s.json",
                source->name, names[k]);
    }
    assert_same();
}

static void situations(void **state)
{
    static char *const pairs[][2] = {{"shan/bpb", "shan/bpb-n3l"}, {"shan/bpb-n3l", "shan/bpb"}};
    const struct shown *source = *state;
    begin_comparing();
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        char *a = pairs[k][0], *b = pairs[k][1];
        COMPARE(printed_by(orr_cli_audit, source, "--situation", a, b, NULL),
                "%s/situations/%s-to-%s.md", source->name, a + 5, b + 5);
        COMPARE(printed_by(orr_cli_audit, source, "--situation", a, b, "--json", NULL),
                "%s/situations/%s-to-%s.json", source->name, a + 5, b + 5);
    }
    assert_same();
}

/* Counters of one kernel belong to one cell, so the journal holds those of one size. */
static void hardware(void **state)
{
    char path[64], *line = NULL;
    size_t room = 0;
    snprintf(path, sizeof path, "%s/one-size.jsonl", folder);
    FILE *from = fopen(COUNTS_H200, "r"), *to = fopen(path, "w");
    (void)state;
    assert_true(from && to);
    while (getline(&line, &room, from) > 0)
        if (!strstr(line, "\"record\":\"cell\"") ||
            (strstr(line, "\"experiment\":\"shan/table1\"") && strstr(line, "\"per_box\":32")))
            fputs(line, to);
    free(line);
    fclose(from);
    fclose(to);
    begin_comparing();
    COMPARE(printed_by(orr_cli_audit, NULL, "shan/table1", "--hardware",
                       "tests/data/ncu-fixture.csv", "-r", path, NULL),
            "hardware/shan-table1.md");
    COMPARE(printed_by(orr_cli_audit, NULL, "shan/table1", "--hardware",
                       "tests/data/ncu-fixture.csv", "-r", path, "--json", NULL),
            "hardware/shan-table1.json");
    assert_same();
}

/* Without gnuplot: pictures are not text. */
static void report(void **state)
{
    const struct shown *source = *state;
    char path[64], *programs = strdup(getenv("PATH"));
    begin_comparing();
    setenv("PATH", folder, 1);
    snprintf(path, sizeof path, "%s/%s", folder, source->name);
    free(printed_by(orr_cli_report, source, "-o", path, NULL));
    setenv("PATH", programs, 1);
    free(programs);
    snprintf(path, sizeof path, "%s/%s/index.html", folder, source->name);
    COMPARE(read_text(path), "%s/report.html", source->name);
    assert_same();
}

static void comparisons(void **state)
{
    static const struct {
        const char *file, *a, *b, *option, *what; /* NULL: everything */
    } pairs[] = {
        {"opencl-cuda.md", H200 "@opencl:0.0", H200 "@cuda:0", "--format=md", NULL},
        {"machines.json", H200 "@cuda:0", XEON "@opencl:0.0", "--format=json", NULL},
        {"hosts.csv", H200 "@host", XEON "@host", "--format=csv", "fujiwara"},
        {"itself.tex", XEON, XEON, "--format=tex", "shan"},
        {"rows.json", XEON, XEON, "--json", "gaburov"},
    };
    (void)state;
    begin_comparing();
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        COMPARE(printed_by(orr_cli_compare, NULL, pairs[k].a, pairs[k].b, pairs[k].option,
                           pairs[k].what, NULL),
                "compare/%s", pairs[k].file);
    assert_same();
}

/* --- what the papers hold --- */

/* A paper and its experiments, one after the other. */
static void describe_paper(const struct orr_paper *paper)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    for (unsigned k = 0; k <= paper->experiments_count; k++) {
        char name[128];
        snprintf(name, sizeof name, "%s%s%s", paper->key, k ? "/" : "",
                 k ? paper->experiments[k - 1].name : "");
        char *part = printed_by(orr_cli_describe, NULL, name, NULL);
        fprintf(to, "== %s\n%s", name, part);
        free(part);
    }
    fclose(to);
    compare(text, "papers/%s.txt", paper->key);
    free(text);
}

static void papers(void **state)
{
    (void)state;
    char **keys = NULL;
    begin_comparing();
    assert_int_equal(orr_paper_keys(&keys), 0);
    for (char **key = keys; *key; key++) {
        struct orr_paper *paper;
        assert_int_equal(orr_paper_load(&paper, *key), 0);
        describe_paper(paper);
        orr_paper_free(paper);
    }
    orr_names_free(keys);
    COMPARE(printed_by(orr_cli_list, NULL, "papers", NULL), "papers/list-papers.txt");
    COMPARE(printed_by(orr_cli_list, NULL, "experiments", NULL), "papers/list-experiments.txt");
    assert_same();
}

/* Paths in what is shown are relative to the home folder. */
static int begin(void **state)
{
    char home[PATH_MAX];
    if (orr_paths_home(home, sizeof home, ".") || chdir(home))
        return -1;
    return make_folder(state);
}

static int end(void **state)
{
    while (pinned_count)
        free(pinned[--pinned_count]);
    return remove_folder(state);
}

#define OF(source, show)                                         \
    {                                                            \
#show " of " #source, show, NULL, NULL, &sources[source] \
    }
#define OF_EACH(show) OF(REFERENCE_H200, show), OF(REFERENCE_XEON, show), OF(FIXTURES, show)

/* What takes long and is printed by the same code for every source is not taken of each. */
int main(void)
{
    const struct CMUnitTest tests[] = {
        OF_EACH(tables),
        OF_EACH(figures),
        OF(REFERENCE_H200, claims_as_json),
        OF(REFERENCE_XEON, claims_as_text),
        OF(FIXTURES, claims_as_text),
        OF(ROUNDS_EPYC, tables),
        OF(ROUNDS_EPYC, claims_as_text),
        OF(FIXTURES, audits),
        cmocka_unit_test(hardware),
        OF(COUNTED_H200, situations),
        OF(COUNTED_XEON, situations),
        OF(REFERENCE_XEON, report),
        OF(FIXTURES, report),
        cmocka_unit_test(comparisons),
        cmocka_unit_test(papers),
        cmocka_unit_test(every_file_is_used),
    };
    if (getenv("ORRERY_GOLDEN_ONLY")) /* "figures*": while one works on them */
        cmocka_set_test_filter(getenv("ORRERY_GOLDEN_ONLY"));
    return cmocka_run_group_tests(tests, begin, end);
}
