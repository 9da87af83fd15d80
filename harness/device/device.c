/* The table of backends, the list of devices over all of them, each driver asked in a process
 * apart, and opening by name. */
#include "device/device.h"

#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device/backend.h"
#include "error.h"
#include "forked_probe.h"
#include "memory.h"
#include "names.h"

/* In order of preference. */
static const struct orr_device_ops *const backends[] = {&orr_cuda_ops, &orr_opencl_ops,
                                                        &orr_host_ops, NULL};

/* Lower ranks first. */
static int rank(const struct orr_device_info *info)
{
    if (!strcmp(info->backend, "cuda"))
        return 0;
    if (!strcmp(info->backend, "host"))
        return 3;
    return info->kind == ORR_DEVICE_GPU ? 1 : 2;
}

bool orr_device_may_load(const char *backend)
{
    const char *allowed = getenv("ORRERY_DRIVERS");
    size_t length = strlen(backend);
    if (!allowed || backend == orr_host_ops.backend)
        return true;
    for (const char *at = allowed; *at; at += strcspn(at, ","), at += *at == ',')
        if (strcspn(at, ",") == length && !strncmp(at, backend, length))
            return true;
    return false;
}

typedef int lister(const struct orr_device_ops *ops, struct orr_device_info *out, int capacity,
                   int *count, void *context);

/* Asks each backend that is allowed by `list`. */
static int list_by(struct orr_device_info *out, int capacity, int *count, lister *list,
                   void *context)
{
    struct orr_device_info *found = orr_memory_get(ORR_DEVICE_MOST * sizeof *found);
    int total = 0, code = 0;
    for (int b = 0; !code && backends[b]; b++) {
        int here = 0;
        if (orr_device_may_load(backends[b]->backend))
            code = list(backends[b], found + total, ORR_DEVICE_MOST - total, &here, context);
        total += here < ORR_DEVICE_MOST - total ? here : ORR_DEVICE_MOST - total;
    }
    int written = 0;
    for (int r = 0; !code && r <= 3; r++)
        for (int k = 0; k < total && written < capacity; k++)
            if (rank(&found[k]) == r)
                out[written++] = found[k];
    *count = written;
    free(found);
    return code;
}

static int list_here(const struct orr_device_ops *ops, struct orr_device_info *out, int capacity,
                     int *count, void *context)
{
    (void)context;
    return ops->list(out, capacity, count);
}

int orr_device_list(struct orr_device_info *out, int capacity, int *count)
{
    return list_by(out, capacity, count, list_here, NULL);
}

static int fail_absent(const char *id)
{
    char names[512] = "";
    size_t used = 0;
    struct orr_device_info *found = orr_memory_get(ORR_DEVICE_MOST * sizeof *found);
    int count = 0;
    if (orr_device_list(found, ORR_DEVICE_MOST, &count)) {
        free(found);
        return orr_error_code();
    }
    for (int k = 0; k < count && used < sizeof names; k++)
        used +=
            (size_t)snprintf(names + used, sizeof names - used, "%s%s", k ? ", " : "", found[k].id);
    free(found);
    return orr_fail(
        ORR_EUNSUPPORTED,
        "there is no device '%s' here; there are: %s (`orrery doctor` says what is missing)", id,
        names);
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

static int is_present(const struct orr_device_ops *ops, const char *id, bool *out)
{
    struct orr_device_info *found = orr_memory_get(ORR_DEVICE_MOST * sizeof *found);
    int count = 0, code = 0;
    *out = false;
    if (orr_device_may_load(ops->backend))
        code = ops->list(found, ORR_DEVICE_MOST, &count);
    for (int k = 0; !code && k < count && k < ORR_DEVICE_MOST; k++)
        *out |= !strcmp(found[k].id, id);
    free(found);
    return code;
}

int orr_device_open(struct orr_device **out, const char *id)
{
    *out = NULL;
    const struct orr_device_ops *ops = backend_of(id);
    bool present = false;
    int code = ops ? is_present(ops, id, &present) : 0;
    if (code)
        return code;
    if (!present)
        return fail_absent(id);
    if (!(code = ops->open(out, id)) && (code = orr_guard_attach(*out))) {
        ops->close(*out);
        *out = NULL;
    }
    return code;
}

void orr_device_close(struct orr_device *device)
{
    if (device)
        device->ops->close(device);
}

const char *orr_device_first_gpu(const struct orr_device_info *devices, int count)
{
    for (int k = 0; k < count; k++)
        if (devices[k].kind == ORR_DEVICE_GPU)
            return devices[k].name;
    return NULL;
}

const char *orr_device_kernel_clock(struct orr_device *device, const char **why)
{
    *why = "";
    if (!strcmp(device->info.backend, orr_host_ops.backend))
        return "host clock";
    if (!device->ops->trace)
        return "kernel timestamps";
    int code = device->ops->trace(device, true);
    if (!code)
        code = device->ops->trace(device, false);
    if (!code)
        return "kernel timestamps";
    *why = orr_error_text();
    return "events";
}

static const double DRIVER_SECONDS = 30;
enum { MOST_DRIVERS = 32 };

struct asked {
    const struct orr_device_ops *ops;
    const char *folder;            /* of OpenCL's drivers; NULL: where they are */
    struct orr_device_info *infos; /* shared with the child */
    struct orr_names *left_out;
    char allowed[64]; /* drivers that did not fail, for ORRERY_DRIVERS */
};

/* --- each driver apart; one that fails is left out --- */

static int list_in_child(json_t **out, void *context)
{
    const struct asked *asked = context;
    int count = 0;
    if (asked->folder)
        setenv("OCL_ICD_VENDORS", asked->folder, 1);
    int code = asked->ops->list(asked->infos, ORR_DEVICE_MOST, &count);
    *out = json_integer(count < ORR_DEVICE_MOST ? count : ORR_DEVICE_MOST);
    return code;
}

static int ask(struct asked *asked, const char *folder, int *count)
{
    json_t *answer = NULL;
    asked->folder = folder;
    int code =
        orr_forked_probe(&answer, list_in_child, asked, orr_forked_probe_limit(DRIVER_SECONDS));
    *count = (int)json_integer_value(answer);
    json_decref(answer);
    return code;
}

/* Whether the error recorded is more than the failure of a driver. */
static bool is_over(void)
{
    return orr_error_code() == ORR_EINTERRUPTED || orr_error_code() == ORR_EMEMORY;
}

/* A driver failed, which costs its devices. */
static int leave_out(struct asked *asked, const char *what)
{
    if (is_over())
        return orr_error_code();
    orr_names_add(asked->left_out, "the driver %s is left out: %s", what, orr_error_text());
    orr_error_clear();
    return 0;
}

/* --- OpenCL's drivers as its loader finds them, and a choice of them. Both loaders in use, ocl-icd
 * and that of Khronos, take a folder of .icd files in OCL_ICD_VENDORS --- */

/* The path of a driver's .icd file. */
struct driver {
    char path[512];
};

static bool is_icd(const char *name)
{
    size_t length = strlen(name);
    return length > 4 && !strcmp(name + length - 4, ".icd");
}

static const char *setting(const char *name, const char *otherwise)
{
    const char *text = getenv(name);
    return text && *text ? text : otherwise;
}

/* Absolute, for links to it. */
static bool set_path(struct driver *out, const char *folder, const char *name)
{
    char here[512] = "";
    if (*folder != '/' && !getcwd(here, sizeof here))
        return false;
    return (size_t)snprintf(out->path, sizeof out->path, "%s%s%s/%s", here, *here ? "/" : "",
                            folder, name) < sizeof out->path;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct driver *)a)->path, ((const struct driver *)b)->path);
}

static int drivers_of(struct driver *out, int capacity, const char *path)
{
    int count = 0;
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && count < capacity && (entry = readdir(folder));)
        if (is_icd(entry->d_name) && set_path(&out[count], path, entry->d_name))
            count++;
    if (folder)
        closedir(folder);
    qsort(out, (size_t)count, sizeof *out, by_path);
    return count;
}

/* None where OCL_ICD_VENDORS names a library. */
static int list_drivers(struct driver *out, int capacity)
{
    const char *standard = setting("OPENCL_VENDOR_PATH", "/etc/OpenCL/vendors"),
               *chosen = setting("OCL_ICD_VENDORS", standard);
    int count = drivers_of(out, capacity, chosen);
    if (count || !is_icd(chosen) || !capacity)
        return count;
    bool among =
        !strchr(chosen, '/') && set_path(out, standard, chosen) && !access(out->path, R_OK);
    return among || set_path(out, *chosen == '/' ? "" : ".", chosen + (*chosen == '/'));
}

/* A folder that holds only those whose bit is in `chosen`, for OCL_ICD_VENDORS. ORR_EIO. */
static int make_folder(char *path, size_t size, const struct driver *drivers, int count,
                       uint64_t chosen)
{
    const char *parts[64] = {NULL};
    size_t part_count = 0;
    for (int k = 0; k < count; k++)
        if (chosen >> k & 1)
            parts[part_count++] = drivers[k].path;
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

static const char *file_of(const struct driver *driver)
{
    return strrchr(driver->path, '/') + 1;
}

/* Bits of the drivers that work alone; the others are left out. */
static int sort_out(struct asked *asked, const struct driver *drivers, int count, uint64_t *good)
{
    int code = 0, devices;
    *good = 0;
    for (int k = 0; !code && k < count; k++) {
        char folder[1024];
        uint64_t bit = UINT64_C(1) << k;
        if (make_folder(folder, sizeof folder, drivers, count, bit) || ask(asked, folder, &devices))
            code = leave_out(asked, file_of(&drivers[k]));
        else
            *good |= bit;
    }
    return code;
}

static int ask_chosen(struct asked *asked, const struct driver *drivers, int count, uint64_t chosen,
                      int *devices)
{
    char folder[1024];
    int code = make_folder(folder, sizeof folder, drivers, count, chosen);
    if (!code)
        code = ask(asked, folder, devices);
    if (!code)
        setenv("OCL_ICD_VENDORS", folder, 1);
    return code;
}

/* All together failed, and the error is recorded; with *devices < 0 none is any good. */
static int find_good_drivers(struct asked *asked, int *devices)
{
    struct driver drivers[MOST_DRIVERS];
    int count = list_drivers(drivers, MOST_DRIVERS), code = 0;
    uint64_t good;
    *devices = -1;
    if (count < 2 || is_over())
        return leave_out(asked, count == 1 ? file_of(drivers) : "OpenCL");
    char together[256];
    snprintf(together, sizeof together, "%s", orr_error_text());
    orr_error_clear();
    code = sort_out(asked, drivers, count, &good);
    if (code || !good)
        return code;
    if (good + 1 == UINT64_C(1) << count)
        orr_fail(ORR_EINTERNAL, "all of it together %s", together);
    else if (!ask_chosen(asked, drivers, count, good, devices))
        return 0;
    *devices = -1;
    return leave_out(asked, "OpenCL");
}

/* --- all of them --- */

static int list_apart(const struct orr_device_ops *ops, struct orr_device_info *out, int capacity,
                      int *count, void *context)
{
    struct asked *asked = context;
    int code = 0;
    if (ops == &orr_host_ops)
        return ops->list(out, capacity, count);
    asked->ops = ops;
    if (ask(asked, NULL, count)) {
        *count = -1;
        code = ops == &orr_opencl_ops ? find_good_drivers(asked, count) : leave_out(asked, "CUDA");
    }
    if (*count >= 0) {
        size_t used = strlen(asked->allowed);
        snprintf(asked->allowed + used, sizeof asked->allowed - used, "%s%s", used ? "," : "",
                 ops->backend);
    }
    *count = *count < 0 ? 0 : *count < capacity ? *count : capacity;
    memcpy(out, asked->infos, (size_t)*count * sizeof *out);
    return code;
}

static int list_all_apart(struct orr_device_probe *out, struct orr_names *left_out)
{
    size_t bytes = ORR_DEVICE_MOST * sizeof *out->devices;
    struct asked asked = {.left_out = left_out};
    asked.infos = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (asked.infos == MAP_FAILED)
        return orr_fail(ORR_EMEMORY, "no memory to list the devices");
    int code = list_by(out->devices, ORR_DEVICE_MOST, &out->count, list_apart, &asked);
    munmap(asked.infos, bytes);
    const char *gpu = orr_device_first_gpu(out->devices, out->count);
    if (!code)
        snprintf(out->gpu, sizeof out->gpu, "%s", gpu ? gpu : "");
    return code ? code : setenv("ORRERY_DRIVERS", asked.allowed, 1);
}

/* --- without drivers --- */

/* Calls `take` with each line of the files; whether one was taken. */
static bool any_line(const char *files, bool (*take)(const char *line, char *out, size_t size),
                     char *out, size_t size)
{
    glob_t found;
    bool taken = false;
    if (glob(files, 0, NULL, &found))
        return false;
    for (size_t k = 0; !taken && k < found.gl_pathc; k++) {
        char line[256];
        FILE *file = fopen(found.gl_pathv[k], "re");
        while (file && !taken && fgets(line, sizeof line, file))
            taken = take(line, out, size);
        if (file)
            fclose(file);
    }
    globfree(&found);
    return taken;
}

/* "Model: \t\t NVIDIA H200" */
static bool take_model(const char *line, char *out, size_t size)
{
    if (strncmp(line, "Model:", 6) != 0)
        return false;
    line += 6 + strspn(line + 6, " \t");
    return snprintf(out, size, "%.*s", (int)strcspn(line, "\n"), line) > 0;
}

static bool take_other_vendor(const char *line, char *out, size_t size)
{
    (void)out;
    (void)size;
    return strncmp(line, "0x10de", 6) != 0;
}

/* The machine keeps its name: that of its first GPU. NVIDIA's kernel module tells it; the GPU of
 * another vendor is named by its driver alone, which is asked once more apart. */
static int name_gpu(struct orr_device_probe *out)
{
    struct orr_device_probe all;
    struct orr_names ignored = {0};
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    if (!(visible && (!*visible || *visible == '-')) &&
        any_line("/proc/driver/nvidia/gpus/*/information", take_model, out->gpu, sizeof out->gpu))
        return 0;
    if (!any_line("/sys/class/drm/renderD*/device/vendor", take_other_vendor, NULL, 0))
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
    return code ? code : orr_host_ops.list(out->devices, ORR_DEVICE_MOST, &out->count);
}

/* --- recording what is queued, to queue it again as one; what cannot be recorded runs as it always
 * does --- */

static bool wants_recording(void)
{
    const char *asked = getenv("ORRERY_RECORD");
    return !asked || strcmp(asked, "off") != 0;
}

int orr_device_record(struct orr_device *device, struct orr_recording **out,
                      int (*queue)(void *context), void *context)
{
    const uint64_t launches = device->use.launches;
    *out = NULL;
    if (!device->ops->record || !wants_recording())
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
