/* SPDX-License-Identifier: MIT */
/* The forces of the fujiwara variants against fp64 at awkward sizes, and their parameters. */
#include "fujiwara_run.h"

TEST_EVERY_FLOW(test_sizes_and_softening)
{
    static const size_t list[] = {1, 2, 3, 5, 63, 64, 65, 127, 1000, 1025, 2049};
    static const char *const eps[] = {"eps=0.01", "eps=0", "eps=1e-20"};

    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        BODIES b = random_bodies(list[k], 0.01);
        check_run(variant, device, &b, in_flow(variant, flow, eps[k % 3]), eps[k % 3]);
    }
    for (int k = 0; k < 3; k++) {
        BODIES b = random_bodies(65 + (size_t)(400 * uniform()), 0.01);
        check_run(variant, device, &b, in_flow(variant, flow, eps[k]), eps[k]);
    }
}

TEST_EVERYWHERE(test_coincident_and_massless)
{
    BODIES b = random_bodies(101, 0.05);

    for (int d = 0; d < 3; d++) {
        b.pos[d][40] = b.pos[d][100] = b.pos[d][3];
        b.pos[d][50] = 0; /* What the note calls simd=baseline. */
#if defined(__x86_64__)
#define BASELINE "sse2"
#elif defined(__aarch64__)
#define BASELINE "neon"
#else
#define BASELINE "baseline"
#endif

        /* at the origin */
    }
    check_run(variant, device, &b, "", "coincident bodies");
    for (size_t i = 0; i < b.n; i += 2)
        b.mass[i] = 0;
    check_run(variant, device, &b, "", "massless bodies");
    memset(b.mass, 0, b.n * sizeof *b.mass);
    RUN r = run_made(variant, device, &b, "");
    for (size_t i = 0; i < b.n; i++)
        assert_true(r.out.acc[0][i] == 0 && r.out.acc[1][i] == 0 && r.out.acc[2][i] == 0 &&
                    r.out.phi[i] == 0);
}

/* Each loop once, in either flow where there are two. */
TEST_EVERY_FLOW(test_pairs_of_floats)
{
    static const struct {
        const char *variant, *settings;
    } ways[] = {{"fujiwara/optimised", "block=8 bodies=3 tile=48 split=5 staged=yes"},
                {"fujiwara/optimised", "block=16 bodies=2 tile=32 slices=4 vector=1"},
                {"fujiwara/third-law", "third_law=yes"},
                {"fujiwara/third-law", "third_law=yes vector=1 warps=2 bodies=2 tile=64 depth=3"},
                {"fujiwara/double-unrolling", "block=8 unroll_i=2 unroll_j=8"}};

    if (!(variant->capabilities & ORR_TAKES_DOUBLES))
        return;
    check_pairs(variant, device, in_flow(variant, flow, ""));
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++)
        if (!strcmp(variant->name, ways[k].variant))
            check_pairs(variant, device, in_flow(variant, flow, ways[k].settings));
}

TEST_EVERYWHERE(test_every_unrolling)
{
    BODIES b = random_bodies(77, 0.05);

    if (!strcmp(variant->name, "fujiwara/double-unrolling"))
        for (int i = 1; i <= 8; i *= 2)
            for (int j = 1; j <= 8; j *= 2) {
                const char *settings = filled("block=8 unroll_i=%d unroll_j=%d", i, j);
                check_run(variant, device, &b, settings, settings);
            }
}

/* Shapes of `optimised` that divide nothing evenly, on the CPU with vectors; and each instruction
 * set of cpu-simd. */
TEST_EVERYWHERE(test_shapes)
{
    static const char *const any[] = {"block=8 bodies=3 tile=48 split=5 staged=yes eps=0",
                                      "tile=1 split=7 staged=no",
                                      "block=3 bodies=5 tile=10 unroll_j=3 split=1000",
                                      "block=64 bodies=1 tile=32",
                                      "block=16 bodies=2 tile=32 slices=4 vector=1",
                                      "block=8 bodies=1 tile=8 slices=8 split=3 staged=yes eps=0",
                                      "block=64 bodies=3 tile=64 slices=32 vector=1 staged=yes"};
    static const char *const cpu[] = {"vector=1", "vector=4 bodies=3 block=2 staged=yes",
                                      "vector=8 split=2 eps=0",
                                      "vector=16 bodies=1 tile=100 split=3", "vector=2"};
    static const char *const simd[] = {"baseline", "avx2", "avx512f"};
    BODIES b = random_bodies(333, 0.05);
    struct run r;

    for (size_t k = 0; k < sizeof any / sizeof *any && !strcmp(variant->name, "fujiwara/optimised");
         k++)
        check_run(variant, device, &b, any[k], any[k]);
    for (size_t k = 0; k < 5 && !strcmp(variant->name, "fujiwara/optimised") &&
                       device->info.kind == ORR_DEVICE_CPU;
         k++)
        check_run(variant, device, &b, cpu[k], cpu[k]);
    for (size_t k = 0; k < 3 && !strcmp(variant->name, "fujiwara/cpu-simd"); k++) {
        int rc = run_prepare(&r, variant, device, &b, filled("simd=%s eps=0", simd[k]));
        assert_true(rc == 0 || rc == ORR_EUNSUPPORTED);
        if (rc == 0) {
            run_step(&r, true);
            check_forces(&r, simd[k]);
            assert_non_null(strstr(r.job.note, k ? simd[k] : BASELINE));
        }
        run_release(&r);
    }
}

/* Every way of fujiwara/third-law: one-sided, in vectors, in local memory; launches over parts of
 * the distances, an odd and an even number of blocks, of which the last is not full. */
TEST_EVERYWHERE(test_third_law)
{
    static const char *const settings[] = {
        "third_law=no",
        "third_law=yes",
        "third_law=yes vector=1 warps=1 bodies=1 tile=32",
        "third_law=yes vector=1 warps=2 bodies=2 tile=64 depth=3",
        "third_law=yes vector=1 warps=1 bodies=3 tile=96 distances=2 eps=0",
        "third_law=yes warps=2 bodies=1 tile=0 distances=3 depth=2",
        "third_law=yes warps=1 bodies=4 unroll=4 eps=0"};
    static const size_t list[] = {1, 31, 97, 333, 640, 1000};

    if (strcmp(variant->name, "fujiwara/third-law"))
        return;
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++)
        for (size_t n = 0; n < sizeof list / sizeof *list; n++) {
            BODIES b = random_bodies(list[n], 0.05);
            for (int d = 0; d < 3 && list[n] > 300; d++)
                b.pos[d][list[n] - 1] = b.pos[d][5];
            check_run(variant, device, &b, settings[k], settings[k]);
        }
}

/* The same sums twice: nothing depends on which group comes first. */
TEST_EVERYWHERE(test_reproducible)
{
    BODIES b = random_bodies(2500, 0.01);

    if (!strcmp(variant->name, "fujiwara/third-law")) {
        RUN first = run_made(variant, device, &b, "third_law=yes");
        RUN second = run_made(variant, device, &b, "third_law=yes");
        for (int d = 0; d < 3; d++)
            assert_memory_equal(first.out.acc[d], second.out.acc[d], b.n * sizeof(float));
        assert_memory_equal(first.out.phi, second.out.phi, b.n * sizeof(float));
        assert_true(imbalance(&first) < 1e-6);
    }
}

TEST_EVERYWHERE(test_refusals)
{
    static const struct {
        const char *variant, *settings;
        int code;
    } cases[] = {{"", "steps=2 dt=0", ORR_EUSAGE},
                 {"fujiwara/simple-unrolling", "unroll_i=3", ORR_EUSAGE},
                 {"fujiwara/double-unrolling", "unroll_j=5", ORR_EUSAGE},
                 {"fujiwara/no-unrolling", "block=12", ORR_EUSAGE},
                 {"fujiwara/optimised", "vector=3", ORR_EUSAGE},
                 {"fujiwara/optimised", "block=24 slices=3", ORR_EUSAGE},
                 {"fujiwara/optimised", "block=8 slices=16", ORR_EUSAGE},
                 {"fujiwara/third-law", "tile=40", ORR_EUSAGE}};
    BODIES b = random_bodies(10, 0.05);

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        if (!*cases[k].variant || !strcmp(cases[k].variant, variant->name))
            assert_refused(variant, device, &b, cases[k].settings, cases[k].code, "");
}

RUN_TESTS_OF(FUJIWARA_VARIANTS)
