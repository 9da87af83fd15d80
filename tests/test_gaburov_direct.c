/* SPDX-License-Identifier: MIT */
/* gaburov/direct and gaburov/direct-fp64: accuracy, launches that take part of the bodies each,
 * shapes, odd bodies. */
#include "gaburov_octgrav_run.h"

/* Of the sum of the lengths of all terms. */
static double bound_of(const struct orr_variant *variant)
{
    return variant->capabilities & ORR_NEEDS_FP64 ? 1e-7 : 3e-6;
}

static void run_and_check(const struct orr_variant *variant, struct orr_device *device,
                          const struct orr_bodies *b, const char *settings)
{
    RUN r = run_made(variant, device, b, settings);
    check_within(&r, settings, bound_of(variant), 1e-38);
    run_step(&r, false);
    check_within(&r, "a second step", bound_of(variant), 1e-38);
}

/* `settings` without the third law and, where the variant knows it, with it. */
static void both_ways(const struct orr_variant *variant, struct orr_device *device,
                      const struct orr_bodies *b, const char *settings)
{
    if (!(variant->capabilities & ORR_NEEDS_FP64)) {
        run_and_check(variant, device, b, settings);
        return;
    }
    run_and_check(variant, device, b, filled("third_law=no %s", settings));
    run_and_check(variant, device, b, filled("third_law=yes %s", settings));
}

TEST_EVERYWHERE(test_awkward_sizes)
{
    static const size_t counts[] = {1, 2, 65, 129, 1003};

    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        for (int softened = 0; softened < 2; softened++) {
            BODIES b = random_bodies(counts[k], softened ? 0.01 : 0);
            both_ways(variant, device, &b, "");
        }
}

/* Bodies at one place act on each other with softening, and on nobody without. */
TEST_EVERYWHERE(test_odd_bodies)
{
    for (int shape = 0; shape < SHAPES; shape++)
        for (int softened = 0; softened < 2; softened++) {
            BODIES b = bodies_of((enum shape)shape, 201, softened ? 0.01 : 0);
            both_ways(variant, device, &b, "");
        }
}

/* Launches over parts of the bodies j, in every shape of the threads: no pair is lost or met twice.
 */
TEST_EVERYWHERE(test_launches_over_parts)
{
    static const char *const settings[] = {"sources=1",
                                           "sources=128",
                                           "sources=500",
                                           "sources=1000 bodies=1",
                                           "sources=300 block=1",
                                           "sources=129 bodies=3",
                                           "sources=700 bodies=16"};
    BODIES b = random_bodies(1003, 0.01);

    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++)
        both_ways(variant, device, &b, settings[k]);
}

TEST_EVERYWHERE(test_refusals)
{
    BODIES b = random_bodies(10, 0.01);

    b.dt = 0;
    assert_refused(variant, device, &b, "steps=3", ORR_EUSAGE, "needs a time step");
    if (device->info.max_group && device->info.max_group < 1024)
        assert_refused(variant, device, &b, "block=1024", ORR_EUNSUPPORTED, "groups of at most");
}

TEST_EVERYWHERE(test_costs)
{
    BODIES b = random_bodies(100, 0.01);

    RUN r = run_made(variant, device, &b, "steps=2");
    const struct orr_cost cost = cost_of(&r);
    assert_true(cost.interactions == 3 * 100 * 99.0 &&
                cost.flops_convention == 38 * cost.interactions);
    assert_int_equal(cost.figure_count, 1);
    assert_string_equal(cost.figures[0].name, "leaf interactions");
    assert_true(cost.figures[0].value == cost.interactions);
}

RUN_TESTS_OF("gaburov/direct", "gaburov/direct-fp64")
