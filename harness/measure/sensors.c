#include "measure/sensors.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "clock.h"
#include "device/cuda_abi.h"
#include "device/device.h"
#include "device/gpu.h"
#include "error.h"

/* Bits of NVML's clock event reasons; the host uses ORR_REASON_HW_THERMAL alone. */
enum {
    ORR_REASON_IDLE = 0x1,
    ORR_REASON_SETTING = 0x2,
    ORR_REASON_POWER_CAP = 0x4,
    ORR_REASON_HW_SLOWDOWN = 0x8,
    ORR_REASON_SYNC_BOOST = 0x10,
    ORR_REASON_SW_THERMAL = 0x20,
    ORR_REASON_HW_THERMAL = 0x40,
    ORR_REASON_POWER_BRAKE = 0x80
};

struct reading {
    double clock_mhz, power_w, temperature_c; /* NAN: there is no such sensor */
    unsigned long long reasons;
};

struct sensor {
    const struct orr_nvml_api *nvml; /* NULL: the host's */
    struct nvmlDevice_st *gpu;
    int threads;               /* host: of which clocks are read */
    char temperature_file[96]; /* host: "" for none */
    double energy_uj, energy_at;
    double throttle_count;
};

/* --- one reading --- */

enum { MAX_CLOCKS = 64, MAX_ZONES = 32 };
#define CPU_FOLDER "/sys/devices/system/cpu/cpu"

/* The number in a file of /sys; NAN when there is none. */
static double number_in(const char *path)
{
    double value;
    FILE *file = fopen(path, "r");
    if (!file)
        return NAN;
    if (fscanf(file, "%lf", &value) != 1)
        value = NAN;
    fclose(file);
    return value;
}

/* Mean clock of the processor's threads. */
static double host_clock(int threads)
{
    double sum = 0;
    int count = 0;
    for (int k = 0; k < threads && k < MAX_CLOCKS; k++) {
        char path[96];
        snprintf(path, sizeof path, CPU_FOLDER "%d/cpufreq/scaling_cur_freq", k);
        double khz = number_in(path);
        if (isnan(khz))
            break;
        sum += khz;
        count++;
    }
    return count ? 1e-3 * sum / count : NAN;
}

static void find_temperature(struct sensor *sensor)
{
    static const char *const names[] = {"x86_pkg_temp", "cpu", "soc"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        for (int zone = 0; zone < MAX_ZONES; zone++) {
            char path[96], type[64] = "";
            snprintf(path, sizeof path, "/sys/class/thermal/thermal_zone%d/type", zone);
            FILE *file = fopen(path, "r");
            if (!file)
                break;
            if (fscanf(file, "%63s", type) != 1)
                type[0] = '\0';
            fclose(file);
            if (!strncmp(type, names[n], strlen(names[n]))) {
                snprintf(sensor->temperature_file, sizeof sensor->temperature_file,
                         "/sys/class/thermal/thermal_zone%d/temp", zone);
                return;
            }
        }
}

/* Power from the energy counter of the first package, which only root may read. */
static double host_power(struct sensor *sensor)
{
    double energy = number_in("/sys/class/powercap/intel-rapl:0/energy_uj"), now = orr_clock_now(),
           power = NAN;
    if (now > sensor->energy_at && energy >= sensor->energy_uj) /* it wraps round */
        power = 1e-6 * (energy - sensor->energy_uj) / (now - sensor->energy_at);
    sensor->energy_uj = energy;
    sensor->energy_at = now;
    return power;
}

static double throttle_count(void)
{
    return number_in(CPU_FOLDER "0/thermal_throttle/package_throttle_count");
}

static void read_host(struct sensor *sensor, struct reading *out)
{
    double count = throttle_count();
    out->clock_mhz = host_clock(sensor->threads);
    out->power_w = host_power(sensor);
    out->temperature_c =
        sensor->temperature_file[0] ? 1e-3 * number_in(sensor->temperature_file) : NAN;
    out->reasons = count > sensor->throttle_count ? ORR_REASON_HW_THERMAL : 0;
    sensor->throttle_count = count;
}

static void read_gpu(const struct sensor *sensor, struct reading *out)
{
    const struct orr_nvml_api *nvml = sensor->nvml;
    unsigned mhz, milliwatt, celsius;
    out->clock_mhz = nvml->clock(sensor->gpu, ORR_NVML_CLOCK_SM, &mhz) ? NAN : (double)mhz;
    out->power_w = nvml->power(sensor->gpu, &milliwatt) ? NAN : 1e-3 * (double)milliwatt;
    out->temperature_c =
        nvml->temperature(sensor->gpu, ORR_NVML_TEMPERATURE_GPU, &celsius) ? NAN : (double)celsius;
    if (nvml->throttle(sensor->gpu, &out->reasons))
        out->reasons = 0;
}

static void read_sensor(struct sensor *sensor, struct reading *out)
{
    if (sensor->nvml)
        read_gpu(sensor, out);
    else
        read_host(sensor, out);
}

/* False when this device has no sensors that we can read. */
static bool find_sensor(struct sensor *out, const struct orr_device_info *info)
{
    struct reading first;
    memset(out, 0, sizeof *out);
    if (info->kind == ORR_DEVICE_GPU) {
        if (!(out->nvml = orr_gpu_nvml(info, &out->gpu)))
            return false;
    } else if (info->kind == ORR_DEVICE_HOST || info->kind == ORR_DEVICE_CPU) {
        out->threads = info->compute_units;
        out->energy_uj = NAN;
        out->throttle_count = throttle_count();
        find_temperature(out);
    } else
        return false;
    read_sensor(out, &first);
    bool counts = !out->nvml && !isnan(out->throttle_count);
    return counts || !isnan(first.clock_mhz) || !isnan(first.power_w) ||
           !isnan(first.temperature_c);
}

/* --- readings by a thread --- */

enum { PERIOD_MS = 50, MAX_READINGS = 1 << 16 };

struct timed_reading {
    double at; /* orr_clock_now */
    struct reading reading;
};

struct orr_sensors {
    struct sensor sensor;
    bool present, running, stop;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    struct timed_reading *readings;
    int count, capacity;
};

/* A clock setting of the user is reported but spoils no sample; idleness is not reported. */
static const unsigned long long spoils = ORR_REASON_POWER_CAP | ORR_REASON_HW_SLOWDOWN |
                                         ORR_REASON_SYNC_BOOST | ORR_REASON_SW_THERMAL |
                                         ORR_REASON_HW_THERMAL | ORR_REASON_POWER_BRAKE;
static const struct {
    unsigned long long bit;
    const char *name;
} reasons[] = {
    {ORR_REASON_SETTING, "clock setting"},         {ORR_REASON_POWER_CAP, "power cap"},
    {ORR_REASON_HW_SLOWDOWN, "hardware slowdown"}, {ORR_REASON_SYNC_BOOST, "sync boost"},
    {ORR_REASON_SW_THERMAL, "software thermal"},   {ORR_REASON_HW_THERMAL, "hardware thermal"},
    {ORR_REASON_POWER_BRAKE, "power brake"},
};

/* Called with the lock held. Beyond MAX_READINGS, an hour, nothing is added. */
static void add(struct orr_sensors *s, const struct timed_reading *reading)
{
    if (s->count == s->capacity && s->capacity < MAX_READINGS) {
        int capacity = s->capacity ? 2 * s->capacity : 256;
        struct timed_reading *grown = realloc(s->readings, (size_t)capacity * sizeof *grown);
        if (grown) {
            s->readings = grown;
            s->capacity = capacity;
        }
    }
    if (s->count < s->capacity)
        s->readings[s->count++] = *reading;
}

static void *sample(void *argument)
{
    struct orr_sensors *s = argument;
    pthread_mutex_lock(&s->lock);
    while (!s->stop) {
        struct timed_reading now;
        struct timespec next;
        pthread_mutex_unlock(&s->lock);
        read_sensor(&s->sensor, &now.reading);
        now.at = orr_clock_now();
        clock_gettime(CLOCK_MONOTONIC, &next);
        next.tv_nsec += PERIOD_MS * 1000000L;
        next.tv_sec += next.tv_nsec / 1000000000L;
        next.tv_nsec %= 1000000000L;
        pthread_mutex_lock(&s->lock);
        add(s, &now);
        while (!s->stop && !pthread_cond_timedwait(&s->wake, &s->lock, &next))
            ;
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

int orr_sensors_start(struct orr_sensors **out, const struct orr_device_info *info)
{
    pthread_condattr_t monotonic;
    struct orr_sensors *s = calloc(1, sizeof *s);
    *out = NULL;
    if (!s)
        return orr_fail(ORR_EMEMORY, "no memory for the sensors");
    pthread_mutex_init(&s->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&s->wake, &monotonic);
    pthread_condattr_destroy(&monotonic);
    s->present = find_sensor(&s->sensor, info);
    s->running = s->present && !pthread_create(&s->thread, NULL, sample, s);
    if (s->present && !s->running) {
        json_decref(orr_sensors_stop(s));
        return orr_fail(ORR_EMEMORY, "cannot start the thread that reads the sensors");
    }
    *out = s;
    return 0;
}

bool orr_sensors_throttled_since(struct orr_sensors *s, double t0, double t1)
{
    bool found = false;
    if (!s || !s->running)
        return false;
    pthread_mutex_lock(&s->lock);
    for (int k = s->count - 1; k >= 0; k--) {
        double at = s->readings[k].at;
        if (at <= t1 && s->readings[k].reading.reasons & spoils)
            found = true;
        if (found || at < t0) /* the last reading before t0 still holds at t0 */
            break;
    }
    pthread_mutex_unlock(&s->lock);
    return found;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

enum member { CLOCK, POWER, TEMPERATURE };

/* The sorted values of one sensor; returns how many. */
static int sorted(const struct orr_sensors *s, enum member member, double *out)
{
    int count = 0;
    for (int k = 0; k < s->count; k++) {
        const struct reading *r = &s->readings[k].reading;
        double value = member == CLOCK   ? r->clock_mhz
                       : member == POWER ? r->power_w
                                         : r->temperature_c;
        if (!isnan(value))
            out[count++] = value;
    }
    qsort(out, (size_t)count, sizeof *out, ascending);
    return count;
}

static int describe(const struct orr_sensors *s, double *values, json_t *out)
{
    unsigned long long seen = 0;
    json_t *names = json_array();
    int bad = !names || json_object_set_new(out, "samples", json_integer(s->count));
    int count = sorted(s, CLOCK, values);
    if (count)
        bad |= json_object_set_new(out, "clock_mhz_median", json_real(values[count / 2])) |
               json_object_set_new(out, "clock_mhz_min", json_real(values[0]));
    if ((count = sorted(s, POWER, values)))
        bad |= json_object_set_new(out, "power_w_median", json_real(values[count / 2]));
    if ((count = sorted(s, TEMPERATURE, values)))
        bad |= json_object_set_new(out, "temperature_c_max", json_real(values[count - 1]));
    for (int k = 0; k < s->count; k++)
        seen |= s->readings[k].reading.reasons;
    for (size_t k = 0; names && k < sizeof reasons / sizeof *reasons; k++)
        if (seen & reasons[k].bit)
            bad |= json_array_append_new(names, json_string(reasons[k].name));
    return bad | json_object_set_new(out, "throttle_reasons", names);
}

json_t *orr_sensors_stop(struct orr_sensors *s)
{
    json_t *out = json_object();
    if (!s)
        return out;
    if (s->running) {
        pthread_mutex_lock(&s->lock);
        s->stop = true;
        pthread_cond_signal(&s->wake);
        pthread_mutex_unlock(&s->lock);
        pthread_join(s->thread, NULL);
    }
    double *values = s->count ? malloc((size_t)s->count * sizeof *values) : NULL;
    if (out && values && describe(s, values, out)) {
        json_decref(out);
        out = NULL;
    }
    free(values);
    pthread_cond_destroy(&s->wake);
    pthread_mutex_destroy(&s->lock);
    free(s->readings);
    free(s);
    return out;
}
