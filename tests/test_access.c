/* SPDX-License-Identifier: MIT */
/* Access ceilings: every kind has a rate or a reason on every device, a kernel that leaves
 * something out is refused, and so is a rate above what a chip is documented to do. */
#include <ctype.h>

#include "json_member.h"
#include "measure/access.h"
#include "tests/cases.h"
#include "tests/folder_for_tests.h"

enum { MOST = 16, KINDS = 48 };
static struct orr_device_info devices[MOST];
static int device_count;

static struct orr_access_meter *open_on(struct orr_device *device, const char *defines)
{
    struct orr_access_meter *meter;
    const struct orr_access_options options = {.quick = true, .defines = defines};
    if (orr_access_open(&meter, device, &options))
        fail_msg("%s: %s", device->info.id, orr_error_text());
    return meter;
}

/* The rates of a kind, as many as it has degrees; each with either a rate or a reason. */
static json_t *measured(struct orr_access_meter *meter, const char *kind)
{
    json_t *rates = orr_access_measure(meter, kind, NULL), *rate;
    size_t k;
    bool by_degree = strstr(kind, "update") || strstr(kind, "atomic");
    assert_int_equal(json_array_size(rates), by_degree ? 6 : 1);
    json_array_foreach (rates, k, rate) {
        assert_string_equal(orr_json_text(rate, "kind"), kind);
        assert_int_equal(orr_json_integer(rate, "degree"), 1 << k);
        bool known = json_is_number(json_object_get(rate, "rate"));
        assert_true(known == !orr_json_text(rate, "reason"));
        assert_true(!known || (orr_json_number(rate, "rate") > 0 &&
                               !strcmp(orr_json_text(rate, "check"), "ok")));
    }
    return rates;
}

/* Work-items that update one word together with neither atomics nor barriers may lose updates. */
static bool races(const char *kind, size_t place)
{
    return strstr(kind, "shared-update-plain") && place > 0;
}

/* What may have no rate on a device, and why. */
static bool may_lack(const struct orr_device_info *info, const char *kind, const char *reason)
{
    if (!strcmp(info->backend, "host"))
        return strstr(reason, "the host") || strstr(reason, "threads") || strstr(reason, "C11");
    return (!strcmp(kind, "shuffle") && strstr(reason, "no shuffles")) ||
           (!strcmp(kind, "fma-fp64") && !info->fp64);
}

/* Calls `each` with every device but simulators. */
static void on_devices(void (*each)(struct orr_device *device))
{
    for (int k = 0; k < device_count; k++) {
        struct orr_device *device;
        if (devices[k].kind == ORR_DEVICE_OTHER)
            continue;
        if (orr_device_open(&device, devices[k].id))
            fail_msg("%s: %s", devices[k].id, orr_error_text());
        each(device);
        orr_device_close(device);
    }
}

#define TEST_ON_DEVICES(name) TEST_EACH(name, on_devices, struct orr_device *device)

TEST_ON_DEVICES(every_kind_has_a_rate_or_a_reason)
{
    struct orr_access_meter *meter = open_on(device, NULL);
    size_t count = 0, k, known = 0;
    json_t *rate;
    for (const char *kind; (kind = orr_access_kind(count)); count++) {
        json_auto_t *rates = measured(meter, kind);
        json_array_foreach (rates, k, rate) {
            const char *reason = orr_json_text(rate, "reason");
            if (reason && !may_lack(&device->info, kind, reason) &&
                !(races(kind, k) && strstr(reason, "wrong result")))
                fail_msg("%s, %s: %s", device->info.id, kind, reason);
            known += !reason;
        }
    }
    assert_int_equal(count, KINDS);
    assert_true(known >= 14);
    assert_int_equal(device->kernel_count, 0); /* the journal's kernels are the variant's */
    json_auto_t *sensors = orr_access_close(meter);
    assert_true(json_is_object(sensors));
    assert_int_equal(device->use.buffers, 0);
}

TEST_ON_DEVICES(a_kernel_that_leaves_something_out_is_refused)
{
    size_t k;
    json_t *rate;
    if (!strcmp(device->info.backend, "host"))
        return;
    struct orr_access_meter *meter = open_on(device, "-DSKIP=3");
    for (size_t place = 0; orr_access_kind(place); place++) {
        const char *kind = orr_access_kind(place);
        if (strstr(kind, "device-") || isdigit(kind[0]) || !strcmp(kind, "fma"))
            continue; /* no kernel of access_ceilings.cl */
        json_auto_t *rates = measured(meter, kind);
        json_array_foreach (rates, k, rate) {
            const char *reason = orr_json_text(rate, "reason");
            if (races(kind, k))
                continue;
            if (!reason)
                fail_msg("%s, %s: nothing was noticed", device->info.id, kind);
            assert_true(strstr(reason, "wrong result") || strstr(reason, "launches ran") ||
                        may_lack(&device->info, kind, reason));
        }
    }
    json_decref(orr_access_close(meter));
}

/* A device that says it is an H200 of one slow multiprocessor. */
TEST_ON_DEVICES(a_rate_above_the_documented_one_is_refused)
{
    static const char *const limited[] = {"add", "fma",          "rsqrt",      "shared-load",
                                          "l2",  "global-store", "latency-fma"};
    const struct orr_device_info before = device->info;
    if (!strcmp(device->info.backend, "host"))
        return;
    struct orr_access_meter *meter = open_on(device, NULL);
    json_decref(orr_sensors_stop(meter->sensors)); /* they would tell the true clock */
    meter->sensors = NULL;
    strcpy(device->info.capability, "9.0");
    device->info.clock_mhz = 1;
    for (size_t k = 0; k < sizeof limited / sizeof *limited; k++) {
        json_auto_t *rates = measured(meter, limited[k]);
        const char *reason = orr_json_text(json_array_get(rates, 0), "reason");
        assert_non_null(reason);
        assert_non_null(strstr(reason, "above the"));
    }
    json_decref(orr_access_close(meter));
    device->info = before;
}

TEST(documented_rates_are_those_of_the_chip)
{
    struct orr_device_info h200 = {
        .capability = "9.0", .compute_units = 132, .memory_rate = 3201e6 * 2 * 6144 / 8};
    struct orr_device_info a100 = {.capability = "8.0", .compute_units = 108};
    struct orr_device_info other = {.capability = "avx512f", .compute_units = 2};
    const double clock = 132 * 1980e6;
    assert_true(orr_access_limit(&h200, "fma", 1980) == 128 * clock);
    assert_true(orr_access_limit(&h200, "fma-fp64", 1980) == 64 * clock);
    assert_true(orr_access_limit(&h200, "rsqrt", 1980) == 16 * clock);
    assert_true(orr_access_limit(&h200, "3d", 1980) == 128.0 / 13 * clock);
    assert_true(orr_access_limit(&h200, "3d-both", 1980) == 256.0 / 19 * clock);
    assert_true(orr_access_limit(&h200, "3d-node", 1980) == 128.0 / 33 * clock);
    assert_true(orr_access_limit(&h200, "2d", 1980) == 128.0 / 9 * clock);
    assert_true(orr_access_limit(&h200, "2d-both", 1980) == 256.0 / 12 * clock);
    assert_true(orr_access_limit(&h200, "shared-load-128", 1980) == 32 * clock);
    assert_true(orr_access_limit(&h200, "shared-update-plain", 1980) == 16 * clock);
    assert_true(orr_access_limit(&h200, "shuffle", 1980) == 32 * clock);
    assert_true(orr_access_limit(&h200, "latency-l2", 1980) == 1980e6);
    assert_true(orr_access_limit(&a100, "add", 1410) == 64 * 108 * 1410e6);
    /* 4.8 TB/s, and half the L2 is no memory; without the driver's word what can pass the L2 */
    assert_true(orr_access_limit(&h200, "dram", 1980) > 4.8e12 &&
                orr_access_limit(&h200, "dram", 1980) < 5e12);
    assert_true(orr_access_limit(&a100, "dram", 1410) == 64 * 108 * 1410e6);
    assert_true(orr_access_limit(&h200, "group", 1980) == clock);
    assert_true(isnan(orr_access_limit(&h200, "launch", 1980)));
    assert_true(isnan(orr_access_limit(&h200, "fma", 0)));
    assert_true(isnan(orr_access_limit(&other, "fma", 3000)));
}

TEST(a_refused_kind_has_a_reason_for_each_degree)
{
    json_auto_t *rates = orr_access_measure(NULL, "shared-atomic-int", "crashed: SIGSEGV");
    json_t *rate;
    size_t k;
    assert_int_equal(json_array_size(rates), 6);
    json_array_foreach (rates, k, rate) {
        assert_string_equal(orr_json_text(rate, "reason"), "crashed: SIGSEGV");
        assert_null(json_object_get(rate, "rate"));
    }
    assert_null(orr_access_measure(NULL, "shared-atomic", "crashed"));
}

/* --- how much the caches hold --- */

static void write_cache(int cpu, int index, const char *level, const char *size, const char *cpus)
{
    const char *const names[] = {"level", "size", "shared_cpu_list"},
                      *texts[] = {level, size, cpus};
    for (int k = 0; k < 3; k++)
        put_file_at(filled("sys/devices/system/cpu/cpu%d/cache/index%d/%s", cpu, index, names[k]),
                    filled("%s\n", texts[k]));
}

/* Two sockets with two cores each, whose last levels are 32 MiB. */
TEST_AROUND(caches_are_added_up, make_folder, remove_folder)
{
    const char *root = filled("%s/sys", folder);
    assert_int_equal(orr_access_cache_bytes(root), 0);
    for (int cpu = 0; cpu < 4; cpu++) {
        write_cache(cpu, 0, "1", "48K", cpu == 0 ? "0" : "1");
        write_cache(cpu, 1, "3", "32768K", cpu < 2 ? "0-1" : "2,3");
        write_cache(cpu, 2, "2", "1M", "0");
    }
    assert_int_equal(orr_access_cache_bytes(root), (size_t)64 << 20);
}

/* --- spans --- */

/* A loop takes a millisecond; the first span of each length is disturbed. */
static int runs;
static long last;
static int invented(void *context, long loops, double *seconds)
{
    *seconds = 1e-3 * (double)loops * (loops != last ? 3 : 1);
    last = loops;
    runs++;
    return 0;
}

/* Where ORRERY_SPAN_SECONDS says so, NULL: nothing. */
static struct orr_span span_of(const char *said, long most, double span_s)
{
    const char *given = getenv("ORRERY_SPAN_SECONDS"), *before = filled("%s", given ? given : "");
    struct orr_span span = {
        .run = invented, .loops = 1, .most = most, .spans = 3, .span_s = span_s};
    double seconds;
    if (said)
        setenv("ORRERY_SPAN_SECONDS", said, 1);
    else
        unsetenv("ORRERY_SPAN_SECONDS");
    assert_int_equal(orr_ceiling_span(&span, &seconds), 0);
    assert_true(fabs(seconds - 1e-3 * (double)span.loops) < 1e-12);
    if (given)
        setenv("ORRERY_SPAN_SECONDS", before, 1);
    return span;
}

TEST(spans_grow_and_the_shortest_counts)
{
    assert_true(span_of(NULL, 1000, 20e-3).loops >= 10);
    assert_true(runs < 20);
    assert_int_equal(span_of(NULL, 4, 20e-3).loops, 4);
}

/* For tests: a ceiling is never measured by longer spans than it asks for, and never by none. */
TEST(spans_may_be_shortened)
{
    assert_true(span_of("0.001", 1, 20e-3).span_s == 0.001);
    for (const char *const *said = (const char *const[]){"1", "0", "-1", "soon", "nan", NULL};
         *said; said++)
        assert_true(span_of(*said, 1, 20e-3).span_s == 20e-3);
    assert_true(span_of(NULL, 1, 4e-3).span_s == 4e-3);
}

static int find_devices(void **state)
{
    device_count = orr_device_list(devices, MOST);
    setenv("ORRERY_SPAN_SECONDS", "0.001", 0); /* whether there is a rate, not how exact it is */
    return 0;
}

RUN_TESTS(find_devices, NULL)
