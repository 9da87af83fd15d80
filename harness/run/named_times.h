/* SPDX-License-Identifier: MIT */
/* Times by name, in order of first use: phases of a device, stages of the host. */
#ifndef ORR_NAMED_TIMES_H
#define ORR_NAMED_TIMES_H

#include "device/device.h"

enum { ORR_MAX_NAMED_TIMES = ORR_MAX_PHASES };

struct orr_named_times {
    char name[32];
    double *seconds;
    int count;
};

struct orr_named_times_set {
    struct orr_named_times items[ORR_MAX_NAMED_TIMES];
    int count;
};

/* Adds one time; names beyond ORR_MAX_NAMED_TIMES are dropped. */
void orr_named_times_add(struct orr_named_times_set *set, const char *name, double seconds);
/* The times of that name; none, with count 0, where there are no such. */
struct orr_named_times orr_named_times_of(const struct orr_named_times_set *set, const char *name);
void orr_named_times_release(struct orr_named_times_set *set);

/* For orr_host.stage. */
void orr_named_times_mark_stage(const char *name);
/* After each call of the variant: ends what runs, adds the seconds of each stage of this call to
 * `to` (NULL: drops them). */
void orr_named_times_take_stages(struct orr_named_times_set *to);

#endif
