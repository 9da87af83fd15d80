/* SPDX-License-Identifier: MIT */
/* The cost of each kind of access and operation on a device: rates of the whole device, a second,
 * with enough warps and independent accesses that they are of throughput. Each is checked against
 * what must have come of it, and refused above the documented rate of the chip. */
#ifndef ORR_ACCESS_H
#define ORR_ACCESS_H

#include <jansson.h>

#include "measure/ceiling.h"
#include "measure/sensors.h"

/* "add" ... "from-device-pinned", in the order in which they are measured; NULL behind the last. */
const char *orr_access_kind(size_t place);

struct orr_access_options {
    bool quick;          /* shorter spans, smaller memory */
    const char *defines; /* more of them for the kernels: -DSKIP=1 plants a fault. NULL: none */
};

struct orr_access_meter; /* a device being measured, and its sensors */
/* Compiles the kernels and keeps the device busy until its clock is up. */
int orr_access_open(struct orr_access_meter **out, struct orr_device *device,
                    const struct orr_access_options *options);
/* Returns what the sensors saw: a new `sensors` object of the journal. Accepts NULL. */
json_t *orr_access_close(struct orr_access_meter *access);
/* A new array of rates as the journal has them, one a degree: with a `rate`, or with a `reason`.
 * Where nothing could be measured, `access` is NULL and they have this `reason`. NULL: no such
 * kind. */
json_t *orr_access_measure(struct orr_access_meter *access, const char *kind, const char *reason);
/* Lanes of a multiprocessor that multiply and add in one clock, as documented of an NVIDIA GPU of
 * the compute capability "9.0"; NAN for another. */
double orr_access_lanes(const char *capability);

/* --- what the files of access ceilings share; nobody else uses it --- */

enum { ORR_ACCESS_GROUP = 256, ORR_ACCESS_LANES = 32 };

struct orr_access_meter {
    struct orr_device *device;
    struct orr_access_options options;
    struct orr_span span; /* of a measurement: loops grow from few; who runs what is still to say */
    struct orr_sensors *sensors;
    bool has_ceiling; /* `ceiling` was measured */
    struct orr_ceiling ceiling;
    struct orr_program *program; /* NULL on the host */
    struct orr_buffer *out;      /* a word a work-item */
    uint32_t *results;           /* on the host */
    size_t groups;               /* that fill the device */
    size_t units;                /* multiprocessors or cores */
    int vector;
};

/* Memory that is loaded holds this value in word `index`. */
static inline uint32_t orr_access_word(uint32_t index)
{
    return index * 2654435761u + 97u;
}

/* Each gives the rate of one kind and degree, or an error whose text is the reason. */
int orr_access_by_kernel(struct orr_access_meter *access, const char *kind, int degree,
                         double *rate);
int orr_access_on_host(struct orr_access_meter *access, const char *kind, int degree, double *rate);

/* access_host.c: bytes of the processor's last-level caches together, as sysfs says under `root`
 * ("/sys"); 0 when it does not. */
size_t orr_access_cache_bytes(const char *root);
/* access_kernels.c: the program, its memory and a device at full clock. */
int orr_access_prepare_kernels(struct orr_access_meter *access);
/* The most that the chip is documented to do in a second at `clock_mhz`, as the journal counts; NAN
 * where that is not known. */
double orr_access_limit(const struct orr_device_info *info, const char *kind, double clock_mhz);

#endif
