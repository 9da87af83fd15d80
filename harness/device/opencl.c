/* SPDX-License-Identifier: MIT */
/* OpenCL: finding devices and what they can do; opening, memory traffic, launches, device times by
 * profiling events, and the table of verbs. */
#include "device/opencl.h"

#include <limits.h>
#include <errno.h>
#include <sched.h>
#include <stdarg.h>
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

/* Domain, bus and slot on the PCI bus; false where the driver does not say. */
static bool read_place(cl_uint place[4], cl_device_id device)
{
    enum { AMD_BUS = 21 };
    unsigned char topology[24]; /* AMD's cl_device_topology_amd ends with bus, slot and function */
    if (has_extension(device, "cl_khr_pci_bus_info") &&
        !clGetDeviceInfo(device, KHR_PCI_BUS_INFO, 4 * sizeof *place, place, NULL))
        return true;
    if (has_extension(device, "cl_nv_device_attribute_query")) {
        place[0] = (cl_uint)number_of(device, NV_PCI_DOMAIN);
        place[1] = (cl_uint)number_of(device, NV_PCI_BUS);
        place[2] = (cl_uint)number_of(device, NV_PCI_SLOT) >> 3;
        return true;
    }
    if (!has_extension(device, "cl_amd_device_attribute_query") ||
        clGetDeviceInfo(device, AMD_TOPOLOGY, sizeof topology, topology, NULL))
        return false;
    place[0] = 0;
    place[1] = topology[AMD_BUS];
    place[2] = topology[AMD_BUS + 1];
    return true;
}

static void identify_gpu(struct orr_device_info *out, cl_device_id device)
{
    cl_uint place[4]; /* the fourth is the function */
    unsigned char uuid[ORR_GPU_UUID_BYTES];
    const bool placed = read_place(place, device);
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

static int opencl_list(struct orr_device_info *out, int capacity)
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

/* Fills what is known of a device before it is opened. ORR_EUNSUPPORTED when it is not here. */
static int find_device(struct opencl_device *out, cl_platform_id *platform, const char *id)
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

/* --- errors, the queue and its times --- */

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
    int code = find_device(device, &platform, id);
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
    .list = opencl_list,
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
