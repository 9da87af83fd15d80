/* The devices of `orrery run` are its own while it measures. */
#include "cli/run_parts.h"

#include <stdio.h>
#include <string.h>

#include "error.h"
#include "run/rank_library.h"

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

/* Is it the device of one of the cell's ranks? One without a device of its own fails later. */
static bool uses(const struct orr_run *run, const struct orr_cell *cell, const char *id)
{
    const struct orr_device_probe *found = &run->session.devices;
    const struct orr_rank_library *ranks = cell->ranks > 1 ? orr_rank_library() : NULL;
    char own[32];
    if (!ranks)
        orr_error_clear();
    for (int rank = 1; ranks && rank < cell->ranks; rank++) {
        if (ranks->device(own, cell->device, rank, cell->ranks, found->devices, found->count, true))
            orr_error_clear();
        else if (!strcmp(own, id))
            return true;
    }
    return !strcmp(cell->device, id);
}

/* Is something left to measure on the device? */
static bool is_used(const struct orr_run *run, const char *id)
{
    for (size_t k = 0; k < run->plan.count; k++) {
        const struct orr_cell *cell = &run->plan.cells[k];
        if (!run->skip[k] && !*cell->extrapolate_from && !cell->refused && uses(run, cell, id))
            return true;
    }
    return orr_run_ceilings_use(run, id);
}

int orr_run_lock(struct orr_run *run)
{
    const struct orr_device_probe *found = &run->session.devices;
    char what[256];
    int code = 0;
    for (int k = 0; !code && k < found->count; k++)
        if (is_used(run, found->devices[k].id))
            code = orr_device_lock_add(&run->locks, &found->devices[k]);
    say_what(what, sizeof what, run);
    const struct orr_device_lock_wish wish = {what, run->options.no_wait, run->session.signals,
                                              say};
    if (!code)
        code = orr_device_lock_take(&run->locks, &wish);
    if (!code && *run->locks.missing)
        fprintf(stderr, "orrery: %s; ORRERY_LOCKS names another folder\n", run->locks.missing);
    return code;
}
