/* SPDX-License-Identifier: MIT */
#include "plan/plan.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "memory.h"
#include "plan/plan_parts.h"
#include "text.h"

/* Sampling stops at 1 % of the median (docs/METHOD.md); a smoke test only shows that everything
 * works. The limits are of one process: what differs between processes outweighs what more samples
 * in one of them would tell, and a cell is measured in several. */
static const struct orr_preset_policy presets[] = {
    {"smoke", {3, 10, 0.1, 0.05, 1, false, false}, 60, 1, "none"},
    {"quick", {5, 40, 0.01, 0.7, 1, false, false}, 300, 3, "none"},
    {"paper", {8, 80, 0.01, 2, 1, true, false}, 3600, 5, "auto"},
    {"beyond", {8, 80, 0.01, 2, 1, true, false}, 3600, 5, "auto"},
};
enum { PRESET_COUNT = sizeof presets / sizeof *presets };

const struct orr_preset_policy *orr_plan_preset_policy(const char *name)
{
    const struct orr_preset_policy *found = orr_names_among(name, presets);
    if (!found)
        orr_names_fail("there is no preset", name, presets, PRESET_COUNT, sizeof *presets);
    return found;
}

/* An experiment that compares numbers of ranks is run only with --ranks, or by its name. */
static bool is_skipped(const struct orr_planner *planner, const struct orr_pick *pick)
{
    const struct orr_experiment *e = pick->experiment;
    return (pick->preset && pick->preset->skip) ||
           (planner->request->ranks < 1 && !pick->experiment_named &&
            orr_names_find("ranks", e->axes, e->axes_count, sizeof *e->axes));
}

/* One experiment's picks follow each other; an experiment that the preset leaves out is an error
 * only when named. */
static int expand_all(struct orr_planner *planner)
{
    const struct orr_pick *const end = planner->picks + planner->pick_count;
    int code = 0;
    for (const struct orr_pick *pick = planner->picks, *next = pick; !code && pick < end;
         pick = next) {
        bool named = false;
        for (; next < end && next->experiment == pick->experiment; next++)
            named = named || next->experiment_named;
        if (!is_skipped(planner, pick))
            code = orr_plan_expand(planner, pick, (size_t)(next - pick));
        else if (named)
            code =
                orr_fail(ORR_EUSAGE, "the preset %s leaves out %s/%s; choose another with --preset",
                         planner->preset->name, pick->paper->key, pick->experiment->name);
    }
    return code;
}

/* Notes the variants that no device can run, and as `why` that OpenCL has none, or else "". */
static void note_homeless(char *why, size_t size, struct orr_planner *planner)
{
    const char *devices[ORR_PLAN_MAX_DEVICES];
    *why = '\0';
    for (size_t k = 0; k < planner->metadata_count; k++)
        if (!orr_plan_choose_devices(planner, &planner->metadata[k], true, devices)) {
            orr_names_add(&planner->notes,
                          "%s is left out: no device here can run it (`orrery doctor` says more)",
                          planner->metadata[k].name);
            orr_device_no_opencl(why, size, "", planner->devices, planner->device_count);
        }
    if (*why)
        orr_names_add(&planner->notes, "%s", why);
}

/* An empty plan must not look like success. */
static int fail_empty(const struct orr_planner *planner, const char *why)
{
    for (size_t k = 0; k < planner->metadata_count && !*why; k++)
        why = planner->metadata[k].why;
    const char *before = *why ? "; " : "";
    if (planner->filtered)
        return orr_fail(ORR_EUSAGE, "--only and --exclude leave none of %zu cells%s%s",
                        planner->filtered, before, why);
    for (size_t k = 0; k < planner->pick_count; k++)
        if (!is_skipped(planner, &planner->picks[k]))
            return orr_fail(ORR_EUNSUPPORTED,
                            "nothing that was asked for runs on %s; `orrery list devices` shows "
                            "what is here%s%s",
                            planner->request->devices.count ? planner->request->devices.items[0]
                                                            : "the devices of this machine",
                            before, why);
    return orr_fail(
        ORR_EUSAGE,
        "the preset %s leaves out everything that was asked for; choose another with --preset",
        planner->preset->name);
}

static int make(struct orr_planner *planner)
{
    char why[512];
    const char *preset = planner->request->preset;
    planner->preset = orr_plan_preset_policy(preset ? preset : "quick");
    if (!planner->preset)
        return orr_error_code();
    if (orr_plan_select(planner) || orr_axis_read_sets(planner) || expand_all(planner))
        return orr_error_code();
    note_homeless(why, sizeof why, planner);
    return planner->count ? 0 : fail_empty(planner, why);
}

static void release_planner(struct orr_planner *planner)
{
    for (size_t k = 0; k < planner->metadata_count; k++)
        orr_inspect_release(&planner->metadata[k]);
    for (int k = 0; planner->sets && k < planner->request->set.count; k++) {
        orr_names_free(planner->sets[k].axes.items);
        orr_names_free(planner->sets[k].values.items);
    }
    for (size_t k = 0; k < planner->paper_count; k++)
        orr_paper_free(planner->papers[k]);
    free(planner->metadata);
    free(planner->sets);
    free(planner->papers);
    free(planner->picks);
}

int orr_plan_make(struct orr_plan *out, const struct orr_request *request,
                  const struct orr_device_info *devices, int device_count)
{
    struct orr_planner planner = {
        .request = request, .devices = devices, .device_count = device_count};
    memset(out, 0, sizeof *out);
    int code = orr_names_finish(&planner.notes, &out->notes, make(&planner));
    release_planner(&planner);
    if (code) {
        free(planner.cells);
        return code;
    }
    out->cells = planner.cells;
    out->count = planner.count;
    out->rounds = request->repeats ? request->repeats : planner.preset->repeats;
    return 0;
}

void orr_plan_release(struct orr_plan *plan)
{
    free(plan->cells);
    orr_names_free(plan->notes);
    memset(plan, 0, sizeof *plan);
}

/* --- a part of a plan --- */

enum { MOST_SHARDS = 20000 };

int orr_plan_shard_read(struct orr_shard *out, const char *text)
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

/* The dearest first, each to the shard with the least so far. Returns the ids of the shard's. */
static char **deal(struct unit *units, size_t count, const struct orr_shard *shard)
{
    uint64_t *sums = orr_memory_get((size_t)shard->of * sizeof *sums);
    struct orr_names ids = {0};
    char **sorted;
    qsort(units, count, sizeof *units, by_cost);
    for (size_t k = 0; k < count; k++) {
        int least = 0;
        for (int s = 1; s < shard->of; s++)
            if (sums[s] < sums[least])
                least = s;
        if (least + 1 == shard->number)
            orr_names_add(&ids, "%s", units[k].cell->id);
        sums[least] += units[k].cost;
    }
    free(sums);
    orr_names_finish(&ids, &sorted, 0);
    return sorted;
}

/* The ids of all cells, in alphabetical order, as one hash, with the name of the campaign. */
static void name_plan(struct orr_plan *plan, const char *campaign)
{
    struct orr_names names = {0};
    struct orr_digest digest;
    char **ids, hex[65];
    for (size_t k = 0; k < plan->count; k++)
        orr_names_add(&names, "%s", plan->cells[k].id);
    orr_names_finish(&names, &ids, 0);
    orr_digest_begin(&digest);
    for (char **id = ids; *id; id++)
        orr_digest_add(&digest, *id, sizeof plan->cells->id);
    orr_digest_add(&digest, campaign, strlen(campaign));
    orr_digest_end(&digest, hex);
    snprintf(plan->split.plan, sizeof plan->split.plan, "%.16s", hex);
    plan->split.cells = plan->count;
    orr_names_free(ids);
}

static int take_part(struct orr_plan *plan, const struct orr_shard *shard, struct unit *units,
                     size_t count)
{
    if (count < (size_t)shard->of)
        return orr_fail(ORR_EUSAGE, "there %s %zu cell%s to measure, too few for %d shards",
                        count == 1 ? "is" : "are", count, count == 1 ? "" : "s", shard->of);
    name_plan(plan, shard->campaign);
    char **ids = deal(units, count, shard);
    size_t kept = 0;
    for (size_t k = 0; k < plan->count; k++) {
        const struct orr_cell *cell = &plan->cells[k];
        const char *source = *cell->extrapolate_from ? cell->extrapolate_from : cell->id;
        if (orr_names_has(ids, source))
            plan->cells[kept++] = *cell;
    }
    plan->count = kept;
    orr_names_free(ids);
    return 0;
}

int orr_plan_shard_take(struct orr_plan *plan, const struct orr_shard *shard,
                        double (*seconds)(const struct orr_cell *cell))
{
    size_t count;
    struct unit *units = list_units(&count, plan, seconds);
    int code = take_part(plan, shard, units, count);
    free(units);
    return code;
}
