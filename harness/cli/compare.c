/* SPDX-License-Identifier: MIT */
/* orrery compare: the same work in two sets of results. */
#include <math.h>
#include <signal.h>

#include "cli/cli.h"
#include "compare/compare.h"
#include "referee/cell_record.h"

struct request {
    char **line; /* the command line, up to NULL */
    int sides;   /* words of `what` that name results; one behind them names an experiment */
    struct orr_words what;
    struct orr_cell_globs globs;
    const char *format, *path, *fail_on, *margin, *junit;
    bool as_json, self, measures; /* it names options of --self */
    struct orr_compare_rule rule;
};

/* --- options --- */

/* "2%" as 0.02. False for what is no percentage from 0 to below 100. */
static bool parse_percentage(double *out, const char *text)
{
    char *end;
    *out = strtod(text, &end) / 100;
    end += strspn(end, " ");
    return end > text && *out >= 0 && *out < 1 && !strcmp(end, "%");
}

/* --margin and --fail-on. */
static int parse_rule(struct request *request)
{
    struct orr_compare_rule *rule = &request->rule;
    const char *fail_on = request->fail_on, slower[] = "slower:";
    rule->margin = ORR_COMPARE_MARGIN;
    if (request->margin && !parse_percentage(&rule->margin, request->margin))
        return orr_fail(ORR_EUSAGE, "--margin takes a percentage below 100, as in 2%%, not '%s'",
                        request->margin);
    rule->beyond = rule->margin;
    if (!fail_on || !strcmp(fail_on, "slower"))
        return 0;
    if (!strcmp(fail_on, "broken"))
        rule->beyond = INFINITY;
    else if (strncmp(fail_on, slower, strlen(slower)) ||
             !parse_percentage(&rule->beyond, fail_on + strlen(slower)))
        return orr_fail(ORR_EUSAGE, "--fail-on takes slower, slower:5%% or broken, not '%s'",
                        fail_on);
    return 0;
}

static int print_comparison(const struct orr_comparison *comparison, const struct request *request,
                            const struct orr_format *format)
{
    __attribute__((cleanup(orr_cli_release_documents))) struct orr_documents all = {0};
    struct orr_document *document = orr_cli_new_document(&all);
    int code = comparison->count == 2
                   ? orr_compare_document(document, comparison, "compare")
                   : orr_compare_across(document, &comparison->selection, NULL, &request->globs);
    if (code || !request->as_json)
        return code ? code : orr_cli_write_documents(&all, format, request->path);
    json_auto_t *rows = orr_grid_json(document->data);
    return orr_cli_table_json(orr_cli_with_schema(rows, ORR_COMPARE_SCHEMA));
}

static int write_cases(const struct orr_comparison *comparison, const char *path)
{
    const struct orr_ledger *ledger = &comparison->selection.ledger;
    json_auto_t *cases = json_array();
    sqlite3_stmt *statement;
    return orr_ledger_query(&statement, ledger, "SELECT * FROM test_case", "") ||
                   orr_cli_query_rows(cases, ledger, statement, "") ||
                   orr_cli_junit(path, "compare", cases)
               ? orr_error_failed()
               : 0;
}

/* Prints what is worse, or cannot be told, as --fail-on asks. */
static int judge_differences(const struct orr_comparison *comparison)
{
    char worse[2000], unclear[300];
    const int found = orr_compare_remark(worse, sizeof worse, &comparison->queries, "worse"),
              open = orr_compare_remark(unclear, sizeof unclear, &comparison->queries, "unclear");
    if (found < 0 || open < 0)
        return orr_error_failed();
    if (found)
        fprintf(stderr, "orrery: %s\n", worse);
    if (open)
        fprintf(stderr, "orrery: %s\n", unclear);
    return found ? ORR_EXIT_DIFFERENCE : ORR_EXIT_OK;
}

static int compare_sets(const struct request *request)
{
    __attribute__((cleanup(orr_compare_release))) struct orr_comparison comparison = {0};
    const struct orr_words *what = &request->what;
    const struct orr_format *format = orr_format_find(request->format ? request->format : "md");
    if (!format ||
        orr_compare_load(&comparison, what->items, (size_t)request->sides,
                         what->count > request->sides ? what->items[request->sides] : NULL))
        return orr_error_failed();
    orr_cli_warn_damaged(&comparison.selection.ledger.damage);
    if ((comparison.count == 2 && orr_compare_make(&comparison, &request->globs, &request->rule)) ||
        (request->junit && write_cases(&comparison, request->junit)))
        return orr_error_failed();
    const int status = print_comparison(&comparison, request, format);
    return status || !request->fail_on ? status : judge_differences(&comparison);
}

static int check_self(const struct request *request)
{
    if (!request->what.count)
        return orr_fail(ORR_EUSAGE, "compare --self measures twice: name experiments or papers, as "
                                    "in `orrery compare --self fujiwara/table2`");
    if (request->fail_on || request->format || request->junit)
        return orr_fail(ORR_EUSAGE, "--self goes with none of --fail-on, --format and --junit");
    return 0;
}

/* The word is a paper's key, with or without an experiment behind it. */
static bool names_paper(const char *word)
{
    char **keys = NULL, *key = orr_memory_part(word, strcspn(word, "/"));
    if (orr_paper_keys(&keys))
        orr_error_clear();
    const bool found = orr_names_has(keys, key);
    orr_names_free(keys);
    free(key);
    return found;
}

/* The last of three words and more names an experiment or paper unless there are results of that
 * name. */
static int count_sides(struct request *request)
{
    const int words = request->what.count;
    struct orr_compare_operand last;
    request->sides = words;
    if (words < 3)
        return 0;
    int code = orr_compare_parse(&last, "", request->what.items[words - 1]);
    if (!code && !orr_ledger_finds(last.where)) {
        if (!names_paper(last.word))
            return orr_fail(ORR_EUSAGE,
                            "'%s' is neither results (a journal, folder or machine) nor an "
                            "experiment or paper; `orrery list experiments` names these",
                            last.word);
        request->sides = words - 1;
    }
    if (!code && request->sides > 2 && (request->fail_on || request->margin || request->junit))
        return orr_fail(ORR_EUSAGE,
                        "--fail-on, --margin and --junit judge two sets of results, not %d",
                        request->sides);
    return code;
}

static int check_sides(const struct request *request)
{
    if (request->what.count < 2)
        return orr_fail(
            ORR_EUSAGE,
            "compare takes two sets of results, and an experiment or paper behind them where not"
            " everything is wanted, as in `orrery compare results/old results/new "
            "fujiwara/table2`");
    if (request->measures)
        return orr_fail(ORR_EUSAGE, "options of `orrery run`, --device and --preset among them, "
                                    "go with --self");
    if (request->as_json && (request->format || request->path))
        return orr_fail(
            ORR_EUSAGE,
            "--json writes rows to standard output: it goes with neither --format nor --output");
    return 0;
}

static int check_request(struct request *request)
{
    if (request->self ? check_self(request) : check_sides(request) || count_sides(request))
        return orr_error_code();
    return parse_rule(request);
}

/* --- --self: the same cells measured by two runs --- */

enum { PATH_SIZE = 1024 };

/* `run` with the words of this command line, up to NULL, but for those that are not its. */
static char **command_of(int *count, char **line)
{
    static char run[] = "run", margin[] = "--margin";
    char **out = orr_memory_get((orr_names_count(line) + 1) * sizeof *out), **to = out;
    *to++ = run;
    for (char **word = line + 1; *word; word++)
        if (!strcmp(*word, margin))
            word++; /* and its value */
        else if (strcmp(*word, "--self") && strcmp(*word, "--json") &&
                 (strncmp(*word, margin, strlen(margin)) || (*word)[strlen(margin)] != '='))
            *to++ = *word;
    *count = (int)(to - out);
    return out;
}

/* The exit code. What the run prints goes to stderr; signals are this process's again when it has
 * ended, and so is an interruption that came too late for it. */
static int measure_once(char *journal, char **command, int count)
{
    sigset_t signals;
    FILE *out = stdout;
    fflush(stdout);
    stdout = stderr;
    sigprocmask(SIG_SETMASK, NULL, &signals);
    int status = orr_cli_run_journal(count, command, journal, PATH_SIZE);
    sigprocmask(SIG_SETMASK, &signals, NULL);
    stdout = out;
    return status;
}

/* Appends what was found to the second journal. A journal is named after its run. */
static int append_self_record(json_t *found, const char *first, const char *second)
{
    struct orr_journal journal = {.fd = -1};
    char finished[32];
    const char *name = strrchr(first, '/') + 1;
    orr_cell_record_now(finished);
    json_auto_t *record = json_pack("{s:s, s:s, s:s%}", "record", "self", "finished", finished,
                                    "first", name, strcspn(name, "."));
    json_object_update(record, found);
    int code = orr_journal_reopen(&journal, second);
    if (!code)
        code = orr_journal_append(&journal, record);
    orr_journal_close(&journal);
    return code;
}

static int compare_twice(const struct request *request, char *const journals[2])
{
    static const struct orr_cell_globs all = {{NULL, 0}, {NULL, 0}};
    __attribute__((cleanup(orr_compare_release))) struct orr_comparison comparison = {0};
    __attribute__((cleanup(orr_document_release))) struct orr_document document = {0};
    char text[2000];
    if (orr_compare_load(&comparison, journals, 2, NULL))
        return orr_error_failed();
    orr_cli_warn_damaged(&comparison.selection.ledger.damage);
    if (orr_compare_make(&comparison, &all, &request->rule) ||
        orr_compare_document(&document, &comparison, "twice") ||
        orr_compare_remark(text, sizeof text, &comparison.queries, "twice_found") < 0)
        return orr_error_failed();
    json_auto_t *found = json_loads(text, 0, NULL);
    if (append_self_record(found, journals[0], journals[1]))
        return orr_error_failed();
    if (request->as_json)
        return orr_cli_table_json(found);
    return orr_format_md.write(stdout, &document, 1);
}

/* --self: measures twice, prints how often and by how much the two differ, and keeps that in the
 * second journal. The exit code: of a run that did not finish, else as of other comparisons. */
static int measure_twice(const struct request *request)
{
    char journals[2][PATH_SIZE], *words[] = {journals[0], journals[1]};
    int count, status = ORR_EXIT_OK;
    char **command = command_of(&count, request->line);
    for (int k = 0; k < 2; k++) {
        fprintf(stderr, "orrery: measuring %s\n", k ? "again" : "the first time");
        status = measure_once(journals[k], command, count);
        if (!*journals[k] ||
            (status != ORR_EXIT_OK && status != ORR_EXIT_WRONG && status != ORR_EXIT_SOME_FAILED))
            break;
        orr_error_clear();
        if (k == 1)
            status = compare_twice(request, words);
    }
    free(command);
    return status;
}

int orr_cli_compare(int argc, char **argv)
{
    struct request request = {.line = argv};
    const struct orr_option options[] = {
        {"margin", &request.margin},   {"fail-on", &request.fail_on},
        {"only", &request.globs.only}, {"exclude", &request.globs.exclude},
        {"junit", &request.junit},     {"json", &request.as_json},
        {"format", &request.format},   {"output", &request.path},
        {"self", &request.self}};
    int code = orr_options_parse("compare", ORR_OPTIONS(options), argc, argv, &request.what);
    request.measures =
        !code && orr_options_beyond("margin fail-on only exclude junit json format output self");
    if (code || (code = check_request(&request)))
        return code;
    return request.self ? measure_twice(&request) : compare_sets(&request);
}
