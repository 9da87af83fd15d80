/* CUDA: finding devices, opening and closing them, the table of verbs. */
#include "device/cuda.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "device/gpu.h"
#include "error.h"
#include "memory.h"

int orr_cuda_fail(struct orr_device *device, orr_cu_enum error, const char *format, ...)
{
    const struct orr_cuda_api *api = ((struct cuda_device *)device)->api;
    const char *name = NULL, *text = NULL;
    char what[512];
    int code = ORR_EDEVICE;
    va_list arguments;
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
    if (code == ORR_EDEVICE)
        device->lost =
            true; /* illegal address, launch failure, ECC, assert, ...: all stick to the context */
    return orr_fail(code, "%s: %s (error %u: %s)", what, name, error, text);
}

static int attribute(const struct orr_cuda_api *api, int device, orr_cu_enum which)
{
    int value = 0;
    return api->device_attribute(&value, which, device) ? 0 : value;
}

static void identify(struct orr_device_info *out, const struct orr_cuda_api *api, int device)
{
    char pci[32] = "";
    unsigned char bytes[ORR_GPU_UUID_BYTES];
    unsigned domain, bus, slot;
    bool known = api->device_uuid && !api->device_uuid((struct CUuuid_st *)bytes, device);
    if (!api->device_pci(pci, (int)sizeof pci - 1, device) &&
        sscanf(pci, "%8x:%8x:%8x", &domain, &bus, &slot) == 3)
        orr_gpu_set_pci(out, domain, bus, slot);
    orr_gpu_set_uuid(out, known ? bytes : NULL);
}

static bool describe(struct orr_device_info *out, const struct orr_cuda_api *api, int index)
{
    int device, version = 0;
    size_t bytes = 0;
    char driver[64] = "";
    const struct orr_nvml_api *nvml = orr_cuda_load_nvml(NULL);
    if (api->device_get(&device, index))
        return false;
    *out = (struct orr_device_info){.backend = "cuda",
                                    .vendor = "NVIDIA",
                                    .kind = ORR_DEVICE_GPU,
                                    .vector_width = 1,
                                    .fp64 = true};
    snprintf(out->id, sizeof out->id, "cuda:%d", index);
    if (api->device_name(out->name, sizeof out->name, device))
        snprintf(out->name, sizeof out->name, "NVIDIA GPU");
    api->driver_version(&version);
    if (nvml && !nvml->driver_version(driver, sizeof driver - 1))
        snprintf(out->driver, sizeof out->driver, "%s, CUDA %d.%d", driver, version / 1000,
                 version % 1000 / 10);
    else
        snprintf(out->driver, sizeof out->driver, "CUDA %d.%d", version / 1000,
                 version % 1000 / 10);
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

static int cuda_list(struct orr_device_info *out, int capacity, int *count)
{
    const struct orr_cuda_api *api = orr_cuda_load(NULL);
    int found = 0;
    *count = 0;
    if (!api || api->device_count(&found))
        return 0;
    for (int k = 0; k < found; k++, ++*count)
        if (k < capacity && !describe(&out[k], api, k))
            break;
    return 0;
}

static void cuda_close(struct orr_device *device)
{
    struct cuda_device *cuda = (struct cuda_device *)device;
    if (!cuda)
        return;
    for (int k = 0; k < cuda->made; k++)
        cuda->api->event_destroy(cuda->events[k]);
    orr_cuda_unstage(cuda);
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
    orr_cu_enum error = api->context_retain(&cuda->context, cuda->handle);
    if (error)
        cuda->context = NULL;
    if (!error)
        error = api->context_set(cuda->context);
    if (!error)
        error = api->stream_create(&cuda->stream, ORR_CU_STREAM_NON_BLOCKING);
    return error ? orr_cuda_fail(device, error, "cannot open %s (%s)", device->info.id,
                                 device->info.name)
                 : 0;
}

static int cuda_open(struct orr_device **out, const char *id)
{
    const char *why;
    int index, code = orr_backend_parse_id(id, "cuda", 1, &index);
    const struct orr_cuda_api *api = orr_cuda_load(&why);
    *out = NULL;
    if (code)
        return code;
    if (!api)
        return orr_fail(ORR_EUNSUPPORTED, "no CUDA device: %s", why);
    struct cuda_device *cuda = orr_memory_get(sizeof *cuda);
    cuda->api = api;
    cuda->base.ops = &orr_cuda_ops;
    orr_backend_clear_spans(&cuda->spans);
    if (!describe(&cuda->base.info, api, index) || api->device_get(&cuda->handle, index)) {
        code = orr_fail(ORR_EUNSUPPORTED, "there is no device '%s' here", id);
        goto fail;
    }
    cuda->architecture = 10 * attribute(api, cuda->handle, ORR_CU_CAPABILITY_MAJOR) +
                         attribute(api, cuda->handle, ORR_CU_CAPABILITY_MINOR);
    cuda->max_grid[0] = attribute(api, cuda->handle, ORR_CU_MAX_GRID_DIM_X);
    cuda->max_grid[1] = attribute(api, cuda->handle, ORR_CU_MAX_GRID_DIM_Y);
    cuda->max_grid[2] = attribute(api, cuda->handle, ORR_CU_MAX_GRID_DIM_Z);
    if ((code = open_context(cuda)))
        goto fail;
    *out = &cuda->base;
    return 0;
fail:
    cuda_close(&cuda->base);
    return code;
}

const struct orr_device_ops orr_cuda_ops = {
    .backend = "cuda",
    .list = cuda_list,
    .open = cuda_open,
    .close = cuda_close,
    .alloc = orr_cuda_alloc,
    .free = orr_cuda_free,
    .upload = orr_cuda_upload,
    .download = orr_cuda_download,
    .copy = orr_cuda_copy,
    .fill = orr_cuda_fill,
    .build = orr_cuda_build,
    .drop = orr_cuda_drop,
    .launch = orr_cuda_launch,
    .time_start = orr_cuda_time_start,
    .phase = orr_cuda_phase,
    .time_stop = orr_cuda_time_stop,
    .time_read = orr_cuda_time_read,
    .sync = orr_cuda_sync,
    .drain = orr_cuda_drain,
    .trace = orr_cuda_trace,
    .peek = orr_cuda_peek,
    .poke = orr_cuda_poke,
    .pin = orr_cuda_pin,
    .unpin = orr_cuda_unpin,
    .send = orr_cuda_send,
    .receive = orr_cuda_receive,
    .record = orr_cuda_record,
    .record_end = orr_cuda_record_end,
    .replay = orr_cuda_replay,
    .erase = orr_cuda_erase,
};
