/* SPDX-License-Identifier: MIT */
#include "verify/verify.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/stats.h"
#include "memory.h"

/* Where the terms of a sum cancel, errors are measured relative to at least this share of S, the
 * sum of their lengths. */
static const double CANCELLATION = 1e-3;
/* An error relative to zero; JSON has no infinity. */
static const double WRONG_ZERO = 1e30;

const char *const orr_verify_kinds[ORR_ERROR_KINDS] = {"relative", "by_mean", "by_terms"};
const double orr_verify_shares[ORR_ERROR_SHARES] = {0.999, 0.99, 0.95, 0.9,  0.75,  0.5,   0.25,
                                                    0.1,   0.05, 0.02, 0.01, 0.005, 0.002, 0.001};

const char *const orr_verify_columns[ORR_VERIFY_COLUMNS] = {"ax", "ay", "az", "phi", "x",
                                                            "y",  "z",  "vx", "vy",  "vz"};

static float **column(struct orr_forces *f, int k)
{
    return k < 3 ? &f->acc[k] : k == 3 ? &f->phi : k < 7 ? &f->pos[k - 4] : &f->vel[k - 7];
}

/* The columns of the output; NULL where a variant has none. */
static void columns(const struct orr_forces *f, float *out[ORR_VERIFY_COLUMNS])
{
    struct orr_forces copy = *f;
    for (int k = 0; k < ORR_VERIFY_COLUMNS; k++)
        out[k] = *column(&copy, k);
}

int orr_verify_make_forces(struct orr_forces *out, size_t n, bool integrates)
{
    *out = (struct orr_forces){0};
    for (int k = 0; k < (integrates ? ORR_VERIFY_COLUMNS : 4); k++)
        if (!(*column(out, k) = malloc(n * sizeof(float))))
            return orr_fail(ORR_EMEMORY, "no memory for the results of %zu bodies", n);
    return 0;
}

/* Values of a column that a core takes together: copied, they are still in its cache. */
enum { CHUNK = 65536 };

static bool all_finite(const float *values, size_t count)
{
    int bad = 0;
#pragma omp simd reduction(| : bad)
    for (size_t i = 0; i < count; i++)
        bad |= !(fabsf(values[i]) <= FLT_MAX);
    return !bad;
}

/* The columns that must be finite. */
static void judged_columns(const struct orr_forces *f, int dimensions,
                           float *out[ORR_VERIFY_COLUMNS])
{
    columns(f, out);
    if (!f->has_phi)
        out[3] = NULL;
    if (dimensions == 2)
        out[2] = out[6] = out[9] = NULL;
}

bool orr_verify_take(struct orr_forces *to, const struct orr_forces *from,
                     const struct orr_verify_image *of)
{
    float *source[ORR_VERIFY_COLUMNS], *target[ORR_VERIFY_COLUMNS], *judged[ORR_VERIFY_COLUMNS];
    const size_t n = of->n;
    columns(from, source);
    columns(to, target);
    judged_columns(from, of->dimensions, judged);
    int bad = 0;
#pragma omp parallel for schedule(static) reduction(| : bad) if (n > ORR_VERIFY_MANY)
    for (size_t first = 0; first < n; first += CHUNK) {
        const size_t count = n - first < CHUNK ? n - first : CHUNK, at = (first + of->shift) % n,
                     rest = n - at < count ? n - at : count; /* before the columns' end */
        for (int k = 0; k < ORR_VERIFY_COLUMNS; k++) {
            const int axis = (k - (k > 3)) % 3;
            if (!source[k])
                continue;
            memcpy(target[k] + first, source[k] + at, rest * sizeof *target[k]);
            memcpy(target[k] + first + rest, source[k], (count - rest) * sizeof *target[k]);
            for (size_t i = 0; k != 3 && of->mirrored >> axis & 1 && i < count; i++)
                target[k][first + i] = -target[k][first + i];
            bad |= judged[k] && !all_finite(target[k] + first, count);
        }
    }
    to->has_phi = from->has_phi;
    return !bad;
}

void orr_verify_place(struct orr_bodies *out, const struct orr_forces *from, int dimensions)
{
    const size_t n = out->n;
    for (int c = 0; c < 2 * dimensions; c++) {
        const int d = c % dimensions;
        double *to = c < dimensions ? out->pos[d] : out->vel[d];
        const float *column = c < dimensions ? from->pos[d] : from->vel[d];
#pragma omp parallel for schedule(static) if (n > ORR_VERIFY_MANY)
        for (size_t i = 0; i < n; i++)
            to[i] = column[i];
    }
}

void orr_verify_release_forces(struct orr_forces *forces)
{
    float *all[ORR_VERIFY_COLUMNS];
    columns(forces, all);
    for (int k = 0; k < ORR_VERIFY_COLUMNS; k++)
        free(all[k]);
    *forces = (struct orr_forces){0};
}

void orr_verify_poison_forces(struct orr_forces *forces, size_t n)
{
    float *all[ORR_VERIFY_COLUMNS];
    columns(forces, all);
    for (int k = 0; k < ORR_VERIFY_COLUMNS; k++) {
        float *column = all[k];
#pragma omp parallel for simd schedule(static) if (n > ORR_VERIFY_MANY)
        for (size_t i = 0; i < (column ? n : 0); i++)
            column[i] = NAN;
    }
    forces->has_phi = 1;
}

int orr_verify_finite(const struct orr_forces *forces, size_t n, int dimensions)
{
    float *all[ORR_VERIFY_COLUMNS];
    judged_columns(forces, dimensions, all);
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < ORR_VERIFY_COLUMNS; k++)
            if (all[k] && !isfinite(all[k][i]))
                return orr_fail(ORR_EWRONG, "%s of body %zu is %s", orr_verify_columns[k], i,
                                isnan(all[k][i]) ? "not a number, or was never written"
                                                 : "infinite");
    return 0;
}

static double relative(double error, double size)
{
    if (error == 0)
        return 0;
    return size > 0 ? fmin(error / size, WRONG_ZERO) : WRONG_ZERO;
}

/* Errors of the accelerations of all targets: reference->count of each kind, one kind after the
 * other. */
static void accelerations(double *errors, double *const acc[3],
                          const struct orr_reference *reference)
{
    size_t count = reference->count;
    double *by_mean = errors + ORR_ERROR_BY_MEAN * count,
           *by_terms = errors + ORR_ERROR_BY_TERMS * count, sum = 0;
    for (size_t k = 0; k < count; k++) {
        double error2 = 0, size2 = 0, terms = reference->scale[k];
        for (int d = 0; d < 3; d++) {
            error2 += pow(acc[d][k] - reference->acc[d][k], 2);
            size2 += pow(reference->acc[d][k], 2);
        }
        errors[k] = relative(sqrt(error2), fmax(sqrt(size2), CANCELLATION * terms));
        by_terms[k] = relative(sqrt(error2), terms);
        by_mean[k] = sqrt(error2);
        sum += sqrt(size2);
    }
    for (size_t k = 0; k < count; k++)
        by_mean[k] = relative(by_mean[k], sum / (double)count);
}

static double potential_error(const double *phi, const struct orr_reference *reference)
{
    double largest = 0;
    for (size_t k = 0; phi && k < reference->count; k++)
        largest = fmax(largest, relative(fabs(phi[k] - reference->phi[k]), -reference->phi[k]));
    return largest;
}

static void spread(struct orr_spread *out, const double *errors, size_t count)
{
    double q[ORR_ERROR_SHARES + 3] = {0.5, 0.99, 1}, values[ORR_ERROR_SHARES + 3];
    for (int k = 0; k < ORR_ERROR_SHARES; k++)
        q[k + 3] = 1 - orr_verify_shares[k];
    orr_stats_quantiles(errors, count, q, ORR_ERROR_SHARES + 3, values);
    *out = (struct orr_spread){.median = values[0], .p99 = values[1], .max = values[2]};
    memcpy(out->exceeded, values + 3, sizeof out->exceeded);
}

int orr_verify_reference_errors(struct orr_errors *out, const struct orr_reference *sums,
                                const struct orr_reference *reference)
{
    *out = (struct orr_errors){.targets = reference->count};
    double *errors = malloc((ORR_ERROR_KINDS * reference->count + 1) * sizeof *errors);
    if (!errors)
        return orr_fail(ORR_EMEMORY, "no memory to compare %zu targets", reference->count);
    accelerations(errors, sums->acc, reference);
    for (int kind = 0; kind < ORR_ERROR_KINDS; kind++)
        spread(&out->of[kind], errors + kind * reference->count, reference->count);
    out->phi_max = potential_error(sums->phi, reference);
    free(errors);
    return 0;
}

int orr_verify_errors(struct orr_errors *out, const struct orr_forces *forces,
                      const struct orr_reference *reference, int dimensions)
{
    const size_t count = reference->count;
    double *at = calloc(4 * count + 1, sizeof *at);
    if (!at)
        return orr_fail(ORR_EMEMORY, "no memory to compare %zu targets", count);
    struct orr_reference sums = {.acc = {at, at + count, at + 2 * count},
                                 .phi = forces->has_phi ? at + 3 * count : NULL};
    for (size_t k = 0; k < count; k++) {
        for (int d = 0; d < 3 && d < dimensions; d++)
            sums.acc[d][k] = forces->acc[d][reference->targets[k]];
        if (sums.phi)
            sums.phi[k] = forces->phi[reference->targets[k]];
    }
    int code = orr_verify_reference_errors(out, &sums, reference);
    free(at);
    return code;
}

void orr_verify_widen(struct orr_errors *worst, const struct orr_errors *now)
{
    for (int kind = 0; kind < ORR_ERROR_KINDS; kind++) {
        struct orr_spread *to = &worst->of[kind];
        const struct orr_spread *from = &now->of[kind];
        to->median = fmax(to->median, from->median);
        to->p99 = fmax(to->p99, from->p99);
        to->max = fmax(to->max, from->max);
        for (int k = 0; k < ORR_ERROR_SHARES; k++)
            to->exceeded[k] = fmax(to->exceeded[k], from->exceeded[k]);
    }
    worst->phi_max = fmax(worst->phi_max, now->phi_max);
    worst->targets = now->targets;
}

int orr_verify_judge(const struct orr_errors *errors, const struct orr_bound *bound)
{
    const struct orr_spread *error =
        &errors->of[bound->by_terms ? ORR_ERROR_BY_TERMS : ORR_ERROR_RELATIVE];
    const char *by = bound->by_terms ? " by terms" : "";
    const struct {
        const char *name;
        double error, bound;
    } checks[] = {{"median", error->median, bound->median},
                  {"p99", error->p99, bound->p99},
                  {"largest", error->max, bound->max},
                  {"largest potential", errors->phi_max, bound->max}};
    for (size_t k = 0; k < sizeof checks / sizeof *checks; k++)
        if (!(checks[k].error <= checks[k].bound))
            return orr_fail(ORR_EWRONG, "%s error%s %.2g above the bound %.2g", checks[k].name,
                            k < 3 ? by : "", checks[k].error, checks[k].bound);
    return 0;
}
