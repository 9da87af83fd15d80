/* SPDX-License-Identifier: MIT */
/* The table of backends, the list of devices over all of them, each driver asked in a process
 * apart, and opening by name. */
#include "device/device.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "clock.h"
#include "device/backend.h"
#include "error.h"
#include "process.h"
#include "memory.h"
#include "names.h"
#include "machine.h"
#include "text.h"

/* The backend that is preferred comes first. */
static const struct orr_device_ops *const backends[] = {&orr_cuda_ops, &orr_opencl_ops,
                                                        &orr_host_ops, NULL};

bool orr_device_may_load(const char *backend)
{
    const char *allowed = getenv("ORRERY_DRIVERS");
    return !allowed || backend == orr_host_ops.backend || orr_text_lists(allowed, backend);
}

struct asked;
static int list_apart(const struct orr_device_ops *ops, struct orr_device_info *out, int capacity,
                      struct asked *asked);

/* Asks each backend that is allowed, or the only one: here, or with `asked` apart, which may fail.
 */
static int list_by(struct orr_device_info *out, int capacity, const struct orr_device_ops *only,
                   struct asked *asked)
{
    struct orr_device_info *found = orr_memory_get(ORR_DEVICE_MOST * sizeof *found);
    int total = 0, here = 0, written = 0;
    for (int b = 0; here >= 0 && backends[b]; b++) {
        const int room = ORR_DEVICE_MOST - total;
        if ((only && backends[b] != only) || !orr_device_may_load(backends[b]->backend))
            continue;
        here = asked ? list_apart(backends[b], found + total, room, asked)
                     : backends[b]->list(found + total, room);
        total += here < 0 ? 0 : here < room ? here : room;
    }
    for (int others = 0; here >= 0 && others < 2; others++) /* GPUs first */
        for (int k = 0; k < total && written < capacity; k++)
            if ((found[k].kind != ORR_DEVICE_GPU) == others)
                out[written++] = found[k];
    free(found);
    return here < 0 ? here : written;
}

int orr_device_list(struct orr_device_info *out, int capacity)
{
    return list_by(out, capacity, NULL, NULL);
}

const struct orr_device_info *orr_device_called(const struct orr_device_info *devices, int count,
                                                const char *word)
{
    static const char *const kinds[] = {[ORR_DEVICE_HOST] = "cpu",
                                        [ORR_DEVICE_CPU] = "cpu",
                                        [ORR_DEVICE_GPU] = "gpu",
                                        [ORR_DEVICE_OTHER] = "other"};
    for (int k = 0; k < count; k++)
        if (!strcmp(devices[k].id, word))
            return &devices[k];
    for (int k = 0; k < count; k++)
        if (!strcmp(devices[k].backend, word) || !strcmp(kinds[devices[k].kind], word))
            return &devices[k];
    return NULL;
}

static int fail_absent(const char *id)
{
    char names[512] = "", why[512];
    size_t used = 0;
    struct orr_device_info *found = orr_memory_get(ORR_DEVICE_MOST * sizeof *found);
    const int count = orr_device_list(found, ORR_DEVICE_MOST);
    for (int k = 0; k < count && used < sizeof names; k++)
        used +=
            (size_t)snprintf(names + used, sizeof names - used, "%s%s", k ? ", " : "", found[k].id);
    orr_device_no_opencl(why, sizeof why, "; ", found, count);
    free(found);
    return orr_fail(ORR_EUNSUPPORTED, "there is no device '%s' here; there are: %s%s", id, names,
                    *why ? why : " (`orrery doctor` says what is missing)");
}

/* The backend named before the colon of `id`. */
static const struct orr_device_ops *backend_of(const char *id)
{
    size_t length = strcspn(id, ":");
    for (int b = 0; backends[b]; b++) {
        const char *name = backends[b]->backend;
        if (strlen(name) == length && !strncmp(name, id, length))
            return backends[b];
    }
    return NULL;
}

/* "gpu" is "cuda:0" here, say; of an id, only its own driver is asked. */
int orr_device_open(struct orr_device **out, const char *word)
{
    struct orr_device_info *found = orr_memory_get(ORR_DEVICE_MOST * sizeof *found);
    const int count = list_by(found, ORR_DEVICE_MOST, backend_of(word), NULL);
    const struct orr_device_info *device = orr_device_called(found, count, word);
    *out = NULL;
    int code = device ? backend_of(device->id)->open(out, device->id) : fail_absent(word);
    if (!code)
        orr_guard_attach(*out);
    free(found);
    return code;
}

void orr_device_close(struct orr_device *device)
{
    if (device)
        device->ops->close(device);
}

const char *orr_device_kernel_clock(struct orr_device *device, const char **why)
{
    *why = "";
    if (!device->ops->trace)
        return device->ops->clock;
    int code = device->ops->trace(device, true);
    if (!code)
        code = device->ops->trace(device, false);
    if (!code)
        return "kernel timestamps";
    *why = orr_error_text();
    return "events";
}

/* --- each driver apart; one that fails is left out --- */

static const double DRIVER_SECONDS = 30;
enum { MOST_DRIVERS = 32 };

struct asked {
    const struct orr_device_ops *ops;
    const char *folder;            /* of OpenCL's drivers; NULL: where they are */
    struct orr_device_info *infos; /* shared with the child; NULL: what it lists is its own */
    int count;                     /* of them; -1: the driver failed */
    struct orr_names *left_out;
    char allowed[64]; /* drivers that did not fail, for ORRERY_DRIVERS */
};

/* OpenCL's, each asked by itself, all at a time. */
struct drivers {
    glob_t files;
    int count;                            /* 0: none, or not asked yet */
    struct orr_probe alone[MOST_DRIVERS]; /* child 0: none */
};
static void ask_each(const struct asked *asked, struct drivers *drivers, double began);

static int list_in_child(json_t **out, void *context)
{
    const struct asked *asked = context;
    struct orr_device_info *infos =
        asked->infos ? asked->infos : orr_memory_get(ORR_DEVICE_MOST * sizeof *infos);
    if (asked->folder)
        setenv("OCL_ICD_VENDORS", asked->folder, 1);
    const int count = asked->ops->list(infos, ORR_DEVICE_MOST);
    *out = json_integer(count < ORR_DEVICE_MOST ? count : ORR_DEVICE_MOST);
    return 0;
}

/* Where all of `drivers` together take long, one may hang: each is asked alone meanwhile, so that
 * it costs its time once. */
static int ask_driver(struct asked *asked, const char *folder, struct drivers *drivers)
{
    static const double LONG = 0.1; /* of what they may take */
    const double limit = orr_forked_probe_limit(DRIVER_SECONDS);
    json_t *answer = NULL;
    struct orr_probe probe;
    asked->folder = folder;
    int code = orr_probe_start(&probe, false, list_in_child, asked);
    if (code)
        return code;
    if (drivers && !orr_probe_wait(&probe, LONG * limit))
        ask_each(asked, drivers, probe.began);
    code = orr_probe_end(&probe, &answer, limit);
    asked->count = code ? -1 : (int)json_integer_value(answer);
    json_decref(answer);
    return code;
}

/* An interrupt and a lack of memory end the listing; the failure of a driver costs its devices. */
static bool is_over(void)
{
    return orr_error_code() == ORR_EINTERRUPTED || orr_error_code() == ORR_EMEMORY;
}

static int leave_out(struct asked *asked, const char *what, const char *why)
{
    asked->count = -1;
    if (is_over())
        return orr_error_code();
    orr_names_add(asked->left_out, "the driver %s is left out: %s", what, why);
    orr_error_clear();
    return 0;
}

/* --- OpenCL's drivers as its loader finds them, and a choice of them. Both loaders in use, ocl-icd
 * and that of Khronos, take a folder of .icd files in OCL_ICD_VENDORS --- */

static const char *setting(const char *name, const char *otherwise)
{
    const char *text = getenv(name);
    return text && *text ? text : otherwise;
}

/* Absolute paths, for links to them. */
static bool find_files(glob_t *out, const char *folder, const char *name)
{
    char pattern[1024], *whole = realpath(folder, NULL);
    snprintf(pattern, sizeof pattern, "%s/%s", whole ? whole : "", name);
    bool found = whole && !glob(pattern, 0, NULL, out);
    free(whole);
    return found;
}

/* Their .icd files; none where OCL_ICD_VENDORS names a library. Returns how many. `place` is where
 * they were looked for. */
static int list_drivers(glob_t *out, const char **place)
{
    const char *standard = setting("OPENCL_VENDOR_PATH", "/etc/OpenCL/vendors"),
               *chosen = *place = setting("OCL_ICD_VENDORS", standard), *end = strrchr(chosen, '.');
    *out = (glob_t){0};
    if (!find_files(out, chosen, "*.icd") && end && !strcmp(end, ".icd") &&
        (strchr(chosen, '/') || !find_files(out, standard, chosen)))
        find_files(out, *chosen == '/' ? "/" : ".", chosen);
    return out->gl_pathc < MOST_DRIVERS ? (int)out->gl_pathc : MOST_DRIVERS;
}

void orr_device_no_opencl(char *out, size_t size, const char *before,
                          const struct orr_device_info *devices, int count)
{
    glob_t drivers;
    const char *place;
    bool any = !orr_device_may_load(orr_opencl_ops.backend);
    *out = '\0';
    for (int k = 0; k < count; k++)
        any |= !strcmp(devices[k].backend, orr_opencl_ops.backend);
    if (any)
        return;
    const int found = list_drivers(&drivers, &place);
    if (!found)
        snprintf(out, size,
                 "%sOpenCL finds no platform: there is no driver (.icd) in %s%s; install one "
                 "(Debian: pocl-opencl-icd, for the CPU), or name its folder in OCL_ICD_VENDORS",
                 before, place, getenv("OCL_ICD_VENDORS") ? " (OCL_ICD_VENDORS)" : "");
    else
        snprintf(
            out, size,
            "%sOpenCL's driver%s in %s offer%s no device: clinfo may say why, and PoCL needs a "
            "cache that it can write to (POCL_CACHE_DIR, or a folder of HOME)",
            before, found == 1 ? "" : "s", place, found == 1 ? "s" : "");
    globfree(&drivers);
}

/* A folder that holds only those whose bit is in `chosen`, for OCL_ICD_VENDORS. ORR_EIO. */
static int make_folder(char *path, size_t size, char *const *drivers, int count, uint64_t chosen)
{
    const char *parts[MOST_DRIVERS] = {NULL};
    size_t part_count = 0;
    for (int k = 0; k < count; k++)
        if (chosen >> k & 1)
            parts[part_count++] = drivers[k];
    if (!orr_cache_folder(path, size, parts, part_count))
        return orr_fail(ORR_EIO, "the kernel cache cannot be written to");
    for (size_t k = 0; k < part_count; k++) {
        char link[1024];
        snprintf(link, sizeof link, "%s%s", path, strrchr(parts[k], '/'));
        if (symlink(parts[k], link) && errno != EEXIST)
            return orr_fail(ORR_EIO, "cannot make %s: %s", link, strerror(errno));
    }
    return 0;
}

/* --- which of them work --- */

static const char *file_of(const char *driver)
{
    return strrchr(driver, '/') + 1;
}

/* Their seconds count from `began` on. */
static void ask_each(const struct asked *asked, struct drivers *drivers, double began)
{
    const char *place;
    char folder[1024];
    struct asked alone = {.ops = asked->ops, .folder = folder};
    drivers->count = list_drivers(&drivers->files, &place);
    for (int k = 0; k < drivers->count && drivers->count > 1; k++) {
        struct orr_probe *probe = &drivers->alone[k];
        if (make_folder(folder, sizeof folder, drivers->files.gl_pathv, drivers->count,
                        UINT64_C(1) << k) ||
            orr_probe_start(probe, false, list_in_child, &alone))
            *probe = (struct orr_probe){0};
        probe->began = began;
    }
    orr_error_clear();
}

/* Takes the code of a driver that was asked alone, after `seconds` at most; 0 ends it at once. */
static int end_probe(struct orr_probe *probe, double seconds)
{
    json_t *answer = NULL;
    int code = probe->child ? orr_probe_end(probe, &answer, seconds)
                            : orr_fail(ORR_EIO, "it cannot be asked alone");
    json_decref(answer);
    return code;
}

/* All together failed, with the error that is recorded: those that work alone are asked again. */
static int find_good_drivers(struct asked *asked, struct drivers *drivers)
{
    const double limit = orr_forked_probe_limit(DRIVER_SECONDS);
    char folder[1024], together[256];
    uint64_t good = 0;
    int code = 0;
    snprintf(together, sizeof together, "%s", orr_error_text());
    orr_error_clear();
    if (!drivers->count)
        ask_each(asked, drivers, orr_clock_now());
    char *const *files = drivers->files.gl_pathv;
    const int count = drivers->count;
    if (count < 2)
        return leave_out(asked, count ? file_of(*files) : "OpenCL", together);
    for (int k = 0; !code && k < count; k++)
        if (end_probe(&drivers->alone[k], limit))
            code = leave_out(asked, file_of(files[k]), orr_error_text());
        else
            good |= UINT64_C(1) << k;
    if (code || !good)
        return code;
    if (good + 1 == UINT64_C(1) << count)
        orr_fail(ORR_EINTERNAL, "all of it together %s", together);
    else if (!make_folder(folder, sizeof folder, files, count, good) &&
             !ask_driver(asked, folder, NULL))
        return setenv("OCL_ICD_VENDORS", folder, 1);
    return leave_out(asked, "OpenCL", orr_error_text());
}

static int ask_opencl(struct asked *asked)
{
    struct drivers drivers = {.count = 0};
    int code = ask_driver(asked, NULL, &drivers);
    if (code && !is_over())
        code = find_good_drivers(asked, &drivers);
    for (int k = 0; k < drivers.count; k++)
        if (drivers.alone[k].child && end_probe(&drivers.alone[k], 0) && !code)
            orr_error_clear();
    globfree(&drivers.files);
    return code;
}

/* --- all of them --- */

static int list_apart(const struct orr_device_ops *ops, struct orr_device_info *out, int capacity,
                      struct asked *asked)
{
    if (ops == &orr_host_ops)
        return ops->list(out, capacity);
    asked->ops = ops;
    int code = ops == &orr_opencl_ops ? ask_opencl(asked) : ask_driver(asked, NULL, NULL);
    if (code && ops != &orr_opencl_ops)
        code = leave_out(asked, "CUDA", orr_error_text());
    if (code || asked->count < 0)
        return code;
    size_t used = strlen(asked->allowed);
    snprintf(asked->allowed + used, sizeof asked->allowed - used, "%s%s", used ? "," : "",
             ops->backend);
    memcpy(out, asked->infos,
           (size_t)(asked->count < capacity ? asked->count : capacity) * sizeof *out);
    return asked->count;
}

static int list_all_apart(struct orr_device_probe *out, struct orr_names *left_out)
{
    size_t bytes = ORR_DEVICE_MOST * sizeof *out->devices;
    struct asked asked = {.left_out = left_out};
    asked.infos = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (asked.infos == MAP_FAILED)
        return orr_fail(ORR_EMEMORY, "no memory to list the devices");
    int count = list_by(out->devices, ORR_DEVICE_MOST, NULL, &asked);
    munmap(asked.infos, bytes);
    if (count < 0)
        return count;
    out->count = count;
    const struct orr_device_info *gpu = orr_device_called(out->devices, count, "gpu");
    snprintf(out->gpu, sizeof out->gpu, "%s", gpu ? gpu->name : "");
    return setenv("ORRERY_DRIVERS", asked.allowed, 1);
}

/* --- without drivers --- */

/* Reads the value behind `key` from the first file that has another one there than `but`. */
static bool any_value(char *out, size_t size, const char *files, const char *key, const char *but)
{
    glob_t found = {0};
    bool any = false;
    if (!glob(files, 0, NULL, &found))
        for (size_t k = 0; !any && k < found.gl_pathc; k++)
            any = orr_system_field(out, size, found.gl_pathv[k], key) && strcmp(out, but) != 0;
    globfree(&found);
    return any;
}

/* The machine keeps its name: that of its first GPU. NVIDIA's kernel module tells it; the GPU of
 * another vendor is named by its driver alone, which is asked once more apart. */
static int name_gpu(struct orr_device_probe *out)
{
    struct orr_device_probe all;
    struct orr_names ignored = {0};
    char vendor[16];
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    if (!(visible && (!*visible || *visible == '-')) &&
        any_value(out->gpu, sizeof out->gpu, "/proc/driver/nvidia/gpus/*/information", "Model", ""))
        return 0;
    if (!any_value(vendor, sizeof vendor, "/sys/class/drm/renderD*/device/vendor", "", "0x10de"))
        return 0;
    int code = list_all_apart(&all, &ignored);
    orr_names_free(ignored.items);
    if (!code)
        memcpy(out->gpu, all.gpu, sizeof out->gpu);
    return code;
}

int orr_device_probe(struct orr_device_probe *out, bool host_only, struct orr_names *left_out)
{
    *out = (struct orr_device_probe){0};
    if (!host_only)
        return list_all_apart(out, left_out);
    int code = name_gpu(out);
    setenv("ORRERY_DRIVERS", "", 1);
    if (!code)
        out->count = orr_host_ops.list(out->devices, ORR_DEVICE_MOST);
    return code;
}

/* --- recording what is queued, to queue it again as one; what cannot be recorded runs as it always
 * does --- */

int orr_device_record(struct orr_device *device, struct orr_recording **out,
                      int (*queue)(void *context), void *context)
{
    const uint64_t launches = device->use.launches;
    const char *asked = getenv("ORRERY_RECORD");
    *out = NULL;
    if (!device->ops->record || (asked && !strcmp(asked, "off")))
        return 0;
    device->unrecorded = false;
    int code = device->ops->record(device);
    if (code || device->unrecorded)
        return code;
    device->recording = true;
    code = queue(context);
    device->recording = false;
    const int ended = device->ops->record_end(device, device->unrecorded || code ? NULL : out);
    device->recorded_launches = device->use.launches - launches;
    device->use.launches = launches;
    if (device->unrecorded) { /* that is why it failed, if it did */
        orr_error_clear();
        code = 0;
    }
    return code ? code : ended;
}

int orr_device_replay(struct orr_device *device, struct orr_recording *recording)
{
    int code = device->ops->replay(device, recording);
    device->use.launches += code ? 0 : device->recorded_launches;
    return code;
}

void orr_device_erase(struct orr_device *device, struct orr_recording *recording)
{
    if (recording)
        device->ops->erase(device, recording);
}
