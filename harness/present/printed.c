#include "present/printed.h"

#include <stdio.h>
#include <string.h>

#include "present/layout.h"

static void add_columns(struct orr_grid *g)
{
    orr_grid_column(g, "what", "what", ORR_PEOPLE, false);
    orr_grid_column(g, "program", "program", ORR_PEOPLE, false);
    orr_grid_column(g, "n", "N", ORR_PEOPLE, true);
    orr_grid_column(g, "printed", "printed", ORR_PEOPLE, true);
    orr_grid_column(g, "where", "of", ORR_PEOPLE, false);
}

/* "gflops", "ratio over cpu-tree", "exponent of theta". */
static void put_what(struct orr_grid *g, const char *quantity, const char *reference)
{
    char name[64];
    snprintf(name, sizeof name, "%s", quantity);
    for (char *c = name; *c; c++)
        if (*c == '_')
            *c = ' ';
    orr_grid_text(g, "what", "%s%s%s", name,
                  !*reference             ? ""
                  : strcmp(name, "ratio") ? " of "
                                          : " over ",
                  reference);
}

int orr_printed_add(struct orr_document *document, const struct orr_scope *scope)
{
    sqlite3_stmt *row;
    struct orr_grid *g = NULL;
    int more, code = orr_ledger_query(
                  &row, scope->ledger,
                  "SELECT quantity, coalesce(reference, ''), substr(variant, instr(variant, '/') +"
                  " 1), coalesce(n, ''), printed, unit, device || '; ' || includes,"
                  " coalesce(erratum, '') FROM published WHERE experiment = ? ORDER BY rowid",
                  "s", scope->name);
    if (code)
        return code;
    while ((more = orr_ledger_next(row, scope->ledger)) > 0) {
        if (!g) {
            g = orr_document_grid(document, false, "Printed in the text");
            add_columns(g);
        }
        const char *unit = orr_ledger_text(row, 5);
        orr_grid_row(g);
        put_what(g, orr_ledger_text(row, 0), orr_ledger_text(row, 1));
        orr_grid_text(g, "program", "%s", orr_layout_label(scope, orr_ledger_text(row, 2)));
        orr_grid_text(g, "n", "%s", orr_ledger_text(row, 3));
        orr_grid_text(g, "printed", "%s%s%s", orr_ledger_text(row, 4), strcmp(unit, "1") ? " " : "",
                      strcmp(unit, "1") ? unit : "");
        orr_grid_note(g, "printed", orr_document_note(document, orr_ledger_text(row, 7)));
        orr_grid_text(g, "where", "%s", orr_ledger_text(row, 6));
    }
    sqlite3_finalize(row);
    return more;
}
