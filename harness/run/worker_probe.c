/* What a worker finds on this machine: devices, machine, ceilings. */
#include "run/worker.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "error.h"
#include "machine.h"
#include "measure/ceiling.h"

enum { MOST_DEVICES = 64 };

json_t *orr_worker_device_to_json(const struct orr_device_info *i)
{
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:i, s:i, s:i, s:i, s:i, s:I, s:I, s:I, s:b}", "id",
        i->id, "backend", i->backend, "name", i->name, "vendor", i->vendor, "driver", i->driver,
        "toolkit", i->toolkit, "capability", i->capability, "kind", (int)i->kind, "compute_units",
        i->compute_units, "clock_mhz", i->clock_mhz, "warp_width", i->warp_width, "vector_width",
        i->vector_width, "max_group", (json_int_t)i->max_group, "local_bytes",
        (json_int_t)i->local_bytes, "memory_bytes", (json_int_t)i->memory_bytes, "fp64", i->fp64);
}

static void copy_text(char *out, size_t size, json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    snprintf(out, size, "%s", text ? text : "");
}

static json_int_t whole(json_t *object, const char *name)
{
    return json_integer_value(json_object_get(object, name));
}

void orr_worker_device_from_json(struct orr_device_info *out, json_t *o)
{
    *out = (struct orr_device_info){.kind = (enum orr_device_kind)whole(o, "kind"),
                                    .compute_units = (int)whole(o, "compute_units"),
                                    .clock_mhz = (int)whole(o, "clock_mhz"),
                                    .warp_width = (int)whole(o, "warp_width"),
                                    .vector_width = (int)whole(o, "vector_width"),
                                    .max_group = (size_t)whole(o, "max_group"),
                                    .local_bytes = (size_t)whole(o, "local_bytes"),
                                    .memory_bytes = (uint64_t)whole(o, "memory_bytes"),
                                    .fp64 = json_is_true(json_object_get(o, "fp64"))};
    copy_text(out->id, sizeof out->id, o, "id");
    copy_text(out->backend, sizeof out->backend, o, "backend");
    copy_text(out->name, sizeof out->name, o, "name");
    copy_text(out->vendor, sizeof out->vendor, o, "vendor");
    copy_text(out->driver, sizeof out->driver, o, "driver");
    copy_text(out->toolkit, sizeof out->toolkit, o, "toolkit");
    copy_text(out->capability, sizeof out->capability, o, "capability");
}

json_t *orr_worker_probe(void)
{
    struct orr_device_info infos[MOST_DEVICES];
    struct orr_machine machine;
    int count = 0;
    if (orr_device_list(infos, MOST_DEVICES, &count) || orr_machine_describe(&machine))
        return NULL;
    if (count > MOST_DEVICES)
        count = MOST_DEVICES;
    json_t *devices = json_array();
    for (int k = 0; k < count; k++)
        json_array_append_new(devices, orr_worker_device_to_json(&infos[k]));
    char name[128];
    orr_machine_name(name, sizeof name, &machine, infos, count);
    return json_pack("{s:o, s:o}", "devices", devices, "machine",
                     orr_machine_to_json(&machine, name));
}

json_t *orr_worker_ceiling(struct orr_worker_cache *cache, json_t *request)
{
    const char *id = json_string_value(json_object_get(request, "device"));
    struct orr_device *device;
    struct orr_ceiling ceiling;
    if (orr_worker_cache_device(cache, &device, id ? id : "") ||
        orr_ceiling_measure(device, &ceiling))
        return NULL;
    return json_pack("{s:{s:s, s:s, s:s, s:f, s:f}}", "record", "record", "ceiling", "device", id,
                     "device_name", device->info.name, "interactions_per_second",
                     ceiling.interactions_per_second, "fma_per_second", ceiling.fma_per_second);
}
