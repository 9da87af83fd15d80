/* SPDX-License-Identifier: MIT */
/* The ledger's tables and views as text for people who write queries. */
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "ledger/ledger.h"
#include "ledger/ledger_parts.h"
#include "memory.h"
#include "sql/ledger/schema.h"
#include "sql/ledger/tables.h"

/* The record that a table's rows are; NULL: none. */
static const struct orr_record *record_of(const char *table)
{
    const struct orr_record *of =
        orr_ledger_record(strcmp(table, "wrong_on_purpose") ? table : "cell");
    return of && *of->table ? of : NULL;
}

/* The comment on the lines above the place where `text` creates the table or view. */
static void print_comment(FILE *to, const char *text, const char *name)
{
    char pattern[256];
    regex_t creation;
    regmatch_t found[2];
    snprintf(pattern, sizeof pattern, "((-- [^\n]*\n)*)CREATE (TEMP )?(TABLE|VIEW) %s[^A-Za-z0-9_]",
             name);
    if (regcomp(&creation, pattern, REG_EXTENDED))
        return;
    if (regexec(&creation, text, 2, found, 0))
        found[1].rm_so = found[1].rm_eo = 0;
    for (const char *at = text + found[1].rm_so; at < text + found[1].rm_eo;) {
        const size_t length = strcspn(at, "\n");
        fprintf(to, "  %.*s\n", (int)(length - 3), at + 3);
        at += length + 1;
    }
    regfree(&creation);
}

static void print_meaning(FILE *to, const char *name, const char *const *texts)
{
    print_comment(to, sql_ledger_tables, name);
    print_comment(to, sql_ledger_schema, name);
    for (; texts && *texts; texts++)
        print_comment(to, *texts, name);
}

/* A table of records has a line for each column, the others name theirs. */
static int print_columns(FILE *to, const struct orr_ledger *ledger, const char *name)
{
    const struct orr_record *of = record_of(name);
    const struct orr_member *member = NULL;
    sqlite3_stmt *row;
    size_t used = 0;
    int code = orr_ledger_query(&row, ledger, "SELECT name, lower(type) FROM pragma_table_info(?)",
                                "s", name);
    for (size_t k = 0; orr_ledger_row(&code, row, ledger); k++) {
        const char *column = orr_ledger_text(row, 0), *type = orr_ledger_text(row, 1);
        if (of) {
            member = k ? orr_ledger_column(member ? member + 1 : of->members, false) : NULL;
            fprintf(to, "    %-25s %-8s %s\n", column, type,
                    member ? member->means : "joins the tables of its parts");
            continue;
        }
        size_t length = strlen(column) + 2;
        bool wraps = !used || used + length > 96;
        fprintf(to, "%s%s", !used ? "    " : wraps ? ",\n    " : ", ", column);
        used = wraps ? 4 + length : used + length;
    }
    fputs(of ? "\n" : "\n\n", to);
    return code;
}

int orr_ledger_print_schema(FILE *to, const struct orr_ledger *ledger, const char *const *texts)
{
    sqlite3_stmt *row;
    int code = orr_ledger_query(
        &row, ledger,
        "SELECT type, name FROM (SELECT type, name, 0 AS part, rowid AS place FROM sqlite_master"
        " UNION ALL SELECT type, name, 1, rowid FROM sqlite_temp_master)"
        " WHERE type IN ('table', 'view') ORDER BY part, type, place",
        "");
    while (orr_ledger_row(&code, row, ledger)) {
        const char *name = orr_ledger_text(row, 1);
        fprintf(to, "%s %s\n", orr_ledger_text(row, 0), name);
        print_meaning(to, name, texts);
        code = print_columns(to, ledger, name);
    }
    return code;
}
