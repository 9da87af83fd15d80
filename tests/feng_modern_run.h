/* SPDX-License-Identifier: MIT */
/* Drives feng/barnes-hut-modern, and feng/exact beside it, on every device present. */
#ifndef ORR_TEST_FENG_MODERN_RUN_H
#define ORR_TEST_FENG_MODERN_RUN_H

#include "feng_run.h"

static const struct orr_variant *modern, *exact;

/* Calls `each` for every device that kernels run on. */
static inline void on_devices(void (*each)(struct orr_device *device))
{
    for (int d = 0; d < device_count; d++)
        if (orr_plugin_runs_on(modern, &devices[d]->info))
            each(devices[d]);
}

#define TEST_ON_DEVICES(name) TEST_EACH(name, on_devices, struct orr_device *device)

static inline int load(void **state)
{
    static const char *const names[] = {"feng/barnes-hut-modern", "feng/exact"};
    const int rc = load_variants(names, 2);

    modern = plugins[0].variant;
    exact = plugins[1].variant;
    return rc;
}

#endif
