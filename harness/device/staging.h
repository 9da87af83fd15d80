/* Transfers in pieces through a ring of memory that the device reads and writes at full speed:
 * while one piece is filled, or read, others are copied. */
#ifndef ORR_STAGING_H
#define ORR_STAGING_H

#include "device/backend.h"

enum {
    ORR_STAGING_SLOTS = 4,          /* pieces in the ring */
    ORR_STAGING_LEAST = 256 * 1024, /* bytes of a transfer that is worth the ring */
};

/* What a backend knows. Copies are queued in order with all other work of the device. */
struct orr_staging_verbs {
    /* Page-locked memory; *handle is the backend's own. */
    int (*pin)(struct orr_device *device, void **memory, void **handle, size_t bytes);
    void (*unpin)(struct orr_device *device, void *memory, void *handle);
    /* Queue a copy between byte `at` of a buffer and memory of a slot. */
    int (*begin_upload)(struct orr_device *device, struct orr_buffer *to, size_t at,
                        const void *from, size_t bytes, int slot);
    int (*begin_download)(struct orr_device *device, void *to, struct orr_buffer *from, size_t at,
                          size_t bytes, int slot);
    /* Waits until the latest copy of the slot is done. */
    int (*await)(struct orr_device *device, int slot);
};

/* Zeroed by the backend; made by the first transfer. */
struct orr_staging {
    unsigned char *memory; /* ORR_STAGING_SLOTS pieces */
    void *handle;
    int next;                     /* slot of the next upload */
    bool busy[ORR_STAGING_SLOTS]; /* a copy was queued that nobody has awaited */
};

/* Does not wait for the last pieces. */
int orr_staging_send(struct orr_staging *staging, struct orr_device *device,
                     const struct orr_staging_verbs *verbs, struct orr_buffer *to, size_t bytes,
                     orr_piece *fill, void *context);
int orr_staging_receive(struct orr_staging *staging, struct orr_device *device,
                        const struct orr_staging_verbs *verbs, struct orr_buffer *from,
                        size_t bytes, orr_piece *take, void *context);
/* Nothing is on its way any more. */
void orr_staging_release(struct orr_staging *staging, struct orr_device *device,
                         const struct orr_staging_verbs *verbs);

/* For ordinary memory, an orr_piece on all cores: one that copies from where the pointer at
 * `context` points to, and one that copies to `context`. */
int orr_staging_from(void *context, void *memory, size_t first, size_t bytes);
int orr_staging_to(void *context, void *memory, size_t first, size_t bytes);

#endif
