/* SPDX-License-Identifier: MIT */
/* CUDA: programs from the cache or from NVRTC (which needs no device), and the kernels in what
 * comes out. */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "device/cuda.h"
#include "error.h"
#include "memory.h"

enum { MAX_OPTIONS = 128 };

/* NVRTC makes machine code for this architecture; else *below is the newest older one that it
 * knows. */
static bool knows(const struct orr_nvrtc_api *api, int architecture, int *below)
{
    int archs[128], count = 0;
    *below = 0;
    if (api->arch_count(&count) || count > 128 || api->archs(archs))
        return true; /* NVRTC reports it */
    for (int k = 0; k < count; k++) {
        if (archs[k] == architecture)
            return true;
        if (archs[k] < architecture && archs[k] > *below)
            *below = archs[k];
    }
    return false;
}

/* CUBIN where NVRTC knows the architecture, so that what was compiled is what runs; else PTX, which
 * the driver compiles. --fmad=false: the dialect spells FMA out, so that both languages round in
 * the same places. */
static int choose_options(char *out, size_t size, int architecture, int warp, const char *defines)
{
    const char *why;
    int below = 0;
    const struct orr_nvrtc_api *api = orr_cuda_library(ORR_CUDA_NVRTC, &why);
    bool direct = !api || knows(api, architecture, &below);
    if (!direct && !below)
        return orr_fail(
            ORR_EUNSUPPORTED,
            "%s does not compile for compute capability %d.%d: install an older CUDA toolkit",
            orr_cuda_nvrtc_version(), architecture / 10, architecture % 10);
    int length = snprintf(out, size,
                          "--gpu-architecture=%s_%d --std=c++17 -default-device --fmad=false "
                          "-DORR_CUDA=1 -DORR_WARP=%d%s%s",
                          direct ? "sm" : "compute", direct ? architecture : below, warp,
                          defines && *defines ? " " : "", defines ? defines : "");
    return (size_t)length < size
               ? 0
               : orr_fail(ORR_EINTERNAL, "the build defines are too long: %s", defines);
}

static int fail_build(const struct orr_nvrtc_api *api, struct _nvrtcProgram *program,
                      const struct orr_source *source)
{
    size_t size = 0;
    if (api->log_size(program, &size))
        size = 0;
    char *log = orr_memory_get(size + 1);
    if (size && api->log(program, log))
        log[0] = '\0';
    int code = orr_fail(ORR_EBUILD, "%s does not compile for CUDA: %s", source->name,
                        orr_backend_first_error(log));
    free(log);
    return code;
}

static int take_image(const struct orr_nvrtc_api *api, struct _nvrtcProgram *program, bool ptx,
                      struct orr_cuda_image *out)
{
    bool failed = (ptx ? api->ptx_size : api->cubin_size)(program, &out->size) || !out->size;
    if (!failed) {
        out->data = orr_memory_get(out->size + 1);
        failed = (ptx ? api->ptx : api->cubin)(program, out->data);
    }
    return failed ? orr_fail(ORR_EBUILD, "NVRTC gave no %s", ptx ? "PTX" : "CUBIN") : 0;
}

int orr_cuda_compile(struct orr_cuda_image *out, const struct orr_source *source, int architecture,
                     int warp, const char *defines)
{
    const char *why, *words[MAX_OPTIONS];
    char options[1024], *rest;
    int count = 0;
    struct _nvrtcProgram *program = NULL;
    const struct orr_nvrtc_api *api = orr_cuda_library(ORR_CUDA_NVRTC, &why);
    *out = (struct orr_cuda_image){NULL, 0};
    if (!api)
        return orr_fail(ORR_EUNSUPPORTED,
                        "cannot compile %s: %s; install the CUDA toolkit's NVRTC library (package "
                        "cuda-nvrtc or "
                        "libnvrtc12) or put it on LD_LIBRARY_PATH",
                        source->name, why);
    int code = choose_options(options, sizeof options, architecture, warp, defines);
    if (code)
        return code;
    bool ptx = strstr(options, "=compute_") != NULL;
    for (char *word = strtok_r(options, " ", &rest); word && count < MAX_OPTIONS;
         word = strtok_r(NULL, " ", &rest))
        words[count++] = word;
    char name[96];
    snprintf(name, sizeof name, "%s.cu", source->name);
    if (api->create(&program, source->text, name, 0, NULL, NULL))
        return orr_fail(ORR_EBUILD, "NVRTC does not accept %s", source->name);
    if (api->compile(program, count, words))
        code = fail_build(api, program, source);
    else
        code = take_image(api, program, ptx, out);
    api->destroy(&program);
    return code;
}

/* A CUBIN, an ELF file, has a section ".text.<name>" of each kernel, PTX has ".entry <name>". The
 * driver knows which of the functions named so are kernels. */
int orr_cuda_image_kernels(const struct orr_cuda_image *image, char names[][64], int capacity)
{
    const bool cubin = image->size > SELFMAG && !memcmp(image->data, ELFMAG, SELFMAG);
    const char *mark = cubin ? ".text." : ".entry ", *at = image->data, *end = at + image->size;
    int count = 0, same;
    while (count <= capacity && (at = memmem(at, (size_t)(end - at), mark, strlen(mark)))) {
        char name[64];
        at += strlen(mark);
        const size_t length = strcspn(at, " (\n");
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        for (same = 0; same < count && same < capacity && strcmp(names[same], name) != 0;)
            same++;
        if (same == count && *name && length < (size_t)(end - at) && count++ < capacity)
            strcpy(names[same], name);
    }
    return count;
}

/* A cache entry has the version of NVRTC that compiled it. That is not part of the key, so that a
 * machine without NVRTC can use what one with it compiled; with another NVRTC the entry is compiled
 * anew. */
static bool image_from_cache(const char *key, struct orr_cuda_image *out)
{
    const char *ours = orr_cuda_nvrtc_version();
    void *data;
    char *theirs = orr_cache_load(key, &data, &out->size);
    bool fits = theirs && (!*ours || !strcmp(ours, theirs));
    out->data = theirs ? memmove(theirs, data, out->size + 1) : NULL;
    return fits;
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

/* Counts groups without dynamic local memory, whose size only a launch knows. */
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
        return orr_fail(ORR_EBUILD, "a program has more than %d kernels", CUDA_MAX_KERNELS);
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
    return orr_cuda_check(&cuda->base, error, "cannot load %s", name);
}

/* Takes the program from the cache if it is there and loads, else compiles the source. */
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
        orr_cache_store(key, orr_cuda_nvrtc_version(), image->data, image->size);
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
    int code = choose_options(options, sizeof options, cuda->architecture, device->info.warp_width,
                              defines);
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
