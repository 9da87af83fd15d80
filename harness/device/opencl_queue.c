/* SPDX-License-Identifier: MIT */
/* OpenCL: opening, memory traffic, launches, device times by profiling events, and the table of
 * verbs. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/opencl.h"
#include "error.h"
#include "memory.h"

#define ERROR(status, code, what)  \
    {                              \
        status, code, #status what \
    }
static const struct {
    cl_int status;
    int code;
    const char *name;
} errors[] = {
    ERROR(CL_DEVICE_NOT_AVAILABLE, ORR_EDEVICE, ""),
    ERROR(CL_MEM_OBJECT_ALLOCATION_FAILURE, ORR_EMEMORY, ": device memory is exhausted"),
    ERROR(CL_OUT_OF_RESOURCES, ORR_EDEVICE, ": too large a group, or the kernel went wrong"),
    ERROR(CL_OUT_OF_HOST_MEMORY, ORR_EMEMORY, ""),
    ERROR(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, ORR_EDEVICE, ""),
    ERROR(CL_INVALID_COMMAND_QUEUE, ORR_EDEVICE, ": the device stopped after an earlier error"),
    ERROR(CL_INVALID_CONTEXT, ORR_EDEVICE, ""),
    ERROR(CL_INVALID_BUFFER_SIZE, ORR_EMEMORY, ": more than the device gives at once"),
    ERROR(CL_INVALID_ARG_INDEX, ORR_EINTERNAL, ""),
    ERROR(CL_INVALID_ARG_VALUE, ORR_EINTERNAL, ""),
    ERROR(CL_INVALID_ARG_SIZE, ORR_EINTERNAL, ""),
    ERROR(CL_INVALID_KERNEL_ARGS, ORR_EINTERNAL, ": an argument was not set"),
    ERROR(CL_INVALID_WORK_GROUP_SIZE, ORR_EUNSUPPORTED, ": choose smaller groups"),
    ERROR(CL_INVALID_WORK_ITEM_SIZE, ORR_EUNSUPPORTED, ": choose smaller groups"),
    ERROR(CL_INVALID_GLOBAL_WORK_SIZE, ORR_EUNSUPPORTED, ""),
};

/* 0 without an error; else records "what: CL_NAME" under the orr_code that fits `status`, and marks
 * the device lost when that is ORR_EDEVICE. */
__attribute__((format(printf, 3, 4))) static int check(struct orr_device *device, cl_int status,
                                                       const char *format, ...)
{
    char what[512], unknown[32];
    const char *name = unknown;
    int code = ORR_EDEVICE;
    va_list arguments;
    if (!status)
        return 0;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    snprintf(unknown, sizeof unknown, "OpenCL error %d", (int)status);
    for (size_t k = 0; k < sizeof errors / sizeof *errors; k++)
        if (errors[k].status == status) {
            code = errors[k].code;
            name = errors[k].name;
        }
    if (code == ORR_EDEVICE)
        device->lost = true;
    return orr_fail(code, "%s: %s", what, name);
}

static struct opencl_device *own(struct orr_device *device)
{
    return (struct opencl_device *)device;
}

/* Adds up the oldest `count` events and releases them. The queue is in order, so waiting for the
 * last is enough. */
static int drain(struct opencl_device *device, int count)
{
    cl_int status = count ? clWaitForEvents(1, &device->events[count - 1].event) : CL_SUCCESS;
    if (status)
        return check(&device->base, status, "a command of the timed span failed");
    for (int k = 0; k < count && !status; k++) {
        cl_event event = device->events[k].event;
        cl_ulong start = 0, end = 0;
        status =
            clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL);
        if (!status)
            status =
                clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
        device->first = start < device->first ? start : device->first;
        device->last = end > device->last ? end : device->last;
        double seconds = end > start ? 1e-9 * (double)(end - start) : 0;
        orr_backend_add_span(&device->base, device->events[k].phase, seconds);
        if (device->events[k].kernel)
            device->base.times.kernels_s += seconds;
    }
    for (int k = 0; k < count; k++)
        clReleaseEvent(device->events[k].event);
    device->pending -= count;
    for (int k = 0; k < device->pending; k++)
        device->events[k] = device->events[k + count];
    return check(&device->base, status, "cannot read the times of a command");
}

static cl_event *next_event(struct opencl_device *device)
{
    device->busy = true;
    if (!device->base.timing)
        return NULL;
    /* Only the older half, so that the device keeps working on the newer one. */
    if (device->pending == OPENCL_MAX_EVENTS && drain(device, OPENCL_MAX_EVENTS / 2))
        return NULL;
    device->events[device->pending].event = NULL;
    return &device->events[device->pending].event;
}

static void keep_event(struct opencl_device *device, cl_event *event, bool kernel)
{
    if (!event || !*event)
        return;
    device->events[device->pending].kernel = kernel;
    device->events[device->pending++].phase = device->base.phase;
}

/* Counts the event of a transfer and turns `status` into a code. */
static int transferred(struct orr_device *device, cl_event *event, cl_int status, const char *what,
                       size_t bytes)
{
    keep_event(own(device), event, false);
    return check(device, status, "%s of %zu bytes failed", what, bytes);
}

static int opencl_sync(struct orr_device *device)
{
    cl_int status = clFinish(own(device)->queue);
    own(device)->busy = false;
    return check(device, status, "waiting for the device failed");
}

/* Every command of a queue that profiles costs more, with an event or without. The other queue is
 * idle before its first command goes there. */
static void use_queue(struct opencl_device *device, cl_command_queue queue)
{
    if (device->queue != queue && device->busy)
        opencl_sync(&device->base);
    device->queue = queue;
}

static void forget_events(struct opencl_device *device)
{
    while (device->pending)
        clReleaseEvent(device->events[--device->pending].event);
}

static int opencl_hurry(struct orr_device *device)
{
    use_queue(own(device), own(device)->plain);
    return 0;
}

static int opencl_time_start(struct orr_device *device)
{
    forget_events(own(device));
    use_queue(own(device), own(device)->profiled);
    device->times.kernels_s = 0;
    own(device)->first = CL_ULONG_MAX;
    own(device)->last = 0;
    return 0;
}

/* The commands queued within the span carry their own times. */
static int opencl_time_read(struct orr_device *device, struct orr_times *out)
{
    struct opencl_device *opencl = own(device);
    int code = opencl_sync(device);
    if (!code)
        code = drain(opencl, opencl->pending);
    forget_events(opencl);
    if (opencl->last > opencl->first)
        out->seconds = 1e-9 * (double)(opencl->last - opencl->first);
    return code;
}

static cl_mem inner(const struct orr_buffer *buffer)
{
    return ((const struct opencl_buffer *)buffer)->inner;
}

/* A part of a buffer begins at a multiple of the device's alignment, else no zone lies before
 * it. */
static cl_int make_memory(struct opencl_device *device, struct opencl_buffer *buffer)
{
    struct orr_buffer *base = &buffer->base;
    const size_t zone = device->base.zone;
    cl_int status;
    base->after = zone;
    base->before = device->alignment && zone % device->alignment == 0 ? zone : 0;
    const cl_buffer_region part = {base->before, orr_backend_at_least_one(base->bytes)};
    buffer->whole =
        clCreateBuffer(device->context, CL_MEM_READ_WRITE,
                       orr_backend_at_least_one(base->before + base->bytes + zone), NULL, &status);
    if (status || !zone) {
        buffer->inner = buffer->whole;
        return status;
    }
    buffer->inner =
        clCreateSubBuffer(buffer->whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &status);
    if (status)
        clReleaseMemObject(buffer->whole);
    return status;
}

static int opencl_alloc(struct orr_device *device, struct orr_buffer **out, size_t bytes)
{
    struct opencl_buffer *buffer = orr_memory_get(sizeof *buffer);
    *out = NULL;
    /* NVIDIA's OpenCL accepts any size and fails where the memory is first used. */
    if (device->info.memory_bytes && bytes > device->info.memory_bytes) {
        free(buffer);
        return orr_fail(ORR_EMEMORY, "cannot allocate %zu bytes on %s, which has %llu", bytes,
                        device->info.id, (unsigned long long)device->info.memory_bytes);
    }
    buffer->base.bytes = bytes;
    cl_int status = make_memory(own(device), buffer);
    if (status) {
        free(buffer);
        return check(device, status, "cannot allocate %zu bytes on %s", bytes, device->info.id);
    }
    *out = &buffer->base;
    return 0;
}

static void opencl_free(struct orr_device *device, struct orr_buffer *buffer)
{
    struct opencl_buffer *memory = (struct opencl_buffer *)buffer;
    if (memory->inner != memory->whole)
        clReleaseMemObject(memory->inner);
    clReleaseMemObject(memory->whole);
    own(device)->freed++;
    free(memory);
}

/* OpenCL pins what it allocates for the host: a buffer that stays mapped. */
static int opencl_pin(struct orr_device *device, struct orr_pinned *out, size_t bytes)
{
    const size_t size = orr_backend_at_least_one(bytes);
    cl_int status;
    *out = (struct orr_pinned){0};
    if (device->info.kind == ORR_DEVICE_OTHER) /* which keeps a record of each byte */
        return orr_fail(ORR_EUNSUPPORTED, "a simulator has no memory to pin");
    cl_mem buffer = clCreateBuffer(own(device)->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR,
                                   size, NULL, &status);
    if (status)
        return check(device, status, "cannot pin %zu bytes of host memory", bytes);
    void *memory = clEnqueueMapBuffer(own(device)->queue, buffer, CL_TRUE,
                                      CL_MAP_READ | CL_MAP_WRITE, 0, size, 0, NULL, NULL, &status);
    if (status) {
        clReleaseMemObject(buffer);
        return check(device, status, "cannot map %zu bytes of host memory", bytes);
    }
    *out = (struct orr_pinned){memory, buffer};
    return 0;
}

static void opencl_unpin(struct orr_device *device, struct orr_pinned *pinned)
{
    if (pinned->handle) {
        clEnqueueUnmapMemObject(own(device)->queue, pinned->handle, pinned->memory, 0, NULL, NULL);
        clFinish(own(device)->queue);
        clReleaseMemObject(pinned->handle);
    }
    *pinned = (struct orr_pinned){0};
}

/* --- transfers: through memory that the driver allocates for the host and keeps mapped, which is
 * page-locked where that pays --- */

/* The slot keeps the event of its copy, beside a timed span, which counts it as a transfer. */
static int keep(struct opencl_device *opencl, cl_int status, cl_event event, size_t bytes, int slot)
{
    if (status)
        return check(&opencl->base, status, "copy of %zu bytes failed", bytes);
    cl_event *tracked = next_event(opencl);
    if (tracked) {
        clRetainEvent(event);
        *tracked = event;
    }
    keep_event(opencl, tracked, false);
    if (opencl->staged[slot])
        clReleaseEvent(opencl->staged[slot]);
    opencl->staged[slot] = event;
    clFlush(opencl->queue);
    return 0;
}

/* What lies in the zones is no command of a timed span: only guards look there. */
static int opencl_move(struct orr_device *device, struct orr_buffer *of, ptrdiff_t at, void *memory,
                       size_t bytes, bool writes, int slot)
{
    const struct opencl_buffer *buffer = (struct opencl_buffer *)of;
    const bool inside = at >= 0 && (size_t)at + bytes <= of->bytes, waits = slot == ORR_NO_SLOT;
    const cl_mem from = inside ? buffer->inner : buffer->whole;
    const size_t place = (size_t)(inside ? at : (ptrdiff_t)of->before + at);
    const cl_command_queue queue = own(device)->queue;
    cl_event queued = NULL, *event = !waits ? &queued : inside ? next_event(own(device)) : NULL;
    cl_int status =
        writes ? clEnqueueWriteBuffer(queue, from, waits, place, bytes, memory, 0, NULL, event)
               : clEnqueueReadBuffer(queue, from, waits, place, bytes, memory, 0, NULL, event);
    return waits ? transferred(device, event, status, writes ? "upload" : "download", bytes)
                 : keep(own(device), status, queued, bytes, slot);
}

static int await(struct orr_device *device, int slot)
{
    cl_event *event = &own(device)->staged[slot];
    cl_int status = clWaitForEvents(1, event);
    clReleaseEvent(*event);
    *event = NULL;
    return check(device, status, "waiting for a copy failed");
}

static int opencl_copy(struct orr_device *device, struct orr_buffer *to, struct orr_buffer *from,
                       size_t bytes)
{
    cl_event *event = next_event(own(device));
    cl_int status = clEnqueueCopyBuffer(own(device)->queue, inner(from), inner(to), 0, 0, bytes, 0,
                                        NULL, event);
    return transferred(device, event, status, "copy", bytes);
}

static int opencl_fill(struct orr_device *device, struct orr_buffer *to, uint32_t word,
                       size_t bytes)
{
    cl_event *event = next_event(own(device));
    cl_int status = clEnqueueFillBuffer(own(device)->queue, inner(to), &word, sizeof word, 0, bytes,
                                        0, NULL, event);
    return transferred(device, event, status, "fill", bytes);
}

/* --- launches --- */

static struct opencl_kernel *find_kernel(struct orr_program *program, const char *name)
{
    for (int k = 0; k < program->count; k++)
        if (!strcmp(program->kernels[k].name, name))
            return &program->kernels[k];
    return NULL;
}

/* Sets argument k unless it has that value already, which is most of the host's work in a launch.
 * `value` NULL: local memory of that size. */
static cl_int set_arg(struct opencl_kernel *kernel, cl_uint k, size_t size, const void *value)
{
    struct opencl_arg arg = {size, 0};
    if (value)
        memcpy(&arg.value, value, size);
    if (kernel->args[k].size == size && kernel->args[k].value == arg.value)
        return CL_SUCCESS;
    cl_int status = clSetKernelArg(kernel->kernel, k, size, value);
    kernel->args[k] = status ? (struct opencl_arg){0} : arg;
    return status;
}

static int set_args(struct orr_device *device, struct opencl_kernel *kernel,
                    const struct orr_launch *launch)
{
    cl_uint given = (cl_uint)launch->arg_count + (launch->local_bytes ? 1 : 0);
    if (given != kernel->arg_count || given > OPENCL_MAX_ARGS)
        return orr_fail(ORR_EINTERNAL, "kernel %s takes %u arguments, given %u%s", kernel->name,
                        kernel->arg_count, given,
                        launch->local_bytes ? " with the local memory" : "");
    cl_int status = 0;
    int k;
    if (kernel->freed != own(device)->freed)
        memset(kernel->args, 0, sizeof kernel->args);
    kernel->freed = own(device)->freed;
    for (k = 0; k < launch->arg_count && !status; k++) {
        const struct orr_arg *arg = &launch->args[k];
        const void *value = arg->kind == ORR_ARG_BUFFER
                                ? (const void *)&((struct opencl_buffer *)arg->buffer)->inner
                                : &arg->value;
        status = set_arg(kernel, (cl_uint)k,
                         arg->kind == ORR_ARG_BUFFER ? sizeof(cl_mem) : arg->size, value);
    }
    if (!status && launch->local_bytes)
        status = set_arg(kernel, (cl_uint)k++, launch->local_bytes, NULL);
    return check(device, status, "argument %d of kernel %s is not accepted", k - 1, kernel->name);
}

static int opencl_launch(struct orr_device *device, struct orr_program *program,
                         const struct orr_launch *launch)
{
    struct opencl_device *opencl = (struct opencl_device *)device;
    struct opencl_kernel *kernel = find_kernel(program, launch->kernel);
    size_t global[3], group[3];
    cl_uint dimensions = 1;
    if (!kernel)
        return orr_fail(ORR_EINTERNAL, "there is no kernel '%s' in the program", launch->kernel);
    for (cl_uint d = 0; d < 3; d++) {
        group[d] = orr_backend_at_least_one(launch->group[d]);
        if (__builtin_mul_overflow(orr_backend_at_least_one(launch->groups[d]), group[d],
                                   &global[d]))
            return orr_fail(ORR_EUNSUPPORTED, "kernel %s: too many work-items", launch->kernel);
        if (global[d] > 1)
            dimensions = d + 1;
    }
    int code = set_args(device, kernel, launch);
    if (code)
        return code;
    cl_event *event = next_event(opencl);
    cl_int status = clEnqueueNDRangeKernel(opencl->queue, kernel->kernel, dimensions, NULL, global,
                                           group, 0, NULL, event);
    keep_event(opencl, event, true);
    return check(device, status,
                 "launch of %s with groups of %zux%zux%zu and %zu bytes of local memory failed",
                 launch->kernel, group[0], group[1], group[2], launch->local_bytes);
}

/* --- opening --- */

static void opencl_close(struct orr_device *device)
{
    struct opencl_device *opencl = own(device);
    forget_events(opencl);
    if (opencl->queue)
        clFinish(opencl->queue);
    for (int slot = 0; slot < ORR_STAGING_SLOTS; slot++)
        if (opencl->staged[slot])
            clReleaseEvent(opencl->staged[slot]);
    orr_staging_release(device);
    if (opencl->profiled)
        clReleaseCommandQueue(opencl->profiled);
    if (opencl->plain)
        clReleaseCommandQueue(opencl->plain);
    if (opencl->context)
        clReleaseContext(opencl->context);
    free(opencl);
}

static int opencl_open(struct orr_device **out, const char *id)
{
    cl_platform_id platform;
    cl_int status;
    struct opencl_device *device = orr_memory_get(sizeof *device);
    *out = NULL;
    device->base.ops = &orr_opencl_ops;
    int code = orr_opencl_find(device, &platform, id);
    if (code) {
        free(device);
        return code;
    }
    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                                (cl_context_properties)platform, 0};
    device->context = clCreateContext(properties, 1, &device->id, NULL, NULL, &status);
    if (!status)
        device->plain = clCreateCommandQueue(device->context, device->id, 0, &status);
    if (!status)
        device->queue = device->profiled =
            clCreateCommandQueue(device->context, device->id, CL_QUEUE_PROFILING_ENABLE, &status);
    code = check(&device->base, status, "cannot open %s (%s)", id, device->base.info.name);
    if (code)
        opencl_close(&device->base);
    else
        *out = &device->base;
    return code;
}

const struct orr_device_ops orr_opencl_ops = {
    .backend = "opencl",
    .list = orr_opencl_list,
    .open = opencl_open,
    .close = opencl_close,
    .alloc = opencl_alloc,
    .free = opencl_free,
    .copy = opencl_copy,
    .fill = opencl_fill,
    .build = orr_opencl_build,
    .drop = orr_opencl_drop,
    .launch = opencl_launch,
    .time_start = opencl_time_start,
    .time_read = opencl_time_read,
    .sync = opencl_sync,
    .drain = opencl_sync,
    .hurry = opencl_hurry,
    .pin = opencl_pin,
    .unpin = opencl_unpin,
    .send = orr_staging_send,
    .receive = orr_staging_receive,
    .move = opencl_move,
    .clock = "kernel timestamps",
    .await = await,
};
