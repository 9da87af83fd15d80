/* SPDX-License-Identifier: MIT */
/* Transfers in pieces, through a ring of memory that the device reads and writes by itself. */
#include "device/backend.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "memory.h"

enum { PIECE = ORR_PIECE_BYTES, SLOTS = ORR_STAGING_SLOTS };

struct orr_staging {
    unsigned char *memory;    /* SLOTS pieces */
    struct orr_pinned pinned; /* that memory; none where the system locks no more */
    int next;                 /* slot of the next upload */
    bool busy[SLOTS];         /* a copy was queued that nobody has awaited */
};

static unsigned char *memory_of(const struct orr_device *device, int slot)
{
    return device->staging->memory + (size_t)slot * PIECE;
}

static size_t piece_at(size_t first, size_t bytes)
{
    return bytes - first < PIECE ? bytes - first : PIECE;
}

/* Ordinary memory where the system locks no more: copies are slower then, and right. */
static int make_ring(struct orr_device *device)
{
    enum { PAGE = 4096 };
    const size_t bytes = (size_t)SLOTS * PIECE;
    if (!device->staging)
        device->staging = orr_memory_get(sizeof *device->staging);
    struct orr_staging *staging = device->staging;
    if (staging->memory)
        return 0;
    int code = device->ops->pin(device, &staging->pinned, bytes);
    if (code && !device->lost) {
        orr_error_clear();
        code = 0;
    }
    if (!code)
        staging->memory =
            staging->pinned.memory ? staging->pinned.memory : aligned_alloc(PAGE, bytes);
    return code || staging->memory ? code : orr_fail(ORR_EMEMORY, "no host memory for transfers");
}

static int await(struct orr_device *device, int slot)
{
    bool busy = device->staging->busy[slot];
    device->staging->busy[slot] = false;
    return busy ? device->ops->await(device, slot) : 0;
}

int orr_staging_send(struct orr_device *device, struct orr_buffer *to, size_t bytes,
                     orr_piece *fill, void *context)
{
    int code = make_ring(device);
    struct orr_staging *staging = device->staging;
    for (size_t first = 0; !code && first < bytes; first += PIECE) {
        const int slot = staging->next;
        const size_t piece = piece_at(first, bytes);
        unsigned char *memory = memory_of(device, slot);
        code = await(device, slot);
        if (!code)
            code = fill(context, memory, first, piece);
        if (!code)
            code = device->ops->begin_upload(device, to, first, memory, piece, slot);
        staging->busy[slot] = !code;
        staging->next = (slot + 1) % SLOTS;
    }
    return code;
}

static int begin_download(struct orr_device *device, struct orr_buffer *from, size_t first,
                          size_t bytes)
{
    const int slot = (int)(first / PIECE % SLOTS);
    int code = device->ops->begin_download(device, memory_of(device, slot), from, first,
                                           piece_at(first, bytes), slot);
    device->staging->busy[slot] = !code;
    return code;
}

int orr_staging_receive(struct orr_device *device, struct orr_buffer *from, size_t bytes,
                        orr_piece *take, void *context)
{
    const size_t ring = (size_t)SLOTS * PIECE;
    int code = make_ring(device);
    for (int slot = 0; !code && slot < SLOTS; slot++)
        code = await(device, slot);
    for (size_t first = 0; !code && first < bytes && first < ring; first += PIECE)
        code = begin_download(device, from, first, bytes);
    for (size_t first = 0; !code && first < bytes; first += PIECE) {
        const int slot = (int)(first / PIECE % SLOTS);
        code = await(device, slot);
        if (!code)
            code = take(context, memory_of(device, slot), first, piece_at(first, bytes));
        if (!code && bytes - first > ring)
            code = begin_download(device, from, first + ring, bytes);
    }
    return code;
}

void orr_staging_release(struct orr_device *device)
{
    struct orr_staging *staging = device->staging;
    if (staging && staging->pinned.memory)
        device->ops->unpin(device, &staging->pinned);
    else if (staging)
        free(staging->memory);
    free(staging);
    device->staging = NULL;
}

/* One core alone is slower than the link to a GPU. */
static void copy(unsigned char *to, const unsigned char *from, size_t bytes)
{
    enum { CHUNK = 65536, FEW = 4 };
    const size_t chunks = (bytes + CHUNK - 1) / CHUNK;
#pragma omp parallel for schedule(static) if (chunks > FEW)
    for (size_t chunk = 0; chunk < chunks; chunk++) {
        const size_t first = chunk * CHUNK;
        memcpy(to + first, from + first, bytes - first < CHUNK ? bytes - first : CHUNK);
    }
}

int orr_staging_from(void *context, void *memory, size_t first, size_t bytes)
{
    copy(memory, *(const unsigned char *const *)context + first, bytes);
    return 0;
}

int orr_staging_to(void *context, void *memory, size_t first, size_t bytes)
{
    copy((unsigned char *)context + first, memory, bytes);
    return 0;
}
