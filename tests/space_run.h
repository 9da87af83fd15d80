/* SPDX-License-Identifier: MIT */
/* Random bodies in space and their exact sums, for the tests of variants in three dimensions. */
#ifndef ORR_TEST_SPACE_RUN_H
#define ORR_TEST_SPACE_RUN_H

#include "variant_run.h"

static inline struct orr_bodies random_bodies(size_t n, double eps)
{
    struct orr_bodies b = bodies_made(n, 3);
    for (size_t i = 0; i < n; i++) {
        for (int d = 0; d < 3; d++) {
            b.pos[d][i] = 2 * uniform() - 1;
            b.vel[d][i] = 0.2 * uniform() - 0.1;
        }
        b.mass[i] = (0.1 + uniform()) / (double)n;
    }
    b.eps = eps;
    b.dt = 0.01;
    orr_bodies_round(&b);
    return b;
}

/* ax ay az phi of body i, and in sum[4] the sum of the terms' lengths: what fp32 errors are small
 * against. Bodies at one place without softening do not act on each other. */
static inline void exact(double sum[5], const struct orr_bodies *b, size_t i, double eps)
{
    const double *const *pos = (const double *const *)b->pos, *mass = b->mass;
    const double x = pos[0][i], y = pos[1][i], z = pos[2][i];
    double ax = 0, ay = 0, az = 0, phi = 0, lengths = 0;

#pragma omp simd reduction(+ : ax, ay, az, phi, lengths)
    for (size_t j = 0; j < b->n; j++) {
        const double dx = pos[0][j] - x, dy = pos[1][j] - y, dz = pos[2][j] - z;
        const double d2 = dx * dx + dy * dy + dz * dz, r2 = d2 + eps * eps;
        const bool acts = j != i && r2 > 0;
        const double near = (acts ? mass[j] : 0) / sqrt(acts ? r2 : 1);
        const double weight = near / (acts ? r2 : 1);
        ax += weight * dx;
        ay += weight * dy;
        az += weight * dz;
        phi -= near;
        lengths += fabs(weight) * sqrt(d2);
    }
    memcpy(sum, (const double[5]){ax, ay, az, phi, lengths}, 5 * sizeof *sum);
}

/* How far the acceleration of body i is from `sum`. */
static inline double acc_error(const struct run *r, size_t i, const double sum[5])
{
    double square = 0;

    for (int d = 0; d < 3; d++) /* in the plane nobody writes a third one */
        square += pow((d < r->job.bodies->dimensions ? (double)r->out.acc[d][i] : 0) - sum[d], 2);
    return sqrt(square);
}

/* Every acceleration within `bound` of the sum of its terms' lengths, but for `least`; every
 * potential within it too.
 */
static inline void check_within(const struct run *r, const char *what, double bound, double least)
{
    const struct orr_bodies *b = r->job.bodies;
    const double *eps = r->params; /* the first member of every variant's parameters */

    assert_true(r->out.has_phi);
    for (size_t i = 0; i < b->n; i++) {
        double sum[5];
        exact(sum, b, i, (double)(float)*eps);
        const double error = acc_error(r, i, sum), phi = (double)r->out.phi[i];
        if (!(error <= bound * sum[4] + least) || !(fabs(phi - sum[3]) <= bound * fabs(sum[3])))
            fail_msg("%s on %s, %s, n = %zu, body %zu: acc off by %g of %g, phi %.9g for %.9g",
                     r->variant->name, r->job.device->info.id, what, b->n, i, error, sum[4], phi,
                     sum[3]);
    }
}

static inline void check_forces(const struct run *r, const char *what)
{
    check_within(r, what, 1e-5, 1e-30);
}

/* The same for a run that ends with it. */
static inline void check_run(const struct orr_variant *variant, struct orr_device *device,
                             const struct orr_bodies *b, const char *settings, const char *what)
{
    RUN r = run_made(variant, device, b, settings);
    check_forces(&r, what);
}

/* Doubles about an origin far away, which single precision does not hold: a Plummer sphere with
 * binaries, 1e-6 apart, two bodies at one place and one that escaped. */
static inline struct orr_bodies bodies_of_doubles(size_t n)
{
    struct orr_bodies b = bodies_made(n, 3);
    for (int d = 0; d < 3; d++)
        b.origin[d] = 1e6 * (uniform() - 0.5);
    for (size_t i = 0; i < n; i++) {
        const double r = 1 / sqrt(pow(0.01 + 0.98 * uniform(), -2.0 / 3) - 1);
        double x[3], length = 0;
        for (int d = 0; d < 3; d++) {
            x[d] = uniform() - 0.5;
            length += x[d] * x[d];
        }
        for (int d = 0; d < 3; d++)
            b.pos[d][i] = b.origin[d] + r * x[d] / sqrt(length);
        b.mass[i] = (0.1 + uniform()) / (double)n;
    }
    for (size_t i = 3; i < n; i += 4)
        for (int d = 0; d < 3; d++)
            b.pos[d][i] = b.pos[d][i - 1] + (i % 16 == 3 ? 0 : 1e-6 * (uniform() - 0.5));
    if (n > 8)
        b.pos[0][n / 2] += 1e4;
    b.eps = 1e-5;
    return b;
}

/* The same in single precision, about the origin. */
static inline struct orr_bodies rounded_copy(const struct orr_bodies *b)
{
    struct orr_bodies to = bodies_made(b->n, 3);
    for (size_t i = 0; i < b->n; i++) {
        for (int d = 0; d < 3; d++)
            to.pos[d][i] = (double)(float)(b->pos[d][i] - b->origin[d]);
        to.mass[i] = (double)(float)b->mass[i];
    }
    to.eps = b->eps;
    return to;
}

/* Errors of accelerations, in terms of the lengths of their terms. */
struct errors {
    double mean, largest;
};
static inline struct errors errors_of(const struct run *r, const struct orr_bodies *b)
{
    struct errors e = {0, 0};

    for (size_t i = 0; i < b->n; i++) {
        double sum[5];
        exact(sum, b, i, (double)(float)b->eps);
        const double error = sum[4] > 0 ? acc_error(r, i, sum) / sum[4] : 0;
        e.mean += error / (double)b->n;
        e.largest = fmax(e.largest, error);
    }
    return e;
}

/* Pairs of floats hold bodies of doubles; single precision does not, and is right about the rounded
 * ones. */
static inline void check_pairs(const struct orr_variant *variant, struct orr_device *device,
                               const char *settings)
{
    static const size_t list[] = {1, 2, 3, 65, 333, 1000};

    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        BODIES b = bodies_of_doubles(list[k]);
        BODIES rounded = rounded_copy(&b);
        RUN r = run_made(variant, device, &b, filled("%s positions=pairs", settings));
        check_within(&r, "pairs of floats", 1e-5, 1e-30);
        if (errors_of(&r, &b).mean > 4e-7)
            fail_msg("%s, %s: pairs of floats err by %g", variant->name, settings,
                     errors_of(&r, &b).mean);
        RUN single = run_made(variant, device, &rounded, settings);
        check_within(&single, "single precision", 1e-5, 1e-30);
        assert_true(list[k] < 8 || errors_of(&single, &b).largest > 0.05);
    }
    BODIES b = bodies_of_doubles(9);
    assert_refused(variant, device, &b, filled("%s positions=pairs steps=1 dt=1", settings),
                   ORR_EUSAGE, "positions=pairs");
}

/* A cluster whose extent is some hundred spacings of floats, far from another: its cells act
 * to what theta allows by pairs of floats alone. */
static inline void check_far_cells(const struct orr_variant *variant, struct orr_device *device,
                                   const char *settings, double bound)
{
    BODIES b = random_bodies(1500, 1e-3);
    for (size_t i = 0; i < b.n; i++)
        for (int d = 0; d < 3; d++)
            b.pos[d][i] = i % 2 ? b.pos[d][i] : 2e5 * (d + 1) + b.pos[d][i];
    BODIES rounded = rounded_copy(&b);
    RUN r = run_made(variant, device, &b, filled("%s positions=pairs", settings));
    RUN single = run_made(variant, device, &rounded, settings);
    const double error = errors_of(&r, &b).mean;
    if (!(error < bound) || !(errors_of(&single, &b).mean > 10 * bound))
        fail_msg("%s with %s: accelerations are off by %g, in single precision by %g",
                 variant->name, settings, error, errors_of(&single, &b).mean);
}

/* A rod far away has no third moments: forces err by what its fourth ones do, and by much more
 * where a part of a second one is missing. */
static inline void check_second_moments(const struct orr_variant *variant,
                                        struct orr_device *device, const char *settings)
{
    static const double along[][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1},
                                      {0, 1, 1}, {1, 0, 1}, {1, 1, 0}};
    enum { ROD = 1000, FAR = 30 };

    for (int k = 0; k < 6; k++) {
        BODIES b = random_bodies(ROD + FAR, 0);
        for (size_t i = 0; i < b.n; i++) {
            for (int d = 0; d < 3; d++)
                b.pos[d][i] = i < ROD ? along[k][d] * ((double)i / (ROD - 1) - 0.5)
                                      : 6 + 2 * d + 0.1 * b.pos[d][i];
            b.mass[i] = i < ROD ? 1e-3 : 1e-18;
        }
        orr_bodies_round(&b);
        RUN r = run_made(variant, device, &b, settings);
        for (size_t i = ROD; i < b.n; i++) {
            double sum[5];
            exact(sum, &b, i, 0);
            if (!(acc_error(&r, i, sum) < 2e-5 * sum[4]))
                fail_msg("%s, rod %d: off by %g of %g", variant->name, k, acc_error(&r, i, sum),
                         sum[4]);
        }
    }
}

#endif
