/* The devices of `orrery run` are its own while it measures. */
#include "cli/run_parts.h"

#include <stdio.h>
#include <string.h>

#include "error.h"

/* "orrery run shan/table3" */
static void say_what(char *out, size_t size, const struct orr_run *run)
{
    size_t used = (size_t)snprintf(out, size, "orrery run");
    for (int k = 0; k < run->request.what_count && used < size; k++)
        used += (size_t)snprintf(out + used, size - used, " %s", run->request.what[k]);
}

static void say(const char *text)
{
    fprintf(stderr, "orrery: %s\n", text);
}

static const struct orr_device_info *find(const struct orr_run *run, const char *id)
{
    const struct orr_device_probe *devices = &run->session.devices;
    for (int k = 0; k < devices->count; k++)
        if (!strcmp(devices->devices[k].id, id))
            return &devices->devices[k];
    return NULL;
}

/* Only of devices on which something is left to measure. */
int orr_run_lock(struct orr_run *run)
{
    char what[256];
    int code = 0;
    for (size_t k = 0; !code && k < run->plan.count; k++) {
        const struct orr_cell *cell = &run->plan.cells[k];
        const struct orr_device_info *device = find(run, cell->device);
        if (!run->skip[k] && !*cell->extrapolate_from && !cell->refused && device)
            code = orr_device_lock_add(&run->locks, device);
    }
    say_what(what, sizeof what, run);
    const struct orr_device_lock_wish wish = {what, run->options.no_wait, run->session.signals,
                                              say};
    if (!code)
        code = orr_device_lock_take(&run->locks, &wish);
    if (!code && *run->locks.missing)
        fprintf(stderr, "orrery: %s; ORRERY_LOCKS names another folder\n", run->locks.missing);
    return code;
}

void orr_run_name_locks(struct orr_run *run)
{
    char what[256];
    say_what(what, sizeof what, run);
    orr_device_lock_name(&run->locks, what, run->journal.run);
}
