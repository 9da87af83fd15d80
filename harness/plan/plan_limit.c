/* Limits of a preset: cells beyond them are extrapolated from the largest measured one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "plan/plan_parts.h"
#include "text.h"

/* The largest n at which this cell's variant is measured on its device. */
static double limit_of(const struct orr_planner *planner, const struct orr_preset *preset,
                       const struct orr_cell *cell)
{
    double least = INFINITY;
    for (unsigned k = 0; preset && k < preset->limits_count; k++) {
        const struct orr_limit *limit = &preset->limits[k];
        if (orr_text_matches(limit->variant, strchr(cell->variant, '/') + 1) &&
            (!limit->on || orr_plan_device_is(planner, cell->device, limit->on)))
            least = fmin(least, limit->n);
    }
    return least;
}

/* Settings come in the order of the axes in both. */
static bool same_settings(const struct orr_cell *a, const struct orr_cell *b)
{
    if (a->setting_count != b->setting_count)
        return false;
    for (int k = 0; k < a->setting_count; k++)
        if (strcmp(a->settings[k].name, b->settings[k].name) != 0 ||
            strcmp(a->settings[k].value, b->settings[k].value) != 0)
            return false;
    return true;
}

/* Whether the time depends on where the bodies are: near boxes and trees. That of a direct sum
 * depends on n alone. */
static bool depends_on_places(const struct orr_cell *cell)
{
    for (int k = 0; k < cell->setting_count; k++)
        if (!strcmp(cell->settings[k].name, "level"))
            return true;
    return orr_cell_theta(cell) > 0;
}

static bool same_work(const struct orr_cell *a, const struct orr_cell *b)
{
    return !strcmp(a->variant, b->variant) && a->ranks == b->ranks &&
           !strcmp(a->device, b->device) && same_settings(a, b) &&
           (!depends_on_places(a) || !strcmp(a->dataset, b->dataset));
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

static int by_source(const void *a, const void *b)
{
    const struct orr_cell *left = *(const struct orr_cell *const *)a,
                          *right = *(const struct orr_cell *const *)b;
    int derived = !!left->extrapolate_from[0] - !!right->extrapolate_from[0];
    return derived ? derived : (left > right) - (left < right);
}

/* Moves extrapolated cells behind all measured ones; stable. */
static void move_derived(struct orr_cell *cells, size_t count)
{
    const struct orr_cell **order = orr_memory_get(count * sizeof *order);
    struct orr_cell *sorted = orr_memory_get(count * sizeof *sorted);
    for (size_t k = 0; k < count; k++)
        order[k] = &cells[k];
    qsort(order, count, sizeof *order, by_source);
    for (size_t k = 0; k < count; k++)
        sorted[k] = *order[k];
    memcpy(cells, sorted, count * sizeof *cells);
    free(order);
    free(sorted);
}

void orr_plan_limit(struct orr_planner *planner, const struct orr_pick *pick, size_t first)
{
    const struct orr_preset *preset = orr_plan_preset(planner, pick->experiment);
    struct orr_cell *cells = planner->cells + first;
    size_t count = planner->count - first;
    for (size_t k = 0; k < count; k++) {
        double limit = limit_of(planner, preset, &cells[k]);
        const struct orr_cell *source =
            (double)cells[k].n > limit ? find_source(cells, count, &cells[k], limit) : NULL;
        if (source) /* without a source the cell is measured */
            strcpy(cells[k].extrapolate_from, source->id);
    }
    if (count)
        move_derived(cells, count);
}
