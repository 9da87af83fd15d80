/* SPDX-License-Identifier: MIT */
/* orrery check: somebody's results, read as a reviewer does. */
#include <libgen.h>
#include <math.h>
#include <stdarg.h>
#include <sys/stat.h>

#include "claims/claims.h"
#include "cli/cli.h"
#include "referee/referee.h"
#include "sql/cli/check.h"
#include "sql/ledger/faults.h"

struct check {
    struct orr_words from;
    const char *expected; /* verdicts of theirs; NULL: claims.json beside the results */
    double timeout_s;
    bool as_json;
    struct orr_selection selection;
    json_t *found;           /* as --json prints it, with lists of texts */
    json_t *rows, *told;     /* verdicts; lines of those that differ */
    json_t *ids, *strangers; /* of the cells of the journal that is read; unknown members */
    const char *path;        /* of that journal */
    bool ended;
};
static const char FAULTS[] = "faults", BEYOND[] = "beyond_bounds", REMARKS[] = "remarks",
                  DIFFERENCES[] = "differences";

__attribute__((format(printf, 3, 4))) static void add(const struct check *check, const char *list,
                                                      const char *format, ...)
{
    va_list values;
    va_start(values, format);
    char *text = orr_memory_format(format, values);
    va_end(values);
    json_array_append_new(json_object_get(check->found, list), json_string(orr_text_tame(text)));
    free(text);
}

static size_t count(const struct check *check, const char *list)
{
    return json_array_size(json_object_get(check->found, list));
}

/* --- ids --- */

static void copy_text(char *to, size_t size, const json_t *object, const char *name)
{
    const char *text = orr_json_text(object, name);
    snprintf(to, size, "%s", text ? text : "");
}

/* The cell of a record; of its settings, those of the object. A text that is too long is cut, and
 * changes the id. */
static void make_cell(struct orr_cell *out, const json_t *record, json_t *settings)
{
    const json_t *dataset = json_object_get(record, "dataset");
    const char *name;
    json_t *value;
    *out = (struct orr_cell){.n = (uint64_t)orr_json_integer(dataset, "n"),
                             .seed = (uint64_t)orr_json_integer(dataset, "seed"),
                             .ranks = (int)orr_json_integer(record, "ranks")};
    copy_text(out->experiment, sizeof out->experiment, record, "experiment");
    copy_text(out->variant, sizeof out->variant, record, "variant");
    copy_text(out->device, sizeof out->device, record, "device");
    copy_text(out->dataset, sizeof out->dataset, dataset, "name");
    json_object_foreach (settings, name, value) {
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

static void check_id(const struct check *check, const json_t *record, size_t line)
{
    struct orr_cell cell;
    char key[64];
    const char *id = orr_json_text(record, "id");
    json_t *settings = json_object_get(record, "settings");
    const bool ok = orr_journal_is_ok(record);
    make_cell(&cell, record, settings);
    orr_cell_identify(&cell);
    if (settings && strcmp(cell.id, id) != 0)
        add(check, FAULTS, "%s:%zu: its id is %s, and what it names has the id %s", check->path,
            line, id, cell.id);
    /* Older journals do not tell which parameters were set; the id without any tells cells apart
     * that have them in common. Those that a failed cell lacks say nothing. */
    make_cell(&cell, record, ok ? json_object_get(record, "parameters") : NULL);
    orr_cell_identify(&cell);
    snprintf(key, sizeof key, "%.40s %d", id, ok);
    const char *before = orr_json_text(check->ids, key);
    if (before && strcmp(before, cell.id) != 0)
        add(check, FAULTS, "%s:%zu: its id, %s, is that of another cell of its journal",
            check->path, line, id);
    else if (!before)
        json_object_set_new(check->ids, key, json_string(cell.id));
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
static void check_pairs(const struct check *check, const char *who, const struct orr_cell *cell,
                        bool tree, double declared)
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
        add(check, FAULTS, "%s: it has %.17g interactions, and its %.0f bodies %.17g", who,
            declared, n, pairs);
    else if (!known && (declared > 2 * all + n || (!tree && declared < FEWER * pairs)))
        add(check, FAULTS, "%s: it has %.3g interactions, which are not those of %.0f bodies", who,
            declared, n);
}

/* Errors beyond the cell's own bounds are told elsewhere: these are allowed by bounds that are not
 * the paper's. */
static void check_paper_bounds(const struct check *check, sqlite3_stmt *row,
                               const struct orr_bound *bound)
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
        add(check, FAULTS,
            "%s is ok with errors of %.3g, %.3g, %.3g (median, p99, max), and paper.yaml "
            "bounds them by %.3g, %.3g, %.3g",
            orr_ledger_text(row, WHO), errors[0], errors[1], errors[2], bounds[0], bounds[1],
            bounds[2]);
}

static void check_cell(const struct check *check, sqlite3_stmt *row)
{
    struct orr_cell cell;
    struct orr_bound bound;
    json_auto_t *names = json_loads(orr_ledger_text(row, NAMES), 0, NULL),
                *parameters = json_loads(orr_ledger_text(row, PARAMETERS), 0, NULL);
    make_cell(&cell, names, parameters);
    const struct orr_paper *paper = paper_of(&check->selection, cell.variant);
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
    check_pairs(check, orr_ledger_text(row, WHO), &cell, at.tree,
                orr_ledger_number(row, INTERACTIONS));
    if (of && of->bound && !orr_bound_of_cell(&bound, paper, of, &at))
        check_paper_bounds(check, row, &bound);
    orr_error_clear(); /* of what the paper does not know, or no longer */
}

/* --- journals --- */

/* <folder>/<run>.jsonl */
static bool is_named_after(const char *path, const char *run)
{
    const char *slash = strrchr(path, '/');
    char name[256];
    snprintf(name, sizeof name, "%s.jsonl", run);
    return !strcmp(slash ? slash + 1 : path, name);
}

static int read_record(json_t *record, size_t line, void *context)
{
    struct check *check = context;
    char why[200];
    const char *kind = orr_json_text(record, "record"), *run = orr_json_text(record, "run");
    if (orr_journal_misfit(why, sizeof why, record) || orr_journal_flaw(why, sizeof why, record))
        add(check, FAULTS, "%s:%zu: %s", check->path, line, why);
    else if (line == 1 && strcmp(kind, "run") != 0)
        add(check, FAULTS, "%s:1: it does not begin with a run", check->path);
    else if (!strcmp(kind, "run") && !is_named_after(check->path, run))
        add(check, REMARKS, "%s is not named after its run, %s", check->path, run);
    else if (!strcmp(kind, "cell"))
        check_id(check, record, line);
    check->ended = kind && (!strcmp(kind, "end") || !strcmp(kind, "self"));
    orr_journal_strangers(check->strangers, record);
    return 0;
}

static void hear_of_damage(void *listener, const char *path, size_t line, const char *why)
{
    add(listener, FAULTS, "%s:%zu: %s", path, line, why);
}

/* A journal may be named twice, by itself and by its folder. */
static int read_journals(struct check *check)
{
    char **paths = check->selection.ledger.paths;
    const char *name;
    json_t *value;
    int code = 0;
    for (size_t k = 0; k < check->selection.ledger.journals && !code; k++) {
        struct orr_journal_damage damage = {.tell = hear_of_damage, .listener = check};
        if (orr_names_find(paths[k], paths, k, sizeof *paths))
            continue;
        check->path = paths[k];
        check->ended = false;
        json_object_clear(check->ids);
        code = orr_journal_read(check->path, read_record, check, &damage);
        if (!code && !check->ended)
            add(check, REMARKS, "%s: its run did not come to its end", check->path);
    }
    json_object_foreach (check->strangers, name, value)
        add(check, REMARKS, "this version of Orrery does not know the member %s", name);
    return code;
}

/* tools/artifact.sh writes hashes beside the results. */
static void remark_on_hashes(const struct check *check)
{
    for (int k = 0; k < check->from.count; k++) {
        char path[1100];
        struct stat status;
        snprintf(path, sizeof path, "%s/SHA256SUMS", check->from.items[k]);
        if (!stat(path, &status))
            add(check, REMARKS,
                "%s: `sha256sum -c --strict SHA256SUMS` in its folder says whether the files are "
                "as they were",
                path);
    }
}

/* --- cells --- */

/* By themselves, and by what the papers say of them. */
static int check_cells(const struct check *check)
{
    const struct orr_ledger *ledger = &check->selection.ledger;
    sqlite3_stmt *row;
    int code = orr_ledger_query(&row, ledger, sql_ledger_faults, "dd", ORR_CEILING_CLOCKS,
                                ORR_CEILING_COMPANY);
    while (orr_ledger_row(&code, row, ledger))
        add(check, sqlite3_column_int(row, 0) ? BEYOND : FAULTS, "%s", orr_ledger_text(row, 1));
    if (code || (code = orr_ledger_query(&row, ledger, measured, "")))
        return code;
    while (orr_ledger_row(&code, row, ledger))
        check_cell(check, row);
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

static int check_copy(const struct check *check, const char *first, const char *second)
{
    const char *why;
    FILE *a = orr_plain_file_open(first, &why), *b = orr_plain_file_open(second, &why);
    int code = a && b ? 0 : orr_fail(ORR_EIO, "cannot read %s: %s", a ? second : first, why);
    if (!code && are_alike(a, b))
        add(check, REMARKS, "%s and %s are of one run, which counts once", first, second);
    else if (!code)
        add(check, FAULTS, "%s and %s are of one run and differ; one of them was changed", first,
            second);
    if (a)
        fclose(a);
    if (b)
        fclose(b);
    return code;
}

static int check_copies(const struct check *check)
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
    add(context, is_fault ? FAULTS : REMARKS, "%s", text);
    return 0;
}

/* --- verdicts --- */

static int compare_with_theirs(const struct check *check, const char *path)
{
    static const char silent[] =
        "SELECT DISTINCT printf('%s says nothing of %s, which the results are of, too', ?, paper)"
        " FROM expectation WHERE unmentioned AND machine <> ''",
                      changed[] = "was IS NOT \"is\" AND NOT unmentioned";
    const struct orr_selection *selection = &check->selection;
    sqlite3_stmt *row;
    json_object_set_new(check->found, "verdicts_came", json_true());
    if (orr_cli_claims_expect(selection, check->rows, path) ||
        orr_cli_claims_expected(json_object_get(check->found, DIFFERENCES), &selection->ledger,
                                ORR_EXPECTED, changed) ||
        orr_cli_claims_expected(check->told, &selection->ledger, "line", changed))
        return orr_error_code();
    int code = orr_ledger_query(&row, &selection->ledger, silent, "s", path);
    while (orr_ledger_row(&code, row, &selection->ledger))
        add(check, REMARKS, "%s", orr_ledger_text(row, 0));
    return code;
}

/* Their verdicts lie in the folder that was named, else beside the first journal of the machine or
 * the journal itself. */
static int look_for_theirs(const struct check *check)
{
    int code = 0;
    for (int k = 0; !code && k < check->from.count; k++) {
        char folder[1024], path[1100];
        struct stat status;
        sqlite3_stmt *row;
        snprintf(folder, sizeof folder, "%s/.", check->from.items[k]);
        if (stat(folder, &status)) {
            code = orr_ledger_query(&row, &check->selection.ledger,
                                    "SELECT min(path) FROM run WHERE ?1 IN (machine, path)", "s",
                                    check->from.items[k]);
            while (orr_ledger_row(&code, row, &check->selection.ledger))
                snprintf(folder, sizeof folder, "%s", orr_ledger_text(row, 0));
        }
        snprintf(path, sizeof path, "%s/claims.json", dirname(folder));
        if (!code && !stat(path, &status))
            code = compare_with_theirs(check, path);
    }
    return code;
}

static int judge_claims(struct check *check)
{
    if (orr_cli_claims_judge(check->rows, &check->selection, false))
        return orr_error_code();
    return check->expected ? compare_with_theirs(check, check->expected) : look_for_theirs(check);
}

/* --- the command --- */

static int examine_results(struct check *check)
{
    const struct orr_selection_options options = {.from = check->from.items,
                                                  .from_count = check->from.count};
    struct orr_ledger *ledger = &check->selection.ledger;
    if (!check->from.count)
        return orr_fail(ORR_EUSAGE, "check what? Name a folder of results, journals or a machine");
    int code = orr_selection_make(&check->selection, &options, NULL);
    if (code)
        return code;
    if (check->timeout_s > 0)
        orr_ledger_limit(ledger, check->timeout_s, NULL);
    if (!ledger->journals)
        return orr_fail(ORR_EUSAGE, "there are no journals in what was named");
    code = read_journals(check);
    remark_on_hashes(check);
    return code || check_cells(check) || check_copies(check) ||
                   orr_ledger_campaign(ledger, true, take_finding, check) || judge_claims(check)
               ? orr_error_failed()
               : 0;
}

static int report_findings(const struct check *check)
{
    json_object_set_new(check->found, "journals",
                        json_integer((json_int_t)check->selection.ledger.journals));
    json_object_set_new(check->found, "verdicts",
                        json_integer((json_int_t)json_array_size(check->rows)));
    if (!check->as_json)
        json_object_set(check->found, "told", check->told);
    const int status =
        check->as_json ? orr_cli_table_json(check->found)
                       : orr_cli_print_lines(&check->selection.ledger, sql_cli_check, check->found);
    return status                      ? status
           : count(check, FAULTS)      ? ORR_EXIT_USAGE
           : count(check, BEYOND)      ? ORR_EXIT_WRONG
           : count(check, DIFFERENCES) ? ORR_EXIT_DIFFERENCE
                                       : ORR_EXIT_OK;
}

int orr_cli_check(int argc, char **argv)
{
    json_auto_t *rows = json_array(), *ids = json_object(), *strangers = json_object(),
                *told = json_array(),
                *found =
                    json_pack("{s:i, s:[], s:[], s:[], s:i, s:b, s:[]}", "journals", 0, FAULTS,
                              BEYOND, REMARKS, "verdicts", 0, "verdicts_came", false, DIFFERENCES);
    struct check check = {
        .found = found, .rows = rows, .told = told, .ids = ids, .strangers = strangers};
    const struct orr_option options[] = {
        {"expect", &check.expected}, {"timeout", &check.timeout_s}, {"json", &check.as_json}};
    int code = orr_options_parse("check", ORR_OPTIONS(options), argc, argv, &check.from);
    if (!code)
        code = examine_results(&check);
    if (!code)
        code = report_findings(&check);
    orr_selection_release(&check.selection);
    return code;
}
