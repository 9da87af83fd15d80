/* SPDX-License-Identifier: MIT */
/* Members of records as members.csv describes them: as columns of tables, and what a record must
 * be to be one that a run wrote. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_member.h"
#include "ledger/journal.h"
#include "ledger/ledger.h"
#include "ledger/ledger_parts.h"
#include "measure/stats.h"
#include "memory.h"
#include "names.h"
#include "sql/ledger/members.h"

enum { RECORDS = sizeof all_records / sizeof *all_records };

const struct orr_record *orr_ledger_record(const char *name)
{
    for (size_t k = 0; name && k < RECORDS; k++)
        if (!strcmp(all_records[k].name, name))
            return &all_records[k];
    return NULL;
}

const struct orr_member *orr_ledger_column(const struct orr_member *member, bool of_round)
{
    while (member->path && (!member->sql || (!of_round && member->own)))
        member++;
    return member->path ? member : NULL;
}

/* --- as columns --- */

static int bind_member(sqlite3_stmt *statement, int at, const json_t *value,
                       enum orr_member_sql sql)
{
    if (sql == ORR_SQL_LENGTH)
        return sqlite3_bind_int64(statement, at, (sqlite3_int64)json_array_size(value));
    if (sql == ORR_SQL_JSON) {
        char *text = json_dumps(value, JSON_COMPACT | JSON_SORT_KEYS); /* of a list or object */
        return text ? sqlite3_bind_text(statement, at, text, -1, free)
                    : sqlite3_bind_null(statement, at);
    }
    if (sql == ORR_SQL_INTEGER && json_is_boolean(value))
        return sqlite3_bind_int(statement, at, json_is_true(value));
    return orr_ledger_bind_json(statement, at,
                                json_is_string(value) == (sql == ORR_SQL_TEXT) ? value : NULL);
}

sqlite3_int64 orr_ledger_insert(struct orr_ledger *ledger, const char *name, const json_t *record,
                                sqlite3_int64 parent)
{
    const struct orr_record *of = orr_ledger_record(name);
    const bool of_round = !strcmp(name, "cell");
    sqlite3_stmt *insert;
    int at = 0, status = SQLITE_OK;
    if (!ledger->failed)
        ledger->failed = orr_ledger_keep(&insert, ledger, of->insert);
    if (ledger->failed)
        return 0;
    for (const struct orr_member *m = of->members;
         status == SQLITE_OK && (m = orr_ledger_column(m, of_round)); m++)
        status = *m->path ? bind_member(insert, ++at, orr_json_follow(record, m->path), m->sql)
                          : sqlite3_bind_int64(insert, ++at, parent);
    if (status != SQLITE_OK || sqlite3_step(insert) != SQLITE_DONE)
        ledger->failed = orr_ledger_sql_failed(ledger, of->table);
    sqlite3_reset(insert);
    return sqlite3_last_insert_rowid(ledger->db);
}

/* --- checks --- */

/* Printed digits give back every double; other writers may print one digit less. */
static const double PRINTED = 1e-14;

static const char *const range_flaws[] = {[ORR_RANGE_POSITIVE] = "is no positive number",
                                          [ORR_RANGE_NOT_NEGATIVE] = "is negative or no number",
                                          [ORR_RANGE_COUNT] = "is no count"};

/* Says in `why` what is wrong: true. */
__attribute__((format(printf, 3, 4))) static bool say(char *why, size_t size, const char *format,
                                                      ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, size, format, arguments);
    va_end(arguments);
    return true;
}

/* NULL where it is none: an item of a list is no record of its own. */
static const struct orr_record *record_of(const json_t *record)
{
    const struct orr_record *of = orr_ledger_record(orr_json_text(record, "record"));
    return of && !*of->list ? of : NULL;
}

/* Types of members with what they may be in JSON, bits of json_type. */
static const struct {
    const char *name;
    unsigned json;
} types[] = {
    [ORR_MEMBER_NONE] = {"", ~0u},
    [ORR_MEMBER_TEXT] = {"text", 1u << JSON_STRING},
    [ORR_MEMBER_NUMBER] = {"number", 1u << JSON_INTEGER | 1u << JSON_REAL},
    [ORR_MEMBER_INTEGER] = {"integer", 1u << JSON_INTEGER},
    [ORR_MEMBER_COUNT] = {"count", 1u << JSON_INTEGER},
    [ORR_MEMBER_FLAG] = {"flag", 1u << JSON_TRUE | 1u << JSON_FALSE},
    [ORR_MEMBER_LIST] = {"list", 1u << JSON_ARRAY},
    [ORR_MEMBER_OBJECT] = {"object", 1u << JSON_OBJECT},
};

static bool is_of(const json_t *value, enum orr_member_type type)
{
    return types[type].json >> json_typeof(value) & 1 &&
           (type != ORR_MEMBER_COUNT || json_integer_value(value) >= 0);
}

/* Is the member as it should be? A number within a part is left to its range. */
static bool suits(const struct orr_member *member, const json_t *value)
{
    if (!value || json_is_null(value))
        return !member->needed;
    return (member->range && !member->needed && strchr(member->path, '/')) ||
           is_of(value, member->type);
}

bool orr_journal_misfit(char *why, size_t size, const json_t *record)
{
    static const char *const outcomes[] = {"ok",        "wrong",     "suspect",
                                           "crashed",   "timed out", "unsupported",
                                           "no memory", "failed",    ORR_OUTCOME_WRONG_ON_PURPOSE};
    const char *name = orr_json_text(record, "record");
    const struct orr_record *of = record_of(record);
    if (!of)
        return say(why, size, name ? "there is no record '%s'" : "it is no record", name);
    for (const struct orr_member *member = of->members; member->path; member++) {
        const json_t *value = orr_json_follow(record, member->path);
        if (suits(member, value))
            continue;
        const bool absent = !value || json_is_null(value);
        return say(why, size, absent ? "%s lacks %s" : "%s: %s is no %s", name, member->path,
                   types[member->type].name);
    }
    const json_int_t schema = orr_json_integer(record, "schema");
    const char *outcome = orr_json_text(record, "outcome");
    if (schema > ORR_JOURNAL_SCHEMA)
        return say(why, size, "its schema is %d and this Orrery reads up to %d", (int)schema,
                   ORR_JOURNAL_SCHEMA);
    return outcome &&
           !orr_names_find(outcome, outcomes, sizeof outcomes / sizeof *outcomes,
                           sizeof *outcomes) &&
           say(why, size, "cell: there is no outcome '%.40s'", outcome);
}

void orr_journal_strangers(json_t *names, const json_t *record)
{
    const struct orr_record *of = record_of(record);
    const char *name;
    json_t *value;
    json_object_foreach ((json_t *)record, name, value) {
        bool known = !of || !of->members->path || !strcmp(name, "record") || !strcmp(name, "check");
        for (const struct orr_member *m = of ? of->members : NULL; !known && m->path; m++)
            known = !strcmp(m->path, name);
        if (known)
            continue;
        char whole[160];
        snprintf(whole, sizeof whole, "%s/%s", of->name, name);
        json_object_set_new(names, whole, json_true());
    }
}

/* --- numbers --- */

static bool fits(const json_t *value, enum orr_member_range range)
{
    if (!json_is_number(value) || (range == ORR_RANGE_COUNT && !json_is_integer(value)))
        return false;
    double number = json_number_value(value);
    return isfinite(number) && (range == ORR_RANGE_POSITIVE ? number > 0 : number >= 0);
}

/* The range of a list is that of each element: a null is a time that a device did not report. */
static bool fits_member(const json_t *value, const struct orr_member *member)
{
    size_t index;
    json_t *element;
    if (member->type != ORR_MEMBER_LIST)
        return fits(value, member->range);
    json_array_foreach (value, index, element) {
        const bool unreported = member->range == ORR_RANGE_NOT_NEGATIVE && json_is_null(element);
        if (!unreported && !fits(element, member->range))
            return false;
    }
    return json_is_array(value);
}

/* A missing member and null say that something is not known. */
static bool is_out_of_range(char *why, size_t size, const json_t *record, const char *name)
{
    const struct orr_record *of = orr_ledger_record(name);
    for (const struct orr_member *m = of ? of->members : NULL; m && m->path; m++) {
        const json_t *value = m->range ? orr_json_follow(record, m->path) : NULL;
        if (value && !json_is_null(value) && !fits_member(value, m))
            return say(why, size, "%s %s", m->path, range_flaws[m->range]);
    }
    return false;
}

/* An item of a list of the record, each a record `name`. */
static bool item_is_out_of_range(char *why, size_t size, const json_t *record, const char *list,
                                 const char *name)
{
    size_t index;
    json_t *item;
    json_array_foreach (json_object_get(record, list), index, item) {
        if (is_out_of_range(why, size, item, name))
            return true;
    }
    return false;
}

/* Is `median` that of the array? Taken for granted where a value is not known. */
static bool is_median(double median, const json_t *array)
{
    size_t count = json_array_size(array), index;
    double *values = orr_memory_get(count * sizeof *values);
    json_t *value;
    bool known = true;
    json_array_foreach (array, index, value) {
        known = known && json_is_number(value);
        if (known)
            values[index] = json_number_value(value);
    }
    const double own = known && count ? orr_stats_median(values, count) : median;
    free(values);
    return fabs(median - own) <= PRINTED * fmax(fabs(median), fabs(own));
}

/* Times of a cell are the medians of their samples. */
static bool median_flaw(char *why, size_t size, const json_t *record)
{
    const bool device = orr_json_follow(record, "samples/device_s");
    const char *const medians[][2] = {
        {"seconds", "samples/step_s"},
        {"kernel_seconds", device ? "samples/device_s" : "samples/kernel_s"},
        {"single_seconds", "samples/single_s"},
        {"end_to_end_seconds", "samples/end_to_end_s"}};
    for (size_t k = 0; k < sizeof medians / sizeof *medians; k++) {
        const json_t *median = json_object_get(record, medians[k][0]);
        if (json_is_number(median) &&
            !is_median(json_number_value(median), orr_json_follow(record, medians[k][1])))
            return say(why, size, "%s is not the median of its samples", medians[k][0]);
    }
    return false;
}

static bool encloses(const json_t *interval, double median)
{
    const json_t *low = json_array_get(interval, 0), *high = json_array_get(interval, 1);
    return json_array_size(interval) == 2 && fits(low, ORR_RANGE_POSITIVE) &&
           fits(high, ORR_RANGE_POSITIVE) && json_number_value(low) <= median * (1 + PRINTED) &&
           json_number_value(high) >= median * (1 - PRINTED);
}

static bool counts_flaw(char *why, size_t size, json_t *counts)
{
    const char *procedure, *kind;
    json_t *of, *value;
    json_object_foreach (counts, procedure, of) {
        json_object_foreach (of, kind, value) {
            if (!fits(value, ORR_RANGE_COUNT))
                return say(why, size, "counts: %s of %s %s", kind, procedure,
                           range_flaws[ORR_RANGE_COUNT]);
        }
    }
    return false;
}

/* A rate is work over time. */
static bool rate_flaw(char *why, size_t size, const json_t *record, double seconds)
{
    const json_t *work = json_object_get(record, "interactions"),
                 *rate = json_object_get(record, "interactions_per_second");
    return json_is_number(work) && json_is_number(rate) &&
           !(fabs(json_number_value(rate) * seconds / json_number_value(work) - 1) <= 1e-12) &&
           say(why, size, "interactions_per_second is not interactions by seconds");
}

/* Every `ok` cell has seconds, a size and samples: says which one is missing. */
static const char *missing(const json_t *record)
{
    const bool once = json_is_true(json_object_get(record, "once"));
    if (!once && !json_is_number(json_object_get(record, "seconds")))
        return "it is ok and has no seconds";
    if (!fits(orr_json_follow(record, "dataset/n"), ORR_RANGE_POSITIVE))
        return "dataset/n is no positive number";
    if (!once && !json_is_string(json_object_get(record, "extrapolated_from")) &&
        !json_array_size(orr_json_follow(record, "samples/step_s")))
        return "it is ok and has no samples";
    return NULL;
}

static bool cell_flaw(char *why, size_t size, json_t *record)
{
    static const char *const texts[] = {"id", "experiment", "variant", "outcome"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        if (!orr_json_text(record, texts[k]))
            return say(why, size, "a cell without %s", texts[k]);
    bool ok = orr_journal_is_ok(record);
    if (is_out_of_range(why, size, record, "cell") ||
        item_is_out_of_range(why, size, record, "phases", "phase") ||
        item_is_out_of_range(why, size, record, "stages", "stage"))
        return true;
    const char *lacks = ok ? missing(record) : NULL;
    if (lacks)
        return say(why, size, "%s", lacks);
    if (median_flaw(why, size, record) || counts_flaw(why, size, json_object_get(record, "counts")))
        return true;
    double seconds = orr_json_number(record, "seconds");
    const json_t *interval = json_object_get(record, "interval");
    if (seconds > 0 && interval && !encloses(interval, seconds))
        return say(why, size, "interval does not enclose seconds");
    return ok && rate_flaw(why, size, record, seconds);
}

/* A rate is measured and positive, or refused for a reason. */
static const char *rate_lacks(const json_t *rate)
{
    const char *reason = orr_json_text(rate, "reason");
    const json_t *value = json_object_get(rate, "rate");
    if (!orr_json_text(rate, "kind") || !*orr_json_text(rate, "kind"))
        return "has no kind";
    if (!fits(json_object_get(rate, "degree"), ORR_RANGE_COUNT) ||
        orr_json_integer(rate, "degree") < 1)
        return "has no degree from 1 up";
    if (!orr_json_text(rate, "unit"))
        return "has no unit";
    if (value && !fits(value, ORR_RANGE_POSITIVE))
        return "is no positive number";
    return !value == !(reason && *reason) ? "has neither a value nor a reason, or both" : NULL;
}

static bool access_flaw(char *why, size_t size, const json_t *record)
{
    const json_t *rates = json_object_get(record, "rates");
    size_t k;
    json_t *rate;
    if (!orr_json_text(record, "device") || !json_is_array(rates))
        return say(why, size, "access ceilings without a device or a list of rates");
    if (is_out_of_range(why, size, record, "access_ceilings"))
        return true;
    json_array_foreach (rates, k, rate) {
        const char *lacks = rate_lacks(rate), *kind = orr_json_text(rate, "kind");
        if (lacks)
            return say(why, size, "rate %zu (%s) %s", k + 1, kind ? kind : "?", lacks);
    }
    return false;
}

bool orr_journal_flaw(char *why, size_t size, const json_t *record)
{
    if (orr_json_is(record, "record", "ceiling"))
        return is_out_of_range(why, size, record, "ceiling");
    if (orr_json_is(record, "record", "access_ceilings"))
        return access_flaw(why, size, record);
    return orr_json_is(record, "record", "cell") && cell_flaw(why, size, (json_t *)record);
}
