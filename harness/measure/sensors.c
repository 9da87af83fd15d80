/* SPDX-License-Identifier: MIT */
/* Sensors of the host, of NVIDIA GPUs by NVML and of others by the files of their drivers: finding
 * them, reading them by a thread, summing up what they said, and the energy of a window of time. */
#include "measure/sensors.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "clock.h"
#include "device/cuda_abi.h"
#include "error.h"
#include "measure/stats.h"
#include "memory.h"
#include "machine.h"

/* --- RAPL: what processors and their memory count themselves, in /sys/class/powercap --- */

#define RAPL "/sys/class/powercap/intel-rapl:"
enum { MAX_PACKAGES = 16, MAX_PARTS = 8, MAX_COUNTERS = 32 };

struct rapl {
    struct {
        char path[96];      /* of the counter */
        double last, range; /* microjoules; it starts again at 0 beyond the range */
    } zones[MAX_COUNTERS];
    int count;
    double joules; /* of all zones since they were found */
};

static int add_zone(struct rapl *out, const char *zone)
{
    if (out->count == MAX_COUNTERS)
        return 0;
    double range = orr_system_number("%s/max_energy_range_uj", zone),
           now = orr_system_number("%s/energy_uj", zone);
    if (isnan(now) || isnan(range))
        return orr_fail(ORR_EUNSUPPORTED, "%s/energy_uj: %s%s", zone, strerror(errno),
                        errno == EACCES ? "; only root may read it by default" : "");
    snprintf(out->zones[out->count].path, sizeof out->zones->path, "%s/energy_uj", zone);
    out->zones[out->count].last = now;
    out->zones[out->count++].range = range;
    return 0;
}

/* A package holds its cores and what else is on it; its memory, where counted, stands apart. */
static int add_package(struct rapl *out, int package)
{
    char zone[64], name[32];
    snprintf(zone, sizeof zone, RAPL "%d", package);
    int code = add_zone(out, zone);
    for (int part = 0; !code && part < MAX_PARTS; part++) {
        snprintf(zone, sizeof zone, RAPL "%d:%d", package, part);
        if (!orr_system_line(name, sizeof name, "%s/name", zone))
            break;
        if (!strcmp(name, "dram"))
            code = add_zone(out, zone);
    }
    return code;
}

/* The packages and their memory. Without any that can be read: ORR_EUNSUPPORTED with the reason;
 * `out`, zeroed before, has no zones then. */
static int find_rapl(struct rapl *out)
{
    int code = 0;
    for (int package = 0; !code && package < MAX_PACKAGES; package++) {
        char zone[64], name[32];
        snprintf(zone, sizeof zone, RAPL "%d", package);
        if (!orr_system_line(name, sizeof name, "%s/name", zone))
            break;
        if (!strncmp(name, "package", strlen("package"))) /* "psys" holds the packages, too */
            code = add_package(out, package);
    }
    if (code)
        out->count = 0; /* a part of the energy is none */
    else if (!out->count)
        code = orr_fail(ORR_EUNSUPPORTED,
                        "this machine shows no energy of its processors in /sys/class/powercap");
    return code;
}

/* Joules since the zones were found; NAN where one cannot be read. To be read at least once while a
 * counter goes round: that takes minutes at the highest power. */
static double read_rapl(struct rapl *rapl)
{
    for (int k = 0; k < rapl->count; k++) {
        double now = orr_system_number("%s", rapl->zones[k].path),
               spent = now - rapl->zones[k].last;
        if (isnan(now))
            return NAN;
        rapl->joules += 1e-6 * (spent >= 0 ? spent : spent + rapl->zones[k].range);
        rapl->zones[k].last = now;
    }
    return rapl->count ? rapl->joules : NAN;
}

/* Bits of NVML's clock event reasons. Idleness (1) is not reported; a clock setting of the user is,
 * but spoils no sample. */
enum { HW_THERMAL = 0x40 }; /* the host's only one */
static const unsigned long long spoils = 0xfc;
static const struct {
    unsigned long long bit;
    const char *name;
} reasons[] = {{0x2, "clock setting"}, {0x4, "power cap"},         {0x8, "hardware slowdown"},
               {0x10, "sync boost"},   {0x20, "software thermal"}, {0x40, "hardware thermal"},
               {0x80, "power brake"}};

enum member { CLOCK, MEMORY_CLOCK, POWER, TEMPERATURE, MEMBERS, TOOK_S = MEMBERS, VALUES };
struct reading {
    double at;             /* orr_clock_now after it */
    double values[VALUES]; /* NAN: there is no such sensor; the last: how long it took */
    unsigned long long reasons;
    bool has_reasons;
};

/* NVML, or files of which each tells a value; the host's clock is of many. */
struct sensor {
    const struct orr_nvml_api *nvml;
    struct nvmlDevice_st *gpu;
    bool host, has_files;
    struct {
        char path[96]; /* ENERGY stands in for a power that has none */
        double unit;
    } files[MEMBERS + 1];
    cpu_set_t cores; /* host: that this process may use */
    struct rapl rapl;
    double joules, joules_at, power_w; /* an energy counter at a time; the power before it */
    double throttle_count;
};
enum { ENERGY = MEMBERS };

/* --- one reading --- */

enum { MAX_CLOCKS = 64, MAX_ZONES = 32 };
#define CPU_FOLDER "/sys/devices/system/cpu/cpu"
#define THERMAL "/sys/class/thermal/thermal_zone"

/* Mean clock of the cores that are used. */
static double host_clock(const cpu_set_t *cores)
{
    double sum = 0;
    int count = 0;
    for (int k = 0; k < CPU_SETSIZE && count < MAX_CLOCKS; k++) {
        if (!CPU_ISSET(k, cores))
            continue;
        double khz = orr_system_number(CPU_FOLDER "%d/cpufreq/scaling_cur_freq", k);
        if (isnan(khz))
            break;
        sum += khz;
        count++;
    }
    return count ? 1e-3 * sum / count : NAN;
}

static void find_temperature(struct sensor *out)
{
    static const char *const names[] = {"x86_pkg_temp", "cpu", "soc"};
    char type[64];
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        for (int zone = 0; zone < MAX_ZONES; zone++) {
            if (!orr_system_line(type, sizeof type, THERMAL "%d/type", zone))
                break;
            if (strncmp(type, names[n], strlen(names[n])) != 0)
                continue;
            out->files[TEMPERATURE].unit = 1e-3;
            snprintf(out->files[TEMPERATURE].path, sizeof out->files->path, THERMAL "%d/temp",
                     zone);
            return;
        }
}

static double read_file(const struct sensor *sensor, int member)
{
    const char *path = sensor->files[member].path;
    return *path ? sensor->files[member].unit * orr_system_number("%s", path) : NAN;
}

/* The counters tick every millisecond: power is over more than a few ticks. */
static const double POWER_S = 0.02;

static double counted_joules(struct sensor *sensor)
{
    unsigned long long millijoule;
    if (sensor->nvml)
        return !sensor->nvml->energy || sensor->nvml->energy(sensor->gpu, &millijoule)
                   ? NAN
                   : 1e-3 * (double)millijoule;
    return sensor->host ? read_rapl(&sensor->rapl) : read_file(sensor, ENERGY);
}

static double counted_power(struct sensor *sensor)
{
    double now = orr_clock_now();
    if (now - sensor->joules_at < POWER_S)
        return sensor->power_w;
    double joules = counted_joules(sensor);
    sensor->power_w = (joules - sensor->joules) / (now - sensor->joules_at);
    sensor->joules = joules;
    sensor->joules_at = now;
    return sensor->power_w;
}

static double throttle_count(void)
{
    return orr_system_number(CPU_FOLDER "0/thermal_throttle/package_throttle_count");
}

static void read_files(struct sensor *sensor, struct reading *out)
{
    for (int member = 0; member < MEMBERS; member++)
        out->values[member] = read_file(sensor, member);
    if (!*sensor->files[POWER].path)
        out->values[POWER] = counted_power(sensor);
    if (sensor->host) {
        const double count = throttle_count();
        out->values[CLOCK] = host_clock(&sensor->cores);
        out->has_reasons = !isnan(count);
        out->reasons = count > sensor->throttle_count ? HW_THERMAL : 0;
        sensor->throttle_count = count;
    } else if (!(out->values[CLOCK] > 0)) /* Intel's of a GPU that sleeps */
        out->values[CLOCK] = NAN;
}

/* Power of now where the driver tells it: the plain verb's is a mean over the last second on newer
 * GPUs. */
static double gpu_power(const struct sensor *sensor)
{
    unsigned milliwatt;
    struct orr_nvml_field field = {.field = ORR_NVML_FIELD_POWER_INSTANT};
    if (sensor->nvml->fields &&
        !sensor->nvml->fields(sensor->gpu, 1, (struct nvmlFieldValue_st *)&field) && !field.error &&
        field.type == ORR_NVML_UNSIGNED)
        return 1e-3 * (double)field.value.number;
    return sensor->nvml->power(sensor->gpu, &milliwatt) ? NAN : 1e-3 * (double)milliwatt;
}

static double gpu_clock(const struct sensor *sensor, orr_cu_enum of)
{
    unsigned mhz;
    return sensor->nvml->clock(sensor->gpu, of, &mhz) ? NAN : (double)mhz;
}

static void read_gpu(const struct sensor *sensor, struct reading *out)
{
    unsigned celsius;
    bool unknown = sensor->nvml->temperature(sensor->gpu, ORR_NVML_TEMPERATURE_GPU, &celsius) != 0;
    out->values[CLOCK] = gpu_clock(sensor, ORR_NVML_CLOCK_SM);
    out->values[MEMORY_CLOCK] = gpu_clock(sensor, ORR_NVML_CLOCK_MEMORY);
    out->values[POWER] = gpu_power(sensor);
    out->values[TEMPERATURE] = unknown ? NAN : (double)celsius;
    out->has_reasons = !sensor->nvml->throttle(sensor->gpu, &out->reasons);
}

/* Drivers show these files below the GPU's folder of /sys, the better file first (Linux,
 * Documentation/gpu/amdgpu/thermal.rst, ABI/testing/sysfs-driver-intel-i915-hwmon and -xe-hwmon).
 * Between the two parts of a name is a number that the kernel gives. */
static const struct {
    int member;
    double unit;
    const char *name, *rest;
} gpu_files[] = {
    {CLOCK, 1e-6, "hwmon/hwmon", "/freq1_input"}, /* amdgpu: shaders, Hz */
    {CLOCK, 1, "tile", "/gt0/freq0/act_freq"},    /* xe */
    {CLOCK, 1, "drm/card", "/gt_act_freq_mhz"},   /* i915 */
    {MEMORY_CLOCK, 1e-6, "hwmon/hwmon", "/freq2_input"},
    {POWER, 1e-6, "hwmon/hwmon", "/power1_input"},
    {POWER, 1e-6, "hwmon/hwmon", "/power1_average"},
    {ENERGY, 1e-6, "hwmon/hwmon", "/energy1_input"}, /* of the card */
    {ENERGY, 1e-6, "hwmon/hwmon", "/energy2_input"}, /* xe: of the package */
    {TEMPERATURE, 1e-3, "hwmon/hwmon", "/temp1_input"},
    {TEMPERATURE, 1e-3, "hwmon/hwmon", "/temp2_input"},
};

/* PCI addresses have eight digits of domain in NVML and four in /sys. */
static void find_files(struct sensor *out, const char *pci)
{
    enum { MAX_NUMBERS = 64, NVML_DIGITS = 4 };
    if (strlen(pci) <= NVML_DIGITS)
        return;
    for (size_t k = 0; k < sizeof gpu_files / sizeof *gpu_files; k++) {
        char *path = out->files[gpu_files[k].member].path;
        for (int number = 0; !*path && number < MAX_NUMBERS; number++) {
            snprintf(path, sizeof out->files->path, "/sys/bus/pci/devices/%s/%s%d%s",
                     pci + NVML_DIGITS, gpu_files[k].name, number, gpu_files[k].rest);
            if (isnan(orr_system_number("%s", path)))
                *path = '\0';
            else
                out->files[gpu_files[k].member].unit = gpu_files[k].unit;
        }
        out->has_files |= *path != '\0';
    }
}

static struct reading read_sensor(struct sensor *sensor)
{
    struct reading out = {.reasons = 0};
    const double start = orr_clock_now();
    if (sensor->nvml)
        read_gpu(sensor, &out);
    else
        read_files(sensor, &out);
    out.at = orr_clock_now();
    out.values[TOOK_S] = out.at - start;
    return out;
}

/* False when this device has no sensors that we can read. */
static bool find_sensor(struct sensor *out, const struct orr_device_info *info)
{
    *out = (struct sensor){.host = info->kind == ORR_DEVICE_HOST || info->kind == ORR_DEVICE_CPU};
    if (out->host) {
        if (sched_getaffinity(0, sizeof out->cores, &out->cores))
            CPU_ZERO(&out->cores);
        if (find_rapl(&out->rapl))
            orr_error_clear(); /* power is optional */
        out->throttle_count = throttle_count();
        find_temperature(out);
    } else if (info->kind == ORR_DEVICE_GPU && !(out->nvml = orr_device_nvml(info, &out->gpu)))
        find_files(out, info->pci);
    out->joules = counted_joules(out);
    out->joules_at = orr_clock_now();
    out->power_w = NAN;
    if (!out->host)
        return out->nvml || out->has_files;
    const struct reading first = read_sensor(out);
    return first.has_reasons || out->rapl.count || !isnan(first.values[CLOCK]) ||
           !isnan(first.values[TEMPERATURE]);
}

/* --- readings by a thread --- */

enum { MAX_READINGS = 1 << 16 };

struct orr_sensors {
    struct sensor sensor;
    double period_s, next; /* the thread does not read before */
    bool running, stop;
    pthread_t thread;
    pthread_mutex_t lock; /* held while the sensor is read, by whatever thread */
    pthread_cond_t wake;
    struct reading *readings;
    int count, capacity;
};

/* Called with the lock held. Beyond MAX_READINGS, an hour, nothing is added. */
static void read_now(struct orr_sensors *s)
{
    const struct reading now = read_sensor(&s->sensor);
    if (s->count == s->capacity && s->capacity < MAX_READINGS) {
        s->capacity = s->capacity ? 2 * s->capacity : 256;
        s->readings = orr_memory_more(s->readings, (size_t)s->capacity * sizeof *s->readings);
    }
    if (s->count < s->capacity)
        s->readings[s->count++] = now;
    s->next = now.at + s->period_s;
}

static void *sample(void *argument)
{
    struct orr_sensors *s = argument;
    pthread_mutex_lock(&s->lock);
    while (!s->stop) {
        if (orr_clock_now() >= s->next)
            read_now(s);
        struct timespec at = {.tv_sec = (time_t)s->next, .tv_nsec = (long)(1e9 * fmod(s->next, 1))};
        pthread_cond_clockwait(&s->wake, &s->lock, CLOCK_MONOTONIC, &at);
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

struct orr_sensors *orr_sensors_start(const struct orr_device_info *info, double period_s)
{
    struct orr_sensors *s = orr_memory_get(sizeof *s);
    s->period_s = period_s;
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->wake, NULL);
    s->running = find_sensor(&s->sensor, info) && !pthread_create(&s->thread, NULL, sample, s);
    return s;
}

void orr_sensors_hold(struct orr_sensors *s)
{
    if (!s || !s->running)
        return;
    pthread_mutex_lock(&s->lock); /* a reading under way does not last into what follows */
    s->next = orr_clock_now() + s->period_s;
    pthread_mutex_unlock(&s->lock);
}

/* --- what they say --- */

/* Members of a sample with the units that values are rounded to: powers of two are short in
 * decimals. */
static const struct {
    const char *name;
    double unit;
} members[MEMBERS] = {
    {"clock_mhz", 1}, {"memory_clock_mhz", 1}, {"power_w", 0.125}, {"temperature_c", 1}};

/* The sorted values of one sensor; returns how many. */
static int sort_values(const struct orr_sensors *s, int member, double *out)
{
    int count = 0;
    for (int k = 0; k < s->count; k++)
        if (!isnan(s->readings[k].values[member]))
            out[count++] = s->readings[k].values[member];
    qsort(out, (size_t)count, sizeof *out, orr_stats_ascending);
    return count;
}

static json_t *rounded(double value, double unit)
{
    double of = unit * round(value / unit);
    return of == floor(of) ? json_integer((json_int_t)of) : json_real(of);
}

static json_t *reasons_of(unsigned long long seen)
{
    json_t *names = json_array();
    for (size_t k = 0; k < sizeof reasons / sizeof *reasons; k++)
        if (seen & reasons[k].bit)
            json_array_append_new(names, json_string(reasons[k].name));
    return names;
}

/* The reasons in one text, "" for none. */
static json_t *reasons_text(unsigned long long seen)
{
    char text[160] = "";
    for (size_t k = 0, used = 0; k < sizeof reasons / sizeof *reasons; k++)
        if (seen & reasons[k].bit)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", used ? ", " : "",
                                     reasons[k].name);
    return json_string(text);
}

/* The index of the first reading since t0; called with the lock held. */
static int first_since(const struct orr_sensors *s, double t0)
{
    int first = s->count;
    while (first > 0 && s->readings[first - 1].at >= t0)
        first--;
    return first;
}

/* Means, but of a temperature the highest; all reasons. */
static json_t *describe_since(const struct orr_sensors *s, int first)
{
    json_t *out = json_object();
    double sums[MEMBERS] = {0}, most = -INFINITY;
    int counts[MEMBERS] = {0};
    unsigned long long seen = 0;
    bool known = false;
    for (int k = first; k < s->count; k++) {
        const struct reading *r = &s->readings[k];
        for (int member = 0; member < MEMBERS; member++) {
            counts[member] += !isnan(r->values[member]);
            sums[member] += isnan(r->values[member]) ? 0 : r->values[member];
        }
        most = fmax(most, r->values[TEMPERATURE]);
        seen |= r->reasons;
        known |= r->has_reasons;
    }
    for (int member = 0; member < MEMBERS; member++)
        if (counts[member])
            json_object_set_new(
                out, members[member].name,
                rounded(member == TEMPERATURE ? most : sums[member] / counts[member],
                        members[member].unit));
    if (known)
        json_object_set_new(out, "throttle", reasons_text(seen));
    json_object_set_new(out, "throttled", json_boolean(seen & spoils));
    return out;
}

json_t *orr_sensors_since(struct orr_sensors *s, double t0)
{
    if (!s || !s->running)
        return json_object();
    pthread_mutex_lock(&s->lock);
    if (first_since(s, t0) == s->count)
        read_now(s);
    json_t *out = describe_since(s, first_since(s, t0));
    pthread_mutex_unlock(&s->lock);
    return out;
}

/* Power over time between t0 and t1, by trapezoids; NAN without a reading of power. */
static double integrate_power(struct orr_sensors *s, double t0, double t1)
{
    double joules = 0, at = t0, power = NAN;
    if (!s || !s->running)
        return NAN;
    pthread_mutex_lock(&s->lock);
    for (int k = 0; k < s->count; k++) {
        const double now = s->readings[k].at, watt = s->readings[k].values[POWER];
        if (isnan(watt) || now < t0 || now > t1)
            continue;
        joules += (now - at) * (isnan(power) ? watt : 0.5 * (power + watt));
        at = now;
        power = watt;
    }
    pthread_mutex_unlock(&s->lock);
    return joules + (t1 - at) * power;
}

static void describe(const struct orr_sensors *s, double *values, json_t *out)
{
    static const struct {
        const char *name;
        enum member member;
        double quantile;
    } of[] = {{"poll_s", TOOK_S, 0.5},        {"clock_mhz_median", CLOCK, 0.5},
              {"clock_mhz_min", CLOCK, 0},    {"memory_clock_mhz_median", MEMORY_CLOCK, 0.5},
              {"power_w_median", POWER, 0.5}, {"temperature_c_max", TEMPERATURE, 1}};
    unsigned long long seen = 0;
    for (int k = 0; k < s->count; k++)
        seen |= s->readings[k].reasons;
    json_object_set_new(out, "samples", json_integer(s->count));
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        int count = sort_values(s, of[k].member, values), place = (int)(of[k].quantile * count);
        if (count)
            json_object_set_new(out, of[k].name,
                                json_real(values[place < count ? place : count - 1]));
    }
    json_object_set_new(out, "throttle_reasons", reasons_of(seen));
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
    if (s->count) {
        double *values = orr_memory_get((size_t)s->count * sizeof *values);
        describe(s, values, out);
        free(values);
    }
    pthread_cond_destroy(&s->wake);
    pthread_mutex_destroy(&s->lock);
    free(s->readings);
    free(s);
    return out;
}

/* --- the energy of a window of time --- */

/* Power is read as often as makes its integral good to a percent of half a second. */
static const double WINDOW_PERIOD_S = 0.01;

struct orr_joules {
    struct orr_device_info info;
    struct sensor counter;
    struct orr_sensors *sensors; /* within a window of a GPU */
    double joules, at;           /* the counter when the window began */
};

/* The counter, and the middle of the time that reading it took. */
static double read_counter(struct orr_joules *j, double *at)
{
    const double start = orr_clock_now(), joules = counted_joules(&j->counter);
    *at = 0.5 * (start + orr_clock_now());
    return joules;
}

static int find_counter(struct sensor *out, const struct orr_device_info *info)
{
    const char *why = "";
    out->host = info->kind == ORR_DEVICE_HOST || info->kind == ORR_DEVICE_CPU;
    if (out->host)
        return find_rapl(&out->rapl);
    if (info->kind == ORR_DEVICE_OTHER)
        return orr_fail(ORR_EUNSUPPORTED, "no energy counter is known for such a device");
    out->nvml = orr_device_nvml(info, &out->gpu);
    if (!out->nvml)
        return orr_fail(ORR_EUNSUPPORTED, "no energy counter: %s",
                        orr_cuda_library(ORR_CUDA_NVML, &why) ? "NVML does not know this GPU"
                                                              : why);
    return isnan(counted_joules(out))
               ? orr_fail(ORR_EUNSUPPORTED, "this GPU or its driver counts no energy")
               : 0;
}

int orr_sensors_joules_open(struct orr_joules **out, const struct orr_device_info *info)
{
    struct orr_joules *j = orr_memory_get(sizeof *j);
    j->info = *info;
    int code = find_counter(&j->counter, info);
    *out = code ? NULL : j;
    if (code)
        free(j);
    return code;
}

void orr_sensors_joules_begin(struct orr_joules *j)
{
    if (j->counter.nvml)
        j->sensors = orr_sensors_start(&j->info, WINDOW_PERIOD_S);
    j->joules = read_counter(j, &j->at);
}

int orr_sensors_joules_end(struct orr_joules *j, struct orr_joules_window *out)
{
    double at, joules = read_counter(j, &at);
    *out = (struct orr_joules_window){.counter = j->counter.nvml ? "nvml" : "rapl",
                                      .seconds = at - j->at,
                                      .joules = joules - j->joules,
                                      .integrated = integrate_power(j->sensors, j->at, at)};
    json_decref(orr_sensors_stop(j->sensors));
    free(j);
    if (isfinite(out->joules) && out->joules >= 0)
        return 0;
    return orr_fail(ORR_EDEVICE, "the energy counter cannot be read any more");
}
