/* SPDX-License-Identifier: MIT */
/* What the counting builds of the fujiwara variants count, against formulas in the number of bodies
 * and the shape of the loops. */
#include "fujiwara_run.h"

#include "counts_run.h"

static count_t up(count_t n, count_t unit)
{
    return (n + unit - 1) / unit * unit;
}

/* The shape of a program: everything else follows from it and the number of bodies. */
struct shape {
    const char *variant, *settings;
    count_t block, own; /* threads of a group, bodies i of a thread */
    count_t pass;       /* bodies j of a pass */
    count_t tile, split;
    bool staged;
    count_t evaluations;
};

static const struct shape shapes[] = {
    {"fujiwara/no-unrolling", "block=64", 64, 1, 1, 1, 1, false, 1},
    {"fujiwara/no-unrolling", "block=8 integrate=device", 8, 1, 1, 1, 1, false, 1},
    {"fujiwara/simple-unrolling", "block=64", 64, 4, 1, 1, 1, false, 1},
    {"fujiwara/double-unrolling", "block=64", 64, 4, 4, 4, 1, false, 1},
    {"fujiwara/double-unrolling", "block=16 unroll_i=8 unroll_j=2", 16, 8, 2, 2, 1, false, 1},
    {"fujiwara/double-unrolling", "block=16 unroll_i=1 unroll_j=8", 16, 1, 8, 8, 1, false, 1},
    {"fujiwara/double-unrolling", "block=64 steps=2 dt=0.001", 64, 4, 4, 4, 1, false, 3},
    {"fujiwara/optimised", "block=32 bodies=2 vector=1 tile=64 unroll_j=4 split=1 staged=yes", 32,
     2, 4, 64, 1, true, 1},
    {"fujiwara/optimised", "block=32 bodies=2 vector=1 tile=48 unroll_j=8 split=3 staged=yes", 32,
     2, 8, 48, 3, true, 1},
    {"fujiwara/optimised", "block=16 bodies=4 vector=1 tile=64 unroll_j=4 split=2 staged=no", 16, 4,
     4, 64, 2, false, 1},
};

/* A group's threads have bodies i for themselves; `shares` of them meet some of the bodies j
 * each. */
static void compare(const struct run *r, const struct shape *s, const struct orr_counts *got)
{
    const count_t n = r->job.bodies->n, e = s->evaluations;
    const count_t threads = up(n, s->block * s->own) / s->own, bodies_j = up(n, s->tile);
    const count_t tiles = bodies_j / s->tile, split = s->split < tiles ? s->split : tiles;
    const count_t share = up(tiles, split) / split * s->tile, shares = up(bodies_j, share) / share;
    const count_t rows = threads * s->own * shares, loads = 4 * threads * bodies_j * e;
    const count_t fetched = 4 * (threads / s->block) * bodies_j * e;
    const count_t passes = threads * tiles * (up(s->tile, s->pass) / s->pass) * e;
    const struct {
        const char *procedure;
        int kind;
        count_t value;
    } expected[] = {{"bodies i", ORR_GR, 4 * rows * e},
                    {"interactions", ORR_GR, s->staged ? fetched : loads},
                    {"interactions", ORR_SW, s->staged ? fetched : 0},
                    {"interactions", ORR_SR, s->staged ? loads : 0},
                    {"interactions", ORR_PJ, passes},
                    {"interactions", ORR_CP, n * (n - 1) * e},
                    {"interactions", ORR_CX, (threads * s->own * bodies_j - n * (n - 1)) * e},
                    {"sums", ORR_GW, 4 * (rows + (shares > 1 ? n : 0)) * e},
                    {"sums", ORR_GR, (shares > 1 ? 4 * n * shares : 0) * e}};
    count_t sum = 0, all = 0;

    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        assert_counted(r, got, expected[k].procedure, expected[k].kind, expected[k].value,
                       s->settings);
        sum += expected[k].value;
    }
    for (int kind = 0; kind < ORR_ACCESS_KINDS; kind++)
        all += counted(got, NULL, kind);
    if (all != sum)
        fail_msg("%s, %s: counts of other kinds", s->variant, s->settings);
}

TEST_EVERY_FLOW(test_counts)
{
    static const size_t sizes[] = {1, 129};

    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        for (int n = 0; n < 2 && !flow && !strcmp(shapes[k].variant, variant->name); n++) {
            BODIES b = random_bodies(sizes[n], 0.01);
            struct orr_counts got;

            RUN r = run_made(variant, device, &b, shapes[k].settings);
            count_run(&r, &got);
            if (shapes[k].evaluations == 1)
                check_forces(&r, shapes[k].settings);
            compare(&r, &shapes[k], &got);
            run_step(&r, true); /* what is timed is not what counts */
            if (shapes[k].evaluations == 1)
                check_forces(&r, shapes[k].settings);
        }
}

/* Vectors on a CPU: a thread has as many bodies more, some of them padding. */
TEST_EVERY_FLOW(test_vectors)
{
    if (flow || strcmp(variant->name, "fujiwara/optimised") || device->info.kind != ORR_DEVICE_CPU)
        return;
    for (int vector = 2; vector <= 16; vector *= 2) {
        BODIES b = random_bodies(100, 0.01);
        struct orr_counts got;

        const char *settings =
            filled("block=1 bodies=2 vector=%d tile=8 split=1 staged=no", vector);
        RUN r = run_made(variant, device, &b, settings);
        count_run(&r, &got);
        check_forces(&r, settings);
        const count_t own = 2 * (count_t)vector, threads = up(100, own) / own;
        assert_counted(&r, &got, "interactions", ORR_CP, 100 * 99, settings);
        assert_counted(&r, &got, "interactions", ORR_CX, threads * own * 104 - 100 * 99, settings);
        assert_counted(&r, &got, "interactions", ORR_GR, 4 * threads * 104, settings);
    }
}

RUN_TESTS_OF(FUJIWARA_VARIANTS)
