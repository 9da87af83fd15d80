/* SPDX-License-Identifier: MIT */
/* Data sets milky-way, milky-way-numbers and merger: the published tables, equilibrium, and the
 * same bits for every number of threads. */
#include <omp.h>

#include "datasets/dataset.h"
#include "datasets/galaxy_math.h"
#include "datasets/galaxy.h"
#include "datasets/galaxy_tables.h"
#include "error.h"
#include "random_for_tests.h"
#include "tests/cases.h"

enum { X, Y, Z };
static const char *const names[] = {"milky-way", "milky-way-numbers"};
#define COUNT(table) ((int)(sizeof table / sizeof *table))

/* A galaxy and where its components stand: bodies from[c] ... from[c + 1] - 1. */
struct galaxy {
    struct orr_bodies bodies;
    size_t from[ORR_GALAXY_COMPONENTS + 1];
};

static struct galaxy make(enum orr_galaxy_reading reading, size_t n)
{
    struct galaxy g;
    size_t count[ORR_GALAXY_COMPONENTS];
    assert_done(orr_dataset_make(&g.bodies, names[reading], n, (uint64_t)random_below(1LL << 40)));
    orr_galaxy_split(count, n, reading);
    g.from[0] = 0;
    for (int c = 0; c < ORR_GALAXY_COMPONENTS; c++)
        g.from[c + 1] = g.from[c] + count[c];
    return g;
}

static double axis_distance(const struct orr_bodies *b, size_t i)
{
    return hypot(b->pos[X][i], b->pos[Y][i]);
}

static double radius_of(const struct orr_bodies *b, size_t i)
{
    return hypot(axis_distance(b, i), b->pos[Z][i]);
}

static double height_of(const struct orr_bodies *b, size_t i)
{
    return fabs(b->pos[Z][i]);
}

static void close_to(double got, double wanted, double tolerance, const char *what, double where)
{
    if (!(fabs(got - wanted) <= tolerance))
        fail_msg("%s at %g: %.6g, wanted %.6g +- %.2g", what, where, got, wanted, tolerance);
}

TEST(elementary_functions_are_right)
{
    for (int k = 0; k < 100000; k++) {
        double x = 1400 * uniform() - 700, y = exp(1380 * uniform() - 690), z = 14 * uniform() - 7;
        close_to(orr_galaxy_exp(x) / exp(x), 1, 1e-15, "exp", x);
        close_to(orr_galaxy_log(y), log(y), 1e-15 * fabs(log(y)) + 1e-16, "log", y);
        close_to(orr_galaxy_tanh(fabs(z)), tanh(fabs(z)), 1e-15, "tanh", fabs(z));
        close_to(orr_galaxy_erfc(z), erfc(z), 4e-15, "erfc", z);
    }
    assert_true(orr_galaxy_log(1) == 0 && orr_galaxy_exp(0) == 1 && orr_galaxy_exp(-1e4) == 0);
}

/* What share of component c lies inside `limit` by `measure` is `wanted`: within 5 standard
 * deviations of so many draws and half a unit of the fifth decimal place. */
static void check_share(const struct galaxy *g, int c,
                        double (*measure)(const struct orr_bodies *, size_t), double limit,
                        double wanted)
{
    double count = (double)(g->from[c + 1] - g->from[c]), inside = 0;
    for (size_t i = g->from[c]; i < g->from[c + 1]; i++)
        inside += measure(&g->bodies, i) <= limit;
    /* A handful of bodies is not spread like a bell. */
    double scatter = 5 * sqrt(wanted * (1 - wanted) / count) + 3 / count + 6e-6;
    close_to(inside / count, wanted, scatter, c == ORR_GALAXY_DISK ? "disk inside" : "mass inside",
             limit);
}

/* Of the exponential disk with its end, by the midpoint rule. */
static double disk_share(double limit)
{
    double sum[2] = {0};
    for (int k = 0; k < 40000; k++) {
        double r = (k + 0.5) * 1e-3, add = r * exp(-r / 2.817029) * erfc((r - 30) / sqrt(2));
        sum[0] += r < limit ? add : 0;
        sum[1] += add;
    }
    return sum[0] / sum[1];
}

TEST(bodies_follow_the_tables)
{
    static const double radii[] = {.1, .3, 1, 2, 4, 6, 9, 12, 16, 20, 25, 29, 31};
    for (int reading = ORR_GALAXY_MASSES; reading <= ORR_GALAXY_NUMBERS; reading++) {
        struct galaxy g = make((enum orr_galaxy_reading)reading, 200000);
        for (int k = 0; k < COUNT(orr_galaxy_bulge_points); k++)
            check_share(&g, ORR_GALAXY_BULGE, radius_of, orr_galaxy_bulge_points[k][0],
                        orr_galaxy_bulge_points[k][1]);
        for (int k = 0; k < COUNT(orr_galaxy_halo_points); k++)
            check_share(&g, ORR_GALAXY_HALO, radius_of, orr_galaxy_halo_points[k][0],
                        orr_galaxy_halo_points[k][1]);
        for (int k = 0; k < COUNT(radii); k++)
            check_share(&g, ORR_GALAXY_DISK, axis_distance, radii[k], disk_share(radii[k]));
        for (double z = 0.05; z < 3; z *= 1.5)
            check_share(&g, ORR_GALAXY_DISK, height_of, z, tanh(z / 0.439065));
        orr_bodies_release(&g.bodies);
    }
}

/* Sums over a component of m v^2 and of - m x.a, a from all bodies. The pull is softened below
 * 0.02, or one close pair may weigh as much as all others: pulls as 1 / d^2 have no variance, and
 * one seed in 200 gave a disk that was off by a quarter. */
static void virial(const struct galaxy *g, int c, double *kinetic, double *clausius)
{
    const struct orr_bodies *b = &g->bodies;
    double both[2] = {0};
#pragma omp parallel for reduction(+ : both)
    for (size_t i = g->from[c]; i < g->from[c + 1]; i++) {
        double dot = 0;
        for (size_t j = 0; j < b->n; j++) {
            double d[3] = {b->pos[X][j] - b->pos[X][i], b->pos[Y][j] - b->pos[Y][i],
                           b->pos[Z][j] - b->pos[Z][i]};
            double d2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 0.0004;
            double along = d[0] * b->pos[X][i] + d[1] * b->pos[Y][i] + d[2] * b->pos[Z][i];
            dot -= j == i ? 0 : b->mass[j] * along / (d2 * sqrt(d2));
        }
        both[0] += b->mass[i] * (b->vel[X][i] * b->vel[X][i] + b->vel[Y][i] * b->vel[Y][i] +
                                 b->vel[Z][i] * b->vel[Z][i]);
        both[1] += b->mass[i] * dot;
    }
    *kinetic = both[0];
    *clausius = both[1];
}

/* Over 200 seeds the virial ratio has the deviation `scatter`, which is mostly that of the halo's
 * mass within a radius. Its mean is `offset` from 1: softening weakens the bulge, and the disk's
 * velocities are moments of an approximate distribution. */
TEST(components_are_in_equilibrium)
{
    static const struct {
        double offset, scatter;
    } ratio[] = {{0.015, 0.029}, {0.015, 0.017}, {0.001, 0.009}};
    struct galaxy g = make(ORR_GALAXY_NUMBERS, 15000);
    for (int c = 0; c < ORR_GALAXY_COMPONENTS; c++) {
        double kinetic, clausius;
        virial(&g, c, &kinetic, &clausius);
        close_to(kinetic / clausius, 1 + ratio[c].offset, 5 * ratio[c].scatter,
                 "virial ratio of component", c);
    }
    orr_bodies_release(&g.bodies);
}

/* Of a column over `count` bodies. */
static double mean_of(const double *values, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum / (double)count;
}

/* Point masses on a parabola with pericentre 10. Where a galaxy is, its bulge says. */
TEST(galaxies_approach_on_a_parabola)
{
    enum { HALF = 100000 };
    size_t split[ORR_GALAXY_COMPONENTS];
    double d[3], v[3], mass = 0, d2 = 0, v2 = 0;
    BODIES b;
    assert_done(orr_dataset_make(&b, "merger", 2 * HALF, (uint64_t)random_below(1LL << 40)));
    orr_galaxy_split(split, HALF, ORR_GALAXY_MASSES);
    for (size_t i = 0; i < HALF; i++)
        mass += b.mass[i];
    for (int k = 0; k < 3; k++) {
        double momentum[2] = {0};
        for (size_t i = 0; i < 2 * HALF; i++)
            momentum[i / HALF] += b.mass[i] * b.vel[k][i];
        close_to((momentum[0] + momentum[1]) / mass, 0, 1e-6, "drift of the whole", 0);
        v[k] = (momentum[1] - momentum[0]) / mass;
        d[k] = mean_of(b.pos[k] + HALF, split[0]) - mean_of(b.pos[k], split[0]);
        d2 += d[k] * d[k];
        v2 += v[k] * v[k];
    }
    double along = d[0] * v[0] + d[1] * v[1] + d[2] * v[2];
    close_to(sqrt(d2), 100, 0.2, "distance", 0);
    close_to(v2 * sqrt(d2) / (4 * mass), 1, 3e-3, "kinetic over potential energy", 0);
    close_to((d2 * v2 - along * along) / (4 * mass), 10, 0.1, "pericentre", 0);
    assert_true(along < 0);
}

TEST(threads_change_nothing)
{
    static const char *const sets[] = {"milky-way", "milky-way-numbers", "merger"};
    int before = omp_get_max_threads();
    for (int s = 0; s < 3; s++) {
        char hash[3][65];
        for (int threads = 1; threads <= 3; threads++) {
            BODIES b;
            omp_set_num_threads(threads);
            assert_int_equal(orr_dataset_make(&b, sets[s], 10002, seed), 0);
            orr_bodies_sha256(&b, hash[threads - 1]);
        }
        assert_string_equal(hash[0], hash[1]);
        assert_string_equal(hash[0], hash[2]);
    }
    omp_set_num_threads(before);
}

TEST(no_two_bodies_are_at_one_place)
{
    static const char *const sets[] = {"milky-way", "milky-way-numbers", "merger"};
    for (int s = 0; s < 3; s++) {
        BODIES b;
        size_t i = 0, j = 0;
        assert_done(orr_dataset_make(&b, sets[s], 300000, (uint64_t)random_below(1 << 30)));
        assert_int_equal(orr_bodies_check(&b), 0);
        if (orr_bodies_coincident(&b, &i, &j))
            fail_msg("%s: %zu and %zu", sets[s], i, j);
    }
}

RUN_TESTS(NULL, NULL)
