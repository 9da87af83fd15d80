/* SPDX-License-Identifier: MIT */
/* feng/barnes-hut-modern: its sort, and its forces against fp64; feng/exact beside it. */
#include "feng_run.h"
#include "variants/feng/shared/modern.h"

static const struct orr_variant *modern, *exact;

/* Calls `each` for every device that kernels run on. */
static void on_devices(void (*each)(struct orr_device *device))
{
    for (int d = 0; d < device_count; d++)
        if (orr_plugin_runs_on(modern, &devices[d]->info))
            each(devices[d]);
}

#define TEST_ON_DEVICES(name) TEST_EACH(name, on_devices, struct orr_device *device)

static int load(void **state)
{
    static const char *const names[] = {"feng/barnes-hut-modern", "feng/exact"};
    const int rc = load_variants(names, 2);

    modern = plugins[0].variant;
    exact = plugins[1].variant;
    return rc;
}

static double error_of(struct orr_device *device, const struct orr_bodies *b,
                       const struct sum *direct, const char *settings)
{
    RUN r = run_made(modern, device, b, settings);

    return median_error(r.out.acc, direct, b->n);
}

/* --- the sort --- */

struct record {
    uint64_t key;
    uint32_t value;
};

static int compare_records(const void *a, const void *b)
{
    const struct record *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key)
                            : (x->value > y->value) - (x->value < y->value);
}

/* Sorts n fresh keys of `bits` bits; the values 0, 1 ... say whether it is stable. */
static void check_sort(struct orr_device *device, enum radix_way way, size_t n, int bits, int few)
{
    struct orr_job job = {.host = &host, .device = device};
    RELEASED_BY(free_text) struct record *records = malloc(n * sizeof *records);
    RELEASED_BY(free_text) uint64_t *keys = malloc(n * sizeof *keys);
    RELEASED_BY(free_text) uint32_t *values = malloc(n * sizeof *values);
    struct radix_sort s = {.way = way};
    int at = radix_sort_result(bits);

    for (size_t i = 0; i < n; i++) {
        uint64_t bits64 =
            (uint64_t)random_below(1LL << 53) << 11 ^ (uint64_t)random_below(1LL << 53);
        keys[i] = bits64 & (((uint64_t)1 << bits) - 1) & (few ? 0x0101010101010101u : ~(uint64_t)0);
        values[i] = (uint32_t)i;
        records[i] = (struct record){keys[i], values[i]};
    }
    qsort(records, n, sizeof *records, compare_records);
    assert_done(
        radix_sort_prepare(&job, &s, n) || orr_upload(device, s.key[0], keys, n * sizeof *keys) ||
        orr_upload(device, s.value[0], values, n * sizeof *values) ||
        radix_sort_run(&job, &s, bits) || orr_download(device, keys, s.key[at], n * sizeof *keys) ||
        orr_download(device, values, s.value[at], n * sizeof *values));
    for (size_t i = 0; i < n; i++)
        if (keys[i] != records[i].key || values[i] != records[i].value)
            fail_msg("%zu keys of %d bits, way %d: wrong at %zu", n, bits, (int)way, i);
    radix_sort_release(&job, &s);
}

TEST_ON_DEVICES(test_sort)
{
    static const size_t sizes[] = {1, 2, 31, 32, 33, 255, 513, 2049, 5003};
    static const int bits[] = {1, 8, 9, 24, 40, 60};

    for (enum radix_way way = RADIX_THREE_LAUNCHES; way <= RADIX_SWEEP; way++) {
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
            check_sort(device, way, sizes[k], bits[k % 6], k % 2);
        check_sort(device, way, 100 + (size_t)random_below(20000), 60, 0);
        check_sort(device, way, 100 + (size_t)random_below(20000), 24, 1);
    }
}

/* --- forces --- */

TEST_ON_DEVICES(test_zero_theta_is_the_direct_sum)
{
    static const size_t sizes[] = {1, 2, 3, 8, 9, 31, 65, 257, 1000};
    static const char *const settings[] = {"theta=0", "theta=0 leaf=1", "theta=0 leaf=20 bodies=1",
                                           "theta=0 levels=3", "theta=0 block=4 lanes=2 warps=2"};

    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        BODIES b = make_bodies(UNIFORM, sizes[k], k % 2 == 0);
        RUN r = run_made(modern, device, &b, settings[k % 5]);
        check_forces(&r, settings[k % 5], 3e-6);
        RUN single = run_made(exact, device, &b, "precision=single");
        check_forces(&single, "single", 3e-6);
        if (device->info.fp64) {
            RUN wide = run_made(exact, device, &b, "precision=double");
            check_forces(&wide, "double", 3e-7); /* the result is rounded to single */
        }
    }
}

TEST_ON_DEVICES(test_trees_of_difficult_bodies)
{
    static const size_t sizes[] = {1, 2, 9, 77, 700};
    static const char *const settings[] = {
        "theta=0",          "theta=0 leaf=1",      "theta=0 leaf=16",
        "theta=0 levels=4", "theta=0 build=group", "theta=0 build=launches"};

    for (int kind = 0; kind < KINDS; kind++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            const char *with = settings[kind % 2 ? 4 : random_below(6)];
            BODIES b =
                make_bodies((enum kind)kind, sizes[k], kind != HUGE_RANGE && kind != TINY_RANGE);
            RUN r = run_made(modern, device, &b, with);
            check_forces(&r, kind_names[kind], 3e-6);
        }
}

/* Of the plain Barnes-Hut code beside the tests. */
static double plain_error(const struct orr_bodies *b, const struct sum *direct, double theta)
{
    RELEASED_BY(free_text) struct sum *plain = expect(b, theta);
    RELEASED_BY(free_text) double *errors = calloc(b->n, sizeof *errors);

    for (size_t i = 0; i < b->n; i++)
        errors[i] = hypot(plain[i].x - direct[i].x, plain[i].y - direct[i].y) /
                    hypot(direct[i].x, direct[i].y);
    const double median = median_of(errors, b->n);
    return median;
}

TEST_ON_DEVICES(test_error_grows_with_theta_and_is_no_larger_than_plain)
{
    static const char *const settings[] = {"theta=0.2", "theta=0.35", "theta=0.5", "theta=0.8",
                                           "theta=1.5"};
    static const double thetas[] = {0.2, 0.35, 0.5, 0.8, 1.5};
    BODIES b = make_bodies(UNIFORM, 1500, true);
    RELEASED_BY(free_text) struct sum *direct = expect(&b, 0);
    double last = 0;

    for (int k = 0; k < 5; k++) {
        const double error = error_of(device, &b, direct, settings[k]),
                     allowed = plain_error(&b, direct, thetas[k]);
        if (!(error > last) || !(error <= allowed))
            fail_msg("%s on %s: median error %g after %g, plainly %g", settings[k], device->info.id,
                     error, last, allowed);
        last = error;
    }
}

TEST_ON_DEVICES(test_same_bits_again)
{
    BODIES b = make_bodies(UNIFORM, 999, true);

    check_same_bits(modern, device, &b, "theta=0.7");
    check_same_bits(modern, device, &b, "theta=0.7 steps=3 dt=10 block=4 lanes=2 warps=2");
}

TEST_ON_DEVICES(all_pairs_are_chosen)
{
    BODIES b = make_bodies(UNIFORM, 30000, true);

    check_trees(modern, device, &b);
}

TEST_ON_DEVICES(test_refusals)
{
    const struct orr_device_info kept = device->info;
    BODIES b = make_bodies(UNIFORM, 10, true);

    assert_refused(modern, device, &b, "block=12", ORR_EUSAGE, "block");
    assert_refused(modern, device, &b, "steps=1 dt=0", ORR_EUSAGE, "dt");
    /* As if the device were another one. */
    device->info.kind = ORR_DEVICE_GPU;
    device->info.max_group = 1024;
    device->info.local_bytes = 32768;
    assert_refused(modern, device, &b, "block=32 lanes=32 warps=16", ORR_EUNSUPPORTED,
                   "the 56852 bytes of a group do not fit into 32768 bytes of local memory");
    device->info = kept;
}

RUN_TESTS(load, unload)
