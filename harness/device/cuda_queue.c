/* CUDA: memory traffic, and device times by events recorded at the start, at each phase mark and at
 * the end. */
#include <stdlib.h>

#include "device/cuda.h"
#include "error.h"

static struct cuda_device *own(struct orr_device *device)
{
    return (struct cuda_device *)device;
}

int orr_cuda_sync(struct orr_device *device)
{
    orr_cu_enum error = own(device)->api->stream_wait(own(device)->stream);
    return error ? orr_cuda_fail(device, error, "waiting for the device failed") : 0;
}

/* Adds up the time between the recorded marks and keeps only the last one, as the first of those to
 * come. */
static int add_up(struct cuda_device *cuda)
{
    const struct orr_cuda_api *api = cuda->api;
    int last = cuda->marks - 1;
    orr_cu_enum error = last > 0 ? api->event_wait(cuda->events[last]) : ORR_CU_SUCCESS;
    for (int k = 0; k < last && !error; k++) {
        float ms = 0;
        error = api->event_elapsed(&ms, cuda->events[k], cuda->events[k + 1]);
        cuda->measured += 1e-3 * (double)ms;
        orr_backend_add_span(&cuda->spans, cuda->phases[k], 1e-3 * (double)ms);
    }
    if (error)
        return orr_cuda_fail(&cuda->base, error, "cannot read the times of a step");
    if (last > 0) {
        struct CUevent_st *kept = cuda->events[last];
        cuda->events[last] = cuda->events[0];
        cuda->events[0] = kept;
        cuda->phases[0] = cuda->phases[last];
        cuda->marks = 1;
    }
    return 0;
}

/* Records an event; what follows it belongs to the current phase. Events are made once and used
 * again. */
static int mark(struct cuda_device *cuda)
{
    int code = cuda->marks == CUDA_MAX_MARKS ? add_up(cuda) : 0;
    orr_cu_enum error = ORR_CU_SUCCESS;
    if (code)
        return code;
    if (cuda->marks == cuda->made &&
        !(error = cuda->api->event_create(&cuda->events[cuda->made], ORR_CU_EVENT_DEFAULT)))
        cuda->made++;
    if (!error)
        error = cuda->api->event_record(cuda->events[cuda->marks], cuda->stream);
    if (error)
        return orr_cuda_fail(&cuda->base, error, "cannot record an event");
    cuda->phases[cuda->marks++] = cuda->spans.current;
    return 0;
}

int orr_cuda_time_start(struct orr_device *device)
{
    struct cuda_device *cuda = own(device);
    orr_backend_clear_spans(&cuda->spans);
    cuda->marks = 0;
    cuda->measured = 0;
    cuda->timing = true;
    return mark(cuda);
}

int orr_cuda_phase(struct orr_device *device, const char *name)
{
    struct cuda_device *cuda = own(device);
    if (!cuda->timing)
        return 0;
    int code = orr_backend_select_phase(&cuda->spans, name);
    return code ? code : mark(cuda);
}

int orr_cuda_time_stop(struct orr_device *device)
{
    struct cuda_device *cuda = own(device);
    int code = mark(cuda);
    cuda->timing = false;
    return code;
}

int orr_cuda_time_read(struct orr_device *device, struct orr_times *out)
{
    struct cuda_device *cuda = own(device);
    int code = orr_cuda_sync(device);
    if (!code)
        code = add_up(cuda);
    cuda->spans.times.seconds = cuda->measured;
    *out = cuda->spans.times;
    return code;
}

int orr_cuda_alloc(struct orr_device *device, struct orr_buffer **out, size_t bytes)
{
    const struct orr_cuda_api *api = own(device)->api;
    struct orr_buffer *buffer = calloc(1, sizeof *buffer);
    *out = NULL;
    if (!buffer)
        return orr_fail(ORR_EMEMORY, "no host memory for a buffer");
    buffer->bytes = orr_backend_at_least_one(bytes);
    orr_cu_enum error = api->memory_alloc(&buffer->pointer, buffer->bytes);
    if (error) {
        size_t left = 0, total = 0;
        api->memory_info(&left, &total);
        free(buffer);
        return orr_cuda_fail(device, error,
                             "cannot allocate %zu bytes on %s, which has %zu of %zu left", bytes,
                             device->info.id, left, total);
    }
    *out = buffer;
    return 0;
}

void orr_cuda_free(struct orr_device *device, struct orr_buffer *buffer)
{
    /* An error here is one of an earlier command, which the next wait reports; after a lost context
     * there is none to free. */
    if (buffer)
        own(device)->api->memory_free(buffer->pointer);
    free(buffer);
}

int orr_cuda_upload(struct orr_device *device, struct orr_buffer *to, const void *from,
                    size_t bytes)
{
    if (bytes > to->bytes)
        return orr_backend_fail_size("upload", bytes, to->bytes);
    orr_cu_enum error =
        bytes ? own(device)->api->upload(to->pointer, from, bytes, own(device)->stream) : 0;
    if (error)
        return orr_cuda_fail(device, error, "upload of %zu bytes failed", bytes);
    return orr_cuda_sync(device); /* `from` is the caller's again on return */
}

int orr_cuda_download(struct orr_device *device, void *to, struct orr_buffer *from, size_t bytes)
{
    if (bytes > from->bytes)
        return orr_backend_fail_size("download", bytes, from->bytes);
    orr_cu_enum error =
        bytes ? own(device)->api->download(to, from->pointer, bytes, own(device)->stream) : 0;
    return error ? orr_cuda_fail(device, error, "download of %zu bytes failed", bytes)
                 : orr_cuda_sync(device);
}

int orr_cuda_copy(struct orr_device *device, struct orr_buffer *to, struct orr_buffer *from,
                  size_t bytes)
{
    if (bytes > to->bytes || bytes > from->bytes)
        return orr_backend_fail_size("copy", bytes,
                                     to->bytes < from->bytes ? to->bytes : from->bytes);
    orr_cu_enum error =
        bytes ? own(device)->api->copy(to->pointer, from->pointer, bytes, own(device)->stream) : 0;
    return error ? orr_cuda_fail(device, error, "copy of %zu bytes failed", bytes) : 0;
}

int orr_cuda_fill(struct orr_device *device, struct orr_buffer *to, uint32_t word, size_t bytes)
{
    if (bytes > to->bytes || bytes % sizeof word)
        return orr_backend_fail_size("fill", bytes, to->bytes);
    size_t words = bytes / sizeof word;
    orr_cu_enum error =
        words ? own(device)->api->fill(to->pointer, word, words, own(device)->stream) : 0;
    return error ? orr_cuda_fail(device, error, "fill of %zu bytes failed", bytes) : 0;
}
