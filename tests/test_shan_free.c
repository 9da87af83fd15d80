/* SPDX-License-Identifier: MIT */
/* shan/bpb-n3l-free in the shapes that a device can run: forces against fp64, momentum, the same
 * bits twice, and exact numbers of accesses against formulas of the boxes' occupancies that are
 * derived here. */
#include "shan_run.h"

struct shape {
    size_t lanes, bodies, vector;
    size_t parts; /* 0: a queue of teams, as boxes are uneven */
};

static const char *shape_settings(const struct shape *shape, int level)
{
    return filled("level=%d lanes=%zu bodies=%zu vector=%zu parts=%zu", level, shape->lanes,
                  shape->bodies, shape->vector, shape->parts);
}

/* One shape over `b`, which is released; the second step must leave the same bits. */
static void forces_twice(const struct orr_variant *variant, struct orr_device *device,
                         const struct shape *shape, struct orr_bodies b, int level)
{
    const char *settings = shape_settings(shape, level);

    RUN r = run_made(variant, device, &b, settings);
    check_forces(&r, settings);
    assert_step_repeats(&r, true);
    orr_bodies_release(&b);
}

static void shape_works(const struct orr_variant *variant, struct orr_device *device,
                        const struct shape *shape)
{
    const int level = 1 + (int)below(3);

    forces_twice(variant, device, shape, uneven_bodies(150 + below(100), level, 80, 0.01), level);
    forces_twice(variant, device, shape, uneven_bodies(100 + below(60), 2, 0, 0), 2);
    forces_twice(variant, device, shape, uneven_bodies(70 + below(60), 0, 0, 0.02), 0);
    forces_twice(variant, device, shape, uneven_bodies(1, 1, 0, 0), 1);
}

/* Every number of lanes and every vector, each with some number of bodies: with all of them there
 * is much to compile.
 */
TEST_EVERYWHERE(test_shapes)
{
    for (size_t lanes = (size_t)1 << below(2); lanes <= 32; lanes *= 4)
        shape_works(variant, device,
                    &(struct shape){lanes, 1 + below(4), 1, below(2) ? 0 : 1 << below(4)});
    for (size_t vector = (size_t)2 << below(2); vector <= 16 && device->info.kind != ORR_DEVICE_GPU;
         vector *= 4)
        shape_works(variant, device,
                    &(struct shape){1, 1 + below(4), vector, below(2) ? 0 : 1 << below(4)});
}

/* A team reads its box's n bodies once, and the bodies that it meets again for every chunk of its
 * own; what a body gets is written, from the second chunk on after it was read. */
static void expect_own(counts out, count_t n, count_t chunk)
{
    out[ORR_FATHER_BOX][ORR_CP] += n * (n - (n > 0)) / 2;
    out[ORR_FATHER_BOX][ORR_GR] += 3 * n;
    out[ORR_RETURN][ORR_RR] += 2 * n;
    out[ORR_RETURN][ORR_GW] += 2 * n + 2 * n; /* own sums, and the total */
    out[ORR_RETURN][ORR_GR] += 5 * 2 * n + (n > chunk ? 2 * (n - chunk) : 0);
    for (count_t first = 0; first + chunk < n; first += chunk) {
        const count_t later = n - first - chunk;
        out[ORR_FATHER_BOX][ORR_GR] += 3 * later + (first ? 2 * later : 0);
        out[ORR_FATHER_BOX][ORR_GW] += 2 * later;
    }
}

/* `m` bodies of a box that comes after this one in reading order from the lower left. */
static void expect_neighbour(counts out, count_t n, count_t m, count_t chunk)
{
    const count_t chunks = (n + chunk - 1) / chunk;

    out[ORR_NEIGHBOUR_BOX][ORR_CP] += n * m;
    out[ORR_NEIGHBOUR_BOX][ORR_GR] += 3 * chunks * m + (chunks > 1 ? 2 * (chunks - 1) * m : 0);
    out[ORR_NEIGHBOUR_BOX][ORR_GW] += 2 * chunks * m;
}

/* Every lane of a box's team reads where the box begins and ends, then the list of four, and where
 * the boxes in it do. */
static void expect_lists(counts out, count_t n, count_t listed, count_t lanes)
{
    out[ORR_FATHER_BOX][ORR_IR] += 2 * lanes;
    out[ORR_NEIGHBOUR_BOX][ORR_IR] += n ? lanes * (4 + 2 * listed) : 0;
}

static void expect(counts out, const struct orr_bodies *b, int level, count_t chunk, count_t lanes)
{
    const size_t side = (size_t)1 << level, boxes = side * side;
    RELEASED_BY(free_text) uint32_t *at = places(b, level);
    RELEASED_BY(free_text) count_t *bodies = calloc(boxes, sizeof *bodies);

    for (size_t i = 0; i < b->n; i++)
        bodies[at[2 * i] + side * at[2 * i + 1]]++;
    for (size_t k = 0; k < boxes; k++) {
        count_t listed = 0;
        expect_own(out, bodies[k], chunk);
        for (size_t l = k + 1; l < boxes; l++)
            if (labs((long)(k % side) - (long)(l % side)) <= 1 && l / side - k / side <= 1) {
                expect_neighbour(out, bodies[k], bodies[l], chunk);
                listed++;
            }
        expect_lists(out, bodies[k], listed, lanes);
    }
    for (int p = 0; p < ORR_NEAR_PROCEDURES; p++)
        out[p][ORR_RW] = 4 * out[p][ORR_CP];
}

static void counts_of(const struct orr_variant *variant, struct orr_device *device,
                      const struct shape *shape)
{
    const int level = 1 + (int)below(2);
    BODIES b = uneven_bodies(100 + below(100), level, 70, 0.03);
    struct orr_counts got;
    counts expected = {{0}};

    expect(expected, &b, level, shape->lanes * shape->bodies * shape->vector, shape->lanes);
    RUN r = run_made(variant, device, &b, shape_settings(shape, level));
    count_run(&r, &got);
    check_forces(&r, "counting");
    for (int p = 0; p < ORR_NEAR_PROCEDURES; p++) {
        assert_int_equal(got.procedures[p].of[ORR_SR],
                         got.procedures[p].of[ORR_SW]); /* what goes round, padding too */
        expected[p][ORR_SR] = expected[p][ORR_SW] = got.procedures[p].of[ORR_SR];
    }
    compare_counts(&r, &got, expected, ORR_ACCESS_KINDS, shape_settings(shape, level));
}

TEST_EVERYWHERE(test_counts)
{
    counts_of(variant, device, &(struct shape){(size_t)4 << below(3), 1 + below(2), 1, 1});
    if (device->info.kind != ORR_DEVICE_GPU)
        counts_of(variant, device, &(struct shape){1, 1 + below(3), (size_t)4 << below(2), 1});
}

TEST_EVERYWHERE(test_refusals)
{
    static const char *const wrong[] = {"lanes=3", "vector=3 lanes=1", "lanes=4 vector=2",
                                        "lanes=8 group=7"};
    BODIES b = uneven_bodies(10, 1, 0, 0.05);

    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        assert_refused(variant, device, &b, wrong[k], ORR_EUSAGE, "lanes = ");
    if (device->info.kind != ORR_DEVICE_GPU)
        assert_refused(variant, device, &b, "rotate=shuffle", ORR_EUNSUPPORTED, "rotate = shuffle");
}

RUN_TESTS_OF("shan/bpb-n3l-free")
