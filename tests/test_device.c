/* SPDX-License-Identifier: MIT */
/* The device layer, over every device that is present: lists, memory, phases. */
#include <sched.h>
#include <sys/wait.h>

#include "harness/device/backend.h"
#include "tests/cases.h"
#include "tests/device_for_tests.h"

TEST(lists_the_host_last)
{
    assert_true(device_count >= 1);
    assert_string_equal(devices[device_count - 1].id, "host");
    assert_true(devices[device_count - 1].compute_units >= 1);
    assert_true(devices[device_count - 1].memory_bytes > 0);
    for (int k = 0; k < device_count; k++) {
        assert_true(devices[k].name[0] != '\0');
        assert_true(devices[k].vector_width >= 1 && devices[k].warp_width >= 1);
    }
}

TEST(absent_devices_are_named)
{
    static const char *const bad[] = {"opencl:9.0",  "cuda:99", "opencl:", "opencl:0",
                                      "opencl:0.0x", "gpus",    "",        "host:1"};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        struct orr_device *device = (struct orr_device *)1;
        orr_error_clear();
        assert_int_equal(orr_device_open(&device, bad[k]), ORR_EUNSUPPORTED);
        assert_null(device);
        assert_non_null(strstr(orr_error_text(), "host"));
    }
    orr_error_clear();
    orr_device_close(NULL);
}

TEST_ON_DEVICES(memory_moves)
{
    uint32_t in[1001], out[1001];
    ROOM *a = room(d, sizeof in), *b = room(d, sizeof in), *empty = room(d, 0);
    for (uint32_t i = 0; i < 1001; i++)
        in[i] = i * 2654435761u;
    good(orr_upload(d, a, in, sizeof in));
    good(orr_fill(d, b, 0x3f800000u, sizeof in));
    good(orr_copy(d, b, a, 4 * 1000));
    good(orr_download(d, out, b, sizeof out));
    assert_memory_equal(in, out, 4000);
    assert_int_equal(out[1000], 0x3f800000u);
    good(orr_upload(d, a, in, 0));
    assert_int_equal(orr_upload(d, empty, in, 64), ORR_EINTERNAL);
    orr_error_clear();
    assert_int_equal(orr_download(d, out, a, sizeof out + 4), ORR_EINTERNAL);
    orr_error_clear();
    orr_free(d, NULL);
}

TEST_ON_DEVICES(impossible_allocations_are_refused)
{
    struct orr_buffer *buffer = (struct orr_buffer *)1;
    assert_int_equal(orr_alloc(d, &buffer, (size_t)1 << 60), ORR_EMEMORY);
    assert_null(buffer);
    assert_false(d->lost);
    orr_error_clear();
    good(orr_alloc(d, &buffer, 16));
    orr_free(d, buffer);
}

static double phase_sum(const struct orr_times *times, const char *name)
{
    for (int k = 0; k < times->phase_count; k++)
        if (!strcmp(times->phases[k].name, name))
            return times->phases[k].seconds;
    return -1;
}

TEST_ON_DEVICES(phases_add_up)
{
    ROOM *a = room(d, 1 << 20), *b = room(d, 1 << 20);
    struct orr_times times;
    good(orr_phase(d, "outside"));
    for (int round = 0; round < 2; round++) {
        good(d->ops->time_start(d));
        good(orr_fill(d, a, 0, 1 << 20));
        for (int step = 0; step < 700; step++) { /* more than the events that are kept */
            good(orr_phase(d, "there"));
            good(orr_copy(d, a, b, 1 << 10));
            good(orr_phase(d, "back"));
            good(orr_copy(d, b, a, 1 << 10));
        }
        good(orr_phase(d, NULL));
        good(orr_fill(d, a, 0, 1 << 20));
        good(d->ops->time_stop(d));
        good(d->ops->time_read(d, &times));
        assert_int_equal(times.phase_count, 2);
        double there = phase_sum(&times, "there"), back = phase_sum(&times, "back");
        assert_true(there > 0 && back > 0);
        assert_true(there + back <= times.seconds * 1.001);
    }
    good(orr_sync(d));
}

TEST(too_many_phases_are_refused)
{
    struct orr_device *d = NULL;
    struct orr_times times;
    good(orr_device_open(&d, "host"));
    good(d->ops->time_start(d));
    for (int k = 0; k < ORR_MAX_PHASES; k++) {
        good(orr_phase(d, filled("p%d", k)));
    }
    assert_int_equal(orr_phase(d, "one more"), ORR_EINTERNAL);
    orr_error_clear();
    good(d->ops->time_stop(d));
    good(d->ops->time_read(d, &times));
    assert_int_equal(times.phase_count, ORR_MAX_PHASES);
    orr_device_close(d);
}

/* What POCL_AFFINITY is in a process that may use these cores, once it has looked for devices: 'n'
 * if it is not set. */
static char affinity_within(const cpu_set_t *cores, const char *asked)
{
    const pid_t child = fork();
    int status = 0;

    assert_true(child >= 0);
    if (!child) {
        struct orr_device_info found[MAX];
        unsetenv("POCL_AFFINITY");
        if (asked)
            setenv("POCL_AFFINITY", asked, 1);
        if (sched_setaffinity(0, sizeof *cores, cores))
            _exit(1);
        orr_device_list(found, MAX);
        const char *is = getenv("POCL_AFFINITY");
        _exit(is ? *is : 'n');
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return (char)WEXITSTATUS(status);
}

/* PoCL would bind its threads to cores that the process must not use. */
TEST(pocl_gets_cores_only_where_all_are_allowed)
{
    cpu_set_t all, one;
    int cpu = 0;

    if (!orr_device_may_load("opencl"))
        return;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    while (!CPU_ISSET(cpu, &all))
        cpu++;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    const char whole = CPU_COUNT(&all) == sysconf(_SC_NPROCESSORS_CONF) ? '1' : 'n';
    assert_int_equal(affinity_within(&all, NULL), whole);
    assert_int_equal(affinity_within(&all, "0"), '0');
    if (CPU_COUNT(&all) > 1)
        assert_int_equal(affinity_within(&one, NULL), 'n');
}

RUN_TESTS(setup, NULL)
