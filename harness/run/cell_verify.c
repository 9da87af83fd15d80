/* What a referee holds a run's results to: its own references, trajectories and totals. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "clock.h"
#include "error.h"
#include "json_member.h"
#include "measure/ceiling.h"
#include "measure/stats.h"
#include "run/cell_run.h"

uint64_t orr_cell_run_seed(void)
{
    uint64_t seed = 0;
    if (getrandom(&seed, sizeof seed, 0) != sizeof seed)
        seed = (uint64_t)(1e9 * orr_clock_now());
    return seed | 1; /* 0 says that there is none */
}

/* Uniform in [0, 1), a function of seed and body alone. */
static double random_of(uint64_t seed, uint64_t body)
{
    uint64_t state = seed + body * 0x9e3779b97f4a7c15u;
    return (double)(orr_stats_random_next(&state) >> 11) * 0x1p-53;
}

void orr_cell_run_masses(double *own, double *lent, const struct orr_bodies *bodies, uint64_t seed)
{
    double all = 0.5 + 0.5 * random_of(~seed, 0);
#pragma omp parallel for schedule(static) if (bodies->n > ORR_VERIFY_MANY)
    for (size_t i = 0; i < bodies->n; i++)
        own[i] = lent[i] = (float)(bodies->mass[i] * all * (0.75 + 0.5 * random_of(seed, i)));
}

static struct orr_reference_of reference_of(const struct orr_cell_run *run)
{
    return (struct orr_reference_of){run->bodies, run->sha256, run->eps, run->level, run->targets};
}

/* --- integrations --- */

static void widen_columns(double *const to[3], float *const from[3], size_t n, int dimensions)
{
    for (int d = 0; d < dimensions; d++) {
#pragma omp parallel for schedule(static) if (n > ORR_VERIFY_MANY)
        for (size_t i = 0; i < n; i++)
            to[d][i] = from[d][i];
    }
}

/* Energy and momentum before and after, once a run; those of the start are kept from run to run. */
static void conserve(struct orr_cell_run *run, const struct orr_sources *moved,
                     const double *const vel[3])
{
    run->conserved = true;
    struct orr_reference_of start = reference_of(run);
    orr_referee_cache_totals(&run->referee->cache, &run->start, &start);
    orr_reference_totals(&run->end, moved, vel);
    run->potential = run->forces.has_phi ? orr_cell_run_potential(run->bodies, &run->forces) : NAN;
}

/* Memory for as many bodies as any result of the cell has: to take it anew costs as much as to fill
 * it. */
static int have_room(struct orr_referee *referee, size_t n, int dimensions)
{
    struct orr_bodies *moved = &referee->moved;
    if (n > referee->moved_room || moved->dimensions != dimensions) {
        orr_bodies_release(moved);
        referee->moved_room = 0;
        int code = orr_bodies_make(moved, n, dimensions);
        if (code)
            return code;
        referee->moved_room = n;
    }
    moved->n = n;
    return 0;
}

int orr_cell_run_moved(const struct orr_bodies **out, const struct orr_cell_run *run,
                       const struct orr_forces *forces, bool velocities)
{
    struct orr_bodies *moved = &run->referee->moved;
    int code = have_room(run->referee, run->bodies->n, run->dimensions);
    *out = moved;
    if (!code)
        widen_columns(moved->pos, forces->pos, moved->n, run->dimensions);
    if (!code && velocities)
        widen_columns(moved->vel, forces->vel, moved->n, run->dimensions);
    return code;
}

/* --- accelerations --- */

/* Of a near field; the boxes of bodies that stay where they are are found once. */
static int make_near(struct orr_reference *out, const struct orr_cell_run *run,
                     const struct orr_bodies *at, const struct orr_sources *sources, int count,
                     const struct orr_targets *targets)
{
    const struct orr_reference_near *near;
    struct orr_reference_near own = {0};
    int code;
    if (at == run->bodies) {
        const struct orr_reference_of of = reference_of(run);
        code = orr_referee_cache_near(&run->referee->cache, &near, &of);
    } else {
        code = orr_reference_near_make(&own, at, run->level);
        near = &own;
    }
    if (!code)
        code = orr_reference_make_near(out, near, sources, count, targets);
    orr_reference_near_release(&own);
    return code;
}

/* The references of bodies with those masses, which are cached for nobody. Release each whatever is
 * returned. */
static int make_references(struct orr_reference *out, const struct orr_cell_run *run,
                           const struct orr_bodies *at, const struct orr_cell_result *results,
                           int count, const struct orr_targets *targets)
{
    struct orr_sources sources[ORR_REFERENCE_SETS];
    for (int k = 0; k < count; k++)
        sources[k] = (struct orr_sources){
            at->n, {at->pos[0], at->pos[1], at->pos[2]}, results[k].masses, run->eps};
    return run->level >= 0 ? make_near(out, run, at, sources, count, targets)
                           : orr_reference_make_each(out, sources, count, targets);
}

/* Of results over bodies at the same places. */
static int errors_at(struct orr_errors *errors, const struct orr_cell_run *run,
                     const struct orr_bodies *at, const struct orr_cell_result *results, int count,
                     const struct orr_targets *targets)
{
    struct orr_reference references[ORR_REFERENCE_SETS] = {0};
    int code = make_references(references, run, at, results, count, targets);
    for (int k = 0; k < count && !code; k++)
        code = orr_verify_errors(&errors[k], results[k].forces, &references[k], run->dimensions);
    for (int k = 0; k < count; k++)
        orr_reference_release(&references[k]);
    return code;
}

int orr_cell_run_errors(struct orr_errors *errors, const struct orr_cell_run *run,
                        const struct orr_cell_result *results, int count,
                        const struct orr_targets *targets)
{
    double start = orr_clock_now();
    int code = run->steps > 0 ? 0 : errors_at(errors, run, run->bodies, results, count, targets);
    for (int k = 0; k < count && !code && run->steps > 0; k++) {
        const struct orr_bodies *moved;
        code = orr_cell_run_moved(&moved, run, results[k].forces, false);
        if (!code)
            code = errors_at(&errors[k], run, moved, &results[k], 1, targets);
    }
    orr_referee_spend(run->referee, ORR_SPENT_REFERENCES, start);
    return code;
}

/* Bodies of each sample that are compared with the reference. */
enum { LOOK = 4 };

/* Names what is not. */
static int check_finite(const struct orr_cell_run *run)
{
    return run->taken.finite ? 0 : orr_verify_finite(&run->forces, run->bodies->n, run->dimensions);
}

int orr_cell_run_look(const struct orr_cell_run *run)
{
    struct orr_errors errors;
    const struct orr_bound only_worst = {INFINITY, INFINITY, run->bound.max, run->bound.by_terms};
    const struct orr_cell_result result = {&run->forces, run->masses};
    const struct orr_targets targets = {LOOK, orr_cell_run_seed(), true};
    int code = check_finite(run);
    if (!code)
        code = orr_cell_run_errors(&errors, run, &result, 1, &targets);
    return code ? code : orr_verify_judge(&errors, &only_worst);
}

static int compare(struct orr_cell_run *run, const struct orr_reference *reference)
{
    struct orr_errors errors;
    int code = orr_verify_errors(&errors, &run->forces, reference, run->dimensions);
    if (code)
        return code;
    orr_verify_widen(&run->errors, &errors);
    return orr_verify_judge(&errors, &run->bound);
}

/* An integration is verified at its end: its forces must be those at its positions. */
static int verify_moved(struct orr_cell_run *run)
{
    const struct orr_bodies *moved;
    struct orr_reference reference = {0};
    int code = orr_cell_run_moved(&moved, run, &run->forces, true);
    const struct orr_cell_result result = {&run->forces, run->bodies->mass};
    if (!code)
        code = make_references(&reference, run, moved, &result, 1, &run->targets);
    if (!code && !run->conserved) {
        double *const *pos = moved->pos, *const *vel = moved->vel;
        const struct orr_sources sources = {
            moved->n, {pos[0], pos[1], pos[2]}, run->bodies->mass, run->eps};
        conserve(run, &sources, (const double *const[3]){vel[0], vel[1], vel[2]});
    }
    if (!code)
        code = compare(run, &reference);
    orr_reference_release(&reference);
    return code;
}

static int verify_at_rest(struct orr_cell_run *run)
{
    const struct orr_reference *reference;
    struct orr_reference_of of = reference_of(run);
    int code = orr_referee_cache_reference(&run->referee->cache, &reference, &of);
    return code ? code : compare(run, reference);
}

int orr_cell_run_verify(struct orr_cell_run *run)
{
    double start = orr_clock_now();
    int code = check_finite(run);
    if (!code)
        code = run->steps > 0 ? verify_moved(run) : verify_at_rest(run);
    orr_referee_spend(run->referee, ORR_SPENT_REFERENCES, start);
    return code;
}

int orr_cell_run_trajectory_error(struct orr_cell_run *run, struct orr_trajectory_error *out)
{
    const struct orr_trajectory_of of = {.bodies = run->bodies,
                                         .sha256 = run->sha256,
                                         .eps = run->eps,
                                         .dt = run->dt,
                                         .steps = run->steps,
                                         .euler = run->euler};
    const struct orr_trajectory *trajectory;
    int code = orr_referee_cache_trajectory(&run->referee->cache, &trajectory, &of);
    if (!code)
        *out = orr_trajectory_compare(trajectory, &run->forces, run->dimensions);
    return code;
}

/* --- energy --- */

double orr_cell_run_potential(const struct orr_bodies *bodies, const struct orr_forces *forces)
{
    double sum = 0;
    for (size_t i = 0; i < bodies->n; i++)
        sum += 0.5 * bodies->mass[i] * forces->phi[i];
    return sum;
}

/* The run's settings with steps = 0. Returns how many there are. */
static int settings_at_rest(struct orr_setting out[ORR_MAX_SETTINGS + 1],
                            const struct orr_cell_run *run)
{
    int count = 0;
    for (int k = 0; k < run->setting_count; k++)
        if (strcmp(run->settings[k].name, "steps") != 0)
            out[count++] = run->settings[k];
    out[count] = (struct orr_setting){.name = "steps", .value = "0"};
    return count + 1;
}

int orr_cell_run_energy(struct orr_cell_run *run)
{
    if (run->steps == 0 || run->bodies->n <= ORR_ENERGY_LIMIT || isnan(run->potential))
        return 0;
    struct orr_setting settings[ORR_MAX_SETTINGS + 1];
    struct orr_cell_run start = orr_cell_run_again(run);
    start.settings = settings;
    start.setting_count = settings_at_rest(settings, run);
    int code = orr_cell_run_let_go(run, NULL);
    if (!code)
        code = orr_cell_run_begin(&start);
    if (!code)
        code = orr_cell_run_step(&start, &(struct orr_cell_steps){0});
    if (!code)
        code = orr_cell_run_verify(&start);
    if (!code) {
        run->start.energy = run->start.kinetic + orr_cell_run_potential(run->bodies, &start.forces);
        run->end.energy = run->end.kinetic + run->potential;
    }
    orr_cell_run_release(&start);
    return code ? orr_error_context("the energy at the start") : 0;
}

/* --- the work that is declared --- */

/* Declared numbers are doubles: sums beyond 2^53 are rounded. */
static const double ROUNDING = 1e-9;

int orr_cell_work_check_interactions(const struct orr_cell_run *run, json_t *cost)
{
    double declared = orr_json_number(cost, "interactions"), pairs;
    if (declared == 0 || (run->capabilities & ORR_TREE_CODE))
        return 0;
    if (run->level < 0) {
        pairs = (double)run->bodies->n * ((double)run->bodies->n - 1);
    } else {
        const struct orr_reference_of of = {
            .bodies = run->bodies, .sha256 = run->sha256, .level = run->level};
        const struct orr_reference_near *near;
        int code = orr_referee_cache_near(&run->referee->cache, &near, &of);
        if (code)
            return code;
        pairs = orr_reference_near_pairs(near);
    }
    pairs *= run->steps + 1.0;
    if (fabs(declared - pairs) <= ROUNDING * pairs)
        return 0;
    return orr_fail(ORR_EWRONG, "%.17g interactions are declared where there are %.17g", declared,
                    pairs);
}

/* A step may exceed a ceiling that was measured at a lower clock; a processor's, beside other
 * programs that it did not have beside it. */
static const double CLOCKS = 1.2, COMPANY = 3;

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

/* Pairs per second of the cheapest kind, matrix units for those that declare them; 0: unknown. */
static double ceiling_of(const struct orr_cell_run *run, json_t *ceiling)
{
    json_t *pairs = json_object_get(ceiling, "pairs");
    double of = fmax(orr_json_number(pairs, orr_cell_work_pair(0, run->dimensions)),
                     orr_json_number(pairs, orr_cell_work_pair(ORR_THIRD_LAW, run->dimensions)));
    if (run->capabilities & ORR_MATRIX_UNITS)
        of = orr_json_number(pairs, orr_cell_work_pair(ORR_MATRIX_UNITS, run->dimensions));
    const char *kind = orr_json_text(run->about, "device_kind");
    return of * (kind && !strcmp(kind, "gpu") ? CLOCKS : COMPANY);
}

int orr_cell_work_check_rate(const struct orr_cell_run *run, json_t *record, json_t *ceiling)
{
    double rate = orr_json_number(record, "interactions_per_second"),
           most = ceiling_of(run, ceiling) * (run->ranks > 1 ? run->ranks : 1);
    if (!(rate > most) || !(most > 0))
        return 0;
    return orr_fail(ORR_EWRONG, "%.3g interactions/s are above the ceiling of %s, %.3g", rate,
                    orr_json_text(run->about, "device_name"), most);
}
