/* SPDX-License-Identifier: MIT */
/* What a referee holds a run's results to: its own references, trajectories and totals. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "error.h"
#include "json_member.h"
#include "measure/ceiling.h"
#include "measure/stats.h"
#include "referee/cell_run.h"

uint64_t orr_cell_run_seed(void)
{
    return (uint64_t)orr_child_random() | 1; /* 0 says that there is none */
}

static struct orr_reference_of reference_of(const struct orr_cell_run *run)
{
    return (struct orr_reference_of){run->bodies, run->sha256, run->eps, run->level, run->targets};
}

/* --- accelerations --- */

/* Bodies where the results say that they are, without masses. Release them whatever is returned. */
static int make_moved(struct orr_bodies *out, const struct orr_cell_run *run,
                      const struct orr_forces *forces)
{
    int code = orr_bodies_make(out, run->bodies->n, run->dimensions);
    if (!code)
        orr_verify_place(out, forces, run->dimensions);
    return code;
}

/* Of sources at the places of `at`, cached for nobody. The boxes of bodies that stay where they are
 * are found once. */
static int make_reference(struct orr_reference *out, const struct orr_cell_run *run,
                          const struct orr_bodies *at, const struct orr_sources *sources,
                          const struct orr_targets *targets)
{
    const struct orr_reference_of of = reference_of(run);
    struct orr_reference_near own = {0};
    const struct orr_reference_near *near = run->level < 0 ? NULL : &own;
    int code = !near               ? 0
               : at == run->bodies ? orr_referee_cache_near(&run->referee->cache, &near, &of)
                                   : orr_reference_near_make(&own, at, run->level);
    if (!code)
        code = orr_reference_make(out, sources, near, targets);
    orr_reference_near_release(&own);
    return code;
}

int orr_cell_run_reference(struct orr_reference *out, const struct orr_cell_run *run,
                           const struct orr_bodies *of)
{
    struct orr_sources sources = orr_reference_sources(of, of->mass, run->eps);
    for (int d = 0; d < 3; d++)
        sources.boxed[d] = run->bodies->pos[d];
    return make_reference(out, run, run->bodies, &sources, &run->targets);
}

/* An integration's are judged where the bodies are at its end. */
int orr_cell_run_errors(struct orr_errors *out, const struct orr_cell_run *run,
                        const struct orr_cell_result *result, const struct orr_targets *targets)
{
    struct orr_reference reference = {0};
    struct orr_bodies moved = {0};
    const struct orr_bodies *at = run->steps > 0 ? &moved : run->bodies;
    int code = run->steps > 0 ? make_moved(&moved, run, result->forces) : 0;
    const struct orr_sources sources = orr_reference_sources(at, result->masses, run->eps);
    if (!code)
        code = make_reference(&reference, run, at, &sources, targets);
    if (!code)
        code = orr_verify_errors(out, result->forces, &reference, run->dimensions);
    orr_reference_release(&reference);
    orr_bodies_release(&moved);
    return code;
}

/* Bodies of each sample that are compared with the reference. */
enum { LOOK = 4 };

/* Names what is not. */
static int check_finite(const struct orr_cell_run *run)
{
    return run->finite ? 0 : orr_verify_finite(&run->forces, run->bodies->n, run->dimensions);
}

int orr_cell_run_check_sample(const struct orr_cell_run *run)
{
    struct orr_errors errors;
    const struct orr_bound only_worst = {INFINITY, INFINITY, run->bound.max, run->bound.by_terms};
    const struct orr_cell_result result = {&run->forces, run->masses};
    const struct orr_targets targets = {.count = LOOK, .seed = orr_cell_run_seed(), .few = true};
    return check_finite(run) || orr_cell_run_errors(&errors, run, &result, &targets) ||
                   orr_verify_judge(&errors, &only_worst)
               ? orr_error_failed()
               : 0;
}

/* Energy and momentum before and after are summed once a run; those of the start are kept from run
 * to run. */
static int sum_totals(struct orr_cell_run *run)
{
    const struct orr_reference_of start = reference_of(run);
    struct orr_bodies b = {0};
    int code = make_moved(&b, run, &run->forces);
    const struct orr_sources end = orr_reference_sources(&b, run->bodies->mass, run->eps);
    run->conserved = true;
    run->start = orr_referee_cache_totals(&run->referee->cache, &start);
    if (!code)
        orr_reference_totals(&run->end, &end,
                             (const double *const[3]){b.vel[0], b.vel[1], b.vel[2]});
    run->potential = run->forces.has_phi ? orr_cell_run_potential(run->bodies, &run->forces) : NAN;
    orr_bodies_release(&b);
    return code;
}

static int find_own_errors(struct orr_errors *out, struct orr_cell_run *run)
{
    const struct orr_reference *reference;
    const struct orr_reference_of of = reference_of(run);
    const struct orr_cell_result result = {&run->forces, run->bodies->mass};
    if (check_finite(run))
        return orr_error_code();
    if (run->steps > 0)
        return orr_cell_run_errors(out, run, &result, &run->targets);
    return orr_referee_cache_reference(&run->referee->cache, &reference, &of) ||
                   orr_verify_errors(out, &run->forces, reference, run->dimensions)
               ? orr_error_failed()
               : 0;
}

int orr_cell_run_verify(struct orr_cell_run *run)
{
    struct orr_errors errors;
    int code = find_own_errors(&errors, run);
    if (!code && run->steps > 0 && !run->conserved)
        code = sum_totals(run);
    if (!code) {
        orr_verify_widen(&run->errors, &errors);
        code = orr_verify_judge(&errors, &run->bound);
    }
    return code;
}

static struct orr_trajectory_of trajectory_of(const struct orr_cell_run *run,
                                              const struct orr_bodies *start)
{
    return (struct orr_trajectory_of){.bodies = start,
                                      .sha256 = run->sha256,
                                      .eps = run->eps,
                                      .dt = run->dt,
                                      .steps = run->steps,
                                      .euler = run->euler};
}

int orr_cell_run_trajectory_error(struct orr_cell_run *run, json_t **out)
{
    const struct orr_trajectory_of of = trajectory_of(run, run->bodies);
    const double n = (double)run->bodies->n;
    const struct orr_trajectory *trajectory;
    if (orr_referee_cache_trajectory(&run->referee->cache, &trajectory, &of))
        return orr_error_code();
    const struct orr_trajectory_error e =
        orr_trajectory_compare(trajectory, &run->forces, run->dimensions);
    *out =
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "position_sum", orr_json_real(e.position),
                  "position_mean", orr_json_real(e.position / n), "speed_sum",
                  orr_json_real(e.speed), "speed_mean", orr_json_real(e.speed / n), "velocity_sum",
                  orr_json_real(e.velocity), "velocity_mean", orr_json_real(e.velocity / n));
    return 0;
}

/* --- energy --- */

double orr_cell_run_potential(const struct orr_bodies *bodies, const struct orr_forces *forces)
{
    double sum = 0;
    for (size_t i = 0; i < bodies->n; i++)
        sum += 0.5 * bodies->mass[i] * forces->phi[i];
    return sum;
}

/* Cells of a tree with quadrupoles act by another mix than bodies: the ledger makes their ceiling
 * of two kinds. Double precision has other units. */
const char *orr_cell_work_pair(uint32_t capabilities, int dimensions)
{
    bool both = capabilities & ORR_THIRD_LAW;
    bool cells = (capabilities & ORR_TREE_CODE) && !(capabilities & ORR_MONOPOLES);
    if (capabilities & ORR_NEEDS_FP64)
        return "other";
    if (cells)
        return dimensions == 3 ? "3d-tree" : "other";
    if (capabilities & ORR_MATRIX_UNITS)
        return orr_ceiling_name(ORR_CEILING_3D_MATRIX);
    return orr_ceiling_name(dimensions == 3 ? both ? ORR_CEILING_3D_BOTH : ORR_CEILING_3D
                            : both          ? ORR_CEILING_2D_BOTH
                                            : ORR_CEILING_2D);
}

/* --- whether bodies went where steps lead --- */

/* Of the accelerations of a direct sum. */
static const double DIRECT_ERROR = 1e-5;

/* As many as a trajectory may have that is judged by itself. */
enum { FEW = 1024 };
static const double FEW_PAIRS = 5e7;

static bool is_direct(const struct orr_cell_run *run)
{
    return run->level < 0 && run->theta == 0;
}

/* The median relative error that accelerations may have. Errors by terms are smaller, by as much as
 * the terms cancel, a factor of a few in the middle of a galaxy. */
static double force_error(const struct orr_cell_run *run)
{
    static const double cancelling = 10;
    return is_direct(run) ? DIRECT_ERROR
                          : (run->bound.by_terms ? cancelling : 1) * run->bound.median;
}

int orr_cell_motion_judge(struct orr_cell_motion *out, const struct orr_cell_run *run,
                          const struct orr_forces *forces, const struct orr_bodies *start)
{
    const struct orr_trajectory_of of = trajectory_of(run, start);
    struct orr_trajectory_judge own = {.blind = true};
    const struct orr_trajectory_judge *judge = &own;
    double value[ORR_TRAJECTORY_CHECKS] = {0};
    int code = start->mass == run->bodies->mass
                   ? orr_referee_cache_judge(&run->referee->cache, &judge, &of, DIRECT_ERROR)
                   : orr_trajectory_judge_make(&own, &of, DIRECT_ERROR);
    if (!code)
        code = orr_trajectory_judge(value, judge, &of, forces);
    *out = (struct orr_cell_motion){.n = start->n, .blind = judge->blind, .nearest = ""};
    for (int k = 0; k < ORR_TRAJECTORY_CHECKS; k++) {
        double share = judge->limit[k] > 0 ? value[k] / judge->limit[k] : 0;
        if (share > out->share) {
            out->share = share;
            out->nearest = orr_trajectory_names[k];
        }
    }
    orr_trajectory_judge_release(&own);
    return code;
}

int orr_cell_motion_check(struct orr_cell_motion *out, const struct orr_cell_run *run,
                          const struct orr_cell_result *result)
{
    struct orr_bodies from = *run->bodies;
    const double n = (double)from.n;
    if (run->steps == 0 || run->level >= 0)
        return 0;
    from.mass = result->masses;
    const struct orr_trajectory_of of = trajectory_of(run, &from);
    const bool few = from.n <= FEW && n * n * (run->steps + 1) <= FEW_PAIRS;
    const int code = orr_trajectory_still(&of, result->forces);
    return code || !is_direct(run) || !few ? code
                                           : orr_cell_motion_judge(out, run, result->forces, &from);
}

/* --- whether it took the time that its steps take --- */

/* Steps take no less than this times as many evaluations: what a warmer cache saves. Those of a
 * tree differ, as the bodies move; on a device an evaluation by itself waits for its bodies, which
 * steps behind each other have (0.41 ms a step and 0.62 for one, 18000 bodies on an H200). */
static const double PACE = 0.8, PACE_OF_OTHERS = 0.5;
/* Evaluations, of which the least counts: a busy machine makes them longer only. */
enum { EVALUATIONS = 4, MOST_EVALUATIONS = 500 };
/* A GPU that waited for the referee needs this long for its clock. */
static const double CLOCK_RISES_S = 0.2;

static const struct orr_cell_steps once = {0};

/* Takes so many steps from where `from` has the bodies and verifies a few forces at the end.
 * Release `out` whatever is returned. */
static int run_from(struct orr_cell_run *out, struct orr_cell_run *run,
                    const struct orr_bodies *from, int steps, const struct orr_cell_steps *how)
{
    char text[16];
    snprintf(text, sizeof text, "%d", steps);
    *out = orr_cell_run_again(run);
    orr_cell_run_set(out, "steps", text);
    out->bodies = from;
    return orr_cell_run_close(run, NULL) || orr_cell_run_begin(out) ||
                   orr_cell_run_step(out, how) || orr_cell_run_check_sample(out)
               ? orr_error_failed()
               : 0;
}

int orr_cell_run_energy(struct orr_cell_run *run)
{
    struct orr_cell_run start = {0};
    if (run->steps == 0 || run->bodies->n <= ORR_ENERGY_LIMIT || isnan(run->potential))
        return 0;
    bool failed = run_from(&start, run, run->bodies, 0, &once) || orr_cell_run_verify(&start);
    if (!failed) {
        run->start.energy = run->start.kinetic + orr_cell_run_potential(run->bodies, &start.forces);
        run->end.energy = run->end.kinetic + run->potential;
    }
    orr_cell_run_release(&start);
    return failed ? orr_error_context("the energy at the start") : 0;
}

/* Lowers *least to what one of so many evaluations takes at least; of a device the kernels alone,
 * without what a launch adds. */
static int time_evaluations(double *least, struct orr_cell_run *run, int count)
{
    struct orr_cell_run one = {0};
    size_t k;
    json_t *value;
    const int code =
        run_from(&one, run, run->bodies, 0,
                 &(struct orr_cell_steps){.batch = count, .cold = true, .fresh = true});
    const bool host = run->on_host;
    const double launching_s = ORR_LAUNCHING_S * (double)orr_json_integer(one.answer, "launches");
    json_array_foreach (json_object_get(one.answer, host ? "step_s" : "kernel_s"), k, value) {
        const double seconds = json_number_value(value);
        *least = fmin(*least, host ? seconds : fmax(seconds - launching_s, seconds / 2));
    }
    if (one.device_s > 0)
        *least = fmin(*least, one.device_s);
    orr_cell_run_release(&one);
    return code;
}

/* The median of |x - y|, with y = NULL of |x|, of one body in so many. */
static double median_apart(float *const x[3], float *const y[3], const struct orr_cell_run *run)
{
    enum { MOST = 4096 };
    const size_t n = run->bodies->n, every = (n - 1) / MOST + 1;
    double all[MOST];
    size_t count = 0;
    for (size_t i = 0; i < n; i += every, count++) {
        all[count] = 0;
        for (int d = 0; d < run->dimensions; d++)
            all[count] = hypot(all[count], (double)x[d][i] - (y ? (double)y[d][i] : 0));
    }
    return orr_stats_median(all, count);
}

/* How far positions and velocities of this end are from those of the first step. */
static void ends_apart(double apart[2], const struct orr_cell_run *run,
                       const struct orr_forces *end)
{
    apart[0] = median_apart(end->pos, run->first.pos, run);
    apart[1] = median_apart(end->vel, run->first.vel, run);
}

static bool are_within(const double apart[2], const double limit[2])
{
    return apart[0] <= limit[0] && apart[1] <= limit[1];
}

/* The same bodies, elsewhere by up to so much of each coordinate. */
static int make_twin(struct orr_bodies *out, const struct orr_bodies *of, double digits)
{
    const int code = orr_bodies_make(out, of->n, of->dimensions);
    uint64_t chance = 0;
    for (int c = 0; !code && c < ORR_COLUMNS; c++)
        for (size_t i = 0; i < of->n; i++)
            orr_bodies_column(out, c)[i] =
                (float)(orr_bodies_column(of, c)[i] *
                        (1 + digits * (double)(orr_stats_random_next(&chance) >> 11) * 0x1p-53));
    out->eps = of->eps;
    out->dt = of->dt;
    return code;
}

/* Widens the limits by what a last digit at the start makes of the end, and by what the errors of a
 * tree would, were they all of one direction: a tree may serve several steps. */
static int widen(double limit[2], struct orr_cell_run *run)
{
    static const double MARGIN = 8, DIGITS = 0x1p-22;
    struct orr_cell_run twin = {0};
    struct orr_bodies from;
    double apart[2];
    const double t = run->steps * run->dt,
                 error = is_direct(run)
                             ? 0
                             : force_error(run) * median_apart(run->first.acc, NULL, run);
    int code = make_twin(&from, run->bodies, DIGITS);
    if (!code && !(code = run_from(&twin, run, &from, run->steps, &once))) {
        ends_apart(apart, run, &twin.forces);
        limit[0] += MARGIN * apart[0] + error * t * t / 2;
        limit[1] += MARGIN * apart[1] + error * fabs(t);
    }
    orr_cell_run_release(&twin);
    orr_bodies_release(&from);
    return code;
}

/* Runs to a step that was drawn when all was measured, and on from where that left the bodies: it
 * must end where all steps in one run did. What counts its steps from the start, takes fewer of
 * them or keeps forces for the next does not. */
static int check_halt(struct orr_cell_run *run, int step)
{
    struct orr_cell_run to = {0}, on = {0};
    struct orr_bodies from;
    double apart[2], limit[2] = {0x1p-23 * median_apart(run->first.pos, NULL, run),
                                 0x1p-23 * median_apart(run->first.vel, NULL, run)};
    int code = make_twin(&from, run->bodies, 0);
    if (!code && !(code = run_from(&to, run, run->bodies, step, &once))) {
        orr_verify_place(&from, &to.forces, run->dimensions);
        code = run_from(&on, run, &from, run->steps - step, &once);
    }
    if (!code)
        ends_apart(apart, run, &on.forces);
    if (!code && !are_within(apart, limit) && !(code = widen(limit, run)) &&
        !are_within(apart, limit))
        code =
            orr_fail(ORR_EWRONG,
                     "%d steps, halted after %d, end %.3g away, and %.3g in velocity, from where "
                     "they do in one run, which may be %.3g and %.3g",
                     run->steps, step, apart[0], apart[1], limit[0], limit[1]);
    orr_cell_run_release(&on);
    orr_cell_run_release(&to);
    orr_bodies_release(&from);
    return code;
}

/* How many bodies one step leaves elsewhere, or with another velocity, than the accelerations do
 * that the variant itself has at both ends. Sums of three terms are
 * rounded, and accelerations of one evaluation are not those of the next to the last digit. */
static size_t count_astray(const struct orr_cell_run *one, const struct orr_forces *start)
{
    static const double DIGITS = 0x1p-21;
    const struct orr_bodies *from = one->bodies;
    const struct orr_forces *end = &one->forces;
    const double dt = fabs(one->dt), noise = force_error(one) * median_apart(start->acc, NULL, one);
    size_t astray = 0;
    for (size_t i = 0; i < from->n; i++) {
        bool there = true;
        for (int d = 0; d < one->dimensions; d++) {
            double x = from->pos[d][i], v = from->vel[d][i], acc0 = start->acc[d][i],
                   acc = fabs(acc0), doubt = noise + force_error(one) * acc,
                   x_limit = DIGITS * (fabs(x) + fabs(v) * dt + acc * dt * dt) + doubt * dt * dt,
                   v_limit = DIGITS * (fabs(v) + acc * dt) + doubt * dt;
            x += v * one->dt + (one->euler ? 0 : acc0 * one->dt * one->dt / 2);
            v += one->euler ? acc0 * one->dt : (acc0 + end->acc[d][i]) * one->dt / 2;
            there =
                there && fabs(end->pos[d][i] - x) <= x_limit && fabs(end->vel[d][i] - v) <= v_limit;
        }
        astray += !there;
    }
    return astray;
}

/* One step from the start, of all bodies, against the accelerations of an evaluation there: a time
 * step or a kick that is wrong for some of many bodies leaves them elsewhere. */
static int check_one_step(struct orr_cell_run *run)
{
    struct orr_cell_run start = {0}, one = {0};
    const size_t n = run->bodies->n;
    const bool failed = run_from(&start, run, run->bodies, 0, &once) || orr_cell_run_keep(&start) ||
                        run_from(&one, run, run->bodies, 1, &once);
    const size_t astray = failed ? 0 : count_astray(&one, &start.kept_forces);
    orr_cell_run_release(&one);
    orr_cell_run_release(&start);
    if (failed || astray <= n / 100)
        return failed ? orr_error_failed() : 0;
    return orr_fail(ORR_EWRONG,
                    "one step leaves %zu of %zu bodies elsewhere than its velocities and "
                    "accelerations do",
                    astray, n);
}

/* An integration whose trajectory nobody can follow. */
static bool is_blind(const struct orr_cell_run *run)
{
    return run->steps > 0 && run->bodies->n > FEW && run->level < 0 && run->ranks <= 1;
}

int orr_cell_run_keep_first(struct orr_cell_run *run)
{
    if (run->steps < 2 || !is_blind(run))
        return 0;
    const int code = orr_cell_run_keep(run);
    run->first = run->kept_forces;
    run->kept_forces = (struct orr_forces){0};
    return code;
}

int orr_cell_run_check_pace(struct orr_cell_run *run, double seconds)
{
    const bool steady = is_direct(run) && run->on_host;
    const double pace = (steady ? PACE : PACE_OF_OTHERS) * (run->steps + 1);
    double least = INFINITY;
    if (run->steps < 2)
        return is_blind(run) ? check_one_step(run) : 0;
    if (!run->first.phi)
        return 0;
    uint64_t chance = orr_cell_run_seed();
    const int step = 1 + 2 * (int)orr_stats_random_below(&chance, (uint64_t)(run->steps / 2));
    if (time_evaluations(&least, run, EVALUATIONS))
        return orr_error_code();
    if (seconds < pace * least) {
        /* Another program may have come meanwhile, or the clock fallen: both once more. */
        struct orr_cell_run again = {0};
        const double count = CLOCK_RISES_S * (run->steps + 1) / seconds;
        const bool failed =
            run_from(&again, run, run->bodies, run->steps, &once) ||
            time_evaluations(&least, run, (int)fmin(MOST_EVALUATIONS, fmax(EVALUATIONS, count)));
        seconds = fmax(seconds, again.step_s);
        orr_cell_run_release(&again);
        if (failed)
            return orr_error_code();
    }
    if (seconds < pace * least)
        return orr_fail(ORR_ESUSPECT,
                        "%d steps take %.3g s, in which there is time for %.1f evaluations",
                        run->steps, seconds, seconds / least);
    return check_halt(run, step) || check_one_step(run) ? orr_error_failed() : 0;
}
