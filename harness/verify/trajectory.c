/* SPDX-License-Identifier: MIT */
#include "verify/trajectory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/rng.h"
#include "error.h"
#include "memory.h"
#include "measure/stats.h"
#include "verify/verify.h"

const char *const orr_trajectory_names[ORR_TRAJECTORY_CHECKS] = {
    "shift of the positions in time, in steps,",
    "shift of the velocities in time, in steps,",
    "median distance of the positions",
    "distance of the positions, 95th percentile,",
    "median distance of the velocities",
    "distance of the velocities, 95th percentile,",
    "error of the energy",
    "error of the momentum",
    "way of the worst body, over what it is allowed,"};

/* Twins of a trajectory: enough that the largest of their distances is no accident. */
enum { TWINS = 3 };
/* A result may be so many times as far off as the worst of the twins. */
static const double MARGIN = 4;
/* Of one body, whose twins may all be near by accident; of the energy, which one close pair of
 * bodies may change for all. */
static const double BODY_MARGIN = 16, ENERGY_MARGIN = 64;
/* Quantiles of fewer bodies are those of one body. */
enum { FEW = 40 };
/* What is allowed besides: two units of the last digit, and of energy and momentum the rounding of
 * sums. A tenth of a step is nothing that a fault would shift by. */
static const double ROUNDING = 0x1p-22, TOTALS = 1e-6, SHIFT = 0.1;

/* How a trajectory is integrated: exactly, or as a twin. */
struct manner {
    bool single;        /* positions and velocities are rounded to single precision */
    double force_error; /* of every acceleration, in a direction that a body keeps */
    uint32_t twin;
};

void orr_trajectory_release(struct orr_trajectory *t)
{
    free(t->pos[0]);
    *t = (struct orr_trajectory){0};
}

/* to += by h */
static void add(double *const to[3], double *const by[3], size_t n, double h, bool single)
{
    for (int d = 0; d < 3; d++)
        for (size_t i = 0; i < n; i++) {
            double sum = to[d][i] + by[d][i] * h;
            to[d][i] = single ? (double)(float)sum : sum;
        }
}

static double length(double *const columns[3], size_t i)
{
    return sqrt(columns[0][i] * columns[0][i] + columns[1][i] * columns[1][i] +
                columns[2][i] * columns[2][i]);
}

/* Direct sums; of a twin with the end of each moved by a share of its length. */
static void accelerate(struct orr_trajectory *t, const struct orr_trajectory_of *of,
                       const struct manner *manner)
{
    const int dimensions = of->bodies->dimensions;
    const struct orr_sources sources = {
        t->n, {t->pos[0], t->pos[1], t->pos[2]}, of->bodies->mass, of->eps, {NULL}};
    orr_reference_accelerate(t->acc, &sources);
    for (size_t i = 0; manner->force_error > 0 && i < t->n; i++) {
        struct orr_rng rng = orr_rng_make(0, manner->twin, i);
        double to[3] = {0}, size = length(t->acc, i);
        if (dimensions == 2)
            orr_rng_circle(&rng, to);
        else
            orr_rng_sphere(&rng, to);
        for (int d = 0; d < dimensions; d++)
            t->acc[d][i] += manner->force_error * size * to[d];
    }
}

static int integrate(struct orr_trajectory *out, const struct orr_trajectory_of *of,
                     const struct manner *manner)
{
    const struct orr_bodies *b = of->bodies;
    const size_t n = b->n;
    const bool single = manner->single;
    double dt = single ? (double)(float)of->dt : of->dt;
    /* All columns, of one piece of memory that begins with pos[0]. */
    double **const columns[] = {out->pos, out->vel, out->acc, out->earlier_pos, out->earlier_vel};
    double *at = malloc(15 * n * sizeof *at);
    *out = (struct orr_trajectory){.n = n};
    if (!at)
        return orr_fail(ORR_EMEMORY, "no memory for the trajectories of %zu bodies", n);
    for (int k = 0; k < 15; k++, at += n)
        columns[k / 3][k % 3] = memcpy(at, (k / 3 % 3 ? b->vel : b->pos)[k % 3], n * sizeof *at);
    accelerate(out, of, manner);
    for (int step = 0; step < of->steps; step++) {
        memcpy(out->earlier_pos[0], out->pos[0], 3 * n * sizeof(double));
        memcpy(out->earlier_vel[0], out->vel[0], 3 * n * sizeof(double));
        if (!of->euler)
            add(out->vel, out->acc, n, dt / 2, single);
        add(out->pos, out->vel, n, dt, single);
        if (of->euler)
            add(out->vel, out->acc, n, dt, single);
        accelerate(out, of, manner);
        if (!of->euler)
            add(out->vel, out->acc, n, dt / 2, single);
    }
    return 0;
}

int orr_trajectory_make(struct orr_trajectory *out, const struct orr_trajectory_of *of)
{
    return integrate(out, of, &(struct manner){0});
}

struct orr_trajectory_error orr_trajectory_compare(const struct orr_trajectory *trajectory,
                                                   const struct orr_forces *moved, int dimensions)
{
    struct orr_trajectory_error sum = {0};
    for (size_t i = 0; i < trajectory->n; i++) {
        double got2 = 0, expected2 = 0;
        for (int d = 0; d < dimensions; d++) {
            double v = moved->vel[d][i], w = trajectory->vel[d][i],
                   apart = moved->pos[d][i] - trajectory->pos[d][i];
            sum.position += apart * apart;
            sum.velocity += (v - w) * (v - w);
            got2 += v * v;
            expected2 += w * w;
        }
        sum.speed += pow(sqrt(got2) - sqrt(expected2), 2);
    }
    return sum;
}

/* --- the judge --- */

/* Where bodies are, borrowed. */
struct place {
    double *const *pos, *const *vel;
};

struct weighted {
    double value, weight;
};

static double distance(double *const a[3], double *const b[3], size_t i)
{
    double sum = 0;
    for (int d = 0; d < 3; d++)
        sum += (a[d][i] - b[d][i]) * (a[d][i] - b[d][i]);
    return sqrt(sum);
}

static int by_weight(const void *a, const void *b)
{
    const struct weighted *x = a, *y = b;
    return (x->weight > y->weight) - (x->weight < y->weight);
}

/* Weights count up to twice the median one, so that few bodies never decide. Sorts by value. */
static void cap_weights(struct weighted *of, size_t n)
{
    qsort(of, n, sizeof *of, by_weight);
    const double most = n ? 2 * of[n / 2].weight : 0;
    for (size_t k = 0; k < n; k++)
        of[k].weight = fmin(of[k].weight, most);
    qsort(of, n, sizeof *of, orr_stats_ascending); /* by value, which is the first */
}

/* The q-quantile of what is sorted by value. */
static double weighted_quantile(const struct weighted *of, size_t n, double q)
{
    double part = 0, sum = 0;
    for (size_t k = 0; k < n; k++)
        part += of[k].weight * q;
    for (size_t k = 0; k < n; k++)
        if ((sum += of[k].weight) >= part)
            return of[k].value;
    return 0;
}

/* The time by which `got` is ahead of `expected`, which changes at `rate`: of the median body, each
 * weighted by its rate, for what rounding does to slow ones says nothing. `error` is what the
 * median owes to its being of so few bodies. */
static double shift(double *error, size_t n, double *const got[3], double *const expected[3],
                    double *const rate[3])
{
    struct weighted *shifts = orr_memory_get(n * sizeof *shifts);
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        double ahead = 0, size = length(rate, i);
        for (int d = 0; d < 3; d++)
            ahead += (got[d][i] - expected[d][i]) * rate[d][i];
        if (size > 0)
            shifts[count++] = (struct weighted){ahead / (size * size), size};
    }
    cap_weights(shifts, count);
    *error =
        count ? (weighted_quantile(shifts, count, 0.75) - weighted_quantile(shifts, count, 0.25)) /
                    sqrt((double)count)
              : 0;
    const double median = weighted_quantile(shifts, count, 0.5);
    free(shifts);
    return median;
}

/* Median and 95th percentile of |a - b|, with b = NULL of |a|. */
static void distances(double out[2], size_t n, double *const a[3], double *const b[3])
{
    double *apart = orr_memory_get(n * sizeof *apart);
    for (size_t i = 0; i < n; i++)
        apart[i] = b ? distance(a, b, i) : length(a, i);
    orr_stats_quantiles(apart, n, (double[]){0.5, 0.95}, 2, out);
    free(apart);
}

static struct orr_totals totals_of(const struct orr_trajectory_of *of, const struct place *at)
{
    const struct orr_sources sources = {
        of->bodies->n, {at->pos[0], at->pos[1], at->pos[2]}, of->bodies->mass, of->eps, {NULL}};
    struct orr_totals totals;
    orr_reference_totals(&totals, &sources,
                         (const double *const[3]){at->vel[0], at->vel[1], at->vel[2]});
    return totals;
}

static double ratio(double error, double size)
{
    return error == 0 ? 0 : error / size;
}

/* Fills in all but ASTRAY, and the errors of the two shifts. */
static void measure_checks(const struct orr_trajectory_judge *j, const struct orr_trajectory_of *of,
                           double value[ORR_TRAJECTORY_CHECKS], double error[2],
                           const struct place *at)
{
    const struct orr_trajectory *e = &j->expected;
    const struct orr_totals *t = &j->totals, got = totals_of(of, at);
    double dt = of->dt, momentum2 = 0;
    double ahead[2] = {shift(&error[0], e->n, at->pos, e->pos, e->vel),
                       shift(&error[1], e->n, at->vel, e->vel, e->acc)};
    for (int k = 0; k < 2; k++) {
        value[ORR_TRAJECTORY_POSITION_SHIFT + k] = dt != 0 ? fabs(ahead[k] / dt) : 0;
        error[k] = dt != 0 ? fabs(error[k] / dt) : 0;
    }
    distances(value + ORR_TRAJECTORY_POSITION_MEDIAN, e->n, at->pos, e->pos);
    distances(value + ORR_TRAJECTORY_VELOCITY_MEDIAN, e->n, at->vel, e->vel);
    for (int d = 0; d < 3; d++)
        momentum2 += pow(got.momentum[d] - t->momentum[d], 2);
    value[ORR_TRAJECTORY_ENERGY] = 0;
    if (e->n <= ORR_ENERGY_LIMIT)
        value[ORR_TRAJECTORY_ENERGY] =
            ratio(fabs(got.energy - t->energy), t->kinetic + fabs(t->energy - t->kinetic));
    value[ORR_TRAJECTORY_MOMENTUM] = ratio(sqrt(momentum2), t->momentum_scale);
    value[ORR_TRAJECTORY_ASTRAY] = 0;
}

static void set_floors(struct orr_trajectory_judge *j)
{
    const struct orr_trajectory *e = &j->expected;
    double *limit = j->limit;
    limit[ORR_TRAJECTORY_POSITION_SHIFT] = limit[ORR_TRAJECTORY_VELOCITY_SHIFT] = SHIFT;
    distances(limit + ORR_TRAJECTORY_POSITION_MEDIAN, e->n, e->pos, NULL);
    distances(limit + ORR_TRAJECTORY_VELOCITY_MEDIAN, e->n, e->vel, NULL);
    for (int k = ORR_TRAJECTORY_POSITION_MEDIAN; k <= ORR_TRAJECTORY_VELOCITY_P95; k++)
        limit[k] *= ROUNDING;
    limit[ORR_TRAJECTORY_ENERGY] = limit[ORR_TRAJECTORY_MOMENTUM] = TOTALS;
    limit[ORR_TRAJECTORY_ASTRAY] = 1;
}

/* Widens the limits by what the twins do. Two that fly apart to infinity allow everything. */
static void widen(struct orr_trajectory_judge *j, const struct orr_trajectory_of *of,
                  const struct orr_trajectory twins[TWINS])
{
    double most[ORR_TRAJECTORY_CHECKS] = {0}, value[TWINS][ORR_TRAJECTORY_CHECKS];
    const struct orr_trajectory *e = &j->expected;
    const double margin = e->n < FEW ? BODY_MARGIN : MARGIN;
#pragma omp parallel for num_threads(TWINS)
    for (int k = 0; k < TWINS; k++) {
        double error[2];
        measure_checks(j, of, value[k], error, &(struct place){twins[k].pos, twins[k].vel});
        value[k][ORR_TRAJECTORY_POSITION_SHIFT] += error[0];
        value[k][ORR_TRAJECTORY_VELOCITY_SHIFT] += error[1];
    }
    for (int k = 0; k < TWINS; k++) {
        for (size_t i = 0; i < e->n; i++) {
            j->by_twins[0][i] = fmax(j->by_twins[0][i], distance(twins[k].pos, e->pos, i));
            j->by_twins[1][i] = fmax(j->by_twins[1][i], distance(twins[k].vel, e->vel, i));
        }
        for (int c = 0; c < ORR_TRAJECTORY_CHECKS; c++)
            most[c] = isnan(value[k][c]) ? INFINITY : fmax(most[c], value[k][c]);
    }
    for (int c = 0; c < ORR_TRAJECTORY_CHECKS; c++)
        j->limit[c] += (c == ORR_TRAJECTORY_ENERGY ? ENERGY_MARGIN : margin) * most[c];
}

/* No body may be off by half its way, beyond what its twins and most bodies are off. */
static double astray(double *const got[3], double *const expected[3], double *const start[3],
                     const double *by_twins, double others, size_t n)
{
    double worst = 0;
    for (size_t i = 0; i < n; i++) {
        double off = distance(got, expected, i), way = distance(expected, start, i);
        worst = fmax(worst, ratio(off, way / 2 + BODY_MARGIN * by_twins[i] + others));
    }
    return worst;
}

/* The first check beyond its limit. */
static int examine(const struct orr_trajectory_judge *j, const struct orr_trajectory_of *of,
                   double value[ORR_TRAJECTORY_CHECKS], const struct place *at)
{
    const struct orr_trajectory *e = &j->expected;
    const struct orr_bodies *start = of->bodies;
    double error[2];
    int c = 0;
    measure_checks(j, of, value, error, at);
    value[ORR_TRAJECTORY_ASTRAY] = fmax(astray(at->pos, e->pos, start->pos, j->by_twins[0],
                                               j->limit[ORR_TRAJECTORY_POSITION_P95], e->n),
                                        astray(at->vel, e->vel, start->vel, j->by_twins[1],
                                               j->limit[ORR_TRAJECTORY_VELOCITY_P95], e->n));
    while (c < ORR_TRAJECTORY_CHECKS && value[c] <= j->limit[c])
        c++;
    return c;
}

/* The trajectory and its twins, a thread each: of so few bodies threads would wait for each other
 * at every step. */
int orr_trajectory_judge_make(struct orr_trajectory_judge *out, const struct orr_trajectory_of *of,
                              double force_error)
{
    const size_t n = of->bodies->n;
    struct orr_trajectory twins[TWINS] = {0};
    const struct orr_trajectory *e = &out->expected;
    double early[ORR_TRAJECTORY_CHECKS]; /* of a result that is one step short */
    int failed = 0;
    *out = (struct orr_trajectory_judge){
        .by_twins = {orr_memory_get(n * sizeof(double)), orr_memory_get(n * sizeof(double))}};
#pragma omp parallel for num_threads(TWINS + 1) reduction(| : failed)
    for (int k = 0; k <= TWINS; k++)
        failed |= k < TWINS
                      ? integrate(&twins[k], of, &(struct manner){true, force_error, (uint32_t)k})
                      : orr_trajectory_make(&out->expected, of);
    if (!failed) {
        out->totals = totals_of(of, &(struct place){e->pos, e->vel});
        out->blind = !isfinite(out->totals.momentum_scale);
    }
    if (!failed && !out->blind) {
        set_floors(out);
        widen(out, of, twins);
        out->blind = examine(out, of, early, &(struct place){e->earlier_pos, e->earlier_vel}) ==
                     ORR_TRAJECTORY_CHECKS;
    }
    for (int k = 0; k < TWINS; k++)
        orr_trajectory_release(&twins[k]);
    return failed ? orr_fail(ORR_EMEMORY, "no memory for the trajectories of %zu bodies", n) : 0;
}

void orr_trajectory_judge_release(struct orr_trajectory_judge *judge)
{
    orr_trajectory_release(&judge->expected);
    free(judge->by_twins[0]);
    free(judge->by_twins[1]);
    *judge = (struct orr_trajectory_judge){0};
}

int orr_trajectory_judge(double value[ORR_TRAJECTORY_CHECKS],
                         const struct orr_trajectory_judge *judge,
                         const struct orr_trajectory_of *of, const struct orr_forces *moved)
{
    struct orr_bodies got;
    memset(value, 0, ORR_TRAJECTORY_CHECKS * sizeof *value);
    if (!isfinite(judge->totals.momentum_scale))
        return 0;
    if (orr_bodies_make(&got, of->bodies->n, of->bodies->dimensions))
        return orr_error_code();
    orr_verify_place(&got, moved, got.dimensions);
    const int beyond = examine(judge, of, value, &(struct place){got.pos, got.vel});
    orr_bodies_release(&got);
    return beyond == ORR_TRAJECTORY_CHECKS
               ? 0
               : orr_fail(ORR_EWRONG, "after %d steps the %s is %.3g, above the limit %.3g",
                          of->steps, orr_trajectory_names[beyond], value[beyond],
                          judge->limit[beyond]);
}

/* Pairs of one trajectory of a small-N cell: the variant's, the reference's and the twins' take
 * about a second of two cores. */
static const double SMALL_N_PAIRS = 5e7;
enum { SMALL_N_MOST = 1024 };

size_t orr_trajectory_small_n(const struct orr_dataset *set, size_t n, int level, int steps)
{
    size_t step = set->boxed ? (size_t)1 << 2 * level : set->multiple;
    size_t lowest = (set->min_n + step - 1) / step * step;
    double most = fmin(SMALL_N_MOST, sqrt(SMALL_N_PAIRS / (fmax(steps, 0) + 1.0)));
    size_t few = (size_t)most / step * step;
    few = few < lowest ? lowest : few;
    return few < n ? few : n;
}

/* --- without a trajectory --- */

/* So many units of the last digit cannot be lost by accident. */
static const double SURELY = 64 * 0x1p-23, STILL = 0.01;

static double norm(const double a[3])
{
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

int orr_trajectory_still(const struct orr_trajectory_of *of, const struct orr_forces *moved)
{
    /* Positions of Euler's scheme move by the velocities at the start of each step, so half a step
     * of what changes is missing from their mean. */
    const double t = of->steps * of->dt, half = t / 2 - (of->euler ? of->dt / 2 : 0);
    const struct orr_bodies *b = of->bodies;
    size_t moves = 0, changes = 0, stays = 0, keeps = 0;
#pragma omp parallel for schedule(static) \
    reduction(+ : moves, changes, stays, keeps) if (b->n > ORR_BODIES_MANY)
    for (size_t i = 0; i < b->n; i++) {
        double x[3] = {0}, v[3] = {0}, a[3] = {0}, mean[3] = {0}, ahead[3] = {0};
        bool stands = true, holds = true;
        for (int d = 0; d < b->dimensions; d++) {
            x[d] = b->pos[d][i];
            v[d] = b->vel[d][i];
            a[d] = moved->acc[d][i];
            stands &= moved->pos[d][i] == x[d];
            holds &= moved->vel[d][i] == v[d];
            mean[d] = t * v[d] + half * (moved->vel[d][i] - v[d]);
            ahead[d] = t * (v[d] + a[d] * half);
        }
        if (fmax(norm(mean), norm(ahead)) > SURELY * norm(x)) {
            moves++;
            stays += stands;
        }
        if (fabs(t) * norm(a) > SURELY * norm(v)) {
            changes++;
            keeps += holds;
        }
    }
    const double share = fmax((double)stays / (double)moves,
                              (double)keeps / (double)changes); /* no NAN: none must */
    return share > STILL ? orr_fail(ORR_EWRONG,
                                    "after %d steps the share of the bodies that stand still is "
                                    "%.3g, above the limit %.3g",
                                    of->steps, share, STILL)
                         : 0;
}
