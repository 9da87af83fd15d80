/* SPDX-License-Identifier: MIT */
/* The backends share this: the table's entries, buffers and the zones around them, the record of
 * built kernels and the sums of phase times. */
#ifndef ORR_BACKEND_H
#define ORR_BACKEND_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "device/device.h"

extern const struct orr_device_ops orr_host_ops, orr_opencl_ops, orr_cuda_ops;

/* Memory that is lent, between two zones. Backends put this first in their own struct. */
struct orr_buffer {
    size_t bytes;         /* lent: as many as were asked for */
    size_t before, after; /* bytes of the zones; alloc sets them */
    struct orr_buffer *previous, *next;
};

enum { ORR_ZONE_BYTES = 4096 }; /* a multiple of every alignment that memory had without zones */

/* Puts the checks of guard.c between the backend and its callers: transfers stay within their
 * buffer and are not empty, use and time are counted, zones are drawn and looked at. To be called
 * once, after open. */
void orr_guard_attach(struct orr_device *device);
/* A kernel built twice with the same defines is kept once. */
static inline void orr_backend_record(struct orr_device *device, const struct orr_kernel_info *info)
{
    for (int k = 0; k < device->kernel_count; k++)
        if (!strcmp(device->kernels[k].name, info->name) &&
            !strcmp(device->kernels[k].defines, info->defines))
            return;
    if (device->kernel_count < ORR_MAX_KERNELS)
        device->kernels[device->kernel_count++] = *info;
}
/* The first line of a compiler's log with "error", else its first line; cuts `log` there. */
static inline const char *orr_backend_first_error(char *log)
{
    char *best = log + strspn(log, " \t\r\n");
    char *error = strstr(log, "error");
    if (error) {
        while (error > log && error[-1] != '\n')
            error--;
        best = error;
    }
    best[strcspn(best, "\r\n")] = '\0';
    return *best ? best : "the compiler gave no message";
}
/* Work-items along one dimension, where 0 counts as 1. */
static inline size_t orr_backend_at_least_one(size_t n)
{
    return n ? n : 1;
}

/* True where ORRERY_DRIVERS ("cuda,opencl") lists the backend, or is not set: its driver may be
 * loaded. The host needs none. */
bool orr_device_may_load(const char *backend);

/* Names and versions of the OpenCL platforms, for the doctor; returns how many. */
int orr_opencl_platforms(char *text, size_t size);

/* Adds device time to a phase of the span; -1: none. */
static inline void orr_backend_add_span(struct orr_device *device, int phase, double seconds)
{
    if (phase >= 0)
        device->times.phases[phase].seconds += seconds;
}

/* --- staging.c: a ring of pieces of memory that the device reads and writes at full speed: while
 * one piece is filled, or read, others are copied --- */

enum {
    ORR_STAGING_SLOTS = 4,          /* pieces in the ring */
    ORR_STAGING_LEAST = 256 * 1024, /* bytes of a transfer that is worth it, or locking memory */
};

/* The verbs send and receive of a backend that has await. The
 * first transfer makes the ring. Sending does not wait for the last pieces. */
int orr_staging_send(struct orr_device *device, struct orr_buffer *to, size_t bytes,
                     orr_piece *fill, void *context);
int orr_staging_receive(struct orr_device *device, struct orr_buffer *from, size_t bytes,
                        orr_piece *take, void *context);
/* Nothing is on its way any more. */
void orr_staging_release(struct orr_device *device);

/* For guard.c: the verbs of any backend, by its others. */
int orr_staging_upload(struct orr_device *device, struct orr_buffer *to, const void *from,
                       size_t bytes);
int orr_staging_download(struct orr_device *device, void *to, struct orr_buffer *from,
                         size_t bytes);
int orr_staging_upload_columns(struct orr_device *device, struct orr_buffer *to,
                               const struct orr_columns *from);
int orr_staging_download_columns(struct orr_device *device, const struct orr_float_columns *to,
                                 struct orr_buffer *from);

/* --- the kernel cache: files named by a key, whole or not there; a folder that cannot be written
 * is no error --- */

/* Key of everything that a compiled kernel depends on; parts are kept apart, so "ab","c" is not
 * "a","bc". */
void orr_cache_key(char key[65], const char *const *parts, size_t count);
/* The note of a whole entry, which the caller frees, and with it the data, which lies behind it and
 * has a 0 byte at its end; NULL without one, and a damaged one is removed. `data` may be NULL. */
char *orr_cache_load(const char *key, void **data, size_t *size);
/* Stores copies. False when they could not be written; the next run compiles again. */
bool orr_cache_store(const char *key, const char *note, const void *data, size_t size);
/* Makes a folder in it, named by its parts as a key is. */
bool orr_cache_folder(char *out, size_t size, const char *const *parts, size_t count);
/* Removes an unusable entry. */
void orr_cache_forget(const char *key);

#endif
