#include "run/cell_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "error.h"

/* Of the accelerations of a direct sum. */
static const double DIRECT_ERROR = 1e-5;

/* As many as a trajectory may have that is judged by itself. */
enum { FEW = 1024 };
static const double FEW_PAIRS = 5e7;

/* The median of fewer may be of a close pair, whose way no expansion follows. Trajectories judge
 * them, of the bodies themselves or of a companion. */
enum { CROWD = 64 };
/* Targets whose accelerations at the start say what time they took: an honest median of so many
 * stays below a third of its limit. */
enum { CLOCKS = 256 };

static bool is_direct(const struct orr_cell_run *run)
{
    return run->level < 0 && run->theta == 0;
}

static bool are_few(const struct orr_cell_run *run)
{
    double n = (double)run->bodies->n;
    return run->bodies->n <= FEW && n * n * (run->steps + 1) <= FEW_PAIRS;
}

static struct orr_bodies with_masses(const struct orr_bodies *bodies, double *masses)
{
    struct orr_bodies with = *bodies;
    with.mass = masses;
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

static bool is_judged(const struct orr_cell_run *run)
{
    return run->steps > 0 && run->level < 0;
}

/* `at_start`, of a few targets, is NULL for a handful of bodies. */
static int check_signs(const struct orr_cell_run *run, const struct orr_forces *forces,
                       const struct orr_bodies *start, const struct orr_reference *at_start)
{
    const struct orr_bodies *moved;
    struct orr_totals before, after;
    struct orr_trajectory_plausibility plausibility;
    int code = orr_cell_run_moved(&moved, run, forces, true);
    if (code)
        return code;
    const struct orr_bodies end = with_masses(moved, start->mass);
    totals_of(&before, start, run->eps);
    totals_of(&after, &end, run->eps);
    if (start->n <= FEW) /* whose energy is judged by a trajectory, which shares the time step */
        before.energy = after.energy = NAN;
    const struct orr_trajectory_ends ends = {.start = start,
                                             .moved = forces,
                                             .dt = run->dt,
                                             .steps = run->steps,
                                             .euler = run->euler,
                                             .force_error = force_error(run),
                                             .reference = start->n >= CROWD ? at_start : NULL,
                                             .before = &before,
                                             .after = &after};
    return orr_trajectory_plausible(&plausibility, &ends);
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

int orr_cell_motion_judge(struct orr_cell_motion *out, const struct orr_cell_run *run,
                          const struct orr_forces *forces, const struct orr_bodies *start)
{
    const struct orr_trajectory_of of = {.bodies = start,
                                         .sha256 = run->sha256,
                                         .eps = run->eps,
                                         .dt = run->dt,
                                         .steps = run->steps,
                                         .euler = run->euler};
    struct orr_trajectory_verdict verdict = {.blind = true};
    double began = orr_clock_now();
    int code = orr_trajectory_judge(&verdict, &of, forces, DIRECT_ERROR);
    orr_referee_spend(run->referee, ORR_SPENT_MOTION, began);
    note(out, &verdict, start->n);
    return code;
}

int orr_cell_motion_starts(struct orr_reference *out, const struct orr_cell_run *run,
                           const struct orr_cell_result *results, int count, uint64_t seed)
{
    const struct orr_bodies *b = run->bodies;
    struct orr_sources sources[ORR_REFERENCE_SETS];
    if (!is_judged(run) || b->n < CROWD)
        return 0;
    for (int k = 0; k < count; k++)
        sources[k] = (struct orr_sources){
            b->n, {b->pos[0], b->pos[1], b->pos[2]}, results[k].masses, run->eps};
    double began = orr_clock_now();
    int code = orr_reference_make_each(out, sources, count,
                                       &(struct orr_targets){.count = CLOCKS, .seed = seed});
    orr_referee_spend(run->referee, ORR_SPENT_MOTION, began);
    return code;
}

/* Of the bodies' own masses. */
static int known_start(const struct orr_reference **out, const struct orr_cell_run *run)
{
    const struct orr_reference_of of = {.bodies = run->bodies,
                                        .sha256 = run->sha256,
                                        .eps = run->eps,
                                        .level = -1,
                                        .targets = {.count = CLOCKS, .seed = run->targets.seed}};
    return orr_referee_cache_reference(&run->referee->cache, out, &of);
}

int orr_cell_motion_check(struct orr_cell_motion *out, const struct orr_cell_run *run,
                          const struct orr_cell_result *result, const struct orr_reference *start)
{
    if (!is_judged(run))
        return 0;
    struct orr_bodies from = with_masses(run->bodies, result->masses);
    double began = orr_clock_now();
    int code = start || from.n < CROWD ? 0 : known_start(&start, run);
    if (!code)
        code = check_signs(run, result->forces, &from, start);
    orr_referee_spend(run->referee, ORR_SPENT_MOTION, began);
    return code || !is_direct(run) || !are_few(run)
               ? code
               : orr_cell_motion_judge(out, run, result->forces, &from);
}
