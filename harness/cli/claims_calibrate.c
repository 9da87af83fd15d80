/* orrery claims --calibrate: each paper's claims judged by its own printed numbers, and by numbers
 * that say nothing. */
#include <stdio.h>
#include <string.h>

#include "calibrate/calibrate.h"
#include "cli/claims_parts.h"
#include "cli/cli.h"
#include "cli/query_rows.h"
#include "cli/text_table.h"
#include "error.h"
#include "json_member.h"
#include "names.h"

/* In the order of the claims. */
static const char claims_sql[] = "SELECT * FROM calibration";
static const char amiss_sql[] =
    "SELECT id AS claim, what || iif(at = '', '', ' at ' || at) AS part,"
    " coalesce(shown(value) || coalesce(' ' || unit, ''), '') AS value, wants, why AS erratum,"
    " iif(holds IS NULL, 'unclear', 'fails') AS state FROM amiss ORDER BY claim, place";

static int gather(json_t *rows, const struct orr_ledger *ledger, const char *sql)
{
    sqlite3_stmt *statement;
    int code = orr_ledger_query(&statement, ledger, sql, "");
    return code ? code : orr_cli_query_rows(rows, ledger, statement, "");
}

/* What a claim's verdict rests on is listed below it. */
static int calibrate(json_t *rows, const char *key, bool named)
{
    struct orr_paper *paper;
    struct orr_ledger ledger = {0};
    json_t *claims = json_array(), *amiss = json_array(), *row, *part;
    size_t k, p;
    int code = orr_paper_load(&paper, key), judged = 0;
    if (!code)
        code = orr_ledger_open(&ledger);
    if (!code)
        code = orr_ledger_add_paper(&ledger, paper);
    if (!code)
        code = judged = orr_calibrate_judge(&ledger, paper);
    if (!code && named)
        code = orr_fail(ORR_EUSAGE, "%s has no claims yet", key);
    if (judged > 0)
        code = gather(claims, &ledger, claims_sql);
    if (judged > 0 && !code)
        code = gather(amiss, &ledger, amiss_sql);
    json_array_foreach(claims, k, row)
    {
        json_t *own = json_array();
        json_object_set_new(row, "paper", json_string(key));
        json_object_set_new(row, "amiss", own);
        json_array_foreach(amiss, p, part)
        {
            if (!strcmp(orr_json_text(part, "claim"), orr_json_text(row, "claim")))
                json_array_append(own, part);
        }
        json_array_append(rows, row);
    }
    json_decref(claims);
    json_decref(amiss);
    orr_ledger_close(&ledger);
    orr_paper_free(paper);
    return code;
}

static const struct orr_text_column columns[] = {
    {"paper", "paper"}, {"claim", "claim"}, {"reading", "reading"},    {"verdict", "verdict"},
    {"parts", "parts"}, {"fed", "fed"},     {"refuted", "refuted by"}, {NULL, NULL}};

static bool fails(const json_t *row)
{
    return orr_json_integer(row, "fails") || orr_json_integer(row, "blind");
}

static void print(json_t *rows)
{
    size_t k, p;
    json_t *row, *part;
    orr_text_table_print(stdout, rows, columns, 0);
    json_array_foreach(rows, k, row)
    {
        json_array_foreach(json_object_get(row, "amiss"), p, part)
        {
            const char *why = orr_json_text(part, "erratum");
            printf("%s %s: %s %s: %s, wants %s%s%s\n", orr_json_text(row, "paper"),
                   orr_json_text(row, "claim"), orr_json_text(part, "part"),
                   orr_json_text(part, "state"), orr_json_text(part, "value"),
                   orr_json_text(part, "wants"), why ? ". Erratum: " : "", why ? why : "");
        }
        if (orr_json_integer(row, "blind"))
            printf("%s %s: reproduced of numbers that say nothing: refuted only by %s\n",
                   orr_json_text(row, "paper"), orr_json_text(row, "claim"),
                   *orr_json_text(row, "refuted") ? orr_json_text(row, "refuted") : "none");
    }
}

static int show(json_t *rows, bool as_json)
{
    size_t k, failed = 0;
    json_t *row;
    json_array_foreach(rows, k, row)
    {
        failed += fails(row);
    }
    if (as_json && orr_text_table_json(json_incref(rows)))
        return orr_cli_report_error();
    if (!as_json)
        print(rows);
    if (failed)
        fprintf(stderr, "orrery: %zu of %zu calibrations fail\n", failed, json_array_size(rows));
    return failed ? ORR_EXIT_DIFFERENCE : ORR_EXIT_OK;
}

int orr_cli_claims_calibrate(const char *paper, bool as_json)
{
    char **keys = NULL;
    json_t *rows = json_array();
    int code = paper ? calibrate(rows, paper, true) : orr_paper_keys(&keys);
    for (char **key = keys; !code && key && *key; key++)
        code = calibrate(rows, *key, false);
    orr_names_free(keys);
    code = code ? orr_cli_report_error() : show(rows, as_json);
    json_decref(rows);
    return code;
}
