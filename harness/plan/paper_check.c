/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "datasets/dataset.h"
#include "error.h"
#include "names.h"
#include "plan/paper_parts.h"
#include "plan/plan.h"
#include "plan/paper.h"
#include "text.h"

enum { PATH_SIZE = 256 };

/* A path, until the next one is asked for. */
__attribute__((format(printf, 1, 2))) static const char *at(const char *format, ...)
{
    static _Thread_local char path[PATH_SIZE + 32];
    va_list rest;
    va_start(rest, format);
    vsnprintf(path, sizeof path, format, rest);
    va_end(rest);
    return path;
}

/* Adds file and line to the recorded error. */
static int blame(const struct orr_paper_places *places, const char *path)
{
    char message[512];
    snprintf(message, sizeof message, "%.500s", orr_error_text());
    orr_error_clear();
    return orr_paper_fail(places, path, "%s", message);
}

/* Names must differ: `first` points at the first of `count` name pointers, `stride` bytes apart. */
static int check_distinct(const struct orr_paper_places *places, const char *list,
                          const void *first, size_t count, size_t stride)
{
    for (size_t k = 0; k < count; k++) {
        const char *name = *(const char *const *)((const char *)first + k * stride);
        if (orr_names_find(name, first, k, stride))
            return orr_paper_fail(places, at("%s[%zu]", list, k), "'%s' appears twice in %s", name,
                                  list);
    }
    return 0;
}

static int check_input_value(const char *axis, const char *value)
{
    uint64_t count;
    if (!strcmp(axis, "dataset"))
        return orr_dataset_find(value) ? 0 : orr_error_code();
    return orr_axis_is_count(axis) ? orr_axis_count(&count, axis, value) : 0;
}

static int check_one_size(const struct orr_paper_places *places, const char *list,
                          const struct orr_axis *axes, unsigned count)
{
    const char *first = NULL;
    for (unsigned k = 0; k < count; k++) {
        const char *name = axes[k].name;
        bool swap = first && strcmp(first, name) > 0;
        if (first && orr_axis_is_size(name))
            return orr_paper_fail(places, at("%s[%u]", list, k),
                                  "%s and %s both say how many bodies there are; name one of them",
                                  swap ? name : first, swap ? first : name);
        first = orr_axis_is_size(name) ? name : first;
    }
    return 0;
}

static int check_axes(const struct orr_paper_places *places, const char *list,
                      const struct orr_axis *axes, unsigned count)
{
    int code = check_distinct(places, list, axes, count, sizeof *axes);
    if (!code)
        code = check_one_size(places, list, axes, count);
    for (unsigned k = 0; !code && k < count; k++) {
        char **values = NULL;
        if (strchr(axes[k].name, ','))
            return orr_paper_fail(places, at("%s[%u].name", list, k),
                                  "'%s': axes vary together in --set only; name one here",
                                  axes[k].name);
        code = orr_axis_values(&values, axes[k].values, orr_axis_is_count(axes[k].name));
        for (char **value = values; !code && *value; value++)
            code = check_input_value(axes[k].name, *value);
        orr_names_free(values);
        if (code)
            code = blame(places, at("%s[%u].values", list, k));
    }
    return code;
}

static bool names_variant(const struct orr_paper *paper, const char *glob)
{
    for (unsigned k = 0; k < paper->variants_count; k++)
        if (orr_text_matches(glob, paper->variants[k].name))
            return true;
    return false;
}

static int fail_variant(const struct orr_paper_places *places, const char *what, const char *glob,
                        const char *path)
{
    const struct orr_paper *paper = places->paper;
    orr_names_fail(what, glob, &paper->variants->name, paper->variants_count,
                   sizeof *paper->variants);
    return blame(places, path);
}

static int check_kind(const struct orr_paper_places *places, const char *on, const char *what,
                      const char *path)
{
    return on && strcmp(on, "cpu") != 0 && strcmp(on, "gpu") != 0
               ? orr_paper_fail(places, path, "a %s's 'on' must be cpu or gpu, not '%s'", what, on)
               : 0;
}

static int check_limit(const struct orr_paper_places *places, const struct orr_limit *limit,
                       const char *path)
{
    if (!(limit->n > 0))
        return orr_paper_fail(places, path, "a limit's n must be above 0");
    if (check_kind(places, limit->on, "limit", path))
        return orr_error_code();
    return names_variant(places->paper, limit->variant)
               ? 0
               : fail_variant(places, "limit for an unknown variant", limit->variant, path);
}

enum { MOST_SAMPLES = 1000000 };
static int check_preset(const struct orr_paper_places *places, const struct orr_preset *preset,
                        const char *place)
{
    char path[PATH_SIZE];
    if (!orr_plan_preset_policy(preset->name))
        return blame(places, place);
    const bool limited = preset->time_limit_s >= 0 && !isinf(preset->time_limit_s);
    if (!limited || !(preset->timeout_s >= 0) || isinf(preset->timeout_s))
        return orr_paper_fail(places, place, "%s must be a number of seconds, 0 for the default",
                              limited ? "timeout_s" : "time_limit_s");
    if (preset->long_samples > MOST_SAMPLES)
        return orr_paper_fail(places, at("%s.long_samples", place),
                              "long_samples must be at most %d", MOST_SAMPLES);
    snprintf(path, sizeof path, "%s.axes", place);
    int code = check_axes(places, path, preset->axes, preset->axes_count);
    for (unsigned k = 0; !code && k < preset->limits_count; k++)
        code = check_limit(places, &preset->limits[k], at("%s.limits[%u]", place, k));
    return code;
}

/* Positive, so that every error is judged. */
static int check_bound(const struct orr_paper_places *places, const struct orr_bound *bound,
                       const char *place)
{
    if (!bound)
        return orr_paper_fail(places, place, "the key 'bound' is missing");
    const struct {
        const char *name;
        double value;
    } members[] = {{"median", bound->median}, {"p99", bound->p99}, {"max", bound->max}};
    for (size_t k = 0; k < 3; k++)
        if (!(members[k].value > 0 && isfinite(members[k].value)))
            return orr_paper_fail(places, at("%s.bound.%s", place, members[k].name),
                                  "bound %s must be above 0", members[k].name);
    return 0;
}

static int check_law(const struct orr_paper_places *places, const struct orr_law *law,
                     const char *place)
{
    if (!(law->floor > 0 && law->at > 0 && law->theta > 0) || isinf(law->floor) || isinf(law->at) ||
        isinf(law->theta) || !isfinite(law->n))
        return orr_paper_fail(places, place, "floor, at and theta must be above 0");
    return 0;
}

static int check_tree_bound(const struct orr_paper_places *places, unsigned index)
{
    const struct orr_tree_bound *bound = &places->paper->tree_bounds[index];
    const struct {
        const char *name;
        const struct orr_law *law;
    } laws[] = {{"median", &bound->median}, {"p99", &bound->p99}, {"max", &bound->max}};
    for (unsigned k = 0; k < bound->variants_count; k++)
        if (!names_variant(places->paper, bound->variants[k]))
            return fail_variant(places, "bound of an unknown variant", bound->variants[k],
                                at("tree_bounds[%u].variants[%u]", index, k));
    if (!(bound->up_to >= 0) || isinf(bound->up_to))
        return orr_paper_fail(places, at("tree_bounds[%u].up_to", index), "up_to must be above 0");
    int code = 0;
    for (size_t k = 0; !code && k < 3; k++)
        code = check_law(places, laws[k].law, at("tree_bounds[%u].%s", index, laws[k].name));
    return code;
}

enum { MOST_TARGETS = 1000000 };
static int check_targets(const struct orr_paper_places *places, unsigned targets, const char *place)
{
    const char *path = at("%s.targets", place);
    if (!orr_paper_places_has(places, path) || (targets > 0 && targets <= MOST_TARGETS))
        return 0;
    return orr_paper_fail(places, path, "targets must be from 1 to %d", MOST_TARGETS);
}

/* Cells of another experiment: one that has its own, and every variant that takes part in this
 * one. */
static int check_cells(const struct orr_paper_places *places,
                       const struct orr_experiment *experiment, const char *place)
{
    const char *path = at("%s.cells", place);
    const struct orr_experiment *source = orr_paper_experiment(places->paper, experiment->cells);
    if (!source)
        return blame(places, path);
    if (source->cells || experiment->presets_count || experiment->bound)
        return orr_paper_fail(places, path, "%s shows cells of %s: %s", experiment->name,
                              source->name,
                              source->cells ? "name the experiment that has them"
                                            : "presets and bound belong there, not here");
    for (unsigned k = 0; k < places->paper->variants_count; k++) {
        const struct orr_paper_variant *variant = &places->paper->variants[k];
        if (orr_paper_takes_part(variant, experiment->name) &&
            !orr_paper_takes_part(variant, source->name))
            return orr_paper_fail(places, path,
                                  "%s takes part in %s but not in %s, which has the cells",
                                  variant->name, experiment->name, source->name);
    }
    return 0;
}

static int check_head(const struct orr_paper_places *places,
                      const struct orr_experiment *experiment, const char *place)
{
    for (unsigned k = 0; k < experiment->baselines_count; k++)
        if (!orr_paper_variant(places->paper, experiment->baselines[k]))
            return blame(places, at("%s.baselines[%u]", place, k));
    if (!orr_names_find("dataset", experiment->axes, experiment->axes_count,
                        sizeof *experiment->axes))
        return orr_paper_fail(places, place, "experiment '%s' has no axis 'dataset'",
                              experiment->name);
    if (experiment->cells)
        return check_cells(places, experiment, place);
    int code = check_targets(places, experiment->targets, place);
    return code ? code : check_bound(places, experiment->bound, place);
}

static int check_experiment(const struct orr_paper_places *places, unsigned index)
{
    const struct orr_experiment *experiment = &places->paper->experiments[index];
    char place[PATH_SIZE / 4], path[PATH_SIZE / 2];
    snprintf(place, sizeof place, "experiments[%u]", index);
    int code = check_head(places, experiment, place);
    snprintf(path, sizeof path, "%s.axes", place);
    if (!code)
        code = check_axes(places, path, experiment->axes, experiment->axes_count);
    snprintf(path, sizeof path, "%s.presets", place);
    if (!code)
        code = check_distinct(places, path, experiment->presets, experiment->presets_count,
                              sizeof *experiment->presets);
    for (unsigned k = 0; !code && k < experiment->presets_count; k++) {
        snprintf(path, sizeof path, "%s.presets[%u]", place, k);
        code = check_preset(places, &experiment->presets[k], path);
    }
    return code;
}

/* A parameter that means the same everywhere says what is computed, not how. */
static int check_knob_name(const struct orr_paper_places *places, const char *name,
                           const char *path)
{
    static const char *const fixed[] = {"dataset", "n",        "seed", "per_box",
                                        "ranks",   "per_rank", "eps",  "theta",
                                        "level",   "steps",    "dt",   "integrator"};
    return orr_names_among(name, fixed)
               ? orr_paper_fail(places, path, "'%s' says what is computed, not how: it is no knob",
                                name)
               : 0;
}

static int check_knobs(const struct orr_paper_places *places, unsigned index)
{
    const struct orr_paper_variant *variant = &places->paper->variants[index];
    char list[PATH_SIZE / 4], path[PATH_SIZE];
    snprintf(list, sizeof list, "variants[%u].knobs", index);
    int code =
        check_distinct(places, list, variant->knobs, variant->knobs_count, sizeof *variant->knobs);
    for (unsigned k = 0; !code && k < variant->knobs_count; k++) {
        const struct orr_knob_range *knob = &variant->knobs[k];
        char **values = NULL;
        snprintf(path, sizeof path, "variants[%u].knobs[%u].values", index, k);
        if (orr_axis_values(&values, knob->values, false))
            code = blame(places, path);
        orr_names_free(values);
        snprintf(path, sizeof path, "variants[%u].knobs[%u].name", index, k);
        if (!code)
            code = check_knob_name(places, knob->name, path);
        if (!code)
            code = check_kind(places, knob->on, "knob", path);
    }
    return code;
}

static int check_variant(const struct orr_paper_places *places, unsigned index)
{
    const struct orr_paper *paper = places->paper;
    const struct orr_paper_variant *variant = &paper->variants[index];
    if (orr_names_find(variant->name, paper->experiments, paper->experiments_count,
                       sizeof *paper->experiments))
        return orr_paper_fail(places, at("variants[%u]", index),
                              "'%s' names a variant and an experiment", variant->name);
    for (unsigned k = 0; k < variant->in_count; k++)
        if (!orr_paper_experiment(paper, variant->in[k]))
            return blame(places, at("variants[%u].in[%u]", index, k));
    return check_knobs(places, index);
}

/* A setting is an axis of an experiment, or a knob. */
static int check_setting(const struct orr_paper_places *places, const char *name, const char *path)
{
    const struct orr_paper *paper = places->paper;
    struct orr_names names = {0};
    char **known;
    for (unsigned k = 0; k < paper->experiments_count; k++)
        for (unsigned a = 0; a < paper->experiments[k].axes_count; a++)
            orr_names_add(&names, "%s", paper->experiments[k].axes[a].name);
    for (unsigned k = 0; k < paper->variants_count; k++)
        for (unsigned o = 0; o < paper->variants[k].knobs_count; o++)
            orr_names_add(&names, "%s", paper->variants[k].knobs[o].name);
    int code = orr_names_finish(&names, &known, 0);
    if (!code && !orr_names_has(known, name)) {
        orr_names_fail("no axis and no knob is called", name, known, orr_names_count(known),
                       sizeof *known);
        code = blame(places, path);
    }
    orr_names_free(known);
    return code;
}

/* Its claims are checked where they are judged: only their SQL knows which there are. */
static int check_guess(const struct orr_paper_places *places, unsigned index)
{
    const struct orr_guess *guess = &places->paper->guess[index];
    char **values = NULL, path[PATH_SIZE], name[PATH_SIZE];
    snprintf(path, sizeof path, "guess[%u].setting", index);
    int code = check_setting(places, guess->setting, path);
    snprintf(path, sizeof path, "guess[%u].values", index);
    if (!code && orr_axis_values(&values, guess->values, false))
        code = blame(places, path);
    if (!code && orr_names_count(values) < 2)
        code = orr_paper_fail(places, path, "a guess has the value that was taken and others");
    orr_names_free(values);
    snprintf(path, sizeof path, "guess[%u].where", index);
    if (code || !guess->where)
        return code;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(guess->where, "="), guess->where);
    return strchr(guess->where, '=')
               ? check_setting(places, name, path)
               : orr_paper_fail(places, path, "'where' is a setting, as in nleaf=8");
}

int orr_paper_check(const struct orr_paper_places *places, const char *key)
{
    const struct orr_paper *paper = places->paper;
    if (strcmp(paper->key, key) != 0)
        return orr_paper_fail(places, "paper", "paper is '%s', but the folder is '%s'", paper->key,
                              key);
    if (!(paper->flops_per_interaction > 0) || isinf(paper->flops_per_interaction))
        return orr_paper_fail(places, "flops_per_interaction",
                              "flops_per_interaction must be above 0");
    int code = check_distinct(places, "variants", paper->variants, paper->variants_count,
                              sizeof *paper->variants);
    if (!code)
        code = check_distinct(places, "experiments", paper->experiments, paper->experiments_count,
                              sizeof *paper->experiments);
    for (unsigned k = 0; !code && k < paper->variants_count; k++)
        code = check_variant(places, k);
    for (unsigned k = 0; !code && k < paper->tree_bounds_count; k++)
        code = check_tree_bound(places, k);
    for (unsigned k = 0; !code && k < paper->experiments_count; k++)
        code = check_experiment(places, k);
    for (unsigned k = 0; !code && k < paper->guess_count; k++)
        code = check_guess(places, k);
    return code;
}
