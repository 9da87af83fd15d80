/* SPDX-License-Identifier: MIT */
#include "referee/eval_bodies.h"

#include <math.h>
#include <stdlib.h>

#include "datasets/formats/format.h"
#include "error.h"
#include "measure/stats.h"

/* A 2D variant takes 3D bodies only where they lie in the plane z = 0. */
static int check_dimensions(const struct orr_bodies *bodies, const struct orr_cell_run *run,
                            const char *path)
{
    if (run->dimensions == 3 || bodies->dimensions == 2)
        return 0;
    for (size_t i = 0; i < bodies->n; i++)
        if (bodies->pos[2][i] != 0)
            return orr_fail(ORR_EUSAGE, "%s: body %zu has z = %g, and %s is for 2 dimensions", path,
                            i, bodies->pos[2][i], run->variant);
    return 0;
}

static int check_range(const struct orr_bodies *bodies, const char *path)
{
    for (int c = 0; c < ORR_COLUMNS; c++)
        for (size_t i = 0; i < bodies->n; i++)
            if (!isfinite(orr_bodies_column(bodies, c)[i]))
                return orr_fail(ORR_EINPUT,
                                "%s: %sbody %zu does not fit single precision; scale the units",
                                path, c == ORR_COLUMNS - 1 ? "mass of " : "", i);
    return 0;
}

/* A few thousand bodies tell where half of all are. */
enum { ASKED = 4096 };

static double median(const double *values, size_t n)
{
    double some[ASKED];
    size_t count = n < ASKED ? n : ASKED;
    for (size_t k = 0; k < count; k++)
        some[k] = values[(size_t)((double)k * (double)n / (double)count)];
    qsort(some, count, sizeof *some, orr_stats_ascending);
    return some[(count - 1) / 2];
}

/* How far from 0 the bodies may lie, in their own extent, before another origin is worth it to
 * those that floats hold exactly. */
static const double FAR = 2;

/* Single precision is finest about the origin, which belongs where the bodies are: the middle of
 * the box would be moved by a single one far away. Where no value is rounded it stays. */
static double origin_of(const double *values, size_t n)
{
    double low = INFINITY, high = -INFINITY;
    int rounds = 0;
#pragma omp parallel for simd schedule(static) reduction(min                      \
                                                         : low) reduction(max     \
                                                                          : high) \
    reduction(|                                                                   \
              : rounds) if (n > ORR_BODIES_MANY)
    for (size_t i = 0; i < n; i++) {
        low = fmin(low, values[i]);
        high = fmax(high, values[i]);
        rounds |= (double)(float)values[i] != values[i];
    }
    if (!rounds && fmax(fabs(low), fabs(high)) <= FAR * (high - low))
        return 0;
    return median(values, n);
}

/* Rounds a column about an origin; whether a value changed by it. */
static bool round_column(double *to, const double *from, size_t n, double origin)
{
    int rounds = 0;
#pragma omp parallel for simd schedule(static) reduction(| : rounds) if (n > ORR_BODIES_MANY)
    for (size_t i = 0; i < n; i++) {
        to[i] = (double)(float)(from[i] - origin);
        rounds |= to[i] + origin != from[i];
    }
    return rounds;
}

/* The domain of the boxes, if any, moves along. */
static int round_bodies(struct orr_eval_bodies *b)
{
    struct orr_bodies *to = &b->shared.bodies;
    int code = orr_bodies_make(to, b->given.n, b->given.dimensions);
    if (code)
        return code;
    to->eps = b->given.eps;
    to->dt = b->given.dt;
    to->edge = b->given.edge;
    for (int d = 0; d < 2; d++)
        to->corner[d] = b->given.corner[d] - b->given.origin[d];
    for (int k = 0; k < ORR_COLUMNS; k++) {
        bool rounds = round_column(orr_bodies_column(to, k), orr_bodies_column(&b->given, k), to->n,
                                   k < 3 ? b->given.origin[k] : 0);
        b->rounded |= rounds && (k < 3 || k == ORR_COLUMNS - 1); /* velocities do not act */
    }
    for (size_t i = 0; i < to->n; i++) {
        b->massless += b->given.mass[i] == 0;
        b->weightless += b->given.mass[i] > 0 && to->mass[i] == 0;
    }
    orr_bodies_sha256(to, b->shared.sha256);
    return 0;
}

int orr_eval_bodies_read(struct orr_eval_bodies *out, const char *path,
                         const struct orr_cell_run *run)
{
    int code = orr_snapshot_read(&out->given, path);
    if (!code)
        code = check_dimensions(&out->given, run, path);
    for (int d = 0; d < 3 && !code; d++)
        out->given.origin[d] = origin_of(out->given.pos[d], out->given.n);
    if (!code)
        code = round_bodies(out);
    return code ? code : check_range(&out->shared.bodies, path);
}

void orr_eval_bodies_release(struct orr_eval_bodies *bodies)
{
    orr_bodies_release(&bodies->given);
    orr_bodies_release(&bodies->shared.bodies);
}

void orr_eval_bodies_extent(double *largest, double *heaviest, const struct orr_bodies *bodies)
{
    *largest = *heaviest = 0;
    for (size_t i = 0; i < bodies->n; i++) {
        *heaviest = fmax(*heaviest, bodies->mass[i]);
        for (int d = 0; d < 3; d++)
            *largest = fmax(*largest, fabs(bodies->pos[d][i] - bodies->origin[d]));
    }
}

const char *orr_eval_bodies_remedy(const struct orr_cell_run *run)
{
    return run->steps > 0 ? "steps begin in single precision, and only --set steps=0 takes doubles"
           : run->capabilities & ORR_TAKES_DOUBLES
               ? "--set positions=pairs takes them as given"
               : "a variant that takes doubles does (`doubles` in `orrery describe VARIANT`)";
}

/* Two that rounding alone put at one place. */
static int fail_merged(const struct orr_eval_bodies *b, const struct orr_cell_run *run,
                       double apart)
{
    const struct orr_bodies *shared = &b->shared.bodies;
    size_t first = b->shared.first, second = b->shared.second;
    double away = 0;
    for (int d = 0; d < 3; d++)
        away = fmax(away, fabs(shared->pos[d][first]));
    return orr_fail(ORR_EINPUT,
                    "bodies %zu and %zu are %.2g apart, but at one place in single precision, "
                    "whose numbers lie up to %.2g from another where these are, %.2g from most "
                    "bodies; %s",
                    first, second, apart, nextafterf((float)away, INFINITY) - (float)away, away,
                    orr_eval_bodies_remedy(run));
}

int orr_eval_bodies_check_softening(struct orr_eval_bodies *bodies, const struct orr_cell_run *run)
{
    struct orr_cached_set given = {.bodies = bodies->given};
    const struct orr_cached_set *shared = &bodies->shared;
    if (run->bodies == &bodies->given)
        return orr_cell_run_check_softening(&given, run->eps);
    int code = orr_cell_run_check_softening(&bodies->shared, run->eps);
    double apart = 0;
    for (int d = 0; d < 3 && shared->coincident && bodies->rounded; d++)
        apart =
            hypot(apart, given.bodies.pos[d][shared->first] - given.bodies.pos[d][shared->second]);
    if (!code || !(apart > 0))
        return code;
    orr_error_clear();
    return fail_merged(bodies, run, apart);
}

static void remark(json_t *notes, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void remark(json_t *notes, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    json_array_append_new(notes, json_vsprintf(format, values));
    va_end(values);
}

static void remark_softening(json_t *notes, const struct orr_bodies *given, double eps)
{
    if (given->softening[1] > given->softening[0])
        remark(notes,
               "the file has softenings of its own, %g to %g, which are not used: one length is "
               "for all bodies (--set eps=LENGTH)",
               given->softening[0], given->softening[1]);
    else if (given->softening[1] > 0 && fabs(eps / given->softening[1] - 1) > 1e-6)
        remark(notes,
               "the file has a softening of its own, %g, which is not used (--set eps=%g takes it)",
               given->softening[1], given->softening[1]);
    else if (given->eps > 0 && given->eps != eps)
        remark(notes, "the file's softening, %g, is not used", given->eps);
}

static void remark_masses(json_t *notes, const struct orr_eval_bodies *bodies,
                          const struct orr_cell_run *run)
{
    size_t n = bodies->given.n;
    if (bodies->massless == n)
        remark(notes, "all masses are 0: nothing acts, and every acceleration is 0");
    if (bodies->weightless && run->bodies != &bodies->given)
        remark(notes, "%zu of %zu masses are above 0 and round to 0 in single precision",
               bodies->weightless, n);
}

void orr_eval_bodies_remark(json_t *notes, const struct orr_eval_bodies *bodies,
                            const struct orr_cell_run *run, double gravity)
{
    const struct orr_bodies *b = &bodies->given;
    if (b->gravity > 0 && fabs(b->gravity / gravity - 1) > 0.01)
        remark(notes, "in the units that the file names G is %.6g: --units file takes it",
               b->gravity);
    if (b->expansion > 0)
        remark(notes,
               "the snapshot is cosmological, at a = %g: its lengths are comoving, and physical "
               "accelerations are those written divided by a^2",
               b->expansion);
    if (b->period > 0)
        remark(notes, "its box is periodic (%g): images of bodies are not summed", b->period);
    remark_softening(notes, b, run->eps);
    remark_masses(notes, bodies, run);
}
