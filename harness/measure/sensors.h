/* SPDX-License-Identifier: MIT */
/* Sensors: clocks, power, temperature and throttle reasons, read beside a cell: by a thread of
 * their own, and between samples. */
#ifndef ORR_SENSORS_H
#define ORR_SENSORS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "device/device.h"

struct orr_sensors;

/* The thread reads once in this time, beside samples. */
#define ORR_SENSORS_PERIOD_S 0.05

/* Starts reading every `period_s`: NVML for NVIDIA GPUs, /sys for those of AMD and Intel, the host
 * and CPU devices. Those of a device without sensors, or where no thread can be made, say nothing.
 * What follows accepts NULL. */
struct orr_sensors *orr_sensors_start(const struct orr_device_info *info, double period_s);
/* Nothing is read for a period: what takes less is not disturbed. */
void orr_sensors_hold(struct orr_sensors *sensors);
/* The readings since t0 (CLOCK_MONOTONIC seconds); if there are none, the caller's thread reads
 * now. {clock_mhz, memory_clock_mhz, power_w, temperature_c, throttle, throttled}: without what the
 * device does not tell, rounded to what it resolves; `throttle` names the reasons, "" for none;
 * `throttled` is true for one that spoils a time. */
json_t *orr_sensors_since(struct orr_sensors *sensors, double t0);
/* Stops, frees and gives the journal's `sensors` object ({} without sensors). */
json_t *orr_sensors_stop(struct orr_sensors *sensors);

/* --- the energy that a device takes over a window of time, by its own counter: NVML's total of a
 * GPU, RAPL's of the processors and their memory --- */

struct orr_joules;

struct orr_joules_window {
    const char *counter; /* "nvml", "rapl" */
    double seconds;
    double joules;     /* by the counter */
    double integrated; /* by readings of power; NAN where the device tells none of its own */
};

/* ORR_EUNSUPPORTED with the reason where the device has no counter that can be read. */
int orr_sensors_joules_open(struct orr_joules **out, const struct orr_device_info *info);
/* A window begins; power is read meanwhile by a thread. */
void orr_sensors_joules_begin(struct orr_joules *joules);
/* Ends it, and what was opened. ORR_EDEVICE when the counter could not be read. */
int orr_sensors_joules_end(struct orr_joules *joules, struct orr_joules_window *out);

#endif
