/* SPDX-License-Identifier: MIT */
/* orrery describe S3: a claim in full, from the sentence to the cells behind its verdicts. */
#include <strings.h>

#include "claims/claims.h"
#include "cli/cli.h"
#include "sql/claims/book.h"
#include "sql/cli/claim.h"

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
    return as_json ? orr_cli_table_json(json_incref(about))
                   : orr_cli_status(orr_column_format_offer(&selection.ledger) ||
                                    orr_cli_print_lines(&selection.ledger, sql_cli_claim, about));
}
