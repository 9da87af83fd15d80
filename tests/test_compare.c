/* SPDX-License-Identifier: MIT */
/* Comparing two sets of results: which cells are the same work, what counts as a difference, what
 * is printed. */
#include <sys/stat.h>

#include "compare/compare.h"
#include "ledger_for_tests.h"
#include "table_for_tests.h"

/* What is left out: optimised on cuda:0, data set random-3d of 1000 bodies and seed 1, eps = 0.1,
 * ok, a second, three processes 0.1 % apart, in each nine samples within half a percent on either
 * side, no hash of the data set, an id made of all of these. Others use `others` of 2 cores beside
 * its first `busy` processes, or all, or are so many on the GPU. */
struct made {
    const char *variant, *device, *parameters, *outcome, *sha256, *id, *extra;
    int n, seed, samples, processes, busy, on_gpu;
    double seconds, apart, others;
};

static const char *or_else(const char *text, const char *other)
{
    return text ? text : other;
}

static void put_samples(FILE *to, const struct made *m, double seconds)
{
    int count = m->samples ? m->samples : 9;
    fputs(",'samples':{'step_s':[", to);
    for (int k = 0; k < count; k++)
        fprintf(to, "%s%.17g", k ? "," : "",
                seconds * (count > 1 ? 0.995 + 0.01 * k / (count - 1) : 1));
    fputs("]}", to);
}

/* By how much of its time a process errs. The first is in the middle of all. */
static double error_of(const struct made *m, int process)
{
    return (m->apart > 0 ? m->apart : 0.001) * ((process + 1) / 2) * (process % 2 ? 1 : -1);
}

static void put_others(FILE *to, const struct made *m, int process)
{
    bool busy = !m->busy || process < m->busy;
    double cores = m->others > 0 && busy ? m->others : 0.01;
    int count = busy ? m->on_gpu : 0;
    fprintf(to, ",'surroundings':{'seconds':1,'cpus':2,'others_cores':%g,'gpu_processes':[0,%d]}",
            cores, count);
    if (cores > 0.1)
        fprintf(to, ",'beside':'others used %.2g of 2 cores'", cores);
    else if (count)
        fprintf(to, ",'beside':'%d other process on the GPU, 1 MiB'", count);
}

/* The record of one process. */
static void put_process(FILE *to, const struct made *m, int process)
{
    const char *variant = or_else(m->variant, "optimised"), *device = or_else(m->device, "cuda:0");
    const char *parameters = or_else(m->parameters, "'eps':0.1");
    int n = m->n ? m->n : 1000, made_seed = m->seed ? m->seed : 1;
    double seconds = (m->seconds > 0 ? m->seconds : 1) * (1 + error_of(m, process));
    const char *id = filled("%s %s %zu %d %d", variant, device, strlen(parameters), n, made_seed);
    fprintf(to,
            "{'record':'cell','round':%d,'id':'%s','experiment':'fujiwara/table2',"
            "'variant':'fujiwara/%s','device':'%s','dataset':{'name':'random-3d','n':%d,'seed':%d",
            process + 1, or_else(m->id, id), variant, device, n, made_seed);
    if (m->sha256)
        fprintf(to, ",'sha256':'%s'", m->sha256);
    fprintf(to, "},'parameters':{%s},'outcome':'%s','seconds':%.17g", parameters,
            or_else(m->outcome, "ok"), seconds);
    put_samples(to, m, seconds);
    if (m->others > 0 || m->on_gpu)
        put_others(to, m, process);
    fprintf(to, "%s}\n", or_else(m->extra, ""));
}

/* A journal of the machine; `path` ends with XXXXXX. */
static void write_journal(char *path, const char *machine, const char *commit,
                          const struct made *cells, size_t count)
{
    int fd = mkstemp(path);
    FILE *to = fd < 0 ? NULL : fdopen(fd, "w");
    assert_non_null(to);
    fprintf(to,
            "{'record':'run','run':'r','started':'2026-01-01T00:00:00Z','machine':{'name':'%s'},"
            "'orrery':{'version':'1','commit':'%s'},'devices':[{'id':'cuda:0','name':'Card',"
            "'driver':'driver of %s'}]}\n",
            machine, commit, commit);
    for (size_t k = 0; k < count; k++)
        for (int p = 0; p < (cells[k].processes ? cells[k].processes : 3); p++)
            put_process(to, &cells[k], p);
    assert_int_equal(fclose(to), 0);
    quote_records(path);
}

/* A journal of one machine, and the device that is named of it. */
struct side {
    const struct made *cells;
    size_t count;
    const char *device;
};
#define COUNT(list) (sizeof(list) / sizeof *(list))
#define ON(device, list) ((struct side){list, COUNT(list), device})
#define OF(list) ON("", list)
#define ONE(cell) ((struct side){&(cell), 1, ""})

/* The comparison that is looked at. */
static struct {
    char paths[2][64];
    struct orr_comparison comparison;
} t;

static int end_trial(void **state)
{
    orr_compare_release(&t.comparison);
    for (int k = 0; k < 2; k++)
        unlink(t.paths[k]);
    return 0;
}

/* What orr_compare_make or a step before it returns. */
static int compare_by_rule(struct side a, struct side b, const struct orr_cell_globs *globs,
                           double margin)
{
    static const struct orr_cell_globs all = {{NULL, 0}, {NULL, 0}};
    const struct side sides[] = {a, b};
    char words[2][128], *both[] = {words[0], words[1]};
    end_trial(NULL);
    for (int k = 0; k < 2; k++) {
        strcpy(t.paths[k], "/tmp/orrery-compare-XXXXXX");
        write_journal(t.paths[k], "unit", k ? "after" : "before", sides[k].cells, sides[k].count);
        snprintf(words[k], sizeof words[k], "%s%s%s", t.paths[k], *sides[k].device ? "@" : "",
                 sides[k].device);
    }
    int code = orr_compare_load(&t.comparison, both, 2, "fujiwara/table2");
    return code ? code
                : orr_compare_make(&t.comparison, globs ? globs : &all,
                                   &(struct orr_compare_rule){margin, margin});
}

static int compare(struct side a, struct side b)
{
    return compare_by_rule(a, b, NULL, ORR_COMPARE_MARGIN);
}

/* The number that a query on the tables of compare.sql gives. */
static double asked(const char *sql)
{
    double number = NAN;
    assert_done(orr_ledger_numbers(&number, 1, &t.comparison.selection.ledger, sql, "") < 0);
    return number;
}

/* How many pairs a finding has. */
static int found(const char *finding)
{
    return (int)asked(filled("SELECT count(*) FROM pair WHERE finding = '%s'", finding));
}

/* What was found of the only cell, and that is all. */
static void assert_found(int code, const char *finding)
{
    assert_done(code);
    assert_int_equal(asked("SELECT count(*) FROM pair"), 1);
    assert_int_equal(found(finding), 1);
}

/* Cells only in A that are in B but for a parameter that one of the two does not have. */
#define ALMOST                                                                                 \
    "SELECT count(DISTINCT p.a) FROM pair p JOIN candidate c USING (a) WHERE finding = 'only " \
    "in A' AND likeness = 3 AND agree"

TEST(times_are_judged)
{
    const struct made two = {.seconds = 2}, one = {.seconds = 1};
    int code = compare(ONE(two), ONE(one));
    assert_done(code);
    double ratio = asked("SELECT ratio FROM pair"), low = asked("SELECT low FROM pair"),
           high = asked("SELECT high FROM pair");
    assert_true(ratio == 2 && low < 2 && low > 1.97 && high > 2 && high < 2.03);
    assert_found(code, "faster");
}

TEST(what_is_found_of_a_cell)
{
    static const struct {
        struct made a, b;
        const char *finding;
    } cases[] = {
        {{.seconds = 1}, {.seconds = 2}, "slower"},
        {{.seconds = 1}, {.seconds = 1.001}, "same"},
        {{.seconds = 1}, {.seconds = 1}, "same"},
        /* Fewer than three processes say nothing, whatever the difference; samples need not be
         * more than one. */
        {{.processes = 1}, {.seconds = 5}, "unclear"},
        {{.processes = 2}, {.seconds = 5}, "unclear"},
        {{.seconds = 5}, {.processes = 1}, "unclear"},
        {{.seconds = 5}, {.processes = 2}, "unclear"},
        {{.samples = 1}, {.seconds = 5, .samples = 1}, "slower"},
        /* What varies between processes decides, however many samples each of them took. */
        {{.seconds = 1.05, .apart = 0.05, .samples = 99},
         {.apart = 0.05, .samples = 99},
         "not told apart"},
        {{.apart = 0.05, .samples = 99}, {.apart = 0.05, .samples = 99}, "not told apart"},
        {{.seconds = 1.05, .apart = 0.002, .samples = 99},
         {.apart = 0.002, .samples = 99},
         "faster"},
        {{0}, {.outcome = "wrong"}, "broken"},
        {{.outcome = "wrong"}, {0}, "mended"},
        {{.outcome = "wrong"}, {.outcome = "wrong"}, "failed in both"},
        {{0}, {.extra = ",'extrapolated_from':'x'"}, "extrapolated"},
        {{.extra = ",'extrapolated_from':'x'"}, {.outcome = "wrong"}, "extrapolated"},
        {{.sha256 = "aa"}, {.sha256 = "bb"}, "other data"},
        {{.sha256 = "aa"}, {.sha256 = "aa"}, "same"},
        {{.sha256 = "aa"}, {0}, "same"},
    };
    for (size_t k = 0; k < COUNT(cases); k++) {
        print_message("case %zu: %s\n", k, cases[k].finding);
        assert_found(compare(ONE(cases[k].a), ONE(cases[k].b)), cases[k].finding);
    }
}

static const char *judged(double seconds, double margin)
{
    const struct made a = {0}, b = {.seconds = seconds};
    static const char *const findings[] = {"faster", "slower", "same", "not told apart"};
    assert_done(compare_by_rule(ONE(a), ONE(b), NULL, margin));
    const char *finding = NULL;
    for (size_t k = 0; k < COUNT(findings); k++)
        if (found(findings[k]))
            finding = findings[k];
    assert_non_null(finding);
    return finding;
}

/* 1.5 % is significant here; whether it is a difference is for the margin to say. */
TEST(the_margin_decides_what_matters)
{
    assert_string_equal(judged(1.015, 0.02), "same");
    assert_string_equal(judged(1.015, 0.01), "slower");
    assert_string_equal(judged(1 / 1.015, 0.01), "faster");
    assert_string_equal(judged(1.019, 0.02), "not told apart");
    assert_string_equal(judged(1, 0.02), "same");
    assert_string_equal(judged(1, 0), "not told apart"); /* nothing is within no margin */
}

/* A difference of 5 % between processes 2 % apart has a p below 0.05. Among forty such cells it is
 * what chance gives, unless the others differ, too. */
TEST(one_p_of_forty_is_no_finding)
{
    enum { CELLS = 40 };
    struct made a[CELLS], b[CELLS];
    for (int k = 0; k < CELLS; k++)
        a[k] = b[k] = (struct made){.n = 1000 + k, .apart = 0.022, .seconds = 1};
    a[0].seconds = 1.053;
    assert_done(compare(OF(a), OF(b)));
    double p = asked("SELECT p_different FROM pair WHERE place = 1");
    assert_true(p > 0.005 && p < 0.045);
    assert_float_equal(asked("SELECT p_adjusted FROM pair WHERE place = 1"), fmin(1, CELLS * p),
                       1e-9);
    assert_int_equal(found("faster") + found("slower"), 0);
    for (int k = 1; k < CELLS; k++)
        a[k].seconds = 1.5;
    assert_done(compare(OF(a), OF(b)));
    assert_int_equal(found("faster"), CELLS);
    assert_float_equal(asked("SELECT p_adjusted FROM pair WHERE place = 1"), p, 1e-9);
    assert_done(asked("SELECT count(*) FROM pair x JOIN pair y ON x.p_different <"
                      " y.p_different AND x.p_adjusted > y.p_adjusted"));
}

/* A worker that died knew only what was set, and the record says no more. */
TEST(a_crash_is_the_cell_that_was_asked_for)
{
    struct made ok = {.parameters = "'block':256,'eps':0.1", .id = "i"};
    struct made crashed = {.parameters = "'block':256", .outcome = "crashed", .id = "i"};
    assert_found(compare(ONE(ok), ONE(crashed)), "broken");
    crashed.id = "another device has another id";
    crashed.device = "cuda:1";
    int code = compare((struct side){&ok, 1, "cuda:0"}, (struct side){&crashed, 1, "cuda:1"});
    assert_found(code, "broken");
    crashed.parameters = "'block':128";
    assert_int_equal(compare((struct side){&ok, 1, "cuda:0"}, (struct side){&crashed, 1, "cuda:1"}),
                     ORR_EUSAGE);
    assert_says("differs in some parameter");
}

/* Which of two the dead worker was cannot be told by what it knew. */
TEST(a_crash_that_could_be_two_cells_is_neither)
{
    const struct made a[] = {{.parameters = "'block':256,'eps':0.1", .id = "i"},
                             {.parameters = "'block':128,'eps':0.1", .id = "j"},
                             {.variant = "no-unrolling"}};
    const struct made b[] = {{.parameters = "", .outcome = "crashed", .id = "k"},
                             {.variant = "no-unrolling"}};
    assert_done(compare(OF(a), OF(b)));
    assert_int_equal(found("only in A"), 2);
    assert_int_equal(found("only in B"), 1);
    assert_int_equal(found("same"), 1);
}

/* A default that changed makes other work of the same request, and both labels say so. */
TEST(other_parameters_are_other_work)
{
    const struct made a[] = {{.id = "i"}, {.n = 2000}};
    const struct made b[] = {{.parameters = "'eps':0.2", .id = "i"}, {.n = 2000}};
    assert_done(compare(OF(a), OF(b)));
    assert_int_equal(found("same"), 1);
    assert_int_equal(
        asked("SELECT count(*) FROM pair JOIN compared ON cell_key = coalesce(a, b) WHERE label"
              " = iif(b IS NULL, 'optimised (eps=0.1)', 'optimised (eps=0.2)')"),
        2);
    assert_int_equal(asked(ALMOST), 0);
}

TEST(a_parameter_that_is_new_is_said)
{
    const struct made a[] = {{.n = 1000}, {.n = 2000}};
    const struct made b[] = {{.parameters = "'eps':0.1,'walk':'one'"}, {.n = 2000}};
    assert_done(compare(OF(a), OF(b)));
    assert_int_equal(asked(ALMOST), 1);
}

static const struct made of_devices[] = {{.device = "cuda:0", .seconds = 1},
                                         {.device = "opencl:0.0", .seconds = 2},
                                         {.variant = "cpu-simd", .device = "host"}};

TEST(devices_are_compared_where_they_are_named)
{
    assert_done(compare(OF(of_devices), OF(of_devices)));
    assert_int_equal(found("same"), 3);
    int code = compare(ON("opencl:0.0", of_devices), ON("cuda:0", of_devices));
    assert_found(code, "faster"); /* the host is left out */
    code = compare(ON("cuda:0", of_devices), ON("opencl:0.0", of_devices));
    assert_found(code, "slower");
}

TEST(a_missing_device_is_answered_with_those_there_are)
{
    assert_int_equal(compare(ON("cuda:0", of_devices), ON("cuda:1", of_devices)), ORR_EUSAGE);
    assert_says("no results on a device 'cuda:1'; there are: cuda:0, host, opencl:0.0");
}

TEST(nothing_in_common_has_a_reason)
{
    static const struct made nothing;
    static const struct {
        struct made b;
        const char *why;
    } cases[] = {
        {{.variant = "no-unrolling"}, "no variant of any experiment is in both"},
        {{.device = "cuda:1"}, "A's are cuda:0 and B's cuda:1; compare one of each with A@DEVICE"},
        {{.n = 2000}, "data set, n, seed or level differ"},
        {{.seed = 2}, "data set, n, seed or level differ"},
        {{.parameters = "'eps':0.2"}, "differs in some parameter"}};
    for (size_t k = 0; k < COUNT(cases); k++) {
        assert_int_equal(compare(ONE(nothing), ONE(cases[k].b)), ORR_EUSAGE);
        if (!strstr(orr_error_text(), "1 cells) is in B"))
            fail_msg("%s", orr_error_text());
        assert_says(cases[k].why);
    }
}

TEST(globs_choose_cells)
{
    char *names[] = {(char *)"opt*", (char *)"random-2d"};
    const struct orr_cell_globs only = {.only = {names, 1}}, none = {.only = {&names[1], 1}};
    const struct made cells[] = {
        {.n = 1000}, {.variant = "no-unrolling"}, {.variant = "cpu-simd", .device = "host"}};
    assert_found(compare_by_rule(OF(cells), OF(cells), &only, ORR_COMPARE_MARGIN), "same");
    assert_int_equal(compare_by_rule(OF(cells), OF(cells), &none, ORR_COMPARE_MARGIN), ORR_EUSAGE);
    assert_says("leave none of the 3 cells");
}

TEST(a_side_is_one_machine)
{
    char folder[] = "/tmp/orrery-compare-XXXXXX", paths[2][64];
    assert_non_null(mkdtemp(folder));
    char *words[] = {folder, folder};
    end_trial(NULL);
    assert_fails(orr_compare_load(&t.comparison, words, 2, "fujiwara"), ORR_EUSAGE, "holds a cell");
    orr_compare_release(&t.comparison);
    for (int k = 0; k < 2; k++) {
        static const struct made cell;
        snprintf(paths[k], sizeof paths[k], "%s/XXXXXX", folder);
        write_journal(paths[k], k ? "one" : "other", "c", &cell, 1);
        assert_int_equal(rename(paths[k], filled("%s.jsonl", paths[k])), 0);
    }
    assert_fails(orr_compare_load(&t.comparison, words, 2, "fujiwara"), ORR_EUSAGE,
                 "results of 2 machines, and a side is one: name the folder, a journal or the "
                 "machine of one of them"
                 " (one, other)");
    orr_compare_release(&t.comparison);
    assert_int_equal(system(filled("rm -r %s", folder)), 0);
}

TEST(words_are_taken_apart)
{
    struct orr_compare_operand side;
    assert_int_equal(orr_compare_parse(&side, "A", "nvidia-h200@cuda:0"), 0);
    assert_string_equal(side.where, "nvidia-h200");
    assert_string_equal(side.device, "cuda:0");
    assert_int_equal(orr_compare_parse(&side, "A", "results/old"), 0);
    assert_string_equal(side.device, "");
    char folder[] = "/tmp/orrery@compare-XXXXXX";
    assert_non_null(mkdtemp(folder));
    assert_int_equal(orr_compare_parse(&side, "A", folder), 0);
    assert_string_equal(side.where, folder);
    assert_string_equal(side.device, "");
    rmdir(folder);
    assert_fails(orr_compare_parse(&side, "B", "old@"), ORR_EUSAGE, "B, 'old@', lacks its device");
    assert_fails(orr_compare_parse(&side, "A", "@cuda:0"), ORR_EUSAGE,
                 "A, '@cuda:0', lacks its journals");
}

static const char *written(const char *format)
{
    RELEASED_BY(orr_document_release) struct orr_document document;
    assert_done(orr_compare_document(&document, &t.comparison, "compare"));
    return text_in(format, &document);
}

/* --- others beside the cells --- */

static const struct made quiet = {.seconds = 1}, busy = {.seconds = 1, .others = 0.9};

static struct made taking(struct made cell, double seconds)
{
    cell.seconds = seconds;
    return cell;
}

TEST(others_beside_cells_limit_the_verdict)
{
    const struct made less = {.seconds = 1, .others = 0.6}, on_gpu = {.seconds = 1, .on_gpu = 1};
    const struct made once = {.seconds = 2, .others = 0.9, .processes = 5, .busy = 1};
    const struct {
        struct made a, b;
        const char *finding;
    } cases[] = {
        /* Others make nothing faster: beside B alone, B cannot be called slower, nor as fast. */
        {quiet, taking(busy, 2), "unclear"},
        {quiet, taking(busy, 0.5), "faster"},
        {quiet, busy, "unclear"},
        {busy, taking(quiet, 0.5), "unclear"},
        {busy, taking(quiet, 2), "slower"},
        {busy, quiet, "unclear"},
        {quiet, taking(on_gpu, 2), "unclear"},
        {quiet, taking(on_gpu, 0.5), "faster"},
        {{.seconds = 1, .others = 0.2}, taking(busy, 2), "unclear"},
        /* Beside both, as when both are measured beside the same program. */
        {busy, taking(less, 2), "slower"},
        {less, taking(busy, 2), "slower"},
        {busy, taking(less, 0.5), "faster"},
        /* They may have hidden a difference, and may have made one. */
        {busy, less, "unclear"},
        {busy, taking(less, 1.2), "unclear"},
        {busy, taking(less, 0.6), "unclear"},
        {on_gpu, taking(on_gpu, 2), "unclear"},
        /* One process of five moves no median; two processes are too few, whatever they did. */
        {quiet, once, "slower"},
        {quiet, {.seconds = 2, .others = 0.9, .processes = 5, .busy = 3}, "unclear"},
        {quiet, {.seconds = 2, .others = 0.9, .processes = 2, .busy = 1}, "unclear"}};
    for (size_t k = 0; k < COUNT(cases); k++) {
        print_message("case %zu: %s\n", k, cases[k].finding);
        assert_found(compare(ONE(cases[k].a), ONE(cases[k].b)), cases[k].finding);
    }
}

static const struct made was[] = {{.seconds = 2},
                                  {.n = 2000, .seconds = 3, .others = 0.8},
                                  {.n = 3000, .seconds = 3},
                                  {.n = 4000}};
static const struct made is[] = {{.seconds = 4, .others = 0.9},
                                 {.n = 2000, .seconds = 6, .others = 0.7},
                                 {.n = 3000, .seconds = 4},
                                 {.n = 4000}};

/* The comparison in a format holds these. */
#define SHOWS(format, ...) HOLDS(written(format), __VA_ARGS__)

/* Each verdict on such cells has the mark, in whatever format. */
TEST(a_verdict_says_what_others_did)
{
    char line[2000];
    assert_done(compare(OF(was), OF(is)));
    assert_int_equal(found("slower"), 2);
    assert_int_equal(found("unclear"), 1);
    SHOWS("md", "| unclear, with co-runners |", "| slower, with co-runners  |", "| slower  ",
          "| same  ",
          "B: 1 cell measured with more co-runners than the other side's; `orrery run "
          "fujiwara/table2 --device cuda:0 --preset quick --repeats 3` without these decides",
          "A: 1 of these cells was measured with co-runners; optimised, random-3d N = 2000 on "
          "cuda:0: others used 0.8 of 2 cores",
          "B: 2 of these cells were measured with co-runners; the busiest: optimised, random-3d N "
          "= 1000");
    SHOWS("csv", ",verdict,why,beside_a,beside_b,",
          ",unclear,co-runners did more during B,,others used 0.9 of 2 cores,",
          ",slower,,others used 0.8 of 2 cores,others used 0.7 of 2 cores,", ",slower,,,,");
    SHOWS("json", "\"why\": \"co-runners did more during B\"",
          "\"beside_b\": \"others used 0.9 of 2 cores\"");
    SHOWS("tex", "slower, with co-runners");
    assert_int_equal(orr_compare_remark(line, sizeof line, &t.comparison.queries, "worse"), 1);
    assert_string_equal(line,
                        "2 cells slower, 0 broken: fujiwara/table2 optimised, random-3d N = 2000 "
                        "on cuda:0 (0.5 times as fast, with co-runners); fujiwara/table2 "
                        "optimised, random-3d N = 3000 on cuda:0 (0.75 times as fast)");
}

TEST(measured_twice_beside_others)
{
    RELEASED_BY(orr_document_release) struct orr_document document;
    char text[2000];
    assert_done(compare(OF(was), OF(is)));
    assert_int_equal(orr_compare_document(&document, &t.comparison, "twice"), 0);
    assert_int_equal(orr_compare_remark(text, sizeof text, &t.comparison.queries, "twice_found"),
                     1);
    json_auto_t *found = json_loads(text, 0, NULL);
    assert_int_equal(json_integer_value(json_object_get(found, "comparisons")), 3);
    assert_int_equal(json_integer_value(json_object_get(found, "unclear")), 1);
    assert_int_equal(json_integer_value(json_object_get(found, "beside")), 1);
}

static const struct made before[] = {{.seconds = 2},
                                     {.n = 2000, .seconds = 3},
                                     {.n = 3000, .seconds = 7777},
                                     {.variant = "no-unrolling", .n = 4000}};
static const struct made after[] = {
    {.seconds = 1},
    {.n = 2000, .seconds = 4},
    {.n = 3000, .seconds = 7654, .outcome = "wrong", .extra = ",'reason':'bad'"},
    {.variant = "no-unrolling", .n = 5000}};

TEST(both_sides_and_every_row_are_shown)
{
    assert_done(compare(OF(before), OF(after)));
    const char *text = written("md");
    HOLDS(text, "A driver: cuda:0 driver of before", "B driver: cuda:0 driver of after",
          "B orrery: 1 commit after", " 2.00 [2.00, 2.00] | faster ", "| faster ", " 0.750 [",
          " wrong |  ", "| broken ", "| only in A      |     1 |",
          "| fujiwara/optimised | cuda:0 |     2 |            1.38 |    0.750 |    2.00 |",
          "broken: fujiwara/table2 optimised, random-3d N = 3000 on cuda:0: wrong in B: round 1: "
          "bad");
    assert_null(strstr(text, "7654")); /* a time that is not ok */
    text = written("csv");
    assert_null(strstr(text, "7654"));
    const char *row = strstr(text, ",ok,wrong,7777,,");
    assert_non_null(row);
    assert_non_null(strstr(row, ",,,,,,,broken"));
}

TEST(what_got_worse_is_named)
{
    char line[2000];
    assert_done(compare(OF(before), OF(after)));
    assert_int_equal(orr_compare_remark(line, sizeof line, &t.comparison.queries, "worse"), 1);
    assert_string_equal(
        line,
        "1 cell slower, 1 broken: fujiwara/table2 optimised, random-3d N = 2000 on cuda:0 (0.75"
        " times as fast); fujiwara/table2 optimised, random-3d N = 3000 on cuda:0 (wrong)");
    assert_done(compare(OF(before), OF(before)));
    assert_int_equal(orr_compare_remark(line, sizeof line, &t.comparison.queries, "worse"), 0);
}

RUN_TESTS(NULL, end_trial)
