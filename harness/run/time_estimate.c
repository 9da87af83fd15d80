#include "json_member.h"
#include "run/progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

/* Least pairs per second assumed of a variant that was not measured. */
static const double GUESSED_RATE = 1e9;
/* An estimate from so many times less work counts as a guess. */
static const double FAR = 1000;

enum likeness { OTHER, SAME_VARIANT, SAME_SETTINGS };

void orr_time_estimate_release(struct orr_time_estimate *estimate)
{
    for (size_t k = 0; k < estimate->count; k++)
        json_decref(estimate->items[k].parameters);
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

void orr_time_estimate_add(struct orr_time_estimate *estimate, json_t *record)
{
    const char *variant = orr_json_text(record, "variant");
    const char *device = orr_json_text(record, "device");
    double pairs = pairs_of(record), seconds = orr_json_number(record, "seconds");
    if (!variant || !device || !(seconds > 0) || !(pairs > 0) ||
        json_object_get(record, "extrapolated_from"))
        return;
    if (estimate->count == estimate->room) {
        size_t room = estimate->room ? 2 * estimate->room : 64;
        struct orr_measured_step *more = realloc(estimate->items, room * sizeof *more);
        if (!more)
            return;
        estimate->items = more;
        estimate->room = room;
    }
    struct orr_measured_step *known = &estimate->items[estimate->count++];
    *known = (struct orr_measured_step){.pairs = pairs, .seconds = seconds};
    snprintf(known->variant, sizeof known->variant, "%s", variant);
    snprintf(known->device, sizeof known->device, "%s", device);
    known->parameters = json_incref(json_object_get(record, "parameters"));
}

static bool same_value(const char *setting, const json_t *parameter)
{
    double number;
    return json_is_number(parameter)
               ? orr_text_number(setting, &number) && number == json_number_value(parameter)
               : json_is_string(parameter) && !strcmp(setting, json_string_value(parameter));
}

/* Level and steps only change the amount of work. */
static bool same_settings(const struct orr_measured_step *known, const struct orr_cell *cell)
{
    for (int k = 0; k < cell->setting_count; k++) {
        const char *name = cell->settings[k].name;
        if (strcmp(name, "level") != 0 && strcmp(name, "steps") != 0 &&
            !same_value(cell->settings[k].value, json_object_get(known->parameters, name)))
            return false;
    }
    return true;
}

static enum likeness likeness(const struct orr_measured_step *known, const struct orr_cell *cell)
{
    if (strcmp(known->device, cell->device) != 0 || strcmp(known->variant, cell->variant) != 0)
        return OTHER;
    return same_settings(known, cell) ? SAME_SETTINGS : SAME_VARIANT;
}

/* The most alike, at least `least`, with at most `most_pairs`; among these the nearest in work,
 * then the newest. */
static const struct orr_measured_step *nearest(const struct orr_time_estimate *estimate,
                                               const struct orr_cell *cell, enum likeness least,
                                               double most_pairs)
{
    const struct orr_measured_step *best = NULL;
    const double pairs = orr_cell_pairs(cell) + 1;
    for (size_t k = estimate->count; k-- > 0;) {
        const struct orr_measured_step *known = &estimate->items[k];
        enum likeness alike = likeness(known, cell);
        if (alike < least || known->pairs > most_pairs)
            continue;
        if (!best || alike > likeness(best, cell) ||
            (alike == likeness(best, cell) &&
             fabs(log(known->pairs / pairs)) < fabs(log(best->pairs / pairs))))
            best = known;
    }
    return best;
}

/* Small steps are mostly launches: the slope between two sizes is better than the mean. */
static double seconds_a_pair(const struct orr_time_estimate *estimate, const struct orr_cell *cell,
                             const struct orr_measured_step *known)
{
    const struct orr_measured_step *smaller =
        nearest(estimate, cell, likeness(known, cell), known->pairs / 2);
    const double mean = known->seconds / known->pairs;
    if (!smaller || smaller->seconds >= known->seconds)
        return mean;
    return fmin(mean, (known->seconds - smaller->seconds) / (known->pairs - smaller->pairs));
}

/* The highest rate measured on the device. */
static double guessed_rate(const struct orr_time_estimate *estimate, const char *device)
{
    double most = GUESSED_RATE;
    for (size_t k = 0; k < estimate->count; k++)
        if (!strcmp(estimate->items[k].device, device))
            most = fmax(most, estimate->items[k].pairs / estimate->items[k].seconds);
    return most;
}

bool orr_time_estimate_step(double *seconds, const struct orr_time_estimate *estimate,
                            const struct orr_cell *cell)
{
    const double pairs = orr_cell_pairs(cell);
    const struct orr_measured_step *known = nearest(estimate, cell, SAME_VARIANT, INFINITY);
    if (!known) {
        *seconds = pairs / guessed_rate(estimate, cell->device);
        return false;
    }
    *seconds = pairs > known->pairs
                   ? known->seconds + (pairs - known->pairs) * seconds_a_pair(estimate, cell, known)
                   : known->seconds * pairs / known->pairs;
    return pairs <= FAR * known->pairs;
}
