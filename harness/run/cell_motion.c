#include "run/cell_motion.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "datasets/dataset.h"
#include "error.h"

/* Of the accelerations of a direct sum. */
static const double DIRECT_ERROR = 1e-5;

/* As many as a trajectory may have that is judged by itself. */
enum { FEW = 1024 };
static const double FEW_PAIRS = 5e7;

static bool is_direct(const struct orr_cell_run *run)
{
    return run->level < 0 && run->theta == 0;
}

static bool are_few(const struct orr_cell_run *run)
{
    double n = (double)run->bodies->n;
    return run->bodies->n <= FEW && n * n * (run->steps + 1) <= FEW_PAIRS;
}

static struct orr_bodies with_masses(const struct orr_bodies *bodies, const double *masses)
{
    struct orr_bodies with = *bodies;
    with.mass = (double *)(uintptr_t)masses; /* only read */
    return with;
}

static void totals_of(struct orr_totals *out, const struct orr_bodies *at, double eps)
{
    const struct orr_sources sources = {at->n, {at->pos[0], at->pos[1], at->pos[2]}, at->mass, eps};
    orr_reference_totals(out, &sources,
                         (const double *const[3]){at->vel[0], at->vel[1], at->vel[2]});
}

/* The median relative error that accelerations may have. Errors by terms are smaller, by as much as
 * the terms cancel, a factor of a few in the middle of a galaxy. */
static double force_error(const struct orr_cell_run *run)
{
    static const double cancelling = 10;
    return is_direct(run) ? DIRECT_ERROR
                          : (run->bound.by_terms ? cancelling : 1) * run->bound.median;
}

/* By signs, which need a reference of the start on a few targets. */
static int check_signs(const struct orr_cell_run *run, const struct orr_forces *forces,
                       const struct orr_bodies *start, uint64_t seed)
{
    struct orr_bodies end = {0};
    struct orr_reference reference = {0};
    struct orr_totals before, after;
    struct orr_trajectory_plausibility plausibility;
    const struct orr_sources sources = {
        start->n, {start->pos[0], start->pos[1], start->pos[2]}, start->mass, run->eps};
    const struct orr_targets targets = {.count = run->targets.count, .seed = seed};
    int code = orr_cell_run_moved(&end, run, forces);
    if (code)
        goto out;
    memcpy(end.mass, start->mass, end.n * sizeof *end.mass);
    code = orr_reference_make(&reference, &sources, &targets);
    if (code)
        goto out;
    totals_of(&before, start, run->eps);
    totals_of(&after, &end, run->eps);
    struct orr_trajectory_ends ends = {.start = start,
                                       .moved = forces,
                                       .dt = run->dt,
                                       .steps = run->steps,
                                       .force_error = force_error(run),
                                       .reference = &reference,
                                       .before = &before,
                                       .after = &after};
    code = orr_trajectory_plausible(&plausibility, &ends);
out:
    orr_reference_release(&reference);
    orr_bodies_release(&end);
    return code;
}

static void note(struct orr_cell_motion *out, const struct orr_trajectory_verdict *verdict,
                 size_t n)
{
    *out = (struct orr_cell_motion){.n = n, .blind = verdict->blind, .nearest = ""};
    for (int k = 0; k < ORR_TRAJECTORY_CHECKS; k++) {
        double share = verdict->limit[k] > 0 ? verdict->value[k] / verdict->limit[k] : 0;
        if (share > out->share) {
            out->share = share;
            out->nearest = orr_trajectory_names[k];
        }
    }
}

static int judge(struct orr_cell_motion *out, const struct orr_cell_run *run,
                 const struct orr_forces *forces, const struct orr_bodies *start)
{
    const struct orr_trajectory_of of = {.bodies = start,
                                         .sha256 = run->sha256,
                                         .eps = run->eps,
                                         .dt = run->dt,
                                         .steps = run->steps};
    struct orr_trajectory_verdict verdict = {.blind = true};
    int code = orr_trajectory_judge(&verdict, &of, forces, DIRECT_ERROR);
    note(out, &verdict, start->n);
    return code;
}

int orr_cell_motion_check(struct orr_cell_motion *out, const struct orr_cell_run *run,
                          const struct orr_forces *forces, const double *masses, uint64_t seed)
{
    if (run->steps == 0 || run->level >= 0)
        return 0;
    struct orr_bodies start = with_masses(run->bodies, masses);
    int code = check_signs(run, forces, &start, seed);
    return code || !is_direct(run) || !are_few(run) ? code : judge(out, run, forces, &start);
}

/* --- the companion --- */

/* The cell's settings; a tree code becomes a direct sum. Returns how many there are. */
static int settings_of(struct orr_setting out[ORR_MAX_SETTINGS + 1], const struct orr_cell_run *run)
{
    int count = 0;
    bool tree = run->capabilities & ORR_TREE_CODE;
    for (int k = 0; k < run->setting_count; k++)
        if (!tree || strcmp(run->settings[k].name, "theta") != 0)
            out[count++] = run->settings[k];
    if (tree)
        out[count++] = (struct orr_setting){.name = "theta", .value = "0"};
    return count;
}

static uint64_t hash(const char *text, uint64_t before)
{
    return XXH3_64bits_withSeed(text, strlen(text), before);
}

static uint64_t key_of(const struct orr_cell_run *run)
{
    uint64_t key = hash(run->variant, 0);
    key = hash(run->device, key);
    key = hash(run->sha256, key);
    for (int k = 0; k < run->setting_count; k++) {
        key = hash(run->settings[k].name, key);
        key = hash(run->settings[k].value, key);
    }
    return key;
}

static bool is_known(const struct orr_referee *referee, uint64_t key)
{
    for (int k = 0; k < ORR_REFEREE_COMPANIONS; k++)
        if (referee->companions[k] == key)
            return true;
    return false;
}

/* `of` has its bodies and settings. */
static int run_companion(struct orr_cell_motion *out, struct orr_cell_run *of,
                         struct orr_cached_set *set)
{
    int code = orr_cell_run_load(of);
    if (!code)
        code = orr_cell_run_configure(of);
    if (!code)
        code = orr_cell_run_bound(of);
    if (!code)
        code = orr_cell_run_check_softening(set, of->eps);
    if (!code)
        code = orr_cell_run_prepare(of);
    if (!code)
        code = orr_cell_run_step(of, &(struct orr_cell_steps){0});
    if (!code)
        code = orr_cell_run_verify(of);
    return code ? code : judge(out, of, &of->forces, of->bodies);
}

int orr_cell_motion_companion(struct orr_cell_motion *out, struct orr_cell_run *run,
                              const struct orr_cell *cell)
{
    const struct orr_dataset *data = orr_dataset_get(cell->dataset);
    if (run->steps == 0 || run->level >= 0 || out->n || !data)
        return 0;
    int level = orr_cell_level(cell);
    struct orr_setting settings[ORR_MAX_SETTINGS + 1];
    struct orr_cached_set *set;
    struct orr_cell_run companion = {.referee = run->referee,
                                     .variant = run->variant,
                                     .device = run->device,
                                     .settings = settings,
                                     .setting_count = settings_of(settings, run),
                                     .targets = run->targets};
    size_t n = orr_trajectory_companion(data, run->bodies->n, level, run->steps);
    int code =
        orr_referee_cache_set(&run->referee->cache, &set, cell->dataset, n, level, cell->seed);
    if (code)
        return code;
    companion.bodies = &set->bodies;
    companion.sha256 = set->sha256;
    uint64_t key = key_of(&companion);
    out->n = n;
    if (is_known(run->referee, key))
        return 0;
    code = orr_cell_run_let_go(run, NULL);
    if (!code)
        code = run_companion(out, &companion, set);
    if (!code)
        run->referee->companions[run->referee->companion_count++ % ORR_REFEREE_COMPANIONS] = key;
    orr_cell_run_release(&companion);
    return code ? orr_error_context("the same steps over %zu bodies", n) : 0;
}
