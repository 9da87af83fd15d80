/* SPDX-License-Identifier: MIT */
/* From one experiment to its cells: axes, data sets, parameters, devices. */
#include <fnmatch.h>
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

/* NULL: there is none. */
static const char *const *values_on(const struct orr_axis_list *axes, const char *name)
{
    for (int k = 0; k < axes->count; k++)
        if (!strcmp(axes->items[k].name, name))
            return (const char *const *)axes->items[k].values;
    return NULL;
}

/* A tree code's opening angle is always set: the work of a cell depends on it. */
static int choose_theta(struct orr_axis_list *out, const struct orr_axis_list *axes,
                        const struct orr_inspection *metadata)
{
    if (!(!metadata->refused && metadata->variant.capabilities & ORR_TREE_CODE) ||
        values_on(axes, "theta"))
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
    if (planner->count == ORR_PLAN_MAX_CELLS)
        return orr_fail(ORR_EUSAGE, "more than %d cells; narrow the axes with --set or --only",
                        ORR_PLAN_MAX_CELLS);
    if (planner->count == planner->room) {
        planner->room = planner->room ? 2 * planner->room : 64;
        planner->cells = orr_memory_more(planner->cells, planner->room * sizeof *planner->cells);
    }
    planner->cells[planner->count++] = *cell;
    return 0;
}

/* Where precision or time decide, the number of samples does not. */
static void apply_sampling(struct orr_policy *policy, const struct orr_sampling *asked)
{
    if (asked->min_samples > 0) {
        policy->min_samples = policy->long_samples = (int)asked->min_samples;
        policy->insists = true;
    }
    if (asked->precision > 0)
        policy->precision = asked->precision;
    if (asked->time_limit_s > 0)
        policy->time_limit_s = asked->time_limit_s;
    if (asked->precision > 0 || asked->time_limit_s > 0)
        policy->max_samples = ORR_MAX_SAMPLES;
    if (policy->max_samples < policy->min_samples)
        policy->max_samples = policy->min_samples;
}

/* All cells of one experiment and variant begin as this one. */
static struct orr_cell make_cell(const struct orr_planner *planner, const struct orr_pick *pick)
{
    const struct orr_preset *preset = pick->preset;
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
    apply_sampling(&cell.policy, &planner->request->sampling);
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

/* A variant that cannot share a step among ranks is refused there. */
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
    const struct orr_inspection *metadata = pick->metadata;
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
    char label[512];
    int code = check_dimensions(metadata, input->dataset);
    if (!code)
        code = choose_values(&choices, basis->axes, metadata, input);
    for (uint64_t k = 0; !code && combine(&choices, k, &cell); k++)
        for (int d = 0; !code && d < device_count; d++) {
            snprintf(cell.device, sizeof cell.device, "%s", devices[d]);
            if (!orr_cell_is_wanted(&planner->request->globs, cell.experiment, cell.variant,
                                    cell.dataset, cell.device,
                                    orr_cell_label(label, sizeof label, &cell)))
                planner->filtered++;
            else if (!(code = orr_dataset_check(input->dataset, input->n, input->level)) &&
                     !(code = find_bound(&cell, pick, metadata)))
                code = add_cell(planner, &cell, basis->first);
        }
    orr_axis_list_release(&choices);
    return code;
}

static bool sets_ranks(const struct orr_planner *planner)
{
    bool found = false;
    for (int k = 0; k < planner->request->set.count; k++)
        found |= orr_names_has(planner->sets[k].axes.items, "ranks");
    return found;
}

/* The axes of the input, the first the slowest; SIZE is per_box, per_rank or n. */
enum { DATASET, RANKS, LEVEL, SIZE, SEED, INPUTS };

/* Combination `index` of their values, NULL of an axis that there is not; false behind the last. */
static bool pick_input(const char *out[INPUTS], const char *const *const axes[INPUTS], size_t index)
{
    for (int k = INPUTS - 1; k >= 0; k--) {
        size_t count = axes[k] ? orr_names_count((char *const *)axes[k]) : 1;
        out[k] = axes[k] ? axes[k][index % count] : NULL;
        index /= count;
    }
    return !index;
}

/* The level and number of bodies are the data set's where there is no axis. */
static int read_bodies(struct input *out, const char *const words[INPUTS], const char *size)
{
    const bool has_level = out->dataset->boxed && words[LEVEL];
    uint64_t level = 0, given = 0;
    if (has_level && orr_axis_count(&level, "level", words[LEVEL]))
        return orr_error_code();
    out->level = !has_level ? -1 : level > INT_MAX ? INT_MAX : (int)level;
    if (orr_dataset_level(out->dataset, &out->level))
        return orr_error_code();
    out->n = orr_dataset_default_n(out->dataset, out->level);
    if (!words[SIZE])
        return 0;
    if (orr_axis_count(&given, size, words[SIZE]))
        return orr_error_code();
    out->n = (size_t)given * (strcmp(size, "per_rank") ? 1 : (size_t)out->ranks);
    return strcmp(size, "per_box") ? 0 : orr_dataset_fill(out->dataset, given, out->level, &out->n);
}

/* Ranks are those of the axis up to what --ranks says, which is 1 without; as they are where --set
 * says it. Without an axis all run on that many. `again`: only the level is another one. */
static int expand_input(struct orr_planner *planner, const struct basis *basis,
                        const char *const words[INPUTS], const char *size, bool again)
{
    struct input input = {.dataset = orr_dataset_find(words[DATASET])};
    uint64_t most = planner->request->ranks > 1 ? (uint64_t)planner->request->ranks : 1,
             ranks = most;
    if (!input.dataset || (words[RANKS] && orr_axis_count(&ranks, "ranks", words[RANKS])))
        return orr_error_code();
    if (ranks < 1 || ranks > ORR_MAX_RANKS)
        return orr_fail(ORR_EUSAGE, "ranks are 1 to %d, not %llu", ORR_MAX_RANKS,
                        (unsigned long long)ranks);
    if ((ranks > most && !sets_ranks(planner)) || (again && !input.dataset->boxed))
        return 0;
    input.ranks = (int)ranks;
    int code = read_bodies(&input, words, size);
    if (!code)
        code = orr_axis_count(&input.seed, "seed", words[SEED] ? words[SEED] : "1");
    for (size_t k = 0; !code && k < basis->count; k++)
        code = expand_variant(planner, basis, &basis->picks[k], &input);
    return code;
}

/* Every data set x number of ranks x level of its boxes x size x seed. */
static int expand_row(struct orr_planner *planner, const struct basis *basis, size_t row)
{
    static const char *const sizes[] = {"per_box", "per_rank", "n"};
    struct orr_axis_list axes = {0};
    const struct basis of_row = {basis->picks, basis->count, &axes, basis->first};
    const char *words[INPUTS], *size = NULL;
    int code = orr_axis_merge(&axes, planner, basis->picks, row);
    const char *const *all[INPUTS] = {[DATASET] = values_on(&axes, "dataset"),
                                      [RANKS] = values_on(&axes, "ranks"),
                                      [LEVEL] = values_on(&axes, "level"),
                                      [SEED] = values_on(&axes, "seed")};
    for (size_t k = 0; !all[SIZE] && k < sizeof sizes / sizeof *sizes; k++)
        all[SIZE] = values_on(&axes, size = sizes[k]);
    for (size_t k = 0; all[DATASET] && !code && pick_input(words, all, k); k++)
        code =
            expand_input(planner, &of_row, words, size, all[LEVEL] && words[LEVEL] != *all[LEVEL]);
    orr_axis_list_release(&axes);
    return code;
}

/* --- limits of a preset: cells beyond them are extrapolated from the largest measured one --- */

/* Is the device of kind "cpu" or "gpu"? */
static bool is_on(const struct orr_planner *planner, const char *device, const char *kind)
{
    const struct orr_device_info *info =
        orr_device_called(planner->devices, planner->device_count, device);
    const enum orr_device_kind is = info ? info->kind : ORR_DEVICE_HOST;
    return strcmp(kind, "gpu") ? is == ORR_DEVICE_HOST || is == ORR_DEVICE_CPU
                               : is == ORR_DEVICE_GPU;
}

/* The largest n at which this cell's variant is measured on its device. */
static double limit_of(const struct orr_planner *planner, const struct orr_preset *preset,
                       const struct orr_cell *cell)
{
    double least = INFINITY;
    for (unsigned k = 0; preset && k < preset->limits_count; k++) {
        const struct orr_limit *limit = &preset->limits[k];
        if (!fnmatch(limit->variant, strchr(cell->variant, '/') + 1, 0) &&
            (!limit->on || is_on(planner, cell->device, limit->on)))
            least = fmin(least, limit->n);
    }
    return least;
}

/* The time of boxes and trees depends on where the bodies are; that of a direct sum on n alone. */
static bool depends_on_positions(const struct orr_cell *cell)
{
    for (int k = 0; k < cell->setting_count; k++)
        if (!strcmp(cell->settings[k].name, "level"))
            return true;
    return orr_cell_theta(cell) > 0;
}

/* Settings come in the order of the axes in both. */
static bool same_work(const struct orr_cell *a, const struct orr_cell *b)
{
    bool same = !strcmp(a->variant, b->variant) && a->ranks == b->ranks &&
                !strcmp(a->device, b->device) && a->setting_count == b->setting_count &&
                (!depends_on_positions(a) || !strcmp(a->dataset, b->dataset));
    for (int k = 0; same && k < a->setting_count; k++)
        same = !strcmp(a->settings[k].name, b->settings[k].name) &&
               !strcmp(a->settings[k].value, b->settings[k].value);
    return same;
}

/* The same work at the largest n within the limit. */
static const struct orr_cell *find_source(const struct orr_cell *cells, size_t count,
                                          const struct orr_cell *cell, double limit)
{
    const struct orr_cell *best = NULL;
    for (size_t k = 0; k < count; k++)
        if ((double)cells[k].n <= limit && (!best || cells[k].n > best->n) &&
            same_work(&cells[k], cell))
            best = &cells[k];
    return best;
}

/* Moves extrapolated cells behind all measured ones; stable. */
static void move_derived(struct orr_cell *cells, size_t count)
{
    struct orr_cell *sorted = orr_memory_get(count * sizeof *sorted), *next = sorted;
    for (int derived = 0; derived < 2; derived++)
        for (size_t k = 0; k < count; k++)
            if (!*cells[k].extrapolate_from == !derived)
                *next++ = cells[k];
    memcpy(cells, sorted, count * sizeof *cells);
    free(sorted);
}

/* Marks cells from `first` on that exceed a limit of the preset and moves them to the end. */
static void extrapolate(struct orr_planner *planner, const struct orr_pick *pick, size_t first)
{
    struct orr_cell *cells = planner->cells + first;
    size_t count = planner->count - first;
    for (size_t k = 0; k < count; k++) {
        double limit = limit_of(planner, pick->preset, &cells[k]);
        const struct orr_cell *source =
            (double)cells[k].n > limit ? find_source(cells, count, &cells[k], limit) : NULL;
        if (source) /* without a source the cell is measured */
            strcpy(cells[k].extrapolate_from, source->id);
    }
    if (count)
        move_derived(cells, count);
}

/* --- all of it --- */

int orr_plan_expand(struct orr_planner *planner, const struct orr_pick *picks, size_t count)
{
    const struct basis basis = {picks, count, NULL, planner->count};
    int code = orr_axis_check_paper(picks, count);
    if (code)
        return code;
    for (size_t row = 0; !code && row < planner->rows; row++)
        code = expand_row(planner, &basis, row);
    if (code)
        return orr_error_context("%s/%s", picks->paper->key, picks->experiment->name);
    extrapolate(planner, picks, basis.first);
    return 0;
}
