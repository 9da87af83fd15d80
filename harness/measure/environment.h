/* The settings of the machine that times depend on: of the processor, of the GPUs, of the process.
 */
#ifndef ORR_ENVIRONMENT_H
#define ORR_ENVIRONMENT_H

#include <jansson.h>

#include "device/device.h"

/* The journal's `environment`: {host, gpus, variables}; what this machine does not tell is left
 * out. `root` goes before /sys, /proc and so on, "" but in tests. NVML is asked in a process of its
 * own. NULL on no memory. */
json_t *orr_environment_describe(const char *root, const struct orr_device_info *devices,
                                 int count);

#endif
