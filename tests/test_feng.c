/* SPDX-License-Identifier: MIT */
/* feng/barnes-hut: forces that follow the rule and depend on nothing but the bodies and theta. */
#include "feng_tree.h"

/* --- forces --- */

static void forces_of(const struct orr_variant *variant, struct orr_device *device, enum kind kind,
                      size_t n, const char *settings, double most)
{
    BODIES b = make_bodies(kind, n, true);

    RUN r = run_made(variant, device, &b, settings);
    check_forces(&r, kind_names[kind], most);
}

TEST_EVERYWHERE(test_every_kind_of_bodies)
{
    for (int kind = 0; kind < KINDS; kind++) {
        forces_of(variant, device, (enum kind)kind, 257, "theta=0", 1e-5);
        forces_of(variant, device, (enum kind)kind, 257, "theta=0.5", 1);
    }
    for (size_t n = 1; n <= 3; n++) {
        forces_of(variant, device, UNIFORM, n, "theta=0", 1e-5);
        forces_of(variant, device, COINCIDENT, n, "theta=0", 1e-5);
    }
}

/* Bodies at one place without softening do not act on each other, nor on themselves through a cell.
 */
TEST_EVERYWHERE(test_unsoftened)
{
    static const enum kind hard[] = {UNIFORM, COINCIDENT, PAIRS};

    for (size_t k = 0; k < sizeof hard / sizeof *hard; k++) {
        BODIES b = make_bodies(hard[k], 200, false);
        RUN direct = run_made(variant, device, &b, "theta=0");
        check_forces(&direct, kind_names[hard[k]], 1e-5);
        RUN tree = run_made(variant, device, &b, "theta=0.5");
        check_forces(&tree, kind_names[hard[k]], hard[k] == COINCIDENT ? 0 : 1);
    }
}

/* Where each body walks by itself, forces are those of a plain code that builds no tree. No body is
 * within rounding of a cell's edge. */
TEST_EVERYWHERE(test_follows_the_rule)
{
    BODIES b = make_bodies(UNIFORM, 600, true);

    if (device->info.kind != ORR_DEVICE_CPU)
        return;
    b.eps = 0.001;
    for (size_t i = 0; i < b.n; i++)
        for (int d = 0; d < 2; d++)
            b.pos[d][i] = i < 2 ? (double)i : (double)(2 * random_below(2048) + 1) / 4096;
    RELEASED_BY(free_text) struct sum *plain = expect(&b, 0.7);
    RUN r = run_made(variant, device, &b, "theta=0.7 block_forces=64");
    for (size_t i = 0; i < b.n; i++)
        if (plain[i].margin > 1e-5 && !(distance(r.out.acc, plain, i) <= 1e-5 * plain[i].size))
            fail_msg("%s: body %zu is off by %g of %g", device->info.id, i,
                     distance(r.out.acc, plain, i), plain[i].size);
}

TEST_EVERYWHERE(test_error_grows_with_theta)
{
    static const char *const thetas[] = {"theta=0", "theta=0.2", "theta=0.5", "theta=1", "theta=5"};
    BODIES b = make_bodies(UNIFORM, 1200, true);
    double before = -1;

    for (size_t k = 0; k < sizeof thetas / sizeof *thetas; k++) {
        RUN r = run_made(variant, device, &b, thetas[k]);
        const double error = check_forces(&r, thetas[k], 100);
        if (!(error > before))
            fail_msg("%s has error %g, a smaller theta %g", thetas[k], error, before);
        before = error;
    }
}

/* --- the same answer whoever comes first --- */

/* Bodies at different places have one tree only, and its sums one order: the bits are the same. */
TEST_EVERYWHERE(test_same_for_every_setting)
{
    static const char *const others[] = {
        "theta=0.7 sort=off",
        "theta=0.7 throttle=none",
        "theta=0.7 throttle=none sort=off rounds=1",
        "theta=0.7 throttle=backoff",
        "theta=0.7 throttle=backoff rounds=3",
        "theta=0.7 throttle=spin",
        "theta=0.7 throttle=spin sort=off block_build=1",
        "theta=0.7 rounds=1",
        "theta=0.7 pool=1",
        "theta=0.7 pool=40 rounds=1 throttle=none",
        "theta=0.7 block_setup=32 block_root=32 block_build=32 block_summarize=32 "
        "block_sort=32 block_forces=32 block_update=32"};
    BODIES b = make_bodies(CLUSTERS, 700, true);

    RUN first = run_made(variant, device, &b, "theta=0.7");
    assert_int_equal(pipeline_of(&first)->launches, 1);
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        if (strstr(others[k], "spin") && !spins(device))
            continue;
        RUN r = run_made(variant, device, &b, others[k]);
        assert_same_forces(&first, &r, others[k]);
        assert_true(pipeline_of(&r)->grown > 0 || !strstr(others[k], "pool"));
    }
}

static void repeat(const struct orr_variant *variant, struct orr_device *device, const char *hasty)
{
    BODIES b = make_bodies(CLUSTERS, 300, true);

    RUN first = run_made(variant, device, &b, "theta=0.5");
    RUN r = run_made(variant, device, &b, hasty);
    for (int k = 0; k < 100; k++) {
        run_step(&r, true);
        assert_same_forces(&first, &r, "again");
    }
}

TEST_EVERYWHERE(test_a_hundred_times)
{
    repeat(variant, device, "theta=0.5 throttle=none rounds=2 block_build=32 block_summarize=32");
    if (spins(device))
        repeat(variant, device, "theta=0.5 throttle=spin block_build=32 block_summarize=32");
}

/* A pool that overflows in the middle of an integration loses no body; a body that moves away makes
 * the next root larger. */
TEST_EVERYWHERE(test_integration_with_a_small_pool)
{
    BODIES b = make_bodies(UNIFORM, 150, true);

    b.dt = 0.5;
    RUN roomy = run_made(variant, device, &b, "theta=0.5 steps=4");
    RUN tight = run_made(variant, device, &b, "theta=0.5 steps=4 pool=1");
    assert_true(pipeline_of(&tight)->grown > 0);
    assert_same_forces(&roomy, &tight, "after growth");
    for (int d = 0; d < 2; d++) {
        assert_memory_equal(roomy.out.pos[d], tight.out.pos[d], b.n * sizeof(float));
        assert_memory_equal(roomy.out.vel[d], tight.out.vel[d], b.n * sizeof(float));
    }
}

/* As if the device were another one. */
static void refuse_to_spin(const struct orr_variant *variant, struct orr_device *device,
                           const struct orr_bodies *b)
{
    static const struct {
        const char *backend, *capability;
    } others[] = {{"opencl", ""}, {"opencl", "9.0"}, {"cuda", "6.1"}, {"cuda", ""}};
    const struct orr_device_info kept = device->info;

    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        device->info.kind = ORR_DEVICE_GPU;
        snprintf(device->info.backend, sizeof device->info.backend, "%s", others[k].backend);
        snprintf(device->info.capability, sizeof device->info.capability, "%s",
                 others[k].capability);
        assert_refused(variant, device, b, "throttle=spin", ORR_EUNSUPPORTED, "from 7.0 on");
        device->info = kept;
    }
}

TEST_EVERYWHERE(test_refusals)
{
    BODIES b = make_bodies(UNIFORM, 10, true);

    if (device->info.max_group && device->info.max_group < 1024)
        assert_refused(variant, device, &b, "block_build=1024", ORR_EUNSUPPORTED, "1024");
    if (device->info.kind == ORR_DEVICE_GPU && device->info.warp_width > 1)
        assert_refused(variant, device, &b, "block_forces=33", ORR_EUSAGE, "block_forces = 33");
    assert_refused(variant, device, &b, "steps=1 dt=0", ORR_EUSAGE, "dt");
    refuse_to_spin(variant, device, &b);
}

static int load(void **state)
{
    static const char *const names[] = {"feng/barnes-hut"};
    const int rc = load_variants(names, 1);

    if (!rc) {
        assert_int_equal(plugins[0].variant->params_size, sizeof(struct feng_pipeline_params));
        assert_int_equal(plugins[0].variant->state_size, sizeof(struct feng_pipeline));
    }
    return rc;
}

RUN_TESTS(load, unload)
