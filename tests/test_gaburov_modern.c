/* SPDX-License-Identifier: MIT */
/* gaburov/octgrav-modern: its forces against fp64, bodies that make trees difficult, integrations,
 * what it counts. */
#include "gaburov_octgrav_run.h"

/* --- the direct sum --- */

TEST_EVERYWHERE(test_zero_theta_is_the_direct_sum)
{
    static const size_t sizes[] = {1, 2, 3, 16, 17, 31, 64, 65, 257, 1003};
    static const char *const settings[] = {
        "theta=0",          "theta=0 nleaf=1 eps=0",   "theta=0 nleaf=30 block=8 ngroup=128",
        "theta=0 levels=2", "theta=0 opening=octgrav", "theta=0 block=4 lanes=2 warps=2"};

    for (int which = 0; which < 6; which++)
        for (size_t k = (size_t)which % 3; k < sizeof sizes / sizeof *sizes; k += 3) {
            BODIES b = bodies_of(k % 3 ? CUBE : SPHERE, sizes[k], 0.01);
            check_run(variant, device, &b, settings[which], settings[which]);
        }
}

/* Theta = 0 is the direct sum over any bodies; a larger one is no more than inexact. */
TEST_EVERYWHERE(test_difficult_bodies)
{
    static const size_t sizes[] = {2, 65, 1003};

    for (int shape = 0; shape < SHAPES; shape++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            BODIES b = bodies_of((enum shape)shape, sizes[k], 0.01);
            check_run(variant, device, &b, k == 1 ? "theta=0 block=4 lanes=2 warps=2" : "theta=0",
                      shape_names[shape]);
            if (b.n == 2) /* no cell is far */
                continue;
            RUN r = run_made(variant, device, &b,
                             k == 1 ? "theta=0.5 block=4 lanes=2 warps=2" : "theta=0.5");
            for (size_t i = 0; i < b.n; i++)
                for (int d = 0; d < 3; d++)
                    if (!isfinite(r.out.acc[d][i]) || !isfinite(r.out.phi[i]))
                        fail_msg("%s, n = %zu: body %zu has %g and %g", shape_names[shape], b.n, i,
                                 r.out.acc[d][i], r.out.phi[i]);
            if (shape != ONE_PLACE && !(median_error(&r) < 2e-3))
                fail_msg("%s on %s, n = %zu: median error %g", shape_names[shape], device->info.id,
                         b.n, median_error(&r));
        }
}

/* Without softening bodies at one place do nothing to each other, and neither does a body to
 * itself. */
TEST_EVERYWHERE(test_pairs_of_floats)
{
    check_pairs(variant, device, "theta=0");
    check_pairs(variant, device, "theta=0 all_pairs=on");
    check_far_cells(variant, device, "theta=0.6 opening=octgrav", 5e-4);
    check_far_cells(variant, device, "theta=0.6 opening=octgrav expand=0.003", 5e-4);
}

/* --- the approximation --- */

static double error_with(const struct orr_variant *variant, struct orr_device *device,
                         const struct orr_bodies *b, const char *settings)
{
    RUN r = run_made(variant, device, b, settings);

    return median_error(&r);
}

TEST_EVERYWHERE(test_error_grows_with_theta)
{
    static const char *const settings[] = {"theta=0.2", "theta=0.35", "theta=0.5", "theta=0.8",
                                           "theta=1.5"};
    static const double bounds[] = {3e-6, 2.5e-5, 8e-5, 3e-4, 1.2e-3};
    BODIES b = bodies_of(SPHERE, 4000, 0.01);
    double last = 0;

    for (int k = 0; k < 5; k++) {
        const double error = error_with(variant, device, &b, settings[k]);
        if (!(error > last && error < bounds[k]))
            fail_msg("%s on %s: median error %g after %g", settings[k], device->info.id, error,
                     last);
        last = error;
    }
}

/* All openings approximate; masses alone do it worse than with quadrupoles. */
TEST_EVERYWHERE(test_openings_and_multipoles)
{
    static const char *const settings[] = {
        "theta=0.5 opening=octgrav", "theta=0.5 opening=improved",
        "theta=0.5 opening=minimum-distance", "theta=0.5 block=8 lanes=4 warps=2", "theta=0.5"};
    BODIES b = bodies_of(SPHERE, 3000, 0.01);
    double error = 0;

    for (int k = 0; k < 5; k++) {
        error = error_with(variant, device, &b, settings[k]);
        if (!(error > 3e-6 && error < 3e-4))
            fail_msg("%s: median error %g", settings[k], error);
    }
    const double alone = error_with(variant, device, &b, "theta=0.5 multipole=monopole");
    if (!(alone > 1.5 * error && alone < 3e-3))
        fail_msg("median error %g with quadrupoles, %g without", error, alone);
}

TEST_EVERYWHERE(test_second_moments)
{
    check_second_moments(variant, device, "theta=1 opening=octgrav");
}

/* Far cells may act on a group by its field: as many as `expand` allows, and the errors follow. */
TEST_EVERYWHERE(test_fields_of_groups)
{
    static const char *const shapes[] = {"", " block=8 lanes=4 warps=2"};
    BODIES b = bodies_of(SPHERE, 5000, 0.01);

    for (int k = 0; k < 2; k++) {
        static const char *const shares[] = {"0.01", "0.05", "100"};
        double last = 0, error[3];
        for (int s = 0; s < 3; s++) {
            char settings[80];
            snprintf(settings, sizeof settings, "theta=0.6 expand=%s%s", shares[s], shapes[k]);
            RUN r = run_made(variant, device, &b, settings);
            const double by_field = figure(&r, "cells by the field");
            assert_true(by_field > last);
            snprintf(settings, sizeof settings, "expand %s", shares[s]);
            assert_non_null(strstr(r.job.note, settings)); /* what ran */
            last = by_field;
            error[s] = median_error(&r);
        }
        const char *none = filled("theta=0.6 expand=0%s", shapes[k]);
        const double without = error_with(variant, device, &b, none);
        if (!(error[0] < 1.05 * without && error[1] < 1.5 * without && error[2] > 1.03 * error[0]))
            fail_msg("%s: median error %g without fields, %g, %g, %g", none, without, error[0],
                     error[1], error[2]);
    }
}

/* Groups whose boxes are large walk in parts: the same sums of other terms. Too many parts are
 * none, to the bit. */
TEST_EVERYWHERE(test_groups_cut_in_parts)
{
    const size_t sizes[] = {1, 65, 257, 1 + (size_t)random_below(3000)};
    BODIES b = bodies_of(SPHERE, 5000, 0.01);

    for (int k = 0; k < 4; k++)
        for (int shape = k % 2; shape < SHAPES; shape += 2) {
            BODIES any = bodies_of((enum shape)shape, sizes[k], k % 2 ? 0.01 : 0);
            if (k % 2 || shape == PAIRS || shape == ONE_PLACE)
                check_run(variant, device, &any, "theta=0 cut=1", shape_names[shape]);
        }
    RUN whole = run_made(variant, device, &b, "theta=0.5 expand=0.003");
    RUN cut = run_made(variant, device, &b, "theta=0.5 expand=0.003 cut=8");
    RUN all = run_made(variant, device, &b, "theta=0.5 expand=0.003 cut=1e-6");
    const struct orr_cost costs[3] = {cost_of(&whole), cost_of(&cut), cost_of(&all)};
    assert_true(costs[1].interactions < costs[0].interactions);
    assert_true(costs[2].interactions == costs[0].interactions);
    assert_true(figure_of(&costs[1], "groups") == figure_of(&costs[0], "groups"));
    assert_true(median_error(&cut) < 1.1 * median_error(&whole));
    assert_same_forces(&whole, &all, "too many parts");
    assert_memory_not_equal(whole.out.acc[0], cut.out.acc[0], b.n * sizeof(float));
    check_run(variant, device, &b, "theta=0 cut=8 block=4 lanes=2 warps=2", "by teams");
    RUN direct = run_made(variant, device, &b, "theta=0 cut=8");
    assert_true(cost_of(&direct).interactions == 5000.0 * 4999);
}

/* --- steps --- */

TEST_EVERYWHERE(test_same_bits_again)
{
    BODIES b = bodies_of(CUBE, 1999, 0.02);

    check_same_bits(variant, device, &b, "theta=0.7");
    check_same_bits(variant, device, &b, "theta=0.7 steps=3 dt=0.01 block=4 lanes=2 warps=2");
}

/* --- what it says of itself --- */

TEST_EVERYWHERE(test_figures)
{
    BODIES b = bodies_of(CUBE, 333, 0.1);

    RUN exact_sum = run_made(variant, device, &b, "theta=0 steps=2 dt=0.0001");
    const struct orr_cost direct = cost_of(&exact_sum);
    assert_true(direct.interactions == 3.0 * 333 * 332);
    assert_true(figure_of(&direct, "node interactions") == 0);
    assert_true(figure_of(&direct, "leaf interactions") == direct.interactions);
    RUN r = run_made(variant, device, &b, "theta=0.8 nleaf=4 expand=0");
    const struct orr_cost cost = cost_of(&r);
    const double nodes = figure_of(&cost, "node interactions"),
                 leaves = figure_of(&cost, "leaf interactions");
    assert_true(nodes > 0 && leaves > 333 && nodes + leaves == cost.interactions);
    assert_true(cost.interactions < 333.0 * 332);
    assert_true(cost.flops_convention == 70 * nodes + 38 * leaves);
    assert_true(figure_of(&cost, "cells") > figure_of(&cost, "leaves"));
    assert_true(figure_of(&cost, "leaves") >= 333.0 / 4);
}

/* --- few bodies, without a tree --- */

/* Of any number and in any places: the sums, and every pair counted. */
static void summed(const struct orr_variant *variant, struct orr_device *device)
{
    const size_t sizes[] = {1, 2, 7, 1000, 1025, 3000, 1 + (size_t)random_below(2000)};

    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const double eps = k % 2 ? 0 : 0.01;
        BODIES b = bodies_of(k % 2 ? PAIRS : (enum shape)(k % SHAPES), sizes[k], eps);
        const double pairs = (double)b.n * ((double)b.n - 1);
        RUN r = run_made(variant, device, &b, "all_pairs=on theta=0.7");
        check_forces(&r, "all pairs");
        const struct orr_cost cost = cost_of(&r);
        assert_true(cost.interactions == pairs && cost.flops_convention == 38 * pairs);
        assert_true(figure_of(&cost, "leaf interactions") == pairs);
        assert_true(figure_of(&cost, "node interactions") == 0);
        assert_non_null(strstr(r.job.note, "no tree, all pairs: block "));
    }
}

/* Also by groups as large as a big GPU's, whose parts meet different bodies. */
TEST_EVERYWHERE(all_pairs_are_summed)
{
    const struct orr_device_info kept = device->info;

    summed(variant, device);
    if (as_large_gpu(device))
        summed(variant, device);
    device->info = kept;
}

/* After some steps the forces belong to where the bodies are, which a tree that opens every cell
 * leads them to, too. */
TEST_EVERYWHERE(all_pairs_take_steps)
{
    BODIES b = bodies_of(CUBE, 777, 0.05);

    RUN ours = run_made(variant, device, &b, "all_pairs=on theta=0.7 steps=4 dt=0.01");
    run_step(&ours, false);
    RUN tree = run_made(variant, device, &b, "all_pairs=off theta=0 steps=4 dt=0.01");
    for (int d = 0; d < 3; d++)
        for (size_t i = 0; i < b.n; i++)
            assert_true(fabs((double)ours.out.pos[d][i] - (double)tree.out.pos[d][i]) < 1e-6);
    assert_true(cost_of(&ours).interactions == cost_of(&tree).interactions);
}

TEST_EVERYWHERE(all_pairs_are_chosen)
{
    BODIES b = bodies_of(CUBE, 30000, 0.1);

    check_trees(variant, device, &b);
}

/* As if the device were another one. */
static void refused_for_local_memory(const struct orr_variant *variant, struct orr_device *device,
                                     const struct orr_bodies *b)
{
    const struct orr_device_info kept = device->info;

    device->info.kind = ORR_DEVICE_GPU;
    device->info.max_group = 1024;
    device->info.local_bytes = 32768;
    assert_refused(variant, device, b, "build=group warps=1", ORR_EUNSUPPORTED, "build = group");
    /* A launch might ask CUDA for more, a kernel's declarations not. */
    device->info.local_bytes = 232448;
    snprintf(device->info.backend, sizeof device->info.backend, "cuda");
    assert_refused(variant, device, b, "block=32 lanes=32 warps=16", ORR_EUNSUPPORTED,
                   "the 91424 bytes of a group do not fit into 49152 bytes of local memory");
    /* Without the list and the sums of fields. */
    assert_refused(variant, device, b, "block=32 lanes=32 warps=16 expand=0", ORR_EUNSUPPORTED,
                   "the 77088 bytes of a group do not fit into 49152 bytes of local memory");
    device->info = kept;
}

TEST_EVERYWHERE(test_refusals)
{
    BODIES b = bodies_of(CUBE, 10, 0.1);

    assert_refused(variant, device, &b, "block=12", ORR_EUSAGE, "block");
    assert_refused(variant, device, &b, "block=32 ngroup=33", ORR_EUSAGE, "ngroup");
    assert_refused(variant, device, &b, "block=8 lanes=3", ORR_EUSAGE, "lanes");
    assert_refused(variant, device, &b, "block=32 lanes=2", ORR_EUSAGE, "lanes");
    assert_refused(variant, device, &b, "list=48", ORR_EUSAGE, "list");
    assert_refused(variant, device, &b, "block=32 list=8", ORR_EUSAGE, "list");
    assert_refused(variant, device, &b, "steps=1 dt=0", ORR_EUSAGE, "dt");
    refused_for_local_memory(variant, device, &b);
}

RUN_TESTS_OF("gaburov/octgrav-modern")
