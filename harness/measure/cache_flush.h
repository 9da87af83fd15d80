/* Cold caches: everything that a device's last-level cache holds is overwritten. */
#ifndef ORR_CACHE_FLUSH_H
#define ORR_CACHE_FLUSH_H

#include <stddef.h>

#include "device/device.h"

/* Memory to overwrite caches with, made by the first flush; start from zero. */
struct orr_cache_flush {
    struct orr_device *device; /* whose `buffer` it is; NULL: none yet, or the host's */
    struct orr_buffer *buffer;
    unsigned char *memory; /* of the host */
    size_t bytes;          /* overwritten by each flush; 0 before the first */
    unsigned char turn;
};

/* Overwrites the caches and waits. Processors are flushed by all cores that the process may use,
 * also where OpenCL runs on them; others by filling a buffer of theirs. */
int orr_cache_flush(struct orr_cache_flush *flush, struct orr_device *device);
/* Before the device is closed; may be repeated. */
void orr_cache_flush_release(struct orr_cache_flush *flush);
/* Bytes of the processor's last-level caches together, as sysfs says under `root` ("/sys"); 0 when
 * it does not. */
size_t orr_cache_flush_host_bytes(const char *root);

#endif
