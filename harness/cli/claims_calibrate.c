/* orrery claims --calibrate: each paper's claims judged by its own printed numbers, and by numbers
 * that say nothing. */
#include <stdio.h>

#include "calibrate/calibrate.h"
#include "cli/claims_parts.h"
#include "cli/cli.h"
#include "cli/query_rows.h"
#include "cli/text_table.h"
#include "error.h"
#include "json_member.h"
#include "names.h"

static int gather(json_t *rows, const struct orr_ledger *ledger, const char *key)
{
    sqlite3_stmt *statement;
    int code =
        orr_ledger_query(&statement, ledger, "SELECT ? AS paper, * FROM calibration", "s", key);
    return code ? code : orr_cli_query_rows(rows, ledger, statement, "amiss unrefuted");
}

static int calibrate(json_t *rows, const char *key, bool named)
{
    struct orr_paper *paper;
    struct orr_ledger ledger = {0};
    int code = orr_cli_claims_open(&paper, &ledger, key);
    if (!code)
        code = orr_calibrate_judge(&ledger, paper);
    if (code > 0)
        code = gather(rows, &ledger, key);
    else if (!code && named)
        code = orr_fail(ORR_EUSAGE, "%s has no claims yet", key);
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

/* Below the table: what is not as it should be, or is not and may be. */
static void print_amiss(const json_t *row)
{
    const char *paper = orr_json_text(row, "paper"), *claim = orr_json_text(row, "claim"),
               *refuted = orr_json_text(row, "refuted");
    size_t k;
    json_t *part;
    json_array_foreach(json_object_get(row, "amiss"), k, part)
    {
        const char *value = orr_json_text(part, "value"), *why = orr_json_text(part, "erratum");
        printf("%s %s: %s %s%s, which is to be %s, is %s%s%s\n", paper, claim,
               orr_json_text(part, "part"), value, *value ? "" : "without a number",
               orr_json_text(part, "wants"), orr_json_text(part, "is"), why ? ". Erratum: " : "",
               why ? why : "");
    }
    json_array_foreach(json_object_get(row, "unrefuted"), k, part)
    {
        printf("%s %s: %s holds of every null, too\n", paper, claim, json_string_value(part));
    }
    if (orr_json_integer(row, "blind"))
        printf("%s %s: numbers that say nothing reproduce it; it is refuted by %s alone\n", paper,
               claim, *refuted ? refuted : "none");
}

static void print(json_t *rows)
{
    size_t k;
    json_t *row;
    orr_text_table_print(stdout, rows, columns, 0);
    json_array_foreach(rows, k, row)
    {
        print_amiss(row);
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
