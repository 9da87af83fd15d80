/* SPDX-License-Identifier: MIT */
/* Loading of libcuda, NVRTC, NVML and CUPTI, whose absence is a fact, not an error; and a GPU by
 * its PCI address and UUID, which all of them and OpenCL share. */
#include <dlfcn.h>
#include <pthread.h>
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

struct loaded {
    pthread_once_t once;
    bool good;
    char why[512];
};

static bool load_once(struct loaded *state, void (*load)(void), const char **why)
{
    pthread_once(&state->once, load);
    if (why)
        *why = state->why;
    return state->good;
}

static bool resolve(void *library, const char *const *names, void *api, struct loaded *out)
{
    bool optional = false;
    for (char *member = api; *names || !optional; names++) {
        if (!*names) {
            optional = true;
            continue;
        }
        void *address = dlsym(library, *names);
        if (!address && !optional) {
            snprintf(out->why, sizeof out->why, "it lacks %s: too old", *names);
            return false;
        }
        memcpy(member, &address, sizeof address);
        member += sizeof address;
    }
    return true;
}

/* The first of the libraries that has the functions. */
static bool load_first(const char *const *libraries, const char *const *names, void *api,
                       struct loaded *out)
{
    snprintf(out->why, sizeof out->why, "%s is not installed", *libraries);
    for (; *libraries; libraries++) {
        void *library = dlopen(*libraries, RTLD_NOW | RTLD_LOCAL);
        if (library && resolve(library, names, api, out))
            return true;
        if (library)
            dlclose(library);
    }
    return false;
}

static struct orr_cuda_api cuda;
static struct loaded cuda_state = {.once = PTHREAD_ONCE_INIT};

static void load_cuda(void)
{
    static const char *const names[] = {"libcuda.so.1", NULL};
    if (!load_first(names, cuda_names, &cuda, &cuda_state))
        return;
    orr_cu_enum error = cuda.init(0);
    const char *text = NULL;
    if (error && cuda.error_string(error, &text))
        text = NULL;
    if (error)
        snprintf(cuda_state.why, sizeof cuda_state.why, "cuInit: %s (error %u)",
                 text ? text : "failed", error);
    cuda_state.good = !error;
}

const struct orr_cuda_api *orr_cuda_load(const char **why)
{
    return load_once(&cuda_state, load_cuda, why) ? &cuda : NULL;
}

static struct orr_nvrtc_api nvrtc;
static struct loaded nvrtc_state = {.once = PTHREAD_ONCE_INIT};
static char nvrtc_version[32];

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
    char own[2][64] = {"", ""};
    const char *const first[] = {own[0], own[1], NULL};
    int major = 0, minor = 0, driver = 0;
    const struct orr_cuda_api *api = orr_cuda_load(NULL);
    if (api && !api->driver_version(&driver) && driver >= 12000) {
        snprintf(own[0], sizeof own[0], "libnvrtc.so.%d", driver / 1000);
        snprintf(own[1], sizeof own[1], "/usr/local/cuda-%d/lib64/libnvrtc.so", driver / 1000);
        nvrtc_state.good = load_first(first, nvrtc_names, &nvrtc, &nvrtc_state);
    }
    if (!nvrtc_state.good)
        nvrtc_state.good = load_first(any, nvrtc_names, &nvrtc, &nvrtc_state);
    if (nvrtc_state.good && !nvrtc.version(&major, &minor))
        snprintf(nvrtc_version, sizeof nvrtc_version, "NVRTC %d.%d", major, minor);
}

const struct orr_nvrtc_api *orr_cuda_load_nvrtc(const char **why)
{
    return load_once(&nvrtc_state, load_nvrtc, why) ? &nvrtc : NULL;
}

const char *orr_cuda_nvrtc_version(void)
{
    return orr_cuda_load_nvrtc(NULL) ? nvrtc_version : "";
}

static struct orr_nvml_api nvml;
static struct loaded nvml_state = {.once = PTHREAD_ONCE_INIT};

static void load_nvml(void)
{
    static const char *const names[] = {"libnvidia-ml.so.1", NULL};
    if (!load_first(names, nvml_names, &nvml, &nvml_state))
        return;
    orr_cu_enum error = nvml.init();
    if (error)
        snprintf(nvml_state.why, sizeof nvml_state.why, "nvmlInit: error %u", error);
    nvml_state.good = !error;
}

const struct orr_nvml_api *orr_cuda_load_nvml(const char **why)
{
    return load_once(&nvml_state, load_nvml, why) ? &nvml : NULL;
}

static struct orr_cupti_api cupti;
static struct loaded cupti_state = {.once = PTHREAD_ONCE_INIT};

/* The folder of NVRTC's library; toolkits keep CUPTI there or nearby. */
static void folder_of_nvrtc(char *out, size_t size)
{
    Dl_info about;
    void *symbol = NULL;
    *out = '\0';
    if (orr_cuda_load_nvrtc(NULL))
        memcpy(&symbol, &nvrtc.version, sizeof symbol);
    if (!symbol || !dladdr(symbol, &about) || !strchr(about.dli_fname, '/'))
        return;
    snprintf(out, size, "%s", about.dli_fname);
    *strrchr(out, '/') = '\0';
}

enum { CUPTI_PATHS = 32, PATH_BYTES = 512 };

/* Every place of every version, that of the driver's own first. The list ends with NULL. */
static void list_cupti(char paths[CUPTI_PATHS][PATH_BYTES], const char *list[CUPTI_PATHS + 1])
{
    static const char *const folders[] = {"",
                                          "%s/",
                                          "%s/../extras/CUPTI/lib64/",
                                          "%s/../../cuda_cupti/lib/",
                                          "/usr/local/cuda/extras/CUPTI/lib64/",
                                          "/usr/local/cuda/lib64/",
                                          NULL};
    const struct orr_cuda_api *api = orr_cuda_load(NULL);
    char versions[4][16] = {"libcupti.so.13", "libcupti.so.13", "libcupti.so.12", "libcupti.so"};
    char nvrtc_folder[PATH_BYTES - 128], folder[PATH_BYTES - 64];
    int driver = 0, count = 0;
    if (api && !api->driver_version(&driver) && driver >= 12000)
        snprintf(versions[0], sizeof versions[0], "libcupti.so.%d", driver / 1000 % 1000);
    folder_of_nvrtc(nvrtc_folder, sizeof nvrtc_folder);
    for (int v = 0; v < 4; v++)
        for (int f = 0; folders[f] && count < CUPTI_PATHS; f++) {
            bool by_nvrtc = folders[f][0] == '%';
            if (by_nvrtc && !*nvrtc_folder)
                continue;
            snprintf(folder, sizeof folder, "%s%s", by_nvrtc ? nvrtc_folder : "",
                     by_nvrtc ? folders[f] + 2 : folders[f]);
            snprintf(paths[count], PATH_BYTES, "%s%s", folder, versions[v]);
            list[count] = paths[count];
            count++;
        }
    list[count] = NULL;
}

static void load_cupti(void)
{
    static char paths[CUPTI_PATHS][PATH_BYTES];
    const char *list[CUPTI_PATHS + 1], *asked = getenv("ORRERY_CUPTI");
    if (asked && !strcmp(asked, "off")) {
        snprintf(cupti_state.why, sizeof cupti_state.why, "ORRERY_CUPTI is off");
        return;
    }
    list_cupti(paths, list);
    if (asked && *asked) {
        list[0] = asked;
        list[1] = NULL;
    }
    cupti_state.good = load_first(list, cupti_names, &cupti, &cupti_state);
}

const struct orr_cupti_api *orr_cuda_load_cupti(const char **why)
{
    return load_once(&cupti_state, load_cupti, why) ? &cupti : NULL;
}

static struct orr_cupti_profiler_api profiler;
static struct loaded profiler_state = {.once = PTHREAD_ONCE_INIT};

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
    const struct orr_cupti_api *api = orr_cuda_load_cupti(&why);
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
        snprintf(profiler_state.why, sizeof profiler_state.why,
                 "%.256s; install the CUDA toolkit's libcupti, 12.6 or newer, or name it with "
                 "ORRERY_CUPTI",
                 api ? "libcupti cannot be opened again" : why);
    else if (!resolve(library, profiler_names, &profiler, &profiler_state))
        snprintf(profiler_state.why, sizeof profiler_state.why,
                 "libcupti, version %u, has no range profiler; install that of CUDA 12.6 or newer, "
                 "or name it with ORRERY_CUPTI",
                 version);
    else {
        load_neighbours(about.dli_fname);
        profiler_state.good = true;
    }
}

const struct orr_cupti_profiler_api *orr_cuda_load_profiler(const char **why)
{
    return load_once(&profiler_state, load_profiler, why) ? &profiler : NULL;
}

void orr_device_set_pci(struct orr_device_info *info, unsigned domain, unsigned bus, unsigned slot)
{
    snprintf(info->pci, sizeof info->pci, "%08x:%02x:%02x.0", domain, bus & 0xff, slot & 0xff);
}

void orr_device_set_uuid(struct orr_device_info *info, const unsigned char *bytes)
{
    struct nvmlDevice_st *gpu;
    const struct orr_nvml_api *api = orr_device_nvml(info, &gpu);
    if (api && api->uuid && !api->uuid(gpu, info->uuid, sizeof info->uuid - 1))
        return;
    info->uuid[0] = '\0';
    if (!bytes)
        return;
    size_t used = (size_t)snprintf(info->uuid, sizeof info->uuid, "GPU");
    for (int k = 0; k < ORR_GPU_UUID_BYTES; k++)
        used +=
            (size_t)snprintf(info->uuid + used, sizeof info->uuid - used, "%s%02x",
                             k == 0 || k == 4 || k == 6 || k == 8 || k == 10 ? "-" : "", bytes[k]);
}

const struct orr_nvml_api *orr_device_nvml(const struct orr_device_info *info,
                                           struct nvmlDevice_st **out)
{
    const struct orr_nvml_api *api = info->pci[0] ? orr_cuda_load_nvml(NULL) : NULL;
    return api && !api->by_pci(info->pci, out) ? api : NULL;
}
