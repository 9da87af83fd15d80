/* SPDX-License-Identifier: MIT */
/* The energy a device takes over a window of time, by its own counter: NVML's total of a GPU,
 * RAPL's of the processors. */
#ifndef ORR_JOULES_H
#define ORR_JOULES_H

#include <stddef.h>

#include "device/device.h"

struct orr_joules;

struct orr_joules_window {
    double seconds;
    double joules;     /* by the counter */
    double integrated; /* by readings of power; NAN where the device tells none of its own */
};

/* ORR_EUNSUPPORTED with the reason where the device has no counter that can be read. */
int orr_joules_open(struct orr_joules **out, const struct orr_device_info *info);
/* "nvml", "rapl" */
const char *orr_joules_counter(const struct orr_joules *joules);
/* A window begins; power is read meanwhile by a thread. */
void orr_joules_begin(struct orr_joules *joules);
/* Ends it. ORR_EDEVICE when the counter could not be read. */
int orr_joules_end(struct orr_joules *joules, struct orr_joules_window *out);
/* Accepts NULL. */
void orr_joules_close(struct orr_joules *joules);

#endif
