#include "ledger/journal_ahead.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "memory.h"

/* A record, or why the line has none. */
struct orr_journal_ahead_line {
    json_t *record;
    char *why;
    size_t line;
};

static void keep_line(struct orr_journal_ahead *ahead, json_t *record, const char *why, size_t line)
{
    struct orr_journal_ahead_line *at =
        orr_memory_add(&ahead->lines, &ahead->count, sizeof *ahead->lines);
    *at = (struct orr_journal_ahead_line){json_incref(record), why ? orr_memory_text(why) : NULL,
                                          line};
}

static int keep_record(json_t *record, size_t line, void *context)
{
    struct orr_journal_ahead *ahead = context;
    int code = ahead->wish.each ? ahead->wish.each(record, line, ahead->wish.context) : 0;
    if (!code)
        keep_line(ahead, record, NULL, line);
    return code;
}

static void keep_damage(void *listener, const char *path, size_t line, const char *why)
{
    (void)path;
    keep_line(listener, NULL, why, line);
}

static bool passes(const char *line, size_t length, const void *context)
{
    const struct orr_journal_wish *wish = &((const struct orr_journal_ahead *)context)->wish;
    return wish->passes && wish->passes(line, length, wish->context);
}

static void *read_all(void *context)
{
    struct orr_journal_ahead *ahead = context;
    struct orr_journal_wish wish = {.each = keep_record, .passes = passes, .context = ahead};
    struct orr_journal_damage damage = {.tell = keep_damage, .listener = ahead};
    ahead->code = orr_journal_read_wanted(ahead->path, &wish, &damage);
    if (ahead->code < 0)
        snprintf(ahead->why, sizeof ahead->why, "%s", orr_error_text());
    ahead->wish.passed = wish.passed;
    return NULL;
}

void orr_journal_ahead_start(struct orr_journal_ahead *out, const char *path,
                             const struct orr_journal_wish *wish)
{
    *out = (struct orr_journal_ahead){.path = path, .wish = *wish};
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
                           struct orr_journal_damage *damage, size_t *passed)
{
    int code = 0;
    wait_for(ahead);
    *passed = ahead->wish.passed;
    for (size_t k = 0; k < ahead->count && !code; k++) {
        struct orr_journal_ahead_line *at = &ahead->lines[k];
        if (at->record)
            code = each(at->record, at->line, context);
        else
            orr_journal_damage_add(damage, ahead->path, at->line, at->why);
        json_decref(at->record);
        at->record = NULL;
    }
    if (!code && ahead->code < 0)
        code = orr_fail(ahead->code, "%s", ahead->why);
    return code ? code : ahead->code;
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
