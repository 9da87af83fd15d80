/* CUDA: memory traffic, launches, and device times by events recorded at the start, at each phase
 * mark and at the end. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "device/cuda.h"
#include "error.h"
#include "memory.h"

static struct cuda_device *own(struct orr_device *device)
{
    return (struct cuda_device *)device;
}

static orr_cu_pointer pointer_of(const struct orr_buffer *buffer)
{
    return ((const struct cuda_buffer *)buffer)->pointer;
}

int orr_cuda_sync(struct orr_device *device)
{
    orr_cu_enum error = own(device)->api->stream_wait(own(device)->stream);
    return error ? orr_cuda_fail(device, error, "waiting for the device failed") : 0;
}

int orr_cuda_drain(struct orr_device *device)
{
    orr_cu_enum error = own(device)->api->context_wait();
    return error ? orr_cuda_fail(device, error, "waiting for the device failed") : 0;
}

/* Adds up the time between the recorded marks; the last one becomes the first of the next span. */
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
    /* An upload may launch kernels, too, whose records must not come with those of the step. */
    int code = cuda->tracing ? orr_cuda_sync(device) : 0;
    if (code)
        return code;
    if (cuda->tracing)
        orr_cuda_trace_clear(cuda->traced);
    orr_backend_clear_spans(&cuda->spans);
    cuda->marks = 0;
    cuda->measured = 0;
    cuda->traced = 0;
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
    if (!code && cuda->tracing)
        cuda->spans.times.kernels_s =
            orr_cuda_trace_sum(cuda->traced, cuda->measured, &cuda->spans.times.unknown);
    cuda->traced = 0;
    *out = cuda->spans.times;
    return code;
}

int orr_cuda_trace(struct orr_device *device, bool on)
{
    int code = orr_cuda_sync(device);
    if (!code)
        code = orr_cuda_trace_switch(on);
    own(device)->tracing = on && !code;
    own(device)->traced = 0;
    return code;
}

int orr_cuda_alloc(struct orr_device *device, struct orr_buffer **out, size_t bytes)
{
    const struct orr_cuda_api *api = own(device)->api;
    const size_t zone = orr_guard_zone(device);
    struct cuda_buffer *buffer = orr_memory_get(sizeof *buffer);
    *out = NULL;
    orr_cu_enum error =
        api->memory_alloc(&buffer->pointer, orr_backend_at_least_one(zone + bytes + zone));
    if (error) {
        size_t left = 0, total = 0;
        api->memory_info(&left, &total);
        free(buffer);
        return orr_cuda_fail(device, error,
                             "cannot allocate %zu bytes on %s, which has %zu of %zu left", bytes,
                             device->info.id, left, total);
    }
    buffer->base = (struct orr_buffer){.bytes = bytes, .before = zone, .after = zone};
    buffer->pointer += zone;
    *out = &buffer->base;
    return 0;
}

void orr_cuda_free(struct orr_device *device, struct orr_buffer *buffer)
{
    /* An error here belongs to an earlier command, which the next wait reports; a lost context has
     * nothing to free. */
    own(device)->api->memory_free(pointer_of(buffer) - buffer->before);
    free(buffer);
}

int orr_cuda_pin(struct orr_device *device, struct orr_pinned *out, size_t bytes)
{
    *out = (struct orr_pinned){0};
    orr_cu_enum error = own(device)->api->host_alloc(&out->memory, bytes, 0);
    return error ? orr_cuda_fail(device, error, "cannot pin %zu bytes of host memory", bytes) : 0;
}

void orr_cuda_unpin(struct orr_device *device, struct orr_pinned *pinned)
{
    if (pinned->memory)
        own(device)->api->host_free(pinned->memory);
    *pinned = (struct orr_pinned){0};
}

int orr_cuda_poke(struct orr_device *device, struct orr_buffer *to, ptrdiff_t at, const void *from,
                  size_t bytes)
{
    orr_cu_enum error = own(device)->api->upload(pointer_of(to) + (orr_cu_pointer)at, from, bytes,
                                                 own(device)->stream);
    if (error)
        return orr_cuda_fail(device, error, "upload of %zu bytes failed", bytes);
    return orr_cuda_sync(device); /* `from` is the caller's again on return */
}

int orr_cuda_peek(struct orr_device *device, void *to, struct orr_buffer *from, ptrdiff_t at,
                  size_t bytes)
{
    orr_cu_enum error = own(device)->api->download(to, pointer_of(from) + (orr_cu_pointer)at, bytes,
                                                   own(device)->stream);
    return error ? orr_cuda_fail(device, error, "download of %zu bytes failed", bytes)
                 : orr_cuda_sync(device);
}

int orr_cuda_upload(struct orr_device *device, struct orr_buffer *to, const void *from,
                    size_t bytes)
{
    return bytes < ORR_STAGING_LEAST ? orr_cuda_poke(device, to, 0, from, bytes)
                                     : orr_cuda_send(device, to, bytes, orr_staging_from, &from);
}

int orr_cuda_download(struct orr_device *device, void *to, struct orr_buffer *from, size_t bytes)
{
    return bytes < ORR_STAGING_LEAST ? orr_cuda_peek(device, to, from, 0, bytes)
                                     : orr_cuda_receive(device, from, bytes, orr_staging_to, to);
}

int orr_cuda_copy(struct orr_device *device, struct orr_buffer *to, struct orr_buffer *from,
                  size_t bytes)
{
    orr_cu_enum error =
        own(device)->api->copy(pointer_of(to), pointer_of(from), bytes, own(device)->stream);
    return error ? orr_cuda_fail(device, error, "copy of %zu bytes failed", bytes) : 0;
}

int orr_cuda_fill(struct orr_device *device, struct orr_buffer *to, uint32_t word, size_t bytes)
{
    orr_cu_enum error =
        own(device)->api->fill(pointer_of(to), word, bytes / sizeof word, own(device)->stream);
    return error ? orr_cuda_fail(device, error, "fill of %zu bytes failed", bytes) : 0;
}

static struct cuda_kernel *find(struct orr_program *program, const char *name)
{
    for (int k = 0; k < program->count; k++)
        if (!strcmp(program->kernels[k].name, name))
            return &program->kernels[k];
    return NULL;
}

static int check_sizes(const struct cuda_device *cuda, const struct cuda_kernel *kernel,
                       const struct orr_launch *launch)
{
    size_t threads = 1;
    for (int d = 0; d < 3; d++) {
        if (launch->groups[d] > (size_t)cuda->max_grid[d])
            return orr_fail(ORR_EUNSUPPORTED,
                            "kernel %s: %zu groups in dimension %d, the device takes %d",
                            kernel->name, launch->groups[d], d, cuda->max_grid[d]);
        if (__builtin_mul_overflow(threads, orr_backend_at_least_one(launch->group[d]), &threads))
            threads = SIZE_MAX;
    }
    if (threads > (size_t)kernel->max_threads)
        return orr_fail(
            ORR_EUNSUPPORTED,
            "kernel %s: groups of %zu threads, it can run with %d (registers): choose less",
            kernel->name, threads, kernel->max_threads);
    return 0;
}

static int pack(const struct cuda_kernel *kernel, const struct orr_launch *launch, void **out)
{
    if (launch->arg_count > CUDA_MAX_ARGS ||
        (kernel->arg_count >= 0 && launch->arg_count != kernel->arg_count))
        return orr_fail(ORR_EINTERNAL, "kernel %s takes %d arguments, given %d", kernel->name,
                        kernel->arg_count, launch->arg_count);
    for (int k = 0; k < launch->arg_count; k++) {
        const struct orr_arg *arg = &launch->args[k];
        struct cuda_buffer *buffer = (struct cuda_buffer *)arg->buffer;
        size_t size = arg->kind == ORR_ARG_BUFFER ? sizeof buffer->pointer : arg->size;
        if (kernel->arg_count >= 0 && size != kernel->arg_sizes[k])
            return orr_fail(ORR_EINTERNAL, "argument %d of kernel %s has %zu bytes, given %zu", k,
                            kernel->name, kernel->arg_sizes[k], size);
        out[k] = arg->kind == ORR_ARG_BUFFER ? (void *)&buffer->pointer : (void *)&arg->value;
    }
    return 0;
}

/* More than 48 KB of shared memory has to be asked for, once per kernel and size. */
static int allow_local(struct cuda_device *cuda, struct cuda_kernel *kernel, size_t bytes)
{
    enum { ALWAYS_ALLOWED = 48 * 1024 };
    size_t fixed = kernel->static_bytes > 0 ? (size_t)kernel->static_bytes : 0;
    if (fixed + bytes <= ALWAYS_ALLOWED || bytes <= (size_t)kernel->dynamic_limit)
        return 0;
    if (fixed + bytes > cuda->base.info.local_bytes)
        return orr_fail(ORR_EUNSUPPORTED,
                        "kernel %s: %zu bytes of local memory, the device gives %zu", kernel->name,
                        fixed + bytes, cuda->base.info.local_bytes);
    orr_cu_enum error =
        cuda->api->function_set(kernel->function, ORR_CU_FUNC_MAX_DYNAMIC_SHARED, (int)bytes);
    if (error)
        return orr_cuda_fail(&cuda->base, error, "kernel %s cannot have %zu bytes of local memory",
                             kernel->name, bytes);
    kernel->dynamic_limit = (int)bytes;
    return 0;
}

int orr_cuda_launch(struct orr_device *device, struct orr_program *program,
                    const struct orr_launch *launch)
{
    struct cuda_device *cuda = (struct cuda_device *)device;
    struct cuda_kernel *kernel = find(program, launch->kernel);
    void *arguments[CUDA_MAX_ARGS];
    unsigned grid[3], block[3];
    if (!kernel)
        return orr_fail(ORR_EINTERNAL, "there is no kernel '%s' in the program", launch->kernel);
    int code = check_sizes(cuda, kernel, launch);
    if (!code)
        code = pack(kernel, launch, arguments);
    if (!code)
        code = allow_local(cuda, kernel, launch->local_bytes);
    if (code)
        return code;
    for (int d = 0; d < 3; d++) {
        grid[d] = (unsigned)orr_backend_at_least_one(launch->groups[d]);
        block[d] = (unsigned)orr_backend_at_least_one(launch->group[d]);
    }
    orr_cu_enum error =
        cuda->api->launch(kernel->function, grid[0], grid[1], grid[2], block[0], block[1], block[2],
                          (unsigned)launch->local_bytes, cuda->stream, arguments, NULL);
    cuda->traced += cuda->tracing && !error;
    return error ? orr_cuda_fail(device, error, "launch of %s failed", launch->kernel) : 0;
}
