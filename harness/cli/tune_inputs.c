/* What `orrery tune` tunes for. */
#include <stdlib.h>
#include <string.h>

#include "cli/tune_parts.h"
#include "error.h"
#include "names.h"

/* --- the experiment --- */

static bool has_axis(const struct orr_experiment *experiment, const char *name)
{
    for (unsigned k = 0; k < experiment->axes_count; k++)
        if (!strcmp(experiment->axes[k].name, name))
            return true;
    return false;
}

static bool is_skipped(const struct orr_experiment *experiment, const char *preset)
{
    for (unsigned k = 0; k < experiment->presets_count; k++)
        if (!strcmp(experiment->presets[k].name, preset))
            return experiment->presets[k].skip;
    return false;
}

static int find_experiment(const struct orr_experiment **out, const struct orr_tune *tune)
{
    const char *word = tune->experiment, *slash = strchr(word, '/');
    size_t length = slash ? (size_t)(slash - word) : 0;
    if (slash && (strlen(tune->paper->key) != length || strncmp(word, tune->paper->key, length)))
        return orr_fail(ORR_EUSAGE, "--experiment %s is of another paper than %s/%s", word,
                        tune->paper->key, tune->variant->name);
    const struct orr_experiment *found =
        orr_paper_experiment(tune->paper, slash ? slash + 1 : word);
    if (!found)
        return orr_error_context("--experiment");
    if (!orr_paper_takes_part(tune->variant, found->name))
        return orr_fail(ORR_EUSAGE,
                        "--experiment: %s does not take part in %s; `orrery describe "
                        "%s/%s` says in which it does",
                        tune->variant->name, found->name, tune->paper->key, tune->variant->name);
    *out = orr_paper_cells(tune->paper, found);
    return 0;
}

int orr_tune_choose_experiment(const struct orr_experiment **out, const struct orr_tune *tune)
{
    const char *preset = tune->run.options.preset ? tune->run.options.preset : "quick";
    *out = NULL;
    if (tune->experiment)
        return find_experiment(out, tune);
    for (unsigned k = 0; k < tune->paper->experiments_count; k++) {
        const struct orr_experiment *e = &tune->paper->experiments[k];
        if (e->cells || !orr_paper_takes_part(tune->variant, e->name) || has_axis(e, "ranks") ||
            is_skipped(e, preset))
            continue;
        if (!*out || (e->telling && !(*out)->telling))
            *out = e;
    }
    return *out ? 0
                : orr_fail(ORR_EUSAGE,
                           "%s/%s is in no experiment that preset %s has; --experiment or --preset "
                           "names another",
                           tune->paper->key, tune->variant->name, preset);
}

/* --- the inputs --- */

bool orr_tune_sets(const struct orr_tune *tune, const char *name)
{
    const size_t length = strlen(name);
    for (int k = 0; k < tune->run.options.set.count; k++) {
        const char *at = tune->run.options.set.items[k], *end = at + strcspn(at, "=");
        for (size_t own; at < end; at += own + 1) { /* "n,theta=1000:0.5" */
            own = strcspn(at, ",=");
            if (own == length && !strncmp(at, name, length))
                return true;
        }
    }
    return false;
}

/* Have both the values that no --set names in common, but for the size? */
static bool is_alike(const struct orr_tune *tune, const struct orr_cell *a,
                     const struct orr_cell *b)
{
    if ((!orr_tune_sets(tune, "dataset") && strcmp(a->dataset, b->dataset) != 0) ||
        (!orr_tune_sets(tune, "seed") && a->seed != b->seed) ||
        a->setting_count != b->setting_count)
        return false;
    for (int k = 0; k < a->setting_count; k++) {
        const char *name = a->settings[k].name;
        if (!orr_tune_sets(tune, name) && !orr_tune_is_knob(tune, name) &&
            strcmp(a->settings[k].value, b->settings[k].value) != 0)
            return false;
    }
    return true;
}

/* The same work, whatever its knobs. */
static bool is_same(const struct orr_tune *tune, const struct orr_cell *a, const struct orr_cell *b)
{
    if (strcmp(a->device, b->device) != 0 || strcmp(a->dataset, b->dataset) != 0 || a->n != b->n ||
        a->seed != b->seed)
        return false;
    for (int k = 0; k < a->setting_count; k++)
        if (!orr_tune_is_knob(tune, a->settings[k].name) &&
            strcmp(a->settings[k].value, b->settings[k].value) != 0)
            return false;
    return true;
}

static bool sets_size(const struct orr_tune *tune)
{
    return orr_tune_sets(tune, "n") || orr_tune_sets(tune, "per_box");
}

/* The first cell of the plan with the cell's device and, of sizes that nobody set, the largest. */
static bool is_input(const struct orr_tune *tune, const struct orr_cell *cells, size_t count,
                     size_t at)
{
    const struct orr_cell *cell = &cells[at], *first = NULL;
    if (*cell->extrapolate_from || cell->ranks > 1)
        return false;
    for (size_t k = 0; k < count; k++) {
        const struct orr_cell *other = &cells[k];
        if (*other->extrapolate_from || strcmp(other->device, cell->device) != 0)
            continue;
        if (!first && !is_alike(tune, cell, first = other))
            return false;
        if (k < at && is_same(tune, other, cell))
            return false;
        if (!sets_size(tune) && other->n > cell->n && is_alike(tune, other, first))
            return false;
    }
    return true;
}

int orr_tune_choose_inputs(struct orr_tune *tune)
{
    struct orr_plan *plan = &tune->run.plan;
    size_t kept = 0;
    struct orr_cell *cells = calloc(plan->count + 1, sizeof *cells);
    if (!cells)
        return orr_fail(ORR_EMEMORY, "no memory for the inputs");
    for (size_t k = 0; k < plan->count; k++)
        if (is_input(tune, plan->cells, plan->count, k))
            cells[kept++] = plan->cells[k];
    free(plan->cells);
    plan->cells = cells;
    plan->count = kept;
    if (!kept)
        return orr_fail(ORR_EUSAGE, "nothing is measured here of what was asked for; --set n=... "
                                    "names a smaller size, --preset another one");
    return cells->refused ? orr_fail(cells->refused, "%s", cells->refusal) : 0;
}
