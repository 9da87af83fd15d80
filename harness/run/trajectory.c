#include "run/trajectory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/rng.h"
#include "error.h"
#include "memory.h"
#include "measure/stats.h"
#include "run/verify.h"

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

/* Direct sums, or the caller's forces; of a twin with the end of each moved by a share of its
 * length. */
static int accelerate(struct orr_trajectory *t, const struct orr_trajectory_of *of,
                      const struct manner *manner)
{
    const int dimensions = of->bodies->dimensions;
    const struct orr_sources sources = {
        t->n, {t->pos[0], t->pos[1], t->pos[2]}, of->bodies->mass, of->eps, {NULL}};
    int code = 0;
    if (of->forces)
        code = of->forces(of->context, t->acc, &sources);
    else
        orr_reference_accelerate(t->acc, &sources);
    for (size_t i = 0; !code && manner->force_error > 0 && i < t->n; i++) {
        struct orr_rng rng = orr_rng_make(0, manner->twin, i);
        double to[3] = {0}, size = length(t->acc, i);
        if (dimensions == 2)
            orr_rng_circle(&rng, to);
        else
            orr_rng_sphere(&rng, to);
        for (int d = 0; d < dimensions; d++)
            t->acc[d][i] += manner->force_error * size * to[d];
    }
    return code;
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
    int code = accelerate(out, of, manner);
    for (int step = 0; step < of->steps && !code; step++) {
        memcpy(out->earlier_pos[0], out->pos[0], 3 * n * sizeof(double));
        memcpy(out->earlier_vel[0], out->vel[0], 3 * n * sizeof(double));
        if (!of->euler)
            add(out->vel, out->acc, n, dt / 2, single);
        add(out->pos, out->vel, n, dt, single);
        if (of->euler)
            add(out->vel, out->acc, n, dt, single);
        code = accelerate(out, of, manner);
        if (!of->euler)
            add(out->vel, out->acc, n, dt / 2, single);
    }
    return code;
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

struct judge {
    const struct orr_trajectory_of *of;
    struct orr_trajectory expected;
    struct orr_totals totals; /* of `expected` */
    double *apart;            /* n numbers to work with */
    double *by_twins[2];      /* largest distance of the twins' positions and velocities, a body */
    struct orr_weighted {
        double value, weight;
    } * shifts;
};

static double distance(double *const a[3], double *const b[3], size_t i)
{
    double sum = 0;
    for (int d = 0; d < 3; d++)
        sum += (a[d][i] - b[d][i]) * (a[d][i] - b[d][i]);
    return sqrt(sum);
}

static int by_value(const void *a, const void *b)
{
    const struct orr_weighted *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

static int by_weight(const void *a, const void *b)
{
    const struct orr_weighted *x = a, *y = b;
    return (x->weight > y->weight) - (x->weight < y->weight);
}

/* The q-quantile. Weights count up to twice the median one, so that few bodies never decide.
 * Sorts. */
static double weighted_quantile(struct orr_weighted *of, size_t n, double q)
{
    double part = 0, sum = 0;
    qsort(of, n, sizeof *of, by_weight);
    double most = n ? 2 * of[n / 2].weight : 0;
    for (size_t k = 0; k < n; k++) {
        of[k].weight = fmin(of[k].weight, most);
        part += of[k].weight * q;
    }
    qsort(of, n, sizeof *of, by_value);
    for (size_t k = 0; k < n; k++)
        if ((sum += of[k].weight) >= part)
            return of[k].value;
    return 0;
}

/* The time by which `got` is ahead of `expected`, which changes at `rate`: of the median body, each
 * weighted by its rate, for what rounding does to slow ones says nothing. `error` is what the
 * median owes to its being of so few bodies. */
static double shift(struct judge *j, double *error, double *const got[3], double *const expected[3],
                    double *const rate[3])
{
    size_t count = 0;
    for (size_t i = 0; i < j->expected.n; i++) {
        double ahead = 0, size = length(rate, i);
        for (int d = 0; d < 3; d++)
            ahead += (got[d][i] - expected[d][i]) * rate[d][i];
        if (size > 0)
            j->shifts[count++] = (struct orr_weighted){ahead / (size * size), size};
    }
    *error = count ? (weighted_quantile(j->shifts, count, 0.75) -
                      weighted_quantile(j->shifts, count, 0.25)) /
                         sqrt((double)count)
                   : 0;
    return weighted_quantile(j->shifts, count, 0.5);
}

static void distances(struct judge *j, double out[2], double *const a[3], double *const b[3])
{
    for (size_t i = 0; i < j->expected.n; i++)
        j->apart[i] = b ? distance(a, b, i) : length(a, i);
    orr_stats_quantiles(j->apart, j->expected.n, (double[]){0.5, 0.95}, 2, out);
}

static struct orr_totals totals_of(const struct judge *j, const struct place *at)
{
    const struct orr_sources sources = {j->expected.n,
                                        {at->pos[0], at->pos[1], at->pos[2]},
                                        j->of->bodies->mass,
                                        j->of->eps,
                                        {NULL}};
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
static void measure(struct judge *j, double value[ORR_TRAJECTORY_CHECKS], double error[2],
                    const struct place *at)
{
    const struct orr_trajectory *e = &j->expected;
    const struct orr_totals *t = &j->totals, got = totals_of(j, at);
    double dt = j->of->dt, momentum2 = 0;
    double ahead[2] = {shift(j, &error[0], at->pos, e->pos, e->vel),
                       shift(j, &error[1], at->vel, e->vel, e->acc)};
    for (int k = 0; k < 2; k++) {
        value[ORR_TRAJECTORY_POSITION_SHIFT + k] = dt != 0 ? fabs(ahead[k] / dt) : 0;
        error[k] = dt != 0 ? fabs(error[k] / dt) : 0;
    }
    distances(j, value + ORR_TRAJECTORY_POSITION_MEDIAN, at->pos, e->pos);
    distances(j, value + ORR_TRAJECTORY_VELOCITY_MEDIAN, at->vel, e->vel);
    for (int d = 0; d < 3; d++)
        momentum2 += pow(got.momentum[d] - t->momentum[d], 2);
    value[ORR_TRAJECTORY_ENERGY] = 0;
    if (e->n <= ORR_ENERGY_LIMIT)
        value[ORR_TRAJECTORY_ENERGY] =
            ratio(fabs(got.energy - t->energy), t->kinetic + fabs(t->energy - t->kinetic));
    value[ORR_TRAJECTORY_MOMENTUM] = ratio(sqrt(momentum2), t->momentum_scale);
    value[ORR_TRAJECTORY_ASTRAY] = 0;
}

static void set_floors(struct judge *j, double limit[ORR_TRAJECTORY_CHECKS])
{
    limit[ORR_TRAJECTORY_POSITION_SHIFT] = limit[ORR_TRAJECTORY_VELOCITY_SHIFT] = SHIFT;
    distances(j, limit + ORR_TRAJECTORY_POSITION_MEDIAN, j->expected.pos, NULL);
    distances(j, limit + ORR_TRAJECTORY_VELOCITY_MEDIAN, j->expected.vel, NULL);
    for (int k = ORR_TRAJECTORY_POSITION_MEDIAN; k <= ORR_TRAJECTORY_VELOCITY_P95; k++)
        limit[k] *= ROUNDING;
    limit[ORR_TRAJECTORY_ENERGY] = limit[ORR_TRAJECTORY_MOMENTUM] = TOTALS;
    limit[ORR_TRAJECTORY_ASTRAY] = 1;
}

/* Widens the limits by what the twins do. Two that fly apart to infinity allow everything. */
static int send_twins(struct judge *j, double limit[ORR_TRAJECTORY_CHECKS], double force_error)
{
    double most[ORR_TRAJECTORY_CHECKS] = {0}, value[ORR_TRAJECTORY_CHECKS] = {0}, error[2];
    const struct orr_trajectory *e = &j->expected;
    for (uint32_t k = 0; k < TWINS; k++) {
        struct orr_trajectory twin;
        int code = integrate(&twin, j->of, &(struct manner){true, force_error, k});
        if (!code) {
            measure(j, value, error, &(struct place){twin.pos, twin.vel});
            value[ORR_TRAJECTORY_POSITION_SHIFT] += error[0];
            value[ORR_TRAJECTORY_VELOCITY_SHIFT] += error[1];
        }
        for (size_t i = 0; !code && i < twin.n; i++) {
            j->by_twins[0][i] = fmax(j->by_twins[0][i], distance(twin.pos, e->pos, i));
            j->by_twins[1][i] = fmax(j->by_twins[1][i], distance(twin.vel, e->vel, i));
        }
        for (int c = 0; c < ORR_TRAJECTORY_CHECKS; c++)
            most[c] = isnan(value[c]) ? INFINITY : fmax(most[c], value[c]);
        orr_trajectory_release(&twin);
        if (code)
            return code;
    }
    double margin = e->n < FEW ? BODY_MARGIN : MARGIN;
    for (int c = 0; c < ORR_TRAJECTORY_CHECKS; c++)
        limit[c] += (c == ORR_TRAJECTORY_ENERGY ? ENERGY_MARGIN : margin) * most[c];
    return 0;
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

static int first_beyond(const double value[ORR_TRAJECTORY_CHECKS],
                        const double limit[ORR_TRAJECTORY_CHECKS])
{
    int c = 0;
    while (c < ORR_TRAJECTORY_CHECKS && value[c] <= limit[c])
        c++;
    return c;
}

static void examine(struct judge *j, double value[ORR_TRAJECTORY_CHECKS],
                    const double limit[ORR_TRAJECTORY_CHECKS], const struct place *at)
{
    double error[2];
    measure(j, value, error, at);
    const struct orr_trajectory *e = &j->expected;
    const struct orr_bodies *start = j->of->bodies;
    value[ORR_TRAJECTORY_ASTRAY] = fmax(astray(at->pos, e->pos, start->pos, j->by_twins[0],
                                               limit[ORR_TRAJECTORY_POSITION_P95], e->n),
                                        astray(at->vel, e->vel, start->vel, j->by_twins[1],
                                               limit[ORR_TRAJECTORY_VELOCITY_P95], e->n));
}

int orr_trajectory_judge(struct orr_trajectory_verdict *out, const struct orr_trajectory_of *of,
                         const struct orr_forces *moved, double force_error)
{
    const size_t n = of->bodies->n;
    struct judge j = {.of = of,
                      .apart = orr_memory_get(n * sizeof *j.apart),
                      .by_twins = {orr_memory_get(n * sizeof **j.by_twins),
                                   orr_memory_get(n * sizeof **j.by_twins)},
                      .shifts = orr_memory_get(n * sizeof *j.shifts)};
    const struct orr_trajectory *e = &j.expected;
    struct orr_bodies got = {0};
    *out = (struct orr_trajectory_verdict){0};
    int code = orr_trajectory_make(&j.expected, of);
    if (!code)
        code = orr_bodies_make(&got, n, of->bodies->dimensions);
    if (!code) {
        j.totals = totals_of(&j, &(struct place){e->pos, e->vel});
        orr_verify_place(&got, moved, got.dimensions, true);
        out->blind = !isfinite(j.totals.momentum_scale);
    }
    if (!code && !out->blind) {
        set_floors(&j, out->limit);
        code = send_twins(&j, out->limit, force_error);
    }
    if (!code && !out->blind) {
        double early[ORR_TRAJECTORY_CHECKS]; /* of a result that is one step short */
        examine(&j, early, out->limit, &(struct place){e->earlier_pos, e->earlier_vel});
        out->blind = first_beyond(early, out->limit) == ORR_TRAJECTORY_CHECKS;
        examine(&j, out->value, out->limit, &(struct place){got.pos, got.vel});
        int beyond = first_beyond(out->value, out->limit);
        if (beyond < ORR_TRAJECTORY_CHECKS)
            code = orr_fail(ORR_EWRONG, "after %d steps the %s is %.3g, above the limit %.3g",
                            of->steps, orr_trajectory_names[beyond], out->value[beyond],
                            out->limit[beyond]);
    }
    orr_bodies_release(&got);
    orr_trajectory_release(&j.expected);
    free(j.apart);
    free(j.by_twins[0]);
    free(j.by_twins[1]);
    free(j.shifts);
    return code;
}

/* Pairs of one trajectory of a companion: the variant's, the reference's and the twins' take about
 * a second of two cores. */
static const double COMPANION_PAIRS = 5e7;
enum { COMPANION_MOST = 1024 };

size_t orr_trajectory_companion(const struct orr_dataset *set, size_t n, int level, int steps)
{
    size_t step = set->boxed ? (size_t)1 << 2 * level : set->multiple;
    size_t lowest = (set->min_n + step - 1) / step * step;
    double most = fmin(COMPANION_MOST, sqrt(COMPANION_PAIRS / (fmax(steps, 0) + 1.0)));
    size_t few = (size_t)most / step * step;
    few = few < lowest ? lowest : few;
    return few < n ? few : n;
}

/* --- without a trajectory --- */

const char *const orr_trajectory_signs[ORR_TRAJECTORY_SIGNS] = {
    "share of the bodies that stand still",
    "time that the displacements take, off that of the steps,",
    "time that the changes of velocity take, off that of the steps,",
    "distance of the centre of mass from where its momentum leads"};

/* So many units of the last digit cannot be lost by accident. */
static const double SURELY = 64 * 0x1p-23;
static const double STILL = 0.01, TIME = 0.012, EXACT = 5e-3;
/* Clocks of many steps are estimates; less than a part of a step is for a companion to see. */
static const double PART_OF_A_STEP = 0.2;
/* Wider limits than this say nothing. */
static const double LOOSE = 0.5;

/* The start and the end of body i, accelerations of the end as the variant computed them. */
struct passage {
    double x[3], v[3], moved[3], changed[3], acc[3];
};

static struct passage passage_of(const struct orr_trajectory_ends *e, size_t i)
{
    struct passage p = {0};
    for (int d = 0; d < e->start->dimensions; d++) {
        p.x[d] = e->start->pos[d][i];
        p.v[d] = e->start->vel[d][i];
        p.moved[d] = e->moved->pos[d][i] - p.x[d];
        p.changed[d] = e->moved->vel[d][i] - p.v[d];
        p.acc[d] = e->moved->acc[d][i];
    }
    return p;
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double norm(const double a[3])
{
    return sqrt(dot(a, a));
}

/* Positions of Euler's scheme move by the velocities at the start of each step, so half a step of
 * what changes is missing from their mean. */
static double behind(const struct orr_trajectory_ends *e)
{
    return e->euler ? e->dt / 2 : 0;
}

/* Bodies that either end says must have moved, or changed their velocity, and did not by a bit. */
static double still(const struct orr_trajectory_ends *e)
{
    const double t = e->steps * e->dt, half = t / 2 - behind(e);
    size_t n = e->start->n, moves = 0, changes = 0, stays = 0, keeps = 0;
#pragma omp parallel for schedule(static) \
    reduction(+ : moves, changes, stays, keeps) if (n > ORR_BODIES_MANY)
    for (size_t i = 0; i < n; i++) {
        const struct passage p = passage_of(e, i);
        double mean[3], ahead[3];
        for (int d = 0; d < 3; d++) {
            mean[d] = t * p.v[d] + half * p.changed[d];
            ahead[d] = t * (p.v[d] + p.acc[d] * half);
        }
        if (fmax(norm(mean), norm(ahead)) > SURELY * norm(p.x)) {
            moves++;
            stays += norm(p.moved) == 0;
        }
        if (fabs(t) * norm(p.acc) > SURELY * norm(p.v)) {
            changes++;
            keeps += norm(p.changed) == 0;
        }
    }
    return fmax((double)stays / (double)moves,
                (double)keeps / (double)changes); /* which ignores NAN: none must */
}

/* What the targets say about time: how long the way, or the change of velocity, would take, over
 * the time of the steps, and how much the terms count that are not exact over many steps. */
struct clocks {
    struct orr_weighted *way, *change;
    double *bend, *turn;
    double *digits, *kicks; /* what rounding may take of the way, of the change */
};

static struct orr_weighted time_of(const double done[3], const double expected[3])
{
    double size = norm(expected);
    return (struct orr_weighted){size > 0 ? dot(done, expected) / (size * size) : 1, size};
}

/* The share of the acceleration's growth that counts in its mean over the steps: half of it where
 * it grows evenly, less half a step by Euler's scheme. A body that begins at rest feels it grow as
 * t^2, a third of it, to which leap-frog adds a sixth over the square of the number of steps; after
 * k steps of Euler's scheme it has grown as k (k - 1). */
static double share_of_growth(const struct passage *p, const struct orr_trajectory_ends *e)
{
    double t = e->steps * e->dt, steps = e->steps;
    double even = 0.5 - ratio(behind(e), t);
    double late = e->euler ? fmax(0, (1 - 2 / steps) / 3) : 1.0 / 3 + 1 / (6 * steps * steps);
    double rest = fmax(0, 1 - ratio(fabs(t) * norm(p->v), norm(p->moved)));
    return even - rest * (even - late);
}

/* x1 - x0 = T (v0 + v1) / 2 + T^2 (a0 - a1) / 12 and v1 - v0 = T (a0 + a1) / 2, to the next order
 * in T; leap-frog adds dt^2 (a0 - a1) / 6 and is then exact over one step. Euler's scheme takes
 * dt (v1 - v0) / 2 and dt^2 (a0 - a1) / 12 away, and then it is. */
static void read_clock(struct clocks *c, const struct orr_trajectory_ends *e, size_t k)
{
    const struct passage p = passage_of(e, e->reference->targets[k]);
    double t = e->steps * e->dt, way[3], change[3], bend[3], turn[3];
    double growth = share_of_growth(&p, e), half = t / 2 - behind(e);
    double own = e->euler ? -e->dt * e->dt / 12 : e->dt * e->dt / 6;
    for (int d = 0; d < 3; d++) {
        double a0 = e->reference->acc[d][k];
        bend[d] = (t * t / 12 + own) * (a0 - p.acc[d]);
        turn[d] = t * (a0 - p.acc[d]);
        way[d] = t * p.v[d] + half * p.changed[d] + bend[d];
        change[d] = t * (a0 + growth * (p.acc[d] - a0));
    }
    c->way[k] = time_of(p.moved, way);
    c->change[k] = time_of(p.changed, change);
    c->bend[k] = ratio(norm(bend), norm(way));
    c->turn[k] = ratio(norm(turn), norm(change));
    c->digits[k] = ratio(ROUNDING * norm(p.x), norm(way));
    c->kicks[k] = ratio(ROUNDING * norm(p.v), norm(change));
}

static void judge_clocks(struct orr_trajectory_plausibility *out,
                         const struct orr_trajectory_ends *e)
{
    size_t n = e->reference->count;
    struct clocks c = {.way = orr_memory_get(2 * n * sizeof *c.way),
                       .bend = orr_memory_get(4 * n * sizeof *c.bend)};
    c.change = c.way + n;
    c.turn = c.bend + n;
    c.digits = c.turn + n;
    c.kicks = c.digits + n;
    for (size_t k = 0; k < n; k++)
        read_clock(&c, e, k);
    bool many = e->steps > 1;
    double turn = many ? orr_stats_median(c.turn, n) : 0,
           estimate = many ? TIME + PART_OF_A_STEP / e->steps : EXACT;
    out->value[ORR_TRAJECTORY_DISPLACEMENT] = fabs(weighted_quantile(c.way, n, 0.5) - 1);
    out->limit[ORR_TRAJECTORY_DISPLACEMENT] =
        estimate + (many ? 2 * orr_stats_median(c.bend, n) : 0) + e->force_error +
        (1 + e->steps / 8.0) * orr_stats_median(c.digits, n);
    out->value[ORR_TRAJECTORY_CHANGE] = fabs(weighted_quantile(c.change, n, 0.5) - 1);
    out->limit[ORR_TRAJECTORY_CHANGE] = estimate + 2 * e->force_error + turn * turn / 2 +
                                        2 * e->steps * orr_stats_median(c.kicks, n);
    free(c.way);
    free(c.bend);
}

/* Over all bodies; those of each portion are added in their order, however many threads there
 * are. */
struct passages {
    double mass, force, digits2, moved[3], before[3], after[3]; /* the last two: momentum */
};
enum { PORTION = 65536 };

static struct passages sum_passages(const struct orr_trajectory_ends *e)
{
    struct passages all = {0};
    const size_t n = e->start->n, portions = (n + PORTION - 1) / PORTION;
#pragma omp parallel for ordered schedule(static, 1) if (n > ORR_BODIES_MANY)
    for (size_t k = 0; k < portions; k++) {
        struct passages part = {0};
        for (size_t i = k * PORTION; i < n && i < (k + 1) * PORTION; i++) {
            const struct passage p = passage_of(e, i);
            double m = e->start->mass[i];
            part.mass += m;
            part.force += m * norm(p.acc);
            part.digits2 += m * m * dot(p.x, p.x);
            for (int d = 0; d < 3; d++) {
                part.moved[d] += m * p.moved[d];
                part.before[d] += m * p.v[d];
                part.after[d] += m * (p.v[d] + p.changed[d]);
            }
        }
#pragma omp ordered
        {
            all.mass += part.mass;
            all.force += part.force;
            all.digits2 += part.digits2;
            for (int d = 0; d < 3; d++) {
                all.moved[d] += part.moved[d];
                all.before[d] += part.before[d];
                all.after[d] += part.after[d];
            }
        }
    }
    return all;
}

/* What sums over all bodies say, exactly but for rounding and for forces that do not cancel. */
static void judge_sums(struct orr_trajectory_plausibility *out, const struct orr_trajectory_ends *e)
{
    const struct passages all = sum_passages(e);
    double t = e->steps * e->dt, apart[3], gained[3];
    for (int d = 0; d < 3; d++) {
        apart[d] = all.moved[d] - t * (all.before[d] + all.after[d]) / 2;
        gained[d] = all.after[d] - all.before[d];
    }
    double wrong = e->force_error * fabs(t) * all.force, /* were all errors of one direction */
        digits = e->steps * sqrt(all.digits2) + fabs(t) * norm(all.after);
    out->value[ORR_TRAJECTORY_CENTRE] = ratio(norm(apart), all.mass);
    out->limit[ORR_TRAJECTORY_CENTRE] =
        ratio(fabs(t) * (norm(gained) / 2 + wrong / 16) + ROUNDING * digits, all.mass);
}

int orr_trajectory_plausible(struct orr_trajectory_plausibility *out,
                             const struct orr_trajectory_ends *ends)
{
    for (int k = 0; k < ORR_TRAJECTORY_SIGNS; k++)
        out->value[k] = out->limit[k] = NAN;
    if (ends->dt == 0 || ends->steps < 1)
        return 0;
    out->value[ORR_TRAJECTORY_STILL] = still(ends);
    out->limit[ORR_TRAJECTORY_STILL] = STILL;
    judge_sums(out, ends);
    if (ends->reference)
        judge_clocks(out, ends);
    for (int k = 0; k < ORR_TRAJECTORY_SIGNS; k++)
        if (!(out->limit[k] <= LOOSE || (k >= ORR_TRAJECTORY_CENTRE && isfinite(out->limit[k]))))
            out->value[k] = NAN;
    for (int k = 0; k < ORR_TRAJECTORY_SIGNS; k++)
        if (out->value[k] > out->limit[k])
            return orr_fail(ORR_EWRONG, "after %d steps the %s is %.3g, above the limit %.3g",
                            ends->steps, orr_trajectory_signs[k], out->value[k], out->limit[k]);
    return 0;
}
