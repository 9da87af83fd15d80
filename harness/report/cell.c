/* SPDX-License-Identifier: MIT */
/* One cell in full, as `orrery describe` shows it. */
#include <stdio.h>
#include <string.h>

#include "error.h"
#include "present/queries.h"
#include "report/report.h"
#include "sql/report/cell.h"

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
        code = orr_query_layout(out, ledger, "report/cell.sql", sql_report_cell, "cell");
    return code;
}
