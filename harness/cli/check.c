/* SPDX-License-Identifier: MIT */
/* orrery check: somebody's results, read as a reviewer does. */
#include <libgen.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "claims/claims.h"
#include "cli/cli.h"
#include "cli/results.h"
#include "error.h"
#include "json_member.h"
#include "run/referee.h"
#include "sql/ledger/implausible.h"
#include "text.h"

__attribute__((format(printf, 2, 3))) static void add_text(json_t *list, const char *format, ...)
{
    char text[2048];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    json_array_append_new(list, json_string(orr_text_tame(text)));
}

/* Adds the text that each row of a query has first. */
static int add_rows(json_t *list, const struct orr_ledger *ledger, int code, sqlite3_stmt *row)
{
    while (orr_ledger_row(&code, row, ledger))
        add_text(list, "%s", orr_ledger_text(row, 0));
    return code;
}

/* --- ids --- */

/* The cell of a record; of its settings, those of the object. A text that is too long is cut, and
 * changes the id. */
static void make_cell(struct orr_cell *out, const json_t *record, const json_t *settings)
{
    const json_t *dataset = json_object_get(record, "dataset");
    const struct {
        char *to;
        size_t size;
        const char *text;
    } texts[] = {{out->experiment, sizeof out->experiment, orr_json_text(record, "experiment")},
                 {out->variant, sizeof out->variant, orr_json_text(record, "variant")},
                 {out->device, sizeof out->device, orr_json_text(record, "device")},
                 {out->dataset, sizeof out->dataset, orr_json_text(dataset, "name")}};
    const char *name;
    json_t *value;
    *out = (struct orr_cell){.n = (uint64_t)orr_json_integer(dataset, "n"),
                             .seed = (uint64_t)orr_json_integer(dataset, "seed"),
                             .ranks = (int)orr_json_integer(record, "ranks")};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        snprintf(texts[k].to, texts[k].size, "%s", texts[k].text ? texts[k].text : "");
    json_object_foreach ((json_t *)settings, name, value) {
        if (out->setting_count == ORR_MAX_SETTINGS)
            return;
        struct orr_setting *to = &out->settings[out->setting_count++];
        snprintf(to->name, sizeof to->name, "%s", name);
        if (json_is_string(value))
            snprintf(to->value, sizeof to->value, "%s", json_string_value(value));
        else
            snprintf(to->value, sizeof to->value, "%.17g", json_number_value(value));
    }
}

static void check_id(json_t *faults, json_t *known, const json_t *record, const char *path,
                     size_t line)
{
    struct orr_cell cell;
    const char *id = orr_json_text(record, "id");
    const json_t *settings = json_object_get(record, "settings");
    if (!orr_json_is(record, "record", "cell"))
        return;
    make_cell(&cell, record, settings);
    orr_cell_identify(&cell);
    if (settings && strcmp(cell.id, id) != 0)
        add_text(faults, "%s:%zu: its id is %s, and what it names has the id %s", path, line, id,
                 cell.id);
    /* Older journals do not tell which parameters were set; the id without any tells cells apart
     * that have them in common. Those that a failed cell lacks say nothing. */
    make_cell(&cell, record,
              orr_journal_is_ok(record) ? json_object_get(record, "parameters") : NULL);
    orr_cell_identify(&cell);
    char key[64];
    snprintf(key, sizeof key, "%.40s %d", id, orr_journal_is_ok(record));
    const char *before = orr_json_text(known, key);
    if (!before)
        json_object_set_new(known, key, json_string(cell.id));
    else if (strcmp(before, cell.id) != 0)
        add_text(faults, "%s:%zu: its id, %s, is that of another cell of its journal", path, line,
                 id);
}

/* --- pairs and bounds --- */

static const char measured[] =
    "SELECT printf('%s:%d: %s %s', path, line, experiment, variant) AS who, "
    "json_object('experiment',"
    " experiment, 'variant', variant, 'device', device, 'ranks', ranks, 'dataset',"
    " json_object('name', dataset, 'n', n)), parameters, interactions, error_median, error_p99,"
    " error_max, error_by_terms_median, error_by_terms_p99, error_by_terms_max,"
    " bound_median, bound_p99, bound_max"
    " FROM cells WHERE outcome = 'ok' AND NOT extrapolated ORDER BY path, line";
enum {
    WHO,
    NAMES,
    PARAMETERS,
    INTERACTIONS,
    RELATIVE,
    BY_TERMS = RELATIVE + 3,
    OWN = BY_TERMS + 3
};

static const struct orr_paper *paper_of(const struct orr_selection *selection, const char *name)
{
    const size_t length = strcspn(name, "/");
    for (size_t k = 0; k < selection->paper_count; k++) {
        const char *key = selection->papers[k]->key;
        if (strlen(key) == length && !strncmp(key, name, length))
            return selection->papers[k];
    }
    return NULL;
}

/* A paper bounds its tree codes, and nothing else, by theta. */
static bool is_tree(const struct orr_paper *paper, const char *variant)
{
    for (unsigned k = 0; k < paper->tree_bounds_count; k++)
        for (unsigned v = 0; v < paper->tree_bounds[k].variants_count; v++)
            if (orr_text_matches(paper->tree_bounds[k].variants[v], variant))
                return true;
    return false;
}

/* Declared numbers are doubles: sums beyond 2^53 are rounded. Bodies in the plane without boxes of
 * equal numbers have about as many near pairs as evenly spread ones, seldom fewer. */
static void check_pairs(json_t *faults, const char *who, const struct orr_cell *cell, bool tree,
                        double declared)
{
    static const double ROUNDING = 1e-9, FEWER = 0.5;
    double steps = 0, level = -1, n = (double)cell->n;
    for (int k = 0; k < cell->setting_count; k++) {
        steps = strcmp(cell->settings[k].name, "steps") ? steps : atof(cell->settings[k].value);
        level = strcmp(cell->settings[k].name, "level") ? level : atof(cell->settings[k].value);
    }
    const double all = n * (n - 1) * (steps + 1), pairs = tree ? all : orr_cell_pairs(cell);
    const bool known = !tree && (level < 0 || orr_cell_level(cell) >= 0);
    if (!isfinite(declared))
        return;
    if (known && fabs(declared - pairs) > ROUNDING * pairs)
        add_text(faults, "%s: it has %.17g interactions, and its %.0f bodies %.17g", who, declared,
                 n, pairs);
    else if (!known && (declared > 2 * all + n || (!tree && declared < FEWER * pairs)))
        add_text(faults, "%s: it has %.3g interactions, which are not those of %.0f bodies", who,
                 declared, n);
}

/* Errors beyond the cell's own bounds are told elsewhere: these are allowed by bounds that are not
 * the paper's. */
static void check_paper_bounds(json_t *faults, sqlite3_stmt *row, const struct orr_bound *bound)
{
    const int at = bound->by_terms ? BY_TERMS : RELATIVE;
    const double bounds[] = {bound->median, bound->p99, bound->max};
    double errors[3];
    bool raised = false;
    for (int k = 0; k < 3; k++) {
        const double own = orr_ledger_number(row, OWN + k);
        errors[k] = fmax(0, orr_ledger_number(row, at + k));
        raised |= errors[k] > bounds[k] && !(own > 0 && errors[k] > own);
    }
    if (raised)
        add_text(faults,
                 "%s is ok with errors of %.3g, %.3g, %.3g (median, p99, max), and paper.yaml "
                 "bounds them by %.3g, %.3g, %.3g",
                 orr_ledger_text(row, WHO), errors[0], errors[1], errors[2], bounds[0], bounds[1],
                 bounds[2]);
}

static void check_cell(json_t *faults, const struct orr_selection *selection, sqlite3_stmt *row)
{
    struct orr_cell cell;
    struct orr_bound bound;
    json_t *names = json_loads(orr_ledger_text(row, NAMES), 0, NULL),
           *parameters = json_loads(orr_ledger_text(row, PARAMETERS), 0, NULL);
    make_cell(&cell, names, parameters);
    json_decref(names);
    json_decref(parameters);
    const struct orr_paper *paper = paper_of(selection, cell.variant);
    const char *experiment = strchr(cell.experiment, '/'), *variant = strchr(cell.variant, '/');
    if (!paper || !experiment || !variant)
        return;
    const struct orr_bound_at at = {.variant = cell.variant,
                                    .tree = is_tree(paper, variant + 1),
                                    .settings = cell.settings,
                                    .setting_count = cell.setting_count,
                                    .theta = orr_cell_theta(&cell),
                                    .n = (double)cell.n};
    const struct orr_experiment *shown = orr_paper_experiment(paper, experiment + 1);
    const struct orr_experiment *of = shown ? orr_paper_cells(paper, shown) : NULL;
    if (!at.tree) /* whose opening angle changes no sum */
        for (int k = 0; k < cell.setting_count; k++)
            if (!strcmp(cell.settings[k].name, "theta"))
                *cell.settings[k].name = '\0';
    check_pairs(faults, orr_ledger_text(row, WHO), &cell, at.tree,
                orr_ledger_number(row, INTERACTIONS));
    if (of && of->bound && !orr_bound_of_cell(&bound, paper, of, &at))
        check_paper_bounds(faults, row, &bound);
    orr_error_clear(); /* of what the paper does not know, or no longer */
}

/* --- the command --- */

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
        add_text(check->faults, "%s:%zu: %s", check->path, line, why);
    else if (line == 1 && strcmp(kind, "run") != 0)
        add_text(check->faults, "%s:1: it does not begin with a run", check->path);
    else if (!strcmp(kind, "run") && !is_named_after(check->path, run))
        add_text(check->remarks, "%s is not named after its run, %s", check->path, run);
    else
        check_id(check->faults, check->ids, record, check->path, line);
    check->ended = kind && (!strcmp(kind, "end") || !strcmp(kind, "self"));
    orr_journal_strangers(check->strangers, record);
    return 0;
}

static void hear_of_damage(void *listener, const char *path, size_t line, const char *why)
{
    const struct check *check = listener;
    add_text(check->faults, "%s:%zu: %s", path, line, why);
}

static int read_journal(struct check *check, const char *path)
{
    struct orr_journal_damage damage = {.tell = hear_of_damage, .listener = check};
    check->path = path;
    check->ended = false;
    json_object_clear(check->ids);
    int code = orr_journal_read(path, read_record, check, &damage);
    if (!code && !check->ended)
        add_text(check->remarks, "%s: its run did not come to its end", path);
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
        add_text(check->remarks, "this version of Orrery does not know the member %s", name);
    }
    return code;
}

/* tools/artifact.sh writes hashes beside the results. */
static void remark_on_hashes(struct check *check)
{
    for (int k = 0; k < check->from.count; k++) {
        char path[1100];
        struct stat status;
        snprintf(path, sizeof path, "%s/SHA256SUMS", check->from.items[k]);
        if (!stat(path, &status))
            add_text(
                check->remarks,
                "%s: `sha256sum -c --strict SHA256SUMS` in its folder says whether the files are "
                "as they were",
                path);
    }
}

/* --- cells --- */

/* By themselves, and by what the papers say of them. */
static int check_cells(struct check *check)
{
    const struct orr_ledger *ledger = &check->selection.ledger;
    sqlite3_stmt *row;
    int code = orr_ledger_query(&row, ledger, sql_ledger_implausible, "dd", ORR_CEILING_CLOCKS,
                                ORR_CEILING_COMPANY);
    while (orr_ledger_row(&code, row, ledger))
        add_text(sqlite3_column_int(row, 0) ? check->wrong : check->faults, "%s",
                 orr_ledger_text(row, 1));
    if (!code)
        code = orr_ledger_query(&row, ledger, measured, "");
    if (!code)
        while (orr_ledger_row(&code, row, ledger))
            check_cell(check->faults, &check->selection, row);
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
        add_text(check->remarks, "%s and %s are of one run, which counts once", first, second);
    else if (!code)
        add_text(check->faults, "%s and %s are of one run and differ; one of them was changed",
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

static int take_finding(bool is_fault, const char *text, void *context)
{
    struct check *check = context;
    add_text(is_fault ? check->faults : check->remarks, "%s", text);
    return 0;
}

/* --- verdicts --- */

static int compare_with_theirs(struct check *check, const char *path)
{
    static const char silent[] =
        "SELECT DISTINCT printf('%s says nothing of %s, which the results are of, too', ?, paper)"
        " FROM expectation WHERE unmentioned AND machine <> ''";
    const struct orr_selection *selection = &check->selection;
    sqlite3_stmt *row;
    check->theirs++;
    int code = orr_cli_claims_expect(selection, check->rows, path);
    if (!code)
        code = orr_cli_claims_expected(check->changes, selection,
                                       "was IS NOT \"is\" AND NOT unmentioned");
    if (!code)
        code = orr_ledger_query(&row, &selection->ledger, silent, "s", path);
    return code ? code : add_rows(check->remarks, &selection->ledger, code, row);
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

/* Their verdicts lie in the folder that was named, else beside the first journal of the machine or
 * the journal itself. */
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
            code = compare_with_theirs(check, path);
    }
    return code;
}

static int judge_claims(struct check *check)
{
    if (orr_cli_claims_judge(&check->selection, false) ||
        orr_cli_claims_gather(check->rows, &check->selection))
        return orr_error_code();
    return check->expected ? compare_with_theirs(check, check->expected) : look_for_theirs(check);
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

static const char *ending(bool one)
{
    return one ? "" : "s";
}

static void print_findings(const struct check *check)
{
    const struct orr_ledger *ledger = &check->selection.ledger;
    double sums[2];
    print_list("Faults:", check->faults);
    print_list("Ok by their outcome, not by their errors:", check->wrong);
    print_list("Remarks:", check->remarks);
    if (json_array_size(check->changes)) {
        printf("Verdicts, judged again:\n");
        orr_cli_claims_print_expected(check->changes);
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

static int examine_results(struct check *check)
{
    const struct orr_wish wish = {.from = check->from.items, .from_count = check->from.count};
    if (!check->from.count)
        return orr_fail(ORR_EUSAGE, "check what? Name a folder of results, journals or a machine");
    int code = orr_selection_make(&check->selection, &wish, NULL);
    if (code)
        return code;
    if (check->timeout_s > 0)
        orr_ledger_limit(&check->selection.ledger, check->timeout_s, NULL);
    if (!check->selection.ledger.journals)
        return orr_fail(ORR_EUSAGE, "there are no journals in what was named");
    code = read_journals(check);
    remark_on_hashes(check);
    return code || check_cells(check) || check_copies(check) ||
                   orr_ledger_campaign(&check->selection.ledger, true, take_finding, check) ||
                   judge_claims(check)
               ? orr_error_failed()
               : 0;
}

static int report_findings(const struct check *check)
{
    if (check->as_json)
        orr_cli_table_json(json_pack("{s:I, s:O, s:O, s:O, s:I, s:b, s:O}", "journals",
                                     (json_int_t)check->selection.ledger.journals, "faults",
                                     check->faults, "beyond_bounds", check->wrong, "remarks",
                                     check->remarks, "verdicts",
                                     (json_int_t)json_array_size(check->rows), "verdicts_came",
                                     check->theirs > 0, "differences", check->changes));
    else
        print_findings(check);
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
        {"expect", &check.expected}, {"timeout", &check.timeout_s}, {"json", &check.as_json}};
    int code = orr_options_parse("check", ORR_OPTIONS(options), argc, argv, &check.from), status;
    if (!code)
        code = examine_results(&check);
    status = code ? orr_cli_status(code) : report_findings(&check);
    json_t *lists[] = {check.faults,  check.wrong, check.remarks,  check.rows,
                       check.changes, check.ids,   check.strangers};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        json_decref(lists[k]);
    orr_selection_release(&check.selection);
    return status;
}
