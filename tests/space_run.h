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
    memset(sum, 0, 5 * sizeof *sum);
    for (size_t j = 0; j < b->n; j++) {
        double d[3], r2 = eps * eps, d2 = 0;
        for (int k = 0; k < 3; k++) {
            d[k] = b->pos[k][j] - b->pos[k][i];
            d2 += d[k] * d[k];
        }
        r2 += d2;
        if (j == i || r2 == 0)
            continue;
        for (int k = 0; k < 3; k++)
            sum[k] += b->mass[j] * d[k] / (r2 * sqrt(r2));
        sum[3] -= b->mass[j] / sqrt(r2);
        sum[4] += fabs(b->mass[j]) * sqrt(d2) / (r2 * sqrt(r2));
    }
}

/* How far the acceleration of body i is from `sum`. */
static inline double acc_error(const struct run *r, size_t i, const double sum[5])
{
    double square = 0;

    for (int d = 0; d < 3; d++)
        square += pow((double)r->out.acc[d][i] - sum[d], 2);
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
            fail_msg("%s on %s, %s, n = %zu, body %zu: acc off by %g of %g, phi %g for %g",
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

/* Positions and velocities after `steps` steps of the leap-frog scheme in fp64. */
static inline void integrate(struct orr_bodies *b, int steps, double dt)
{
    double(*acc)[5] = calloc(b->n, sizeof *acc);

    assert_non_null(acc);
    for (int step = 0; step <= steps; step++) {
        for (size_t i = 0; i < b->n; i++)
            exact(acc[i], b, i, (double)(float)b->eps);
        for (size_t i = 0; i < b->n; i++)
            for (int d = 0; d < 3; d++) {
                b->vel[d][i] += acc[i][d] * dt * (step == 0 || step == steps ? 0.5 : 1);
                b->pos[d][i] += step == steps ? 0 : b->vel[d][i] * dt;
            }
    }
    free(acc);
}

#endif
