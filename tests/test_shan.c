/* SPDX-License-Identifier: MIT */
/* The forces of the shan variants against fp64, over uneven boxes, in every setting and way; and
 * the order of boxes along the Z-order curve. */
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
        BODIES b = uneven_bodies(cases[k].n, cases[k].settings[6] - '0', cases[k].crowd, 0.01);
        forces_of(variant, device, &b, cases[k].settings);
    }
}

TEST_EVERYWHERE(test_every_number_of_the_paper)
{
    for (size_t per_box = 8; per_box <= 512; per_box *= 2) {
        BODIES b = even_bodies(per_box < 64 ? 2 : 1, per_box, 1e-4);
        forces_of(variant, device, &b, per_box < 64 ? "level=2" : "level=1");
    }
}

/* Every block, fitting or not, and group. */
TEST_EVERYWHERE(test_group_sizes)
{
    static const char *const shapes[] = {"0", "1", "33", "64"};
    BODIES b = uneven_bodies(250, 2, 90, 0.02);

    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        const char *name = has_param(variant, "block")   ? "block"
                           : has_param(variant, "group") ? "group"
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

    for (int k = 0; k < 12 && has_param(variant, "atomic"); k++) {
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

    if (has_param(variant, "atomic")) {
        RUN first = run_made(variant, device, &b, "level=2 atomic=fixed block=48");
        RUN second = run_made(variant, device, &b, "level=2 atomic=fixed block=48");
        assert_same_forces(&first, &second, "atomic=fixed");
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
                     has_param(variant, "atomic") ? "level=1 atomic=fixed" : "level=1");
    for (size_t i = 0; i < b.n; i++)
        assert_true(r.out.acc[0][i] == 0 && r.out.acc[1][i] == 0);
}

TEST_EVERYWHERE(test_refusals)
{
    BODIES b = uneven_bodies(10, 1, 0, 0.05);

    if (has_param(variant, "atomic")) {
        assert_refused(variant, device, &b, "level=1 atomic=fixed eps=0", ORR_EUSAGE, "eps");
        /* a bound too high for 64 bits to be fine enough */
        assert_refused(variant, device, &b, "level=1 atomic=fixed eps=1e-9", ORR_EUSAGE, "eps");
    }
    if (has_param(variant, "block") && device->info.max_group < 4096)
        assert_refused(variant, device, &b, "level=1 block=4096", ORR_EUNSUPPORTED, "block = 4096");
}

/* --- the host variants by every instruction set that this CPU has, in boxes of every size --- */

static const struct way ways[] = {{"shan/serial", NULL, 1},         {"shan/cpu-simd", "auto", 1},
                                  {"shan/cpu-simd", "baseline", 2}, {"shan/cpu-simd", "avx2", 2},
                                  {"shan/cpu-simd", "avx512f", 2},  {"shan/cpu-simd", "auto", 7}};

static struct orr_bodies make_bodies(size_t n, double eps)
{
    struct orr_bodies b = bodies_made(n, 2);
    for (size_t i = 0; i < n; i++) {
        b.pos[0][i] = uniform();
        b.pos[1][i] = uniform();
        b.mass[i] = 0.5 + uniform();
    }
    b.eps = eps;
    return b;
}

/* Ordered pairs of bodies in near boxes. */
static double near_pairs(const struct orr_bodies *b, int level)
{
    RELEASED_BY(free_text) uint32_t *at = places(b, level);
    double pairs = 0;

    for (size_t i = 0; i < b->n; i++)
        for (size_t j = 0; j < b->n; j++)
            pairs += i != j && is_near(at, i, j);
    return pairs;
}

static void check_ways(struct orr_bodies *b, int level, const char *what)
{
    orr_bodies_round(b);
    const double pairs = near_pairs(b, level);
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        RUN r;
        if (!run_way(&r, &ways[k], b, filled("level=%d", level)))
            continue;
        check_forces(&r, what);
        assert_true(cost_of(&r).interactions == pairs);
    }
}

TEST(every_number_of_bodies_in_a_box)
{
    for (size_t per_box = 1; per_box <= 70; per_box++) {
        BODIES b = make_bodies(16 * per_box, per_box % 3 ? 1e-4 : 0);
        for (size_t i = 0; i < b.n; i++) {
            b.pos[0][i] = ((double)(i % 4) + 0.9 * b.pos[0][i]) / 4;
            b.pos[1][i] = ((double)(i / 4 % 4) + 0.9 * b.pos[1][i]) / 4;
        }
        b.edge = 1;
        check_ways(&b, 2, "even boxes");
    }
}

/* Vectors of boxes: rows of 16 and 32, bodies that are missing, coincide or lie in the corners. */
TEST(about_as_many_bodies_in_many_boxes)
{
    static const size_t per_boxes[] = {1, 2, 3, 4, 5, 7, 9, 14};

    for (size_t k = 0; k < sizeof per_boxes / sizeof *per_boxes; k++) {
        const int level = per_boxes[k] < 4 ? 5 : 4, side = 1 << level;
        const size_t boxes = (size_t)side * (size_t)side, missing = k % 2 ? boxes / 20 : 0;
        BODIES b = make_bodies(boxes * per_boxes[k] - missing, k % 3 ? 1e-4 : 0);

        for (size_t i = 0; i < b.n; i++)
            for (int d = 0; d < 2; d++) {
                const size_t at = d ? i / (size_t)side : i;
                b.pos[d][i] = ((double)(at % (size_t)side) + 0.99 * b.pos[d][i]) / side;
            }
        b.edge = 1;
        if (b.eps > 0 && per_boxes[k] > 1)
            for (int d = 0; d < 2; d++)
                b.pos[d][0] = b.pos[d][boxes];
        check_ways(&b, level, "many even boxes");
    }
}

TEST(uneven_boxes)
{
    for (int k = 0; k < 12; k++) {
        BODIES b = make_bodies(1 + (size_t)(1500 * uniform()), 1e-3);
        double power = 1 + 3 * uniform();
        for (size_t i = 0; i < b.n; i++)
            for (int d = 0; d < 2; d++)
                b.pos[d][i] = 1000 * pow(b.pos[d][i], power) - 700;
        check_ways(&b, k % 6, "crowded corner");
    }
}

TEST(few_bodies_in_many_boxes)
{
    for (size_t n = 1; n < 40; n++) {
        BODIES b = make_bodies(n, n % 2 ? 0 : 0.01);
        check_ways(&b, (int)(n % 8), "mostly empty boxes");
    }
}

TEST(boxes_larger_than_anything_prepared)
{
    BODIES b = make_bodies(3003, 1e-3);
    check_ways(&b, 0, "one box");
    for (int d = 0; d < 2; d++)
        b.pos[d][17] = d ? -4e6 : 3e6;
    check_ways(&b, 5, "a far outlier, the others in one box");
    for (size_t i = 0; i < b.n; i++) {
        b.pos[0][i] = i < 2600 ? 0.5 + 0.06 * b.pos[0][i] : b.pos[0][i];
        b.pos[1][i] = fmax(b.pos[1][i], 0);
    }
    b.pos[0][17] = 0.2;
    check_ways(&b, 4, "a crowded column");
}

TEST(special_bodies)
{
    BODIES b = make_bodies(301, 0.02);
    for (int d = 0; d < 2; d++)
        b.pos[d][300] = b.pos[d][40] = b.pos[d][3];
    check_ways(&b, 2, "coincident bodies");
    for (size_t i = 0; i < b.n; i += 2)
        b.mass[i] = 0;
    check_ways(&b, 3, "massless bodies");
    b.edge = 0.5;
    b.corner[0] = 0.25;
    check_ways(&b, 3, "bodies outside the domain");
    b.edge = 0;
    for (size_t i = 0; i < b.n; i++)
        b.pos[0][i] = b.pos[1][i] = -3;
    check_ways(&b, 3, "all at one place");
}

/* The interlacing as the paper draws it: bit by bit, the row's before the column's. */
static uint32_t interlaced(uint32_t column, uint32_t row)
{
    uint32_t index = 0;

    for (int bit = 15; bit >= 0; bit--)
        index = index << 2 | (row >> bit & 1) << 1 | (column >> bit & 1);
    return index;
}

TEST(test_encode_and_decode)
{
    for (int k = 0; k < 100000; k++) {
        const uint32_t column = (uint32_t)(65536 * uniform()), row = (uint32_t)(65536 * uniform());
        const uint32_t index = orr_boxes_encode(column, row);
        uint32_t back[2];
        assert_int_equal(index, interlaced(column, row));
        orr_boxes_decode(index, &back[0], &back[1]);
        assert_int_equal(back[0], column);
        assert_int_equal(back[1], row);
    }
    /* Figure 2 */
    assert_int_equal(orr_boxes_encode(1, 1), 3);
    assert_int_equal(orr_boxes_encode(1, 0), 1);
    assert_int_equal(orr_boxes_encode(0, 1), 2);
    /* Section IV A: "B = 129540" at level 7. */
    assert_int_equal(orr_boxes_neighbours(7), 129540);
    /* All boxes of a level are the first 4^level indices, each once. */
    for (uint32_t index = 0; index < 1u << 2 * 5; index++) {
        uint32_t column, row;
        orr_boxes_decode(index, &column, &row);
        assert_true(column < 32 && row < 32);
    }
}

RUN_TESTS_OF(SHAN_VARIANTS)
