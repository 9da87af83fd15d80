/* SPDX-License-Identifier: MIT */
/* Small-N checks of a cell: the same variant on the same device over fewer bodies of the same data
 * set, untimed, which shows what the cell itself cannot.
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
 * A small-N cell that was right is not run again by the same referee. */
#include "referee/cell_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/dataset.h"
#include "error.h"
#include "json_member.h"
#include "plan/paper.h"

/* One wrong child in a thousand stands out of the errors at this angle from so many bodies on
 * (tests/test_bound.c). */
static const double NARROW = 0.2;
enum { ENOUGH = 4096 };

/* The run's settings over the bodies of that set, with another theta, unless it is NULL. What sums
 * few bodies directly by itself would do so with a small-N cell's: these have the tree that they
 * are to show. */
static struct orr_cell_run small_n_of(const struct orr_cell_run *run,
                                      const struct orr_cached_set *set, const char *theta)
{
    struct orr_cell_run out = orr_cell_run_again(run);
    out.bodies = &set->bodies;
    out.sha256 = set->sha256;
    if (theta)
        orr_cell_run_set(&out, "theta", theta);
    if (run->capabilities & ORR_TREE_CODE && orr_json_is(run->parameters, "all_pairs", "auto"))
        orr_cell_run_set(&out, "all_pairs", "off");
    return out;
}

static int run_one(struct orr_cell_run *run, struct orr_cached_set *set, double times)
{
    if (orr_cell_run_close(run, NULL) || orr_cell_run_load(run) || orr_cell_run_configure(run) ||
        orr_cell_run_bound(run))
        return orr_error_code();
    orr_bound_widen(&run->bound, times);
    return orr_cell_run_check_softening(set, run->eps) || orr_cell_run_prepare(run) ||
                   orr_cell_run_step(run, &(struct orr_cell_steps){0}) || orr_cell_run_verify(run)
               ? orr_error_failed()
               : 0;
}

/* Runs it, with the bound so many `times` as wide, unless that is known to be right. `motion` NULL:
 * its trajectory is not judged. */
static int check_small_n(struct orr_cell_run *run, struct orr_cached_set *set, double times,
                         struct orr_cell_motion *motion)
{
    json_t *right = run->referee->small_n;
    json_auto_t *all = json_pack("[s, s, s, o]", run->sha256, run->device, run->variant,
                                 orr_params_settings_to_json(run->settings, run->setting_count));
    char *key = json_dumps(all, JSON_COMPACT);
    int code = 0;
    if (!json_object_get(right, key)) {
        code = run_one(run, set, times);
        if (!code && motion)
            code = orr_cell_motion_judge(motion, run, &run->forces, run->bodies);
        if (!code)
            json_object_set_new(right, key, json_true());
        orr_cell_run_release(run);
    }
    free(key);
    return code;
}

/* The same steps over few of the cell's bodies. */
static int check_motion(struct orr_cell_motion *motion, const struct orr_cell_run *run,
                        const struct orr_cell *cell, const struct orr_dataset *data)
{
    struct orr_cached_set *set;
    const int level = orr_cell_level(cell);
    const size_t n = orr_trajectory_small_n(data, run->bodies->n, level, run->steps);
    int code =
        orr_referee_cache_set(&run->referee->cache, &set, cell->dataset, n, level, cell->seed);
    motion->n = n;
    if (!code) {
        struct orr_cell_run few =
            small_n_of(run, set, run->capabilities & ORR_TREE_CODE ? "0" : NULL);
        code = check_small_n(&few, set, 1, motion);
    }
    return code ? orr_error_context("the same steps over %zu bodies", n) : 0;
}

/* One evaluation at a narrow opening angle. */
static int check_narrow(const struct orr_cell_run *run, struct orr_cached_set *set, double times)
{
    char theta[32];
    snprintf(theta, sizeof theta, "%g", NARROW);
    struct orr_cell_run narrow = small_n_of(run, set, theta);
    if (run->capabilities & ORR_INTEGRATES)
        orr_cell_run_set(&narrow, "steps", "0");
    return check_small_n(&narrow, set, times, NULL)
               ? orr_error_context("theta %g over %zu bodies", NARROW, set->bodies.n)
               : 0;
}

/* Over a part of these bodies, with errors of so many `times` the bound. */
static int check_own(const struct orr_cell_run *run, double times)
{
    const struct orr_bodies *from = run->bodies;
    const size_t n = from->n < ENOUGH ? from->n : ENOUGH;
    struct orr_cached_set few = {0};
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
        code = check_narrow(run, &few, times);
    }
    orr_bodies_release(&few.bodies);
    return code;
}

/* Over a data set that the bound is made for; `wide`: at the angle of the run, too. */
static int check_known(const struct orr_cell_run *run, bool wide)
{
    const char *name = run->dimensions == 3 ? "random-3d" : "uniform-2d";
    struct orr_cached_set *set;
    struct orr_cell_run own = *run;
    own.setting_count = 0;
    for (int k = 0; k < run->setting_count; k++) /* lengths and times are in the user's units */
        if (strcmp(run->settings[k].name, "eps") && strcmp(run->settings[k].name, "dt") &&
            strcmp(run->settings[k].name, "steps"))
            own.settings[own.setting_count++] = run->settings[k];
    int code = orr_referee_cache_set(&run->referee->cache, &set, name, ENOUGH, -1, 1);
    if (!code && wide) {
        struct orr_cell_run same = small_n_of(&own, set, NULL);
        if (check_small_n(&same, set, 1, NULL))
            code = orr_error_context("theta %g over %d bodies", run->theta, ENOUGH);
    }
    if (!code && run->theta > NARROW)
        code = check_narrow(&own, set, 1);
    return code ? orr_error_context("over the data set %s", name) : 0;
}

int orr_cell_small_n_check_eval(const struct orr_cell_run *run, bool wide, double times)
{
    return check_known(run, wide) || check_own(run, times) ? orr_error_failed() : 0;
}

int orr_cell_small_n_check(struct orr_cell_motion *motion, struct orr_cell_run *run,
                           const struct orr_cell *cell)
{
    const struct orr_dataset *data = orr_dataset_get(cell->dataset);
    const int level = orr_cell_level(cell);
    struct orr_cached_set *set;
    if (!data)
        return 0;
    if (run->steps > 0 && run->level < 0 && !motion->n && check_motion(motion, run, cell, data))
        return orr_error_code();
    if (!(run->theta > NARROW))
        return 0;
    size_t n = orr_trajectory_small_n(data, run->bodies->n, level, 0);
    if (n < ENOUGH && run->bodies->n > ENOUGH && !orr_dataset_check(data, ENOUGH, level))
        n = ENOUGH;
    orr_error_clear();
    return orr_referee_cache_set(&run->referee->cache, &set, cell->dataset, n, level, cell->seed) ||
                   check_narrow(run, set, 1)
               ? orr_error_failed()
               : 0;
}
