/* SPDX-License-Identifier: MIT */
/* The data set uniform-boxes: exactly as many bodies in every box, by arithmetic that shares
 * nothing with its own. */
#include "datasets/dataset.h"
#include "tests/cases.h"
#include "tests/random_for_tests.h"

static const char name[] = "uniform-boxes";

static struct orr_bodies make(size_t n, int level, uint64_t own_seed)
{
    struct orr_bodies bodies;
    assert_done(orr_dataset_make_boxes(&bodies, name, n, level, own_seed));
    return bodies;
}

/* Row by row, not along the curve. */
static size_t box_of(const struct orr_bodies *b, size_t i, int level)
{
    double side = pow(2, level);
    return (size_t)(floor(b->pos[1][i] * side) * side + floor(b->pos[0][i] * side));
}

static void check_counts(const struct orr_bodies *b, size_t per_box, int level)
{
    size_t boxes = b->n / per_box, *count = calloc(boxes, sizeof *count);
    assert_non_null(count);
    for (size_t i = 0; i < b->n; i++) {
        size_t box = box_of(b, i, level);
        assert_true(box < boxes);
        count[box]++;
    }
    for (size_t box = 0; box < boxes; box++)
        assert_int_equal(count[box], per_box);
    free(count);
}

static void check_values(const struct orr_bodies *b, int level)
{
    float side = powf(2, (float)level);
    assert_true(b->corner[0] == 0 && b->corner[1] == 0 && b->edge == 1 && b->eps == 1e-4 &&
                b->dt == 0);
    for (size_t i = 0; i < b->n; i++) {
        for (int d = 0; d < 2; d++) {
            double x = b->pos[d][i];
            assert_true(x >= 0 && x < 1 && x == (double)(float)x);
            assert_true(x * 16777216 == floor(x * 16777216));
            assert_true(floorf((float)x * side) == (float)floor(x * (double)side));
            assert_true(b->vel[d][i] == 0);
        }
        assert_true(b->pos[2][i] == 0 && b->vel[2][i] == 0);
        assert_true(b->mass[i] >= 0.5 && b->mass[i] <= 1.5 &&
                    b->mass[i] == (double)(float)b->mass[i]);
    }
}

TEST(every_box_has_as_many)
{
    for (int level = 0; level <= 8; level++) {
        size_t per_box = level == 8 ? 1 : 1 + (size_t)(seed >> level) % 37;
        BODIES b = make(per_box << 2 * level, level, seed + (uint64_t)level);
        check_counts(&b, per_box, level);
        check_values(&b, level);
    }
}

TEST(small_boxes_work)
{
    BODIES b = make((size_t)1 << 20, 10, seed);
    check_counts(&b, 1, 10);
}

TEST(bits_depend_on_level_and_seed_alone)
{
    BODIES one = make(5 << 8, 4, seed), same = make(9 << 8, 4, seed),
           other = make(5 << 8, 4, seed + 1), coarse = make(5 << 8, 3, seed);
    for (int k = 0; k < ORR_COLUMNS; k++)
        assert_memory_equal(orr_bodies_column(&one, k), orr_bodies_column(&same, k),
                            one.n * sizeof(double));
    assert_memory_not_equal(one.pos[0], other.pos[0], one.n * sizeof(double));
    assert_memory_not_equal(one.pos[0], coarse.pos[0], one.n * sizeof(double));
    orr_bodies_release(&same);
    orr_bodies_release(&other);
    orr_bodies_release(&coarse);
}

TEST(level_and_n_have_defaults)
{
    BODIES b = make(0, -1, 1), c = make(0, 3, 1), d;
    assert_int_equal(b.n, 64 << 14);
    assert_int_equal(c.n, 64 << 6);
    assert_int_equal(orr_dataset_make(&d, name, 3 << 14, 2), 0);
    check_counts(&d, 3, 7);
    orr_bodies_release(&c);
    orr_bodies_release(&d);
}

TEST(wrong_requests_are_named)
{
    static const struct {
        const char *set;
        size_t n;
        int level;
        const char *says;
    } cases[] = {
        {name, 1000, 5,
         "uniform-boxes: n = 1000 is not a multiple of 1024, the boxes of level 5; the nearest "
         "that is: "
         "1024"},
        {name, 1500, 4, "not a multiple of 256, the boxes of level 4; the nearest that is: 1536"},
        {name, 100000001, 2,
         "n = 100000001 is out of range; it takes 16 to 100000000 bodies at level 2"},
        {name, 100, 13, "uniform-boxes: level = 13 is out of range; it takes 0 to 12"},
        {name, 99999999, 12, "the nearest that is: 83886080"},
        {name, 0, 12,
         "uniform-boxes: n = 1073741824 is out of range; it takes 16777216 to 100000000 bodies at "
         "level 12"},
        {"plummer", 10, 2, "plummer is not made of boxes, so it takes no level"},
        {"uniform-boxs", 64, 2, "no data set 'uniform-boxs'; did you mean 'uniform-boxes'?"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct orr_bodies bodies;
        assert_int_equal(
            orr_dataset_make_boxes(&bodies, cases[k].set, cases[k].n, cases[k].level, 1),
            ORR_EUSAGE);
        assert_null(bodies.mass);
        assert_says(cases[k].says);
    }
}

RUN_TESTS(NULL, NULL)
