/* CUDA: programs from the cache or from NVRTC, and the resources of their kernels. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/backend.h"
#include "device/cuda.h"
#include "error.h"
#include "memory.h"
#include "clock.h"

/* A cache entry: the version of NVRTC that compiled it, a newline, the image. The version is not
 * part of the key, so that a machine without NVRTC can use what one with it compiled; with another
 * NVRTC the entry is compiled anew. */
static bool image_from_cache(const char *key, struct orr_cuda_image *out)
{
    char *entry;
    size_t size;
    if (!orr_cache_load(key, (void **)&entry, &size))
        return false;
    const char *version = orr_cuda_nvrtc_version();
    char *end = memchr(entry, '\n', size);
    bool fits = end && (!*version || (strlen(version) == (size_t)(end - entry) &&
                                      !memcmp(version, entry, (size_t)(end - entry))));
    if (fits) {
        out->size = size - (size_t)(end + 1 - entry);
        out->data = orr_memory_get(out->size + 1);
        memcpy(out->data, end + 1, out->size);
    }
    free(entry);
    return fits;
}

static void image_to_cache(const char *key, const struct orr_cuda_image *image)
{
    const char *version = orr_cuda_nvrtc_version();
    size_t head = strlen(version) + 1;
    char *entry = orr_memory_get(head + image->size);
    memcpy(entry, version, head - 1);
    entry[head - 1] = '\n';
    memcpy(entry + head, image->data, image->size);
    orr_cache_store(key, entry, head + image->size);
    free(entry);
}

static int describe_arguments(const struct orr_cuda_api *api, struct cuda_kernel *kernel)
{
    size_t offset;
    int count = 0;
    if (!api->function_argument)
        return -1;
    while (count < CUDA_MAX_ARGS && !api->function_argument(kernel->function, (size_t)count,
                                                            &offset, &kernel->arg_sizes[count]))
        count++;
    return count;
}

static int attribute(const struct orr_cuda_api *api, const struct cuda_kernel *kernel,
                     orr_cu_enum which)
{
    int value;
    return api->function_attribute(&value, which, kernel->function) ? -1 : value;
}

/* Without dynamic local memory, which only a launch knows. */
static int resident(const struct orr_cuda_api *api, const struct cuda_kernel *kernel)
{
    int groups;
    return !api->occupancy || kernel->max_threads < 1 ||
                   api->occupancy(&groups, kernel->function, kernel->max_threads, 0)
               ? -1
               : groups;
}

static int find_kernels(struct cuda_device *cuda, struct orr_program *program,
                        const struct orr_cuda_image *image, struct orr_kernel_info *info)
{
    char names[CUDA_MAX_KERNELS][64];
    const struct orr_cuda_api *api = cuda->api;
    int count = orr_cuda_image_kernels(image, names, CUDA_MAX_KERNELS);
    if (count > CUDA_MAX_KERNELS)
        return orr_fail(ORR_EBUILD, "a program has %d kernels; at most %d are supported", count,
                        CUDA_MAX_KERNELS);
    for (int k = 0; k < count; k++) {
        struct cuda_kernel *kernel = &program->kernels[program->count];
        if (api->module_function(&kernel->function, program->module, names[k]))
            continue; /* a device function that was not inlined */
        snprintf(kernel->name, sizeof kernel->name, "%.63s", names[k]);
        kernel->max_threads = attribute(api, kernel, ORR_CU_FUNC_MAX_THREADS);
        kernel->arg_count = describe_arguments(api, kernel);
        program->count++;
        snprintf(info->name, sizeof info->name, "%.63s", names[k]);
        info->registers = attribute(api, kernel, ORR_CU_FUNC_REGISTERS);
        info->spill_bytes = attribute(api, kernel, ORR_CU_FUNC_LOCAL_BYTES);
        info->local_bytes = kernel->static_bytes = attribute(api, kernel, ORR_CU_FUNC_SHARED_BYTES);
        info->max_group = kernel->max_threads;
        info->resident = resident(api, kernel);
        orr_backend_record(&cuda->base, info);
    }
    return program->count
               ? 0
               : orr_fail(ORR_EBUILD, "a program has no kernel (declare it with KERNEL)");
}

static int load_module(struct cuda_device *cuda, struct orr_program *program,
                       const struct orr_cuda_image *image, const char *name)
{
    orr_cu_enum error = cuda->api->module_load(&program->module, image->data);
    if (!error)
        return 0;
    program->module = NULL;
    if (error == ORR_CU_INVALID_IMAGE || error == ORR_CU_NO_BINARY_FOR_GPU ||
        error == ORR_CU_INVALID_PTX || error == ORR_CU_UNSUPPORTED_PTX_VERSION)
        return orr_fail(ORR_EUNSUPPORTED,
                        "the driver does not load what %s compiled from %s (error %u): update the "
                        "driver or install an "
                        "older NVRTC",
                        orr_cuda_nvrtc_version(), name, error);
    return orr_cuda_fail(&cuda->base, error, "cannot load %s", name);
}

/* From the cache when it is there and loads, else from the source. */
static int obtain(struct cuda_device *cuda, struct orr_program *program,
                  const struct orr_source *source, const char *options, const char *defines,
                  struct orr_cuda_image *image, bool *cached)
{
    const struct orr_device_info *info = &cuda->base.info;
    const char *const parts[] = {"cuda", source->text, options, info->capability, info->driver};
    char key[65];
    orr_cache_key(key, parts, sizeof parts / sizeof *parts);
    *cached = image_from_cache(key, image);
    if (*cached && !cuda->api->module_load(&program->module, image->data))
        return 0;
    free(image->data);
    program->module = NULL;
    *cached = false;
    int code = orr_cuda_compile(image, source, cuda->architecture, info->warp_width, defines);
    if (!code)
        code = load_module(cuda, program, image, source->name);
    if (!code)
        image_to_cache(key, image);
    return code;
}

int orr_cuda_build(struct orr_device *device, struct orr_program **out,
                   const struct orr_source *source, const char *defines)
{
    struct cuda_device *cuda = (struct cuda_device *)device;
    struct orr_kernel_info info = {0};
    struct orr_cuda_image image = {NULL, 0};
    char options[1024];
    double start = orr_clock_now();
    struct orr_program *program = orr_memory_get(sizeof *program);
    *out = NULL;
    int code = orr_cuda_options(options, sizeof options, cuda->architecture,
                                device->info.warp_width, defines);
    if (!code)
        code = obtain(cuda, program, source, options, defines, &image, &info.cached);
    info.build_s = orr_clock_now() - start;
    snprintf(info.defines, sizeof info.defines, "%.255s", options);
    if (!code)
        code = find_kernels(cuda, program, &image, &info);
    free(image.data);
    if (code)
        orr_cuda_drop(device, program);
    else
        *out = program;
    return code;
}

void orr_cuda_drop(struct orr_device *device, struct orr_program *program)
{
    const struct cuda_device *cuda = (const struct cuda_device *)device;
    if (program && program->module) {
        cuda->api->stream_wait(cuda->stream); /* a kernel may run; the next wait reports errors */
        cuda->api->module_unload(program->module);
    }
    free(program);
}
