/* SPDX-License-Identifier: MIT */
/* orrery doctor: what this machine has and lacks. Drivers are touched in child processes only, one
 * for each device. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "device/backend.h"
#include "device/cuda_abi.h"
#include "error.h"
#include "json_member.h"
#include "names.h"
#include "format_value.h"
#include "paths.h"
#include "process.h"
#include "machine.h"
#include "measure/ceiling.h"
#include "measure/counters.h"
#include "measure/device_lock.h"
#include "measure/sensors.h"
#include "measure/system_state.h"
#include "plan/paper.h"
#include "plugin/plugin.h"
#include "present/plot.h"
#include "run/rank_library.h"
#include "text.h"

enum { PROBE_SECONDS = 60 };
static const char driver_advice[] = "reinstall or remove it; without it everything else works";
enum state { OK, WARNING, MISSING, FAILED };
static const char *const state_names[] = {"ok", "warning", "missing", "FAILED"};

/* One line of the table. `advice` is what to install or do, NULL when there is nothing to do. */
static void add_finding(json_t *findings, enum state state, const char *item, const char *advice,
                        const char *format, ...) __attribute__((format(printf, 5, 6)));
static void add_finding(json_t *findings, enum state state, const char *item, const char *advice,
                        const char *format, ...)
{
    char what[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    json_t *finding = json_pack("{s:s, s:s, s:s}", "item", item, "state", state_names[state],
                                "what", what[0] ? what : "-");
    if (finding && advice && state != OK)
        json_object_set_new(finding, "advice", json_string(advice));
    json_array_append_new(findings, finding);
}

/* `reason` is "cause; remedy", or "" where `what` is so. */
static void add_counters(json_t *findings, const char *item, const char *reason, const char *what)
{
    const char *remedy = strstr(reason, "; ");
    int cause = remedy ? (int)(remedy - reason) : (int)strlen(reason);
    add_finding(findings, *reason ? MISSING : OK, item,
                remedy ? remedy + 2 : "nothing that we know of; everything else works without",
                "%.*s", *reason ? cause : (int)strlen(what), *reason ? reason : what);
}

/* The recorded error, which is cleared. */
static void add_error(json_t *findings, const char *item, const char *advice)
{
    add_finding(findings, FAILED, item, advice, "%s", orr_error_text());
    orr_error_clear();
}

static void check_machine(json_t *findings)
{
    struct orr_machine m;
    orr_machine_describe(&m);
    add_finding(findings, OK, "processor", NULL, "%s, %d cores, %d threads, %s", m.cpu, m.cores,
                m.threads, m.simd);
    add_finding(findings, OK, "memory", NULL, "%.1f GiB", (double)m.memory_bytes / (1 << 30));
    add_finding(findings, OK, "system", NULL, "%s, %s", m.os, m.kernel);
}

/* Only the core that this thread is on is watched. */
static void check_steadiness(json_t *findings)
{
    static const double SECONDS = 0.3, MOST = 0.02;
    double slow = orr_system_state_steadiness(SECONDS);
    add_finding(findings, slow > MOST ? WARNING : OK, "cores",
                "other programs or virtual machines use them: measure when it is quiet, with more "
                "--repeats",
                "%s: below 4/5 of full speed for %.2g %% of %g s",
                slow > MOST ? "unsteady" : "steady", 100 * slow, SECONDS);
}

static void check_opencl(json_t *findings)
{
    char names[512], why[512];
    int count = orr_opencl_platforms(names, sizeof names);
    orr_device_no_opencl(why, sizeof why, "", NULL, 0);
    add_finding(findings, count ? OK : MISSING, "OpenCL", why, "%s",
                count ? names : "the loader is there, but no platform");
}

static void check_cupti(json_t *findings)
{
    const char *why;
    uint32_t version = 0;
    const struct orr_cupti_api *cupti = orr_cuda_load_cupti(&why);
    if (cupti && !cupti->version(&version))
        add_finding(findings, OK, "CUPTI", NULL, "version %u", version);
    else
        add_finding(
            findings, MISSING, "CUPTI",
            "for the kernels' own timestamps: install the CUDA toolkit's libcupti, or name it with "
            "ORRERY_CUPTI; kernels are timed by device events meanwhile",
            "%s", cupti ? "it does not tell its version" : why);
}

static void check_cuda(json_t *findings)
{
    const char *why;
    int version = 0;
    char driver[96] = "";
    const struct orr_cuda_api *cuda = orr_cuda_load(&why);
    if (cuda && !cuda->driver_version(&version))
        add_finding(findings, OK, "CUDA driver", NULL, "speaks CUDA %d.%d", version / 1000,
                    version % 1000 / 10);
    else
        add_finding(findings, MISSING, "CUDA driver",
                    "for an NVIDIA GPU: install its driver (Debian: nvidia-driver)", "%s", why);
    const struct orr_nvrtc_api *nvrtc = orr_cuda_load_nvrtc(&why);
    add_finding(
        findings, nvrtc ? OK : MISSING, "NVRTC",
        "for CUDA devices: install the CUDA toolkit's run-time compiler (libnvrtc) or put it on "
        "LD_LIBRARY_PATH",
        "%s", nvrtc ? orr_cuda_nvrtc_version() : why);
    const struct orr_nvml_api *nvml = orr_cuda_load_nvml(&why);
    if (nvml && nvml->driver_version(driver, sizeof driver - 1))
        snprintf(driver, sizeof driver, "loaded");
    add_finding(
        findings, nvml ? OK : MISSING, "NVML",
        "for clock and throttling of NVIDIA GPUs: install libnvidia-ml1 (comes with the driver)",
        "%s%s", nvml ? "driver " : "", nvml ? driver : why);
    check_cupti(findings);
}

/* Runs in a child, for a driver may crash: *out is an array of findings. */
static int probe_driver(json_t **out, void *context)
{
    void (*check)(json_t * findings) = *(void (**)(json_t *))context;
    *out = json_array();
    check(*out);
    return 0;
}

static void check_driver(json_t *findings, const char *backend, void (*check)(json_t *findings))
{
    json_t *more = NULL;
    if (!orr_device_may_load(backend))
        return;
    if (orr_forked_probe(&more, probe_driver, &check, PROBE_SECONDS))
        add_error(findings, backend, driver_advice);
    json_array_extend(findings, more);
    json_decref(more);
}

static void check_drivers(json_t *findings, const struct orr_device_probe *found)
{
    bool has_opencl = false;
    size_t before = json_array_size(findings);
    check_driver(findings, "opencl", check_opencl);
    const char *state = orr_json_text(json_array_get(findings, before), "state");
    bool has_platform = state && !strcmp(state, state_names[OK]);
    check_driver(findings, "cuda", check_cuda);
    for (int k = 0; k < found->count; k++)
        has_opencl |= !strcmp(found->devices[k].backend, "opencl");
    if (has_platform && !has_opencl)
        add_finding(findings, FAILED, "OpenCL device",
                    "see whether HOME can be written to, and what clinfo says", "%s",
                    "the platform offers none");
}

/* In a child: opens the device, compiles, runs and verifies the kernels that measure its
 * ceiling. */
static int probe_device(json_t **out, void *context)
{
    const char *id = context;
    struct orr_device *device;
    struct orr_ceiling ceiling;
    char mix[32], fma[32], missing[64] = "";
    int code = orr_device_open(&device, id);
    if (code)
        return code;
    code = orr_ceiling_measure(device, &ceiling, NULL);
    if (!code) {
        const char *why, *clock = orr_device_kernel_clock(device, &why);
        if (device->info.kind == ORR_DEVICE_GPU)
            orr_sensors_missing(missing, sizeof missing, &device->info);
        *out = json_sprintf(
            "%s: computes; ceiling %s, %s; kernels timed by %s%s%s%s%s%s", device->info.name,
            orr_format_si(mix, sizeof mix, ceiling.interactions_per_second, "int/s"),
            orr_format_si(fma, sizeof fma, ceiling.fma_per_second, "fma/s"), clock,
            *why ? " (" : "", why, *why ? ")" : "", *missing ? "; no sensor of its " : "", missing);
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
    json_t *works = NULL;
    char item[64];
    if (!orr_counters_cupti_hardware.suits(info))
        return;
    snprintf(item, sizeof item, "counters %s", info->id);
    orr_forked_probe(&works, probe_gpu_counters, info->id, PROBE_SECONDS);
    add_counters(findings, item, orr_error_text(), "CUPTI counts what kernels do");
    orr_error_clear();
    json_decref(works);
}

static bool check_device(json_t *findings, const struct orr_device_info *info)
{
    json_t *what = NULL;
    const char *id = info->id;
    char item[64], advice[640] = "leave it out with --device, or repair its driver";
    const size_t used = strlen(advice);
    if (!strncmp(info->platform, "PoCL", 4))
        orr_device_pocl_advice(advice + used, sizeof advice - used, "; perhaps ");
    snprintf(item, sizeof item, "device %s", id);
    if (orr_forked_probe(&what, probe_device, (void *)id, PROBE_SECONDS))
        add_error(findings, item, advice);
    else
        add_finding(findings, OK, item, NULL, "%s", json_string_value(what));
    bool works = what != NULL;
    json_decref(what);
    return works;
}

/* "governor performance, boost on, 650 W" of the members that are told, in their order. */
static void say_settings(char *out, size_t size, json_t *of)
{
    const char *name;
    json_t *value;
    size_t used = 0;
    out[0] = '\0';
    json_object_foreach (of, name, value) {
        char text[64];
        if (json_is_string(value))
            snprintf(text, sizeof text, "%s", json_string_value(value));
        else if (json_is_boolean(value))
            snprintf(text, sizeof text, "%s", json_is_true(value) ? "on" : "off");
        else
            snprintf(text, sizeof text, "%g", json_number_value(value));
        if (used < size)
            used +=
                (size_t)snprintf(out + used, size - used, "%s%s %s", used ? ", " : "", name, text);
    }
    for (char *c = out; *c; c++)
        if (*c == '_')
            *c = ' ';
}

/* Times depend on these settings, which a run records. */
static void check_settings(json_t *findings, const struct orr_device_probe *found)
{
    json_t *all = orr_system_state_environment("", found->devices, found->count), *gpu;
    char text[768];
    size_t k;
    say_settings(text, sizeof text, json_object_get(all, "host"));
    add_finding(findings, OK, "settings", NULL, "%s", text);
    json_array_foreach (json_object_get(all, "gpus"), k, gpu) {
        say_settings(text, sizeof text, gpu);
        add_finding(findings, OK, "GPU settings", NULL, "%s", text);
    }
    json_decref(all);
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
    if (!ranks || cuda < 2)
        return;
    bool there = ranks->nccl(text, sizeof text);
    add_finding(
        findings, there ? OK : MISSING, "NCCL",
        "for --ranks on CUDA devices: install libnccl2, or name it with ORRERY_NCCL; exchanges go "
        "through host memory meanwhile",
        "%s", text);
}

/* Returns how many devices work. */
static int check_devices(json_t *findings)
{
    struct orr_device_probe found;
    struct orr_names left_out = {0};
    int works = 0;
    if (orr_device_probe(&found, false, &left_out))
        add_error(findings, "devices", driver_advice);
    for (size_t k = 0; k < left_out.count; k++)
        add_finding(findings, FAILED, "drivers", driver_advice, "%s", left_out.items[k]);
    orr_names_free(left_out.items);
    check_drivers(findings, &found);
    for (int k = 0; k < found.count; k++) {
        works += check_device(findings, &found.devices[k]);
        check_gpu_counters(findings, &found.devices[k]);
    }
    check_settings(findings, &found);
    check_nccl(findings, &found);
    return works;
}

static void check_build(json_t *findings)
{
#ifdef ORR_HAVE_HDF5
    add_finding(findings, OK, "HDF5", NULL, "built in: Gadget snapshots can be read");
#else
    add_finding(findings, MISSING, "HDF5",
                "for Gadget snapshots: install libhdf5-dev and build again", "not built in");
#endif
#ifdef ORR_HAVE_SECCOMP
    add_finding(findings, OK, "libseccomp", NULL, "built in: --sandbox confines plugins");
#else
    add_finding(findings, MISSING, "libseccomp",
                "for --sandbox: install libseccomp-dev and build again", "not built in");
#endif
#ifdef ORR_HAVE_HWLOC
    add_finding(findings, OK, "hwloc", NULL, "built in");
#else
    add_finding(findings, MISSING, "hwloc",
                "install libhwloc-dev and build again; cores are counted from /sys meanwhile",
                "not built in");
#endif
}

static void check_ranks(json_t *findings)
{
    if (orr_rank_library_check())
        add_finding(
            findings, MISSING, "ranks",
            "for orrery run --ranks: install openmpi-bin and libopenmpi-dev and build again", "%s",
            orr_error_text());
    else
        add_finding(findings, OK, "ranks", NULL, "MPI found: orrery run --ranks shares a step");
    orr_error_clear();
}

/* Only starting the counters tells whether they work. */
static void check_counters(json_t *findings)
{
    char names[512] = "";
    json_t *rows = orr_counters_papi_rows(), *row;
    size_t k, used = 0;
    json_array_foreach (rows, k, row) {
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", k ? ", " : "",
                                 orr_json_text(row, "name"));
    }
    add_counters(findings, "processor counters", orr_counters_papi_missing(), names);
    json_decref(rows);
}

static void check_gnuplot(json_t *findings)
{
    char file[1024];
    bool found = orr_plot_find_gnuplot(file, sizeof file);
    add_finding(findings, found ? OK : MISSING, "gnuplot", "for figures: install gnuplot-nox", "%s",
                found ? file : "not on PATH");
}

/* A folder counts as writable when it, or the nearest folder above that exists, can be written
 * to. */
static void check_folder(json_t *findings, const char *item, const char *path, const char *advice)
{
    char nearest[1024];
    snprintf(nearest, sizeof nearest, "%s", path);
    while (access(nearest, F_OK) && strrchr(nearest, '/') && strrchr(nearest, '/') != nearest)
        *strrchr(nearest, '/') = '\0';
    if (access(nearest, F_OK))
        snprintf(nearest, sizeof nearest, ".");
    if (access(nearest, W_OK | X_OK))
        add_finding(findings, FAILED, item, advice, "%s: %s", path, strerror(errno));
    else
        add_finding(findings, OK, item, NULL, "%s", path);
}

static void check_folders(json_t *findings)
{
    char cache[1024];
    bool known = !orr_paths_cache(cache, sizeof cache);
    add_finding(findings, known && orr_cache_store("doctor", "probe", 6) ? OK : FAILED,
                "kernel cache",
                "set ORRERY_CACHE to a folder you can write to; kernels are compiled every time "
                "meanwhile",
                "%s", known ? cache : orr_error_text());
    orr_cache_forget("doctor");
    check_folder(findings, "results", "results", "name another folder with -o DIR");
    check_folder(findings, "locks", orr_device_lock_folder(),
                 "set ORRERY_LOCKS to a folder that all users share; runs do not wait for each "
                 "other meanwhile");
    orr_error_clear();
}

static void check_papers(json_t *findings)
{
    char folder[1024];
    int more;
    for (size_t k = 0; (more = orr_paths_papers(folder, sizeof folder, k)) > 0; k++)
        add_finding(findings, OK, "papers", NULL, "%s", folder);
    if (more < 0)
        add_error(findings, "papers", "make install, or correct ORRERY_HOME or ORRERY_PAPERS");
}

static void check_plugins(json_t *findings)
{
    char **names, folder[1024] = "";
    int good = 0;
    orr_paths_plugins(folder, sizeof folder);
    if (orr_plugin_names(&names)) {
        add_error(findings, "plugins", "run make");
        return;
    }
    for (char **name = names; *name; name++) {
        struct orr_inspection inspection = {0};
        if (orr_plugin_inspect(&inspection, *name))
            add_error(findings, *name, "build it again: make clean, make");
        else
            good++;
        orr_inspect_release(&inspection);
    }
    orr_names_free(names);
    add_finding(findings, good ? OK : MISSING, "variants",
                "run make, or set ORRERY_PLUGINS to their folder", "%d in %s", good, folder);
}

/* A misspelt variable would silently change nothing. */
static void check_variables(json_t *findings)
{
    struct orr_names known = {0};
    char hint[128];
    for (const struct orr_help_row *row = orr_options_environment; row->name; row++)
        orr_names_add(&known, "%s", row->name);
    for (char **variable = environ; *variable; variable++) {
        char name[128];
        if (strncmp(*variable, "ORRERY_", strlen("ORRERY_")) != 0)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(*variable, "="), *variable);
        if (orr_names_has(known.items, name))
            add_finding(findings, OK, "variable", NULL, "%s", *variable);
        else
            add_finding(findings, MISSING, "variable", "`orrery help environment` lists them",
                        "nothing reads %s%s", name,
                        orr_text_hint(hint, sizeof hint, name, (const char *const *)known.items,
                                      known.count));
    }
    orr_names_free(known.items);
    orr_error_clear();
}

static void print_findings(const json_t *findings)
{
    size_t k;
    json_t *finding;
    json_array_foreach (findings, k, finding) {
        const char *advice = orr_json_text(finding, "advice");
        printf("%-8s %-18s %s\n", orr_json_text(finding, "state"), orr_json_text(finding, "item"),
               orr_json_text(finding, "what"));
        if (advice)
            printf("%-8s %-18s   -> %s\n", "", "", advice);
    }
}

int orr_cli_doctor(int argc, char **argv)
{
    bool json = false;
    const struct orr_option options[] = {
        {"json", 0, ORR_OPTION_FLAG, &json, NULL, "one JSON array on stdout"},
    };
    const struct orr_options all = {
        "doctor [--json]",
        "Lists what this machine has and lacks; tries each device in a process of its own.",
        ORR_OPTION_TABLE(options)};
    int parsed = orr_options_parse(&all, argc, argv, NULL);
    if (parsed)
        return orr_cli_status(parsed);
    json_t *findings = json_array();
    check_machine(findings);
    check_steadiness(findings);
    check_variables(findings); /* before the program sets some itself */
    int works = check_devices(findings);
    check_build(findings);
    check_ranks(findings);
    check_counters(findings);
    check_gnuplot(findings);
    check_folders(findings);
    check_papers(findings);
    check_plugins(findings);
    if (!json)
        print_findings(findings);
    else
        orr_cli_table_json(json_incref(findings));
    json_decref(findings);
    return works ? ORR_EXIT_OK : ORR_EXIT_DEVICE;
}
