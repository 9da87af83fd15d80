/* SPDX-License-Identifier: MIT */
/* orrery doctor: what this machine has and lacks. Drivers are touched in child processes only, one
 * for each device. */
#include <errno.h>
#include <stdarg.h>
#include <unistd.h>

#include "cli/cli.h"
#include "device/backend.h"
#include "device/cuda_abi.h"
#include "text.h"
#include "paths.h"
#include "process.h"
#include "machine.h"
#include "measure/ceiling.h"
#include "measure/counters.h"
#include "measure/device_lock.h"
#include "measure/system_state.h"
#include "plan/paper.h"
#include "plugin/plugin.h"
#include "worker/rank_library.h"

enum { PROBE_SECONDS = 60 };
enum state { OK, WARNING, MISSING, FAILED };
static const char *const state_names[] = {"ok", "warning", "missing", "FAILED"};

/* What to do about the last finding, unless it is ok. */
static void advise(json_t *findings, const char *advice)
{
    json_t *last = json_array_get(findings, json_array_size(findings) - 1);
    if (advice && !orr_json_is(last, "state", state_names[OK]))
        json_object_set_new(last, "advice", json_string(advice));
}

/* One line of the table. What to do about an item that is not ok stands in commands.txt, or the
 * caller advises. */
__attribute__((format(printf, 4, 5))) static void add(json_t *findings, enum state state,
                                                      const char *item, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *what = orr_memory_format(format, arguments);
    va_end(arguments);
    json_array_append_new(findings, json_pack("{s:s, s:s, s:s}", "item", item, "state",
                                              state_names[state], "what", *what ? what : "-"));
    free(what);
    advise(findings, orr_options_row("advice", item));
}

/* `what` is there, or `why` it is not; NULL: the recorded error, which is cleared, says it. */
static void add_found(json_t *findings, bool found, const char *item, const char *what,
                      const char *why)
{
    add(findings, found ? OK : MISSING, item, "%s", found ? what : why ? why : orr_error_text());
    orr_error_clear();
}

/* `reason` is "cause; remedy", or "" where `what` is so. */
static void add_counters(json_t *findings, const char *item, const char *reason, const char *what)
{
    const char *remedy = strstr(reason, "; ");
    add(findings, *reason ? MISSING : OK, item, "%.*s", remedy ? (int)(remedy - reason) : 511,
        *reason ? reason : what);
    advise(findings, remedy ? remedy + 2 : orr_options_row("advice", "counters"));
}

/* The recorded error, which is cleared. */
static void add_error(json_t *findings, const char *item)
{
    add(findings, FAILED, item, "%s", orr_error_text());
    orr_error_clear();
}

static void check_machine(json_t *findings)
{
    struct orr_machine m;
    orr_machine_describe(&m);
    add(findings, OK, "processor", "%s, %d cores, %d threads, %s", m.cpu, m.cores, m.threads,
        m.simd);
    add(findings, OK, "memory", "%.1f GiB", (double)m.memory_bytes / (1 << 30));
    add(findings, OK, "system", "%s, %s", m.os, m.kernel);
}

/* The kernel tells how much others compute, on all cores, as it does of each cell of a run. A loop
 * on the core of this thread shows what it does not tell: a neighbour on the core's other thread,
 * or another virtual machine. */
static void check_cores(json_t *findings)
{
    static const double MOST = 0.02;
    const struct orr_system_state_of of = {"/proc", getpid(), "", true};
    struct orr_system_state around;
    char others[96], what[192] = "steady";
    orr_system_state_begin(&around, &of);
    const double slow = orr_system_state_unsteadiness();
    json_decref(orr_system_state_end(&around, others, sizeof others));
    const bool busy = *others != '\0', unsteady = slow > MOST;
    if (unsteady)
        snprintf(what, sizeof what,
                 "unsteady: below 4/5 of its usual speed for %.2g %% of the time", 100 * slow);
    add(findings, busy || unsteady ? WARNING : OK, "cores", "%s%s%s", what, busy ? "; " : "",
        others);
}

/* --- drivers, in a child, for one may crash; *out is an array of findings --- */

static int probe_opencl(json_t **out, void *context)
{
    char names[512], why[512];
    int count = orr_opencl_platforms(names, sizeof names);
    (void)context;
    *out = json_array();
    orr_device_no_opencl(why, sizeof why, "", NULL, 0);
    add_found(*out, count, "OpenCL", names, "the loader is there, but no platform");
    advise(*out, why);
    return 0;
}

static int probe_cuda(json_t **out, void *context)
{
    (void)context;
    json_t *findings = *out = json_array();
    const char *why;
    char text[96], driver[80] = "";
    int version = 0;
    uint32_t cupti_version = 0;
    const struct orr_cuda_api *cuda = orr_cuda_library(ORR_CUDA_DRIVER, &why);
    const bool speaks = cuda && !cuda->driver_version(&version);
    snprintf(text, sizeof text, "speaks CUDA %d.%d", version / 1000, version % 1000 / 10);
    add_found(findings, speaks, "CUDA driver", text, why);
    const bool compiles = orr_cuda_library(ORR_CUDA_NVRTC, &why);
    add_found(findings, compiles, "NVRTC", orr_cuda_nvrtc_version(), why);
    const struct orr_nvml_api *nvml = orr_cuda_library(ORR_CUDA_NVML, &why);
    if (nvml && nvml->driver_version(driver, sizeof driver - 1))
        snprintf(driver, sizeof driver, "loaded");
    snprintf(text, sizeof text, "driver %s", driver);
    add_found(findings, nvml, "NVML", text, why);
    const struct orr_cupti_api *cupti = orr_cuda_library(ORR_CUDA_CUPTI, &why);
    const bool tells = cupti && !cupti->version(&cupti_version);
    snprintf(text, sizeof text, "version %u", cupti_version);
    add_found(findings, tells, "CUPTI", text, cupti ? "it does not tell its version" : why);
    return 0;
}

static void check_driver(json_t *findings, const char *backend, int (*probe)(json_t **, void *))
{
    json_auto_t *more = NULL;
    if (!orr_device_may_load(backend))
        return;
    if (orr_forked_probe(&more, probe, NULL, PROBE_SECONDS))
        add_error(findings, backend);
    json_array_extend(findings, more);
}

static void check_drivers(json_t *findings, const struct orr_device_probe *found)
{
    bool has_opencl = false;
    size_t before = json_array_size(findings);
    check_driver(findings, "opencl", probe_opencl);
    bool has_platform = orr_json_is(json_array_get(findings, before), "state", state_names[OK]);
    check_driver(findings, "cuda", probe_cuda);
    for (int k = 0; k < found->count; k++)
        has_opencl |= !strcmp(found->devices[k].backend, "opencl");
    if (has_platform && !has_opencl)
        add(findings, FAILED, "OpenCL device", "the platform offers none");
}

/* --- devices --- */

/* "; no sensor of its clock": of a GPU that computed, what its sensors did not tell. */
static void list_missing(char *out, size_t size, const json_t *seen)
{
    static const char *const sensors[][2] = {{"clock_mhz_median", "clock"},
                                             {"power_w_median", "power"},
                                             {"temperature_c_max", "temperature"}};
    size_t used = 0;
    *out = '\0';
    for (size_t k = 0; k < sizeof sensors / sizeof *sensors; k++)
        if (!json_object_get(seen, sensors[k][0]))
            used += (size_t)snprintf(out + used, size - used, "%s%s",
                                     used ? ", " : "; no sensor of its ", sensors[k][1]);
}

/* In a child: opens the device, compiles, runs and verifies the kernels that measure its
 * ceiling. */
static int probe_device(json_t **out, void *context)
{
    const char *id = context;
    struct orr_device *device;
    struct orr_ceiling ceiling;
    char mix[32], fma[32], missing[64] = "";
    json_auto_t *seen = NULL;
    int code = orr_device_open(&device, id);
    if (code)
        return code;
    code = orr_ceiling_measure(device, &ceiling, &seen);
    if (!code) {
        const char *why, *clock = orr_device_kernel_clock(device, &why);
        if (device->info.kind == ORR_DEVICE_GPU)
            list_missing(missing, sizeof missing, seen);
        *out = json_sprintf(
            "%s: computes; ceiling %s, %s; kernels timed by %s%s%s%s%s", device->info.name,
            orr_format_si(mix, sizeof mix, ceiling.interactions_per_second, "int/s"),
            orr_format_si(fma, sizeof fma, ceiling.fma_per_second, "fma/s"), clock,
            *why ? " (" : "", why, *why ? ")" : "", missing);
    }
    orr_device_close(device);
    return code;
}

/* Runs in a child: begins to count, which fails where the driver refuses. */
static int probe_gpu_counters(json_t **out, void *context)
{
    const char *id = context;
    struct orr_device *device;
    void *state = NULL;
    int code = orr_device_open(&device, id);
    if (code)
        return code;
    *out = json_true();
    code =
        orr_counters_cupti_hardware.open(&state, &orr_counters_cupti_hardware, device, UINT32_MAX);
    if (state)
        orr_counters_cupti_hardware.close(state);
    orr_device_close(device);
    return code;
}

static void check_gpu_counters(json_t *findings, struct orr_device_info *info)
{
    json_auto_t *works = NULL;
    char item[64];
    if (!orr_counters_cupti_hardware.suits(info))
        return;
    snprintf(item, sizeof item, "counters %s", info->id);
    orr_forked_probe(&works, probe_gpu_counters, info->id, PROBE_SECONDS);
    add_counters(findings, item, orr_error_text(), "CUPTI counts what kernels do");
    orr_error_clear();
}

static void check_device(json_t *findings, struct orr_device_info *info)
{
    json_auto_t *what = NULL;
    char item[64], advice[640];
    const int used = snprintf(advice, sizeof advice, "%s", orr_options_row("advice", "device"));
    if (!strncmp(info->platform, "PoCL", 4))
        orr_device_pocl_advice(advice + used, sizeof advice - (size_t)used, "; perhaps ");
    snprintf(item, sizeof item, "device %s", info->id);
    if (orr_forked_probe(&what, probe_device, info->id, PROBE_SECONDS))
        add_error(findings, item);
    else
        add(findings, OK, item, "%s", json_string_value(what));
    advise(findings, advice);
}

/* "governor performance, boost yes" of the members that are told, in their order. */
static void add_settings(json_t *findings, const char *item, json_t *of)
{
    const char *name, *between = "";
    json_t *value;
    char *text, shown[128];
    size_t size;
    FILE *to = orr_memory_stream(&text, &size);
    json_object_foreach (of, name, value) {
        fprintf(to, "%s%s %s", between, name, orr_cli_table_value(shown, sizeof shown, value));
        between = ", ";
    }
    fclose(to);
    for (char *c = text; (c = strchr(c, '_'));)
        *c = ' ';
    add(findings, OK, item, "%s", text);
    free(text);
}

/* Times depend on these settings, which a run records. */
static void check_settings(json_t *findings, const struct orr_device_probe *found)
{
    json_auto_t *all = orr_system_state_environment("", found->devices, found->count);
    size_t k;
    json_t *gpu;
    add_settings(findings, "settings", json_object_get(all, "host"));
    json_array_foreach (json_object_get(all, "gpus"), k, gpu)
        add_settings(findings, "GPU settings", gpu);
}

/* NCCL matters where several CUDA devices may share a step. */
static void check_nccl(json_t *findings, const struct orr_device_probe *found)
{
    char text[192];
    int cuda = 0;
    const struct orr_rank_library *ranks = orr_rank_library();
    orr_error_clear();
    for (int k = 0; k < found->count; k++)
        cuda += !strncmp(found->devices[k].id, "cuda:", 5);
    if (ranks && cuda > 1)
        add(findings, ranks->nccl(text, sizeof text) ? OK : MISSING, "NCCL", "%s", text);
}

static void check_devices(json_t *findings)
{
    struct orr_device_probe found;
    struct orr_names left_out = {0};
    if (orr_device_probe(&found, false, &left_out))
        add_error(findings, "devices");
    for (size_t k = 0; k < left_out.count; k++)
        add(findings, FAILED, "drivers", "%s", left_out.items[k]);
    orr_names_free(left_out.items);
    check_drivers(findings, &found);
    for (int k = 0; k < found.count; k++) {
        check_device(findings, &found.devices[k]);
        check_gpu_counters(findings, &found.devices[k]);
    }
    check_settings(findings, &found);
    check_nccl(findings, &found);
}

/* --- what the build, the machine and its folders have --- */

static void check_build(json_t *findings)
{
    bool hdf5 = false, seccomp = false;
#ifdef ORR_HAVE_HDF5
    hdf5 = true;
#endif
#ifdef ORR_HAVE_SECCOMP
    seccomp = true;
#endif
    static const char not_built[] = "not built in";
    add_found(findings, hdf5, "HDF5", "built in: Gadget snapshots can be read", not_built);
    add_found(findings, seccomp, "libseccomp", "built in: --sandbox confines plugins", not_built);
    add_found(findings, !orr_rank_library_check(), "ranks",
              "MPI found: orrery run --ranks shares a step", NULL);
}

static void check_counters(json_t *findings)
{
    char names[512] = "";
    json_auto_t *rows = json_array();
    const char *missing = orr_counters_papi_start(rows);
    json_t *row;
    size_t k, used = 0;
    json_array_foreach (rows, k, row)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", k ? ", " : "",
                                 orr_json_text(row, "name"));
    add_counters(findings, "processor counters", missing, names);
}

/* Can it, or the nearest folder above that exists, be written to? */
static void check_folder(json_t *findings, const char *item, const char *path)
{
    char nearest[1024], *slash;
    snprintf(nearest, sizeof nearest, "%s", path);
    while (access(nearest, F_OK) && (slash = strrchr(nearest, '/')) && slash != nearest)
        *slash = '\0';
    const bool writable = !access(access(nearest, F_OK) ? "." : nearest, W_OK | X_OK);
    add(findings, writable ? OK : FAILED, item, "%s%s%s", path, writable ? "" : ": ",
        writable ? "" : strerror(errno));
}

static void check_files(json_t *findings)
{
    char cache[1024], tool[1024];
    const bool drawn = orr_paths_find_tool(tool, sizeof tool, "gnuplot");
    add_found(findings, drawn, "gnuplot", tool, "not on PATH");
    const bool known = !orr_paths_cache(cache, sizeof cache);
    add(findings, known && orr_cache_store("doctor", "probe", NULL, 0) ? OK : FAILED,
        "kernel cache", "%s", known ? cache : orr_error_text());
    orr_cache_forget("doctor");
    check_folder(findings, "results", "results");
    check_folder(findings, "locks", orr_device_lock_folder());
    orr_error_clear();
}

static void check_papers(json_t *findings)
{
    char **folders;
    if (orr_paths_papers(&folders))
        add_error(findings, "papers");
    for (char **folder = folders; folder && *folder; folder++)
        add(findings, OK, "papers", "%s", *folder);
    orr_names_free(folders);
}

static void check_plugins(json_t *findings)
{
    char **names, folder[1024] = "";
    int good = 0;
    orr_paths_plugins(folder, sizeof folder);
    if (orr_plugin_names(&names)) {
        add_error(findings, "plugins");
        return;
    }
    for (char **name = names; *name; name++) {
        struct orr_inspection inspection = {0};
        if (!orr_plugin_inspect(&inspection, *name)) {
            good++;
        } else {
            add_error(findings, *name);
            advise(findings, orr_options_row("advice", "plugin"));
        }
        orr_inspect_release(&inspection);
    }
    orr_names_free(names);
    add(findings, good ? OK : MISSING, "variants", "%d in %s", good, folder);
}

/* A misspelt variable would silently change nothing. */
static void check_variables(json_t *findings)
{
    struct orr_names known = {0};
    char hint[128], name[128];
    orr_options_variables(&known);
    for (char **variable = environ; *variable; variable++) {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(*variable, "="), *variable);
        if (orr_names_has(known.items, name) && !strncmp(name, "ORRERY_", 7))
            add(findings, OK, "variable", "%s", *variable);
        else if (!strncmp(name, "ORRERY_", 7))
            add(findings, MISSING, "variable", "nothing reads %s%s", name,
                orr_text_hint(hint, sizeof hint, name, (const char *const *)known.items,
                              known.count));
    }
    orr_names_free(known.items);
}

int orr_cli_doctor(int argc, char **argv)
{
    /* Variables are read before the program sets some itself. */
    static void (*const checks[])(json_t * findings) = {
        check_machine,  check_cores, check_variables, check_devices, check_build,
        check_counters, check_files, check_papers,    check_plugins};
    bool json = false, works = false;
    size_t k;
    json_t *finding;
    json_auto_t *findings = json_array();
    const struct orr_option options[] = {{"json", &json}};
    int code = orr_options_parse("doctor", ORR_OPTIONS(options), argc, argv, NULL);
    for (k = 0; !code && k < sizeof checks / sizeof *checks; k++)
        checks[k](findings);
    json_array_foreach (findings, k, finding) {
        const char *item = orr_json_text(finding, "item"), *state = orr_json_text(finding, "state"),
                   *advice = orr_json_text(finding, "advice");
        works |= !strncmp(item, "device ", 7) && !strcmp(state, state_names[OK]);
        if (json)
            continue;
        printf("%-8s %-18s %s\n", state, item, orr_json_text(finding, "what"));
        if (advice)
            printf("%-27s   -> %s\n", "", advice);
    }
    if (!code && json)
        code = orr_cli_table_json(findings);
    return code ? code : works ? ORR_EXIT_OK : ORR_EXIT_DEVICE;
}
