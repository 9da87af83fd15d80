/* SPDX-License-Identifier: MIT */
/* OpenCL: finding devices and what they can do. */
#include "device/opencl.h"

#include <limits.h>
#include <sched.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "device/cuda_abi.h"
#include "error.h"
#include "memory.h"

enum { MAX_PLATFORMS = 16, MAX_PLATFORM_DEVICES = 16 };
enum { SUB_GROUP = 32, WIDEST_WARP = 64 };
/* Queries of extensions and of OpenCL 3.0, which older headers lack. */
enum {
    C_ALL_VERSIONS = 0x1066,
    PREFERRED_GROUP_MULTIPLE = 0x1067,
    NV_CAPABILITY_MAJOR = 0x4000,
    NV_CAPABILITY_MINOR = 0x4001,
    NV_WARP_SIZE = 0x4003,
    NV_PCI_BUS = 0x4008,
    NV_PCI_SLOT = 0x4009,
    NV_PCI_DOMAIN = 0x400A,
    AMD_TOPOLOGY = 0x4037,
    AMD_WAVEFRONT = 0x4043,
    INTEL_SUB_GROUP_SIZES = 0x4108,
    EXT_FP32_ATOMICS = 0x4231,
    KHR_PCI_BUS_INFO = 0x410F,
    KHR_DEVICE_UUID = 0x106A
};

/* PoCL offers no device unless it can write its cache below HOME. It then gets a private folder,
 * since it runs code from there. */
static void give_pocl_a_cache(void)
{
    char path[64];
    struct stat status;
    const char *home = getenv("HOME");
    if (getenv("POCL_CACHE_DIR") || getenv("XDG_CACHE_HOME") || !home || !access(home, W_OK))
        return;
    snprintf(path, sizeof path, "/tmp/orrery-pocl-%u", (unsigned)getuid());
    mkdir(path, 0700);
    if (!lstat(path, &status) && S_ISDIR(status.st_mode) && status.st_uid == getuid() &&
        !(status.st_mode & 022))
        setenv("POCL_CACHE_DIR", path, 0);
}

static void pocl_cache(char *out, size_t size)
{
    const char *own = getenv("POCL_CACHE_DIR"), *user = getenv("XDG_CACHE_HOME"),
               *home = getenv("HOME");
    if (own)
        snprintf(out, size, "%s", own);
    else
        snprintf(out, size, "%s%s/pocl/kcache",
                 user   ? user
                 : home ? home
                        : "/tmp",
                 home && !user ? "/.cache" : "");
}

void orr_device_pocl_advice(char *out, size_t size, const char *before)
{
    char folder[512];
    struct statvfs mount;
    const char *what = "load kernels from", *why = ", which seems damaged",
               *remedy = "remove that folder, or set POCL_CACHE_DIR to another";
    give_pocl_a_cache();
    pocl_cache(folder, sizeof folder);
    if (!statvfs(folder, &mount) && mount.f_flag & ST_NOEXEC) {
        what = "run kernels from";
        why = ", which is mounted noexec";
        remedy = "set POCL_CACHE_DIR to a folder that programs may run from";
    } else if (access(folder, W_OK) && (errno == EACCES || errno == EROFS)) {
        what = "write to";
        why = "";
        remedy = "set POCL_CACHE_DIR to a folder where it can";
    }
    snprintf(out, size, "%sPoCL cannot %s its cache %s%s: %s", before, what, folder, why, remedy);
}

/* PoCL's threads sleep between kernels, and the system likes to wake each where it ran last: two on
 * one core, for as long as the process lives, since a short kernel ends before they are spread. So
 * each gets a core of its own. PoCL counts cores from 0, whatever the process may use. */
static void spread_pocl(void)
{
    cpu_set_t cores;

    if (!sched_getaffinity(0, sizeof cores, &cores) &&
        CPU_COUNT(&cores) == sysconf(_SC_NPROCESSORS_CONF))
        setenv("POCL_AFFINITY", "1", 0);
}

static cl_uint platforms(cl_platform_id out[MAX_PLATFORMS])
{
    cl_uint count = 0;
    give_pocl_a_cache();
    spread_pocl();
    /* CL_PLATFORM_NOT_FOUND_KHR (-1001): a loader without drivers, which is no error. */
    if (clGetPlatformIDs(MAX_PLATFORMS, out, &count))
        return 0;
    return count < MAX_PLATFORMS ? count : MAX_PLATFORMS;
}

static cl_uint devices_of(cl_platform_id platform, cl_device_id out[MAX_PLATFORM_DEVICES])
{
    cl_uint count = 0;
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, MAX_PLATFORM_DEVICES, out, &count))
        return 0;
    return count < MAX_PLATFORM_DEVICES ? count : MAX_PLATFORM_DEVICES;
}

static void text_of(cl_device_id device, cl_device_info what, char *out, size_t size)
{
    char text[1024] = "";
    clGetDeviceInfo(device, what, sizeof text - 1, text, NULL);
    const char *from = text + strspn(text, " ");
    size_t length = strlen(from);
    while (length && from[length - 1] == ' ')
        length--;
    snprintf(out, size, "%.*s", (int)length, from);
}

static uint64_t number_of(cl_device_id device, cl_device_info what)
{
    uint64_t value = 0; /* little-endian: a 32-bit answer fills the lower half */
    return clGetDeviceInfo(device, what, sizeof value, &value, NULL) ? 0 : value;
}

static bool has_extension(cl_device_id device, const char *name)
{
    size_t size = 0;
    clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, 0, NULL, &size);
    char *all = orr_memory_get(size + 1);
    if (size)
        clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, size, all, NULL);
    bool found = strstr(all, name);
    free(all);
    return found;
}

/* A simulator that claims every type is neither CPU nor GPU. */
static enum orr_device_kind kind_of(cl_device_id device)
{
    uint64_t type = number_of(device, CL_DEVICE_TYPE) & (CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU);
    return type == CL_DEVICE_TYPE_CPU   ? ORR_DEVICE_CPU
           : type == CL_DEVICE_TYPE_GPU ? ORR_DEVICE_GPU
                                        : ORR_DEVICE_OTHER;
}

/* The newest OpenCL C that the kernels are written for and the device compiles: 12, 20 or 30.
 * NVIDIA's gets what 1.2 lacks from PTX (kernels/warp_atomics.h). A simulator may name a version
 * that its compiler does not take (oclgrind 21.10: 3.0). */
static int language_of(cl_device_id device)
{
    enum { MOST = 32, MINOR_BITS = 22 };
    struct {
        cl_uint version;
        char name[64];
    } all[MOST];
    size_t size = 0;
    char text[64] = "";
    int major = 1;

    if (has_extension(device, "cl_nv_compiler_options") || kind_of(device) == ORR_DEVICE_OTHER)
        return 12;
    if (!clGetDeviceInfo(device, C_ALL_VERSIONS, sizeof all, all, &size))
        for (size_t k = 0; k < size / sizeof *all; k++)
            if (all[k].version >> MINOR_BITS == 3)
                return 30;
    text_of(device, CL_DEVICE_OPENCL_C_VERSION, text, sizeof text);
    return sscanf(text, "OpenCL C %d.", &major) == 1 && major == 2 ? 20 : 12;
}

/* Sub-groups are warps where kernels may ask for 32 work-items in one. */
static bool has_sub_groups(cl_device_id device)
{
    size_t sizes[16], bytes = 0;

    if (language_of(device) < 20 || !has_extension(device, "cl_khr_subgroup_shuffle") ||
        !has_extension(device, "cl_khr_subgroup_ballot") ||
        !has_extension(device, "cl_intel_required_subgroup_size") ||
        clGetDeviceInfo(device, INTEL_SUB_GROUP_SIZES, sizeof sizes, sizes, &bytes))
        return false;
    for (size_t k = 0; k < bytes / sizeof *sizes; k++)
        if (sizes[k] == SUB_GROUP)
            return true;
    return false;
}

static int warp_of(cl_device_id device, const struct orr_device_info *info)
{
    uint64_t width = 0;
    if (has_extension(device, "cl_nv_device_attribute_query"))
        width = number_of(device, NV_WARP_SIZE);
    else if (has_extension(device, "cl_amd_device_attribute_query"))
        width = number_of(device, AMD_WAVEFRONT);
    else if (info->kind == ORR_DEVICE_GPU && info->shuffles)
        width = SUB_GROUP;
    else if (info->kind == ORR_DEVICE_GPU)
        width = number_of(device, PREFERRED_GROUP_MULTIPLE);
    while (width > WIDEST_WARP || width & (width - 1)) /* its largest factor that is a warp */
        width = width & (width - 1) ? width & -width : width / 2;
    return width ? (int)width : info->vector_width;
}

static void identify_gpu(struct orr_device_info *out, cl_device_id device)
{
    enum { AMD_BUS = 21 };
    cl_uint place[4];           /* domain, bus, slot, function */
    unsigned char topology[24]; /* AMD's cl_device_topology_amd ends with bus, slot and function */
    unsigned char uuid[ORR_GPU_UUID_BYTES];
    bool placed = true;
    if (has_extension(device, "cl_khr_pci_bus_info") &&
        !clGetDeviceInfo(device, KHR_PCI_BUS_INFO, sizeof place, place, NULL))
        ;
    else if (has_extension(device, "cl_nv_device_attribute_query")) {
        place[0] = (cl_uint)number_of(device, NV_PCI_DOMAIN);
        place[1] = (cl_uint)number_of(device, NV_PCI_BUS);
        place[2] = (cl_uint)number_of(device, NV_PCI_SLOT) >> 3;
    } else if (has_extension(device, "cl_amd_device_attribute_query") &&
               !clGetDeviceInfo(device, AMD_TOPOLOGY, sizeof topology, topology, NULL)) {
        place[0] = 0;
        place[1] = topology[AMD_BUS];
        place[2] = topology[AMD_BUS + 1];
    } else
        placed = false;
    bool known = has_extension(device, "cl_khr_device_uuid") &&
                 !clGetDeviceInfo(device, KHR_DEVICE_UUID, sizeof uuid, uuid, NULL);
    orr_device_identify(out, placed ? place : NULL, known ? uuid : NULL);
    if (has_extension(device, "cl_nv_device_attribute_query"))
        snprintf(out->capability, sizeof out->capability, "%u.%u",
                 (unsigned)number_of(device, NV_CAPABILITY_MAJOR),
                 (unsigned)number_of(device, NV_CAPABILITY_MINOR));
}

static void platform_text(cl_platform_id platform, cl_platform_info what, char *out, size_t size)
{
    memset(out, 0, size);
    clGetPlatformInfo(platform, what, size - 1, out, NULL);
}

/* PoCL alone calls itself by a long name, and tells its short one with the version:
 * "OpenCL 3.0 PoCL 6.0  Linux, ...". */
static void name_platform(char *out, size_t size, cl_platform_id platform)
{
    char name[128], version[256];
    platform_text(platform, CL_PLATFORM_NAME, name, sizeof name);
    platform_text(platform, CL_PLATFORM_VERSION, version, sizeof version);
    const char *pocl = strstr(version, "PoCL ");
    if (pocl)
        snprintf(out, size, "%.*s", (int)(5 + strcspn(pocl + 5, " ")), pocl);
    else
        snprintf(out, size, "%.47s", name);
}

static void describe(struct orr_device_info *out, cl_device_id device, cl_platform_id platform,
                     const int numbers[2])
{
    enum { GLOBAL_ADD = 1 << 1, LOCAL_ADD = 1 << 17, BOTH = GLOBAL_ADD | LOCAL_ADD };
    char version[48], driver[40];
    memset(out, 0, sizeof *out);
    snprintf(out->id, sizeof out->id, "opencl:%d.%d", numbers[0], numbers[1]);
    snprintf(out->backend, sizeof out->backend, "opencl");
    text_of(device, CL_DEVICE_NAME, out->name, sizeof out->name);
    text_of(device, CL_DEVICE_VENDOR, out->vendor, sizeof out->vendor);
    name_platform(out->platform, sizeof out->platform, platform);
    text_of(device, CL_DEVICE_VERSION, version, sizeof version);
    text_of(device, CL_DRIVER_VERSION, driver, sizeof driver);
    snprintf(out->driver, sizeof out->driver, "%s, driver %s", version, driver);
    text_of(device, CL_DEVICE_OPENCL_C_VERSION, out->toolkit, sizeof out->toolkit);
    out->kind = kind_of(device);
    out->compute_units = (int)number_of(device, CL_DEVICE_MAX_COMPUTE_UNITS);
    out->clock_mhz = (int)number_of(device, CL_DEVICE_MAX_CLOCK_FREQUENCY);
    out->vector_width = out->kind == ORR_DEVICE_CPU
                            ? (int)number_of(device, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT)
                            : 1;
    if (out->vector_width < 1)
        out->vector_width = 1;
    const bool nvidia = has_extension(device, "cl_nv_compiler_options");
    out->shuffles = nvidia || (out->kind == ORR_DEVICE_GPU && has_sub_groups(device));
    out->float_atomics =
        nvidia || (language_of(device) >= 20 && has_extension(device, "cl_ext_float_atomics") &&
                   (number_of(device, EXT_FP32_ATOMICS) & BOTH) == BOTH);
    out->warp_width = warp_of(device, out);
    out->max_group = number_of(device, CL_DEVICE_MAX_WORK_GROUP_SIZE);
    out->local_bytes = number_of(device, CL_DEVICE_LOCAL_MEM_SIZE);
    out->memory_bytes = number_of(device, CL_DEVICE_GLOBAL_MEM_SIZE);
    out->cache_bytes = number_of(device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
    out->fp64 = has_extension(device, "cl_khr_fp64");
    if (out->kind == ORR_DEVICE_GPU)
        identify_gpu(out, device);
}

int orr_opencl_list(struct orr_device_info *out, int capacity)
{
    cl_platform_id found[MAX_PLATFORMS];
    cl_uint platform_count = platforms(found);
    int count = 0;
    for (cl_uint p = 0; p < platform_count; p++) {
        cl_device_id devices[MAX_PLATFORM_DEVICES];
        cl_uint device_count = devices_of(found[p], devices);
        for (cl_uint d = 0; d < device_count; d++) {
            if (!number_of(devices[d], CL_DEVICE_AVAILABLE) ||
                !number_of(devices[d], CL_DEVICE_COMPILER_AVAILABLE))
                continue;
            if (count < capacity)
                describe(&out[count], devices[d], found[p], (const int[]){(int)p, (int)d});
            count++;
        }
    }
    return count;
}

int orr_opencl_platforms(char *text, size_t size)
{
    cl_platform_id found[MAX_PLATFORMS];
    cl_uint count = platforms(found);
    size_t used = 0;
    text[0] = '\0';
    for (cl_uint p = 0; p < count && used < size; p++) {
        char name[128], version[128];
        platform_text(found[p], CL_PLATFORM_NAME, name, sizeof name);
        platform_text(found[p], CL_PLATFORM_VERSION, version, sizeof version);
        char *details = strstr(version, "  "); /* PoCL appends its build options */
        used += (size_t)snprintf(text + used, size - used, "%s%s (%.*s)", p ? "; " : "", name,
                                 (int)(details ? details - version : 40), version);
    }
    return (int)count;
}

/* No fast-math options: the kernels spell out FMA and RSQRT. */
static void choose_options(struct opencl_device *device, cl_platform_id platform)
{
    const struct orr_device_info *info = &device->base.info;
    char name[128], nvidia_is[24] = "";
    int capability = (int)(10 * number_of(device->id, NV_CAPABILITY_MAJOR) +
                           number_of(device->id, NV_CAPABILITY_MINOR));
    device->nvidia = has_extension(device->id, "cl_nv_compiler_options");
    if (device->nvidia)
        snprintf(nvidia_is, sizeof nvidia_is, " -DORR_NVIDIA=%d", capability ? capability : 1);
    platform_text(platform, CL_PLATFORM_NAME, name, sizeof name);
    device->caches_by_itself = strstr(name, "Portable Computing Language") != NULL;
    /* -w: PoCL would print a count of warnings on stderr. */
    snprintf(device->options, sizeof device->options,
             "-cl-std=CL%.1f%s%s -DORR_OPENCL=1 -DORR_WARP=%d%s%s%s%s",
             0.1 * language_of(device->id), device->nvidia ? " -cl-nv-verbose" : "",
             device->caches_by_itself ? " -w" : "", info->warp_width,
             info->kind == ORR_DEVICE_CPU ? " -DORR_CPU=1" : "", nvidia_is,
             info->shuffles && !device->nvidia ? " -DORR_SUBGROUPS=1" : "",
             info->float_atomics && !device->nvidia ? " -DORR_FLOAT_ATOMICS=1" : "");
}

int orr_opencl_find(struct opencl_device *out, cl_platform_id *platform, const char *id)
{
    cl_platform_id found[MAX_PLATFORMS];
    cl_device_id devices[MAX_PLATFORM_DEVICES];
    int numbers[2];
    if (sscanf(id, "opencl:%5d.%5d", &numbers[0], &numbers[1]) != 2 ||
        numbers[0] >= (int)platforms(found) ||
        numbers[1] >= (int)devices_of(found[numbers[0]], devices))
        return orr_fail(ORR_EUNSUPPORTED, "there is no device '%s' here", id);
    *platform = found[numbers[0]];
    out->id = devices[numbers[1]];
    out->alignment = number_of(out->id, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / CHAR_BIT;
    describe(&out->base.info, out->id, *platform, numbers);
    choose_options(out, *platform);
    return 0;
}
