/* SPDX-License-Identifier: MIT */
/* The thread that reads the sensors, over a tree of files that stands for /sys: machines of clouds
 * have none. `make tsan` looks for races here. GPUs are those of the NVML of tests. */
#include <sched.h>

#include "clock.h"
#include "device/device.h"
#include "measure/sensors.h"
#include "tests/cases.h"
#include "tests/nvml_for_tests.h"
#include "tests/sys_for_tests.h"

#define CPU "sys-devices-system-cpu-cpu"
#define PACKAGE "sys-class-powercap-intel-rapl:0-"

static int make_sensors(void **state)
{
    if (make_folder(state))
        return -1;
    *state = use_fake_nvml();
    put(CPU "0-cpufreq-scaling_cur_freq", "2000000\n");
    put(CPU "1-cpufreq-scaling_cur_freq", "3000000\n");
    put("sys-class-thermal-thermal_zone0-type", "acpitz\n");
    put("sys-class-thermal-thermal_zone1-type", "x86_pkg_temp\n");
    put("sys-class-thermal-thermal_zone1-temp", "51500\n");
    put(CPU "0-thermal_throttle-package_throttle_count", "7\n");
    return 0;
}

static double number(json_t *of, const char *name)
{
    return json_number_value(json_object_get(of, name));
}

static const struct orr_device_info host = {
    .id = "host", .backend = "host", .kind = ORR_DEVICE_HOST, .compute_units = 2};
static const struct orr_device_info gpu = {
    .id = "opencl:0.0", .backend = "opencl", .kind = ORR_DEVICE_GPU, .pci = FAKE_NVML_PCI};

static struct orr_sensors *start(const struct orr_device_info *info)
{
    return orr_sensors_start(info, ORR_SENSORS_PERIOD_S);
}

static void stop(struct orr_sensors **sensors)
{
    json_decref(orr_sensors_stop(*sensors));
}
#define SENSORS RELEASED_BY(stop) struct orr_sensors

static void wait_for(double seconds)
{
    double until = orr_clock_now() + seconds;
    while (orr_clock_now() < until)
        ;
}

/* Asked from this thread while the other reads. */
static bool throttles_within(struct orr_sensors *sensors, double seconds)
{
    for (double from = orr_clock_now(), t0 = from; orr_clock_now() < from + seconds;) {
        json_auto_t *read = orr_sensors_since(sensors, t0);
        assert_true(json_is_string(json_object_get(read, "throttle")));
        if (json_is_true(json_object_get(read, "throttled")))
            return true;
    }
    return false;
}

TEST(the_host_is_read_while_it_works)
{
    struct orr_sensors *sensors = start(&host);
    assert_false(throttles_within(sensors, 0.2));
    put("sys-class-thermal-thermal_zone1-temp", "93000\n");
    put(CPU "0-thermal_throttle-package_throttle_count", "8\n");
    assert_true(throttles_within(sensors, 10));
    json_auto_t *found = orr_sensors_stop(sensors);
    assert_true(number(found, "samples") >= 3);
    assert_true(number(found, "poll_s") > 0 && number(found, "poll_s") < 1);
    assert_true(number(found, "clock_mhz_median") == 2500);
    assert_true(number(found, "temperature_c_max") == 93);
    json_t *reasons = json_object_get(found, "throttle_reasons");
    assert_int_equal(json_array_size(reasons), 1);
    assert_string_equal(json_string_value(json_array_get(reasons, 0)), "hardware thermal");
}

/* Only the cores that the process may use count. */
TEST(the_clock_is_that_of_the_cores_used)
{
    cpu_set_t before, one;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    CPU_ZERO(&one);
    CPU_SET(1, &one);
    if (!CPU_ISSET(1, &before)) {
        print_message("skipped: the second core is not ours\n");
        skip();
    }
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    SENSORS *sensors = start(&host);
    json_auto_t *read = orr_sensors_since(sensors, orr_clock_now());
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
    assert_true(number(read, "clock_mhz") == 3000);
}

/* 6 J in the 40 ms between two readings, over the end of the counter. */
TEST(power_of_the_host_is_its_counter_s)
{
    put(PACKAGE "name", "package-0\n");
    put(PACKAGE "max_energy_range_uj", "262143328850\n");
    put(PACKAGE "energy_uj", "262143000000\n");
    SENSORS *sensors = start(&host);
    orr_sensors_hold(sensors);
    wait_for(0.03);
    put(PACKAGE "energy_uj", "5671150\n");
    json_auto_t *read = orr_sensors_since(sensors, orr_clock_now());
    double power = number(read, "power_w");
    assert_true(power > 20 && power < 201); /* this thread may be late, never early */
}

TEST(a_gpu_is_read_by_its_address)
{
    struct fake_nvml *nvml = *state;
    nvml->milliwatt = 350060;
    nvml->reasons = 0x1 | 0x4 | 0x20; /* idle, power cap, software thermal */
    SENSORS *sensors = start(&gpu);
    json_auto_t *read = orr_sensors_since(sensors, orr_clock_now());
    assert_true(number(read, "clock_mhz") == 1980 && number(read, "memory_clock_mhz") == 3201);
    assert_true(number(read, "power_w") == 350 && number(read, "temperature_c") == 45);
    assert_string_equal(json_string_value(json_object_get(read, "throttle")),
                        "power cap, software thermal");
    assert_true(json_is_true(json_object_get(read, "throttled")));
    json_decref(read);
    nvml->reasons = 0x2; /* the user's setting spoils nothing */
    nvml->instant_milliwatt = 200000;
    nvml->celsius = -1;
    read = orr_sensors_since(sensors, orr_clock_now());
    assert_string_equal(json_string_value(json_object_get(read, "throttle")), "clock setting");
    assert_false(json_is_true(json_object_get(read, "throttled")));
    assert_true(number(read, "power_w") == 200); /* that of now before the mean */
    assert_null(json_object_get(read, "temperature_c"));
}

/* What drivers of AMD and Intel show, by their documentation, of one GPU each. */
#define PCI "sys-bus-pci-devices-0000:03:00.0-"
#define PCI_I915 "sys-bus-pci-devices-0000:05:00.0-"
#define PCI_XE "sys-bus-pci-devices-0000:06:00.0-"
static const struct orr_device_info radeon = {
    .id = "opencl:0.0", .backend = "opencl", .kind = ORR_DEVICE_GPU, .pci = "00000000:03:00.0"};

TEST(an_amd_gpu_is_read_by_its_address)
{
    put("sys-bus-pci-devices-0000:04:00.0-hwmon-hwmon2-freq1_input", "1000000\n");
    put(PCI "hwmon-hwmon5-freq1_input", "2304000000\n");
    put(PCI "hwmon-hwmon5-freq2_input", "1249000000\n");
    put(PCI "hwmon-hwmon5-power1_average", "214000000\n");
    put(PCI "hwmon-hwmon5-temp1_input", "61000\n");
    SENSORS *sensors = start(&radeon);
    json_auto_t *read = orr_sensors_since(sensors, orr_clock_now());
    assert_true(number(read, "clock_mhz") == 2304 && number(read, "memory_clock_mhz") == 1249);
    assert_true(number(read, "power_w") == 214 && number(read, "temperature_c") == 61);
    assert_null(json_object_get(read, "throttle")); /* not told, which is not "" */
    json_decref(orr_sensors_stop(sensors));
    put(PCI "hwmon-hwmon5-power1_input", "187000000\n"); /* of now, before the mean */
    sensors = start(&radeon);
    json_auto_t *now = orr_sensors_since(sensors, orr_clock_now());
    assert_true(number(now, "power_w") == 187);
}

/* Two drivers: each its clock, the power by a counter of energy; a clock of 0 is a GPU asleep. */
static void read_intel(const char *pci, const char *clock, const char *energy)
{
    struct orr_device_info intel = {.id = "opencl:0.0", .kind = ORR_DEVICE_GPU};
    snprintf(intel.pci, sizeof intel.pci, "%s", pci);
    put(clock, "2450\n");
    put(energy, "9000000\n");
    SENSORS *sensors = start(&intel);
    double until = orr_clock_now() + 60, power = 0;
    for (long joules = 10; !(power > 0) && orr_clock_now() < until; joules += 6) {
        put(energy, filled("%ld000000\n", joules));
        wait_for(0.03);
        json_auto_t *read = orr_sensors_since(sensors, orr_clock_now());
        assert_true(number(read, "clock_mhz") == 2450);
        power = number(read, "power_w");
    }
    assert_true(power > 0 && power < 1000);
    put(clock, "0\n");
    for (bool asleep = false; !asleep;) {
        json_auto_t *read = orr_sensors_since(sensors, orr_clock_now());
        asleep = !json_object_get(read, "clock_mhz");
        assert_true(asleep || orr_clock_now() < until);
    }
}

TEST(an_intel_gpu_of_i915)
{
    read_intel("00000000:05:00.0", PCI_I915 "drm-card1-gt_act_freq_mhz",
               PCI_I915 "hwmon-hwmon3-energy1_input");
}

TEST(an_intel_gpu_of_xe)
{
    read_intel("00000000:06:00.0", PCI_XE "tile0-gt0-freq0-act_freq",
               PCI_XE "hwmon-hwmon3-energy2_input");
}

/* What holds the sensors off and takes less than their period sees no reading. */
TEST(nothing_is_read_while_it_is_held_off)
{
    struct fake_nvml *nvml = *state;
    SENSORS *sensors = start(&gpu);
    for (int round = 0; round < 5; round++) {
        double begun = orr_clock_now();
        orr_sensors_hold(sensors);
        int calls = nvml->calls;
        wait_for(0.6 * ORR_SENSORS_PERIOD_S);
        if (orr_clock_now() - begun < 0.9 * ORR_SENSORS_PERIOD_S) /* else this thread was late */
            assert_int_equal(nvml->calls, calls);
        json_decref(orr_sensors_since(sensors, begun));
        assert_true(nvml->calls > calls);
    }
    int calls = nvml->calls;
    wait_for(3 * ORR_SENSORS_PERIOD_S);
    assert_true(nvml->calls > calls); /* without anybody asking */
}

/* Stopped at once, and several at a time. */
TEST(threads_end_whenever_they_are_stopped)
{
    for (int round = 0; round < 50; round++) {
        struct orr_sensors *both[2];
        for (int k = 0; k < 2; k++)
            both[k] = start(&host);
        for (int k = 0; k < 2; k++)
            json_decref(orr_sensors_stop(both[k]));
    }
}

RUN_TESTS(make_sensors, remove_folder)
