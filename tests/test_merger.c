/* SPDX-License-Identifier: MIT */
/* Data set merger: the orbit of its two galaxies, and that its softening and time step conserve
 * energy. */
#include "datasets/dataset.h"
#include "datasets/galaxy.h"
#include "random_for_tests.h"
#include "tests/cases.h"

static struct orr_bodies make(size_t n)
{
    struct orr_bodies b;
    assert_done(orr_dataset_make(&b, "merger", n, (uint64_t)random_below(1LL << 40)));
    return b;
}

/* Mean of a column over `count` bodies. */
static double mean(const double *values, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum / (double)count;
}

static void close_to(double got, double wanted, double tolerance, const char *what)
{
    if (!(fabs(got - wanted) <= tolerance))
        fail_msg("%s: %.6g, wanted %.6g +- %.2g", what, got, wanted, tolerance);
}

/* Axis of rotation of the disk of galaxy g. */
static void spin_of(double axis[3], const struct orr_bodies *b, int g)
{
    size_t split[ORR_GALAXY_COMPONENTS];
    orr_galaxy_split(split, b->n / 2, ORR_GALAXY_MASSES);
    size_t from = (size_t)g * (b->n / 2) + split[ORR_GALAXY_BULGE], count = split[ORR_GALAXY_DISK];
    double centre[3], flow[3], size2 = 0;
    for (int k = 0; k < 3; k++) {
        centre[k] = mean(b->pos[k] + from, count);
        flow[k] = mean(b->vel[k] + from, count);
        axis[k] = 0;
    }
    for (size_t i = from; i < from + count; i++)
        for (int k = 0; k < 3; k++) {
            int p = (k + 1) % 3, q = (k + 2) % 3;
            axis[k] += (b->pos[p][i] - centre[p]) * (b->vel[q][i] - flow[q]) -
                       (b->pos[q][i] - centre[q]) * (b->vel[p][i] - flow[p]);
        }
    for (int k = 0; k < 3; k++)
        size2 += axis[k] * axis[k];
    for (int k = 0; k < 3; k++)
        axis[k] /= sqrt(size2);
}

TEST(disks_turn_about_their_axes)
{
    static const double axes[2][3] = {{0, -0.6, 0.8}, {0.8, 0, -0.6}};
    RELEASED_BY(orr_bodies_release) struct orr_bodies b = make(100000);
    for (int g = 0; g < 2; g++) {
        double axis[3];
        spin_of(axis, &b, g);
        for (int k = 0; k < 3; k++)
            close_to(axis[k], axes[g][k], 0.02, "axis of the disk");
    }
}

/* Point masses on a parabola with pericentre 10. Where a galaxy is, its bulge says. */
TEST(galaxies_approach_on_a_parabola)
{
    enum { HALF = 100000 };
    size_t split[ORR_GALAXY_COMPONENTS];
    double d[3], v[3], mass = 0, d2 = 0, v2 = 0;
    RELEASED_BY(orr_bodies_release) struct orr_bodies b = make(2 * HALF);
    orr_galaxy_split(split, HALF, ORR_GALAXY_MASSES);
    for (size_t i = 0; i < HALF; i++)
        mass += b.mass[i];
    for (int k = 0; k < 3; k++) {
        double momentum[2] = {0};
        for (size_t i = 0; i < 2 * HALF; i++)
            momentum[i / HALF] += b.mass[i] * b.vel[k][i];
        close_to((momentum[0] + momentum[1]) / mass, 0, 1e-6, "drift of the whole");
        v[k] = (momentum[1] - momentum[0]) / mass;
        d[k] = mean(b.pos[k] + HALF, split[0]) - mean(b.pos[k], split[0]);
        d2 += d[k] * d[k];
        v2 += v[k] * v[k];
    }
    double along = d[0] * v[0] + d[1] * v[1] + d[2] * v[2];
    close_to(sqrt(d2), 100, 0.2, "distance");
    close_to(v2 * sqrt(d2) / (4 * mass), 1, 3e-3, "kinetic over potential energy");
    close_to((d2 * v2 - along * along) / (4 * mass), 10, 0.1, "pericentre");
    assert_true(along < 0);
}

/* Accelerations; returns the potential energy. */
static double accelerate(const struct orr_bodies *b, double *const acc[3])
{
    double energy = 0;
#pragma omp parallel for reduction(+ : energy)
    for (size_t i = 0; i < b->n; i++) {
        double sum[4] = {0};
        for (size_t j = 0; j < b->n; j++) {
            double d[3], r2 = b->eps * b->eps;
            for (int k = 0; k < 3; k++) {
                d[k] = b->pos[k][j] - b->pos[k][i];
                r2 += d[k] * d[k];
            }
            double m = j == i ? 0 : b->mass[j] / sqrt(r2);
            for (int k = 0; k < 3; k++)
                sum[k] += m / r2 * d[k];
            sum[3] += m;
        }
        for (int k = 0; k < 3; k++)
            acc[k][i] = sum[k];
        energy -= b->mass[i] * sum[3] / 2;
    }
    return energy;
}

static double kinetic(const struct orr_bodies *b)
{
    double energy = 0;
    for (size_t i = 0; i < b->n; i++)
        for (int k = 0; k < 3; k++)
            energy += b->mass[i] * b->vel[k][i] * b->vel[k][i] / 2;
    return energy;
}

static void push(double *values, const double *rates, size_t n, double time)
{
    for (size_t i = 0; i < n; i++)
        values[i] += time * rates[i];
}

/* Leap-frog with the data set's own eps and dt: so few, heavy bodies are the hardest case. */
TEST(leapfrog_conserves_energy)
{
    enum { N = 1000, STEPS = 64 };
    static double x[N], y[N], z[N];
    double *const acc[3] = {x, y, z};
    RELEASED_BY(orr_bodies_release) struct orr_bodies b = make(N);
    double start = accelerate(&b, acc) + kinetic(&b), potential = 0;
    for (int step = 0; step < STEPS; step++) {
        for (int k = 0; k < 3; k++) {
            push(b.vel[k], acc[k], N, b.dt / 2);
            push(b.pos[k], b.vel[k], N, b.dt);
        }
        potential = accelerate(&b, acc);
        for (int k = 0; k < 3; k++)
            push(b.vel[k], acc[k], N, b.dt / 2);
    }
    close_to((potential + kinetic(&b)) / start, 1, 1e-3, "energy");
}

RUN_TESTS(NULL, NULL)
