#include <string.h>

#include "error.h"
#include "present/column_format.h"
#include "present/queries.h"
#include "present/scope.h"
#include "report/ledger_table.h"
#include "sql/report/ceilings.h"
#include "sql/report/cell.h"

/* Adds the tables of the layout in `text`, the file `file` of queries alone, which asks for no
 * experiment (present/queries.h). Drops the temporary tables that it was made with. */
static int add_tables(struct orr_document *out, const struct orr_ledger *ledger, const char *file,
                      const char *text, const char *layout)
{
    struct orr_queries queries = {0};
    int code = orr_queries_add(&queries, file, text);
    const struct orr_section *first = orr_queries_find(&queries, ORR_SECTION_LAYOUT, layout);
    if (!code)
        code = orr_column_format_offer(ledger);
    if (!code)
        code = orr_scope_set_up(&queries, first, ledger);
    if (!code)
        code = orr_query_table(out, &queries, first, ledger);
    orr_queries_release(&queries);
    int dropped = orr_scope_drop(ledger);
    return code ? code : dropped;
}

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
        code = add_tables(out, ledger, "report/ceilings.sql", sql_report_ceilings, "ceilings");
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
    int count = 0,
        code = orr_ledger_query(&row, ledger,
                                "SELECT id, experiment, variant, dataset, n, device FROM cells "
                                "WHERE substr(id, 1, length(?1)) = ?1 AND coalesce(machine = ?2, 1)"
                                " GROUP BY id ORDER BY id",
                                "ss", id, machine);
    *out = '\0';
    for (; orr_ledger_row(&code, row, ledger); count++) {
        size_t used = strlen(out);
        snprintf(out + used, size - used, "%s%s (%s %s, %s N = %s on %s)", used ? "; " : "",
                 orr_ledger_text(row, 0), orr_ledger_text(row, 1), orr_ledger_text(row, 2),
                 orr_ledger_text(row, 3), orr_ledger_text(row, 4), orr_ledger_text(row, 5));
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
        code = add_tables(out, ledger, "report/cell.sql", sql_report_cell, "cell");
    return code;
}
