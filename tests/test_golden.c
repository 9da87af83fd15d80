/* SPDX-License-Identifier: MIT */
/* What Orrery shows of fixtures, pinned in tests/golden: journals under tests/data that are never
 * measured again. ORRERY_GOLDEN_UPDATE=1 writes these files instead of comparing: `git diff` then
 * shows what changed. Every experiment has its numbers in csv, which shows neither digits nor
 * heads. The other forms are pinned of a few that have each kind of cell, part and script, so that
 * another number format or another head changes a few files. */
#include <dirent.h>
#include <limits.h>

#include <errno.h>
#include <ftw.h>
#include <sys/stat.h>
#include "tests/cases.h"
#include "cli/cli.h"
#include "folder_for_tests.h"
#include "names.h"
#include "paths.h"
#include "present/layout.h"
#include "present/selection.h"
#include "present/document.h"

#define GOLDEN "tests/golden"

enum { MOST_FILES = 2000 };

static char *pinned[MOST_FILES]; /* paths that some test has compared */
static size_t pinned_count;
static int different;  /* files, in the running test */
static int unfinished; /* tests that have begun and ended early */

static bool is_update(void)
{
    const char *wanted = getenv("ORRERY_GOLDEN_UPDATE");
    return wanted && !strcmp(wanted, "1");
}

static void write_golden(char *path, const char *text)
{
    for (char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(path, 0777) && errno != EEXIST)
            fail_msg("cannot make %s: %s", path, strerror(errno));
        *slash = '/';
    }
    write_text(path, text);
}

/* The first lines that differ. */
static void print_difference(const char *path, const char *found)
{
    const char *own = filled("%s/found", folder);
    write_text(own, found);
    assert_int_equal(system(filled("diff -U0 %s %s | head -20 >&2", path, own)), 0);
}

/* Compares a text with the file of that name below tests/golden. */
static void compare_with(const char *text, const char *name)
{
    assert_true(pinned_count < MOST_FILES);
    char *path = pinned[pinned_count++] = strdup(name);
    assert_non_null(path);
    RELEASED_BY(free_text) char *expected = file_text(path);
    if (is_update() && (!expected || strcmp(expected, text) != 0)) {
        write_golden(path, text);
    } else if (!expected) {
        fprintf(stderr, "%s: missing\n", path);
        different++;
    } else if (strcmp(expected, text) != 0) {
        print_difference(path, text);
        different++;
    }
}

#define COMPARE(text, ...) compare_with(text, filled(GOLDEN "/" __VA_ARGS__))

static void begin_comparing(void)
{
    different = 0;
    unfinished++;
}

static void assert_same(void)
{
    unfinished--;
    if (different)
        fail_msg("%d files differ; ORRERY_GOLDEN_UPDATE=1 writes what is found", different);
}

static int visit(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    if (type == FTW_DP && is_update())
        rmdir(path); /* stays unless it is empty */
    if (type != FTW_F)
        return 0;
    for (size_t k = 0; k < pinned_count; k++)
        if (!strcmp(pinned[k], path))
            return 0;
    if (is_update())
        return unlink(path);
    fprintf(stderr, "%s: nothing is compared with it\n", path);
    different++;
    return 0;
}

/* Runs last: no file may outlive what it pinned. */
static void assert_every_file_is_used(void)
{
    if (unfinished)
        fail_msg("tests ended early: what they pin is not known");
    begin_comparing();
    assert_int_equal(nftw(GOLDEN, visit, 8, FTW_DEPTH | FTW_PHYS), 0);
    assert_same();
}

/* The runs that counted accesses. */
#define COUNTS "tests/data/nvidia-h200/20261122T002736Z-48cc.jsonl"
#define GPU "tests/data/frozen-gpu.jsonl"
#define CPU "tests/data/frozen-cpu.jsonl"

struct shown {
    char *from[6]; /* journals */
    int from_count;
};

/* Invented records of one machine, and cells that were measured on two others. */
static struct shown everything = {
    {"tests/data/feng-fixture.jsonl", "tests/data/gaburov-fixture.jsonl",
     "tests/data/ledger-fixture.jsonl", "tests/data/shan-fixture.jsonl", GPU, CPU},
    6};
static struct shown counted = {{COUNTS}, 1}, processor = {{CPU}, 1};

/* What is pinned of a table beside its csv, and what only that has. */
static const struct {
    const char *name, *formats[4]; /* NULL behind the last one */
} more[] = {
    /* times and intervals, published beside measured, speedups, errata, three machines */
    {"fujiwara-table2", {"md"}},
    /* errors, in powers of ten */
    {"gaburov-fig3.5", {"md"}},
    /* numbers measured elsewhere, costs, counters */
    {"gaburov-headline", {"md"}},
    /* a column for each size below a common head, estimates */
    {"shan-atomics", {"md", "json", "tex"}},
    /* an audit: several grids with names, formulas, findings as sentences */
    {"shan-table1", {"md", "json"}},
};

static const char *const drawn[] = {
    "feng-fig6",             /* curves.gp: lines with intervals, a host's beside a card's */
    "feng-fig7",             /* shares.gp */
    "feng-fig12",            /* curves.gp: growth beside a line, estimates */
    "feng-fig15",            /* curves.gp: two axes of y, linear */
    "fujiwara-fig14",        /* rates.gp: ceilings, published curves */
    "fujiwara-resources",    /* resources.gp */
    "fujiwara-unroll-sweep", /* sweep.gp */
    "gaburov-headline",      /* curves.gp: numbers measured elsewhere */
    "gaburov-fig3.4",        /* panels.gp: a parameter along x */
    "gaburov-fig3.7",        /* panels.gp: bodies along x, guides */
    "shan-table3",           /* curves.gp: boxes, published points */
    "shan-table1",           /* none, and why */
};
#define COUNT(of) (sizeof(of) / sizeof *(of))

/* --- tables and figures: the journals are loaded once --- */

static struct orr_selection selection;

static int load_everything(void **state)
{
    const struct orr_selection_options options = {.from = everything.from,
                                                  .from_count = everything.from_count};
    return orr_selection_make(&selection, &options, NULL);
}

static int release_everything(void **state)
{
    orr_selection_release(&selection);
    return 0;
}

/* "shan-table3" */
static const char *name_of(const struct orr_target *target)
{
    return filled("%s-%s", target->paper->key, target->experiment->name);
}

/* What a command says instead of its output. */
static const char *refusal(void)
{
    const char *text = filled("orrery: %s\n", orr_error_text());
    orr_error_clear();
    return text;
}

static const char *table_text(const struct orr_documents *all, const char *format)
{
    RELEASED_BY(free_text) char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    int code = orr_format_find(format)->write(to, all->items, all->count);
    fclose(to);
    return code ? refusal() : filled("%s", text);
}

static void compare_table(const struct orr_documents *all, const char *name, const char *format)
{
    COMPARE(table_text(all, format), "tables/%s.%s", name, format);
}

TEST_AROUND(tables, load_everything, NULL)
{
    begin_comparing();
    for (size_t k = 0; k < selection.target_count; k++) {
        const struct orr_target *target = &selection.targets[k];
        RELEASED_BY(orr_cli_release_documents) struct orr_documents all = {0};
        const char *name = name_of(target);
        if (orr_cli_add_documents(&all, &selection, target))
            fail_msg("%s: %s", name, orr_error_text());
        compare_table(&all, name, "csv");
        for (size_t m = 0; m < COUNT(more); m++)
            for (const char *const *f = more[m].formats; !strcmp(more[m].name, name) && *f; f++)
                compare_table(&all, name, *f);
    }
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

/* What gnuplot is given: every file of the plot's folder. */
static const char *plot_text(struct orr_plot *plot)
{
    RELEASED_BY(free_text) char *text = NULL;
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
        const char *path = filled("%s/%s", plot->folder, names[k]->d_name);
        RELEASED_BY(free_text) char *part = *names[k]->d_name == '.' ? NULL : file_text(path);
        if (part)
            fprintf(to, "== %s\n", names[k]->d_name);
        if (part && !strcmp(names[k]->d_name, "variables.gp"))
            put_variables(to, part);
        else if (part)
            fputs(part, to);
        free(names[k]);
    }
    free(names);
    fclose(to);
    return filled("%s", text);
}

static void compare_figure(const struct orr_target *target, const char *name)
{
    RELEASED_BY(orr_selection_release_scopes) struct orr_scopes scopes;
    RELEASED_BY(orr_plot_release) struct orr_plot plot;
    assert_int_equal(orr_selection_scopes(&scopes, &selection, target), 0);
    int code = orr_layout_show(NULL, &plot, &scopes.items[0]);
    for (size_t k = 1; code && k < scopes.count; k++) { /* the first machine that has it */
        orr_plot_release(&plot);
        orr_error_clear();
        code = orr_layout_show(NULL, &plot, &scopes.items[k]);
    }
    COMPARE(code ? refusal() : plot_text(&plot), "figures/%s.txt", name);
}

TEST_AROUND(figures, NULL, release_everything)
{
    begin_comparing();
    for (size_t k = 0; k < selection.target_count; k++) {
        const char *name = name_of(&selection.targets[k]);
        for (size_t d = 0; d < COUNT(drawn); d++)
            if (!strcmp(drawn[d], name))
                compare_figure(&selection.targets[k], name);
    }
    assert_same();
}

/* --- the other commands, by what they print --- */

/* Runs a command with the given words, the last one NULL, and with -r for each journal of `source`
 * (NULL: none): what it printed. */
static const char *printed_by(int (*command)(int, char **), const struct shown *source, ...)
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
    RELEASED_BY(free_text) char *text = file_text(path);
    unlink(path);
    if (status)
        fail_msg("%s ends with %d: %s", words[1], status, orr_error_text());
    assert_non_null(text);
    return filled("%s", text);
}

TEST(claims)
{
    static char *const words[] = {"feng",        "fujiwara", "gaburov",    "shan",
                                  "fujiwara/N2", "shan/S2",  "gaburov/G2", "feng/F1"};
    begin_comparing();
    for (size_t k = 0; k < COUNT(words); k++) {
        const char *claim = strchr(words[k], '/');
        COMPARE(printed_by(orr_cli_claims, &everything, words[k], NULL), "claims/%s.txt",
                claim ? claim + 1 : words[k]);
    }
    assert_same();
}

/* The audit of an experiment is its table, of any journals. */
TEST(audits)
{
    begin_comparing();
    COMPARE(printed_by(orr_cli_audit, &everything, "shan/table1", NULL), "tables/shan-table1.md");
    COMPARE(printed_by(orr_cli_audit, &everything, "shan/table1", "--json", NULL),
            "tables/shan-table1.json");
    assert_same();
}

TEST(situations)
{
    begin_comparing();
    COMPARE(printed_by(orr_cli_audit, &counted, "--situation", "shan/bpb", "shan/bpb-n3l", NULL),
            "situations/bpb-to-bpb-n3l.md");
    COMPARE(printed_by(orr_cli_audit, &counted, "--situation", "shan/bpb-n3l", "shan/bpb", "--json",
                       NULL),
            "situations/bpb-n3l-to-bpb.json");
    assert_same();
}

/* Without gnuplot: pictures are not text. */
TEST(report)
{
    const char *programs = filled("%s", getenv("PATH")), *path = filled("%s/report", folder);
    begin_comparing();
    setenv("PATH", folder, 1);
    printed_by(orr_cli_report, &processor, "-o", path, NULL);
    setenv("PATH", programs, 1);
    static const char *const pages[] = {"index", "shan", "sources"};
    for (size_t k = 0; k < sizeof pages / sizeof *pages; k++) {
        RELEASED_BY(free_text) char *page = file_text(filled("%s/%s.html", path, pages[k]));
        COMPARE(page, "report/%s.html", pages[k]);
    }
    assert_same();
}

TEST(comparisons)
{
    static const struct {
        const char *file, *a, *b, *option;
    } pairs[] = {
        {"opencl-cuda.md", GPU "@opencl:0.0", GPU "@cuda:0", "--format=md"},
        {"machines.json", GPU, CPU, "--format=json"},
        {"hosts.csv", GPU "@host", CPU "@host", "--format=csv"},
        {"rows.json", GPU "@opencl:0.0", GPU "@cuda:0", "--json"},
    };
    begin_comparing();
    for (size_t k = 0; k < COUNT(pairs); k++)
        COMPARE(printed_by(orr_cli_compare, NULL, pairs[k].a, pairs[k].b, pairs[k].option, NULL),
                "compare/%s", pairs[k].file);
    assert_same();
}

/* --- what the papers hold --- */

/* A paper and its experiments, one after the other. */
static void describe_paper(const struct orr_paper *paper)
{
    RELEASED_BY(free_text) char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    for (unsigned k = 0; k <= paper->experiments_count; k++) {
        const char *name =
            filled("%s%s%s", paper->key, k ? "/" : "", k ? paper->experiments[k - 1].name : "");
        fprintf(to, "== %s\n%s", name, printed_by(orr_cli_describe, NULL, name, NULL));
    }
    fclose(to);
    COMPARE(text, "papers/%s.txt", paper->key);
}

TEST(papers)
{
    char **keys = NULL;
    begin_comparing();
    assert_int_equal(orr_paper_keys(&keys), 0);
    for (char **key = keys; *key; key++) {
        RELEASED_BY(free_paper) struct orr_paper *paper;
        assert_int_equal(orr_paper_load(&paper, *key), 0);
        describe_paper(paper);
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

TEST(every_file_is_used)
{
    assert_every_file_is_used();
}

RUN_TESTS(begin, end)
