#include <stdio.h>
#include <string.h>

#include "error.h"
#include "plan/plan_parts.h"
#include "plugin/plugin.h"

static const char host[] = "host";

static const struct orr_device_info *find(const struct orr_planner *planner, const char *id)
{
    for (int k = 0; k < planner->device_count; k++)
        if (!strcmp(planner->devices[k].id, id))
            return &planner->devices[k];
    return NULL;
}

int orr_plan_check_devices(const struct orr_planner *planner)
{
    for (int k = 0; k < planner->request->device_count; k++) {
        const char *id = planner->request->devices[k];
        if (!strcmp(id, "all") || !strcmp(id, host) || find(planner, id))
            continue;
        char there[512] = "";
        for (int d = 0; d < planner->device_count; d++) {
            size_t used = strlen(there);
            snprintf(there + used, sizeof there - used, "%s%s (%s)", d ? ", " : "",
                     planner->devices[d].id, planner->devices[d].name);
        }
        return orr_fail(ORR_EUNSUPPORTED, "there is no device '%s' here; there is %s", id,
                        there[0] ? there : host);
    }
    return 0;
}

static bool is_host_only(const struct orr_variant *variant)
{
    return !(variant->capabilities & (ORR_RUNS_OPENCL | ORR_RUNS_CUDA));
}

static int choose_best(const struct orr_planner *planner, const struct orr_inspection *metadata,
                       const char **out)
{
    for (int k = 0; k < planner->device_count; k++)
        if (metadata->refused || orr_plugin_runs_on(&metadata->variant, &planner->devices[k]))
            return *out = planner->devices[k].id, 1;
    return 0;
}

static bool asked_for(const struct orr_request *request, const char *id)
{
    for (int k = 0; k < request->device_count; k++)
        if (!strcmp(request->devices[k], id) || !strcmp(request->devices[k], "all"))
            return true;
    return false;
}

int orr_plan_devices(const struct orr_device_info *out[], size_t *count,
                     const struct orr_request *request, const struct orr_device_info *devices,
                     int device_count)
{
    const struct orr_planner planner = {
        .request = request, .devices = devices, .device_count = device_count};
    int code = orr_plan_check_devices(&planner);
    *count = 0;
    for (int k = 0; k < device_count && !code; k++)
        if (asked_for(request, devices[k].id) || (!request->device_count && !k))
            out[(*count)++] = &devices[k];
    return code;
}

/* A variant that was named goes to every device asked for, and may end as "unsupported"; otherwise
 * devices that cannot run it are skipped. */
static bool belongs(const struct orr_planner *planner, const struct orr_inspection *metadata,
                    bool named, int device)
{
    const struct orr_device_info *info = &planner->devices[device];
    if (!asked_for(planner->request, info->id))
        return false;
    bool all = asked_for(planner->request, "all");
    return metadata->refused || orr_plugin_runs_on(&metadata->variant, info) || (named && !all);
}

int orr_plan_choose_devices(const struct orr_planner *planner,
                            const struct orr_inspection *metadata, bool named,
                            const char *out[ORR_PLAN_MAX_DEVICES])
{
    if (!metadata->refused && is_host_only(&metadata->variant))
        return *out = host, 1;
    if (planner->request->device_count == 0)
        return choose_best(planner, metadata, out);
    int count = 0;
    for (int k = 0; k < planner->device_count && count < ORR_PLAN_MAX_DEVICES; k++)
        if (belongs(planner, metadata, named, k))
            out[count++] = planner->devices[k].id;
    return !metadata->refused || count == 0
               ? count
               : 1; /* the cells of a broken plugin are refused: one device is enough */
}

bool orr_plan_device_is(const struct orr_planner *planner, const char *device, const char *kind)
{
    const struct orr_device_info *info = find(planner, device);
    enum orr_device_kind is = info ? info->kind : ORR_DEVICE_HOST;
    return strcmp(kind, "gpu") ? is == ORR_DEVICE_HOST || is == ORR_DEVICE_CPU
                               : is == ORR_DEVICE_GPU;
}
