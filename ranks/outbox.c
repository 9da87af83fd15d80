/* SPDX-License-Identifier: MIT */
#include "ranks/outbox.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#include "error.h"

/* Boxes lie this far from each other; a file in memory has no pages where nothing was written. */
#define BOX_BYTES ((off_t)1 << 40)
#define BOX_STEP ((size_t)1 << 21)

static void give_back(struct orr_outboxes *all, int rank)
{
    if (all->boxes[rank].locked)
        all->device->ops->unlock(all->device, all->boxes[rank].memory);
    if (all->boxes[rank].memory)
        munmap(all->boxes[rank].memory, all->boxes[rank].bytes);
    memset(&all->boxes[rank], 0, sizeof all->boxes[rank]);
}

int orr_outbox(char **out, struct orr_outboxes *all, int rank, size_t bytes)
{
    const size_t room = (bytes + BOX_STEP - 1) / BOX_STEP * BOX_STEP;
    const off_t at = BOX_BYTES * (rank + 1);

    if (all->boxes[rank].bytes < bytes) {
        give_back(all, rank);
        int error = rank == all->own ? posix_fallocate(all->fd, at, (off_t)room) : 0;
        void *memory =
            error ? MAP_FAILED : mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_SHARED, all->fd, at);
        if (memory == MAP_FAILED)
            return orr_fail(ORR_EMEMORY, "no memory for %zu bytes that ranks exchange: %s", room,
                            strerror(error ? error : errno));
        all->boxes[rank].memory = memory;
        all->boxes[rank].bytes = room;
        all->boxes[rank].locked =
            all->device->ops->lock && all->device->ops->lock(all->device, memory, room);
    }
    *out = all->boxes[rank].memory;
    return 0;
}

void orr_outbox_close_all(struct orr_outboxes *all)
{
    for (int k = 0; k < ORR_MAX_RANKS; k++)
        give_back(all, k);
}
