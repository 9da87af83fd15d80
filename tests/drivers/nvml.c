/* SPDX-License-Identifier: MIT */
/* An NVML for tests: one GPU, which says what the test has put into `fake_nvml`. A program loads
 * its file, and then finds it by its name as if it were NVIDIA's. */
#define _POSIX_C_SOURCE 200809L
#include "tests/drivers/nvml.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#define SHOWN __attribute__((visibility("default")))
enum { OK = 0, NOT_SUPPORTED = 3, NOT_FOUND = 6, INSUFFICIENT_SIZE = 7 };

SHOWN struct fake_nvml fake_nvml = {.sm_mhz = 1980,
                                    .memory_mhz = 3201,
                                    .milliwatt = 350000,
                                    .celsius = 45,
                                    .millijoule = 1000000,
                                    .instant_milliwatt = -1,
                                    .power_limit = 650000,
                                    .default_power_limit = 700000,
                                    .enforced_power_limit = 600000,
                                    .ecc = 1,
                                    .persistence = 1,
                                    .application_sm_mhz = 1980,
                                    .application_memory_mhz = 3201,
                                    .max_sm_mhz = 1980,
                                    .max_memory_mhz = 3201};

/* The beginning of a function of the library. */
#define DRIVES(name, ...)                \
    SHOWN orr_cu_enum name(__VA_ARGS__); \
    orr_cu_enum name(__VA_ARGS__)

static orr_cu_enum tell(unsigned *out, int value)
{
    fake_nvml.calls++;
    if (value < 0)
        return NOT_SUPPORTED;
    *out = (unsigned)value;
    return OK;
}

/* X(NAME, VALUE) of functions with one result. */
#define VALUES(X)                                                    \
    X(nvmlDeviceGetPowerUsage, milliwatt)                            \
    X(nvmlDeviceGetPowerManagementLimit, power_limit)                \
    X(nvmlDeviceGetPowerManagementDefaultLimit, default_power_limit) \
    X(nvmlDeviceGetEnforcedPowerLimit, enforced_power_limit)         \
    X(nvmlDeviceGetPersistenceMode, persistence)                     \
    X(nvmlDeviceGetComputeMode, compute_mode)
#define DEFINE(name, value)                                   \
    DRIVES(name, struct nvmlDevice_st *device, unsigned *out) \
    {                                                         \
        (void)device;                                         \
        return tell(out, fake_nvml.value);                    \
    }
VALUES(DEFINE)

/* X(NAME, of the SM, of the memory). */
#define CLOCKS(X)                                                                 \
    X(nvmlDeviceGetClockInfo, sm_mhz, memory_mhz)                                 \
    X(nvmlDeviceGetApplicationsClock, application_sm_mhz, application_memory_mhz) \
    X(nvmlDeviceGetMaxClockInfo, max_sm_mhz, max_memory_mhz)
#define DEFINE_CLOCK(name, sm, memory)                                                     \
    DRIVES(name, struct nvmlDevice_st *device, orr_cu_enum type, unsigned *mhz)            \
    {                                                                                      \
        (void)device;                                                                      \
        return tell(mhz, type == ORR_NVML_CLOCK_MEMORY ? fake_nvml.memory : fake_nvml.sm); \
    }
CLOCKS(DEFINE_CLOCK)

/* X(NAME, VALUE) of modes that are, and will be after the next start. */
#define MODES(X) X(nvmlDeviceGetEccMode, ecc) X(nvmlDeviceGetMigMode, mig)
#define DEFINE_MODE(name, value)                                              \
    DRIVES(name, struct nvmlDevice_st *device, unsigned *now, unsigned *next) \
    {                                                                         \
        (void)device;                                                         \
        return tell(now, fake_nvml.value) | tell(next, fake_nvml.value);      \
    }
MODES(DEFINE_MODE)

DRIVES(nvmlInit_v2, void)
{
    return OK;
}

DRIVES(nvmlShutdown, void)
{
    return OK;
}

DRIVES(nvmlSystemGetDriverVersion, char *text, unsigned size)
{
    snprintf(text, size, "600.00");
    return OK;
}

DRIVES(nvmlDeviceGetHandleByPciBusId_v2, const char *pci, struct nvmlDevice_st **out)
{
    *out = (struct nvmlDevice_st *)&fake_nvml;
    return strcasecmp(pci, FAKE_NVML_PCI) != 0 ? NOT_FOUND : OK;
}

DRIVES(nvmlDeviceGetUUID, struct nvmlDevice_st *device, char *text, unsigned size)
{
    snprintf(text, size, FAKE_NVML_UUID);
    return OK;
}

DRIVES(nvmlDeviceGetTemperature, struct nvmlDevice_st *device, orr_cu_enum sensor,
       unsigned *celsius)
{
    return sensor == ORR_NVML_TEMPERATURE_GPU ? tell(celsius, fake_nvml.celsius) : NOT_SUPPORTED;
}

DRIVES(nvmlDeviceGetCurrentClocksThrottleReasons, struct nvmlDevice_st *device,
       unsigned long long *reasons)
{
    *reasons = fake_nvml.reasons;
    return OK;
}

DRIVES(nvmlDeviceGetTotalEnergyConsumption, struct nvmlDevice_st *device,
       unsigned long long *millijoule)
{
    static struct timespec first;
    struct timespec now;
    if (fake_nvml.counted_watt < 0)
        return NOT_SUPPORTED;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!fake_nvml.counted_watt || !first.tv_sec)
        first = now;
    fake_nvml.calls++;
    *millijoule =
        fake_nvml.millijoule + (unsigned long long)(fake_nvml.counted_watt *
                                                    (1e3 * (double)(now.tv_sec - first.tv_sec) +
                                                     1e-6 * (double)(now.tv_nsec - first.tv_nsec)));
    return OK;
}

DRIVES(nvmlDeviceGetFieldValues, struct nvmlDevice_st *device, int count,
       struct nvmlFieldValue_st *values)
{
    struct orr_nvml_field *field = (struct orr_nvml_field *)values;
    field->type = ORR_NVML_UNSIGNED;
    field->error = count == 1 && field->field == ORR_NVML_FIELD_POWER_INSTANT
                       ? tell(&field->value.number, fake_nvml.instant_milliwatt)
                       : NOT_SUPPORTED;
    return OK;
}

DRIVES(nvmlDeviceGetComputeRunningProcesses_v3, struct nvmlDevice_st *device, unsigned *count,
       void *list)
{
    unsigned room = *count;
    *count = (unsigned)fake_nvml.process_count;
    if (room < *count)
        return INSUFFICIENT_SIZE;
    memcpy(list, fake_nvml.processes, *count * sizeof *fake_nvml.processes);
    return OK;
}
