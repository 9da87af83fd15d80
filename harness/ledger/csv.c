/* SPDX-License-Identifier: MIT */
/* Comma-separated values: reading records, and files of them as rows of the ledger. */
#include "ledger/csv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "ledger/ledger.h"
#include "memory.h"
#include "text.h"

/* Unquotes the next field in place. *more: a comma stands behind it. */
static char *take_field(struct orr_csv *csv, bool *more)
{
    char *start = csv->at, *to = start, *from = start;
    bool quoted = *from == '"';
    from += quoted;
    while (*from && (quoted || !strchr(",\n", *from))) {
        if (quoted && *from == '"' && *++from != '"') {
            quoted = false;
            continue;
        }
        csv->line += *from == '\n';
        *to++ = *from++;
    }
    *more = *from == ',';
    csv->at = from + (*from != '\0');
    if (!*more && to > start && to[-1] == '\r')
        to--;
    *to = '\0';
    return start;
}

bool orr_csv_next(struct orr_csv *csv)
{
    do {
        if (!*csv->at)
            return false;
        csv->line++;
        csv->count = 0;
        for (bool more = true; more;) {
            char **field = orr_memory_add(&csv->fields, &csv->count, sizeof *csv->fields);
            *field = take_field(csv, &more);
        }
    } while (csv->count == 1 && !*csv->fields[0]);
    return true;
}

/* The lines behind the header as rows of the table `csv`. */
static int store_lines(const struct orr_ledger *ledger, struct orr_csv *csv, const char *header)
{
    char sql[256];
    sqlite3_stmt *row = NULL;
    const size_t columns = csv->count;
    snprintf(sql, sizeof sql, "CREATE TEMP TABLE csv(line, %s)", header);
    int code = orr_ledger_execute(ledger, sql);
    snprintf(sql, sizeof sql, "INSERT INTO csv VALUES (?%.*s)", 2 * (int)columns,
             ",?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?");
    if (!code)
        code = orr_ledger_query(&row, ledger, sql, "");
    while (!code && orr_csv_next(csv)) {
        if (csv->count != columns)
            code = orr_fail(ORR_EINPUT, "%zu fields instead of %zu", csv->count, columns);
        sqlite3_bind_int64(row, 1, (sqlite3_int64)csv->line);
        for (size_t k = 0; !code && k < columns; k++)
            sqlite3_bind_text(row, (int)k + 2, csv->fields[k], -1, SQLITE_STATIC);
        if (!code)
            code = orr_ledger_next(row, ledger);
        sqlite3_reset(row);
    }
    sqlite3_finalize(row);
    return code;
}

static int take_over(const struct orr_ledger *ledger, const struct orr_csv_kind *kind,
                     const char *paper, const char *shown)
{
    static const char first[] =
        "SELECT line, text FROM csv_fault WHERE text NOT NULL ORDER BY line";
    sqlite3_stmt *row = NULL;
    int code = orr_ledger_run_text(ledger, kind->name, 1, kind->sql, paper);
    if (!code)
        code = orr_ledger_query(&row, ledger, first, "");
    while (orr_ledger_row(&code, row, ledger))
        code = orr_fail(ORR_EINPUT, "%s:%lld: %s", shown, (long long)sqlite3_column_int64(row, 0),
                        orr_ledger_text(row, 1));
    return code;
}

/* NULL where the text begins with none of the headers. */
static const struct orr_csv_kind *kind_of(const char *text, const struct orr_csv_kind *kinds,
                                          size_t count)
{
    const size_t length = strcspn(text, "\r\n");
    for (size_t k = 0; k < count; k++)
        if (strlen(kinds[k].header) == length && !strncmp(text, kinds[k].header, length))
            return &kinds[k];
    return NULL;
}

int orr_csv_load(const struct orr_ledger *ledger, const char *paper, const char *path,
                 const char *shown, const struct orr_csv_kind *kinds, size_t count,
                 const char *unknown)
{
    char *text;
    size_t size;
    int code = orr_text_read(&text, &size, path, shown);
    if (!code) {
        const struct orr_csv_kind *kind = kind_of(text, kinds, count);
        struct orr_csv csv = {.at = text};
        code = orr_ledger_execute(ledger, "CREATE TEMP TABLE csv_fault(line, text)");
        orr_csv_next(&csv);
        if (!code)
            code = kind ? store_lines(ledger, &csv, kind->header)
                        : orr_fail(ORR_EINPUT, "%s", unknown);
        code = code ? orr_error_context("%s:%zu", shown, csv.line)
                    : take_over(ledger, kind, paper, shown);
        free(csv.fields);
        orr_ledger_execute(ledger, "DROP TABLE IF EXISTS temp.csv; DROP TABLE temp.csv_fault");
    }
    free(text);
    return code;
}
