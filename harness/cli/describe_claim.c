/* SPDX-License-Identifier: MIT */
/* orrery describe S3: a claim in full, from the sentence to the cells behind its verdicts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "claims/claims.h"
#include "cli/results.h"
#include "cli/cli.h"
#include "error.h"
#include "memory.h"
#include "json_member.h"
#include "names.h"
#include "terminal.h"

/* --- which claims there are --- */

static int judge_paper(struct orr_ledger *ledger, const struct orr_paper *paper, void *any)
{
    const int code = orr_claims_judge(ledger, paper);
    *(bool *)any |= code > 0;
    return code < 0 ? code : 0;
}

/* Claims are known when their SQL has run, here over no results. */
int orr_cli_claims_list(json_t *rows)
{
    struct orr_ledger ledger;
    sqlite3_stmt *statement;
    bool any = false;
    int code = orr_cli_papers(&ledger, judge_paper, &any);
    if (any && !code)
        code = orr_ledger_query(
            &statement, &ledger,
            "SELECT DISTINCT j.paper, j.id, j.text, coalesce(s.text, j.text) AS short, n.needs"
            " FROM judgement j LEFT JOIN judgement_short s USING (paper, id)"
            " LEFT JOIN judgement_needs n USING (paper, id) ORDER BY j.paper, place",
            "");
    if (any && !code)
        code = orr_cli_query_rows(rows, &ledger, statement, "");
    orr_ledger_close(&ledger);
    return code;
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
                    const char *sql, const char *paper, const char *id)
{
    sqlite3_stmt *statement;
    json_t *rows = json_array();
    int code = orr_ledger_query(&statement, ledger, sql, "ss", paper, id);
    if (!code)
        code = orr_cli_query_rows(rows, ledger, statement, "");
    json_object_set_new(about, member, rows);
    return code;
}

/* Members that all verdicts of a claim share stand once; `verdicts` keep the rest. */
static int add_verdicts(json_t *about, const struct orr_selection *selection, const char *paper,
                        const char *id)
{
    static const char *const once[] = {"paper", "id",    "section",  "text",
                                       "short", "quote", "published"};
    size_t k;
    json_t *rows = json_array(), *verdicts = json_array(), *row;
    int code = orr_cli_claims_gather(rows, selection);
    json_array_foreach (rows, k, row) {
        if (strcmp(orr_json_text(row, "paper"), paper) || strcmp(orr_json_text(row, "id"), id))
            continue;
        for (size_t o = 0; o < sizeof once / sizeof *once; o++) {
            json_object_set(about, once[o], json_object_get(row, once[o]));
            json_object_del(row, once[o]);
        }
        json_array_append(verdicts, row);
    }
    json_decref(rows);
    json_object_set_new(about, "verdicts", verdicts);
    return code;
}

static int gather_claim(json_t *about, const struct orr_selection *selection, const char *paper,
                        const char *id)
{
    static const char errata[] =
        "SELECT reading, what, at, why FROM erratum WHERE paper = ? AND claim = ?",
                      wanted[] =
                          "SELECT reading, what, at, wants FROM judgement_wanted"
                          " WHERE paper = ? AND id = ? ORDER BY reading <> 'as printed', reading,"
                          " place";
    json_object_set_new(about, "kind", json_string("claim"));
    return add_verdicts(about, selection, paper, id) ||
                   add_rows(about, "errata", &selection->ledger, errata, paper, id) ||
                   add_rows(about, "wanted", &selection->ledger, wanted, paper, id)
               ? orr_error_failed()
               : 0;
}

/* --- as text --- */

/* Prints a text that begins behind the `indent` columns that the caller has printed. */
static void print_wrapped(const char *text, int indent)
{
    orr_terminal_wrap(text, (size_t)indent, (size_t)indent);
}

static void print_line(const char *label, const json_t *about, const char *member, const char *mark)
{
    const char *text = orr_json_text(about, member);
    json_t *marked = text && *text ? json_sprintf("%s%s%s", mark, text, mark) : NULL;
    if (!marked)
        return;
    print_wrapped(json_string_value(marked), printf("  %-13s ", label));
    json_decref(marked);
}

/* The cell's number in `cells`, from 1, where it is put if it is new. */
static size_t number_of(json_t *cells, json_t *cell)
{
    size_t k;
    json_t *known;
    json_array_foreach (cells, k, known) {
        if (json_equal(known, cell))
            return k + 1;
    }
    json_array_append(cells, cell);
    return k + 1;
}

/* "1, 2" */
static json_t *numbers_of(json_t *cells, const json_t *part)
{
    size_t k;
    json_t *numbers = json_array(), *cell;
    json_array_foreach (json_object_get(part, "cells"), k, cell) {
        json_array_append_new(numbers, json_integer((json_int_t)number_of(cells, cell)));
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
    json_t *rows = json_array(), *part;
    bool same = true;
    for (size_t k = first; k < json_array_size(parts); k++) {
        part = json_array_get(parts, k);
        if (!orr_json_is(part, "what", what))
            continue;
        json_t *row = json_copy(part);
        char text[128];
        same = same && orr_json_is(part, "wants", expected);
        json_object_set_new(row, "value",
                            json_string(orr_claims_part_value(text, sizeof text, part)));
        json_object_set_new(row, "mark", json_string(mark_of(orr_json_text(part, "state"))));
        json_object_set_new(row, "cells", numbers_of(cells, part));
        json_array_append_new(rows, row);
    }
    json_t *title = same ? json_sprintf("%s (expected %s)", what, expected) : json_string(what);
    fputs("  ", stdout);
    print_wrapped(json_string_value(title), 2);
    orr_cli_table_print(stdout, rows, same ? alike : apart, 4);
    json_decref(title);
    json_decref(rows);
}

static void print_parts(json_t *parts, json_t *cells)
{
    for (size_t k = 0, o; k < json_array_size(parts); k++) {
        const char *what = orr_json_text(json_array_get(parts, k), "what");
        for (o = 0; !orr_json_is(json_array_get(parts, o), "what", what); o++)
            ;
        if (o == k)
            print_quantity(parts, k, cells);
    }
}

/* `orrery describe` tells the rest of a cell: its device, its commit and its journal. */
static void print_cells(json_t *cells)
{
    size_t k;
    json_t *cell;
    json_array_foreach (cells, k, cell) {
        const char *variant = orr_json_text(cell, "variant"), *slash = strchr(variant, '/');
        json_object_set_new(cell, "number", json_integer((json_int_t)k + 1));
        json_object_set_new(cell, "program", json_string(slash ? slash + 1 : variant));
        json_object_set_new(cell, "input",
                            json_sprintf("%s, N = %lld%s%s", orr_json_text(cell, "dataset"),
                                         (long long)orr_json_integer(cell, "n"),
                                         json_is_true(json_object_get(cell, "extrapolated"))
                                             ? ", extrapolated"
                                             : "",
                                         orr_json_text(cell, "beside") ? ", with co-runners" : ""));
    }
    if (k)
        orr_cli_table_print(stdout, cells, "number cell|cell id|program|input", 2);
}

static void print_verdict(json_t *verdict)
{
    const char *machine = orr_json_text(verdict, "machine"),
               *device = orr_json_text(verdict, "device");
    json_t *cells = json_array(), *parts = json_object_get(verdict, "parts");
    printf("\n%s%s%s%s%s: %s\n  ", machine ? machine : "", machine ? " " : "", device ? device : "",
           machine ? ", " : "", orr_json_text(verdict, "reading"),
           orr_json_text(json_object_get(verdict, "score"), "text"));
    print_wrapped(orr_json_text(verdict, "why"), 2);
    print_parts(parts, cells);
    print_cells(cells);
    json_decref(cells);
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
    json_array_foreach (json_object_get(about, "errata"), k, row) {
        print_line("erratum", row, "why", "");
    }
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

int orr_cli_describe_claim(const struct orr_result_source *source, const char *paper,
                           const char *id, bool as_json)
{
    struct orr_selection selection = {0};
    json_t *about = json_object();
    int status;
    if (orr_cli_select(&selection, source, paper) || orr_cli_claims_judge(&selection, true) ||
        gather_claim(about, &selection, paper, id))
        status = orr_cli_report_error();
    else if (as_json)
        status = orr_cli_table_json(json_incref(about));
    else
        print_claim(about), status = ORR_EXIT_OK;
    json_decref(about);
    orr_selection_release(&selection);
    return status;
}
