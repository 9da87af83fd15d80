#include "measure/sensors_read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "device/backend.h"
#include "device/cuda_load.h"
#include "clock.h"

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

static void find_temperature(struct orr_sensor *sensor)
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
static double host_power(struct orr_sensor *sensor)
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

static void read_host(struct orr_sensor *sensor, struct orr_reading *out)
{
    double count = throttle_count();
    out->clock_mhz = host_clock(sensor->threads);
    out->power_w = host_power(sensor);
    out->temperature_c =
        sensor->temperature_file[0] ? 1e-3 * number_in(sensor->temperature_file) : NAN;
    out->reasons = count > sensor->throttle_count ? ORR_REASON_HW_THERMAL : 0;
    sensor->throttle_count = count;
}

static void read_gpu(const struct orr_sensor *sensor, struct orr_reading *out)
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

void orr_sensors_read(struct orr_sensor *sensor, struct orr_reading *out)
{
    if (sensor->nvml)
        read_gpu(sensor, out);
    else
        read_host(sensor, out);
}

static bool find_gpu(struct orr_sensor *out, const struct orr_device_info *info)
{
    char address[32];
    const struct orr_nvml_api *nvml = orr_cuda_load_nvml(NULL);
    bool known = !strcmp(info->backend, "cuda")
                     ? orr_cuda_pci_address(info->id, address, sizeof address)
                     : orr_opencl_pci_address(info->id, address, sizeof address);
    if (!nvml || !known || nvml->by_pci(address, &out->gpu))
        return false;
    out->nvml = nvml;
    return true;
}

bool orr_sensors_find(struct orr_sensor *out, const struct orr_device_info *info)
{
    struct orr_reading first;
    memset(out, 0, sizeof *out);
    if (info->kind == ORR_DEVICE_GPU) {
        if (!find_gpu(out, info))
            return false;
    } else if (info->kind == ORR_DEVICE_HOST || info->kind == ORR_DEVICE_CPU) {
        out->threads = info->compute_units;
        out->energy_uj = NAN;
        out->throttle_count = throttle_count();
        find_temperature(out);
    } else
        return false;
    orr_sensors_read(out, &first);
    bool counts = !out->nvml && !isnan(out->throttle_count);
    return counts || !isnan(first.clock_mhz) || !isnan(first.power_w) ||
           !isnan(first.temperature_c);
}
