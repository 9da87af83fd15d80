#include "measure/surroundings.h"

#include <dirent.h>
#include <limits.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "device/gpu.h"
#include "error.h"
#include "forked_probe.h"
#include "json_member.h"

/* A thread that waits so long for its core makes a step with a barrier that much longer; the
 * daemons of a quiet machine need less, and more of them on a larger one. */
static const double LIMIT_CORES = 0.1, LIMIT_SHARE = 0.005;
/* A cell on a GPU keeps two threads busy, its own and the driver's: others have to leave that. */
static const double GPU_CORES = 2;
/* The kernel counts the time of a core in ticks; what that misjudges grows with the square root of
 * their number. */
static const double TICKS = 2;
static const double PROBE_S = 5;

/* --- processes --- */

struct process {
    long pid, parent;
    double ticks; /* its own, and of children that have ended */
    bool own;
};
struct processes {
    struct process *items;
    size_t count, room;
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

static bool add_process(struct processes *to, const struct process *process)
{
    if (to->count == to->room) {
        size_t room = to->room ? 2 * to->room : 256;
        struct process *more = realloc(to->items, room * sizeof *more);
        if (!more)
            return false;
        to->items = more;
        to->room = room;
    }
    to->items[to->count++] = *process;
    return true;
}

/* The root and all below it. */
static void mark_own(struct processes *processes, pid_t root)
{
    bool more = true;
    for (size_t k = 0; k < processes->count; k++)
        processes->items[k].own = processes->items[k].pid == root;
    while (more) {
        more = false;
        for (size_t k = 0; k < processes->count; k++)
            for (size_t p = 0; !processes->items[k].own && p < processes->count; p++)
                if (processes->items[p].own &&
                    processes->items[p].pid == processes->items[k].parent)
                    more = processes->items[k].own = true;
    }
}

/* False without any, or without memory. */
static bool list_processes(struct processes *out, const struct orr_surroundings_of *of)
{
    *out = (struct processes){0};
    DIR *folder = opendir(of->proc);
    const struct dirent *entry;
    bool good = folder != NULL;
    while (good && (entry = readdir(folder))) {
        struct process process;
        if (strspn(entry->d_name, "0123456789") == strlen(entry->d_name) &&
            read_process(&process, of->proc, entry->d_name))
            good = add_process(out, &process);
    }
    if (folder)
        closedir(folder);
    if (good)
        mark_own(out, of->root);
    return good && out->count;
}

/* --- the processor --- */

/* Ticks in which the core did something, stolen ones among them: someone had it. */
static bool read_core(const char *line, int *cpu, double *busy, double *all)
{
    unsigned long long t[8];
    if (sscanf(line, "cpu%9d %llu %llu %llu %llu %llu %llu %llu %llu", cpu, &t[0], &t[1], &t[2],
               &t[3], &t[4], &t[5], &t[6], &t[7]) != 9)
        return false;
    *busy = (double)(t[0] + t[1] + t[2] + t[5] + t[6] + t[7]);
    *all = *busy + (double)(t[3] + t[4]);
    return true;
}

/* Of the cores that the root may use. False where the kernel does not count, as in some sandboxes.
 */
static bool read_cores(struct orr_cpu_use *out, const struct orr_surroundings_of *of)
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

void orr_surroundings_read_cpu(struct orr_cpu_use *out, const struct orr_surroundings_of *of)
{
    struct processes processes = {0};
    *out = (struct orr_cpu_use){0};
    out->known = read_cores(out, of) && list_processes(&processes, of);
    for (size_t k = 0; out->known && k < processes.count; k++)
        if (processes.items[k].own)
            out->own_s += processes.items[k].ticks / (double)sysconf(_SC_CLK_TCK);
    free(processes.items);
}

double orr_surroundings_limit(int cpus, bool on_cores)
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
    const struct orr_nvml_api *nvml = orr_gpu_nvml(&info, &gpu);
    if (!nvml || !nvml->processes ||
        nvml->processes(gpu, &count, (struct nvmlProcessInfo_st *)found))
        return orr_fail(ORR_EUNSUPPORTED, "NVML does not tell");
    *out = json_array();
    for (unsigned k = 0; k < count && k < MOST_PROCESSES; k++) {
        bool told = found[k].bytes != ~0ULL;
        json_array_append_new(
            *out, json_pack("[i, f]", (int)found[k].pid, told ? (double)found[k].bytes : 0.0));
    }
    return 0;
}

static const struct process *find_process(const struct processes *in, long pid)
{
    for (size_t k = 0; k < in->count; k++)
        if (in->items[k].pid == pid)
            return &in->items[k];
    return NULL;
}

/* The worker is among them. In a container it may have a number that we do not know, or nobody is
 * told at all. */
static void sort_out(struct orr_gpu_use *out, const json_t *list, const struct processes *in)
{
    size_t k;
    const json_t *entry;
    bool own_seen = false, strangers = false;
    double stranger_bytes = 0;
    json_array_foreach(list, k, entry)
    {
        double bytes = json_number_value(json_array_get(entry, 1));
        const struct process *process =
            find_process(in, (long)json_integer_value(json_array_get(entry, 0)));
        if (process && process->own) {
            own_seen = true;
            continue;
        }
        if (!process) {
            strangers = true;
            stranger_bytes = bytes;
        }
        out->count++;
        out->bytes += bytes;
    }
    out->known = own_seen || strangers;
    if (!own_seen && strangers) {
        out->count--;
        out->bytes -= stranger_bytes;
    }
}

/* The worker's is another, which could say what it likes. */
static int ask_nvml(json_t **out, const char *pci)
{
    static struct orr_kept_probe probe; /* opening NVML takes longer than many a cell */
    static char asked[32];
    static bool fails; /* not to be waited for again */
    int code = 0;
    if (fails)
        return ORR_EUNSUPPORTED;
    if (strcmp(asked, pci))
        orr_kept_probe_end(&probe);
    snprintf(asked, sizeof asked, "%s", pci);
    if (!probe.child)
        code = orr_kept_probe_start(&probe, list_in_child, asked);
    if (!code)
        code = orr_kept_probe_ask(&probe, out, PROBE_S);
    fails = code != 0;
    if (fails)
        orr_kept_probe_end(&probe);
    return code;
}

static void read_gpu(struct orr_gpu_use *out, const struct orr_surroundings_of *of)
{
    struct processes processes;
    json_t *list = NULL;
    *out = (struct orr_gpu_use){0};
    if (!*of->pci)
        return;
    if (ask_nvml(&list, of->pci)) {
        orr_error_clear();
        return;
    }
    if (list_processes(&processes, of))
        sort_out(out, list, &processes);
    free(processes.items);
    json_decref(list);
}

/* --- beginning and end --- */

void orr_surroundings_begin(struct orr_surroundings *out, const struct orr_surroundings_of *of)
{
    *out = (struct orr_surroundings){.of = *of};
    read_gpu(&out->gpu, of);
    orr_surroundings_read_cpu(&out->cpu, of);
    out->since = orr_clock_now();
}

double orr_surroundings_unsure(int cpus, double seconds)
{
    return TICKS * sqrt(cpus) / (double)sysconf(_SC_CLK_TCK) / seconds;
}

static double read_load(const char *proc)
{
    char path[PATH_MAX];
    double load = NAN;
    snprintf(path, sizeof path, "%s/loadavg", proc);
    FILE *file = fopen(path, "re");
    if (file && fscanf(file, "%lf", &load) != 1)
        load = NAN;
    if (file)
        fclose(file);
    return load;
}

static void tell_cpu(json_t *out, char *beside, size_t size, const struct orr_surroundings *s)
{
    struct orr_cpu_use now;
    double seconds = orr_clock_now() - s->since, load = read_load(s->of.proc);
    orr_surroundings_read_cpu(&now, &s->of);
    json_object_set_new(out, "seconds", json_real(seconds));
    if (!isnan(load))
        json_object_set_new(out, "load", json_real(load));
    if (!s->cpu.known || !now.known || seconds <= 0)
        return;
    double others_s = (now.all_s - s->cpu.all_s) - (now.own_s - s->cpu.own_s);
    double cores = fmin(fmax(0, others_s) / seconds, now.cpus);
    json_object_set_new(out, "cpus", json_integer(now.cpus));
    json_object_set_new(out, "others_cores", json_real(cores));
    if (others_s > seconds * (orr_surroundings_unsure(now.cpus, seconds) +
                              orr_surroundings_limit(now.cpus, s->of.on_cores)))
        snprintf(beside, size, "others used %.2g of %d core%s", cores, now.cpus,
                 now.cpus == 1 ? "" : "s");
}

static void tell_gpu(json_t *out, char *beside, size_t size, const struct orr_surroundings *s)
{
    struct orr_gpu_use now;
    read_gpu(&now, &s->of);
    if (!s->gpu.known || !now.known)
        return;
    int count = now.count > s->gpu.count ? now.count : s->gpu.count;
    double bytes = fmax(now.bytes, s->gpu.bytes);
    size_t used = strlen(beside);
    json_object_set_new(out, "gpu_processes", json_pack("[i, i]", s->gpu.count, now.count));
    json_object_set_new(out, "gpu_bytes", json_pack("[f, f]", s->gpu.bytes, now.bytes));
    if (count)
        snprintf(beside + used, size - used, "%s%d other process%s on the GPU, %.0f MiB",
                 used ? "; " : "", count, count == 1 ? "" : "es", bytes / 1048576);
}

json_t *orr_surroundings_end(const struct orr_surroundings *begun, char *beside, size_t size)
{
    json_t *out = json_object();
    beside[0] = '\0';
    if (out) {
        tell_cpu(out, beside, size, begun);
        tell_gpu(out, beside, size, begun);
    }
    return out;
}
