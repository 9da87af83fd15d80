/* feng/barnes-hut: the tree's invariants after every kernel, and forces that depend on nothing but the bodies and
 * theta. */
#include "feng_tree.h"

/* --- bodies --- */

enum kind {
    UNIFORM,
    COINCIDENT,
    PAIRS, /* each place twice */
    LINE,
    HUGE_RANGE,
    TINY_RANGE,
    FAR_AWAY,
    MASSLESS,
    CLUSTERS, /* deep trees, crowded slots, never two at one place */
    KINDS
};

static void place(struct orr_bodies *b, enum kind kind, size_t i)
{
    double x = 2048 * uniform() - 1024, y = 2048 * uniform() - 1024;
    const double scale = kind == HUGE_RANGE ? 1e7 : kind == TINY_RANGE ? 1e-12 : 1;

    if (kind == COINCIDENT)
        x = y = 3;
    if (kind == LINE)
        y = 0.1 * x;
    if (kind == CLUSTERS) {
        x = (double)(i % 3) * 3 + pow(0.5, 20 * uniform()) * uniform();
        y = (double)(i % 3) * 3 + (double)i / 16384;
    }
    if (kind == FAR_AWAY && i == 1)
        x = 1e9;
    b->pos[0][i] = kind == PAIRS && i % 2 ? b->pos[0][i - 1] : scale * x;
    b->pos[1][i] = kind == PAIRS && i % 2 ? b->pos[1][i - 1] : scale * y;
    b->mass[i] = kind == MASSLESS && i % 5 ? 0 : 0.1 + 99.9 * uniform();
    b->eps = scale;
}

static struct orr_bodies make(enum kind kind, size_t n)
{
    struct orr_bodies b;

    assert_int_equal(orr_bodies_make(&b, n, 2), 0);
    for (size_t i = 0; i < n; i++)
        place(&b, kind, i);
    orr_bodies_round(&b);
    return b;
}

/* --- forces --- */

/* ax ay of body i, and in sum[2] the sum of the terms' lengths: what fp32 errors are small against. */
static void exact(double sum[3], const struct orr_bodies *b, size_t i)
{
    const double eps = (double)(float)b->eps;

    memset(sum, 0, 3 * sizeof *sum);
    for (size_t j = 0; j < b->n; j++) {
        const double dx = b->pos[0][j] - b->pos[0][i], dy = b->pos[1][j] - b->pos[1][i],
                     r2 = dx * dx + dy * dy + eps * eps;
        const double force = r2 > 0 && j != i ? b->mass[j] / (r2 * sqrt(r2)) : 0;
        sum[0] += force * dx;
        sum[1] += force * dy;
        sum[2] += force * hypot(dx, dy);
    }
}

/* Mean error of the forces relative to the sum of the terms' lengths; each must be below `most`. */
static double check_forces(const struct run *r, const char *what, double most)
{
    const struct orr_bodies *b = r->job.bodies;
    double mean = 0;

    for (size_t i = 0; i < b->n; i++) {
        double sum[3], error;
        exact(sum, b, i);
        error = hypot((double)r->out.acc[0][i] - sum[0], (double)r->out.acc[1][i] - sum[1]);
        if (!(error <= most * sum[2] + 1e-35))
            fail_msg("%s on %s, n = %zu, body %zu: acc off by %g of %g", what, r->job.device->info.id, b->n, i, error,
                     sum[2]);
        mean += sum[2] > 0 ? error / sum[2] / (double)b->n : 0;
    }
    return mean;
}

static const char *const kind_names[KINDS] = {"uniform", "coincident", "pairs",    "line",    "huge",
                                              "tiny",    "far away",   "massless", "clusters"};

static void forces_of(struct orr_device *device, enum kind kind, size_t n, const char *settings, double most)
{
    struct orr_bodies b = make(kind, n);
    struct run r;

    run_make(&r, device, &b, settings);
    check_tree(&r);
    check_forces(&r, kind_names[kind], most);
    run_release(&r);
    orr_bodies_release(&b);
}

static void kinds(struct orr_device *device)
{
    for (int kind = 0; kind < KINDS; kind++) {
        forces_of(device, (enum kind)kind, 257, "theta=0", 1e-5);
        forces_of(device, (enum kind)kind, 257, "theta=0.5", 1);
    }
    for (size_t n = 1; n <= 3; n++) {
        forces_of(device, UNIFORM, n, "theta=0", 1e-5);
        forces_of(device, COINCIDENT, n, "theta=0", 1e-5);
    }
}

static void test_every_kind_of_bodies(void **state)
{
    (void)state;
    everywhere(kinds);
}

/* Bodies at one place without softening do not act on each other, nor on themselves through a cell. */
static void unsoftened(struct orr_device *device)
{
    static const enum kind hard[] = {UNIFORM, COINCIDENT, PAIRS};

    for (size_t k = 0; k < sizeof hard / sizeof *hard; k++) {
        struct orr_bodies b = make(hard[k], 200);
        struct run r;

        b.eps = 0;
        run_make(&r, device, &b, "theta=0");
        check_forces(&r, kind_names[hard[k]], 1e-5);
        run_release(&r);
        run_make(&r, device, &b, "theta=0.5");
        check_forces(&r, kind_names[hard[k]], hard[k] == COINCIDENT ? 0 : 1);
        run_release(&r);
        orr_bodies_release(&b);
    }
}

static void test_unsoftened(void **state)
{
    (void)state;
    everywhere(unsoftened);
}

static void growing_theta(struct orr_device *device)
{
    static const char *const thetas[] = {"theta=0", "theta=0.2", "theta=0.5", "theta=1", "theta=5"};
    struct orr_bodies b = make(UNIFORM, 1200);
    double before = -1;

    for (size_t k = 0; k < sizeof thetas / sizeof *thetas; k++) {
        struct run r;

        run_make(&r, device, &b, thetas[k]);
        const double error = check_forces(&r, thetas[k], 100);
        if (!(error > before))
            fail_msg("%s has error %g, a smaller theta %g", thetas[k], error, before);
        before = error;
        run_release(&r);
    }
    orr_bodies_release(&b);
}

static void test_error_grows_with_theta(void **state)
{
    (void)state;
    everywhere(growing_theta);
}

static void momentum(struct orr_device *device)
{
    struct orr_bodies b = make(UNIFORM, 400);
    double sum[2] = {0, 0}, scale = 0;
    struct run r;

    run_make(&r, device, &b, "theta=0");
    for (size_t i = 0; i < b.n; i++) {
        double terms[3];
        exact(terms, &b, i);
        scale += b.mass[i] * terms[2];
        for (int d = 0; d < 2; d++)
            sum[d] += b.mass[i] * (double)r.out.acc[d][i];
    }
    if (!(hypot(sum[0], sum[1]) <= 1e-6 * scale))
        fail_msg("%s: forces sum to %g of %g", device->info.id, hypot(sum[0], sum[1]), scale);
    run_release(&r);
    orr_bodies_release(&b);
}

static void test_forces_sum_to_zero(void **state)
{
    (void)state;
    everywhere(momentum);
}

/* --- the same answer whoever comes first --- */

static void assert_same(const struct run *a, const struct run *b, const char *what)
{
    for (int d = 0; d < 2; d++)
        if (memcmp(a->out.acc[d], b->out.acc[d], a->job.bodies->n * sizeof(float)))
            fail_msg("%s on %s: other forces, seed %llu", what, b->job.device->info.id, seed);
}

/* Bodies at different places have one tree only, and its sums one order: the bits are the same. */
static void settings(struct orr_device *device)
{
    static const char *const others[] = {"theta=0.7 sort=off",
                                         "theta=0.7 throttle=none",
                                         "theta=0.7 throttle=none sort=off rounds=1",
                                         "theta=0.7 throttle=backoff",
                                         "theta=0.7 throttle=backoff rounds=3",
                                         "theta=0.7 rounds=1",
                                         "theta=0.7 pool=1",
                                         "theta=0.7 pool=40 rounds=1 throttle=none",
                                         "theta=0.7 block_setup=32 block_root=32 block_build=32 block_summarize=32 "
                                         "block_sort=32 block_forces=32 block_update=32"};
    struct orr_bodies b = make(CLUSTERS, 700);
    struct run first, r;

    run_make(&first, device, &b, "theta=0.7");
    assert_int_equal(first.state.launches, 1);
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        run_make(&r, device, &b, others[k]);
        check_tree(&r);
        assert_same(&first, &r, others[k]);
        assert_true(r.state.grown > 0 || !strstr(others[k], "pool"));
        run_release(&r);
    }
    run_release(&first);
    orr_bodies_release(&b);
}

static void test_same_for_every_setting(void **state)
{
    (void)state;
    everywhere(settings);
}

static void repeats(struct orr_device *device)
{
    static const char *const hasty = "theta=0.5 throttle=none rounds=2 block_build=32 block_summarize=32";
    struct orr_bodies b = make(CLUSTERS, 300);
    struct run first, r;

    run_make(&first, device, &b, "theta=0.5");
    run_make(&r, device, &b, hasty);
    for (int k = 0; k < 100; k++) {
        run_step(&r);
        check_tree(&r);
        assert_same(&first, &r, "again");
    }
    run_release(&r);
    run_release(&first);
    orr_bodies_release(&b);
}

static void test_a_hundred_times(void **state)
{
    (void)state;
    everywhere(repeats);
}

/* A pool that overflows in the middle of an integration loses no body; a body that moves away makes the next root
 * larger. */
static void integration(struct orr_device *device)
{
    struct orr_bodies b = make(UNIFORM, 150);
    struct run roomy, tight;

    b.dt = 0.5;
    run_make(&roomy, device, &b, "theta=0.5 steps=4");
    run_make(&tight, device, &b, "theta=0.5 steps=4 pool=1");
    assert_true(tight.state.grown > 0);
    assert_same(&roomy, &tight, "after growth");
    for (int d = 0; d < 2; d++) {
        assert_memory_equal(roomy.out.pos[d], tight.out.pos[d], b.n * sizeof(float));
        assert_memory_equal(roomy.out.vel[d], tight.out.vel[d], b.n * sizeof(float));
    }
    run_release(&roomy);
    run_release(&tight);
    orr_bodies_release(&b);
}

static void test_integration_with_a_small_pool(void **state)
{
    (void)state;
    everywhere(integration);
}

/* What prepare() must refuse, leaving an object that is safe to release. */
static void refused(struct orr_device *device)
{
    struct orr_bodies b = make(UNIFORM, 10);
    struct run r;

    if (device->info.max_group && device->info.max_group < 1024) {
        assert_int_equal(run_prepare(&r, device, &b, "block_build=1024"), ORR_EUNSUPPORTED);
        run_release(&r);
    }
    if (device->info.kind == ORR_DEVICE_GPU && device->info.warp_width > 1) {
        assert_int_equal(run_prepare(&r, device, &b, "block_forces=33"), ORR_EUSAGE);
        assert_non_null(strstr(orr_error_text(), "block_forces = 33"));
        run_release(&r);
    }
    assert_int_equal(run_prepare(&r, device, &b, "steps=1 dt=0"), ORR_EUSAGE);
    run_release(&r);
    orr_bodies_release(&b);
    orr_error_clear();
}

static void test_refusals(void **state)
{
    (void)state;
    everywhere(refused);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_kind_of_bodies),          cmocka_unit_test(test_unsoftened),
        cmocka_unit_test(test_error_grows_with_theta),        cmocka_unit_test(test_forces_sum_to_zero),
        cmocka_unit_test(test_same_for_every_setting),        cmocka_unit_test(test_a_hundred_times),
        cmocka_unit_test(test_integration_with_a_small_pool), cmocka_unit_test(test_refusals),
    };

    seed = (unsigned long long)time(NULL);
    printf("seed %llu\n", seed);
    return cmocka_run_group_tests_name("feng", tests, load, unload);
}
