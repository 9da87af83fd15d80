/* SPDX-License-Identifier: MIT */
/* Loading of libcuda, NVRTC, NVML and CUPTI, whose absence is a fact, not an error; and a GPU by
 * its PCI address and UUID, which all of them and OpenCL share. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/cuda_abi.h"
#include "device/device.h"

/* The functions of a library in the order of its api: those that it must have, NULL, those that it
 * may lack, NULL. */
#define NAME(member, symbol, ...) #symbol,
static const char *const cuda_names[] = {ORR_CUDA_FUNCTIONS(NAME) NULL,
                                         ORR_CUDA_OPTIONAL_FUNCTIONS(NAME) NULL};
static const char *const nvrtc_names[] = {ORR_NVRTC_FUNCTIONS(NAME) NULL, NULL};
static const char *const nvml_names[] = {ORR_NVML_FUNCTIONS(NAME) NULL,
                                         ORR_NVML_OPTIONAL_FUNCTIONS(NAME) NULL};
static const char *const cupti_names[] = {
    ORR_CUPTI_FUNCTIONS(NAME) ORR_CUPTI_RECORD_FUNCTIONS(NAME) NULL, NULL};
static const char *const profiler_names[] = {ORR_CUPTI_PROFILER_FUNCTIONS(NAME) NULL, NULL};

static struct orr_cuda_api cuda;
static struct orr_nvrtc_api nvrtc;
static struct orr_nvml_api nvml;
static struct orr_cupti_api cupti;
static struct orr_cupti_profiler_api profiler;
static char nvrtc_version[32];

static void load_cuda(void), load_nvrtc(void), load_nvml(void), load_cupti(void),
    load_profiler(void);

#define LIBRARY(load, names, api)                   \
    {                                               \
        load, names, api, PTHREAD_ONCE_INIT, false, \
        {                                           \
            '\0'                                    \
        }                                           \
    }
static struct library {
    void (*load)(void);
    const char *const *names;
    void *api;
    pthread_once_t once;
    bool good;
    char why[512];
} libraries[] = {[ORR_CUDA_DRIVER] = LIBRARY(load_cuda, cuda_names, &cuda),
                 [ORR_CUDA_NVRTC] = LIBRARY(load_nvrtc, nvrtc_names, &nvrtc),
                 [ORR_CUDA_NVML] = LIBRARY(load_nvml, nvml_names, &nvml),
                 [ORR_CUDA_CUPTI] = LIBRARY(load_cupti, cupti_names, &cupti),
                 [ORR_CUDA_PROFILER] = LIBRARY(load_profiler, profiler_names, &profiler)};

const void *orr_cuda_library(enum orr_cuda_library which, const char **why)
{
    struct library *library = &libraries[which];
    pthread_once(&library->once, library->load);
    if (why)
        *why = library->why;
    return library->good ? library->api : NULL;
}

__attribute__((format(printf, 2, 3))) static void refuse(enum orr_cuda_library which,
                                                         const char *why, ...)
{
    va_list arguments;
    va_start(arguments, why);
    vsnprintf(libraries[which].why, sizeof libraries[which].why, why, arguments);
    va_end(arguments);
    libraries[which].good = false;
}

static bool resolve(void *file, enum orr_cuda_library which)
{
    char *member = libraries[which].api;
    bool optional = false;
    for (const char *const *names = libraries[which].names; *names || !optional; names++) {
        if (!*names) {
            optional = true;
            continue;
        }
        void *address = dlsym(file, *names);
        if (!address && !optional) {
            refuse(which, "it lacks %s: too old", *names);
            return false;
        }
        memcpy(member, &address, sizeof address);
        member += sizeof address;
    }
    return libraries[which].good = true;
}

/* The first of the files that has the functions. */
static bool load_first(const char *const *files, enum orr_cuda_library which)
{
    refuse(which, "%s is not installed", *files);
    for (; *files; files++) {
        void *file = dlopen(*files, RTLD_NOW | RTLD_LOCAL);
        if (file && resolve(file, which))
            return true;
        if (file)
            dlclose(file);
    }
    return false;
}

static void load_cuda(void)
{
    static const char *const files[] = {"libcuda.so.1", NULL};
    const char *text = NULL;
    const orr_cu_enum error = load_first(files, ORR_CUDA_DRIVER) ? cuda.init(0) : 0;
    if (error)
        refuse(ORR_CUDA_DRIVER, "cuInit: %s (error %u)",
               !cuda.error_string(error, &text) && text ? text : "failed", error);
}

static void load_nvml(void)
{
    static const char *const files[] = {"libnvidia-ml.so.1", NULL};
    const orr_cu_enum error = load_first(files, ORR_CUDA_NVML) ? nvml.init() : 0;
    if (error)
        refuse(ORR_CUDA_NVML, "nvmlInit: error %u", error);
}

/* Of the driver, from CUDA 12 on; 0: older, or none. */
static int major_version(void)
{
    int version = 0;
    const struct orr_cuda_api *api = orr_cuda_library(ORR_CUDA_DRIVER, NULL);
    return api && !api->driver_version(&version) && version >= 12000 ? version / 1000 : 0;
}

/* A driver of CUDA 12 cannot load what NVRTC 13 compiles, so the driver's own major version comes
 * first. */
static void load_nvrtc(void)
{
    static const char *const any[] = {"libnvrtc.so",
                                      "libnvrtc.so.13",
                                      "libnvrtc.so.12",
                                      "libnvrtc.so.11.2",
                                      "/usr/local/cuda/lib64/libnvrtc.so",
                                      "/usr/local/cuda/targets/x86_64-linux/lib/libnvrtc.so",
                                      NULL};
    char own[2][64];
    const char *const first[] = {own[0], own[1], NULL};
    int major = major_version(), minor = 0;
    snprintf(own[0], sizeof own[0], "libnvrtc.so.%d", major);
    snprintf(own[1], sizeof own[1], "/usr/local/cuda-%d/lib64/libnvrtc.so", major);
    if (((major && load_first(first, ORR_CUDA_NVRTC)) || load_first(any, ORR_CUDA_NVRTC)) &&
        !nvrtc.version(&major, &minor))
        snprintf(nvrtc_version, sizeof nvrtc_version, "NVRTC %d.%d", major, minor);
}

const char *orr_cuda_nvrtc_version(void)
{
    return orr_cuda_library(ORR_CUDA_NVRTC, NULL) ? nvrtc_version : "";
}

/* The folder of NVRTC's library, with its slash; toolkits keep CUPTI there or nearby. */
static void folder_of_nvrtc(char *out, size_t size)
{
    Dl_info about;
    void *symbol = NULL;
    *out = '\0';
    if (orr_cuda_library(ORR_CUDA_NVRTC, NULL))
        memcpy(&symbol, &nvrtc.version, sizeof symbol);
    if (!symbol || !dladdr(symbol, &about) || !strchr(about.dli_fname, '/'))
        return;
    snprintf(out, size, "%s", about.dli_fname);
    strrchr(out, '/')[1] = '\0';
}

enum { CUPTI_PATHS = 32, PATH_BYTES = 512 };

/* Every place of every version, that of the driver's own first. The list ends with NULL. */
static void list_cupti(char paths[CUPTI_PATHS][PATH_BYTES], const char *list[CUPTI_PATHS + 1])
{
    static const char *const folders[] = {"",
                                          "./", /* from NVRTC's */
                                          "../extras/CUPTI/lib64/",
                                          "../../cuda_cupti/lib/",
                                          "/usr/local/cuda/extras/CUPTI/lib64/",
                                          "/usr/local/cuda/lib64/",
                                          NULL};
    char versions[4][16] = {"libcupti.so.13", "libcupti.so.13", "libcupti.so.12", "libcupti.so"};
    char nvrtc_folder[PATH_BYTES - 64];
    const int major = major_version();
    int count = 0;
    if (major)
        snprintf(versions[0], sizeof versions[0], "libcupti.so.%u", (unsigned)major % 1000);
    folder_of_nvrtc(nvrtc_folder, sizeof nvrtc_folder);
    for (int v = 0; v < 4; v++)
        for (int f = 0; folders[f] && count < CUPTI_PATHS; f++) {
            const bool by_nvrtc = *folders[f] == '.';
            if (by_nvrtc && !*nvrtc_folder)
                continue;
            snprintf(paths[count], PATH_BYTES, "%s%s%s", by_nvrtc ? nvrtc_folder : "", folders[f],
                     versions[v]);
            list[count] = paths[count];
            count++;
        }
    list[count] = NULL;
}

static void load_cupti(void)
{
    static char paths[CUPTI_PATHS][PATH_BYTES];
    const char *asked = getenv("ORRERY_CUPTI"), *list[CUPTI_PATHS + 1] = {asked, NULL};
    if (asked && !strcmp(asked, "off")) {
        refuse(ORR_CUDA_CUPTI, "ORRERY_CUPTI is off");
        return;
    }
    if (!asked || !*asked)
        list_cupti(paths, list);
    load_first(list, ORR_CUDA_CUPTI);
}

/* CUPTI opens these by name, and finds them only where the system looks or if they are there
 * already. Without them its host API says that it is not initialised. */
static void load_neighbours(const char *cupti_path)
{
    static const char *const names[] = {"libnvperf_host.so", "libnvperf_target.so"};
    char *real = realpath(cupti_path, NULL);
    for (size_t k = 0; real && k < sizeof names / sizeof *names; k++) {
        char path[1024];
        snprintf(path, sizeof path, "%.*s%s", (int)(strrchr(real, '/') + 1 - real), real, names[k]);
        dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    }
    free(real);
}

static void load_profiler(void)
{
    const char *why;
    const struct orr_cupti_api *api = orr_cuda_library(ORR_CUDA_CUPTI, &why);
    Dl_info about;
    void *symbol, *library = NULL;
    uint32_t version = 0;
    if (api) {
        memcpy(&symbol, &api->version, sizeof symbol);
        if (dladdr(symbol, &about))
            library = dlopen(about.dli_fname, RTLD_NOW | RTLD_NOLOAD);
        api->version(&version);
    }
    if (!library)
        refuse(ORR_CUDA_PROFILER,
               "%.256s; install the CUDA toolkit's libcupti, 12.6 or newer, or name it with "
               "ORRERY_CUPTI",
               api ? "libcupti cannot be opened again" : why);
    else if (!resolve(library, ORR_CUDA_PROFILER))
        refuse(ORR_CUDA_PROFILER,
               "libcupti, version %u, has no range profiler; install that of CUDA 12.6 or newer, "
               "or name it with ORRERY_CUPTI",
               version);
    else
        load_neighbours(about.dli_fname);
}

void orr_device_identify(struct orr_device_info *info, const unsigned place[3],
                         const unsigned char *uuid)
{
    struct nvmlDevice_st *gpu;
    if (place)
        snprintf(info->pci, sizeof info->pci, "%08x:%02x:%02x.0", place[0], place[1] & 0xff,
                 place[2] & 0xff);
    const struct orr_nvml_api *api = orr_device_nvml(info, &gpu);
    if (api && api->uuid && !api->uuid(gpu, info->uuid, sizeof info->uuid - 1))
        return;
    info->uuid[0] = '\0';
    for (int k = 0, used = 0; uuid && k < ORR_GPU_UUID_BYTES; k++)
        used += snprintf(info->uuid + used, sizeof info->uuid - (size_t)used, "%s%02x",
                         !k                              ? "GPU-"
                         : k >= 4 && k <= 10 && !(k % 2) ? "-"
                                                         : "",
                         uuid[k]);
}

const struct orr_nvml_api *orr_device_nvml(const struct orr_device_info *info,
                                           struct nvmlDevice_st **out)
{
    const struct orr_nvml_api *api = info->pci[0] ? orr_cuda_library(ORR_CUDA_NVML, NULL) : NULL;
    return api && !api->by_pci(info->pci, out) ? api : NULL;
}
