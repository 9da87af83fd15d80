/* Where direct sums take bodies, and the cost of being elsewhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/bodies.h"
#include "measure/stats.h"
#include "run/verify.h"
#include "run/referee_cache.h"
#include "tests/random_for_tests.h"

static struct orr_bodies cloud(size_t n, int dimensions)
{
    struct orr_bodies b = {0};
    assert_int_equal(orr_bodies_make(&b, n, dimensions), 0);
    for (size_t i = 0; i < n; i++) {
        for (int d = 0; d < dimensions; d++) {
            b.pos[d][i] = uniform() - 0.5;
            b.vel[d][i] = uniform() - 0.5;
        }
        b.mass[i] = 0.1 + uniform() / (double)n;
    }
    return b;
}

static struct orr_trajectory follow(const struct orr_bodies *b, double eps, double dt, int steps)
{
    const struct orr_trajectory_of of = {b, "any", eps, dt, steps};
    struct orr_trajectory t;
    assert_int_equal(orr_trajectory_make(&t, &of), 0);
    assert_int_equal(t.n, b->n);
    return t;
}

static void close_to(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.17g is not %.17g within %g", value, expected, tolerance);
}

/* Two bodies on circles around their centre of mass, at distance 1: angular velocity sqrt(m1 + m2).
 * The scheme's angle runs ahead by (dt w)^2 / 24. */
static void two_bodies_on_circles(void **state)
{
    (void)state;
    enum { STEPS = 1000 };
    double m[2] = {0.3 + uniform(), 0.3 + uniform()}, w = sqrt(m[0] + m[1]), turn = 0.5 + uniform();
    double angle = 6.28 * uniform(), dt = turn / w / STEPS;
    struct orr_bodies b;
    assert_int_equal(orr_bodies_make(&b, 2, 2), 0);
    for (int i = 0; i < 2; i++) {
        double radius = (i ? -m[0] : m[1]) / (m[0] + m[1]);
        b.mass[i] = m[i];
        b.pos[0][i] = radius * cos(angle), b.pos[1][i] = radius * sin(angle);
        b.vel[0][i] = -radius * w * sin(angle), b.vel[1][i] = radius * w * cos(angle);
    }
    struct orr_trajectory t = follow(&b, 0, dt, STEPS);
    for (int i = 0; i < 2; i++) {
        double radius = (i ? -m[0] : m[1]) / (m[0] + m[1]);
        close_to(t.pos[0][i], radius * cos(angle + turn), 1e-6);
        close_to(t.pos[1][i], radius * sin(angle + turn), 1e-6);
        close_to(t.vel[0][i], -radius * w * sin(angle + turn), 1e-6);
        close_to(t.vel[1][i], radius * w * cos(angle + turn), 1e-6);
    }
    assert_true(t.pos[2][0] == 0 && t.vel[2][1] == 0);
    orr_trajectory_release(&t);
    orr_bodies_release(&b);
}

/* One step by hand: two equal bodies at rest, softened. */
static void one_step_by_hand(void **state)
{
    (void)state;
    double x = 0.5 + uniform(), eps = 0.1 + uniform(), dt = 0.1 * uniform(), mass = uniform();
    struct orr_bodies b;
    assert_int_equal(orr_bodies_make(&b, 2, 3), 0);
    b.pos[1][0] = -x, b.pos[1][1] = x;
    b.mass[0] = b.mass[1] = mass;
    double a = mass * 2 * x / pow(4 * x * x + eps * eps, 1.5), y = -x + a * dt * dt / 2;
    double after = mass * -2 * y / pow(4 * y * y + eps * eps, 1.5);
    struct orr_trajectory t = follow(&b, eps, dt, 1);
    close_to(t.pos[1][0], y, 1e-14);
    close_to(t.vel[1][0], (a + after) * dt / 2, 1e-14);
    close_to(t.pos[1][1], -y, 1e-14);
    orr_trajectory_release(&t);
    orr_bodies_release(&b);
}

/* The scheme can be run backwards. */
static void comes_back(void **state)
{
    (void)state;
    struct orr_bodies b = cloud(50 + seed % 50, 3);
    struct orr_trajectory there = follow(&b, 0.1, 0.01, 20);
    struct orr_bodies end = b;
    for (int d = 0; d < 3; d++)
        end.pos[d] = there.pos[d], end.vel[d] = there.vel[d];
    struct orr_trajectory back = follow(&end, 0.1, -0.01, 20);
    for (int d = 0; d < 3; d++)
        for (size_t i = 0; i < b.n; i++) {
            close_to(back.pos[d][i], b.pos[d][i], 1e-11);
            close_to(back.vel[d][i], b.vel[d][i], 1e-11);
        }
    orr_trajectory_release(&there);
    orr_trajectory_release(&back);
    orr_bodies_release(&b);
}

/* What a variant would fetch that went exactly there, rounded to float. */
static struct orr_forces arrive(const struct orr_trajectory *t)
{
    struct orr_forces f;
    assert_int_equal(orr_verify_make_forces(&f, t->n, true), 0);
    orr_verify_poison_forces(&f, t->n);
    for (int d = 0; d < 2; d++)
        for (size_t i = 0; i < t->n; i++) {
            f.pos[d][i] = (float)t->pos[d][i];
            f.vel[d][i] = (float)t->vel[d][i];
        }
    return f;
}

static void costs_are_sums_of_squares(void **state)
{
    (void)state;
    struct orr_bodies b = cloud(200, 2);
    struct orr_trajectory t = follow(&b, 0.1, 0.01, 5);
    struct orr_forces f = arrive(&t);
    struct orr_trajectory_error cost = orr_trajectory_compare(&t, &f, 2);
    assert_true(cost.position >= 0 && cost.position < 200 * 1e-13);
    assert_true(cost.velocity >= 0 && cost.velocity < 200 * 1e-11 && cost.speed <= cost.velocity);
    double v2 = 0;
    for (size_t i = 0; i < b.n; i++) {
        f.pos[0][i] += 3, f.pos[1][i] -= 4;
        for (int d = 0; d < 2; d++) { /* as fast the other way */
            v2 += t.vel[d][i] * t.vel[d][i];
            f.vel[d][i] = -f.vel[d][i];
        }
    }
    cost = orr_trajectory_compare(&t, &f, 2);
    close_to(cost.position, 200 * 25, 0.01);
    assert_true(cost.speed < 200 * 1e-11);
    close_to(cost.velocity, 4 * v2, 1e-5 * v2);
    for (size_t i = 0; i < b.n; i++)
        for (int d = 0; d < 2; d++)
            f.vel[d][i] *= 3;
    cost = orr_trajectory_compare(&t, &f, 2);
    close_to(cost.speed, 4 * v2, 1e-5 * v2);
    close_to(cost.velocity, 16 * v2, 1e-5 * v2);
    orr_verify_release_forces(&f);
    orr_trajectory_release(&t);
    orr_bodies_release(&b);
}

static void trajectories_are_kept(void **state)
{
    (void)state;
    struct orr_referee_cache *cache = calloc(1, sizeof *cache);
    struct orr_bodies b = cloud(20, 2);
    const struct orr_trajectory *first, *again, *other;
    struct orr_trajectory_of of = {&b, "a", 0.1, 0.01, 3};
    assert_int_equal(orr_referee_cache_trajectory(cache, &first, &of), 0);
    assert_int_equal(orr_referee_cache_trajectory(cache, &again, &of), 0);
    assert_ptr_equal(first, again);
    double x = first->pos[0][0];
    struct orr_trajectory_of others[] = {{&b, "b", 0.1, 0.01, 3},
                                         {&b, "a", 0.2, 0.01, 3},
                                         {&b, "a", 0.1, 0.02, 3},
                                         {&b, "a", 0.1, 0.01, 4}};
    for (size_t k = 0; k < 4; k++) {
        assert_int_equal(orr_referee_cache_trajectory(cache, &other, &others[k]), 0);
        assert_ptr_not_equal(first, other);
        assert_true(k == 0 || other->pos[0][0] != x);
    }
    for (int k = 0; k < 2 * ORR_REFEREE_CACHE_TRAJECTORIES; k++) { /* more than it holds */
        of.steps = 1 + k;
        assert_int_equal(orr_referee_cache_trajectory(cache, &other, &of), 0);
    }
    of.steps = 3;
    assert_int_equal(orr_referee_cache_trajectory(cache, &again, &of), 0);
    assert_true(again->pos[0][0] == x);
    for (int k = 0; k < ORR_REFEREE_CACHE_TRAJECTORIES; k++)
        orr_trajectory_release(&cache->trajectories[k].trajectory);
    free(cache);
    orr_bodies_release(&b);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_bodies_on_circles),
        cmocka_unit_test(one_step_by_hand),
        cmocka_unit_test(comes_back),
        cmocka_unit_test(costs_are_sums_of_squares),
        cmocka_unit_test(trajectories_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
