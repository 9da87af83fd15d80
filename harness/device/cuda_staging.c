/* CUDA: transfers through page-locked memory. */
#include <stdlib.h>

#include "device/cuda.h"
#include "error.h"

static struct cuda_device *own(struct orr_device *device)
{
    return (struct cuda_device *)device;
}

/* Ordinary memory where the system locks no more: copies are slower then, and right. */
static int pin(struct orr_device *device, void **memory, void **handle, size_t bytes)
{
    enum { PAGE = 4096, NO_FLAGS = 0 };
    const orr_cu_enum error = own(device)->api->host_alloc(memory, bytes, NO_FLAGS);
    *handle = error ? NULL : *memory;
    if (error)
        *memory = aligned_alloc(PAGE, bytes);
    return *memory ? 0 : orr_fail(ORR_EMEMORY, "no host memory for transfers");
}

static void unpin(struct orr_device *device, void *memory, void *handle)
{
    if (handle)
        own(device)->api->host_free(handle);
    else
        free(memory);
}

/* After a copy was queued, or not. */
static int mark(struct cuda_device *cuda, orr_cu_enum error, size_t bytes, int slot)
{
    struct CUevent_st **event = &cuda->staged[slot];
    if (!error && !*event && (error = cuda->api->event_create(event, ORR_CU_EVENT_DEFAULT)))
        *event = NULL;
    if (!error)
        error = cuda->api->event_record(*event, cuda->stream);
    return error ? orr_cuda_fail(&cuda->base, error, "copy of %zu bytes failed", bytes) : 0;
}

static int begin_upload(struct orr_device *device, struct orr_buffer *to, size_t at,
                        const void *from, size_t bytes, int slot)
{
    struct cuda_device *cuda = own(device);
    const orr_cu_pointer pointer = ((struct cuda_buffer *)to)->pointer + at;
    return mark(cuda, cuda->api->upload(pointer, from, bytes, cuda->stream), bytes, slot);
}

static int begin_download(struct orr_device *device, void *to, struct orr_buffer *from, size_t at,
                          size_t bytes, int slot)
{
    struct cuda_device *cuda = own(device);
    const orr_cu_pointer pointer = ((struct cuda_buffer *)from)->pointer + at;
    return mark(cuda, cuda->api->download(to, pointer, bytes, cuda->stream), bytes, slot);
}

static int await(struct orr_device *device, int slot)
{
    const orr_cu_enum error = own(device)->api->event_wait(own(device)->staged[slot]);
    return error ? orr_cuda_fail(device, error, "waiting for a copy failed") : 0;
}

static const struct orr_staging_verbs verbs = {pin, unpin, begin_upload, begin_download, await};

int orr_cuda_send(struct orr_device *device, struct orr_buffer *to, size_t bytes, orr_piece *fill,
                  void *context)
{
    return orr_staging_send(&own(device)->staging, device, &verbs, to, bytes, fill, context);
}

int orr_cuda_receive(struct orr_device *device, struct orr_buffer *from, size_t bytes,
                     orr_piece *take, void *context)
{
    return orr_staging_receive(&own(device)->staging, device, &verbs, from, bytes, take, context);
}

void orr_cuda_unstage(struct cuda_device *cuda)
{
    if (cuda->stream)
        cuda->api->stream_wait(cuda->stream);
    orr_staging_release(&cuda->staging, &cuda->base, &verbs);
    for (int slot = 0; slot < ORR_STAGING_SLOTS; slot++)
        if (cuda->staged[slot])
            cuda->api->event_destroy(cuda->staged[slot]);
}
