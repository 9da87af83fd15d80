/* SPDX-License-Identifier: MIT */
/* Comma-separated values: reading records, and files of them as rows of the ledger. */
#include "ledger/csv.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "ledger/ledger.h"
#include "memory.h"
#include "text.h"

enum { LONGEST_RECORD = 1 << 20 };

void orr_csv_release(struct orr_csv *csv)
{
    free(csv->text);
    free(csv->fields);
    csv->text = NULL, csv->fields = NULL, csv->count = 0;
}

/* One record as text in csv->text, NULL at the end: lines are joined while a quote is open. */
static int read_record(struct orr_csv *csv, FILE *from)
{
    char *line = NULL;
    size_t length = 0, size = 0, got;
    bool open = false;
    int more;
    do {
        more = orr_plain_file_line(&line, &size, &got, from, LONGEST_RECORD - length);
        csv->line += more != 0;
        if (more <= 0)
            break;
        csv->text = orr_memory_more(csv->text, length + got + 1);
        memcpy(csv->text + length, line, got + 1);
        length += got;
        for (size_t k = 0; k < got; k++)
            open ^= line[k] == '"';
    } while (open);
    free(line);
    while (length && (csv->text[length - 1] == '\n' || csv->text[length - 1] == '\r'))
        csv->text[--length] = '\0';
    return more < 0 ? more : 0;
}

/* Unquotes the field at *at in place and moves *at behind its comma; NULL after the last field. */
static char *take_field(char **at)
{
    char *start = *at, *to = start, *from = start;
    bool quoted = *from == '"';
    from += quoted;
    while (*from && (quoted || *from != ',')) {
        if (quoted && *from == '"') {
            from++;
            if (*from != '"') {
                quoted = false;
                continue;
            }
        }
        *to++ = *from++;
    }
    *at = *from ? from + 1 : NULL;
    *to = '\0';
    return start;
}

int orr_csv_next(struct orr_csv *csv, FILE *from)
{
    do {
        orr_csv_release(csv);
        int code = read_record(csv, from);
        if (code)
            return code;
    } while (csv->text && !*csv->text);
    if (!csv->text)
        return 0;
    char *at = csv->text;
    while (at)
        *(char **)orr_memory_add(&csv->fields, &csv->count, sizeof *csv->fields) = take_field(&at);
    return 1;
}

/* --- a file as rows of the ledger --- */

struct load {
    const struct orr_ledger *ledger;
    const struct orr_csv_kind *kind; /* NULL before the header line */
    size_t columns;
};

static bool is_header(const struct orr_csv *csv, const char *header)
{
    for (size_t k = 0; k < csv->count; k++) {
        const size_t length = strlen(csv->fields[k]);
        if (strncmp(header, csv->fields[k], length) != 0 ||
            header[length] != (k + 1 < csv->count ? ',' : '\0'))
            return false;
        header += length + 1;
    }
    return csv->count;
}

/* One text: "CREATE TEMP TABLE csv(line, "a", "b", ...)", or "INSERT INTO csv VALUES (?,?, ...)".
 */
static char *make_statement(const struct orr_csv *csv, bool creates)
{
    char *sql = NULL;
    size_t size = 0;
    FILE *text = orr_memory_stream(&sql, &size);
    fputs(creates ? "CREATE TEMP TABLE csv(line" : "INSERT INTO csv VALUES (?", text);
    for (size_t k = 0; k < csv->count; k++)
        fprintf(text, creates ? ", \"%s\"" : ", ?", csv->fields[k]);
    fputs(")", text);
    fclose(text);
    return sql;
}

static int store_line(const struct load *load, const struct orr_csv *csv)
{
    sqlite3_stmt *row = NULL;
    if (csv->count != load->columns)
        return orr_fail(ORR_EINPUT, "%zu fields instead of %zu", csv->count, load->columns);
    char *sql = make_statement(csv, false);
    int code = orr_ledger_query(&row, load->ledger, sql, "i", (long long)csv->line);
    for (size_t k = 0; !code && k < csv->count; k++)
        sqlite3_bind_text(row, (int)k + 2, csv->fields[k], -1, SQLITE_STATIC);
    if (!code)
        code = orr_ledger_next(row, load->ledger);
    sqlite3_finalize(row);
    free(sql);
    return code;
}

static int read_header(struct load *load, const struct orr_csv *csv,
                       const struct orr_csv_kind *kinds, size_t count, const char *unknown)
{
    for (size_t k = 0; k < count && !load->kind; k++)
        load->kind = is_header(csv, kinds[k].header) ? &kinds[k] : NULL;
    if (!load->kind)
        return orr_fail(ORR_EINPUT, "%s", unknown);
    load->columns = csv->count;
    char *sql = make_statement(csv, true);
    int code = orr_ledger_execute(load->ledger, sql);
    free(sql);
    return code;
}

static int take_over(const struct load *load, const char *paper, const char *shown)
{
    static const char first[] =
        "SELECT line, text FROM csv_fault WHERE text NOT NULL ORDER BY line";
    sqlite3_stmt *row = NULL;
    int code = orr_ledger_run_text(load->ledger, load->kind->name, 1, load->kind->sql, paper);
    if (!code)
        code = orr_ledger_query(&row, load->ledger, first, "");
    while (orr_ledger_row(&code, row, load->ledger))
        code = orr_fail(ORR_EINPUT, "%s:%lld: %s", shown, (long long)sqlite3_column_int64(row, 0),
                        orr_ledger_text(row, 1));
    return code;
}

int orr_csv_load(const struct orr_ledger *ledger, const char *paper, const char *path,
                 const char *shown, const struct orr_csv_kind *kinds, size_t count,
                 const char *unknown)
{
    const char *why;
    struct orr_csv csv = {0};
    struct load load = {.ledger = ledger};
    FILE *from = orr_plain_file_open(path, &why);
    if (!from)
        return orr_fail(ORR_EIO, "cannot read %s: %s", shown, why);
    int more, code = orr_ledger_execute(ledger, "CREATE TEMP TABLE csv_fault(line, text)");
    while (!code && (more = orr_csv_next(&csv, from))) {
        code = more < 0    ? more
               : load.kind ? store_line(&load, &csv)
                           : read_header(&load, &csv, kinds, count, unknown);
    }
    if (!code && !load.kind)
        code = orr_fail(ORR_EINPUT, "%s", unknown);
    if (code)
        orr_error_context("%s:%zu", shown, csv.line);
    else
        code = take_over(&load, paper, shown);
    orr_csv_release(&csv);
    fclose(from);
    orr_ledger_execute(ledger, "DROP TABLE IF EXISTS temp.csv; DROP TABLE temp.csv_fault");
    return code;
}
