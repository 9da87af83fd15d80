/* The table of backends, the list of devices over all of them, and opening by name. */
#include "device/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/backend.h"
#include "error.h"
#include "memory.h"

/* In order of preference. */
static const struct orr_device_ops *const backends[] = {&orr_cuda_ops, &orr_opencl_ops,
                                                        &orr_host_ops, NULL};

enum { MAX_DEVICES = 64 };

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

static int list_here(const struct orr_device_ops *ops, struct orr_device_info *out, int capacity,
                     int *count, void *context)
{
    (void)context;
    return ops->list(out, capacity, count);
}

int orr_device_list(struct orr_device_info *out, int capacity, int *count)
{
    return orr_device_list_by(out, capacity, count, list_here, NULL);
}

int orr_device_list_by(struct orr_device_info *out, int capacity, int *count,
                       orr_device_lister *list, void *context)
{
    struct orr_device_info *found = orr_memory_get(MAX_DEVICES * sizeof *found);
    int total = 0, code = 0;
    for (int b = 0; !code && backends[b]; b++) {
        int here = 0;
        if (orr_device_may_load(backends[b]->backend))
            code = list(backends[b], found + total, MAX_DEVICES - total, &here, context);
        total += here < MAX_DEVICES - total ? here : MAX_DEVICES - total;
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

static int fail_absent(const char *id)
{
    char names[512] = "";
    size_t used = 0;
    struct orr_device_info *found = orr_memory_get(MAX_DEVICES * sizeof *found);
    int count = 0;
    if (orr_device_list(found, MAX_DEVICES, &count)) {
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
    struct orr_device_info *found = orr_memory_get(MAX_DEVICES * sizeof *found);
    int count = 0, code = 0;
    *out = false;
    if (orr_device_may_load(ops->backend))
        code = ops->list(found, MAX_DEVICES, &count);
    for (int k = 0; !code && k < count && k < MAX_DEVICES; k++)
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
