/* Times under names, in the order in which the names first came: phases of a device, stages of the
 * host. */
#ifndef ORR_WORKER_SERIES_H
#define ORR_WORKER_SERIES_H

#include "device/device.h"

enum { ORR_MAX_SERIES = ORR_MAX_PHASES };

struct orr_series {
    char name[32];
    double *seconds;
    int count, room;
};

struct orr_series_set {
    struct orr_series items[ORR_MAX_SERIES];
    int count;
};

/* Adds one time; what comes under more names than there is room for is left out. 0 or ORR_EMEMORY.
 */
int orr_series_add(struct orr_series_set *set, const char *name, double seconds);
void orr_series_release(struct orr_series_set *set);

#endif
