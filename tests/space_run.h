/* Random bodies in space and their exact sums, for the tests of variants in three dimensions. */
#ifndef ORR_TEST_SPACE_RUN_H
#define ORR_TEST_SPACE_RUN_H

#include "variant_run.h"

static inline struct orr_bodies random_bodies(size_t n, double eps)
{
    struct orr_bodies b;

    assert_int_equal(orr_bodies_make(&b, n, 3), 0);
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

/* ax ay az phi of body i, and in sum[4] the sum of the terms' lengths: what fp32 errors are small against. Bodies at
 * one place without softening do not act on each other. */
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
        sum[4] += b->mass[j] * sqrt(d2) / (r2 * sqrt(r2));
    }
}

static inline void check_forces(const struct run *r, const char *what)
{
    const struct orr_bodies *b = r->job.bodies;
    const double *eps = r->params; /* the first member of every variant's parameters */

    assert_true(r->out.has_phi);
    for (size_t i = 0; i < b->n; i++) {
        double sum[5], error = 0;
        exact(sum, b, i, (double)(float)*eps);
        for (int k = 0; k < 3; k++)
            error += pow((double)r->out.acc[k][i] - sum[k], 2);
        if (!(sqrt(error) <= 1e-5 * sum[4] + 1e-30) || !(fabs((double)r->out.phi[i] - sum[3]) <= 1e-5 * fabs(sum[3])))
            fail_msg("%s on %s, %s, n = %zu, body %zu: acc off by %g of %g, phi %g for %g", r->variant->name,
                     r->job.device->info.id, what, b->n, i, sqrt(error), sum[4], (double)r->out.phi[i], sum[3]);
    }
}

#endif
