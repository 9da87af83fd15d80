/* Asks each driver for its devices in a process apart, and leaves out those that fail. */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "device/backend.h"
#include "error.h"
#include "forked_probe.h"
#include "names.h"

static const double DRIVER_SECONDS = 30;
enum { MOST_DRIVERS = 32 };

struct asked {
    const struct orr_device_ops *ops;
    const char *folder;            /* of OpenCL's drivers; NULL: where they are */
    struct orr_device_info *infos; /* shared with the child */
    struct orr_names *left_out;
    char allowed[64]; /* drivers that did not fail, for ORRERY_DRIVERS */
};

/* --- one driver --- */

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

/* --- OpenCL, which may have several drivers --- */

static const char *file_of(const struct orr_opencl_driver *driver)
{
    return strrchr(driver->path, '/') + 1;
}

/* Bits of the drivers that work alone; the others are left out. */
static int sort_out(struct asked *asked, const struct orr_opencl_driver *drivers, int count,
                    uint64_t *good)
{
    int code = 0, devices;
    *good = 0;
    for (int k = 0; !code && k < count; k++) {
        char folder[1024];
        uint64_t bit = UINT64_C(1) << k;
        if (orr_opencl_folder(folder, sizeof folder, drivers, count, bit) ||
            ask(asked, folder, &devices))
            code = leave_out(asked, file_of(&drivers[k]));
        else
            *good |= bit;
    }
    return code;
}

static int ask_chosen(struct asked *asked, const struct orr_opencl_driver *drivers, int count,
                      uint64_t chosen, int *devices)
{
    char folder[1024];
    int code = orr_opencl_folder(folder, sizeof folder, drivers, count, chosen);
    if (!code)
        code = ask(asked, folder, devices);
    if (!code)
        setenv("OCL_ICD_VENDORS", folder, 1);
    return code;
}

/* All together failed, and the error is recorded; with *devices < 0 none is any good. */
static int find_good_drivers(struct asked *asked, int *devices)
{
    struct orr_opencl_driver drivers[MOST_DRIVERS];
    int count = orr_opencl_drivers(drivers, MOST_DRIVERS), code = 0;
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
    int code = orr_device_list_by(out->devices, ORR_DEVICE_MOST, &out->count, list_apart, &asked);
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
