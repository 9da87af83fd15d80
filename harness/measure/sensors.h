/* Sensors: clock, power, temperature and throttle reasons, sampled beside a cell by a thread of
 * their own. */
#ifndef ORR_SENSORS_H
#define ORR_SENSORS_H

#include <jansson.h>
#include <stdbool.h>

#include "device/device.h"

struct orr_sensors;

/* Starts sampling about every 50 ms: NVML for NVIDIA GPUs, /sys for the host and CPU devices. A
 * device without sensors gives a *out that says nothing; only a thread that cannot be made is an
 * error. */
int orr_sensors_start(struct orr_sensors **out, const struct orr_device_info *info);
/* Whether a throttle reason other than idleness was seen between t0 and t1 (CLOCK_MONOTONIC
 * seconds). */
bool orr_sensors_throttled_since(struct orr_sensors *sensors, double t0, double t1);
/* Stops, frees and gives the journal's `sensors` object ({} without sensors; NULL on no memory).
 * Accepts NULL. */
json_t *orr_sensors_stop(struct orr_sensors *sensors);

#endif
