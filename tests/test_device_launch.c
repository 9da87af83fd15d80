/* SPDX-License-Identifier: MIT */
/* Kernels and launches, over every device that is present. */
#include "tests/cases.h"
#include "tests/device_for_tests.h"

TEST_ON_PROGRAMS(launches_of_odd_sizes)
{
    static const int sizes[] = {1, 63, 64, 65, 1000};
    float in[1000], out[1000];
    ROOM *x = room(d, sizeof in), *y = room(d, sizeof in);
    for (int i = 0; i < 1000; i++)
        in[i] = (float)i;
    good(orr_upload(d, x, in, sizeof in));
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const int n = sizes[s];
        const struct orr_arg args[] = {ORR_BUF(x), ORR_BUF(y), ORR_I32(n)};
        good(orr_fill(d, y, 0xbf800000u, sizeof out)); /* -1 */
        good(orr_launch(d, p,
                        &(struct orr_launch){.kernel = "reverse_groups",
                                             .groups = {((size_t)n + 63) / 64},
                                             .group = {64},
                                             .local_bytes = 64 * sizeof(float),
                                             .args = args,
                                             .arg_count = 3}));
        good(orr_download(d, out, y, sizeof out));
        for (int i = 0; i < 1000; i++) {
            int mirror = i / 64 * 64 + 63 - i % 64;
            float expected = i >= n ? -1.0f : mirror < n ? 2.0f * (float)mirror + 1.0f : 1.0f;
            assert_true(out[i] == expected);
        }
    }
    orr_drop(d, NULL);
}

TEST_ON_PROGRAMS(atomics_lose_nothing)
{
    float sum;
    int32_t groups;
    ROOM *total = room_of(d, 0, 4), *items = room_of(d, 0, 4);
    const struct orr_arg args[] = {ORR_BUF(total), ORR_BUF(items), ORR_I32(3001), ORR_F32(0.5f)};
    run_kernel(d, p, "count", 101, 32, args, 4);
    good(orr_download(d, &sum, total, 4));
    good(orr_download(d, &groups, items, 4));
    assert_true(sum == 1500.5f);
    assert_int_equal(groups, 101);
}

/* Float sums by compare and swap, by the device's own atomics, and 64-bit sums with their carries
 * both ways. */
TEST_ON_PROGRAMS(atomics_meet_at_one_address)
{
    enum { N = 3001 };
    const int64_t expected = -(int64_t)N * 0x7123456789; /* sum of 2 i - N */
    float sum[3];
    uint32_t words[2][2];
    ROOM *sums = room_of(d, 0, sizeof sum), *wide = room_of(d, 0, sizeof words);
    const struct orr_arg args[] = {ORR_BUF(sums), ORR_BUF(wide), ORR_I32(N)};
    run_kernel(d, p, "meet", (N + 63) / 64, 64, args, 3);
    good(orr_download(d, sum, sums, sizeof sum));
    good(orr_download(d, words, wide, sizeof words));
    for (int s = 0; s < 3; s++)
        assert_true(sum[s] == 0.25f * N);
    for (int w = 0; w < 2; w++)
        assert_true((int64_t)(words[w][0] | (uint64_t)words[w][1] << 32) == expected);
}

/* The dialect's promise for RSQRT: relative error below 2^-21.9, scalar and vector. */
TEST_ON_KERNEL_DEVICES(rsqrt_is_accurate)
{
    enum { N = 4096 };
    static float x[N], y[N];
    ROOM *in = room(d, sizeof x), *out = room(d, sizeof x);
    for (int i = 0; i < N; i++)
        x[i] = expf(-30.0f + 60.0f * (float)i / N);
    good(orr_upload(d, in, x, sizeof x));
    for (int width = 1; width <= (d->info.kind == ORR_DEVICE_CPU ? 16 : 1);
         width = width == 2 ? 4 : 2 * width) {
        struct orr_program *p = NULL;
        const struct orr_arg args[] = {ORR_BUF(in), ORR_BUF(out), ORR_I32(N / width)};
        double worst = 0;
        good(orr_build(d, &p, &source, filled("-DVECTOR=%d", width)));
        run_kernel(d, p, "rsqrt_of", N / 64, 64, args, 3);
        good(orr_download(d, y, out, sizeof y));
        for (int i = 0; i < N; i++)
            worst = fmax(worst, fabs((double)y[i] * sqrt((double)x[i]) - 1));
        if (worst > exp2(-21.9))
            fail_msg("%s, VECTOR=%d: error %g", d->info.id, width, worst);
        orr_drop(d, p);
    }
}

TEST_ON_PROGRAMS(many_launches_in_two_dimensions)
{
    struct orr_times times;
    float out[64];
    ROOM *y = room_of(d, 0x3f800000u, sizeof out);
    const struct orr_arg args[] = {ORR_BUF(y), ORR_I32(64), ORR_U32(1)};
    const struct orr_arg twice[] = {ORR_BUF(y), ORR_I32(64), ORR_U32(2)};
    struct orr_launch launch = {
        .kernel = "scale", .groups = {2, 2}, .group = {8, 2}, .args = args, .arg_count = 3};
    good(d->ops->time_start(d));
    for (int step = 0; step < 2000; step++)
        good(orr_launch(d, p, &launch));
    launch.args = twice;
    good(orr_launch(d, p, &launch));
    good(d->ops->time_stop(d));
    good(d->ops->time_read(d, &times));
    assert_true(times.seconds > 0);
    assert_int_equal(times.phase_count, 0);
    good(orr_download(d, out, y, sizeof out));
    for (int i = 0; i < 64; i++)
        assert_true(out[i] == 2.0f);
}

/* One kernel between fills, which are no part of it. */
TEST_ON_PROGRAMS(kernels_have_times_of_their_own)
{
    struct orr_times one, fills;
    const char *why;
    ROOM *y = room(d, 1 << 22);
    const struct orr_arg args[] = {ORR_BUF(y), ORR_I32(64), ORR_U32(1)};
    const struct orr_launch launch = {
        .kernel = "scale", .groups = {2, 2}, .group = {8, 2}, .args = args, .arg_count = 3};
    if (strcmp(orr_device_kernel_clock(d, &why), "kernel timestamps")) {
        print_message("%s: kernels are timed by other clocks: %s\n", d->info.id, why);
        orr_error_clear();
        return;
    }
    if (d->ops->trace)
        good(d->ops->trace(d, true));
    for (int with = 0; with < 2; with++) {
        good(d->ops->time_start(d));
        good(orr_fill(d, y, 1, 1 << 22));
        if (with)
            good(orr_launch(d, p, &launch));
        good(orr_fill(d, y, 2, 1 << 22));
        good(d->ops->time_stop(d));
        good(d->ops->time_read(d, with ? &one : &fills));
    }
    if (d->ops->trace)
        good(d->ops->trace(d, false));
    assert_true(fills.kernels_s == 0);
    assert_true(one.kernels_s > 0);
    assert_true(one.kernels_s < one.seconds);
}

static void count_into(struct orr_device *d, struct orr_program *p, struct orr_buffer *total,
                       struct orr_buffer *items, int n)
{
    const struct orr_arg args[] = {ORR_BUF(total), ORR_BUF(items), ORR_I32(n), ORR_F32(1.0f)};
    run_kernel(d, p, "count", 2, 32, args, 4);
}

/* New buffers may have the addresses of freed ones, and a value may be the last but one. */
TEST_ON_PROGRAMS(arguments_are_those_of_the_launch)
{
    for (int k = 0; k < 20; k++) {
        const int n = k % 3 ? 40 : 50;
        float sum = 0;
        struct orr_buffer *total = room_of(d, 0, 4), *items = room_of(d, 0, 4);
        count_into(d, p, total, items, n);
        good(orr_download(d, &sum, total, 4));
        assert_true(sum == (float)n);
        orr_free(d, k % 2 ? total : items);
        orr_free(d, k % 2 ? items : total);
    }
}

/* What is queued before, in and after a timed span goes on in this order, without a wait. */
TEST_ON_PROGRAMS(spans_keep_the_order)
{
    enum { ROUNDS = 200 };
    struct orr_times times;
    float sum = 0;
    ROOM *total = room_of(d, 0, 4), *items = room_of(d, 0, 4);
    for (int k = 0; k < ROUNDS; k++) {
        good(orr_fill(d, total, 0, 4));
        good(d->ops->time_start(d));
        count_into(d, p, total, items, 24);
        good(d->ops->time_stop(d));
        good(d->ops->hurry && k % 2 ? d->ops->hurry(d) : 0);
        count_into(d, p, total, items, 30);
        count_into(d, p, total, items, 40);
        good(d->ops->time_read(d, &times));
        good(d->ops->hurry && k % 3 ? d->ops->hurry(d) : 0);
        count_into(d, p, total, items, 6);
        good(orr_download(d, &sum, total, 4));
        assert_true(sum == 100.0f);
        assert_true(times.seconds > 0);
    }
}

TEST_ON_PROGRAMS(bad_launches_are_explained)
{
    ROOM *y = room(d, 64);
    const struct orr_arg args[] = {ORR_BUF(y), ORR_I32(1), ORR_U32(2)};
    struct orr_launch launch = {
        .kernel = "scale", .groups = {1}, .group = {1}, .args = args, .arg_count = 2};
    if (strcmp(d->info.backend, "cuda")) { /* drivers before CUDA 12.4 cannot tell */
        assert_fails(orr_launch(d, p, &launch), ORR_EINTERNAL, "scale takes 3 arguments");
    }
    orr_error_clear();
    launch.arg_count = 3;
    launch.kernel = "nothing";
    assert_int_equal(orr_launch(d, p, &launch), ORR_EINTERNAL);
    orr_error_clear();
    launch.kernel = "scale";
    launch.group[0] = 1 << 20;
    assert_int_equal(orr_launch(d, p, &launch), ORR_EUNSUPPORTED);
    orr_error_clear();
    assert_false(d->lost);
    launch.group[0] = 1;
    good(orr_launch(d, p, &launch));
    good(orr_sync(d));
}

RUN_TESTS(setup, NULL)
