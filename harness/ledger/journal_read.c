/* Reading journals: their lines, and what they hold. */
#include "ledger/cell_rounds.h"
#include "ledger/journal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "json_member.h"
#include "ledger/journal_flaw.h"
#include "ledger/journal_line.h"
#include "plain_file.h"

enum { LONGEST_LINE = 64 << 20 };

struct reader {
    const char *path;
    FILE *file;
    char *line;
    size_t room, length, number; /* of the line, from 1 */
};

static int open_reader(struct reader *out, const char *path)
{
    const char *why;
    *out = (struct reader){.path = path, .file = orr_plain_file_open(path, &why)};
    return out->file ? 0 : orr_fail(ORR_EIO, "cannot read the journal %s: %s", path, why);
}

static void close_reader(struct reader *reader)
{
    free(reader->line);
    fclose(reader->file);
}

/* 1 with another line, 0 at the end, or a negative code. */
static int next_line(struct reader *r)
{
    r->number++;
    int more = orr_plain_file_line(&r->line, &r->room, &r->length, r->file, LONGEST_LINE);
    if (more < 0)
        return orr_error_context("%s:%zu", r->path, r->number);
    if (!more && ferror(r->file))
        return orr_fail(ORR_EIO, "cannot read the journal %s: %s", r->path, strerror(errno));
    return more;
}

/* Does the line say that it begins a journal with checksums? */
static bool promises_checks(const struct reader *r)
{
    const char *why;
    json_t *record = orr_journal_line_read(r->line, r->length, false, &why);
    bool promises = orr_json_integer(record, "schema") >= ORR_CHECKSUM_SCHEMA;
    json_decref(record);
    return promises;
}

static int look_for_checks(bool *out, struct reader *r)
{
    int more;
    *out = false;
    while (!*out && (more = next_line(r)) > 0)
        *out = orr_journal_line_has_check(r->line, r->length) ||
               (r->number == 1 && promises_checks(r));
    rewind(r->file);
    r->number = 0;
    return *out ? 0 : more;
}

int orr_journal_is_checked(bool *out, const char *path)
{
    struct reader reader;
    int code = open_reader(&reader, path);
    if (code)
        return code;
    code = look_for_checks(out, &reader);
    close_reader(&reader);
    return code;
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
static bool seems_whole(const struct reader *r, bool checked)
{
    static const char beginning[] = "{\"record\":";
    if (checked)
        return orr_journal_line_is_whole(r->line, r->length);
    return r->length > 2 && !memcmp(r->line + r->length - 2, "}\n", 2) &&
           !memmem(r->line + 1, r->length - 1, beginning, sizeof beginning - 1);
}

struct visit {
    struct orr_journal_wish *wish;
    struct orr_journal_damage *damage; /* may be NULL */
};

/* The line that was read, with its record. */
static int visit_line(const struct reader *r, bool checked, const struct visit *visit)
{
    struct orr_journal_wish *wish = visit->wish;
    const char *why;
    if (wish->passes && wish->passes(r->line, r->length, wish->context) &&
        seems_whole(r, checked)) {
        wish->passed++;
        return 0;
    }
    json_t *record = orr_journal_line_read(r->line, r->length, checked, &why);
    int code = record ? wish->each(record, r->number, wish->context) : 0;
    if (!record && visit->damage)
        orr_journal_damage_add(visit->damage, r->path, r->number, why);
    json_decref(record);
    return code;
}

int orr_journal_read_wanted(const char *path, struct orr_journal_wish *wish,
                            struct orr_journal_damage *damage)
{
    const struct visit visit = {wish, damage};
    struct reader reader;
    bool checked;
    int code = open_reader(&reader, path);
    if (code)
        return code;
    code = look_for_checks(&checked, &reader);
    while (!code && (code = next_line(&reader)) > 0)
        code = visit_line(&reader, checked, &visit);
    close_reader(&reader);
    return code;
}

int orr_journal_read(const char *path, int (*each)(json_t *record, size_t line, void *context),
                     void *context, struct orr_journal_damage *damage)
{
    return orr_journal_read_wanted(
        path, &(struct orr_journal_wish){.each = each, .context = context}, damage);
}

int orr_journal_records_make(struct orr_journal_records *out)
{
    *out = (struct orr_journal_records){
        .cells = json_object(), .ceilings = json_object(), .access = json_object()};
    return out->cells && out->ceilings && out->access
               ? 0
               : orr_fail(ORR_EMEMORY, "no memory for the records of a run");
}

void orr_journal_records_release(struct orr_journal_records *records)
{
    json_decref(records->run);
    json_decref(records->cells);
    json_decref(records->ceilings);
    json_decref(records->access);
    *records = (struct orr_journal_records){0};
}

bool orr_journal_is_ok(const json_t *record)
{
    const char *outcome = orr_json_text(record, "outcome");
    return outcome && !strcmp(outcome, "ok");
}

bool orr_journal_is_wrong_on_purpose(const json_t *record)
{
    const char *outcome = orr_json_text(record, "outcome");
    return outcome && !strcmp(outcome, ORR_OUTCOME_WRONG_ON_PURPOSE);
}

bool orr_journal_is_measured(const json_t *record)
{
    return orr_journal_is_ok(record) || orr_journal_is_wrong_on_purpose(record);
}

static void add_round(json_t *all, const char *id, json_t *record)
{
    if (!json_object_get(all, id))
        json_object_set_new(all, id, json_array());
    orr_cell_rounds_put(json_object_get(all, id), record);
}

int orr_journal_records_add(struct orr_journal_records *records, json_t *record)
{
    const char *kind = orr_json_text(record, "record");
    const char *id = orr_json_text(record, "outcome") ? orr_json_text(record, "id") : NULL;
    const char *device = orr_json_text(record, "device");
    if (kind && !strcmp(kind, "run") && !records->run)
        records->run = json_incref(record);
    else if (kind && id && !strcmp(kind, "cell"))
        add_round(records->cells, id, record);
    else if (kind && device && !strcmp(kind, "ceiling"))
        json_object_set(records->ceilings, device, record);
    else if (kind && device && !strcmp(kind, "access_ceilings"))
        add_round(records->access, device, record);
    return 0;
}

struct records_reading {
    struct orr_journal_records *records;
    const char *path;
};

static int add(json_t *record, size_t line, void *context)
{
    const struct records_reading *reading = context;
    char why[160];
    if (!orr_journal_flaw(why, sizeof why, record))
        return orr_journal_records_add(reading->records, record);
    orr_journal_damage_add(&reading->records->damage, reading->path, line, why);
    return 0;
}

int orr_journal_records_read(struct orr_journal_records *out, const char *path)
{
    struct records_reading reading = {out, path};
    int code = orr_journal_records_make(out);
    return code ? code : orr_journal_read(path, add, &reading, &out->damage);
}

json_t *orr_journal_records_cell(const struct orr_journal_records *records, const char *id)
{
    const json_t *rounds = json_object_get(records->cells, id);
    return rounds ? orr_cell_rounds_merge(rounds) : NULL;
}

json_t *orr_journal_records_round(const struct orr_journal_records *records, const char *id,
                                  int round)
{
    size_t k;
    json_t *record;
    json_array_foreach(json_object_get(records->cells, id), k, record)
    {
        if (orr_cell_rounds_of(record) == round)
            return record;
    }
    return NULL;
}

const char *orr_journal_records_outcome(const struct orr_journal_records *records, const char *id)
{
    size_t k;
    json_t *record;
    const json_t *rounds = json_object_get(records->cells, id);
    json_array_foreach(rounds, k, record)
    {
        if (!orr_journal_is_measured(record))
            return orr_json_text(record, "outcome");
    }
    return orr_json_text(json_array_get(rounds, 0), "outcome");
}
