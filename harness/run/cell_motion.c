#include "run/cell_motion.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "error.h"

/* Of the accelerations of a direct sum. */
static const double DIRECT_ERROR = 1e-5;

/* As many as a trajectory may have that is judged by itself. */
enum { FEW = 1024 };
static const double FEW_PAIRS = 5e7;

/* The median of fewer may be of a close pair, whose way no expansion follows. Trajectories judge
 * them, of the bodies themselves or of a companion. */
enum { CROWD = 64 };

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
    if (start->n >= CROWD)
        code = orr_reference_make(&reference, &sources, &targets);
    if (code)
        goto out;
    totals_of(&before, start, run->eps);
    totals_of(&after, &end, run->eps);
    if (start->n <= FEW) /* whose energy is judged by a trajectory, which shares the time step */
        before.energy = after.energy = NAN;
    struct orr_trajectory_ends ends = {.start = start,
                                       .moved = forces,
                                       .dt = run->dt,
                                       .steps = run->steps,
                                       .euler = run->euler,
                                       .force_error = force_error(run),
                                       .reference = start->n >= CROWD ? &reference : NULL,
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
    int code = orr_trajectory_judge(&verdict, &of, forces, DIRECT_ERROR);
    note(out, &verdict, start->n);
    return code;
}

int orr_cell_motion_check(struct orr_cell_motion *out, const struct orr_cell_run *run,
                          const struct orr_forces *forces, double *masses, uint64_t seed)
{
    if (run->steps == 0 || run->level >= 0)
        return 0;
    struct orr_bodies start = with_masses(run->bodies, masses);
    int code = check_signs(run, forces, &start, seed);
    return code || !is_direct(run) || !are_few(run)
               ? code
               : orr_cell_motion_judge(out, run, forces, &start);
}
