#include "ledger/journal_flaw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_member.h"
#include "measure/stats.h"

/* Printed digits give back every double; other writers may print one digit less. */
static const double PRINTED = 1e-14;

enum kind { POSITIVE, NOT_NEGATIVE, COUNT, KINDS };
static const char *const kind_flaws[KINDS] = {"is no positive number", "is negative or no number",
                                              "is no count"};

struct rule {
    const char *path;
    enum kind kind;
};

/* A missing member and null say that something is not known. */
static const struct rule cell_rules[] = {
    {"seconds", POSITIVE},
    {"kernel_seconds", NOT_NEGATIVE},
    {"end_to_end_seconds", POSITIVE},
    {"single_seconds", POSITIVE},
    {"wall_s", NOT_NEGATIVE},
    {"warmups", COUNT},
    {"dataset/n", COUNT},
    {"dataset/level", COUNT},
    {"dataset/per_box", COUNT},
    {"interactions", POSITIVE},
    {"interactions_per_second", POSITIVE},
    {"bodies_per_second", POSITIVE},
    {"flops_convention", POSITIVE},
    {"flops_true", POSITIVE},
    {"bytes_min", POSITIVE},
    {"error/median", NOT_NEGATIVE},
    {"error/p99", NOT_NEGATIVE},
    {"error/max", NOT_NEGATIVE},
    {"error/phi_max", NOT_NEGATIVE},
    {"error/targets", COUNT},
    {"error/bound/median", NOT_NEGATIVE},
    {"error/bound/p99", NOT_NEGATIVE},
    {"error/bound/max", NOT_NEGATIVE},
    {"error/by_mean/median", NOT_NEGATIVE},
    {"error/by_mean/p99", NOT_NEGATIVE},
    {"error/by_mean/max", NOT_NEGATIVE},
    {"error/by_terms/median", NOT_NEGATIVE},
    {"error/by_terms/p99", NOT_NEGATIVE},
    {"error/by_terms/max", NOT_NEGATIVE},
    {"energy/joules_step", NOT_NEGATIVE},
    {"energy/joules_interaction", NOT_NEGATIVE},
    {"energy/window_s", POSITIVE},
    {"energy/steps", COUNT},
    {"conservation/energy_drift", NOT_NEGATIVE},
    {"conservation/momentum_drift", NOT_NEGATIVE},
};

static const struct rule ceiling_rules[] = {
    {"interactions_per_second", POSITIVE},
    {"fma_per_second", POSITIVE},
    {"round", COUNT},
    {"clock_mhz", NOT_NEGATIVE},
    {"pairs/3d", POSITIVE},
    {"pairs/3d-both", POSITIVE},
    {"pairs/3d-matrix", POSITIVE},
    {"pairs/3d-node", POSITIVE},
    {"pairs/2d", POSITIVE},
    {"pairs/2d-both", POSITIVE},
};

static bool fits(const json_t *value, enum kind kind)
{
    if (!json_is_number(value) || (kind == COUNT && !json_is_integer(value)))
        return false;
    double number = json_number_value(value);
    return isfinite(number) && (kind == POSITIVE ? number > 0 : number >= 0);
}

static bool breaks_a_rule(char *why, size_t size, const json_t *record, const struct rule *rules,
                          size_t count)
{
    for (size_t k = 0; k < count; k++) {
        const json_t *value = orr_json_follow(record, rules[k].path);
        if (!value || json_is_null(value) || fits(value, rules[k].kind))
            continue;
        snprintf(why, size, "%s %s", rules[k].path, kind_flaws[rules[k].kind]);
        return true;
    }
    return false;
}

/* Is every element of this kind? A null is a time that a device did not report. */
static bool all_fit(const json_t *array, enum kind kind)
{
    size_t index;
    json_t *value;
    if (array && !json_is_array(array))
        return false;
    json_array_foreach(array, index, value)
    {
        bool unreported = kind == NOT_NEGATIVE && json_is_null(value);
        if (!unreported && !fits(value, kind))
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
    double *values = malloc((count ? count : 1) * sizeof *values);
    json_t *value;
    bool known = values != NULL;
    json_array_foreach(array, index, value)
    {
        known = known && json_is_number(value);
        if (known)
            values[index] = json_number_value(value);
    }
    bool same = !known || !count || is_near(median, orr_stats_median(values, count));
    free(values);
    return same;
}

static bool series_flaw(char *why, size_t size, const json_t *record, const char *median,
                        const char *path, enum kind kind)
{
    const json_t *array = orr_json_follow(record, path), *middle = json_object_get(record, median);
    if (!all_fit(array, kind)) {
        snprintf(why, size, "a value of %s %s", path, kind_flaws[kind]);
        return true;
    }
    if (json_is_number(middle) && !is_median(json_number_value(middle), array)) {
        snprintf(why, size, "%s is not the median of its samples", median);
        return true;
    }
    return false;
}

static bool encloses(const json_t *interval, double median)
{
    const json_t *low = json_array_get(interval, 0), *high = json_array_get(interval, 1);
    return json_array_size(interval) == 2 && fits(low, POSITIVE) && fits(high, POSITIVE) &&
           json_number_value(low) <= median * (1 + PRINTED) &&
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
        json_array_foreach(json_object_get(record, parts[k].list), index, part)
        {
            const json_t *seconds = json_object_get(part, "seconds");
            if (all_fit(json_object_get(part, parts[k].series), NOT_NEGATIVE) &&
                (!seconds || json_is_null(seconds) || fits(seconds, NOT_NEGATIVE)))
                continue;
            snprintf(why, size, "a time of %s %s", parts[k].list, kind_flaws[NOT_NEGATIVE]);
            return true;
        }
    }
    return false;
}

static bool counts_flaw(char *why, size_t size, json_t *counts)
{
    const char *procedure, *kind;
    json_t *of, *value;
    json_object_foreach(counts, procedure, of)
    {
        json_object_foreach(of, kind, value)
        {
            if (fits(value, COUNT))
                continue;
            snprintf(why, size, "counts: %s of %s %s", kind, procedure, kind_flaws[COUNT]);
            return true;
        }
    }
    return false;
}

/* A rate is work over time. */
static bool rate_flaw(char *why, size_t size, const json_t *record, double seconds)
{
    const json_t *work = json_object_get(record, "interactions"),
                 *rate = json_object_get(record, "interactions_per_second");
    if (!json_is_number(work) || !json_is_number(rate) ||
        fabs(json_number_value(rate) * seconds / json_number_value(work) - 1) <= 1e-12)
        return false;
    snprintf(why, size, "interactions_per_second is not interactions by seconds");
    return true;
}

/* What an `ok` cell cannot lack. */
static const char *missing(const json_t *record)
{
    const bool once = json_is_true(json_object_get(record, "once"));
    if (!once && !json_is_number(json_object_get(record, "seconds")))
        return "it is ok and has no seconds";
    if (!fits(orr_json_follow(record, "dataset/n"), POSITIVE))
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
        if (!orr_json_text(record, texts[k])) {
            snprintf(why, size, "a cell without %s", texts[k]);
            return true;
        }
    bool ok = !strcmp(orr_json_text(record, "outcome"), "ok");
    if (breaks_a_rule(why, size, record, cell_rules, sizeof cell_rules / sizeof *cell_rules))
        return true;
    const char *lacks = ok ? missing(record) : NULL;
    if (lacks) {
        snprintf(why, size, "%s", lacks);
        return true;
    }
    if (series_flaw(why, size, record, "seconds", "samples/step_s", POSITIVE) ||
        series_flaw(why, size, record, "kernel_seconds",
                    orr_json_follow(record, "samples/device_s") ? "samples/device_s"
                                                                : "samples/kernel_s",
                    NOT_NEGATIVE) ||
        series_flaw(why, size, record, "single_seconds", "samples/single_s", POSITIVE) ||
        series_flaw(why, size, record, "end_to_end_seconds", "samples/end_to_end_s", POSITIVE) ||
        part_flaw(why, size, record) || counts_flaw(why, size, json_object_get(record, "counts")))
        return true;
    double seconds = orr_json_number(record, "seconds");
    const json_t *interval = json_object_get(record, "interval");
    if (seconds > 0 && interval && !encloses(interval, seconds)) {
        snprintf(why, size, "interval does not enclose seconds");
        return true;
    }
    return ok && rate_flaw(why, size, record, seconds);
}

/* A rate is measured and positive, or refused for a reason. */
static const char *rate_lacks(const json_t *rate)
{
    const char *reason = orr_json_text(rate, "reason");
    const json_t *value = json_object_get(rate, "rate");
    if (!orr_json_text(rate, "kind") || !*orr_json_text(rate, "kind"))
        return "has no kind";
    if (!fits(json_object_get(rate, "degree"), COUNT) || orr_json_integer(rate, "degree") < 1)
        return "has no degree from 1 up";
    if (!orr_json_text(rate, "unit"))
        return "has no unit";
    if (value && !fits(value, POSITIVE))
        return "is no positive number";
    return !value == !(reason && *reason) ? "has neither a value nor a reason, or both" : NULL;
}

static bool access_flaw(char *why, size_t size, const json_t *record)
{
    static const struct rule rules[] = {{"round", COUNT}, {"clock_mhz", NOT_NEGATIVE}};
    const json_t *rates = json_object_get(record, "rates");
    size_t k;
    json_t *rate;
    if (!orr_json_text(record, "device") || !json_is_array(rates)) {
        snprintf(why, size, "access ceilings without a device or a list of rates");
        return true;
    }
    if (breaks_a_rule(why, size, record, rules, sizeof rules / sizeof *rules))
        return true;
    json_array_foreach(rates, k, rate)
    {
        const char *lacks = rate_lacks(rate), *kind = orr_json_text(rate, "kind");
        if (lacks) {
            snprintf(why, size, "rate %zu (%s) %s", k + 1, kind ? kind : "?", lacks);
            return true;
        }
    }
    return false;
}

bool orr_journal_flaw(char *why, size_t size, const json_t *record)
{
    const char *kind = orr_json_text(record, "record");
    if (kind && !strcmp(kind, "ceiling"))
        return breaks_a_rule(why, size, record, ceiling_rules,
                             sizeof ceiling_rules / sizeof *ceiling_rules);
    if (kind && !strcmp(kind, "access_ceilings"))
        return access_flaw(why, size, record);
    return kind && !strcmp(kind, "cell") && cell_flaw(why, size, (json_t *)record);
}
