/* SPDX-License-Identifier: MIT */
/* The cost of each kind of access and operation on a device: rates of the whole device, a second,
 * with enough warps and independent accesses that they are of throughput. Each is checked against
 * what must have come of it, and refused above the documented rate of the chip. */
#ifndef ORR_ACCESS_H
#define ORR_ACCESS_H

#include <jansson.h>

#include "device/device.h"

/* "add" ... "from-device-pinned", in the order in which they are measured; NULL behind the last. */
const char *orr_access_kind(size_t place);

struct orr_access_options {
    bool quick;          /* shorter spans, smaller memory */
    const char *defines; /* more of them for the kernels: -DSKIP=1 plants a fault. NULL: none */
};

/* A device being measured, and its sensors. */
struct orr_access_meter;
/* Compiles the kernels and keeps the device busy until its clock is up. */
int orr_access_open(struct orr_access_meter **out, struct orr_device *device,
                    const struct orr_access_options *options);
void orr_access_close(struct orr_access_meter *access); /* accepts NULL */
/* A new array of rates as the journal has them, one a degree: with a `rate`, or with a `reason`.
 * NULL: no such kind. */
json_t *orr_access_measure(struct orr_access_meter *access, const char *kind);
/* The same where nothing could be measured. */
json_t *orr_access_refuse(const char *kind, const char *reason);
/* Lanes of a multiprocessor that multiply and add in one clock, as documented of an NVIDIA GPU of
 * the compute capability "9.0"; NAN for another. */
double orr_access_lanes(const char *capability);
/* Stops the sensors and returns what they saw: a new `sensors` object of the journal. */
json_t *orr_access_sensors(struct orr_access_meter *access);

#endif
