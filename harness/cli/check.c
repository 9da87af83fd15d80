/* orrery check: somebody's results, read as a reviewer does. */
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "claims/claims.h"
#include "cli/check_parts.h"
#include "cli/table_io.h"
#include "cli/cli.h"
#include "error.h"
#include "json_member.h"
#include "text.h"

struct check {
    struct orr_words from;
    const char *expected; /* verdicts of theirs; NULL: claims.json beside the results */
    double timeout_s;
    bool as_json;
    struct orr_selection selection;
    json_t *faults;   /* texts: what no run can have written */
    json_t *wrong;    /* cells that are ok by their outcome and not by their errors */
    json_t *remarks;  /* what a reader should know */
    json_t *rows;     /* verdicts */
    json_t *changes;  /* of them against theirs */
    size_t theirs;    /* files of verdicts */
    const char *path; /* of the journal that is read */
    json_t *ids;      /* of its cells */
    json_t *strangers;
    bool ended;
};

/* --- journals --- */

/* <folder>/<run>.jsonl */
static bool is_named_after(const char *path, const char *run)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t length = strlen(run);
    return !strncmp(name, run, length) && !strcmp(name + length, ".jsonl");
}

static int read_record(json_t *record, size_t line, void *context)
{
    struct check *check = context;
    char why[200];
    const char *kind = orr_json_text(record, "record"), *run = orr_json_text(record, "run");
    if (orr_journal_misfit(why, sizeof why, record) || orr_journal_flaw(why, sizeof why, record))
        orr_check_say(check->faults, "%s:%zu: %s", check->path, line, why);
    else if (line == 1 && strcmp(kind, "run") != 0)
        orr_check_say(check->faults, "%s:1: it does not begin with a run", check->path);
    else if (!strcmp(kind, "run") && !is_named_after(check->path, run))
        orr_check_say(check->remarks, "%s is not named after its run, %s", check->path, run);
    else
        orr_check_id(check->faults, check->ids, record, check->path, line);
    check->ended = kind && (!strcmp(kind, "end") || !strcmp(kind, "self"));
    orr_journal_strangers(check->strangers, record);
    return 0;
}

static void hear_of_damage(void *listener, const char *path, size_t line, const char *why)
{
    const struct check *check = listener;
    orr_check_say(check->faults, "%s:%zu: %s", path, line, why);
}

static int read_journal(struct check *check, const char *path)
{
    struct orr_journal_damage damage = {.tell = hear_of_damage, .listener = check};
    check->path = path;
    check->ended = false;
    json_object_clear(check->ids);
    int code = orr_journal_read(path, read_record, check, &damage);
    if (!code && !check->ended)
        orr_check_say(check->remarks, "%s: its run did not come to its end", path);
    return code;
}

/* A journal may be named twice, by itself and by its folder. */
static bool was_read(const struct orr_ledger *ledger, size_t k)
{
    for (size_t before = 0; before < k; before++)
        if (!strcmp(ledger->paths[before], ledger->paths[k]))
            return true;
    return false;
}

static int read_journals(struct check *check)
{
    const struct orr_ledger *ledger = &check->selection.ledger;
    const char *name;
    json_t *value;
    int code = 0;
    for (size_t k = 0; k < ledger->journals && !code; k++)
        if (!was_read(ledger, k))
            code = read_journal(check, ledger->paths[k]);
    json_object_foreach (check->strangers, name, value) {
        orr_check_say(check->remarks, "this version of Orrery does not know the member %s", name);
    }
    return code;
}

/* Of folders that tools/artifact.sh wrote, say. */
static void remark_on_hashes(struct check *check)
{
    for (int k = 0; k < check->from.count; k++) {
        char path[1100];
        struct stat status;
        snprintf(path, sizeof path, "%s/SHA256SUMS", check->from.items[k]);
        if (!stat(path, &status))
            orr_check_say(
                check->remarks,
                "%s: `sha256sum -c --strict SHA256SUMS` in its folder says whether the files are "
                "as they were",
                path);
    }
}

/* --- cells --- */

/* A cell is ok only within its own bounds; those of 0, in older journals, were not judged. */
static const char beyond[] =
    "SELECT printf('%s:%d: %s %s is ok with errors of %.3g, %.3g, %.3g (median, p99, max)"
    " and bounds of %.3g, %.3g, %.3g', path, line, experiment, variant, median, p99, most,"
    " bound_median, bound_p99, bound_max) FROM (SELECT *,"
    " iif(bound_by_terms, error_by_terms_median, error_median) AS median,"
    " iif(bound_by_terms, error_by_terms_p99, error_p99) AS p99,"
    " iif(bound_by_terms, error_by_terms_max, error_max) AS most FROM cells)"
    " WHERE outcome = 'ok' AND ((bound_median > 0 AND median > bound_median)"
    " OR (bound_p99 > 0 AND p99 > bound_p99) OR (bound_max > 0 AND most > bound_max))"
    " ORDER BY path || ':' || line";

static int check_bounds(struct check *check)
{
    sqlite3_stmt *row;
    int code = orr_ledger_query(&row, &check->selection.ledger, beyond, "");
    while (orr_ledger_row(&code, row, &check->selection.ledger))
        orr_check_say(check->wrong, "%s", orr_ledger_text(row, 0));
    return code;
}

/* --- copies of a journal --- */

static const char copies[] =
    "SELECT DISTINCT first.path, run.path FROM run JOIN (SELECT machine, run, min(path) AS path"
    " FROM run GROUP BY machine, run) first USING (machine, run) WHERE run.path <> first.path"
    " ORDER BY first.path || ' and ' || run.path";

/* Equal as far as both go: one may be of a time at which the run still went on. */
static bool are_alike(FILE *a, FILE *b)
{
    int x, y;
    do {
        x = getc(a), y = getc(b);
    } while (x == y && x != EOF);
    return x == EOF || y == EOF;
}

static int check_copy(struct check *check, const char *first, const char *second)
{
    const char *why;
    FILE *a = orr_plain_file_open(first, &why), *b = orr_plain_file_open(second, &why);
    int code = a && b ? 0 : orr_fail(ORR_EIO, "cannot read %s: %s", a ? second : first, why);
    if (!code && are_alike(a, b))
        orr_check_say(check->remarks, "%s and %s are of one run, which counts once", first, second);
    else if (!code)
        orr_check_say(check->faults, "%s and %s are of one run and differ; one of them was changed",
                      first, second);
    if (a)
        fclose(a);
    if (b)
        fclose(b);
    return code;
}

static int check_copies(struct check *check)
{
    sqlite3_stmt *row;
    int code = orr_ledger_query(&row, &check->selection.ledger, copies, "");
    while (orr_ledger_row(&code, row, &check->selection.ledger))
        code = check_copy(check, orr_ledger_text(row, 0), orr_ledger_text(row, 1));
    return code;
}

/* --- runs that do not fit together --- */

static int hear(bool is_fault, const char *text, void *context)
{
    struct check *check = context;
    orr_check_say(is_fault ? check->faults : check->remarks, "%s", text);
    return 0;
}

/* --- verdicts --- */

static int compare(struct check *check, const char *path)
{
    json_t *silent = json_array(), *key;
    const struct orr_expectation expectation = {.path = path,
                                                .papers = check->selection.papers,
                                                .paper_count = check->selection.paper_count,
                                                .silent = silent};
    size_t k;
    check->theirs++;
    int code = orr_cli_claims_changes(check->changes, check->rows, &expectation);
    json_array_foreach (silent, k, key) {
        orr_check_say(check->remarks, "%s says nothing of %s, which the results are of, too", path,
                      json_string_value(key));
    }
    json_decref(silent);
    return code;
}

static int first_journal(char *out, size_t size, const struct check *check, const char *named)
{
    sqlite3_stmt *row;
    int code =
        orr_ledger_query(&row, &check->selection.ledger,
                         "SELECT min(path) FROM run WHERE ?1 IN (machine, path)", "s", named);
    while (orr_ledger_row(&code, row, &check->selection.ledger))
        snprintf(out, size, "%s", orr_ledger_text(row, 0));
    return code;
}

/* What was named is a folder, else a journal or a machine: beside the first of its journals then.
 */
static int look_for_theirs(struct check *check)
{
    int code = 0;
    for (int k = 0; !code && k < check->from.count; k++) {
        char folder[1024], path[1100];
        struct stat status;
        snprintf(folder, sizeof folder, "%s", check->from.items[k]);
        if (stat(folder, &status) || !S_ISDIR(status.st_mode)) {
            code = first_journal(folder, sizeof folder, check, check->from.items[k]);
            snprintf(path, sizeof path, "%s/claims.json", dirname(folder));
        } else {
            snprintf(path, sizeof path, "%s/claims.json", folder);
        }
        if (!code && !stat(path, &status))
            code = compare(check, path);
    }
    return code;
}

static int judge(struct check *check)
{
    if (orr_cli_claims_judge(&check->selection, false) ||
        orr_cli_claims_gather(check->rows, &check->selection))
        return orr_error_code();
    return check->expected ? compare(check, check->expected) : look_for_theirs(check);
}

/* --- what was found --- */

static void print_list(const char *title, const json_t *list)
{
    size_t k;
    json_t *text;
    json_array_foreach (list, k, text) {
        printf("%s%s%s\n", k ? "" : title, k ? "" : "\n", json_string_value(text));
    }
    if (json_array_size(list))
        putchar('\n');
}

/* Of a plural. */
static const char *ending(bool one)
{
    return one ? "" : "s";
}

static void print(const struct check *check)
{
    const struct orr_ledger *ledger = &check->selection.ledger;
    double sums[2];
    print_list("Faults:", check->faults);
    print_list("Ok by their outcome, not by their errors:", check->wrong);
    print_list("Remarks:", check->remarks);
    if (json_array_size(check->changes)) {
        printf("Verdicts, judged again:\n");
        orr_cli_claims_print_changes(check->changes);
        putchar('\n');
    }
    if (orr_ledger_numbers(sums, 2, ledger,
                           "SELECT count(DISTINCT machine), (SELECT count(*) FROM cell) FROM run",
                           "") < 0)
        return;
    size_t faults = json_array_size(check->faults), remarks = json_array_size(check->remarks),
           verdicts = json_array_size(check->rows), changes = json_array_size(check->changes);
    printf("%zu journal%s of %g machine%s, %g cell%s: %zu fault%s, %zu beyond their bounds, %zu "
           "remark%s\n",
           ledger->journals, ending(ledger->journals == 1), sums[0], ending(sums[0] == 1), sums[1],
           ending(sums[1] == 1), faults, ending(faults == 1), json_array_size(check->wrong),
           remarks, ending(remarks == 1));
    printf("%zu verdict%s", verdicts, ending(verdicts == 1));
    if (check->theirs)
        printf(", %zu of them differ%s from those that came with the results\n", changes,
               changes == 1 ? "s" : "");
    else
        printf("; none came with the results (claims.json, or --expect FILE)\n");
}

static int examine(struct check *check)
{
    const struct orr_wish wish = {.from = check->from.items, .from_count = check->from.count};
    if (!check->from.count)
        return orr_fail(ORR_EUSAGE, "check what? Name a folder of results, journals or a machine");
    if (check->timeout_s < 0)
        return orr_fail(ORR_EUSAGE, "--timeout takes seconds above 0, not %g", check->timeout_s);
    int code = orr_selection_make(&check->selection, &wish, NULL);
    if (code)
        return code;
    if (check->timeout_s > 0)
        orr_ledger_limit(&check->selection.ledger, check->timeout_s, NULL);
    if (!check->selection.ledger.journals)
        return orr_fail(ORR_EUSAGE, "there are no journals in what was named");
    code = read_journals(check);
    remark_on_hashes(check);
    return code || check_bounds(check) || orr_check_cells(check->faults, &check->selection) ||
                   check_copies(check) ||
                   orr_ledger_campaign(&check->selection.ledger, true, hear, check) || judge(check)
               ? orr_error_failed()
               : 0;
}

static int tell(const struct check *check)
{
    if (check->as_json)
        orr_text_table_json(json_pack("{s:I, s:O, s:O, s:O, s:I, s:b, s:O}", "journals",
                                      (json_int_t)check->selection.ledger.journals, "faults",
                                      check->faults, "beyond_bounds", check->wrong, "remarks",
                                      check->remarks, "verdicts",
                                      (json_int_t)json_array_size(check->rows), "verdicts_came",
                                      check->theirs > 0, "differences", check->changes));
    else
        print(check);
    return json_array_size(check->faults)    ? ORR_EXIT_USAGE
           : json_array_size(check->wrong)   ? ORR_EXIT_WRONG
           : json_array_size(check->changes) ? ORR_EXIT_DIFFERENCE
                                             : ORR_EXIT_OK;
}

int orr_cli_check(int argc, char **argv)
{
    struct check check = {.faults = json_array(),
                          .wrong = json_array(),
                          .remarks = json_array(),
                          .rows = json_array(),
                          .changes = json_array(),
                          .ids = json_object(),
                          .strangers = json_object()};
    const struct orr_option options[] = {
        {"expect", 0, ORR_OPTION_TEXT, &check.expected, "FILE",
         "their verdicts, written by `orrery claims --json`; default: claims.json in the folder"},
        {"timeout", 0, ORR_OPTION_NUMBER, &check.timeout_s, "S",
         "seconds that the SQL of a paper's claims may take (60)"},
        {"json", 0, ORR_OPTION_FLAG, &check.as_json, NULL, "one object"},
    };
    const struct orr_options all = {
        "check DIR|JOURNAL|MACHINE... [options]",
        "Finds damaged journals, impossible numbers, cells beyond their bounds or ceilings, "
        "missing\n"
        "shards, mixed configurations and changed verdicts in somebody's results.",
        ORR_OPTION_TABLE(options)};
    int code = orr_options_parse(&all, argc, argv, &check.from), status;
    if (!code)
        code = examine(&check);
    status = code ? orr_cli_status(code) : tell(&check);
    json_t *lists[] = {check.faults,  check.wrong, check.remarks,  check.rows,
                       check.changes, check.ids,   check.strangers};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        json_decref(lists[k]);
    orr_selection_release(&check.selection);
    return status;
}
