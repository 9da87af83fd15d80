/* The fp64 reference and the judgement over it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/bodies.h"
#include "error.h"
#include "measure/stats.h"
#include "run/verify.h"

static struct orr_bodies cloud(size_t n, uint64_t seed)
{
    struct orr_bodies bodies = {0};
    assert_int_equal(orr_bodies_make(&bodies, n, 3), 0);
    for (size_t i = 0; i < n; i++) {
        for (int d = 0; d < 3; d++) {
            bodies.pos[d][i] = (double)(orr_random_next(&seed) >> 11) * 0x1p-53 - 0.5;
            bodies.vel[d][i] = (double)(orr_random_next(&seed) >> 11) * 0x1p-53 - 0.5;
        }
        bodies.mass[i] = 1 / (double)n;
    }
    orr_bodies_round(&bodies);
    return bodies;
}

static struct orr_sources sources_of(const struct orr_bodies *b, double eps)
{
    return (struct orr_sources){b->n, {b->pos[0], b->pos[1], b->pos[2]}, b->mass, eps};
}

static struct orr_reference reference_of(const struct orr_bodies *bodies, double eps)
{
    struct orr_reference reference;
    struct orr_sources sources = sources_of(bodies, eps);
    assert_int_equal(orr_reference_make(&reference, &sources, 1), 0);
    return reference;
}

static void close_to(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance * fabs(expected) + 1e-300))
        fail_msg("%.17g is not %.17g within %g", value, expected, tolerance);
}

/* Forces that are exactly the reference, rounded to float. */
static struct orr_forces right_forces(const struct orr_bodies *bodies, const struct orr_reference *reference)
{
    struct orr_forces forces;
    assert_int_equal(orr_forces_make(&forces, bodies->n, false), 0);
    orr_forces_poison(&forces, bodies->n);
    for (size_t k = 0; k < reference->count; k++) {
        for (int d = 0; d < 3; d++)
            forces.acc[d][reference->targets[k]] = (float)reference->acc[d][k];
        forces.phi[reference->targets[k]] = (float)reference->phi[k];
    }
    return forces;
}

/* Two bodies, by hand: eq. 1 with masses 2 and 3 at distance 2, eps = 1. */
static void two_bodies_by_hand(void **state)
{
    (void)state;
    struct orr_bodies b = {0};
    assert_int_equal(orr_bodies_make(&b, 2, 3), 0);
    b.pos[0][1] = 2;
    b.mass[0] = 2;
    b.mass[1] = 3;
    struct orr_reference r = reference_of(&b, 1);
    assert_int_equal(r.count, 2);
    close_to(r.acc[0][0], 3 * 2 / pow(5, 1.5), 1e-15);
    close_to(r.acc[0][1], -2 * 2 / pow(5, 1.5), 1e-15);
    close_to(r.phi[0], -3 / sqrt(5), 1e-15);
    close_to(r.scale[1], 2 * 2 / pow(5, 1.5), 1e-5);
    struct orr_totals totals;
    struct orr_sources sources = sources_of(&b, 1);
    b.vel[1][0] = 4;
    orr_reference_totals(&totals, &sources, (const double *const[3]){b.vel[0], b.vel[1], b.vel[2]});
    close_to(totals.energy, 0.5 * 2 * 16 - 6 / sqrt(5), 1e-15);
    close_to(totals.momentum[1], 8, 1e-15);
    orr_reference_release(&r);
    orr_bodies_release(&b);
}

/* The vectorised sums against a plain loop, at sizes around every vector width. */
static void agrees_with_a_plain_loop(void **state)
{
    (void)state;
    for (size_t n = 1; n < 40; n++) {
        struct orr_bodies b = cloud(n, n);
        struct orr_reference r = reference_of(&b, 0.01);
        for (size_t i = 0; i < n; i++) {
            double ax = 0, phi = 0;
            for (size_t j = 0; j < n; j++) {
                double dx = b.pos[0][j] - b.pos[0][i], dy = b.pos[1][j] - b.pos[1][i], dz = b.pos[2][j] - b.pos[2][i];
                double q = 1 / sqrt(dx * dx + dy * dy + dz * dz + 1e-4);
                ax += j == i ? 0 : b.mass[j] * q * q * q * dx;
                phi -= j == i ? 0 : b.mass[j] * q;
            }
            close_to(r.acc[0][i] + 10, ax + 10, 1e-13);
            close_to(r.phi[i], phi, 1e-13);
        }
        orr_reference_release(&r);
        orr_bodies_release(&b);
    }
}

static void samples_distinct_targets(void **state)
{
    (void)state;
    struct orr_bodies b = cloud(ORR_REFERENCE_ALL + 1, 3), all = cloud(ORR_REFERENCE_ALL, 3);
    struct orr_reference r = reference_of(&b, 0.01), whole = reference_of(&all, 0.01);
    assert_int_equal(r.count, ORR_REFERENCE_TARGETS);
    assert_true(r.count >= 1000);
    for (size_t k = 1; k < r.count; k++)
        assert_true(r.targets[k - 1] < r.targets[k] && r.targets[k] < b.n);
    assert_true(r.targets[0] < 50 && r.targets[r.count - 1] > b.n - 50);
    assert_int_equal(whole.count, ORR_REFERENCE_ALL);
    orr_reference_release(&r);
    orr_reference_release(&whole);
    orr_bodies_release(&b);
    orr_bodies_release(&all);
}

static const struct orr_bound bound = {1e-5, 1e-4, 1e-2};

static int judge(struct orr_errors *errors, const struct orr_forces *forces, const struct orr_reference *reference)
{
    orr_error_clear();
    assert_int_equal(orr_verify_errors(errors, forces, reference, 3), 0);
    return orr_verify_judge(errors, &bound);
}

static void judges_right_and_wrong(void **state)
{
    (void)state;
    struct orr_bodies b = cloud(500, 9);
    struct orr_reference r = reference_of(&b, 0.01);
    struct orr_forces f = right_forces(&b, &r);
    struct orr_errors e;
    assert_int_equal(orr_verify_finite(&f, b.n, 3), 0);
    assert_int_equal(judge(&e, &f, &r), 0);
    assert_true(e.max < 1e-6 && e.phi_max < 1e-6 && e.median <= e.p99 && e.p99 <= e.max);
    f.acc[1][77] *= 1.5f; /* one body */
    assert_int_equal(judge(&e, &f, &r), ORR_EWRONG);
    assert_non_null(strstr(orr_error_text(), "largest error"));
    for (size_t i = 0; i < 20; i++)
        f.acc[0][i] *= 1.001f; /* four in a hundred */
    assert_int_equal(judge(&e, &f, &r), ORR_EWRONG);
    assert_non_null(strstr(orr_error_text(), "p99 error"));
    orr_forces_release(&f);
    f = right_forces(&b, &r);
    f.phi[3] *= 2;
    assert_int_equal(judge(&e, &f, &r), ORR_EWRONG);
    assert_non_null(strstr(orr_error_text(), "potential"));
    f.has_phi = 0;
    assert_int_equal(judge(&e, &f, &r), 0);
    orr_error_clear();
    orr_forces_release(&f);
    orr_reference_release(&r);
    orr_bodies_release(&b);
}

static void names_the_first_body_that_is_not_finite(void **state)
{
    (void)state;
    struct orr_bodies b = cloud(100, 1);
    struct orr_reference r = reference_of(&b, 0.01);
    struct orr_forces f = right_forces(&b, &r);
    f.acc[2][41] = INFINITY;
    assert_int_equal(orr_verify_finite(&f, b.n, 3), ORR_EWRONG);
    assert_string_equal(orr_error_text(), "az of body 41 is infinite");
    assert_int_equal(orr_verify_finite(&f, b.n, 2), 0); /* a 2D variant writes no az */
    orr_error_clear();
    orr_forces_poison(&f, b.n);
    assert_int_equal(orr_verify_finite(&f, b.n, 3), ORR_EWRONG);
    assert_non_null(strstr(orr_error_text(), "ax of body 0 is not a number, or was never written"));
    orr_error_clear();
    orr_forces_release(&f);
    orr_reference_release(&r);
    orr_bodies_release(&b);
}

/* A single body feels nothing; anything but zero is wrong. */
static void one_body(void **state)
{
    (void)state;
    struct orr_bodies b = cloud(1, 1);
    struct orr_reference r = reference_of(&b, 0);
    struct orr_forces f = right_forces(&b, &r);
    struct orr_errors e;
    assert_int_equal(judge(&e, &f, &r), 0);
    assert_true(e.max == 0 && e.phi_max == 0);
    f.acc[0][0] = 1e-20f;
    assert_int_equal(judge(&e, &f, &r), ORR_EWRONG);
    orr_error_clear();
    orr_forces_release(&f);
    orr_reference_release(&r);
    orr_bodies_release(&b);
}

/* In the middle of a symmetric pair the force cancels: the error is judged against the terms, not against their sum. */
static void cancellation_has_a_floor(void **state)
{
    (void)state;
    struct orr_bodies b = {0};
    assert_int_equal(orr_bodies_make(&b, 3, 3), 0);
    b.pos[0][0] = -1;
    b.pos[0][1] = 1;
    b.mass[0] = b.mass[1] = b.mass[2] = 1;
    struct orr_reference r = reference_of(&b, 0);
    struct orr_forces f = right_forces(&b, &r);
    struct orr_errors e;
    f.acc[0][2] = 1e-8f;
    assert_int_equal(judge(&e, &f, &r), 0);
    close_to(e.max, 1e-8 / (1e-3 * 2), 1e-5);
    orr_forces_release(&f);
    orr_reference_release(&r);
    orr_bodies_release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_bodies_by_hand),
        cmocka_unit_test(agrees_with_a_plain_loop),
        cmocka_unit_test(samples_distinct_targets),
        cmocka_unit_test(judges_right_and_wrong),
        cmocka_unit_test(one_body),
        cmocka_unit_test(names_the_first_body_that_is_not_finite),
        cmocka_unit_test(cancellation_has_a_floor),
    };
    return cmocka_run_group_tests_name("verify", tests, NULL, NULL);
}
