/* SPDX-License-Identifier: MIT */
/* orrery claims: what a paper says, judged on every device that was measured; and a claim in full,
 * from the sentence to the cells behind its verdicts. */
#include <limits.h>
#include <strings.h>

#include "claims/claims.h"
#include "cli/cli.h"
#include "paths.h"
#include "sql/claims/tables.h"
#include "sql/cli/board.h"
#include "sql/cli/claim.h"
#include "sql/cli/expected.h"
#include "terminal.h"

static int fail_without_claims(const char *paper)
{
    char path[PATH_MAX];
    const char *shown;
    int code = orr_paths_paper(path, sizeof path, &shown, paper, "claims.sql");
    return code ? code : orr_fail(ORR_EUSAGE, "%s has no claims yet: %s is missing", paper, shown);
}

/* The score in words and the numbers of parts stand together. */
static void pack_score(json_t *row)
{
    static const char *const numbers[] = {"held", "of", "measured_parts", ORR_UNCLEAR};
    json_t *score = json_pack("{s:O}", "text", json_object_get(row, "score"));
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        json_object_set(score, k == 2 ? "measured" : numbers[k], json_object_get(row, numbers[k]));
        json_object_del(row, numbers[k]);
    }
    json_object_set_new(row, "score", score); /* in its place */
}

int orr_cli_claims_judge(json_t *rows, struct orr_selection *selection, bool named)
{
    struct orr_waiting waiting = {.to = stderr};
    sqlite3_stmt *statement;
    size_t k;
    json_t *row;
    int code = 0;
    for (k = 0; k < selection->paper_count && code >= 0; k++) {
        const char *paper = selection->papers[k]->key;
        orr_waiting_at(&waiting, "claims", paper, k, selection->paper_count);
        code = orr_claims_judge(&selection->ledger, selection->papers[k]);
        if (!code && named)
            code = fail_without_claims(paper);
    }
    orr_waiting_end(&waiting);
    if (code < 0 || orr_claims_query(&statement, &selection->ledger, selection->machine) ||
        orr_cli_query_rows(rows, &selection->ledger, statement, "parts"))
        return orr_error_failed();
    json_array_foreach (rows, k, row)
        pack_score(row);
    return 0;
}

/* --- --expect FILE: the verdicts against those of an earlier --json --- */

static int read_file(json_t **out, const char *path)
{
    json_error_t error;
    size_t k;
    json_t *row;
    *out = json_load_file(path, 0, &error);
    if (!*out && error.line < 1) /* it was not even opened */
        return orr_fail(ORR_EINPUT, "%s", error.text);
    if (!*out)
        return orr_fail(ORR_EINPUT, "%s:%d: %s", path, error.line, error.text);
    bool fits = json_is_array(*out);
    json_array_foreach (*out, k, row)
        fits = fits && orr_json_text(row, "id") && orr_json_text(row, "verdict");
    return fits ? 0 : orr_fail(ORR_EINPUT, "%s: no output of `orrery claims --json`", path);
}

int orr_cli_claims_expect(const struct orr_selection *selection, const json_t *rows,
                          const char *path)
{
    const struct orr_ledger *ledger = &selection->ledger;
    json_auto_t *expected = NULL;
    if ((path && read_file(&expected, path)) ||
        orr_ledger_execute(ledger, "DROP TABLE IF EXISTS temp.expectation"))
        return orr_error_code();
    char *here = json_dumps(rows, 0), *file = json_dumps(expected, 0);
    int code = orr_ledger_run(ledger, sql_cli_expected, "sss", here, file, selection->machine);
    free(here);
    free(file);
    return code;
}

int orr_cli_claims_expected(json_t *out, const struct orr_ledger *ledger, const char *columns,
                            const char *where)
{
    char sql[256];
    sqlite3_stmt *statement;
    snprintf(sql, sizeof sql, "SELECT %s FROM expectation WHERE %s ORDER BY rowid", columns, where);
    int code = orr_ledger_query(&statement, ledger, sql, "");
    return code ? code : orr_cli_query_rows(out, ledger, statement, "");
}

/* --- which claims there are --- */

/* Claims are known when their SQL has run, here over no results. */
int orr_cli_claims_list(json_t *rows)
{
    static const char sql[] =
        "SELECT DISTINCT j.paper, j.id, j.text, coalesce(s.text, j.text) AS short, n.needs"
        " FROM judgement j LEFT JOIN judgement_short s USING (paper, id)"
        " LEFT JOIN judgement_needs n USING (paper, id) ORDER BY j.paper, place";
    __attribute__((cleanup(orr_ledger_close))) struct orr_ledger ledger;
    sqlite3_stmt *statement;
    return orr_cli_papers(&ledger, true) || orr_ledger_execute(&ledger, sql_claims_book) ||
                   orr_ledger_query(&statement, &ledger, sql, "") ||
                   orr_cli_query_rows(rows, &ledger, statement, "")
               ? orr_error_failed()
               : 0;
}

static bool is_called(const json_t *row, const char *name)
{
    const char *paper = orr_json_text(row, "paper"), *id = orr_json_text(row, "id"),
               *slash = strchr(name, '/');
    size_t length = slash ? (size_t)(slash - name) : 0;
    return !strcasecmp(id, slash ? slash + 1 : name) &&
           (!slash || (strlen(paper) == length && !strncasecmp(paper, name, length)));
}

int orr_cli_claims_find(const json_t **claim, json_t *rows, const char *name)
{
    size_t k;
    json_t *row;
    int code = orr_cli_claims_list(rows);
    *claim = NULL;
    json_array_foreach (rows, k, row) {
        if (code || !is_called(row, name))
            continue;
        if (*claim)
            code = orr_fail(ORR_EUSAGE, "several papers have a claim %s; %s/%s is one", name,
                            orr_json_text(*claim, "paper"), orr_json_text(*claim, "id"));
        else
            *claim = row;
    }
    return code ? code : *claim != NULL;
}

/* --- one of them --- */

static int add_rows(json_t *about, const char *member, const struct orr_ledger *ledger,
                    const char *sql, const json_t *claim)
{
    sqlite3_stmt *statement;
    json_t *rows = json_array();
    json_object_set_new(about, member, rows);
    int code = orr_ledger_query(&statement, ledger, sql, "ss", orr_json_text(claim, "paper"),
                                orr_json_text(claim, "id"));
    return code ? code : orr_cli_query_rows(rows, ledger, statement, "");
}

/* Members that all verdicts of a claim share stand once; `verdicts` keep the rest. */
static int add_verdicts(json_t *about, struct orr_selection *selection, const json_t *claim)
{
    size_t k;
    json_auto_t *rows = json_array();
    json_t *verdicts = json_array(), *row;
    int code = orr_cli_claims_judge(rows, selection, true);
    json_array_foreach (rows, k, row) {
        if (!json_equal(json_object_get(row, "paper"), json_object_get(claim, "paper")) ||
            !json_equal(json_object_get(row, "id"), json_object_get(claim, "id")))
            continue;
        char once[] = "paper id section text short quote published";
        for (char *rest = once, *name; (name = strsep(&rest, " "));) {
            json_object_set(about, name, json_object_get(row, name));
            json_object_del(row, name);
        }
        json_array_append(verdicts, row);
    }
    json_object_set_new(about, "verdicts", verdicts);
    return code;
}

int orr_cli_describe_claim(const struct orr_result_source *source, const json_t *claim,
                           bool as_json)
{
    static const char errata[] =
        "SELECT reading, what, at, why FROM erratum WHERE paper = ? AND claim = ?",
                      wanted[] =
                          "SELECT reading, what, at, wants FROM judgement_wanted"
                          " WHERE paper = ? AND id = ? ORDER BY reading <> 'as printed', reading,"
                          " place";
    __attribute__((cleanup(orr_selection_release))) struct orr_selection selection = {0};
    json_auto_t *about = json_pack("{s:s}", "kind", "claim");
    if (orr_cli_select(&selection, source, orr_json_text(claim, "paper")) ||
        add_verdicts(about, &selection, claim) ||
        add_rows(about, "errata", &selection.ledger, errata, claim) ||
        add_rows(about, "wanted", &selection.ledger, wanted, claim))
        return orr_error_failed();
    if (as_json)
        return orr_cli_table_json(about);
    int code = orr_column_format_offer(&selection.ledger);
    return code ? code : orr_cli_print_lines(&selection.ledger, sql_cli_claim, about);
}

/* --- the command --- */

/* How verdicts are shown: beside those of a file, as test cases, as JSON. */
struct shown {
    const char *expected, *junit;
    bool listed, as_json;
};

/* Prints which verdicts are not those of the file, with `listed` of those in the file, and then
 * also those that are. An exit code, that of a difference where there are any. */
static int print_expected(const struct orr_ledger *ledger, const struct shown *how)
{
    static const char changed[] = "was IS NOT \"is\"", known[] = "was NOT NULL",
                      both[] = "was NOT NULL AND was IS NOT \"is\"";
    json_auto_t *changes = json_array(), *lines = json_array();
    json_t *row;
    size_t k;
    if (orr_cli_claims_expected(changes, ledger, ORR_EXPECTED, how->listed ? both : changed) ||
        orr_cli_claims_expected(lines, ledger, "line", how->listed ? known : changed))
        return orr_error_failed();
    const size_t differ = json_array_size(changes);
    int code = 0;
    if (how->as_json)
        code = orr_cli_table_json(changes);
    else
        json_array_foreach (lines, k, row)
            puts(orr_json_text(row, "line"));
    if (!how->as_json && how->listed)
        printf("%zu verdicts as expected, %zu not\n", json_array_size(lines) - differ, differ);
    return code ? code : differ ? ORR_EXIT_DIFFERENCE : ORR_EXIT_OK;
}

/* Of the paper itself, not one of its experiments. */
static int show_verdicts(const struct orr_result_source *source, const char *what,
                         const struct shown *how)
{
    __attribute__((cleanup(orr_selection_release))) struct orr_selection selection = {0};
    struct orr_paper *named = NULL;
    json_auto_t *rows = json_array(), *cases = json_array();
    const bool unknown = what && orr_paper_load(&named, what);
    orr_paper_free(named);
    if (unknown || orr_cli_select(&selection, source, what) ||
        orr_cli_claims_judge(rows, &selection, what) ||
        ((how->expected || how->junit) && orr_cli_claims_expect(&selection, rows, how->expected)) ||
        (how->junit && (orr_cli_claims_expected(cases, &selection.ledger, "*",
                                                how->listed ? "was NOT NULL" : "true") ||
                        orr_cli_junit(how->junit, "claims", cases))))
        return orr_error_failed();
    if (how->expected)
        return print_expected(&selection.ledger, how);
    if (how->as_json)
        return orr_cli_table_json(orr_cli_with_schema(rows, ORR_CLAIMS_SCHEMA));
    return orr_cli_print_lines(&selection.ledger, sql_cli_board, rows);
}

static bool is_paper(const char *name)
{
    char **keys = NULL;
    bool found = !orr_paper_keys(&keys) && orr_names_has(keys, name);
    orr_names_free(keys);
    orr_error_clear();
    return found;
}

int orr_cli_claims(int argc, char **argv)
{
    struct orr_result_source source = {0};
    struct orr_words what = {0};
    struct shown how = {0};
    const json_t *claim;
    json_auto_t *rows = json_array();
    const struct orr_option options[] = {{"json", &how.as_json},
                                         {"expect", &how.expected},
                                         {"listed", &how.listed},
                                         {"junit", &how.junit},
                                         ORR_RESULT_OPTIONS(source)};
    int code = orr_options_parse("claims", ORR_OPTIONS(options), argc, argv, &what);
    if (!code && how.listed && !how.expected)
        code = orr_fail(ORR_EUSAGE, "--listed goes with --expect FILE");
    if (code)
        return code;
    const char *word = what.count ? what.items[0] : NULL;
    if (!word || how.expected || how.junit || is_paper(word) ||
        !(code = orr_cli_claims_find(&claim, rows, word)))
        return show_verdicts(&source, word, &how);
    return code < 0 ? code : orr_cli_describe_claim(&source, claim, how.as_json);
}
