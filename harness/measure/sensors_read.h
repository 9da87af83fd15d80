/* One reading of a device's sensors, wherever they are. */
#ifndef ORR_SENSORS_READ_H
#define ORR_SENSORS_READ_H

#include <stdbool.h>
#include <stddef.h>

#include "device/cuda_abi.h"
#include "device/device.h"

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

struct orr_reading {
    double clock_mhz, power_w, temperature_c; /* NAN: there is no such sensor */
    unsigned long long reasons;
};

struct orr_sensor {
    const struct orr_nvml_api *nvml; /* NULL: the host's */
    struct nvmlDevice_st *gpu;
    int threads;               /* host: of which clocks are read */
    char temperature_file[96]; /* host: "" for none */
    double energy_uj, energy_at;
    double throttle_count;
};

/* False when this device has no sensors that we can read. */
bool orr_sensors_find(struct orr_sensor *out, const struct orr_device_info *info);
void orr_sensors_read(struct orr_sensor *sensor, struct orr_reading *out);

#endif
