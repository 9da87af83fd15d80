/* SPDX-License-Identifier: MIT */
/* The state of the machine: co-runners, settings, and how steadily a core computes. */
#include "measure/system_state.h"

#include <dirent.h>
#include <limits.h>
#include <math.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "device/cuda_abi.h"
#include "error.h"
#include "process.h"
#include "memory.h"
#include "machine.h"
#include "text.h"
#include "measure/stats.h"

/* --- co-runners: what other programs do while a cell is measured --- */

/* A thread that waits so long for its core makes a step with a barrier that much longer; the
 * daemons of a quiet machine need less, and more of them on a larger one. */
static const double LIMIT_CORES = 0.1, LIMIT_SHARE = 0.005;
/* A cell on a GPU keeps two threads busy, its own and the driver's: others have to leave that. */
static const double GPU_CORES = 2;
/* The kernel counts the time of a core in ticks; what that misjudges grows with the square root of
 * their number. */
static const double TICKS = 2;
/* A driver is waited for so long: while a cell is measured, and before the run. */
static const double PROBE_S = 5, SETTINGS_S = 10;

/* --- processes --- */

struct process {
    long pid, parent;
    double ticks; /* its own, and of children that have ended */
    bool own;
};
struct processes {
    struct process *items;
    size_t count;
};

/* Behind the name, which may hold anything: state, parent and, from the 14th field, times. */
static bool read_process(struct process *out, const char *proc, const char *pid)
{
    char path[PATH_MAX], text[1024];
    unsigned long long own[2];
    long long children[2];
    snprintf(path, sizeof path, "%s/%s/stat", proc, pid);
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    const char *rest = strrchr(text, ')');
    *out = (struct process){.pid = strtol(pid, NULL, 10)};
    if (!rest ||
        sscanf(rest + 1, " %*c %ld %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %lld %lld",
               &out->parent, &own[0], &own[1], &children[0], &children[1]) != 5)
        return false;
    out->ticks = (double)own[0] + (double)own[1] + (double)children[0] + (double)children[1];
    return true;
}

static const struct process *find_process(const struct processes *in, long pid)
{
    for (size_t k = 0; k < in->count; k++)
        if (in->items[k].pid == pid)
            return &in->items[k];
    return NULL;
}

static bool is_below(const struct processes *in, const struct process *process, pid_t root)
{
    for (size_t k = 0; process && process->pid != root && k < in->count; k++)
        process = find_process(in, process->parent);
    return process && process->pid == root;
}

static int is_number(const struct dirent *entry)
{
    return !entry->d_name[strspn(entry->d_name, "0123456789")];
}

/* False without any. */
static bool list_processes(struct processes *out, const struct orr_system_state_of *of)
{
    struct dirent **names = NULL;
    int count = scandir(of->proc, &names, is_number, NULL);
    *out = (struct processes){0};
    if (count > 0)
        out->items = orr_memory_get((size_t)count * sizeof *out->items);
    for (int k = 0; k < count; k++) {
        out->count += read_process(&out->items[out->count], of->proc, names[k]->d_name);
        free(names[k]);
    }
    free(names);
    for (size_t k = 0; k < out->count; k++)
        out->items[k].own = is_below(out, &out->items[k], of->root);
    return out->count > 0;
}

/* --- the processor --- */

/* Ticks in which the core did something, stolen ones among them: someone had it. The first line,
 * "cpu" and a space, is the sum over all cores. */
static bool read_core(const char *line, int *cpu, double *busy, double *all)
{
    unsigned long long t[8];
    if (!strncmp(line, "cpu ", 4) ||
        sscanf(line, "cpu%9d %llu %llu %llu %llu %llu %llu %llu %llu", cpu, &t[0], &t[1], &t[2],
               &t[3], &t[4], &t[5], &t[6], &t[7]) != 9)
        return false;
    *busy = (double)(t[0] + t[1] + t[2] + t[5] + t[6] + t[7]);
    *all = *busy + (double)(t[3] + t[4]);
    return true;
}

/* Sums over the cores that the root may use. False where the kernel does not count, as in some
 * sandboxes. */
static bool read_cores(struct orr_cpu_use *out, const struct orr_system_state_of *of)
{
    char path[PATH_MAX], line[512];
    cpu_set_t usable;
    double sum = 0, busy, all, tick = 1.0 / (double)sysconf(_SC_CLK_TCK);
    int cpu;
    bool bound = !sched_getaffinity(of->root, sizeof usable, &usable);
    snprintf(path, sizeof path, "%s/stat", of->proc);
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file))
        if (read_core(line, &cpu, &busy, &all) &&
            (!bound || (cpu < CPU_SETSIZE && CPU_ISSET(cpu, &usable)))) {
            out->cpus++;
            out->all_s += busy * tick;
            sum += all;
        }
    if (file)
        fclose(file);
    return sum > 0;
}

/* Cores, on average, that others may use before a cell is marked. */
static double limit_of(int cpus, bool on_cores)
{
    double limit = fmax(LIMIT_CORES, LIMIT_SHARE * cpus);
    return on_cores ? limit : fmax(limit, cpus - GPU_CORES);
}

/* --- the GPU --- */

enum { MOST_PROCESSES = 256 };

/* [[pid, bytes], ...]; in a child, for it loads a driver's library. */
static int list_in_child(json_t **out, void *context)
{
    static struct orr_nvml_process found[MOST_PROCESSES];
    struct orr_device_info info = {0};
    struct nvmlDevice_st *gpu;
    unsigned count = MOST_PROCESSES;
    snprintf(info.pci, sizeof info.pci, "%s", (const char *)context);
    const struct orr_nvml_api *nvml = orr_device_nvml(&info, &gpu);
    if (!nvml || !nvml->processes ||
        nvml->processes(gpu, &count, (struct nvmlProcessInfo_st *)found))
        return orr_fail(ORR_EUNSUPPORTED, "NVML does not tell");
    *out = json_array();
    for (unsigned k = 0; k < count && k < MOST_PROCESSES; k++) {
        bool known = found[k].bytes != ~0ULL;
        json_array_append_new(
            *out, json_pack("[i, f]", (int)found[k].pid, known ? (double)found[k].bytes : 0.0));
    }
    return 0;
}

/* The worker is among them. In a container it may have a number that we do not know, or nobody is
 * told at all. */
static void count_others(struct orr_gpu_use *out, const json_t *list, const struct processes *in)
{
    size_t k;
    const json_t *entry;
    bool has_own = false, has_unknown = false;
    double unknown_bytes = 0;
    json_array_foreach (list, k, entry) {
        double bytes = json_number_value(json_array_get(entry, 1));
        const struct process *process =
            find_process(in, (long)json_integer_value(json_array_get(entry, 0)));
        if (process && process->own) {
            has_own = true;
            continue;
        }
        if (!process) {
            has_unknown = true;
            unknown_bytes = bytes;
        }
        out->count++;
        out->bytes += bytes;
    }
    out->known = has_own || has_unknown;
    if (!has_own && has_unknown) {
        out->count--;
        out->bytes -= unknown_bytes;
    }
}

/* NVML is asked by a child of this process: the worker could answer what it likes. */
static int ask_nvml(json_t **out, const char *pci)
{
    static struct orr_probe probe; /* opening NVML takes longer than many a cell */
    static char asked[32];
    static bool fails; /* not to be waited for again */
    int code = 0;
    if (fails)
        return ORR_EUNSUPPORTED;
    if (strcmp(asked, pci))
        orr_probe_end(&probe, NULL, 0);
    snprintf(asked, sizeof asked, "%s", pci);
    if (!probe.child)
        code = orr_probe_start(&probe, true, list_in_child, asked);
    if (!code)
        code = orr_probe_ask(&probe, out, PROBE_S);
    fails = code != 0;
    if (fails)
        orr_probe_end(&probe, NULL, 0);
    return code;
}

/* --- beginning and end --- */

void orr_system_state_begin(struct orr_system_state *out, const struct orr_system_state_of *of)
{
    struct processes processes;
    json_t *on_gpu = NULL;
    *out = (struct orr_system_state){.of = *of};
    if (*of->pci && ask_nvml(&on_gpu, of->pci))
        orr_error_clear();
    const bool counts = read_cores(&out->cpu, of);
    out->cpu.known = list_processes(&processes, of) && counts;
    for (size_t k = 0; k < processes.count; k++)
        if (processes.items[k].own)
            out->cpu.own_s += processes.items[k].ticks / (double)sysconf(_SC_CLK_TCK);
    out->since = orr_clock_now();
    if (on_gpu && processes.count)
        count_others(&out->gpu, on_gpu, &processes);
    free(processes.items);
    json_decref(on_gpu);
}

double orr_system_state_unsure(int cpus, double seconds)
{
    return TICKS * sqrt(cpus) / (double)sysconf(_SC_CLK_TCK) / seconds;
}

static void add_cpu(json_t *out, char *co_runners, size_t size, const struct orr_system_state *s,
                    const struct orr_system_state *now)
{
    const double seconds = now->since - s->since;
    const int cpus = now->cpu.cpus;
    if (!s->cpu.known || !now->cpu.known || seconds <= 0)
        return;
    double others_s = (now->cpu.all_s - s->cpu.all_s) - (now->cpu.own_s - s->cpu.own_s);
    double cores = fmin(fmax(0, others_s) / seconds, cpus);
    json_object_set_new(out, "cpus", json_integer(cpus));
    json_object_set_new(out, "others_cores", json_real(cores));
    if (others_s >
        seconds * (orr_system_state_unsure(cpus, seconds) + limit_of(cpus, s->of.on_cores)))
        snprintf(co_runners, size, "others used %.2g of %d core%s", cores, cpus,
                 cpus == 1 ? "" : "s");
}

static void add_gpu(json_t *out, char *co_runners, size_t size, const struct orr_gpu_use *begun,
                    const struct orr_gpu_use *now)
{
    if (!begun->known || !now->known)
        return;
    int count = now->count > begun->count ? now->count : begun->count;
    size_t used = strlen(co_runners);
    json_object_set_new(out, "gpu_processes", json_pack("[i, i]", begun->count, now->count));
    json_object_set_new(out, "gpu_bytes", json_pack("[f, f]", begun->bytes, now->bytes));
    if (count)
        snprintf(co_runners + used, size - used, "%s%d other process%s on the GPU, %.0f MiB",
                 used ? "; " : "", count, count == 1 ? "" : "es",
                 fmax(now->bytes, begun->bytes) / 1048576);
}

json_t *orr_system_state_end(const struct orr_system_state *begun, char *co_runners, size_t size)
{
    struct orr_system_state now;
    const double load = orr_system_number("%s/loadavg", begun->of.proc);
    orr_system_state_begin(&now, &begun->of);
    json_t *out = json_pack("{s:f}", "seconds", now.since - begun->since);
    if (!isnan(load))
        json_object_set_new(out, "load", json_real(load));
    co_runners[0] = '\0';
    add_cpu(out, co_runners, size, begun, &now);
    add_gpu(out, co_runners, size, &begun->gpu, &now.gpu);
    return out;
}

/* --- settings of the processor --- */

#define CPU_FOLDER "/sys/devices/system/cpu"

static void set_text(json_t *to, const char *name, const char *text)
{
    json_object_set_new(to, name, json_string(text)); /* NULL, no member, where it is not UTF-8 */
}

static bool find_line(char *out, size_t size, const char *root, const char *path, const char *key)
{
    char whole[PATH_MAX];
    snprintf(whole, sizeof whole, "%s%s", root, path);
    return orr_system_field(out, size, whole, key);
}

/* Counts the numbers of a list such as "0-3,8". */
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

/* Small files of which each makes one member. */
static void add_files(json_t *to, const char *root)
{
    static const struct {
        const char *name, *path;
        enum { TEXT, LIST, TRUE_IF_1, TRUE_IF_0, CHOSEN } as;
    } files[] = {
        {"frequency_driver", CPU_FOLDER "/cpu0/cpufreq/scaling_driver", TEXT},
        {"boost", CPU_FOLDER "/cpufreq/boost", TRUE_IF_1},
        {"boost", CPU_FOLDER "/intel_pstate/no_turbo", TRUE_IF_0},
        {"smt", CPU_FOLDER "/smt/control", TEXT},
        {"huge_pages", "/sys/kernel/mm/transparent_hugepage/enabled", CHOSEN},
        {"numa_nodes", "/sys/devices/system/node/online", LIST},
        {"cpus_online", CPU_FOLDER "/online", LIST},
    };
    char text[1024], chosen[64];
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        const char *name = files[k].name;
        if (json_object_get(to, name) ||
            !orr_system_line(text, sizeof text, "%s%s", root, files[k].path) || !*text)
            continue;
        if (files[k].as == TEXT)
            set_text(to, name, text);
        else if (files[k].as == LIST)
            json_object_set_new(to, name, json_integer(count_list(text)));
        else if (files[k].as != CHOSEN)
            json_object_set_new(to, name,
                                json_boolean(*text == (files[k].as == TRUE_IF_1 ? '1' : '0')));
        else if (sscanf(text, "%*[^[][%63[^]]", chosen) == 1) /* "always [madvise] never" */
            set_text(to, name, chosen);
    }
}

/* The governor of all cores, or "mixed" if they differ. */
static void add_governor(json_t *to, const char *root)
{
    char governor[64] = "", text[64];
    for (int cpu = 0; orr_system_line(text, sizeof text,
                                      "%s" CPU_FOLDER "/cpu%d/cpufreq/scaling_governor", root, cpu);
         cpu++)
        if (!cpu)
            strcpy(governor, text);
        else if (strcmp(governor, text) != 0)
            strcpy(governor, "mixed");
    if (*governor)
        set_text(to, "governor", governor);
}

/* Cores that the groups of the process may use, the least of all above it; INFINITY without a
 * limit. */
static double read_quota(const char *root)
{
    char group[1024] = "", text[64];
    double least = INFINITY, quota, period;
    find_line(group, sizeof group, root, "/proc/self/cgroup", "0::");
    for (;;) {
        size_t length = strlen(group);
        while (length && group[length - 1] == '/')
            group[--length] = '\0';
        if (orr_system_line(text, sizeof text, "%s/sys/fs/cgroup%s/cpu.max", root, group) &&
            sscanf(text, "%lf %lf", &quota, &period) == 2 && period > 0)
            least = fmin(least, quota / period);
        char *last = strrchr(group, '/');
        if (!last)
            break;
        *last = '\0';
    }
    /* the older kind of groups */
    quota = orr_system_number("%s/sys/fs/cgroup/cpu/cpu.cfs_quota_us", root);
    period = orr_system_number("%s/sys/fs/cgroup/cpu/cpu.cfs_period_us", root);
    if (quota > 0 && period > 0)
        least = fmin(least, quota / period);
    return least;
}

static json_t *describe_host(const char *root)
{
    json_t *out = json_object();
    char text[4096];
    const double quota = read_quota(root);
    add_governor(out, root);
    add_files(out, root);
    if (find_line(text, sizeof text, root, "/proc/self/status", "Cpus_allowed_list")) {
        set_text(out, "cpus_allowed_list", text);
        json_object_set_new(out, "cpus_allowed", json_integer(count_list(text)));
    }
    if (isfinite(quota))
        json_object_set_new(out, "cpu_quota", json_real(quota));
    /* Virtual machines say so by a flag of their processor. */
    if (!find_line(text, sizeof text, root, "/proc/cpuinfo", "flags"))
        return out;
    const bool is_virtual = strstr(text, " hypervisor") != NULL;
    json_object_set_new(out, "virtual", json_boolean(is_virtual));
    if (is_virtual &&
        orr_system_line(text, sizeof text, "%s/sys/class/dmi/id/product_name", root) && *text)
        set_text(out, "virtual_product", text);
    return out;
}

/* --- the GPUs --- */

struct asked {
    const struct orr_device_info *devices;
    int count;
};

/* Tells what NVML answers, where it has the verb. */
#define TELL(name, value, verb, ...)                 \
    if (nvml->verb && !nvml->verb(gpu, __VA_ARGS__)) \
    json_object_set_new(out, name, value)

static json_t *describe_gpu(const struct orr_nvml_api *nvml, struct nvmlDevice_st *gpu)
{
    static const char *const compute_modes[] = {"default", "exclusive thread", "prohibited",
                                                "exclusive process"};
    json_t *out = json_object();
    unsigned v = 0, next = 0;
    TELL("power_limit_w", json_real(1e-3 * v), power_limit, &v);
    TELL("default_power_limit_w", json_real(1e-3 * v), default_power_limit, &v);
    TELL("enforced_power_limit_w", json_real(1e-3 * v), enforced_power_limit, &v);
    TELL("application_sm_mhz", json_integer(v), application_clock, ORR_NVML_CLOCK_SM, &v);
    TELL("application_memory_mhz", json_integer(v), application_clock, ORR_NVML_CLOCK_MEMORY, &v);
    TELL("max_sm_mhz", json_integer(v), max_clock, ORR_NVML_CLOCK_SM, &v);
    TELL("max_memory_mhz", json_integer(v), max_clock, ORR_NVML_CLOCK_MEMORY, &v);
    TELL("ecc", json_boolean(v), ecc, &v, &next);
    TELL("mig", json_boolean(v), mig, &v, &next);
    TELL("persistence", json_boolean(v), persistence, &v);
    if (nvml->compute_mode && !nvml->compute_mode(gpu, &v) &&
        v < sizeof compute_modes / sizeof *compute_modes)
        json_object_set_new(out, "compute_mode", json_string(compute_modes[v]));
    return out;
}

/* Runs in a child. A GPU has one object, whatever number of backends finds it. */
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
        const struct orr_nvml_api *nvml = seen ? NULL : orr_device_nvml(device, &gpu);
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
    if (any && orr_forked_probe(&out, describe_gpus, &asked, SETTINGS_S))
        orr_error_clear(); /* a driver that fails costs this alone */
    return out ? out : json_array();
}

/* --- the process --- */

/* Settings of how threads and devices are used; no other variable, for they may be private. */
static bool is_recorded(const char *name)
{
    static const char names[] =
        "CUDA_VISIBLE_DEVICES CUDA_DEVICE_ORDER CUDA_LAUNCH_BLOCKING CUDA_CACHE_DISABLE "
        "CUDA_MODULE_LOADING CUDA_DEVICE_MAX_CONNECTIONS CUDA_AUTO_BOOST NVIDIA_VISIBLE_DEVICES "
        "GPU_DEVICE_ORDINAL ROCR_VISIBLE_DEVICES ONEAPI_DEVICE_SELECTOR POCL_AFFINITY "
        "POCL_DEVICES POCL_MAX_PTHREAD_COUNT POCL_CPU_MAX_CU_COUNT POCL_WORK_GROUP_METHOD "
        "GLIBC_TUNABLES MALLOC_ARENA_MAX ORRERY_GUARDS ORRERY_SPAN_SECONDS";
    return !strncmp(name, "OMP_", 4) || !strncmp(name, "GOMP_", 5) || !strncmp(name, "KMP_", 4) ||
           orr_text_lists(names, name);
}

static json_t *describe_variables(void)
{
    json_t *out = json_object();
    char name[64], value[256];
    for (char **at = environ; at && *at; at++) {
        const size_t length = strcspn(*at, "=");
        if (length >= sizeof name || !(*at)[length])
            continue;
        snprintf(name, sizeof name, "%.*s", (int)length, *at);
        snprintf(value, sizeof value, "%s", *at + length + 1);
        if (is_recorded(name))
            set_text(out, name, value);
    }
    return out;
}

json_t *orr_system_state_environment(const char *root, const struct orr_device_info *devices,
                                     int count)
{
    return json_pack("{s:o, s:o, s:o}", "host", describe_host(root), "gpus",
                     ask_gpus(devices, count), "variables", describe_variables());
}

/* --- how steadily a core computes --- */

static const double SLOW = 1.25;
/* Sums that do not wait for each other, as many as keep the units for floating-point numbers busy:
 * a loop of fewer would leave a neighbour room. */
enum { SUMS = 16, PASSES = 10000, MOST = 100000, SPELLS = 11 };
static const double SPELL_S = 0.1;

double orr_system_state_slow(const double *seconds, size_t count)
{
    const double usual = orr_stats_median(seconds, count);
    double slow = 0, all = 0;
    for (size_t k = 0; k < count; k++) {
        slow += seconds[k] > SLOW * usual ? seconds[k] : 0;
        all += seconds[k];
    }
    return all > 0 ? slow / all : 0;
}

static double compute(void)
{
    double sums[SUMS], all = 0;
    for (int s = 0; s < SUMS; s++)
        sums[s] = s;
    for (int k = 0; k < PASSES; k++)
        for (int s = 0; s < SUMS; s++)
            sums[s] = sums[s] * 0.999 + 0.1;
    for (int s = 0; s < SUMS; s++)
        all += sums[s];
    return all;
}

static double slow_spell(void)
{
    static double taken[MOST];
    size_t count = 0;
    double begin = orr_clock_now(), before = begin;
    volatile double kept = 0; /* or the compiler sees that nobody wants it */
    while (count < MOST && before - begin < SPELL_S) {
        kept = compute();
        double after = orr_clock_now();
        taken[count++] = after - before;
        before = after;
    }
    (void)kept;
    return orr_system_state_slow(taken, count);
}

double orr_system_state_unsteadiness(void)
{
    double slow[SPELLS];
    for (int k = 0; k < SPELLS; k++)
        slow[k] = slow_spell();
    return orr_stats_median(slow, SPELLS);
}
