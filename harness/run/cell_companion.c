/* SPDX-License-Identifier: MIT */
/* Companions of a cell: the same variant on the same device over fewer bodies of the same data set,
 * untimed, which shows what the cell itself cannot.
 *
 * - Where a trajectory of all bodies would take too long, one of few is judged in full. A tree code
 *   computes it as a direct sum, theta = 0, since its errors would hide a small fault of the
 *   scheme.
 * - A tree code with a wide opening angle is judged at a narrow one, where a fault of the tree
 * stands out of its errors (docs/METHOD.md, Verification).
 *
 * A tree code that sums few bodies directly by itself (`all_pairs` of variant.h) has its tree
 * there.
 *
 * A companion that was right is not run again by the same referee. */
#include "run/cell_run.h"

#include <stdio.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "datasets/dataset.h"
#include "error.h"
#include "json_member.h"
#include "plan/paper.h"

/* One wrong child in a thousand stands out of the errors at this angle from so many bodies on
 * (tests/test_bound.c). */
static const double NARROW = 0.2;
enum { ENOUGH = 4096 };

struct companion {
    struct orr_cell_run run;
    struct orr_cached_set *set;
    double times; /* the bound is widened by this */
};

/* The run's settings over the bodies of out->set, with another theta, unless it is NULL. What sums
 * few bodies directly by itself would do so with a companion's: these have the tree that they are
 * to show. */
static void initialise(struct companion *out, const struct orr_cell_run *run, const char *theta)
{
    out->run = orr_cell_run_again(run);
    out->run.bodies = &out->set->bodies;
    out->run.sha256 = out->set->sha256;
    out->times = 1;
    if (theta)
        orr_cell_run_set(&out->run, "theta", theta);
    if (run->capabilities & ORR_TREE_CODE && orr_json_is(run->parameters, "all_pairs", "auto"))
        orr_cell_run_set(&out->run, "all_pairs", "off");
}

static int find_set(struct companion *out, const struct orr_cell_run *run,
                    const struct orr_cell *cell, size_t n)
{
    return orr_referee_cache_set(&run->referee->cache, &out->set, cell->dataset, n,
                                 orr_cell_level(cell), cell->seed);
}

static uint64_t hash_text(const char *text, uint64_t before)
{
    return XXH3_64bits_withSeed(text, strlen(text), before);
}

static uint64_t key_of(const struct orr_cell_run *run)
{
    uint64_t key = hash_text(run->sha256, hash_text(run->device, hash_text(run->variant, 1)));
    for (int k = 0; k < run->setting_count; k++)
        key = hash_text(run->settings[k].value, hash_text(run->settings[k].name, key));
    return key;
}

static int run_one(struct companion *of)
{
    struct orr_cell_run *run = &of->run;
    if (orr_cell_run_close(run, NULL) || orr_cell_run_load(run) || orr_cell_run_configure(run) ||
        orr_cell_run_bound(run))
        return orr_error_code();
    orr_bound_widen(&run->bound, of->times);
    return orr_cell_run_check_softening(of->set, run->eps) || orr_cell_run_prepare(run) ||
                   orr_cell_run_step(run, &(struct orr_cell_steps){0}) || orr_cell_run_verify(run)
               ? orr_error_failed()
               : 0;
}

/* Runs it unless that is known to be right. `motion` NULL: its trajectory is not judged. */
static int check_companion(struct companion *of, struct orr_cell_motion *motion)
{
    struct orr_referee *referee = of->run.referee;
    uint64_t key = key_of(&of->run);
    for (int k = 0; k < ORR_REFEREE_COMPANIONS; k++)
        if (referee->companions[k] == key)
            return 0;
    int code = run_one(of);
    if (!code && motion)
        code = orr_cell_motion_judge(motion, &of->run, &of->run.forces, of->run.bodies);
    if (!code)
        referee->companions[referee->companion_count++ % ORR_REFEREE_COMPANIONS] = key;
    orr_cell_run_release(&of->run);
    return code;
}

/* The same steps. */
static int check_motion(struct orr_cell_motion *motion, const struct orr_cell_run *run,
                        const struct orr_cell *cell, const struct orr_dataset *data)
{
    struct companion companion;
    size_t n = orr_trajectory_companion(data, run->bodies->n, orr_cell_level(cell), run->steps);
    int code = find_set(&companion, run, cell, n);
    motion->n = n;
    if (!code) {
        initialise(&companion, run, run->capabilities & ORR_TREE_CODE ? "0" : NULL);
        code = check_companion(&companion, motion);
    }
    return code ? orr_error_context("the same steps over %zu bodies", n) : 0;
}

/* One evaluation at a narrow opening angle. */
static int check_narrow(struct companion *companion, const struct orr_cell_run *run, double times)
{
    char theta[32];
    snprintf(theta, sizeof theta, "%g", NARROW);
    initialise(companion, run, theta);
    companion->times = times;
    if (run->capabilities & ORR_INTEGRATES)
        orr_cell_run_set(&companion->run, "steps", "0");
    return check_companion(companion, NULL)
               ? orr_error_context("theta %g over %zu bodies", NARROW, companion->set->bodies.n)
               : 0;
}

int orr_cell_companion_check_own(const struct orr_cell_run *run, double times)
{
    const struct orr_bodies *from = run->bodies;
    const size_t n = from->n < ENOUGH ? from->n : ENOUGH;
    struct orr_cached_set few = {0};
    struct companion companion = {.set = &few};
    if (!(run->theta > NARROW))
        return 0;
    int code = orr_bodies_make(&few.bodies, n, from->dimensions);
    for (int c = 0; !code && c < ORR_COLUMNS; c++)
        for (size_t k = 0; k < n; k++) /* every so many of them */
            orr_bodies_column(&few.bodies, c)[k] = orr_bodies_column(from, c)[k * from->n / n];
    if (!code) {
        few.bodies.eps = from->eps;
        few.bodies.dt = from->dt;
        memcpy(few.bodies.origin, from->origin, sizeof from->origin);
        orr_bodies_sha256(&few.bodies, few.sha256);
        code = check_narrow(&companion, run, times);
    }
    orr_bodies_release(&few.bodies);
    return code;
}

int orr_cell_companion_check_known(const struct orr_cell_run *run, bool wide)
{
    struct companion companion = {.set = NULL};
    struct orr_cell_run own = *run;
    const struct orr_dataset *data = NULL;
    size_t count;
    const struct orr_dataset *all = orr_dataset_all(&count);
    /* The first data set of as many dimensions that is made of any number of bodies. */
    for (size_t k = 0; k < count && !data; k++)
        if (all[k].dimensions == run->dimensions && !all[k].boxed && all[k].multiple == 1)
            data = &all[k];
    if (!data || orr_dataset_check(data, ENOUGH, -1)) {
        orr_error_clear();
        return 0;
    }
    own.setting_count = 0;
    for (int k = 0; k < run->setting_count; k++) /* lengths and times are in the user's units */
        if (strcmp(run->settings[k].name, "eps") && strcmp(run->settings[k].name, "dt") &&
            strcmp(run->settings[k].name, "steps"))
            own.settings[own.setting_count++] = run->settings[k];
    int code =
        orr_referee_cache_set(&run->referee->cache, &companion.set, data->name, ENOUGH, -1, 1);
    if (!code && wide) {
        initialise(&companion, &own, NULL);
        if (check_companion(&companion, NULL))
            code = orr_error_context("theta %g over %d bodies", run->theta, ENOUGH);
    }
    if (!code && run->theta > NARROW)
        code = check_narrow(&companion, &own, 1);
    return code ? orr_error_context("over the data set %s", data->name) : 0;
}

int orr_cell_companion_check(struct orr_cell_motion *motion, struct orr_cell_run *run,
                             const struct orr_cell *cell)
{
    const struct orr_dataset *data = orr_dataset_get(cell->dataset);
    const int level = orr_cell_level(cell);
    struct companion companion;
    if (!data)
        return 0;
    if (run->steps > 0 && run->level < 0 && !motion->n && check_motion(motion, run, cell, data))
        return orr_error_code();
    if (!(run->theta > NARROW))
        return 0;
    size_t n = orr_trajectory_companion(data, run->bodies->n, level, 0);
    if (n < ENOUGH && run->bodies->n > ENOUGH && !orr_dataset_check(data, ENOUGH, level))
        n = ENOUGH;
    orr_error_clear();
    return find_set(&companion, run, cell, n) || check_narrow(&companion, run, 1)
               ? orr_error_failed()
               : 0;
}
