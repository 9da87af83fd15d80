/* SPDX-License-Identifier: MIT */
#include "plan/cell.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/boxes.h"
#include "datasets/dataset.h"
#include "error.h"
#include "json_member.h"
#include "memory.h"
#include "plugin/plugin.h"
#include "text.h"

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct orr_setting *)a)->name, ((const struct orr_setting *)b)->name);
}

/* Sorted: the order of settings must not change the id. */
void orr_cell_identify(struct orr_cell *cell)
{
    struct orr_setting sorted[ORR_MAX_SETTINGS];
    memcpy(sorted, cell->settings, (size_t)cell->setting_count * sizeof *sorted);
    qsort(sorted, (size_t)cell->setting_count, sizeof *sorted, by_name);
    char *text, hex[65];
    size_t size;
    FILE *out = orr_memory_stream(&text, &size);
    fprintf(out, "%s\n%s\n%s\n%s\n%" PRIu64 "\n%" PRIu64 "\n", cell->experiment, cell->variant,
            cell->device, cell->dataset, cell->n, cell->seed);
    for (int k = 0; k < cell->setting_count; k++)
        fprintf(out, "%s=%s\n", sorted[k].name, sorted[k].value);
    if (cell->ranks > 1)
        fprintf(out, "ranks=%d\n", cell->ranks);
    fclose(out);
    orr_text_sha256(text, size, hex);
    free(text);
    snprintf(cell->id, sizeof cell->id, "%.16s", hex);
}

/* Value of the setting `name`; `fallback` when it is not set. */
static double setting(const struct orr_cell *cell, const char *name, double fallback)
{
    for (int k = 0; k < cell->setting_count; k++)
        if (!strcmp(cell->settings[k].name, name))
            return atof(cell->settings[k].value);
    return fallback;
}

int orr_cell_level(const struct orr_cell *cell)
{
    const struct orr_dataset *set = orr_dataset_get(cell->dataset);
    if (!set || !set->boxed)
        return -1;
    double level = setting(cell, "level", set->default_level);
    return level >= 0 && level <= ORR_MAX_LEVEL ? (int)level : -1;
}

uint64_t orr_cell_per_box(const struct orr_cell *cell)
{
    int level = orr_cell_level(cell);
    return level < 0 ? 0 : cell->n >> 2 * level;
}

/* All pairs within a box and of neighbouring boxes. */
static double near_pairs(double n, double per_box, int level)
{
    double boxes = ldexp(1, 2 * level), neighbours = orr_boxes_neighbours(level);
    return per_box > 0 ? n * (per_box - 1) + neighbours * per_box * per_box
                       : n * (n - 1) * (boxes + neighbours) / (boxes * boxes);
}

double orr_cell_theta(const struct orr_cell *cell)
{
    return setting(cell, "theta", 0);
}

double orr_cell_pairs(const struct orr_cell *cell)
{
    double n = (double)cell->n, level = setting(cell, "level", -1);
    double pairs =
        level >= 0 ? near_pairs(n, (double)orr_cell_per_box(cell), (int)fmin(level, ORR_MAX_LEVEL))
        : orr_cell_theta(cell) > 0 ? n * log2(n)
                                   : n * (n - 1);
    return pairs * (setting(cell, "steps", 0) + 1);
}

json_t *orr_cell_policy_to_json(const struct orr_policy *policy)
{
    return json_pack("{s:i, s:i, s:f, s:f, s:i, s:b, s:o*}", "min_samples", policy->min_samples,
                     "max_samples", policy->max_samples, "precision", policy->precision,
                     "time_limit_s", policy->time_limit_s, "long_samples", policy->long_samples,
                     "joules", policy->joules, "insists", policy->insists ? json_true() : NULL);
}

json_t *orr_cell_to_json(const struct orr_cell *cell)
{
    json_t *object =
        json_pack("{s:s, s:s, s:s, s:s, s:s, s:I, s:I, s:o, s:o, s:o, s:f, s:i, s:b, s:b, s:b, "
                  "s:b, s:b, s:b, s:i, s:b, s:s, s:s}",
                  "id", cell->id, "experiment", cell->experiment, "variant", cell->variant,
                  "device", cell->device, "dataset", cell->dataset, "n", (json_int_t)cell->n,
                  "seed", (json_int_t)cell->seed, "settings",
                  orr_params_settings_to_json(cell->settings, cell->setting_count), "policy",
                  orr_cell_policy_to_json(&cell->policy), "bound", orr_bound_to_json(&cell->bound),
                  "timeout_s", cell->timeout_s, "targets", (int)cell->targets, "keep_bodies",
                  cell->keep_bodies, "counts", cell->counts, "trajectory", cell->trajectory,
                  "error_curve", cell->error_curve, "energy", cell->energy, "once", cell->once,
                  "ranks", cell->ranks, "oversubscribe", cell->oversubscribe, "counters",
                  cell->counters, "extrapolate_from", cell->extrapolate_from);
    return orr_program_pass(object, cell->variant);
}

/* Copies a member that is a text. */
static int copy_text(char *out, size_t size, const json_t *object, const char *member)
{
    const char *text = orr_json_text(object, member);
    if (text && (size_t)snprintf(out, size, "%s", text) < size)
        return 0;
    return orr_fail(ORR_EINPUT, "cell: '%s' is missing, no text or longer than %zu characters",
                    member, size - 1);
}

/* What the program says of a cell; it is trusted to count. */
int orr_cell_from_json(struct orr_cell *out, json_t *object)
{
    memset(out, 0, sizeof *out);
    struct orr_policy *policy = &out->policy;
    struct orr_bound *bound = &out->bound;
    json_int_t n, seed;
    json_t *settings;
    json_error_t error;
    int joules, insists = 0, by_terms;
    if (json_unpack_ex(object, &error, 0,
                       "{s:I, s:I, s:o, s:{s:i, s:i, s:F, s:F, s:i, s:b, s?b}, "
                       "s:{s:F, s:F, s:F, s:b}, s:F, s:i, s:b, s:b, s:b, s:b, s:b, s:b, s:i, s:b}",
                       "n", &n, "seed", &seed, "settings", &settings, "policy", "min_samples",
                       &policy->min_samples, "max_samples", &policy->max_samples, "precision",
                       &policy->precision, "time_limit_s", &policy->time_limit_s, "long_samples",
                       &policy->long_samples, "joules", &joules, "insists", &insists, "bound",
                       "median", &bound->median, "p99", &bound->p99, "max", &bound->max, "by_terms",
                       &by_terms, "timeout_s", &out->timeout_s, "targets", &out->targets,
                       "keep_bodies", &out->keep_bodies, "counts", &out->counts, "trajectory",
                       &out->trajectory, "error_curve", &out->error_curve, "energy", &out->energy,
                       "once", &out->once, "ranks", &out->ranks, "oversubscribe",
                       &out->oversubscribe))
        return orr_fail(ORR_EINPUT, "cell: %s", error.text);
    if (!(bound->median > 0 && bound->p99 > 0 && bound->max > 0))
        return orr_fail(ORR_EINPUT, "cell: its bound is not complete");
    policy->joules = joules;
    policy->insists = insists;
    bound->by_terms = by_terms;
    out->n = (uint64_t)n;
    out->seed = (uint64_t)seed;
#define COPY(member) copy_text(out->member, sizeof out->member, object, #member)
    return COPY(id) || COPY(experiment) || COPY(variant) || COPY(device) || COPY(dataset) ||
                   COPY(counters) || COPY(extrapolate_from) ||
                   orr_params_settings_from_json(out->settings, &out->setting_count, settings)
               ? ORR_EINPUT
               : 0;
}

char *orr_cell_label(char *out, size_t size, const struct orr_cell *cell)
{
    uint64_t per_box = orr_cell_per_box(cell);
    int used = snprintf(out, size, "%s %s %s=%" PRIu64, cell->variant, cell->dataset,
                        per_box ? "P" : "n", per_box ? per_box : cell->n);
    for (int k = 0; k < cell->setting_count && (size_t)used < size; k++)
        used += snprintf(out + used, size - (size_t)used, " %s=%s", cell->settings[k].name,
                         cell->settings[k].value);
    if (cell->ranks > 1 && used < (int)size)
        used += snprintf(out + used, size - (size_t)used, " ranks=%d", cell->ranks);
    if ((size_t)used < size)
        snprintf(out + used, size - (size_t)used, " %s", cell->device);
    return out;
}

enum { SUBJECTS = 8 };

static bool matches_any(const char *const *subjects, const struct orr_words *globs)
{
    for (int g = 0; g < globs->count; g++)
        for (size_t k = 0; k < SUBJECTS && subjects[k]; k++)
            if (!fnmatch(globs->items[g], subjects[k], 0))
                return true;
    return false;
}

bool orr_cell_is_wanted(const struct orr_cell_globs *globs, const char *experiment,
                        const char *variant, const char *dataset, const char *device,
                        const char *label)
{
    char whole[256], line[640];
    snprintf(whole, sizeof whole, "%s %s %s %s", experiment, variant, dataset, device);
    if (label)
        snprintf(line, sizeof line, "%s %s", experiment, label);
    const char *const subjects[SUBJECTS] = {
        experiment, variant, strchr(experiment, '/') + 1, strchr(variant, '/') + 1, dataset,
        device,     whole,   label ? line : NULL};
    return (!globs->only.count || matches_any(subjects, &globs->only)) &&
           !matches_any(subjects, &globs->exclude);
}
