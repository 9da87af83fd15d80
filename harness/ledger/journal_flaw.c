#include "ledger/journal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_member.h"
#include "ledger/ledger_parts.h"
#include "memory.h"
#include "measure/stats.h"

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

/* --- members: as members.csv has them --- */

static const struct orr_member *members_of(size_t *count, const json_t *record)
{
    const char *name = orr_json_text(record, "record");
    const struct orr_member *members = orr_ledger_members_of(count, name ? name : "");
    if (members && !*members->path)
        return members;
    *count = 0; /* a list's items are no record */
    return NULL;
}

static bool is_of(const json_t *value, enum orr_member_type type)
{
    switch (type) {
    case ORR_MEMBER_TEXT:
        return json_is_string(value);
    case ORR_MEMBER_NUMBER:
        return json_is_number(value);
    case ORR_MEMBER_INTEGER:
        return json_is_integer(value);
    case ORR_MEMBER_COUNT:
        return json_is_integer(value) && json_integer_value(value) >= 0;
    case ORR_MEMBER_FLAG:
        return json_is_boolean(value);
    case ORR_MEMBER_LIST:
        return json_is_array(value);
    case ORR_MEMBER_OBJECT:
        return json_is_object(value);
    default:
        return true;
    }
}

/* Is the member as it should be? A number within a part is left to its range. */
static bool suits(const struct orr_member *member, const json_t *value)
{
    if (!value || json_is_null(value))
        return member->needed != ORR_NEEDED_YES;
    return (member->range && !member->needed && strchr(member->path, '/')) ||
           is_of(value, member->type);
}

static bool is_outcome(const char *outcome)
{
    static const char *const outcomes[] = {"ok",        "wrong",     "suspect",
                                           "crashed",   "timed out", "unsupported",
                                           "no memory", "failed",    ORR_OUTCOME_WRONG_ON_PURPOSE};
    for (size_t k = 0; k < sizeof outcomes / sizeof *outcomes; k++)
        if (!strcmp(outcomes[k], outcome))
            return true;
    return false;
}

bool orr_journal_misfit(char *why, size_t size, const json_t *record)
{
    static const char *const types[] = {
        [ORR_MEMBER_TEXT] = "text",       [ORR_MEMBER_NUMBER] = "number",
        [ORR_MEMBER_INTEGER] = "integer", [ORR_MEMBER_COUNT] = "count",
        [ORR_MEMBER_FLAG] = "flag",       [ORR_MEMBER_LIST] = "list",
        [ORR_MEMBER_OBJECT] = "object"};
    const char *name = orr_json_text(record, "record");
    size_t count;
    const struct orr_member *member = members_of(&count, record);
    if (!member)
        return say(why, size, name ? "there is no record '%s'" : "it is no record", name);
    for (const struct orr_member *end = member + count; member < end; member++) {
        const json_t *value = orr_json_follow(record, member->path);
        if (suits(member, value))
            continue;
        const bool absent = !value || json_is_null(value);
        return say(why, size, absent ? "%s lacks %s" : "%s: %s is no %s", name, member->path,
                   types[member->type]);
    }
    const json_int_t schema = orr_json_integer(record, "schema");
    const char *outcome = orr_json_text(record, "outcome");
    if (schema > ORR_JOURNAL_SCHEMA)
        return say(why, size, "its schema is %d and this Orrery reads up to %d", (int)schema,
                   ORR_JOURNAL_SCHEMA);
    return outcome && !is_outcome(outcome) &&
           say(why, size, "cell: there is no outcome '%.40s'", outcome);
}

void orr_journal_strangers(json_t *names, const json_t *record)
{
    size_t count;
    const struct orr_member *members = members_of(&count, record);
    const char *name;
    json_t *value;
    json_object_foreach ((json_t *)record, name, value) {
        bool known = !members || !strcmp(name, "record") || !strcmp(name, "check");
        for (size_t k = 0; !known && k < count; k++)
            known = !strcmp(members[k].path, name);
        if (known)
            continue;
        char whole[160];
        snprintf(whole, sizeof whole, "%s/%s", members->record, name);
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

/* A missing member and null say that something is not known. */
static bool is_out_of_range(char *why, size_t size, const json_t *record)
{
    size_t count;
    const struct orr_member *members = members_of(&count, record);
    for (size_t k = 0; k < count; k++) {
        const json_t *value = members[k].range ? orr_json_follow(record, members[k].path) : NULL;
        if (value && !json_is_null(value) && !fits(value, members[k].range))
            return say(why, size, "%s %s", members[k].path, range_flaws[members[k].range]);
    }
    return false;
}

/* Is every element within the range? A null is a time that a device did not report. */
static bool all_fit(const json_t *array, enum orr_member_range range)
{
    size_t index;
    json_t *value;
    if (array && !json_is_array(array))
        return false;
    json_array_foreach (array, index, value) {
        bool unreported = range == ORR_RANGE_NOT_NEGATIVE && json_is_null(value);
        if (!unreported && !fits(value, range))
            return false;
    }
    return true;
}

static bool is_near(double a, double b)
{
    return fabs(a - b) <= PRINTED * fmax(fabs(a), fabs(b));
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
    bool same = !known || !count || is_near(median, orr_stats_median(values, count));
    free(values);
    return same;
}

/* Times of a cell: each within its range, and the cell's their median. */
static bool series_flaw(char *why, size_t size, const json_t *record)
{
    const bool device = orr_json_follow(record, "samples/device_s");
    const struct {
        const char *median, *path;
        enum orr_member_range range;
    } series[] = {{"seconds", "samples/step_s", ORR_RANGE_POSITIVE},
                  {"kernel_seconds", device ? "samples/device_s" : "samples/kernel_s",
                   ORR_RANGE_NOT_NEGATIVE},
                  {"single_seconds", "samples/single_s", ORR_RANGE_POSITIVE},
                  {"end_to_end_seconds", "samples/end_to_end_s", ORR_RANGE_POSITIVE}};
    for (size_t k = 0; k < sizeof series / sizeof *series; k++) {
        const json_t *array = orr_json_follow(record, series[k].path),
                     *median = json_object_get(record, series[k].median);
        if (!all_fit(array, series[k].range))
            return say(why, size, "a value of %s %s", series[k].path, range_flaws[series[k].range]);
        if (json_is_number(median) && !is_median(json_number_value(median), array))
            return say(why, size, "%s is not the median of its samples", series[k].median);
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

/* Phases and stages. */
static bool part_flaw(char *why, size_t size, const json_t *record)
{
    static const struct {
        const char *list, *series;
    } parts[] = {{"phases", "kernel_s"}, {"stages", "host_s"}};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        size_t index;
        json_t *part;
        json_array_foreach (json_object_get(record, parts[k].list), index, part) {
            const json_t *seconds = json_object_get(part, "seconds");
            if (!all_fit(json_object_get(part, parts[k].series), ORR_RANGE_NOT_NEGATIVE) ||
                (seconds && !json_is_null(seconds) && !fits(seconds, ORR_RANGE_NOT_NEGATIVE)))
                return say(why, size, "a time of %s %s", parts[k].list,
                           range_flaws[ORR_RANGE_NOT_NEGATIVE]);
        }
    }
    return false;
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

/* What an `ok` cell cannot lack. */
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
    if (is_out_of_range(why, size, record))
        return true;
    const char *lacks = ok ? missing(record) : NULL;
    if (lacks)
        return say(why, size, "%s", lacks);
    if (series_flaw(why, size, record) || part_flaw(why, size, record) ||
        counts_flaw(why, size, json_object_get(record, "counts")))
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
    if (is_out_of_range(why, size, record))
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
        return is_out_of_range(why, size, record);
    if (orr_json_is(record, "record", "access_ceilings"))
        return access_flaw(why, size, record);
    return orr_json_is(record, "record", "cell") && cell_flaw(why, size, (json_t *)record);
}
