/* Hardware counters of the host (PAPI), for one step that is not among the samples. */
#ifndef ORR_COUNTERS_H
#define ORR_COUNTERS_H

#include <jansson.h>
#include <stdbool.h>

#include "device/device.h"

struct orr_counters;

/* Calls `each` for every counter this machine gives; none without PAPI or without leave to use perf
 * events. */
int orr_counters_list(int (*each)(const char *name, const char *what, void *context),
                      void *context);
/* Why there are no counters; "" when there are. */
const char *orr_counters_missing(void);
/* Starts the counters of this process and of threads it makes from now on; *out = NULL where there
 * are none or the device is not the host. */
int orr_counters_start(struct orr_counters **out, const struct orr_device_info *info);
/* Stops, frees and gives name -> value; {} for NULL. NULL on no memory. */
json_t *orr_counters_stop(struct orr_counters *counters);

#endif
