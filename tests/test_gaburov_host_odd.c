/* SPDX-License-Identifier: MIT */
/* The host variants of gaburov over bodies that no tree likes, and over steps. */
#include "gaburov_host_run.h"
#include "run/trajectory.h"

/* Exactly at theta = 0; at 0.5 within a large part of the terms, and finite. */
static void check_odd(struct orr_bodies *b, const char *what)
{
    static const char *const settings[] = {"theta=0.5",
                                           "theta=0.9 nleaf=1 opening=minimum-distance",
                                           "theta=0.7 nleaf=1000 opening=improved"};

    orr_bodies_round(b);
    check(TREE, b, "theta=0");
    check(SIMD, b, "theta=0 ngroup=8");
    check(SIMD, b, "theta=0 nleaf=2000 ngroup=8");
    for (int k = 0; k < 6; k++) {
        struct run r;
        make(&r, k % 2, b, settings[k / 2]);
        for (size_t i = 0; i < b->n; i++) {
            double sum[5], d[3];
            exact(sum, b, i, (double)(float)b->eps);
            for (int a = 0; a < 3; a++)
                d[a] = (double)r.out.acc[a][i] - sum[a];
            if (!(length(d) <= 0.4 * sum[4]) ||
                !(fabs((double)r.out.phi[i] - sum[3]) <= 0.4 * fabs(sum[3])))
                fail_msg("%s, %s, %s: body %zu is off by %g of %g, phi %g for %g", names[k % 2],
                         what, settings[k / 2], i, length(d), sum[4], (double)r.out.phi[i], sum[3]);
        }
        run_release(&r);
    }
    orr_bodies_release(b);
}

TEST(test_pairs_of_floats)
{
    const struct orr_variant *variant = plugins[SIMD].variant;

    check_pairs(variant, device, "theta=0 ngroup=8");
    check_far_cells(variant, device, "theta=0.6 nleaf=8 ngroup=20", 5e-4);
    check_far_cells(variant, device, "theta=0.3 nleaf=8 ngroup=20 multipole=monopole", 5e-4);
}

TEST(test_odd_places)
{
    for (int k = 0; k < 12; k++) {
        struct orr_bodies b = random_bodies(k < 8 ? 300 : 900, k % 2 ? 0 : 0.05);
        for (size_t i = 0; i < b.n; i++)
            for (int d = 0; d < 3; d++) {
                const int same = k / 2 == 0 || (k / 2 == 1 && i % 3) || (k / 2 == 4 && i > 100);
                if (same || (k / 2 == 2 && d != 1) || (k / 2 == 3 && d == 2))
                    b.pos[d][i] = k / 2 == 4 && i % 2 ? -0.7 : 0.25;
            }
        check_odd(&b, "many at one place, on a line, in a plane");
    }
}

TEST(test_odd_ranges)
{
    static const double sides[] = {1e-10, 1e-5, 1e6, 1e12};

    for (int k = 0; k < 8; k++) {
        struct orr_bodies b = random_bodies(400, k % 2 ? 0 : 0.01 * sides[k / 2]);
        for (size_t i = 0; i < b.n; i++)
            for (int d = 0; d < 3; d++)
                b.pos[d][i] *= sides[k / 2];
        check_odd(&b, "range");
        b = random_bodies(257, 0.01);
        b.pos[k % 3][100] = (k % 2 ? -1 : 1) * 10 * sides[k / 2];
        check_odd(&b, "one far away");
    }
}

TEST(test_massless_bodies)
{
    for (int k = 0; k < 4; k++) {
        struct orr_bodies b = random_bodies(500, 0.01);
        for (size_t i = 0; i < b.n; i++)
            b.mass[i] =
                k == 0 || (k == 1 && i % 3) || (k == 2 && b.pos[0][i] < 0.2) || (k == 3 && i)
                    ? 0
                    : b.mass[i];
        check_odd(&b, "massless bodies");
    }
}

/* Positions and velocities of the scheme with direct sums in double precision, and forces where the
 * bodies are then. */
TEST(test_steps)
{
    BODIES b = random_bodies(300, 0.1);
    struct orr_trajectory end;
    struct run r;
    char sha[65];

    orr_bodies_sha256(&b, sha);
    const struct orr_trajectory_of of = {
        .bodies = &b, .sha256 = sha, .eps = b.eps, .dt = 0.125, .steps = 4};
    assert_int_equal(orr_trajectory_make(&end, &of), 0);
    for (int k = 0; k < 4; k++) {
        make(&r, k % 2, &b, "theta=0 steps=4 dt=0.125");
        if (k > 1)
            run_step(&r, false);
        for (size_t i = 0; i < b.n; i++)
            for (int d = 0; d < 3; d++) {
                assert_true(fabs((double)r.out.pos[d][i] - end.pos[d][i]) < 1e-5);
                assert_true(fabs((double)r.out.vel[d][i] - end.vel[d][i]) < 1e-5);
            }
        assert_true(figure(&r, "leaf interactions") == 5.0 * 300 * 299);
        run_release(&r);
    }
    orr_trajectory_release(&end);
}

TEST(test_refusals)
{
    BODIES b = random_bodies(5, 0.1);

    for (int k = TREE; k <= SIMD; k++) {
        assert_refused(plugins[k].variant, device, &b, "steps=2 dt=0", ORR_EUSAGE, "time step");
        assert_refused(plugins[k].variant, device, &b, "theta=-1", ORR_EUSAGE, "theta");
    }
    assert_refused(plugins[SIMD].variant, device, &b, "ngroup=100000", ORR_EUSAGE, "ngroup");
}

RUN_TESTS(load, unload)
