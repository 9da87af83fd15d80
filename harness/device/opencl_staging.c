/* OpenCL: transfers through memory that the driver allocates for the host and keeps mapped, which
 * is page-locked where that pays. */
#include "device/opencl.h"
#include "error.h"

static struct opencl_device *own(struct orr_device *device)
{
    return (struct opencl_device *)device;
}

static int pin(struct orr_device *device, void **memory, void **handle, size_t bytes)
{
    struct opencl_device *opencl = own(device);
    cl_int status;
    cl_mem buffer = clCreateBuffer(opencl->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR,
                                   bytes, NULL, &status);
    if (status)
        return orr_opencl_fail(device, status, "no host memory for transfers");
    *memory = clEnqueueMapBuffer(opencl->queue, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                 bytes, 0, NULL, NULL, &status);
    *handle = buffer;
    if (!status)
        return 0;
    clReleaseMemObject(buffer);
    *memory = NULL;
    return orr_opencl_fail(device, status, "no host memory for transfers");
}

static void unpin(struct orr_device *device, void *memory, void *handle)
{
    clEnqueueUnmapMemObject(own(device)->queue, handle, memory, 0, NULL, NULL);
    clFinish(own(device)->queue);
    clReleaseMemObject(handle);
}

/* The slot keeps the event of its copy, beside a timed span, which counts it as a transfer. */
static int keep(struct opencl_device *opencl, cl_int status, cl_event event, size_t bytes, int slot)
{
    if (status)
        return orr_opencl_fail(&opencl->base, status, "copy of %zu bytes failed", bytes);
    cl_event *tracked = orr_opencl_track(opencl);
    if (tracked) {
        clRetainEvent(event);
        *tracked = event;
    }
    orr_opencl_tracked(opencl, tracked, false);
    if (opencl->staged[slot])
        clReleaseEvent(opencl->staged[slot]);
    opencl->staged[slot] = event;
    clFlush(opencl->queue);
    return 0;
}

static int begin_upload(struct orr_device *device, struct orr_buffer *to, size_t at,
                        const void *from, size_t bytes, int slot)
{
    struct opencl_device *opencl = own(device);
    cl_event event = NULL;
    cl_int status = clEnqueueWriteBuffer(opencl->queue, ((struct opencl_buffer *)to)->lent,
                                         CL_FALSE, at, bytes, from, 0, NULL, &event);
    return keep(opencl, status, event, bytes, slot);
}

static int begin_download(struct orr_device *device, void *to, struct orr_buffer *from, size_t at,
                          size_t bytes, int slot)
{
    struct opencl_device *opencl = own(device);
    cl_event event = NULL;
    cl_int status = clEnqueueReadBuffer(opencl->queue, ((struct opencl_buffer *)from)->lent,
                                        CL_FALSE, at, bytes, to, 0, NULL, &event);
    return keep(opencl, status, event, bytes, slot);
}

static int await(struct orr_device *device, int slot)
{
    cl_event *event = &own(device)->staged[slot];
    cl_int status = clWaitForEvents(1, event);
    clReleaseEvent(*event);
    *event = NULL;
    return status ? orr_opencl_fail(device, status, "waiting for a copy failed") : 0;
}

static const struct orr_staging_verbs verbs = {pin, unpin, begin_upload, begin_download, await};

int orr_opencl_send(struct orr_device *device, struct orr_buffer *to, size_t bytes, orr_piece *fill,
                    void *context)
{
    return orr_staging_send(&own(device)->staging, device, &verbs, to, bytes, fill, context);
}

int orr_opencl_receive(struct orr_device *device, struct orr_buffer *from, size_t bytes,
                       orr_piece *take, void *context)
{
    return orr_staging_receive(&own(device)->staging, device, &verbs, from, bytes, take, context);
}

void orr_opencl_unstage(struct opencl_device *device)
{
    if (device->queue)
        clFinish(device->queue);
    for (int slot = 0; slot < ORR_STAGING_SLOTS; slot++)
        if (device->staged[slot])
            clReleaseEvent(device->staged[slot]);
    orr_staging_release(&device->staging, &device->base, &verbs);
}
