/* SPDX-License-Identifier: MIT */
/* The report's sections around the experiments, and documents of the ledger alone. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "claims/claims.h"
#include "error.h"
#include "memory.h"
#include "report/report_parts.h"
#include "present/queries.h"
#include "present/write.h"
#include "sql/report/cell.h"
#include "sql/report/pages.h"

static const char method[] =
    "<p>Accelerations of every cell are checked against double precision before it is timed; one "
    "whose error exceeds its bound is <b>wrong</b> and has no time. A time is the median over "
    "processes of their medians, with its 95&nbsp;% interval; with fewer than three processes it "
    "is \"within one run\" (†). A step begins with its bodies on the device and ends with its "
    "results there; end to end also sends the bodies and fetches the results. GFLOPS follow the "
    "paper's convention; the ceiling is the rate of the cell's own kind of pair held in registers, "
    "and a share above 100&nbsp;% says that it is too low. ≈ marks what was extrapolated, — what "
    "is not there. <code>docs/METHOD.md</code> has all rules.</p>\n";

/* Adds the tables of the layout of that name of the file `file` of queries to a document. */
static int add_layout(struct orr_document *out, const struct orr_ledger *ledger, const char *file,
                      const char *text, const char *layout)
{
    struct orr_queries queries = {0};
    int code = orr_queries_add(&queries, file, text);
    if (!code)
        code = orr_query_part(out, &queries, ORR_SECTION_LAYOUT, layout, ledger);
    orr_queries_release(&queries);
    return code;
}

/* The tables of a layout of pages.sql. */
static int put_layout(FILE *to, const struct orr_ledger *ledger, const char *layout)
{
    struct orr_document document = {0};
    int code = add_layout(&document, ledger, "report/pages.sql", sql_report_pages, layout);
    if (!code)
        orr_html_document(to, &document, false);
    orr_document_release(&document);
    return code;
}

int orr_report_text(FILE *to, const struct orr_ledger *ledger, const char *layout,
                    const char *paper)
{
    struct orr_document document = {0};
    int code = orr_ledger_run(ledger, "UPDATE request SET paper = ?", "s", paper);
    if (!code)
        code = add_layout(&document, ledger, "report/pages.sql", sql_report_pages, layout);
    for (size_t k = 0; k < document.remark_count; k++)
        fprintf(to, "%s\n", document.remarks[k]);
    orr_document_release(&document);
    return code;
}

/* The cost of each access, where that was measured. */
static int put_ceilings(FILE *to, const struct orr_selection *selection)
{
    struct orr_document document;
    int known = orr_ledger_numbers(NULL, 0, &selection->ledger, "SELECT 1 FROM access_rate", "");
    if (known <= 0)
        return known;
    int code = orr_report_ceilings(&document, &selection->ledger, selection->machine);
    if (!code) {
        fputs("<details><summary>What each access costs</summary>\n", to);
        orr_html_document(to, &document, false);
        fputs("</details>\n", to);
    }
    orr_document_release(&document);
    return code;
}

/* Makes the table verdict of what orr_claims_query tells. */
static int keep_verdicts(sqlite3_stmt *verdicts, const struct orr_ledger *ledger)
{
    char *sql = NULL, *query = sqlite3_expanded_sql(verdicts);
    size_t size;
    FILE *to = orr_memory_stream(&sql, &size);
    fprintf(to, "CREATE TEMP TABLE verdict AS %s", query);
    fclose(to);
    int code = orr_ledger_execute(ledger, sql);
    sqlite3_free(query);
    free(sql);
    return code;
}

int orr_report_scores(const struct orr_selection *selection)
{
    const struct orr_ledger *ledger = &selection->ledger;
    sqlite3_stmt *verdicts;
    int code = orr_claims_query(&verdicts, ledger, selection->machine);
    if (!code)
        code = orr_column_format_offer(ledger);
    if (!code)
        code = orr_ledger_execute(ledger, "CREATE TEMP TABLE request AS SELECT '' AS paper; "
                                          "CREATE TEMP TABLE said(paper TEXT, says TEXT, "
                                          "found TEXT)");
    for (size_t k = 0; k < selection->paper_count && !code; k++)
        code = orr_ledger_run(ledger, "INSERT INTO said VALUES (?, ?, ?)", "sss",
                              selection->papers[k]->key, selection->papers[k]->says,
                              selection->papers[k]->found);
    if (!code)
        code = add_layout(NULL, ledger, "report/pages.sql", sql_report_pages, "scores");
    if (!code)
        code = keep_verdicts(verdicts, ledger);
    sqlite3_finalize(verdicts);
    return code;
}

int orr_report_trust(FILE *to, const struct orr_selection *selection)
{
    fputs("<h2 id=\"machines\">Machines and devices</h2>\n", to);
    int code = put_layout(to, &selection->ledger, "trust");
    fputs("<h3>How it was measured</h3>\n", to);
    fputs(method, to);
    return code;
}

int orr_report_sources(FILE *to, const struct orr_selection *selection)
{
    char folder[PATH_MAX];
    int code = orr_ledger_run(
        &selection->ledger, "CREATE TEMP TABLE here AS SELECT ? || '/' AS folder, ? AS only", "ss",
        getcwd(folder, sizeof folder) ? folder : "", selection->machine);
    fputs("<h2 id=\"missing\">What is missing</h2>\n", to);
    if (!code)
        code = put_layout(to, &selection->ledger, "missing");
    fputs("<h2 id=\"provenance\">Failures and provenance</h2>\n", to);
    if (!code)
        code = put_layout(to, &selection->ledger, "sources");
    return code ? code : put_ceilings(to, selection); /* its tables take the place of claims' */
}

/* --- documents of the ledger alone, without an experiment --- */

/* --- what accesses cost --- */

int orr_report_ceilings(struct orr_document *out, const struct orr_ledger *ledger,
                        const char *machine)
{
    *out = (struct orr_document){0};
    orr_document_name(out, "ceilings", "What each access costs");
    int code = orr_scope_drop(ledger);
    if (!code)
        code =
            orr_ledger_run(ledger, "CREATE TEMP TABLE asked AS SELECT ? AS machine", "s", machine);
    if (!code)
        code = add_layout(out, ledger, "report/pages.sql", sql_report_pages, "ceilings");
    if (!code && !orr_document_data(out)->row_count)
        code = orr_fail(ORR_EUSAGE, "nothing here says what accesses cost; `orrery run ceilings` "
                                    "measures it, -r names other journals");
    return code;
}

/* --- one cell --- */

enum { LEAST_DIGITS = 6, ID_DIGITS = 16 };

bool orr_report_takes_cell(const char *id)
{
    size_t length = strlen(id);
    return length >= LEAST_DIGITS && length <= ID_DIGITS &&
           strspn(id, "0123456789abcdef") == length;
}

/* "ID (what, where), ..." of the cells that begin so, as many as there is room for; returns how
 * many there are. */
static int find_cells(char *out, size_t size, const struct orr_ledger *ledger, const char *id,
                      const char *machine)
{
    sqlite3_stmt *row;
    int count = 0;
    int code = orr_ledger_query(
        &row, ledger,
        "SELECT count(*), group_concat(printf('%s (%s %s, %s N = %s on %s)', id, experiment,"
        " variant, dataset, n, device), '; ') FROM (SELECT * FROM cells WHERE"
        " substr(id, 1, length(?1)) = ?1 AND coalesce(machine = ?2, 1) GROUP BY id ORDER BY id)",
        "ss", id, machine);
    while (orr_ledger_row(&code, row, ledger)) {
        count = sqlite3_column_int(row, 0);
        snprintf(out, size, "%s", orr_ledger_text(row, 1));
    }
    return code ? code : count;
}

/* The record that tables show (newest.sql) stands before others; a measured one before an estimate,
 * a later one before an earlier. */
static int ask_for(const struct orr_ledger *ledger, const char *id, const char *machine)
{
    return orr_ledger_run(
        ledger,
        "CREATE TEMP TABLE asked AS SELECT cell_key FROM cells WHERE substr(id, 1, length(?1)) = ?1"
        " AND coalesce(machine = ?2, 1) ORDER BY cell_key NOT IN (SELECT cell_key FROM newest),"
        " extrapolated, coalesce(started, run_started) DESC, cell_key DESC LIMIT 1",
        "ss", id, machine);
}

int orr_report_cell(struct orr_document *out, const struct orr_ledger *ledger, const char *id,
                    const char *machine)
{
    char candidates[600], title[64];
    *out = (struct orr_document){0};
    int count = find_cells(candidates, sizeof candidates, ledger, id, machine);
    if (count < 0)
        return count;
    if (!count)
        return orr_fail(ORR_EUSAGE,
                        "no cell here begins with '%s'; -r names other journals, --reference takes "
                        "those that come with Orrery",
                        id);
    if (count > 1)
        return orr_fail(ORR_EUSAGE, "%d cells begin with '%s': %s", count, id, candidates);
    snprintf(title, sizeof title, "Cell %.*s", (int)strcspn(candidates, " "), candidates);
    orr_document_name(out, title + strlen("Cell "), title);
    int code = orr_scope_drop(ledger);
    if (!code)
        code = ask_for(ledger, id, machine);
    if (!code)
        code = add_layout(out, ledger, "report/cell.sql", sql_report_cell, "cell");
    return code;
}
