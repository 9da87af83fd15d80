/* The schedule of `orrery run ceilings`: in each round what every kind of access costs each
 * device, one record a device and round. */
#ifndef ORR_SCHEDULE_ACCESS_H
#define ORR_SCHEDULE_ACCESS_H

#include "device/device.h"
#include "run/schedule.h"

/* What is asked for, in the place of papers. */
#define ORR_CEILINGS "ceilings"

struct orr_access_plan {
    const struct orr_device_info *const *devices;
    size_t count;
    const bool *skip; /* skip[(round - 1) * count + place]: need not run */
    bool quick;
    double timeout_s; /* of one kind */
    /* More build defines of the kernels, for tests; NULL: none. */
    const char *defines;
    /* Called before each, and with its record behind it. */
    void (*before)(void *context, int round, const struct orr_device_info *device);
    void (*after)(void *context, int round, json_t *record);
};

/* Of the schedule all but its cells counts. As orr_schedule_run; a device that gave no rate has
 * failed. */
int orr_schedule_access(const struct orr_schedule *schedule, const struct orr_access_plan *plan,
                        struct orr_tally *out);
/* Is it `orrery run ceilings`, a run of devices instead of cells? */
bool orr_schedule_is_of_ceilings(const struct orr_request *request);
/* How many rates a record of access ceilings has; the others have reasons. */
size_t orr_schedule_access_rates(const json_t *record);

#endif
