#include "run/worker_request.h"

#include <stdio.h>

#include "error.h"

const char *orr_worker_request_text(json_t *request, const char *name)
{
    const char *text = json_string_value(json_object_get(request, name));
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
    json_unpack(json_object_get(request, "bound"), "{s:F, s:F, s:F}", "median", &run->bound.median,
                "p99", &run->bound.p99, "max", &run->bound.max);
    int code =
        orr_worker_cache_plugin(run->cache, &plugin, orr_worker_request_text(request, "variant"));
    if (code)
        return code;
    run->variant = plugin->variant;
    return open_device(run->cache, &run->device, orr_worker_request_text(request, "device"),
                       run->variant);
}
