/* SPDX-License-Identifier: MIT */
/* CUDA: devices, memory traffic and launches, device times by events recorded at the start, at each
 * phase mark and at the end, transfers through page-locked memory, and recordings as graphs. */
#include "device/cuda.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "memory.h"

static struct cuda_device *own(struct orr_device *device)
{
    return (struct cuda_device *)device;
}

int orr_cuda_check(struct orr_device *device, orr_cu_enum error, const char *format, ...)
{
    const struct orr_cuda_api *api = ((struct cuda_device *)device)->api;
    const char *name = NULL, *text = NULL;
    char what[512];
    int code = ORR_EDEVICE;
    va_list arguments;
    if (!error)
        return 0;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (api->error_name(error, &name) || !name)
        name = "unknown error";
    if (api->error_string(error, &text) || !text)
        text = "";
    if (error == ORR_CU_OUT_OF_MEMORY)
        code = ORR_EMEMORY;
    else if (error == ORR_CU_INVALID_VALUE || error == ORR_CU_NOT_FOUND)
        code = ORR_EINTERNAL;
    else if (error == ORR_CU_LAUNCH_OUT_OF_RESOURCES)
        code = ORR_EUNSUPPORTED; /* too many registers for the group: the context stays usable */
    /* In a recording nothing runs: it is the recording that breaks. Elsewhere an illegal address, a
     * launch failure, ECC, an assert ... stick to the context. */
    if (device->recording)
        device->unrecorded = true;
    else if (code == ORR_EDEVICE)
        device->lost = true;
    return orr_fail(code, "%s: %s (error %u: %s)", what, name, error, text);
}

/* --- the queue and its times --- */

static orr_cu_pointer pointer_of(const struct orr_buffer *buffer)
{
    return ((const struct cuda_buffer *)buffer)->pointer;
}

static int cuda_sync(struct orr_device *device)
{
    return orr_cuda_check(device, own(device)->api->stream_wait(own(device)->stream),
                          "waiting for the device failed");
}

static int cuda_drain(struct orr_device *device)
{
    return orr_cuda_check(device, own(device)->api->context_wait(),
                          "waiting for the device failed");
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
        orr_backend_add_span(&cuda->base, cuda->phases[k], 1e-3 * (double)ms);
    }
    if (error)
        return orr_cuda_check(&cuda->base, error, "cannot read the times of a step");
    if (last > 0) {
        struct CUevent_st *kept = cuda->events[last];
        cuda->events[last] = cuda->events[0];
        cuda->events[0] = kept;
        cuda->phases[0] = cuda->phases[last];
        cuda->marks = 1;
    }
    return 0;
}

/* Events are made once and used again. In a recording they are recorded with every replay. */
static orr_cu_enum record_event(struct cuda_device *cuda, struct CUevent_st **event)
{
    const struct orr_cuda_api *api = cuda->api;
    orr_cu_enum error = *event ? 0 : api->event_create(event, ORR_CU_EVENT_DEFAULT);
    if (error)
        *event = NULL;
    return error ? error
           : cuda->base.recording
               ? api->event_record_in_graph(*event, cuda->stream, ORR_CU_EVENT_RECORD_EXTERNAL)
               : api->event_record(*event, cuda->stream);
}

static int refuse_marks(struct cuda_device *cuda, const char *what)
{
    cuda->base.unrecorded = true;
    return orr_fail(ORR_EUNSUPPORTED, "%s cannot be recorded", what);
}

/* Records an event; what follows it belongs to the current phase. */
static int mark(struct cuda_device *cuda)
{
    const bool full = cuda->marks == CUDA_MAX_MARKS;
    int code = !full                  ? 0
               : cuda->base.recording ? refuse_marks(cuda, "as many phases as this step has")
                                      : add_up(cuda);
    if (code)
        return code;
    code = orr_cuda_check(&cuda->base, record_event(cuda, &cuda->events[cuda->marks]),
                          "cannot record an event");
    if (!code)
        cuda->phases[cuda->marks++] = cuda->base.phase;
    return code;
}

static int cuda_time_start(struct orr_device *device)
{
    struct cuda_device *cuda = own(device);
    if (device->recording && !cuda->api->event_record_in_graph)
        return refuse_marks(cuda, "by this driver events");
    /* An upload may launch kernels, too, whose records must not come with those of the step. */
    int code = cuda->tracing ? cuda_sync(device) : 0;
    if (code)
        return code;
    if (cuda->tracing)
        orr_cuda_trace_clear(cuda->traced);
    cuda->marks = 0;
    cuda->measured = 0;
    cuda->traced = 0;
    return mark(cuda);
}

static int cuda_phase(struct orr_device *device, const char *name)
{
    (void)name;
    return mark(own(device));
}

static int cuda_time_stop(struct orr_device *device)
{
    return mark(own(device));
}

static int cuda_time_read(struct orr_device *device, struct orr_times *out)
{
    struct cuda_device *cuda = own(device);
    int code = cuda_sync(device);
    if (!code)
        code = add_up(cuda);
    out->seconds = cuda->measured;
    if (!code && cuda->tracing)
        out->kernels_s = orr_cuda_trace_sum(cuda->traced, cuda->measured, &out->unknown);
    cuda->traced = 0;
    return code;
}

static int cuda_trace(struct orr_device *device, bool on)
{
    int code = cuda_sync(device);
    if (!code)
        code = orr_cuda_trace_switch(on);
    own(device)->tracing = on && !code;
    own(device)->traced = 0;
    return code;
}

static int cuda_alloc(struct orr_device *device, struct orr_buffer **out, size_t bytes)
{
    const struct orr_cuda_api *api = own(device)->api;
    const size_t zone = device->zone;
    struct cuda_buffer *buffer = orr_memory_get(sizeof *buffer);
    *out = NULL;
    orr_cu_enum error =
        api->memory_alloc(&buffer->pointer, orr_backend_at_least_one(zone + bytes + zone));
    if (error) {
        size_t left = 0, total = 0;
        api->memory_info(&left, &total);
        free(buffer);
        return orr_cuda_check(device, error,
                              "cannot allocate %zu bytes on %s, which has %zu of %zu left", bytes,
                              device->info.id, left, total);
    }
    buffer->base = (struct orr_buffer){.bytes = bytes, .before = zone, .after = zone};
    buffer->pointer += zone;
    *out = &buffer->base;
    return 0;
}

static void cuda_free(struct orr_device *device, struct orr_buffer *buffer)
{
    /* An error here belongs to an earlier command, which the next wait reports; a lost context has
     * nothing to free. */
    own(device)->api->memory_free(pointer_of(buffer) - buffer->before);
    free(buffer);
}

static int cuda_pin(struct orr_device *device, struct orr_pinned *out, size_t bytes)
{
    *out = (struct orr_pinned){0};
    return orr_cuda_check(device, own(device)->api->host_alloc(&out->memory, bytes, 0),
                          "cannot pin %zu bytes of host memory", bytes);
}

static void cuda_unpin(struct orr_device *device, struct orr_pinned *pinned)
{
    if (pinned->memory)
        own(device)->api->host_free(pinned->memory);
    *pinned = (struct orr_pinned){0};
}

/* The driver refuses memory that this process cannot write, unless it is told so. */
static bool cuda_lock(struct orr_device *device, void *memory, size_t bytes)
{
    enum { READ_ONLY = 8 };
    const struct orr_cuda_api *api = own(device)->api;
    return api->host_register && api->host_unregister &&
           (!api->host_register(memory, bytes, 0) || !api->host_register(memory, bytes, READ_ONLY));
}

static void cuda_unlock(struct orr_device *device, void *memory)
{
    own(device)->api->host_unregister(memory);
}

/* --- transfers --- */

static int cuda_move(struct orr_device *device, struct orr_buffer *buffer, ptrdiff_t at,
                     void *memory, size_t bytes, bool writes, int slot)
{
    struct cuda_device *cuda = own(device);
    const orr_cu_pointer place = pointer_of(buffer) + (orr_cu_pointer)at;
    orr_cu_enum error = writes ? cuda->api->upload(place, memory, bytes, cuda->stream)
                               : cuda->api->download(memory, place, bytes, cuda->stream);
    if (!error && slot != ORR_NO_SLOT)
        error = record_event(cuda, &cuda->staged[slot]);
    const int code = orr_cuda_check(device, error, "%s of %zu bytes failed",
                                    writes ? "upload" : "download", bytes);
    return code || slot != ORR_NO_SLOT ? code : cuda_sync(device);
}

static int await(struct orr_device *device, int slot)
{
    return orr_cuda_check(device, own(device)->api->event_wait(own(device)->staged[slot]),
                          "waiting for a copy failed");
}

static int cuda_copy(struct orr_device *device, struct orr_buffer *to, struct orr_buffer *from,
                     size_t bytes)
{
    return orr_cuda_check(
        device,
        own(device)->api->copy(pointer_of(to), pointer_of(from), bytes, own(device)->stream),
        "copy of %zu bytes failed", bytes);
}

static int cuda_fill(struct orr_device *device, struct orr_buffer *to, uint32_t word, size_t bytes)
{
    return orr_cuda_check(
        device,
        own(device)->api->fill(pointer_of(to), word, bytes / sizeof word, own(device)->stream),
        "fill of %zu bytes failed", bytes);
}

/* --- launches --- */

static struct cuda_kernel *find_kernel(struct orr_program *program, const char *name)
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
    int code = orr_cuda_check(
        &cuda->base,
        cuda->api->function_set(kernel->function, ORR_CU_FUNC_MAX_DYNAMIC_SHARED, (int)bytes),
        "kernel %s cannot have %zu bytes of local memory", kernel->name, bytes);
    if (!code)
        kernel->dynamic_limit = (int)bytes;
    return code;
}

static int cuda_launch(struct orr_device *device, struct orr_program *program,
                       const struct orr_launch *launch)
{
    struct cuda_device *cuda = (struct cuda_device *)device;
    struct cuda_kernel *kernel = find_kernel(program, launch->kernel);
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
    return orr_cuda_check(device, error, "launch of %s failed", launch->kernel);
}

/* --- a recording is the driver's graph, captured from the stream --- */

static struct CUgraphExec_st *graph_of(struct orr_recording *recording)
{
    return (struct CUgraphExec_st *)recording;
}

/* A call that CUDA refuses in a capture makes all that follow fail, so guard.c keeps such calls
 * from the driver. */
static int cuda_record(struct orr_device *device)
{
    const struct orr_cuda_api *api = own(device)->api;
    const bool can = api->capture_begin && api->capture_end && api->graph_instantiate &&
                     api->graph_launch && api->graph_destroy && api->graph_exec_destroy;
    device->unrecorded = !can || api->capture_begin(own(device)->stream, ORR_CU_CAPTURE_RELAXED);
    return 0;
}

static void cuda_erase(struct orr_device *device, struct orr_recording *recording)
{
    own(device)->api->graph_exec_destroy(graph_of(recording));
}

static int cuda_record_end(struct orr_device *device, struct orr_recording **out)
{
    struct cuda_device *cuda = own(device);
    const struct orr_cuda_api *api = cuda->api;
    struct CUgraph_st *graph = NULL;
    struct CUgraphExec_st *made = NULL;
    device->timing = false; /* also where something failed within a timed span */
    /* A capture that something broke ends with an error and no graph. */
    orr_cu_enum error = api->capture_end(cuda->stream, &graph);
    if (!error && graph && out)
        error = api->graph_instantiate(&made, graph, 0);
    if (graph)
        api->graph_destroy(graph);
    if (!error && made && api->graph_upload)
        error = api->graph_upload(made, cuda->stream);
    if (error && made)
        api->graph_exec_destroy(made);
    else if (out)
        *out = (struct orr_recording *)made;
    return 0;
}

static int cuda_replay(struct orr_device *device, struct orr_recording *recording)
{
    const struct cuda_device *cuda = (struct cuda_device *)device;
    return orr_cuda_check(device, cuda->api->graph_launch(graph_of(recording), cuda->stream),
                          "replay of a recording failed");
}

/* --- devices --- */

static int attribute(const struct orr_cuda_api *api, int device, orr_cu_enum which)
{
    int value = 0;
    return api->device_attribute(&value, which, device) ? 0 : value;
}

static void identify(struct orr_device_info *out, const struct orr_cuda_api *api, int device)
{
    char pci[32] = "";
    unsigned char uuid[ORR_GPU_UUID_BYTES];
    unsigned place[3];
    const bool placed = !api->device_pci(pci, (int)sizeof pci - 1, device) &&
                        sscanf(pci, "%8x:%8x:%8x", &place[0], &place[1], &place[2]) == 3,
               known = api->device_uuid && !api->device_uuid((struct CUuuid_st *)uuid, device);
    orr_device_identify(out, placed ? place : NULL, known ? uuid : NULL);
}

static bool describe(struct orr_device_info *out, const struct orr_cuda_api *api, int index)
{
    int device, version = 0;
    size_t bytes = 0;
    char driver[64] = "";
    const struct orr_nvml_api *nvml = orr_cuda_library(ORR_CUDA_NVML, NULL);
    if (api->device_get(&device, index))
        return false;
    *out = (struct orr_device_info){.backend = "cuda",
                                    .vendor = "NVIDIA",
                                    .kind = ORR_DEVICE_GPU,
                                    .vector_width = 1,
                                    .fp64 = true,
                                    .shuffles = true,
                                    .float_atomics = true};
    snprintf(out->id, sizeof out->id, "cuda:%d", index);
    if (api->device_name(out->name, sizeof out->name, device))
        snprintf(out->name, sizeof out->name, "NVIDIA GPU");
    api->driver_version(&version);
    const bool known = nvml && !nvml->driver_version(driver, sizeof driver - 1);
    snprintf(out->driver, sizeof out->driver, "%s%sCUDA %d.%d", known ? driver : "",
             known ? ", " : "", version / 1000, version % 1000 / 10);
    snprintf(out->toolkit, sizeof out->toolkit, "%s", orr_cuda_nvrtc_version());
    snprintf(out->capability, sizeof out->capability, "%d.%d",
             attribute(api, device, ORR_CU_CAPABILITY_MAJOR),
             attribute(api, device, ORR_CU_CAPABILITY_MINOR));
    out->compute_units = attribute(api, device, ORR_CU_MULTIPROCESSORS);
    out->clock_mhz = attribute(api, device, ORR_CU_CLOCK_RATE) / 1000;
    out->warp_width = attribute(api, device, ORR_CU_WARP_SIZE);
    out->max_group = (size_t)attribute(api, device, ORR_CU_MAX_THREADS_PER_BLOCK);
    out->local_bytes = (size_t)attribute(api, device, ORR_CU_MAX_SHARED_PER_BLOCK_OPTIN);
    if (!out->local_bytes)
        out->local_bytes = (size_t)attribute(api, device, ORR_CU_MAX_SHARED_PER_BLOCK);
    if (!api->device_memory(&bytes, device))
        out->memory_bytes = bytes;
    out->cache_bytes = (uint64_t)attribute(api, device, ORR_CU_L2_CACHE_BYTES);
    /* two transfers a clock */
    out->memory_rate = attribute(api, device, ORR_CU_MEMORY_CLOCK_RATE) * 1e3 * 2 *
                       attribute(api, device, ORR_CU_MEMORY_BUS_WIDTH) / 8;
    identify(out, api, device);
    return true;
}

static int cuda_list(struct orr_device_info *out, int capacity)
{
    const struct orr_cuda_api *api = orr_cuda_library(ORR_CUDA_DRIVER, NULL);
    int found = 0, count = 0;
    if (!api || api->device_count(&found))
        return 0;
    while (count < found && (count >= capacity || describe(&out[count], api, count)))
        count++;
    return count;
}

static void cuda_close(struct orr_device *device)
{
    struct cuda_device *cuda = own(device);
    for (int k = 0; k < CUDA_MAX_MARKS && cuda->events[k]; k++)
        cuda->api->event_destroy(cuda->events[k]);
    if (cuda->stream)
        cuda->api->stream_wait(cuda->stream);
    orr_staging_release(device);
    for (int slot = 0; slot < ORR_STAGING_SLOTS; slot++)
        if (cuda->staged[slot])
            cuda->api->event_destroy(cuda->staged[slot]);
    if (cuda->stream)
        cuda->api->stream_destroy(cuda->stream);
    if (cuda->context)
        cuda->api->context_release(cuda->handle);
    free(cuda);
}

static int open_context(struct cuda_device *cuda)
{
    const struct orr_cuda_api *api = cuda->api;
    struct orr_device *device = &cuda->base;
    cuda->architecture = 10 * attribute(api, cuda->handle, ORR_CU_CAPABILITY_MAJOR) +
                         attribute(api, cuda->handle, ORR_CU_CAPABILITY_MINOR);
    for (int d = 0; d < 3; d++)
        cuda->max_grid[d] = attribute(api, cuda->handle, ORR_CU_MAX_GRID_DIM_X + (unsigned)d);
    orr_cu_enum error = api->context_retain(&cuda->context, cuda->handle);
    if (error)
        cuda->context = NULL;
    if (!error)
        error = api->context_set(cuda->context);
    if (!error)
        error = api->stream_create(&cuda->stream, ORR_CU_STREAM_NON_BLOCKING);
    return orr_cuda_check(device, error, "cannot open %s (%s)", device->info.id, device->info.name);
}

static int cuda_open(struct orr_device **out, const char *id)
{
    const char *why;
    int index;
    const struct orr_cuda_api *api = orr_cuda_library(ORR_CUDA_DRIVER, &why);
    *out = NULL;
    if (!api)
        return orr_fail(ORR_EUNSUPPORTED, "no CUDA device: %s", why);
    struct cuda_device *cuda = orr_memory_get(sizeof *cuda);
    cuda->api = api;
    cuda->base.ops = &orr_cuda_ops;
    int code = sscanf(id, "cuda:%5d", &index) == 1 && describe(&cuda->base.info, api, index) &&
                       !api->device_get(&cuda->handle, index)
                   ? open_context(cuda)
                   : orr_fail(ORR_EUNSUPPORTED, "there is no device '%s' here", id);
    if (code)
        cuda_close(&cuda->base);
    else
        *out = &cuda->base;
    return code;
}

const struct orr_device_ops orr_cuda_ops = {
    .backend = "cuda",
    .list = cuda_list,
    .open = cuda_open,
    .close = cuda_close,
    .alloc = cuda_alloc,
    .free = cuda_free,
    .copy = cuda_copy,
    .fill = cuda_fill,
    .build = orr_cuda_build,
    .drop = orr_cuda_drop,
    .launch = cuda_launch,
    .time_start = cuda_time_start,
    .phase = cuda_phase,
    .time_stop = cuda_time_stop,
    .time_read = cuda_time_read,
    .sync = cuda_sync,
    .drain = cuda_drain,
    .trace = cuda_trace,
    .pin = cuda_pin,
    .unpin = cuda_unpin,
    .lock = cuda_lock,
    .unlock = cuda_unlock,
    .send = orr_staging_send,
    .receive = orr_staging_receive,
    .record = cuda_record,
    .record_end = cuda_record_end,
    .replay = cuda_replay,
    .erase = cuda_erase,
    .move = cuda_move,
    .await = await,
};
