/* OpenCL: memory traffic, launches and device times by profiling events. */
#include <stdlib.h>
#include <string.h>

#include "device/opencl.h"
#include "error.h"
#include "memory.h"

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
        return orr_opencl_fail(&device->base, status, "a command of the timed span failed");
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
        orr_backend_add_span(&device->spans, device->events[k].phase, seconds);
        if (device->events[k].kernel)
            device->spans.times.kernels_s += seconds;
    }
    for (int k = 0; k < count; k++)
        clReleaseEvent(device->events[k].event);
    device->pending -= count;
    for (int k = 0; k < device->pending; k++)
        device->events[k] = device->events[k + count];
    return status ? orr_opencl_fail(&device->base, status, "cannot read the times of a command")
                  : 0;
}

cl_event *orr_opencl_track(struct opencl_device *device)
{
    device->busy = true;
    if (!device->timing)
        return NULL;
    /* Only the older half, so that the device keeps working on the newer one. */
    if (device->pending == OPENCL_MAX_EVENTS && drain(device, OPENCL_MAX_EVENTS / 2))
        return NULL;
    device->events[device->pending].event = NULL;
    return &device->events[device->pending].event;
}

void orr_opencl_tracked(struct opencl_device *device, cl_event *event, bool kernel)
{
    if (!event || !*event)
        return;
    device->events[device->pending].kernel = kernel;
    device->events[device->pending++].phase = device->spans.current;
}

/* Every command of a queue that profiles costs more, with an event or without. The other queue is
 * idle before its first command goes there. */
static void use_queue(struct opencl_device *device, cl_command_queue queue)
{
    if (device->queue != queue && device->busy)
        orr_opencl_sync(&device->base);
    device->queue = queue;
}

void orr_opencl_untrack(struct opencl_device *device)
{
    while (device->pending)
        clReleaseEvent(device->events[--device->pending].event);
    device->timing = false;
}

int orr_opencl_hurry(struct orr_device *device)
{
    use_queue(own(device), own(device)->plain);
    return 0;
}

int orr_opencl_time_start(struct orr_device *device)
{
    orr_opencl_untrack(own(device));
    use_queue(own(device), own(device)->profiled);
    orr_backend_clear_spans(&own(device)->spans);
    own(device)->spans.times.kernels_s = 0;
    own(device)->first = CL_ULONG_MAX;
    own(device)->last = 0;
    own(device)->timing = true;
    return 0;
}

int orr_opencl_phase(struct orr_device *device, const char *name)
{
    return own(device)->timing ? orr_backend_select_phase(&own(device)->spans, name) : 0;
}

/* The commands queued so far carry their own times; later ones are not tracked. */
int orr_opencl_time_stop(struct orr_device *device)
{
    own(device)->timing = false;
    return 0;
}

int orr_opencl_time_read(struct orr_device *device, struct orr_times *out)
{
    struct opencl_device *opencl = own(device);
    int code = orr_opencl_sync(device);
    if (!code)
        code = drain(opencl, opencl->pending);
    orr_opencl_untrack(opencl);
    if (opencl->last > opencl->first)
        opencl->spans.times.seconds = 1e-9 * (double)(opencl->last - opencl->first);
    *out = opencl->spans.times;
    return code;
}

int orr_opencl_sync(struct orr_device *device)
{
    cl_int status = clFinish(own(device)->queue);
    own(device)->busy = false;
    return status ? orr_opencl_fail(device, status, "waiting for the device failed") : 0;
}

static cl_mem lent(const struct orr_buffer *buffer)
{
    return ((const struct opencl_buffer *)buffer)->lent;
}

/* A part of a buffer begins at a multiple of the device's alignment, else no zone lies before
 * it. */
static cl_int make_memory(struct opencl_device *device, struct opencl_buffer *buffer)
{
    struct orr_buffer *base = &buffer->base;
    const size_t zone = orr_guard_zone(&device->base);
    cl_int status;
    base->after = zone;
    base->before = device->alignment && zone % device->alignment == 0 ? zone : 0;
    const cl_buffer_region part = {base->before, orr_backend_at_least_one(base->bytes)};
    buffer->whole =
        clCreateBuffer(device->context, CL_MEM_READ_WRITE,
                       orr_backend_at_least_one(base->before + base->bytes + zone), NULL, &status);
    if (status || !zone) {
        buffer->lent = buffer->whole;
        return status;
    }
    buffer->lent =
        clCreateSubBuffer(buffer->whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &status);
    if (status)
        clReleaseMemObject(buffer->whole);
    return status;
}

int orr_opencl_alloc(struct orr_device *device, struct orr_buffer **out, size_t bytes)
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
        return orr_opencl_fail(device, status, "cannot allocate %zu bytes on %s", bytes,
                               device->info.id);
    }
    *out = &buffer->base;
    return 0;
}

void orr_opencl_free(struct orr_device *device, struct orr_buffer *buffer)
{
    struct opencl_buffer *memory = (struct opencl_buffer *)buffer;
    if (memory->lent != memory->whole)
        clReleaseMemObject(memory->lent);
    clReleaseMemObject(memory->whole);
    own(device)->freed++;
    free(memory);
}

/* OpenCL pins what it allocates for the host: a buffer that stays mapped. */
int orr_opencl_pin(struct orr_device *device, struct orr_pinned *out, size_t bytes)
{
    cl_int status;
    *out = (struct orr_pinned){0};
    cl_mem memory = clCreateBuffer(own(device)->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR,
                                   orr_backend_at_least_one(bytes), NULL, &status);
    if (status)
        return orr_opencl_fail(device, status, "cannot pin %zu bytes of host memory", bytes);
    out->memory =
        clEnqueueMapBuffer(own(device)->queue, memory, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                           orr_backend_at_least_one(bytes), 0, NULL, NULL, &status);
    out->handle = memory;
    if (!status)
        return 0;
    clReleaseMemObject(memory);
    *out = (struct orr_pinned){0};
    return orr_opencl_fail(device, status, "cannot map %zu bytes of host memory", bytes);
}

void orr_opencl_unpin(struct orr_device *device, struct orr_pinned *pinned)
{
    if (pinned->handle) {
        clEnqueueUnmapMemObject(own(device)->queue, pinned->handle, pinned->memory, 0, NULL, NULL);
        clFinish(own(device)->queue);
        clReleaseMemObject(pinned->handle);
    }
    *pinned = (struct orr_pinned){0};
}

/* Not among the commands of a timed span: only guards look beyond a buffer. */
int orr_opencl_peek(struct orr_device *device, void *to, struct orr_buffer *from, ptrdiff_t at,
                    size_t bytes)
{
    cl_int status =
        clEnqueueReadBuffer(own(device)->queue, ((struct opencl_buffer *)from)->whole, CL_TRUE,
                            (size_t)((ptrdiff_t)from->before + at), bytes, to, 0, NULL, NULL);
    return status ? orr_opencl_fail(device, status, "download of %zu bytes failed", bytes) : 0;
}

int orr_opencl_poke(struct orr_device *device, struct orr_buffer *to, ptrdiff_t at,
                    const void *from, size_t bytes)
{
    cl_int status =
        clEnqueueWriteBuffer(own(device)->queue, ((struct opencl_buffer *)to)->whole, CL_TRUE,
                             (size_t)((ptrdiff_t)to->before + at), bytes, from, 0, NULL, NULL);
    return status ? orr_opencl_fail(device, status, "upload of %zu bytes failed", bytes) : 0;
}

/* After every transfer: counts its event and turns `status` into a code. */
static int transferred(struct orr_device *device, cl_event *event, cl_int status, const char *what,
                       size_t bytes)
{
    orr_opencl_tracked(own(device), event, false);
    return status ? orr_opencl_fail(device, status, "%s of %zu bytes failed", what, bytes) : 0;
}

/* A CPU's memory is the host's: the ring would only be one more copy. */
static bool through_ring(const struct orr_device *device, size_t bytes)
{
    return device->info.kind != ORR_DEVICE_CPU && bytes >= ORR_STAGING_LEAST;
}

int orr_opencl_upload(struct orr_device *device, struct orr_buffer *to, const void *from,
                      size_t bytes)
{
    if (through_ring(device, bytes))
        return orr_opencl_send(device, to, bytes, orr_staging_from, &from);
    cl_event *event = orr_opencl_track(own(device));
    cl_int status =
        clEnqueueWriteBuffer(own(device)->queue, lent(to), CL_TRUE, 0, bytes, from, 0, NULL, event);
    return transferred(device, event, status, "upload", bytes);
}

int orr_opencl_download(struct orr_device *device, void *to, struct orr_buffer *from, size_t bytes)
{
    if (through_ring(device, bytes))
        return orr_opencl_receive(device, from, bytes, orr_staging_to, to);
    cl_event *event = orr_opencl_track(own(device));
    cl_int status =
        clEnqueueReadBuffer(own(device)->queue, lent(from), CL_TRUE, 0, bytes, to, 0, NULL, event);
    return transferred(device, event, status, "download", bytes);
}

int orr_opencl_copy(struct orr_device *device, struct orr_buffer *to, struct orr_buffer *from,
                    size_t bytes)
{
    cl_event *event = orr_opencl_track(own(device));
    cl_int status =
        clEnqueueCopyBuffer(own(device)->queue, lent(from), lent(to), 0, 0, bytes, 0, NULL, event);
    return transferred(device, event, status, "copy", bytes);
}

int orr_opencl_fill(struct orr_device *device, struct orr_buffer *to, uint32_t word, size_t bytes)
{
    cl_event *event = orr_opencl_track(own(device));
    cl_int status = clEnqueueFillBuffer(own(device)->queue, lent(to), &word, sizeof word, 0, bytes,
                                        0, NULL, event);
    return transferred(device, event, status, "fill", bytes);
}

static struct opencl_kernel *find(struct orr_program *program, const char *name)
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
                                ? (const void *)&((struct opencl_buffer *)arg->buffer)->lent
                                : &arg->value;
        status = set_arg(kernel, (cl_uint)k,
                         arg->kind == ORR_ARG_BUFFER ? sizeof(cl_mem) : arg->size, value);
    }
    if (!status && launch->local_bytes)
        status = set_arg(kernel, (cl_uint)k++, launch->local_bytes, NULL);
    return status ? orr_opencl_fail(device, status, "argument %d of kernel %s is not accepted",
                                    k - 1, kernel->name)
                  : 0;
}

int orr_opencl_launch(struct orr_device *device, struct orr_program *program,
                      const struct orr_launch *launch)
{
    struct opencl_device *opencl = (struct opencl_device *)device;
    struct opencl_kernel *kernel = find(program, launch->kernel);
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
    cl_event *event = orr_opencl_track(opencl);
    cl_int status = clEnqueueNDRangeKernel(opencl->queue, kernel->kernel, dimensions, NULL, global,
                                           group, 0, NULL, event);
    orr_opencl_tracked(opencl, event, true);
    if (!status)
        return 0;
    return orr_opencl_fail(
        device, status,
        "launch of %s with groups of %zux%zux%zu and %zu bytes of local memory failed",
        launch->kernel, group[0], group[1], group[2], launch->local_bytes);
}
