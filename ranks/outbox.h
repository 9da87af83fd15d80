/* SPDX-License-Identifier: MIT */
/* Host memory through which the ranks of a machine exchange: each writes to a box of its own, from
 * which the others copy to their devices. Boxes are parts of one file in memory, so that nothing is
 * copied from process to process, and page-locked where the device can. Whoever reads waits first
 * until the owner has written, and the owner waits before it writes again. */
#ifndef ORR_RANKS_OUTBOX_H
#define ORR_RANKS_OUTBOX_H

#include <stddef.h>

#include "device/device.h"
#include "ranks/ranks.h"

struct orr_outboxes {
    int fd;  /* of the file, which is the ranks' board, too */
    int own; /* this rank */
    struct orr_device *device;
    struct {
        char *memory;
        size_t bytes;
        bool locked;
    } boxes[ORR_MAX_RANKS];
};

/* The first `bytes` bytes of the box of `rank`, which has written them unless it is this rank.
 * ORR_EMEMORY where there is no such room. */
int orr_outbox(char **out, struct orr_outboxes *all, int rank, size_t bytes);
/* Gives the memory back. The file is its owner's. */
void orr_outbox_close_all(struct orr_outboxes *all);

#endif
