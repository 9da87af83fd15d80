/* Journals read by a thread. */
#include "ledger/journal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "json_member.h"
#include "ledger/ledger_parts.h"
#include "memory.h"

/* A record, or why the line has none. */
struct orr_journal_ahead_line {
    json_t *record;
    char *why;
    size_t line;
};

static bool is_of(const char *experiment, const char *only)
{
    const size_t length = strlen(only);
    return !strncmp(experiment, only, length) &&
           (experiment[length] == '/' || (!experiment[length] && strchr(only, '/')));
}

/* A cell of others, as a run writes it: its line is not even parsed. */
static bool passes(const char *line, size_t length, const void *context)
{
    static const char beginning[] = "{\"record\":\"cell\",\"id\":\"",
                      behind[] = "\",\"experiment\":\"";
    enum { BEGINNING = sizeof beginning - 1, BEHIND = sizeof behind - 1, LONGEST = 128 };
    const struct orr_journal_ahead *ahead = context;
    const char *id = line + BEGINNING, *end = line + (length < 512 ? length : 512);
    if (!*ahead->only || ahead->is_shard || end < id || memcmp(line, beginning, BEGINNING))
        return false;
    const char *quote = memchr(id, '"', (size_t)(end - id)), *name = quote + BEHIND;
    if (!quote || end < name || memcmp(quote, behind, BEHIND))
        return false;
    char experiment[LONGEST];
    const char *last = memchr(name, '"', (size_t)(end - name));
    if (!last || last - name >= LONGEST || memchr(name, '\\', (size_t)(last - name)))
        return false;
    snprintf(experiment, sizeof experiment, "%.*s", (int)(last - name), name);
    return !is_of(experiment, ahead->only);
}

/* The same of a cell that was written otherwise. */
static bool is_unwanted(const struct orr_journal_ahead *ahead, const json_t *record)
{
    const char *experiment = orr_json_text(record, "experiment");
    return *ahead->only && !ahead->is_shard && orr_json_is(record, "record", "cell") &&
           experiment && !is_of(experiment, ahead->only);
}

static int keep_line(json_t *record, const char *why, size_t line, void *context)
{
    struct orr_journal_ahead *ahead = context;
    if (orr_json_is(record, "record", "run"))
        ahead->is_shard = json_object_get(record, "shard") != NULL;
    if (is_unwanted(ahead, record)) {
        ahead->passed++;
        return 0;
    }
    struct orr_journal_ahead_line *at =
        orr_memory_add(&ahead->lines, &ahead->count, sizeof *ahead->lines);
    *at = (struct orr_journal_ahead_line){json_incref(record), why ? orr_memory_text(why) : NULL,
                                          line};
    return 0;
}

static void *read_all(void *context)
{
    struct orr_journal_ahead *ahead = context;
    struct orr_journal_lines lines = {.each = keep_line, .passes = passes, .context = ahead};
    ahead->code = orr_journal_read_lines(ahead->path, &lines);
    if (ahead->code)
        snprintf(ahead->why, sizeof ahead->why, "%s", orr_error_text());
    ahead->passed += lines.passed;
    return NULL;
}

void orr_journal_ahead_start(struct orr_journal_ahead *out, const char *path, const char *only)
{
    *out = (struct orr_journal_ahead){.path = path, .only = only};
    out->runs = !pthread_create(&out->thread, NULL, read_all, out);
    if (!out->runs)
        read_all(out);
}

static void wait_for(struct orr_journal_ahead *ahead)
{
    if (ahead->runs)
        pthread_join(ahead->thread, NULL);
    ahead->runs = false;
}

int orr_journal_ahead_each(struct orr_journal_ahead *ahead,
                           int (*each)(json_t *record, size_t line, void *context), void *context,
                           struct orr_journal_damage *damage)
{
    int code = 0;
    wait_for(ahead);
    for (size_t k = 0; k < ahead->count && !code; k++) {
        struct orr_journal_ahead_line *at = &ahead->lines[k];
        if (at->record)
            code = each(at->record, at->line, context);
        else
            orr_journal_damage_add(damage, ahead->path, at->line, at->why);
        json_decref(at->record);
        at->record = NULL;
    }
    return code || !ahead->code ? code : orr_fail(ahead->code, "%s", ahead->why);
}

void orr_journal_ahead_release(struct orr_journal_ahead *ahead)
{
    wait_for(ahead);
    for (size_t k = 0; k < ahead->count; k++) {
        json_decref(ahead->lines[k].record);
        free(ahead->lines[k].why);
    }
    free(ahead->lines);
    *ahead = (struct orr_journal_ahead){0};
}
