/* SPDX-License-Identifier: MIT */
/* The host backend: memory of the process itself and the monotonic clock; plain C variants run on
 * it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/backend.h"
#include "error.h"
#include "memory.h"
#include "machine.h"
#include "clock.h"
#include "version.h"

struct host_device {
    struct orr_device base;
    double start, since; /* of the span, of the phase */
    int phase;           /* that lasts since then */
};

struct host_buffer {
    struct orr_buffer base;
    _Alignas(64) unsigned char memory[];
};

static int simd_lanes(const char *simd)
{
    return !strncmp(simd, "avx512", 6) ? 16 : !strncmp(simd, "avx", 3) ? 8 : 4;
}

static int host_list(struct orr_device_info *out, int capacity)
{
    struct orr_machine machine;
    if (capacity < 1)
        return 1;
    orr_machine_describe(&machine);
    *out = (struct orr_device_info){.id = "host",
                                    .backend = "host",
                                    .kind = ORR_DEVICE_HOST,
                                    .compute_units = machine.threads,
                                    .warp_width = simd_lanes(machine.simd),
                                    .vector_width = simd_lanes(machine.simd),
                                    .memory_bytes = machine.memory_bytes,
                                    .fp64 = true};
    snprintf(out->name, sizeof out->name, "%s", machine.cpu);
    snprintf(out->driver, sizeof out->driver, "%s", machine.kernel);
    snprintf(out->toolkit, sizeof out->toolkit, "%s", ORR_COMPILER);
    snprintf(out->capability, sizeof out->capability, "%s", machine.simd);
    return 1;
}

static int host_open(struct orr_device **out, const char *id)
{
    struct host_device *device = orr_memory_get(sizeof *device);
    (void)id;
    host_list(&device->base.info, 1);
    device->base.ops = &orr_host_ops;
    *out = &device->base;
    return 0;
}

static void host_close(struct orr_device *device)
{
    free(device);
}

static unsigned char *start_of(struct orr_buffer *buffer)
{
    return ((struct host_buffer *)buffer)->memory + buffer->before;
}

static int host_alloc(struct orr_device *device, struct orr_buffer **out, size_t bytes)
{
    struct host_buffer *buffer = NULL;
    const size_t zone = device->zone;
    *out = NULL;
    /* malloc may overcommit, and the process would be killed later. */
    if (bytes > device->info.memory_bytes ||
        !(buffer = aligned_alloc(64, (sizeof *buffer + zone + bytes + zone + 63) / 64 * 64)))
        return orr_fail(ORR_EMEMORY, "no host memory for %zu bytes", bytes);
    buffer->base = (struct orr_buffer){.bytes = bytes, .before = zone, .after = zone};
    *out = &buffer->base;
    return 0;
}

static void host_free(struct orr_device *device, struct orr_buffer *buffer)
{
    (void)device;
    free(buffer);
}

static int host_move(struct orr_device *device, struct orr_buffer *buffer, ptrdiff_t at,
                     void *memory, size_t bytes, bool writes, int slot)
{
    unsigned char *place = start_of(buffer) + at;
    (void)device, (void)slot;
    memcpy(writes ? place : memory, writes ? memory : place, bytes);
    return 0;
}

static int host_send(struct orr_device *device, struct orr_buffer *to, size_t bytes,
                     orr_piece *fill, void *context)
{
    (void)device;
    return fill(context, start_of(to), 0, bytes);
}

static int host_receive(struct orr_device *device, struct orr_buffer *from, size_t bytes,
                        orr_piece *take, void *context)
{
    (void)device;
    return take(context, start_of(from), 0, bytes);
}

static int host_copy(struct orr_device *device, struct orr_buffer *to, struct orr_buffer *from,
                     size_t bytes)
{
    (void)device;
    memmove(start_of(to), start_of(from), bytes);
    return 0;
}

static int host_fill(struct orr_device *device, struct orr_buffer *to, uint32_t word, size_t bytes)
{
    (void)device;
    for (size_t k = 0; k < bytes; k += sizeof word)
        memcpy(start_of(to) + k, &word, sizeof word);
    return 0;
}

static void host_drop(struct orr_device *device, struct orr_program *program)
{
    (void)device, (void)program;
}

static int host_phase(struct orr_device *device, const char *name)
{
    struct host_device *host = (struct host_device *)device;
    const double now = orr_clock_now();
    (void)name;
    orr_backend_add_span(device, host->phase, now - host->since);
    host->since = now;
    host->phase = device->phase;
    return 0;
}

static int host_time_start(struct orr_device *device)
{
    struct host_device *host = (struct host_device *)device;
    host->phase = -1;
    host->start = host->since = orr_clock_now();
    return 0;
}

static int host_time_stop(struct orr_device *device)
{
    struct host_device *host = (struct host_device *)device;
    host_phase(device, NULL);
    device->times.seconds = host->since - host->start;
    return 0;
}

static int host_sync(struct orr_device *device)
{
    (void)device;
    return 0;
}

const struct orr_device_ops orr_host_ops = {
    .backend = "host",
    .list = host_list,
    .open = host_open,
    .close = host_close,
    .alloc = host_alloc,
    .free = host_free,
    .copy = host_copy,
    .fill = host_fill,
    .drop = host_drop,
    .time_start = host_time_start,
    .phase = host_phase,
    .time_stop = host_time_stop,
    .sync = host_sync,
    .drain = host_sync,
    .move = host_move,
    .clock = "host clock",
    .send = host_send,
    .receive = host_receive,
};
