/* SPDX-License-Identifier: MIT */
/* The variants of fujiwara, for the tests of their forces and of their integration. */
#ifndef ORR_TEST_FUJIWARA_RUN_H
#define ORR_TEST_FUJIWARA_RUN_H

#include "space_run.h"

#define FUJIWARA_VARIANTS                                                               \
    "fujiwara/cpu-only", "fujiwara/cpu-simd", "fujiwara/no-unrolling",                  \
        "fujiwara/simple-unrolling", "fujiwara/double-unrolling", "fujiwara/optimised", \
        "fujiwara/third-law"

/* Who moves the bodies: settings for each flow of a variant; "" alone for one without a device. */
static const char *const flows[] = {"integrate=host", "integrate=device"};

static inline int flow_count(const struct orr_variant *variant)
{
    return variant->capabilities & ORR_RUNS_HOST ? 0 : 2;
}

/* `settings` of one flow. */
static inline const char *in_flow(const struct orr_variant *variant, int flow, const char *settings)
{
    return filled("%s %s", flow_count(variant) ? flows[flow] : "", settings);
}

/* Calls `each` for every variant, device and flow. */
static inline void every_flow(void (*each)(const struct orr_variant *variant,
                                           struct orr_device *device, int flow))
{
    for (int v = 0; v < plugin_count; v++)
        for (int d = 0; d < device_count; d++)
            for (int flow = 0; orr_plugin_runs_on(plugins[v].variant, &devices[d]->info) &&
                               (flow == 0 || flow < flow_count(plugins[v].variant));
                 flow++)
                each(plugins[v].variant, devices[d], flow);
}

#define TEST_EVERY_FLOW(name)                                                                 \
    TEST_EACH(name, every_flow, const struct orr_variant *variant, struct orr_device *device, \
              int flow)

#endif
