/* SPDX-License-Identifier: MIT */
/* Times by name, in order of first use: phases of a device, stages of the host. A set is a JSON
 * object of arrays. */
#ifndef ORR_NAMED_TIMES_H
#define ORR_NAMED_TIMES_H

#include <jansson.h>

#include "device/device.h"

enum { ORR_MAX_NAMED_TIMES = ORR_MAX_PHASES, ORR_LONGEST_NAME = 31 };

/* Adds one time to a set that is made on first use; names beyond ORR_MAX_NAMED_TIMES are dropped.
 */
void orr_named_times_add(json_t **set, const char *name, double seconds);
/* The median of the times of that name; NAN where there are none. */
double orr_named_times_median(const json_t *set, const char *name);
static inline int orr_named_times_count(const json_t *set, const char *name)
{
    return (int)json_array_size(json_object_get(set, name));
}

/* For orr_host.stage. */
void orr_named_times_mark_stage(const char *name);
/* After each call of the variant: ends what runs, adds the seconds of each stage of this call to
 * `to` (NULL: drops them). Returns their sum. */
double orr_named_times_take_stages(json_t **to);

#endif
