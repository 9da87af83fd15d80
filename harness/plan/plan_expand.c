/* From one experiment to its cells: axes, data sets, parameters, devices. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/dataset.h"
#include "error.h"
#include "memory.h"
#include "plan/cell.h"
#include "plugin/params.h"
#include "plan/plan_parts.h"
#include "text.h"

enum { MOST_CELLS = 20000 };

/* One input: all cells of a group share it, and so the reference that verifies them. */
struct input {
    const struct orr_dataset *dataset;
    int level; /* of its boxes; -1: it has none */
    size_t n;
    uint64_t seed;
    int ranks; /* that share it */
};

/* An experiment being expanded. */
struct basis {
    const struct orr_pick *picks;
    size_t count;
    const struct orr_axis_list *axes;
    size_t first; /* where its cells begin */
};

/* The axes with combination `index` of the rows of all --set. */
static int merge_axes(struct orr_axis_list *out, const struct orr_planner *planner,
                      const struct orr_experiment *experiment, size_t index)
{
    const struct orr_preset *preset = orr_plan_preset(planner, experiment);
    int code = 0;
    for (unsigned k = 0; !code && k < experiment->axes_count; k++)
        code = orr_axis_list_put(out, experiment->axes[k].name, experiment->axes[k].values);
    for (unsigned k = 0; !code && preset && k < preset->axes_count; k++)
        code = orr_axis_list_put(out, preset->axes[k].name, preset->axes[k].values);
    for (int k = 0; !code && k < planner->request->set.count; k++) {
        size_t rows = orr_axis_set_rows(&planner->sets[k]);
        code = orr_axis_list_put_set(out, &planner->sets[k], index % rows);
        index /= rows;
    }
    return code;
}

static int count_rows(size_t *out, const struct orr_planner *planner)
{
    *out = 1;
    for (int k = 0; k < planner->request->set.count; k++) {
        *out *= orr_axis_set_rows(&planner->sets[k]);
        if (*out > MOST_CELLS)
            return orr_fail(ORR_EUSAGE, "--set makes more than %d combinations", MOST_CELLS);
    }
    return 0;
}

static int read_count(uint64_t *out, const char *name, const char *text)
{
    double value;
    if (!orr_text_number(text, &value) || value < 0 || value != floor(value) || value > 9e15)
        return orr_fail(ORR_EUSAGE, "%s must be a whole number, not '%s'", name, text);
    *out = (uint64_t)value;
    return 0;
}

/* Adds `values` of one parameter in their normal spelling. */
static int add_choice(struct orr_axis_list *out, const struct orr_inspection *metadata,
                      const char *name, char *const *values)
{
    struct orr_names kept = {0};
    char value[64];
    int code = 0;
    for (; !code && *values; values++) {
        snprintf(value, sizeof value, "%s", *values);
        if (!metadata->refused)
            code = orr_params_normal(&metadata->variant, name, *values, value, sizeof value);
        orr_names_add(&kept, "%s", value);
    }
    strcpy(out->items[out->count].name, name);
    out->items[out->count++].values = kept.items;
    return code;
}

/* A variant with a parameter `level` takes the data set's, whatever its default; an unusable one is
 * assumed to have it. */
static int choose_level(struct orr_axis_list *out, const struct orr_inspection *metadata,
                        const struct input *input)
{
    char level[16], *values[] = {level, NULL};
    snprintf(level, sizeof level, "%d", input->level);
    if (metadata->refused || orr_params_find(&metadata->variant, "level"))
        return add_choice(out, metadata, "level", values);
    if (input->level != input->dataset->default_level)
        return orr_fail(ORR_EUSAGE, "%s has no parameter 'level', so it takes %s at level %d only",
                        metadata->name, input->dataset->name, input->dataset->default_level);
    return 0;
}

/* A tree code's opening angle is always set: the work of a cell depends on it. */
static int choose_theta(struct orr_axis_list *out, const struct orr_axis_list *axes,
                        const struct orr_inspection *metadata)
{
    if (!(!metadata->refused && metadata->variant.capabilities & ORR_TREE_CODE) ||
        orr_axis_list_get(axes, "theta"))
        return 0;
    char theta[64], *values[] = {theta, NULL};
    snprintf(theta, sizeof theta, "%.17g", orr_params_find(&metadata->variant, "theta")->fallback);
    return add_choice(out, metadata, "theta", values);
}

/* Every axis that the variant has a parameter for. */
static int choose_values(struct orr_axis_list *out, const struct orr_axis_list *axes,
                         const struct orr_inspection *metadata, const struct input *input)
{
    bool boxed = input->level >= 0;
    int code = boxed ? choose_level(out, metadata, input) : 0;
    if (!code)
        code = choose_theta(out, axes, metadata);
    for (int a = 0; !code && a < axes->count; a++) {
        const char *name = axes->items[a].name;
        if (orr_params_find(&metadata->variant, name) && !(boxed && !strcmp(name, "level")))
            code = add_choice(out, metadata, name, axes->items[a].values);
    }
    return code;
}

/* Applies combination number `index` of all values; false past the last. */
static bool combine(const struct orr_axis_list *choices, uint64_t index, struct orr_cell *cell)
{
    cell->setting_count = choices->count;
    for (int k = choices->count - 1; k >= 0; k--) {
        uint64_t count = orr_names_count(choices->items[k].values);
        strcpy(cell->settings[k].name, choices->items[k].name);
        strcpy(cell->settings[k].value, choices->items[k].values[index % count]);
        index /= count;
    }
    return index == 0;
}

/* Skips a cell equal to one from `first` on, where the experiment begins: variants without a
 * parameter get the same cell for each of its values. */
static int add_cell(struct orr_planner *planner, struct orr_cell *cell, size_t first)
{
    orr_cell_identify(cell);
    for (size_t k = first; k < planner->count; k++)
        if (!strcmp(planner->cells[k].id, cell->id))
            return 0;
    if (planner->count == MOST_CELLS)
        return orr_fail(ORR_EUSAGE, "more than %d cells; narrow the axes with --set or --only",
                        MOST_CELLS);
    if (planner->count == planner->room) {
        planner->room = planner->room ? 2 * planner->room : 64;
        planner->cells = orr_memory_more(planner->cells, planner->room * sizeof *planner->cells);
    }
    planner->cells[planner->count++] = *cell;
    return 0;
}

/* What all cells of one experiment and variant have in common. */
static struct orr_cell make_cell(const struct orr_planner *planner, const struct orr_pick *pick)
{
    const struct orr_preset *preset = orr_plan_preset(planner, pick->experiment);
    struct orr_cell cell = {.policy = planner->preset->policy,
                            .targets = pick->experiment->targets,
                            .keep_bodies = pick->experiment->keep_bodies,
                            .counts = pick->experiment->counts,
                            .trajectory = pick->experiment->trajectory,
                            .error_curve = pick->experiment->error_curve,
                            .energy = pick->experiment->energy,
                            .oversubscribe = planner->request->oversubscribe,
                            .once = planner->request->sampling.once};
    if (planner->request->energy)
        cell.policy.joules = planner->request->energy > 0;
    const char *counters = planner->request->counters;
    snprintf(cell.counters, sizeof cell.counters, "%s",
             counters ? counters : planner->preset->counters);
    snprintf(cell.experiment, sizeof cell.experiment, "%.31s/%.31s", pick->paper->key,
             pick->experiment->name);
    snprintf(cell.variant, sizeof cell.variant, "%.31s/%.31s", pick->paper->key,
             pick->variant->name);
    cell.timeout_s = planner->request->timeout_s > 0   ? planner->request->timeout_s
                     : preset && preset->timeout_s > 0 ? preset->timeout_s
                                                       : planner->preset->timeout_s;
    if (preset && preset->time_limit_s > 0)
        cell.policy.time_limit_s = preset->time_limit_s;
    if (preset && preset->long_samples > 0)
        cell.policy.long_samples = (int)preset->long_samples;
    orr_request_sampling_apply(&cell.policy, &planner->request->sampling);
    return cell;
}

static int check_dimensions(const struct orr_inspection *metadata,
                            const struct orr_dataset *dataset)
{
    if (!metadata->refused && metadata->variant.dimensions != dataset->dimensions)
        return orr_fail(ORR_EUSAGE, "%s takes bodies in %d dimensions, but the data set %s has %d",
                        metadata->name, metadata->variant.dimensions, dataset->name,
                        dataset->dimensions);
    return 0;
}

/* A variant that cannot be loaded is bound as exact sums are; its cells fail. */
static int find_bound(struct orr_cell *cell, const struct orr_pick *pick,
                      const struct orr_inspection *metadata)
{
    const struct orr_bound_at at = {.variant = metadata->name,
                                    .tree = !metadata->refused &&
                                            metadata->variant.capabilities & ORR_TREE_CODE,
                                    .settings = cell->settings,
                                    .setting_count = cell->setting_count,
                                    .theta = orr_cell_theta(cell),
                                    .n = (double)cell->n};
    return orr_bound_of_cell(&cell->bound, pick->paper, pick->experiment, &at);
}

/* Of several ranks, only what can run on them. */
static void refuse_ranks(struct orr_cell *cell, const struct orr_inspection *metadata)
{
    if (cell->ranks < 2 || metadata->refused || metadata->variant.capabilities & ORR_RUNS_RANKS)
        return;
    cell->refused = ORR_EUNSUPPORTED;
    snprintf(cell->refusal, sizeof cell->refusal,
             "%s runs on one device only; `orrery describe %s` says what a variant can",
             metadata->name, metadata->name);
}

static int expand_variant(struct orr_planner *planner, const struct basis *basis,
                          const struct orr_pick *pick, const struct input *input)
{
    const struct orr_inspection *metadata =
        orr_plan_variant_metadata(planner, pick->paper->key, pick->variant->name);
    const char *devices[ORR_PLAN_MAX_DEVICES];
    int device_count = orr_plan_choose_devices(planner, metadata, pick->variant_named, devices);
    struct orr_cell cell = make_cell(planner, pick);
    snprintf(cell.dataset, sizeof cell.dataset, "%s", input->dataset->name);
    cell.n = input->n;
    cell.seed = input->seed;
    cell.ranks = input->ranks;
    cell.refused = metadata->refused;
    snprintf(cell.refusal, sizeof cell.refusal, "%s", metadata->why);
    refuse_ranks(&cell, metadata);
    struct orr_axis_list choices = {0};
    int code = check_dimensions(metadata, input->dataset);
    if (!code)
        code = choose_values(&choices, basis->axes, metadata, input);
    for (uint64_t k = 0; !code && combine(&choices, k, &cell); k++)
        for (int d = 0; !code && d < device_count; d++) {
            snprintf(cell.device, sizeof cell.device, "%s", devices[d]);
            if (!orr_cell_is_wanted(&planner->request->globs, cell.experiment, cell.variant,
                                    cell.dataset, cell.device))
                planner->filtered++;
            else if (!(code = orr_dataset_check(input->dataset, input->n, input->level)) &&
                     !(code = find_bound(&cell, pick, metadata)))
                code = add_cell(planner, &cell, basis->first);
        }
    orr_axis_list_release(&choices);
    return code;
}

static int expand_seeds(struct orr_planner *planner, const struct basis *basis, struct input *input)
{
    static const char *const first_seed[] = {"1", NULL};
    const char *const *seeds = orr_axis_list_get(basis->axes, "seed");
    int code = 0;
    for (const char *const *seed = seeds ? seeds : first_seed; !code && *seed; seed++) {
        code = read_count(&input->seed, "seed", *seed);
        for (size_t k = 0; !code && k < basis->count; k++)
            code = expand_variant(planner, basis, &basis->picks[k], input);
    }
    return code;
}

/* The sizes of one data set at one level, from the axis per_box, per_rank or n, else its
 * default. */
static int expand_sizes(struct orr_planner *planner, const struct basis *basis, struct input *input)
{
    static const char *const names[] = {"per_box", "per_rank", "n"};
    const char *const *size = NULL, *name = NULL;
    for (size_t k = 0; !size && k < sizeof names / sizeof *names; k++)
        size = orr_axis_list_get(basis->axes, name = names[k]);
    input->n = orr_dataset_default_n(input->dataset, input->level);
    if (!size)
        return expand_seeds(planner, basis, input);
    int code = 0;
    for (; !code && *size; size++) {
        uint64_t given = 0;
        code = read_count(&given, name, *size);
        input->n = (size_t)given * (strcmp(name, "per_rank") ? 1 : (size_t)input->ranks);
        if (!code && !strcmp(name, "per_box"))
            code = orr_dataset_fill(input->dataset, given, input->level, &input->n);
        if (!code)
            code = expand_seeds(planner, basis, input);
    }
    return code;
}

/* The default level, or every level of the axis. */
static int expand_levels(struct orr_planner *planner, const struct basis *basis,
                         struct input *input)
{
    const char *const *level =
        input->dataset->boxed ? orr_axis_list_get(basis->axes, "level") : NULL;
    int code = 0;
    do {
        uint64_t value = 0;
        if (level)
            code = read_count(&value, "level", *level);
        input->level = !level ? -1 : value > INT_MAX ? INT_MAX : (int)value;
        if (!code)
            code = orr_dataset_level(input->dataset, &input->level);
        if (!code)
            code = expand_sizes(planner, basis, input);
    } while (!code && level && *++level);
    return code;
}

static bool sets_ranks(const struct orr_planner *planner)
{
    bool found = false;
    for (int k = 0; k < planner->request->set.count; k++)
        for (int a = 0; a < planner->sets[k].width; a++)
            found |= !strcmp(planner->sets[k].names[a], "ranks");
    return found;
}

/* The axis `ranks` up to what --ranks says, which is 1 without; as it is where --set says it.
 * Without an axis all run on that many. */
static int expand_ranks(struct orr_planner *planner, const struct basis *basis, struct input *input)
{
    const struct orr_request *request = planner->request;
    const char *const *ranks = orr_axis_list_get(basis->axes, "ranks");
    uint64_t most = request->ranks > 1 ? (uint64_t)request->ranks : 1, value = most;
    int code = 0;
    do {
        if (ranks)
            code = read_count(&value, "ranks", *ranks);
        if (!code && (value < 1 || value > ORR_MAX_RANKS))
            code = orr_fail(ORR_EUSAGE, "ranks are 1 to %d, not %llu", ORR_MAX_RANKS,
                            (unsigned long long)value);
        input->ranks = (int)value;
        if (!code && (value <= most || sets_ranks(planner)))
            code = expand_levels(planner, basis, input);
    } while (!code && ranks && *++ranks);
    return code;
}

/* Every data set x number of ranks x level of its boxes x size x seed. */
static int expand_row(struct orr_planner *planner, const struct basis *basis, size_t row)
{
    struct orr_axis_list axes = {0};
    const struct basis of_row = {basis->picks, basis->count, &axes, basis->first};
    int code = merge_axes(&axes, planner, basis->picks->experiment, row);
    const char *const *set = code ? NULL : orr_axis_list_get(&axes, "dataset");
    for (; set && !code && *set; set++) {
        struct input input = {.dataset = orr_dataset_find(*set)};
        code = input.dataset ? expand_ranks(planner, &of_row, &input) : orr_error_code();
    }
    orr_axis_list_release(&axes);
    return code;
}

int orr_plan_expand(struct orr_planner *planner, const struct orr_pick *picks, size_t count)
{
    const struct basis basis = {picks, count, NULL, planner->count};
    size_t rows = 0;
    int code = orr_axis_check_paper(planner, picks, count);
    if (code)
        return code;
    code = count_rows(&rows, planner);
    for (size_t row = 0; !code && row < rows; row++)
        code = expand_row(planner, &basis, row);
    if (code)
        orr_error_context("%s/%s", picks->paper->key, picks->experiment->name);
    else
        orr_plan_limit(planner, picks, basis.first);
    return code;
}
