/* SPDX-License-Identifier: MIT */
/* orrery describe S3: a claim in full, from the sentence to the cells behind its verdicts. */
#include <strings.h>

#include "claims/claims.h"
#include "cli/cli.h"
#include "sql/claims/book.h"
#include "terminal.h"

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
    static const char *const once[] = {"paper", "id",    "section",  "text",
                                       "short", "quote", "published"};
    size_t k;
    json_auto_t *rows = json_array();
    json_t *verdicts = json_array(), *row;
    int code = orr_cli_claims_judge(rows, selection, true);
    json_array_foreach (rows, k, row) {
        if (!json_equal(json_object_get(row, "paper"), json_object_get(claim, "paper")) ||
            !json_equal(json_object_get(row, "id"), json_object_get(claim, "id")))
            continue;
        for (size_t o = 0; o < sizeof once / sizeof *once; o++) {
            json_object_set(about, once[o], json_object_get(row, once[o]));
            json_object_del(row, once[o]);
        }
        json_array_append(verdicts, row);
    }
    json_object_set_new(about, "verdicts", verdicts);
    return code;
}

/* --- as text --- */

static void print_line(const char *label, const json_t *about, const char *member, const char *mark)
{
    const char *text = orr_json_text(about, member);
    if (!text || !*text)
        return;
    json_auto_t *marked = json_sprintf("%s%s%s", mark, text, mark);
    const size_t indent = (size_t)printf("  %-13s ", label);
    orr_terminal_wrap(json_string_value(marked), indent, indent);
}

/* The numbers of the part's cells in `cells`, from 1, where they are put if they are new. */
static json_t *numbers_of(json_t *cells, const json_t *part)
{
    size_t k, at;
    json_t *numbers = json_array(), *cell;
    json_array_foreach (json_object_get(part, "cells"), k, cell) {
        for (at = 0; at < json_array_size(cells) && !json_equal(json_array_get(cells, at), cell);)
            at++;
        if (at == json_array_size(cells))
            json_array_append(cells, cell);
        json_array_append_new(numbers, json_integer((json_int_t)at + 1));
    }
    return numbers;
}

/* A state as the scoreboard marks it. */
static const char *mark_of(const char *state)
{
    static const char *const marks[][2] = {{"yes", "yes"},
                                           {"no", "no"},
                                           {"not told apart", "?"},
                                           {"unclear", "?"},
                                           {"not measured", "-"}};
    for (size_t k = 0; k < sizeof marks / sizeof *marks; k++)
        if (!strcmp(state, marks[k][0]))
            return marks[k][1];
    return "n/a"; /* it is why nothing there can tell */
}

/* The parts that are called as the one at `first`, under one heading, which says what all of them
 * expect. */
static void print_quantity(json_t *parts, size_t first, json_t *cells)
{
    static const char apart[] = "at|value value [95 %]|wants expected|mark holds|cells",
                      alike[] = "at|value value [95 %]|mark holds|cells";
    const json_t *head = json_array_get(parts, first);
    const char *what = orr_json_text(head, "what"), *expected = orr_json_text(head, "wants");
    json_auto_t *rows = json_array();
    bool same = true;
    for (size_t k = first; k < json_array_size(parts); k++) {
        json_t *part = json_array_get(parts, k);
        char text[128];
        if (!orr_json_is(part, "what", what))
            continue;
        same = same && orr_json_is(part, "wants", expected);
        orr_claims_part_value(text, sizeof text, part);
        json_array_append_new(rows, json_pack("{s:O, s:s, s:O, s:s, s:o}", "at",
                                              json_object_get(part, "at"), "value", text, "wants",
                                              json_object_get(part, "wants"), "mark",
                                              mark_of(orr_json_text(part, "state")), "cells",
                                              numbers_of(cells, part)));
    }
    json_auto_t *title =
        same ? json_sprintf("%s (expected %s)", what, expected) : json_string(what);
    fputs("  ", stdout);
    orr_terminal_wrap(json_string_value(title), 2, 2);
    orr_cli_table_print(stdout, rows, same ? alike : apart, 4);
}

/* `orrery describe` tells the rest of a cell: its device, its commit and its journal. */
static void print_cells(json_t *cells)
{
    size_t k;
    json_t *cell;
    json_array_foreach (cells, k, cell) {
        const char *variant = orr_json_text(cell, "variant"), *slash = strchr(variant, '/');
        const bool scaled = json_is_true(json_object_get(cell, "extrapolated"));
        json_object_set_new(cell, "number", json_integer((json_int_t)k + 1));
        json_object_set_new(cell, "program", json_string(slash ? slash + 1 : variant));
        json_object_set_new(cell, "input",
                            json_sprintf("%s, N = %lld%s%s", orr_json_text(cell, "dataset"),
                                         (long long)orr_json_integer(cell, "n"),
                                         scaled ? ", extrapolated" : "",
                                         orr_json_text(cell, "beside") ? ", with co-runners" : ""));
    }
    if (k)
        orr_cli_table_print(stdout, cells, "number cell|cell id|program|input", 2);
}

static void print_verdict(json_t *verdict)
{
    const char *machine = orr_json_text(verdict, "machine"),
               *device = orr_json_text(verdict, "device");
    json_auto_t *cells = json_array();
    json_t *parts = json_object_get(verdict, "parts");
    printf("\n%s%s%s%s%s: %s\n  ", machine ? machine : "", machine ? " " : "", device ? device : "",
           machine ? ", " : "", orr_json_text(verdict, "reading"),
           orr_json_text(json_object_get(verdict, "score"), "text"));
    orr_terminal_wrap(orr_json_text(verdict, "why"), 2, 2);
    for (size_t k = 0, first; k < json_array_size(parts); k++) {
        const char *what = orr_json_text(json_array_get(parts, k), "what");
        for (first = 0; !orr_json_is(json_array_get(parts, first), "what", what);)
            first++;
        if (first == k)
            print_quantity(parts, k, cells);
    }
    print_cells(cells);
}

static void print_claim(const json_t *about)
{
    json_t *wanted = json_object_get(about, "wanted"), *row;
    size_t k, parts = 0;
    printf("%s %s (claim)\n", orr_json_text(about, "paper"), orr_json_text(about, "id"));
    print_line("where", about, "section", "");
    print_line("the paper", about, "quote", "\"");
    print_line("in our words", about, "text", "");
    print_line("in short", about, "short", "");
    print_line("published", about, "published", "");
    json_array_foreach (json_object_get(about, "errata"), k, row)
        print_line("erratum", row, "why", "");
    json_array_foreach (json_object_get(about, "verdicts"), k, row) {
        print_verdict(row);
        parts += json_array_size(json_object_get(row, "parts"));
    }
    if (!parts && json_array_size(wanted)) { /* the parts of a verdict say what is expected */
        putchar('\n');
        orr_cli_table_print(stdout, wanted, "reading|what part|at|wants expected", 2);
    }
    if (parts)
        puts("\n`orrery describe ID` shows a cell's samples and the command that repeats it.");
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
        return orr_cli_report_error();
    if (as_json)
        return orr_cli_table_json(json_incref(about));
    print_claim(about);
    return ORR_EXIT_OK;
}
