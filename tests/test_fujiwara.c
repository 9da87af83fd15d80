/* SPDX-License-Identifier: MIT */
/* The fujiwara variants: forces against fp64 at awkward sizes, parameters, the leap-frog scheme,
 * what a step costs, and what the counting builds count. */
#include "counts_run.h"
#include "space_run.h"

/* Who moves the bodies: settings for each flow of a variant; "" alone for one without a device. */
static const char *const flows[] = {"integrate=host", "integrate=device"};

static inline int flow_count(const struct orr_variant *variant)
{
    return variant->capabilities & ORR_RUNS_HOST ? 0 : 2;
}

/* `settings` of one flow. */
static inline const char *in_flow(const struct orr_variant *variant, int flow, const char *settings)
{
    return filled("%s %s", flow_count(variant) ? flows[flow] : "", settings);
}

/* Calls `each` for every variant, device and flow. */
static inline void every_flow(void (*each)(const struct orr_variant *variant,
                                           struct orr_device *device, int flow))
{
    for (int v = 0; v < plugin_count; v++)
        for (int d = 0; d < device_count; d++)
            for (int flow = 0; orr_plugin_runs_on(plugins[v].variant, &devices[d]->info) &&
                               (flow == 0 || flow < flow_count(plugins[v].variant));
                 flow++)
                each(plugins[v].variant, devices[d], flow);
}

#define TEST_EVERY_FLOW(name)                                                                 \
    TEST_EACH(name, every_flow, const struct orr_variant *variant, struct orr_device *device, \
              int flow)

/* Softening that single precision cannot square, too; more sizes: test_conformance. */
TEST_EVERY_FLOW(test_softening)
{
    static const char *const eps[] = {"eps=0.01", "eps=0", "eps=1e-20"};

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
        b.pos[d][50] = 0; /* at the origin */
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

/* What the note calls simd=baseline. */
#if defined(__x86_64__)
#define BASELINE "sse2"
#elif defined(__aarch64__)
#define BASELINE "neon"
#else
#define BASELINE "baseline"
#endif

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
        assert_same_forces(&first, &second, "third_law=yes");
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

/* --- steps --- */

/* Every step() begins from what upload() put there, with and without another upload. */
TEST_EVERY_FLOW(test_repeating_changes_nothing)
{
    BODIES b = random_bodies(200, 0.05);

    for (int integrate = 0; integrate < 2; integrate++) {
        RUN r = run_made(variant, device, &b,
                         in_flow(variant, flow, integrate ? "steps=3 dt=0.01" : ""));
        assert_step_repeats(&r, true);
        assert_step_repeats(&r, false);
    }
}

TEST_EVERYWHERE(test_cost)
{
    BODIES b = random_bodies(10, 0.05);

    RUN r = run_made(variant, device, &b, "steps=4 dt=0.01");
    const struct orr_cost cost = cost_of(&r);
    assert_true(cost.interactions == 5 * 10 * 9 && cost.flops_convention == 38 * cost.interactions);
    assert_true(cost.flops_true == 20 * cost.interactions && cost.bytes_min > 0);
}

/* The host that integrates sends all bodies to each evaluation and reads them back; the device
 * that does keeps them. Kicks are launches there. */
TEST_EVERY_FLOW(test_who_moves_the_bodies)
{
    BODIES b = random_bodies(100, 0.05);

    if (!flow_count(variant))
        return;
    RUN r = run_made(variant, device, &b, in_flow(variant, flow, "steps=4 dt=0.01"));
    const struct orr_device_use before = device->use;
    assert_int_equal(variant->step(&r.job), 0);
    const struct orr_device_use after = device->use;
    assert_int_equal(after.uploaded - before.uploaded, flow ? 0 : 5 * 100 * 16);
    assert_int_equal(after.downloaded - before.downloaded, flow ? 0 : 5 * 100 * 16);
    if (strcmp(variant->name, "fujiwara/optimised") != 0)
        assert_int_equal(after.launches - before.launches, flow ? 10 : 5);
}

/* --- what the counting builds count, against formulas in the number of bodies --- */

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

RUN_TESTS_OF("fujiwara/cpu-only", "fujiwara/cpu-simd", "fujiwara/no-unrolling",
             "fujiwara/simple-unrolling", "fujiwara/double-unrolling", "fujiwara/optimised",
             "fujiwara/third-law")
