/* Parts of a plan. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "memory.h"
#include "plan/plan.h"
#include "text.h"

enum { MOST_SHARDS = 20000 };

int orr_shard_read(struct orr_shard *out, const char *text)
{
    int end = 0;
    *out = (struct orr_shard){0};
    if (strspn(text, "0123456789/") == strlen(text) &&
        sscanf(text, "%5d/%5d%n", &out->number, &out->of, &end) == 2 && !text[end] &&
        out->number >= 1 && out->number <= out->of && out->of <= MOST_SHARDS)
        return 0;
    *out = (struct orr_shard){0};
    return orr_fail(ORR_EUSAGE,
                    "--shard takes I/N, part I of N with 1 <= I <= N <= %d, as in 2/4, not '%s'",
                    MOST_SHARDS, text);
}

/* A cell to measure, and where it goes. */
struct unit {
    const struct orr_cell *cell;
    uint64_t cost;
    char dealt[65]; /* its place among those of the same cost */
    int shard;
};

/* Milliseconds up to the next power of two: the last digits of two machines may differ. */
static uint64_t cost_of(double seconds)
{
    uint64_t cost = 1;
    while ((double)cost < seconds * 1e3 && cost < UINT64_C(1) << 40)
        cost *= 2;
    return cost;
}

static int by_cost(const void *a, const void *b)
{
    const struct unit *left = a, *right = b;
    if (left->cost != right->cost)
        return left->cost < right->cost ? 1 : -1;
    int dealt = strcmp(left->dealt, right->dealt);
    return dealt ? dealt : strcmp(left->cell->id, right->cell->id);
}

static struct unit *list_units(size_t *count, const struct orr_plan *plan,
                               double (*seconds)(const struct orr_cell *))
{
    struct unit *units = orr_memory_get(plan->count * sizeof *units);
    *count = 0;
    for (size_t k = 0; k < plan->count; k++) {
        const struct orr_cell *cell = &plan->cells[k];
        if (*cell->extrapolate_from)
            continue;
        struct unit *unit = &units[(*count)++];
        *unit = (struct unit){.cell = cell, .cost = cost_of(seconds(cell))};
        orr_text_sha256(cell->id, strlen(cell->id), unit->dealt);
    }
    return units;
}

/* The dearest first, each to the shard with the least so far. */
static void deal(struct unit *units, size_t count, int shards)
{
    uint64_t *sums = orr_memory_get((size_t)shards * sizeof *sums);
    qsort(units, count, sizeof *units, by_cost);
    for (size_t k = 0; k < count; k++) {
        int least = 0;
        for (int s = 1; s < shards; s++)
            if (sums[s] < sums[least])
                least = s;
        units[k].shard = least + 1;
        sums[least] += units[k].cost;
    }
    free(sums);
}

static int by_id(const void *a, const void *b)
{
    const struct unit *left = a, *right = b;
    return strcmp(left->cell->id, right->cell->id);
}

/* Is the cell, or the one that it is extrapolated from, in the shard? Units are in order of ids. */
static bool belongs(const struct orr_cell *cell, const struct unit *units, size_t count, int shard)
{
    struct orr_cell source;
    strcpy(source.id, *cell->extrapolate_from ? cell->extrapolate_from : cell->id);
    const struct unit key = {.cell = &source},
                      *found = bsearch(&key, units, count, sizeof key, by_id);
    return found && found->shard == shard;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* The ids of all cells, in alphabetical order, as one hash. */
static void name_plan(struct orr_plan *plan)
{
    enum { ROOM = sizeof plan->cells->id };
    char(*ids)[ROOM] = orr_memory_get(plan->count * ROOM), hex[65];
    for (size_t k = 0; k < plan->count; k++)
        memcpy(ids[k], plan->cells[k].id, ROOM);
    qsort(ids, plan->count, ROOM, by_text);
    orr_text_sha256(ids, plan->count * ROOM, hex);
    snprintf(plan->split.plan, sizeof plan->split.plan, "%.16s", hex);
    plan->split.cells = plan->count;
    free(ids);
}

static int take(struct orr_plan *plan, const struct orr_shard *shard, struct unit *units,
                size_t count)
{
    if (count < (size_t)shard->of)
        return orr_fail(ORR_EUSAGE, "there %s %zu cell%s to measure, too few for %d shards",
                        count == 1 ? "is" : "are", count, count == 1 ? "" : "s", shard->of);
    name_plan(plan);
    deal(units, count, shard->of);
    bool *wanted = orr_memory_get(plan->count * sizeof *wanted);
    qsort(units, count, sizeof *units, by_id);
    for (size_t k = 0; k < plan->count; k++)
        wanted[k] = belongs(&plan->cells[k], units, count, shard->number);
    size_t kept = 0;
    for (size_t k = 0; k < plan->count; k++)
        if (wanted[k])
            plan->cells[kept++] = plan->cells[k];
    plan->count = kept;
    free(wanted);
    return 0;
}

int orr_shard_take(struct orr_plan *plan, const struct orr_shard *shard,
                   double (*seconds)(const struct orr_cell *cell))
{
    size_t count;
    struct unit *units = list_units(&count, plan, seconds);
    int code = take(plan, shard, units, count);
    free(units);
    return code;
}
