/* The thread that reads the sensors, over a tree of files that stands for /sys: machines of clouds
 * have none. `make tsan` looks for races here. Linked with --wrap=fopen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "clock.h"
#include "device/device.h"
#include "measure/sensors.h"
#include "tests/folder_for_tests.h"

#define CPU "sys-devices-system-cpu-cpu"

FILE *__real_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode);

/* "/sys/a/b" is <folder>/sys-a-b. */
FILE *__wrap_fopen(const char *path, const char *mode)
{
    char own[PATH_MAX];
    if (strncmp(path, "/sys/", strlen("/sys/")) != 0)
        return __real_fopen(path, mode);
    int start = snprintf(own, sizeof own, "%s/", folder);
    snprintf(own + start, sizeof own - (size_t)start, "%s", path + 1);
    for (char *c = own + start; *c; c++)
        if (*c == '/')
            *c = '-';
    return __real_fopen(own, mode);
}

static void put(const char *name, const char *value)
{
    char path[PATH_MAX], fresh[PATH_MAX + 8];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    snprintf(fresh, sizeof fresh, "%s.new", path);
    FILE *file = __real_fopen(fresh, "w");
    assert_true(file && fputs(value, file) >= 0 && !fclose(file) && !rename(fresh, path));
}

static int make_sensors(void **state)
{
    if (make_folder(state))
        return -1;
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

/* Asked from this thread while the other reads. */
static bool throttles_within(struct orr_sensors *sensors, double from, double seconds)
{
    while (orr_clock_now() < from + seconds)
        if (orr_sensors_throttled_since(sensors, from, orr_clock_now()))
            return true;
    return false;
}

static void the_host_is_read_while_it_works(void **state)
{
    (void)state;
    const struct orr_device_info host = {
        .id = "host", .backend = "host", .kind = ORR_DEVICE_HOST, .compute_units = 2};
    struct orr_sensors *sensors;
    assert_int_equal(orr_sensors_start(&sensors, &host), 0);
    double start = orr_clock_now();
    assert_false(throttles_within(sensors, start, 0.2));
    put("sys-class-thermal-thermal_zone1-temp", "93000\n");
    put(CPU "0-thermal_throttle-package_throttle_count", "8\n");
    assert_true(throttles_within(sensors, orr_clock_now(), 10));
    json_t *found = orr_sensors_stop(sensors);
    assert_true(number(found, "samples") >= 3);
    assert_true(number(found, "clock_mhz_median") == 2500);
    assert_true(number(found, "temperature_c_max") == 93);
    json_t *reasons = json_object_get(found, "throttle_reasons");
    assert_int_equal(json_array_size(reasons), 1);
    assert_string_equal(json_string_value(json_array_get(reasons, 0)), "hardware thermal");
    json_decref(found);
}

/* Stopped at once, and several at a time. */
static void threads_end_whenever_they_are_stopped(void **state)
{
    (void)state;
    const struct orr_device_info host = {
        .id = "host", .backend = "host", .kind = ORR_DEVICE_HOST, .compute_units = 2};
    for (int round = 0; round < 50; round++) {
        struct orr_sensors *both[2];
        for (int k = 0; k < 2; k++)
            assert_int_equal(orr_sensors_start(&both[k], &host), 0);
        for (int k = 0; k < 2; k++)
            json_decref(orr_sensors_stop(both[k]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_host_is_read_while_it_works),
        cmocka_unit_test(threads_end_whenever_they_are_stopped),
    };
    return cmocka_run_group_tests(tests, make_sensors, remove_folder);
}
