/* SPDX-License-Identifier: MIT */
#include "run/time_estimate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "device/device.h"
#include "json_member.h"
#include "memory.h"
#include "measure/stats.h"
#include "text.h"

/* Least pairs per second assumed of a variant that was not measured. */
static const double GUESSED_RATE = 1e9;
/* And the least of one that was measured only with far less work. */
static const double SLOW_RATE = 1e8;
/* An estimate from so many times less work counts as a guess. */
static const double FAR = 1000;
/* Of a cell that nothing like was measured: all but its steps, and the compilation of kernels. */
static const double REST_S = 0.15, BUILD_S = 1;
/* Of a body more than there were; and the most that one took: what is beyond, a small cell spent
 * otherwise, say to open the device. */
static const double BODY_S = 1e-6, MOST_BODY_S = 1e-5;
/* Of all but its steps a later round takes this share: bodies, references and kernels are there. An
 * OpenCL platform of a CPU compiles each time. */
static const double LATER_REST = 0.15;
/* Fewer bodies leave most of a GPU idle: with so many times more a step takes hardly longer by
 * body. */
static const double FILLED = 65536;
/* Beside its cells a round takes about so long: a process and a ceiling. */
static const double BESIDE_S = 1;
/* Steps outside of samples: the first, the last one that is watched, one that counts. */
static const double EXTRA_STEPS = 3;

/* Steps under a counter of energy follow each other so long, longer ones twice as long. */
static const double WINDOW_S = 0.5, LONG_WINDOW_STEP_S = 0.1;

enum likeness { OTHER, SAME_VARIANT, SAME_SETTINGS };

void orr_time_estimate_release(struct orr_time_estimate *estimate)
{
    for (size_t k = 0; k < estimate->count; k++) {
        json_decref(estimate->items[k].parameters);
        json_decref(estimate->items[k].policy);
    }
    json_decref(estimate->devices);
    free(estimate->items);
    *estimate = (struct orr_time_estimate){0};
}

/* orr_cell_pairs() of a record's cell. A tree code's own interactions are something else. */
static double pairs_of(json_t *record)
{
    const json_t *theta = json_object_get(json_object_get(record, "parameters"), "theta");
    if (!json_is_number(theta))
        return orr_json_number(record, "interactions");
    double n = orr_json_number(json_object_get(record, "dataset"), "n");
    double bodies =
        orr_json_number(record, "bodies_per_second") * orr_json_number(record, "seconds");
    return bodies * (json_number_value(theta) > 0 ? log2(n) : n - 1);
}

/* 0 of nothing. */
static double median_of(json_t *array)
{
    size_t count = json_array_size(array);
    double *values = orr_memory_get(count * sizeof *values);
    for (size_t k = 0; k < count; k++)
        values[k] = json_number_value(json_array_get(array, k));
    double median = count ? orr_stats_median(values, count) : 0;
    free(values);
    return median;
}

/* Kernels that were compiled, which the next time come from the cache. Those of one program, which
 * follow each other, have the time of the whole. */
static double compiled_s(json_t *record)
{
    double sum = 0, last = 0;
    size_t index;
    json_t *kernel;
    json_array_foreach (json_object_get(record, "kernels"), index, kernel) {
        double build_s = orr_json_number(kernel, "build_s");
        if (!json_is_true(json_object_get(kernel, "cached")) && build_s != last)
            sum += build_s;
        last = build_s;
    }
    return sum;
}

static double extra_steps(double step)
{
    return step > ORR_LONG_STEP_S ? 1 : EXTRA_STEPS;
}

/* Times of a cell that has some. */
static void take_times(struct orr_measured_cell *out, json_t *record)
{
    json_t *samples = json_object_get(record, "samples"),
           *cold = json_object_get(samples, "cold_s");
    double batch = orr_json_number(record, "batch"),
           count = (double)json_array_size(json_object_get(samples, "step_s")),
           taken = count + orr_json_number(record, "warmups");
    out->seconds = orr_json_number(record, "seconds");
    out->moving_s = fmax(orr_json_number(record, "end_to_end_seconds") - out->seconds, 0);
    if (orr_json_is(record, "stop", "converged"))
        out->samples = (int)count;
    double sample = (batch > 0 ? batch : 1) * out->seconds + median_of(cold) + out->moving_s,
           steps = extra_steps(out->seconds) * out->seconds;
    out->rest_s = fmax(out->wall_s - taken * sample - steps - out->window_s - out->counters_s, 0);
}

static void add_cell(struct orr_time_estimate *estimate, json_t *record)
{
    const char *variant = orr_json_text(record, "variant"), *id = orr_json_text(record, "id"),
               *device = orr_json_text(record, "device");
    int round = (int)orr_json_integer(record, "round");
    double wall_s = orr_json_number(record, "wall_s");
    estimate->cells_s += wall_s;
    estimate->rounds = round > estimate->rounds ? round : estimate->rounds;
    if (!variant || !device || json_is_true(json_object_get(record, "once")) ||
        json_object_get(record, "extrapolated_from"))
        return;
    struct orr_measured_cell *known =
        orr_memory_add(&estimate->items, &estimate->count, sizeof *known);
    json_int_t kind = -1; /* enum orr_device_kind, where it is told */
    for (size_t k = 0; k < json_array_size(estimate->devices); k++) {
        const json_t *one = json_array_get(estimate->devices, k);
        if (kind < 0 && orr_json_is(one, "id", device))
            kind = orr_json_integer(one, "kind");
    }
    *known =
        (struct orr_measured_cell){.n = orr_json_number(json_object_get(record, "dataset"), "n"),
                                   .build_s = kind == ORR_DEVICE_CPU ? 0 : compiled_s(record),
                                   .later = round > 1,
                                   .on_gpu = kind == ORR_DEVICE_GPU,
                                   .rebuilds = kind == ORR_DEVICE_CPU,
                                   .rest_s = -1};
    known->wall_s = fmax(wall_s - known->build_s, 0);
    known->window_s = orr_json_number(json_object_get(record, "energy"), "window_s");
    known->counters_s = orr_json_number(record, "counters_s");
    snprintf(known->id, sizeof known->id, "%s", id ? id : "");
    snprintf(known->variant, sizeof known->variant, "%s", variant);
    snprintf(known->device, sizeof known->device, "%s", device);
    known->parameters = json_incref(json_object_get(record, "parameters"));
    known->policy = json_incref(json_object_get(record, "policy"));
    if (orr_json_number(record, "seconds") > 0 && pairs_of(record) > 0) {
        known->pairs = pairs_of(record);
        take_times(known, record);
    }
    if (!(wall_s > 0))
        known->rest_s = -1;
}

void orr_time_estimate_add(struct orr_time_estimate *estimate, json_t *record)
{
    if (orr_json_is(record, "record", "run")) {
        estimate->started_s = orr_clock_read(orr_json_text(record, "started"));
        estimate->cells_s = estimate->rounds = 0;
        json_decref(estimate->devices);
        estimate->devices = json_incref(json_object_get(record, "devices"));
    } else if (orr_json_is(record, "record", "resume")) {
        estimate->started_s = 0; /* nobody knows how long it lay */
    } else if (orr_json_is(record, "record", "end")) {
        double finished_s = orr_clock_read(orr_json_text(record, "finished"));
        if (estimate->started_s > 0 && finished_s > 0 && /* from its beginning, in one go */
            !json_is_true(json_object_get(record, "interrupted")))
            estimate->beside_s = fmax(finished_s - estimate->started_s - estimate->cells_s, 0.1) /
                                 (estimate->rounds > 1 ? estimate->rounds : 1);
        estimate->started_s = 0;
    } else if (!orr_json_text(record, "record") || orr_json_is(record, "record", "cell")) {
        add_cell(estimate, record);
    }
}

/* Level and steps only change the amount of work. */
static bool same_settings(const struct orr_measured_cell *known, const struct orr_cell *cell)
{
    bool same = true;
    for (int k = 0; same && k < cell->setting_count; k++) {
        const char *name = cell->settings[k].name, *setting = cell->settings[k].value;
        const json_t *own = json_object_get(known->parameters, name);
        double number;
        if (!strcmp(name, "level") || !strcmp(name, "steps"))
            continue;
        same = json_is_number(own)
                   ? orr_text_number(setting, &number) && number == json_number_value(own)
                   : json_is_string(own) && !strcmp(setting, json_string_value(own));
    }
    return same;
}

static enum likeness likeness(const struct orr_measured_cell *known, const struct orr_cell *cell)
{
    if (strcmp(known->device, cell->device) != 0 || strcmp(known->variant, cell->variant) != 0)
        return OTHER;
    return same_settings(known, cell) ? SAME_SETTINGS : SAME_VARIANT;
}

/* The most alike, at least `least`, with at most `most_pairs`; among these the nearest in work,
 * then the newest. */
static const struct orr_measured_cell *nearest(const struct orr_time_estimate *estimate,
                                               const struct orr_cell *cell, enum likeness least,
                                               double most_pairs)
{
    const struct orr_measured_cell *best = NULL;
    const double pairs = orr_cell_pairs(cell) + 1;
    for (size_t k = estimate->count; k-- > 0;) {
        const struct orr_measured_cell *known = &estimate->items[k];
        enum likeness alike = likeness(known, cell);
        if (alike < least || !(known->pairs > 0) || known->pairs > most_pairs)
            continue;
        if (!best || alike > likeness(best, cell) ||
            (alike == likeness(best, cell) &&
             fabs(log(known->pairs / pairs)) < fabs(log(best->pairs / pairs))))
            best = known;
    }
    return best;
}

/* The share of a GPU that the known cell filled, of what the cell will. */
static double filled(const struct orr_measured_cell *known, const struct orr_cell *cell)
{
    double then = fmin(known->n, FILLED), now = fmin((double)cell->n, FILLED);
    return known->on_gpu && then > 0 && then < now ? then / now : 1;
}

/* Small steps are mostly launches: the slope between two sizes is better than the mean. */
static double seconds_a_pair(const struct orr_time_estimate *estimate, const struct orr_cell *cell,
                             const struct orr_measured_cell *known)
{
    const struct orr_measured_cell *smaller =
        nearest(estimate, cell, likeness(known, cell), known->pairs / 2);
    const double share = filled(known, cell), mean = share * known->seconds / known->pairs;
    if (share < 1 || !smaller || smaller->seconds >= known->seconds)
        return mean;
    return fmin(mean, (known->seconds - smaller->seconds) / (known->pairs - smaller->pairs));
}

bool orr_time_estimate_step(double *seconds, const struct orr_time_estimate *estimate,
                            const struct orr_cell *cell)
{
    const double pairs = orr_cell_pairs(cell);
    const struct orr_measured_cell *known = nearest(estimate, cell, SAME_VARIANT, INFINITY);
    double rate = GUESSED_RATE; /* or the highest measured on the device */
    for (size_t k = 0; !known && k < estimate->count; k++)
        if (estimate->items[k].pairs > 0 && !strcmp(estimate->items[k].device, cell->device))
            rate = fmax(rate, estimate->items[k].pairs / estimate->items[k].seconds);
    if (!known) {
        *seconds = pairs / rate;
        return false;
    }
    *seconds = pairs > known->pairs
                   ? known->seconds + (pairs - known->pairs) * seconds_a_pair(estimate, cell, known)
                   : known->seconds * pairs / known->pairs;
    if (pairs <= FAR * known->pairs)
        return true;
    *seconds = fmin(*seconds, pairs / SLOW_RATE); /* a step of few bodies is mostly its start */
    return false;
}

/* --- a whole cell --- */

static bool same_policy(const struct orr_measured_cell *known, const struct orr_policy *policy)
{
    json_t *asked = orr_cell_policy_to_json(policy), *value;
    const char *name;
    bool same = known->policy && json_object_size(known->policy) == json_object_size(asked);
    json_object_foreach (asked, name, value) {
        same = same && json_number_value(value) == orr_json_number(known->policy, name);
    }
    json_decref(asked);
    return same;
}

/* The very cell, sampled alike; of the same place among rounds, if there is one; the newest. */
static const struct orr_measured_cell *itself(const struct orr_time_estimate *estimate,
                                              const struct orr_cell *cell, bool later)
{
    const struct orr_measured_cell *best = NULL;
    for (size_t k = estimate->count; k-- > 0;) {
        const struct orr_measured_cell *known = &estimate->items[k];
        if (!strcmp(known->id, cell->id) && same_policy(known, &cell->policy) &&
            (!best || (known->later == later && best->later != later)))
            best = known;
    }
    return best;
}

/* All but the steps of a cell like `known`. Up to REST_S of it any cell takes; of the rest grows
 * with the bodies what they can have taken, each being made, lent and verified against. */
static double rest_of(const struct orr_measured_cell *known, const struct orr_cell *cell)
{
    double fixed = fmin(known->rest_s, REST_S), more = fmax((double)cell->n - known->n, 0),
           ratio = known->n > 0 ? (double)cell->n / known->n : 1;
    double grows = fmin(known->rest_s - fixed, known->n * MOST_BODY_S);
    return known->rest_s - grows + grows * ratio + more * BODY_S;
}

/* Warm-up and samples (sampler.h), or the fixed number of long ones. */
static double sampling_s(const struct orr_measured_cell *known, const struct orr_cell *cell,
                         double step)
{
    const struct orr_policy *policy = &cell->policy;
    if (step > ORR_LONG_STEP_S)
        return policy->long_samples * step;
    double batch = fmin(ceil(1e-3 / fmax(step, 1e-9)), 64), first = step > 2e-2 ? 0 : step,
           moving = known && known->n > 0 ? known->moving_s * (double)cell->n / known->n : 0,
           sample = fmax(batch, 1) * step + first + moving,
           warm_up = fmin(fmax(6 * sample, 0.03), fmax(0.2 * policy->time_limit_s, sample)),
           count = known && known->samples ? known->samples : policy->max_samples;
    count = fmin(fmax(count, policy->min_samples), policy->max_samples);
    return warm_up + fmax(fmin(count * sample, policy->time_limit_s),
                          (policy->insists ? policy->min_samples : 1) * sample);
}

/* The window of energy and the counters, which the first round has; `known` may be NULL. What
 * nobody timed, in older journals, is in the rest of a cell. */
static double windows_of(const struct orr_measured_cell *known, const struct orr_cell *cell,
                         double step, bool later)
{
    if (later || cell->once)
        return 0;
    return (known && strcmp(cell->counters, "none") ? known->counters_s : 0) +
           (cell->policy.joules ? fmax(step > LONG_WINDOW_STEP_S ? 2 * WINDOW_S : WINDOW_S, step)
                                : 0);
}

/* What compiling took the cells of the device, for one that compiles anew: nothing like it was
 * built. */
static double build_of(const struct orr_time_estimate *estimate, const struct orr_cell *cell)
{
    double sum = 0;
    int count = 0;
    if (!strcmp(cell->device, "host"))
        return 0;
    for (size_t k = 0; k < estimate->count; k++) {
        const struct orr_measured_cell *item = &estimate->items[k];
        if (strcmp(item->device, cell->device))
            continue;
        if (item->rebuilds || likeness(item, cell) == SAME_SETTINGS)
            return 0;
        sum += item->build_s;
        count += item->build_s > 0;
    }
    return count ? sum / count : BUILD_S;
}

/* The share of all but the steps of a known cell that one in such a round takes. */
static double rest_share(const struct orr_measured_cell *known, bool later)
{
    bool compiles = known->rebuilds && strcmp(known->device, "host") != 0;
    return later && !known->later && !compiles ? LATER_REST : 1;
}

double orr_time_estimate_cell(const struct orr_time_estimate *estimate, const struct orr_cell *cell,
                              bool later)
{
    double step, limit = cell->timeout_s > 0 ? cell->timeout_s : INFINITY;
    if (*cell->extrapolate_from || cell->refused)
        return 0;
    const struct orr_measured_cell *known = cell->once ? NULL : itself(estimate, cell, later);
    orr_time_estimate_step(&step, estimate, cell);
    if (known)
        return fmin(fmax(known->wall_s - known->window_s - known->counters_s -
                             (1 - rest_share(known, later)) * fmax(known->rest_s, 0),
                         0) +
                        windows_of(known, cell, known->seconds, later),
                    limit);
    known = nearest(estimate, cell, SAME_VARIANT, INFINITY);
    double rest = known && known->rest_s >= 0 ? rest_share(known, later) * rest_of(known, cell)
                                              : REST_S,
           build = later ? 0 : build_of(estimate, cell),
           sampling = cell->once ? 0 : sampling_s(known, cell, step),
           windows = windows_of(known, cell, step, later);
    return fmin(rest + build + extra_steps(step) * step + sampling + windows, limit);
}

enum orr_time_basis orr_time_estimate_basis(const struct orr_time_estimate *estimate,
                                            const struct orr_cell *cell, bool later)
{
    const struct orr_measured_cell *known = cell->once ? NULL : itself(estimate, cell, later);
    double step;
    if (known && later && !known->later)
        return ORR_TIME_FIRST;
    if (known)
        return known >= estimate->items + estimate->earlier ? ORR_TIME_HERE : ORR_TIME_BEFORE;
    return orr_time_estimate_step(&step, estimate, cell) ? ORR_TIME_SCALED : ORR_TIME_GUESSED;
}

double orr_time_estimate_unmeasured(const struct orr_cell *cell)
{
    const struct orr_time_estimate nothing = {0};
    return orr_time_estimate_cell(&nothing, cell, false);
}

double orr_time_estimate_beside(const struct orr_time_estimate *estimate)
{
    return estimate->beside_s > 0 ? estimate->beside_s : BESIDE_S;
}

/* --- what is left --- */

/* A cell weighs so much less than the one after it: load comes and goes. */
static const double FADES = 0.97;
/* Before anything finished, expected times are right in the mean, as if so many cells had said so,
 * and scatter by these deviations of the logarithm: replayed journals (tests/test_time_left.c). */
static const double PRIOR_WEIGHT = 2;
static const double scatter[ORR_TIME_BASES] = {0.3, 0.4, 0.6, 1, 2};
/* Nine in ten normal numbers are within so many deviations; of replayed lines, whose tails are
 * longer, so many for a range. */
static const double NINE_IN_TEN = 1.645, NINE_IN_TEN_RANGES = 2.3;
/* A range of more times tells nothing. */
static const double MOST_RANGE = 25;

void orr_time_left_learn(struct orr_time_left *left, enum orr_time_basis basis, double expected_s,
                         double taken_s)
{
    struct orr_time_ratios *of = &left->of[basis];
    if (!(expected_s > 0) || !(taken_s > 0))
        return;
    const double ratio = log(taken_s / expected_s);
    for (int k = 0; k < ORR_TIME_BASES; k++) {
        left->of[k].weight *= FADES;
        left->of[k].sum *= FADES;
        left->of[k].squares *= FADES;
    }
    of->weight += 1;
    of->sum += ratio;
    of->squares += ratio * ratio;
}

/* The mean of the logarithms of all bases: what the machine's load does to each. */
static double common(const struct orr_time_left *left)
{
    double weight = PRIOR_WEIGHT, sum = 0;
    for (int k = 0; k < ORR_TIME_BASES; k++) {
        weight += left->of[k].weight;
        sum += left->of[k].sum;
    }
    return sum / weight;
}

double orr_time_left(double *spread, const struct orr_time_left *left,
                     const struct orr_time_expected expected[ORR_TIME_BASES])
{
    const double all = common(left);
    double seconds = 0, variance = 0;
    for (int k = 0; k < ORR_TIME_BASES; k++) {
        const struct orr_time_ratios *of = &left->of[k];
        const double weight = PRIOR_WEIGHT + of->weight,
                     mean = (PRIOR_WEIGHT * all + of->sum) / weight,
                     about = of->squares - 2 * mean * of->sum + mean * mean * of->weight,
                     own = (PRIOR_WEIGHT * scatter[k] * scatter[k] + about) / weight,
                     sum = expected[k].sum * exp(mean), scale = exp(2 * mean);
        if (!(expected[k].sum > 0))
            continue;
        seconds += sum;
        variance += expected[k].squares * scale * expm1(own) + sum * sum * expm1(own / weight);
    }
    *spread = seconds > 0 ? sqrt(log1p(variance / (seconds * seconds))) : 0;
    return seconds;
}

char *orr_time_left_duration(char *out, size_t size, double seconds)
{
    long whole = (long)ceil(seconds);
    if (whole < 90)
        snprintf(out, size, "%lds", whole);
    else if (whole < 5400)
        snprintf(out, size, "%ldm", (whole + 30) / 60);
    else
        snprintf(out, size, "%ldh%02ldm", whole / 3600, whole % 3600 / 60);
    return out;
}

char *orr_time_left_text(char *out, size_t size, double seconds, double spread)
{
    const double factor = exp(NINE_IN_TEN_RANGES * spread);
    char least[32], most[32];
    if (exp(NINE_IN_TEN * spread) <= 2)
        return orr_time_left_duration(out, size, seconds);
    *out = '\0';
    if (factor * factor <= MOST_RANGE)
        snprintf(out, size, "%s to %s",
                 orr_time_left_duration(least, sizeof least, seconds / factor),
                 orr_time_left_duration(most, sizeof most, seconds * factor));
    return out;
}
