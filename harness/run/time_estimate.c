/* SPDX-License-Identifier: MIT */
#include "run/time_estimate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_member.h"
#include "memory.h"

/* Pairs per second assumed where no variant was measured on the device. */
static const double GUESSED_RATE = 1e9;
/* An estimate from so many times less work counts as a guess. */
static const double FAR = 1000;
/* Of a cell that nothing like was measured: all but its steps, and compiling kernels. */
static const double REST_S = 0.15, BUILD_S = 1;
/* Of all but its steps a later round takes this share: bodies, references and kernels are there. */
static const double LATER_REST = 0.15;
/* Steps outside of samples: the first, the last one that is watched, one that counts. */
static const double EXTRA_STEPS = 3;

void orr_time_estimate_release(struct orr_time_estimate *estimate)
{
    free(estimate->items);
    *estimate = (struct orr_time_estimate){0};
}

/* --- what was measured --- */

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

static double extra_steps(double step_s)
{
    return (step_s > ORR_LONG_STEP_S ? 1 : EXTRA_STEPS) * step_s;
}

static void take_times(struct orr_measured_cell *out, json_t *record)
{
    const json_t *steps = json_object_get(json_object_get(record, "samples"), "step_s");
    const double step_s = orr_json_number(record, "seconds"),
                 count = (double)json_array_size(steps),
                 batch = fmax(orr_json_number(record, "batch"), 1),
                 sample_s = batch * step_s + orr_json_number(record, "end_to_end_seconds");
    out->step_s = step_s;
    out->rest_s = fmax(out->rest_s - extra_steps(step_s) -
                           (count + orr_json_number(record, "warmups")) * sample_s,
                       0);
}

void orr_time_estimate_add(struct orr_time_estimate *estimate, json_t *record)
{
    const char *kind = orr_json_text(record, "record");
    const char *variant = orr_json_text(record, "variant"), *id = orr_json_text(record, "id"),
               *device = orr_json_text(record, "device");
    const double pairs = pairs_of(record);
    if ((kind && strcmp(kind, "cell")) || !variant || !device ||
        json_is_true(json_object_get(record, "once")) ||
        json_object_get(record, "extrapolated_from"))
        return;
    struct orr_measured_cell *known =
        orr_memory_add(&estimate->items, &estimate->count, sizeof *known);
    *known = (struct orr_measured_cell){.rest_s = orr_json_number(record, "wall_s"),
                                        .later = orr_json_integer(record, "round") > 1};
    snprintf(known->id, sizeof known->id, "%s", id ? id : "");
    snprintf(known->variant, sizeof known->variant, "%s", variant);
    snprintf(known->device, sizeof known->device, "%s", device);
    if (orr_json_number(record, "seconds") > 0 && pairs > 0) {
        known->pairs = pairs;
        take_times(known, record);
    }
}

/* --- what is like a cell --- */

static bool is_itself(const struct orr_measured_cell *known, const struct orr_cell *cell)
{
    return !cell->once && !strcmp(known->id, cell->id);
}

/* How unlike the cell it is: least itself, of the same place among rounds; then the nearest in
 * work, whatever its settings. INFINITY of another variant or device. */
static double distance(const struct orr_measured_cell *known, const struct orr_cell *cell,
                       bool later)
{
    if (is_itself(known, cell))
        return known->later == later ? -2 : -1;
    if (strcmp(known->variant, cell->variant) || strcmp(known->device, cell->device) ||
        !(known->pairs > 0))
        return INFINITY;
    return fabs(log(known->pairs / (orr_cell_pairs(cell) + 1)));
}

/* The most alike, of several the newest; NULL: there is none. */
static const struct orr_measured_cell *nearest(const struct orr_time_estimate *estimate,
                                               const struct orr_cell *cell, bool later)
{
    const struct orr_measured_cell *best = NULL;
    double least = INFINITY;
    for (size_t k = estimate->count; k-- > 0;) {
        const double now = distance(&estimate->items[k], cell, later);
        if (now < least) {
            least = now;
            best = &estimate->items[k];
        }
    }
    return best;
}

/* By the pairs of `known`; without it by the device's best rate. */
static double step_of(const struct orr_time_estimate *estimate, const struct orr_cell *cell,
                      const struct orr_measured_cell *known)
{
    const double pairs = orr_cell_pairs(cell);
    double rate = GUESSED_RATE;
    if (known && known->pairs > 0)
        return known->step_s * pairs / known->pairs;
    for (size_t k = 0; k < estimate->count; k++)
        if (estimate->items[k].pairs > 0 && !strcmp(estimate->items[k].device, cell->device))
            rate = fmax(rate, estimate->items[k].pairs / estimate->items[k].step_s);
    return pairs / rate;
}

/* --- a whole cell --- */

/* All steps: those that are no samples, warm-up and samples (sampler.h), or the fixed number of
 * long ones. */
static double sampled_s(const struct orr_cell *cell, double step_s)
{
    const struct orr_policy *policy = &cell->policy;
    if (cell->once)
        return extra_steps(step_s);
    if (step_s > ORR_LONG_STEP_S)
        return extra_steps(step_s) + policy->long_samples * step_s;
    const double batch = fmin(ceil(1e-3 / fmax(step_s, 1e-9)), 64),
                 sample = fmax(batch, 1) * step_s + (step_s > 2e-2 ? 0 : step_s),
                 warm_up = fmin(fmax(6 * sample, 0.03), fmax(0.2 * policy->time_limit_s, sample)),
                 least = policy->insists ? policy->min_samples : 1;
    return extra_steps(step_s) + warm_up +
           fmax(fmin(policy->max_samples * sample, policy->time_limit_s), least * sample);
}

struct orr_time orr_time_estimate_cell(const struct orr_time_estimate *estimate,
                                       const struct orr_cell *cell, bool later)
{
    const struct orr_measured_cell *known = nearest(estimate, cell, later);
    const bool of_first = known && later && !known->later;
    const double build_s = later || !strcmp(cell->device, "host") ? 0 : BUILD_S,
                 rest_s = known ? (of_first ? LATER_REST : 1) * known->rest_s : REST_S + build_s;
    struct orr_time out = {.basis = known && is_itself(known, cell) && !of_first ? ORR_TIME_MEASURED
                                    : !known || orr_cell_pairs(cell) > FAR * known->pairs
                                        ? ORR_TIME_GUESSED
                                        : ORR_TIME_SCALED};
    if (*cell->extrapolate_from || cell->refused)
        return out;
    out.seconds = rest_s + sampled_s(cell, step_of(estimate, cell, known));
    if (cell->timeout_s > 0)
        out.seconds = fmin(out.seconds, cell->timeout_s);
    return out;
}

/* --- what is left --- */

/* Nine in ten normal numbers are within so many deviations; of replayed lines, whose tails are
 * longer, so many for a range. */
static const double NINE_IN_TEN = 1.645, NINE_IN_TEN_RANGES = 2.3;
/* A range of more times tells nothing. */
static const double MOST_RANGE = 25;

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
