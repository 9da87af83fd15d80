/* SPDX-License-Identifier: MIT */
#include "ledger/csv.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"
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

int orr_csv_each(const char *path, const char *shown,
                 int (*take)(const struct orr_csv *csv, void *context), void *context)
{
    const char *why;
    struct orr_csv csv = {0};
    int more = 1, code = 0;
    FILE *from = orr_plain_file_open(path, &why);
    if (!from)
        return orr_fail(ORR_EIO, "cannot read %s: %s", shown, why);
    while (!code && more > 0) {
        more = orr_csv_next(&csv, from);
        code = more < 0 ? more : take(&csv, context);
    }
    if (code)
        orr_error_context("%s:%zu", shown, csv.line);
    orr_csv_release(&csv);
    fclose(from);
    return code;
}

bool orr_csv_is(const struct orr_csv *csv, const char *header)
{
    bool same = true;
    for (size_t k = 0; same && k < csv->count; k++) {
        const size_t length = strlen(csv->fields[k]);
        same = !strncmp(header, csv->fields[k], length) &&
               header[length] == (k + 1 < csv->count ? ',' : '\0');
        header += length + 1;
    }
    return same;
}

int orr_csv_check_count(const struct orr_csv *csv, size_t count)
{
    return csv->count == count
               ? 0
               : orr_fail(ORR_EINPUT, "%zu fields instead of %zu", csv->count, count);
}
