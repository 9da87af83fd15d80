/* SPDX-License-Identifier: MIT */
/* Reading journals: their lines, and what they hold. */
#include "ledger/journal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "json_member.h"
#include "ledger/ledger.h"
#include "ledger/ledger_parts.h"
#include "memory.h"
#include "text.h"

enum { LONGEST_LINE = 64 << 20 };

/* --- lines --- */

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
    char *line = json_dumps(record, JSON_COMPACT | JSON_PRESERVE_ORDER);
    size_t size = strlen(line);
    line = orr_memory_more(line, size + TAIL + 1);
    if (checked)
        make_tail(line + size - 1, line, size - 1); /* in place of the closing bracket */
    else
        strcpy(line + size, "\n");
    return line;
}

/* Does the line end as one with a checksum does, right or wrong? */
static bool has_check(const char *line, size_t length)
{
    return length > TAIL && !memcmp(line + length - TAIL, before, BEFORE) &&
           !memcmp(line + length - AFTER, after, AFTER);
}

static bool is_whole(const char *line, size_t length)
{
    char tail[TAIL + 1];
    if (!has_check(line, length))
        return false;
    make_tail(tail, line, length - TAIL);
    return !memcmp(line + length - TAIL, tail, TAIL);
}

/* A new reference to the line's record, whose checksum must be there and right when `checked`. NULL
 * with the reason in *why. */
static json_t *read_line(const char *line, size_t length, bool checked, const char **why)
{
    *why = NULL;
    /* A line without a newline is unfinished, even when it happens to parse. */
    if (line[length - 1] != '\n')
        *why = "it is unfinished";
    else if (checked && length > 1 && line[length - 2] == '\r')
        *why = "its lines end in CR LF, as of a copy that was made a text of Windows";
    else if (checked && !is_whole(line, length))
        *why = has_check(line, length) ? "its checksum does not match" : "it has no checksum";
    json_t *record = *why ? NULL : json_loadb(line, length, 0, NULL);
    if (json_is_object(record))
        return record;
    if (!*why)
        *why = "it is no JSON object";
    json_decref(record);
    return NULL;
}

/* --- files --- */

struct reader {
    const char *path;
    FILE *file;
    char *line;
    size_t room, length, number; /* of the line, from 1 */
    bool checked;                /* its lines have checksums */
};

static void close_reader(struct reader *reader)
{
    free(reader->line);
    fclose(reader->file);
}

/* 1 with another line, 0 at the end, or a negative code. */
static int next_line(struct reader *r)
{
    int c;
    r->number++;
    r->length = 0;
    do {
        if (r->length + 1 >= r->room)
            r->line = orr_memory_more(r->line, r->room = 2 * r->room + 4096);
        c = getc_unlocked(r->file);
        r->line[r->length] = (char)(c == EOF ? '\0' : c);
        r->length += c != EOF;
        if (r->length > LONGEST_LINE)
            return orr_fail(ORR_EINPUT, "%s:%zu: the line is too long", r->path, r->number);
    } while (c != EOF && c != '\n');
    r->line[r->length] = '\0';
    if (!r->length && ferror(r->file))
        return orr_fail(ORR_EIO, "cannot read the journal %s: %s", r->path, strerror(errno));
    return r->length > 0;
}

/* Does the line say that it begins a journal with checksums? */
static bool promises_checks(const struct reader *r)
{
    const char *why;
    json_t *record = read_line(r->line, r->length, false, &why);
    bool promises = orr_json_integer(record, "schema") >= ORR_CHECKSUM_SCHEMA;
    json_decref(record);
    return promises;
}

/* Open at its beginning. Close it if that succeeds. */
static int open_reader(struct reader *out, const char *path)
{
    const char *why;
    int more = 0;
    *out = (struct reader){.path = path, .file = orr_plain_file_open(path, &why)};
    if (!out->file)
        return orr_fail(ORR_EIO, "cannot read the journal %s: %s", path, why);
    while (!out->checked && (more = next_line(out)) > 0)
        out->checked =
            has_check(out->line, out->length) || (out->number == 1 && promises_checks(out));
    rewind(out->file);
    out->number = 0;
    if (more < 0)
        close_reader(out);
    return more < 0 ? more : 0;
}

int orr_journal_is_checked(bool *out, const char *path)
{
    struct reader reader;
    int code = open_reader(&reader, path);
    if (code)
        return code;
    *out = reader.checked;
    close_reader(&reader);
    return 0;
}

void orr_journal_damage_add(struct orr_journal_damage *damage, const char *path, size_t line,
                            const char *why)
{
    size_t used = strlen(damage->text), room = sizeof damage->text - used;
    if (damage->tell)
        damage->tell(damage->listener, path, line, why);
    if (damage->count++ != damage->named)
        return; /* one was left out already */
    int length =
        snprintf(damage->text + used, room, "%s%s:%zu: %s", used ? "; " : "", path, line, why);
    if (length > 0 && (size_t)length < room)
        damage->named++;
    else
        damage->text[used] = '\0';
}

/* Lines of old journals say less of what befell them: one may have run into the next. */
static bool seems_whole(const struct reader *r)
{
    static const char beginning[] = "{\"record\":";
    if (r->checked)
        return is_whole(r->line, r->length);
    return r->length > 2 && !memcmp(r->line + r->length - 2, "}\n", 2) &&
           !memmem(r->line + 1, r->length - 1, beginning, sizeof beginning - 1);
}

/* --- one pass over a journal --- */

struct pass {
    const char *path, *only;
    int (*each)(json_t *record, size_t line, void *context);
    void *context;
    struct orr_journal_damage *damage; /* may be NULL */
    bool is_shard;                     /* the run last read is a part of another */
};

static bool is_within(const char *experiment, const char *only)
{
    const size_t length = strlen(only);
    return !strncmp(experiment, only, length) &&
           (experiment[length] == '/' || (!experiment[length] && strchr(only, '/')));
}

/* Parsing is most of the work of loading a journal: a cell of another experiment is told by the
 * beginning of its line, as a run writes it. */
static bool begins_as_other_cell(const struct pass *pass, const char *line, size_t length)
{
    static const char beginning[] = "{\"record\":\"cell\",\"id\":\"",
                      behind[] = "\",\"experiment\":\"";
    enum { BEGINNING = sizeof beginning - 1, BEHIND = sizeof behind - 1, LONGEST = 128 };
    const char *id = line + BEGINNING, *end = line + (length < 512 ? length : 512);
    if (!*pass->only || pass->is_shard || end < id || memcmp(line, beginning, BEGINNING))
        return false;
    const char *quote = memchr(id, '"', (size_t)(end - id)), *name = quote + BEHIND;
    if (!quote || end < name || memcmp(quote, behind, BEHIND))
        return false;
    char experiment[LONGEST];
    const char *last = memchr(name, '"', (size_t)(end - name));
    if (!last || last - name >= LONGEST || memchr(name, '\\', (size_t)(last - name)))
        return false;
    snprintf(experiment, sizeof experiment, "%.*s", (int)(last - name), name);
    return !is_within(experiment, pass->only);
}

static int read_record(struct pass *pass, const struct reader *reader)
{
    const char *why;
    json_t *record = read_line(reader->line, reader->length, reader->checked, &why);
    int code = 0;
    if (orr_json_is(record, "record", "run"))
        pass->is_shard = json_object_get(record, "shard") != NULL;
    if (record)
        code = pass->each(record, reader->number, pass->context);
    else if (pass->damage)
        orr_journal_damage_add(pass->damage, pass->path, reader->number, why);
    json_decref(record);
    return code;
}

int orr_journal_read_only(size_t *passed, const char *path, const char *only,
                          int (*each)(json_t *record, size_t line, void *context), void *context,
                          struct orr_journal_damage *damage)
{
    struct pass pass = {path, only, each, context, damage, .is_shard = false};
    struct reader reader;
    int code = open_reader(&reader, path);
    *passed = 0;
    if (code)
        return code;
    while (!code && (code = next_line(&reader)) > 0) {
        code = 0;
        if (begins_as_other_cell(&pass, reader.line, reader.length) && seems_whole(&reader))
            ++*passed;
        else
            code = read_record(&pass, &reader);
    }
    close_reader(&reader);
    return code;
}

/* --- what a journal holds --- */

void orr_journal_records_make(struct orr_journal_records *out)
{
    *out = (struct orr_journal_records){
        .cells = json_object(), .ceilings = json_object(), .access = json_object()};
}

void orr_journal_records_release(struct orr_journal_records *records)
{
    json_decref(records->run);
    json_decref(records->cells);
    json_decref(records->ceilings);
    json_decref(records->access);
    *records = (struct orr_journal_records){0};
}

const json_t *orr_journal_device(const json_t *devices, const char *id)
{
    size_t k;
    json_t *device;
    json_array_foreach (devices, k, device) {
        const char *own = orr_json_text(device, "id");
        if (own && id && !strcmp(own, id))
            return device;
    }
    return NULL;
}

bool orr_journal_is_elsewhere(const json_t *devices, const json_t *record)
{
    const json_t *device = orr_journal_device(devices, orr_json_text(record, "device"));
    const char *told = orr_json_text(device, "identity"), *own = orr_json_text(record, "identity");
    return told && own && strcmp(told, own) != 0;
}

bool orr_journal_is_ok(const json_t *record)
{
    return orr_json_is(record, "outcome", "ok");
}

bool orr_journal_is_measured(const json_t *record)
{
    return orr_journal_is_ok(record) ||
           orr_json_is(record, "outcome", ORR_OUTCOME_WRONG_ON_PURPOSE);
}

static bool is_extrapolated(const json_t *record)
{
    return json_object_get(record, "extrapolated_from");
}

/* In the order of rounds, in the place of an earlier record of the same round. A measured record
 * replaces an extrapolated one. */
static void add_round(json_t *all, const char *id, json_t *record)
{
    size_t index = 0;
    json_t *rounds = json_object_get(all, id);
    if (!rounds)
        json_object_set_new(all, id, rounds = json_array());
    const json_t *there = json_array_get(rounds, 0);
    if (there && is_extrapolated(there) != is_extrapolated(record)) {
        if (is_extrapolated(record))
            return;
        json_array_clear(rounds);
    }
    const int round = orr_cell_rounds_of(record);
    while ((there = json_array_get(rounds, index)) && orr_cell_rounds_of(there) < round)
        index++;
    if (there && orr_cell_rounds_of(there) == round)
        json_array_set(rounds, index, record);
    else
        json_array_insert(rounds, index, record);
}

void orr_journal_records_add(struct orr_journal_records *records, json_t *record)
{
    const char *id = orr_json_text(record, "outcome") ? orr_json_text(record, "id") : NULL;
    const char *device = orr_json_text(record, "device");
    if (orr_json_is(record, "record", "run") && !records->run)
        records->run = json_incref(record);
    else if (id && orr_json_is(record, "record", "cell"))
        add_round(records->cells, id, record);
    else if (device && orr_json_is(record, "record", "ceiling"))
        json_object_set(records->ceilings, device, record);
    else if (device && orr_json_is(record, "record", "access_ceilings"))
        add_round(records->access, device, record);
}

struct records_reading {
    struct orr_journal_records *records;
    const char *path;
};

static int add(json_t *record, size_t line, void *context)
{
    const struct records_reading *reading = context;
    char why[160];
    if (orr_journal_flaw(why, sizeof why, record))
        orr_journal_damage_add(&reading->records->damage, reading->path, line, why);
    else
        orr_journal_records_add(reading->records, record);
    return 0;
}

int orr_journal_records_read(struct orr_journal_records *out, const char *path)
{
    struct records_reading reading = {out, path};
    orr_journal_records_make(out);
    return orr_journal_read(path, add, &reading, &out->damage);
}

json_t *orr_journal_records_round(const struct orr_journal_records *records, const char *id,
                                  int round)
{
    size_t k;
    json_t *record;
    json_array_foreach (json_object_get(records->cells, id), k, record) {
        if (orr_cell_rounds_of(record) == round)
            return record;
    }
    return NULL;
}
