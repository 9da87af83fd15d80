/* SPDX-License-Identifier: MIT */
/* The forces of the shan variants against fp64, over uneven boxes and every setting. */
#include "shan_run.h"

static void forces_of(const struct orr_variant *variant, struct orr_device *device,
                      struct orr_bodies *b, const char *settings)
{
    RUN r = run_made(variant, device, b, settings);
    check_forces(&r, settings);
}

TEST_EVERYWHERE(test_uneven_boxes)
{
    static const struct {
        size_t n, crowd;
        const char *settings;
    } cases[] = {{1, 0, "level=0"},     {1, 0, "level=3 eps=0"},         {2, 2, "level=1"},
                 {3, 1, "level=4"},     {70, 60, "level=2 eps=0"},       {300, 40, "level=3"},
                 {257, 257, "level=0"}, {300, 150, "level=2 eps=1e-20"}, {700, 0, "level=3"},
                 {900, 600, "level=1"}};

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct orr_bodies b =
            uneven_bodies(cases[k].n, cases[k].settings[6] - '0', cases[k].crowd, 0.01);
        forces_of(variant, device, &b, cases[k].settings);
        orr_bodies_release(&b);
    }
}

TEST_EVERYWHERE(test_every_number_of_the_paper)
{
    for (size_t per_box = 8; per_box <= 512; per_box *= 2) {
        BODIES b = even_bodies(per_box < 64 ? 2 : 1, per_box, 1e-4);
        forces_of(variant, device, &b, per_box < 64 ? "level=2" : "level=1");
    }
}

/* Whether the variant has a parameter of that name. */
static bool takes(const struct orr_variant *variant, const char *name)
{
    for (size_t k = 0; k < variant->param_count; k++)
        if (!strcmp(variant->params[k].name, name))
            return true;
    return false;
}

/* Every block, fitting or not, and group. */
TEST_EVERYWHERE(test_group_sizes)
{
    static const char *const shapes[] = {"0", "1", "33", "64"};
    BODIES b = uneven_bodies(250, 2, 90, 0.02);

    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        const char *name = takes(variant, "block")   ? "block"
                           : takes(variant, "group") ? "group"
                                                     : NULL;
        if (name && (strcmp(variant->name, "shan/bpb-n3l-free") || !strcmp(shapes[k], "0") ||
                     !strcmp(shapes[k], "64"))) {
            forces_of(variant, device, &b, filled("%s=%s level=2", name, shapes[k]));
        }
    }
}

/* Of bpb-n3l: every atomic in every order, in a crowd that works in chunks and in one that does
 * not. */
TEST_EVERYWHERE(test_atomics_and_orders)
{
    static const char *const kinds[] = {"cas", "native", "fixed"},
                             *const orders[] = {"same", "staggered"}, *const blocks[] = {"0", "16"};
    BODIES b = uneven_bodies(200, 1, 110, 0.02);
    struct run r;

    for (int k = 0; k < 12 && takes(variant, "atomic"); k++) {
        const char *settings = filled("level=1 atomic=%s order=%s block=%s", kinds[k % 3],
                                      orders[k / 3 % 2], blocks[k / 6]);
        int rc = run_prepare(&r, variant, device, &b, settings);
        if (rc == ORR_EUNSUPPORTED && k % 3 == 1)
            assert_non_null(strstr(orr_error_text(), "atomic = native"));
        else if (rc)
            fail_msg("%s: %s", settings, orr_error_text());
        if (!rc) {
            run_step(&r, true);
            check_forces(&r, settings);
        }
        run_release(&r);
    }
}

/* With fixed point nothing depends on who came first: the bits of two steps are equal. */
TEST_EVERYWHERE(test_fixed_point_repeats)
{
    BODIES b = uneven_bodies(400, 2, 150, 0.02);

    if (takes(variant, "atomic")) {
        RUN first = run_made(variant, device, &b, "level=2 atomic=fixed block=48");
        RUN second = run_made(variant, device, &b, "level=2 atomic=fixed block=48");
        for (int d = 0; d < 2; d++)
            assert_memory_equal(first.out.acc[d], second.out.acc[d], b.n * sizeof(float));
    }
}

TEST_EVERYWHERE(test_coincident_and_massless)
{
    BODIES b = uneven_bodies(101, 1, 20, 0.05);

    for (int d = 0; d < 2; d++)
        b.pos[d][40] = b.pos[d][100] = b.pos[d][3];
    forces_of(variant, device, &b, "level=1");
    for (size_t i = 0; i < b.n; i += 2)
        b.mass[i] = 0;
    forces_of(variant, device, &b, "level=1");
    memset(b.mass, 0, b.n * sizeof *b.mass);
    RUN r = run_made(variant, device, &b,
                     takes(variant, "atomic") ? "level=1 atomic=fixed" : "level=1");
    for (size_t i = 0; i < b.n; i++)
        assert_true(r.out.acc[0][i] == 0 && r.out.acc[1][i] == 0);
}

TEST_EVERYWHERE(test_refusals)
{
    BODIES b = uneven_bodies(10, 1, 0, 0.05);

    if (takes(variant, "atomic")) {
        assert_refused(variant, device, &b, "level=1 atomic=fixed eps=0", ORR_EUSAGE, "eps");
        /* a bound too high for 64 bits to be fine enough */
        assert_refused(variant, device, &b, "level=1 atomic=fixed eps=1e-9", ORR_EUSAGE, "eps");
    }
    if (takes(variant, "block") && device->info.max_group < 4096)
        assert_refused(variant, device, &b, "level=1 block=4096", ORR_EUNSUPPORTED, "block = 4096");
}

RUN_TESTS_OF(SHAN_VARIANTS)
