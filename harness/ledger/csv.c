#include "ledger/csv.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

void orr_csv_release(struct orr_csv *csv)
{
    free(csv->text);
    free(csv->fields);
    csv->text = NULL, csv->fields = NULL, csv->count = 0;
}

/* One record as text: lines are joined while a quote is open. */
static char *read_record(FILE *from, size_t *lines)
{
    char *record = NULL, *line = NULL;
    size_t length = 0, size = 0;
    bool open = false;
    ssize_t got;
    while ((got = getline(&line, &size, from)) > 0) {
        char *more = realloc(record, length + (size_t)got + 1);
        if (!more)
            break;
        record = more;
        memcpy(record + length, line, (size_t)got + 1);
        length += (size_t)got;
        ++*lines;
        for (ssize_t k = 0; k < got; k++)
            open ^= line[k] == '"';
        if (!open)
            break;
    }
    free(line);
    while (length && (record[length - 1] == '\n' || record[length - 1] == '\r'))
        record[--length] = '\0';
    return record;
}

static int add_field(struct orr_csv *csv, char *field)
{
    char **more = realloc(csv->fields, (csv->count + 1) * sizeof *more);
    if (!more)
        return orr_fail(ORR_EMEMORY, "no memory for a line of CSV");
    csv->fields = more;
    csv->fields[csv->count++] = field;
    return 0;
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
        csv->text = read_record(from, &csv->line);
    } while (csv->text && !*csv->text);
    if (!csv->text)
        return 0;
    char *at = csv->text;
    while (at) {
        int code = add_field(csv, take_field(&at));
        if (code)
            return code;
    }
    return 1;
}
