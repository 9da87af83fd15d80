/* SPDX-License-Identifier: MIT */
/* The leap-frog scheme of the fujiwara variants: conservation, order, agreement, and what a step
 * costs. */
#include "fujiwara_run.h"

/* Total energy and momentum of positions and velocities in fp64. */
static void totals(double out[4], const struct orr_bodies *b, float *const pos[3],
                   float *const vel[3])
{
    BODIES moved = *b;

    memset(out, 0, 4 * sizeof *out);
    moved = bodies_made(b->n, 3);
    memcpy(moved.mass, b->mass, b->n * sizeof *b->mass);
    for (size_t i = 0; i < b->n; i++)
        for (int d = 0; d < 3; d++) {
            moved.pos[d][i] = pos ? (double)pos[d][i] : b->pos[d][i];
            moved.vel[d][i] = vel ? (double)vel[d][i] : b->vel[d][i];
        }
    for (size_t i = 0; i < b->n; i++) {
        double sum[5];
        exact(sum, &moved, i, b->eps);
        out[0] += 0.5 * b->mass[i] * sum[3];
        for (int d = 0; d < 3; d++) {
            out[0] += 0.5 * b->mass[i] * moved.vel[d][i] * moved.vel[d][i];
            out[1 + d] += b->mass[i] * moved.vel[d][i];
        }
    }
}

TEST_EVERY_FLOW(test_energy_and_momentum)
{
    BODIES b = random_bodies(150, 0.2);
    double before[4], after[4];

    RUN r = run_made(variant, device, &b, in_flow(variant, flow, "steps=100 dt=0.005"));
    totals(before, &b, NULL, NULL);
    totals(after, &b, r.out.pos, r.out.vel);
    assert_true(fabs(after[0] - before[0]) < 1e-4 * fabs(before[0]));
    for (int d = 1; d < 4; d++)
        assert_true(fabs(after[d] - before[d]) < 1e-6);
}

static double orbit_error(const struct orr_variant *variant, struct orr_device *device,
                          const struct orr_bodies *start, const struct orr_bodies *end,
                          const char *settings)
{
    double error = 0;
    struct run r;

    r = run_made(variant, device, start, settings);
    for (size_t i = 0; i < start->n; i++)
        for (int d = 0; d < 3; d++)
            error += pow((double)r.out.pos[d][i] - end->pos[d][i], 2) +
                     pow((double)r.out.vel[d][i] - end->vel[d][i], 2);
    run_release(&r);
    return sqrt(error);
}

/* Halving the time step of a smooth orbit of three bodies divides the error by 2^2. */
static void order(const struct orr_variant *variant, struct orr_device *device, int flow)
{
    static const double x[3][3] = {{1, 0, 0}, {-0.75, 0.125, 0.25}, {0, -1, -0.25}};
    static const double v[3][3] = {{0, 0.5, 0.125}, {0.125, -0.5, 0}, {0.5, 0.25, -0.125}};
    BODIES start = random_bodies(3, 0.5), end = random_bodies(3, 0.5);

    for (int i = 0; i < 3; i++)
        for (int d = 0; d < 3; d++) {
            start.pos[d][i] = end.pos[d][i] = x[i][d];
            start.vel[d][i] = end.vel[d][i] = v[i][d];
            start.mass[i] = end.mass[i] = 0.5 + 0.25 * i;
        }
    integrate(&end, 20000, 2.0 / 20000); /* so small steps that their own error does not count */
    double coarse =
        orbit_error(variant, device, &start, &end, in_flow(variant, flow, "dt=0.125 steps=16"));
    double fine =
        orbit_error(variant, device, &start, &end, in_flow(variant, flow, "dt=0.0625 steps=32"));
    if (!(coarse / fine > 3.7 && coarse / fine < 4.3))
        fail_msg("%s: errors %g and %g", variant->name, coarse, fine);
    orr_bodies_release(&end);
}

TEST(test_order_two)
{
    every_flow(order);
}

static struct run first;

static void same_orbit(const struct orr_variant *variant, struct orr_device *device, int flow)
{
    RUN r = run_made(variant, device, first.job.bodies, in_flow(variant, flow, "steps=25 dt=0.01"));
    for (size_t i = 0; i < r.job.bodies->n; i++)
        for (int d = 0; d < 3; d++) {
            assert_true(fabsf(r.out.pos[d][i] - first.out.pos[d][i]) < 1e-5f);
            assert_true(fabsf(r.out.vel[d][i] - first.out.vel[d][i]) < 1e-5f);
        }
}

TEST(test_all_variants_agree)
{
    BODIES b = random_bodies(301, 0.1);

    for (int d = 0; d < device_count; d++)
        if (orr_plugin_runs_on(plugins[0].variant, &devices[d]->info))
            first = run_made(plugins[0].variant, devices[d], &b, "steps=25 dt=0.01");
    every_flow(same_orbit);
    run_release(&first);
}

/* Every step() begins from what upload() put there, with and without another upload. */
TEST_EVERY_FLOW(test_repeating_changes_nothing)
{
    BODIES b = random_bodies(200, 0.05);

    for (int integrate = 0; integrate < 2; integrate++) {
        RELEASED_BY(free_text) float *kept = malloc(b.n * sizeof *kept);
        RUN r = run_made(variant, device, &b,
                         in_flow(variant, flow, integrate ? "steps=3 dt=0.01" : ""));
        memcpy(kept, r.out.phi, b.n * sizeof *kept);
        for (int again = 0; again < 2; again++) {
            run_step(&r, again == 0);
            assert_memory_equal(kept, r.out.phi, b.n * sizeof *kept);
        }
    }
}

TEST_EVERYWHERE(test_cost)
{
    BODIES b = random_bodies(10, 0.05);

    RUN r = run_made(variant, device, &b, "steps=4 dt=0.01");
    const struct orr_cost cost = cost_of(&r);
    assert_true(cost.interactions == 5 * 10 * 9 && cost.flops_convention == 38 * cost.interactions);
    assert_true(cost.flops_true == 20 * cost.interactions && cost.bytes_min > 0);
}

/* One and two bodies, and sizes that no group divides, stand where fp64 steps lead. */
TEST_EVERY_FLOW(test_odd_sizes)
{
    static const size_t list[] = {1, 2, 7, 65, 129};

    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        BODIES start = random_bodies(list[k], 0.2), end = random_bodies(list[k], 0.2);
        for (size_t i = 0; i < start.n; i++) {
            end.mass[i] = start.mass[i];
            for (int d = 0; d < 3; d++) {
                end.pos[d][i] = start.pos[d][i];
                end.vel[d][i] = start.vel[d][i];
            }
        }
        integrate(&end, 5, 0.05);
        assert_true(orbit_error(variant, device, &start, &end,
                                in_flow(variant, flow, "dt=0.05 steps=5")) < 2e-6);
        orr_bodies_release(&end);
    }
}

/* The host that integrates sends all bodies to each evaluation and reads them back; the device
 * that does keeps them. Kicks are launches there. */
TEST_EVERY_FLOW(test_who_moves_the_bodies)
{
    struct orr_bodies b = random_bodies(100, 0.05);
    struct orr_device_use before, after;
    struct run r;

    if (!flow_count(variant))
        goto out;
    r = run_made(variant, device, &b, in_flow(variant, flow, "steps=4 dt=0.01"));
    before = device->use;
    assert_int_equal(variant->step(&r.job), 0);
    after = device->use;
    assert_int_equal(after.uploaded - before.uploaded, flow ? 0 : 5 * 100 * 16);
    assert_int_equal(after.downloaded - before.downloaded, flow ? 0 : 5 * 100 * 16);
    if (strcmp(variant->name, "fujiwara/optimised") != 0)
        assert_int_equal(after.launches - before.launches, flow ? 10 : 5);
    run_release(&r);
out:
    orr_bodies_release(&b);
}

RUN_TESTS_OF(FUJIWARA_VARIANTS)
