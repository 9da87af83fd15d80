/* orrery claims: what a paper says, judged on every device that was measured. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "claims/claims.h"
#include "cli/claims_parts.h"
#include "cli/cli.h"
#include "cli/query_rows.h"
#include "cli/text_table.h"
#include "cli/table_io.h"
#include "error.h"
#include "present/write.h"
#include "json_member.h"
#include "paths.h"
#include "terminal.h"

static int fail_without_claims(const char *paper)
{
    char path[PATH_MAX];
    const char *shown;
    int code = orr_paths_paper(path, sizeof path, &shown, paper, "claims.sql");
    return code ? code : orr_fail(ORR_EUSAGE, "%s has no claims yet: %s is missing", paper, shown);
}

int orr_cli_claims_open(struct orr_paper **paper, struct orr_ledger *ledger, const char *key)
{
    int code = orr_paper_load(paper, key);
    if (!code)
        code = orr_ledger_open(ledger);
    return code ? code : orr_ledger_add_paper(ledger, *paper);
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

/* The score in words and the numbers of parts stand together. */
static void pack_score(json_t *row)
{
    static const struct {
        const char *column, *member;
    } scores[] = {{"score", "text"},
                  {"held", "held"},
                  {"of", "of"},
                  {"measured_parts", "measured"},
                  {"unclear", "unclear"}};
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
    json_array_foreach(rows, k, row)
    {
        pack_score(row);
    }
    return code;
}

static const char *member(const json_t *row, const char *name)
{
    const char *text = orr_json_text(row, name);
    return text ? text : "";
}

/* Each claim is printed once, above its verdicts. */
static void print(const json_t *rows)
{
    size_t k;
    json_t *row;
    const char *paper = "", *id = "";
    json_array_foreach(rows, k, row)
    {
        if (strcmp(paper, member(row, "paper")) || strcmp(id, member(row, "id")))
            printf("%s%s %s: %s\n    published: %s\n", k ? "\n" : "", member(row, "paper"),
                   member(row, "id"), member(row, "text"), member(row, "published"));
        paper = member(row, "paper"), id = member(row, "id");
        const char *machine = member(row, "machine"), *measured = member(row, "measured"),
                   *reading = member(row, "reading");
        bool plain = !strcmp(reading, "as printed");
        printf("    %s%s%s%s%s%s%s%s%s\n        %s\n", machine, *machine ? " " : "",
               member(row, "device"), plain ? "" : ", ", plain ? "" : reading,
               *machine || !plain ? ": " : "", member(json_object_get(row, "score"), "text"),
               *measured ? ": " : "", measured, member(row, "why"));
    }
}

/* What becomes of the verdicts; NULL: they are printed. */
static int show(const struct orr_result_source *source, const char *what, const char *expected,
                bool listed, bool as_json)
{
    struct orr_selection selection = {0};
    struct orr_paper *named = NULL;
    json_t *rows = json_array();
    int code =
        what ? orr_paper_load(&named, what) : 0; /* the paper itself, not one of its experiments */
    orr_paper_free(named);
    if (!code)
        code = orr_cli_select(&selection, source, what);
    if (!code)
        code = orr_cli_claims_judge(&selection, what);
    if (!code)
        code = orr_cli_claims_gather(rows, &selection);
    const struct orr_expectation expectation = {.path = expected,
                                                .papers = selection.papers,
                                                .paper_count = selection.paper_count,
                                                .machine = selection.machine,
                                                .listed = listed};
    if (code)
        code = orr_cli_report_error();
    else if (expected)
        code = orr_cli_claims_expect(rows, &expectation, as_json);
    else if (as_json)
        code = orr_text_table_json(orr_cli_with_schema(json_incref(rows), ORR_CLAIMS_SCHEMA));
    else
        print(rows);
    json_decref(rows);
    orr_selection_release(&selection);
    return code;
}

int orr_cli_claims(int argc, char **argv)
{
    struct orr_result_source source = {0};
    struct orr_words what = {0};
    bool as_json = false, listed = false;
    const char *expected = NULL;
    const struct orr_option options[] = {
        {"json", 0, ORR_OPTION_FLAG, &as_json, NULL,
         "one array of objects, one a claim, device and reading, with its parts and their cells"},
        {"expect", 0, ORR_OPTION_TEXT, &expected, "FILE",
         "what an earlier --json wrote: prints which verdicts are others now, and exits 1"},
        {"listed", 0, ORR_OPTION_FLAG, &listed, NULL,
         "with --expect: only the verdicts that FILE lists count, and those that agree are "
         "printed, "
         "too"},
        ORR_RESULT_OPTIONS(source),
    };
    const struct orr_options all = {
        "claims [PAPER] [options]",
        "What a paper says, judged on every device that was measured: " ORR_VERDICTS ".", options,
        sizeof options / sizeof *options};
    int code = orr_options_parse(&all, argc, argv, &what);
    if (!code)
        code = orr_cli_spell(&what);
    if (!code && what.count > 1)
        code = orr_fail(
            ORR_EUSAGE,
            "claims takes one paper, as in `orrery claims fujiwara`, or none for all of them");
    if (!code && listed && !expected)
        code = orr_fail(ORR_EUSAGE, "--listed goes with --expect FILE");
    if (!code)
        code = show(&source, what.count ? what.items[0] : NULL, expected, listed, as_json);
    else
        code = orr_cli_status(code);
    orr_options_release_words(&what);
    orr_cli_release_source(&source);
    return code;
}
