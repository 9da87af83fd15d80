/* How long a plan takes, here or on a machine that is known from its journals. */
#include <stdio.h>
#include <string.h>

#include "cli/run_parts.h"
#include "error.h"
#include "ledger/journal.h"
#include "run/worker.h"

/* --- the devices --- */

static bool has_device(const struct orr_device_probe *probe, const char *id)
{
    for (int k = 0; k < probe->count; k++)
        if (!strcmp(probe->devices[k].id, id))
            return true;
    return false;
}

bool orr_run_has_devices(const struct orr_device_probe *probe, const struct orr_words *wanted)
{
    for (int k = 0; k < wanted->count; k++)
        if (!has_device(probe, wanted->items[k]))
            return false;
    return true;
}

/* The run record alone is read: the rest of a journal may be long. */
static int take_devices(json_t *record, size_t line, void *context)
{
    struct orr_run_known_devices *search = context;
    (void)line;
    size_t k;
    json_t *device;
    struct orr_device_probe found = {0};
    json_array_foreach(json_object_get(record, "devices"), k, device)
    {
        if (found.count < ORR_DEVICE_MOST)
            orr_worker_device_from_json(&found.devices[found.count++], device);
    }
    if (found.count && orr_run_has_devices(&found, search->wanted)) {
        search->devices = found;
        return 1;
    }
    return ORR_EINPUT;
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

int orr_run_known_devices_look(const char *path, void *context)
{
    struct orr_run_known_devices *search = context;
    if (strcmp(name_of(path), name_of(search->path)) <= 0)
        return 0;
    if (orr_journal_read(path, take_devices, search, NULL) == 1)
        snprintf(search->path, sizeof search->path, "%s", path);
    orr_error_clear();
    return 0;
}

/* --- the time --- */

double orr_run_plan_seconds(const struct orr_plan *plan, const struct orr_time_estimate *estimate,
                            bool *guessed)
{
    double sum = 0, step;
    for (int round = 1; round <= plan->rounds; round++) {
        sum += orr_time_estimate_beside(estimate);
        for (size_t k = 0; k < plan->count; k++)
            sum += orr_time_estimate_cell(estimate, &plan->cells[k], round > 1);
    }
    for (size_t k = 0; k < plan->count; k++)
        *guessed |= !*plan->cells[k].extrapolate_from &&
                    !orr_time_estimate_step(&step, estimate, &plan->cells[k]);
    return sum;
}
