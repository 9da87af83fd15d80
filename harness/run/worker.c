#include "run/worker.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"
#include "json_member.h"
#include "machine.h"
#include "measure/ceiling.h"

/* --- what this machine has --- */

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
    const char *text = orr_json_text(object, name);
    snprintf(out, size, "%s", text ? text : "");
}

void orr_worker_device_from_json(struct orr_device_info *out, json_t *o)
{
    *out = (struct orr_device_info){.kind = (enum orr_device_kind)orr_json_integer(o, "kind"),
                                    .compute_units = (int)orr_json_integer(o, "compute_units"),
                                    .clock_mhz = (int)orr_json_integer(o, "clock_mhz"),
                                    .warp_width = (int)orr_json_integer(o, "warp_width"),
                                    .vector_width = (int)orr_json_integer(o, "vector_width"),
                                    .max_group = (size_t)orr_json_integer(o, "max_group"),
                                    .local_bytes = (size_t)orr_json_integer(o, "local_bytes"),
                                    .memory_bytes = (uint64_t)orr_json_integer(o, "memory_bytes"),
                                    .fp64 = json_is_true(json_object_get(o, "fp64"))};
    copy_text(out->id, sizeof out->id, o, "id");
    copy_text(out->backend, sizeof out->backend, o, "backend");
    copy_text(out->name, sizeof out->name, o, "name");
    copy_text(out->vendor, sizeof out->vendor, o, "vendor");
    copy_text(out->driver, sizeof out->driver, o, "driver");
    copy_text(out->toolkit, sizeof out->toolkit, o, "toolkit");
    copy_text(out->capability, sizeof out->capability, o, "capability");
}

static json_t *probe(void)
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
    orr_machine_name(name, sizeof name, &machine, orr_device_first_gpu(infos, count));
    return json_pack("{s:o, s:o}", "devices", devices, "machine",
                     orr_machine_to_json(&machine, name));
}

static json_t *measure_ceiling(struct orr_worker_cache *cache, json_t *request)
{
    const char *id = orr_json_text(request, "device");
    struct orr_device *device;
    struct orr_ceiling ceiling;
    if (orr_worker_cache_device(cache, &device, id ? id : "") ||
        orr_ceiling_measure(device, &ceiling))
        return NULL;
    return json_pack("{s:{s:s, s:s, s:s, s:f, s:f}}", "record", "record", "ceiling", "device", id,
                     "device_name", device->info.name, "interactions_per_second",
                     ceiling.interactions_per_second, "fma_per_second", ceiling.fma_per_second);
}

/* --- requests of eval and render --- */

const char *orr_worker_request_text(json_t *request, const char *name)
{
    const char *text = orr_json_text(request, name);
    return text ? text : "";
}

int orr_worker_request_settings(struct orr_setting out[ORR_MAX_SETTINGS], int *count,
                                json_t *request)
{
    const char *name;
    json_t *value;
    *count = 0;
    json_object_foreach(json_object_get(request, "settings"), name, value)
    {
        if (*count == ORR_MAX_SETTINGS)
            return orr_fail(ORR_EUSAGE, "more than %d --set", ORR_MAX_SETTINGS);
        snprintf(out[*count].name, sizeof out->name, "%s", name);
        snprintf(out[(*count)++].value, sizeof out->value, "%s", json_string_value(value));
    }
    return 0;
}

/* The device asked for, or the best that the variant runs on. */
static int open_device(struct orr_worker_cache *cache, struct orr_device **out, const char *id,
                       const struct orr_variant *variant)
{
    struct orr_device_info infos[ORR_WORKER_CACHE_DEVICES];
    int count = 0, code = 0;
    if (*id) {
        code = orr_worker_cache_device(cache, out, id);
        if (!code && !orr_plugin_runs_on(variant, &(*out)->info))
            code = orr_fail(ORR_EUNSUPPORTED,
                            "%s does not run on %s (%s); choose another with --device",
                            variant->name, id, (*out)->info.name);
        return code;
    }
    code = orr_device_list(infos, ORR_WORKER_CACHE_DEVICES, &count);
    for (int k = 0; !code && k < count && k < ORR_WORKER_CACHE_DEVICES; k++)
        if (orr_plugin_runs_on(variant, &infos[k]))
            return orr_worker_cache_device(cache, out, infos[k].id);
    return code ? code
                : orr_fail(ORR_EUNSUPPORTED, "%s runs on no device of this machine", variant->name);
}

int orr_worker_request_variant(struct orr_cell_run *run, json_t *request)
{
    const struct orr_plugin *plugin;
    int code =
        orr_worker_cache_plugin(run->cache, &plugin, orr_worker_request_text(request, "variant"));
    if (code)
        return code;
    run->variant = plugin->variant;
    return open_device(run->cache, &run->device, orr_worker_request_text(request, "device"),
                       run->variant);
}

/* --- the loop --- */

/* Moves the socket off standard input, and standard output to stderr, where variants and drivers
 * may print. */
static int take_socket(struct orr_channel *channel)
{
    int fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3),
        null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (fd < 0 || null < 0 || dup2(null, STDIN_FILENO) < 0 ||
        dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        return orr_fail(ORR_EUSAGE, "__worker is started by the program itself, not by hand");
    close(null);
    orr_channel_init(channel, fd);
    return 0;
}

static json_t *serve(struct orr_worker_cache *cache, json_t *request, struct orr_channel *channel)
{
    const char *ask = orr_json_text(request, "ask");
    if (ask && !strcmp(ask, "probe"))
        return probe();
    if (ask && !strcmp(ask, "ceiling"))
        return measure_ceiling(cache, request);
    if (ask && !strcmp(ask, "cell"))
        return orr_worker_cell(cache, request, channel);
    if (ask && !strcmp(ask, "eval"))
        return orr_worker_eval(cache, request);
    if (ask && !strcmp(ask, "frames"))
        return orr_worker_frames(cache, request, channel);
    orr_fail(ORR_EINTERNAL, "a worker was asked for '%s'", ask ? ask : "nothing");
    return NULL;
}

static bool lost_a_device(const struct orr_worker_cache *cache)
{
    for (int k = 0; k < cache->device_count; k++)
        if (cache->devices[k]->lost)
            return true;
    return false;
}

/* Answers one request; whether to go on. */
static bool answer(struct orr_worker_cache *cache, json_t *request, struct orr_channel *channel)
{
    orr_error_clear();
    json_t *reply = serve(cache, request, channel);
    if (reply)
        json_object_set_new(reply, "say", json_string("done"));
    else
        reply = json_pack("{s:s, s:i, s:s}", "say", "failed", "code", orr_error_code(), "text",
                          orr_error_text());
    bool lost = lost_a_device(cache);
    json_object_set_new(reply, "lost", json_boolean(lost));
    return orr_channel_send(channel, reply) == 0 && !lost;
}

int orr_worker_serve(void)
{
    struct orr_channel channel;
    if (take_socket(&channel))
        return ORR_EXIT_USAGE;
    struct orr_worker_cache *cache = calloc(1, sizeof *cache);
    bool go_on = cache != NULL;
    while (go_on) {
        json_t *request;
        enum orr_heard heard = orr_channel_receive(&channel, INFINITY, -1, &request);
        const char *ask = orr_json_text(request, "ask");
        go_on = heard == ORR_HEARD_MESSAGE && ask && strcmp(ask, "quit") &&
                answer(cache, request, &channel);
        json_decref(request);
    }
    /* Drivers and plugins are not unloaded: some crash on the way out. The system takes everything
     * back. */
    _exit(ORR_EXIT_OK);
}
