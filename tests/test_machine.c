/* SPDX-License-Identifier: MIT */
/* What is measured of the machine itself: description, ceilings, sensors. */
#include <ctype.h>

#include "device/device.h"
#include "machine.h"
#include "measure/ceiling.h"
#include "clock.h"
#include "measure/sensors.h"
#include "tests/cases.h"

enum { MAX = 16 };
static struct orr_device_info devices[MAX];
static int device_count;

TEST(machine_is_described)
{
    struct orr_machine m;
    orr_machine_describe(&m);
    assert_true(m.cores >= 1 && m.threads >= m.cores);
    assert_true(m.memory_bytes > 1 << 20);
    assert_true(m.cpu[0] && m.kernel[0] && m.simd[0]);
    json_auto_t *object = orr_machine_to_json(&m, "some-name");
    assert_non_null(object);
    assert_string_equal(json_string_value(json_object_get(object, "name")), "some-name");
    assert_int_equal(json_integer_value(json_object_get(object, "threads")), m.threads);
}

TEST(machine_has_a_name_without_its_host)
{
    struct orr_machine m = {.cpu = "Intel(R) Xeon(R) CPU @ 2.30GHz", .cores = 2};
    const struct orr_device_info *gpu = orr_device_called(devices, device_count, "gpu");
    char name[64], host[64] = "";
    orr_machine_name(name, sizeof name, &m, NULL);
    assert_string_equal(name, "intel-xeon-2-cores");
    orr_machine_name(name, sizeof name, &m, "NVIDIA H200");
    assert_string_equal(name, "nvidia-h200");
    m = (struct orr_machine){.cpu = "AMD Ryzen 7 5800X 8-Core Processor", .cores = 1};
    orr_machine_name(name, sizeof name, &m, NULL);
    assert_string_equal(name, "amd-ryzen-7-5800x-8-1-core");
    orr_machine_describe(&m);
    orr_machine_name(name, sizeof name, &m, gpu ? gpu->name : NULL);
    gethostname(host, sizeof host - 1);
    assert_true(name[0] && (!host[0] || !strstr(name, host)));
    for (const char *c = name; *c; c++)
        assert_true(islower((unsigned char)*c) || isdigit((unsigned char)*c) || *c == '-' ||
                    *c == '.');
}

TEST(ceilings_are_plausible)
{
    for (int k = 0; k < device_count; k++) {
        struct orr_device *device;
        struct orr_ceiling ceiling;
        json_t *sensors;
        if (orr_device_open(&device, devices[k].id) ||
            orr_ceiling_measure(device, &ceiling, &sensors))
            fail_msg("%s: %s", devices[k].id, orr_error_text());
        if (devices[k].kind != ORR_DEVICE_OTHER) /* a simulator is as slow as it likes */
            assert_true(ceiling.interactions_per_second > 1e6 && ceiling.fma_per_second > 1e7);
        json_t *record = orr_ceiling_record(device, &ceiling, sensors);
        json_t *pairs = json_object_get(record, "pairs");
        assert_int_equal(json_object_size(pairs), 6);
        for (size_t p = 0; p < 6; p++) {
            static const char *const names[] = {"3d",      "3d-both",   "2d",
                                                "2d-both", "3d-matrix", "3d-node"};
            assert_true(json_real_value(json_object_get(pairs, names[p])) >
                        (devices[k].kind != ORR_DEVICE_OTHER ? 1e6 : 0));
        }
        /* the clock of then, where the device tells one */
        assert_ptr_equal(json_object_get(record, "clock_mhz"),
                         json_object_get(sensors, "clock_mhz_median"));
        assert_ptr_equal(json_object_get(record, "throttle_reasons"),
                         json_object_get(sensors, "throttle_reasons"));
        json_decref(sensors);
        json_decref(record);
        assert_int_equal(device->kernel_count, 0); /* the journal's kernels are the variant's */
        orr_device_close(device);
    }
}

TEST(sensors_start_and_stop)
{
    for (int k = 0; k < device_count; k++) {
        double start = orr_clock_now();
        struct orr_sensors *sensors = orr_sensors_start(&devices[k], ORR_SENSORS_PERIOD_S);
        usleep(120000);
        json_t *read = orr_sensors_since(sensors, start);
        assert_true(json_is_object(read));
        json_decref(read);
        json_auto_t *found = orr_sensors_stop(sensors);
        assert_true(json_is_object(found));
        if (json_object_size(found)) {
            assert_true(json_integer_value(json_object_get(found, "samples")) >= 1);
            assert_true(json_is_array(json_object_get(found, "throttle_reasons")));
        }
    }
    orr_sensors_hold(NULL);
    json_t *none[2] = {orr_sensors_stop(NULL), orr_sensors_since(NULL, 0)};
    for (int k = 0; k < 2; k++) {
        assert_int_equal(json_object_size(none[k]), 0);
        json_decref(none[k]);
    }
}

static int setup(void **state)
{
    device_count = orr_device_list(devices, MAX);
    return 0;
}

RUN_TESTS(setup, NULL)
