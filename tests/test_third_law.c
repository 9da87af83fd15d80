/* SPDX-License-Identifier: MIT */
/* The shape of the third law's sum that a CUDA device gets, by what the device is said to be. */
#include "error.h"
#include "tests/cases.h"
#include "variants/common/j_split.h"
#include "variants/common/third_law.h"

static const struct orr_host host = {.fail = orr_error_set};

/* An H200, as it says of itself. */
static struct orr_device card = {.info = {.backend = "cuda",
                                          .vendor = "NVIDIA Corporation",
                                          .kind = ORR_DEVICE_GPU,
                                          .compute_units = 132,
                                          .warp_width = 32,
                                          .shuffles = true,
                                          .max_group = 1024,
                                          .local_bytes = 232448,
                                          .memory_bytes = 150000000000}};
static struct orr_job job = {.host = &host, .device = &card};

static bool chosen(struct third_law *s, size_t n, int warps)
{
    bool pays = false;

    *s = (struct third_law){0};
    assert_done(third_law_choose(
        &job, s, &(struct third_law_task){.n = n, .shape = {.warps = warps}}, &pays));
    assert_int_equal(s->span, s->warps * s->bodies * s->lanes);
    assert_int_equal(s->span % s->tile, 0);
    assert_int_equal(s->tile % s->lanes, 0);
    return pays;
}

/* More bodies a thread than the smallest shape has, once they fill the device. */
TEST(it_pays_once_the_device_is_full)
{
    struct third_law few, many;

    assert_false(chosen(&few, 1000, 0));
    assert_true(chosen(&many, 1000000, 0));
    assert_true(many.bodies > few.bodies);
}

/* Bodies are not so many that a block's sums do not fit, and a tile does not depend on what was
 * tried before. */
TEST(whatever_the_warps)
{
    struct third_law s;

    for (int warps = 1; warps <= 6; warps++)
        for (size_t n = 1; n < 3000000; n = 3 * n + 1) {
            chosen(&s, n, warps);
            assert_true(16 * (s.span + s.warps * s.tile + 2 * s.tile) <=
                        j_split_declared_local(&card.info));
            assert_true(s.tile == 128 || s.span < 128 || s.span % 128);
        }
}

RUN_TESTS(NULL, NULL)
