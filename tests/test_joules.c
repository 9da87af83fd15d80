/* SPDX-License-Identifier: MIT */
/* Energy counters: NVML's by the one of tests/drivers, RAPL's over a tree of files; what of a
 * window stands in the record; and which GPU a device is. */
#include <jansson.h>

#include "clock.h"
#include "device/cuda_abi.h"
#include "device/device.h"
#include "measure/sensors.h"
#include "referee/cell_record.h"
#include "tests/cases.h"
#include "tests/nvml_for_tests.h"
#include "tests/sys_for_tests.h"

#define ZONE "sys-class-powercap-intel-rapl:"

static const struct orr_device_info host = {.id = "host",
                                            .backend = "host",
                                            .kind = ORR_DEVICE_HOST},
                                    gpu = {.id = "cuda:0",
                                           .backend = "cuda",
                                           .kind = ORR_DEVICE_GPU,
                                           .pci = FAKE_NVML_PCI};

static void set_energy(const char *zone, const char *energy)
{
    put(filled(ZONE "%s-energy_uj", zone), energy);
}

static void put_zone(const char *zone, const char *name, const char *energy)
{
    put(filled(ZONE "%s-name", zone), name);
    put(filled(ZONE "%s-max_energy_range_uj", zone), "1000000000\n");
    set_energy(zone, energy);
}

/* --- RAPL --- */

TEST(without_zones_there_is_a_reason)
{
    struct orr_joules *joules;
    assert_int_equal(orr_sensors_joules_open(&joules, &host), ORR_EUNSUPPORTED);
    assert_null(joules);
    assert_says("/sys/class/powercap");
}

static struct orr_joules *begin(const struct orr_device_info *info)
{
    struct orr_joules *joules;
    assert_done(orr_sensors_joules_open(&joules, info));
    orr_sensors_joules_begin(joules);
    return joules;
}

/* Since the last window, of which another follows. */
static void assert_counted(struct orr_joules **joules, double expected)
{
    struct orr_joules_window window;
    assert_done(orr_sensors_joules_end(*joules, &window));
    assert_true(fabs(window.joules - expected) < 1e-9);
    *joules = begin(&host);
}

/* Two packages, of which one counts its memory; the parts of a package and the whole board are in
 * what is counted already. */
TEST(packages_and_their_memory_are_summed)
{
    struct orr_joules_window window;
    put_zone("0", "package-0\n", "1000000\n");
    put_zone("0:0", "core\n", "500000\n");
    put_zone("0:1", "dram\n", "900000000\n");
    put_zone("1", "package-1\n", "0\n");
    put_zone("2", "psys\n", "7000000\n");
    struct orr_joules *joules = begin(&host);
    set_energy("0", "4000000\n");
    set_energy("0:0", "9500000\n");
    set_energy("1", "2000000\n");
    set_energy("2", "99000000\n");
    assert_counted(&joules, 5);
    set_energy("0:1", "100000000\n"); /* round the end: 100 J to it and 100 J from 0 */
    assert_counted(&joules, 200);
    set_energy("0:1", "50000000\n"); /* once more */
    assert_counted(&joules, 950);
    orr_sensors_joules_end(joules, &window);
}

TEST(what_may_not_be_read_is_said)
{
    struct orr_joules *joules;
    forbidden = "/sys/class/powercap/intel-rapl:1/energy_uj";
    assert_fails(orr_sensors_joules_open(&joules, &host), ORR_EUNSUPPORTED,
                 filled("%s: Permission denied; only root may read it", forbidden));
    forbidden = NULL;
}

TEST(a_window_of_the_host_is_its_counter_s)
{
    struct orr_joules *joules = begin(&host);
    struct orr_joules_window window;
    set_energy("0", "5500000\n");
    assert_int_equal(orr_sensors_joules_end(joules, &window), 0);
    assert_string_equal(window.counter, "rapl");
    assert_true(fabs(window.joules - 1.5) < 1e-9 && window.seconds > 0);
    assert_true(isnan(window.integrated)); /* its power is of the same counter */
    joules = begin(&host);
    forbidden = "/sys/class/powercap/intel-rapl:0/energy_uj";
    orr_error_clear();
    assert_int_equal(orr_sensors_joules_end(joules, &window), ORR_EDEVICE);
    forbidden = NULL;
}

/* --- NVML --- */

static struct orr_joules_window window_of_gpu(double seconds)
{
    struct orr_joules *joules = begin(&gpu);
    struct orr_joules_window window;
    for (double start = orr_clock_now(); orr_clock_now() - start < seconds;)
        ;
    assert_int_equal(orr_sensors_joules_end(joules, &window), 0);
    assert_string_equal(window.counter, "nvml");
    assert_true(window.seconds >= seconds);
    return window;
}

static bool is_about(double value, double expected)
{
    return fabs(value / expected - 1) < 0.03;
}

TEST(counter_and_power_agree)
{
    struct fake_nvml *nvml = *state;
    nvml->counted_watt = 350;
    nvml->milliwatt = 350000;
    struct orr_joules_window window = window_of_gpu(0.2);
    assert_true(is_about(window.joules / window.seconds, 350));
    assert_true(is_about(window.integrated / window.seconds, 350));
}

/* As of a GPU whose power is the mean of a second that it mostly idled. */
TEST(counter_and_power_disagree)
{
    struct fake_nvml *nvml = *state;
    nvml->counted_watt = 350;
    nvml->milliwatt = 140000;
    struct orr_joules_window window = window_of_gpu(0.2);
    assert_true(is_about(window.joules / window.seconds, 350));
    assert_true(is_about(window.integrated / window.seconds, 140));
    nvml->instant_milliwatt = 350000;
    window = window_of_gpu(0.2);
    assert_true(is_about(window.integrated / window.seconds, 350));
    nvml->instant_milliwatt = -1;
}

TEST(a_gpu_without_counter_has_a_reason)
{
    struct fake_nvml *nvml = *state;
    struct orr_joules *joules;
    struct orr_device_info other = gpu;
    nvml->counted_watt = -1;
    assert_fails(orr_sensors_joules_open(&joules, &gpu), ORR_EUNSUPPORTED, "counts no energy");
    nvml->counted_watt = 0;
    orr_error_clear();
    snprintf(other.pci, sizeof other.pci, "00000000:99:00.0");
    assert_fails(orr_sensors_joules_open(&joules, &other), ORR_EUNSUPPORTED,
                 "NVML does not know this GPU");
    other.kind = ORR_DEVICE_OTHER;
    assert_int_equal(orr_sensors_joules_open(&joules, &other), ORR_EUNSUPPORTED);
}

/* --- which GPU a device is --- */

/* The UUID is NVML's even where the backend says another, as CUDA does of a MIG instance. */
TEST(backends_agree_on_a_gpu)
{
    static const unsigned char other[ORR_GPU_UUID_BYTES] = {0xff};
    struct orr_device_info cuda = {.backend = "cuda"}, opencl = {.backend = "opencl"};
    struct nvmlDevice_st *handles[2];
    orr_device_identify(&cuda, (const unsigned[]){0, 0x1b, 0}, other);
    orr_device_identify(&opencl, (const unsigned[]){0, 0x1b, 0}, NULL);
    assert_string_equal(cuda.pci, FAKE_NVML_PCI);
    assert_string_equal(cuda.uuid, FAKE_NVML_UUID);
    assert_string_equal(opencl.uuid, FAKE_NVML_UUID);
    assert_non_null(orr_device_nvml(&cuda, &handles[0]));
    assert_non_null(orr_device_nvml(&opencl, &handles[1]));
    assert_ptr_equal(handles[0], handles[1]);
}

TEST(a_gpu_without_nvml_keeps_its_own_uuid)
{
    static const unsigned char own[ORR_GPU_UUID_BYTES] = {0x6b, 0x3a, 0x01, 0x02, 0x03, 0x04,
                                                          0x05, 0x06, 0x07, 0x08, 0x09, 0x0a,
                                                          0x0b, 0x0c, 0x0d, 0xfe};
    struct orr_device_info unlisted = {.backend = "opencl"}, unknown = {.backend = "opencl"};
    struct nvmlDevice_st *handle;
    orr_device_identify(&unlisted, (const unsigned[]){1, 0xc3, 0x1f}, own);
    assert_string_equal(unlisted.pci, "00000001:c3:1f.0");
    assert_string_equal(unlisted.uuid, "GPU-6b3a0102-0304-0506-0708-090a0b0c0dfe");
    assert_null(orr_device_nvml(&unlisted, &handle));
    orr_device_identify(&unknown, NULL, NULL);
    assert_string_equal(unknown.uuid, "");
    assert_null(orr_device_nvml(&unknown, &handle));
}

/* --- the record --- */

static double energy(const json_t *record, const char *name)
{
    return json_number_value(json_object_get(json_object_get(record, "energy"), name));
}

TEST(a_window_becomes_joules_of_a_step)
{
    json_auto_t *record = json_pack("{s:f}", "interactions", 1e9),
                *of = json_pack("{s:s, s:f, s:i, s:f, s:f, s:f, s:f}", "counter", "nvml", "idle_w",
                                80.0, "steps", 100, "busy_s", 0.4, "window_s", 0.5, "joules", 200.0,
                                "integrated", 190.0);
    orr_cell_record_joules(record, of);
    assert_true(fabs(energy(record, "joules_step") - 2) < 1e-12);
    assert_true(fabs(energy(record, "joules_idle_step") - 0.4) < 1e-12);
    assert_true(fabs(energy(record, "joules_interaction") - 2e-9) < 1e-20);
    assert_true(fabs(energy(record, "error") - 0.05) < 1e-12);
    assert_true(fabs(energy(record, "busy") - 0.8) < 1e-12);
    json_object_del(of, "integrated");
    json_object_del(record, "interactions");
    orr_cell_record_joules(record, of);
    assert_null(json_object_get(json_object_get(record, "energy"), "error"));
    assert_null(json_object_get(json_object_get(record, "energy"), "joules_interaction"));
    json_object_set_new(of, "joules", json_string("none"));
    json_object_set_new(of, "window_s", json_real(0));
    orr_cell_record_joules(record, of);
    assert_non_null(json_object_get(json_object_get(record, "energy"), "reason"));
    assert_int_equal(json_object_size(json_object_get(record, "energy")), 1);
}

static int prepare(void **state)
{
    int code = make_folder(state);
    *state = use_fake_nvml();
    return code;
}

RUN_TESTS(prepare, remove_folder)
