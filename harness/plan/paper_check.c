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

enum { PATH_SIZE = 256, MESSAGE_SIZE = 512 };

/* The paper.yaml being checked. All of it is, and the first mistake is kept. */
struct exam {
    const struct orr_paper *paper;
    const struct orr_paper_places *places;
    char path[PATH_SIZE]; /* of the value in hand, "experiments[2].bound" */
    char wrong_path[PATH_SIZE], message[MESSAGE_SIZE];
};

/* Goes on to a value within the one in hand; returns what `leave` takes. */
__attribute__((format(printf, 2, 3))) static size_t enter(struct exam *e, const char *format, ...)
{
    const size_t length = strlen(e->path);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(e->path + length, PATH_SIZE - length, format, arguments);
    va_end(arguments);
    return length;
}

static void leave(struct exam *e, size_t length)
{
    e->path[length] = '\0';
}

__attribute__((format(printf, 2, 3))) static void wrong(struct exam *e, const char *format, ...)
{
    va_list arguments;
    if (*e->message)
        return;
    strcpy(e->wrong_path, e->path);
    va_start(arguments, format);
    vsnprintf(e->message, sizeof e->message, format, arguments);
    va_end(arguments);
}

/* What was recorded as an error is wrong here. */
static void blame(struct exam *e)
{
    wrong(e, "%s", orr_error_text());
    orr_error_clear();
}

/* Names must differ: `first` points at the first of `count` name pointers, `stride` bytes apart. */
static void check_distinct(struct exam *e, const void *first, size_t count, size_t stride)
{
    for (size_t k = 0; k < count; k++)
        for (size_t j = 0; j < k; j++) {
            const char *a = *(const char *const *)((const char *)first + k * stride);
            const char *b = *(const char *const *)((const char *)first + j * stride);
            if (strcmp(a, b) != 0)
                continue;
            const size_t list = enter(e, "[%zu]", k);
            wrong(e, "'%s' appears twice in %.*s", a, (int)list, e->path);
            leave(e, list);
        }
}

static void check_input_value(struct exam *e, const char *axis, const char *value)
{
    double number;
    if (!strcmp(axis, "dataset") && !orr_dataset_find(value))
        blame(e);
    if (orr_axis_is_count(axis) &&
        !(orr_text_number(value, &number) && number >= 0 && number == floor(number)))
        wrong(e, "%s must be a whole number, not '%s'", axis, value);
}

static void check_values(struct exam *e, const char *axis, const char *text)
{
    const size_t at = enter(e, ".values");
    char **values = NULL;
    if (orr_axis_values(&values, text, orr_axis_is_count(axis)))
        blame(e);
    for (char **value = values; value && *value; value++)
        check_input_value(e, axis, *value);
    orr_names_free(values);
    leave(e, at);
}

static void check_one_size(struct exam *e, const struct orr_axis *axes, unsigned count)
{
    const char *first = NULL;
    for (unsigned k = 0; k < count; k++) {
        const char *name = axes[k].name;
        if (!orr_axis_is_size(name))
            continue;
        const bool swap = first && strcmp(first, name) > 0;
        const size_t at = enter(e, "[%u]", k);
        if (first)
            wrong(e, "%s and %s both say how many bodies there are; name one of them",
                  swap ? name : first, swap ? first : name);
        else
            first = name;
        leave(e, at);
    }
}

static void check_axes(struct exam *e, const struct orr_axis *axes, unsigned count)
{
    const size_t list = enter(e, ".axes");
    check_distinct(e, axes, count, sizeof *axes);
    check_one_size(e, axes, count);
    for (unsigned k = 0; k < count; k++) {
        const size_t at = enter(e, "[%u]", k), axis = enter(e, ".name");
        if (strchr(axes[k].name, ','))
            wrong(e, "'%s': axes vary together in --set only; name one here", axes[k].name);
        leave(e, axis);
        check_values(e, axes[k].name, axes[k].values);
        leave(e, at);
    }
    leave(e, list);
}

static void check_variant_glob(struct exam *e, const char *what, const char *glob)
{
    const struct orr_paper *paper = e->paper;
    for (unsigned k = 0; k < paper->variants_count; k++)
        if (orr_text_matches(glob, paper->variants[k].name))
            return;
    orr_names_fail(what, glob, &paper->variants->name, paper->variants_count,
                   sizeof *paper->variants);
    blame(e);
}

static void check_kind(struct exam *e, const char *on, const char *what)
{
    if (on && strcmp(on, "cpu") != 0 && strcmp(on, "gpu") != 0)
        wrong(e, "a %s's 'on' must be cpu or gpu, not '%s'", what, on);
}

static void check_seconds(struct exam *e, const char *name, double seconds)
{
    if (!(seconds >= 0) || isinf(seconds))
        wrong(e, "%s must be a number of seconds, 0 for the default", name);
}

enum { MOST_SAMPLES = 1000000 };
static void check_preset(struct exam *e, const struct orr_preset *preset)
{
    if (!orr_plan_preset_policy(preset->name))
        blame(e);
    check_seconds(e, "time_limit_s", preset->time_limit_s);
    check_seconds(e, "timeout_s", preset->timeout_s);
    size_t at = enter(e, ".long_samples");
    if (preset->long_samples > MOST_SAMPLES)
        wrong(e, "long_samples must be at most %d", MOST_SAMPLES);
    leave(e, at);
    check_axes(e, preset->axes, preset->axes_count);
    for (unsigned k = 0; k < preset->limits_count; k++) {
        const struct orr_limit *limit = &preset->limits[k];
        at = enter(e, ".limits[%u]", k);
        if (!(limit->n > 0))
            wrong(e, "a limit's n must be above 0");
        check_kind(e, limit->on, "limit");
        check_variant_glob(e, "limit for an unknown variant", limit->variant);
        leave(e, at);
    }
}

/* Positive, so that every error is judged. */
static void check_bound(struct exam *e, const struct orr_bound *bound)
{
    const struct {
        const char *name;
        double value;
    } members[] = {{"median", bound ? bound->median : 1},
                   {"p99", bound ? bound->p99 : 1},
                   {"max", bound ? bound->max : 1}};
    if (!bound)
        wrong(e, "the key 'bound' is missing");
    for (size_t k = 0; k < 3; k++) {
        const size_t at = enter(e, ".bound.%s", members[k].name);
        if (!(members[k].value > 0 && isfinite(members[k].value)))
            wrong(e, "bound %s must be above 0", members[k].name);
        leave(e, at);
    }
}

static void check_law(struct exam *e, const char *name, const struct orr_law *law)
{
    const size_t at = enter(e, ".%s", name);
    if (!(law->floor > 0 && law->at > 0 && law->theta > 0) || isinf(law->floor) || isinf(law->at) ||
        isinf(law->theta) || !isfinite(law->n))
        wrong(e, "floor, at and theta must be above 0");
    leave(e, at);
}

static void check_tree_bound(struct exam *e, const struct orr_tree_bound *bound)
{
    size_t at;
    for (unsigned k = 0; k < bound->variants_count; k++) {
        at = enter(e, ".variants[%u]", k);
        check_variant_glob(e, "bound of an unknown variant", bound->variants[k]);
        leave(e, at);
    }
    at = enter(e, ".up_to");
    if (!(bound->up_to >= 0) || isinf(bound->up_to))
        wrong(e, "up_to must be above 0");
    leave(e, at);
    check_law(e, "median", &bound->median);
    check_law(e, "p99", &bound->p99);
    check_law(e, "max", &bound->max);
}

enum { MOST_TARGETS = 1000000 };
static void check_targets(struct exam *e, unsigned targets)
{
    const size_t at = enter(e, ".targets");
    if (orr_paper_places_has(e->places, e->path) && !(targets > 0 && targets <= MOST_TARGETS))
        wrong(e, "targets must be from 1 to %d", MOST_TARGETS);
    leave(e, at);
}

/* Cells of another experiment: one that has its own, and every variant that takes part in this
 * one. */
static void check_cells(struct exam *e, const struct orr_experiment *experiment)
{
    const struct orr_experiment *source = orr_paper_experiment(e->paper, experiment->cells);
    if (!source) {
        blame(e);
        return;
    }
    if (source->cells || experiment->presets_count || experiment->bound)
        wrong(e, "%s shows cells of %s: %s", experiment->name, source->name,
              source->cells ? "name the experiment that has them"
                            : "presets and bound belong there, not here");
    for (unsigned k = 0; k < e->paper->variants_count; k++) {
        const struct orr_paper_variant *variant = &e->paper->variants[k];
        if (orr_paper_takes_part(variant, experiment->name) &&
            !orr_paper_takes_part(variant, source->name))
            wrong(e, "%s takes part in %s but not in %s, which has the cells", variant->name,
                  experiment->name, source->name);
    }
}

static bool has_axis(const struct orr_experiment *experiment, const char *name)
{
    for (unsigned k = 0; k < experiment->axes_count; k++)
        if (!strcmp(experiment->axes[k].name, name))
            return true;
    return false;
}

static void check_experiment(struct exam *e, const struct orr_experiment *experiment)
{
    size_t at;
    for (unsigned k = 0; k < experiment->baselines_count; k++) {
        at = enter(e, ".baselines[%u]", k);
        if (!orr_paper_variant(e->paper, experiment->baselines[k]))
            blame(e);
        leave(e, at);
    }
    if (!has_axis(experiment, "dataset"))
        wrong(e, "experiment '%s' has no axis 'dataset'", experiment->name);
    if (experiment->cells) {
        at = enter(e, ".cells");
        check_cells(e, experiment);
        leave(e, at);
    } else {
        check_targets(e, experiment->targets);
        check_bound(e, experiment->bound);
    }
    check_axes(e, experiment->axes, experiment->axes_count);
    const size_t presets = enter(e, ".presets");
    check_distinct(e, experiment->presets, experiment->presets_count, sizeof *experiment->presets);
    for (unsigned k = 0; k < experiment->presets_count; k++) {
        at = enter(e, "[%u]", k);
        check_preset(e, &experiment->presets[k]);
        leave(e, at);
    }
    leave(e, presets);
}

/* What means the same everywhere says what is computed. */
static void check_knob(struct exam *e, const struct orr_knob_range *knob)
{
    static const char *const fixed[] = {"dataset", "n",        "seed", "per_box",
                                        "ranks",   "per_rank", "eps",  "theta",
                                        "level",   "steps",    "dt",   "integrator"};
    check_values(e, "", knob->values);
    const size_t at = enter(e, ".name");
    for (size_t f = 0; f < sizeof fixed / sizeof *fixed; f++)
        if (!strcmp(knob->name, fixed[f]))
            wrong(e, "'%s' says what is computed, not how: it is no knob", knob->name);
    check_kind(e, knob->on, "knob");
    leave(e, at);
}

static void check_variant(struct exam *e, const struct orr_paper_variant *variant)
{
    size_t at;
    for (unsigned k = 0; k < e->paper->experiments_count; k++)
        if (!strcmp(e->paper->experiments[k].name, variant->name))
            wrong(e, "'%s' names a variant and an experiment", variant->name);
    for (unsigned k = 0; k < variant->in_count; k++) {
        at = enter(e, ".in[%u]", k);
        if (!orr_paper_experiment(e->paper, variant->in[k]))
            blame(e);
        leave(e, at);
    }
    const size_t knobs = enter(e, ".knobs");
    check_distinct(e, variant->knobs, variant->knobs_count, sizeof *variant->knobs);
    for (unsigned k = 0; k < variant->knobs_count; k++) {
        at = enter(e, "[%u]", k);
        check_knob(e, &variant->knobs[k]);
        leave(e, at);
    }
    leave(e, knobs);
}

/* Each entry of a list of the paper. */
#define CHECK_EACH(e, list, check)                            \
    for (unsigned k = 0; k < (e)->paper->list##_count; k++) { \
        const size_t at = enter(e, "%s[%u]", #list, k);       \
        check(e, &(e)->paper->list[k]);                       \
        leave(e, at);                                         \
    }

int orr_paper_check(const struct orr_paper *paper, const struct orr_paper_places *places,
                    const char *key)
{
    struct exam exam = {.paper = paper, .places = places}, *e = &exam;
    strcpy(e->path, "paper");
    if (strcmp(paper->key, key) != 0)
        wrong(e, "paper is '%s', but the folder is '%s'", paper->key, key);
    strcpy(e->path, "flops_per_interaction");
    if (!(paper->flops_per_interaction > 0) || isinf(paper->flops_per_interaction))
        wrong(e, "flops_per_interaction must be above 0");
    strcpy(e->path, "variants");
    check_distinct(e, paper->variants, paper->variants_count, sizeof *paper->variants);
    strcpy(e->path, "experiments");
    check_distinct(e, paper->experiments, paper->experiments_count, sizeof *paper->experiments);
    leave(e, 0);
    CHECK_EACH(e, variants, check_variant)
    CHECK_EACH(e, tree_bounds, check_tree_bound)
    CHECK_EACH(e, experiments, check_experiment)
    return *e->message ? orr_paper_places_fail(places, e->wrong_path, "%s", e->message) : 0;
}
