#include "ledger/journal_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

enum { DIGITS = 16 };
static const char before[] = ",\"check\":\"", after[] = "\"}\n";
enum { BEFORE = sizeof before - 1, AFTER = sizeof after - 1, TAIL = BEFORE + DIGITS + AFTER };

static void make_tail(char out[TAIL + 1], const char *text, size_t size)
{
    char hex[65];
    orr_text_sha256(text, size, hex);
    snprintf(out, TAIL + 1, "%s%.*s%s", before, DIGITS, hex, after);
}

char *orr_journal_line_make(const json_t *record, bool checked)
{
    char *text = record ? json_dumps(record, JSON_COMPACT | JSON_PRESERVE_ORDER) : NULL;
    size_t size = text ? strlen(text) : 0;
    char *line = text ? realloc(text, size + TAIL + 1) : NULL;
    if (!line)
        free(text);
    else if (checked)
        make_tail(line + size - 1, line, size - 1); /* in place of the closing bracket */
    else
        strcpy(line + size, "\n");
    return line;
}

bool orr_journal_line_has_check(const char *line, size_t length)
{
    return length > TAIL && !memcmp(line + length - TAIL, before, BEFORE) &&
           !memcmp(line + length - AFTER, after, AFTER);
}

bool orr_journal_line_is_whole(const char *line, size_t length)
{
    char tail[TAIL + 1];
    if (!orr_journal_line_has_check(line, length))
        return false;
    make_tail(tail, line, length - TAIL);
    return !memcmp(line + length - TAIL, tail, TAIL);
}

json_t *orr_journal_line_read(const char *line, size_t length, bool checked, const char **why)
{
    *why = NULL;
    /* A line without a newline is unfinished, even when it happens to parse. */
    if (line[length - 1] != '\n')
        *why = "it is unfinished";
    else if (checked && !orr_journal_line_is_whole(line, length))
        *why = orr_journal_line_has_check(line, length) ? "its checksum does not match"
                                                        : "it has no checksum";
    json_t *record = *why ? NULL : json_loadb(line, length, 0, NULL);
    if (json_is_object(record))
        return record;
    if (!*why)
        *why = "it is no JSON object";
    json_decref(record);
    return NULL;
}
