/* SPDX-License-Identifier: MIT */
/* Locks of devices, so that one run at a time measures on each: files in a folder that all users
 * of the machine share, held with flock(2), which the kernel undoes when the holder ends. A GPU is
 * one device whatever backend finds it, known by its UUID or its place on the bus; one that tells
 * neither is known by its name and its number. The host and the CPU devices of OpenCL are one, the
 * machine's cores. */
#ifndef ORR_DEVICE_LOCK_H
#define ORR_DEVICE_LOCK_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "device/device.h"

enum { ORR_DEVICE_LOCKS = 64 };

struct orr_device_lock {
    char key[64];    /* "cores", "GPU-6b3a..." */
    char device[32]; /* by which messages call it: "cuda:0" */
    int fd;          /* -1: not held */
    time_t since;    /* when it was taken */
};

struct orr_device_locks {
    struct orr_device_lock locks[ORR_DEVICE_LOCKS]; /* by key, so that all take them in one order */
    int count;
    char missing[512]; /* why some are not held; "" */
    char what[256];    /* what the holder does */
};

/* Options for taking locks. */
struct orr_device_lock_options {
    const char *what;              /* "orrery run shan/table3", for those who wait */
    bool refuse;                   /* do not wait for others */
    int signals;                   /* signalfd of those that end the waiting; -1: none */
    void (*say)(const char *text); /* told every few seconds what is waited for */
};

#define ORR_DEVICE_LOCKS_INIT ((struct orr_device_locks){.count = 0})

/* The folder of the locks: ORRERY_LOCKS, else /run/lock or /tmp, whichever all users may write. */
const char *orr_device_lock_folder(void);
/* The device's lock is to be taken, too. ORR_EINTERNAL beyond ORR_DEVICE_LOCKS. */
int orr_device_lock_add(struct orr_device_locks *locks, const struct orr_device_info *device);
/* Takes all that were added. Where the folder cannot be written the rest is `missing`, which is no
 * failure. ORR_EBUSY with `refuse`, ORR_EINTERRUPTED; release them in any case. */
int orr_device_lock_take(struct orr_device_locks *locks,
                         const struct orr_device_lock_options *options);
/* Tells those who wait how far this run is: so many of so many measurements. */
void orr_device_lock_tell(const struct orr_device_locks *locks, size_t done, size_t of);
/* The journal's `locks`: {held: [keys], missing}. */
json_t *orr_device_lock_to_json(const struct orr_device_locks *locks);
void orr_device_lock_release(struct orr_device_locks *locks);

#endif
