/* SPDX-License-Identifier: MIT */
/* orrery claims: what a paper says, judged on every device that was measured. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "claims/claims.h"
#include "cli/cli.h"
#include "cli/results.h"
#include "error.h"
#include "json_member.h"
#include "memory.h"
#include "paths.h"
#include "present/write.h"
#include "sql/cli/board.h"
#include "sql/cli/expected.h"
#include "terminal.h"
#include "text.h"

static int fail_without_claims(const char *paper)
{
    char path[PATH_MAX];
    const char *shown;
    int code = orr_paths_paper(path, sizeof path, &shown, paper, "claims.sql");
    return code ? code : orr_fail(ORR_EUSAGE, "%s has no claims yet: %s is missing", paper, shown);
}

int orr_cli_claims_judge(struct orr_selection *selection, bool named)
{
    struct orr_waiting waiting;
    int code = 0;
    orr_waiting_begin(&waiting, stderr);
    for (size_t k = 0; k < selection->paper_count && code >= 0; k++) {
        const char *paper = selection->papers[k]->key;
        orr_waiting_at(&waiting, "claims", paper, k, selection->paper_count);
        code = orr_claims_judge(&selection->ledger, selection->papers[k]);
        if (!code && named)
            code = fail_without_claims(paper);
    }
    orr_waiting_end(&waiting);
    return code < 0 ? code : 0;
}

static const char *member(const json_t *row, const char *name)
{
    const char *text = orr_json_text(row, name);
    return text ? text : "";
}

/* The score in words and the numbers of parts stand together. */
static void pack_score(json_t *row)
{
    static const struct {
        const char *column, *member;
    } scores[] = {{"score", "text"},
                  {"held", "held"},
                  {"of", "of"},
                  {"measured_parts", "measured"},
                  {ORR_UNCLEAR, "unclear"}};
    json_t *score = json_object();
    for (size_t k = 0; k < sizeof scores / sizeof *scores; k++) {
        json_object_set(score, scores[k].member, json_object_get(row, scores[k].column));
        if (k) /* "score" keeps its place */
            json_object_del(row, scores[k].column);
    }
    json_object_set_new(row, "score", score);
}

int orr_cli_claims_gather(json_t *rows, const struct orr_selection *selection)
{
    sqlite3_stmt *statement;
    size_t k;
    json_t *row;
    int code = orr_claims_query(&statement, &selection->ledger, selection->machine);
    if (!code)
        code = orr_cli_query_rows(rows, &selection->ledger, statement, "parts");
    json_array_foreach (rows, k, row) {
        pack_score(row);
    }
    return code;
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
    json_array_foreach (*out, k, row) {
        fits = fits && orr_json_text(row, "id") && orr_json_text(row, "verdict");
    }
    return fits ? 0 : orr_fail(ORR_EINPUT, "%s: no output of `orrery claims --json`", path);
}

int orr_cli_claims_expect(const struct orr_selection *selection, const json_t *rows,
                          const char *path)
{
    json_t *expected = NULL;
    int code = read_file(&expected, path);
    char *here = json_dumps(rows, 0), *file = code ? NULL : json_dumps(expected, 0);
    if (!code)
        code = orr_ledger_execute(&selection->ledger, "DROP TABLE IF EXISTS temp.expectation");
    if (!code)
        code = orr_ledger_run(&selection->ledger, sql_cli_expected, "sss", here, file,
                              selection->machine);
    free(here);
    free(file);
    json_decref(expected);
    return code;
}

int orr_cli_claims_expected(json_t *out, const struct orr_selection *selection, const char *where)
{
    char sql[256];
    sqlite3_stmt *statement;
    snprintf(sql, sizeof sql,
             "SELECT paper, id, machine, device, reading, was, \"is\" FROM expectation WHERE %s"
             " ORDER BY rowid",
             where);
    int code = orr_ledger_query(&statement, &selection->ledger, sql, "");
    return code ? code : orr_cli_query_rows(out, &selection->ledger, statement, "");
}

/* "shan S3, nvidia-h200 cuda:0, mechanism" */
static void print_name(const json_t *row)
{
    const char *machine = member(row, "machine"), *reading = member(row, "reading");
    bool plain = !strcmp(reading, "as printed");
    printf("%s %s%s%s%s%s%s%s: ", member(row, "paper"), member(row, "id"), *machine ? ", " : "",
           machine, *machine ? " " : "", member(row, "device"), plain ? "" : ", ",
           plain ? "" : reading);
}

static bool is_change(const json_t *row)
{
    return !json_equal(json_object_get(row, "was"), json_object_get(row, "is"));
}

void orr_cli_claims_print_expected(const json_t *rows)
{
    size_t k;
    json_t *row;
    json_array_foreach (rows, k, row) {
        const char *was = orr_json_text(row, "was"), *is = orr_json_text(row, "is");
        print_name(row);
        if (!is_change(row))
            printf("%s, as expected\n", is);
        else if (!was)
            printf("%s, which was not expected\n", is);
        else if (!is)
            printf("no verdict; %s was expected\n", was);
        else
            printf("%s; %s was expected\n", is, was);
    }
}

/* --- --junit FILE --- */

/* A verdict or a change as a test case, which is named without words that a release may change. */
static json_t *name_case(const json_t *row)
{
    const char *machine = member(row, "machine"), *device = member(row, "device"),
               *reading = member(row, "reading");
    const bool plain = !*reading || !strcmp(reading, "as printed");
    return json_pack("{s:o, s:o}", "class",
                     json_sprintf("%s%s%s", member(row, "paper"), *machine ? "." : "", machine),
                     "name",
                     json_sprintf("%s%s%s%s%s", member(row, "id"), *device ? " " : "", device,
                                  plain ? "" : ", ", plain ? "" : reading));
}

/* A claim that holds in part fails: it says more than is so. */
static json_t *verdict_case(const json_t *row)
{
    const char *verdict = member(row, "verdict");
    const bool fails = !strcmp(verdict, ORR_NOT_REPRODUCED) || !strcmp(verdict, ORR_PARTLY);
    json_t *one = name_case(row);
    if (strcmp(verdict, ORR_REPRODUCED) != 0)
        json_object_set_new(one, fails ? "failure" : "skipped",
                            json_sprintf("%s: %s", member(json_object_get(row, "score"), "text"),
                                         member(row, "short")));
    json_object_set_new(one, "said",
                        json_sprintf("%s. %s", member(row, "text"), member(row, "why")));
    return one;
}

/* One that is as expected passes. */
static json_t *expected_case(const json_t *row)
{
    const char *was = orr_json_text(row, "was"), *is = orr_json_text(row, "is");
    json_t *one = name_case(row);
    if (is_change(row))
        json_object_set_new(
            one, "failure",
            json_sprintf("%s; %s was expected", is ? is : "no verdict", was ? was : "no verdict"));
    return one;
}

static int write_cases(const char *path, const json_t *rows, json_t *make(const json_t *row))
{
    json_t *cases = json_array(), *row;
    size_t k;
    json_array_foreach (rows, k, row) {
        json_array_append_new(cases, make(row));
    }
    int code = orr_cli_junit(path, "claims", cases);
    json_decref(cases);
    return code;
}

/* How verdicts are shown: beside those of a file, as test cases, as JSON. */
struct shown {
    const char *expected, *junit;
    bool listed, as_json;
};

/* Prints which verdicts of `rows` are not those of the file, with `listed` of those in the file,
 * and then also those that are. An exit code, that of a difference where there are any. */
static int print_expected(const json_t *rows, const struct orr_selection *selection,
                          const struct shown *how)
{
    json_t *all = json_array(), *changes = json_array(), *row;
    size_t k;
    int code = orr_cli_claims_expect(selection, rows, how->expected);
    if (!code)
        code = orr_cli_claims_expected(all, selection, how->listed ? "was NOT NULL" : "true");
    if (!code && how->junit)
        code = write_cases(how->junit, all, expected_case);
    json_array_foreach (all, k, row) {
        if (is_change(row))
            json_array_append(changes, row);
    }
    const size_t differ = json_array_size(changes);
    int status = code ? orr_cli_report_error() : ORR_EXIT_OK;
    if (!code && how->as_json)
        status = orr_cli_table_json(json_incref(changes));
    else if (!code)
        orr_cli_claims_print_expected(how->listed ? all : changes);
    if (!code && !how->as_json && how->listed)
        printf("%zu verdicts as expected, %zu not\n", json_array_size(all) - differ, differ);
    json_decref(changes);
    json_decref(all);
    return status ? status : differ ? ORR_EXIT_DIFFERENCE : ORR_EXIT_OK;
}

/* --- the scoreboard --- */

enum { BOARD_WIDTH = 80, ID_ROOM = 5, WORD_ROOM = 16, MARK_ROOM = 7 };

static void print_heads(const char *paper, const struct orr_names *machines)
{
    const int room = BOARD_WIDTH - MARK_ROOM * (int)machines->count;
    if (machines->count == 1) {
        printf("%s%s%s\n", paper, *machines->items[0] ? ", " : "", machines->items[0]);
        return;
    }
    printf("%-*s", room > 25 ? room : 25, paper);
    for (size_t k = 0; k < machines->count; k++)
        printf("%*c", MARK_ROOM, 'A' + (int)(k % 26));
    putchar('\n');
}

static void print_legend(const struct orr_names *machines)
{
    for (size_t k = 0; k < machines->count; k++)
        printf("%c  %s\n", 'A' + (int)(k % 26), machines->items[k]);
    puts("yes: reproduced; no: not reproduced; 3/4: 3 of 4 parts hold; ?: the differences are not\n"
         "certain; -: not measured, or not all of it");
}

static void list_machines(struct orr_names *out, const json_t *rows)
{
    size_t k;
    json_t *row;
    json_array_foreach (rows, k, row) {
        const char *machine = member(row, "machine");
        if (*machine && !orr_names_has(out->items, machine))
            orr_names_add(out, "%s", machine);
    }
    if (!out->count)
        orr_names_add(out, "%s", "");
}

int orr_cli_claims_print_board(const struct orr_ledger *ledger, const json_t *rows)
{
    struct orr_names machines = {0};
    list_machines(&machines, rows);
    const bool alone = machines.count == 1;
    const size_t taken = ID_ROOM + (alone ? WORD_ROOM : MARK_ROOM * machines.count),
                 room = taken + 20 < BOARD_WIDTH ? BOARD_WIDTH - taken : 20;
    char *verdicts = json_dumps(rows, 0), before[64] = "";
    sqlite3_stmt *row;
    int code = orr_ledger_query(&row, ledger, sql_cli_board, "s", verdicts);
    if (!alone)
        print_legend(&machines);
    while (orr_ledger_row(&code, row, ledger)) {
        const char *paper = orr_ledger_text(row, 0), *marks = orr_ledger_text(row, 3);
        char *sentence = orr_memory_text(orr_ledger_text(row, 2));
        if (strcmp(paper, before) != 0) {
            fputs(*before || !alone ? "\n" : "", stdout);
            print_heads(paper, &machines);
            snprintf(before, sizeof before, "%s", paper);
        }
        printf("%-*s%-*s%s", ID_ROOM, orr_ledger_text(row, 1), alone ? WORD_ROOM : 0,
               alone ? marks : "", orr_terminal_cut(sentence, room));
        if (!alone)
            printf("%*s%s", (int)(room - orr_text_characters(sentence)), "", marks);
        putchar('\n');
        free(sentence);
    }
    free(verdicts);
    orr_names_free(machines.items);
    return code;
}

static int show_verdicts(const struct orr_result_source *source, const char *what,
                         const struct shown *how)
{
    struct orr_selection selection = {0};
    struct orr_paper *named = NULL;
    json_t *rows = json_array();
    /* the paper itself, not one of its experiments */
    int code = (what && orr_paper_load(&named, what)) || orr_cli_select(&selection, source, what) ||
               orr_cli_claims_judge(&selection, what) || orr_cli_claims_gather(rows, &selection);
    orr_paper_free(named);
    if (!code && how->junit && !how->expected)
        code = write_cases(how->junit, rows, verdict_case);
    if (code)
        code = orr_cli_report_error();
    else if (how->expected)
        code = print_expected(rows, &selection, how);
    else if (how->as_json)
        code = orr_cli_table_json(orr_cli_with_schema(json_incref(rows), ORR_CLAIMS_SCHEMA));
    else
        code = orr_cli_status(orr_cli_claims_print_board(&selection.ledger, rows));
    json_decref(rows);
    orr_selection_release(&selection);
    return code;
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
    const struct orr_option options[] = {{"json", &how.as_json},
                                         {"expect", &how.expected},
                                         {"listed", &how.listed},
                                         {"junit", &how.junit},
                                         ORR_RESULT_OPTIONS(source)};
    int code = orr_options_parse("claims", ORR_OPTIONS(options), argc, argv, &what);
    if (!code && how.listed && !how.expected)
        code = orr_fail(ORR_EUSAGE, "--listed goes with --expect FILE");
    const char *word = what.count ? what.items[0] : NULL;
    const json_t *claim = NULL;
    json_t *rows = json_array();
    int status, found = 0;
    if (!code && word && !how.expected && !how.junit && !is_paper(word))
        found = orr_cli_claims_find(&claim, rows, word);
    if (code || found < 0)
        status = orr_cli_status(code ? code : found);
    else
        status = found ? orr_cli_describe_claim(&source, member(claim, "paper"),
                                                member(claim, "id"), how.as_json)
                       : show_verdicts(&source, word, &how);
    json_decref(rows);
    return status;
}
