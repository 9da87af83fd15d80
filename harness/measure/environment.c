#include "measure/environment.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/gpu.h"
#include "error.h"
#include "forked_probe.h"

static const double PROBE_S = 10;
#define CPU_FOLDER "/sys/devices/system/cpu"

/* --- files of one line --- */

static bool read_line(char *out, size_t size, const char *root, const char *path)
{
    char whole[PATH_MAX];
    snprintf(whole, sizeof whole, "%s%s", root, path);
    FILE *file = fopen(whole, "re");
    bool found = file && fgets(out, (int)size, file);
    if (file)
        fclose(file);
    if (found)
        out[strcspn(out, "\n")] = '\0';
    return found;
}

static void set_text(json_t *to, const char *name, const char *text)
{
    json_object_set_new(to, name, json_string(text)); /* NULL, no member, where it is not UTF-8 */
}

static void copy_line(json_t *to, const char *name, const char *root, const char *path)
{
    char text[256];
    if (read_line(text, sizeof text, root, path) && *text)
        set_text(to, name, text);
}

/* The rest of the line of a file that begins with `key`. */
static bool find_line(char *out, size_t size, const char *root, const char *path, const char *key)
{
    char whole[PATH_MAX], line[4096];
    bool found = false;
    snprintf(whole, sizeof whole, "%s%s", root, path);
    FILE *file = fopen(whole, "re");
    while (file && !found && fgets(line, sizeof line, file))
        if ((found = !strncmp(line, key, strlen(key)))) {
            const char *rest = line + strlen(key);
            rest += strspn(rest, " \t:");
            snprintf(out, size, "%.*s", (int)strcspn(rest, "\n"), rest);
        }
    if (file)
        fclose(file);
    return found;
}

/* --- the processor --- */

/* That of all cores, "mixed" where they differ. */
static void tell_governor(json_t *to, const char *root)
{
    char first[64] = "", text[64], path[128];
    for (int cpu = 0;; cpu++) {
        snprintf(path, sizeof path, CPU_FOLDER "/cpu%d/cpufreq/scaling_governor", cpu);
        if (!read_line(text, sizeof text, root, path))
            break;
        if (!cpu)
            snprintf(first, sizeof first, "%s", text);
        else if (strcmp(first, text) != 0)
            snprintf(first, sizeof first, "mixed");
    }
    if (*first)
        set_text(to, "governor", first);
    copy_line(to, "frequency_driver", root, CPU_FOLDER "/cpu0/cpufreq/scaling_driver");
}

static void tell_boost(json_t *to, const char *root)
{
    char text[16];
    if (read_line(text, sizeof text, root, CPU_FOLDER "/cpufreq/boost"))
        json_object_set_new(to, "boost", json_boolean(*text == '1'));
    else if (read_line(text, sizeof text, root, CPU_FOLDER "/intel_pstate/no_turbo"))
        json_object_set_new(to, "boost", json_boolean(*text == '0'));
}

/* "always [madvise] never" */
static void tell_huge_pages(json_t *to, const char *root)
{
    char text[128];
    if (!read_line(text, sizeof text, root, "/sys/kernel/mm/transparent_hugepage/enabled"))
        return;
    char *from = strchr(text, '['), *end = from ? strchr(from, ']') : NULL;
    if (!end)
        return;
    *end = '\0';
    set_text(to, "huge_pages", from + 1);
}

/* How many a list such as "0-3,8" names. */
static int count_list(const char *list)
{
    int count = 0;
    while (*list) {
        char *end;
        long first = strtol(list, &end, 10), last = first;
        if (end == list)
            break;
        if (*end == '-')
            last = strtol(end + 1, &end, 10);
        count += (int)(last - first + 1);
        list = end + (*end == ',');
    }
    return count;
}

static void tell_places(json_t *to, const char *root)
{
    char text[1024];
    if (read_line(text, sizeof text, root, "/sys/devices/system/node/online") && *text)
        json_object_set_new(to, "numa_nodes", json_integer(count_list(text)));
    if (read_line(text, sizeof text, root, CPU_FOLDER "/online") && *text)
        json_object_set_new(to, "cpus_online", json_integer(count_list(text)));
    if (!find_line(text, sizeof text, root, "/proc/self/status", "Cpus_allowed_list"))
        return;
    set_text(to, "cpus_allowed_list", text);
    json_object_set_new(to, "cpus_allowed", json_integer(count_list(text)));
}

/* Cores that the groups of the process may use, the least of all above it; INFINITY without a
 * limit. */
static double read_quota(const char *root)
{
    char group[1024] = "", path[1200], text[64];
    double least = INFINITY, quota, period;
    find_line(group, sizeof group, root, "/proc/self/cgroup", "0::");
    for (;;) {
        size_t length = strlen(group);
        while (length && group[length - 1] == '/')
            group[--length] = '\0';
        snprintf(path, sizeof path, "/sys/fs/cgroup%s/cpu.max", group);
        if (read_line(text, sizeof text, root, path) &&
            sscanf(text, "%lf %lf", &quota, &period) == 2 && period > 0)
            least = fmin(least, quota / period);
        char *last = strrchr(group, '/');
        if (!last)
            break;
        *last = '\0';
    }
    /* the older kind of groups */
    if (read_line(text, sizeof text, root, "/sys/fs/cgroup/cpu/cpu.cfs_quota_us") &&
        (quota = strtod(text, NULL)) > 0 &&
        read_line(text, sizeof text, root, "/sys/fs/cgroup/cpu/cpu.cfs_period_us") &&
        (period = strtod(text, NULL)) > 0)
        least = fmin(least, quota / period);
    return least;
}

/* Virtual machines say so by a flag of their processor. */
static void tell_virtual(json_t *to, const char *root)
{
    char flags[4096];
    if (!find_line(flags, sizeof flags, root, "/proc/cpuinfo", "flags"))
        return;
    bool is = strstr(flags, " hypervisor") != NULL;
    json_object_set_new(to, "virtual", json_boolean(is));
    if (is)
        copy_line(to, "virtual_product", root, "/sys/class/dmi/id/product_name");
}

static json_t *describe_host(const char *root)
{
    json_t *out = json_object();
    double quota = read_quota(root);
    tell_governor(out, root);
    tell_boost(out, root);
    copy_line(out, "smt", root, CPU_FOLDER "/smt/control");
    tell_huge_pages(out, root);
    tell_places(out, root);
    if (isfinite(quota))
        json_object_set_new(out, "cpu_quota", json_real(quota));
    tell_virtual(out, root);
    return out;
}

/* --- the GPUs --- */

struct asked {
    const struct orr_device_info *devices;
    int count;
};

/* Whether NVML has the verb and answers; what it says is behind the pointers of the arguments. */
#define ASK(verb, ...) (nvml->verb && !nvml->verb(gpu, __VA_ARGS__))

static void set_watts(json_t *to, const char *name, bool told, const unsigned *milliwatt)
{
    if (told)
        json_object_set_new(to, name, json_real(1e-3 * *milliwatt));
}

static void set_number(json_t *to, const char *name, bool told, const unsigned *value)
{
    if (told)
        json_object_set_new(to, name, json_integer(*value));
}

static void set_mode(json_t *to, const char *name, bool told, const unsigned *value)
{
    if (told)
        json_object_set_new(to, name, json_boolean(*value));
}

static json_t *describe_gpu(const struct orr_nvml_api *nvml, struct nvmlDevice_st *gpu)
{
    static const char *const compute_modes[] = {"default", "exclusive thread", "prohibited",
                                                "exclusive process"};
    json_t *out = json_object();
    unsigned v = 0, next = 0;
    set_watts(out, "power_limit_w", ASK(power_limit, &v), &v);
    set_watts(out, "default_power_limit_w", ASK(default_power_limit, &v), &v);
    set_watts(out, "enforced_power_limit_w", ASK(enforced_power_limit, &v), &v);
    set_number(out, "application_sm_mhz", ASK(application_clock, ORR_NVML_CLOCK_SM, &v), &v);
    set_number(out, "application_memory_mhz", ASK(application_clock, ORR_NVML_CLOCK_MEMORY, &v),
               &v);
    set_number(out, "max_sm_mhz", ASK(max_clock, ORR_NVML_CLOCK_SM, &v), &v);
    set_number(out, "max_memory_mhz", ASK(max_clock, ORR_NVML_CLOCK_MEMORY, &v), &v);
    set_mode(out, "ecc", ASK(ecc, &v, &next), &v);
    set_mode(out, "mig", ASK(mig, &v, &next), &v);
    set_mode(out, "persistence", ASK(persistence, &v), &v);
    if (ASK(compute_mode, &v) && v < sizeof compute_modes / sizeof *compute_modes)
        json_object_set_new(out, "compute_mode", json_string(compute_modes[v]));
    return out;
}

/* In a child: one object for each GPU, whatever number of backends finds it. */
static int describe_gpus(json_t **out, void *context)
{
    const struct asked *asked = context;
    *out = json_array();
    for (int k = 0; k < asked->count; k++) {
        const struct orr_device_info *device = &asked->devices[k];
        struct nvmlDevice_st *gpu;
        bool seen = !*device->pci;
        for (int j = 0; j < k; j++)
            seen |= !strcmp(asked->devices[j].pci, device->pci);
        const struct orr_nvml_api *nvml = seen ? NULL : orr_gpu_nvml(device, &gpu);
        if (!nvml)
            continue;
        json_t *about = describe_gpu(nvml, gpu);
        json_object_set_new(about, "pci", json_string(device->pci));
        json_object_set_new(about, "uuid", json_string(device->uuid));
        json_object_set_new(about, "name", json_string(device->name));
        json_array_append_new(*out, about);
    }
    return 0;
}

static json_t *ask_gpus(const struct orr_device_info *devices, int count)
{
    struct asked asked = {devices, count};
    json_t *out = NULL;
    bool any = false;
    for (int k = 0; k < count; k++)
        any |= *devices[k].pci != '\0';
    if (any && orr_forked_probe(&out, describe_gpus, &asked, PROBE_S))
        orr_error_clear(); /* a driver that fails costs this alone */
    return out ? out : json_array();
}

/* --- the process --- */

/* Settings of how threads and devices are used; no other variable, for they may be private. */
static bool is_told(const char *variable, size_t length)
{
    static const char *const beginnings[] = {"OMP_", "GOMP_", "KMP_"};
    static const char *const names[] = {
        "CUDA_VISIBLE_DEVICES",   "CUDA_DEVICE_ORDER",      "CUDA_LAUNCH_BLOCKING",
        "CUDA_CACHE_DISABLE",     "CUDA_MODULE_LOADING",    "CUDA_DEVICE_MAX_CONNECTIONS",
        "CUDA_AUTO_BOOST",        "NVIDIA_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL",
        "ROCR_VISIBLE_DEVICES",   "ONEAPI_DEVICE_SELECTOR", "POCL_AFFINITY",
        "POCL_DEVICES",           "POCL_MAX_PTHREAD_COUNT", "POCL_CPU_MAX_CU_COUNT",
        "POCL_WORK_GROUP_METHOD", "GLIBC_TUNABLES",         "MALLOC_ARENA_MAX",
        "ORRERY_GUARDS",          "ORRERY_SPAN_SECONDS"};
    for (size_t k = 0; k < sizeof beginnings / sizeof *beginnings; k++)
        if (!strncmp(variable, beginnings[k], strlen(beginnings[k])))
            return true;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strlen(names[k]) == length && !strncmp(variable, names[k], length))
            return true;
    return false;
}

static json_t *describe_variables(void)
{
    json_t *out = json_object();
    for (char **at = environ; at && *at; at++) {
        size_t length = strcspn(*at, "=");
        char name[64], value[256];
        if (!is_told(*at, length) || length >= sizeof name || !(*at)[length])
            continue;
        snprintf(name, sizeof name, "%.*s", (int)length, *at);
        snprintf(value, sizeof value, "%s", *at + length + 1);
        set_text(out, name, value);
    }
    return out;
}

json_t *orr_environment_describe(const char *root, const struct orr_device_info *devices, int count)
{
    return json_pack("{s:o, s:o, s:o}", "host", describe_host(root), "gpus",
                     ask_gpus(devices, count), "variables", describe_variables());
}
